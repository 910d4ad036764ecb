//! The certificate of a finished sublayer, and its bounds.

use std::sync::Arc;

use super::workspace::Workspace;
use super::{DenseEngine, DenseSublayer, DenseSweeps};
use crate::drive::engine::{Certify, Finished, SettledBy};
use crate::drive::iterate::Course;
use crate::drive::statistics::{Mode, Tally};
use crate::memory::buffer::Buffer;
use crate::types::SolveError;
use crate::values::Held;

/// The share of the time of a sublayer's bounds that the first side is assumed to take: the second begins where it nearly ends.
const FIRST_SIDE: f64 = 0.75;

impl Certify for DenseEngine<'_> {
    fn room(&self, values: u64) -> Result<Buffer<f64>, SolveError> {
        Buffer::in_index_order(&self.spills, values)
    }

    fn certify<F: Finished>(
        &self,
        at: usize,
        finished: &F,
        space: &mut Workspace,
        course: Course<'_>,
    ) -> Result<Tally, SolveError> {
        let mut work = self.work(at, true, course, finished, space)?;
        work.find_successors_anew()?;
        space.reserve_values(&work.layout)?;
        let (mut arrays, _) = space.double(&work.layout);
        work.fetch_settled(at, finished)?;
        work.fill_from((finished.sublayer(at), |index| finished.place(at, index)), arrays.values);
        let view = work.view(&mut arrays, None);
        // SAFETY: no pass is under way.
        unsafe { work.mirror_all(&view) };
        work.pass(&mut arrays, Mode::Residual, None)
    }

    fn bound<F: Finished>(
        &self,
        at: usize,
        (start, apart): (&dyn Held, f64),
        sides: [(F, f64); 2],
        space: &mut Workspace,
        course: Course<'_>,
    ) -> SettledBy<Self> {
        let values = start.values();
        let mut bounds = self.room(2 * values.len() as u64)?;
        let (first, second) = bounds.as_mut_slice().split_at_mut(values.len());
        // Bounds of one side have no mirror images: the upper bound of one player's chance is the lower one of the other's.
        let mut work = self.laid_out(at, false, course);
        work.keep_successors()?;
        let is_mirror = work.layout.sublayer.is_mirror();
        let share = if is_mirror { 1.0 } else { FIRST_SIDE };
        first.copy_from_slice(values);
        let mut bound = |side: usize, above, bounds: &mut [f64], part| {
            course.within(part, |course| {
                work.bound_side(&sides[side], above, (bounds, space), course)
            })
        };
        let mut sweeps = bound(0, apart, first, 0.0..share)?;
        if is_mirror {
            // The positions with the junior about to roll are those of the other side.
            work.to_index_order_of_junior(space.values.as_slice(), second);
        } else {
            // They lie nearly as far from the values as the others, on the other side.
            for ((other, bound), value) in second.iter_mut().zip(first).zip(values) {
                *other = 2.0 * value - *bound;
            }
            sweeps = sweeps.max(bound(1, 0.0, second, share..1.0)?);
        }
        Ok((Arc::new(bounds), sweeps))
    }
}

impl DenseSublayer<'_> {
    /// Sweeps for the bounds of one side, given its finished bounds and its slack. The sweeps begin as far above `bounds`, which
    /// are in index order, as the second argument says. Returns the number of sweeps.
    fn bound_side(
        &mut self,
        (finished, slack): &(impl Finished, f64),
        above: f64,
        (bounds, space): (&mut [f64], &mut Workspace),
        course: Course<'_>,
    ) -> Result<u32, SolveError> {
        self.slack = *slack;
        self.fill_externals(finished, &mut space.externals)?;
        space.reserve(&self.layout, &self.externals)?;
        let mut double = DenseSweeps::new(self, space.double(&self.layout));
        self.fill_from((bounds, |index| index), double.arrays.values);
        double.arrays.values.iter_mut().for_each(|value| *value += above);
        let sweeps = course.sweep_bounds(&mut double)?;
        self.to_index_order(space.values.as_slice(), bounds);
        Ok(sweeps)
    }
}
