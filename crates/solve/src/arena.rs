//! Arena: the values of one sublayer while it is swept, and what the backups of a block read.
#![expect(
    clippy::cast_possible_truncation,
    reason = "counts here are small: at most 31 squares, 15 pieces, 256 values of a block, 2^32 lanes"
)]
#![expect(
    clippy::inline_always,
    reason = "the kernel has to be one piece for the instruction set it is compiled for"
)]
#![expect(unsafe_code, reason = "blocks are read and written through raw pointers")]

use arrayvec::ArrayVec;

use crate::exits::Exits;
use crate::lanes::Element;
use crate::plan::Plan;
use crate::shape::{DARK_NEVER, LIGHT_NEVER, Placed, Shape, lane};
use crate::terrain::{Step, Terrain, ones};

/// The most throws of a set of dice, and the most shared bits that a throw from a pre square reaches.
pub(crate) const THROWS: usize = 16;
/// The most values of a block.
pub(crate) const BLOCK: usize = 256;

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

// SAFETY: the pointers of sources are only used in the pass that found them.
unsafe impl<T: Send> Send for Sources<T> {}

/// A move of a piece that is on a pre square or in hand, of the side with the rows.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RowMove {
    /// Which of [`Sources::by_row_move`] it leads to.
    pub(crate) source: u8,
    /// The rank of the row it leads to.
    pub(crate) rank: u8,
}

/// The rows of the block itself with the side of the lanes, or that of the rows, about to roll; then the entries.
const LANES_ROLL: u8 = 0;
const ROWS_ROLL: u8 = 1;
const ENTRIES: usize = 2;

/// By pre mask and throw, the moves of the pieces on pre squares and in hand of the side with the rows.
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
                    let pieces = own.chain(hand.then_some((0, mask)));
                    let row_move =
                        |(from, rest)| row_move(terrain, &rank, from + throw.steps, rest);
                    let exists = mask >> terrain.pre == 0;
                    moves.push(pieces.filter(|_| exists).filter_map(row_move).collect());
                }
            }
        }
        Self { throws: terrain.throws.len(), moves }
    }

    #[inline(always)]
    pub(crate) fn of(&self, hand: bool, mask: u32, throw: usize) -> &[RowMove] {
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
        let source = (ENTRIES + bit) as u8;
        return (bit < terrain.shared).then(|| RowMove { source, rank: rank(rest) as u8 });
    }
    let bit = 1 << (to - 1);
    let source = if terrain.again[to] { ROWS_ROLL } else { LANES_ROLL };
    (rest & bit == 0).then(|| RowMove { source, rank: rank(rest | bit) as u8 })
}

/// A block with one piece less to place of the side with the lanes, where that piece has entered.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Entry<T> {
    from: *const T,
    /// The distance of its lanes; 1 where the same side has the lanes there.
    pub(crate) step: usize,
    width: usize,
    lane_left: u8,
    turned: bool,
}

impl<T> Entry<T> {
    /// Returns where the row of `mask` (with this rank) begins.
    #[inline(always)]
    pub(crate) unsafe fn row(&self, at: Placed) -> *const T {
        let offset = if self.turned { lane(self.lane_left, at.mask) } else { at.rank * self.width };
        // SAFETY: the entry is a block, and the mask has a place there.
        unsafe { self.from.add(offset) }
    }
}

/// What the backups of one block read.
#[derive(Debug)]
pub(crate) struct Sources<T> {
    pub(crate) shape: Shape,
    /// Blocks laid out as this one, that a throw leads to.
    blocks: Vec<*const T>,
    /// By throw, those for the side with the lanes and for the side with the rows.
    lane_blocks: [(usize, usize); THROWS],
    row_blocks: [(usize, usize); THROWS],
    /// By shared bit, where a piece of the side with the lanes enters.
    pub(crate) entries: [Entry<T>; THROWS],
    /// What [`RowMove::source`] counts.
    pub(crate) by_row_move: [*const T; THROWS + ENTRIES],
    /// Blocks brought into this one's layout.
    copies: Vec<T>,
    copied: usize,
    /// Rows that light, or dark, never chooses.
    light_never: Box<[T; BLOCK]>,
    dark_never: Box<[T; BLOCK]>,
}

