//! The perfect index: a position *is* a number in `0..len`, with no holes.
//!
//! A path splits into three zones. *Pre* squares come first and are the owner's alone; *post* squares come last and
//! are the owner's alone; what lies between is *shared*. Score and post squares only ever fill up, so a player's
//! [`SideState`] never returns to an earlier one, and positions with the same unordered pair of side states form a
//! [`Sublayer`] that depends only on itself and on later ones. Inside a sublayer the index counts, tile by tile, who
//! stands on the shared tiles, then which pre squares the junior and the senior side hold. See `docs/method.md`.

use crate::position::{Position, Side};
use crate::rules::Rules;
use crate::squares::{Square, Squares};
use crate::ways::{SharedTile, Ways};
use crate::zones::{SideState, Zones};

/// All positions with the same unordered pair of side states.
///
/// `senior` is the later state of the two. The index runs first over the positions with the senior side about to roll,
/// then over those with the junior side about to roll; equal states have only the first.
///
/// ```
/// use puabi_core::{Indexer, RuleSet};
/// let indexer = Indexer::new(&RuleSet::FINKEL.compile()?)?;
/// let last = indexer.sublayers().last().expect("a game has positions");
/// assert!(last.is_mirror());
/// assert_eq!(last.base + last.len(), indexer.len());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sublayer {
    /// The later side state, as an index into [`Indexer::side_states`].
    pub senior: usize,
    /// The earlier side state, as an index into [`Indexer::side_states`].
    pub junior: usize,
    /// The first index of the sublayer.
    pub base: u64,
    /// The number of positions with one given side about to roll.
    pub half: u64,
}

impl Sublayer {
    /// Returns whether both sides are in the same state, so that the sublayer mirrors itself.
    pub const fn is_mirror(&self) -> bool {
        self.senior == self.junior
    }

    /// Returns the number of positions.
    pub const fn len(&self) -> u64 {
        if self.is_mirror() { self.half } else { 2 * self.half }
    }

    /// Returns whether the sublayer has no position; it never has none.
    pub const fn is_empty(&self) -> bool {
        self.half == 0
    }
}

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
    pieces: u8,
    states: Vec<SideState>,
    /// By score and post mask: the place of a side state among all.
    state_ranks: Vec<u16>,
    sublayers: Vec<Sublayer>,
    tiles: Vec<SharedTile>,
    /// By square: the shared tile of light's and of dark's square, and its digit there.
    light_digit: [(u8, u8); 32],
    dark_digit: [(u8, u8); 32],
    ways: Ways,
    /// As `ways`, by digit of the tile: the positions with a smaller digit there.
    before: Vec<u64>,
}

