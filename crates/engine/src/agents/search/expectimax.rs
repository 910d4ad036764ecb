//! A search to a fixed depth that leaves out the lines that cannot change its result.

use std::cell::RefCell;
use std::cmp::Reverse;

use arrayvec::ArrayVec;
use puabi_core::{Afterstate, Agent, Decision, Evaluator, Move, Policy, Position, Rules};
use rustc_hash::FxHashMap;

use crate::agents::search::appeal::appeal;
use crate::agents::thumb::simple::certainly;
use crate::analysis::move_values::{MAX_MOVES, move_values};

/// Moves whose values differ by no more than this are equal.
///
/// Sums in another order differ only by rounding, which is far smaller. So the pruned and the plain search agree on which moves
/// are equal.
const MARGIN: f64 = 1e-12;

/// Returns the move of the highest value; of several moves that are equal within [`MARGIN`], the one with the most [`appeal`].
///
/// `value` is given the afterstate and the best value so far. If the move is no better, it may return any number that is not
/// above that value.
pub(crate) fn most_valued(
    decision: &Decision<'_>,
    mut value: impl FnMut(Afterstate, f64) -> f64,
) -> Move {
    let moves = decision.moves();
    if moves.len() == 1 {
        return moves[0];
    }
    let mut best = (moves[0], f64::NEG_INFINITY);
    let mut afterstates: ArrayVec<_, MAX_MOVES> = decision.afterstates().collect();
    afterstates.sort_unstable_by_key(|&(action, _)| Reverse(appeal(decision, action)));
    for (action, after) in afterstates {
        let found = value(after, best.1);
        if found > best.1 + MARGIN {
            best = (action, found);
        }
    }
    best.0
}

/// Looks `depth` moves ahead, over its own moves, the opponent's and every roll between them, and plays the best move.
///
/// Two methods leave out lines that cannot change the choice: bounds that the rolls already seen put on the rest (Star1), and a
/// first look at one move for each roll (Star2; Ballard, "The *-minimax search procedure for trees containing chance nodes",
/// 1983). A search remembers the positions that it has met. The choice is that of a plain search.
///
/// ```
/// use puabi_core::{Agent, Roll, RuleSet};
/// use puabi_engine::{Expectimax, Pips};
///
/// let rules = RuleSet::FINKEL.compile()?;
/// let agent = Expectimax { depth: 2, leaf: Pips::new(&rules) };
/// let position = rules.position(&"6:7:L".parse()?)?;
/// let action = agent.choose(&rules.decision(position, Roll::new(1)), 0.0);
/// assert_eq!(action.to_string(), "6-7", "it captures");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Expectimax<E> {
    /// Moves to look ahead; 0 counts as 1.
    pub depth: u8,
    /// What judges the positions at the end.
    pub leaf: E,
}

impl<E: Evaluator> Agent for Expectimax<E> {
    fn policy(&self, decision: &Decision<'_>) -> Policy {
        certainly(decision, self.choose(decision, 0.0))
    }

    fn choose(&self, decision: &Decision<'_>, _: f64) -> Move {
        let search =
            Search { rules: decision.rules(), leaf: &self.leaf, known: RefCell::default() };
        most_valued(decision, |after, best| {
            search
                .after(after, self.depth.max(1) - 1, Window { low: best, high: f64::INFINITY })
                .number()
        })
    }
}

impl<E: Evaluator> Expectimax<E> {
    /// Finds the value of each position for the player about to roll, `depth` moves ahead from there.
    pub(crate) fn evaluate(&self, rules: &Rules, positions: &[Position], values: &mut [f64]) {
        let search = Search { rules, leaf: &self.leaf, known: RefCell::default() };
        for (&position, value) in positions.iter().zip(values) {
            *value = search.position(position, self.depth.max(1), Window::ALL).number();
        }
    }
}

/// The values between two bounds: those that can change the caller's result, or those that are possible.
#[derive(Debug, Clone, Copy)]
struct Window {
    low: f64,
    high: f64,
}

impl Window {
    const ALL: Self = Self { low: f64::NEG_INFINITY, high: f64::INFINITY };

    /// Returns the same window as the other player sees it.
    fn flipped(self) -> Self {
        Self { low: 1.0 - self.high, high: 1.0 - self.low }
    }
}

/// What a search found out about a value.
#[derive(Debug, Clone, Copy)]
enum Found {
    Exactly(f64),
    /// The value is at least this number, which is at or above the window.
    AtLeast(f64),
    /// The value is at most this number, which is at or below the window.
    AtMost(f64),
}

impl Found {
    fn number(self) -> f64 {
        match self {
            Self::Exactly(value) | Self::AtLeast(value) | Self::AtMost(value) => value,
        }
    }

    /// Moves a bound back to the edge of the window, if rounding has brought it inside by its last bit.
    fn outside(self, window: Window) -> Self {
        match self {
            Self::AtLeast(value) => Self::AtLeast(value.max(window.high)),
            Self::AtMost(value) => Self::AtMost(value.min(window.low)),
            exact @ Self::Exactly(_) => exact,
        }
    }

    /// Returns the same as the other player sees it.
    fn flipped(self) -> Self {
        match self {
            Self::Exactly(value) => Self::Exactly(1.0 - value),
            Self::AtLeast(value) => Self::AtMost(1.0 - value),
            Self::AtMost(value) => Self::AtLeast(1.0 - value),
        }
    }
}

