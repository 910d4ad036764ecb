//! The arithmetic of a brain: it adds up rows of the matrix, in a layout that lets compilers use vector instructions.

use arrayvec::ArrayVec;
use puabi_core::{Decision, Move, Rules, Side, Square};

use super::grid::Grid;
use crate::analysis::move_values::MAX_MOVES;

/// The number of counts for which a row is kept: 0 to 15 pieces in hand or home.
const COUNTS: usize = 16;

/// The matrix of a brain in the layout that is fastest to evaluate.
///
/// Let x be the counts of the places, t the turn's row and S the matrix made symmetric (twice the weight on the diagonal). Then
/// the score is x·Sx/2 - t·x - corner. To find it, the rows of S of the occupied places are added up. That takes no
/// multiplication, because weights are widened to 32 bits, and the rows of hand and home are kept ready for each count. The sum
/// gives the *potential* Sx - 2t of every place, as charges give one to a point in space. The score is half of the sum of the
/// potentials of all pieces, less the corner. A piece that goes from one place to another changes the score by the difference of
/// the two potentials and a number that depends on the two places alone. So the moves of a decision are compared without adding up
/// anything again. If all of them pass the turn on, or all keep it, neither the score before the move nor the potentials that no
/// move needs are computed.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Sums {
    /// Paths of at most 14 squares.
    Short(Box<Rows<16>>),
    /// Paths of at most 22 squares.
    Middle(Box<Rows<24>>),
    /// All others.
    Long(Box<Rows<40>>),
}

/// Rows padded to `S` columns a side.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Rows<const S: usize> {
    home: usize,
    pieces: u8,
    goal: u8,
    has_stacks: bool,
    /// What a side's hand adds to the potentials, by its count. From what dark's hand adds, twice the turn's row is subtracted.
    hands: [[Row<S>; COUNTS]; 2],
    /// What a side's home adds to the potentials, by its count.
    homes: [[Row<S>; COUNTS]; 2],
    /// What a piece of a side in a place adds to the potentials.
    places: [[Row<S>; S]; 2],
    /// The part of the change of the score that the potentials lack, if a piece of a side goes from one place to another.
    step_terms: [[[i32; S]; S]; 2],
    corner: i32,
}

/// The columns of a row: those of light and those of dark.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Row<const S: usize>([[i32; S]; 2]);

/// The pieces of a side as places: their counts in hand and home, and the squares of the others.
#[derive(Debug, Clone, Copy)]
struct Places {
    side: Side,
    hand: usize,
    home: usize,
}

/// The two sides of a board: light is about to roll.
const LIGHT: usize = 0;
const DARK: usize = 1;

impl Sums {
    pub(super) fn new(grid: &Grid, rules: &Rules) -> Self {
        match grid.length() {
            0..=14 => Self::Short(Rows::new(grid, rules).into()),
            15..=22 => Self::Middle(Rows::new(grid, rules).into()),
            _ => Self::Long(Rows::new(grid, rules).into()),
        }
    }

    /// Returns the score of `mine` about to roll against `theirs`.
    #[inline]
    pub(super) fn score(&self, mine: Side, theirs: Side) -> i32 {
        match self {
            Self::Short(rows) => rows.score(mine, theirs),
            Self::Middle(rows) => rows.score(mine, theirs),
            Self::Long(rows) => rows.score(mine, theirs),
        }
    }

    /// Returns the move after which the score is best for the mover, the first of several equal ones.
    #[inline]
    pub(super) fn best(&self, decision: &Decision<'_>) -> Move {
        match self {
            Self::Short(rows) => rows.best(decision),
            Self::Middle(rows) => rows.best(decision),
            Self::Long(rows) => rows.best(decision),
        }
    }
}

impl<const S: usize> Rows<S> {
    fn new(grid: &Grid, rules: &Rules) -> Self {
        let side = Grid::side_of(grid.length());
        let home = side - 1;
        let zero = Row([[0; S]; 2]);
        let mut rows = Self {
            home,
            pieces: rules.pieces(),
            goal: rules.goal(),
            has_stacks: rules.has_stacks(),
            hands: [[zero; COUNTS]; 2],
            homes: [[zero; COUNTS]; 2],
            places: [[zero; S]; 2],
            step_terms: [[[0; S]; S]; 2],
            corner: grid.get(2 * side, 2 * side).into(),
        };
        let turn = Row::of(|column| grid.get(2 * side, column).into(), side);
        for player in [LIGHT, DARK] {
            let of = |place| Row::of(|column| symmetric(grid, player * side + place, column), side);
            for place in 0..side {
                rows.places[player][place] = of(place);
            }
            for count in 0..COUNTS {
                let taken = if player == DARK { turn.times(2) } else { zero };
                rows.hands[player][count] = of(0).times(count).less(&taken);
                rows.homes[player][count] = of(home).times(count);
            }
            rows.step_terms[player] = step_terms(grid, player * side, &turn.0[player]);
        }
        rows
    }

