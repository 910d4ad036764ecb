//! How often players meet each position in a game, by following the chances forwards from the start.

use std::ops::Range;

use puabi_core::{Afterstate, Decision, Indexer, Position, Roll, Rules};
use puabi_solve::{SolveError, Watch};
use rayon::prelude::*;

/// What a player plays in a decision.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Played {
    /// What follows the move.
    pub after: Afterstate,
    /// The chance to win that the move gives away.
    pub cost: f64,
}

/// How often each position is met in a game.
///
/// Chances flow from the start of the game: a position passes the chance that has come to it on to the positions that follow.
/// Sublayers are followed one after the other, since no move leads back to an earlier one. Within a sublayer, positions with the
/// longest way to go come first: only a capture makes the way longer, and chances that captures have brought back are passed on
/// in the next sweep. A chance below the limit stays where it is.
#[derive(Debug, Clone)]
pub struct Flow {
    /// By player and position: the expected number of rolls there in a game, seen by the player about to roll; 0 if it is below
    /// the limit.
    pub visits: Vec<Vec<f32>>,
    /// The chance to win that each player gives away in a game.
    pub costs: Vec<f64>,
    /// The chances that stayed where they were, added up: expected visits of games that were not followed further.
    pub dropped: f64,
}

impl Flow {
    /// Returns how often `players` players, one or two, meet each position; each begins equally often. One player plays against
    /// itself.
    ///
    /// `play` returns what a player, by its number, does in a decision. Chances below `least` are not followed.
    ///
    /// # Errors
    ///
    /// Returns an error if the watch ends it.
    ///
    /// # Panics
    ///
    /// Panics if there are more positions than memory has addresses, or if `players` is more than two.
    pub fn new(
        (rules, indexer): (&Rules, &Indexer),
        players: usize,
        least: f32,
        play: impl Fn(usize, &Decision<'_>) -> Played + Sync,
        watch: &dyn Watch,
    ) -> Result<Self, SolveError> {
        let len = usize::try_from(indexer.len()).expect("the positions fit into memory");
        let empty = || vec![vec![0.0; len]; players];
        let flow = Self { visits: empty(), costs: vec![0.0; players], dropped: 0.0 };
        let levels = 2 * u32::from(rules.pieces()) * (u32::from(rules.length()) + 1) + 1;
        let levels = (0..levels).map(|_| Vec::new()).collect();
        let mut work = Work { rules, indexer, waiting: empty(), levels, flow, least, play };
        work.open();
        work.run(watch)?;
        Ok(work.flow)
    }
}

/// A player, by its number, with the index of a position that it meets.
type Met = (usize, u64);

/// A flow at work.
struct Work<'a, F> {
    rules: &'a Rules,
    indexer: &'a Indexer,
    /// By player and position: the chance that has come there and was not passed on yet.
    waiting: Vec<Vec<f32>>,
    /// By the squares that all pieces have still to travel: the positions of the sublayer at which more than the limit waits.
    levels: Vec<Vec<Met>>,
    flow: Flow,
    least: f32,
    play: F,
}

/// The number of positions whose moves are found at once, by all threads.
const BATCH: usize = 1 << 14;
/// The number of positions that one task looks at.
const TASK: usize = 1 << 8;

/// What a position passes on.
#[derive(Default)]
struct Passed {
    /// The player and the position that is met, the squares that its pieces have still to travel, and the chance.
    to: Vec<(Met, usize, f32)>,
    /// The chance to win that each player gives away.
    costs: [f64; 2],
}

