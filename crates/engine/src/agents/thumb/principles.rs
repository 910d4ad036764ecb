//! The principles that people play by, as filters that can be chained.

use arrayvec::ArrayVec;
use puabi_core::{Afterstate, Agent, Decision, Move, Policy, Rules, Squares};
use strum::{Display, EnumString, IntoStaticStr, VariantArray};

use crate::agents::thumb::exposure::{board_after, capture_chance, private_end, safe_rosettes};
use crate::agents::thumb::simple::evenly;
use crate::agents::thumb::unfit::UnfitError;
use crate::analysis::move_values::MAX_MOVES;

/// Something that a person looks for in a move. Of several moves, a principle keeps those that have most of it.
///
/// If no move has any of it, the principle keeps all.
///
/// ```
/// use puabi_engine::Principle;
/// assert_eq!(Principle::HitForemost.name(), "hit-foremost");
/// ```
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Display, EnumString, IntoStaticStr, VariantArray,
)]
#[strum(serialize_all = "kebab-case")]
pub enum Principle {
    /// Captures.
    Hit,
    /// Captures the piece that has come furthest.
    HitForemost,
    /// Gives another roll.
    ExtraRoll,
    /// Gives another roll, with the most chance to capture by it.
    ExtraHit,
    /// Leaves a piece on a safe rosette that both players cross.
    Centre,
    /// Brings a piece home.
    Score,
    /// Enters the private squares at the end of the path.
    Homestretch,
    /// Leaves the opponent the least chance to capture with the next roll.
    LeastExposed,
}

impl Principle {
    /// All principles.
    pub const ALL: &[Self] = Self::VARIANTS;

    /// Returns the name.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Returns what the principle looks for, in words that follow "keeps the moves that".
    pub const fn wish(self) -> &'static str {
        match self {
            Self::Hit => "capture",
            Self::HitForemost => "capture the piece that has come furthest",
            Self::ExtraRoll => "give another roll",
            Self::ExtraHit => "give another roll, with the most chance to capture by it",
            Self::Centre => "leave a piece on a safe rosette that both players cross",
            Self::Score => "bring a piece home",
            Self::Homestretch => "enter the last private squares",
            Self::LeastExposed => "leave the least chance to be captured with the next roll",
        }
    }

    /// Returns what the principle needs and these rules lack; `None` if they lack nothing.
    fn lacks(self, rules: &Rules) -> Option<&'static str> {
        match self {
            Self::Centre if safe_rosettes(rules).is_empty() => {
                Some("a safe rosette that both players cross")
            }
            Self::Homestretch if private_end(rules).is_empty() => {
                Some("private squares at the end of the path")
            }
            _ => None,
        }
    }
}

/// Plays by principles in their order: each chooses among the moves that the principles before it kept.
///
/// The moves that the last principle keeps are played equally often.
///
/// ```
/// use puabi_core::{Agent, Roll, RuleSet};
/// use puabi_engine::{Principle, Principles};
///
/// let rules = RuleSet::FINKEL.compile()?;
/// let agent = Principles::new(&rules, &[Principle::Hit, Principle::LeastExposed])?;
/// let position = rules.position(&"6,9:7:L".parse()?)?;
/// let policy = agent.policy(&rules.decision(position, Roll::new(1)));
/// assert_eq!(policy.as_slice(), [0.0, 1.0, 0.0], "6-7 captures");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Principles {
    chain: Vec<Principle>,
    safe_rosettes: Squares,
    private_end: Squares,
}

impl Principles {
    /// Returns the agent that plays by `chain` under these rules.
    ///
    /// # Errors
    ///
    /// Returns an error if the rules lack the squares that a principle is about.
    pub fn new(rules: &Rules, chain: &[Principle]) -> Result<Self, UnfitError> {
        for &principle in chain {
            if let Some(lacks) = principle.lacks(rules) {
                let agent = principle.to_string();
                return Err(UnfitError::new(rules.rule_set(), agent, lacks.to_owned()));
            }
        }
        let (safe_rosettes, private_end) = (safe_rosettes(rules), private_end(rules));
        Ok(Self { chain: chain.to_vec(), safe_rosettes, private_end })
    }

    /// Returns how much of `principle` a move has.
    fn merit(&self, principle: Principle, candidate: &Candidate<'_, '_>) -> f64 {
        let &Candidate { decision, action, after } = candidate;
        let rules = decision.rules();
        let board = board_after(after);
        match principle {
            Principle::Hit => f64::from(decision.captures(action).is_some()),
            Principle::HitForemost => {
                decision.captures(action).map_or(0.0, |square| f64::from(square.number()))
            }
            Principle::ExtraRoll => f64::from(after.rolls_again()),
            Principle::ExtraHit => board
                .filter(|_| after.rolls_again())
                .map_or(-1.0, |board| capture_chance(rules, board, board.theirs().squares())),
            Principle::Centre => f64::from(
                board.is_some_and(|board| board.mine().squares().meets(self.safe_rosettes)),
            ),
            Principle::Score => f64::from(matches!(action, Move::Score { .. })),
            Principle::Homestretch => f64::from(self.enters_private_end(action)),
            Principle::LeastExposed => board.map_or(0.0, |board| {
                -capture_chance(rules, board.flipped(), board.mine().squares())
            }),
        }
    }

    fn enters_private_end(&self, action: Move) -> bool {
        let inside = |square| self.private_end.contains(square);
        action.to().is_some_and(inside) && !action.from().is_some_and(inside)
    }
}

/// A legal move of a decision, with its afterstate.
#[derive(Debug, Clone, Copy)]
struct Candidate<'d, 'r> {
    decision: &'d Decision<'r>,
    action: Move,
    after: Afterstate,
}

impl Agent for Principles {
    fn policy(&self, decision: &Decision<'_>) -> Policy {
        let moves = decision.moves();
        let mut kept: u32 = (1 << moves.len()) - 1;
        for &principle in &self.chain {
            if kept.is_power_of_two() {
                break;
            }
            kept = self.filter(principle, decision, kept);
        }
        evenly(&moves, |at| kept >> at & 1 == 1)
    }
}

impl Principles {
    /// Returns those moves of `kept`, one bit for each move, that have most of `principle`.
    fn filter(&self, principle: Principle, decision: &Decision<'_>, kept: u32) -> u32 {
        let candidates = decision.afterstates().enumerate().filter(|(at, _)| kept >> at & 1 == 1);
        let merit = |(at, (action, after))| {
            (at, self.merit(principle, &Candidate { decision, action, after }))
        };
        let merits: ArrayVec<(usize, f64), MAX_MOVES> = candidates.map(merit).collect();
        let most = merits.iter().map(|&(_, merit)| merit).fold(f64::NEG_INFINITY, f64::max);
        let best = merits.iter().filter(|(_, merit)| *merit >= most);
        best.fold(0, |kept, (at, _)| kept | 1 << at)
    }
}
