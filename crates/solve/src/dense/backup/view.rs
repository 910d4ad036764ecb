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

use std::ops::Range;

use arrayvec::ArrayVec;

use crate::dense::active_set::Listening;
use crate::dense::backup::best::Choice;
use crate::dense::layout::block::{DARK_NEVER, LIGHT_NEVER, Placed, Shape, lane};
use crate::dense::layout::masks::{PRE, THROWS, Terrain, ones};
use crate::dense::layout::plan::Plan;
use crate::dense::successors::external::Exits;
use crate::dense::successors::links::{COPIED, Count, EntryLayout, Head, NEVER};
use crate::dense::successors::relayout::{Recast, Recasts};
use crate::drive::statistics::Mode;
use crate::memory::prefetch::prefetch;
use crate::simd::vector::Element;

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
    pub(crate) recasts: &'a Recasts,
    /// Light's chance with light about to roll.
    pub(crate) light: *mut T,
    /// Light's chance with dark about to roll; lies behind the former.
    pub(crate) dark: *mut T,
    /// The best exit of each block and roll.
    pub(crate) leaving: *const T,
    /// The last moves of light's and then of dark's values in the blocks that are swept.
    pub(crate) moves: *mut T,
    /// Which blocks are backed up; `None` for all.
    pub(crate) listening: Option<Listening<'a>>,
}

// SAFETY: the pointers are to buffers that outlive the arena, and slabs that are passed over at the same time write
// different parts of them and read none that is written.
unsafe impl<T: Send> Send for Arena<'_, T> {}
// SAFETY: as above.
unsafe impl<T: Sync> Sync for Arena<'_, T> {}

// SAFETY: the pointers of sources are only used in the pass that read them.
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
    moves: Vec<ArrayVec<RowMove, 6>>,
}

impl RowMoves {
    pub(crate) fn new(terrain: &Terrain, rank: impl Fn(u32) -> u64) -> Self {
        let mut moves = Vec::new();
        for hand in [false, true] {
            for mask in 0..1 << PRE {
                for throw in &terrain.throws {
                    let own = ones(mask).map(|bit| (bit + 1, mask & !(1 << bit)));
                    let pieces = own.chain(hand.then_some((0, mask)));
                    let row_move = |(from, rest)| row_move(&rank, from + throw.steps, rest);
                    moves.push(pieces.filter_map(row_move).collect());
                }
            }
        }
        Self { moves }
    }

    #[inline(always)]
    pub(crate) fn of(&self, hand: bool, mask: u32, throw: usize) -> &[RowMove] {
        &self.moves[(usize::from(hand) * 16 + mask as usize) * THROWS + throw]
    }
}

fn row_move(rank: &impl Fn(u32) -> u64, to: usize, rest: u32) -> Option<RowMove> {
    if to > PRE {
        let source = (ENTRIES + to - PRE - 1) as u8;
        return Some(RowMove { source, rank: rank(rest) as u8 });
    }
    let bit = 1 << (to - 1);
    // The last pre square grants a roll.
    let source = if to == PRE { ROWS_ROLL } else { LANES_ROLL };
    (rest & bit == 0).then(|| RowMove { source, rank: rank(rest | bit) as u8 })
}

/// A block with one piece less to place of the side with the lanes, where that piece has entered.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Entry<T> {
    from: *const T,
    layout: EntryLayout,
}

impl<T> Entry<T> {
    /// Returns where the row of `mask` (with this rank) begins.
    #[inline(always)]
    pub(crate) unsafe fn row(&self, at: Placed) -> *const T {
        let offset = if self.layout.turned() {
            lane(self.layout.lane_left(), at.mask)
        } else {
            at.rank * self.layout.width()
        };
        // SAFETY: the entry is a block, and the mask has a place there.
        unsafe { self.from.add(offset) }
    }

    /// Returns the distance of its lanes; 1 where the same side has the lanes there.
    #[inline(always)]
    pub(crate) fn step(&self) -> usize {
        if self.layout.turned() { self.layout.width() } else { 1 }
    }
}

/// The values of one block, from the start of a cache line on.
#[derive(Debug, Clone)]
#[repr(C, align(64))]
struct Aligned<T>([T; BLOCK]);

/// What one throw leads to.
#[derive(Debug, Clone, Copy)]
struct Choices {
    /// The links of blocks that are read where they lie.
    links: *const u32,
    count: usize,
    /// Where the others begin and end among [`Sources::blocks`].
    blocks: (usize, usize),
}

impl Choices {
    const NONE: Self = Self { links: std::ptr::dangling(), count: 0, blocks: (0, 0) };
}

