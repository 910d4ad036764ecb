//! Games in which a player about to roll may take an offer instead, which ends the game.
//!
//! Each level of a doubling cube is such a game: before a roll, a player who may double can have the worth of the doubled game or
//! that of the opponent's pass, whichever is less. See "The doubling cube" in `docs/method.md`.

use std::sync::{Arc, Mutex};

use puabi_core::{Indexer, Player};

use crate::dense::engine::DenseEngine;
use crate::dense::engine::offered::{OfferedSublayer, SideOffers};
use crate::drive::engine::{Engine, Finished, SettledBy};
use crate::drive::iterate::Course;
use crate::drive::schedule::{Keep, Schedule};
use crate::offer::{Offer, OfferReport};
use crate::policy::offered;
use crate::solver::Solver;
use crate::types::{SolveError, Watch};
use crate::values::{Held, Values};

impl Solver {
    /// Solves the game in which either player may take the same offer before any roll of their own.
    ///
    /// Returns the chance of the player about to roll, who may still take the offer. All values stay in memory. In the dense
    /// engine it takes about the time of [`Solver::solve`] and up to two and a half times the memory. Other games are contests,
    /// which take more time and several times the memory; see [`Solver::evaluation_memory`].
    ///
    /// # Errors
    ///
    /// As [`Solver::solve`].
    pub fn solve_with_offer(
        &self,
        offer: Offer<'_>,
        watch: &dyn Watch,
    ) -> Result<(Values, OfferReport), SolveError> {
        let (mut values, report) = self.offered(&[Some(offer)], watch)?;
        Ok((values.remove(0), report))
    }

    /// Solves the game in which light and dark may take these offers before any roll of their own.
    ///
    /// Returns the chance of the player about to roll, who may still take their offer: with light about to roll, and with dark.
    /// It takes twice the time of [`Solver::solve_with_offer`], with all values in memory.
    ///
    /// # Errors
    ///
    /// As [`Solver::solve`].
    pub fn solve_with_offers(
        &self,
        offers: [Option<Offer<'_>>; 2],
        watch: &dyn Watch,
    ) -> Result<([Values; 2], OfferReport), SolveError> {
        let (mut values, report) = self.offered(&offers, watch)?;
        let dark = values.remove(1);
        Ok(([values.remove(0), dark], report))
    }

    /// Solves the game with one offer for both players, or with one for each.
    fn offered(
        &self,
        offers: &[Option<Offer<'_>>],
        watch: &dyn Watch,
    ) -> Result<(Vec<Values>, OfferReport), SolveError> {
        if !self.is_dense() {
            return offered::solve(self, offers, watch);
        }
        self.ensure_places()?;
        let engine = DenseEngine::new(&self.rules, &self.indexer, self.options.instructions);
        let offering = Offering { engine: &engine, offers, found: Mutex::default() };
        let schedule = Schedule::new(&offering, self.options.threads)?;
        let settled = schedule.solve(self.options.tolerance, &KeptAll, watch)?;
        let held = settled.into_iter().flatten().map(|(values, _)| values).collect();
        let report = *offering.found.lock().expect("no holder of this lock panics");
        Ok((offering.by_player(held), report))
    }
}

/// Holds all values in memory.
struct KeptAll;

impl Keep<f64> for KeptAll {}

/// Settles sublayers with one offer for both players, or with one for each. With two offers each position has two values: first
/// come all values with light as the senior, then all with dark, both in index order.
struct Offering<'a> {
    engine: &'a DenseEngine<'a>,
    offers: &'a [Option<Offer<'a>>],
    found: Mutex<OfferReport>,
}

impl Offering<'_> {
    /// Settles a sublayer in which `senior` is the senior.
    fn settle_for<F: Finished>(
        &self,
        (at, senior): (usize, Player),
        finished: &F,
        space: &mut <Self as Engine>::Space,
        course: Course<'_>,
    ) -> Result<OfferedSublayer, SolveError> {
        let are_same = self.offers.len() == 1;
        let offered = [senior, senior.opponent()]
            .map(|player| self.offers[if are_same { 0 } else { player as usize }]);
        let [of_senior, of_junior] = offered.map(|offer| {
            let values = offer.as_ref().map(|offer| offer.values.sublayer(at));
            move |index: usize| match (&offer, values) {
                (Some(offer), Some(values)) => offer.worth(values[index]),
                _ => 0.0,
            }
        });
        let offers = SideOffers { chances: [&of_senior, &of_junior], are_same };
        let finished = Seated { finished, senior, are_same };
        let settled = self.engine.settle_offered(at, &finished, space, offers, course)?;
        let mut found = self.found.lock().expect("no holder of this lock panics");
        let OfferedSublayer { sweeps, residual, .. } = settled;
        *found = found.and(OfferReport { sweeps_max: sweeps, residual });
        drop(found);
        Ok(settled)
    }

    /// Returns the values by player about to roll, given the settled values.
    fn by_player(&self, held: Vec<Arc<dyn Held>>) -> Vec<Values> {
        let indexer = self.engine.indexer();
        if self.offers.len() == 1 {
            return vec![Values::held_by(indexer.clone(), held)];
        }
        let mut found = [Vec::new(), Vec::new()];
        // Each sublayer is released as soon as it is copied.
        for (held, sublayer) in held.into_iter().zip(indexer.sublayers()) {
            let both = held.values();
            let (light, dark) = both.split_at(both.len() / 2);
            let rolled = |senior: &[f64], junior: &[f64]| -> Box<[f64]> {
                let half = if sublayer.is_mirror() { senior.len() } else { senior.len() / 2 };
                [&senior[..half], &junior[half..]].concat().into()
            };
            found[0].push(rolled(light, dark));
            found[1].push(rolled(dark, light));
        }
        found.into_iter().map(|sublayers| Values::new(indexer.clone(), sublayers)).collect()
    }
}

impl Engine for Offering<'_> {
    type Space = <DenseEngine<'static> as Engine>::Space;
    type Value = f64;

    fn indexer(&self) -> &Indexer {
        self.engine.indexer()
    }

    fn settle<F: Finished>(
        &self,
        at: usize,
        finished: F,
        space: &mut Self::Space,
        course: Course<'_>,
    ) -> SettledBy<Self> {
        let first = self.settle_for((at, Player::Light), &finished, space, course)?;
        if self.offers.len() == 1 {
            return Ok((Arc::new(first.values), first.sweeps));
        }
        let (second, sweeps) = if let Some(juniors) = first.juniors {
            (juniors, first.sweeps)
        } else {
            let second = self.settle_for((at, Player::Dark), &finished, space, course)?;
            (second.values, first.sweeps.max(second.sweeps))
        };
        let both: Box<[f64]> = [first.values, second].concat().into();
        Ok((Arc::new(both), sweeps))
    }
}

/// Finished values as they are read by a sublayer in which `senior` is the senior.
struct Seated<'a, F> {
    finished: &'a F,
    senior: Player,
    are_same: bool,
}

impl<F: Finished> Finished for Seated<'_, F> {
    fn sublayer(&self, at: usize) -> &[f64] {
        self.seen(at, true)
    }

    fn seen(&self, at: usize, is_senior: bool) -> &[f64] {
        let both = self.finished.sublayer(at);
        if self.are_same {
            return both;
        }
        let (light, dark) = both.split_at(both.len() / 2);
        if (self.senior == Player::Light) == is_senior { light } else { dark }
    }
}
