//! Workspace: room for the values of a sublayer in both precisions.

use std::sync::Mutex;

use rayon::prelude::*;

use crate::dense::active_set::Unrest;
use crate::dense::backup::kernel::Scratch;
use crate::dense::layout::plan::Plan;
use crate::dense::successors::external::Exits;
use crate::memory::buffer::Buffer;
use crate::simd::vector::Element;

/// Buffers for the values of one sublayer, kept for the next.
///
/// While values are swept in single precision, they lie where their moves in double precision will, and their moves and
/// exits where the values in double precision will.
#[derive(Debug, Default)]
pub(crate) struct Workspace {
    pub(super) values: Buffer<f64>,
    pub(super) leaving: Buffer<f64>,
    moves: Buffer<f64>,
    single: Spare<f32>,
    double: Spare<f64>,
    unrest: Unrest,
}

/// What threads that have passed over a slab leave for the next: one for each of them.
pub(super) type Spare<T> = Mutex<Vec<Scratch<T>>>;

/// The arrays of one sublayer in one precision.
pub(super) struct Arrays<'a, T> {
    /// Light's chances with light to roll, then those with dark to roll.
    pub(super) values: &'a mut [T],
    pub(super) leaving: &'a [T],
    pub(super) moves: &'a mut [T],
    pub(super) scratch: &'a Spare<T>,
}

impl Workspace {
    /// Makes room for what is swept; the exits have theirs.
    pub(super) fn reserve(&mut self, plan: &Plan, exits: &Exits) {
        self.values.reserve((2 * plan.lanes).max(plan.swept + exits.lanes().div_ceil(2)));
        self.moves.reserve((2 * plan.swept).max(plan.lanes));
    }

    /// Makes room for values that stay as they are: for all their exits instead of moves.
    pub(super) fn reserve_values(&mut self, plan: &Plan) {
        self.moves = Buffer::default();
        self.values.reserve(2 * plan.lanes);
    }

    /// The arrays in single precision and which blocks have come to rest.
    pub(super) fn single(&mut self, plan: &Plan, shared: bool) -> (Arrays<'_, f32>, &mut Unrest) {
        let exits = self.leaving.as_slice();
        let room: &mut [f32] = bytemuck::cast_slice_mut(self.values.as_mut_slice());
        let (moves, room) = room.split_at_mut(2 * plan.swept);
        let leaving = &mut room[..exits.len()];
        convert(exits, leaving, f32::from_f64, shared);
        let values = &mut bytemuck::cast_slice_mut(self.moves.as_mut_slice())[..2 * plan.lanes];
        (Arrays { values, leaving, moves, scratch: &self.single }, &mut self.unrest)
    }

    /// The arrays in double precision and which blocks have come to rest.
    pub(super) fn double(&mut self, plan: &Plan) -> (Arrays<'_, f64>, &mut Unrest) {
        let values = &mut self.values.as_mut_slice()[..2 * plan.lanes];
        let (leaving, moves) = (self.leaving.as_slice(), self.moves.as_mut_slice());
        (Arrays { values, leaving, moves, scratch: &self.double }, &mut self.unrest)
    }

    /// Takes the values in single precision for those in double precision.
    pub(super) fn widen(&mut self, plan: &Plan, shared: bool) {
        let single: &[f32] = bytemuck::cast_slice(self.moves.as_slice());
        let double = &mut self.values.as_mut_slice()[..2 * plan.lanes];
        convert(single, double, f64::from, shared);
    }
}

/// Values that a thread takes at a time.
pub(super) const PART: usize = 1 << 16;

/// Writes all values in another precision, on all threads of the pool or on this one.
fn convert<A: Copy + Sync, B: Send>(
    from: &[A],
    to: &mut [B],
    into: impl Fn(A) -> B + Sync,
    shared: bool,
) {
    let convert = |(from, to): (&[A], &mut [B])| {
        for (to, &from) in to.iter_mut().zip(from) {
            *to = into(from);
        }
    };
    if shared {
        from.par_chunks(PART).zip(to.par_chunks_mut(PART)).for_each(convert);
    } else {
        convert((from, to));
    }
}
