//! The perfect index: every unfinished position is a number in `0..len`, and every such number is a position.
//!
//! A path splits into three zones. *Pre* squares come first and are the owner's alone; *post* squares come last and are the
//! owner's alone; what lies between is *shared*. Score and post squares only ever fill up, so a player's [`SideState`] never
//! returns to an earlier one, and positions with the same unordered pair of side states form a [`Sublayer`] that depends only
//! on itself and on later ones. Inside a sublayer the index counts, tile by tile, which pieces stand on the shared tiles, then
//! which pre squares the junior and the senior side hold. See `docs/method.md`.

mod boards_before;
mod contents;
mod counts;
mod mask_ranks;
pub(crate) mod pre_index;
pub(crate) mod sublayer;
pub(crate) mod zones;

use crate::index::boards_before::{BoardsBefore, PiecesLeft};
use crate::index::contents::{Content, SharedTile, shared_tiles};
use crate::index::counts::Counts;
use crate::index::mask_ranks::MaskRanks;
use crate::position::order::Order;
use crate::{Position, PreIndex, Rules, Side, SideState, Square, Squares, Sublayer, Zones};

/// The bijection of the unfinished positions of a game to `0..len`.
///
/// ```
/// use puabi_core::{Indexer, RuleSet};
/// let rules = RuleSet::FINKEL.compile()?;
/// let indexer = Indexer::new(&rules)?;
/// assert_eq!(indexer.len(), 137_870_097);
/// assert_eq!(indexer.position(indexer.rank(rules.start())), Some(rules.start()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Indexer {
    zones: Zones,
    pre_index: PreIndex,
    pieces: u8,
    states: Vec<SideState>,
    /// By score and post mask: the index of a side state in `states`, and its number of movable pieces.
    state_ranks: Vec<(u16, u8)>,
    sublayers: Vec<Sublayer>,
    tiles: Vec<SharedTile>,
    /// By the senior's square: its shared tile, and the digit of one piece of the senior there. The next field is the same for
    /// the junior.
    senior_digit: [(u8, u16); 32],
    junior_digit: [(u8, u16); 32],
    has_stacks: bool,
    /// By the number of the senior's pieces on shared squares, then of the junior's: the number of ways to place them.
    configurations: Vec<Vec<u64>>,
    before: BoardsBefore,
    mask_ranks: Option<MaskRanks>,
}

/// A position's index in two parts: the states of both sides, and the rank among the positions with these states.
///
/// The indices of the positions with these states are consecutive, from [`Indexer::first_of`] on. Their number is the `half` of
/// their [`Sublayer`].
///
/// ```
/// use puabi_core::{Indexer, RuleSet};
/// let rules = RuleSet::FINKEL.compile()?;
/// let indexer = Indexer::new(&rules)?;
/// let parts = indexer.rank_parts(rules.start());
/// assert_eq!((parts.mine, parts.theirs), (0, 0));
/// assert_eq!(indexer.first_of(parts.mine, parts.theirs) + parts.offset, indexer.rank(rules.start()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RankParts {
    /// The mover's side state, as an index into [`Indexer::side_states`].
    pub mine: usize,
    /// The opponent's side state, likewise.
    pub theirs: usize,
    /// The number of positions with these states before this one.
    pub offset: u64,
}

/// The error of a rule set with more positions than an index can count.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{rules} has more than 2^63 positions: expected fewer pieces or a shorter path")]
pub struct TooManyPositions {
    rules: String,
}

impl Indexer {
    /// Returns the index of the unfinished positions under `rules`.
    ///
    /// # Errors
    ///
    /// Returns an error if there are more than 2^63 of them.
    pub fn new(rules: &Rules) -> Result<Self, TooManyPositions> {
        let zones = Zones::new(rules);
        let tiles = shared_tiles(rules, zones.shared_squares());
        let pre_index = PreIndex::new(rules, zones);
        let error = || TooManyPositions { rules: rules.rule_set().to_string() };
        let (states, pieces) = (SideState::all(zones, rules), rules.pieces());
        let counts = Counts::count(&tiles, &pre_index, pieces).ok_or_else(error)?;
        let sublayers = place_sublayers(&states, &counts, pieces).ok_or_else(error)?;
        let [senior_digit, junior_digit] =
            [false, true].map(|is_junior| digits(&tiles, zones, is_junior));
        Ok(Self {
            zones,
            pieces,
            state_ranks: state_ranks(zones, &states, pieces),
            states,
            sublayers,
            has_stacks: rules.has_stacks(),
            configurations: configurations(&tiles, pieces),
            before: BoardsBefore::new(&tiles, &counts, &pre_index, pieces),
            mask_ranks: MaskRanks::new(
                &tiles,
                &counts,
                zones,
                [&senior_digit, &junior_digit],
                pieces,
            ),
            senior_digit,
            junior_digit,
            tiles,
            pre_index,
        })
    }

