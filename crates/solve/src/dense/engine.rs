//! Sweeps of the dense engine: one sublayer from nothing to its fixed point, and the certificate of a finished one.
#![expect(
    clippy::cast_possible_truncation,
    reason = "a sublayer fits memory, and its blocks have numbers below 2^31"
)]
#![expect(unsafe_code, reason = "several threads pass over slabs of one level")]

mod certify;
mod extrapolate;
mod hand_on;
pub(crate) mod holding;
mod index_order;
mod mirror;
pub(crate) mod offered;
mod streams;
mod successors;
mod workspace;

use std::sync::Arc;

use puabi_core::{Indexer, Rules};

use crate::dense::active_set::{ActiveSet, ActiveSetView};
use crate::dense::backup::row_moves::RowMoves;
use crate::dense::backup::slab::{self, Scratch};
use crate::dense::backup::view::SweepView;
use crate::dense::layout::block::{BlockShape, Ranks};
use crate::dense::layout::masks::MaskTables;
use crate::dense::layout::sublayer::DenseLayout;
use crate::dense::successors::external::ExternalSuccessors;
use crate::dense::successors::kept::Successors;
use crate::dense::successors::relayout::Relayouts;
use crate::drive::divided::WantedPages;
use crate::drive::engine::{Engine, Finished, SettledBy};
use crate::drive::iterate::{Course, Sweeping, round_trip};
use crate::drive::statistics::{Mode, Tally};
use crate::memory::buffer::{Buffer, ReadOrder};
use crate::memory::disjoint_slice::DisjointSlice;
use crate::memory::spill::{OnDisk, Spills};
use crate::parallel;
use crate::simd::element::Element;
use crate::simd::select::{InstructionSet, Instructions};
use crate::types::SolveError;
use holding::Holding;
use workspace::{Arrays, Spare, Workspace};

/// The dense engine for one game, with the tables that all its sublayers share.
#[derive(Debug)]
pub(crate) struct DenseEngine<'a> {
    tables: MaskTables,
    indexer: &'a Indexer,
    row_moves: RowMoves,
    relayouts: Relayouts,
    instructions: Instructions,
    spills: Spills,
    two_byte_deltas: bool,
}

/// One sublayer at work.
struct DenseSublayer<'a> {
    engine: &'a DenseEngine<'a>,
    layout: DenseLayout,
    holding: Holding<'a>,
    externals: ExternalSuccessors,
    successors: Successors,
    course: Course<'a>,
    /// What each backup adds to a value: zero, except for bounds.
    slack: f64,
    /// By slab that this rank holds: a checksum of its external values. Empty if external values are in memory.
    checksums: Vec<u64>,
}

/// The values of a sublayer at work, in one precision.
struct DenseSweeps<'a, T> {
    work: &'a DenseSublayer<'a>,
    arrays: Arrays<'a, T>,
    active: &'a ActiveSet,
}

impl<'a> DenseEngine<'a> {
    pub(crate) fn new(rules: &Rules, indexer: &'a Indexer, instructions: InstructionSet) -> Self {
        let tables = MaskTables::new(rules, indexer);
        let ranks = Ranks::new(indexer);
        let row_moves = RowMoves::new(&tables, &ranks);
        let relayouts = Relayouts::new(&ranks);
        // A caller can name any set, and kernels are compiled for sets that the processor may lack.
        let instructions = Instructions::new(instructions);
        Self {
            tables,
            indexer,
            row_moves,
            relayouts,
            instructions,
            spills: Spills::default(),
            two_byte_deltas: has_two_byte_deltas(indexer),
        }
    }

    /// Returns the engine with `spills`, which say what of sublayers at work lies on a disk.
    pub(crate) fn spilling(self, spills: Spills) -> Self {
        Self { spills, ..self }
    }

    /// Lays out the sublayer `at` and finds its external values.
    fn work(
        &'a self,
        at: usize,
        halved: bool,
        course: Course<'a>,
        finished: &impl Finished,
        space: &mut Workspace,
    ) -> Result<DenseSublayer<'a>, SolveError> {
        let mut work = self.laid_out(at, halved, course);
        work.fetch_externals(at, finished)?;
        work.fill_externals(finished, &mut space.externals)?;
        work.checksums = work.checksums(space.externals.as_slice());
        Ok(work)
    }

    /// Lays out the sublayer `at`, with places for the blocks that this rank sweeps.
    fn laid_out(&'a self, at: usize, halved: bool, course: Course<'a>) -> DenseSublayer<'a> {
        let Self { tables, indexer, .. } = self;
        let mut layout = DenseLayout::new(tables, indexer, indexer.sublayers()[at], halved);
        let holding = Holding::new(&layout, tables, course.ranks);
        layout.place_swept(tables, &holding.slabs);
        let externals =
            ExternalSuccessors::new(tables, indexer, &layout, |slab| holding.is_own(slab));
        DenseSublayer {
            engine: self,
            layout,
            holding,
            externals,
            successors: Successors::default(),
            course,
            slack: 0.0,
            checksums: Vec::new(),
        }
    }
}

