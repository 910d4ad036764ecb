//! Everything that a frame shows.

mod app;
mod dialog;
mod explorer;
mod review;
mod task;
mod theme;
mod values;

pub(super) use app::{App, Exit, Screen};
pub(super) use dialog::{Costly, Dialog, Entry, Purpose};
pub(super) use explorer::Explorer;
pub(super) use review::ReviewState;
pub(super) use task::Task;
pub(super) use theme::{DIM, SELECTED, STRONG, Theme};
pub(super) use values::Values;
