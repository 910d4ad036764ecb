//! The pocket: a near-perfect player in a small file.
//!
//! A pocket is a small model and a record of what it gets wrong. The model, a [`Net`](crate::Net) that may be backed up once,
//! ranks the moves of a decision. Then each of the next best moves may *challenge* the first. The pocket stores which challenges
//! succeed, as far as they matter in the games of perfect players. All others are left to the model. `docs/method.md` has the
//! arithmetic, `docs/format.md` every byte.

mod challenge;
mod error;
mod facts;
mod file;
mod parts;
mod ribbon;
mod trial;

use std::sync::{Arc, PoisonError, RwLock};

use puabi_core::{Agent, Decision, Evaluator, Indexer, Move, Policy, Position, Rules};

pub use challenge::{CLASSES, Challenge, NEVER, RankedMove, backed_up, challenges, ranked};
pub use error::PocketError;
pub use facts::PocketFacts;
pub use parts::PocketParts;
pub use ribbon::{Equation, Ribbon, Shard};

use crate::agents::thumb::simple::certainly;
use crate::models::net::Net;

/// A near-perfect player that needs no table: a net, and a record of where the net is wrong.
///
/// ```
/// use puabi_core::{Agent, Roll, RuleSet};
/// use puabi_engine::Pocket;
///
/// let rules = RuleSet::FINKEL.compile()?;
/// let Some(pocket) = Pocket::shipped(&rules) else { return Ok(()) };
/// let decision = rules.decision(rules.start(), Roll::new(2));
/// assert_eq!(pocket.choose(&decision, 0.0).to_string(), "0-2");
/// assert!(Pocket::read(&pocket.to_bytes()).is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Pocket {
    rules: Arc<Rules>,
    indexer: Arc<Indexer>,
    parts: PocketParts,
}

/// The pockets that ship, each with its rule set. It is a static, because each use of a constant might put another copy into the
/// program. A page loads its pockets separately.
#[cfg(feature = "pockets")]
static SHIPPED: &[(&str, &[u8])] = &[
    ("finkel", include_bytes!("../pockets/finkel.pocket")),
    ("blitz", include_bytes!("../pockets/blitz.pocket")),
    ("masters", include_bytes!("../pockets/masters.pocket")),
];
#[cfg(not(feature = "pockets"))]
static SHIPPED: &[(&str, &[u8])] = &[];

/// The pockets that the program was given at run time.
static REGISTERED: RwLock<Vec<Pocket>> = RwLock::new(Vec::new());

impl Pocket {
    /// The most bytes that a program reads of a file as a pocket, since some files have no end.
    pub const MAX_BYTES: usize = 1 << 30;

    /// Returns the pocket that consists of these parts.
    ///
    /// # Errors
    ///
    /// Returns an error if the rules have more positions than an index can count.
    pub fn new(rules: Arc<Rules>, parts: PocketParts) -> Result<Self, PocketError> {
        let indexer = Arc::new(Indexer::new(&rules)?);
        Ok(Self { rules, indexer, parts })
    }

