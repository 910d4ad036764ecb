//! What the system is told of numbers that lie on a disk: which are read soon, and which are not.
//!
//! All of it is advice. Where a system takes none, it finds out by itself.

use std::ops::Range;

/// Bytes in memory that a file lies behind.
pub(crate) type Bytes = Range<*const u8>;

/// Asks for bytes to be read from the disk meanwhile.
#[cfg(all(unix, feature = "threads"))]
pub(crate) fn soon(bytes: Bytes) {
    // Of more at a time, systems read no more than they would read ahead.
    const AT_A_TIME: usize = 1 << 18;
    let mut from = bytes.start;
    while from < bytes.end {
        let to = from.wrapping_add(AT_A_TIME).min(bytes.end);
        tell(from..to, nix::sys::mman::MmapAdvise::MADV_WILLNEED);
        from = to;
    }
}

/// Says that bytes can leave memory before others.
#[cfg(all(target_os = "linux", feature = "threads"))]
pub(crate) fn late(bytes: Bytes) {
    tell(bytes, nix::sys::mman::MmapAdvise::MADV_COLD);
}

#[cfg(not(all(unix, feature = "threads")))]
pub(crate) fn soon(_bytes: Bytes) {}

#[cfg(not(all(target_os = "linux", feature = "threads")))]
pub(crate) fn late(_bytes: Bytes) {}

#[cfg(all(unix, feature = "threads"))]
#[expect(unsafe_code, reason = "a system call")]
fn tell(bytes: Bytes, advice: nix::sys::mman::MmapAdvise) {
    const PAGE: usize = 4096;
    let len = bytes.end.addr() - bytes.start.addr();
    let before = bytes.start.addr() % PAGE;
    let page = bytes.start.cast_mut().cast::<std::ffi::c_void>().wrapping_byte_sub(before);
    let Some(page) = std::ptr::NonNull::new(page).filter(|_| len > 0) else { return };
    // SAFETY: neither advice changes what the pages hold. Those at the ends may hold other bytes too.
    let _ = unsafe { nix::sys::mman::madvise(page, len + before, advice) };
}
