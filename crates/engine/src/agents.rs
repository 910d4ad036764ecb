//! Agents: players that choose by rule of thumb, by search or by values, and their names.

pub(crate) mod error;
pub(crate) mod ladder;
pub(crate) mod leaf;
mod reading;
pub(crate) mod registry;
pub(crate) mod roster;
pub(crate) mod search;
pub(crate) mod spec;
mod strength;
pub(crate) mod thumb;
pub(crate) mod valued;
