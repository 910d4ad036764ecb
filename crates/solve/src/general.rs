//! The general engine: any rules, stacks among them.
//!
//! Pieces beyond the pre squares make a *configuration*; its *block* has a value for every way to place the rest on the
//! pre squares and in hand, in the order of the index. The moves of a block's configuration are the same for all its
//! values, and so found once and kept as links. Blocks are swept in the order of [`Layout`], values within one so that
//! whatever a move inside the block leads to comes first, both players' values of a board together. See "Stacks" in
//! `docs/method.md`.

mod backup;
mod lane;
mod layout;
mod links;
mod values;

use puabi_core::{Indexer, Rules, Sublayer};
use rayon::prelude::*;

use crate::course::{Course, Stopped};
use crate::exits::Finished;
use crate::schedule::Engine;

use crate::tally::Tally;
use backup::{Backup, Pass};
use lane::Lane;
use layout::Layout;
use links::Finder;
use values::Values;

pub(crate) use layout::memory;

/// Sweeps after which a sublayer is given up as one that goes in circles.
const MOST_SWEEPS: u32 = 4000;
/// Sweeps without progress after which the changes left are taken for rounding, if they are no larger than `ROUNDING`.
const PATIENCE: u32 = 4;
/// The largest change that may be rounding.
const ROUNDING: f64 = 1e-14;

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

impl<'a> General<'a> {
    pub(crate) fn new(rules: &'a Rules, indexer: &'a Indexer) -> Self {
        Self { rules, indexer, lane: Lane::new(rules, indexer) }
    }

    fn work<F: Finished + Sync>(&self, at: usize, finished: &'a F, shared: bool) -> Work<'_, F> {
        let sublayer = self.indexer.sublayers()[at];
        let layout = Layout::new(self.indexer, &self.lane, sublayer);
        let mut work = Work { field: self, sublayer, layout, links: Vec::new(), finished, shared };
        let finder = Finder::new(self.rules, self.indexer, sublayer);
        let strips: Vec<_> = (0..work.layout.strips.len()).collect();
        work.links = work.each(&strips, |at| {
            let mut links = Vec::new();
            work.layout.blocks(at).iter().for_each(|&block| finder.push(block, &mut links));
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
        let values = Values::new(work.sublayer);
        let sweeps = work.sweep_on(&values, course)?;
        Ok((values.publish(), sweeps))
    }

    fn certify<F: Finished + Sync>(
        &self,
        at: usize,
        finished: &F,
        (): &mut (),
        shared: bool,
    ) -> Tally {
        let work = self.work(at, finished, shared);
        let values = Values::load(self.indexer, work.sublayer, finished.sublayer(at));
        work.pass(&values, Pass::Residual)
    }
}

impl<F: Finished + Sync> Work<'_, F> {
    /// Sweeps until values change no more; returns how often.
    fn sweep_on(&self, values: &Values, course: Course<'_>) -> Result<u32, Stopped> {
        let (mut least, mut waited) = (f64::INFINITY, 0);
        for sweep in 1..=MOST_SWEEPS {
            let change = self.pass(values, Pass::Sweep).change;
            waited = if change < least { 0 } else { waited + 1 };
            least = least.min(change);
            if change <= course.tolerance || least <= ROUNDING && waited == PATIENCE {
                return Ok(sweep);
            }
            if (course.watch)(change) {
                return Err(Stopped);
            }
        }
        Ok(MOST_SWEEPS)
    }

    /// Backs up every value, level by level.
    fn pass(&self, values: &Values, pass: Pass) -> Tally {
        let levels = self.layout.levels.iter();
        let level = |strips: &std::ops::Range<usize>| {
            let strips: Vec<_> = strips.clone().collect();
            let tallies = self.each(&strips, |at| self.strip(at, values, pass));
            tallies.into_iter().fold(Tally::default(), Tally::and)
        };
        levels.map(level).fold(Tally::default(), Tally::and)
    }

    fn strip(&self, at: usize, values: &Values, pass: Pass) -> Tally {
        let mut backup = Backup::new(self.field, self.sublayer, values, self.finished);
        let mut links = self.links[at].iter().copied();
        let mut tally = Tally::default();
        for &block in self.layout.blocks(at) {
            tally = tally.and(backup.block(block, &mut links, pass));
        }
        tally
    }

    /// Does something with every strip, all threads together where the sublayer is shared.
    fn each<R: Send>(&self, strips: &[usize], work: impl Fn(usize) -> R + Sync + Send) -> Vec<R> {
        if self.shared && strips.len() > 1 {
            strips.par_iter().map(|&at| work(at)).collect()
        } else {
            strips.iter().map(|&at| work(at)).collect()
        }
    }
}
