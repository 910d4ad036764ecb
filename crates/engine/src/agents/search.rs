//! Players that look ahead, and the evaluators at which they stop.

pub(crate) mod appeal;
pub(crate) mod expectimax;
pub(crate) mod leaves;
pub(crate) mod likely;
