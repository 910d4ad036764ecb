//! Sweeps: one sublayer from nothing to its fixed point, and the certificate of a finished one.
#![expect(
    clippy::cast_possible_truncation,
    reason = "counts here are small: at most 31 squares, 15 pieces, 256 values of a block, 2^32 lanes"
)]
#![expect(unsafe_code, reason = "slabs of one level are passed over from several threads")]

mod publishing;
mod workspace;

use puabi_core::{Indexer, Rules};
use rayon::prelude::*;

use crate::dense::active_set::{Listening, Unrest};
use crate::dense::backup::dispatch::Sweepable;
use crate::dense::backup::kernel::Scratch;
use crate::dense::backup::view::{Arena, RowMoves};
use crate::dense::layout::block::Ranks;
use crate::dense::layout::masks::Terrain;
use crate::dense::layout::plan::{Plan, Slab};
use crate::dense::successors::external::Exits;
use crate::dense::successors::links::{Finder, Numbers, sources};
use crate::dense::successors::relayout::Recasts;
use crate::drive::engine::{Certify, Engine, Finished};
use crate::drive::iterate::{Course, Sweeping, round_trip};
use crate::drive::statistics::{Mode, Tally};
use crate::memory::buffer::Buffer;
use crate::memory::disjoint::Scatter;
use crate::simd::select::InstructionSet;
use crate::simd::vector::Element;
use crate::types::SolveError;
use workspace::{Arrays, PART, Spare};

pub(crate) use workspace::Workspace;

/// A game as sweeps see it, with what is the same for all its sublayers.
#[derive(Debug)]
pub(crate) struct Field<'a> {
    pub(crate) terrain: Terrain,
    pub(crate) indexer: &'a Indexer,
    pub(crate) rows: RowMoves,
    pub(crate) recasts: Recasts,
    pub(crate) instructions: InstructionSet,
}

/// One sublayer at work.
struct Work<'a> {
    field: &'a Field<'a>,
    plan: Plan,
    exits: Exits,
    /// The links of each slab; none in a certificate, which finds its own.
    links: Vec<Vec<u32>>,
    /// By column, whether any block reads its mirror image.
    is_image_read: Vec<bool>,
    course: Course<'a>,
}

/// The values of a sublayer at work, in one precision.
struct Sweeps<'a, T> {
    work: &'a Work<'a>,
    arrays: Arrays<'a, T>,
    unrest: &'a Unrest,
}

impl<'a> Field<'a> {
    pub(crate) fn new(rules: &Rules, indexer: &'a Indexer, instructions: InstructionSet) -> Self {
        let terrain = Terrain::new(rules, indexer);
        let rows = RowMoves::new(&terrain, |mask| indexer.pre_rank(mask));
        let recasts = Recasts::new(&Ranks::new(indexer));
        Self { terrain, indexer, rows, recasts, instructions }
    }
}

impl Engine for Field<'_> {
    type Space = Workspace;
    type Value = f64;

    fn indexer(&self) -> &Indexer {
        self.indexer
    }

    fn settle<F: Finished>(
        &self,
        at: usize,
        finished: &F,
        space: &mut Workspace,
        course: Course<'_>,
    ) -> Result<(Box<[f64]>, u32), SolveError> {
        let plan = Plan::new(&self.terrain, self.indexer, self.indexer.sublayers()[at], true);
        let exits = Exits::new(&self.terrain, &plan);
        let mut work = Work::new(self, plan, exits, course);
        work.keep_links();
        work.fill_exits(finished, &mut space.leaving);
        space.reserve(&work.plan, &work.exits);
        let mut single = Sweeps::new(&work, space.single(&work.plan, course.shared));
        work.fill_start(single.arrays.values);
        let mut sweeps = course.sweep_single(&mut single)?;
        space.widen(&work.plan, course.shared);
        let mut double = Sweeps::new(&work, space.double(&work.plan));
        sweeps += course.sweep_double(&mut double)?;
        Ok((work.publish(space.values.as_slice()), sweeps))
    }
}

