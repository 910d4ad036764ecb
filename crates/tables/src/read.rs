//! Table files: a solved game on disk, mapped into memory.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bytemuck::cast_slice;
use puabi_core::{Position, RuleSet};
use puabi_solve::{
    Bounds, Certificate, Held, HoldBounds, Options, PartWatch, SeeBounds, Solver, Values, Watch,
    bound, prefetch,
};
use rayon::prelude::*;

use crate::disk::directory;
use crate::disk::mapped::MappedFile;
use crate::disk::spilled::{spilled, within_memory};
use crate::error::TableError;
use crate::format::cube_state::CubeState;
use crate::format::preamble::MAGIC;
use crate::format::{Header, to_usize};
use crate::precision::Precision;
use crate::workers::run_tasks;

/// A solved game on disk, mapped into memory.
///
/// [`Table::open`] reads only the header. A block of values is compared with its checksum when one of its values is first
/// read, so a damaged file gives an error that names the block, and never a wrong number.
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
    map: Arc<MappedFile>,
    /// A bit for each block that matched its checksum.
    sound: Box<[AtomicU64]>,
}

/// The values of a table as its file holds them, in index order.
#[derive(Debug, Clone, Copy)]
pub enum StoredValues<'t> {
    /// Chances of eight bytes.
    F64(&'t [f64]),
    /// Chances of four bytes.
    F32(&'t [f32]),
    /// Chances in units of 1/65535.
    U16(&'t [u16]),
}

/// The values of a sublayer, read from the mapped file of a table of f64.
struct LentValues {
    map: Arc<MappedFile>,
    bytes: Range<usize>,
}

impl Held for LentValues {
    fn values(&self) -> &[f64] {
        cast_slice(&self.map[self.bytes.clone()])
    }

    fn release_pages(&self) {
        self.map.release(self.bytes.clone());
    }

    fn expect_random_reads(&self) {
        self.map.expect_random_reads(self.bytes.clone());
    }
}

impl Table {
    /// Returns the table in the file at `path`, of a game without a cube.
    ///
    /// If another program changes the file while it is open, [`Table::with_values`] and [`Table::check`] return an error from
    /// then on. [`Table::value`] may return a value without noticing the change. This program replaces tables by renaming and
    /// never writes in place.
    ///
    /// # Errors
    ///
    /// As [`Table::open_any`], and returns an error if the values are of the game with a cube, because those are not chances to
    /// win.
    pub fn open(path: &Path) -> Result<Self, TableError> {
        let table = Self::open_any(path)?;
        table.header.ensure_cubeless()?;
        Ok(table)
    }

    /// Returns whether a file that begins with these bytes is a table, whole or damaged.
    pub fn begins(start: &[u8]) -> bool {
        start.starts_with(&MAGIC)
    }

    /// Returns the table in the file at `path`, with or without a cube.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read, is not a table, is truncated or too long, is of a newer version, or is
    /// damaged before its values.
    pub fn open_any(path: &Path) -> Result<Self, TableError> {
        let map = Arc::new(MappedFile::open(path).map_err(TableError::Unreadable)?);
        let header = Header::from_file(&map)?;
        let words = header.blocks().div_ceil(64);
        let sound = (0..words).map(|_| AtomicU64::new(0)).collect();
        Ok(Self { path: path.to_owned(), header, map, sound })
    }

    /// Returns the table in the file at `path`, which must be of the game with these rules.
    ///
    /// # Errors
    ///
    /// As [`Table::open`], and returns an error if the table is of another game, or of the game with a cube.
    pub fn open_for(path: &Path, rule_set: &RuleSet) -> Result<Self, TableError> {
        let table = Self::open_game(path, rule_set)?;
        table.header.ensure_cubeless()?;
        Ok(table)
    }

    /// Returns the table in the file at `path`, which must be of the game with these rules and a cube in this state.
    pub(crate) fn open_cube(
        path: &Path,
        rule_set: &RuleSet,
        state: CubeState,
    ) -> Result<Self, TableError> {
        let table = Self::open_game(path, rule_set)?;
        match table.header.cube() {
            Some(found) if found == state => Ok(table),
            found => {
                let cubeless = || "the game without a cube".to_owned();
                let found = found.map_or_else(cubeless, |found| found.to_string());
                Err(TableError::Cube { found, expected: state.to_string() })
            }
        }
    }

    fn open_game(path: &Path, rule_set: &RuleSet) -> Result<Self, TableError> {
        let table = Self::open_any(path)?;
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

    /// Returns the hash that names the table; tables of equal hash have equal rules and values.
    pub fn hash(&self) -> blake3::Hash {
        self.header.hash(&self.map)
    }

    /// Returns the chance that the player about to roll in `position` wins.
    ///
    /// # Errors
    ///
    /// Returns an error if the block of the value is damaged.
    ///
    /// # Panics
    ///
    /// May panic if `position` is not one of the table's rules.
    #[inline]
    pub fn value(&self, position: Position) -> Result<f64, TableError> {
        self.value_at(self.header.indexer().rank(position))
    }

    /// Returns the chance that the player about to roll wins in the position with this index.
    ///
    /// # Errors
    ///
    /// Returns an error if the block of the value is damaged.
    ///
    /// # Panics
    ///
    /// Panics if there is no position with this index.
    #[inline]
    pub fn value_at(&self, index: u64) -> Result<f64, TableError> {
        let at = to_usize(index);
        let block = at * self.header.precision().bytes() / self.header.block_bytes();
        if !self.is_sound(block) {
            self.check_block(block as u64)?;
        }
        Ok(self.stored(at))
    }

    /// Hints the processor to load values that will be read soon, by their indices.
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

    /// Returns all values as the file holds them, in index order, without checking them.
    ///
    /// [`Table::check`] compares them with their checksums. If another program changes the file, they change too; if it
    /// truncates the file, the missing pages read as zeros.
    pub fn stored_values(&self) -> StoredValues<'_> {
        // The values begin at a page of the file, so they are aligned, and this machine has the file's order of bytes.
        let bytes = &self.map[self.header.values_at()..];
        match self.header.precision() {
            Precision::F64 => StoredValues::F64(cast_slice(bytes)),
            Precision::F32 => StoredValues::F32(cast_slice(bytes)),
            Precision::U16 => StoredValues::U16(cast_slice(bytes)),
        }
    }

    #[inline]
    fn stored(&self, at: usize) -> f64 {
        self.header.precision().decode(&self.map[self.header.values_at()..], at)
    }

    #[inline]
    fn is_sound(&self, block: usize) -> bool {
        // The bit publishes nothing but itself, so it needs no order.
        self.sound[block / 64].load(Ordering::Relaxed) >> (block % 64) & 1 == 1
    }

    /// Checks a block, and remembers if it is sound.
    #[cold]
    fn check_block(&self, block: u64) -> Result<(), TableError> {
        self.header.check_block(&self.map, block)?;
        let at = to_usize(block);
        self.sound[at / 64].fetch_or(1 << (at % 64), Ordering::Relaxed);
        Ok(())
    }

    /// Returns whether the path that the table was opened at still leads to it, unchanged.
    pub fn is_current(&self) -> bool {
        self.map.is_current(&self.path)
    }

    /// Returns an error if another program has changed the file.
    pub(crate) fn ensure_unchanged(&self) -> Result<(), TableError> {
        if self.map.is_unchanged() { Ok(()) } else { Err(TableError::Changed) }
    }

    /// Compares every block that was not read yet with its checksum, on `threads` threads.
    ///
    /// Progress is counted in blocks.
    ///
    /// # Errors
    ///
    /// Returns an error if a block is damaged, if another program has changed the file, or if the watch ends the work.
    pub fn check(&self, threads: usize, watch: &dyn Watch) -> Result<(), TableError> {
        self.ensure_unchanged()?;
        let done = AtomicU64::new(0);
        run_tasks(threads, (0..self.header.blocks()).into_par_iter(), |block| {
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
        run_tasks(threads, parts.par_iter_mut().zip(indexer.sublayers()), |(part, sublayer)| {
            let (first, end) = (to_usize(sublayer.base), to_usize(sublayer.base + sublayer.len()));
            *part = (first..end).map(|at| self.stored(at)).collect();
            Ok(())
        })?;
        self.ensure_unchanged()?;
        Ok(Values::new(indexer.clone(), parts))
    }

    /// Returns all values, checked: those of a table of f64 are read from the mapped file, others are decoded into memory.
    /// [`Table::ensure_unchanged`] afterwards says whether they were still the ones that were checked.
    pub(crate) fn lend(&self, threads: usize, watch: &dyn Watch) -> Result<Values, TableError> {
        self.check(threads, watch)?;
        let indexer = self.header.indexer();
        let lent = (0..indexer.sublayers().len()).map(|at| self.open_sublayer(at, decoded));
        Ok(Values::held_by(indexer.clone(), lent.collect()))
    }

    /// Returns the values of a sublayer without checking them. Those of a table of f64 are read from the mapped file. For any
    /// other precision `hold` returns them, given their number and a function that decodes the value at a place.
    fn open_sublayer(
        &self,
        at: usize,
        hold: impl FnOnce(usize, &dyn Fn(usize) -> f64) -> Arc<dyn Held>,
    ) -> Arc<dyn Held> {
        let sublayer = self.header.indexer().sublayers()[at];
        let (first, count) = (to_usize(sublayer.base), to_usize(sublayer.len()));
        if self.header.precision() != Precision::F64 {
            return hold(count, &|at| self.stored(first + at));
        }
        let start = self.header.values_at() + first * 8;
        let lent = LentValues { map: Arc::clone(&self.map), bytes: start..start + count * 8 };
        lent.release_pages();
        Arc::new(lent)
    }

    /// Recomputes every backup from the values, checks that no value is too far from its backup, and compares the header with
    /// what was found.
    ///
    /// Progress is counted in permille of the time that reading and backing up take.
    ///
    /// # Errors
    ///
    /// Returns an error if a block is damaged, if a value differs from its backup by more than [`Precision::bound`], whatever the
    /// header says, or if the header states another residual of the stored values, to one part in a million, another number of
    /// dead positions, or a value of the start that is further away than rounding; or if there is neither enough memory for this
    /// nor enough disk space beside the table.
    pub fn verify(&self, threads: usize, watch: &dyn Watch) -> Result<(), TableError> {
        self.header.ensure_cubeless()?;
        let header = &self.header;
        let part = |before, share| PartWatch { watch, whole: 1000, before, share };
        self.check(threads, &part(0, READING))?;
        let rank = |position| to_usize(header.indexer().rank(position));
        let start = header.rules().start_value(|position| self.stored(rank(position)));
        let part = part(READING, 1000 - READING);
        let solver = Solver::new(header.rules(), Options { threads, ..Options::default() })?;
        let solver = within_memory(solver, directory(&self.path));
        let open = |at| self.open_sublayer(at, |count, value| solver.hold(count, value));
        let found = solver.certify(&part, &open).map_err(TableError::of_work)?;
        self.ensure_unchanged()?;
        self.check_certificate(start, found)
    }

    /// Finds bounds of the exact value of every position, and measures how far the table's values are from the bounds; see
    /// [`puabi_solve::bound`].
    ///
    /// Bounds of large sublayers that are still to be read are kept in files without a name beside the table meanwhile, if there
    /// is room.
    ///
    /// Progress is counted in permille of the time that reading and bounding take.
    ///
    /// # Errors
    ///
    /// Returns an error if a block is damaged, or if no bounds are found.
    pub fn bound(
        &self,
        threads: usize,
        watch: &dyn Watch,
        see: SeeBounds<'_>,
    ) -> Result<Bounds, TableError> {
        self.header.ensure_cubeless()?;
        let reading = READING / 10;
        let part = |before, share| PartWatch { watch, whole: 1000, before, share };
        let values = self.lend(threads, &part(0, reading))?;
        let part = part(reading, 1000 - reading);
        let hold: HoldBounds<'_> = &|bounds| spilled(bounds, directory(&self.path));
        let found = bound(self.header.rules(), &values, threads, &part, (see, hold));
        self.ensure_unchanged()?;
        found.map_err(TableError::of_work)
    }

    /// Checks the residuals against what the precision allows, and then the header against what was found.
    fn check_certificate(&self, start: f64, found: Certificate) -> Result<(), TableError> {
        let (precision, report) = (self.header.precision(), self.header.report());
        let (bound, stored_residual) = (precision.bound(), self.header.stored_residual());
        let worst = found.residual.max(report.residual);
        if worst > bound {
            return Err(TableError::Inexact { residual: worst, bound });
        }
        let exact = if precision == Precision::F64 { found.residual } else { report.residual };
        let counts = [found.dead_positions, report.dead_positions].map(|count| count as f64);
        // A solve gives the same bytes on every machine, and so must its certificate: for f64 the residuals agree to the bit. A
        // smaller store rounds values by much more than a backup rounds. Its residual may differ a little, because a backup
        // rounds otherwise if it is counted as the other player's chance.
        let rounding = stored_residual * 1e-6;
        for (what, found, stated, most) in [
            ("value of the start", start, report.start_value, precision.rounding()),
            ("residual as stored", found.residual, stored_residual, rounding),
            ("residual", exact, report.residual, 0.0),
            ("number of dead positions", counts[0], counts[1], 0.0),
        ] {
            if (found - stated).abs() > most {
                return Err(TableError::Mismatch { what, found, stated });
            }
        }
        Ok(())
    }
}

/// Returns decoded values in memory.
fn decoded(count: usize, value: &dyn Fn(usize) -> f64) -> Arc<dyn Held> {
    let values: Box<[f64]> = (0..count).map(value).collect();
    Arc::new(values)
}

/// The permille of a verification's time that reading the values takes, roughly.
const READING: u64 = 200;
