//! Solved sublayers kept in files, so that a killed solve can go on from them.
//!
//! Two files stand beside the table that is being made: `<table>.part` holds the values of solved sublayers at the offsets that
//! they have in a table of f64, and `<table>.journal` is an append-only list of these sublayers. A sublayer counts as kept once
//! its record is whole. A record has a checksum of its own and the hash of the values, so the two files may reach the disk in any
//! order. The part is mapped: kept sublayers are read from the mapping, so no second copy of them takes memory.

use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use puabi_core::{Indexer, Rules};
use puabi_solve::{Checkpoint, Facts, Held, Solver};
use rayon::prelude::*;

use crate::disk::mapped::MappedPart;
use crate::disk::{
    Positioned, beside, directory, ensure_space, free_space, open, remove, sync_directory,
};
use crate::error::TableError;
use crate::format::checksum::{CHECKSUM, checksum};
use crate::format::{Header, Layout, to_usize};
use crate::precision::Precision;
use crate::workers::run_tasks;

#[cfg(target_endian = "big")]
compile_error!(
    "solved sublayers are kept as they lie in memory, which must be as tables have them: little-endian"
);

/// Bytes of the journal's first record, which identifies the solve.
const IDENTITY: usize = 32;
/// Bytes of a record without its checksum: sublayer, sweeps, hash of the values.
const BODY: usize = 8 + 4 + 32;
/// Bytes of a record.
const RECORD: usize = BODY + CHECKSUM;
/// Bytes above which several threads write a sublayer: the size of the largest sublayer that one thread sweeps beside
/// others.
const MANY: usize = 64 << 20;

/// Keeps solved sublayers in files beside the table that is being made.
///
/// Hold a [`SolveLock`](crate::SolveLock) while you use one: two checkpoints of one table overwrite each other.
///
/// ```
/// use puabi_core::RuleSet;
/// use puabi_solve::{Options, Solver, Unattended};
/// use puabi_tables::FileCheckpoint;
///
/// # let directory = tempfile::tempdir()?;
/// # let path = directory.path().join("finkel-1.urt");
/// let rules = RuleSet::FINKEL.with_pieces(1).compile()?;
/// let options = Options::default();
/// let solver = Solver::new(&rules, options)?;
/// let checkpoint = FileCheckpoint::open(&path, &rules, solver.indexer(), options.tolerance)?;
/// let (values, report) = solver.solve(&checkpoint, &Unattended)?;
/// // Write a table here; then there is nothing left to resume.
/// checkpoint.remove()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct FileCheckpoint {
    paths: [PathBuf; 2],
    /// First index and number of positions, by sublayer.
    places: Vec<(u64, u64)>,
    identity: [u8; IDENTITY],
    /// The offset of the values in the part.
    values_at: u64,
    part: File,
    map: Arc<MappedPart>,
    journal: Mutex<Journal>,
}

/// The values of a kept sublayer, read from the mapped part.
struct KeptValues {
    map: Arc<MappedPart>,
    bytes: Range<usize>,
}

impl KeptValues {
    fn hash(&self) -> [u8; 32] {
        *blake3::hash(bytemuck::cast_slice(self.values())).as_bytes()
    }
}

impl Held for KeptValues {
    fn values(&self) -> &[f64] {
        // SAFETY: a sublayer is not written again once it is kept.
        #[expect(unsafe_code, reason = "the file is mapped")]
        let bytes = unsafe { self.map.bytes(self.bytes.clone()) };
        bytemuck::cast_slice(bytes)
    }

    fn release_pages(&self) {
        self.map.release(self.bytes.clone());
    }

    fn expect_random_reads(&self) {
        self.map.expect_random_reads(self.bytes.clone());
    }
}

#[derive(Debug)]
struct Journal {
    file: File,
    /// The offset of the next record; the bytes from there on are not a whole record.
    end: u64,
    kept: Vec<Option<Record>>,
    /// The number of records of another solve that were in the file and were discarded.
    discarded: usize,
}

/// A kept sublayer in the journal.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Record {
    at: usize,
    facts: Facts,
    hash: [u8; 32],
}

