//! The weights of a brain: the lower triangle of a square matrix.

use puabi_core::{Position, Rules, Side};

/// The weights of a brain, one for each pair of places, a place with itself included.
///
/// The places are, in this order: light's hand, light's squares 1 to the path's length, light's home; dark's the same;
/// the turn. Light is the player about to roll.
///
/// ```
/// use puabi_engine::Grid;
/// let mut grid = Grid::new(14);
/// assert_eq!((grid.size(), grid.weights().len()), (33, 33 * 34 / 2));
/// grid.set(4, 4, 120);
/// assert_eq!((grid.get(4, 4), grid.get(4, 3)), (120, 0));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Grid {
    length: u8,
    /// Row by row up to the diagonal.
    weights: Box<[i16]>,
}

impl Grid {
    /// Returns a grid of zeros for paths of `length` squares.
    pub fn new(length: u8) -> Self {
        Self { length, weights: vec![0; Self::at(Self::size_of(length), 0)].into() }
    }

    /// Returns the grid with these weights, row by row up to the diagonal; `None` if there are too many or too few.
    pub fn from_weights(length: u8, weights: Vec<i16>) -> Option<Self> {
        let fits = weights.len() == Self::at(Self::size_of(length), 0);
        fits.then(|| Self { length, weights: weights.into() })
    }

    /// Returns the number of rows for paths of `length` squares: hand, squares and home of both sides, and the turn.
    pub const fn size_of(length: u8) -> usize {
        2 * Self::side_of(length) + 1
    }

    /// Returns the number of places of one side: hand, squares, home.
    pub const fn side_of(length: u8) -> usize {
        length as usize + 2
    }

    /// Returns the number of rows.
    pub const fn size(&self) -> usize {
        Self::size_of(self.length)
    }

    /// Returns the number of squares of a path.
    pub const fn length(&self) -> u8 {
        self.length
    }

    /// Returns the weights row by row, each row up to the diagonal.
    pub fn weights(&self) -> &[i16] {
        &self.weights
    }

    /// Returns the weight of a pair of places, 0 above the diagonal.
    ///
    /// # Panics
    ///
    /// Panics if there is no such row.
    pub fn get(&self, row: usize, column: usize) -> i16 {
        if column > row { 0 } else { self.weights[Self::at(row, column)] }
    }

    /// Sets the weight of a pair of places.
    ///
    /// # Panics
    ///
    /// Panics if there is no such row, or if `column` lies above the diagonal.
    pub fn set(&mut self, row: usize, column: usize, weight: i16) {
        assert!(column <= row, "only the lower triangle has weights");
        self.weights[Self::at(row, column)] = weight;
    }

    /// Returns the index of a weight among all weights of the lower triangle.
    pub const fn at(row: usize, column: usize) -> usize {
        row * (row + 1) / 2 + column
    }

    /// Calls `visit` with every occupied place of `position` and its count, in ascending order and without the turn.
    #[inline]
    pub fn occupied(rules: &Rules, position: Position, mut visit: impl FnMut(usize, u8)) {
        let side = Self::side_of(rules.length());
        for (first, pieces) in [(0, position.mine()), (side, position.theirs())] {
            counts(rules, pieces, |place, count| visit(first + place, count));
        }
    }
}

fn counts(rules: &Rules, side: Side, mut visit: impl FnMut(usize, u8)) {
    let (hand, home) = (rules.hand(side), side.score());
    if hand > 0 {
        visit(0, hand);
    }
    for square in side.squares().iter() {
        visit(usize::from(square.number()), side.count(square));
    }
    if home > 0 {
        visit(usize::from(rules.length()) + 1, home);
    }
}
