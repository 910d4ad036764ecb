//! Kernel: the backups of one slab, a row at a time.
//!
//! For a given configuration every move of a shared piece leads all lanes of a row to the same lanes of another block,
//! so a backup is a handful of vector loads and maxima. Moves of light's pre pieces exchange lanes, moves of dark's
//! change the row. No successor is stored. See `docs/method.md`.
#![expect(unsafe_code, reason = "rows are read and written through raw pointers")]

use arrayvec::ArrayVec;

use crate::exits::Exits;
use crate::lanes::{Element, Instructions, Lanes, Wide};
use crate::plan::{Plan, Slab, pre_masks, row_width};
use crate::terrain::{NONE, Terrain, ones};

/// What a pass over a slab does with the backups.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Stores them.
    Sweep,
    /// Stores them and how far each value moved.
    Record,
    /// Stores them and how far each value moved, and compares that with the move recorded before.
    Compare,
    /// Leaves the values and measures how far they are from their backups.
    Residual,
}

/// What a pass over a slab finds.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Tally {
    /// The largest change of a value.
    pub(crate) change: f64,
    /// Sum over values of the last move times its change since the move before.
    pub(crate) along: f64,
    /// Sum over values of the square of that change.
    pub(crate) square: f64,
    /// Positions in which neither side can ever move.
    pub(crate) dead: u64,
}

impl Tally {
    pub(crate) fn and(self, other: Self) -> Self {
        Self {
            change: if self.change > other.change { self.change } else { other.change },
            along: self.along + other.along,
            square: self.square + other.square,
            dead: self.dead + other.dead,
        }
    }
}

/// The values of one sublayer while it is swept. Slabs of one level may be passed over from several threads: each
/// writes its own blocks only.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Arena<'a, T> {
    pub(crate) terrain: &'a Terrain,
    pub(crate) plan: &'a Plan,
    pub(crate) exits: &'a Exits,
    pub(crate) rows: &'a RowMoves,
    /// Light's chance with light about to roll.
    pub(crate) light: *mut T,
    /// Light's chance with dark about to roll.
    pub(crate) dark: *mut T,
    /// The best exit of each block and roll.
    pub(crate) leaving: *const T,
    /// The last moves of light's and then of dark's values; null where none are recorded.
    pub(crate) moves: *mut T,
}

// SAFETY: the pointers are to buffers that outlive the arena, and slabs that are passed over at the same time write
// different parts of them and read none that is written.
unsafe impl<T: Send> Send for Arena<'_, T> {}
// SAFETY: as above.
unsafe impl<T: Sync> Sync for Arena<'_, T> {}

/// A move of a pre piece of dark, or of one in hand.
#[derive(Debug, Clone, Copy)]
enum RowMove {
    /// To another row of the block; whether dark rolls again.
    Row(u8, bool),
    /// To a row of the block with one more piece of dark on this shared bit.
    Enter(u8, u8),
}

/// By row, the moves of dark's pre pieces.
#[derive(Debug)]
pub(crate) struct RowMoves {
    throws: usize,
    moves: Vec<ArrayVec<RowMove, 6>>,
}

impl RowMoves {
    pub(crate) fn new(terrain: &Terrain, rank: impl Fn(u32) -> u64) -> Self {
        let mut moves = Vec::new();
        for hand in [false, true] {
            for mask in 0..16_u32 {
                for throw in &terrain.throws {
                    let own = ones(mask).map(|bit| (bit + 1, mask & !(1 << bit)));
                    let from_hand = hand.then_some((0, mask));
                    let all = own.chain(from_hand);
                    let moves_of = all.filter_map(|(from, rest)| {
                        row_move(terrain, &rank, from + throw.steps, rest)
                    });
                    moves.push(if mask >> terrain.pre == 0 {
                        moves_of.collect()
                    } else {
                        ArrayVec::new()
                    });
                }
            }
        }
        Self { throws: terrain.throws.len(), moves }
    }

    #[inline(always)]
    fn of(&self, hand: bool, mask: u32, throw: usize) -> &[RowMove] {
        &self.moves[(usize::from(hand) * 16 + mask as usize) * self.throws + throw]
    }
}

