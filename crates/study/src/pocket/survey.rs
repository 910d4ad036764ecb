//! The challenges of all decisions that perfect players meet, and what each is worth.

use puabi_core::{Decision, Rules};
use puabi_engine::{
    CLASSES, Challenge, RankedMove, SharedEvaluator, challenges, move_values, ranked,
};
use puabi_solve::{SolveError, Watch};
use rayon::prelude::*;

use super::chance_cache::ChanceCache;

/// A challenge with what it is worth.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    pub(super) key: u64,
    pub(super) class: u16,
    /// The chance to win a game that its success gains on average; negative if it harms.
    pub(super) worth: f32,
}

/// The challenges of a game.
#[derive(Debug, Clone)]
pub(super) struct Survey {
    /// The challenges that are worth something, for better or worse.
    pub(super) candidates: Vec<Candidate>,
    /// By class: what all other challenges would gain together if they succeeded.
    pub(super) rest: Vec<f64>,
    /// What the net gives away in a game if perfect players meet its decisions.
    pub(super) net_loss: f64,
}

/// Positions that one task looks at; fixed, so that sums do not depend on the threads.
const TASK: usize = 1 << 16;

/// The game and the net that are surveyed.
pub(super) struct Surveyor<'a> {
    pub(super) rules: &'a Rules,
    pub(super) exact: SharedEvaluator<'a>,
    pub(super) cache: &'a ChanceCache<'a>,
    /// The least worth of a challenge that is listed, for better or worse.
    pub(super) least: f32,
}

impl Surveyor<'_> {
    /// Returns the challenges in the positions that are visited.
    pub(super) fn survey(&self, visits: &[f32], watch: &dyn Watch) -> Result<Survey, SolveError> {
        let done = std::sync::atomic::AtomicU64::new(0);
        let tasks = visits.par_chunks(TASK).enumerate().map(|(task, visits)| {
            if watch.stop() {
                return Err(SolveError::Stopped);
            }
            let mut found = Survey::empty();
            for (at, &visits) in visits.iter().enumerate().filter(|(_, visits)| **visits > 0.0) {
                self.position((task * TASK + at) as u64, visits, &mut found);
            }
            let done = done.fetch_add(TASK as u64, std::sync::atomic::Ordering::Relaxed);
            watch.progress(done, self.cache.indexer.len());
            Ok(found)
        });
        let parts: Vec<_> = tasks.collect::<Result<_, _>>()?;
        let mut all = Survey::empty();
        for mut part in parts {
            all.candidates.append(&mut part.candidates);
            all.rest.iter_mut().zip(&part.rest).for_each(|(sum, part)| *sum += part);
            all.net_loss += part.net_loss;
        }
        Ok(all)
    }

    fn position(&self, index: u64, visits: f32, found: &mut Survey) {
        let position = self.cache.indexer.position(index).expect("an index below the length");
        // A game begins with one visit of the start, and its roll may be given.
        let is_start = position == self.rules.start();
        let given = self.rules.rule_set().first_roll.filter(|_| is_start);
        let thrown = f64::from(visits) - f64::from(given.is_some());
        for &(roll, chance) in self.rules.rolls() {
            let decision = self.rules.decision(position, roll);
            let often = thrown * chance + f64::from(given == Some(roll));
            if decision.moves().len() > 1 && often > 0.0 {
                // One of the two players is the pocket, and it makes half of the visits.
                self.decision(&decision, index, often / 2.0, found);
            }
        }
    }

    fn decision(&self, decision: &Decision<'_>, index: u64, weight: f64, found: &mut Survey) {
        let values = move_values(decision, self.exact);
        let ranked = ranked(decision, |position| self.cache.chance(position));
        let value = |rank: usize| values[ranked[rank].place].value;
        let best = values.iter().fold(0.0_f64, |best, judged| best.max(judged.value));
        found.net_loss += weight * (best - value(0));
        let answer = answer(&ranked, value);
        for challenge in challenges(&ranked, index, decision) {
            // A success is compared with what would be played without it. For the best challenger that is the first move. For a
            // challenger before it, that is the best challenger, which comes later, or the first move if no challenger is better.
            let other = if challenge.rank == answer { value(0) } else { value(answer) };
            let worth = weight * (value(challenge.rank) - other);
            found.add(&challenge, worth, self.least);
            if challenge.rank == answer {
                break;
            }
        }
    }
}

/// Returns the rank of the best move among the first and those that can challenge it; 0 is the first.
fn answer(ranked: &[RankedMove], value: impl Fn(usize) -> f64) -> usize {
    let ranks = 1..ranked.len().min(1 + Challenge::ALTERNATIVES);
    ranks.fold(0, |best, rank| if value(rank) > value(best) { rank } else { best })
}

impl Survey {
    fn empty() -> Self {
        Self { candidates: Vec::new(), rest: vec![0.0; CLASSES], net_loss: 0.0 }
    }

    fn add(&mut self, challenge: &Challenge, worth: f64, least: f32) {
        #[expect(clippy::cast_possible_truncation, reason = "seven digits of a worth suffice")]
        let narrow = worth as f32;
        if narrow.abs() >= least {
            let class = u16::try_from(challenge.class).expect("there are few classes");
            self.candidates.push(Candidate { key: challenge.key, class, worth: narrow });
        } else {
            self.rest[challenge.class] += worth;
        }
    }
}
