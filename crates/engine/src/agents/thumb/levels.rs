//! Nine levels of a heuristic player, by rules that a table lists.
//!
//! The heuristic is V. Chelnokov's for the Forgotten Game of Ur (Habr, post 225631, 2014), published there as three segments of
//! rules of weight 0.5, 0.3 and 0.2. If a game has no camp, in which several pieces wait out of reach, other squares stand in for
//! it: `docs/notation.md` lists them.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use arrayvec::ArrayVec;
use puabi_core::{Agent, Decision, Move, Policy, Rules, Side, Square, Squares};

use crate::agents::thumb::exposure::{
    board_after, camp_posts, capture_chance, private_end, safe_rosettes, shared_camps,
};
use crate::agents::thumb::simple::{evenly, origin};
use crate::agents::thumb::unfit::UnfitError;
use crate::analysis::move_values::MAX_MOVES;

/// A level of the heuristic player, 1 to 9.
///
/// ```
/// use puabi_engine::Level;
/// let level: Level = "7".parse()?;
/// assert_eq!(level.to_string(), "7");
/// assert!("10".parse::<Level>().is_err());
/// # Ok::<(), puabi_engine::LevelError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Level(u8);

impl Level {
    /// The highest level.
    pub const HIGHEST: Self = Self(9);

    /// Returns all levels, the weakest first.
    pub fn all() -> impl Iterator<Item = Self> {
        (1..=Self::HIGHEST.0).map(Self)
    }

    /// Returns the level of this number, 1 to 9.
    pub(crate) const fn at(number: u8) -> Self {
        debug_assert!(number >= 1 && number <= Self::HIGHEST.0);
        Self(number)
    }

    /// Returns the highest level that these rules have the squares for.
    pub fn highest(rules: &Rules) -> Self {
        LevelSquares::of(rules).lacking().map_or(Self::HIGHEST, |(highest, _)| highest)
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The error of a text that is not a level.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a level: expected 1 to 9")]
pub struct LevelError(String);

impl FromStr for Level {
    type Err = LevelError;

    fn from_str(text: &str) -> Result<Self, LevelError> {
        let level = Self::all().find(|level| level.to_string() == text);
        level.ok_or_else(|| LevelError(text.to_owned()))
    }
}

/// Plays by the rules of its level: the first rule that has a move decides. A [`Manner::Humanised`] player sometimes overlooks
/// the first segments of rules.
///
/// ```
/// use puabi_core::{Agent, Roll, RuleSet};
/// use puabi_engine::{LevelPlayer, Manner};
///
/// let rules = RuleSet::SKIRIUK_PATH.compile()?;
/// let position = rules.position(&"5,8:6,9:L".parse()?)?;
/// let decision = rules.decision(position, Roll::new(1));
/// let chosen = |level: &str| -> Result<_, Box<dyn std::error::Error>> {
///     Ok(LevelPlayer::new(&rules, level.parse()?, Manner::Strict)?.choose(&decision, 0.5))
/// };
/// // Level 4 captures with the foremost piece, level 5 with the hindmost.
/// assert_eq!((chosen("4")?.to_string(), chosen("5")?.to_string()), ("8-9".into(), "5-6".into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct LevelPlayer {
    level: Level,
    manner: Manner,
    squares: LevelSquares,
}

/// The squares that the rules of the two highest levels are about.
#[derive(Debug, Clone, Copy)]
struct LevelSquares {
    safe_shared: Squares,
    private_end: Squares,
}

impl LevelSquares {
    fn of(rules: &Rules) -> Self {
        let (camps, posts) = (shared_camps(rules), camp_posts(rules));
        Self {
            safe_shared: if camps.is_empty() { safe_rosettes(rules) } else { camps },
            private_end: if posts.is_empty() { private_end(rules) } else { posts },
        }
    }

    /// Returns the highest level that is possible, and the squares that the next one would need; `None` if all levels are possible.
    fn lacking(self) -> Option<(Level, &'static str)> {
        if self.safe_shared.is_empty() {
            Some((Level(7), "a camp or a safe rosette that both players cross"))
        } else if self.private_end.is_empty() {
            Some((Level(8), "private squares at the end of the path"))
        } else {
            None
        }
    }
}

/// How strictly a player keeps to its rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Manner {
    /// The first rule that has a move decides.
    Strict,
    /// The first rule that has a move decides, but the rules begin at a random segment: the first with chance 0.5, the second
    /// with 0.3, the third with 0.2.
    Humanised,
}

