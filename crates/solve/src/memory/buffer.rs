//! Large buffers, kept for the next sublayer.

use crate::types::SolveError;

/// A growable buffer of plain numbers.
#[derive(Debug)]
pub(crate) struct Buffer<T> {
    room: Option<Room<T>>,
    len: usize,
}

impl<T> Default for Buffer<T> {
    fn default() -> Self {
        Self { room: None, len: 0 }
    }
}

impl<T: bytemuck::Pod> Buffer<T> {
    /// Makes the buffer `len` elements long; what it holds afterwards is not said.
    ///
    /// # Errors
    ///
    /// Returns an error if there is not as much memory.
    pub(crate) fn reserve(&mut self, len: usize) -> Result<(), SolveError> {
        let room = self.room.as_ref().map_or(0, |room| room.as_slice().len());
        if room < len || self.room.is_none() {
            // The old room goes first. Growing step by step must not take fresh memory each time; what is not used
            // costs none.
            self.room = None;
            let len = len.max(2 * room).max(1);
            let error = || SolveError::Memory { bytes: (len * size_of::<T>()) as u64 };
            self.room = Some(Room::new(len).ok_or_else(error)?);
        }
        self.len = len;
        Ok(())
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
    use std::marker::PhantomData;

    use memmap2::MmapMut;

    #[derive(Debug)]
    pub(super) struct Room<T>(MmapMut, PhantomData<T>);

    impl<T: bytemuck::Pod> Room<T> {
        /// Returns room for some elements, if there is as much memory.
        pub(super) fn new(len: usize) -> Option<Self> {
            let map = MmapMut::map_anon(len * size_of::<T>()).ok()?;
            #[cfg(target_os = "linux")]
            // Advice: without huge pages the buffer is slower and no less right.
            let _ = map.advise(memmap2::Advice::HugePage);
            Some(Self(map, PhantomData))
        }

        pub(super) fn as_slice(&self) -> &[T] {
            bytemuck::cast_slice(&self.0)
        }

        pub(super) fn as_mut_slice(&mut self) -> &mut [T] {
            bytemuck::cast_slice_mut(&mut self.0)
        }
    }
}

/// Memory of the allocator.
#[cfg(not(feature = "threads"))]
mod plain {
    #[derive(Debug)]
    pub(super) struct Room<T>(Vec<T>);

    impl<T: bytemuck::Pod> Room<T> {
        /// Returns room for some elements, if there is as much memory.
        pub(super) fn new(len: usize) -> Option<Self> {
            let mut room = Vec::new();
            room.try_reserve_exact(len).ok()?;
            room.resize(len, T::zeroed());
            Some(Self(room))
        }

        pub(super) fn as_slice(&self) -> &[T] {
            &self.0
        }

        pub(super) fn as_mut_slice(&mut self) -> &mut [T] {
            &mut self.0
        }
    }
}
