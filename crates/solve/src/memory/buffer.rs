//! Large buffers in memory or on a disk, which are kept for the next sublayer.

use super::spill::{KeptShare, OnDisk, Spill, Spills};
use crate::types::SolveError;
use crate::values::Held;

/// The order in which a buffer on a disk is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReadOrder {
    /// In the order of its elements: the system reads ahead.
    Sequential,
    /// Wherever the program announces that it will read next: the system reads those bytes, and others that are needed page by
    /// page.
    Announced,
}

/// A growable buffer of plain numbers.
#[derive(Debug)]
pub(crate) struct Buffer<T> {
    room: Option<Room<T>>,
    len: usize,
    spill: Spill,
    /// The share of a spilled buffer that stays in memory: its first elements.
    kept: KeptShare,
}

impl<T> Default for Buffer<T> {
    fn default() -> Self {
        Self::new(None)
    }
}

impl<T> Buffer<T> {
    /// Returns an empty buffer. Its elements will be in memory, or on a disk if there is a `spill`.
    pub(crate) const fn new(spill: Spill) -> Self {
        Self { room: None, len: 0, spill, kept: KeptShare::NONE }
    }
}

impl Buffer<f64> {
    /// Returns a buffer for the values of sublayers at work.
    pub(crate) fn of_values(spills: &Spills) -> Self {
        Self { kept: spills.kept(), ..Self::new(spills.spill_for(OnDisk::Values)) }
    }

    /// Returns a buffer for `values` values in index order.
    pub(crate) fn in_index_order(spills: &Spills, values: u64) -> Result<Self, SolveError> {
        let spill =
            spills.spill_for(OnDisk::Ordered).filter(|_| spills.holds_in_index_order(values));
        let mut ordered = Self::new(spill);
        ordered.reserve(usize::try_from(values).expect("a sublayer fits memory"))?;
        Ok(ordered)
    }
}

impl Held for Buffer<f64> {
    fn values(&self) -> &[f64] {
        self.as_slice()
    }
}

impl<T: bytemuck::Pod> Buffer<T> {
    /// Makes the buffer `len` elements long. Its contents are unspecified afterwards.
    ///
    /// # Errors
    ///
    /// Returns an error if there is not as much memory, or not as much room on the disk.
    pub(crate) fn reserve(&mut self, len: usize) -> Result<(), SolveError> {
        let room = self.room.as_ref().map_or(0, |room| room.as_slice().len());
        if room < len || self.room.is_none() {
            // The old room is freed first. In memory the new one has at least twice the size, so that growing step by step does
            // not take fresh memory each time: unused memory costs nothing. On a disk unused room would cost, so there the new
            // one is no larger than needed.
            self.room = None;
            let more = if self.spill.is_none() { 2 * room } else { 1 };
            let new = |len: usize| Room::new(len.max(1), &self.spill, self.kept);
            // A system that counts unused memory too may still have enough for `len`.
            self.room = Some(new(len.max(more)).or_else(|_| new(len))?);
        }
        self.len = len;
        Ok(())
    }

    /// Gives back the memory of some elements, whose contents are unspecified afterwards. Does nothing to a spilled buffer.
    pub(crate) fn release(&mut self, elements: std::ops::Range<usize>) {
        if let Some(room) = self.room.as_mut().filter(|_| self.spill.is_none()) {
            room.release(elements);
        }
    }

    /// Tells the system in which order a buffer on a disk will be read. This is advice: the contents stay the same.
    pub(crate) fn read_in(&mut self, order: ReadOrder) {
        if let Some(room) = self.room.as_mut().filter(|_| self.spill.is_some()) {
            room.read_in(order);
        }
    }

    /// Gives back the room and leaves the buffer empty.
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

/// Mapped memory, in huge pages if the system has them: sweeps read it at random places, and with small pages most of these reads
/// miss the processor's TLB too.
#[cfg(feature = "threads")]
mod mapped {
    use std::io;
    use std::marker::PhantomData;
    use std::ops::Range;

    use memmap2::{MmapMut, MmapOptions};

    use super::{KeptShare, ReadOrder, Spill};
    use crate::types::SolveError;

    /// The size in bytes of the largest page that any system uses for memory, unless huge pages are asked for.
    const PAGE: usize = 1 << 16;
    /// Bytes of a huge page.
    const HUGE_PAGE: usize = 1 << 21;

    #[derive(Debug)]
    pub(super) struct Room<T>(MmapMut, PhantomData<T>);

