//! A pass over one slab, block by block.
#![expect(
    clippy::inline_always,
    reason = "blocks are many, and each of these functions has one caller"
)]
#![expect(unsafe_code, reason = "blocks are read and written through raw pointers")]

use std::ops::Range;

use crate::dense::backup::block::{BlockBackup, SharedBests};
use crate::dense::backup::dispatch::pass_rows;
use crate::dense::backup::inputs::BlockInputs;
use crate::dense::backup::row::{FromNarrow, FromWide, Narrow, Single, Wide};
use crate::dense::backup::stretch::Stretch;
use crate::dense::backup::view::SweepView;
use crate::dense::layout::block::{BlockShape, Ranks};
use crate::dense::layout::sublayer::Slab;
use crate::dense::successors::packed::BlockWords;
use crate::drive::statistics::{Mode, Tally};
use crate::mover::{Junior, Senior};
use crate::simd::element::Element;

/// Buffers that a pass needs besides the view, kept for the next pass.
#[derive(Debug)]
pub(crate) struct Scratch<T> {
    inputs: BlockInputs<T>,
    bests: Box<SharedBests<T>>,
    /// By the number of pieces left to place: 1 in the slots of masks with at most that many pieces, 0 in the others.
    valid: [[T; 16]; 5],
    /// The successors of one slab, if they are not kept in memory.
    pub(crate) words: Vec<u32>,
}

impl<T: Element> Scratch<T> {
    pub(crate) fn new(ranks: &Ranks) -> Self {
        let mut valid = [[T::from_f64(0.0); 16]; 5];
        for (left, valid) in (0..).zip(&mut valid) {
            for at in ranks.masks(left) {
                valid[at.slot] = T::from_f64(1.0);
            }
        }
        let (inputs, bests) = (BlockInputs::new(), Box::new(SharedBests::new()));
        Self { inputs, bests, valid, words: Vec::new() }
    }
}

/// Makes a pass over the slab `at` with the successors `words`.
///
/// # Safety
///
/// The view's buffers are those of its layout, and `words` are the slab's successors in it. No other thread reads or writes the
/// slab's blocks or their deltas, or writes what the words lead to, until this returns.
pub(crate) unsafe fn pass<T: Element>(
    view: &SweepView<'_, T>,
    (at, mut words): (usize, &[u32]),
    mode: Mode,
    scratch: &mut Scratch<T>,
) -> Tally {
    let Slab { junior, columns, .. } = view.layout.slabs[at];
    let mut tally = Tally::default();
    let mut externals = view.externals.starts[at];
    let is_read_whole = view.on_disk.is_none() || view.is_read_whole(columns);
    for number in columns.0..columns.1 {
        let (block, next) = BlockWords::split(words);
        words = next;
        let shape = view.layout.shape(view.tables, view.layout.columns[number], junior);
        let places = block.at..block.at + shape.len(&view.layout.ranks);
        let begin = shape.begin(externals);
        externals = begin + block.externals * places.len();
        // SAFETY: the words of the slab come in the order of its blocks, and so do their external values; no other thread has the
        // block or writes what it reads, as the caller promises.
        unsafe {
            if mark_if_due(view, number, block.sources, mode, places.clone()) {
                if !is_read_whole {
                    let deltas = places.clone();
                    view.read_at_once(Stretch { externals: begin..externals, deltas }, mode);
                }
                view.prefetch_block(places, mode);
                let values = view.external_values.wrapping_add(begin);
                scratch.inputs.read(view, (shape, block.at), block.reads, values);
                if number + 1 < columns.1 {
                    view.prefetch_copies(BlockWords::split(words).0.reads);
                }
                let mut found = pass_block(view, shape, block, mode, scratch);
                found.dead *= view.layout.positions_of_slot(view.layout.columns[number], junior);
                note(view, number, mode, found);
                tally = tally.and(found);
            }
        }
    }
    tally
}

/// Notes what the backup of a block has found.
#[inline(always)]
fn note<T>(view: &SweepView<'_, T>, number: usize, mode: Mode, found: Tally) {
    let Some(active) = view.active else { return };
    if found.change > 0.0 {
        active.changed(number);
    }
    if mode == Mode::Compare {
        active.note_extrapolation_factor(number, found.extrapolation_factor());
    }
}

/// Returns whether a block is due for a backup. If it is, marks it as seen, and sets its last deltas to zero if it was at rest.
///
/// # Safety
///
/// As for [`pass`]; the sources and places are those of this block.
#[inline(always)]
unsafe fn mark_if_due<T: Element>(
    view: &SweepView<'_, T>,
    number: usize,
    sources: &[u32],
    mode: Mode,
    places: Range<usize>,
) -> bool {
    let Some(active) = view.active else { return true };
    let Some(versions) = active.poll(number, sources) else { return false };
    if !active.mark_seen(number, versions) && mode == Mode::Compare {
        // SAFETY: sweeps that compare have room for the deltas of all blocks, and this block is the caller's.
        unsafe { view.clear_deltas(places) };
    }
    true
}

/// Backs up every row of a block whose inputs have been read, by its shape.
///
/// # Safety
///
/// As for [`pass`].
#[inline(always)]
unsafe fn pass_block<T: Element>(
    view: &SweepView<'_, T>,
    shape: BlockShape,
    BlockWords { at, reads, .. }: BlockWords<'_>,
    mode: Mode,
    scratch: &mut Scratch<T>,
) -> Tally {
    let Scratch { inputs, bests, valid, .. } = scratch;
    let block = &mut BlockBackup { view, inputs, bests, valid, reads, at, shape, mode };
    match (shape.slot_left, shape.swapped) {
        (0, _) => pass_rows::<T, Single, Senior, 1>(block),
        (1, false) => pass_rows::<T, Narrow, Senior, 8>(block),
        (1, true) => pass_rows::<T, Narrow, Junior, 8>(block),
        (2, false) => pass_rows::<T, Wide<FromNarrow>, Senior, 16>(block),
        (2, true) => pass_rows::<T, Wide<FromNarrow>, Junior, 16>(block),
        (_, false) => pass_rows::<T, Wide<FromWide>, Senior, 16>(block),
        (_, true) => pass_rows::<T, Wide<FromWide>, Junior, 16>(block),
    }
}
