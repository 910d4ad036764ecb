//! Values in files without names, so that the system can take them out of memory while they are not read.
//!
//! No other program can open such a file. It is gone when its holder is dropped or the process ends in any way.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use fs4::FileExt;
use memmap2::MmapMut;
use puabi_solve::{Checkpoint, Facts, Held, Rooms, Solver, Store};

use super::free_memory::available_memory;
use super::mapped::MappedPart;
use super::{Positioned, forget, is_in_memory};
use crate::format::checksum::{Checksum, checksum};

/// A folder for spilled data of sublayers at work, and for values of finished ones: see
/// [`Solver::spilling`](puabi_solve::Solver::spilling).
#[derive(Debug)]
pub struct SpillFolder {
    pub(super) path: PathBuf,
    stored: Arc<Stored>,
}

/// What the stores of a folder hold.
#[derive(Debug, Default)]
struct Stored {
    /// The bytes of all stores.
    bytes: AtomicU64,
    /// Whether the stores are too large for the system to keep them in memory. They are read in order again and again, so it would
    /// always drop what is read next. What is read once then makes way at once for what is read at random places.
    is_too_much: AtomicBool,
}

impl Stored {
    /// Adds a store of `bytes` bytes, given how many bytes of memory are free.
    fn add(&self, bytes: u64, free: u64) {
        let all = self.bytes.fetch_add(bytes, Ordering::Relaxed) + bytes;
        self.is_too_much.store(all > free / 2, Ordering::Relaxed);
    }
}

impl SpillFolder {
    /// Returns the folder at this path. It must exist before anything is spilled there.
    pub fn new(path: &Path) -> Self {
        Self { path: path.to_owned(), stored: Arc::default() }
    }

    /// Checks that a file can be made in the folder.
    ///
    /// # Errors
    ///
    /// Returns an error if the system does not let us make one.
    pub fn ensure_writable(&self) -> io::Result<()> {
        self.file(1, |_| Ok(()))
    }

    /// Makes a file of `bytes` bytes without a name, and returns what `make` makes of it.
    pub(super) fn file<T>(
        &self,
        bytes: u64,
        make: impl Fn(File) -> io::Result<T>,
    ) -> io::Result<T> {
        let file = tempfile::tempfile_in(&self.path);
        // All disk space is allocated now. If the disk filled up later, a mapped file could report that only by a signal.
        let file = file.and_then(|file| file.allocate(bytes).and_then(|()| make(file)));
        file.map_err(|error| self.named(&error))
    }

    /// Returns an error that names the folder.
    fn named(&self, error: &io::Error) -> io::Error {
        io::Error::new(error.kind(), format!("{}: {error}", self.path.display()))
    }
}

impl Rooms for SpillFolder {
    fn room(&self, bytes: u64) -> io::Result<MmapMut> {
        self.file(bytes, |file| {
            // SAFETY: the file has no name, so no other program changes it or cuts it short.
            #[expect(unsafe_code, reason = "the file is mapped")]
            unsafe {
                MmapMut::map_mut(&file)
            }
        })
    }

    fn store(&self, bytes: u64) -> io::Result<Box<dyn Store>> {
        let file = self.file(bytes, Ok)?;
        self.stored.add(bytes, available_memory().unwrap_or(u64::MAX));
        Ok(Box::new(SpillFile { file, bytes, stored: Arc::clone(&self.stored) }))
    }
}

/// Holds the values of finished sublayers. No solve finds them again.
impl Checkpoint for SpillFolder {
    fn load(&self, _at: usize) -> io::Result<Option<(Arc<dyn Held>, Facts)>> {
        Ok(None)
    }

    fn save(&self, _at: usize, values: Arc<dyn Held>, _facts: Facts) -> io::Result<Arc<dyn Held>> {
        let spilled = SpilledValues::new(values.values(), &self.path);
        let spilled = spilled.map_err(|error| self.named(&error))?;
        Ok(Arc::new(spilled))
    }
}

/// A file without a name.
#[derive(Debug)]
struct SpillFile {
    file: File,
    bytes: u64,
    stored: Arc<Stored>,
}

