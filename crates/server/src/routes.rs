//! The routes of the API, a file for each kind of thing.

pub(crate) mod agents;
pub(crate) mod archive;
pub(crate) mod games;
pub(crate) mod health;
pub(crate) mod positions;
pub(crate) mod review;
pub(crate) mod rules;
pub(crate) mod solve;
