//! Table files: a solved game on disk, mapped into memory.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use memmap2::Mmap;
use puabi_core::{Position, RuleSet};
use rayon::prelude::*;

use crate::error::TableError;
use crate::format::{CHECKSUM, Header, checksum, to_usize};
use crate::workers::share;
use puabi_solve::Values;
use puabi_solve::prefetch;
use puabi_solve::{Part, SolveError, Watch, residual};

/// A solved game on disk, mapped into memory.
///
/// Opening reads the header only. A block of values is held against its checksum when a value of it is first asked
/// for, so a damaged file gives an error that names the block and never a wrong number.
///
/// ```
/// use puabi_core::RuleSet;
/// use puabi_solve::{Options, Solver, Unattended};
/// use puabi_tables::{Precision, Table, TableWriter};
///
/// let rules = RuleSet::FINKEL.with_pieces(1).compile()?;
/// let (values, report) = Solver::new(&rules, Options::default())?.solve(&Unattended, &Unattended)?;
/// # let directory = tempfile::tempdir()?;
/// # let path = directory.path().join("finkel-1.urt");
/// TableWriter::new(&rules, Precision::F64, Options::default()).write(&path, &values, &report)?;
///
/// let table = Table::open(&path)?;
/// assert_eq!(table.value(rules.start())?, report.start_value);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Table {
    path: PathBuf,
    header: Header,
    map: Mmap,
    /// A bit for each block that is known to be as it was written.
    sound: Box<[AtomicU64]>,
}

impl Table {
    /// Returns the table in the file at `path`.
    ///
    /// A file must not be changed while it is open; tables are replaced by renaming, never written in place.
    ///
    /// # Errors
    ///
    /// Where the file cannot be read, is no table, is truncated or too long, is of a newer version, or where anything
    /// before its values is damaged.
    pub fn open(path: &Path) -> Result<Self, TableError> {
        let map = map(path).map_err(TableError::Unreadable)?;
        let header = Header::from_file(&map)?;
        let words = header.blocks().div_ceil(64);
        let sound = (0..words).map(|_| AtomicU64::new(0)).collect();
        Ok(Self { path: path.to_owned(), header, map, sound })
    }

    /// Returns the table in the file at `path`, which must be of the game with these rules.
    ///
    /// # Errors
    ///
    /// As [`Table::open`], and where the table is of another game.
    pub fn open_for(path: &Path, rule_set: &RuleSet) -> Result<Self, TableError> {
        let table = Self::open(path)?;
        let found = table.header.rules().rule_set();
        if found == rule_set {
            Ok(table)
        } else {
            let (found, expected) = (found.to_string(), rule_set.to_string());
            Err(TableError::OtherRules { found, expected })
        }
    }

    /// Returns the path that the table was opened at.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns what the table says about its values.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Returns the hash that names the table: equal hashes, equal rules and values.
    pub fn hash(&self) -> blake3::Hash {
        self.header.hash(&self.map)
    }

    /// Returns the chance that the player about to roll in `position` wins.
    ///
    /// # Errors
    ///
    /// Where the block of the value is damaged.
    ///
    /// # Panics
    ///
    /// May panic where `position` is not one of the table's rules.
    #[inline]
    pub fn value(&self, position: Position) -> Result<f64, TableError> {
        self.value_at(self.header.indexer().rank(position))
    }

    /// Returns the chance that the player about to roll wins, by the index of the position.
    ///
    /// # Errors
    ///
    /// Where the block of the value is damaged.
    ///
    /// # Panics
    ///
    /// Where there are fewer positions.
    #[inline]
    pub fn value_at(&self, index: u64) -> Result<f64, TableError> {
        let at = to_usize(index);
        let block = at * self.header.precision().bytes() / self.header.block_bytes();
        if !self.is_sound(block) {
            self.check_block(block as u64)?;
        }
        Ok(self.stored(at))
    }

    /// Asks for values that are looked up soon, by their indices; a hint that does nothing else.
    #[inline]
    pub(crate) fn prefetch(&self, indices: &[u64]) {
        let values = &self.map[self.header.values_at()..];
        let bytes = self.header.precision().bytes();
        for &index in indices {
            if let Some(value) = values.get(to_usize(index) * bytes) {
                prefetch(value);
            }
        }
    }

    #[inline]
    fn stored(&self, at: usize) -> f64 {
        self.header.precision().decode(&self.map[self.header.values_at()..], at)
    }