impl Store for SpillFile {
    fn write(&self, at: u64, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all_at(bytes, at)
    }

    fn read(&self, at: u64, bytes: &mut [u8]) -> io::Result<()> {
        self.file.read_exact_at(bytes, at)?;
        if self.stored.is_too_much.load(Ordering::Relaxed) {
            // It is advice: an error changes nothing.
            let _ = forget(&self.file, at..at + bytes.len() as u64);
        }
        Ok(())
    }
}

impl Drop for SpillFile {
    fn drop(&mut self) {
        self.stored.bytes.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

/// Returns the solver with parts of its sublayers at work spilled to a folder; `None` if that does not help, because it would still
/// take more than `limit` bytes of memory or because the folder is not on a disk.
pub fn spilling_in(solver: &Solver, folder: &Path, limit: u64) -> Option<Solver> {
    let spilling = solver.clone().spilling(Arc::new(SpillFolder::new(folder)), limit);
    let helps = spilling.memory() <= limit && is_in_memory(folder).is_ok_and(|it| !it);
    helps.then_some(spilling)
}

/// Returns the solver. If the free memory is too little otherwise and if spilling to a folder helps, it spills there.
pub(crate) fn within_memory(solver: Solver, folder: &Path) -> Solver {
    let free = available_memory().unwrap_or(u64::MAX);
    let spilling = (solver.memory() > free).then(|| spilling_in(&solver, folder, free));
    spilling.flatten().unwrap_or(solver)
}

/// Values in a mapped file, which is gone when they are dropped, and their checksum.
struct SpilledValues {
    values: MappedPart,
    checksum: Checksum,
}

/// Moves the values to a file in `directory` and returns them from there; if no file can be written there, they stay in memory.
pub(crate) fn spilled(values: Arc<dyn Held>, directory: &Path) -> Arc<dyn Held> {
    match SpilledValues::new(values.values(), directory) {
        Ok(spilled) => Arc::new(spilled),
        Err(_) => values,
    }
}

impl SpilledValues {
    fn new(values: &[f64], directory: &Path) -> io::Result<Self> {
        Self::in_file(values, &mut tempfile::tempfile_in(directory)?)
    }

    /// Writes the values to a file that has no name.
    fn in_file(values: &[f64], file: &mut File) -> io::Result<Self> {
        let bytes = bytemuck::cast_slice(values);
        file.write_all(bytes)?;
        let values = MappedPart::new(file, bytes.len())?;
        Ok(Self { values, checksum: checksum(bytes) })
    }

    fn bytes(&self) -> &[u8] {
        // SAFETY: the file has no name, and this program does not write it any more.
        #[expect(unsafe_code, reason = "the file is mapped")]
        unsafe {
            self.values.bytes(0..self.values.len())
        }
    }
}

impl Held for SpilledValues {
    fn values(&self) -> &[f64] {
        bytemuck::cast_slice(self.bytes())
    }

    fn release_pages(&self) {
        self.values.release(0..self.values.len());
    }

    fn is_undamaged(&self) -> bool {
        checksum(self.bytes()) == self.checksum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn held() -> Arc<dyn Held> {
        let values: Box<[f64]> = (0..1000_u16).map(f64::from).collect();
        Arc::new(values)
    }

    #[test]
    fn a_room_has_its_bytes_and_no_name_and_a_folder_that_is_not_there_is_named() {
        let directory = tempfile::tempdir().unwrap();
        let mut room = SpillFolder::new(directory.path()).room(10_000).unwrap();
        assert_eq!(room.len(), 10_000);
        room.fill(1);
        assert_eq!(directory.path().read_dir().unwrap().count(), 0);
        let error = SpillFolder::new(&directory.path().join("missing")).room(1).unwrap_err();
        assert!(error.to_string().contains("missing: "), "{error}");
    }

    #[test]
    fn a_store_gives_back_what_was_written_and_says_where_it_ends() {
        let directory = tempfile::tempdir().unwrap();
        let store = SpillFolder::new(directory.path()).store(10_000).unwrap();
        assert_eq!(directory.path().read_dir().unwrap().count(), 0);
        store.write(9_000, &[7; 1000]).unwrap();
        let mut bytes = [0; 1001];
        store.read(8_999, &mut bytes).unwrap();
        assert_eq!((bytes[0], &bytes[1..]), (0, &[7; 1000][..]));
        let error = store.read(9_000, &mut bytes).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
    }

    #[test]
    fn a_store_reads_the_same_when_memory_keeps_nothing_of_it() {
        let directory = tempfile::tempdir().unwrap();
        let folder = SpillFolder::new(directory.path());
        let written: Vec<u8> = (0..40_000_u32).map(|at| (at % 251) as u8).collect();
        let store = folder.store(written.len() as u64).unwrap();
        store.write(0, &written).unwrap();
        folder.stored.is_too_much.store(true, Ordering::Relaxed);
        for range in [0..40_000, 1..40_000, 4_095..4_097, 8_192..8_193, 5..5, 0..40_000] {
            let mut bytes = vec![0; range.len()];
            store.read(range.start as u64, &mut bytes).unwrap();
            assert_eq!(bytes, written[range]);
        }
    }

    #[test]
    fn stores_are_too_much_for_memory_once_they_are_more_than_half_of_it() {
        let stored = Stored::default();
        let is_too_much = |bytes, free| {
            stored.add(bytes, free);
            stored.is_too_much.load(Ordering::Relaxed)
        };
        assert!(!is_too_much(100, 200));
        assert!(is_too_much(1, 200));
        assert!(!is_too_much(0, 300));
        let directory = tempfile::tempdir().unwrap();
        let folder = SpillFolder::new(directory.path());
        let store = folder.store(1_000).unwrap();
        assert_eq!(folder.stored.bytes.load(Ordering::Relaxed), 1_000);
        drop(store);
        assert_eq!(folder.stored.bytes.load(Ordering::Relaxed), 0);
    }

    #[test]
    fn a_rank_that_has_no_part_of_a_sublayer_spills_no_values() {
        let directory = tempfile::tempdir().unwrap();
        let none: Box<[f64]> = Box::default();
        let spilled = SpillFolder::new(directory.path()).save(0, Arc::new(none), Facts::default());
        let spilled = spilled.unwrap();
        spilled.release_pages();
        assert!(spilled.values().is_empty() && spilled.is_undamaged());
    }

    #[test]
    fn values_come_back_from_a_file_that_nobody_sees() {
        let directory = tempfile::tempdir().unwrap();
        let spilled = spilled(held(), directory.path());
        assert_eq!(directory.path().read_dir().unwrap().count(), 0);
        for _ in 0..2 {
            assert_eq!(spilled.values(), held().values());
            spilled.release_pages();
        }
    }

    #[test]
    fn a_folder_holds_finished_values_for_who_has_them_and_finds_none_again() {
        let directory = tempfile::tempdir().unwrap();
        let folder = SpillFolder::new(directory.path());
        let kept = folder.save(3, held(), Facts::default()).unwrap();
        assert_eq!(kept.values(), held().values());
        assert_eq!(directory.path().read_dir().unwrap().count(), 0);
        assert!(folder.load(3).unwrap().is_none());
        let missing = SpillFolder::new(&directory.path().join("missing"));
        let error = missing.save(3, held(), Facts::default()).err().unwrap();
        assert!(error.to_string().contains("missing: "), "{error}");
    }

    #[test]
    fn values_that_a_disk_gives_back_otherwise_are_damaged() {
        let directory = tempfile::tempdir().unwrap();
        let mut file = tempfile::tempfile_in(directory.path()).unwrap();
        let spilled = SpilledValues::in_file(held().values(), &mut file).unwrap();
        assert!(spilled.is_undamaged());
        for (byte, is_undamaged) in [(1, false), (0, true)] {
            file.write_all_at(&[byte], 4_000).unwrap();
            assert_eq!(spilled.is_undamaged(), is_undamaged);
        }
    }

    #[test]
    fn values_stay_in_memory_where_no_file_can_be_made() {
        let directory = tempfile::tempdir().unwrap();
        let (held, missing) = (held(), directory.path().join("missing"));
        assert!(Arc::ptr_eq(&held, &spilled(Arc::clone(&held), &missing)));
    }
}
