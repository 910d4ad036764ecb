//! The values of the game: unknown, being solved on a thread, or known.

use std::sync::Arc;

use anyhow::Result;
use indicatif::ProgressBar;
use puabi_core::Rules;
use puabi_engine::{Lookahead, Pocket};
use puabi_tables::Table;

use super::task::Task;
use crate::progress::Bar;
use crate::tables;
use crate::tables::judge::Judge;

/// The values of the game, as far as they are known.
#[derive(Debug)]
pub(crate) enum Values {
    /// There is no table, and the user did not ask for values yet.
    Unknown,
    /// The game is being solved.
    Solving(Solving),
    /// The table is open, or a search judges because no table can be made.
    Known(Arc<Judge>),
}

impl Values {
    /// Returns the judge of the game, if there is one.
    pub(crate) const fn judge(&self) -> Option<&Arc<Judge>> {
        match self {
            Self::Known(judge) => Some(judge),
            Self::Solving(solving) => solving.meanwhile.as_ref(),
            Self::Unknown => None,
        }
    }

    /// Starts to solve the game, unless it is solved or being solved; a game that is too large is judged by a search.
    ///
    /// The pocket that ships for the rules, if there is one, judges in the meantime.
    pub(crate) fn request(&mut self, rules: &Arc<Rules>) {
        if matches!(self, Self::Unknown) {
            if !tables::can_obtain(rules) {
                let search = Lookahead::new(Arc::clone(rules), Lookahead::DEPTH);
                *self = Self::Known(Judge::Search(search).into());
                return;
            }
            let pocket = Pocket::shipped(rules);
            let (rules, bar) = (rules.clone(), ProgressBar::hidden());
            let watch = Bar::background(bar.clone());
            let task = Task::start(move || tables::make(&rules, &watch));
            let meanwhile = pocket.map(|pocket| Judge::Pocket(pocket.into()).into());
            *self = Self::Solving(Solving { bar, task, meanwhile });
        }
    }

    /// Takes the table of a solve that has ended, and returns the outcome once. If the solve failed, the judge that was used
    /// meanwhile stays.
    pub(crate) fn poll(&mut self) -> Option<Result<()>> {
        let Self::Solving(solving) = self else { return None };
        let solved = solving.task.poll()?;
        *self = solving.meanwhile.take().map_or(Self::Unknown, Self::Known);
        Some(solved.map(|table| *self = Self::Known(Judge::Table(table.into()).into())))
    }
}

/// A solve on a thread; if dropped, it stops and keeps what it has.
#[derive(Debug)]
pub(crate) struct Solving {
    bar: ProgressBar,
    task: Task<Table>,
    /// The judge until there is a table.
    meanwhile: Option<Arc<Judge>>,
}

impl Solving {
    /// Returns the share (0..=1) that is done.
    pub(crate) fn share(&self) -> f64 {
        let total = self.bar.length().unwrap_or_default().max(1);
        self.bar.position() as f64 / total as f64
    }
}

impl Drop for Solving {
    fn drop(&mut self) {
        self.bar.abandon();
        self.task.wait();
    }
}

#[cfg(test)]
mod tests {
    use anyhow::anyhow;
    use puabi_core::RuleSet;

    use super::*;

    #[test]
    fn what_judged_while_the_game_was_being_solved_goes_on_if_the_solve_fails() {
        let rules: Arc<Rules> = RuleSet::FINKEL.with_pieces(1).compile().unwrap().into();
        let search = Lookahead::new(rules, Lookahead::DEPTH);
        for meanwhile in [Some(Judge::Search(search).into()), None] {
            let judges = meanwhile.is_some();
            let task = Task::start(|| Err(anyhow!("no room")));
            let bar = ProgressBar::hidden();
            let mut values = Values::Solving(Solving { bar, task, meanwhile });
            let solved = loop {
                if let Some(solved) = values.poll() {
                    break solved;
                }
                std::thread::yield_now();
            };
            assert!(solved.is_err());
            assert_eq!(values.judge().is_some(), judges);
        }
    }
}
