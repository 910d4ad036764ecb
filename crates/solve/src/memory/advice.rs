//! Advice to the system about numbers on a disk: which are read soon, and which are not.
//!
//! All of it is advice. A system that takes none finds out by itself.

use std::ops::Range;

/// A range of addresses that a file backs.
pub(crate) type Bytes = Range<*const u8>;

/// Asks the system to read bytes from the disk in the background.
#[cfg(all(unix, feature = "threads"))]
pub(crate) fn soon(bytes: Bytes) {
    // If asked for more at a time, systems read no more than they would read ahead.
    const AT_A_TIME: usize = 1 << 18;
    let mut from = bytes.start;
    while from < bytes.end {
        let to = from.wrapping_add(AT_A_TIME).min(bytes.end);
        advise(from..to, nix::sys::mman::MmapAdvise::MADV_WILLNEED);
        from = to;
    }
}

/// Says that bytes can leave memory before others.
#[cfg(all(target_os = "linux", feature = "threads"))]
pub(crate) fn late(bytes: Bytes) {
    advise(bytes, nix::sys::mman::MmapAdvise::MADV_COLD);
}

#[cfg(not(all(unix, feature = "threads")))]
pub(crate) fn soon(_bytes: Bytes) {}

#[cfg(not(all(target_os = "linux", feature = "threads")))]
pub(crate) fn late(_bytes: Bytes) {}

#[cfg(all(unix, feature = "threads"))]
#[expect(unsafe_code, reason = "a system call")]
fn advise(bytes: Bytes, advice: nix::sys::mman::MmapAdvise) {
    const PAGE: usize = 4096;
    let len = bytes.end.addr() - bytes.start.addr();
    let before = bytes.start.addr() % PAGE;
    let page = bytes.start.cast_mut().cast::<std::ffi::c_void>().wrapping_byte_sub(before);
    let Some(page) = std::ptr::NonNull::new(page).filter(|_| len > 0) else { return };
    // SAFETY: neither advice changes what the pages hold. The pages at the ends may hold other bytes too.
    let _ = unsafe { nix::sys::mman::madvise(page, len + before, advice) };
}
