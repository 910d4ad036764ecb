//! Everything that a frame shows.

pub(super) mod app;
pub(super) mod dialog;
pub(super) mod explorer;
pub(super) mod review;
pub(super) mod task;
pub(super) mod theme;
pub(super) mod values;