/// A position's index in two parts: the states of both sides, and its place among the positions that have them.
///
/// Those positions have `half` of their [`Sublayer`] consecutive indices, from [`Indexer::first_of`] on.
///
/// ```
/// use puabi_core::{Indexer, RuleSet};
/// let rules = RuleSet::FINKEL.compile()?;
/// let indexer = Indexer::new(&rules)?;
/// let place = indexer.place(rules.start());
/// assert_eq!((place.mine, place.theirs), (0, 0));
/// assert_eq!(indexer.first_of(place.mine, place.theirs) + place.offset, indexer.rank(rules.start()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The mover's side state, as an index into [`Indexer::side_states`].
    pub mine: usize,
    /// The opponent's side state, likewise.
    pub theirs: usize,
    /// How many positions with these states come before.
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
    /// Where there are more than 2^63 of them.
    pub fn new(rules: &Rules) -> Result<Self, TooManyPositions> {
        let zones = Zones::new(rules);
        let tiles = shared_tiles(rules, zones);
        let error = || TooManyPositions { rules: rules.rule_set().to_string() };
        let states = side_states(zones, rules.pieces());
        let mut indexer = Self {
            zones,
            pieces: rules.pieces(),
            state_ranks: state_ranks(zones, &states),
            states,
            sublayers: Vec::new(),
            light_digit: digits(&tiles, |tile| tile.light, LIGHT_DIGIT),
            dark_digit: digits(&tiles, |tile| tile.dark, DARK_DIGIT),
            ways: Ways::count(&tiles, zones, rules.pieces()).ok_or_else(error)?,
            before: Vec::new(),
            tiles,
        };
        indexer.before = indexer.count_before();
        indexer.sublayers = indexer.place_sublayers().ok_or_else(error)?;
        Ok(indexer)
    }

    fn place_sublayers(&self) -> Option<Vec<Sublayer>> {
        let mut base = 0_u64;
        let mut sublayers = Vec::new();
        for (senior, a) in self.states.iter().enumerate() {
            for (junior, b) in self.states.iter().enumerate().take(senior + 1) {
                let half = self.ways.get(0, a.movable(self.pieces), b.movable(self.pieces));
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

    /// Returns the number of positions.
    pub fn len(&self) -> u64 {
        self.sublayers.last().map_or(0, |last| last.base + last.len())
    }

    /// Returns whether there is no position; there always is one.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the zones of a path.
    pub fn zones(&self) -> Zones {
        self.zones
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
        let scores = usize::from(self.pieces);
        scores * (scores + 1) / 2
    }

    /// Returns the sublayer of two side states and whether the first of them is the senior.
    pub fn sublayer(&self, first: usize, second: usize) -> (&Sublayer, bool) {
        let (senior, junior) = (first.max(second), first.min(second));
        (&self.sublayers[senior * (senior + 1) / 2 + junior], first >= second)
    }

    /// Returns the index of a side state.
    pub fn state_index(&self, state: SideState) -> Option<usize> {
        self.states.binary_search(&state).ok()
    }

    /// Returns the number of ways to place so many pieces of each side on the shared squares; 2^64 - 1 where there are
    /// more.
    pub fn configurations(&self, light: u8, dark: u8) -> u64 {
        let (light, dark) = (usize::from(light), usize::from(dark));
        let mut ways = vec![vec![0_u64; dark + 1]; light + 1];
        ways[0][0] = 1;
        for tile in &self.tiles {
            let lights = u64::from(tile.light.len());
            let darks = u64::from(tile.dark.len());
            for l in (0..=light).rev() {
                for d in (0..=dark).rev() {
                    let with_light = if l > 0 { ways[l - 1][d] } else { 0 };
                    let with_dark = if d > 0 { ways[l][d - 1] } else { 0 };
                    ways[l][d] = ways[l][d]
                        .saturating_add(lights.saturating_mul(with_light))
                        .saturating_add(darks.saturating_mul(with_dark));
                }
            }
        }
        ways[light][dark]
    }

    /// Returns the number of ways to place at most `movable` pieces on the pre squares.
    #[inline]
    pub fn rows(&self, movable: u8) -> u64 {
        self.zones.rows(movable)
    }

    /// Returns the place of a pre mask among all pre masks, those with fewer pieces first.
    #[inline]
    pub fn pre_rank(&self, mask: u32) -> u64 {
        self.zones.pre_rank(mask)
    }

    /// Returns how many positions with one side about to roll come before the shared configuration (`light`, `dark`).
    ///
    /// `light` and `dark` are shared squares of each player's own path; `light_movable` and `dark_movable` are the
    /// pieces neither home nor on post squares. The configuration has `rows(dark left) * rows(light left)` positions:
    /// dark's pre masks by rank, and light's by rank within each.
    #[inline]
    pub fn shared_rank(
        &self,
        light: Squares,
        dark: Squares,
        light_movable: u8,
        dark_movable: u8,
    ) -> u64 {
        let mut digit = [0_u8; 64];
        let mut occupied = 0_u64;
        for square in light.iter() {
            let (tile, value) = self.light_digit[square.index()];
            digit[usize::from(tile & 63)] = value;
            occupied |= 1 << (tile & 63);
        }
        for square in dark.iter() {
            let (tile, value) = self.dark_digit[square.index()];
            digit[usize::from(tile & 63)] = value;
            occupied |= 1 << (tile & 63);
        }
        let (mut light, mut dark, mut rank) = (light_movable, dark_movable, 0);
        while occupied != 0 {
            let tile = occupied.trailing_zeros() as usize;
            occupied &= occupied - 1;
            let value = digit[tile];
            rank += self.before
                [self.ways.at(tile, light, dark) * usize::from(DIGITS) + usize::from(value)];
            if value < DARK_DIGIT {
                light -= 1;
            } else {
                dark -= 1;
            }
        }
        rank
    }

    /// Counts, for every tile, pieces left and digit, the positions with a smaller digit there.
    fn count_before(&self) -> Vec<u64> {
        let left = || 0..=self.pieces;
        let places = (0..self.tiles.len())
            .flat_map(|tile| left().flat_map(move |l| left().map(move |d| (tile, l, d))));
        places
            .flat_map(|(tile, l, d)| {
                (0..DIGITS).map(move |digit| self.ways_before(tile, digit, l, d))
            })
            .collect()
    }

    /// Counts the positions with a smaller digit on `tile`, given what stands on the tiles before.
    fn ways_before(&self, tile: usize, digit: u8, light: u8, dark: u8) -> u64 {
        let mut ways = 0;
        if digit > 0 {
            ways += self.ways.get(tile + 1, light, dark);
        }
        let lights = self.tiles[tile].light.len();
        let before = if digit >= DARK_DIGIT { lights } else { digit.saturating_sub(LIGHT_DIGIT) };
        if light > 0 && before > 0 {
            ways += u64::from(before) * self.ways.get(tile + 1, light - 1, dark);
        }
        if digit > DARK_DIGIT && dark > 0 {
            ways += self.ways.get(tile + 1, light, dark - 1);
        }
        ways
    }

    /// Returns the index of `position`.
    #[inline]
    pub fn rank(&self, position: Position) -> u64 {
        let place = self.place(position);
        self.first_of(place.mine, place.theirs) + place.offset
    }

    /// Returns the index of the first position with these side states; see [`Place`].
    #[inline]
    pub fn first_of(&self, mine: usize, theirs: usize) -> u64 {
        let (sublayer, mover_is_senior) = self.sublayer(mine, theirs);
        sublayer.base + if mover_is_senior { 0 } else { sublayer.half }
    }

    /// Returns the index of `position` in two parts: the states of both sides, and what they leave open.
    #[inline]
    pub fn place(&self, position: Position) -> Place {
        let (light, dark) = (position.mine(), position.theirs());
        let (mine, theirs) =
            (self.state_rank(self.state(light)), self.state_rank(self.state(dark)));
        let offset =
            if mine >= theirs { self.half_rank(light, dark) } else { self.half_rank(dark, light) };
        Place { mine, theirs, offset }
    }

    fn state(&self, side: Side) -> SideState {
        SideState { score: side.score(), post: self.zones.post_mask(side.squares()) }
    }

    /// The place of a valid side state among all.
    #[inline]
    fn state_rank(&self, state: SideState) -> usize {
        let at = usize::from(state.score) << self.zones.post() | state.post as usize;
        usize::from(self.state_ranks[at])
    }

    /// The rank of a board among those of its sublayer with one side about to roll; light is the senior side.
    #[inline]
    fn half_rank(&self, light: Side, dark: Side) -> u64 {
        let shared = self.zones.shared_squares();
        let (light_movable, dark_movable) =
            (self.state(light).movable(self.pieces), self.state(dark).movable(self.pieces));
        let (light_shared, dark_shared) = (light.squares() & shared, dark.squares() & shared);
        self.shared_rank(light_shared, dark_shared, light_movable, dark_movable)
            + self.pre_rank(self.zones.pre_mask(dark.squares()))
                * self.rows(light_movable - light_shared.len())
            + self.pre_rank(self.zones.pre_mask(light.squares()))
    }

    /// Returns the position with this index, or `None` past the last.
    pub fn position(&self, index: u64) -> Option<Position> {
        if index >= self.len() {
            return None;
        }
        let at = self.sublayers.partition_point(|sublayer| sublayer.base <= index) - 1;
        let sublayer = self.sublayers[at];
        let offset = index - sublayer.base;
        let (light, dark) = self.half_position(sublayer, offset % sublayer.half);
        Some(if offset < sublayer.half {
            Position::new(light, dark)
        } else {
            Position::new(dark, light)
        })
    }

    fn half_position(&self, sublayer: Sublayer, mut rank: u64) -> (Side, Side) {
        let (senior, junior) = (self.states[sublayer.senior], self.states[sublayer.junior]);
        let (mut light, mut dark) = (senior.movable(self.pieces), junior.movable(self.pieces));
        let mut squares =
            [self.zones.post_from_mask(senior.post), self.zones.post_from_mask(junior.post)];
        for (t, &tile) in self.tiles.iter().enumerate() {
            let empty = self.ways.get(t + 1, light, dark);
            if rank < empty {
                continue;
            }
            rank -= empty;
            let (side, square) = self.occupant(t, tile, &mut rank, light, dark);
            squares[side] = squares[side].with(square);
            if side == 0 {
                light -= 1;
            } else {
                dark -= 1;
            }
        }
        let rows = self.rows(light);
        let pre = |rank: u64| self.zones.pre_from_mask(self.zones.pre_unrank(rank));
        (
            Side::new(squares[0] | pre(rank % rows), senior.score),
            Side::new(squares[1] | pre(rank / rows), junior.score),
        )
    }

    /// Finds who stands on an occupied `tile` and takes the positions before from `rank`.
    fn occupant(
        &self,
        t: usize,
        tile: SharedTile,
        rank: &mut u64,
        light: u8,
        dark: u8,
    ) -> (usize, Square) {
        for square in tile.light.iter().filter(|_| light > 0) {
            let ways = self.ways.get(t + 1, light - 1, dark);
            if *rank < ways {
                return (0, square);
            }
            *rank -= ways;
        }
        for square in tile.dark.iter().filter(|_| dark > 0) {
            let ways = self.ways.get(t + 1, light, dark - 1);
            if *rank < ways {
                return (1, square);
            }
            *rank -= ways;
        }
        unreachable!("a rank below the number of ways has an occupant")
    }
}

/// Digits of a tile: empty, two squares of light, two of dark.
const DIGITS: u8 = 5;
/// Digit of a tile with a light piece on its first square there; the second has one more.
const LIGHT_DIGIT: u8 = 1;
/// Digit of a tile with a dark piece on its first square there; the second has one more.
const DARK_DIGIT: u8 = 3;

fn side_states(zones: Zones, pieces: u8) -> Vec<SideState> {
    (0..pieces)
        .flat_map(|score| (0..1_u32 << zones.post()).map(move |post| SideState { score, post }))
        .filter(|state| u32::from(state.score) + state.post.count_ones() <= u32::from(pieces))
        .collect()
}

/// Lists the places of the side states by score and post mask.
fn state_ranks(zones: Zones, states: &[SideState]) -> Vec<u16> {
    let mut ranks = Vec::new();
    for (rank, state) in (0..).zip(states) {
        let at = usize::from(state.score) << zones.post() | state.post as usize;
        ranks.resize(ranks.len().max(at + 1), u16::MAX);
        ranks[at] = rank;
    }
    ranks
}

/// Lists the tiles of shared squares in the order of light's path, then those only dark visits.
fn shared_tiles(rules: &Rules, zones: Zones) -> Vec<SharedTile> {
    let is_first_visit = |square: &Square| rules.twins(*square).iter().all(|twin| twin > *square);
    let first_visits = || zones.shared_squares().iter().filter(is_first_visit);
    let visits = |square: Square| rules.twins(square).with(square);
    let light = first_visits()
        .map(|square| SharedTile { light: visits(square), dark: rules.meets(square) });
    let only_dark = first_visits()
        .filter(|&square| rules.meets(square).is_empty())
        .map(|square| SharedTile { light: Squares::EMPTY, dark: visits(square) });
    light.chain(only_dark).collect()
}

fn digits(
    tiles: &[SharedTile],
    squares: impl Fn(&SharedTile) -> Squares,
    first: u8,
) -> [(u8, u8); 32] {
    let mut digits = [(0, 0); 32];
    for (t, tile) in (0..).zip(tiles) {
        for (value, square) in (first..).zip(squares(tile).iter()) {
            digits[square.index()] = (t, value);
        }
    }
    digits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ruleset::RuleSet;

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
