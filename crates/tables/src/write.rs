//! Writes table files: beside, on several threads, renamed when whole.

use std::io;
use std::path::Path;

use puabi_core::{Indexer, Rules};
use rayon::prelude::*;
use tempfile::NamedTempFile;

use crate::checkpoint::FileCheckpoint;
use crate::disk::{Positioned, directory, ensure_space, name, remove, sync_directory};
use crate::error::TableError;
use crate::format::{Checksum, Header, checksum, to_usize};
use crate::precision::Precision;
use crate::workers::share;
use puabi_solve::Values;
use puabi_solve::{Options, Report, Unattended, residual};

/// Blocks that a thread writes at once: 1 MiB.
const BATCH: usize = 16;

/// Writes the tables of one game.
///
/// The bytes depend on the rules, the values, the report and the tolerance alone. See [`Table`](crate::Table) for an
/// example.
#[derive(Debug, Clone, Copy)]
pub struct TableWriter<'r> {
    rules: &'r Rules,
    precision: Precision,
    options: Options,
}

impl<'r> TableWriter<'r> {
    /// Returns a writer of tables of the game with these rules, solved with these options.
    pub fn new(rules: &'r Rules, precision: Precision, options: Options) -> Self {
        Self { rules, precision, options }
    }

    /// Writes the table at `path` and returns the hash that names it.
    ///
    /// A file that was there is replaced at once when the new one is whole and on the disk; until then, and on any
    /// error, it stays as it was. Coarser precisions than f64 take as much memory again as `values`, and the time of
    /// about a sweep, for the residual of the values as stored.
    ///
    /// # Errors
    ///
    /// Where the report is not of these rules, where the disk is too full, or where the system does not let us write.
    pub fn write(
        &self,
        path: &Path,
        values: &Values,
        report: &Report,
    ) -> Result<blake3::Hash, TableError> {
        let header = self.header(values, report)?;
        let directory = directory(path);
        ensure_space(directory, header.bytes())?;
        // Dropped, and so removed, wherever an error ends this.
        let file = temporary(path).map_err(TableError::Unwritable)?;
        let checksums = self.each_batch(&header, values, |bytes, place| {
            file.as_file().write_all_at(bytes, place)
        })?;
        let front = header.front(&checksums);
        let finish = || {
            file.as_file().write_all_at(&front, 0)?;
            file.as_file().sync_all()
        };
        finish().map_err(TableError::Unwritable)?;
        file.persist(path).map_err(|error| TableError::Unwritable(error.error))?;
        sync_directory(directory).map_err(TableError::Unwritable)?;
        Ok(header.hash(&front))
    }

    /// Makes the file of a finished solve's `checkpoint` the table at `path`, where its values lie as the table's do: only
    /// the front is written. Returns whether they do.
    pub(crate) fn complete(
        &self,
        path: &Path,
        values: &Values,
        report: &Report,
        checkpoint: &FileCheckpoint,
    ) -> Result<bool, TableError> {
        if self.precision != Precision::F64 || cfg!(target_endian = "big") {
            return Ok(false);
        }
        let header = self.header(values, report)?;
        if header.values_at() as u64 != checkpoint.values_at() {
            return Ok(false);
        }
        let checksums = self.each_batch(&header, values, |_, _| Ok(()))?;
        let front = header.front(&checksums);
        let completed = checkpoint.become_table(path, &front, header.bytes());
        completed.map_err(TableError::Unwritable)?;
        Ok(true)
    }

    /// Checks, before the solve, that the table will fit at `path`.
    ///
    /// # Errors
    ///
    /// Where it does not, or where the header cannot hold the rules.
    pub fn ensure_space(&self, path: &Path, indexer: &Indexer) -> Result<(), TableError> {
        let header = Header::expected(self.rules, indexer, self.precision)?;
        ensure_space(directory(path), header.bytes())
    }

    fn header(&self, values: &Values, report: &Report) -> Result<Header, TableError> {
        let stored_residual = self.stored_residual(values, report)?;
        Header::new(self.rules, report, self.precision, self.options.tolerance, stored_residual)
    }

    fn stored_residual(&self, values: &Values, report: &Report) -> Result<f64, TableError> {
        if self.precision == Precision::F64 {
            return Ok(report.residual);
        }
        let quantised = |part: &[f64]| part.iter().map(|&v| self.precision.quantised(v)).collect();
        let stored = values.chunks().map(quantised).collect();
        let stored = Values::new(values.indexer().clone(), stored);
        Ok(residual(self.rules, &stored, self.options.threads, &Unattended)?)
    }

    /// Does something with the bytes of some blocks at a time and their place, until all are done, on several threads;
    /// returns the checksum of each block.
    fn each_batch(
        &self,
        header: &Header,
        values: &Values,
        action: impl Fn(&[u8], u64) -> io::Result<()> + Sync,
    ) -> Result<Vec<Checksum>, TableError> {
        let mut checksums = vec![[0; _]; to_usize(header.blocks())];
        let per_batch = BATCH * header.block_bytes() / self.precision.bytes();
        let batches = checksums.par_chunks_mut(BATCH).enumerate();
        share(self.options.threads, batches, |(batch, sums)| {
            let start = (batch * per_batch) as u64;
            let part = range(values, start, per_batch);
            let mut bytes = vec![0; part.len() * self.precision.bytes()];
            self.precision.encode(&part, &mut bytes);
            for (sum, block) in sums.iter_mut().zip(bytes.chunks(header.block_bytes())) {
                *sum = checksum(block);
            }
            let place = header.values_at() as u64 + start * self.precision.bytes() as u64;
            action(&bytes, place).map_err(TableError::Unwritable)
        })?;
        Ok(checksums)
    }
}

/// Returns the values from index `start` on, at most `count` of them.
fn range(values: &Values, start: u64, count: usize) -> Vec<f64> {
    let sublayers = values.indexer().sublayers();
    let first = sublayers.partition_point(|sublayer| sublayer.base + sublayer.len() <= start);
    let mut found = Vec::with_capacity(count);
    for (at, sublayer) in sublayers.iter().enumerate().skip(first) {
        let part = &values.sublayer(at)[to_usize(start.saturating_sub(sublayer.base))..];
        found.extend(&part[..part.len().min(count - found.len())]);
        if found.len() == count {
            break;
        }
    }
    found
}

/// Returns a new file beside `path`, with the rights of an ordinary file.
fn temporary(path: &Path) -> io::Result<NamedTempFile> {
    let prefix = temporary_prefix(path);
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).suffix(TEMPORARY);
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(directory(path))
}

/// What ends the name of a file that is being written.
const TEMPORARY: &str = ".tmp";

fn temporary_prefix(path: &Path) -> String {
    format!("{}.", name(path))
}

/// Removes what killed writers of `path` left behind; nobody may be writing it.
pub(crate) fn remove_temporaries(path: &Path) -> io::Result<()> {
    let prefix = temporary_prefix(path);
    for entry in directory(path).read_dir()? {
        let entry = entry?;
        if is_temporary(&entry.file_name().to_string_lossy(), &prefix) {
            remove(&entry.path())?;
        }
    }
    Ok(())
}

fn is_temporary(name: &str, prefix: &str) -> bool {
    // `tempfile` puts six random letters and digits in between.
    let random = name.strip_prefix(prefix).and_then(|rest| rest.strip_suffix(TEMPORARY));
    random.is_some_and(|random| {
        random.len() == 6 && random.bytes().all(|it| it.is_ascii_alphanumeric())
    })
}
