//! Room on a disk for what memory has no room for.

use std::fmt::Debug;
use std::io;

#[cfg(feature = "threads")]
use memmap2::MmapMut;

use super::buffer::Buffer;
use crate::types::SolveError;

/// What gives buffers room on a disk instead of in memory, if anything does.
#[cfg(feature = "threads")]
pub(crate) type Spill = Option<std::sync::Arc<dyn Rooms>>;
/// Nothing does; a pointer all the same, so that it is handled as the other is.
#[cfg(not(feature = "threads"))]
pub(crate) type Spill = Option<std::sync::Arc<std::convert::Infallible>>;

/// What of a sublayer at work may lie on a disk. A process alone puts those that come first there before the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OnDisk {
    /// What sweeps only read, in order: external values of the dense engine in double precision, successors of the general one.
    ReadOnly,
    /// Successors of the dense engine, all of which each sweep reads, in order.
    Successors,
    /// Deltas, which some sweeps read or write once, in order.
    Deltas,
    /// Settled values in index order, each written once and then read in order.
    Ordered,
    /// Values, which are read all over.
    Values,
}

impl OnDisk {
    const ALL: [Self; 5] =
        [Self::ReadOnly, Self::Successors, Self::Deltas, Self::Ordered, Self::Values];
}

/// Which of them do.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Spilled([bool; OnDisk::ALL.len()]);

impl Spilled {
    /// Returns these alone.
    pub(crate) fn only(what: OnDisk) -> Self {
        Self(OnDisk::ALL.map(|it| it == what))
    }

    pub(crate) fn holds(self, what: OnDisk) -> bool {
        self.0[what as usize]
    }

    pub(crate) fn is_empty(self) -> bool {
        self == Self::default()
    }

    /// Returns the bytes of this if it does not lie on the disk.
    pub(crate) fn unless(self, what: OnDisk, bytes: f64) -> f64 {
        if self.holds(what) { 0.0 } else { bytes }
    }

    /// Returns the bytes of this if it lies on the disk.
    pub(crate) fn lying(self, what: OnDisk, bytes: f64) -> f64 {
        bytes - self.unless(what, bytes)
    }
}

/// Values that are worth a file.
pub(crate) const WORTH_A_FILE: u64 = 1 << 16;

/// What gives room to the buffers of sublayers at work that lie on a disk, and which these are; nothing if all are in memory.
#[derive(Debug, Clone, Default)]
pub(crate) struct Spills {
    rooms: Spill,
    spilled: Spilled,
}

impl Spills {
    /// Puts this on a disk.
    #[cfg(feature = "threads")]
    pub(crate) fn new(rooms: std::sync::Arc<dyn Rooms>, what: OnDisk) -> Self {
        Self { rooms: Some(rooms), spilled: Spilled::only(what) }
    }

    /// Puts the first that does not lie on the disk there; returns whether there was one.
    #[cfg(feature = "threads")]
    pub(crate) fn put_more(&mut self) -> bool {
        let next = OnDisk::ALL.into_iter().find(|&it| !self.holds(it));
        if let Some(next) = next {
            self.spilled.0[next as usize] = true;
        }
        next.is_some()
    }

    /// Returns what lies on a disk.
    pub(crate) fn spilled(&self) -> Spilled {
        self.spilled
    }

    /// Returns whether this lies on a disk.
    pub(crate) fn holds(&self, what: OnDisk) -> bool {
        self.spilled.holds(what)
    }

    /// Returns room for so many values in index order.
    pub(crate) fn room_in_index_order(&self, values: u64) -> Result<Buffer<f64>, SolveError> {
        let spill = self.of(OnDisk::Ordered).filter(|_| values >= WORTH_A_FILE);
        let mut ordered = Buffer::new(spill);
        ordered.reserve(usize::try_from(values).expect("a sublayer fits memory"))?;
        Ok(ordered)
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
