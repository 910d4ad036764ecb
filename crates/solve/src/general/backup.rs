//! The backup of a block: both players' values of each of its boards.
#![expect(unsafe_code, reason = "values are shared by threads")]

use super::layout::BoardBlock;
use super::pre::{PreMoves, PreRanks};
use super::successors::{External, Successor, Words};
use super::values::SharedValues;
use crate::drive::statistics::{Mode, Tally};
use crate::mover::{Junior, Mover, Senior};

/// Backs up blocks of one sublayer.
pub(super) struct Backup<'a> {
    pre: &'a PreMoves,
    values: &'a SharedValues<'a>,
    /// By sublayer and whether the reader's senior is the senior there: finished values.
    finished: &'a [[&'a [f64]; 2]],
    mode: Mode,
    /// What each backup adds: zero, but for bounds.
    slack: f64,
    /// Light's chance in a dead position.
    dead: f64,
    is_halved: bool,
    chances: &'a [f64],
    /// The sum of all chances.
    certain: f64,
    /// By player and roll: the best of what the successors lead to for each board of the block.
    bests: Vec<f64>,
}

/// The sums over a player's rolls, passes left out.
#[derive(Debug, Clone, Copy)]
struct PlayerSums {
    value: f64,
    /// The chance of a pass.
    pass: f64,
}

impl PlayerSums {
    /// Returns the sums before any roll.
    fn start(slack: f64) -> Self {
        Self { value: slack, pass: 0.0 }
    }

    /// Adds a roll: its best move, or a pass if there is none.
    #[inline]
    fn add_roll(&mut self, chance: f64, best: f64) {
        // Only what is never chosen is so far out.
        let is_pass = (best - 0.5).abs() > 1.0;
        self.value += if is_pass { 0.0 } else { chance * best };
        self.pass += if is_pass { chance } else { 0.0 };
    }
}

/// A block at work.
#[derive(Debug, Clone, Copy)]
struct Site {
    block: BoardBlock,
    /// The place of its first value.
    at: usize,
    /// The contents of light's pre squares.
    lights: usize,
    boards: usize,
}

