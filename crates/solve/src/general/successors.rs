//! Successors: what the moves of a block's configuration lead to, found once for all sweeps.
//!
//! For each player, light first, and each roll there is a word that counts what follows: the moves of the configuration
//! in the low byte, in the next one bit for each origin (0 the hand, then the pre squares) from which a piece comes onto
//! the configuration. Then a [`Successor`] for each of the moves, and for each of the origins from the lowest.

use puabi_core::{
    Afterstate, Decision, Indexer, Move, Player, Position, Roll, Rules, Square, Sublayer,
};

use super::layout::BoardBlock;
use super::places::Places;
use super::pre::PreMoves;

/// Where a move leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Successor {
    /// The place of the first value: among those at work, or in a finished sublayer.
    pub(super) at: usize,
    /// Whether a piece of the other player goes back to hand.
    pub(super) captures: bool,
    /// Whether the values are those of the mirror image.
    pub(super) is_image: bool,
    /// Where it leads out of the sublayer.
    pub(super) external: Option<External>,
}

/// What a successor out of the sublayer is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum External {
    /// The game is won.
    Won,
    /// Another sublayer.
    Into {
        /// Its index.
        sublayer: usize,
        /// Whether light is about to roll there.
        light_rolls: bool,
        /// Whether dark is the senior side there.
        is_swapped: bool,
    },
}

const EXTERNAL: u32 = 1;
const IMAGE: u32 = 2;
const CAPTURES: u32 = 4;
const FLAGS: u32 = 3;

const SWAPPED: u32 = 1;
const LIGHT_ROLLS: u32 = 2;
const EXTERNAL_FLAGS: u32 = 2;
const WON: u32 = u32::MAX;

const fn flag(is_set: bool, flag: u32) -> u32 {
    if is_set { flag } else { 0 }
}

/// Successors that are read one after the other.
pub(super) struct Words<'a>(std::slice::Iter<'a, u32>);

impl<'a> Words<'a> {
    pub(super) fn new(words: &'a [u32]) -> Self {
        Self(words.iter())
    }

    #[inline]
    pub(super) fn next(&mut self) -> u32 {
        *self.0.next().expect("successors are whole")
    }
}

impl Successor {
    /// Reads a successor; it takes one word, or two if it leads out.
    #[inline]
    pub(super) fn read(words: &mut Words<'_>) -> Self {
        let word = words.next();
        Self {
            at: (word >> FLAGS) as usize,
            captures: word & CAPTURES != 0,
            is_image: word & IMAGE != 0,
            external: (word & EXTERNAL != 0).then(|| External::read(words.next())),
        }
    }

    fn write(self, words: &mut Vec<u32>) {
        let at = u32::try_from(self.at).ok().filter(|at| at >> (32 - FLAGS) == 0);
        let at = at.expect("a solve begins only if the places of all sublayers are small enough");
        let flags = flag(self.external.is_some(), EXTERNAL)
            | flag(self.is_image, IMAGE)
            | flag(self.captures, CAPTURES);
        words.push(at << FLAGS | flags);
        words.extend(self.external.map(External::word));
    }
}

impl External {
    #[inline]
    const fn read(word: u32) -> Self {
        match word {
            WON => Self::Won,
            word => Self::Into {
                sublayer: (word >> EXTERNAL_FLAGS) as usize,
                light_rolls: word & LIGHT_ROLLS != 0,
                is_swapped: word & SWAPPED != 0,
            },
        }
    }

    fn word(self) -> u32 {
        match self {
            Self::Won => WON,
            Self::Into { sublayer, light_rolls, is_swapped } => {
                u32::try_from(sublayer).expect("few sublayers") << EXTERNAL_FLAGS
                    | flag(light_rolls, LIGHT_ROLLS)
                    | flag(is_swapped, SWAPPED)
            }
        }
    }
}

/// The successors of a sublayer's blocks.
pub(super) struct Finder<'a> {
    pub(super) rules: &'a Rules,
    pub(super) indexer: &'a Indexer,
    pub(super) pre: &'a PreMoves,
    pub(super) sublayer: Sublayer,
    pub(super) places: &'a Places,
}

/// A player of a block's configuration.
#[derive(Clone, Copy)]
struct PlayerView {
    player: Player,
    /// The configuration as the player sees it, with all other pieces in hand.
    position: Position,
    /// Light's and dark's pieces on pre squares and in hand.
    left: [u8; 2],
}

