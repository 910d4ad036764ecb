//! The backup of a block: both players' values of each of its boards.
#![expect(
    unsafe_code,
    clippy::inline_always,
    reason = "values are shared by threads, and all is compiled with the instructions of the strip that it is part of"
)]

mod block_moves;
mod board_map;
mod candidates;
mod single;
mod sums;

use super::candidates::Candidates;
use super::layout::BoardBlock;
use super::pre::PreMoves;
use super::preference::{better, never};
use super::successors::word::Word;
use super::successors::{External, Head, Successor, Words};
use super::values::SharedValues;
use crate::drive::statistics::{Mode, Tally};
use block_moves::BlockMoves;
use board_map::{BoardMap, improve};
use sums::PlayerSums;

/// Backs up blocks of one sublayer.
pub(super) struct Backup<'a, W> {
    pre: &'a PreMoves,
    values: &'a SharedValues<'a>,
    /// Finished values, by sublayer and by whether the reader's senior is the senior there.
    finished: &'a [[&'a [f64]; 2]],
    mode: Mode,
    /// The sums over the rolls of either player before those that move pieces.
    start: PlayerSums,
    /// Light's chance in a dead position.
    dead: f64,
    is_halved: bool,
    /// The chance of each roll that moves pieces.
    chances: &'a [f64],
    /// The sum of all chances.
    certain: f64,
    /// By player and roll: for each board of the block, the best value that its successors lead to.
    bests: Vec<f64>,
    /// By pre rank of light: the sums over dark's rolls.
    sums: Vec<PlayerSums>,
    /// The moves of the block that candidates are chosen from.
    moves: BlockMoves,
    /// The candidates, if these are to be chosen.
    pub(super) candidates: Candidates<W>,
    /// How far the value of a candidate may be from the best.
    margin: f64,
}

/// The number of values in a cache line.
const LINE: usize = 8;

/// A block with the place of its values.
#[derive(Debug, Clone, Copy)]
pub(super) struct PlacedBlock {
    block: BoardBlock,
    /// The place of its first value.
    at: usize,
    /// The number of light's pre ranks.
    lights: usize,
    pub(super) boards: usize,
}

