//! Large buffers, kept for the next sublayer: in memory, or on a disk.

use super::spill::Spill;
use crate::types::SolveError;
use crate::values::Held;

/// In which order a buffer on a disk is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    /// As it lies: the system reads ahead.
    InTurn,
    /// As the system is told each time: it reads that, and what is needed besides page by page.
    Told,
}

/// A growable buffer of plain numbers.
#[derive(Debug)]
pub(crate) struct Buffer<T> {
    room: Option<Room<T>>,
    len: usize,
    spill: Spill,
}

impl<T> Default for Buffer<T> {
    fn default() -> Self {
        Self::new(None)
    }
}

impl<T> Buffer<T> {
    /// Returns a buffer that will lie in memory, or where it is spilled to.
    pub(crate) const fn new(spill: Spill) -> Self {
        Self { room: None, len: 0, spill }
    }
}

impl Held for Buffer<f64> {
    fn values(&self) -> &[f64] {
        self.as_slice()
    }
}

impl<T: bytemuck::Pod> Buffer<T> {
    /// Makes the buffer `len` elements long; what it holds afterwards is not said.
    ///
    /// # Errors
    ///
    /// Returns an error if there is not as much memory, or not as much room on the disk.
    pub(crate) fn reserve(&mut self, len: usize) -> Result<(), SolveError> {
        let room = self.room.as_ref().map_or(0, |room| room.as_slice().len());
        if room < len || self.room.is_none() {
            // The old room goes first. Growing step by step must not take fresh memory each time; what is not used
            // costs none. Of a disk it would.
            self.room = None;
            let more = if self.spill.is_none() { 2 * room } else { 1 };
            let more = Room::new(len.max(more).max(1), &self.spill);
            // A system that counts what is not used may have as much as is.
            self.room = Some(more.or_else(|_| Room::new(len.max(1), &self.spill))?);
        }
        self.len = len;
        Ok(())
    }

    /// Gives back what is held in memory of some elements, which hold anything afterwards.
    pub(crate) fn let_go(&mut self, elements: std::ops::Range<usize>) {
        if let Some(room) = self.room.as_mut().filter(|_| self.spill.is_none()) {
            room.let_go(elements);
        }
    }

    /// Tells the system in which order a buffer on a disk will be read. Advice: the contents are the same.
    pub(crate) fn read_in(&mut self, order: Order) {
        if let Some(room) = self.room.as_mut().filter(|_| self.spill.is_some()) {
            room.read_in(order);
        }
    }

    /// Returns whether the buffer lies on a disk.
    pub(crate) fn is_on_disk(&self) -> bool {
        self.spill.is_some()
    }

    /// Gives back the room.
    pub(crate) fn clear(&mut self) {
        (self.room, self.len) = (None, 0);
    }

    pub(crate) fn as_slice(&self) -> &[T] {
        self.room.as_ref().map_or(&[], |room| &room.as_slice()[..self.len])
    }

    pub(crate) fn as_mut_slice(&mut self) -> &mut [T] {
        self.room.as_mut().map_or(&mut [], |room| &mut room.as_mut_slice()[..self.len])
    }
}

#[cfg(feature = "threads")]
use mapped::Room;
#[cfg(not(feature = "threads"))]
use plain::Room;

/// Mapped memory, in huge pages if the system has them: sweeps read all over it, and with small pages most of these reads
/// miss the processor's table of pages too.
#[cfg(feature = "threads")]
mod mapped {
    use std::io;
    use std::marker::PhantomData;
    use std::ops::Range;

    use memmap2::MmapMut;

    use super::{Order, Spill};
    use crate::types::SolveError;

    /// Bytes of the largest pages that systems have for memory that is not asked for in huge ones.
    const PAGE: usize = 1 << 16;

    #[derive(Debug)]
    pub(super) struct Room<T>(MmapMut, PhantomData<T>);

    impl<T: bytemuck::Pod> Room<T> {
        /// Returns room for some elements.
        pub(super) fn new(len: usize, spill: &Spill) -> Result<Self, SolveError> {
            let len = len * size_of::<T>();
            let bytes = len as u64;
            let map = match spill {
                None => in_memory(len).map_err(|_| SolveError::Memory { bytes })?,
                Some(rooms) => {
                    rooms.room(bytes).map_err(|error| SolveError::Spill { bytes, error })?
                }
            };
            Ok(Self(map, PhantomData))
        }