/// What the backups of one block read.
#[derive(Debug)]
pub(crate) struct Sources<T> {
    /// Set before anything is read.
    pub(crate) shape: Shape,
    /// Exits and copies that throws lead to.
    blocks: Vec<*const T>,
    /// By throw, what there is for the side with the lanes and for the side with the rows.
    lane_choices: [Choices; THROWS],
    row_choices: [Choices; THROWS],
    /// By shared bit, where a piece of the side with the lanes enters.
    pub(crate) entries: [Entry<T>; THROWS],
    /// What [`RowMove::source`] counts.
    pub(crate) by_row_move: [*const T; THROWS + ENTRIES],
    /// Blocks brought into this one's layout.
    copies: Vec<Aligned<T>>,
    copied: usize,
    /// Rows that light, or dark, never chooses.
    light_never: Box<Aligned<T>>,
    dark_never: Box<Aligned<T>>,
}

/// The most blocks that are copied for one block: every piece with every throw, and the entries.
const COPIES: usize = 15 * 9 + THROWS;

impl<T: Element> Sources<T> {
    pub(crate) fn new() -> Self {
        let null = std::ptr::null();
        let entry = Entry { from: null, layout: EntryLayout::COPIED };
        Self {
            shape: Shape::new(0, 0),
            blocks: Vec::new(),
            lane_choices: [Choices::NONE; THROWS],
            row_choices: [Choices::NONE; THROWS],
            entries: [entry; THROWS],
            by_row_move: [null; THROWS + ENTRIES],
            copies: Vec::new(),
            copied: 0,
            light_never: Box::new(Aligned([T::from_f64(LIGHT_NEVER); BLOCK])),
            dark_never: Box::new(Aligned([T::from_f64(DARK_NEVER); BLOCK])),
        }
    }

    /// What a throw of the side with the lanes (or the rows) leads to, among the values of `arena`.
    ///
    /// # Safety
    ///
    /// The sources were read from this arena, and its links are still there.
    #[inline(always)]
    pub(crate) unsafe fn choice<const LANES: bool>(
        &self,
        arena: &Arena<'_, T>,
        throw: usize,
    ) -> Choice<'_, T> {
        let choices = if LANES { &self.lane_choices } else { &self.row_choices };
        let Choices { links, count, blocks: (start, end) } = choices[throw];
        // SAFETY: as the caller vouches.
        let links = unsafe { std::slice::from_raw_parts(links, count) };
        Choice { values: arena.light, links, blocks: &self.blocks[start..end] }
    }

    /// What the side with the lanes never chooses.
    #[inline(always)]
    fn lanes_never(&self) -> *const T {
        if self.shape.turned { self.dark_never.0.as_ptr() } else { self.light_never.0.as_ptr() }
    }

    /// What the side with the rows never chooses.
    #[inline(always)]
    fn rows_never(&self) -> *const T {
        if self.shape.turned { self.light_never.0.as_ptr() } else { self.dark_never.0.as_ptr() }
    }

    /// Brings a block into this one's layout.
    ///
    /// # Safety
    ///
    /// The block has the values that the recast reads.
    #[inline(never)]
    unsafe fn copy(&mut self, block: *const T, recast: &Recast) -> *const T {
        if self.copies.is_empty() {
            self.copies.resize(COPIES, Aligned([T::from_f64(0.0); BLOCK]));
        }
        let Aligned(copy) = &mut self.copies[self.copied];
        self.copied += 1;
        copy[..recast.blank].fill(T::from_f64(self.shape.never()));
        for &(from, to) in &recast.places {
            // SAFETY: as the caller vouches.
            copy[usize::from(to)] = unsafe { *block.add(usize::from(from)) };
        }
        copy.as_ptr()
    }
}

impl<T: Element> Arena<'_, T> {
    /// Reads what the block that begins at `at` reads from its `links`; its exits begin at `exits`.
    ///
    /// # Safety
    ///
    /// The links and exits are those of this block and arena.
    #[inline(never)]
    pub(crate) unsafe fn read(
        &self,
        at: usize,
        links: *const u32,
        exits: *const T,
        to: &mut Sources<T>,
    ) {
        to.copied = 0;
        to.blocks.clear();
        let mut reader = Reader { arena: self, links, exits, len: to.shape.len(&self.plan.ranks) };
        // SAFETY: as the caller vouches; the blocks of a plan lie within the arena's buffers.
        unsafe {
            for light in [true, false] {
                reader.read_moves(light, to);
            }
            reader.read_lane_entries(to);
            reader.read_row_entries(to);
            let (own_light, own_dark) = (self.light.add(at), self.dark.add(at));
            let (lanes, rows) =
                if to.shape.turned { (own_dark, own_light) } else { (own_light, own_dark) };
            to.by_row_move[usize::from(LANES_ROLL)] = lanes;
            to.by_row_move[usize::from(ROWS_ROLL)] = rows;
        }
    }
}