fn row_move(
    terrain: &Terrain,
    rank: &impl Fn(u32) -> u64,
    to: usize,
    rest: u32,
) -> Option<RowMove> {
    if to > terrain.pre {
        let bit = to - terrain.pre - 1;
        return (bit < terrain.shared).then(|| RowMove::Enter(bit as u8, rank(rest) as u8));
    }
    let bit = 1 << (to - 1);
    (rest & bit == 0).then(|| RowMove::Row(rank(rest | bit) as u8, terrain.again[to]))
}

/// The most throws of a set of dice, and the most entries a throw reaches.
const THROWS: usize = 16;
/// The most moves of shared pieces of one side: every piece with every throw.
const SOURCES: usize = 160;

/// Where the rows that a block's backups read begin.
struct Sources<T> {
    /// Moves of light's shared pieces, by throw.
    light: [(usize, usize); THROWS],
    /// Moves of dark's shared pieces that leave light's as they are.
    dark: [(usize, usize); THROWS],
    /// Captures by dark's shared pieces: rows with one more piece of light to place.
    captures: [(usize, usize); THROWS],
    rows: ArrayVec<*const T, { 2 * SOURCES }>,
    /// By shared bit: light enters there; null where it cannot.
    light_enters: [*const T; THROWS],
    /// By shared bit: dark enters there, and whether that captures.
    dark_enters: [(*const T, bool); THROWS],
    /// The best exits by throw; null where there is none.
    light_exits: [*const T; THROWS],
    dark_exits: [*const T; THROWS],
}

impl<T> Sources<T> {
    fn empty() -> Self {
        let null = std::ptr::null();
        Self {
            light: [(0, 0); THROWS],
            dark: [(0, 0); THROWS],
            captures: [(0, 0); THROWS],
            rows: ArrayVec::new(),
            light_enters: [null; THROWS],
            dark_enters: [(null, false); THROWS],
            light_exits: [null; THROWS],
            dark_exits: [null; THROWS],
        }
    }
}

impl<'a, T: Element> Arena<'a, T> {
    /// Finds what the block of a configuration reads.
    #[inline(always)]
    unsafe fn find_sources(&self, dark: u32, light: u32, sources: &mut Sources<T>) {
        sources.rows.clear();
        for throw in 0..self.terrain.throws.len() {
            // SAFETY: blocks lie within the buffers.
            unsafe {
                self.find_light_steps(dark, light, throw, sources);
                self.find_dark_steps(dark, light, throw, sources);
            }
        }
        // SAFETY: as above.
        unsafe { self.find_entries(dark, light, sources) };
    }

    #[inline(always)]
    unsafe fn find_light_steps(&self, dark: u32, light: u32, throw: usize, to: &mut Sources<T>) {
        let start = to.rows.len();
        for step in self.terrain.masks.steps(light, throw) {
            // SAFETY: the blocks of a plan lie within its buffers.
            let row = unsafe { self.light_lands(dark, step.mask, usize::from(step.to)) };
            if !row.is_null() {
                to.rows.push(row);
            }
        }
        to.light[throw] = (start, to.rows.len());
    }

    /// Where light's piece on `bit` of `mask` has just landed; null where dark is safe there.
    #[inline(always)]
    unsafe fn light_lands(&self, dark: u32, mask: u32, bit: usize) -> *const T {
        let masks = &self.terrain.masks;
        let landing = self.terrain.landings[bit];
        let met = landing.meets & masks.bits[dark as usize];
        let (block, again) = if met == 0 {
            (self.plan.block(dark, mask), landing.again)
        } else if landing.safe {
            return std::ptr::null();
        } else {
            let rest = masks.removed(dark, met.trailing_zeros() as usize);
            (self.plan.block(rest, mask), landing.again | self.terrain.captures_again)
        };
        // SAFETY: the blocks of a plan lie within its buffers.
        unsafe { if again { self.light.add(block) } else { self.dark.add(block) } }
    }

    #[inline(always)]
    unsafe fn find_dark_steps(&self, dark: u32, light: u32, throw: usize, to: &mut Sources<T>) {
        let mut captures: ArrayVec<*const T, THROWS> = ArrayVec::new();
        let start = to.rows.len();
        for step in self.terrain.masks.steps(dark, throw) {
            // SAFETY: the blocks of a plan lie within its buffers.
            let (row, captured) =
                unsafe { self.dark_lands(step.mask, light, usize::from(step.to)) };
            if captured {
                captures.push(row);
            } else if !row.is_null() {
                to.rows.push(row);
            }
        }
        let end = to.rows.len();
        to.dark[throw] = (start, end);
        to.rows.extend(captures);
        to.captures[throw] = (end, to.rows.len());
    }