    impl<T: bytemuck::Pod> Room<T> {
        /// Returns room for `len` elements. If it is spilled, the share `kept` stays in memory.
        pub(super) fn new(len: usize, spill: &Spill, kept: KeptShare) -> Result<Self, SolveError> {
            let len = len * size_of::<T>();
            let memory = |options: &MmapOptions| {
                in_memory(options).map_err(|_| SolveError::Memory { bytes: len as u64 })
            };
            let mut options = MmapOptions::new();
            options.len(len);
            let Some(rooms) = spill else { return Ok(Self(memory(&options)?, PhantomData)) };
            let kept = kept.of(len) / HUGE_PAGE * HUGE_PAGE;
            let bytes = (len - kept) as u64;
            let error = |error| SolveError::Spill { bytes, error };
            let on_disk = rooms.room(bytes).map_err(error)?;
            let map = match kept {
                0 => on_disk,
                // The system refuses more memory than the machine has, and most of this gives way to the disk.
                _ => joined(memory(options.no_reserve_swap())?, kept, on_disk).map_err(error)?,
            };
            Ok(Self(map, PhantomData))
        }

        pub(super) fn as_slice(&self) -> &[T] {
            bytemuck::cast_slice(&self.0)
        }

        pub(super) fn as_mut_slice(&mut self) -> &mut [T] {
            bytemuck::cast_slice_mut(&mut self.0)
        }

        /// Tells the system in which order the room will be read, if the system takes such advice.
        pub(super) fn read_in(&mut self, order: ReadOrder) {
            #[cfg(unix)]
            let _ = self.0.advise(match order {
                ReadOrder::Sequential => memmap2::Advice::Normal,
                ReadOrder::Announced => memmap2::Advice::Random,
            });
            #[cfg(not(unix))]
            let _ = order;
        }

        /// Gives back the pages that hold nothing but these elements, on systems that take pages back.
        pub(super) fn release(&mut self, elements: Range<usize>) {
            let [start, end] = [elements.start, elements.end].map(|at| at * size_of::<T>());
            // The map begins at a page boundary, and no system has larger pages than `PAGE`.
            let (start, end) = (start.next_multiple_of(PAGE), end / PAGE * PAGE);
            self.release_bytes(start, end.saturating_sub(start));
        }

        #[cfg(unix)]
        fn release_bytes(&mut self, start: usize, len: usize) {
            // SAFETY: no file backs the map, so its bytes are zero afterwards, and `self` alone refers to them.
            #[expect(unsafe_code, reason = "the contents change")]
            // Advice: if it is not taken, the memory stays.
            let _ = unsafe {
                self.0.unchecked_advise_range(memmap2::UncheckedAdvice::DontNeed, start, len)
            };
        }

        #[cfg(not(unix))]
        #[expect(clippy::unused_self, reason = "nothing to be done")]
        fn release_bytes(&mut self, _start: usize, _len: usize) {}
    }

    /// Returns `memory` with its bytes after the first `kept` replaced by the map `rest`, which has as many.
    #[cfg(target_os = "linux")]
    fn joined(mut memory: MmapMut, kept: usize, mut rest: MmapMut) -> io::Result<MmapMut> {
        use std::ptr::NonNull;

        use nix::sys::mman::{MRemapFlags, mremap};

        assert!(kept.is_multiple_of(PAGE) && memory.len() == kept + rest.len());
        let (to, from) = (memory[kept..].as_mut_ptr(), rest.as_mut_ptr());
        let [to, from] = [to, from].map(|it| NonNull::new(it.cast()).expect("maps have addresses"));
        let flags = MRemapFlags::MREMAP_MAYMOVE | MRemapFlags::MREMAP_FIXED;
        // SAFETY: both maps are owned here, and there is no reference into them. The second map moves to the last pages of the
        // first, which are as many, and from then on belongs to the first.
        #[expect(unsafe_code, reason = "one map takes the place of a part of another")]
        unsafe {
            mremap(from, rest.len(), rest.len(), flags, Some(to))?;
        }
        std::mem::forget(rest);
        Ok(memory)
    }

    /// Returns an error: on other systems no part of a spilled buffer stays in memory.
    #[cfg(not(target_os = "linux"))]
    fn joined(_memory: MmapMut, _kept: usize, _rest: MmapMut) -> io::Result<MmapMut> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn in_memory(options: &MmapOptions) -> io::Result<MmapMut> {
        let map = options.map_anon()?;
        #[cfg(target_os = "linux")]
        // Advice: without huge pages the buffer is slower, but just as correct.
        let _ = map.advise(memmap2::Advice::HugePage);
        Ok(map)
    }
}

/// Memory of the allocator.
#[cfg(not(feature = "threads"))]
mod plain {
    use super::{KeptShare, ReadOrder, Spill};
    use crate::types::SolveError;

