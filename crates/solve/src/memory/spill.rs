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

/// A part of a whole.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Share(u8);

impl Share {
    pub(crate) const NONE: Self = Self(0);
    /// What shares are counted in.
    const PARTS: u8 = 64;

    /// Returns the share of so many, rounded down.
    #[cfg(feature = "threads")]
    pub(crate) fn of(self, all: usize) -> usize {
        all / usize::from(Self::PARTS) * usize::from(self.0)
    }
}

impl From<Share> for f64 {
    fn from(Share(parts): Share) -> Self {
        Self::from(parts) / Self::from(Share::PARTS)
    }
}

/// Which of them do.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Spilled {
    parts: [bool; OnDisk::ALL.len()],
    /// How much of the values stays in memory if they do.
    kept: Share,
}

impl Spilled {
    /// Returns this alone.
    pub(crate) fn only(what: OnDisk) -> Self {
        Self { parts: OnDisk::ALL.map(|it| it == what), ..Self::default() }
    }

    pub(crate) fn holds(self, what: OnDisk) -> bool {
        self.parts[what as usize]
    }

    pub(crate) fn is_empty(self) -> bool {
        self == Self::default()
    }

    /// Returns the bytes of this that do not lie on the disk.
    pub(crate) fn unless(self, what: OnDisk, bytes: f64) -> f64 {
        match what {
            _ if !self.holds(what) => bytes,
            OnDisk::Values => f64::from(self.kept) * bytes,
            _ => 0.0,
        }
    }

    /// Returns the bytes of this that lie on the disk.
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
            self.spilled.parts[next as usize] = true;
        }
        next.is_some()
    }

    /// Keeps a little more of the values in memory, if they lie on the disk; returns whether that can be.
    #[cfg(feature = "threads")]
    pub(crate) fn keep_more(&mut self) -> bool {
        let Share(parts) = self.spilled.kept;
        let can_be =
            cfg!(target_os = "linux") && self.holds(OnDisk::Values) && parts + 1 < Share::PARTS;
        self.spilled.kept = Share(parts + u8::from(can_be));
        can_be
    }

    /// Keeps a little less of them there.
    #[cfg(feature = "threads")]
    pub(crate) fn keep_less(&mut self) {
        self.spilled.kept.0 = self.spilled.kept.0.saturating_sub(1);
    }

    /// Returns how much of the values stays in memory if they lie on the disk.
    pub(crate) fn kept(&self) -> Share {
        self.spilled.kept
    }

    /// Returns what lies on a disk.
    pub(crate) fn spilled(&self) -> Spilled {
        self.spilled
    }

    /// Returns whether this lies on a disk.
    pub(crate) fn holds(&self, what: OnDisk) -> bool {
        self.spilled.holds(what)
    }

    /// Returns whether so many values in index order lie on a disk.
    pub(crate) fn holds_in_index_order(&self, values: u64) -> bool {
        self.holds(OnDisk::Ordered) && values >= WORTH_A_FILE
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
