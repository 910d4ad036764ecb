//! Successors: what the moves of a block's configuration lead to, found once for all sweeps.
//!
//! A block begins with a word for each roll, which has a [`Head`] for each player. Then come light's successors, roll by
//! roll, and dark's: a [`Successor`] for each move of the configuration, and for each origin from the lowest.

use puabi_core::{Decision, Dice, Indexer, Move, Player, Position, Roll, Rules, Square, Sublayer};

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
/// A candidate has no captures: it leads to one board.
const LAST: u32 = CAPTURES;
const FLAGS: u32 = 3;

const SWAPPED: u32 = 1;
const LIGHT_ROLLS: u32 = 2;
const EXTERNAL_FLAGS: u32 = 2;
const WON: u32 = u32::MAX;

const fn flag(is_set: bool, flag: u32) -> u32 {
    if is_set { flag } else { 0 }
}

/// What follows for one player and roll: the number of the configuration's moves in the low four bits, then one bit for each
/// origin (0 the hand, then the pre squares) from which a piece comes onto the configuration.
#[derive(Debug, Clone, Copy)]
pub(super) struct Head(u16);

impl Head {
    const MOVES: u32 = 4;

    /// The most successors that there can be.
    pub(super) const MOST: usize = (1 << Self::MOVES) - 1 + (u16::BITS - Self::MOVES) as usize;

    /// Returns a player's half of the word of a roll.
    #[inline]
    pub(super) const fn of(word: u32, is_dark: bool) -> Self {
        Self((word >> Self::half(is_dark) & 0xffff) as u16)
    }

    /// Returns what a successor, given by the origin of its piece, adds to the word of its roll.
    fn one(origin: Option<u8>, is_dark: bool) -> u32 {
        origin.map_or(1, |origin| 1 << Self::MOVES << origin) << Self::half(is_dark)
    }

    const fn half(is_dark: bool) -> u32 {
        if is_dark { 16 } else { 0 }
    }

    /// Returns the number of successors.
    #[inline]
    pub(super) const fn len(self) -> u32 {
        self.moves() + self.origins().count_ones()
    }

    /// Returns the number of those that are moves of the configuration.
    #[inline]
    pub(super) const fn moves(self) -> u32 {
        self.0 as u32 & 0xf
    }

    /// Returns a bit for the origin of each of the others.
    #[inline]
    pub(super) const fn origins(self) -> u32 {
        self.0 as u32 >> Self::MOVES
    }
}

/// Successors that are read one after the other.
#[derive(Debug, Clone)]
pub(super) struct Words<'a>(std::slice::Iter<'a, u32>);

/// A successor of a roll on a single board that may be the best: a place among the values at work, or among exits.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate(u32);

impl Candidate {
    /// Returns a successor within the sublayer, or nothing if it leads out.
    pub(super) fn within(successor: Successor) -> Option<Self> {
        let word = place_word(successor.at) | flag(successor.is_image, IMAGE);
        successor.external.is_none().then_some(Self(word))
    }

    /// Returns one that has the value of this exit.
    pub(super) fn exit(number: usize) -> Self {
        Self(place_word(number) | EXTERNAL)
    }

    /// Returns the same as the last candidate of its roll.
    pub(super) const fn last(self) -> Self {
        Self(self.0 | LAST)
    }

    #[inline]
    pub(super) const fn from_word(word: u32) -> Self {
        Self(word)
    }

    pub(super) const fn word(self) -> u32 {
        self.0
    }

    /// Returns the place of its value.
    #[inline]
    pub(super) const fn at(self) -> usize {
        (self.0 >> FLAGS) as usize
    }

    /// Returns whether the place is among exits.
    #[inline]
    pub(super) const fn is_exit(self) -> bool {
        self.0 & EXTERNAL != 0
    }

    /// Returns whether the value is that of the mirror image.
    #[inline]
    pub(super) const fn is_image(self) -> bool {
        self.0 & IMAGE != 0
    }

    /// Returns whether those of another roll follow.
    #[inline]
    pub(super) const fn is_last(self) -> bool {
        self.0 & LAST != 0
    }
}