impl<F: Fn(usize, &Decision<'_>) -> Played + Sync> Work<'_, F> {
    /// Lets each player begin equally often, with the first roll if the rules give it.
    fn open(&mut self) {
        let start = self.indexer.rank(self.rules.start());
        let share = 1.0 / self.waiting.len() as f32;
        let Some(roll) = self.rules.rule_set().first_roll else {
            self.waiting.iter_mut().for_each(|waiting| waiting[place(start)] = share);
            return;
        };
        let mut passed = Passed::default();
        for player in 0..self.waiting.len() {
            self.flow.visits[player][place(start)] = share;
            self.roll((player, self.rules.start()), share, (roll, 1.0), &mut passed);
        }
        // The range is empty, because no position is listed before its sublayer begins.
        self.pass_on(&passed, &(0..0));
    }

    fn run(&mut self, watch: &dyn Watch) -> Result<(), SolveError> {
        for sublayer in self.indexer.sublayers() {
            watch.progress(sublayer.base, self.indexer.len());
            let range = sublayer.base..sublayer.base + sublayer.len();
            self.begin(&range);
            while self.levels.iter().any(|level| !level.is_empty()) {
                for level in (0..self.levels.len()).rev() {
                    self.settle(level, &range);
                }
                if watch.stop() {
                    return Err(SolveError::Stopped);
                }
            }
        }
        for (visits, waiting) in self.flow.visits.iter_mut().zip(&self.waiting) {
            for (visits, &left) in visits.iter_mut().zip(waiting) {
                self.flow.dropped += f64::from(left);
                // A chance that is not passed on has been met all the same.
                if *visits > 0.0 {
                    *visits += left;
                }
            }
        }
        Ok(())
    }

    /// Lists the positions of a sublayer at which more than the limit waits.
    fn begin(&mut self, range: &Range<u64>) {
        for (player, waiting) in self.waiting.iter().enumerate() {
            let places = &waiting[place(range.start)..place(range.end)];
            for (&chance, index) in places.iter().zip(range.clone()) {
                if chance > self.least {
                    let level = level(self.rules, position(self.indexer, index));
                    self.levels[level].push((player, index));
                }
            }
        }
    }

    /// Passes on what waits at a level of a sublayer, until nothing is above the limit.
    fn settle(&mut self, level: usize, range: &Range<u64>) {
        while !self.levels[level].is_empty() {
            let met = std::mem::take(&mut self.levels[level]);
            for batch in met.chunks(BATCH) {
                let visits: Vec<_> = batch.iter().map(|&met| (met, self.visit(met))).collect();
                let tasks = visits.par_chunks(TASK).map(|task| self.passed(task));
                for passed in tasks.collect::<Vec<_>>() {
                    self.pass_on(&passed, range);
                }
            }
        }
    }

    /// Takes the chance that waits at a position, and counts it as visits.
    fn visit(&mut self, (player, index): Met) -> f32 {
        let chance = std::mem::take(&mut self.waiting[player][place(index)]);
        self.flow.visits[player][place(index)] += chance;
        chance
    }

    /// Returns what some positions pass on, given the number of visits of each.
    fn passed(&self, visits: &[(Met, f32)]) -> Passed {
        let mut passed = Passed::default();
        for &((player, index), visits) in visits {
            let position = position(self.indexer, index);
            for &roll in self.rules.rolls() {
                self.roll((player, position), visits, roll, &mut passed);
            }
        }
        passed
    }

    /// Adds what a position passes on with one of its rolls.
    fn roll(
        &self,
        (player, position): (usize, Position),
        visits: f32,
        (roll, chance): (Roll, f64),
        passed: &mut Passed,
    ) {
        let choice = (self.play)(player, &self.rules.decision(position, roll));
        passed.costs[player] += f64::from(visits) * chance * choice.cost;
        let next = match choice.after {
            Afterstate::Won => return,
            Afterstate::RollsAgain(_) => player,
            Afterstate::TurnPasses(_) => (player + 1) % self.waiting.len(),
        };
        let Some(after) = choice.after.position() else { return };
        // Only a pass leaves the board as it is. In a dead position all further moves are passes.
        if after == position.flipped() && self.rules.is_dead(after) {
            return;
        }
        let reached = (next, self.indexer.rank(after));
        passed.to.push((reached, level(self.rules, after), visits * narrow(chance)));
    }

    fn pass_on(&mut self, passed: &Passed, range: &Range<u64>) {
        for &((player, index), level, chance) in &passed.to {
            let waiting = &mut self.waiting[player][place(index)];
            let before = *waiting;
            *waiting += chance;
            if before <= self.least && *waiting > self.least && range.contains(&index) {
                self.levels[level].push((player, index));
            }
        }
        for (sum, cost) in self.flow.costs.iter_mut().zip(passed.costs) {
            *sum += cost;
        }
    }
}

/// Returns the squares that all pieces have still to travel.
fn level(rules: &Rules, position: Position) -> usize {
    (rules.pips(position.mine()) + rules.pips(position.theirs())) as usize
}

fn position(indexer: &Indexer, index: u64) -> Position {
    indexer.position(index).expect("an index below the length")
}

/// Returns the place of an index in memory.
fn place(index: u64) -> usize {
    usize::try_from(index).expect("the positions fit into memory")
}

#[expect(clippy::cast_possible_truncation, reason = "seven digits of a chance suffice")]
const fn narrow(number: f64) -> f32 {
    number as f32
}