impl FileCheckpoint {
    /// Opens the checkpoint of the table at `table`, with the sublayers that an earlier solve kept there. If that was another
    /// solve (of other rules, to another tolerance or by another version), its sublayers are discarded and the checkpoint is
    /// empty, see [`FileCheckpoint::discarded`].
    ///
    /// This allocates the disk space of all values at once.
    ///
    /// # Errors
    ///
    /// Returns an error if the disk is too full, or if the system does not let us read or write beside the table.
    pub fn open(
        table: &Path,
        rules: &Rules,
        indexer: &Indexer,
        tolerance: f64,
    ) -> Result<Self, TableError> {
        Self::open_part(table, rules, indexer, (tolerance, |_| 0))
    }

    /// Opens the checkpoint for a solve by this solver, as [`FileCheckpoint::open`] does. If the disk of the table has no room for
    /// all values and what the solver spills, part of the space is allocated only when the last sublayer is kept: see
    /// [`FileCheckpoint::later`].
    pub(crate) fn open_for(table: &Path, solver: &Solver) -> Result<Self, TableError> {
        let free = free_space(directory(table))?;
        let later = |needed: u64| {
            let is_short = needed.saturating_add(solver.spilled()) > free;
            if is_short { Self::later(solver, needed) } else { 0 }
        };
        let tolerance = solver.options().tolerance;
        Self::open_part(table, solver.rules(), solver.indexer(), (tolerance, later))
    }

    /// Opens the checkpoint. `later` returns how many of the bytes that the part still takes are not allocated now.
    fn open_part(
        table: &Path,
        rules: &Rules,
        indexer: &Indexer,
        (tolerance, later): (f64, impl FnOnce(u64) -> u64),
    ) -> Result<Self, TableError> {
        let paths = paths(table);
        let identity = identity(rules, tolerance);
        let places: Vec<_> = indexer.sublayers().iter().map(|s| (s.base, s.len())).collect();
        let layout = Layout::expected(rules, indexer, Precision::F64)?;
        let needed = layout.end.saturating_sub(allocated(&paths[0]));
        let later = later(needed);
        // Checked before any file is made, so that a solve without enough disk space leaves nothing behind.
        ensure_space(directory(table), needed - later)?;
        let (part, journal) = (open(&paths[0])?, open(&paths[1])?);
        let journal = Mutex::new(Journal::read(journal, &identity, places.len())?);
        // The last sublayer, which has the start, comes first in the index.
        let ranges = [0..layout.values, layout.values + later..layout.end];
        // A system allocates no empty range.
        ranges.into_iter().filter(|it| !it.is_empty()).try_for_each(|it| allocate(&part, it))?;
        let map = Arc::new(MappedPart::new(&part, to_usize(layout.end))?);
        Ok(Self { paths, places, identity, values_at: layout.values, part, map, journal })
    }

    /// Returns how many of the `needed` bytes that a part still takes can wait until the last sublayer is settled: as many as the
    /// solver then no longer has on its disk.
    pub(crate) fn later(solver: &Solver, needed: u64) -> u64 {
        if cfg!(target_os = "linux") { solver.freed_at_end().min(needed) } else { 0 }
    }

    /// Returns the length in bytes of a journal that lists this many sublayers.
    pub(crate) fn journal_bytes(sublayers: usize) -> u64 {
        (IDENTITY + RECORD * sublayers) as u64
    }

    /// Returns the bytes of disk that the part and the journal of the table at `table` take, 0 if there are none.
    pub(crate) fn taken(table: &Path) -> u64 {
        paths(table).iter().map(|path| allocated(path)).sum()
    }

    /// Returns the number of sublayers that are kept.
    pub fn kept(&self) -> usize {
        self.journal().kept.iter().flatten().count()
    }

    /// Returns the number of sublayers that another solve had kept in these files; they are lost.
    pub fn discarded(&self) -> usize {
        self.journal().discarded
    }

    /// Returns the offset of the values in the part.
    pub(crate) fn values_at(&self) -> u64 {
        self.values_at
    }

