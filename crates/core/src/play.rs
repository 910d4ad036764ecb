//! Playing: decisions, what follows them, whole games.

pub(crate) mod action;
pub(crate) mod afterstate;
pub(crate) mod decision;
pub(crate) mod game;
pub(crate) mod perft;
