//! Laws and facts of the foreign dialects.

mod errors;
mod games;
mod golden;
mod round_trips;
mod tables;