    /// Fills `bytes` from the part, from offset `place` on.
    pub(crate) fn read(&self, bytes: &mut [u8], place: u64) -> io::Result<()> {
        self.part.read_exact_at(bytes, place)
    }

    /// Returns an error if a kept sublayer is not what was written; looks at them on `threads` threads.
    pub(crate) fn ensure_undamaged(&self, threads: usize) -> Result<(), TableError> {
        let kept = self.journal().kept.clone();
        run_tasks(threads, kept.par_iter().flatten(), |record| {
            let values = self.lent(record.at);
            let is_sound = values.hash() == record.hash;
            values.release_pages();
            if is_sound { Ok(()) } else { Err(TableError::DamagedPart) }
        })
    }

    /// Turns the part, which holds all values, into the table at `path`: writes `front` before the values, cuts the file to
    /// `bytes` bytes and renames it.
    pub(crate) fn become_table(&self, path: &Path, front: &[u8], bytes: u64) -> io::Result<()> {
        self.part.write_all_at(front, 0)?;
        self.part.set_len(bytes)?;
        self.part.sync_all()?;
        std::fs::rename(&self.paths[0], path)?;
        sync_directory(directory(path))
    }

    /// Removes what a killed solve left beside the finished table at `table` with this header: a complete checkpoint of the same
    /// solve, or a journal whose part has become the table. It leaves files from which another solve may go on.
    ///
    /// # Errors
    ///
    /// Returns an error if the system does not let us read or remove the files.
    pub(crate) fn remove_finished(table: &Path, header: &Header) -> io::Result<()> {
        let paths = paths(table);
        let mut journal = match File::open(&paths[1]) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            journal => journal?,
        };
        let identity = identity(header.rules(), header.tolerance());
        let kept = kept(&mut journal, &identity, header.indexer().sublayers().len())?;
        let is_whole = kept.is_some_and(|(kept, _)| kept.iter().all(Option::is_some));
        if is_whole || !paths[0].exists() {
            paths.iter().try_for_each(|path| remove(path).map(drop))?;
        }
        Ok(())
    }

    /// Removes the files, once the table is written or if the solve is given up.
    ///
    /// # Errors
    ///
    /// Returns an error if the system does not let us remove them.
    pub fn remove(self) -> io::Result<()> {
        let paths = self.paths.clone();
        drop(self);
        paths.iter().try_for_each(|path| remove(path).map(|_| ()))
    }

    /// Returns the values of the sublayer at `at`, read from the mapped part.
    fn lent(&self, at: usize) -> KeptValues {
        let (base, count) = self.places[at];
        let start = to_usize(self.values_at + base * 8);
        KeptValues { map: Arc::clone(&self.map), bytes: start..start + to_usize(count * 8) }
    }

    /// Writes the bytes to the part from offset `place` on, on several threads if there are more than [`MANY`]; returns their
    /// hash.
    fn write(&self, bytes: &[u8], place: u64) -> io::Result<[u8; 32]> {
        let hash = || *blake3::hash(bytes).as_bytes();
        if bytes.len() <= MANY {
            self.part.write_all_at(bytes, place)?;
            return Ok(hash());
        }
        let write = || {
            let parts = bytes.par_chunks(MANY).enumerate();
            parts.try_for_each(|(i, part)| self.part.write_all_at(part, place + (i * MANY) as u64))
        };
        let (written, hash) = rayon::join(write, hash);
        written.map(|()| hash)
    }

    fn journal(&self) -> MutexGuard<'_, Journal> {
        self.journal.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Checkpoint for FileCheckpoint {
    fn load(&self, at: usize) -> io::Result<Option<(Arc<dyn Held>, Facts)>> {
        let Some(record) = self.journal().kept[at] else { return Ok(None) };
        let kept = self.lent(at);
        let values = kept.values();
        // A matching hash proves only that these values were written, and wrong values may have been written and hashed. The
        // certificate at the end finds wrong chances, but not NaN, which is neither below nor above any number.
        let sound =
            kept.hash() == record.hash && values.iter().all(|value| (0.0..=1.0).contains(value));
        kept.release_pages();
        Ok(sound.then(|| (Arc::new(kept) as Arc<dyn Held>, record.facts)))
    }

    fn save(&self, at: usize, values: Arc<dyn Held>, facts: Facts) -> io::Result<Arc<dyn Held>> {
        let bytes: &[u8] = bytemuck::cast_slice(values.values());
        let place = self.values_at + self.places[at].0 * 8;
        let hash = self.write(bytes, place)?;
        let record = Record { at, facts, hash };
        self.journal().append(record, &self.identity)?;
        Ok(Arc::new(self.lent(at)))
    }
}

