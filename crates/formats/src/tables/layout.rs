//! The keys of `.rgu` tables: how a state is a number of up to 64 bits.
//!
//! From the top: light's hand, dark's hand, light's safe tiles, the war tiles, dark's safe tiles. A hand takes three bits, a
//! safe tile one bit. The war tiles are cut into segments of at most eight tiles. The code of a segment is the rank of its
//! digits (0 empty, 1 dark, 2 light, the first tile foremost) among those digits that have no more pieces of either side than
//! the war table allows. Light is about to roll.

use std::fmt;

use puabi_core::{Path, Player, Position, Rules, Square, Squares};

/// The number of pieces of a side that limits the digits of the war tiles.
///
/// ```
/// use puabi_formats::WarTable;
/// assert_eq!(WarTable::SevenPieces.to_string(), "the war table of seven pieces");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WarTable {
    /// The game's own number of pieces, as in the files of today.
    OwnPieces,
    /// Seven for every game, as in small files from before April 2024.
    SevenPieces,
}

impl fmt::Display for WarTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::OwnPieces => "the war table of its own pieces",
            Self::SevenPieces => "the war table of seven pieces",
        })
    }
}

/// A state of a `.rgu` table, light about to roll.
///
/// ```
/// use puabi_core::RuleSet;
/// use puabi_formats::State;
/// let rules = RuleSet::FINKEL.compile()?;
/// assert_eq!(State::of(rules.start(), &rules).position(&rules), Some(rules.start()));
/// # Ok::<(), puabi_core::RuleError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct State {
    /// Light's squares, along light's path.
    pub light: Squares,
    /// Dark's squares, along dark's path.
    pub dark: Squares,
    /// Light's pieces in hand.
    pub light_hand: u8,
    /// Dark's pieces in hand.
    pub dark_hand: u8,
}

impl State {
    /// Returns the state of a position whose mover is light.
    pub fn of(position: Position, rules: &Rules) -> Self {
        let (light, dark) = (position.mine(), position.theirs());
        Self {
            light: light.squares(),
            dark: dark.squares(),
            light_hand: rules.hand(light),
            dark_hand: rules.hand(dark),
        }
    }

    /// Returns whether light has brought every piece home.
    pub const fn is_won(self) -> bool {
        self.light_hand == 0 && self.light.is_empty()
    }

    /// Returns the position, seen by light, the mover.
    ///
    /// Returns `None` if a player has every piece home, or more pieces than the game has.
    pub fn position(self, rules: &Rules) -> Option<Position> {
        let score = |squares: Squares, hand: u8| rules.pieces().checked_sub(squares.len() + hand);
        let light = (self.light, score(self.light, self.light_hand)?);
        rules.arrange(light, (self.dark, score(self.dark, self.dark_hand)?))
    }
}

/// The reason why a game has no keys.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct LayoutError(String);

/// A run of war tiles that share a code.
#[derive(Debug, Clone)]
pub(crate) struct Segment {
    /// The legal digits in order, as the squares of light and the squares of dark.
    pub(crate) codes: Vec<(Squares, Squares)>,
    /// By the digits as a number of base three: their rank, or `u16::MAX` if they are not legal.
    ranks: Vec<u16>,
    /// Light's and dark's square of each tile, the first foremost.
    squares: Vec<(Square, Square)>,
    bits: u32,
}

/// How the states of a game are numbered.
///
/// ```
/// use puabi_core::RuleSet;
/// use puabi_formats::{KeyLayout, State, WarTable};
/// let rules = RuleSet::FINKEL.compile()?;
/// let layout = KeyLayout::new(&rules, WarTable::OwnPieces)?;
/// let start = State::of(rules.start(), &rules);
/// assert_eq!(layout.key(start), 0x7E00_0000);
/// assert_eq!(layout.state(0x7E00_0000), Some(start));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct KeyLayout {
    pub(crate) pieces: u8,
    war_table: WarTable,
    /// The private squares of light, in the order of the bits of their tiles. The next field is the same for dark.
    pub(crate) light_safe: Vec<Square>,
    pub(crate) dark_safe: Vec<Square>,
    pub(crate) segments: Vec<Segment>,
    war_bits: u32,
}