/// Returns whether the deltas of a game take two bytes, a quarter of the usual room. The last bits of values may then differ, so
/// the choice depends on the game alone: games whose sublayers fit any machine keep the bits they always had.
pub(crate) fn has_two_byte_deltas(indexer: &Indexer) -> bool {
    indexer.sublayers().iter().any(|sublayer| sublayer.len() >= 1 << 27)
}

impl Engine for DenseEngine<'_> {
    type Space = Workspace;
    type Value = f64;

    const MOST_BY_ONE_RANK: u64 = 1 << 18;

    fn indexer(&self) -> &Indexer {
        self.indexer
    }

    fn space(&self) -> Workspace {
        Workspace::new(&self.spills, self.two_byte_deltas)
    }

    fn is_short_of_memory(&self) -> bool {
        self.spills.holds(OnDisk::ReadOnly)
    }

    fn has_little_for_finished(&self) -> bool {
        self.spills.holds(OnDisk::Deltas)
    }

    fn settle<F: Finished>(
        &self,
        at: usize,
        finished: F,
        space: &mut Workspace,
        course: Course<'_>,
    ) -> SettledBy<Self> {
        let mut work = self.work(at, true, course, &finished, space)?;
        drop(finished);
        work.keep_successors()?;
        space.reserve(&work.layout, &work.externals)?;
        let mut single = DenseSweeps::new(&work, space.single(&work.layout, course.sharing));
        work.fill_start(single.arrays.values);
        let mut sweeps = course.sweep_single(&mut single)?;
        space.widen(&work.layout, course.sharing);
        space.externals.read_in(ReadOrder::Announced);
        let mut double = DenseSweeps::new(&work, space.double(&work.layout));
        sweeps += course.sweep_double(&mut double)?;
        work.successors = Successors::default();
        space.externals.read_in(ReadOrder::Sequential);
        if self.is_short_of_memory() {
            work.ensure_undamaged(space.externals.as_slice())?;
        }
        if self.is_short_of_memory() || !work.holding.is_alone() {
            space.keep_swept_values(&work.layout);
        }
        Ok((Arc::new(work.part_in_index_order(space.values.as_slice())?), sweeps))
    }
}

impl<T: Element> Sweeping for DenseSweeps<'_, T> {
    fn pass(&mut self, mode: Mode, sweep: u32) -> Result<Tally, SolveError> {
        let active = match mode {
            Mode::Sweep | Mode::Record | Mode::Compare => Some(self.active.view(sweep)),
            // These passes go over every value.
            Mode::Polish | Mode::Residual => None,
        };
        self.work.pass(&mut self.arrays, mode, active)
    }

    /// Moves each block as far as its own deltas suggest.
    fn extrapolate(&mut self, _tally: Tally, sweep: u32) {
        self.work.extrapolate(&mut self.arrays, self.active.view(sweep));
    }

    fn round(&mut self) {
        let values = &mut self.arrays.values[self.work.layout.len..];
        parallel::each_part(self.work.course.sharing, values, |_, part| {
            for value in part {
                *value = T::from_f64(round_trip(value.to_f64()));
            }
        });
    }

    fn to_index_order(&self) -> Box<[f64]> {
        let values: Vec<_> = self.arrays.values.iter().map(|value| value.to_f64()).collect();
        self.work.in_index_order(&values)
    }
}

impl<'a, T: Element> DenseSweeps<'a, T> {
    fn new(
        work: &'a DenseSublayer<'a>,
        (arrays, active): (Arrays<'a, T>, &'a mut ActiveSet),
    ) -> Self {
        active.start(work.layout.columns.len());
        Self { work, arrays, active }
    }
}