impl Certify for Field<'_> {
    fn certify<F: Finished>(
        &self,
        at: usize,
        finished: &F,
        space: &mut Workspace,
        shared: bool,
    ) -> Tally {
        let plan = Plan::new(&self.terrain, self.indexer, self.indexer.sublayers()[at], false);
        let exits = Exits::new(&self.terrain, &plan);
        let course = Course { shared, tolerance: 0.0, watch: &|_, _| false };
        let work = Work::new(self, plan, exits, course);
        space.reserve_values(&work.plan);
        work.fill_exits(finished, &mut space.leaving);
        let (mut arrays, _) = space.double(&work.plan);
        work.load(finished.sublayer(at), arrays.values);
        work.pass(&mut arrays, Mode::Residual, None)
    }
}

impl<T: Sweepable> Sweeping for Sweeps<'_, T> {
    fn pass(&mut self, mode: Mode, sweep: u32) -> Tally {
        let listening = match mode {
            Mode::Sweep | Mode::Record | Mode::Compare => Some(self.unrest.listen(sweep)),
            // Over every value.
            Mode::Polish | Mode::Residual => None,
        };
        self.work.pass(&mut self.arrays, mode, listening)
    }

    /// Each block goes as far as its own moves say.
    fn extrapolate(&mut self, _tally: Tally, sweep: u32) {
        self.work.extrapolate(&mut self.arrays, self.unrest.listen(sweep));
    }

    fn round(&mut self) {
        let round = |dark: &mut T| *dark = T::from_f64(round_trip(dark.to_f64()));
        let values = &mut self.arrays.values[self.work.plan.lanes..];
        if self.work.course.shared {
            values.par_iter_mut().with_min_len(PART).for_each(round);
        } else {
            values.iter_mut().for_each(round);
        }
    }

    fn to_index_order(&self) -> Box<[f64]> {
        let values: Vec<_> = self.arrays.values.iter().map(|value| value.to_f64()).collect();
        self.work.publish(&values)
    }
}

impl<'a, T: Sweepable> Sweeps<'a, T> {
    fn new(work: &'a Work<'a>, (arrays, unrest): (Arrays<'a, T>, &'a mut Unrest)) -> Self {
        unrest.start(work.plan.columns.len());
        Self { work, arrays, unrest }
    }
}

impl<'a> Work<'a> {
    fn new(field: &'a Field<'a>, plan: Plan, exits: Exits, course: Course<'a>) -> Self {
        Self { field, plan, exits, links: Vec::new(), is_image_read: Vec::new(), course }
    }
}