    /// Where dark's piece on `bit` of `mask` has just landed, and whether it captures; null where light is safe there.
    #[inline(always)]
    unsafe fn dark_lands(&self, mask: u32, light: u32, bit: usize) -> (*const T, bool) {
        let masks = &self.terrain.masks;
        let landing = self.terrain.landings[bit];
        let met = landing.meets & masks.bits[light as usize];
        let (block, again) = if met == 0 {
            (self.plan.block(mask, light), landing.again)
        } else if landing.safe {
            return (std::ptr::null(), false);
        } else {
            let rest = masks.removed(light, met.trailing_zeros() as usize);
            (self.plan.block(mask, rest), landing.again | self.terrain.captures_again)
        };
        // SAFETY: the blocks of a plan lie within its buffers.
        let row = unsafe { if again { self.dark.add(block) } else { self.light.add(block) } };
        (row.cast_const(), met != 0)
    }

    #[inline(always)]
    unsafe fn find_entries(&self, dark: u32, light: u32, to: &mut Sources<T>) {
        let masks = &self.terrain.masks;
        let longest = self.terrain.throws.last().map_or(0, |throw| throw.steps);
        let light_left = self.plan.light_movable - masks.count(light);
        let dark_left = self.plan.dark_movable - masks.count(dark);
        for bit in 0..longest.min(self.terrain.shared) {
            let null = std::ptr::null();
            to.light_enters[bit] = null;
            to.dark_enters[bit] = (null, false);
            let entered = masks.entered(light, bit);
            if light_left > 0 && entered != NONE {
                // SAFETY: with a piece left to place, the configuration has a block.
                to.light_enters[bit] = unsafe { self.light_lands(dark, entered, bit) };
            }
            let entered = masks.entered(dark, bit);
            if dark_left > 0 && entered != NONE {
                // SAFETY: with a piece left to place, the configuration has a block.
                to.dark_enters[bit] = unsafe { self.dark_lands(entered, light, bit) };
            }
        }
    }

    /// Finds the exits of a block, which begin at `from`; returns where those of the next block begin.
    #[inline(always)]
    unsafe fn find_exits(
        &self,
        dark: u32,
        light: u32,
        lanes: usize,
        mut from: *const T,
        to: &mut Sources<T>,
    ) -> *const T {
        let mut take = |throws: u16, exits: &mut [*const T; THROWS]| {
            for (throw, exit) in exits.iter_mut().enumerate().take(self.terrain.throws.len()) {
                *exit = std::ptr::null();
                if throws >> throw & 1 != 0 {
                    *exit = from;
                    // SAFETY: `Exits` counted these blocks.
                    from = unsafe { from.add(lanes) };
                }
            }
        };
        take(self.exits.light.throws[light as usize], &mut to.light_exits);
        take(self.exits.dark.throws[dark as usize], &mut to.dark_exits);
        from
    }
}

/// How the lanes of a row hold light's pre masks.
trait Row<T: Element> {
    type Lanes: Lanes<Element = T>;

    /// Loads the lanes that this row has in common with a row for one more piece.
    unsafe fn load_up(from: *const T, rank: usize, pre: usize) -> Self::Lanes;

    /// Takes the moves of light's pre pieces and hand into `best`.
    unsafe fn pre_moves(
        best: Self::Lanes,
        steps: usize,
        rank: usize,
        own: (*const T, *const T),
        sources: &Sources<T>,
        terrain: &Terrain,
    ) -> Self::Lanes;
}

/// A single lane: no pre square, or no piece left to place on one.
struct Single;
/// Eight lanes: at most one piece on pre squares.
struct Narrow<I>(I);
/// Sixteen lanes, next to rows of eight: at most two pieces.
struct Two<I>(I);
/// Sixteen lanes among others: three pieces or more.
struct Many<I>(I);

#[derive(Clone, Copy)]
struct Scalar<T>(T);

