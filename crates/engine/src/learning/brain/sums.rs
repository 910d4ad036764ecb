//! The arithmetic of a brain: rows of the matrix added up, laid out so that compilers make vectors of it.

use puabi_core::Side;

use super::grid::Grid;

/// Counts that a row is kept for: 0 to 15 pieces in hand or home.
const COUNTS: usize = 16;

/// The matrix of a brain in the layout that is fastest to evaluate.
///
/// The score is the sum over rows of (count of the row) x (row times counts). The rows of the occupied places are added
/// up first, which takes no multiplication: weights are widened to 32 bits, and the rows of hand and home are kept
/// ready for each count. Only the sums of occupied columns are looked at then.
#[derive(Debug, Clone)]
pub(super) enum Sums {
    /// Paths of at most 14 squares.
    Short(Box<Rows<16>>),
    /// Paths of at most 22 squares.
    Middle(Box<Rows<24>>),
    /// All others.
    Long(Box<Rows<40>>),
}

/// Rows padded to `S` columns a side.
#[derive(Debug, Clone)]
pub(super) struct Rows<const S: usize> {
    home: usize,
    pieces: u8,
    /// What a side's hand adds, by its count; the turn's row is taken off dark's.
    hands: [[Row<S>; COUNTS]; 2],
    /// What a side's home adds, by its count.
    homes: [[Row<S>; COUNTS]; 2],
    /// What a square of a side adds.
    squares: [[Row<S>; S]; 2],
    corner: i32,
}

/// A row's columns of light and of dark.
#[derive(Debug, Clone, Copy)]
struct Row<const S: usize> {
    light: [i32; S],
    dark: [i32; S],
}

impl Sums {
    pub(super) fn new(grid: &Grid, pieces: u8) -> Self {
        match grid.length() {
            0..=14 => Self::Short(Rows::new(grid, pieces).into()),
            15..=22 => Self::Middle(Rows::new(grid, pieces).into()),
            _ => Self::Long(Rows::new(grid, pieces).into()),
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
}

impl<const S: usize> Rows<S> {
    fn new(grid: &Grid, pieces: u8) -> Self {
        let side = Grid::side_of(grid.length());
        let home = side - 1;
        let zero = Row { light: [0; S], dark: [0; S] };
        let mut rows = Self {
            home,
            pieces,
            hands: [[zero; COUNTS]; 2],
            homes: [[zero; COUNTS]; 2],
            squares: [[zero; S]; 2],
            corner: grid.get(2 * side, 2 * side).into(),
        };
        let turn = Row::of(grid, 2 * side);
        for player in 0..2 {
            let first = player * side;
            for count in 0..COUNTS {
                rows.hands[player][count] = Row::of(grid, first).times(count);
                rows.homes[player][count] = Row::of(grid, first + home).times(count);
            }
            for square in 1..home {
                rows.squares[player][square] = Row::of(grid, first + square);
            }
        }
        for hand in &mut rows.hands[1] {
            *hand = hand.less(&turn);
        }
        rows
    }

    #[inline]
    fn score(&self, mine: Side, theirs: Side) -> i32 {
        let hand = |side: Side| usize::from(self.pieces - side.score() - side.on_board()) % COUNTS;
        let (my_hand, my_home) = (hand(mine), usize::from(mine.score()) % COUNTS);
        let (their_hand, their_home) = (hand(theirs), usize::from(theirs.score()) % COUNTS);
        // Light's rows end before dark's columns: only half of each is added.
        let mut light = sum(&self.hands[0][my_hand].light, &self.homes[0][my_home].light);
        for square in squares(mine) {
            light = sum(&light, &self.squares[0][square % S].light);
        }
        let (hand, home) = (&self.hands[1][their_hand], &self.homes[1][their_home]);
        light = sum(&light, &sum(&hand.light, &home.light));
        let mut dark = sum(&hand.dark, &home.dark);
        for square in squares(theirs) {
            let row = &self.squares[1][square % S];
            light = sum(&light, &row.light);
            dark = sum(&dark, &row.dark);
        }
        self.columns(&light, mine, my_hand, my_home)
            + self.columns(&dark, theirs, their_hand, their_home)
            - self.corner
    }

    /// Returns the sums of the columns that `side` occupies, each times its count.
    #[inline]
    #[expect(clippy::cast_possible_truncation, clippy::cast_possible_wrap, reason = "at most 15")]
    fn columns(&self, sums: &[i32; S], side: Side, hand: usize, home: usize) -> i32 {
        let mut total = sums[0] * hand as i32 + sums[self.home % S] * home as i32;
        for square in squares(side) {
            total += sums[square % S];
        }
        total
    }
}

impl<const S: usize> Row<S> {
    /// Returns the columns of light and dark in a row of `grid`; the last column is the corner's alone.
    fn of(grid: &Grid, row: usize) -> Self {
        let side = Grid::side_of(grid.length());
        let column =
            |first: usize, c: usize| if c < side { grid.get(row, first + c).into() } else { 0 };
        let columns = |first| std::array::from_fn(|c| column(first, c));
        Self { light: columns(0), dark: columns(side) }
    }

    #[expect(clippy::cast_possible_truncation, clippy::cast_possible_wrap, reason = "at most 15")]
    fn times(&self, count: usize) -> Self {
        let times = |row: &[i32; S]| row.map(|weight| weight * count as i32);
        Self { light: times(&self.light), dark: times(&self.dark) }
    }

    fn less(&self, other: &Self) -> Self {
        let less = |a: &[i32; S], b: &[i32; S]| std::array::from_fn(|c| a[c] - b[c]);
        Self { light: less(&self.light, &other.light), dark: less(&self.dark, &other.dark) }
    }
}

#[inline]
fn sum<const S: usize>(first: &[i32; S], second: &[i32; S]) -> [i32; S] {
    std::array::from_fn(|c| first[c] + second[c])
}

/// Returns the number of every square that `side` stands on.
#[inline]
fn squares(side: Side) -> impl Iterator<Item = usize> {
    side.squares().iter().map(|square| usize::from(square.number()))
}
