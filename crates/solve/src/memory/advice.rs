//! What the system is told of numbers that lie on a disk: which are read soon, and which are not.
//!
//! All of it is advice. Where a system takes none, it finds out by itself.

/// Asks for numbers to be read from the disk meanwhile.
#[cfg(all(unix, feature = "threads"))]
pub(crate) fn soon<T>(numbers: &[T]) {
    tell(numbers, nix::sys::mman::MmapAdvise::MADV_WILLNEED);
}

/// Says that numbers can leave memory before others.
#[cfg(all(target_os = "linux", feature = "threads"))]
pub(crate) fn late<T>(numbers: &[T]) {
    tell(numbers, nix::sys::mman::MmapAdvise::MADV_COLD);
}

#[cfg(not(all(unix, feature = "threads")))]
pub(crate) fn soon<T>(_numbers: &[T]) {}

#[cfg(not(all(target_os = "linux", feature = "threads")))]
pub(crate) fn late<T>(_numbers: &[T]) {}

#[cfg(all(unix, feature = "threads"))]
#[expect(unsafe_code, reason = "a system call")]
fn tell<T>(numbers: &[T], advice: nix::sys::mman::MmapAdvise) {
    const PAGE: usize = 4096;
    let bytes = size_of_val(numbers);
    let before = numbers.as_ptr().addr() % PAGE;
    let page = numbers.as_ptr().cast_mut().cast::<std::ffi::c_void>().wrapping_byte_sub(before);
    let Some(page) = std::ptr::NonNull::new(page).filter(|_| bytes >= PAGE) else { return };
    // SAFETY: neither advice changes what the pages hold. The first page may begin before the numbers, and is theirs too.
    let _ = unsafe { nix::sys::mman::madvise(page, bytes + before, advice) };
}
