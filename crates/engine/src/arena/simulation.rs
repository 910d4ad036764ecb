//! Simulated matches: games in pairs with swapped sides and the same dice, on all processors.

use std::ops::{ControlFlow, Range};

use puabi_core::{Afterstate, Agent, Game, Move, Player, Record, Rules};
use rand::Rng;
use rand_pcg::Pcg64;
use rayon::prelude::*;

use crate::arena::tally::{Ending, Tally};
use crate::thrower::Thrower;

/// Which of the two agents of a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Contestant {
    /// The one named first.
    A,
    /// The other.
    B,
}

/// Two agents and the dice they play with.
///
/// Games come in pairs: in one A plays light and moves first, in the other B does, and the dice show the same. The
/// dice of a pair depend on the seed of the match and the number of the pair alone, so the result is the same for any
/// number of threads, and every game can be played again.
///
/// ```
/// use std::ops::ControlFlow;
/// use puabi_core::RuleSet;
/// use puabi_engine::{Greedy, Random, Simulation};
///
/// let rules = RuleSet::FINKEL.compile()?;
/// let simulation = Simulation { rules: &rules, a: &Greedy, b: &Random, seed: 7 };
/// let tally = simulation.play(100, |_| ControlFlow::Continue(()));
/// assert_eq!(tally.games(), 200);
/// assert!(tally.mean() > 0.9);
/// # Ok::<(), puabi_core::RuleError>(())
/// ```
#[derive(Clone, Copy)]
pub struct Simulation<'a> {
    /// The rules of the game.
    pub rules: &'a Rules,
    /// The agent named first.
    pub a: &'a (dyn Agent + Sync),
    /// The other one.
    pub b: &'a (dyn Agent + Sync),
    /// The seed of the match.
    pub seed: u64,
}

/// One of the two games of a pair: its number from 0, and who plays light.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pairing {
    /// The number of the pair.
    pub pair: u64,
    /// Who plays light and moves first.
    pub light: Contestant,
}

impl std::fmt::Debug for Simulation<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Simulation").field("seed", &self.seed).finish_non_exhaustive()
    }
}

/// Pairs between two looks at the tally: enough work for many threads, and little to lose.
const BATCH: u64 = 128;

/// Plies after which a game counts as a draw: neither player can or will end it.
const MAX_PLIES: u64 = 1 << 20;

impl Simulation<'_> {
    /// Plays `pairs` pairs of games and returns how they ended; `watch` sees the tally now and then and may end it.
    ///
    /// What `watch` is shown does not depend on the number of threads.
    ///
    /// # Panics
    ///
    /// Where an agent plays a move that is not legal.
    pub fn play(&self, pairs: u64, mut watch: impl FnMut(&Tally) -> ControlFlow<()>) -> Tally {
        let mut tally = Tally::default();
        for first in (0..pairs.div_ceil(BATCH)).map(|batch| batch * BATCH) {
            tally = tally + self.batch(first..pairs.min(first + BATCH));
            if watch(&tally).is_break() {
                break;
            }
        }
        tally
    }

    fn batch(&self, pairs: Range<u64>) -> Tally {
        let play = |pair| {
            let [first, second] =
                [Contestant::A, Contestant::B].map(|light| self.game(Pairing { pair, light }));
            Tally::of_pair(first, second)
        };
        pairs.into_par_iter().map(play).reduce(Tally::default, |sum, next| sum + next)
    }

    /// Returns the seed of the dice of a pair.
    pub fn pair_seed(&self, pair: u64) -> u64 {
        // Streams 1 and 2 are the dice and the draws of a game.
        let mut seeds = Pcg64::new(u128::from(self.seed), 3);
        seeds.advance(u128::from(pair));
        seeds.next_u64()
    }

    /// Plays a game and returns how it ended for A.
    fn game(&self, Pairing { pair, light }: Pairing) -> Ending {
        let (rules, dice) = (self.rules, self.rules.rule_set().dice);
        let mut thrower = Thrower::new(self.pair_seed(pair));
        let (mut position, mut mover) = (rules.start(), light);
        let mut given = rules.rule_set().first_roll;
        for plies in 1..=MAX_PLIES {
            let roll = given.take().unwrap_or_else(|| thrower.throw(dice));
            let decision = rules.decision(position, roll);
            let action = thrower.choose(&decision, self.agent(mover));
            match decision.play(action).expect("an agent plays a legal move") {
                Afterstate::Won => {
                    return Ending { half_points: mover.half_points(1.0), plies };
                }
                Afterstate::RollsAgain(next) => position = next,
                Afterstate::TurnPasses(next) => (position, mover) = (next, mover.other()),
            }
            if action == Move::Pass && rules.is_dead(position) {
                return Ending {
                    half_points: mover.half_points(rules.dead_value(position)),
                    plies,
                };
            }
        }
        Ending { half_points: 1, plies: MAX_PLIES }
    }

    fn agent(&self, contestant: Contestant) -> &(dyn Agent + Sync) {
        match contestant {
            Contestant::A => self.a,
            Contestant::B => self.b,
        }
    }

    /// Plays a game again and returns its record, with the seed of its dice.
    ///
    /// A game that never ends is cut off after as many plies as it was in the match.
    ///
    /// # Panics
    ///
    /// Where an agent plays a move that is not legal.
    pub fn record(&self, pairing: Pairing) -> Record {
        let seed = self.pair_seed(pairing.pair);
        let mut thrower = Thrower::new(seed);
        let mut game = Game::new(self.rules.clone());
        let dice = self.rules.rule_set().dice;
        for _ in 0..MAX_PLIES {
            let Some(player) = game.turn() else { break };
            if game.pending().is_none() {
                let roll = thrower.throw(dice);
                game.roll(roll).expect("the dice show rolls that can be thrown");
            }
            let decision = game.decision().expect("a roll was thrown");
            let mover = match player {
                Player::Light => pairing.light,
                Player::Dark => pairing.light.other(),
            };
            let action = thrower.choose(&decision, self.agent(mover));
            game.play(action).expect("an agent plays a legal move");
        }
        let mut record = Record::new(game);
        record.set_header("seed", &seed.to_string()).expect("a number is a seed");
        record
    }
}

impl Contestant {
    /// A's half points where the game is worth `value` to this one: 0, 1/2 or 1.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0, 1 or 2")]
    fn half_points(self, value: f64) -> usize {
        let own = (2.0 * value) as usize;
        if self == Self::A { own } else { 2 - own }
    }

    /// Returns the other one.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::A => Self::B,
            Self::B => Self::A,
        }
    }
}