macro_rules! scalar_lanes {
    ($element:ty) => {
        // SAFETY (of every block below): the caller vouches for the pointers.
        impl Lanes for Scalar<$element> {
            type Element = $element;
            const WIDTH: usize = 1;
            #[inline(always)]
            unsafe fn load(from: *const $element) -> Self {
                Self(unsafe { *from })
            }
            #[inline(always)]
            unsafe fn store(self, to: *mut $element) {
                unsafe { *to = self.0 };
            }
            #[inline(always)]
            unsafe fn splat(value: $element) -> Self {
                Self(value)
            }
            #[inline(always)]
            unsafe fn max(self, other: Self) -> Self {
                Self(if self.0 > other.0 { self.0 } else { other.0 })
            }
            #[inline(always)]
            unsafe fn min(self, other: Self) -> Self {
                Self(if self.0 < other.0 { self.0 } else { other.0 })
            }
            #[inline(always)]
            unsafe fn add(self, other: Self) -> Self {
                Self(self.0 + other.0)
            }
            #[inline(always)]
            unsafe fn sub(self, other: Self) -> Self {
                Self(self.0 - other.0)
            }
            #[inline(always)]
            unsafe fn mul(self, other: Self) -> Self {
                Self(self.0 * other.0)
            }
            #[inline(always)]
            unsafe fn div(self, other: Self) -> Self {
                Self(self.0 / other.0)
            }
            #[inline(always)]
            unsafe fn if_less(self, limit: Self, then: Self, otherwise: Self) -> Self {
                if self.0 < limit.0 { then } else { otherwise }
            }
            #[inline(always)]
            unsafe fn to_array(self) -> [f64; 16] {
                let mut array = [0.0; 16];
                array[0] = self.0.to_f64();
                array
            }
        }
    };
}

scalar_lanes!(f64);
scalar_lanes!(f32);

impl<T: Element> Row<T> for Single
where
    Scalar<T>: Lanes<Element = T>,
{
    type Lanes = Scalar<T>;

    #[inline(always)]
    unsafe fn load_up(from: *const T, rank: usize, pre: usize) -> Scalar<T> {
        // SAFETY: the caller vouches for the row; its first lane is that of no pre piece.
        Scalar(unsafe { *from.add(rank * row_width(pre, 1)) })
    }

    #[inline(always)]
    unsafe fn pre_moves(
        best: Scalar<T>,
        steps: usize,
        _rank: usize,
        _own: (*const T, *const T),
        sources: &Sources<T>,
        terrain: &Terrain,
    ) -> Scalar<T> {
        if terrain.pre > 0 || steps > terrain.shared {
            return best;
        }
        let entry = sources.light_enters[steps - 1];
        if entry.is_null() {
            return best;
        }
        // SAFETY: an entry that is not null is a row; without pre squares it has one lane.
        unsafe { best.max(Scalar(*entry)) }
    }
}

impl<T: Element, I: Instructions<T>> Row<T> for Narrow<I> {
    type Lanes = I::Narrow;

    #[inline(always)]
    unsafe fn load_up(from: *const T, rank: usize, _pre: usize) -> I::Narrow {
        let mut lanes = [T::from_f64(-1.0); 8];
        for (at, mask) in [0, 1, 2, 4, 8].into_iter().enumerate() {
            // SAFETY: the caller vouches for sixteen lanes a row.
            lanes[at] = unsafe { *from.add(rank * 16 + mask) };
        }
        // SAFETY: eight elements.
        unsafe { I::Narrow::load(lanes.as_ptr()) }
    }

    #[inline(always)]
    unsafe fn pre_moves(
        best: I::Narrow,
        steps: usize,
        rank: usize,
        (own_light, own_dark): (*const T, *const T),
        sources: &Sources<T>,
        terrain: &Terrain,
    ) -> I::Narrow {
        // Lane n is the piece on square n, lane 0 the piece in hand; all land `steps` further.
        let mut landed = [T::from_f64(-1.0); 8];
        for from in 0..=terrain.pre {
            let to = from + steps;
            // SAFETY: rows hold eight lanes, blocks for no piece one lane a row.
            unsafe {
                if to <= terrain.pre {
                    landed[from] = *if terrain.again[to] { own_light } else { own_dark }.add(to);
                } else if to - terrain.pre <= terrain.shared {
                    let entry = sources.light_enters[to - terrain.pre - 1];
                    if !entry.is_null() {
                        landed[from] = *entry.add(rank);
                    }
                }
            }
        }
        // SAFETY: eight elements.
        unsafe { best.max(I::Narrow::load(landed.as_ptr())) }
    }
}