impl<'a> Backup<'a> {
    pub(super) fn new(
        pre: &'a PreMoves,
        (dead, is_halved): (f64, bool),
        (values, finished): (&'a SharedValues<'a>, &'a [[&'a [f64]; 2]]),
        (mode, slack): (Mode, f64),
    ) -> Self {
        let chances = &*pre.chances;
        let certain = chances.iter().sum();
        let bests = Vec::new();
        Self { pre, values, finished, mode, slack, dead, is_halved, chances, certain, bests }
    }

    /// Backs up the boards of `block`, whose values are at `at` and whose successors come next.
    ///
    /// # Safety
    ///
    /// The successors that come next are those of the block. No other thread reads or writes its values, or writes those that
    /// the successors lead to.
    pub(super) unsafe fn block(
        &mut self,
        block: BoardBlock,
        at: usize,
        successors: &mut Words<'_>,
    ) -> Tally {
        let lights = self.pre.ways_at_most(block.light);
        let site = Site { block, at, lights, boards: lights * self.pre.ways_at_most(block.dark) };
        let mut tally = Tally::default();
        // SAFETY: the successors that come next are this block's, and the sweep keeps other threads from its values and from writing
        // those that the successors lead to.
        unsafe {
            if site.boards == 1 {
                let sums = [self.single::<false>(successors), self.single::<true>(successors)];
                self.renew(site, 0, sums, &mut tally);
                return self.count(block, tally);
            }
            self.follow(site, successors);
            for &dark in &self.pre.orders[usize::from(block.dark)] {
                for &light in &self.pre.orders[usize::from(block.light)] {
                    self.board(site, [light.into(), dark.into()], &mut tally);
                }
            }
        }
        self.count(block, tally)
    }

    /// The tally of a block, given that of its boards: each is two positions, unless the block is its own mirror image.
    #[inline]
    fn count(&self, block: BoardBlock, tally: Tally) -> Tally {
        let twice = !self.is_halved || block.image != block.base;
        Tally { dead: tally.dead * (1 + u64::from(twice)), ..tally }
    }

    /// The sums over the rolls of a player in a block of one board.
    ///
    /// # Safety
    ///
    /// As for [`Backup::block`].
    #[inline]
    unsafe fn single<const DARK: bool>(&self, successors: &mut Words<'_>) -> PlayerSums {
        let mut sums = PlayerSums::start(self.slack);
        for &chance in self.chances {
            let head = successors.next();
            let mut best = never::<DARK>();
            for _ in 0..(head & 0xff) + (head >> 8).count_ones() {
                // SAFETY: the words hold this player's successors next, and no thread writes the values that they lead to.
                best = better::<DARK>(best, unsafe {
                    self.first::<DARK>(Successor::read(successors))
                });
            }
            sums.add_roll(chance, best);
        }
        sums
    }

    /// The first value that a successor leads to.
    ///
    /// # Safety
    ///
    /// As for [`Backup::block`].
    #[inline]
    unsafe fn first<const DARK: bool>(&self, successor: Successor) -> f64 {
        // SAFETY: a block of one board has successors with one value, which no thread writes during this backup.
        let (from, is_flipped) = unsafe { self.read::<DARK>(successor, 1) };
        if is_flipped { 1.0 - from[0] } else { from[0] }
    }

    /// The first `len` values that a successor leads to, one if the game is won, and whether they are dark's chances.
    ///
    /// # Safety
    ///
    /// As for [`Backup::block`].
    #[inline]
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
    /// As for [`Backup::block`].
    #[inline]
    unsafe fn follow(&mut self, site: Site, successors: &mut Words<'_>) {
        let values = self.chances.len() * site.boards;
        let mut bests = std::mem::take(&mut self.bests);
        if bests.len() < 2 * values {
            bests.resize(2 * values, self.dead);
        }
        let (lights, darks) = bests[..2 * values].split_at_mut(values);
        // SAFETY: the words hold light's successors, then dark's, and no thread writes the values that they lead to.
        unsafe {
            self.follow_player::<false>(site, successors, lights);
            self.follow_player::<true>(site, successors, darks);
        }
        self.bests = bests;
    }

    /// Fills the bests of one player.
    ///
    /// # Safety
    ///
    /// As for [`Backup::block`].
    #[inline]
    unsafe fn follow_player<const DARK: bool>(
        &self,
        site: Site,
        successors: &mut Words<'_>,
        bests: &mut [f64],
    ) {
        bests.fill(never::<DARK>());
        for best in bests.chunks_exact_mut(site.boards) {
            let head = successors.next();
            for _ in 0..head & 0xff {
                // SAFETY: the head counts this successor among the block's own moves, and no thread writes the values that it leads to.
                unsafe { self.take::<DARK>(site, None, Successor::read(successors), best) };
            }
            let mut origins = head >> 8;
            while origins != 0 {
                let origin = Some(origins.trailing_zeros() as usize);
                origins &= origins - 1;
                // SAFETY: the head has a bit for this successor's origin, and no thread writes the values that it leads to.
                unsafe { self.take::<DARK>(site, origin, Successor::read(successors), best) };
            }
        }
    }

    /// Takes what a successor leads to if it is better.
    ///
    /// # Safety
    ///
    /// As for [`Backup::block`].
    #[inline]
    unsafe fn take<const DARK: bool>(
        &self,
        site: Site,
        origin: Option<usize>,
        successor: Successor,
        best: &mut [f64],
    ) {
        let is_alike = origin.is_none() && successor.external.is_none() && !successor.is_image;
        // A piece of light's that goes back to hand makes longer rows.
        if is_alike && !(DARK && successor.captures) {
            // SAFETY: a successor without origin, capture or image leads to a block of as many boards, which no thread writes.
            let from = unsafe { self.values.read(successor.at, site.boards, false) };
            return each_better::<DARK>(best, from);
        }
        // SAFETY: the successor and its origin were read from this block's words, and no thread writes the values that it leads to.
        unsafe { self.take_unlike::<DARK>(site, origin, successor, best) };
    }

    /// The same of a successor to values that lie otherwise than those of the block.
    ///
    /// # Safety
    ///
    /// As for [`Backup::block`].
    unsafe fn take_unlike<const DARK: bool>(
        &self,
        Site { block, lights, .. }: Site,
        origin: Option<usize>,
        successor: Successor,
        best: &mut [f64],
    ) {
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
        let each = Each { ranks, strides, lights };
        // SAFETY: the successor's block has a value for what is left of either player's pieces, and no thread writes it.
        let (from, is_flipped) = unsafe { self.read::<DARK>(successor, rows * columns) };
        if is_flipped {
            each.take::<DARK>(from, best, |value| 1.0 - value);
        } else {
            each.take::<DARK>(from, best, |value| value);
        }
    }

    /// Backs up one board, given by the pre ranks of light and dark.
    ///
    /// # Safety
    ///
    /// As for [`Backup::block`].
    #[inline]
    unsafe fn board(&mut self, site: Site, [light, dark]: [usize; 2], tally: &mut Tally) {
        let Site { block, at, lights, boards } = site;
        let place = dark * lights + light;
        let rolls = self.chances.len();
        // Places of values with the same player about to roll and with the other one.
        let halves = [at, at + boards];
        for inner in self.pre.inner(block.light, light) {
            let to = dark * lights + usize::from(inner.to);
            // SAFETY: a move between pre squares leads to another board of this block, which only this thread writes.
            let value = unsafe { self.values.get(halves[usize::from(!inner.again)] + to) };
            let best = &mut self.bests[usize::from(inner.roll) * boards + place];
            *best = better::<false>(*best, value);
        }
        for inner in self.pre.inner(block.dark, dark) {
            let to = usize::from(inner.to) * lights + light;
            // SAFETY: a move between pre squares leads to another board of this block, which only this thread writes.
            let value = unsafe { self.values.get(halves[usize::from(inner.again)] + to) };
            let best = &mut self.bests[(rolls + usize::from(inner.roll)) * boards + place];
            *best = better::<true>(*best, value);
        }
        let light = self.player_sums(&self.bests[place..], boards);
        let dark = self.player_sums(&self.bests[rolls * boards + place..], boards);
        // SAFETY: `place` is the place of a board of this block, whose values only this thread reads and writes.
        unsafe { self.renew(site, place, [light, dark], tally) };
    }

    /// The sums over the rolls of a player on a board, from the best move by roll.
    #[inline]
    fn player_sums(&self, bests: &[f64], boards: usize) -> PlayerSums {
        let mut sums = PlayerSums::start(self.slack);
        for (roll, &chance) in self.chances.iter().enumerate() {
            sums.add_roll(chance, bests[roll * boards]);
        }
        sums
    }

    /// Stores both players' values of a board.
    ///
    /// # Safety
    ///
    /// As for [`Backup::block`].
    #[inline]
    unsafe fn renew(&self, site: Site, place: usize, sums: [PlayerSums; 2], tally: &mut Tally) {
        let places = [site.at + place, site.at + site.boards + place];
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

    /// Both players' values of a board, given those from before.
    #[inline]
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
    /// As for [`Backup::block`].
    #[inline]
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

/// The boards of a block as a successor sees them.
struct Each<'a> {
    /// Light's and dark's pre ranks, and what is left of them after the move.
    ranks: [&'a [PreRanks]; 2],
    /// How far apart the values of neighbouring ranks lie among those of the successor.
    strides: [usize; 2],
    /// How far apart those of dark's ranks lie here.
    lights: usize,
}

impl Each<'_> {
    /// Takes a value for each board if it is better.
    #[inline]
    fn take<const DARK: bool>(&self, from: &[f64], best: &mut [f64], value: impl Fn(f64) -> f64) {
        let [lights, darks] = self.ranks;
        let all_lights = lights.len() == self.lights;
        for dark in darks {
            let best = &mut best[usize::from(dark.with) * self.lights..][..self.lights];
            let from = &from[usize::from(dark.without) * self.strides[1]..];
            if all_lights && self.strides[0] == 1 {
                let from = &from[..best.len()];
                for at in 0..best.len() {
                    best[at] = better::<DARK>(best[at], value(from[at]));
                }
                continue;
            }
            for light in lights {
                let from = from[usize::from(light.without) * self.strides[0]];
                let best = &mut best[usize::from(light.with)];
                *best = better::<DARK>(*best, value(from));
            }
        }
    }
}

/// Takes each value that is better.
#[inline]
fn each_better<const DARK: bool>(best: &mut [f64], from: &[f64]) {
    let from = &from[..best.len()];
    for at in 0..best.len() {
        best[at] = better::<DARK>(best[at], from[at]);
    }
}

/// The better of two chances of light's for the player who moves.
#[inline]
fn better<const DARK: bool>(a: f64, b: f64) -> f64 {
    if (a < b) == DARK { a } else { b }
}

/// The chance that a player never chooses.
#[inline]
fn never<const DARK: bool>() -> f64 {
    if DARK { Junior::SENTINEL } else { Senior::SENTINEL }
}
