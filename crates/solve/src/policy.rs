//! Contests: the exact value of given policies, over every position.
//!
//! Each of two players has a seat: [`Seat::Plays`] is an agent, [`Seat::Best`] the best answer to the other seat. A [`Measure`]
//! says what the game is worth to light: the chance to win, the number of rolls left, or anything else that is won at the end or
//! gathered on the way. See "Given policies" in `docs/method.md`.

mod cells;
mod choices;
mod contest;
mod measure;
mod memory;
pub(crate) mod offered;
mod opening;
mod rows;
mod seat;
mod settle;
mod sweeps;

use puabi_core::{Agent, Player};

pub use measure::{GameLength, Measure, WinChance};
pub use seat::Seat;

use crate::drive::schedule::Schedule;
use crate::solver::Solver;
use crate::types::{SolveError, Watch};
use crate::values::Values;
use contest::{Contest, Kept, Units};
use rows::{Measured, add};

/// What a game between two seats is worth to light.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Outcome {
    /// The measure at the start of the game with light about to roll, or to move if the rules give the first roll.
    pub light_first: f64,
    /// The measure at the start with dark about to roll, or to move.
    pub dark_first: f64,
    /// What is gathered in one roll, added up over every position with light and with dark about to roll.
    pub gathered: f64,
}

impl Outcome {
    /// Returns the mean over the two players who may begin.
    pub const fn mean(&self) -> f64 {
        f64::midpoint(self.light_first, self.dark_first)
    }
}

/// The report of a contest.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ContestReport {
    /// Positions that were evaluated, each with light and with dark about to roll.
    pub positions: u64,
    /// Positions among these in which neither player can ever move.
    pub dead_positions: u64,
    /// The number of sweeps of the part of the game that took the most.
    pub sweeps_max: u32,
    /// The largest difference between a value and its backup, divided by the value if that is above one. A separate pass over the
    /// final values measures it.
    pub residual: f64,
}

/// The values of every position of a contest.
#[derive(Debug, Clone)]
pub struct Evaluation {
    /// What the game is worth to light: with light about to roll, then with dark. Positions are seen by the player about to roll.
    pub values: [Values; 2],
    /// The values at the start.
    pub outcome: Outcome,
    /// The report of the contest.
    pub report: ContestReport,
}

impl Evaluation {
    /// Returns the values of the positions in which `player` is about to roll; they are worths to light.
    pub const fn rolled_by(&self, player: Player) -> &Values {
        &self.values[player as usize]
    }
}

impl Solver {
    /// Returns the bytes of memory that [`Solver::evaluate`] takes at its peak, a little more rather than less.
    pub fn evaluation_memory(&self) -> u64 {
        memory::memory(&self.rules, &self.indexer, self.options.threads, 1, Kept::All)
    }

    /// Returns the bytes of memory that [`Solver::meet`] takes at its peak with this many measures, a little more rather than
    /// less.
    pub fn meeting_memory(&self, measures: usize) -> u64 {
        memory::memory(&self.rules, &self.indexer, self.options.threads, measures, Kept::Needed)
    }

    /// Returns the value of every position between two seats, light's first.
    ///
    /// The result has the same bits for any number of threads. The caller must make sure that there is as much memory as
    /// [`Solver::evaluation_memory`] returns. The agents are asked once for every position and roll that leaves a choice.
    ///
    /// ```
    /// use puabi_core::RuleSet;
    /// use puabi_solve::{Options, Seat, Solver, Unattended, WinChance};
    ///
    /// let rules = RuleSet::FINKEL.with_pieces(1).compile()?;
    /// let solver = Solver::new(&rules, Options::default())?;
    /// let best = solver.evaluate([Seat::Best, Seat::Best], &WinChance, &Unattended)?;
    /// assert!((best.outcome.light_first - 0.530_049_839_525).abs() < 1e-12);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the watch ends it, or if the seats play so that the values do not settle.
    ///
    /// # Panics
    ///
    /// Panics if a policy has fewer chances than the decision has moves.
    pub fn evaluate(
        &self,
        seats: [Seat<'_>; 2],
        measure: &dyn Measure,
        watch: &dyn Watch,
    ) -> Result<Evaluation, SolveError> {
        let contest = Contest::new(&self.rules, &self.indexer, seats, [measure]);
        let (settled, [outcome], report) = self.settle(&contest, Kept::All, watch)?;
        Ok(Evaluation { values: contest.values(&settled), outcome, report })
    }

    /// Returns what a game between two agents, light's first, is worth by each of several measures.
    ///
    /// This works as [`Solver::evaluate`] does, but one pass serves all measures, and only the values of the start are kept.
    ///
    /// # Errors
    ///
    /// As [`Solver::evaluate`].
    ///
    /// # Panics
    ///
    /// As [`Solver::evaluate`].
    pub fn meet<const N: usize>(
        &self,
        agents: [&(dyn Agent + Sync); 2],
        measures: [&dyn Measure; N],
        watch: &dyn Watch,
    ) -> Result<([Outcome; N], ContestReport), SolveError> {
        let contest = Contest::new(&self.rules, &self.indexer, agents.map(Seat::Plays), measures);
        let (_, outcomes, report) = self.settle(&contest, Kept::Needed, watch)?;
        Ok((outcomes, report))
    }

    fn settle<const N: usize>(
        &self,
        contest: &Contest<'_, N>,
        kept: Kept,
        watch: &dyn Watch,
    ) -> Result<(Units<N>, [Outcome; N], ContestReport), SolveError> {
        let schedule = Schedule::new(contest, self.options.threads)?;
        let settled = schedule.solve(self.options.tolerance, &kept, watch)?;
        let mut gathered: Measured<N> = [0.0; N];
        let mut report =
            ContestReport { positions: self.indexer.len(), ..ContestReport::default() };
        for found in contest.found() {
            add(&mut gathered, 1.0, found.gathered);
            report.dead_positions += found.dead;
            report.sweeps_max = report.sweeps_max.max(found.sweeps);
            report.residual = report.residual.max(found.residual);
        }
        let [light, dark] = Player::BOTH.map(|player| contest.opening(player, &settled));
        let outcomes = std::array::from_fn(|measure| Outcome {
            light_first: light[measure],
            dark_first: dark[measure],
            gathered: gathered[measure],
        });
        Ok((settled, outcomes, report))
    }
}
