//! Runs of numbers in memory or on a disk. Each is written once and then read whole, in order, by one sweep after the other.
//!
//! A run from a disk is compared with its checksum before it is used. It is read and not mapped: reading takes the system two
//! fifths of the time that mapping takes, and an error of the disk becomes an error of the solve.

use std::borrow::Cow;
use std::hash::Hasher;
use std::marker::PhantomData;
use std::ops::Range;
use std::sync::RwLock;

use rustc_hash::FxHasher;

use super::spill::{self, Spill, Store};
use crate::types::SolveError;

/// Keeps runs: in memory, each by itself, or one after the other in stores on a disk.
#[derive(Debug)]
pub(crate) struct Shelf<T, P = Plain> {
    spill: Spill,
    packing: P,
    stores: RwLock<Stores>,
    numbers: PhantomData<T>,
}

/// Converts the numbers of a run to bytes for a disk, and back.
pub(crate) trait Packing<T> {
    /// Returns the bytes of a run.
    fn pack<'r>(&self, run: &'r [T]) -> Cow<'r, [u8]>;

    /// Fills `run`, which is as long as the run that was packed. Returns `None` if the bytes are not those of a run of this
    /// length.
    fn unpack(&self, packed: &[u8], run: &mut [T]) -> Option<()>;
}

/// The packing that keeps numbers as they are in memory.
#[derive(Debug, Default)]
pub(crate) struct Plain;

impl<T: bytemuck::Pod> Packing<T> for Plain {
    fn pack<'r>(&self, run: &'r [T]) -> Cow<'r, [u8]> {
        bytemuck::cast_slice(run).into()
    }

    fn unpack(&self, packed: &[u8], run: &mut [T]) -> Option<()> {
        let bytes: &mut [u8] = bytemuck::cast_slice_mut(run);
        (bytes.len() == packed.len()).then(|| bytes.copy_from_slice(packed))
    }
}

/// A run on a shelf.
#[derive(Debug)]
pub(crate) enum Run<T> {
    /// In memory.
    Held(Vec<T>),
    /// On a disk.
    Laid {
        place: Place,
        /// The number of bytes that it takes on the disk.
        bytes: usize,
        /// The number of its elements.
        len: usize,
        checksum: u64,
    },
}

impl<T> Default for Run<T> {
    fn default() -> Self {
        Self::Held(Vec::new())
    }
}

/// Where a run begins on a disk.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place {
    /// The index of its store.
    store: usize,
    /// The offset in this store, in bytes.
    at: u64,
}

/// The stores of a shelf, which are filled one after the other.
#[derive(Debug, Default)]
struct Stores {
    /// The stores, each with its size in bytes.
    all: Vec<(Box<dyn Store>, u64)>,
    /// The index of the store that takes the next run if enough room is left in it, and how many of its bytes are taken.
    open: usize,
    taken: u64,
}

/// The sizes in bytes of the smallest store, and of the largest that holds several runs. Between them a store is as large as all
/// stores before it.
const STORE: Range<u64> = 1 << 20..1 << 28;

/// Returns how many bytes the stores for runs of `runs` bytes take at most.
pub(crate) fn room_for(runs: f64) -> f64 {
    if runs > 0.0 { STORE.start as f64 + runs + runs.min(STORE.end as f64) } else { 0.0 }
}

impl Stores {
    /// Takes room for a run of `bytes` bytes.
    fn take(&mut self, spill: &Spill, bytes: u64) -> Result<Place, SolveError> {
        while self.all.get(self.open).is_some_and(|(_, size)| size - self.taken < bytes) {
            (self.open, self.taken) = (self.open + 1, 0);
        }
        if self.open == self.all.len() {
            let before: u64 = self.all.iter().map(|(_, size)| size).sum();
            let size = before.clamp(STORE.start, STORE.end).max(bytes);
            let store = spill::store(spill, size).expect("it is spilled somewhere")?;
            self.all.push((store, size));
        }
        let place = Place { store: self.open, at: self.taken };
        self.taken += bytes;
        Ok(place)
    }
}

const UNPOISONED: &str = "no holder of this lock panics";

impl<T: bytemuck::Pod, P: Packing<T>> Shelf<T, P> {
    /// Returns a shelf that keeps runs in memory, or packed on a disk if there is a `spill`.
    pub(crate) fn new(spill: Spill, packing: P) -> Self {
        Self { spill, packing, stores: RwLock::default(), numbers: PhantomData }
    }

    /// Puts a run on the shelf.
    pub(crate) fn put(&self, mut run: Vec<T>) -> Result<Run<T>, SolveError> {
        if self.is_in_memory() {
            run.shrink_to_fit();
            return Ok(Run::Held(run));
        }
        let packed = self.packing.pack(&run);
        let bytes = packed.len() as u64;
        let place = self.stores.write().expect(UNPOISONED).take(&self.spill, bytes)?;
        let written = self.on(place, |store| store.write(place.at, &packed));
        written.map_err(|error| SolveError::Spill { bytes, error })?;
        Ok(Run::Laid { place, bytes: packed.len(), len: run.len(), checksum: checksum(&packed) })
    }

    /// Removes all runs from the shelf. They must not be read again.
    pub(crate) fn clear(&mut self) {
        let stores = self.stores.get_mut().expect(UNPOISONED);
        (stores.open, stores.taken) = (0, 0);
    }

