//! Finds the successors of blocks by the rules of the game.

use puabi_core::{Decision, Dice, Indexer, Move, Player, Position, Roll, Rules, Square, Sublayer};

use super::word::FLAGS;
use super::{CAPTURES, EXTERNAL, External, Head, IMAGE, Word, flag, place_word};
use crate::general::layout::BoardBlock;
use crate::general::places::Places;
use crate::general::pre::PreMoves;

/// Finds the successors of a sublayer's blocks.
#[derive(Clone, Copy)]
pub(crate) struct Finder<'a> {
    pub(crate) rules: &'a Rules,
    pub(crate) indexer: &'a Indexer,
    pub(crate) pre: &'a PreMoves,
    pub(crate) sublayer: Sublayer,
}

/// A block's configuration as one of the players sees it.
#[derive(Clone, Copy)]
struct PlayerView {
    player: Player,
    /// The configuration as the player sees it, with all other pieces in hand.
    position: Position,
    /// Light's and dark's pieces on pre squares and in hand.
    left: [u8; 2],
}

/// The successors of some blocks while they are found.
#[derive(Debug)]
pub(crate) struct Found<W> {
    words: Vec<W>,
    open: Vec<OpenSuccessor>,
}

/// A successor within the sublayer whose place is still to be looked up. Instead of the place its word has the index of the first
/// board in the sublayer. Instead of whether it is an image, it has whether light is about to roll.
#[derive(Debug, Clone, Copy)]
struct OpenSuccessor {
    /// The index of its word.
    word: u32,
    /// The number of boards of its block.
    boards: u32,
}

impl OpenSuccessor {
    fn new(word: usize, boards: usize) -> Self {
        let [word, boards] =
            [word, boards].map(|it| u32::try_from(it).expect("a strip has fewer words and boards"));
        Self { word, boards }
    }
}

/// What a successor leads to, as long as its word has an index instead of a place.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Unplaced {
    /// A block of the sublayer, by its first board.
    Block { board: usize },
    /// Values of another sublayer, from an index on: one for each board.
    Exit { sublayer: usize, index: usize, boards: usize },
}

/// The number of open successors that are looked up together. Look-ups wait for memory, and wait at the same time if none depends
/// on another.
const TOGETHER: usize = 1 << 12;

impl<W: Word> Found<W> {
    fn push(&mut self, word: u64) {
        self.words.push(whole(word));
    }

    /// Adds `word` to the word at the index `at`.
    fn add(&mut self, at: usize, word: u64) {
        self.words[at] = whole(self.words[at].widen() + word);
    }

    /// Returns the first board of each open successor.
    fn open_boards(&self) -> impl Iterator<Item = usize> + '_ {
        self.open.iter().map(|&it| board(self.open_word(it)))
    }

    fn open_word(&self, it: OpenSuccessor) -> u64 {
        self.words[it.word as usize].widen()
    }

    /// Looks up the places of the open successors.
    fn close(&mut self, places: &Places<W>) {
        let blocks: Vec<_> = self.open_boards().map(|board| places.block(board)).collect();
        let mut open = std::mem::take(&mut self.open);
        for (it, block) in open.drain(..).zip(blocks) {
            let word = self.open_word(it);
            let (at, is_image) = places.in_block(block, board(word));
            // In the image the other player is about to roll.
            let is_first = (word & LIGHT_ROLLS_AT_FIRST != 0) != is_image;
            let at = at + if is_first { 0 } else { it.boards as usize };
            let closed = place_word(at) | flag(is_image, IMAGE) | word & CAPTURES;
            self.words[it.word as usize] = whole(closed);
        }
        self.open = open;
    }

    /// Looks up the remaining places, and returns the words.
    fn closed(mut self, places: &Places<W>) -> Vec<W> {
        self.close(places);
        self.words.shrink_to_fit();
        self.words
    }
}

impl<W> Default for Found<W> {
    fn default() -> Self {
        Self { words: Vec::new(), open: Vec::new() }
    }
}

/// The flag of an open successor's word that is set if light is about to roll.
const LIGHT_ROLLS_AT_FIRST: u64 = IMAGE;

/// Returns the first board of an open successor, or the index of an exit, given its word.
const fn board(word: u64) -> usize {
    (word >> FLAGS) as usize
}