impl Journal {
    /// Reads the records up to the first that is not whole; discards a journal of another solve.
    fn read(mut file: File, identity: &[u8; IDENTITY], sublayers: usize) -> io::Result<Self> {
        if let Some((kept, end)) = kept(&mut file, identity, sublayers)? {
            file.set_len(end)?;
            return Ok(Self { file, end, kept, discarded: 0 });
        }
        let records = file.metadata()?.len().saturating_sub(IDENTITY as u64) / RECORD as u64;
        file.set_len(0)?;
        file.write_all_at(identity, 0)?;
        let (kept, discarded) = (vec![None; sublayers], to_usize(records));
        Ok(Self { file, end: IDENTITY as u64, kept, discarded })
    }

    /// Appends a record. If a full disk tears it, the next record overwrites it.
    fn append(&mut self, record: Record, identity: &[u8; IDENTITY]) -> io::Result<()> {
        self.file.write_all_at(&record.encode(identity), self.end)?;
        self.end += RECORD as u64;
        self.kept[record.at] = Some(record);
        Ok(())
    }
}

impl Record {
    fn encode(&self, identity: &[u8; IDENTITY]) -> [u8; RECORD] {
        let mut bytes = [0; RECORD];
        bytes[..8].copy_from_slice(&(self.at as u64).to_le_bytes());
        bytes[8..12].copy_from_slice(&self.facts.sweeps.to_le_bytes());
        bytes[12..BODY].copy_from_slice(&self.hash);
        let sum = checksum(&[identity, &bytes[..BODY]].concat());
        bytes[BODY..].copy_from_slice(&sum);
        bytes
    }

    /// Returns the record in `bytes`, or `None` if it is not whole.
    fn decode(bytes: &[u8; RECORD], identity: &[u8; IDENTITY]) -> Option<Self> {
        let (at, rest) = bytes.split_first_chunk()?;
        let (sweeps, rest) = rest.split_first_chunk()?;
        let (hash, _) = rest.split_first_chunk()?;
        let facts = Facts { sweeps: u32::from_le_bytes(*sweeps) };
        let at = usize::try_from(u64::from_le_bytes(*at)).ok()?;
        let record = Self { at, facts, hash: *hash };
        (record.encode(identity) == *bytes).then_some(record)
    }
}

/// Returns the records of a journal by sublayer, up to the first that is not whole, and the offset at which they end; `None` if
/// the journal is of another solve.
fn kept(
    file: &mut File,
    identity: &[u8; IDENTITY],
    sublayers: usize,
) -> io::Result<Option<(Vec<Option<Record>>, u64)>> {
    let mut bytes = Vec::new();
    file.take((IDENTITY + RECORD * 2 * sublayers) as u64).read_to_end(&mut bytes)?;
    let Some(records) = bytes.strip_prefix(identity) else { return Ok(None) };
    let (mut kept, mut end) = (vec![None; sublayers], IDENTITY as u64);
    for record in records.as_chunks().0.iter().map_while(|it| Record::decode(it, identity)) {
        let Some(kept) = kept.get_mut(record.at) else { break };
        *kept = Some(record);
        end += RECORD as u64;
    }
    Ok(Some((kept, end)))
}

/// Returns the paths of the part and the journal of the table at `table`.
pub(crate) fn paths(table: &Path) -> [PathBuf; 2] {
    ["part", "journal"].map(|extension| beside(table, extension))
}

