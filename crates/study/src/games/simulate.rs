//! Simulated matches: games in pairs with swapped sides and the same dice, on all processors.

use std::ops::{ControlFlow, Range};

use puabi_core::{Decision, Game, Move, Player, Record, Rules};
use puabi_engine::{DiceRng, GameEnd, Playout};
use puabi_solve::{Alone, Exchange, Watch};
use rand::Rng;
use rand_pcg::Pcg64;
use rayon::prelude::*;

use crate::games::contestant::Contestant;
use crate::games::lockstep::Lockstep;
use crate::games::match_score::MatchScore;
use crate::games::sharing::in_turn;
use crate::matchup::SharedAgent;

/// A match of two agents, with the dice they play with.
///
/// Games come in pairs: in one A plays light and moves first, in the other B does, and both games have the same dice. The dice of
/// a pair depend on the seed of the match and the number of the pair alone, so the result is the same for any number of threads,
/// and every game can be played again.
///
/// ```
/// use std::ops::ControlFlow;
/// use puabi_core::RuleSet;
/// use puabi_engine::{Greedy, Random};
/// use puabi_solve::Unattended;
/// use puabi_study::Simulation;
///
/// let rules = RuleSet::FINKEL.compile()?;
/// let (agents, watch) = ([&Greedy as _, &Random as _], &Unattended);
/// let simulation = Simulation { rules: &rules, agents, seed: 7, watch };
/// let score = simulation.play(100, |_| ControlFlow::Continue(()));
/// assert_eq!(score.games(), 200);
/// assert!(score.mean() > 0.9);
/// # Ok::<(), puabi_core::RuleError>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Simulation<'a> {
    /// The rules of the game.
    pub rules: &'a Rules,
    /// The two agents, A first.
    pub agents: [SharedAgent<'a>; 2],
    /// The seed of the match.
    pub seed: u64,
    /// Ends the match between two pairs; it receives no progress. A match that it ends has all games of some pairs.
    pub watch: &'a dyn Watch,
}

/// One of the two games of a pair: the number of the pair from 0, and the contestant that plays light.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pairing {
    /// The number of the pair.
    pub pair: u64,
    /// The contestant that plays light and moves first.
    pub light: Contestant,
}

/// A function that keeps the record of a game that has ended; called from several threads.
pub type Keep<'k> = &'k (dyn Fn(Pairing, Record) + Sync);

/// Pairs between two looks at the score: enough work for many threads, and little that is lost if the match is stopped.
pub(crate) const BATCH: u64 = 128;

/// Returns the numbers of the pairs of a batch, if there are `pairs` pairs in all.
pub(crate) fn pairs_of(batch: u64, pairs: u64) -> Range<u64> {
    batch * BATCH..pairs.min((batch + 1) * BATCH)
}

/// The most pairs that a thread plays abreast if an agent prefers batches: the more there are, the more look-ups wait for the
/// memory together.
const ABREAST: u64 = 64;

impl<'a> Simulation<'a> {
    /// Plays `pairs` pairs of games and returns how they ended; `watch` sees the score after each batch and may stop it.
    ///
    /// The scores that `watch` sees do not depend on the number of threads.
    ///
    /// # Panics
    ///
    /// Panics if an agent plays a move that is not legal.
    pub fn play(
        &self,
        pairs: u64,
        watch: impl FnMut(&MatchScore) -> ControlFlow<()>,
    ) -> MatchScore {
        self.play_among(&Alone, pairs, watch)
    }

    /// Plays the games of [`Simulation::play`], which `ranks` share; each rank gets the score of all games.
    ///
    /// # Panics
    ///
    /// Panics if an agent plays a move that is not legal.
    pub fn play_among(
        &self,
        ranks: &dyn Exchange,
        pairs: u64,
        mut watch: impl FnMut(&MatchScore) -> ControlFlow<()>,
    ) -> MatchScore {
        let mut score = MatchScore::default();
        let play = |batch| self.batch(pairs_of(batch, pairs), None);
        let _ = in_turn(ranks, pairs.div_ceil(BATCH), play, |_, of_batch| {
            score = score + of_batch;
            watch(&score)
        });
        score
    }

    /// Plays games as [`Simulation::play`] does, and gives the record of each to `keep` as it ends.
    ///
    /// # Panics
    ///
    /// Panics if an agent plays a move that is not legal.
    pub fn play_recording(
        &self,
        pairs: u64,
        keep: Keep<'_>,
        mut watch: impl FnMut(&MatchScore) -> ControlFlow<()>,
    ) -> MatchScore {
        let mut score = MatchScore::default();
        for batch in 0..pairs.div_ceil(BATCH) {
            score = score + self.batch(pairs_of(batch, pairs), Some(keep));
            if watch(&score).is_break() {
                break;
            }
        }
        score
    }

