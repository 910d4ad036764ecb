//! Large buffers: zeroed memory in huge pages where the system has them, kept for the next sublayer.

use std::marker::PhantomData;

use memmap2::MmapMut;

/// A growable buffer of plain numbers.
#[derive(Debug)]
pub(crate) struct Buffer<T> {
    map: Option<MmapMut>,
    len: usize,
    element: PhantomData<T>,
}

impl<T> Default for Buffer<T> {
    fn default() -> Self {
        Self { map: None, len: 0, element: PhantomData }
    }
}

impl<T: bytemuck::Pod> Buffer<T> {
    /// Makes the buffer `len` elements long; what it holds afterwards is not said.
    pub(crate) fn reserve(&mut self, len: usize) {
        let bytes = len * size_of::<T>();
        if self.map.as_ref().is_none_or(|map| map.len() < bytes) {
            // Room for more, so that growing step by step does not take fresh memory each time; what is not used costs none.
            let room = self.map.take().map_or(0, |map| 2 * map.len());
            let map = MmapMut::map_anon(bytes.max(room).max(1))
                .expect("memory was checked before the solve");
            #[cfg(target_os = "linux")]
            // Advice: without huge pages the buffer is slower and no less right.
            let _ = map.advise(memmap2::Advice::HugePage);
            self.map = Some(map);
        }
        self.len = len;
    }

    pub(crate) fn as_slice(&self) -> &[T] {
        let Some(map) = &self.map else { return &[] };
        bytemuck::cast_slice(&map[..self.len * size_of::<T>()])
    }

    pub(crate) fn as_mut_slice(&mut self) -> &mut [T] {
        let Some(map) = &mut self.map else { return &mut [] };
        bytemuck::cast_slice_mut(&mut map[..self.len * size_of::<T>()])
    }
}
