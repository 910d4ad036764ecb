//! Room on a disk for what memory has no room for.

use std::fmt::Debug;
use std::io;

#[cfg(feature = "threads")]
use memmap2::MmapMut;

use crate::types::SolveError;

/// What gives buffers room on a disk instead of in memory, if anything does.
#[cfg(feature = "threads")]
pub(crate) type Spill = Option<std::sync::Arc<dyn Rooms>>;
/// Nothing does; a pointer all the same, so that it is handled as the other is.
#[cfg(not(feature = "threads"))]
pub(crate) type Spill = Option<std::sync::Arc<std::convert::Infallible>>;

/// What of sublayers at work lies on a disk: one of these, and those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum OnDisk {
    /// What sweeps only read, in order: external values of the dense engine in double precision, successors of the general one.
    ReadOnly,
    /// Successors of the dense engine, all of which each sweep reads, in order.
    Successors,
    /// Deltas, which some sweeps read or write once, in order.
    Deltas,
    /// Values, which are read all over.
    Values,
}

/// What gives room to the buffers of sublayers at work that lie on a disk, and which these are; nothing if all are in memory.
#[derive(Debug, Clone, Default)]
pub(crate) struct Spills {
    rooms: Spill,
    most: Option<OnDisk>,
}

impl Spills {
    /// Puts what is only read on a disk.
    #[cfg(feature = "threads")]
    pub(crate) fn new(rooms: std::sync::Arc<dyn Rooms>) -> Self {
        Self { rooms: Some(rooms), most: Some(OnDisk::ReadOnly) }
    }

    /// Puts the next of them on the disk; returns whether there was one.
    #[cfg(feature = "threads")]
    pub(crate) fn put_more(&mut self) -> bool {
        let next = match self.most {
            Some(OnDisk::ReadOnly) => OnDisk::Successors,
            Some(OnDisk::Successors) => OnDisk::Deltas,
            Some(OnDisk::Deltas) => OnDisk::Values,
            Some(OnDisk::Values) | None => return false,
        };
        self.most = Some(next);
        true
    }

    /// Returns the last of what lies on a disk, if anything does.
    pub(crate) fn most(&self) -> Option<OnDisk> {
        self.most
    }

    /// Returns whether this lies on a disk.
    pub(crate) fn holds(&self, what: OnDisk) -> bool {
        self.most >= Some(what)
    }

    /// Returns what gives room to the buffer of this, if it lies on a disk.
    pub(crate) fn of(&self, what: OnDisk) -> Spill {
        self.rooms.clone().filter(|_| self.holds(what))
    }
}

/// Gives buffers of a solve room elsewhere than in memory: see [`Solver::spilling`](crate::Solver::spilling).
#[cfg(feature = "threads")]
pub trait Rooms: Debug + Send + Sync {
    /// Returns a map of so many bytes that nobody else reads or writes.
    ///
    /// # Errors
    ///
    /// Returns an error if there is not as much room. None may come later: a map that a full disk cannot back ends the
    /// process.
    fn room(&self, bytes: u64) -> io::Result<MmapMut>;

    /// Returns a store of so many bytes that nobody else reads or writes.
    ///
    /// # Errors
    ///
    /// Returns an error if there is not as much room.
    fn store(&self, bytes: u64) -> io::Result<Box<dyn Store>>;
}

/// A file, or what is like one, that nobody else reads or writes.
pub trait Store: Debug + Send + Sync {
    /// Writes all bytes at an offset.
    ///
    /// # Errors
    ///
    /// Returns an error if they cannot be written.
    fn write(&self, at: u64, bytes: &[u8]) -> io::Result<()>;

    /// Reads as many bytes as there is room for, from an offset on.
    ///
    /// # Errors
    ///
    /// Returns an error if they cannot be read.
    fn read(&self, at: u64, bytes: &mut [u8]) -> io::Result<()>;
}

/// Returns a store of so many bytes where buffers are spilled to, if they are.
#[cfg(feature = "threads")]
pub(crate) fn store(spill: &Spill, bytes: u64) -> Option<Result<Box<dyn Store>, SolveError>> {
    let store = spill.as_ref()?.store(bytes);
    Some(store.map_err(|error| SolveError::Spill { bytes, error }))
}

/// Returns nothing: nothing is spilled.
#[cfg(not(feature = "threads"))]
pub(crate) fn store(_spill: &Spill, _bytes: u64) -> Option<Result<Box<dyn Store>, SolveError>> {
    None
}