        pub(super) fn as_slice(&self) -> &[T] {
            bytemuck::cast_slice(&self.0)
        }

        pub(super) fn as_mut_slice(&mut self) -> &mut [T] {
            bytemuck::cast_slice_mut(&mut self.0)
        }

        /// Tells in which order the room will be read, to systems that ask.
        pub(super) fn read_in(&mut self, order: Order) {
            #[cfg(unix)]
            let _ = self.0.advise(match order {
                Order::InTurn => memmap2::Advice::Normal,
                Order::Told => memmap2::Advice::Random,
            });
            #[cfg(not(unix))]
            let _ = order;
        }

        /// Gives back the pages that some elements have alone, on systems that take them.
        pub(super) fn let_go(&mut self, elements: Range<usize>) {
            let [start, end] = [elements.start, elements.end].map(|at| at * size_of::<T>());
            // The map begins at a page. Pages of any system are at most as large.
            let (start, end) = (start.next_multiple_of(PAGE), end / PAGE * PAGE);
            self.let_go_of_bytes(start, end.saturating_sub(start));
        }

        #[cfg(unix)]
        fn let_go_of_bytes(&mut self, start: usize, len: usize) {
            // SAFETY: the map is of memory alone, whose bytes are zero afterwards, and nobody else has it.
            #[expect(unsafe_code, reason = "the contents change")]
            // Advice: if it is not taken, the memory stays.
            let _ = unsafe {
                self.0.unchecked_advise_range(memmap2::UncheckedAdvice::DontNeed, start, len)
            };
        }

        #[cfg(not(unix))]
        #[expect(clippy::unused_self, reason = "nothing to be done")]
        fn let_go_of_bytes(&mut self, _start: usize, _len: usize) {}
    }

    fn in_memory(len: usize) -> io::Result<MmapMut> {
        let map = MmapMut::map_anon(len)?;
        #[cfg(target_os = "linux")]
        // Advice: without huge pages the buffer is slower and no less right.
        let _ = map.advise(memmap2::Advice::HugePage);
        Ok(map)
    }
}

/// Memory of the allocator.
#[cfg(not(feature = "threads"))]
mod plain {
    use super::{Order, Spill};
    use crate::types::SolveError;

    #[derive(Debug)]
    pub(super) struct Room<T>(Vec<T>);

    impl<T: bytemuck::Pod> Room<T> {
        /// Returns room for some elements, if there is as much memory.
        pub(super) fn new(len: usize, _spill: &Spill) -> Result<Self, SolveError> {
            let bytes = (len * size_of::<T>()) as u64;
            let mut room = Vec::new();
            room.try_reserve_exact(len).map_err(|_| SolveError::Memory { bytes })?;
            room.resize(len, T::zeroed());
            Ok(Self(room))
        }

        pub(super) fn as_slice(&self) -> &[T] {
            &self.0
        }

        pub(super) fn as_mut_slice(&mut self) -> &mut [T] {
            &mut self.0
        }

        #[expect(clippy::unused_self, reason = "nothing to be done")]
        pub(super) fn read_in(&mut self, _order: Order) {}

        /// The allocator takes all back or nothing.
        #[expect(clippy::unused_self, reason = "nothing to be done")]
        pub(super) fn let_go(&mut self, _elements: std::ops::Range<usize>) {}
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_buffer_grows_if_there_is_memory_for_what_it_holds_but_not_for_twice_that() {
        let told = std::fs::read_to_string("/proc/meminfo").unwrap();
        let kilobytes = told.split_whitespace().nth(1).unwrap().parse::<usize>().unwrap();
        // Nothing is written, so no memory is taken.
        let most = kilobytes / 4 * 3 * 1024;
        let mut buffer = Buffer::<u8>::default();
        for len in [most, most + 1] {
            buffer.reserve(len).unwrap();
            assert_eq!(buffer.as_slice().len(), len);
        }
    }
}
