//! The general engine: any rules, stacks among them.
//!
//! Pieces beyond the pre squares make a *configuration*; its *block* has a value for every way to place the rest on the
//! pre squares and in hand, in the order of the index. The moves of a block's configuration are the same for all its
//! values, and so found once and kept as links. Blocks are swept in the order of [`Layout`], values within one so that
//! whatever a move inside the block leads to comes first, both players' values of a board together. See "Stacks" in
//! `docs/method.md`.

#![expect(unsafe_code, reason = "strips of one level are swept by several threads")]

mod backup;
mod lane;
mod layout;
mod links;
mod places;
mod values;

use std::ops::Range;

use puabi_core::{Indexer, Rules, Sublayer};
use rayon::prelude::*;

use crate::drive::engine::Engine;
use crate::drive::engine::Finished;
use crate::drive::iterate::{Course, Stopped, Sweeping};
use crate::drive::statistics::{Mode, Tally};
use backup::Backup;
use lane::Lane;
use layout::Layout;
use links::{Finder, Words};
use places::Places;
use values::{Shared, Values};

pub(crate) use layout::memory;

/// A game as the general engine sees it.
#[derive(Debug)]
pub(crate) struct General<'a> {
    rules: &'a Rules,
    indexer: &'a Indexer,
    lane: Lane,
}

/// One sublayer at work.
struct Work<'a, F> {
    field: &'a General<'a>,
    sublayer: Sublayer,
    layout: Layout,
    /// The links of each strip of blocks.
    links: Vec<Vec<u32>>,
    finished: &'a F,
    shared: bool,
}

/// The values of a sublayer at work.
struct Sweeps<'a, F> {
    work: &'a Work<'a, F>,
    values: Values,
}

impl<'a> General<'a> {
    pub(crate) fn new(rules: &'a Rules, indexer: &'a Indexer) -> Self {
        Self { rules, indexer, lane: Lane::new(rules, indexer) }
    }

    fn work<F: Finished + Sync>(&self, at: usize, finished: &'a F, shared: bool) -> Work<'_, F> {
        let sublayer = self.indexer.sublayers()[at];
        let layout = Layout::new(self.indexer, &self.lane, sublayer);
        let places = Places::new(&layout, &self.lane, sublayer);
        let mut work = Work { field: self, sublayer, layout, links: Vec::new(), finished, shared };
        let Self { rules, indexer, lane } = self;
        let finder = Finder { rules, indexer, lane, sublayer, places: &places };
        work.links = work.each(&(0..work.layout.strips.len()), |strip| {
            let mut links = Vec::new();
            let blocks = work.layout.blocks(&work.layout.strips[strip], lane);
            blocks.for_each(|(block, _)| finder.push(block, &mut links));
            links.shrink_to_fit();
            links
        });
        work
    }
}

impl Engine for General<'_> {
    type Space = ();

    fn indexer(&self) -> &Indexer {
        self.indexer
    }

    fn settle<F: Finished + Sync>(
        &self,
        at: usize,
        finished: &F,
        (): &mut (),
        course: Course<'_>,
    ) -> Result<(Box<[f64]>, u32), Stopped> {
        let work = self.work(at, finished, course.shared);
        let mut values = Values::new(&work.layout);
        values.keep_moves();
        let mut at_work = Sweeps { work: &work, values };
        let sweeps = course.sweep_double(&mut at_work)?;
        let values = at_work.values;
        let Work { layout, sublayer, links, .. } = work;
        // The published values take their room.
        drop(links);
        Ok((values.publish(&layout, &self.lane, sublayer), sweeps))
    }

    fn certify<F: Finished + Sync>(
        &self,
        at: usize,
        finished: &F,
        (): &mut (),
        shared: bool,
    ) -> Tally {
        let work = self.work(at, finished, shared);
        let from = finished.sublayer(at);
        let values = Values::load(&work.layout, &self.lane, work.sublayer, from);
        Sweeps { work: &work, values }.pass(Mode::Residual, 0)
    }
}

impl<F: Finished + Sync> Sweeping for Sweeps<'_, F> {
    /// Backs up every value, level by level.
    fn pass(&mut self, mode: Mode, _sweep: u32) -> Tally {
        let mut tally = Tally::default();
        for strips in &self.work.layout.levels {
            let mut level = 0..0;
            // A residual leaves the values as they are.
            if self.work.sublayer.is_mirror() && mode != Mode::Residual {
                level = self.work.layout.places(strips);
                self.values.keep_before(level.clone());
            }
            let values = self.values.share(level);
            let tallies = self.work.each(strips, |strip| self.work.strip(strip, &values, mode));
            tally = tallies.into_iter().fold(tally, Tally::and);
        }
        tally
    }

    fn extrapolate(&mut self, tally: Tally, _sweep: u32) {
        let further = tally.further();
        // Below zero where values swing: a factor of -1 a sweep gives -1/2.
        if further > -0.5 && further < 50.0 {
            self.values.extrapolate(further);
        }
    }

    fn round(&mut self) {
        let General { lane, .. } = self.work.field;
        self.values.round(&self.work.layout, lane);
    }
}

impl<F: Finished + Sync> Work<'_, F> {
    fn strip(&self, at: usize, values: &Shared<'_>, mode: Mode) -> Tally {
        let mut backup = Backup::new(self.field, self.sublayer, (values, self.finished), mode);
        let mut links = Words::new(&self.links[at]);
        let mut tally = Tally::default();
        for (block, at) in self.layout.blocks(&self.layout.strips[at], &self.field.lane) {
            // SAFETY: strips of one level lead to each other only by mirror images, which are read as they were before.
            tally = tally.and(unsafe { backup.block(block, at, &mut links) });
        }
        tally
    }

    /// Does something with every strip, all threads together where the sublayer is shared.
    fn each<R: Send>(&self, strips: &Range<usize>, work: impl Fn(usize) -> R + Sync) -> Vec<R> {
        if self.shared && strips.len() > 1 {
            strips.clone().into_par_iter().map(&work).collect()
        } else {
            strips.clone().map(work).collect()
        }
    }
}