    /// Returns the number of positions.
    pub fn len(&self) -> u64 {
        self.sublayers.last().map_or(0, |last| last.base + last.len())
    }

    /// Returns whether there is no position; always false, since every game has positions.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the zones of a path.
    pub fn zones(&self) -> Zones {
        self.zones
    }

    /// Returns the number of pieces of each player.
    pub fn pieces(&self) -> u8 {
        self.pieces
    }

    /// Returns the number of pieces that `side` has not yet entered.
    pub fn hand(&self, side: Side) -> u8 {
        self.pieces - side.score() - side.on_board()
    }

    /// Returns `position` with every piece on a pre square taken back to hand, and how far apart the two indices are.
    ///
    /// The positions between the two differ on pre squares only. The mover's side state must not be earlier than the
    /// opponent's.
    ///
    /// ```
    /// use puabi_core::{Indexer, RuleSet};
    /// let rules = RuleSet::SKIRIUK.compile()?;
    /// let indexer = Indexer::new(&rules)?;
    /// let position = rules.position(&"1,1,4:2:L".parse()?)?;
    /// let (bare, before) = indexer.without_pre(position);
    /// assert_eq!(bare, rules.start());
    /// assert_eq!(indexer.rank(position), indexer.rank(bare) + before);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn without_pre(&self, position: Position) -> (Position, u64) {
        let (mine, theirs) = (position.mine(), position.theirs());
        let bare = [mine, theirs].map(|side| self.pre_index.cleared(side));
        let ways = self.pre_index.ways_at_most(self.hand(bare[0]));
        let before = self.pre_index.rank(theirs) * ways + self.pre_index.rank(mine);
        (Position::new(bare[0], bare[1], position.order()), before)
    }

    /// Returns the pre index: all that can stand on the pre squares.
    pub fn pre_index(&self) -> &PreIndex {
        &self.pre_index
    }

    /// Returns the side states, earlier ones first: a side never returns to an earlier one.
    pub fn side_states(&self) -> &[SideState] {
        &self.states
    }

    /// Returns the sublayers in index order: by senior state, then by junior.
    pub fn sublayers(&self) -> &[Sublayer] {
        &self.sublayers
    }

    /// Returns the number of score layers: unordered pairs of scores.
    pub fn layers(&self) -> usize {
        let scores = self.states.last().map_or(0, |state| usize::from(state.score) + 1);
        scores * (scores + 1) / 2
    }

    /// Returns the sublayer of two side states and whether the first of them is the senior.
    pub fn sublayer(&self, first: usize, second: usize) -> (&Sublayer, bool) {
        let (senior, junior) = (first.max(second), first.min(second));
        (&self.sublayers[senior * (senior + 1) / 2 + junior], first >= second)
    }

    /// Returns the place of a side state in [`Indexer::side_states`].
    pub fn state_index(&self, state: SideState) -> Option<usize> {
        self.states.binary_search(&state).ok()
    }

    /// Returns the number of ways to place `senior` and `junior` pieces on the shared squares; 0 if a player has fewer pieces.
    ///
    /// The count stops at 2^64 - 1.
    pub fn configurations(&self, senior: u8, junior: u8) -> u64 {
        let of_senior = self.configurations.get(usize::from(senior));
        of_senior
            .and_then(|of_senior| of_senior.get(usize::from(junior)))
            .copied()
            .unwrap_or_default()
    }

    /// Returns the place of a pre mask among all pre masks, those with fewer pieces first.
    #[inline]
    pub fn pre_rank(&self, mask: u32) -> u64 {
        self.zones.pre_rank(mask)
    }

    /// Returns how many positions come before the shared configuration (`senior`, `junior`), among those with one side about to
    /// roll.
    ///
    /// `senior` and `junior` are shared squares of each player's own path; `senior_movable` and `junior_movable` are the
    /// numbers of pieces neither home nor on post squares. The configuration has
    /// `ways_at_most(junior left) * ways_at_most(senior left)` positions, ordered by the rank of the junior's pre mask, then by
    /// that of the senior's.
    #[inline]
    pub fn shared_rank(
        &self,
        senior: Squares,
        junior: Squares,
        senior_movable: u8,
        junior_movable: u8,
    ) -> u64 {
        self.unstacked_rank(
            [senior, junior],
            &mut self.before.left((senior_movable, junior_movable)),
        )
    }

    /// Returns the same as `shared_rank`, and subtracts the configuration's pieces from `left`.
    #[inline]
    fn unstacked_rank(&self, sides: [Squares; 2], left: &mut PiecesLeft) -> u64 {
        match &self.mask_ranks {
            Some(mask_ranks) => mask_ranks.rank(sides, left),
            None => self.general_rank(sides, left),
        }
    }

    /// Returns the same as `unstacked_rank`, for paths that cross the tiles in different orders or cross a tile twice.
    fn general_rank(&self, sides: [Squares; 2], left: &mut PiecesLeft) -> u64 {
        let (mut digit, mut tiles) = ([0_u16; 64], 0_u64);
        for (squares, digits) in sides.into_iter().zip([&self.senior_digit, &self.junior_digit]) {
            for square in squares.iter() {
                let (tile, value) = digits[square.index()];
                digit[usize::from(tile & 63)] = value;
                tiles |= 1 << (tile & 63);
            }
        }
        self.before.rank(tiles, |tile| digit[tile & 63], left)
    }

    /// Returns the same as `unstacked_rank`, for a configuration with stacks; `order` is seen by the senior side.
    fn stacked_rank(
        &self,
        [senior, junior]: [Side; 2],
        order: Order,
        left: &mut PiecesLeft,
    ) -> u64 {
        let tiles = occupied(senior, &self.senior_digit) | occupied(junior, &self.junior_digit);
        self.before.rank(tiles, |tile| self.tiles[tile].digit(senior, junior, order), left)
    }

    /// Returns the index of `position`.
    #[inline]
    pub fn rank(&self, position: Position) -> u64 {
        let parts = self.rank_parts(position);
        self.first_of(parts.mine, parts.theirs) + parts.offset
    }

    /// Returns the index of the first position with these side states; see [`RankParts`].
    #[inline]
    pub fn first_of(&self, mine: usize, theirs: usize) -> u64 {
        let (sublayer, mover_is_senior) = self.sublayer(mine, theirs);
        sublayer.base + if mover_is_senior { 0 } else { sublayer.half }
    }

    /// Returns the index of `position` in two parts: the states of both sides, and the rest.
    #[inline]
    pub fn rank_parts(&self, position: Position) -> RankParts {
        let (own, other) = (position.mine(), position.theirs());
        let ((mine, my_movable), (theirs, their_movable)) = (self.state(own), self.state(other));
        let order = position.order();
        let offset = if mine >= theirs {
            self.half_rank([own, other], (my_movable, their_movable), order)
        } else {
            self.half_rank([other, own], (their_movable, my_movable), order.flipped())
        };
        RankParts { mine: mine.into(), theirs: theirs.into(), offset }
    }

    /// Returns the index of a side's state, and the number of its movable pieces.
    #[inline]
    fn state(&self, side: Side) -> (u16, u8) {
        let post = self.zones.post_mask(side.squares()) as usize;
        self.state_ranks[usize::from(side.score()) << self.zones.post() | post]
    }

    /// Returns the rank of a board among those of its sublayer with one given side about to roll. The senior comes first in
    /// both pairs.
    #[inline]
    fn half_rank(&self, [senior, junior]: [Side; 2], movable: (u8, u8), order: Order) -> u64 {
        let mut left = self.before.left(movable);
        let rank = if self.has_stacks {
            self.stacked_rank([senior, junior], order, &mut left)
        } else {
            let shared = self.zones.shared_squares();
            self.unstacked_rank([senior, junior].map(|side| side.squares() & shared), &mut left)
        };
        rank + self.rank_on_pre(junior) * self.before.ways(left) + self.rank_on_pre(senior)
    }

    /// Returns the pre rank of a side.
    #[inline]
    fn rank_on_pre(&self, side: Side) -> u64 {
        if self.has_stacks {
            self.pre_index.rank(side)
        } else {
            // The same rank from a table of masks: dense games spend much of a sweep here.
            self.pre_rank(self.zones.pre_mask(side.squares()))
        }
    }

    /// Returns the position with this index, or `None` past the last.
    pub fn position(&self, index: u64) -> Option<Position> {
        if index >= self.len() {
            return None;
        }
        let at = self.sublayers.partition_point(|sublayer| sublayer.base <= index) - 1;
        let sublayer = self.sublayers[at];
        let offset = index - sublayer.base;
        let board = self.half_position(sublayer, offset % sublayer.half);
        Some(if offset < sublayer.half { board } else { board.flipped() })
    }

    /// Returns the position with this rank among those of `sublayer` in which the senior side is about to roll.
    fn half_position(&self, sublayer: Sublayer, mut rank: u64) -> Position {
        let states = [self.states[sublayer.senior], self.states[sublayer.junior]];
        let [senior, junior] = states.map(|state| state.movable(self.pieces));
        let mut left = self.before.left((senior, junior));
        let mut sides =
            states.map(|state| Side::new(self.zones.post_from_mask(state.post), state.score));
        let (mut order, mut from) = (Order::default(), 0);
        // Most tiles are empty, so `next` jumps to the next one that is not.
        while let Some((at, digit)) = self.before.next(from, &mut rank, &mut left) {
            order = self.tiles[at].lay(digit, &mut sides, order);
            from = at + 1;
        }
        if rank > 0 {
            let ways = self.before.ways(left);
            for (side, rank) in sides.iter_mut().zip([rank % ways, rank / ways]) {
                *side = self.pre_index.lay(rank, *side);
            }
        }
        Position::new(sides[0], sides[1], order)
    }
}