/// The most tiles of a segment.
const MAX_SEGMENT: usize = 8;
/// The bits of a hand.
const HAND_BITS: u32 = 3;
/// The most pieces in a hand.
const MAX_HAND: u8 = 7;

impl KeyLayout {
    /// Returns the numbering of the states under `rules`.
    ///
    /// # Errors
    ///
    /// Returns an error if keys cannot tell the states apart: for paths that cross themselves, drawn boards, more than seven
    /// pieces, or games that are won with fewer than all pieces home.
    pub fn new(rules: &Rules, war_table: WarTable) -> Result<Self, LayoutError> {
        check(rules)?;
        let pieces = rules.pieces();
        let limit = match war_table {
            WarTable::OwnPieces => pieces,
            WarTable::SevenPieces => MAX_HAND,
        };
        let war = squares(rules, Player::Light, |square| !rules.is_private(square));
        let both = |light| rules.theirs_on_same_tile(light).first().map(|dark| (light, dark));
        let war: Vec<_> = war.into_iter().filter_map(both).collect();
        let segments: Vec<_> =
            cut(&war).into_iter().map(|squares| Segment::new(squares, limit)).collect();
        Ok(Self {
            pieces,
            war_table,
            light_safe: squares(rules, Player::Light, |square| rules.is_private(square)),
            dark_safe: squares(rules, Player::Dark, |square| rules.is_private(square)),
            war_bits: segments.iter().map(|segment| segment.bits).sum(),
            segments,
        })
    }

    /// Returns which number of pieces limits the digits of the war tiles.
    pub const fn war_table(&self) -> WarTable {
        self.war_table
    }

    /// Returns the key of a state.
    pub fn key(&self, state: State) -> u64 {
        let war = self.segments.iter().fold(0, |code, segment| {
            code << segment.bits | u64::from(segment.code(state.light, state.dark))
        });
        let mut key = u64::from(state.light_hand) << HAND_BITS | u64::from(state.dark_hand);
        key = key << self.light_safe.len() | mask(&self.light_safe, state.light);
        key = key << self.war_bits | war;
        key << self.dark_safe.len() | mask(&self.dark_safe, state.dark)
    }

    /// Returns the state of a key; `None` if the key belongs to no state.
    pub fn state(&self, key: u64) -> Option<State> {
        let mut rest = key;
        let mut take = |bits: u32| {
            let part = rest & ((1 << bits) - 1);
            rest >>= bits;
            part
        };
        let safe = |squares: &[Square], bits: u64| -> Squares {
            let held = squares.iter().enumerate().filter(|(at, _)| bits >> at & 1 == 1);
            held.map(|(_, &square)| square).collect()
        };
        let mut dark = safe(&self.dark_safe, take(bits_of(&self.dark_safe)));
        let mut light = Squares::EMPTY;
        for segment in self.segments.iter().rev() {
            let &(lights, darks) = segment.codes.get(usize::try_from(take(segment.bits)).ok()?)?;
            (light, dark) = (light | lights, dark | darks);
        }
        light = light | safe(&self.light_safe, take(bits_of(&self.light_safe)));
        let dark_hand = u8::try_from(take(HAND_BITS)).ok()?;
        let light_hand = u8::try_from(take(HAND_BITS)).ok()?;
        let fits = |squares: Squares, hand: u8| squares.len() + hand <= self.pieces;
        let has_dark = dark_hand > 0 || !dark.is_empty();
        let is_state = rest == 0 && has_dark && fits(light, light_hand) && fits(dark, dark_hand);
        is_state.then_some(State { light, dark, light_hand, dark_hand })
    }

    /// Returns the largest key, that of the start.
    pub fn start(&self) -> u64 {
        let (light_hand, dark_hand) = (self.pieces, self.pieces);
        self.key(State { light: Squares::EMPTY, dark: Squares::EMPTY, light_hand, dark_hand })
    }
}