/// Returns a word as a `W`, which has room for it.
fn whole<W: Word>(word: u64) -> W {
    let kept = W::narrow(word);
    assert!(kept.widen() == word, "words are chosen so that all places have room");
    kept
}

impl Finder<'_> {
    /// Returns the successors of some blocks.
    pub(crate) fn find<W: Word>(
        &self,
        blocks: impl Iterator<Item = BoardBlock>,
        places: &Places<W>,
    ) -> Vec<W> {
        let mut found = Found::default();
        for block in blocks {
            self.push(block, &mut found);
            if found.open.len() >= TOGETHER {
                found.close(places);
            }
        }
        found.closed(places)
    }

    /// Returns the words of the successors of some blocks, with indices of what they lead to instead of places.
    pub(crate) fn find_unplaced<W: Word>(
        &self,
        blocks: impl Iterator<Item = BoardBlock>,
    ) -> Vec<W> {
        let mut found = Found::default();
        for block in blocks {
            self.push(block, &mut found);
            found.open.clear();
        }
        found.words.shrink_to_fit();
        found.words
    }

    /// Calls `action` with everything that the successors of `blocks` lead to. These successors are `words`.
    pub(crate) fn each_unplaced<W: Word>(
        &self,
        words: &[W],
        blocks: impl Iterator<Item = BoardBlock>,
        mut action: impl FnMut(Unplaced),
    ) {
        self.each_successor(words, blocks, |at, boards| {
            let word = words[at].widen();
            if word & EXTERNAL == 0 {
                action(Unplaced::Block { board: board(word) });
            } else if let External::Into { sublayer, .. } = External::read(words[at + 1].widen()) {
                action(Unplaced::Exit { sublayer, index: board(word), boards });
            }
        });
    }

    /// Looks up the places of everything that the successors of `blocks` lead to. These successors are `words`, and `exit`
    /// returns places in other sublayers.
    pub(crate) fn place<W: Word>(
        &self,
        words: Vec<W>,
        blocks: impl Iterator<Item = BoardBlock>,
        places: &Places<W>,
        exit: impl Fn(usize, usize) -> usize,
    ) -> Vec<W> {
        let (mut open, mut exits) = (Vec::new(), Vec::new());
        self.each_successor(&words, blocks, |at, boards| {
            let word = words[at].widen();
            if word & EXTERNAL == 0 {
                open.push(OpenSuccessor::new(at, boards));
            } else if let External::Into { sublayer, .. } = External::read(words[at + 1].widen()) {
                let place = place_word(exit(sublayer, board(word)));
                exits.push((at, place | EXTERNAL | word & CAPTURES));
            }
        });
        let mut found = Found { words, open };
        for (at, word) in exits {
            found.words[at] = whole(word);
        }
        found.closed(places)
    }

    /// Calls `action` for each successor of some blocks, with the index of its word and the number of boards of the block that it
    /// leads to.
    fn each_successor<W: Word>(
        &self,
        words: &[W],
        blocks: impl Iterator<Item = BoardBlock>,
        mut action: impl FnMut(usize, usize),
    ) {
        let mut at = 0;
        for block in blocks {
            let heads = at..at + self.pre.rolls.len();
            at = heads.end;
            for (me, is_dark) in [(0, false), (1, true)] {
                for head in heads.clone() {
                    let head = Head::from_word(words[head].widen(), is_dark);
                    for number in 0..head.len() {
                        let word = words[at].widen();
                        // A piece that comes onto the configuration is one less to place, and a captured piece is one more.
                        let mut left = [block.light, block.dark];
                        left[me] -= u8::from(number >= head.moves());
                        left[1 - me] += u8::from(word & CAPTURES != 0);
                        action(at, self.pre.boards(left));
                        at += if word & EXTERNAL == 0 { 1 } else { 2 };
                    }
                }
            }
        }
    }

    /// Adds the successors of `block`.
    fn push<W: Word>(&self, block: BoardBlock, found: &mut Found<W>) {
        let board = self.indexer.position(self.sublayer.base + block.base());
        let board = board.expect("an index below the length");
        let left = [block.light, block.dark];
        let heads = found.words.len();
        found.words.resize(heads + self.pre.rolls.len(), W::zeroed());
        for (player, position) in [(Player::Light, board), (Player::Dark, board.flipped())] {
            self.push_player(PlayerView { player, position, left }, heads, found);
        }
    }

    fn push_player<W: Word>(&self, view: PlayerView, heads: usize, found: &mut Found<W>) {
        let pre = self.indexer.zones().pre();
        let is_dark = view.player == Player::Dark;
        // By shared square: what a piece that comes there from a pre square or the hand leads to.
        let mut arrivals = [None; Dice::MAX_ROLL as usize];
        for (head, roll) in (heads..).zip(self.pre.rolls.iter()) {
            let decision = self.rules.decision(view.position, roll);
            for action in decision.moves() {
                if action.from().is_some() {
                    found.add(head, Head::one(None, is_dark));
                    self.leads_to(view, &decision, action).write(found);
                }
            }
            if self.indexer.hand(view.position.mine()) == 0 {
                continue;
            }
            // On some pre squares no piece can stand. From all others, a piece that comes onto a square leads to the same.
            let left = view.left[view.player as usize];
            let has_some = |origin: u8| !self.pre.left(left, Some(origin.into())).is_empty();
            let reaches = |origin: &u8| origin + roll.steps() > pre && has_some(*origin);
            for origin in (0..=pre).filter(reaches) {
                let arrival = &mut arrivals[usize::from(origin + roll.steps() - pre - 1)];
                let lead = arrival.get_or_insert_with(|| self.arrival(view, roll, origin));
                if let Some(lead) = lead {
                    found.add(head, Head::one(Some(origin), is_dark));
                    lead.write(found);
                }
            }
        }
    }

    /// Returns what a move leads to that brings a piece from the hand or a pre square onto the configuration.
    ///
    /// Pieces on farther pre squares are not seen here. They matter only if the piece leaves the board with a roll larger than it
    /// needs, which only the farthest piece may do. Then a farther piece would win as well, so no value depends on which of them
    /// leaves.
    fn arrival(&self, mut view: PlayerView, roll: Roll, origin: u8) -> Option<Lead> {
        let from = Square::new(origin);
        view.left[view.player as usize] -= 1;
        if from.is_some() {
            let mut content = [0; puabi_core::Zones::MAX_PRE as usize];
            content[usize::from(origin) - 1] = 1;
            let rank = self.indexer.pre_index().rank_of(content).expect("a piece can stand there");
            view.position = self.indexer.pre_index().laid(view.position, rank);
        }
        let decision = self.rules.decision(view.position, roll);
        let comes = |action: &Move| *action != Move::Pass && action.from() == from;
        let action = decision.moves().into_iter().find(comes)?;
        Some(self.leads_to(view, &decision, action))
    }

    /// Returns what a move leads to, given the pieces that are left beside the configuration.
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
        let parts = self.indexer.rank_parts(board);
        let offset = |offset: u64| usize::try_from(offset).expect("a sublayer fits memory");
        let states = (parts.mine.max(parts.theirs), parts.mine.min(parts.theirs));
        if states == (self.sublayer.senior, self.sublayer.junior) {
            let (board, boards) = (offset(parts.offset), self.pre.boards(left));
            return Lead::In { board, boards, light_rolls, captures };
        }
        let sublayer = states.0 * (states.0 + 1) / 2 + states.1;
        let parts = self.indexer.rank_parts(if light_rolls { board } else { board.flipped() });
        let first = self.indexer.first_of(parts.mine, parts.theirs);
        let at = offset(first - self.indexer.sublayers()[sublayer].base + parts.offset);
        let is_swapped = light_rolls != (parts.mine >= parts.theirs);
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
    fn write<W: Word>(self, found: &mut Found<W>) {
        match self {
            Self::In { board, boards, light_rolls, captures } => {
                let open = OpenSuccessor::new(found.words.len(), boards);
                let flags = flag(captures, CAPTURES) | flag(light_rolls, LIGHT_ROLLS_AT_FIRST);
                found.push(place_word(board) | flags);
                found.open.push(open);
            }
            Self::Out { at, captures, external } => {
                found.push(place_word(at) | EXTERNAL | flag(captures, CAPTURES));
                found.push(external.word());
            }
        }
    }
}