impl LevelPlayer {
    /// Returns the player of a level under these rules.
    ///
    /// # Errors
    ///
    /// Returns an error if the rules lack the squares that the level is about.
    pub fn new(rules: &Rules, level: Level, manner: Manner) -> Result<Self, UnfitError> {
        let squares = LevelSquares::of(rules);
        match squares.lacking() {
            Some((highest, what)) if level > highest => Err(UnfitError::new(
                rules.rule_set(),
                format!("{}:{level}", if manner == Manner::Strict { "level" } else { "humanised" }),
                format!("{what}; levels 1 to {highest} are available"),
            )),
            _ => Ok(Self { level, manner, squares }),
        }
    }

    /// Returns the moves, as one bit for each, that the rules from the segment `first` on choose among.
    fn choice(&self, options: &[Candidate<'_, '_>], first: usize) -> u32 {
        let rules = SEGMENTS[first..].iter().copied().flatten();
        let mut choices =
            rules.filter(|rule| rule.0.contains(&self.level.0)).map(|rule| rule.pick(options));
        choices.find(|&kept| kept != 0).expect("the last rule of each level keeps every move")
    }
}

impl Agent for LevelPlayer {
    fn policy(&self, decision: &Decision<'_>) -> Policy {
        let moves = decision.moves();
        if moves.len() == 1 {
            return Policy::from_iter([1.0]);
        }
        let candidate = |&action| Candidate { agent: self, decision, action };
        let candidates: ArrayVec<_, MAX_MOVES> = moves.iter().map(candidate).collect();
        let from = |first| {
            let kept = self.choice(&candidates, first);
            evenly(&moves, |at| kept >> at & 1 == 1)
        };
        match self.manner {
            Manner::Strict => from(0),
            Manner::Humanised => {
                let parts = WEIGHTS.iter().enumerate().map(|(at, weight)| (weight, from(at)));
                parts.fold(moves.iter().map(|_| 0.0).collect(), |sum: Policy, (weight, part)| {
                    sum.iter().zip(&part).map(|(sum, chance)| sum + weight * chance).collect()
                })
            }
        }
    }
}

/// A legal move as the rules of the levels see it.
#[derive(Debug, Clone, Copy)]
struct Candidate<'d, 'r> {
    agent: &'d LevelPlayer,
    decision: &'d Decision<'r>,
    action: Move,
}

// The conditions that rules put on a move are functions, so that a table can name them.

fn any(_: &Candidate<'_, '_>) -> bool {
    true
}

fn lands_on(option: &Candidate<'_, '_>, squares: Squares) -> bool {
    option.action.to().is_some_and(|to| squares.contains(to))
}

fn leaves(option: &Candidate<'_, '_>, squares: Squares) -> bool {
    option.action.from().is_some_and(|from| squares.contains(from))
}

fn lands_on_rosette(option: &Candidate<'_, '_>) -> bool {
    lands_on(option, option.decision.rules().rosettes())
}

fn captures(option: &Candidate<'_, '_>) -> bool {
    option.decision.captures(option.action).is_some()
}

/// Returns whether the move captures a veteran. If pieces do not turn, a piece that crosses a tile of its path for the second
/// time counts as one.
fn captures_veteran(option: &Candidate<'_, '_>) -> bool {
    let rules = option.decision.rules();
    let is_second =
        |square| rules.own_on_same_tile(square).first().is_some_and(|twin| twin < square);
    let veteran = |square: Square| match rules.rule_set().turning {
        Some(_) => rules.veterans().contains(square),
        None => is_second(square),
    };
    option.decision.captures(option.action).is_some_and(veteran)
}

/// Returns whether the move lands on an empty safe shared square.
fn takes_safe_shared(option: &Candidate<'_, '_>) -> bool {
    lands_on(option, option.agent.squares.safe_shared)
        && option.action.to().is_some_and(|to| held(option, to) == [0, 0])
}

/// Returns whether the move does not take the player's last piece off a safe shared square.
fn keeps_safe_shared(option: &Candidate<'_, '_>) -> bool {
    let is_last = |from| held(option, from)[0] == 1;
    !leaves(option, option.agent.squares.safe_shared) || !option.action.from().is_some_and(is_last)
}

