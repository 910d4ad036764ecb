//! Sublayers of a game in which players about to roll may take what they are offered.

use super::workspace::Workspace;
use super::{DenseEngine, DenseSweeps};
use crate::drive::engine::Finished;
use crate::drive::iterate::{Course, Sweeping};
use crate::drive::statistics::Mode;
use crate::types::SolveError;

/// What the two sides of a sublayer are offered.
#[derive(Clone, Copy)]
pub(crate) struct SideOffers<'a> {
    /// Functions that return what the senior and what the junior is offered when about to roll, by index in the sublayer, as the
    /// chance of this side.
    pub(crate) chances: [&'a (dyn Fn(usize) -> f64 + Sync); 2],
    /// Whether both sides are offered the same in positions that mirror each other.
    pub(crate) are_same: bool,
}

/// A sublayer that was swept to its fixed point.
pub(crate) struct OfferedSublayer {
    /// The values in index order, as the chance of the player about to roll.
    pub(crate) values: Box<[f64]>,
    /// The values with the junior about to roll, if the sublayer mirrors itself and the two sides are not offered the same.
    pub(crate) juniors: Option<Box<[f64]>>,
    pub(crate) sweeps: u32,
    /// The largest difference between a value and its backup.
    pub(crate) residual: f64,
}

impl DenseEngine<'_> {
    /// Sweeps the sublayer at `at` to its fixed point, in which no side has less than it is offered.
    pub(crate) fn settle_offered(
        &self,
        at: usize,
        finished: &impl Finished,
        space: &mut Workspace,
        offers: SideOffers<'_>,
        course: Course<'_>,
    ) -> Result<OfferedSublayer, SolveError> {
        let mut work = self.work(at, offers.are_same, course, finished, space)?;
        work.keep_successors()?;
        space.reserve(&work.layout, &work.externals)?;
        space.reserve_limits(&work.layout)?;
        work.fill_limits(offers.chances, space.limits.as_mut_slice());
        space.narrow_limits(course.sharing);
        let mut single = DenseSweeps::new(&work, space.single(&work.layout, course.sharing));
        work.fill_start(single.arrays.values);
        let mut sweeps = course.sweep_single(&mut single)?;
        space.widen(&work.layout, course.sharing);
        let mut double = DenseSweeps::new(&work, space.double(&work.layout));
        sweeps += course.sweep_double(&mut double)?;
        double.round();
        let residual = double.pass(Mode::Residual, sweeps)?.change;
        let has_juniors = work.layout.sublayer.is_mirror() && !offers.are_same;
        let values = work.in_index_order(space.values.as_slice());
        let mut juniors = has_juniors.then(|| values.clone());
        if let Some(juniors) = &mut juniors {
            work.to_index_order_of_junior(space.values.as_slice(), juniors);
        }
        Ok(OfferedSublayer { values, juniors, sweeps, residual })
    }
}
