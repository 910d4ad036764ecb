//! Writes table files: on several threads, to a file beside the table that is renamed when whole.

use std::io;
use std::path::Path;

use puabi_core::{Indexer, Rules};
use puabi_solve::{Options, Report, Solver, Unattended, Values};
use rayon::prelude::*;

use crate::checkpoint::FileCheckpoint;
use crate::disk::{Positioned, directory, ensure_space, write_whole};
use crate::error::TableError;
use crate::format::checksum::{Checksum, checksum};
use crate::format::cube_state::CubeState;
use crate::format::{Header, Layout, to_usize};
use crate::precision::Precision;
use crate::workers::run_tasks;

/// Blocks that a thread writes at once: 1 MiB.
const BATCH: usize = 16;

/// Writes the tables of one game.
///
/// The bytes depend only on the rules, the values, the report, the precision, the tolerance and the state of the cube. See
/// [`Table`](crate::Table) for an example.
#[derive(Debug, Clone, Copy)]
pub struct TableWriter<'r> {
    rules: &'r Rules,
    precision: Precision,
    options: Options,
    /// The state of the cube that the values are of, if they are of a game with one.
    cube: Option<CubeState>,
    /// The solver that finds the residual of the values as stored; `None` for a new one that works in memory.
    measure: Option<&'r Solver>,
}

impl<'r> TableWriter<'r> {
    /// Returns a writer of tables of the game with these rules, solved with these options.
    pub fn new(rules: &'r Rules, precision: Precision, options: Options) -> Self {
        Self { rules, precision, options, cube: None, measure: None }
    }

    /// Returns the writer of a table of the same game with a cube in this state.
    #[must_use]
    pub fn of_cube(self, state: CubeState) -> Self {
        Self { cube: Some(state), ..self }
    }

    /// Returns the writer of the same tables that finds the residual of the values as stored with this solver of the game, which
    /// may spill.
    #[must_use]
    pub(crate) fn measured_by(self, solver: &'r Solver) -> Self {
        Self { measure: Some(solver), ..self }
    }

    /// Writes the table at `path` and returns the hash that names it.
    ///
    /// A file at `path` is replaced at once when the new one is whole and on the disk; until then, and after any error, it stays
    /// as it was. For a coarser precision than f64 it takes the time of some sweeps to find the residual of the values as stored,
    /// and memory for the sublayers that a pass over one of them reads.
    ///
    /// # Errors
    ///
    /// Returns an error if the report is of other rules, if the disk is too full, or if the system does not let us write.
    pub fn write(
        &self,
        path: &Path,
        values: &Values,
        report: &Report,
    ) -> Result<blake3::Hash, TableError> {
        self.write_if(path, values, report, || Ok(()))
    }

    /// Writes the table as [`TableWriter::write`] does, unless `are_sound`, which is called once the values are read, returns an
    /// error.
    pub(crate) fn write_if(
        &self,
        path: &Path,
        values: &Values,
        report: &Report,
        are_sound: impl Fn() -> Result<(), TableError>,
    ) -> Result<blake3::Hash, TableError> {
        self.write_new(path, values, &self.header(values, report)?, are_sound)
    }

    /// Makes the table at `path` from the values of a finished solve and its checkpoint, which is removed.
    ///
    /// If the checkpoint's file has the values as the table will have them, only the front is written there. If a value is
    /// further from its backup than the tolerance allows, no table is made, and the checkpoint is removed too.
    pub(crate) fn finish(
        &self,
        path: &Path,
        values: &Values,
        report: &Report,
        checkpoint: FileCheckpoint,
    ) -> Result<(), TableError> {
        let (residual, bound) = (report.residual, self.options.tolerance.max(Options::TOLERANCE));
        if residual > bound {
            checkpoint.remove()?;
            return Err(TableError::WrongSolve { residual, bound });
        }
        let header = self.header(values, report)?;
        let is_in_place = self.precision == Precision::F64;
        if is_in_place && header.values_at() as u64 == checkpoint.values_at() {
            let checksums = self.checksums(&header, &checkpoint)?;
            // The certificate may have been measured before the disk had the values.
            checkpoint.ensure_undamaged(self.options.threads)?;
            checkpoint.become_table(path, &header.front(&checksums), header.bytes())?;
        } else {
            let are_sound = || checkpoint.ensure_undamaged(self.options.threads);
            self.write_new(path, values, &header, are_sound)?;
        }
        Ok(checkpoint.remove()?)
    }

