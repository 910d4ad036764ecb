//! What a net sees of a position.

use std::ops::Range;

use arrayvec::ArrayVec;
use puabi_core::{Position, Rules, Side, Square, Squares};

/// The largest number of windows in one view.
const MAX_WINDOWS: usize = 8;
/// The number of squares of a window: a piece and the four next ones, which it threatens with the rolls of most rules.
const WIDTH: u8 = 5;
/// The largest number of squares at either end of a path that are seen one by one.
const MAX_END_SQUARES: u8 = 4;
/// The number of patterns besides the windows.
const OTHERS: usize = 6;
/// The largest number of patterns.
const MAX_PATTERNS: usize = 2 * MAX_WINDOWS + OTHERS;

/// What a net sees of a position: the state of each pattern, as a row of the net's first layer, and the stage of the game.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ActiveInputs {
    /// The indices of the rows, one for each pattern.
    pub rows: ArrayVec<u16, MAX_PATTERNS>,
    /// The stage, below [`Inputs::STAGES`].
    pub stage: usize,
}

/// The patterns of a position that a net sees.
///
/// A pattern is a few things that are seen together. Each of its states is an input of its own, a row of the first layer. A
/// *window* is five squares in succession in the middle of a path, where the paths of both sides run; each square is empty or
/// held by either side. There are three more patterns for each side: its pieces in hand with its squares before the middle; its
/// pieces at home with its squares behind the middle; and its squares before the middle with the pieces of the other side on the
/// first squares of the middle.
///
/// ```
/// use puabi_core::RuleSet;
/// use puabi_engine::Inputs;
/// let rules = RuleSet::FINKEL.compile()?;
/// let inputs = Inputs::new(&rules);
/// // Squares 5 to 12 are the middle: four windows.
/// assert_eq!(inputs.len(), 4 * 243 + 2 * 8 * 16 + 2 * 7 * 4 + 2 * 16 * 16);
/// let active = inputs.of(rules.start());
/// assert_eq!((active.rows.len(), active.stage), (10, 0));
/// # Ok::<(), puabi_core::RuleError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inputs {
    windows: ArrayVec<Window, { 2 * MAX_WINDOWS }>,
    ends: Ends,
    pieces: u8,
    goal: u8,
    len: u16,
}

/// A window in the view of one side: its squares, and the squares of the other side on the same tiles.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Window {
    /// Whether it is in the view of the player about to roll.
    is_mine: bool,
    /// The bit of its first square among those of [`Squares`].
    from: u32,
    width: u8,
    /// For each square of the window, the squares of the other side on its tile.
    others: [u32; WIDTH as usize],
    /// Whether the paths of both sides run over the same tiles at the same squares here.
    is_straight: bool,
}

/// The squares before and behind the middle, and the first squares of the middle: for each of the three, the lowest bit and the
/// number of squares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Ends {
    before: (u32, u8),
    behind: (u32, u8),
    front: (u32, u8),
}

/// The state of a window for each set of squares that one side holds: a number in base three with a digit for each square.
const TERNARY: [u16; 1 << WIDTH] = ternary();

const fn ternary() -> [u16; 1 << WIDTH] {
    let mut states = [0; 1 << WIDTH];
    let mut bits = 0;
    while bits < states.len() {
        let (mut at, mut unit) = (0, 1);
        while at < WIDTH {
            if bits >> at & 1 == 1 {
                states[bits] += unit;
            }
            unit *= 3;
            at += 1;
        }
        bits += 1;
    }
    states
}

/// Returns the place of a square among the bits of [`Squares`].
fn bit(number: u8) -> u32 {
    Squares::range(number, number).bits().trailing_zeros()
}

impl Inputs {
    /// The number of stages of a game. The stage depends on the pieces that both sides have at home, and a net has a second layer
    /// for each.
    pub const STAGES: usize = 8;

    /// Returns the patterns of the positions of these rules.
    pub fn new(rules: &Rules) -> Self {
        let length = rules.length();
        let is_private = |number: &u8| Square::new(*number).is_some_and(|it| rules.is_private(it));
        let before = (1..=length.min(MAX_END_SQUARES)).take_while(is_private).count();
        let behind =
            (1..=length).rev().take(usize::from(MAX_END_SQUARES)).take_while(is_private).count();
        let [before, behind] =
            [before, behind].map(|count| u8::try_from(count).unwrap_or(MAX_END_SQUARES));
        // A path without shared squares has no middle.
        let behind = behind.min(length - before);
        let middle = before + 1..length - behind + 1;
        let windows = windows(rules, &middle);
        let front = (middle.end - middle.start).min(MAX_END_SQUARES);
        let ends = Ends {
            before: (bit(1), before),
            behind: (bit(middle.end.min(length)), behind),
            front: (bit(middle.start.min(length)), front),
        };
        let mut inputs = Self { windows, ends, pieces: rules.pieces(), goal: rules.goal(), len: 0 };
        inputs.len = inputs.sizes().iter().sum();
        inputs
    }

    /// Returns the number of inputs: the states of all patterns.
    pub fn len(&self) -> usize {
        self.len.into()
    }