/// Returns the number of the player's pieces on the tile of a square, and the number of the opponent's.
fn held(option: &Candidate<'_, '_>, square: Square) -> [u8; 2] {
    let (rules, position) = (option.decision.rules(), option.decision.position());
    let count = |side: Side, squares: Squares| squares.iter().map(|it| side.count(it)).sum();
    let (own, met) =
        (rules.own_on_same_tile(square).with(square), rules.theirs_on_same_tile(square));
    [count(position.mine(), own), count(position.theirs(), met)]
}

/// Returns whether the move puts a piece on top of one of the opponent's, which then cannot move.
fn blocks(option: &Candidate<'_, '_>) -> bool {
    option.decision.covers(option.action).is_some()
}

fn enters_private_end(option: &Candidate<'_, '_>) -> bool {
    lands_on(option, option.agent.squares.private_end)
}

fn keeps_both(option: &Candidate<'_, '_>) -> bool {
    keeps_safe_shared(option) && !leaves(option, option.agent.squares.private_end)
}

fn scores(option: &Candidate<'_, '_>) -> bool {
    matches!(option.action, Move::Score { .. })
}

/// Returns whether the move enters a piece while the player has no piece on the first four squares.
fn enters_empty_front(option: &Candidate<'_, '_>) -> bool {
    let front = option.decision.position().mine().squares() & Squares::range(1, 4);
    matches!(option.action, Move::Enter { .. }) && front.is_empty()
}

/// Returns whether the opponent cannot capture the moved piece with one roll.
fn is_safe(option: &Candidate<'_, '_>) -> bool {
    let after = option.decision.play(option.action).ok().and_then(board_after);
    let (Some(board), Some(to)) = (after, option.action.to()) else { return true };
    capture_chance(option.decision.rules(), board.flipped(), Squares::EMPTY.with(to)) <= 0.0
}

/// A rule: the levels that have it, the moves that it is about, and which of these moves to play.
struct Rule(RangeInclusive<u8>, fn(&Candidate<'_, '_>) -> bool, Pick);

/// The choice among several moves, by how far from the start the piece stands.
#[derive(Debug, Clone, Copy)]
enum Pick {
    Nearest,
    Farthest,
    /// Any, each equally often.
    Any,
}

impl Rule {
    /// Returns the moves, as one bit for each, that the rule chooses among; 0 if it is about none of them.
    fn pick(&self, options: &[Candidate<'_, '_>]) -> u32 {
        let Self(_, wish, pick) = self;
        let wished = options.iter().enumerate().filter(|(_, option)| wish(option));
        let place = |&(_, option): &(usize, &Candidate<'_, '_>)| origin(option.action);
        let chosen = match pick {
            Pick::Any => return wished.fold(0, |kept, (at, _)| kept | 1 << at),
            Pick::Nearest => wished.min_by_key(place),
            Pick::Farthest => wished.max_by_key(place),
        };
        chosen.map_or(0, |(at, _)| 1 << at)
    }
}

/// The chance that a humanised player begins at each segment.
const WEIGHTS: [f64; 3] = [0.5, 0.3, 0.2];

/// The rules in their order, one list for each segment.
const SEGMENTS: [&[Rule]; 3] = [
    &[
        Rule(3..=7, lands_on_rosette, Pick::Farthest),
        Rule(8..=9, |option| lands_on_rosette(option) && keeps_safe_shared(option), Pick::Farthest),
    ],
    &[
        Rule(5..=9, captures_veteran, Pick::Farthest),
        Rule(5..=9, captures, Pick::Nearest),
        Rule(4..=4, captures, Pick::Farthest),
        Rule(8..=9, takes_safe_shared, Pick::Farthest),
        Rule(9..=9, enters_private_end, Pick::Farthest),
        Rule(6..=9, scores, Pick::Farthest),
        Rule(5..=9, enters_empty_front, Pick::Any),
        Rule(4..=9, blocks, Pick::Any),
    ],
    &[
        Rule(7..=7, is_safe, Pick::Any),
        Rule(2..=7, any, Pick::Farthest),
        Rule(1..=1, any, Pick::Any),
        Rule(8..=8, |option| is_safe(option) && keeps_safe_shared(option), Pick::Farthest),
        Rule(8..=8, keeps_safe_shared, Pick::Farthest),
        Rule(9..=9, |option| is_safe(option) && keeps_both(option), Pick::Farthest),
        Rule(9..=9, keeps_both, Pick::Farthest),
        Rule(8..=9, any, Pick::Any),
    ],
];
