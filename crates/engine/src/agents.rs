//! Agents: players that choose by rule of thumb, by search or by values, and how they are asked for.

pub(crate) mod build;
pub(crate) mod difficulty;
pub(crate) mod expectimax;
pub(crate) mod exposure;
pub(crate) mod ladder;
pub(crate) mod leaves;
pub(crate) mod levels;
pub(crate) mod likely;
pub(crate) mod principles;
pub(crate) mod roster;
pub(crate) mod simple;
pub(crate) mod spec;
pub(crate) mod strength;
pub(crate) mod valued;