impl DenseSublayer<'_> {
    fn fill_externals(
        &self,
        finished: &impl Finished,
        values: &mut Buffer<f64>,
    ) -> Result<(), SolveError> {
        values.reserve(self.externals.len())?;
        let values = DisjointSlice::new(values.as_mut_slice());
        let DenseEngine { tables, indexer, .. } = self.engine;
        self.each(&self.holding.slabs, |slab| {
            let places = self.externals.starts[slab]..self.externals.starts[slab + 1];
            // SAFETY: the values of a slab end where those of the next begin, and each slab is taken once.
            let part = unsafe { values.part(places) };
            self.externals.fill(tables, indexer, &self.layout, finished, (slab, part));
        });
        Ok(())
    }

    /// Fetches the external successors of this rank's slabs, if other ranks have some of them.
    fn fetch_externals(&self, at: usize, finished: &impl Finished) -> Result<(), SolveError> {
        if self.holding.is_alone() {
            return Ok(());
        }
        let DenseEngine { tables, indexer, .. } = self.engine;
        let wanted = WantedPages::none(indexer.sublayers(), self.engine.leads_to(at));
        self.each(&self.holding.slabs, |slab| {
            self.externals.each_target(tables, indexer, &self.layout, slab, |sublayer, indices| {
                wanted.insert(sublayer, indices);
            });
        });
        finished.fetch(&wanted)
    }

    /// Calls `action` with each of these slabs, on all threads that the sublayer has.
    fn each<R: Send>(&self, slabs: &[usize], action: impl Fn(usize) -> R + Sync + Send) -> Vec<R> {
        parallel::map(self.course.sharing, 0..slabs.len(), |at| action(slabs[at]))
    }

    fn each_slab<R: Send>(&self, action: impl Fn(usize) -> R + Sync + Send) -> Vec<R> {
        parallel::map(self.course.sharing, 0..self.layout.slabs.len(), action)
    }

    /// Calls `action` for each block of these slabs that has a place: with the place, the column, and the masks of the senior and
    /// the junior.
    fn each_block(&self, slabs: &[usize], action: impl Fn(usize, usize, [u32; 2]) + Sync + Send) {
        self.each(slabs, |slab| {
            let first = self.layout.slabs[slab].columns.0;
            for (column, (senior, junior)) in (first..).zip(self.layout.slab_blocks(slab)) {
                if let Some(at) = self.layout.placed(column) {
                    action(at, column, [senior, junior]);
                }
            }
        });
    }

    fn shape(&self, senior: u32, junior: u32) -> BlockShape {
        self.layout.shape(&self.engine.tables, senior, junior)
    }

    /// Sets every value to one half, and every slot without a position to the sentinel.
    fn fill_start<T: Element>(&self, values: &mut [T]) {
        let values = DisjointSlice::new(values);
        let start = |senior, junior, at| {
            let (shape, ranks) = (self.shape(senior, junior), &self.layout.ranks);
            for at in [at, self.layout.len + at] {
                // SAFETY: blocks do not overlap, and each belongs to one column, as its block or as the image of that.
                let block = unsafe { values.part(at..at + shape.len(ranks)) };
                block.fill(T::from_f64(shape.sentinel()));
                for [senior, junior] in shape.masks(ranks) {
                    block[shape.place(ranks, senior, junior)] = T::from_f64(0.5);
                }
            }
        };
        self.each_block(&self.layout.order, |at, column, [senior, junior]| {
            start(senior, junior, at);
            if let Some(image) = self.layout.image(column) {
                start(junior, senior, image);
            }
        });
    }

    fn view<'b, T: Element>(
        &'b self,
        arrays: &mut Arrays<'_, T>,
        active: Option<ActiveSetView<'b>>,
    ) -> SweepView<'b, T> {
        // One pointer for both halves, since successors lead from the senior's values into the junior's.
        let senior = arrays.values.as_mut_ptr();
        SweepView {
            tables: &self.engine.tables,
            layout: &self.layout,
            externals: &self.externals,
            row_moves: &self.engine.row_moves,
            relayouts: &self.engine.relayouts,
            instructions: self.engine.instructions,
            senior,
            junior: senior.wrapping_add(self.layout.len),
            external_values: arrays.externals.as_ptr(),
            deltas: arrays.deltas,
            slack: self.slack,
            limits: if arrays.limits.is_empty() {
                std::ptr::null()
            } else {
                arrays.limits.as_ptr()
            },
            active,
            on_disk: self.on_disk::<T>(),
        }
    }

    /// Makes a pass over all slabs, those in which the junior is furthest first. It takes the active blocks, or all if `active`
    /// is `None`.
    fn pass<T: Element>(
        &self,
        arrays: &mut Arrays<'_, T>,
        mode: Mode,
        active: Option<ActiveSetView<'_>>,
    ) -> Result<Tally, SolveError> {
        let view = self.view(arrays, active);
        let pass = |at: usize| self.pass_slab(&view, arrays.scratch, at, mode);
        let mirrors = self.layout.halved && mode != Mode::Residual;
        if !self.course.sharing.is_on() && !mirrors && self.holding.is_alone() {
            // This order gives the same bits as levels: a slab reads slabs of higher levels, which have smaller numbers, after they
            // have changed, and slabs of lower levels, which have larger ones, before.
            return (0..self.layout.slabs.len())
                .try_fold(Tally::default(), |tally, at| Ok(tally.and(pass(at)?)));
        }
        let mut tallies = vec![Tally::default(); self.layout.slabs.len()];
        let is_moved = |column| active.is_none_or(|active| active.has_changed(column));
        for (level, own) in self.layout.levels.iter().zip(&self.holding.levels) {
            for (&at, tally) in own.iter().zip(self.each(own, pass)) {
                tallies[at] = tally?;
            }
            if mode != Mode::Residual {
                // SAFETY: no pass is under way.
                unsafe { self.hand_on(&view, level, is_moved) };
            }
            if mirrors {
                // SAFETY: blocks of different columns have different mirror images, and no pass is under way.
                self.each(level, |at| unsafe { self.mirror(&view, at) });
            }
        }
        let tally = tallies.into_iter().fold(Tally::default(), Tally::and);
        Ok(self.course.ranks.with_largest_change(tally))
    }

    /// Makes a pass over one slab, with the scratch that an earlier slab has left, if any.
    fn pass_slab<T: Element>(
        &self,
        view: &SweepView<'_, T>,
        scratch: &Spare<T>,
        at: usize,
        mode: Mode,
    ) -> Result<Tally, SolveError> {
        let spare = || scratch.lock().expect("no holder of this lock panics");
        self.stream_ahead(view, at, mode);
        let taken = spare().pop();
        let mut scratch = taken.unwrap_or_else(|| Scratch::new(&self.layout.ranks));
        let mut found = std::mem::take(&mut scratch.words);
        let slab = (at, self.successors_of(at, &mut found)?);
        // SAFETY: the buffers were reserved for this layout, in which the slab's successors were found. Slabs that are passed
        // over at the same time are of one level, so the junior has the same progress in all. Every move changes this progress or
        // stays within the slab, so no slab writes what another reads.
        let tally = unsafe { slab::pass(view, slab, mode, &mut scratch) };
        scratch.words = found;
        spare().push(scratch);
        self.stream_behind(view, at, mode);
        Ok(tally)
    }
}