impl<'a, W: Word> Backup<'a, W> {
    pub(super) fn new(
        pre: &'a PreMoves,
        (dead, is_halved): (f64, bool),
        (values, finished): (&'a SharedValues<'a>, &'a [[&'a [f64]; 2]]),
        (mode, slack, margin): (Mode, f64, f64),
    ) -> Self {
        let (chances, still) = (pre.rolls.chances(), pre.rolls.still());
        let start = PlayerSums::start(slack, still);
        let certain = chances.iter().fold(still, |sum, chance| sum + chance);
        let (bests, sums) = (Vec::new(), Vec::new());
        Self {
            pre,
            values,
            finished,
            mode,
            start,
            dead,
            is_halved,
            chances,
            certain,
            bests,
            sums,
            moves: BlockMoves::default(),
            candidates: Candidates::new(),
            margin,
        }
    }

    /// Returns a block with the place `at` of its first value.
    #[inline(always)]
    pub(super) fn placed(&self, block: BoardBlock, at: usize) -> PlacedBlock {
        let lights = self.pre.ways_at_most(block.light);
        PlacedBlock { block, at, lights, boards: lights * self.pre.ways_at_most(block.dark) }
    }

    #[inline(always)]
    fn prefetch(&self, places: Option<impl Iterator<Item = usize>>) {
        places.into_iter().flatten().for_each(|at| self.values.prefetch(at));
    }

    /// Backs up a block of several boards, whose successors come next. If it is to `CHOOSE`, it notes for each board which of these
    /// come near the best.
    ///
    /// # Safety
    ///
    /// The successors that come next are those of the block. No other thread reads or writes its values, or writes those that
    /// the successors lead to.
    #[inline(always)]
    pub(super) unsafe fn several<const CHOOSE: bool>(
        &mut self,
        placed: PlacedBlock,
        successors: &mut Words<'_, W>,
    ) -> Tally {
        self.prefetch(successors.soon::<32>());
        // Most blocks reach into a second line of the cache.
        self.prefetch(successors.soon::<32>().map(|it| it.map(|at| at + LINE)));
        let heads = successors.take(self.chances.len());
        let mut tally = Tally::default();
        // SAFETY: the successors that come next are this block's, and the sweep keeps other threads from its values and from writing
        // those that the successors lead to.
        unsafe {
            self.follow::<CHOOSE>(placed, heads, successors);
            for &dark in &self.pre.orders[usize::from(placed.block.dark)] {
                self.row::<CHOOSE>(placed, dark.into(), &mut tally);
            }
        }
        self.count(placed.block, tally)
    }

    /// Returns the tally of a block, given the tally of its boards: each board is two positions, unless the block is its own
    /// mirror image.
    #[inline(always)]
    fn count(&self, block: BoardBlock, tally: Tally) -> Tally {
        let twice = !self.is_halved || !block.is_own_image();
        Tally { dead: tally.dead * (1 + u64::from(twice)), ..tally }
    }

    /// Returns the first `len` values that a successor leads to, or one value if the game is won, and whether they are dark's
    /// chances.
    ///
    /// # Safety
    ///
    /// As for [`Backup::several`].
    #[inline(always)]
    unsafe fn read<const DARK: bool>(&self, successor: Successor, len: usize) -> (&[f64], bool) {
        match successor.external {
            // SAFETY: `at` and `len` are those of a block of the sublayer, which no thread writes during this backup.
            None => (
                unsafe { self.values.read(successor.at, len, successor.is_image) },
                successor.is_image,
            ),
            Some(External::Won) => (if DARK { &[0.0] } else { &[1.0] }, false),
            Some(External::Into { sublayer, light_rolls, is_swapped }) => {
                let seen = self.finished[sublayer][usize::from(!is_swapped)];
                (&seen[successor.at..][..len], !light_rolls)
            }
        }
    }

    /// Fills the bests of both players from the successors of the block.
    ///
    /// # Safety
    ///
    /// As for [`Backup::several`].
    #[inline(always)]
    unsafe fn follow<const CHOOSE: bool>(
        &mut self,
        placed: PlacedBlock,
        heads: &[W],
        successors: &mut Words<'_, W>,
    ) {
        let values = self.chances.len() * placed.boards;
        let mut bests = std::mem::take(&mut self.bests);
        let mut moves = std::mem::take(&mut self.moves);
        moves.clear();
        if bests.len() < 2 * values {
            bests.resize(2 * values, self.dead);
        }
        let (lights, darks) = bests[..2 * values].split_at_mut(values);
        // SAFETY: the words hold light's successors, then dark's, and no thread writes the values that they lead to.
        unsafe {
            let lights = (lights, &mut moves);
            self.follow_player::<false, CHOOSE>(placed, heads, successors, lights);
            let darks = (darks, &mut moves);
            self.follow_player::<true, CHOOSE>(placed, heads, successors, darks);
        }
        (self.bests, self.moves) = (bests, moves);
    }

    /// Fills the bests of one player.
    ///
    /// # Safety
    ///
    /// As for [`Backup::several`].
    #[inline(always)]
    unsafe fn follow_player<const DARK: bool, const CHOOSE: bool>(
        &self,
        placed: PlacedBlock,
        heads: &[W],
        successors: &mut Words<'_, W>,
        (bests, moves): (&mut [f64], &mut BlockMoves),
    ) {
        bests.fill(never::<DARK>());
        for (best, &head) in bests.chunks_exact_mut(placed.boards).zip(heads) {
            let head = Head::from_word(head.widen(), DARK);
            for _ in 0..head.moves() {
                let successor = Successor::read(successors);
                // SAFETY: the head counts this successor among the block's own moves, and no thread writes the values that it
                // leads to.
                unsafe { self.add::<DARK, CHOOSE>(placed, None, successor, (best, moves)) };
            }
            let mut origins = head.origins();
            while origins != 0 {
                let origin = Some(origins.trailing_zeros() as usize);
                origins &= origins - 1;
                let successor = Successor::read(successors);
                // SAFETY: the head has a bit for this successor's origin, and no thread writes the values that it leads to.
                unsafe { self.add::<DARK, CHOOSE>(placed, origin, successor, (best, moves)) };
            }
            if CHOOSE {
                moves.end_roll();
            }
        }
    }

    /// Improves `best` by the values that a successor leads to. If candidates are to be chosen, adds it to the moves.
    ///
    /// # Safety
    ///
    /// As for [`Backup::several`].
    #[inline(always)]
    unsafe fn add<const DARK: bool, const CHOOSE: bool>(
        &self,
        placed: PlacedBlock,
        origin: Option<usize>,
        successor: Successor,
        (best, moves): (&mut [f64], &mut BlockMoves),
    ) {
        // SAFETY: as the caller promises.
        unsafe {
            if CHOOSE {
                self.look::<DARK>(placed, origin, successor, (best, moves));
            } else {
                self.take::<DARK>(placed, origin, successor, best);
            }
        }
    }

    /// Improves `best` by the values that a successor leads to.
    ///
    /// # Safety
    ///
    /// As for [`Backup::several`].
    #[inline(always)]
    unsafe fn take<const DARK: bool>(
        &self,
        placed: PlacedBlock,
        origin: Option<usize>,
        successor: Successor,
        best: &mut [f64],
    ) {
        let is_alike = origin.is_none() && successor.external.is_none() && !successor.is_image;
        // A piece of light's that goes back to hand makes longer rows.
        if is_alike && !(DARK && successor.captures) {
            // SAFETY: a successor without origin, capture or image leads to a block of as many boards, which no thread writes.
            let from = unsafe { self.values.read(successor.at, placed.boards, false) };
            return improve::<DARK>(best, from);
        }
        // SAFETY: the successor and its origin were read from this block's words, and no thread writes the values that it leads to.
        unsafe { self.take_unlike::<DARK>(placed, origin, successor, best) };
    }

    /// Improves `best` by the values that a successor leads to, if they are laid out differently from those of the block.
    ///
    /// # Safety
    ///
    /// As for [`Backup::several`].
    #[inline(always)]
    unsafe fn take_unlike<const DARK: bool>(
        &self,
        placed: PlacedBlock,
        origin: Option<usize>,
        successor: Successor,
        best: &mut [f64],
    ) {
        let (boards, len) = self.board_map::<DARK>(placed, origin, successor);
        // SAFETY: the successor's block has a value for what is left of either player's pieces, and no thread writes it.
        let (from, is_flipped) = unsafe { self.read::<DARK>(successor, len) };
        if is_flipped {
            boards.improve::<DARK>(from, best, |value| 1.0 - value);
        } else {
            boards.improve::<DARK>(from, best, |value| value);
        }
    }

    /// Returns how a successor sees the boards of the block, and the number of values that it leads to.
    #[inline(always)]
    fn board_map<const DARK: bool>(
        &self,
        PlacedBlock { block, lights, .. }: PlacedBlock,
        origin: Option<usize>,
        successor: Successor,
    ) -> (BoardMap<'_>, usize) {
        let mut left = [block.light, block.dark];
        left[usize::from(DARK)] -= u8::from(origin.is_some());
        left[usize::from(!DARK)] += u8::from(successor.captures);
        let from = |player: bool| origin.filter(|_| player == DARK);
        let ranks =
            [self.pre.left(block.light, from(false)), self.pre.left(block.dark, from(true))];
        let [rows, columns] = [self.pre.ways_at_most(left[0]), self.pre.ways_at_most(left[1])];
        let strides = match successor.external {
            Some(External::Won) => [0, 0],
            Some(External::Into { is_swapped: true, .. }) => [columns, 1],
            None if successor.is_image => [columns, 1],
            _ => [1, rows],
        };
        (BoardMap { ranks, strides, lights }, rows * columns)
    }

    /// Backs up the boards with one pre rank of dark.
    ///
    /// # Safety
    ///
    /// As for [`Backup::several`].
    #[inline(always)]
    unsafe fn row<const CHOOSE: bool>(
        &mut self,
        placed: PlacedBlock,
        dark: usize,
        tally: &mut Tally,
    ) {
        let PlacedBlock { block, at, lights, boards } = placed;
        let (first, darks) = (dark * lights, self.chances.len() * boards);
        for inner in self.pre.inner(block.dark, dark) {
            let half = if inner.again { at + boards } else { at };
            let to = usize::from(inner.to) * lights;
            // SAFETY: a move of dark's between pre squares leads to another row of this block, which only this thread writes.
            let from = unsafe { self.values.read(half + to, lights, false) };
            let best = darks + usize::from(inner.roll) * boards + first;
            improve::<true>(&mut self.bests[best..][..lights], from);
        }
        let mut sums = std::mem::take(&mut self.sums);
        sums.clear();
        sums.resize(lights, self.start);
        for (roll, &chance) in self.chances.iter().enumerate() {
            let bests = &self.bests[darks + roll * boards + first..][..lights];
            sums.iter_mut().zip(bests).for_each(|(sum, &best)| sum.add_roll(chance, best));
        }
        for &light in &self.pre.orders[usize::from(block.light)] {
            let light = usize::from(light);
            // SAFETY: as the caller promises.
            unsafe { self.board::<CHOOSE>(placed, [light, dark], sums[light], tally) };
        }
        self.sums = sums;
    }

    /// Backs up one board, given by the pre ranks of light and dark and the sums over dark's rolls.
    ///
    /// # Safety
    ///
    /// As for [`Backup::several`].
    #[inline(always)]
    unsafe fn board<const CHOOSE: bool>(
        &mut self,
        placed: PlacedBlock,
        [light, dark]: [usize; 2],
        sums: PlayerSums,
        tally: &mut Tally,
    ) {
        let PlacedBlock { block, at, lights, boards } = placed;
        let place = dark * lights + light;
        for inner in self.pre.inner(block.light, light) {
            let half = if inner.again { at } else { at + boards };
            let to = dark * lights + usize::from(inner.to);
            // SAFETY: a move between pre squares leads to another board of this block, which only this thread writes.
            let value = unsafe { self.values.get(half + to) };
            let best = &mut self.bests[usize::from(inner.roll) * boards + place];
            *best = better::<false>(*best, value);
        }
        if CHOOSE {
            // SAFETY: as the caller promises.
            unsafe { self.choose(placed, [light, dark]) };
        }
        let light = self.player_sums(&self.bests[place..], boards);
        // SAFETY: `place` is the place of a board of this block, whose values only this thread reads and writes.
        unsafe { self.renew(placed, place, [light, sums], tally) };
    }

    /// Returns the sums over the rolls of a player on a board, given the best value for each roll.
    #[inline(always)]
    fn player_sums(&self, bests: &[f64], boards: usize) -> PlayerSums {
        let mut sums = self.start;
        for (roll, &chance) in self.chances.iter().enumerate() {
            sums.add_roll(chance, bests[roll * boards]);
        }
        sums
    }

    /// Stores both players' values of a board.
    ///
    /// # Safety
    ///
    /// As for [`Backup::several`].
    #[inline(always)]
    unsafe fn renew(
        &self,
        block: PlacedBlock,
        place: usize,
        sums: [PlayerSums; 2],
        tally: &mut Tally,
    ) {
        let places = [block.at + place, block.at + block.boards + place];
        // SAFETY: both places are this board's, and its block is only this thread's.
        let old = unsafe { [self.values.get(places[0]), self.values.get(places[1])] };
        let [light, dark] = sums;
        let is_dead = light.pass >= self.certain && dark.pass >= self.certain;
        tally.dead += u64::from(is_dead);
        let new = if is_dead { [self.dead; 2] } else { self.passes(light, dark, old) };
        // SAFETY: both places are this board's, and only this thread writes the values of its block.
        unsafe {
            self.store(places[0], [old[0], new[0]], tally);
            self.store(places[1], [old[1], new[1]], tally);
        }
    }

    /// Returns both players' new values of a board, given the old ones.
    #[inline(always)]
    fn passes(&self, light: PlayerSums, dark: PlayerSums, old: [f64; 2]) -> [f64; 2] {
        let first = if matches!(self.mode, Mode::Residual | Mode::Polish) {
            light.value + light.pass * old[1]
        } else {
            (light.value + light.pass * dark.value) / (1.0 - light.pass * dark.pass)
        };
        let then = if self.mode == Mode::Residual { old[0] } else { first };
        [first, dark.value + dark.pass * then]
    }

    /// Stores a value and compares it with the one before.
    ///
    /// # Safety
    ///
    /// As for [`Backup::several`].
    #[inline(always)]
    unsafe fn store(&self, at: usize, [old, new]: [f64; 2], tally: &mut Tally) {
        let step = new - old;
        tally.change = if step.abs() > tally.change { step.abs() } else { tally.change };
        if self.mode == Mode::Residual {
            return;
        }
        // SAFETY: the place is in the block that this thread backs up, and only values with room for deltas are swept in
        // modes that record them.
        unsafe {
            self.values.set(at, new);
            if matches!(self.mode, Mode::Record | Mode::Compare) {
                let before = self.values.record(at, step);
                tally.along += before * (step - before);
                tally.square += (step - before) * (step - before);
            }
        }
    }
}