fn check(rules: &Rules) -> Result<(), LayoutError> {
    let (rule_set, pieces) = (rules.rule_set(), rules.pieces());
    let crosses = |square| !rules.own_on_same_tile(square).is_empty();
    Err(LayoutError(match rule_set.path {
        Path::Drawn(_) => format!(
            "{rule_set} has a board of its own: .rgu tables know the paths bell, masters and aseb only"
        ),
        Path::Named(route) if Squares::range(1, rules.length()).iter().any(crosses) => format!(
            "{rule_set}: on the path of {} a piece on one tile can stand at two steps, which the keys of .rgu tables \
             cannot tell apart; such tables by RoyalUr's programs are meaningless",
            route.name()
        ),
        Path::Named(_) if pieces > MAX_HAND => {
            format!("{rule_set} has {pieces} pieces: .rgu keys have room for a hand of 7 at most")
        }
        Path::Named(_) if rules.goal() < pieces => format!(
            "{rule_set} is won with {} of {pieces} pieces home: .rgu tables know games for all pieces only",
            rules.goal()
        ),
        Path::Named(_) => return Ok(()),
    }))
}

/// Returns the squares of a path that pass a test, by column and then by lane of their tiles.
fn squares(rules: &Rules, player: Player, test: impl Fn(Square) -> bool) -> Vec<Square> {
    let mut squares: Vec<_> =
        Squares::range(1, rules.length()).iter().filter(|&square| test(square)).collect();
    squares.sort_by_key(|&square| {
        let tile = rules.tile(player, square);
        (tile.column(), tile.row())
    });
    squares
}

/// Cuts the war tiles into segments: one if all tiles fit into it, otherwise as few as possible. They have equal lengths, except
/// that the last may be shorter.
fn cut(war: &[(Square, Square)]) -> Vec<Vec<(Square, Square)>> {
    let mut lengths = (1..=war.len()).map(|count| war.len().div_ceil(count));
    let length = lengths.find(|&length| length <= MAX_SEGMENT);
    war.chunks(length.unwrap_or(1).max(1)).map(<[_]>::to_vec).collect()
}

fn bits_of(squares: &[Square]) -> u32 {
    // A path has at most 31 squares.
    u32::try_from(squares.len()).unwrap_or(u32::MAX)
}

fn mask(squares: &[Square], held: Squares) -> u64 {
    squares.iter().rev().fold(0, |mask, &square| mask << 1 | u64::from(held.contains(square)))
}

impl Segment {
    fn new(squares: Vec<(Square, Square)>, limit: u8) -> Self {
        let count = (0..squares.len()).fold(1, |count, _| count * 3);
        let mut segment =
            Self { codes: Vec::new(), ranks: vec![u16::MAX; count], squares, bits: 0 };
        for number in 0..count {
            let (light, dark) = segment.digits(number);
            if light.len() > limit || dark.len() > limit {
                continue;
            }
            // At most 3^8 codes.
            segment.ranks[number] = u16::try_from(segment.codes.len()).unwrap_or(u16::MAX);
            segment.codes.push((light, dark));
        }
        // This is one bit short if the last code is a power of two, as in RoyalUr's programs.
        let last = segment.codes.len() - 1;
        segment.bits = last.next_power_of_two().trailing_zeros().max(1);
        segment
    }

    /// Returns the squares of light and of dark that the digits of `number`, to base three, stand for.
    fn digits(&self, number: usize) -> (Squares, Squares) {
        let (mut light, mut dark, mut rest) = (Squares::EMPTY, Squares::EMPTY, number);
        for &(lights, darks) in self.squares.iter().rev() {
            match rest % 3 {
                1 => dark = dark.with(darks),
                2 => light = light.with(lights),
                _ => {}
            }
            rest /= 3;
        }
        (light, dark)
    }

    fn code(&self, light: Squares, dark: Squares) -> u16 {
        let number = self.squares.iter().fold(0, |number, &(lights, darks)| {
            let digit = 2 * usize::from(light.contains(lights)) + usize::from(dark.contains(darks));
            number * 3 + digit
        });
        self.ranks[number]
    }
}
