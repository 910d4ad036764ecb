//! Room on a disk for buffers that do not fit into memory.

use std::fmt::Debug;
use std::io;

#[cfg(feature = "threads")]
use memmap2::MmapMut;

use crate::types::SolveError;

/// The source of room on a disk for a buffer, or `None` if the buffer stays in memory.
#[cfg(feature = "threads")]
pub(crate) type Spill = Option<std::sync::Arc<dyn Rooms>>;
/// Without threads nothing is spilled. It is still a pointer, so that the code that passes it on is the same.
#[cfg(not(feature = "threads"))]
pub(crate) type Spill = Option<std::sync::Arc<std::convert::Infallible>>;

/// A part of a sublayer at work that may lie on a disk. A single process spills these parts in the order in which they stand
/// here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OnDisk {
    /// What sweeps only read, in order: external values of the dense engine in double precision, successors and
    /// candidates of the general one.
    ReadOnly,
    /// Successors of the dense engine, all of which each sweep reads, in order.
    Successors,
    /// Deltas, which some sweeps read or write once, in order.
    Deltas,
    /// Settled values in index order, each written once and then read in order.
    Ordered,
    /// Values at work, which are read at random places.
    Values,
}

impl OnDisk {
    const ALL: [Self; 5] =
        [Self::ReadOnly, Self::Successors, Self::Deltas, Self::Ordered, Self::Values];
}

/// A share of a whole, in parts of 1/64.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct KeptShare(u8);

impl KeptShare {
    pub(crate) const NONE: Self = Self(0);
    /// The number of parts in a whole.
    const PARTS: u8 = 64;

    /// Returns this share of `all`, rounded down.
    #[cfg(feature = "threads")]
    pub(crate) fn of(self, all: usize) -> usize {
        all / usize::from(Self::PARTS) * usize::from(self.0)
    }
}

impl From<KeptShare> for f64 {
    fn from(KeptShare(parts): KeptShare) -> Self {
        Self::from(parts) / Self::from(KeptShare::PARTS)
    }
}

/// The parts of sublayers at work that lie on a disk.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Spilled {
    parts: [bool; OnDisk::ALL.len()],
    /// The share of the values that stays in memory if the values are spilled.
    kept: KeptShare,
    /// The fewest positions of a sublayer that has parts on the disk. Smaller ones stay in memory.
    fewest: u64,
}

impl Spilled {
    /// Returns the set of `what` alone.
    pub(crate) fn only(what: OnDisk) -> Self {
        Self { parts: OnDisk::ALL.map(|it| it == what), ..Self::default() }
    }

    pub(crate) fn holds(self, what: OnDisk) -> bool {
        self.parts[what as usize]
    }

    pub(crate) fn is_empty(self) -> bool {
        !self.parts.contains(&true)
    }

    /// Returns the parts on the disk of a sublayer that has this many positions.
    pub(crate) fn of_sublayer(self, positions: u64) -> Self {
        if positions < self.fewest { Self::default() } else { self }
    }

    /// Returns how many of the `bytes` bytes of `what` do not lie on the disk.
    pub(crate) fn bytes_in_memory(self, what: OnDisk, bytes: f64) -> f64 {
        match what {
            _ if !self.holds(what) => bytes,
            OnDisk::Values => f64::from(self.kept) * bytes,
            _ => 0.0,
        }
    }

    /// Returns how many of the `bytes` bytes of `what` lie on the disk.
    pub(crate) fn bytes_on_disk(self, what: OnDisk, bytes: f64) -> f64 {
        bytes - self.bytes_in_memory(what, bytes)
    }
}

/// The least number of values that are worth a file.
pub(crate) const WORTH_A_FILE: u64 = 1 << 16;

/// The source of room on a disk for sublayers at work, and what lies there; by default, all buffers are in memory.
#[derive(Debug, Clone, Default)]
pub(crate) struct Spills {
    rooms: Spill,
    spilled: Spilled,
}

impl Spills {
    /// Returns spills that put `what` alone on a disk.
    #[cfg(feature = "threads")]
    pub(crate) fn new(rooms: std::sync::Arc<dyn Rooms>, what: OnDisk) -> Self {
        Self { rooms: Some(rooms), spilled: Spilled::only(what) }
    }