/// The lanes of the masks without `empty` and, where it is not 0, with `held`; both count from 1.
const fn lanes_where(held: u32, empty: u32) -> u16 {
    let mut lanes = 0;
    let mut mask = 0_u32;
    while mask < 16 {
        let holds = held == 0 || mask >> (held - 1) & 1 != 0;
        let lacks = empty == 0 || mask >> (empty - 1) & 1 == 0;
        if holds && lacks {
            lanes |= 1 << mask;
        }
        mask += 1;
    }
    lanes
}

/// Takes the move of a piece between pre squares (0 is the hand) into `best`.
macro_rules! advance {
    ($best:ident, $own:expr, $terrain:ident, $from:literal, $to:literal) => {
        if $to <= $terrain.pre {
            const EXCHANGE: usize = (if $from == 0 { 0 } else { 1 << ($from + 3) >> 4 }) ^ 1 << ($to - 1);
            let own = if $terrain.again[$to] { $own.0 } else { $own.1 };
            let moved = $best.max(own.exchange::<EXCHANGE>());
            $best = $best.merge::<{ lanes_where($from, $to) }>(moved);
        }
    };
}

/// The moves of sixteen lanes; `down` loads a row for one piece less.
#[inline(always)]
unsafe fn wide_moves<W: Wide>(
    mut best: W,
    steps: usize,
    own: (*const W::Element, *const W::Element),
    sources: &Sources<W::Element>,
    terrain: &Terrain,
    down: impl Fn(*const W::Element) -> W,
) -> W {
    // SAFETY: rows hold sixteen lanes; entries that are not null are rows for `down`.
    unsafe {
        let own = (W::load(own.0), W::load(own.1));
        match steps {
            1 => {
                advance!(best, own, terrain, 0, 1);
                advance!(best, own, terrain, 1, 2);
                advance!(best, own, terrain, 2, 3);
                advance!(best, own, terrain, 3, 4);
            }
            2 => {
                advance!(best, own, terrain, 0, 2);
                advance!(best, own, terrain, 1, 3);
                advance!(best, own, terrain, 2, 4);
            }
            3 => {
                advance!(best, own, terrain, 0, 3);
                advance!(best, own, terrain, 1, 4);
            }
            4 => {
                advance!(best, own, terrain, 0, 4);
            }
            _ => {}
        }
        let entry = |from: usize| {
            let to = from + steps;
            let reaches = from <= terrain.pre && to > terrain.pre && to - terrain.pre <= terrain.shared;
            if reaches { sources.light_enters[to - terrain.pre - 1] } else { std::ptr::null() }
        };
        let hand = entry(0);
        if !hand.is_null() {
            best = best.max(down(hand));
        }
        macro_rules! enter {
            ($from:literal) => {
                let row = entry($from);
                if !row.is_null() {
                    let moved = best.max(down(row).exchange::<{ 1 << ($from - 1) }>());
                    best = best.merge::<{ lanes_where($from, 0) }>(moved);
                }
            };
        }
        enter!(1);
        enter!(2);
        enter!(3);
        enter!(4);
        best
    }
}

impl<T: Element, I: Instructions<T>> Row<T> for Two<I> {
    type Lanes = I::Wide;

    #[inline(always)]
    unsafe fn load_up(from: *const T, rank: usize, _pre: usize) -> I::Wide {
        // SAFETY: the caller vouches for sixteen lanes a row.
        unsafe { I::Wide::load(from.add(rank * 16)) }
    }

    #[inline(always)]
    unsafe fn pre_moves(
        best: I::Wide,
        steps: usize,
        rank: usize,
        own: (*const T, *const T),
        sources: &Sources<T>,
        terrain: &Terrain,
    ) -> I::Wide {
        // SAFETY: rows for one piece have eight lanes.
        let down = |row: *const T| unsafe {
            let lane = |at: usize| I::Wide::splat(*row.add(rank * 8 + at));
            I::Wide::splat(T::from_f64(-1.0))
                .merge::<{ 1 << 0 }>(lane(0))
                .merge::<{ 1 << 1 }>(lane(1))
                .merge::<{ 1 << 2 }>(lane(2))
                .merge::<{ 1 << 4 }>(lane(3))
                .merge::<{ 1 << 8 }>(lane(4))
        };
        // SAFETY: as the caller vouches.
        unsafe { wide_moves(best, steps, own, sources, terrain, down) }
    }
}