    /// Checks, before the solve, that the table will fit at `path`.
    pub(crate) fn ensure_space(&self, path: &Path, indexer: &Indexer) -> Result<(), TableError> {
        let layout = Layout::expected(self.rules, indexer, self.precision)?;
        ensure_space(directory(path), layout.end)
    }

    fn write_new(
        &self,
        path: &Path,
        values: &Values,
        header: &Header,
        are_sound: impl Fn() -> Result<(), TableError>,
    ) -> Result<blake3::Hash, TableError> {
        ensure_space(directory(path), header.bytes())?;
        write_whole(path, |file| {
            let write = |bytes: &[u8], place| file.write_all_at(bytes, place);
            let front = header.front(&self.each_batch(header, values, write)?);
            file.write_all_at(&front, 0)?;
            are_sound()?;
            Ok(header.hash(&front))
        })
    }

    fn header(&self, values: &Values, report: &Report) -> Result<Header, TableError> {
        let (indexer, tolerance) = (values.indexer(), self.options.tolerance);
        let stored_residual = self.stored_residual(values, report)?;
        let header =
            Header::new(self.rules, indexer, report, self.precision, tolerance, stored_residual)?;
        match self.cube {
            Some(state) => header.of_cube(state),
            None => Ok(header),
        }
    }

    fn stored_residual(&self, values: &Values, report: &Report) -> Result<f64, TableError> {
        if self.precision == Precision::F64 {
            return Ok(report.residual);
        }
        if self.cube.is_some() {
            // Where a player doubles, a backup reads another table, and counts the rounding of its value twice.
            return Ok(report.residual + 2.0 * self.precision.rounding());
        }
        let in_memory;
        let solver = if let Some(solver) = self.measure {
            solver
        } else {
            in_memory = Solver::new(self.rules, self.options)?;
            &in_memory
        };
        let open = |at| {
            let exact = values.sublayer(at);
            let stored = solver.hold(exact.len(), |at| self.precision.quantised(exact[at]));
            values.held(at).release_pages();
            stored
        };
        Ok(solver.certify(&Unattended, &open)?.residual)
    }

    /// Returns the checksum of each block of values, which are in the checkpoint's file already.
    fn checksums(
        &self,
        header: &Header,
        checkpoint: &FileCheckpoint,
    ) -> Result<Vec<Checksum>, TableError> {
        let mut checksums = vec![[0; _]; to_usize(header.blocks())];
        let batches = checksums.par_chunks_mut(BATCH).enumerate();
        run_tasks(self.options.threads, batches, |(batch, sums)| {
            let first = (batch * BATCH) as u64;
            let (start, end) =
                (header.block(first).start, header.block(first + sums.len() as u64 - 1).end);
            let mut bytes = vec![0; to_usize(end - start)];
            checkpoint.read(&mut bytes, start).map_err(TableError::Unreadable)?;
            for (sum, block) in sums.iter_mut().zip(bytes.chunks(header.block_bytes())) {
                *sum = checksum(block);
            }
            Ok(())
        })?;
        Ok(checksums)
    }

    /// Calls `action` with the bytes of a few blocks and their place in the file, for all blocks and on several threads;
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
        run_tasks(self.options.threads, batches, |(batch, sums)| {
            let start = (batch * per_batch) as u64;
            let part = range(values, start, per_batch);
            let mut bytes = vec![0; part.len() * self.precision.bytes()];
            self.precision.encode(&part, &mut bytes);
            for (sum, block) in sums.iter_mut().zip(bytes.chunks(header.block_bytes())) {
                *sum = checksum(block);
            }
            let place = header.values_at() as u64 + start * self.precision.bytes() as u64;
            Ok(action(&bytes, place)?)
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
        values.held(at).release_pages();
        if found.len() == count {
            break;
        }
    }
    found
}
