//! The last deltas of the values in the blocks that are swept.
#![expect(
    clippy::inline_always,
    reason = "the kernel has to be one piece for the instruction set it is compiled for"
)]
#![expect(unsafe_code, reason = "deltas are read and written through raw pointers")]

use std::ops::Range;

use crate::memory::prefetch::prefetch;
use crate::simd::element::Element;
use crate::simd::registers::{Loops, Registers};
use crate::simd::vector::Vector;

/// Deltas at the places of the swept values: those with the senior about to roll, then those with the junior about to roll.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Deltas<T> {
    /// In the precision of the values.
    Same(*mut T),
    /// As bfloat16, in two bytes, for values in either precision: deltas only say how far values are moved on.
    Bfloat16(*mut u16),
}

impl<T: Element> Deltas<T> {
    /// Prefetches the deltas at `places`.
    #[inline(always)]
    pub(super) fn prefetch(self, places: Range<usize>) {
        match self {
            Self::Same(deltas) => prefetch_each(deltas, places),
            Self::Bfloat16(deltas) => prefetch_each(deltas, places),
        }
    }

    /// Returns the addresses of the deltas at `places`.
    pub(crate) fn bytes(self, places: Range<usize>) -> Range<*const u8> {
        let at = |place| match self {
            Self::Same(deltas) => deltas.wrapping_add(place).cast_const().cast(),
            Self::Bfloat16(deltas) => deltas.wrapping_add(place).cast_const().cast(),
        };
        at(places.start)..at(places.end)
    }

    /// Returns the `N` deltas from `at` on.
    ///
    /// # Safety
    ///
    /// There are `N` deltas from `at` on, and no other thread writes them.
    #[inline(always)]
    pub(super) unsafe fn load<I: Registers, const N: usize>(self, at: usize) -> Vector<I, T, N> {
        // SAFETY: as the caller promises.
        unsafe {
            match self {
                Self::Same(deltas) => Vector::load(deltas.add(at)),
                Self::Bfloat16(deltas) => widen(deltas.add(at).cast::<[u16; N]>().read()),
            }
        }
    }

    /// Writes `N` deltas from `at` on.
    ///
    /// # Safety
    ///
    /// There is room for `N` deltas from `at` on, and no other thread reads or writes them.
    #[inline(always)]
    pub(super) unsafe fn store<I: Registers, const N: usize>(
        self,
        at: usize,
        values: Vector<I, T, N>,
    ) {
        // SAFETY: as the caller promises.
        unsafe {
            match self {
                Self::Same(deltas) => values.store(deltas.add(at)),
                Self::Bfloat16(deltas) => deltas.add(at).cast::<[u16; N]>().write(narrow(values)),
            }
        }
    }

    /// Sets the deltas at `places` to zero.
    ///
    /// # Safety
    ///
    /// These places exist, and no other thread reads or writes their deltas.
    pub(super) unsafe fn clear(self, places: Range<usize>) {
        // SAFETY: as the caller promises.
        unsafe {
            match self {
                Self::Same(deltas) => deltas.add(places.start).write_bytes(0, places.len()),
                Self::Bfloat16(deltas) => deltas.add(places.start).write_bytes(0, places.len()),
            }
        }
    }

    /// Returns the delta at `at`.
    ///
    /// # Safety
    ///
    /// As for [`Deltas::load`].
    #[inline(always)]
    pub(crate) unsafe fn at(self, at: usize) -> T {
        // SAFETY: as the caller promises.
        let [delta] = unsafe { self.load::<Loops, 1>(at) }.0;
        delta
    }
}

/// Returns the numbers whose upper halves, in single precision, are these bits.
#[inline(always)]
fn widen<I: Registers, T: Element, const N: usize>(halves: [u16; N]) -> Vector<I, T, N> {
    let mut numbers = Vector::splat(0.0);
    for (number, half) in numbers.0.iter_mut().zip(halves) {
        *number = T::from_f64(f32::from_bits(u32::from(half) << 16).into());
    }
    numbers
}

/// Returns the upper halves of the bits of numbers in single precision, rounded. They keep eight bits of each number and the
/// exponents of single precision. No number is so large that rounding would overflow.
#[inline(always)]
fn narrow<I: Registers, T: Element, const N: usize>(numbers: Vector<I, T, N>) -> [u16; N] {
    let mut halves = [0; N];
    for (half, number) in halves.iter_mut().zip(numbers.0) {
        let bits = f32::from_f64(number.to_f64()).to_bits();
        *half = (bits.wrapping_add(1 << 15) >> 16) as u16;
    }
    halves
}

#[inline(always)]
fn prefetch_each<E>(numbers: *const E, places: Range<usize>) {
    for at in places.step_by(64 / size_of::<E>()) {
        prefetch(numbers.wrapping_add(at));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bfloat16_delta_is_off_by_a_part_of_256_at_most() {
        let mut room = [0_u16; 4];
        let deltas = Deltas::<f64>::Bfloat16(room.as_mut_ptr());
        for exponent in -100..0 {
            let one = 2_f64.powi(exponent);
            for sixteenth in 0..16 {
                let number = one * (1.0 + f64::from(sixteenth) / 16.0 + 1e-3);
                let numbers = [number, -number, 0.0, one];
                // SAFETY: there is room for four deltas.
                let [up, down, none, exact] = unsafe {
                    deltas.store(0, Vector::<Loops, _, 4>::new(numbers));
                    deltas.load::<Loops, 4>(0).0
                };
                assert!((up - number).abs() <= number / 256.0, "{number:e}: {up:e}");
                assert_eq!((down, none, exact), (-up, 0.0, one));
            }
        }
    }
}