impl Window {
    /// Returns what is known about a value after a search, if this window is what was known before.
    fn with(self, found: Found) -> Self {
        match found {
            Found::Exactly(value) => Self { low: value, high: value },
            Found::AtLeast(value) => Self { low: self.low.max(value), ..self },
            Found::AtMost(value) => Self { high: self.high.min(value), ..self },
        }
    }

    /// Returns the value, or the bound, that settles a search with `window`; `None` if too little is known.
    fn answer(self, window: Window) -> Option<Found> {
        if self.low >= self.high {
            Some(Found::Exactly(self.low))
        } else if self.low >= window.high {
            Some(Found::AtLeast(self.low))
        } else if self.high <= window.low {
            Some(Found::AtMost(self.high))
        } else {
            None
        }
    }
}

/// One search for one decision.
struct Search<'s, E> {
    rules: &'s Rules,
    leaf: &'s E,
    known: RefCell<FxHashMap<(Position, u8), Window>>,
}

impl<E: Evaluator> Search<'_, E> {
    /// Returns the value of an afterstate for the player who moved.
    fn after(&self, after: Afterstate, depth: u8, window: Window) -> Found {
        let found = match after {
            Afterstate::Won => Found::Exactly(1.0),
            Afterstate::RollsAgain(position) => self.position(position, depth, window),
            Afterstate::TurnPasses(position) => {
                self.position(position, depth, window.flipped()).flipped()
            }
        };
        found.outside(window)
    }

    /// Returns the value of a position before the roll.
    fn position(&self, position: Position, depth: u8, window: Window) -> Found {
        if depth == 0 {
            return Found::Exactly(self.leaf.value(position));
        }
        if depth == 1 {
            return self.rolls(position, depth, window, |_| 0.0);
        }
        let key = (position, depth);
        let known = self.known.borrow().get(&key).copied().unwrap_or(Window::ALL);
        if let Some(found) = known.answer(window) {
            return found;
        }
        let found = self.probed(position, depth, window);
        self.known.borrow_mut().insert(key, known.with(found));
        found
    }

    /// Star2: a first look at one move for each roll gives lower bounds, the floors, which may be enough already.
    fn probed(&self, position: Position, depth: u8, window: Window) -> Found {
        if window.high > 1.0 {
            return self.rolls(position, depth, window, |_| 0.0);
        }
        let mut floors = [0.0; MAX_ROLLS];
        let mut sum = 0.0;
        for (floor, &(roll, chance)) in floors.iter_mut().zip(self.rules.rolls()) {
            let decision = self.rules.decision(position, roll);
            let (_, after) = decision
                .afterstates()
                .max_by_key(|&(action, _)| appeal(&decision, action))
                .expect("a decision has at least one move");
            let enough = Window { low: f64::NEG_INFINITY, high: (window.high - sum) / chance };
            *floor = self.after(after, depth - 1, enough).number();
            sum += chance * *floor;
            if sum >= window.high {
                return Found::AtLeast(sum);
            }
        }
        self.rolls(position, depth, window, |at| floors[at])
    }

    /// Star1: computes the mean over the rolls, and stops as soon as the mean must lie outside the window. Each roll is worth at
    /// least its floor, and at most 1.
    fn rolls(
        &self,
        position: Position,
        depth: u8,
        window: Window,
        floor: impl Fn(usize) -> f64,
    ) -> Found {
        let rolls = self.rules.rolls();
        let mut floors: f64 = (0..).zip(rolls).map(|(at, &(_, chance))| chance * floor(at)).sum();
        let (mut sum, mut ceilings) = (0.0, 1.0);
        for (at, &(roll, chance)) in rolls.iter().enumerate() {
            floors -= chance * floor(at);
            ceilings -= chance;
            let asked = Window {
                low: (window.low - sum - ceilings) / chance,
                high: (window.high - sum - floors) / chance,
            };
            match self.best(&self.rules.decision(position, roll), depth, asked) {
                Found::Exactly(value) if value < asked.high && value > asked.low => {
                    sum += chance * value;
                }
                Found::Exactly(value) if at + 1 == rolls.len() => {
                    return Found::Exactly(sum + chance * value);
                }
                found if found.number() >= asked.high => {
                    return Found::AtLeast(sum + chance * found.number() + floors);
                }
                found => return Found::AtMost(sum + chance * found.number() + ceilings),
            }
        }
        Found::Exactly(sum)
    }

    /// Returns the value of the best move of a decision.
    fn best(&self, decision: &Decision<'_>, depth: u8, window: Window) -> Found {
        if depth == 1 {
            let moves = move_values(decision, self.leaf);
            return Found::Exactly(moves.iter().map(|it| it.value).fold(0.0, f64::max));
        }
        let mut best = Found::AtMost(f64::NEG_INFINITY);
        for (_, after) in decision.afterstates() {
            let low = window.low.max(best.number());
            let found = self.after(after, depth - 1, Window { low, ..window });
            if found.number() > best.number() {
                best = found;
            }
            if best.number() >= window.high {
                return Found::AtLeast(best.number());
            }
        }
        best
    }
}

/// The largest number of different rolls: 0 to [`Dice::MAX_ROLL`](puabi_core::Dice::MAX_ROLL).
const MAX_ROLLS: usize = puabi_core::Dice::MAX_ROLL as usize + 1;
