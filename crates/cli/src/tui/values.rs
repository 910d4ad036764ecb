//! The values of the game: unknown, being solved on a thread, or at hand.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{self, JoinHandle};

use anyhow::{Result, anyhow};
use puabi_core::Rules;
use puabi_solve::Watch;
use puabi_tables::Table;

use crate::tables;

/// What is known of the values.
#[derive(Debug)]
pub(super) enum Values {
    /// Nothing, and nobody has asked.
    Unknown,
    /// The game is being solved.
    Solving(Solving),
    /// Everything.
    Known(Arc<Table>),
}

impl Values {
    /// Returns the values of a table.
    pub(super) fn known(table: Table) -> Self {
        Self::Known(Arc::new(table))
    }

    /// Returns the table, where it is there.
    pub(super) fn table(&self) -> Option<&Arc<Table>> {
        match self {
            Self::Known(table) => Some(table),
            Self::Unknown | Self::Solving(_) => None,
        }
    }

    /// Begins to solve the game, where nobody has before.
    pub(super) fn ask(&mut self, rules: &Rules) {
        if matches!(self, Self::Unknown) {
            *self = Self::Solving(Solving::begin(rules.clone()));
        }
    }

    /// Takes what the solve has brought; returns it where the solve has just ended.
    pub(super) fn poll(&mut self) -> Option<Result<()>> {
        let Self::Solving(solving) = self else { return None };
        let outcome = solving.outcome()?;
        let (next, told) = match outcome {
            Ok(table) => (Self::known(table), Ok(())),
            Err(error) => (Self::Unknown, Err(error)),
        };
        *self = next;
        Some(told)
    }
}

/// A solve on a thread; dropped, it ends and keeps what it has.
#[derive(Debug)]
pub(super) struct Solving {
    progress: Progress,
    thread: Option<JoinHandle<Result<Table>>>,
}

impl Solving {
    fn begin(rules: Rules) -> Self {
        let progress = Progress::default();
        let watch = progress.clone();
        let thread = Some(thread::spawn(move || tables::make(&rules, || watch)));
        Self { progress, thread }
    }

    /// Returns how much is done, in 0..=1.
    pub(super) fn share(&self) -> f64 {
        let [done, total] = [&self.progress.0.done, &self.progress.0.total]
            .map(|count| count.load(Ordering::Relaxed));
        done as f64 / total.max(1) as f64
    }

    fn outcome(&mut self) -> Option<Result<Table>> {
        let thread = self.thread.take_if(|thread| thread.is_finished())?;
        Some(thread.join().unwrap_or_else(|_| Err(anyhow!("the solve broke off"))))
    }
}

impl Drop for Solving {
    fn drop(&mut self) {
        self.progress.0.is_stopped.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            // Whatever it says, nobody waits for it any more.
            let _ = thread.join();
        }
    }
}

/// The progress of a solve, seen from both threads.
#[derive(Debug, Clone, Default)]
struct Progress(Arc<Counts>);

#[derive(Debug, Default)]
struct Counts {
    done: AtomicU64,
    total: AtomicU64,
    is_stopped: AtomicBool,
}

impl Watch for Progress {
    fn progress(&self, done: u64, total: u64) {
        self.0.done.store(done, Ordering::Relaxed);
        self.0.total.store(total, Ordering::Relaxed);
    }

    fn stop(&self) -> bool {
        self.0.is_stopped.load(Ordering::Relaxed)
    }
}
