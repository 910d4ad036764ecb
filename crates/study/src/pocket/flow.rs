//! How often players meet each position in a game, by following the chances forwards from the start.

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
                while self.sweep(range.clone(), limit) {}
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

    /// Passes on what is above `limit`; returns whether there was any.
    fn sweep(&mut self, range: std::ops::Range<u64>, limit: f32) -> bool {
        let mut found = false;
        for index in range {
            let at = usize::try_from(index).expect("the positions fit into memory");
            for player in 0..self.waiting.len() {
                let chance = self.waiting[player][at];
                if chance > limit {
                    self.waiting[player][at] = 0.0;
                    self.flow.visits[player][at] += chance;
                    self.pass_on(index, player, chance);
                    found = true;
                }
            }
        }
        found
    }

    fn pass_on(&mut self, index: u64, player: usize, visits: f32) {
        let position = self.indexer.position(index).expect("an index below the length");
        for &(roll, chance) in self.rules.rolls() {
            let played = (self.play)(player, &self.rules.decision(position, roll));
            self.flow.costs[player] += f64::from(visits) * chance * played.cost;
            let next = match played.after {
                Afterstate::Won => continue,
                Afterstate::RollsAgain(_) => player,
                Afterstate::TurnPasses(_) => (player + 1) % self.waiting.len(),
            };
            if let Some(position) = played.after.position() {
                let at = usize::try_from(self.indexer.rank(position)).expect("below the length");
                self.waiting[next][at] += visits * narrow(chance);
            }
        }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "seven digits of a chance suffice")]
const fn narrow(number: f64) -> f32 {
    number as f32
}