    /// Returns the numbers of a run. A run on a disk is unpacked into `copy`.
    pub(crate) fn read<'a>(
        &self,
        run: &'a Run<T>,
        copy: &'a mut Vec<T>,
    ) -> Result<&'a [T], SolveError> {
        match run {
            Run::Held(run) => Ok(run),
            Run::Laid { place, bytes, len, checksum: expected } => {
                assert!(!self.is_in_memory(), "it lies on a disk");
                let mut packed = vec![0; *bytes];
                let read = self.on(*place, |store| store.read(place.at, &mut packed));
                read.map_err(SolveError::Unreadable)?;
                copy.resize(*len, T::zeroed());
                let is_same = checksum(&packed) == *expected;
                let whole = is_same.then(|| self.packing.unpack(&packed, copy)).flatten();
                whole.map(|()| &**copy).ok_or(SolveError::Damaged)
            }
        }
    }

    /// Returns whether runs stay in memory. Without threads there is nothing to spill to, and code that unpacks is left out.
    fn is_in_memory(&self) -> bool {
        !cfg!(feature = "threads") || self.spill.is_none()
    }

    fn on<R>(&self, place: Place, action: impl FnOnce(&dyn Store) -> R) -> R {
        action(&*self.stores.read().expect(UNPOISONED).all[place.store].0)
    }
}

fn checksum(packed: &[u8]) -> u64 {
    let mut checksum = FxHasher::default();
    checksum.write(packed);
    checksum.finish()
}

#[cfg(all(test, feature = "threads"))]
mod tests {
    use std::io;
    use std::sync::{Arc, Mutex};

    use memmap2::MmapMut;

    use super::*;
    use crate::memory::spill::Rooms;

    /// Stores in memory that a test can reach too.
    #[derive(Debug, Default)]
    struct Shared(Mutex<Vec<Arc<Bytes>>>);

    type Bytes = Mutex<Vec<u8>>;

    impl Rooms for Shared {
        fn room(&self, _bytes: u64) -> io::Result<MmapMut> {
            Err(io::ErrorKind::Unsupported.into())
        }

        fn store(&self, bytes: u64) -> io::Result<Box<dyn Store>> {
            let store = Arc::new(Mutex::new(vec![0; usize::try_from(bytes).unwrap()]));
            self.0.lock().unwrap().push(Arc::clone(&store));
            Ok(Box::new(store))
        }
    }

    impl Store for Arc<Bytes> {
        fn write(&self, at: u64, bytes: &[u8]) -> io::Result<()> {
            let at = usize::try_from(at).unwrap();
            self.lock().unwrap()[at..at + bytes.len()].copy_from_slice(bytes);
            Ok(())
        }

        fn read(&self, at: u64, bytes: &mut [u8]) -> io::Result<()> {
            let at = usize::try_from(at).unwrap();
            bytes.copy_from_slice(&self.lock().unwrap()[at..at + bytes.len()]);
            Ok(())
        }
    }

    impl Shared {
        fn bytes(&self) -> usize {
            self.0.lock().unwrap().iter().map(|store| store.lock().unwrap().len()).sum()
        }
    }

    fn runs(shift: u32) -> Vec<Vec<u32>> {
        let run = |run: u32| (0..run * 37 % 9000).map(|at| at ^ run << shift).collect();
        (0..200).map(run).collect()
    }

    fn put_and_read(shelf: &Shelf<u32>, runs: &[Vec<u32>]) {
        let put: Vec<_> = runs.iter().map(|run| shelf.put(run.clone()).unwrap()).collect();
        let mut copy = Vec::new();
        for (expected, run) in runs.iter().zip(&put).rev() {
            assert_eq!(shelf.read(run, &mut copy).unwrap(), expected);
        }
    }

    #[test]
    fn runs_come_back_and_take_the_room_of_those_that_were_taken_away() {
        put_and_read(&Shelf::new(None, Plain), &runs(3));
        let rooms = Arc::new(Shared::default());
        let mut shelf = Shelf::new(Some(Arc::<Shared>::clone(&rooms)), Plain);
        put_and_read(&shelf, &runs(3));
        let bytes = rooms.bytes();
        let needed: usize = runs(3).iter().map(|run| 4 * run.len()).sum();
        assert!(bytes as f64 <= room_for(needed as f64), "{bytes} for {needed}");
        shelf.clear();
        put_and_read(&shelf, &runs(7));
        assert_eq!(rooms.bytes(), bytes);
    }

    #[test]
    fn a_run_that_has_changed_is_not_read() {
        let rooms = Arc::new(Shared::default());
        let shelf = Shelf::new(Some(Arc::<Shared>::clone(&rooms)), Plain);
        let run = shelf.put((0..1000_u32).collect()).unwrap();
        let store = Arc::clone(&rooms.0.lock().unwrap()[0]);
        for at in [0, 1, 2002, 3999] {
            for bit in [1, 128] {
                store.lock().unwrap()[at] ^= bit;
                let error = shelf.read(&run, &mut Vec::new()).unwrap_err();
                assert!(matches!(error, SolveError::Damaged), "{error}");
                store.lock().unwrap()[at] ^= bit;
            }
        }
        assert!(shelf.read(&run, &mut Vec::new()).is_ok());
    }
}
