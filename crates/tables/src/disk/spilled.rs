//! Values that lie in files without names, so that the system can take them out of memory while nobody reads them.
//!
//! Nobody else can open such a file, and it is gone with who holds it, however that ends.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use fs4::FileExt;
use memmap2::MmapMut;
use puabi_solve::{Held, Rooms, Solver};

use super::free_memory::available_memory;
use super::is_in_memory;
use super::mapped::MappedPart;

/// A folder for the values of sublayers at work: see [`Solver::spilling`](puabi_solve::Solver::spilling).
#[derive(Debug)]
pub struct SpillFolder(PathBuf);

impl SpillFolder {
    /// Returns the folder at this path, which is there.
    pub fn new(path: &Path) -> Self {
        Self(path.to_owned())
    }

    fn file(&self, bytes: u64) -> io::Result<MmapMut> {
        let file = tempfile::tempfile_in(&self.0)?;
        // All of it now: a disk that is full later could only be told by a signal.
        file.allocate(bytes)?;
        // SAFETY: the file has no name, so that no other program changes it or cuts it short.
        #[expect(unsafe_code, reason = "the file is mapped")]
        unsafe {
            MmapMut::map_mut(&file)
        }
    }
}

impl Rooms for SpillFolder {
    fn room(&self, bytes: u64) -> io::Result<MmapMut> {
        let named = |error: io::Error| {
            io::Error::new(error.kind(), format!("{}: {error}", self.0.display()))
        };
        self.file(bytes).map_err(named)
    }
}

/// Returns the solver with its sublayers at work in a folder, as far as that helps: if the game can spill, what is left fits into
/// `limit` bytes of memory, and the folder is on a disk.
pub fn spilling_in(solver: &Solver, folder: &Path, limit: u64) -> Option<Solver> {
    let spilling = solver.clone().spilling(Arc::new(SpillFolder::new(folder)), limit);
    let spilling = spilling.filter(|spilling| spilling.memory() <= limit);
    spilling.filter(|_| is_in_memory(folder).is_ok_and(|it| !it))
}

/// Returns the solver with its sublayers at work in a folder if the memory that is free is too little otherwise, and if that helps.
pub(crate) fn within_memory(solver: Solver, folder: &Path) -> Solver {
    let free = available_memory().unwrap_or(u64::MAX);
    let spilling = (solver.memory() > free).then(|| spilling_in(&solver, folder, free));
    spilling.flatten().unwrap_or(solver)
}

/// Values in a mapped file, which goes with them.
struct SpilledValues(MappedPart);

/// Returns the values from a file in `directory`, or those in memory if none can be written there.
pub(crate) fn spilled(values: Arc<dyn Held>, directory: &Path) -> Arc<dyn Held> {
    match SpilledValues::new(values.values(), directory) {
        Ok(spilled) => Arc::new(spilled),
        Err(_) => values,
    }
}

impl SpilledValues {
    fn new(values: &[f64], directory: &Path) -> io::Result<Self> {
        let mut file = tempfile::tempfile_in(directory)?;
        let bytes = bytemuck::cast_slice(values);
        file.write_all(bytes)?;
        MappedPart::new(&file, bytes.len()).map(Self)
    }
}

impl Held for SpilledValues {
    fn values(&self) -> &[f64] {
        // SAFETY: the file has no name, and is not written any more.
        #[expect(unsafe_code, reason = "the file is mapped")]
        let bytes = unsafe { self.0.bytes(0..self.0.len()) };
        bytemuck::cast_slice(bytes)
    }

    fn rest(&self) {
        self.0.release(0..self.0.len());
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
    fn values_come_back_from_a_file_that_nobody_sees() {
        let directory = tempfile::tempdir().unwrap();
        let spilled = spilled(held(), directory.path());
        assert_eq!(directory.path().read_dir().unwrap().count(), 0);
        for _ in 0..2 {
            assert_eq!(spilled.values(), held().values());
            spilled.rest();
        }
    }

    #[test]
    fn values_stay_in_memory_where_no_file_can_be_made() {
        let directory = tempfile::tempdir().unwrap();
        let (held, missing) = (held(), directory.path().join("missing"));
        assert!(Arc::ptr_eq(&held, &spilled(Arc::clone(&held), &missing)));
    }
}