    /// Returns whether there are no inputs, which is never so.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the number of states of each pattern.
    pub(super) fn sizes(&self) -> ArrayVec<u16, MAX_PATTERNS> {
        let Ends { before: (_, before), behind: (_, behind), front: (_, front) } = self.ends;
        let windows = self.windows.iter().map(|window| 3_u16.pow(window.width.into()));
        let hand = (u16::from(self.pieces) + 1) << before;
        let home = u16::from(self.goal) << behind;
        let meeting = 1 << (before + front);
        windows.chain([hand, hand, home, home, meeting, meeting]).collect()
    }

    /// Returns what is seen of `position`.
    #[inline]
    pub fn of(&self, position: Position) -> ActiveInputs {
        let (mine, theirs) = (position.mine(), position.theirs());
        let [my_bits, their_bits] = [mine, theirs].map(|side| side.squares().bits());
        let mut active = ActiveInputs { rows: ArrayVec::new(), stage: self.stage(mine, theirs) };
        let mut first = 0;
        let mut add = |state: u16, size: u16| {
            active.rows.push(first + state);
            first += size;
        };
        for window in &self.windows {
            let (own, other) =
                if window.is_mine { (my_bits, their_bits) } else { (their_bits, my_bits) };
            add(window.state(own, other), 3_u16.pow(window.width.into()));
        }
        let Ends { before, behind, front } = self.ends;
        let part = |bits: u32, (from, count): (u32, u8)| {
            u16::try_from(bits >> from & ((1 << count) - 1)).unwrap_or_default()
        };
        let (pieces, goal) = (u16::from(self.pieces), u16::from(self.goal));
        for (side, bits) in [(mine, my_bits), (theirs, their_bits)] {
            let hand = self.pieces.saturating_sub(side.score() + side.on_board());
            add(u16::from(hand) << before.1 | part(bits, before), (pieces + 1) << before.1);
        }
        for (side, bits) in [(mine, my_bits), (theirs, their_bits)] {
            let home = u16::from(side.score().min(self.goal - 1));
            add(home << behind.1 | part(bits, behind), goal << behind.1);
        }
        for (behind, ahead) in [(their_bits, my_bits), (my_bits, their_bits)] {
            add(part(behind, before) << front.1 | part(ahead, front), 1 << (before.1 + front.1));
        }
        active
    }

    #[inline]
    fn stage(&self, mine: Side, theirs: Side) -> usize {
        let home = usize::from(mine.score()) + usize::from(theirs.score());
        (home * Self::STAGES / (2 * usize::from(self.goal) - 1).max(1)).min(Self::STAGES - 1)
    }
}

/// Returns the windows over the middle of a path, in the views of both sides if these differ.
fn windows(rules: &Rules, middle: &Range<u8>) -> ArrayVec<Window, { 2 * MAX_WINDOWS }> {
    let is_straight = middle.clone().all(|number| {
        Square::new(number)
            .is_some_and(|square| rules.theirs_on_same_tile(square).bits() == 1 << bit(number))
    });
    // Two views see more than one, so half as many windows suffice.
    let step = if is_straight { 1 } else { 2 };
    let views = [true, false].into_iter().flat_map(|is_mine| {
        places(middle, step).map(move |first| Window::new(rules, is_mine, first, middle))
    });
    // If the paths run alike, the other side sees the same.
    views.filter(|window| window.is_mine || !window.is_straight).collect()
}

/// Returns the first square of each window over the middle of a path. They are at least `step` apart, except for the last.
fn places(middle: &Range<u8>, step: usize) -> impl Iterator<Item = u8> + use<> {
    let count = middle.end - middle.start;
    let last = count.saturating_sub(WIDTH);
    let steps = usize::from(last).div_ceil(MAX_WINDOWS - 1).max(step);
    let start = middle.start;
    let inner = (0..last).step_by(steps).map(move |at| start + at);
    inner.chain((count > 0).then_some(start + last))
}

impl Window {
    fn new(rules: &Rules, is_mine: bool, first: u8, middle: &Range<u8>) -> Self {
        let width = WIDTH.min(middle.end - first);
        let mut others = [0; WIDTH as usize];
        let mut is_straight = true;
        for (other, number) in others.iter_mut().zip(first..first + width) {
            let meeting =
                Square::new(number).map_or(0, |square| rules.theirs_on_same_tile(square).bits());
            is_straight &= meeting == 1 << bit(number);
            *other = meeting;
        }
        Self { is_mine, from: bit(first), width, others, is_straight }
    }

    /// Returns the state of the window; `own` are the squares of the side that sees it, `other` those of the other side.
    #[inline]
    fn state(&self, own: u32, other: u32) -> u16 {
        let (from, all) = (self.from, (1_u32 << self.width) - 1);
        let held = own >> from & all;
        let against = if self.is_straight {
            other >> from & all
        } else {
            let meets = |(at, squares): (usize, &u32)| u32::from(other & squares != 0) << at;
            self.others.iter().enumerate().map(meets).sum::<u32>() & all
        };
        // A tile with pieces of both sides counts as held by the side that sees it.
        TERNARY[held as usize] + 2 * TERNARY[(against & !held) as usize]
    }
}