impl<T: Element, I: Instructions<T>> Row<T> for Many<I> {
    type Lanes = I::Wide;

    #[inline(always)]
    unsafe fn load_up(from: *const T, rank: usize, _pre: usize) -> I::Wide {
        // SAFETY: the caller vouches for sixteen lanes a row.
        unsafe { I::Wide::load(from.add(rank * 16)) }
    }

    #[inline(always)]
    unsafe fn pre_moves(
        best: I::Wide,
        steps: usize,
        rank: usize,
        own: (*const T, *const T),
        sources: &Sources<T>,
        terrain: &Terrain,
    ) -> I::Wide {
        // SAFETY: rows for two pieces or more have sixteen lanes.
        let down = |row: *const T| unsafe { I::Wide::load(row.add(rank * 16)) };
        // SAFETY: as the caller vouches.
        unsafe { wide_moves(best, steps, own, sources, terrain, down) }
    }
}

/// Running sums of a slab, lane by lane.
struct Sums<L> {
    change: L,
    along: L,
    square: L,
    dead: L,
}

/// One block at work.
struct Block<'a, T> {
    arena: &'a Arena<'a, T>,
    at: usize,
    light_left: u8,
    dark_left: u8,
}

impl<T: Element> Block<'_, T> {
    /// Backs up every row of the block.
    #[inline(always)]
    unsafe fn pass<R: Row<T>>(&self, sources: &Sources<T>, mode: Mode, tally: &mut Tally) {
        let terrain = self.arena.terrain;
        // SAFETY: the caller vouches for the arena and the instruction set.
        unsafe {
            let zero = R::Lanes::splat(T::from_f64(0.0));
            let mut sums = Sums { change: zero, along: zero, square: zero, dead: zero };
            let valid = self.valid_lanes::<R>();
            for mask in pre_masks(terrain.pre, self.dark_left) {
                let hand = mask.count_ones() < u32::from(self.dark_left);
                let rank = self.arena.plan.indexer.pre_rank(mask) as usize;
                let (light, pass) = self.light_turn::<R>(rank, sources);
                let (dark, dark_pass) = self.dark_turn::<R>(mask, hand, rank, sources);
                self.settle::<R>(rank, (light, pass), (dark, dark_pass), valid, mode, &mut sums);
            }
            *tally = tally.and(self.reduce::<R>(&sums));
        }
    }

    /// One in the lanes of masks that light's pieces can make, zero in the others.
    #[inline(always)]
    unsafe fn valid_lanes<R: Row<T>>(&self) -> R::Lanes {
        let mut valid = [T::from_f64(0.0); 16];
        for mask in pre_masks(self.arena.terrain.pre, self.light_left) {
            valid[crate::plan::lane(self.light_left.min(2), mask)] = T::from_f64(1.0);
        }
        if R::Lanes::WIDTH == 1 {
            valid[0] = T::from_f64(1.0);
        }
        // SAFETY: sixteen elements are enough for any row.
        unsafe { R::Lanes::load(valid.as_ptr()) }
    }

    /// Light's turn: the sum over rolls that move of chance times best value, and the chance of the others.
    #[inline(always)]
    unsafe fn light_turn<R: Row<T>>(
        &self,
        rank: usize,
        sources: &Sources<T>,
    ) -> (R::Lanes, R::Lanes) {
        let terrain = self.arena.terrain;
        let row = rank * R::Lanes::WIDTH;
        // SAFETY: the caller vouches for the arena and the instruction set.
        unsafe {
            let zero = R::Lanes::splat(T::from_f64(0.0));
            let own_light = self.arena.light.add(self.at + row).cast_const();
            let own_dark = self.arena.dark.add(self.at + row).cast_const();
            let none = R::Lanes::splat(T::from_f64(-0.5));
            let mut value = zero;
            let mut pass = R::Lanes::splat(T::from_f64(terrain.idle));
            for (at, throw) in terrain.throws.iter().enumerate() {
                let mut best = R::Lanes::splat(T::from_f64(-1.0));
                for &source in &sources.rows[sources.light[at].0..sources.light[at].1] {
                    best = best.max(R::Lanes::load(source.add(row)));
                }
                if !sources.light_exits[at].is_null() {
                    best = best.max(R::Lanes::load(sources.light_exits[at].add(row)));
                }
                if self.light_left > 0 {
                    let own = (own_light, own_dark);
                    best = R::pre_moves(best, throw.steps, rank, own, sources, terrain);
                }
                let chance = R::Lanes::splat(T::from_f64(throw.chance));
                // Where light cannot move, `best` is still -1.
                value = value.add(chance.mul(best.if_less(none, zero, best)));
                pass = pass.add(best.if_less(none, chance, zero));
            }
            (value, pass)
        }
    }

    /// Dark's turn, likewise; dark takes the least of light's chances.
    #[inline(always)]
    unsafe fn dark_turn<R: Row<T>>(
        &self,
        mask: u32,
        hand: bool,
        rank: usize,
        sources: &Sources<T>,
    ) -> (R::Lanes, R::Lanes) {
        let terrain = self.arena.terrain;
        let row = rank * R::Lanes::WIDTH;
        // SAFETY: the caller vouches for the arena and the instruction set.
        unsafe {
            let zero = R::Lanes::splat(T::from_f64(0.0));
            let none = R::Lanes::splat(T::from_f64(1.5));
            let two = R::Lanes::splat(T::from_f64(2.0));
            let mut value = zero;
            let mut pass = R::Lanes::splat(T::from_f64(terrain.idle));
            for (at, throw) in terrain.throws.iter().enumerate() {
                let mut best = two;
                for &source in &sources.rows[sources.dark[at].0..sources.dark[at].1] {
                    best = best.min(R::Lanes::load(source.add(row)));
                }
                for &source in &sources.rows[sources.captures[at].0..sources.captures[at].1] {
                    best = best.min(R::load_up(source, rank, terrain.pre));
                }
                if !sources.dark_exits[at].is_null() {
                    best = best.min(R::Lanes::load(sources.dark_exits[at].add(row)));
                }
                for &action in self.arena.rows.of(hand, mask, at) {
                    best = self.row_move::<R>(best, action, sources);
                }
                let chance = R::Lanes::splat(T::from_f64(throw.chance));
                // Where dark cannot move, `best` is still two.
                value = value.add(chance.mul(none.if_less(best, zero, best)));
                pass = pass.add(none.if_less(best, chance, zero));
            }
            (value, pass)
        }
    }

    #[inline(always)]
    unsafe fn row_move<R: Row<T>>(
        &self,
        best: R::Lanes,
        action: RowMove,
        sources: &Sources<T>,
    ) -> R::Lanes {
        let width = R::Lanes::WIDTH;
        // SAFETY: the caller vouches for the arena and the instruction set.
        unsafe {
            match action {
                RowMove::Row(rank, again) => {
                    let own = if again { self.arena.dark } else { self.arena.light };
                    best.min(R::Lanes::load(own.add(self.at + usize::from(rank) * width)))
                }
                RowMove::Enter(bit, rank) => match sources.dark_enters[usize::from(bit)] {
                    (row, _) if row.is_null() => best,
                    (row, false) => best.min(R::Lanes::load(row.add(usize::from(rank) * width))),
                    (row, true) => {
                        best.min(R::load_up(row, usize::from(rank), self.arena.terrain.pre))
                    }
                },
            }
        }
    }

    /// Solves the pair of values that passes tie together, and stores or compares them.
    #[inline(always)]
    unsafe fn settle<R: Row<T>>(
        &self,
        rank: usize,
        (light, pass): (R::Lanes, R::Lanes),
        (dark, dark_pass): (R::Lanes, R::Lanes),
        valid: R::Lanes,
        mode: Mode,
        sums: &mut Sums<R::Lanes>,
    ) {
        let at = self.at + rank * R::Lanes::WIDTH;
        // SAFETY: the caller vouches for the arena and the instruction set.
        unsafe {
            let zero = R::Lanes::splat(T::from_f64(0.0));
            let one = R::Lanes::splat(T::from_f64(1.0));
            let half = R::Lanes::splat(T::from_f64(0.5));
            let (light_at, dark_at) = (self.arena.light.add(at), self.arena.dark.add(at));
            let (old_light, old_dark) = (R::Lanes::load(light_at), R::Lanes::load(dark_at));
            let left = one.sub(pass.mul(dark_pass));
            let (new_light, new_dark) = if mode == Mode::Residual {
                let dead = zero.if_less(left, zero, one);
                sums.dead = sums.dead.add(zero.if_less(valid, dead, zero));
                (light.add(pass.mul(old_dark)), dark.add(dark_pass.mul(old_light)))
            } else {
                let solved = light.add(pass.mul(dark)).div(left);
                // Where nobody can ever move, nothing is left.
                let light = zero.if_less(left, solved, half);
                (light, dark.add(dark_pass.mul(light)))
            };
            let new_light = zero.if_less(valid, new_light, old_light);
            let new_dark = zero.if_less(valid, new_dark, old_dark);
            let light_move = new_light.sub(old_light);
            let dark_move = new_dark.sub(old_dark);
            sums.change = sums.change.max(light_move.max(zero.sub(light_move)));
            if mode != Mode::Residual || !self.arena.plan.sublayer.is_mirror() {
                sums.change = sums.change.max(dark_move.max(zero.sub(dark_move)));
            }
            if mode == Mode::Residual {
                return;
            }
            new_light.store(light_at);
            new_dark.store(dark_at);
            if mode == Mode::Sweep {
                return;
            }
            let moves = [(light_move, at), (dark_move, self.arena.plan.lanes + at)];
            for (step, at) in moves {
                let place = self.arena.moves.add(at);
                if mode == Mode::Compare {
                    let before = R::Lanes::load(place);
                    let turn = step.sub(before);
                    sums.along = sums.along.add(before.mul(turn));
                    sums.square = sums.square.add(turn.mul(turn));
                }
                step.store(place);
            }
        }
    }

    #[inline(always)]
    unsafe fn reduce<R: Row<T>>(&self, sums: &Sums<R::Lanes>) -> Tally {
        // SAFETY: the caller vouches for the instruction set.
        let [change, along, square, dead] = unsafe {
            [
                sums.change.to_array(),
                sums.along.to_array(),
                sums.square.to_array(),
                sums.dead.to_array(),
            ]
        };
        let sum = |lanes: [f64; 16]| lanes[..R::Lanes::WIDTH].iter().sum::<f64>();
        let sides = if self.arena.plan.sublayer.is_mirror() { 1 } else { 2 };
        Tally {
            change: change[..R::Lanes::WIDTH].iter().copied().fold(0.0, f64::max),
            along: sum(along),
            square: sum(square),
            dead: sides * sum(dead) as u64,
        }
    }
}

