//! What the backups of one block read.
#![expect(
    clippy::inline_always,
    reason = "the kernel has to be one piece for the instruction set it is compiled for"
)]
#![expect(unsafe_code, reason = "blocks are read through raw pointers")]

use crate::dense::backup::reduce::Choice;
use crate::dense::backup::row_moves::{ENTRIES, ROWS_ROLL, SLOTS_ROLL};
use crate::dense::backup::view::SweepView;
use crate::dense::layout::block::{BLOCK, BlockShape, PreMask, place_of, slot};
use crate::dense::layout::masks::THROWS;
use crate::dense::successors::packed::{COPIED, Count, EntryLayout, SENTINEL, WordReader};
use crate::dense::successors::relayout::Relayout;
use crate::memory::prefetch::prefetch;
use crate::mover::{Junior, Mover, Senior};
use crate::simd::element::Element;

/// The block after a piece of the slot side has entered, so that this side has one piece less to place.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Entry<T> {
    from: *const T,
    layout: EntryLayout,
}

impl<T> Entry<T> {
    /// Returns where the row of `at` begins in that block.
    #[inline(always)]
    pub(crate) const fn row(&self, at: PreMask) -> *const T {
        let offset = if self.layout.is_swapped() {
            slot(self.layout.slot_left(), at.mask)
        } else {
            at.rank * self.layout.width()
        };
        self.from.wrapping_add(offset)
    }

    /// Returns the distance between neighbouring slots of a row: 1, unless the other side has the slots in that block.
    #[inline(always)]
    pub(crate) const fn step(&self) -> usize {
        if self.layout.is_swapped() { self.layout.width() } else { 1 }
    }
}

/// The values of one block, from the start of a cache line on.
#[derive(Debug, Clone)]
#[repr(C, align(64))]
struct Aligned<T>([T; BLOCK]);

/// The blocks that one throw leads to.
#[derive(Debug, Clone, Copy, Default)]
struct Choices {
    /// Where the places of blocks that are read in place begin and end among the words of the block.
    places: (usize, usize),
    /// Where the other blocks begin and end in [`BlockInputs::blocks`].
    blocks: (usize, usize),
}

/// The sides of a block.
pub(crate) const SLOTS: usize = 0;
pub(crate) const ROWS: usize = 1;

/// What the backups of one block read. The pointers belong to the view that was read, and are valid until the next block is read.
#[derive(Debug)]
pub(crate) struct BlockInputs<T> {
    /// External values and copies that throws lead to.
    blocks: Vec<*const T>,
    /// The choices by side, [`SLOTS`] or [`ROWS`], and throw.
    choices: [[Choices; THROWS]; 2],
    /// By shared square: the block after a piece of the slot side has entered there.
    pub(crate) entries: [Entry<T>; THROWS],
    /// The blocks that the row side leads to, by [`RowMove::input`](crate::dense::backup::row_moves::RowMove::input).
    pub(crate) by_row_move: [*const T; THROWS + ENTRIES],
    /// Blocks copied into this one's layout.
    copies: Vec<Aligned<T>>,
    copied: usize,
    /// A block that the senior never chooses, and one that the junior never chooses.
    sentinels: Box<[Aligned<T>; 2]>,
}

// SAFETY: between passes the pointers are not followed; a pass sets all of them before it reads through any.
unsafe impl<T: Send> Send for BlockInputs<T> {}

/// The most blocks that are copied for one block: one for each piece of either side with each throw, and one for each entry.
const COPIES: usize = 2 * (15 + 1) * THROWS;

impl<T: Element> BlockInputs<T> {
    pub(crate) fn new() -> Self {
        let null = std::ptr::null();
        let block = |value| Aligned([T::from_f64(value); BLOCK]);
        Self {
            blocks: Vec::new(),
            choices: [[Choices::default(); THROWS]; 2],
            entries: [Entry { from: null, layout: EntryLayout::COPIED }; THROWS],
            by_row_move: [null; THROWS + ENTRIES],
            copies: Vec::new(),
            copied: 0,
            sentinels: Box::new([Senior::SENTINEL, Junior::SENTINEL].map(block)),
        }
    }