    /// Plays some pairs on all threads.
    pub(crate) fn batch(&self, pairs: Range<u64>, keep: Option<Keep<'_>>) -> MatchScore {
        let is_abreast = keep.is_none() && self.agents.iter().any(|agent| agent.prefers_batches());
        let share = (pairs.end - pairs.start).div_ceil(rayon::current_num_threads() as u64);
        let abreast = if is_abreast { share.clamp(1, ABREAST) } else { 1 };
        let play = |first: u64| {
            if self.watch.stop() {
                return MatchScore::default();
            }
            if !is_abreast {
                return self.pair(first, keep);
            }
            let pairs = first..pairs.end.min(first + abreast);
            let playouts = pairs.flat_map(|pair| self.playouts(pair)).collect();
            Lockstep::new(self.agents, playouts, self.watch).play()
        };
        let firsts = (0..(pairs.end - pairs.start).div_ceil(abreast)).into_par_iter();
        let scores = firsts.map(|first| play(pairs.start + first * abreast));
        scores.reduce(MatchScore::default, |sum, next| sum + next)
    }

    /// Plays a pair, one game after the other.
    fn pair(&self, pair: u64, keep: Option<Keep<'_>>) -> MatchScore {
        let [first, second] = [Contestant::A, Contestant::B].map(|light| {
            let (pairing, [playout, _]) = (Pairing { pair, light }, self.playouts(pair));
            let Some(keep) = keep else { return self.ending(playout, light, |_, _| ()) };
            let (record, ending) = self.recorded(pairing);
            keep(pairing, record);
            ending
        });
        MatchScore::of_pair(first, second)
    }

    /// Returns the games of a pair: the one that A begins, then the one that B begins.
    pub(crate) fn playouts(&self, pair: u64) -> [Playout<'a>; 2] {
        let playout = Playout::new(self.rules, DiceRng::new(self.pair_seed(pair)));
        [playout.clone(), playout]
    }

    /// Plays a game that `light` begins and returns how it ended; `watch` sees every decision with its move, or with `None` if
    /// the mover gives the game up.
    pub(crate) fn ending(
        &self,
        mut playout: Playout<'a>,
        light: Contestant,
        mut watch: impl FnMut(&Decision<'_>, Option<Move>),
    ) -> GameEnd {
        loop {
            let agent = self.agents[light.playing(playout.mover()) as usize];
            let decision = playout.roll();
            let action = agent.play(&decision, playout.number()).ok();
            watch(&decision, action);
            let Some(action) = action else { return playout.forfeit() };
            let after = decision.play(action).expect("an agent plays a legal move");
            if let Some(ending) = playout.follow(after) {
                return ending;
            }
        }
    }

    /// Returns the seed of the dice of a pair.
    pub fn pair_seed(&self, pair: u64) -> u64 {
        // Streams 1 and 2 are the dice and the draws of a game.
        let mut seeds = Pcg64::new(u128::from(self.seed), 3);
        seeds.advance(u128::from(pair));
        seeds.next_u64()
    }

    /// Plays a game again and returns its record, with the seed of its dice.
    ///
    /// A game that never ends is cut off after as many plies as it was in the match. An agent that is another program may
    /// play another game than it did in the match; [`Simulation::play_recording`] keeps what it played.
    ///
    /// # Panics
    ///
    /// Panics if an agent plays a move that is not legal.
    pub fn record(&self, pairing: Pairing) -> Record {
        self.recorded(pairing).0
    }

    fn recorded(&self, pairing: Pairing) -> (Record, GameEnd) {
        let seed = self.pair_seed(pairing.pair);
        let (playout, mut game) =
            (Playout::new(self.rules, DiceRng::new(seed)), Game::new(self.rules.clone()));
        let ending = self.ending(playout, pairing.light, |decision, action| {
            // A mover who gives the game up plays no move, and a game that is over takes none.
            let Some(action) = action.filter(|_| game.turn().is_some()) else { return };
            if game.pending().is_none() {
                game.roll(decision.roll()).expect("the dice show rolls that can be thrown");
            }
            game.play(action).expect("an agent plays a legal move");
        });
        let mut record = Record::new(game);
        record.set_header("seed", &seed.to_string()).expect("a number is a seed");
        if ending.is_forfeit {
            let loser = ending.winner.map(Player::opponent);
            record.ending = loser.map(puabi_core::Ending::Resigned);
        }
        (record, ending)
    }
}