    #[inline]
    fn is_sound(&self, block: usize) -> bool {
        // The mapped bytes never change, so the bit publishes nothing and needs no order.
        self.sound[block / 64].load(Ordering::Relaxed) >> (block % 64) & 1 == 1
    }

    /// Holds a block against its checksum and sees that every value of it is a chance.
    #[cold]
    fn check_block(&self, block: u64) -> Result<(), TableError> {
        let bytes = self.header.block(block);
        let stored = &self.map[to_usize(bytes.start)..to_usize(bytes.end)];
        let at = to_usize(block);
        let sums = self.map[self.header.checksums_at()..].as_chunks::<CHECKSUM>().0;
        if checksum(stored) != sums[at] {
            return Err(TableError::Block { block, bytes });
        }
        let precision = self.header.precision();
        let count = stored.len() / precision.bytes();
        let is_chance = |&within: &usize| (0.0..=1.0).contains(&precision.decode(stored, within));
        if let Some(within) = (0..count).find(|within| !is_chance(within)) {
            let first = at * (self.header.block_bytes() / precision.bytes());
            let found = precision.decode(stored, within);
            return Err(TableError::Value { index: (first + within) as u64, found });
        }
        self.sound[at / 64].fetch_or(1 << (at % 64), Ordering::Relaxed);
        Ok(())
    }

    /// Holds every block that was not yet asked for against its checksum, on `threads` threads.
    ///
    /// Progress is counted in blocks.
    ///
    /// # Errors
    ///
    /// Where a block is damaged, or where the watch asks for the end.
    pub fn check(&self, threads: usize, watch: &dyn Watch) -> Result<(), TableError> {
        let done = AtomicU64::new(0);
        share(threads, (0..self.header.blocks()).into_par_iter(), |block| {
            if watch.stop() {
                return Err(TableError::Stopped);
            }
            if !self.is_sound(to_usize(block)) {
                self.check_block(block)?;
            }
            watch.progress(1 + done.fetch_add(1, Ordering::Relaxed), self.header.blocks());
            Ok(())
        })
    }

    /// Returns all values, checked, in memory.
    ///
    /// # Errors
    ///
    /// As [`Table::check`].
    pub fn load(&self, threads: usize, watch: &dyn Watch) -> Result<Values, TableError> {
        self.check(threads, watch)?;
        let indexer = self.header.indexer();
        let mut parts = vec![Box::default(); indexer.sublayers().len()];
        share(threads, parts.par_iter_mut().zip(indexer.sublayers()), |(part, sublayer)| {
            let (first, end) = (to_usize(sublayer.base), to_usize(sublayer.base + sublayer.len()));
            *part = (first..end).map(|at| self.stored(at)).collect();
            Ok(())
        })?;
        Ok(Values::new(indexer.clone(), parts))
    }

    /// Recomputes every backup from the values, and holds what it finds against the header.
    ///
    /// Progress is counted in permille of the time that reading and backing up take.
    ///
    /// # Errors
    ///
    /// Where a block is damaged, or where the largest difference between a value and its backup is not exactly what the
    /// header says, or the value of the start not as near to it as the values are stored.
    pub fn verify(&self, threads: usize, watch: &dyn Watch) -> Result<(), TableError> {
        let header = &self.header;
        let part = |before, share| Part { watch, whole: 1000, before, share };
        let values = self.load(threads, &part(0, READING))?;
        let start = header.rules().start_value(|position| values.value(position));
        let stated = header.report().start_value;
        if (start - stated).abs() > header.precision().rounding() {
            return Err(TableError::Mismatch { what: "value of the start", found: start, stated });
        }
        let part = part(READING, 1000 - READING);
        let found =
            residual(header.rules(), &values, threads, &part).map_err(|error| match error {
                SolveError::Stopped => TableError::Stopped,
                error => error.into(),
            })?;
        // Bits, not numbers: a solve gives the same bytes everywhere, so must its certificate.
        let stated = header.stored_residual();
        if found.to_bits() == stated.to_bits() {
            Ok(())
        } else {
            Err(TableError::Mismatch { what: "residual as stored", found, stated })
        }
    }
}

/// The permille of a verification that reading the values takes, about.
const READING: u64 = 200;

fn map(path: &Path) -> std::io::Result<Mmap> {
    let file = File::open(path)?;
    // SAFETY: the mapping is only read. Tables are written beside and renamed, so the file behind an open table is
    // never written by this program; that another one truncates it is the documented limit of every mapped file.
    #[expect(unsafe_code, reason = "mapping a file is what makes a look-up cost nothing")]
    unsafe {
        Mmap::map(&file)
    }
}