    /// Returns what a throw of a side, [`SLOTS`] or [`ROWS`], leads to.
    ///
    /// # Safety
    ///
    /// The inputs were read from these words.
    #[inline(always)]
    pub(crate) unsafe fn choice<'a>(
        &'a self,
        view: &SweepView<'_, T>,
        reads: &'a [u32],
        side: usize,
        throw: usize,
    ) -> Choice<'a, T> {
        let Choices { places, blocks } = self.choices[side][throw];
        debug_assert!(places.1 <= reads.len() && blocks.1 <= self.blocks.len());
        // SAFETY: `read` noted these ranges while it read these words and pushed the blocks.
        let (places, blocks) = unsafe {
            (reads.get_unchecked(places.0..places.1), self.blocks.get_unchecked(blocks.0..blocks.1))
        };
        Choice { values: view.senior, places, blocks }
    }

    /// Reads the inputs of the block of this shape that begins at `at`.
    ///
    /// # Safety
    ///
    /// The words are those of the block in the view's layout, `externals` are its external values, and no other thread writes
    /// what the words lead to.
    #[inline(never)]
    pub(crate) unsafe fn read(
        &mut self,
        view: &SweepView<'_, T>,
        (shape, at): (BlockShape, usize),
        reads: &[u32],
        externals: *const T,
    ) {
        self.copied = 0;
        self.blocks.clear();
        let len = shape.len(&view.layout.ranks);
        let mut reader = Reader { view, shape, words: WordReader::new(reads), externals, len };
        // SAFETY: the reader follows the words, which lead to blocks of the view that no other thread writes.
        unsafe {
            reader.read_moves(SLOTS, self);
            reader.read_moves(ROWS, self);
            reader.read_slot_entries(self);
            reader.read_row_entries(self);
        }
        let [slots, rows] = shape.by_side(view.senior, view.junior);
        self.by_row_move[SLOTS_ROLL] = slots.wrapping_add(at);
        self.by_row_move[ROWS_ROLL] = rows.wrapping_add(at);
    }

    /// Copies a block into the layout of this shape.
    ///
    /// # Safety
    ///
    /// The block has the values that the relayout reads, and no other thread writes them.
    #[inline(never)]
    unsafe fn copy(&mut self, shape: BlockShape, block: *const T, relayout: &Relayout) -> *const T {
        if self.copies.is_empty() {
            self.copies.resize(COPIES, Aligned([T::from_f64(0.0); BLOCK]));
        }
        let Aligned(copy) = &mut self.copies[self.copied];
        self.copied += 1;
        copy[..relayout.blank].fill(T::from_f64(shape.sentinel()));
        for &(from, to) in &relayout.places {
            // SAFETY: the relayout's places are within the block.
            copy[usize::from(to)] = unsafe { *block.add(usize::from(from)) };
        }
        copy.as_ptr()
    }

    fn sentinel(&self, is_senior: bool) -> *const T {
        self.sentinels[usize::from(!is_senior)].0.as_ptr()
    }
}

/// Reads the words of one block.
struct Reader<'a, T> {
    view: &'a SweepView<'a, T>,
    shape: BlockShape,
    words: WordReader<'a>,
    externals: *const T,
    /// The number of values of the block.
    len: usize,
}

impl<T: Element> Reader<'_, T> {
    /// Reads the moves of a side's shared pieces and its external moves, by throw.
    ///
    /// # Safety
    ///
    /// As for [`BlockInputs::read`].
    #[inline(always)]
    unsafe fn read_moves(&mut self, side: usize, to: &mut BlockInputs<T>) {
        for throw in 0..THROWS {
            let start = to.blocks.len();
            // SAFETY: a block has a count for each side and throw, and then the words that it counts.
            let count = Count::from_word(unsafe { self.words.next() });
            let places = self.words.skip(count.plain());
            for _ in 0..count.copied() {
                // SAFETY: the words lead to a block, and the next one says how it is copied.
                let block = unsafe {
                    let place = self.words.next();
                    self.copy(place, to)
                };
                to.blocks.push(block);
            }
            if count.external() {
                to.blocks.push(self.externals);
                self.externals = self.externals.wrapping_add(self.len);
            }
            to.choices[side][throw] = Choices { places, blocks: (start, to.blocks.len()) };
        }
    }

    /// Copies the block at `place` as the next word says.
    ///
    /// # Safety
    ///
    /// There is a block at `place`, no other thread writes it, and the next word is its relayout.
    #[inline(always)]
    unsafe fn copy(&mut self, place: u32, to: &mut BlockInputs<T>) -> *const T {
        let block = self.view.senior.wrapping_add(place_of(place & !COPIED));
        // SAFETY: the next word is there, as the caller promises.
        let relayout = self.view.relayouts.numbered(unsafe { self.words.next() });
        // SAFETY: the relayout is that from this block's shape.
        unsafe { to.copy(self.shape, block, relayout) }
    }

    /// Prefetches a block and returns where it begins. Its rows are read one by one, each while its backup waits.
    #[inline(always)]
    fn in_place(&self, place: u32) -> *const T {
        let block = self.view.senior.wrapping_add(place_of(place));
        for line in (0..self.len).step_by(64 / size_of::<T>()) {
            prefetch(block.wrapping_add(line));
        }
        block
    }

    /// Reads the blocks that the slot side's entries lead to.
    ///
    /// # Safety
    ///
    /// As for [`BlockInputs::read`].
    #[inline(always)]
    unsafe fn read_slot_entries(&mut self, to: &mut BlockInputs<T>) {
        for bit in 0..THROWS {
            // SAFETY: a block has two words for each shared square that pieces of the slot side enter.
            let place = unsafe { self.words.next() };
            to.entries[bit] = if place & COPIED != 0 {
                // SAFETY: the words lead to a block, and the next one says how it is copied.
                Entry { from: unsafe { self.copy(place, to) }, layout: EntryLayout::COPIED }
            } else {
                let from = match place {
                    SENTINEL => to.sentinel(!self.shape.swapped),
                    place => self.in_place(place),
                };
                // SAFETY: as above; this is the second of the two words.
                Entry { from, layout: EntryLayout::from_word(unsafe { self.words.next() }) }
            };
        }
    }

    /// Reads the blocks that the row side's entries lead to.
    ///
    /// # Safety
    ///
    /// As for [`BlockInputs::read`].
    #[inline(always)]
    unsafe fn read_row_entries(&mut self, to: &mut BlockInputs<T>) {
        for bit in 0..THROWS {
            // SAFETY: a block has a word for each shared square that pieces of the row side enter.
            to.by_row_move[ENTRIES + bit] = match unsafe { self.words.next() } {
                SENTINEL => to.sentinel(self.shape.swapped),
                // SAFETY: the words lead to a block, and the next one says how it is copied.
                place if place & COPIED != 0 => unsafe { self.copy(place, to) },
                place => self.in_place(place),
            };
        }
    }
}