/// Passes over the slab at `at`.
///
/// # Safety
///
/// The arena's buffers are those of its plan, no slab passed over at the same time writes what this one reads or writes,
/// and the processor has the instructions `I`.
#[inline(always)]
pub(crate) unsafe fn pass<T: Element, I>(arena: &Arena<'_, T>, at: usize, mode: Mode) -> Tally
where
    I: Instructions<T>,
    Scalar<T>: Lanes<Element = T>,
{
    let Slab { dark, columns, .. } = arena.plan.slabs[at];
    let (terrain, plan) = (arena.terrain, arena.plan);
    let mut tally = Tally::default();
    let mut sources = Sources::empty();
    let dark_left = plan.dark_movable - terrain.masks.count(dark);
    let rows = plan.indexer.rows(dark_left) as usize;
    // SAFETY: as the caller vouches.
    unsafe {
        let mut exits = arena.leaving.add(arena.exits.starts[at]);
        for &light in &plan.columns[columns.0..columns.1] {
            let light_left = plan.light_movable - terrain.masks.count(light);
            arena.find_sources(dark, light, &mut sources);
            let lanes = rows * row_width(terrain.pre, light_left);
            exits = arena.find_exits(dark, light, lanes, exits, &mut sources);
            let block = Block { arena, at: plan.block(dark, light), light_left, dark_left };
            match (terrain.pre, light_left) {
                (0, _) | (_, 0) => block.pass::<Single>(&sources, mode, &mut tally),
                (_, 1) => block.pass::<Narrow<I>>(&sources, mode, &mut tally),
                (_, 2) => block.pass::<Two<I>>(&sources, mode, &mut tally),
                _ => block.pass::<Many<I>>(&sources, mode, &mut tally),
            }
        }
    }
    tally
}