#[cfg(test)]
mod tests {
    use puabi_core::RuleSet;

    use super::*;
    use crate::drive::schedule::Schedule;
    use crate::types::{Checkpoint, Options, Unattended};

    #[test]
    fn deltas_of_two_bytes_lead_to_the_same_values_with_the_same_bits_by_every_instruction_set() {
        for rules in [RuleSet::FINKEL.with_pieces(3), RuleSet::SIMPLE_UR.with_pieces(2)] {
            let rules = rules.compile().unwrap();
            let indexer = Indexer::new(&rules).unwrap();
            let solve = |two_byte_deltas: bool, instructions| {
                let engine = DenseEngine::new(&rules, &indexer, instructions);
                assert!(!engine.two_byte_deltas);
                let engine = DenseEngine { two_byte_deltas, ..engine };
                let schedule = Schedule::new(&engine, 2).unwrap();
                let keep: &dyn Checkpoint = &Unattended;
                let solved = schedule.solve(Options::TOLERANCE, &keep, &Unattended).unwrap();
                let held = |at: usize| std::sync::Arc::clone(&solved[at].as_ref().unwrap().0);
                let residual = schedule.certify(&held, &Unattended).unwrap().change;
                assert!(residual <= Options::TOLERANCE, "{residual:e}");
                (0..solved.len()).flat_map(|at| held(at).values().to_vec()).collect::<Vec<_>>()
            };
            let narrow = solve(true, InstructionSet::Portable);
            for (narrow, full) in narrow.iter().zip(solve(false, InstructionSet::Portable)) {
                assert!((narrow - full).abs() < 1e-14, "{narrow} and {full}");
            }
            for instructions in InstructionSet::available() {
                assert!(solve(true, instructions) == narrow, "{instructions}");
            }
        }
    }
}
