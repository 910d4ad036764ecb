//! How often players meet each position in a game, by following the chances forwards from the start.

use std::collections::VecDeque;
use std::ops::Range;

use puabi_core::{Afterstate, Decision, Indexer, Rules};
use puabi_solve::{SolveError, Watch};

/// What a player does in a decision.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Played {
    /// What follows the move.
    pub after: Afterstate,
    /// The chance to win that the move gives away.
    pub cost: f64,
}

/// How often each position is met in a game.
///
/// It comes from the start of the game: a position passes the chance that has come to it on to those that follow, in the
/// order of sublayers, since no move leads back to an earlier one. What is below a limit stays where it is.
#[derive(Debug, Clone)]
pub struct Flow {
    /// By player and position: the expected number of rolls there in a game, seen by the player about to roll.
    pub visits: Vec<Vec<f32>>,
    /// The chance to win that each player gives away in a game.
    pub costs: Vec<f64>,
    /// The chances that stayed where they were, added up: expected visits of games that were not followed further.
    pub dropped: f64,
}

impl Flow {
    /// Returns how often `players` meet each position; each begins as often. One player plays against itself.
    ///
    /// `play` returns what a player, by its number, does in a decision. Chances below `least` are not followed.
    ///
    /// # Errors
    ///
    /// Returns an error if the watch ends it.
    ///
    /// # Panics
    ///
    /// Panics if there are more positions than memory has addresses.
    pub fn new(
        (rules, indexer): (&Rules, &Indexer),
        players: usize,
        least: f32,
        play: impl Fn(usize, &Decision<'_>) -> Played,
        watch: &dyn Watch,
    ) -> Result<Self, SolveError> {
        let len = usize::try_from(indexer.len()).expect("the positions fit into memory");
        let empty = || vec![vec![0.0; len]; players];
        let flow = Self { visits: empty(), costs: vec![0.0; players], dropped: 0.0 };
        let mut work = Work { rules, indexer, waiting: empty(), flow, least, play };
        let start =
            usize::try_from(indexer.rank(rules.start())).expect("an index below the length");
        work.waiting.iter_mut().for_each(|waiting| waiting[start] = 1.0 / players as f32);
        work.run(watch)?;
        Ok(work.flow)
    }
}

/// A flow at work.
struct Work<'a, F> {
    rules: &'a Rules,
    indexer: &'a Indexer,
    /// What has come to each position and was not passed on yet.
    waiting: Vec<Vec<f32>>,
    flow: Flow,
    least: f32,
    play: F,
}

/// What a sublayer passes on at first; then a tenth of it, until the least.
const MOST: f32 = 1e-3;

impl<F: Fn(usize, &Decision<'_>) -> Played> Work<'_, F> {
    fn run(&mut self, watch: &dyn Watch) -> Result<(), SolveError> {
        for sublayer in self.indexer.sublayers() {
            watch.progress(sublayer.base, self.indexer.len());
            if watch.stop() {
                return Err(SolveError::Stopped);
            }
            let range = sublayer.base..sublayer.base + sublayer.len();
            // Large chances first: a position is then passed on few times, with most of what will come to it.
            let mut limit = MOST;
            loop {
                self.settle(&range, limit);
                if limit <= self.least {
                    break;
                }
                limit = (limit / 10.0).max(self.least);
            }
        }
        let left = self.waiting.iter().flatten().map(|&chance| f64::from(chance));
        self.flow.dropped = left.sum();
        Ok(())
    }

    /// Passes on what is above `limit` in a sublayer, until nothing is.
    fn settle(&mut self, range: &Range<u64>, limit: f32) {
        let mut queue = VecDeque::new();
        let places = place(range.start)..place(range.end);
        for (player, waiting) in self.waiting.iter().enumerate() {
            let above = waiting[places.clone()].iter().zip(range.clone());
            let above = above.filter(|(chance, _)| **chance > limit);
            queue.extend(above.map(|(_, index)| (player, index)));
        }
        while let Some((player, index)) = queue.pop_front() {
            let chance = std::mem::take(&mut self.waiting[player][place(index)]);
            self.flow.visits[player][place(index)] += chance;
            self.pass_on(index, player, chance, |reached, before, after| {
                if before <= limit && after > limit && range.contains(&reached.1) {
                    queue.push_back(reached);
                }
            });
        }
    }

    /// Passes the visits of a position on; `tell` hears which player and position they reach, and what was there before and
    /// is now.
    fn pass_on(
        &mut self,
        index: u64,
        player: usize,
        visits: f32,
        mut tell: impl FnMut((usize, u64), f32, f32),
    ) {
        let position = self.indexer.position(index).expect("an index below the length");
        for &(roll, chance) in self.rules.rolls() {
            let choice = (self.play)(player, &self.rules.decision(position, roll));
            self.flow.costs[player] += f64::from(visits) * chance * choice.cost;
            let next = match choice.after {
                Afterstate::Won => continue,
                Afterstate::RollsAgain(_) => player,
                Afterstate::TurnPasses(_) => (player + 1) % self.waiting.len(),
            };
            if let Some(position) = choice.after.position() {
                let reached = self.indexer.rank(position);
                let waiting = &mut self.waiting[next][place(reached)];
                let before = *waiting;
                *waiting += visits * narrow(chance);
                tell((next, reached), before, *waiting);
            }
        }
    }
}

/// Returns the place of an index in memory.
fn place(index: u64) -> usize {
    usize::try_from(index).expect("the positions fit into memory")
}

#[expect(clippy::cast_possible_truncation, reason = "seven digits of a chance suffice")]
const fn narrow(number: f64) -> f32 {
    number as f32
}