    /// Returns the files of the pockets that ship, each with the name of its rule set.
    pub const fn files() -> &'static [(&'static str, &'static [u8])] {
        SHIPPED
    }

    /// Makes [`Pocket::shipped`] find this pocket from now on, as if it came with the program. A page, which loads its pockets
    /// separately, needs that.
    pub fn register(self) {
        REGISTERED.write().unwrap_or_else(PoisonError::into_inner).push(self);
    }

    /// Returns the pocket that comes with the program for exactly these rules, or that was given to it by [`Pocket::register`].
    ///
    /// # Panics
    ///
    /// Never: a test reads all shipped pockets.
    pub fn shipped(rules: &Rules) -> Option<Self> {
        let name = rules.rule_set().to_string();
        let Some((_, bytes)) = SHIPPED.iter().find(|(shipped, _)| *shipped == name) else {
            let registered = REGISTERED.read().unwrap_or_else(PoisonError::into_inner);
            return registered.iter().find(|it| it.rules.rule_set() == rules.rule_set()).cloned();
        };
        let pocket = Self::read(bytes).expect("a shipped pocket is sound");
        (pocket.rules.rule_set() == rules.rule_set()).then_some(pocket)
    }

    /// Returns whether a file that begins with these bytes is a pocket, whole or damaged.
    pub fn is_pocket(start: &[u8]) -> bool {
        start.starts_with(&file::MAGIC)
    }

    /// Returns the pocket in the bytes of a file, after all bytes have been checked.
    ///
    /// # Errors
    ///
    /// Returns an error that says what is wrong if the bytes are not a pocket, are a pocket of another version, or are damaged.
    pub fn read(bytes: &[u8]) -> Result<Self, PocketError> {
        let (rules, parts) = file::read(bytes)?;
        Self::new(Arc::new(rules), parts)
    }

    /// Returns the bytes of the file, which [`Pocket::read`] reads.
    pub fn to_bytes(&self) -> Vec<u8> {
        file::write(&self.parts)
    }

    /// Returns the rules.
    pub const fn rules(&self) -> &Arc<Rules> {
        &self.rules
    }

    /// Returns what the file says about itself: how well it plays and how that was found.
    pub const fn facts(&self) -> &PocketFacts {
        &self.parts.facts
    }

    /// Returns the model.
    pub const fn net(&self) -> &Net {
        &self.parts.net
    }

    /// Returns the same pocket with other facts.
    #[must_use]
    pub fn with_facts(mut self, facts: PocketFacts) -> Self {
        self.parts.facts = facts;
        self
    }

    /// Returns the loss in a game as people read it, such as `0.3 %`: rounded up to one significant digit.
    pub fn within(&self) -> String {
        facts::within(self.parts.facts.loss)
    }

    /// Returns whether a challenge succeeds, by what the pocket stores.
    #[inline]
    pub fn accepts(&self, challenge: &Challenge) -> bool {
        let PocketParts { facts, filter, verdicts, .. } = &self.parts;
        let bits = facts.filter_bits[challenge.class];
        bits != NEVER
            && (0..bits).all(|bit| filter.get(Equation::new(challenge.key, bit)))
            && verdicts.get(Equation::new(challenge.key, NEVER))
    }

    /// Returns the chance (0..=1) of the player about to roll by the net, backed up as often as the facts say.
    #[inline]
    pub fn chance(&self, position: Position) -> f32 {
        match self.parts.facts.backups {
            0 => self.net().chance(position),
            _ => backed_up(&self.rules, position, |position| self.net().chance(position)),
        }
    }

    /// Returns the move that the pocket plays. `chance` must return what [`Pocket::chance`] returns; a caller may cache that.
    #[inline]
    pub fn best_by(&self, decision: &Decision<'_>, chance: impl Fn(Position) -> f32) -> Move {
        let moves = decision.moves();
        if moves.len() == 1 {
            return moves[0];
        }
        let ranked = ranked(decision, chance);
        let index = self.indexer.rank(decision.position());
        let mut all = challenges(&ranked, index, decision);
        all.find(|challenge| self.accepts(challenge)).map_or(ranked[0].action, |it| it.action)
    }

    #[inline]
    fn best(&self, decision: &Decision<'_>) -> Move {
        self.best_by(decision, |position| self.chance(position))
    }
}

impl Agent for Pocket {
    fn policy(&self, decision: &Decision<'_>) -> Policy {
        certainly(decision, self.best(decision))
    }

    fn choose(&self, decision: &Decision<'_>, _: f64) -> Move {
        self.best(decision)
    }
}

impl Evaluator for Pocket {
    /// Judges positions by the net as the pocket uses it.
    fn evaluate(&self, positions: &[Position], values: &mut [f64]) {
        for (value, &position) in values.iter_mut().zip(positions) {
            *value = self.chance(position).into();
        }
    }

    fn preferred(&self, decision: &Decision<'_>) -> Option<Move> {
        Some(self.best(decision))
    }
}