    #[derive(Debug)]
    pub(super) struct Room<T>(Vec<T>);

    impl<T: bytemuck::Pod> Room<T> {
        /// Returns room for `len` elements, or an error if there is not enough memory.
        pub(super) fn new(
            len: usize,
            _spill: &Spill,
            _kept: KeptShare,
        ) -> Result<Self, SolveError> {
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
        pub(super) fn read_in(&mut self, _order: ReadOrder) {}

        /// Does nothing: the allocator cannot take back a part.
        #[expect(clippy::unused_self, reason = "nothing to be done")]
        pub(super) fn release(&mut self, _elements: std::ops::Range<usize>) {}
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::io;
    use std::sync::Arc;

    use memmap2::{MmapMut, MmapOptions};

    use super::*;
    use crate::memory::spill::{Rooms, Store};

    /// Gives rooms of one length only. The first byte of each is 7.
    #[derive(Debug)]
    struct OfBytes(u64);

    impl Rooms for OfBytes {
        fn room(&self, bytes: u64) -> io::Result<MmapMut> {
            assert_eq!(bytes, self.0);
            let mut room = MmapMut::map_anon(usize::try_from(bytes).unwrap())?;
            room[0] = 7;
            Ok(room)
        }

        fn store(&self, _bytes: u64) -> io::Result<Box<dyn Store>> {
            panic!("a buffer is mapped")
        }
    }

    #[test]
    fn some_of_a_buffer_stays_in_memory_and_the_rest_lies_behind_it() {
        // Half of nine mebibytes, rounded down to whole huge pages.
        let (len, kept) = ((9 << 20) / 8, (4 << 20) / 8);
        let rooms = Arc::new(OfBytes(8 * (len - kept) as u64));
        let mut spills = Spills::new(rooms, OnDisk::Values);
        while f64::from(spills.kept()) < 0.5 {
            assert!(spills.keep_more());
        }
        let mut buffer = Buffer::of_values(&spills);
        buffer.reserve(len).unwrap();
        assert!(buffer.as_slice().iter().enumerate().all(|(at, &it)| (it > 0.0) == (at == kept)));
        buffer.as_mut_slice().iter_mut().enumerate().for_each(|(at, it)| *it = at as f64);
        assert!(buffer.as_slice().iter().copied().eq((0..len).map(|at| at as f64)));
    }

    /// Returns the bytes of memory that this machine has.
    fn machine_memory() -> usize {
        let told = std::fs::read_to_string("/proc/meminfo").unwrap();
        told.split_whitespace().nth(1).unwrap().parse::<usize>().unwrap() * 1024
    }

    /// Gives rooms of any length, of which no byte is taken before it is written.
    #[derive(Debug)]
    struct OfAnyLength;

    impl Rooms for OfAnyLength {
        fn room(&self, bytes: u64) -> io::Result<MmapMut> {
            let len = usize::try_from(bytes).unwrap();
            MmapOptions::new().len(len).no_reserve_swap().map_anon()
        }

        fn store(&self, _bytes: u64) -> io::Result<Box<dyn Store>> {
            panic!("a buffer is mapped")
        }
    }

    #[test]
    fn a_buffer_may_be_larger_than_memory_if_little_of_it_stays_there() {
        let mut spills = Spills::new(Arc::new(OfAnyLength), OnDisk::Values);
        assert!(spills.keep_more());
        let len = machine_memory() / 2 * 3 / 8;
        let mut buffer = Buffer::of_values(&spills);
        buffer.reserve(len).unwrap();
        let values: &mut [f64] = buffer.as_mut_slice();
        (values[0], values[len - 1]) = (1.0, 2.0);
        assert_eq!((values[0], values[len / 2], values[len - 1]), (1.0, 0.0, 2.0));
    }

    #[test]
    fn a_buffer_grows_if_there_is_memory_for_what_it_holds_but_not_for_twice_that() {
        // Nothing is written, so no memory is taken.
        let most = machine_memory() / 4 * 3;
        let mut buffer = Buffer::<u8>::default();
        for len in [most, most + 1] {
            buffer.reserve(len).unwrap();
            assert_eq!(buffer.as_slice().len(), len);
        }
    }
}
