//! How to begin a game so that neither player has an edge.

use std::fmt;

use puabi_core::{Dice, Evaluator, Player, Position, Roll, RuleSet, Rules, Square};
use serde::{Serialize, Serializer};

/// A way to begin a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Opening {
    /// As the rules have it.
    AsRuled,
    /// The first throw is one of this many dice. A throw of nothing counts one more than there are dice if it counts
    /// more than nothing in the game.
    Throw(u8),
    /// A piece of the second player stands on this square of its path.
    Ahead(Square),
    /// A piece of the second player is home.
    Home,
    /// The second player may take the first one's place once the first throw is known.
    SwapAfterThrow,
    /// The second player may take the first one's place after the first move, which the first player chooses knowing
    /// that.
    SwapAfterMove,
}

/// A way to begin a game, and what it is worth to the player who begins.
///
/// ```
/// use puabi_core::RuleSet;
/// use puabi_solve::{Options, Solver, Unattended};
/// use puabi_study::{OpeningValue, Opening};
///
/// let rules = RuleSet::FINKEL.with_pieces(2).compile()?;
/// let (values, _) = Solver::new(&rules, Options::default())?.solve(&Unattended, &Unattended)?;
/// let found = OpeningValue::all(&rules, &values);
/// let edge = |opening| found.iter().find(|it| it.opening == opening).unwrap().first - 0.5;
/// assert!(edge(Opening::AsRuled) > edge(Opening::Throw(2)) && edge(Opening::SwapAfterThrow) < 0.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct OpeningValue {
    /// How the game begins.
    pub opening: Opening,
    /// The chance (0..=1) of the player who makes the first throw, both playing perfectly from then on.
    pub first: f64,
}

impl OpeningValue {
    /// Returns every way to begin a game of these rules, the fairest first; `values` are those of the solved game.
    ///
    /// A piece ahead stands on one of the squares that only its owner crosses, at the beginning of the path.
    pub fn all(rules: &Rules, values: &dyn Evaluator) -> Vec<Self> {
        let start = Start { rules, values };
        let openings = [Opening::AsRuled, Opening::SwapAfterThrow, Opening::SwapAfterMove]
            .into_iter()
            .chain(throws(rules))
            .chain(own_squares(rules).map(Opening::Ahead))
            .chain((rules.goal() > 1).then_some(Opening::Home));
        let first = |opening| start.first(opening).map(|first| Self { opening, first });
        let mut found: Vec<_> = openings.filter_map(first).collect();
        found.sort_by(|a, b| (a.first - 0.5).abs().total_cmp(&(b.first - 0.5).abs()));
        found
    }
}

/// Returns the throws of one to four dice that are not the game's own.
fn throws(rules: &Rules) -> impl Iterator<Item = Opening> {
    let RuleSet { dice, first_roll, .. } = rules.rule_set();
    let own = if first_roll.is_none() { dice.count() } else { 0 };
    (1..=4).filter(move |&count| count != own).map(Opening::Throw)
}

/// Returns the squares at the beginning of a path that the other player's path does not cross.
fn own_squares(rules: &Rules) -> impl Iterator<Item = Square> {
    let [light, dark] = Player::BOTH.map(|player| rules.board().path(player));
    (1..)
        .zip(dark)
        .take_while(|(_, tile)| !light.contains(tile))
        .filter_map(|(number, _)| Square::new(number))
}

/// The start of a game whose values are known.
struct Start<'a> {
    rules: &'a Rules,
    values: &'a dyn Evaluator,
}

impl Start<'_> {
    /// Returns the chance of the player who begins; `None` if the rules forbid such a start.
    fn first(&self, opening: Opening) -> Option<f64> {
        let value = |position| self.values.value(position);
        Some(match opening {
            Opening::AsRuled => self.rules.start_value(value),
            Opening::Throw(count) => {
                let game = self.rules.rule_set().dice;
                let dice = Dice::new(count, if game.zero_as() > 0 { count + 1 } else { 0 })?;
                dice.rolls().map(|(roll, chance)| chance * self.with(roll)).sum()
            }
            Opening::Ahead(square) => {
                self.from(self.position(&format!("-:{}:L", square.number()))?)
            }
            Opening::Home => self.from(self.position("-:+1:L")?),
            Opening::SwapAfterThrow => self.mean(|roll| {
                let first = self.with(roll);
                first.min(1.0 - first)
            }),
            Opening::SwapAfterMove => self.mean(|roll| {
                let decision = self.rules.decision(self.rules.start(), roll);
                let chances = decision.afterstates().map(|(_, after)| after.value(value));
                chances.map(|first| first.min(1.0 - first)).fold(0.0, f64::max)
            }),
        })
    }

    /// Returns the first player's chance from a position, with the first roll if the rules give it.
    fn from(&self, position: Position) -> f64 {
        match self.rules.rule_set().first_roll {
            Some(roll) => self.after(position, roll),
            None => self.values.value(position),
        }
    }

    /// Returns the first player's chance with this roll.
    fn with(&self, roll: Roll) -> f64 {
        self.after(self.rules.start(), roll)
    }

    fn after(&self, position: Position, roll: Roll) -> f64 {
        self.rules.decision(position, roll).best_value(|position| self.values.value(position))
    }

    /// Returns the mean over the rolls of the game's dice, or what the roll that the rules give is worth.
    fn mean(&self, worth: impl Fn(Roll) -> f64) -> f64 {
        if let Some(roll) = self.rules.rule_set().first_roll {
            return worth(roll);
        }
        self.rules.rolls().iter().map(|&(roll, chance)| chance * worth(roll)).sum()
    }

    fn position(&self, text: &str) -> Option<Position> {
        self.rules.position(&text.parse().ok()?).ok()
    }
}

impl fmt::Display for Opening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AsRuled => f.pad("as the rules have it"),
            Self::Throw(1) => f.pad("the first throw with one die"),
            Self::Throw(count) => f.pad(&format!("the first throw with {count} dice")),
            Self::Ahead(square) => {
                f.pad(&format!("a piece of the second player on square {}", square.number()))
            }
            Self::Home => f.pad("a piece of the second player home"),
            Self::SwapAfterThrow => f.pad("the second player may swap after the first throw"),
            Self::SwapAfterMove => f.pad("the second player may swap after the first move"),
        }
    }
}

impl Serialize for Opening {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