/// Words between one that is read and those that are prefetched.
const AHEAD: usize = 72;

impl<'a> Words<'a> {
    pub(super) fn new(words: &'a [u32]) -> Self {
        Self(words.iter())
    }

    /// Returns the number of words to come.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    #[inline]
    pub(super) fn next(&mut self) -> u32 {
        *self.0.next().expect("successors are whole")
    }

    /// Reads some words: the heads of a block.
    #[inline]
    pub(super) fn take(&mut self, count: usize) -> &'a [u32] {
        let (words, rest) = self.0.as_slice().split_at(count);
        self.0 = rest.iter();
        words
    }

    /// Returns the places that `N` words to come may name. They are as many each time, whatever blocks have, so that a loop
    /// over them is of foreseeable length; a word that is no place gives one all the same.
    #[inline]
    pub(super) fn soon<const N: usize>(&self) -> Option<impl Iterator<Item = usize>> {
        let soon: &[u32; N] = self.0.as_slice().get(AHEAD..)?.first_chunk()?;
        Some(soon.iter().map(|word| (word >> FLAGS) as usize))
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

    pub(super) fn word(self) -> u32 {
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

/// Calls `action` with the place of each successor within the sublayer, given the words of whole blocks and the number of
/// rolls.
pub(super) fn each_place(words: &[u32], rolls: usize, mut action: impl FnMut(usize)) {
    let mut words = Words::new(words);
    while !words.0.as_slice().is_empty() {
        let heads = words.take(rolls);
        for is_dark in [false, true] {
            let successors = heads.iter().map(|&head| Head::of(head, is_dark).len()).sum();
            for _ in 0..successors {
                let successor = Successor::read(&mut words);
                if successor.external.is_none() {
                    action(successor.at);
                }
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

/// The successors of a strip's blocks, as they are found.
#[derive(Debug, Default)]
pub(super) struct Found {
    words: Vec<u32>,
    open: Vec<OpenSuccessor>,
}

/// A successor within the sublayer whose place is still to be looked up.
#[derive(Debug)]
struct OpenSuccessor {
    /// The number of its word, which has all but the place.
    word: usize,
    /// The index of its first board in the sublayer, and the number of boards of its block.
    board: usize,
    boards: usize,
    light_rolls: bool,
}

/// Open successors that are looked up together: look-ups wait for memory, and do so at the same time if none waits for another.
const TOGETHER: usize = 1 << 12;

impl Found {
    /// Looks up the places of the open successors.
    fn close(&mut self, places: &Places) {
        let blocks: Vec<_> = self.open.iter().map(|it| places.block(it.board)).collect();
        for (it, block) in self.open.drain(..).zip(blocks) {
            let (at, is_image) = places.in_block(block, it.board);
            // In the image the other player is about to roll.
            let is_first = it.light_rolls != is_image;
            let at = at + if is_first { 0 } else { it.boards };
            self.words[it.word] |= place_word(at) | flag(is_image, IMAGE);
        }
    }
}

fn place_word(at: usize) -> u32 {
    let at = u32::try_from(at).ok().filter(|at| at >> (32 - FLAGS) == 0);
    at.expect("a solve begins only if the places of all sublayers are small enough") << FLAGS
}

impl Finder<'_> {
    /// Returns the successors of some blocks.
    pub(super) fn find(&self, blocks: impl Iterator<Item = BoardBlock>) -> Vec<u32> {
        let mut found = Found::default();
        for block in blocks {
            self.push(block, &mut found);
            if found.open.len() >= TOGETHER {
                found.close(self.places);
            }
        }
        found.close(self.places);
        found.words.shrink_to_fit();
        found.words
    }

    /// Adds the successors of `block`.
    fn push(&self, block: BoardBlock, found: &mut Found) {
        let board = self.indexer.position(self.sublayer.base + u64::from(block.base));
        let board = board.expect("an index below the length");
        let left = [block.light, block.dark];
        let heads = found.words.len();
        found.words.resize(heads + self.rules.rolls().len(), 0);
        for (player, position) in [(Player::Light, board), (Player::Dark, board.flipped())] {
            self.push_seat(PlayerView { player, position, left }, heads, found);
        }
    }

    fn push_seat(&self, seat: PlayerView, heads: usize, found: &mut Found) {
        let pre = self.indexer.zones().pre();
        let is_dark = seat.player == Player::Dark;
        // By shared square: what a piece leads to that comes there from a pre square or the hand.
        let mut arrivals = [None; Dice::MAX_ROLL as usize];
        for (head, &(roll, _)) in (heads..).zip(self.rules.rolls()) {
            let decision = self.rules.decision(seat.position, roll);
            for action in decision.moves() {
                if action.from().is_some() {
                    found.words[head] += Head::one(None, is_dark);
                    self.leads_to(seat, &decision, action).write(found);
                }
            }
            if self.indexer.hand(seat.position.mine()) == 0 {
                continue;
            }
            for origin in (0..=pre).filter(|origin| origin + roll.steps() > pre) {
                let arrival = &mut arrivals[usize::from(origin + roll.steps() - pre - 1)];
                let lead = arrival.get_or_insert_with(|| self.arrival(seat, roll, origin));
                if let Some(lead) = lead {
                    found.words[head] += Head::one(Some(origin), is_dark);
                    lead.write(found);
                }
            }
        }
    }

    /// What a piece from the hand or a pre square leads to that comes onto the configuration.
    ///
    /// Pieces on farther pre squares are not seen here. Where the piece leaves with more than it needs, which only the
    /// farthest may, they would win as well: no value depends on which of them does.
    fn arrival(&self, seat: PlayerView, roll: Roll, origin: u8) -> Option<Lead> {
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
        let comes = |action: &Move| *action != Move::Pass && action.from() == from;
        let action = decision.moves().into_iter().find(comes)?;
        Some(self.leads_to(seat, &decision, action))
    }

    /// What a move leads to, given the pieces that are left beside the configuration.
    fn leads_to(
        &self,
        PlayerView { player, mut left, .. }: PlayerView,
        decision: &Decision<'_>,
        action: Move,
    ) -> Lead {
        let (captures, board) = (decision.captures(action).is_some(), decision.board(action));
        left[player.opponent() as usize] += u8::from(captures);
        if self.rules.has_won(board.mine()) {
            return Lead::Out { at: 0, captures, external: External::Won };
        }
        // Light is the senior side.
        let board = if player == Player::Light { board } else { board.flipped() };
        let light_rolls = (player == Player::Light) == decision.rolls_again(action);
        let place = self.indexer.place(board);
        let offset = |offset: u64| usize::try_from(offset).expect("a sublayer fits memory");
        let states = (place.mine.max(place.theirs), place.mine.min(place.theirs));
        if states == (self.sublayer.senior, self.sublayer.junior) {
            let (board, boards) = (offset(place.offset), self.pre.boards(left));
            return Lead::In { board, boards, light_rolls, captures };
        }
        let sublayer = states.0 * (states.0 + 1) / 2 + states.1;
        let place = self.indexer.place(if light_rolls { board } else { board.flipped() });
        let first = self.indexer.first_of(place.mine, place.theirs);
        let at = offset(first - self.indexer.sublayers()[sublayer].base + place.offset);
        let is_swapped = light_rolls != (place.mine >= place.theirs);
        Lead::Out { at, captures, external: External::Into { sublayer, light_rolls, is_swapped } }
    }
}

/// What a move leads to, before its place is looked up.
#[derive(Debug, Clone, Copy)]
enum Lead {
    /// Within the sublayer.
    In { board: usize, boards: usize, light_rolls: bool, captures: bool },
    /// Out of it.
    Out { at: usize, captures: bool, external: External },
}

impl Lead {
    /// Adds the words of a [`Successor`].
    fn write(self, found: &mut Found) {
        match self {
            Self::In { board, boards, light_rolls, captures } => {
                let word = found.words.len();
                found.words.push(flag(captures, CAPTURES));
                found.open.push(OpenSuccessor { word, board, boards, light_rolls });
            }
            Self::Out { at, captures, external } => {
                found.words.push(place_word(at) | EXTERNAL | flag(captures, CAPTURES));
                found.words.push(external.word());
            }
        }
    }
}
