//! The rule laboratory: what kind of game a rule set makes, in numbers.
//!
//! A [`Lab`] holds a solved game and computes its [`Profile`]: exactly, or from games played by its values. [`Variations`] are a
//! family of rule sets that differ in dice and switches, and a [`scatter_plot`](crate::scatter_plot) draws their profiles.
//! [`OpeningValue`] says how fair each way to begin a game is, and [`PerfectPlay`] what games between perfect players are like. "The
//! laboratory" in `docs/method.md` defines every number.

pub(crate) mod figure;
pub(crate) mod lengths;
pub(crate) mod measures;
pub(crate) mod openings;
pub(crate) mod perfect;
pub(crate) mod played;
pub(crate) mod profile;
pub(crate) mod scatter_plot;
pub(crate) mod variations;
