//! Players that look ahead, and the evaluators that judge the positions at the end.

pub(crate) mod appeal;
pub(crate) mod expectimax;
pub(crate) mod leaves;
pub(crate) mod likely;