/// Lists the sublayers of all pairs of states; `None` if their positions are too many for an index.
fn place_sublayers(states: &[SideState], counts: &Counts, pieces: u8) -> Option<Vec<Sublayer>> {
    let mut base = 0_u64;
    let mut sublayers = Vec::new();
    for (senior, a) in states.iter().enumerate() {
        for (junior, b) in states.iter().enumerate().take(senior + 1) {
            let half = counts.get(0, a.movable(pieces), b.movable(pieces));
            let sublayer = Sublayer { senior, junior, base, half };
            base = base
                .checked_add(half.checked_mul(2)?)
                .filter(|&end| end < 1 << 63)
                .map(|_| base + sublayer.len())?;
            sublayers.push(sublayer);
        }
    }
    Some(sublayers)
}

/// Returns the shared tiles that a side stands on, one bit for each. Empty tiles add nothing to a rank.
fn occupied(side: Side, digits: &[(u8, u16); 32]) -> u64 {
    let tile = |square: Square| digits[square.index()];
    let bit = |(tile, digit): (u8, u16)| if digit == 0 { 0 } else { 1 << tile };
    side.squares().iter().fold(0, |tiles, square| tiles | bit(tile(square)))
}

/// Counts the ways to place pieces on all tiles, up to 2^64 - 1: by the senior's pieces, then by the junior's.
fn configurations(tiles: &[SharedTile], pieces: u8) -> Vec<Vec<u64>> {
    let pieces = usize::from(pieces);
    let mut counts = vec![vec![0_u64; pieces + 1]; pieces + 1];
    counts[0][0] = 1;
    for tile in tiles {
        // Downwards: the counts that are read must not include this tile yet.
        for senior in (0..=pieces).rev() {
            for junior in (0..=pieces).rev() {
                let before = |it: &Content| {
                    let senior = senior.checked_sub(it.senior().into())?;
                    Some(counts[senior][junior.checked_sub(it.junior().into())?])
                };
                let fitting = tile.contents().iter().filter_map(before);
                counts[senior][junior] = fitting.fold(0, u64::saturating_add);
            }
        }
    }
    counts
}

