//! Hints to load memory ahead of its use.
#![cfg_attr(target_arch = "x86_64", expect(unsafe_code, reason = "a hint to the processor"))]
#![expect(clippy::inline_always, reason = "one instruction in the innermost loops")]

/// Tells the processor to load a cache line that is read soon; a hint without any other effect.
#[inline(always)]
pub fn prefetch<T>(at: *const T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every x86-64 processor has the instruction, and it never faults, whatever the address.
    unsafe {
        std::arch::x86_64::_mm_prefetch::<{ std::arch::x86_64::_MM_HINT_T0 }>(at.cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = at;
}
