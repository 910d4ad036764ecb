//! Players by rule of thumb.

pub(crate) mod exposure;
pub(crate) mod levels;
pub(crate) mod principles;
pub(crate) mod simple;
pub(crate) mod unfit;
