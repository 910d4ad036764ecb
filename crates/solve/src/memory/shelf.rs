//! Runs of numbers that are written once and then read whole, in order, by one sweep after the other: in memory, or on a disk.
//!
//! What comes back from a disk is compared with its checksum before anybody follows it. It is read and not mapped: that takes the
//! system two fifths of the time, and an error of the disk is one of the solve.

use std::hash::Hasher;
use std::marker::PhantomData;
use std::ops::Range;

use rustc_hash::FxHasher;

use super::spill::{self, Spill, Store};
use crate::types::SolveError;

/// Where runs are put: in memory, each by itself, or one behind the other in stores on a disk.
#[derive(Debug)]
pub(crate) struct Shelf<T> {
    spill: Spill,
    /// With the bytes of each.
    stores: Vec<(Box<dyn Store>, u64)>,
    /// The store that the next run is put into if it has enough left, and how many bytes of it are taken.
    open: usize,
    taken: u64,
    numbers: PhantomData<T>,
}

/// A run on a shelf.
#[derive(Debug)]
pub(crate) enum Run<T> {
    /// In memory.
    Held(Vec<T>),
    /// On a disk.
    Laid {
        /// The number of its store.
        store: usize,
        /// Where it begins there, in bytes.
        at: u64,
        /// How many numbers it has.
        len: usize,
        checksum: u64,
    },
}

impl<T> Default for Run<T> {
    fn default() -> Self {
        Self::Held(Vec::new())
    }
}

/// Bytes of the smallest store and of the largest that holds several runs. A store is as large as all before it otherwise.
const STORE: Range<u64> = 1 << 20..1 << 28;

/// Returns the bytes of stores that hold runs of so many bytes, at most.
pub(crate) fn room_for(runs: f64) -> f64 {
    if runs > 0.0 { STORE.start as f64 + runs + runs.min(STORE.end as f64) } else { 0.0 }
}

impl<T: bytemuck::Pod> Shelf<T> {
    /// Returns a shelf in memory, or where runs are spilled to.
    pub(crate) const fn new(spill: Spill) -> Self {
        Self { spill, stores: Vec::new(), open: 0, taken: 0, numbers: PhantomData }
    }

    /// Puts a run on the shelf.
    pub(crate) fn put(&mut self, mut run: Vec<T>) -> Result<Run<T>, SolveError> {
        if self.spill.is_none() {
            run.shrink_to_fit();
            return Ok(Run::Held(run));
        }
        let bytes: &[u8] = bytemuck::cast_slice(&run);
        let needed = bytes.len() as u64;
        while self.stores.get(self.open).is_some_and(|(_, size)| size - self.taken < needed) {
            (self.open, self.taken) = (self.open + 1, 0);
        }
        if self.open == self.stores.len() {
            let before: u64 = self.stores.iter().map(|(_, size)| size).sum();
            let size = before.clamp(STORE.start, STORE.end).max(needed);
            let store = spill::store(&self.spill, size).expect("it is spilled somewhere")?;
            self.stores.push((store, size));
        }
        let (store, at) = (self.open, self.taken);
        let written = self.stores[store].0.write(at, bytes);
        written.map_err(|error| SolveError::Spill { bytes: needed, error })?;
        self.taken += needed;
        Ok(Run::Laid { store, at, len: run.len(), checksum: checksum(&run) })
    }

    /// Takes all runs from the shelf: they are not to be read again.
    pub(crate) fn clear(&mut self) {
        (self.open, self.taken) = (0, 0);
    }

    /// Returns what a run holds; one from a disk comes to `copy`.
    pub(crate) fn read<'a>(
        &self,
        run: &'a Run<T>,
        copy: &'a mut Vec<T>,
    ) -> Result<&'a [T], SolveError> {
        match run {
            Run::Held(run) => Ok(run),
            Run::Laid { store, at, len, checksum: expected } => {
                copy.resize(*len, T::zeroed());
                let read = self.stores[*store].0.read(*at, bytemuck::cast_slice_mut(copy));
                read.map_err(SolveError::Unreadable)?;
                if checksum(copy) == *expected { Ok(copy) } else { Err(SolveError::Damaged) }
            }
        }
    }
}

fn checksum<T: bytemuck::Pod>(run: &[T]) -> u64 {
    let mut checksum = FxHasher::default();
    checksum.write(bytemuck::cast_slice(run));
    checksum.finish()
}

#[cfg(all(test, feature = "threads"))]
mod tests {
    use std::io;
    use std::sync::{Arc, Mutex};

    use memmap2::MmapMut;

    use super::*;
    use crate::memory::spill::Rooms;

    /// Stores in memory, which all can reach.
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

    fn put_and_read(shelf: &mut Shelf<u32>, runs: &[Vec<u32>]) {
        let put: Vec<_> = runs.iter().map(|run| shelf.put(run.clone()).unwrap()).collect();
        let mut copy = Vec::new();
        for (expected, run) in runs.iter().zip(&put).rev() {
            assert_eq!(shelf.read(run, &mut copy).unwrap(), expected);
        }
    }

    #[test]
    fn runs_come_back_and_take_the_room_of_those_that_were_taken_away() {
        put_and_read(&mut Shelf::new(None), &runs(3));
        let rooms = Arc::new(Shared::default());
        let mut shelf = Shelf::new(Some(Arc::<Shared>::clone(&rooms)));
        put_and_read(&mut shelf, &runs(3));
        let bytes = rooms.bytes();
        let needed: usize = runs(3).iter().map(|run| 4 * run.len()).sum();
        assert!(bytes as f64 <= room_for(needed as f64), "{bytes} for {needed}");
        shelf.clear();
        put_and_read(&mut shelf, &runs(7));
        assert_eq!(rooms.bytes(), bytes);
    }

    #[test]
    fn a_run_that_has_changed_is_not_read() {
        let rooms = Arc::new(Shared::default());
        let mut shelf = Shelf::new(Some(Arc::<Shared>::clone(&rooms)));
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