    fn score(&self, mine: Side, theirs: Side) -> i32 {
        let places = [mine, theirs].map(|side| self.places(side));
        self.total(&self.potentials(places), places)
    }

    fn best(&self, decision: &Decision<'_>) -> Move {
        let moves = decision.moves();
        if moves.len() == 1 {
            return moves[0];
        }
        let position = decision.position();
        let [mine, theirs] = [position.mine(), position.theirs()];
        // `passed` is the board as the opponent sees it, who rolls next after most moves. `kept` is the board as the mover sees
        // it, for moves that grant another roll.
        let mut passed = View::new(self, [theirs, mine], DARK);
        let mut kept = View::new(self, [mine, theirs], LIGHT);
        let again: ArrayVec<bool, MAX_MOVES> =
            moves.iter().map(|&action| decision.rolls_again(action)).collect();
        // The changes of the score are enough to compare moves, unless some keep the turn and others do not.
        let is_mixed = again.iter().any(|&next| next != again[0]);
        let [kept_score, passed_score] =
            if is_mixed { [kept.score(), passed.score()] } else { [0; 2] };
        let mut lead = |at: usize| {
            let action = moves[at];
            if matches!(action, Move::Score { .. }) && mine.score() + 1 == self.goal {
                i32::MAX
            } else if again[at] {
                kept_score + kept.change(decision, action)
            } else {
                -(passed_score + passed.change(decision, action))
            }
        };
        let first = (0, lead(0));
        let best = (1..moves.len()).map(|at| (at, lead(at)));
        moves[best.fold(first, |best, next| if next.1 > best.1 { next } else { best }).0]
    }

    #[inline]
    fn places(&self, side: Side) -> Places {
        let home = usize::from(side.score()) % COUNTS;
        let hand = usize::from(self.pieces - side.score() - side.on_board()) % COUNTS;
        Places { side, hand, home }
    }

    /// Returns the potential of every place.
    #[inline]
    fn potentials(&self, places: [Places; 2]) -> Row<S> {
        Row([LIGHT, DARK].map(|columns| self.half(columns, places)))
    }

    /// Returns the potentials of the places of one side.
    #[inline]
    fn half(&self, columns: usize, [light, dark]: [Places; 2]) -> [i32; S] {
        let hands = [&self.hands[LIGHT][light.hand], &self.hands[DARK][dark.hand]];
        let homes = [&self.homes[LIGHT][light.home], &self.homes[DARK][dark.home]];
        let mut sum = plus(&hands[LIGHT].0[columns], &hands[DARK].0[columns]);
        sum = plus(&sum, &plus(&homes[LIGHT].0[columns], &homes[DARK].0[columns]));
        for (rows, Places { side, .. }) in self.places.iter().zip([light, dark]) {
            for square in side.squares().iter() {
                sum = plus(&sum, &rows[at(square) % S].0[columns]);
            }
            if self.has_stacks {
                for square in beyond(side) {
                    sum = plus(&sum, &rows[at(square) % S].0[columns]);
                }
            }
        }
        sum
    }

    /// Returns the score, given the potentials.
    #[inline]
    #[expect(clippy::cast_possible_truncation, clippy::cast_possible_wrap, reason = "at most 15")]
    fn total(&self, potentials: &Row<S>, places: [Places; 2]) -> i32 {
        let mut twice = 0;
        for (potentials, Places { side, hand, home }) in potentials.0.iter().zip(places) {
            twice += potentials[0] * hand as i32 + potentials[self.home % S] * home as i32;
            twice += side.squares().iter().map(|square| potentials[at(square) % S]).sum::<i32>();
            if self.has_stacks {
                twice += beyond(side).map(|square| potentials[at(square) % S]).sum::<i32>();
            }
        }
        twice / 2 - self.corner
    }
}

/// A board as one of the players sees it, ready for moves.
struct View<'r, const S: usize> {
    rows: &'r Rows<S>,
    places: [Places; 2],
    /// The potentials of light's places and of dark's, computed on first use.
    potentials: [Option<[i32; S]>; 2],
    /// The side that moves, light or dark.
    mover: usize,
}

