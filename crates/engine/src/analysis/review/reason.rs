//! What is wrong with a move: a kind, a phase and a plain sentence.

use puabi_core::{Afterstate, Decision, Move, Player, Ply, Rules, Square, Tile};
use serde::Serialize;
use strum::VariantArray;

/// How far a game has gone, by the side that has travelled further.
///
/// ```
/// use puabi_engine::Phase;
/// assert_eq!(Phase::Opening.name(), "opening");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
#[derive(strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "lowercase")]
pub enum Phase {
    /// Neither side has travelled a third of its way.
    Opening,
    /// Neither side has travelled two thirds of its way.
    Middle,
    /// At least one side has travelled two thirds of its way.
    End,
}

impl Phase {
    /// All phases, in their order.
    pub const ALL: &[Self] = Self::VARIANTS;

    /// Returns the name.
    pub fn name(self) -> &'static str {
        self.into()
    }

    fn of(rules: &Rules, ply: &Ply) -> Self {
        let sides = [ply.before.mine(), ply.before.theirs()];
        let left = sides.map(|side| rules.pips(side)).into_iter().min().unwrap_or(0);
        let whole = rules.pips(rules.start().mine());
        match 3 * left {
            left if left > 2 * whole => Self::Opening,
            left if left > whole => Self::Middle,
            _ => Self::End,
        }
    }
}

/// The kind of a slip: the first of these that is true of the move played and not of the best move.
///
/// ```
/// use puabi_engine::Kind;
/// assert_eq!(Kind::MissedCapture.name(), "missed capture");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
#[derive(strum::IntoStaticStr, strum::VariantArray)]
pub enum Kind {
    /// Does not win at once.
    #[strum(serialize = "missed win")]
    MissedWin,
    /// Does not capture.
    #[strum(serialize = "missed capture")]
    MissedCapture,
    /// Does not land on a rosette.
    #[strum(serialize = "missed rosette")]
    MissedRosette,
    /// Leaves a rosette on which the piece is safe.
    #[strum(serialize = "left a rosette")]
    LeftRosette,
    /// Leaves pieces exposed to more captures.
    #[strum(serialize = "exposed a piece")]
    Exposed,
    /// Does not bring a piece home.
    #[strum(serialize = "missed bringing home")]
    MissedHome,
    /// Does not bring in a piece.
    #[strum(serialize = "missed entering")]
    MissedEntry,
    /// Moves another piece than the best move does.
    #[strum(serialize = "wrong piece")]
    OtherPiece,
}

impl Kind {
    /// All kinds, in the order in which they are checked.
    pub const ALL: &[Self] = Self::VARIANTS;

    /// Returns the name.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// What is wrong with a move.
///
/// ```
/// use puabi_engine::{Kind, Phase, Reason};
/// let sentence = "left the central rosette and cost 2.3 points".to_owned();
/// let reason = Reason { kind: Kind::LeftRosette, phase: Phase::Middle, hit: 0.31, best_hit: 0.0, sentence };
/// assert!(reason.hit > reason.best_hit);
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Reason {
    /// The kind of slip.
    pub kind: Kind,
    /// The phase of the game.
    pub phase: Phase,
    /// The chance that the opponent's next roll can hit a piece after the move.
    pub hit: f64,
    /// The same chance after the best move.
    pub best_hit: f64,
    /// The reason in words: a sentence without its subject, which is the move.
    pub sentence: String,
}

/// The smallest difference of the chance to be hit that counts as exposing a piece.
const EXPOSED: f64 = 0.05;

impl Reason {
    pub(super) fn new(decision: &Decision<'_>, ply: &Ply, best: Move, error: f64) -> Self {
        let seen = Seen { decision, player: ply.player };
        let (hit, best_hit) = (seen.hit(ply.action), seen.hit(best));
        let (kind, what) = seen.kind(ply.action, best, hit - best_hit);
        let risk = if (hit - best_hit).abs() >= EXPOSED {
            let [hit, best_hit] = [hit, best_hit].map(|chance| (chance * 100.0).round());
            format!(", could be hit by {hit} % of rolls instead of {best_hit} %")
        } else {
            String::new()
        };
        let sentence = format!("{what}{risk} and cost {:.1} points", error * 100.0);
        Self { kind, phase: Phase::of(decision.rules(), ply), hit, best_hit, sentence }
    }
}

/// A decision as its player sees it.
struct Seen<'a> {
    decision: &'a Decision<'a>,
    player: Player,
}

