//! How far a solve is.

use serde::Serialize;
use utoipa::ToSchema;

/// How far a solve has come.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SolveProgress {
    /// Units of work done.
    pub done: u64,
    /// Units of work in all; 0 before it has begun.
    pub total: u64,
    /// Seconds left, if they can be estimated.
    pub seconds_left: Option<f64>,
}

impl SolveProgress {
    /// A solve that waits for another one to end.
    pub const WAITING: Self = Self { done: 0, total: 0, seconds_left: None };

    /// Returns the share that is done, in percent.
    pub fn percent(self) -> u64 {
        (self.done * 100).checked_div(self.total).unwrap_or_default()
    }

    /// Returns the phase of the solve: `waiting`, `solving` or `writing`.
    pub const fn phase(self) -> &'static str {
        match (self.done, self.total) {
            (_, 0) => "waiting",
            (done, total) if done < total => "solving",
            _ => "writing",
        }
    }
}

/// How far a solve is.
#[derive(Debug, Serialize, ToSchema)]
pub struct ProgressView {
    /// `solving`.
    state: &'static str,
    /// `waiting`, `solving` or `writing`.
    phase: &'static str,
    /// Units of work done.
    done: u64,
    /// Units of work in all; 0 before it has begun.
    total: u64,
    /// How much is done, in percent.
    percent: u64,
    /// Seconds left, if they can be estimated.
    seconds_left: Option<f64>,
}

impl From<SolveProgress> for ProgressView {
    fn from(progress: SolveProgress) -> Self {
        let SolveProgress { done, total, seconds_left } = progress;
        let (phase, percent) = (progress.phase(), progress.percent());
        Self { state: "solving", phase, done, total, percent, seconds_left }
    }
}
