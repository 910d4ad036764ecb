//! Room for the values of a sublayer in both precisions.

use std::sync::Mutex;

use crate::dense::active_set::ActiveSet;
use crate::dense::backup::deltas::Deltas;
use crate::dense::backup::slab::Scratch;
use crate::dense::layout::sublayer::DenseLayout;
use crate::dense::successors::external::ExternalSuccessors;
use crate::memory::buffer::{Buffer, ReadOrder};
use crate::memory::spill::{OnDisk, Spills};
use crate::parallel::{self, Sharing};
use crate::simd::element::Element;
use crate::types::SolveError;

/// Buffers for the values of one sublayer, kept for the next.
///
/// While values are swept in single precision, they and their external values are stored where the values in double precision
/// will be.
#[derive(Debug, Default)]
pub(crate) struct Workspace {
    pub(super) values: Buffer<f64>,
    pub(super) externals: Buffer<f64>,
    deltas: Buffer<f64>,
    /// Whether deltas take two bytes.
    two_byte_deltas: bool,
    /// The limits that offers set, and the same in single precision.
    pub(super) limits: Buffer<f64>,
    single_limits: Buffer<f32>,
    single: Spare<f32>,
    double: Spare<f64>,
    active: ActiveSet,
}

/// The scratch that threads leave for the next slab when they have passed over one: one for each thread.
pub(super) type Spare<T> = Mutex<Vec<Scratch<T>>>;

/// The arrays of one sublayer in one precision.
pub(super) struct Arrays<'a, T> {
    /// The senior's chances with the senior to roll, then those with the junior to roll.
    pub(super) values: &'a mut [T],
    pub(super) externals: &'a [T],
    pub(super) deltas: Deltas<T>,
    /// Empty if there are no offers.
    pub(super) limits: &'a [T],
    pub(super) scratch: &'a Spare<T>,
}

impl Workspace {
    /// Returns buffers without room, which will be in memory or on a disk.
    pub(super) fn new(spills: &Spills, two_byte_deltas: bool) -> Self {
        let externals = Buffer::new(spills.spill_for(OnDisk::ReadOnly));
        let values = Buffer::of_values(spills);
        let deltas = Buffer::new(spills.spill_for(OnDisk::Deltas));
        Self { values, externals, deltas, two_byte_deltas, ..Self::default() }
    }

    /// Makes room for values and deltas; the external values have room already.
    pub(super) fn reserve(
        &mut self,
        layout: &DenseLayout,
        externals: &ExternalSuccessors,
    ) -> Result<(), SolveError> {
        let single = layout.len + externals.len().div_ceil(2);
        self.values.reserve(single.max(2 * layout.len))?;
        let deltas = if self.two_byte_deltas { layout.swept.div_ceil(2) } else { 2 * layout.swept };
        self.deltas.reserve(deltas)?;
        self.deltas.read_in(ReadOrder::Announced);
        Ok(())
    }

    /// Makes room for the limits that offers set.
    pub(super) fn reserve_limits(&mut self, layout: &DenseLayout) -> Result<(), SolveError> {
        self.limits.reserve(2 * layout.swept)?;
        self.single_limits.reserve(2 * layout.swept)
    }

    /// Converts the limits to single precision.
    pub(super) fn narrow_limits(&mut self, sharing: Sharing<'_>) {
        let single = self.single_limits.as_mut_slice();
        convert(self.limits.as_slice(), single, f32::from_f64, sharing);
    }

    /// Makes room for values that stay as they are: they have external values, but no deltas.
    pub(super) fn reserve_values(&mut self, layout: &DenseLayout) -> Result<(), SolveError> {
        self.deltas.clear();
        self.values.reserve(2 * layout.len)
    }

    /// Returns the arrays in single precision, and the active set.
    pub(super) fn single(
        &mut self,
        layout: &DenseLayout,
        sharing: Sharing<'_>,
    ) -> (Arrays<'_, f32>, &mut ActiveSet) {
        let double = self.externals.as_slice();
        let room: &mut [f32] = bytemuck::cast_slice_mut(self.values.as_mut_slice());
        let (values, room) = room.split_at_mut(2 * layout.len);
        let externals = &mut room[..double.len()];
        convert(double, externals, f32::from_f64, sharing);
        let deltas = self.deltas.as_mut_slice().as_mut_ptr();
        let deltas = deltas_at(deltas, self.two_byte_deltas);
        let limits = self.single_limits.as_slice();
        (Arrays { values, externals, deltas, limits, scratch: &self.single }, &mut self.active)
    }

    /// Returns the arrays in double precision, and the active set.
    pub(super) fn double(&mut self, layout: &DenseLayout) -> (Arrays<'_, f64>, &mut ActiveSet) {
        let values = &mut self.values.as_mut_slice()[..2 * layout.len];
        let deltas = self.deltas.as_mut_slice().as_mut_ptr();
        let deltas = deltas_at(deltas, self.two_byte_deltas);
        let externals = self.externals.as_slice();
        let limits = self.limits.as_slice();
        (Arrays { values, externals, deltas, limits, scratch: &self.double }, &mut self.active)
    }

    /// Converts the values to double precision, in place.
    pub(super) fn widen(&mut self, layout: &DenseLayout, sharing: Sharing<'_>) {
        let mut values = &mut self.values.as_mut_slice()[..2 * layout.len];
        // In single precision, the upper half of the values is stored where the lower half will be, so that many are widened at a
        // time.
        while values.len() > 1 {
            let (lower, upper) = values.split_at_mut(values.len().div_ceil(2));
            let single: &[f32] = bytemuck::cast_slice(lower);
            convert(&single[lower.len()..], upper, f64::from, sharing);
            values = lower;
        }
        if let [first] = values {
            let single: [f32; 2] = bytemuck::cast(*first);
            *first = single[0].into();
        }
    }

    /// Gives back the memory of deltas and of values that are only read: swept values alone are brought to index order.
    pub(super) fn keep_swept_values(&mut self, layout: &DenseLayout) {
        self.deltas.clear();
        self.values.release(layout.swept..layout.len);
        self.values.release(layout.len + layout.swept..2 * layout.len);
    }
}

fn deltas_at<T>(at: *mut f64, have_two_bytes: bool) -> Deltas<T> {
    if have_two_bytes { Deltas::Bfloat16(at.cast()) } else { Deltas::Same(at.cast()) }
}

/// Writes all values in another precision.
fn convert<A: Copy + Sync, B: Send>(
    from: &[A],
    to: &mut [B],
    into: impl Fn(A) -> B + Sync + Send,
    sharing: Sharing<'_>,
) {
    parallel::each_part(sharing, to, |start, to| {
        for (to, &from) in to.iter_mut().zip(&from[start..]) {
            *to = into(from);
        }
    });
}