    /// Puts the first part that is not on the disk there. Returns whether there was one.
    #[cfg(feature = "threads")]
    pub(crate) fn put_more(&mut self) -> bool {
        let next = OnDisk::ALL.into_iter().find(|&it| !self.holds(it));
        if let Some(next) = next {
            self.spilled.parts[next as usize] = true;
        }
        next.is_some()
    }

    /// Keeps a little more of the spilled values in memory. Returns whether that is possible.
    #[cfg(feature = "threads")]
    pub(crate) fn keep_more(&mut self) -> bool {
        let KeptShare(parts) = self.spilled.kept;
        let can_be =
            cfg!(target_os = "linux") && self.holds(OnDisk::Values) && parts + 1 < KeptShare::PARTS;
        self.spilled.kept = KeptShare(parts + u8::from(can_be));
        can_be
    }

    /// Keeps a little less of the spilled values in memory.
    #[cfg(feature = "threads")]
    pub(crate) fn keep_less(&mut self) {
        self.spilled.kept.0 = self.spilled.kept.0.saturating_sub(1);
    }

    /// Leaves sublayers with fewer positions than this in memory.
    #[cfg(feature = "threads")]
    pub(crate) fn keep_smaller_than(&mut self, fewest: u64) {
        self.spilled.fewest = fewest;
    }

    /// Returns the spills of a sublayer that has this many positions.
    #[inline(never)]
    pub(crate) fn of_sublayer(&self, positions: u64) -> Self {
        Self { spilled: self.spilled.of_sublayer(positions), ..self.clone() }
    }

    /// Returns the share of the values that stays in memory if they lie on the disk.
    pub(crate) fn kept(&self) -> KeptShare {
        self.spilled.kept
    }

    /// Returns what lies on a disk.
    pub(crate) fn spilled(&self) -> Spilled {
        self.spilled
    }

    /// Returns whether `what` lies on a disk.
    pub(crate) fn holds(&self, what: OnDisk) -> bool {
        self.spilled.holds(what)
    }

    /// Returns whether a buffer of `values` values in index order lies on a disk.
    pub(crate) fn holds_in_index_order(&self, values: u64) -> bool {
        self.holds(OnDisk::Ordered) && values >= WORTH_A_FILE
    }

    /// Returns the source of room for the buffer of `what`, or `None` if that stays in memory.
    pub(crate) fn spill_for(&self, what: OnDisk) -> Spill {
        self.rooms.clone().filter(|_| self.holds(what))
    }
}

/// Gives buffers of a solve room outside memory: see [`Solver::spilling`](crate::Solver::spilling).
#[cfg(feature = "threads")]
pub trait Rooms: Debug + Send + Sync {
    /// Returns a map of `bytes` bytes that nothing else reads or writes.
    ///
    /// # Errors
    ///
    /// Returns an error if there is not enough room. There must be no error later: a map that a full disk cannot back ends the
    /// process.
    fn room(&self, bytes: u64) -> io::Result<MmapMut>;

    /// Returns a store of `bytes` bytes that nothing else reads or writes.
    ///
    /// # Errors
    ///
    /// Returns an error if there is not enough room.
    fn store(&self, bytes: u64) -> io::Result<Box<dyn Store>>;
}

/// A file, or something like one, that nothing else reads or writes.
pub trait Store: Debug + Send + Sync {
    /// Writes all bytes at an offset.
    ///
    /// # Errors
    ///
    /// Returns an error if they cannot be written.
    fn write(&self, at: u64, bytes: &[u8]) -> io::Result<()>;

    /// Fills `bytes` from an offset on.
    ///
    /// # Errors
    ///
    /// Returns an error if they cannot be read.
    fn read(&self, at: u64, bytes: &mut [u8]) -> io::Result<()>;
}

/// Returns a store of `bytes` bytes, or `None` if nothing is spilled.
#[cfg(feature = "threads")]
pub(crate) fn store(spill: &Spill, bytes: u64) -> Option<Result<Box<dyn Store>, SolveError>> {
    let store = spill.as_ref()?.store(bytes);
    Some(store.map_err(|error| SolveError::Spill { bytes, error }))
}

/// Returns `None`: without threads nothing is spilled.
#[cfg(not(feature = "threads"))]
pub(crate) fn store(_spill: &Spill, _bytes: u64) -> Option<Result<Box<dyn Store>, SolveError>> {
    None
}