impl<'r, const S: usize> View<'r, S> {
    #[inline]
    fn new(rows: &'r Rows<S>, sides: [Side; 2], mover: usize) -> Self {
        Self { rows, places: sides.map(|side| rows.places(side)), potentials: [None; 2], mover }
    }

    #[inline]
    fn potentials(&mut self, player: usize) -> &[i32; S] {
        let (rows, places) = (self.rows, self.places);
        self.potentials[player].get_or_insert_with(|| rows.half(player, places))
    }

    /// Returns the score, for light.
    fn score(&mut self) -> i32 {
        let potentials = Row([LIGHT, DARK].map(|player| *self.potentials(player)));
        self.rows.total(&potentials, self.places)
    }

    /// Returns the change of the score by a move.
    #[inline]
    fn change(&mut self, decision: &Decision<'_>, action: Move) -> i32 {
        let from = action.from().map_or(0, at) % S;
        let to = match action {
            Move::Pass => 0,
            Move::Score { .. } => self.rows.home % S,
            Move::Enter { to } | Move::Advance { to, .. } => at(to) % S,
        };
        let shift = self.shift(self.mover, from, to);
        let Some(captured) = decision.captures(action) else { return shift };
        let (prey, other) = (at(captured) % S, 1 - self.mover);
        // The moved piece also changes the potentials of both places of the captured one.
        let weight = |place: usize, on: usize| self.rows.places[self.mover][place].0[other][on];
        let pairs = weight(to, 0) - weight(to, prey) - weight(from, 0) + weight(from, prey);
        shift + self.shift(other, prey, 0) + pairs
    }

    /// Returns the change of the score if a piece goes from one place to another.
    #[inline]
    fn shift(&mut self, player: usize, from: usize, to: usize) -> i32 {
        let step_term = self.rows.step_terms[player][from][to];
        let potentials = self.potentials(player);
        potentials[to] - potentials[from] + step_term
    }
}

/// Returns the weight of two places with each other, or twice the weight of a place with itself.
fn symmetric(grid: &Grid, row: usize, column: usize) -> i32 {
    let weight: i32 = grid.get(row.max(column), row.min(column)).into();
    if row == column { 2 * weight } else { weight }
}

/// Returns the part of the change of the score that the potentials lack, for the side whose places begin at `first`. It is half of
/// the quadratic term of the step, and the turn's weights once, since the potentials hold them twice.
fn step_terms<const S: usize>(grid: &Grid, first: usize, turn: &[i32; S]) -> [[i32; S]; S] {
    let side = Grid::side_of(grid.length());
    let weight = |a: usize, b: usize| symmetric(grid, first + a, first + b);
    let step_term = |from: usize, to: usize| {
        let square = weight(from, from) + weight(to, to) - 2 * weight(from, to);
        square / 2 + turn[to] - turn[from]
    };
    let inside = |from, to| if from < side && to < side { step_term(from, to) } else { 0 };
    std::array::from_fn(|from| std::array::from_fn(|to| inside(from, to)))
}

impl<const S: usize> Row<S> {
    /// Returns the row with `side` columns of light and of dark.
    fn of(weight: impl Fn(usize) -> i32, side: usize) -> Self {
        let column = |player, c| if c < side { weight(player * side + c) } else { 0 };
        Self([LIGHT, DARK].map(|player| std::array::from_fn(|c| column(player, c))))
    }

    #[expect(clippy::cast_possible_truncation, clippy::cast_possible_wrap, reason = "at most 15")]
    fn times(&self, count: usize) -> Self {
        Self(self.0.map(|columns| columns.map(|weight| weight * count as i32)))
    }

    fn less(&self, other: &Self) -> Self {
        let of = |player: usize| std::array::from_fn(|c| self.0[player][c] - other.0[player][c]);
        Self([of(LIGHT), of(DARK)])
    }
}

#[inline]
fn plus<const S: usize>(first: &[i32; S], second: &[i32; S]) -> [i32; S] {
    std::array::from_fn(|c| first[c] + second[c])
}

/// Returns the place of a square.
#[inline]
fn at(square: Square) -> usize {
    usize::from(square.number())
}

/// Returns the squares of the pieces in stacks, without one piece of each stack: each square comes once less than it has pieces.
fn beyond(side: Side) -> impl Iterator<Item = Square> {
    let squares = side.squares().iter();
    squares.flat_map(move |square| (1..side.count(square)).map(move |_| square))
}
