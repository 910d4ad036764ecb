//! What a net sees of a position.

use arrayvec::ArrayVec;
use puabi_core::{Position, RuleSet, Rules, Side};

/// The places of a position that are taken, ascending: hand, home and the squares with pieces of both sides.
pub type On = ArrayVec<u16, { 2 * (RuleSet::MAX_PIECES as usize + 2) }>;

/// The places of a position that a net sees, numbered.
///
/// Each side has an input for each number of pieces in hand, 0 to all; for each number at home that does not yet win; and for
/// each square of its path. First come those of the player about to roll.
///
/// ```
/// use puabi_core::RuleSet;
/// use puabi_engine::Inputs;
/// let rules = RuleSet::FINKEL.compile()?;
/// let inputs = Inputs::new(&rules);
/// assert_eq!(inputs.len(), 2 * (8 + 7 + 14));
/// // Seven in hand, none at home, for either side.
/// assert_eq!(inputs.of(rules.start()).as_slice(), [7, 8, 29 + 7, 29 + 8]);
/// # Ok::<(), puabi_core::RuleError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Inputs {
    pieces: u8,
    goal: u8,
    length: u8,
}

impl Inputs {
    /// Returns the places of the positions of these rules.
    pub fn new(rules: &Rules) -> Self {
        Self { pieces: rules.pieces(), goal: rules.goal(), length: rules.length() }
    }

    /// Returns the number of places.
    pub fn len(self) -> usize {
        2 * self.of_a_side()
    }

    /// Returns whether there is no place; there always is one.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    fn of_a_side(self) -> usize {
        usize::from(self.pieces) + 1 + usize::from(self.goal) + usize::from(self.length)
    }

    /// Returns the places that are taken in `position`, ascending.
    #[inline]
    pub fn of(self, position: Position) -> On {
        let mut on = On::new();
        let mut first = 0;
        for side in [position.mine(), position.theirs()] {
            self.add(side, first, &mut on);
            first += self.of_a_side();
        }
        on
    }

    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "there are fewer than two hundred places")]
    fn add(self, side: Side, first: usize, on: &mut On) {
        let first = first as u16;
        let hand = self.pieces.saturating_sub(side.score() + side.on_board());
        let home = first + u16::from(self.pieces) + 1;
        on.push(first + u16::from(hand));
        on.push(home + u16::from(side.score()));
        let squares = home + u16::from(self.goal) - 1;
        on.extend(side.squares().iter().map(|square| squares + u16::from(square.number())));
    }
}