/// Lists, by score and post mask, the index of each side state and the number of its movable pieces.
fn state_ranks(zones: Zones, states: &[SideState], pieces: u8) -> Vec<(u16, u8)> {
    let mut ranks = Vec::new();
    for (rank, state) in (0..).zip(states) {
        let at = usize::from(state.score) << zones.post() | state.post as usize;
        ranks.resize(ranks.len().max(at + 1), (u16::MAX, 0));
        ranks[at] = (rank, state.movable(pieces));
    }
    ranks
}

/// Finds, for each square of a side, its shared tile and the digit of one piece there.
fn digits(tiles: &[SharedTile], zones: Zones, is_junior: bool) -> [(u8, u16); 32] {
    let mut digits = [(0, 0); 32];
    for square in zones.shared_squares().iter() {
        for (t, tile) in (0..).zip(tiles) {
            if let Some(digit) = tile.digit_of_one(square, is_junior) {
                digits[square.index()] = (t, digit);
            }
        }
    }
    digits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::rule_set::RuleSet;

    #[test]
    fn rank_and_position_invert_each_other_everywhere_in_small_games() {
        for preset in RuleSet::PRESETS {
            for pieces in 1..=2 {
                let rules = preset.clone().with_pieces(pieces).compile().unwrap();
                let indexer = Indexer::new(&rules).unwrap();
                for index in 0..indexer.len() {
                    let position = indexer.position(index).unwrap();
                    assert_eq!(indexer.rank(position), index, "{} {index}", rules.rule_set());
                }
                assert_eq!(indexer.position(indexer.len()), None);
            }
        }
    }
}