/// Asks the processor for the first lines of a block that is read soon.
#[inline(always)]
fn fetch<T>(block: *const T) {
    #[cfg(target_arch = "x86_64")]
    for line in 0..4 {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a hint reads nothing; the processor ignores addresses that are not mapped.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(block.cast::<i8>().wrapping_add(line * 64)) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = block;
}

/// A configuration after a move, and whether the mover rolls again.
#[derive(Clone, Copy)]
struct Landed {
    dark: u32,
    light: u32,
    captured: bool,
    again: bool,
}

/// The most blocks that are copied for one block: every piece with every throw, and the entries.
const COPIES: usize = 15 * 9 + THROWS;

impl<T: Element> Sources<T> {
    pub(crate) fn new() -> Self {
        let null = std::ptr::null();
        let entry = Entry { from: null, step: 1, width: 0, lane_left: 0, turned: false };
        Self {
            shape: Shape::new(0, 0, 0),
            blocks: Vec::new(),
            lane_blocks: [(0, 0); THROWS],
            row_blocks: [(0, 0); THROWS],
            entries: [entry; THROWS],
            by_row_move: [null; THROWS + ENTRIES],
            copies: Vec::new(),
            copied: 0,
            light_never: Box::new([T::from_f64(LIGHT_NEVER); BLOCK]),
            dark_never: Box::new([T::from_f64(DARK_NEVER); BLOCK]),
        }
    }

    #[inline(always)]
    pub(crate) fn lane_blocks(&self, throw: usize) -> &[*const T] {
        let (start, end) = self.lane_blocks[throw];
        &self.blocks[start..end]
    }

    #[inline(always)]
    pub(crate) fn row_blocks(&self, throw: usize) -> &[*const T] {
        let (start, end) = self.row_blocks[throw];
        &self.blocks[start..end]
    }

    /// Room for a block brought into this one's layout.
    fn copy(&mut self) -> *mut T {
        if self.copies.is_empty() {
            self.copies.resize(COPIES * BLOCK, T::from_f64(0.0));
        }
        let at = self.copied * BLOCK;
        self.copied += 1;
        self.copies[at..at + BLOCK].as_mut_ptr()
    }
}

impl<T: Element> Arena<'_, T> {
    /// Finds what the block of a configuration reads; its exits begin at `exits`. Returns where the next block's begin.
    #[inline(never)]
    pub(crate) unsafe fn find(
        &self,
        dark: u32,
        light: u32,
        exits: *const T,
        to: &mut Sources<T>,
    ) -> *const T {
        to.shape = self.plan.shape(self.terrain, dark, light);
        to.copied = 0;
        to.blocks.clear();
        // SAFETY: the blocks of a plan lie within the arena's buffers.
        unsafe {
            let exits = if to.shape.turned {
                let rest = self.find_moves::<true>(dark, light, exits, to);
                let rest = self.find_moves::<false>(dark, light, rest, to);
                self.find_lane_entries::<false>(dark, light, to);
                self.find_row_entries::<true>(dark, light, to);
                rest
            } else {
                let rest = self.find_moves::<true>(dark, light, exits, to);
                let rest = self.find_moves::<false>(dark, light, rest, to);
                self.find_lane_entries::<true>(dark, light, to);
                self.find_row_entries::<false>(dark, light, to);
                rest
            };
            let at = self.plan.block(dark, light);
            let (own_light, own_dark) = (self.light.add(at), self.dark.add(at));
            let (lanes, rows) =
                if to.shape.turned { (own_dark, own_light) } else { (own_light, own_dark) };
            to.by_row_move[usize::from(LANES_ROLL)] = lanes;
            to.by_row_move[usize::from(ROWS_ROLL)] = rows;
            exits
        }
    }

    /// Finds the moves of light's (or dark's) shared pieces and its exits, by throw.
    #[inline(never)]
    unsafe fn find_moves<const LIGHT: bool>(
        &self,
        dark: u32,
        light: u32,
        mut exits: *const T,
        to: &mut Sources<T>,
    ) -> *const T {
        let answered = if LIGHT {
            self.exits.light.throws[light as usize]
        } else {
            self.exits.dark.throws[dark as usize]
        };
        let len = to.shape.len(&self.plan.ranks);
        let mover = if LIGHT { light } else { dark };
        for throw in 0..self.terrain.throws.len() {
            let start = to.blocks.len();
            for &step in self.terrain.masks.steps(mover, throw) {
                if let Some(landed) = self.lands::<LIGHT>(dark, light, step) {
                    // SAFETY: the blocks of a plan lie within the arena's buffers.
                    let block = unsafe { self.in_layout::<LIGHT>(landed, to) };
                    fetch(block);
                    to.blocks.push(block);
                }
            }
            if answered >> throw & 1 != 0 {
                to.blocks.push(exits);
                // SAFETY: `Exits` counted this block.
                exits = unsafe { exits.add(len) };
            }
            let range = (start, to.blocks.len());
            if LIGHT == to.shape.turned {
                to.row_blocks[throw] = range;
            } else {
                to.lane_blocks[throw] = range;
            }
        }
        exits
    }

    /// What follows a step of light (or dark); `None` where the other side is safe on its square.
    #[inline(always)]
    fn lands<const LIGHT: bool>(&self, dark: u32, light: u32, step: Step) -> Option<Landed> {
        let masks = &self.terrain.masks;
        let other = if LIGHT { dark } else { light };
        let met = step.landing.meets & masks.bits[other as usize];
        let configuration =
            |other: u32| if LIGHT { (other, step.mask) } else { (step.mask, other) };
        if met == 0 {
            let (dark, light) = configuration(other);
            return Some(Landed { dark, light, captured: false, again: step.landing.again });
        }
        if step.landing.safe {
            return None;
        }
        let (dark, light) = configuration(masks.removed(other, met.trailing_zeros() as usize));
        let again = step.landing.again || self.terrain.captures_again;
        Some(Landed { dark, light, captured: true, again })
    }

    /// The block of what follows a move of light (or dark), with whoever rolls next.
    #[inline(always)]
    unsafe fn block<const LIGHT: bool>(&self, landed: Landed) -> *const T {
        let values = if LIGHT == landed.again { self.light } else { self.dark };
        // SAFETY: the blocks of a plan lie within the arena's buffers.
        unsafe { values.add(self.plan.block(landed.dark, landed.light)) }
    }

    /// The block of what follows a move of a shared piece, laid out as the block it is found for.
    #[inline(always)]
    unsafe fn in_layout<const LIGHT: bool>(&self, landed: Landed, to: &mut Sources<T>) -> *const T {
        // SAFETY: the blocks of a plan lie within the arena's buffers.
        unsafe {
            let block = self.block::<LIGHT>(landed);
            if !landed.captured {
                return block;
            }
            let shape = self.plan.shape(self.terrain, landed.dark, landed.light);
            if (shape.turned, shape.width) == (to.shape.turned, to.shape.width) {
                return block;
            }
            self.copy(block, shape, (to.shape.lane_left, to.shape.row_left), to)
        }
    }

    /// Copies the values that two layouts have in common, for at most so many pieces of the lanes and the rows.
    #[inline(never)]
    unsafe fn copy(
        &self,
        block: *const T,
        shape: Shape,
        (lane_left, row_left): (u8, u8),
        to: &mut Sources<T>,
    ) -> *const T {
        let copy = to.copy();
        let ranks = &self.plan.ranks;
        let own = to.shape;
        for row in ranks.masks(row_left) {
            for lane in ranks.masks(lane_left) {
                let from = if shape.turned == own.turned {
                    row.rank * shape.width + crate::shape::lane(shape.lane_left, lane.mask)
                } else {
                    lane.rank * shape.width + crate::shape::lane(shape.lane_left, row.mask)
                };
                let place = row.rank * own.width + crate::shape::lane(own.lane_left, lane.mask);
                // SAFETY: both blocks hold these masks.
                unsafe { *copy.add(place) = *block.add(from) };
            }
        }
        copy
    }

    /// The configuration where a piece of light (or dark) has entered on `bit`, if it may.
    #[inline(always)]
    fn enters<const LIGHT: bool>(&self, dark: u32, light: u32, bit: usize) -> Option<Landed> {
        let mover = if LIGHT { light } else { dark };
        let step = self.terrain.masks.entered(mover, bit)?;
        self.lands::<LIGHT>(dark, light, step)
    }

    /// Finds where pieces of the side with the lanes enter.
    #[inline(never)]
    unsafe fn find_lane_entries<const LIGHT: bool>(
        &self,
        dark: u32,
        light: u32,
        to: &mut Sources<T>,
    ) {
        let never = if LIGHT { to.light_never.as_ptr() } else { to.dark_never.as_ptr() };
        let none = Entry { from: never.cast(), step: 1, width: 16, lane_left: 0, turned: false };
        for bit in 0..self.terrain.reach {
            let landed =
                if to.shape.lane_left > 0 { self.enters::<LIGHT>(dark, light, bit) } else { None };
            to.entries[bit] = match landed {
                // SAFETY: the blocks of a plan lie within the arena's buffers.
                Some(landed) => unsafe { self.entry::<LIGHT>(landed, to) },
                None => none,
            };
        }
    }

    #[inline(always)]
    unsafe fn entry<const LIGHT: bool>(&self, landed: Landed, to: &mut Sources<T>) -> Entry<T> {
        let shape = self.plan.shape(self.terrain, landed.dark, landed.light);
        // SAFETY: the blocks of a plan lie within the arena's buffers.
        unsafe {
            let from = self.block::<LIGHT>(landed);
            let Shape { width, lane_left, .. } = shape;
            let turned = shape.turned != to.shape.turned;
            if !turned || to.shape.lane_left < 3 {
                let step = if turned { width } else { 1 };
                return Entry { from, step, width, lane_left, turned };
            }
            // Sixteen lanes are read at once: they have to lie side by side.
            let left = (to.shape.lane_left - 1, to.shape.row_left);
            let from = self.copy(from, shape, left, to);
            self.clear_full_lanes(from.cast_mut(), to);
            Entry { from, step: 1, width: to.shape.width, lane_left: left.0, turned: false }
        }
    }

    /// Marks the lanes of a copied entry that have no piece left to enter.
    unsafe fn clear_full_lanes(&self, copy: *mut T, to: &Sources<T>) {
        let never = T::from_f64(to.shape.never());
        for row in 0..self.plan.ranks.rows(to.shape.row_left) {
            for mask in 0..16_u32 {
                if mask.count_ones() >= u32::from(to.shape.lane_left) {
                    // SAFETY: the copy has sixteen lanes a row.
                    unsafe { *copy.add(row * to.shape.width + mask as usize) = never };
                }
            }
        }
    }

    /// Finds where pieces of the side with the rows enter.
    #[inline(never)]
    unsafe fn find_row_entries<const LIGHT: bool>(
        &self,
        dark: u32,
        light: u32,
        to: &mut Sources<T>,
    ) {
        let never = if LIGHT { to.light_never.as_ptr() } else { to.dark_never.as_ptr() };
        for bit in 0..self.terrain.reach {
            let landed =
                if to.shape.row_left > 0 { self.enters::<LIGHT>(dark, light, bit) } else { None };
            to.by_row_move[ENTRIES + bit] = match landed {
                // SAFETY: the blocks of a plan lie within the arena's buffers.
                Some(landed) => unsafe { self.row_entry::<LIGHT>(landed, to) },
                None => never.cast(),
            };
        }
    }

    #[inline(always)]
    unsafe fn row_entry<const LIGHT: bool>(&self, landed: Landed, to: &mut Sources<T>) -> *const T {
        let shape = self.plan.shape(self.terrain, landed.dark, landed.light);
        // SAFETY: the blocks of a plan lie within the arena's buffers.
        unsafe {
            let block = self.block::<LIGHT>(landed);
            if (shape.turned, shape.width) == (to.shape.turned, to.shape.width) {
                return block;
            }
            self.copy(block, shape, (to.shape.lane_left, to.shape.row_left - 1), to)
        }
    }
}