impl<T: Element> Arena<'_, T> {
    /// Asks for a block's own values ahead of time: no other block leads to them, and its rows are not taken in their order
    /// in memory.
    #[inline(always)]
    pub(crate) fn ask_for(&self, lanes: Range<usize>, mode: Mode) {
        for at in lanes.step_by(64 / size_of::<T>()) {
            prefetch(self.light.wrapping_add(at));
            prefetch(self.dark.wrapping_add(at));
            if matches!(mode, Mode::Record | Mode::Compare) {
                prefetch(self.moves.wrapping_add(at));
                prefetch(self.moves.wrapping_add(self.plan.swept + at));
            }
        }
    }

    /// Asks for what the block with these links copies ahead of time: few values of each cache line, from all over the arena.
    ///
    /// # Safety
    ///
    /// The links are those of a block.
    #[inline(always)]
    pub(crate) unsafe fn ask_for_copies(&self, links: *const u32) {
        // SAFETY: as the caller vouches.
        unsafe {
            let mut places = Head::read(links).places;
            for _ in 0..2 * THROWS {
                let count = Count::from_word(*places);
                places = places.add(1 + count.plain());
                for _ in 0..count.copied() {
                    let block = self.light.wrapping_add(*places as usize);
                    for &line in &self.recasts.numbered(*places.add(1)).lines {
                        prefetch(block.wrapping_add(usize::from(line)));
                    }
                    places = places.add(2);
                }
            }
        }
    }

    /// Makes the last moves of a block zero.
    ///
    /// # Safety
    ///
    /// The lanes are those of a block, and the arena has room for moves.
    #[cold]
    pub(crate) unsafe fn forget_moves(&self, lanes: Range<usize>) {
        for first in [lanes.start, self.plan.swept + lanes.start] {
            for at in first..first + lanes.len() {
                // SAFETY: as the caller vouches.
                unsafe { self.moves.add(at).write(T::from_f64(0.0)) };
            }
        }
    }
}

/// Reads the links of one block.
struct Reader<'a, T> {
    arena: &'a Arena<'a, T>,
    links: *const u32,
    exits: *const T,
    /// The values of a block of exits.
    len: usize,
}

// SAFETY (of every block below): the links are those of the block, and its sources lie within the arena's buffers.
impl<'a, T: Element> Reader<'a, T> {
    #[inline(always)]
    unsafe fn next(&mut self) -> u32 {
        unsafe {
            let link = *self.links;
            self.links = self.links.add(1);
            link
        }
    }

    /// The moves of shared pieces of light (or dark) and its exits, by throw.
    #[inline(always)]
    unsafe fn read_moves(&mut self, light: bool, to: &mut Sources<T>) {
        for throw in 0..THROWS {
            let start = to.blocks.len();
            unsafe {
                let count = Count::from_word(self.next());
                let links = self.links;
                self.links = links.add(count.plain());
                for _ in 0..count.copied() {
                    let block = self.next();
                    let block = to.copy(self.arena.light.add(block as usize), self.recast());
                    to.blocks.push(block);
                }
                if count.exits() {
                    to.blocks.push(self.exits);
                    self.exits = self.exits.add(self.len);
                }
                let choices =
                    Choices { links, count: count.plain(), blocks: (start, to.blocks.len()) };
                if light == to.shape.turned {
                    to.row_choices[throw] = choices;
                } else {
                    to.lane_choices[throw] = choices;
                }
            }
        }
    }

    /// The block of a link, copied where the link says so. Its rows are read one by one while their backups wait: they are
    /// asked for now.
    #[inline(always)]
    unsafe fn block(&mut self, link: u32, to: &mut Sources<T>) -> *const T {
        unsafe {
            let block = self.arena.light.cast_const().add((link & !COPIED) as usize);
            if link & COPIED != 0 {
                return to.copy(block, self.recast());
            }
            for line in (0..self.len).step_by(64 / size_of::<T>()) {
                prefetch(block.wrapping_add(line));
            }
            block
        }
    }

    #[inline(always)]
    unsafe fn recast(&mut self) -> &'a Recast {
        let number = unsafe { self.next() };
        self.arena.recasts.numbered(number)
    }

    /// Where pieces of the side with the lanes enter.
    #[inline(always)]
    unsafe fn read_lane_entries(&mut self, to: &mut Sources<T>) {
        for bit in 0..THROWS {
            to.entries[bit] = unsafe {
                let link = self.next();
                if link == NEVER {
                    Entry { from: to.lanes_never(), layout: EntryLayout::from_word(self.next()) }
                } else if link & COPIED != 0 {
                    Entry { from: self.block(link, to), layout: EntryLayout::COPIED }
                } else {
                    let from = self.block(link, to);
                    Entry { from, layout: EntryLayout::from_word(self.next()) }
                }
            };
        }
    }

    /// Where pieces of the side with the rows enter.
    #[inline(always)]
    unsafe fn read_row_entries(&mut self, to: &mut Sources<T>) {
        for bit in 0..THROWS {
            to.by_row_move[ENTRIES + bit] = unsafe {
                match self.next() {
                    NEVER => to.rows_never(),
                    link => self.block(link, to),
                }
            };
        }
    }
}