impl Seen<'_> {
    fn tile(&self, square: Square) -> Tile {
        self.decision.rules().tile(self.player, square)
    }

    fn kind(&self, played: Move, best: Move, hit: f64) -> (Kind, String) {
        let wins = |action| matches!(self.decision.play(action), Ok(Afterstate::Won));
        let captures = |action| self.decision.captures(action).is_some();
        let rosette = |square: Option<Square>| square.filter(|&square| self.is_of_use(square));
        let is_home = |action| matches!(action, Move::Score { .. });
        let is_entry = |action| matches!(action, Move::Enter { .. });
        if wins(best) {
            return (Kind::MissedWin, "did not win at once".to_owned());
        }
        if let Some(to) = best.to().filter(|_| captures(best) && !captures(played)) {
            return (Kind::MissedCapture, format!("did not take the piece on {}", self.tile(to)));
        }
        if let (Some(to), None) = (rosette(best.to()), rosette(played.to())) {
            return (Kind::MissedRosette, format!("did not land on {}", self.rosette(to)));
        }
        if let Some(from) = self.left(played).filter(|_| self.left(best).is_none()) {
            return (Kind::LeftRosette, format!("left {}", self.rosette(from)));
        }
        if hit >= EXPOSED {
            return (Kind::Exposed, "exposed a piece".to_owned());
        }
        if is_home(best) && !is_home(played) {
            return (Kind::MissedHome, "did not bring a piece home".to_owned());
        }
        if is_entry(best) && !is_entry(played) {
            return (Kind::MissedEntry, "did not bring in a piece".to_owned());
        }
        let best = best
            .from()
            .map_or("from the hand".to_owned(), |from| format!("on {}", self.tile(from)));
        (Kind::OtherPiece, format!("moved another piece than the one {best}"))
    }

    /// Returns the safe rosette on the opponent's way that a move leaves, if it leaves one.
    fn left(&self, action: Move) -> Option<Square> {
        action.from().filter(|&square| self.is_refuge(square))
    }

    /// Returns whether a square is a rosette that gives a roll or shelters a piece.
    fn is_of_use(&self, square: Square) -> bool {
        let rules = self.decision.rules();
        let grants = rules.rule_set().rosettes_grant_rolls && rules.rosettes().contains(square);
        grants || self.is_refuge(square)
    }

    /// Returns whether a square is a safe rosette on the opponent's way.
    fn is_refuge(&self, square: Square) -> bool {
        let rules = self.decision.rules();
        rules.rosettes().contains(square) && rules.is_safe(square) && !rules.is_private(square)
    }

    /// Returns the name of a rosette: "the central rosette" if it is the only one on a shared tile.
    fn rosette(&self, square: Square) -> String {
        let rules = self.decision.rules();
        let shared = rules.rosettes().iter().filter(|&it| !rules.is_private(it)).count();
        if shared == 1 && !rules.is_private(square) {
            "the central rosette".to_owned()
        } else {
            format!("the rosette {}", self.tile(square))
        }
    }

    /// Returns the chance that the opponent's next roll allows a capture.
    fn hit(&self, action: Move) -> f64 {
        let rules = self.decision.rules();
        let Ok(Afterstate::TurnPasses(position)) = self.decision.play(action) else { return 0.0 };
        let hits = |&&(roll, _): &&(puabi_core::Roll, f64)| {
            let answer = rules.decision(position, roll);
            answer.moves().iter().any(|&it| answer.captures(it).is_some())
        };
        // Not `sum`, whose result for no terms is -0.
        rules.rolls().iter().filter(hits).fold(0.0, |sum, (_, chance)| sum + chance)
    }
}