/// Returns the bytes of disk that the file at `path` takes; 0 if there is no such file.
fn allocated(path: &Path) -> u64 {
    File::open(path).and_then(|file| fs4::FileExt::allocated_size(&file)).unwrap_or(0)
}

/// Returns a hash of everything that can change a bit of the values or the order of their bytes.
fn identity(rules: &Rules, tolerance: f64) -> [u8; IDENTITY] {
    let mut hasher = blake3::Hasher::new_derive_key("puabi solve journal 1");
    hasher.update(env!("CARGO_PKG_VERSION").as_bytes());
    hasher.update(&tolerance.to_le_bytes());
    hasher.update(rules.rule_set().to_toml().as_bytes());
    *hasher.finalize().as_bytes()
}

/// Allocates the disk space of a range of the file, which then reaches at least to its end. On a file system that cannot allocate,
/// the file takes space as it is written.
fn allocate(file: &File, range: Range<u64>) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    let allocated = {
        use nix::fcntl::{FallocateFlags, fallocate};
        let [start, len] = [range.start, range.end - range.start].map(i64::try_from);
        let (start, len) = (start.map_err(io::Error::other)?, len.map_err(io::Error::other)?);
        fallocate(file, FallocateFlags::empty(), start, len).map_err(io::Error::from)
    };
    #[cfg(not(target_os = "linux"))]
    let allocated = fs4::FileExt::allocate(file, range.end);
    match allocated {
        Err(error) if error.kind() == io::ErrorKind::Unsupported => {
            let len = file.metadata()?.len();
            file.set_len(len.max(range.end))
        }
        other => other,
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use puabi_core::RuleSet;
    use puabi_solve::Options;

    use super::*;

    /// Returns a folder, a table to be made in it, and the game that the table is of.
    fn game(rule_set: &RuleSet) -> (tempfile::TempDir, PathBuf, Rules, Indexer) {
        let directory = tempfile::tempdir().unwrap();
        let table = directory.path().join("a.urt");
        let rules = rule_set.compile().unwrap();
        let indexer = Indexer::new(&rules).unwrap();
        (directory, table, rules, indexer)
    }

    #[test]
    fn what_may_wait_is_allocated_when_the_last_sublayer_is_kept_or_with_all_the_rest() {
        let (_directory, table, rules, indexer) = game(&RuleSet::FINKEL.with_pieces(2));
        let last: Box<[f64]> = (0..indexer.sublayers()[0].len()).map(|it| it as f64).collect();
        let bytes = 8 * last.len() as u64;
        let open = |later| {
            let later = move |needed: u64| later * needed.min(bytes);
            FileCheckpoint::open_part(&table, &rules, &indexer, (Options::TOLERANCE, later))
                .unwrap()
        };
        let taken = || allocated(&paths(&table)[0]);
        let checkpoint = open(1);
        let all = checkpoint.map.len() as u64;
        assert!(taken() < all);
        let last: Arc<dyn Held> = Arc::new(last);
        let kept = checkpoint.save(0, Arc::clone(&last), Facts { sweeps: 1 }).unwrap();
        assert_eq!(kept.values(), last.values());
        assert!(taken() >= all);
        drop((kept, checkpoint));
        std::fs::remove_file(&paths(&table)[0]).unwrap();
        open(1);
        assert!(taken() < all);
        open(0);
        assert!(taken() >= all);
    }

    #[test]
    fn all_values_may_wait_if_the_last_sublayer_is_the_only_one() {
        let (_directory, table, rules, indexer) = game(&RuleSet::MURRAY.with_pieces(1));
        let bytes = 8 * indexer.len();
        let later = move |needed: u64| needed.min(bytes);
        let checkpoint =
            FileCheckpoint::open_part(&table, &rules, &indexer, (Options::TOLERANCE, later));
        let values: Arc<dyn Held> = Arc::new(vec![0.5; to_usize(indexer.len())].into_boxed_slice());
        let kept = checkpoint.unwrap().save(0, Arc::clone(&values), Facts { sweeps: 1 }).unwrap();
        assert_eq!(kept.values(), values.values());
    }
}