impl Successor {
    /// The values that there may be in a sublayer: a word holds a place and three flags.
    pub(super) const MOST_PLACES: u64 = 1 << (32 - FLAGS);
}

impl Finder<'_> {
    /// Adds the successors of `block`.
    pub(super) fn push(&self, block: BoardBlock, successors: &mut Vec<u32>) {
        let board = self.indexer.position(self.sublayer.base + u64::from(block.base));
        let board = board.expect("an index below the length");
        let left = [block.light, block.dark];
        self.push_seat(PlayerView { player: Player::Light, position: board, left }, successors);
        self.push_seat(
            PlayerView { player: Player::Dark, position: board.flipped(), left },
            successors,
        );
    }

    fn push_seat(&self, seat: PlayerView, successors: &mut Vec<u32>) {
        let pre = self.indexer.zones().pre();
        let farthest = self.rules.rolls().iter().map(|&(roll, _)| roll.steps()).max();
        // By shared square: what a piece leads to that comes there from a pre square or the hand.
        let mut arrivals = vec![None; farthest.unwrap_or(0).into()];
        for &(roll, _) in self.rules.rolls() {
            let head = successors.len();
            successors.push(0);
            let decision = self.rules.decision(seat.position, roll);
            for it in decision.afterstates() {
                if it.0.from().is_some() {
                    successors[head] += 1;
                    self.successor(seat, &decision, it).write(successors);
                }
            }
            if self.indexer.hand(seat.position.mine()) == 0 {
                continue;
            }
            for origin in (0..=pre).filter(|origin| origin + roll.steps() > pre) {
                let arrival = &mut arrivals[usize::from(origin + roll.steps() - pre - 1)];
                let successor = arrival.get_or_insert_with(|| self.arrival(seat, roll, origin));
                if let Some(successor) = successor {
                    successors[head] |= 1 << (8 + origin);
                    successor.write(successors);
                }
            }
        }
    }

    /// What a piece from the hand or a pre square leads to that comes onto the configuration.
    ///
    /// Pieces on farther pre squares are not seen here. Where the piece leaves with more than it needs, which only the
    /// farthest may, they would win as well: no value depends on which of them does.
    fn arrival(&self, seat: PlayerView, roll: Roll, origin: u8) -> Option<Successor> {
        let from = Square::new(origin);
        let mut seat = seat;
        seat.left[seat.player as usize] -= 1;
        if from.is_some() {
            let mut content = [0; puabi_core::Zones::MAX_PRE as usize];
            content[usize::from(origin) - 1] = 1;
            let rank = self.indexer.pre_index().rank_of(content)?;
            seat.position = self.indexer.pre_index().laid(seat.position, rank);
        }
        let decision = self.rules.decision(seat.position, roll);
        let comes =
            |&(action, _): &(Move, Afterstate)| action != Move::Pass && action.from() == from;
        let found = decision.afterstates().find(comes)?;
        Some(self.successor(seat, &decision, found))
    }

    /// What a move leads to, given the pieces that are left beside the configuration.
    fn successor(
        &self,
        PlayerView { player, mut left, .. }: PlayerView,
        decision: &Decision<'_>,
        (action, after): (Move, Afterstate),
    ) -> Successor {
        let captures = decision.captures(action).is_some();
        left[player.opponent() as usize] += u8::from(captures);
        let Some(next) = after.position() else {
            return Successor { at: 0, captures, is_image: false, external: Some(External::Won) };
        };
        let light_rolls = (player == Player::Light) == after.rolls_again();
        let board = self.indexer.place(if light_rolls { next } else { next.flipped() });
        let offset = |offset: u64| usize::try_from(offset).expect("a sublayer fits memory");
        let states = (board.mine.max(board.theirs), board.mine.min(board.theirs));
        if states == (self.sublayer.senior, self.sublayer.junior) {
            let (at, is_image) = self.places.find(offset(board.offset));
            // In the image the other player is about to roll.
            let is_first = light_rolls != is_image;
            let at = at + if is_first { 0 } else { self.pre.boards(left) };
            return Successor { at, captures, is_image, external: None };
        }
        let sublayer = states.0 * (states.0 + 1) / 2 + states.1;
        let place = self.indexer.place(next);
        let first = self.indexer.first_of(place.mine, place.theirs);
        let at = offset(first - self.indexer.sublayers()[sublayer].base + place.offset);
        let is_swapped = light_rolls != (place.mine >= place.theirs);
        let external = Some(External::Into { sublayer, light_rolls, is_swapped });
        Successor { at, captures, is_image: false, external }
    }
}