impl Work<'_> {
    fn finder(&self) -> Finder<'_> {
        Finder { terrain: &self.field.terrain, plan: &self.plan, exits: &self.exits, numbers: None }
    }

    /// Finds the links of all slabs once for all passes.
    fn keep_links(&mut self) {
        let numbers = Numbers::new(&self.field.terrain, &self.plan);
        let finder = Finder { numbers: Some(&numbers), ..self.finder() };
        let slabs: Vec<u32> = (0..self.plan.slabs.len() as u32).collect();
        self.links = self.each(&slabs, |at| {
            let mut links = Vec::new();
            finder.slab(at, &mut links);
            links.shrink_to_fit();
            links
        });
        let columns = self.plan.columns.len();
        self.is_image_read = vec![false; columns];
        for (slab, links) in self.plan.slabs.iter().zip(&self.links) {
            for source in sources(links, slab.columns.1 - slab.columns.0) {
                if let Some(image) = (source as usize).checked_sub(columns) {
                    self.is_image_read[image] = true;
                }
            }
        }
    }

    /// Returns the links of a slab: those kept, or else those that are found now.
    fn links_of<'b>(&'b self, at: usize, found: &'b mut Vec<u32>) -> &'b [u32] {
        if let Some(links) = self.links.get(at) {
            return links;
        }
        found.clear();
        self.finder().slab(at, found);
        found
    }

    fn fill_exits(&self, finished: &impl Finished, leaving: &mut Buffer<f64>) {
        leaving.reserve(self.exits.lanes());
        let mut rest = leaving.as_mut_slice();
        let mut slabs = Vec::new();
        for (at, ends) in self.exits.starts.windows(2).enumerate() {
            let (slab, tail) = rest.split_at_mut(ends[1] - ends[0]);
            rest = tail;
            slabs.push((at, slab));
        }
        let fill = |(at, slab)| {
            self.exits.fill(&self.field.terrain, &self.plan, finished, at, slab);
        };
        if self.course.shared {
            slabs.into_par_iter().for_each(fill);
        } else {
            slabs.into_iter().for_each(fill);
        }
    }

    /// Calls `action` with every slab, on all threads that the sublayer has.
    fn each_slab(&self, action: impl Fn(usize) + Sync) {
        let slabs: Vec<u32> = (0..self.plan.slabs.len() as u32).collect();
        self.each(&slabs, action);
    }

    /// Calls `action` with the block of every column of a slab: dark's and light's mask, and where it begins.
    fn blocks(&self, slab: usize, mut action: impl FnMut(u32, u32, usize)) {
        let Slab { dark, columns, .. } = self.plan.slabs[slab];
        for &light in &self.plan.columns[columns.0..columns.1] {
            action(dark, light, self.plan.block(dark, light));
        }
    }

    /// Returns whether the values of a block, dark's and light's mask, have a mirror image that is not swept.
    fn has_image(&self, dark: u32, light: u32) -> bool {
        self.plan.halved && dark != light
    }

    /// Sets every value to one half and every lane of no position to what is never chosen.
    fn fill_start(&self, values: &mut [f32]) {
        let values = Scatter::new(values);
        self.each_slab(|slab| {
            self.blocks(slab, |dark, light, at| {
                // SAFETY: blocks do not overlap, and each is that of one column or the image of one.
                unsafe { self.start_block(&values, dark, light, at) };
                if self.has_image(dark, light) {
                    let image = self.plan.block(light, dark);
                    // SAFETY: as above.
                    unsafe { self.start_block(&values, light, dark, image) };
                }
            });
        });
    }

    /// # Safety
    ///
    /// Nobody else has the block.
    unsafe fn start_block(&self, values: &Scatter<'_, f32>, dark: u32, light: u32, at: usize) {
        let (shape, ranks) = (self.plan.shape(&self.field.terrain, dark, light), &self.plan.ranks);
        for at in [at, self.plan.lanes + at] {
            // SAFETY: as the caller vouches.
            let block = unsafe { values.part(at..at + shape.len(ranks)) };
            block.fill(f32::from_f64(shape.never()));
            for (light_mask, dark_mask) in shape.masks(ranks) {
                block[shape.place(ranks, light_mask, dark_mask)] = 0.5;
            }
        }
    }

    fn arena<'b, T: Sweepable>(
        &'b self,
        arrays: &mut Arrays<'_, T>,
        listening: Option<Listening<'b>>,
    ) -> Arena<'b, T> {
        // One pointer for both halves: links lead from light's values into dark's.
        let light = arrays.values.as_mut_ptr();
        Arena {
            terrain: &self.field.terrain,
            plan: &self.plan,
            exits: &self.exits,
            rows: &self.field.rows,
            recasts: &self.field.recasts,
            light,
            dark: light.wrapping_add(self.plan.lanes),
            leaving: arrays.leaving.as_ptr(),
            moves: arrays.moves.as_mut_ptr(),
            listening,
        }
    }

    /// Passes over all slabs, those where dark is furthest first: over the blocks with something new to hear, or all.
    fn pass<T: Sweepable>(
        &self,
        arrays: &mut Arrays<'_, T>,
        mode: Mode,
        listening: Option<Listening<'_>>,
    ) -> Tally {
        let arena = self.arena(arrays, listening);
        let pass = |at: usize| self.pass_slab(&arena, arrays.scratch, at, mode);
        let mirrors = self.plan.sublayer.is_mirror() && mode != Mode::Residual;
        if !self.course.shared && !mirrors {
            // Larger numbers of slabs only read smaller ones before these change.
            return (0..self.plan.slabs.len()).map(pass).fold(Tally::default(), Tally::and);
        }
        let mut tallies = vec![Tally::default(); self.plan.slabs.len()];
        for level in &self.plan.levels {
            let found = self.each(level, pass);
            for (&at, tally) in level.iter().zip(found) {
                tallies[at as usize] = tally;
            }
            if mirrors {
                // SAFETY: blocks of different columns of the level have different mirror images.
                self.each(level, |at| unsafe { self.mirror(&arena, at) });
            }
        }
        tallies.into_iter().fold(Tally::default(), Tally::and)
    }

    /// Passes over one slab with what a slab before left.
    fn pass_slab<T: Sweepable>(
        &self,
        arena: &Arena<'_, T>,
        scratch: &Spare<T>,
        at: usize,
        mode: Mode,
    ) -> Tally {
        let spare = || scratch.lock().expect("no holder of this lock panics");
        let taken = spare().pop();
        let mut scratch = taken.unwrap_or_else(|| Scratch::new(&self.plan.ranks));
        let mut found = std::mem::take(&mut scratch.links);
        let slab = (at, self.links_of(at, &mut found));
        // SAFETY: the buffers were made for this plan; slabs passed over at once have the same progress of dark, and
        // every move changes it or stays within the slab. The instructions were found at run time.
        let tally = unsafe { T::pass(self.field.instructions, arena, slab, mode, &mut scratch) };
        scratch.links = found;
        spare().push(scratch);
        tally
    }

    fn each<R: Send>(&self, slabs: &[u32], action: impl Fn(usize) -> R + Sync) -> Vec<R> {
        if self.course.shared {
            slabs.par_iter().with_max_len(1).map(|&at| action(at as usize)).collect()
        } else {
            slabs.iter().map(|&at| action(at as usize)).collect()
        }
    }

    /// Writes those mirror images of a slab's blocks that are read.
    ///
    /// # Safety
    ///
    /// No mirror image is read or written at the same time.
    unsafe fn mirror<T: Sweepable>(&self, arena: &Arena<'_, T>, at: usize) {
        let Slab { dark, columns, .. } = self.plan.slabs[at];
        let has_changed = |number: &usize| {
            let is_own_image = self.plan.columns[*number] == dark;
            !is_own_image
                && self.is_image_read[*number]
                && arena.listening.is_none_or(|listening| listening.change_image(*number))
        };
        let mut changed = (columns.0..columns.1).filter(has_changed).peekable();
        while let Some(number) = changed.next() {
            if let Some(&next) = changed.peek() {
                let light = self.plan.columns[next];
                let shape = self.plan.shape(&self.field.terrain, light, dark);
                let image = self.plan.block(light, dark);
                arena.ask_for(image..image + shape.len(&self.plan.ranks), Mode::Sweep);
            }
            let light = self.plan.columns[number];
            let shape = self.plan.shape(&self.field.terrain, dark, light);
            let (from, to) = (self.plan.block(dark, light), self.plan.block(light, dark));
            for &(at, image) in self.field.recasts.mirror(shape) {
                let (from, to) = (from + usize::from(at), to + usize::from(image));
                // SAFETY: both blocks lie within the buffers.
                unsafe {
                    *arena.light.add(to) = turned(*arena.dark.add(from));
                    *arena.dark.add(to) = turned(*arena.light.add(from));
                }
            }
        }
    }

    /// Moves the values of each block further along their last move, as it seems to go on.
    fn extrapolate<T: Sweepable>(&self, arrays: &mut Arrays<'_, T>, listening: Listening<'_>) {
        let arena = self.arena(arrays, Some(listening));
        let action = |at: usize| {
            // SAFETY: slabs do not overlap, and the moves have the layout of the values that are swept.
            unsafe { self.extrapolate_slab(&arena, listening, at) };
        };
        self.each_slab(action);
        if self.plan.sublayer.is_mirror() {
            // SAFETY: only blocks that are not swept are written.
            self.each_slab(|at| unsafe { self.mirror(&arena, at) });
        }
    }

    /// # Safety
    ///
    /// Nobody else reads or writes the slab.
    unsafe fn extrapolate_slab<T: Sweepable>(
        &self,
        arena: &Arena<'_, T>,
        listening: Listening<'_>,
        at: usize,
    ) {
        let Slab { dark, columns, .. } = self.plan.slabs[at];
        for number in columns.0..columns.1 {
            let Some(further) = listening.further(number) else { continue };
            let further = T::from_f64(further.into());
            listening.changed(number);
            let light = self.plan.columns[number];
            let from = self.plan.block(dark, light);
            let lanes = self.plan.shape(&self.field.terrain, dark, light).len(&self.plan.ranks);
            for at in from..from + lanes {
                // SAFETY: the block lies within the buffers.
                unsafe {
                    let (light, dark) = (arena.light.add(at), arena.dark.add(at));
                    *light = light.read().moved(further, arena.moves.add(at).read());
                    let step = arena.moves.add(self.plan.swept + at).read();
                    *dark = dark.read().moved(further, step);
                }
            }
        }
    }
}

/// The other player's chance.
fn turned<T: Element>(value: T) -> T {
    T::from_f64(1.0 - value.to_f64())
}
