//! The general engine: any rules, stacks among them.
//!
//! Pieces beyond the pre squares make a *configuration*; its *block* has a value for every way to place the rest on the
//! pre squares and in hand, in the order of the index. The moves of a block's configuration are the same for all its
//! values, and so found once and kept as successors. Blocks are swept in the order of [`BlockLayout`], values within one so that
//! whatever a move inside the block leads to comes first, both players' values of a board together. See "Stacks" in
//! `docs/method.md`.

#![expect(
    unsafe_code,
    clippy::inline_always,
    reason = "strips of one level are swept by several threads, by code that is compiled for instructions found at run time"
)]

mod backup;
mod candidates;
mod holding;
pub(crate) mod layout;
pub(crate) mod memory;
pub(crate) mod places;
pub(crate) mod pre;
mod preference;
mod successors;
mod values;

use std::ops::Range;
use std::sync::Mutex;

use puabi_core::{Indexer, Rules, Sublayer};

use crate::drive::engine::{Certify, Engine, Finished};
use crate::drive::iterate::{Course, EXTRAPOLATE_EVERY, Sweeping};
use crate::drive::statistics::{Mode, Tally};
use crate::parallel;
use crate::simd::select::{InstructionSet, Instructions};
use crate::types::SolveError;
use crate::values::{Held, are_chances};
use backup::Backup;
use candidates::Candidates;
use holding::Holding;
use layout::{BlockLayout, BoardBlock, Purpose};
use places::Places;
use pre::PreMoves;
use successors::{Finder, Words};
use values::{SharedValues, WorkingValues};

/// A game as the general engine sees it.
#[derive(Debug)]
pub(crate) struct General<'a> {
    rules: &'a Rules,
    indexer: &'a Indexer,
    pre: PreMoves,
    instructions: Instructions,
}

/// One sublayer at work.
struct SublayerWork<'a> {
    field: &'a General<'a>,
    sublayer: Sublayer,
    layout: BlockLayout,
    holding: Holding<'a>,
    /// The successors of the blocks of each strip that this rank holds: those of a single board, and those of several.
    successors: Vec<[Vec<u32>; 2]>,
    /// One, or two for bounds: the upper one of light's chance and the lower one.
    sides: Vec<BoundSide<'a>>,
    shared: bool,
}

/// What the backups of one bound read and add.
struct BoundSide<'a> {
    finished: Vec<SeenValues<'a>>,
    /// What each backup adds: zero, but for bounds.
    slack: f64,
}

/// The values of a finished sublayer as a reader sees them whose senior is the junior there, or the senior.
type SeenValues<'a> = [&'a [f64]; 2];

impl<'a> BoundSide<'a> {
    /// Returns the finished values that the sublayer at `at` leads to, found once: sweeps read them all over.
    fn new<F: Finished>(field: &General<'_>, at: usize, (finished, slack): &'a (F, f64)) -> Self {
        let mut seen: Vec<SeenValues<'_>> = vec![[&[]; 2]; field.sublayers()];
        for target in field.leads_to(at) {
            seen[target] = [false, true].map(|is_senior| finished.seen(target, is_senior));
        }
        Self { finished: seen, slack: *slack }
    }
}

/// The values of a sublayer at work.
struct GeneralSweeps<'a> {
    work: &'a SublayerWork<'a>,
    values: WorkingValues,
    /// By side, then strip: the successors of single boards that may be the best.
    candidates: Vec<Vec<Mutex<Candidates>>>,
    /// The same: how many times their last deltas its values are moved further, if at all.
    further: Vec<Vec<Option<f64>>>,
    follow: Follow,
    known: Known,
    /// The largest change in the last pass.
    change: f64,
    /// The same of the last pass that chose.
    change_at_choice: f64,
    /// What the last pass has found if it left the values as they are now.
    certificate: Option<Tally>,
}

/// A strip to back up.
#[derive(Clone, Copy)]
struct Task<'a> {
    side: usize,
    strip: usize,
    values: &'a SharedValues<'a>,
    mode: Mode,
    follow: Follow,
    /// How far from the best a candidate may be.
    margin: f64,
    candidates: &'a Mutex<Candidates>,
}

/// Which successors a pass follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Follow {
    /// All.
    All,
    /// All, and it notes which come near the best on single boards.
    Choosing,
    /// Of single boards those that came near the best when candidates were last chosen, of other blocks all.
    Candidates,
}

/// What sweeps know of the candidates of single boards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Known {
    /// Nothing that may be followed.
    Nothing,
    /// They are followed, but fewer would do.
    Many,
    /// They are followed until values settle.
    Few,
}

/// Candidates are chosen when values change by this at most. Before, there are too many.
const FIRST_CHOICE: f64 = 1.0 / 1024.0;
/// A candidate's value is from the best by this many times the largest change in the sweep before, at most: its margin.
const MARGIN: f64 = 4.0;
/// With a smaller margin there is hardly more than one candidate a roll.
const SMALL_MARGIN: f64 = 1.0 / 4096.0;

impl<'a> General<'a> {
    pub(crate) fn new(
        rules: &'a Rules,
        indexer: &'a Indexer,
        instructions: InstructionSet,
    ) -> Self {
        let instructions = Instructions::new(instructions);
        Self { rules, indexer, pre: PreMoves::new(rules, indexer), instructions }
    }

    fn work<'f, F: Finished>(
        &'f self,
        at: usize,
        sides: &'f [(F, f64)],
        Course { shared, ranks, .. }: Course<'f>,
        purpose: Purpose,
    ) -> SublayerWork<'f> {
        let sublayer = self.indexer.sublayers()[at];
        let sides = sides.iter().map(|side| BoundSide::new(self, at, side)).collect();
        let layout = BlockLayout::new(self.indexer, &self.pre, sublayer, purpose);
        let holding = Holding::new(&layout, ranks);
        let places = Places::new(&layout, &self.pre, sublayer);
        let mut work = SublayerWork {
            field: self,
            sublayer,
            layout,
            holding,
            successors: Vec::new(),
            sides,
            shared,
        };
        let Self { rules, indexer, pre, .. } = self;
        let finder = Finder { rules, indexer, pre, sublayer, places: &places };
        work.successors = parallel::map(shared, 0..work.layout.strips.len(), |strip| {
            if !work.holding.is_own(strip) {
                return Default::default();
            }
            let blocks = || work.layout.blocks(&work.layout.strips[strip], pre);
            let is_single =
                |&(block, _): &(BoardBlock, usize)| pre.boards([block.light, block.dark]) == 1;
            [true, false].map(|single| {
                finder.find(blocks().filter(|it| is_single(it) == single).map(|(block, _)| block))
            })
        });
        work.holding.tell_reads(&work.layout, rules.rolls().len(), &work.successors);
        work
    }
}

impl Engine for General<'_> {
    type Space = ();
    type Value = f64;

    fn indexer(&self) -> &Indexer {
        self.indexer
    }

    fn settle<F: Finished>(
        &self,
        at: usize,
        finished: F,
        (): &mut (),
        course: Course<'_>,
    ) -> Result<(Box<[f64]>, u32), SolveError> {
        let sides = [(finished, 0.0)];
        let work = self.work(at, &sides, course, Purpose::Solve);
        let mut at_work = GeneralSweeps::new(&work, WorkingValues::new(&work.layout)?);
        let sweeps = course.sweep_double(&mut at_work)?;
        work.holding.gather(&work.layout, &mut at_work.values);
        let GeneralSweeps { values, certificate, candidates, .. } = at_work;
        drop(candidates);
        let values = work.into_index_order(values);
        // They have been rounded to what comes back from index order: a certificate would read the same ones.
        if let Some(tally) = certificate.filter(|_| are_chances(&values)) {
            course.certify(tally);
        }
        Ok((values, sweeps))
    }
}

impl Certify for General<'_> {
    fn certify<F: Finished>(
        &self,
        at: usize,
        finished: &F,
        (): &mut (),
        course: Course<'_>,
    ) -> Result<Tally, SolveError> {
        let sides = [(finished, 0.0)];
        let work = self.work(at, &sides, course, Purpose::Solve);
        let from = sides[0].0.sublayer(at);
        let values = WorkingValues::from_index_order(&work.layout, &self.pre, work.sublayer, from)?;
        Ok(GeneralSweeps::new(&work, values).pass(Mode::Residual, 0))
    }

    fn bound<F: Finished>(
        &self,
        at: usize,
        start: &dyn Held,
        sides: [(F, f64); 2],
        (): &mut (),
        course: Course<'_>,
    ) -> Result<(Box<[f64]>, u32), SolveError> {
        let work = self.work(at, &sides, course, Purpose::Solve);
        let mut values = WorkingValues::both_from_index_order(
            &work.layout,
            &self.pre,
            work.sublayer,
            start.values(),
        )?;
        start.rest();
        values.make_room_for_deltas()?;
        let mut at_work = GeneralSweeps::new(&work, values);
        let sweeps = course.sweep_bounds(&mut at_work)?;
        let GeneralSweeps { values, .. } = at_work;
        Ok((work.into_index_order(values), sweeps))
    }
}

impl Sweeping for GeneralSweeps<'_> {
    /// Backs up every value, level by level.
    fn pass(&mut self, mode: Mode, sweep: u32) -> Tally {
        self.follow = self.next_follow(mode, sweep);
        let margin = MARGIN * self.change;
        let mut tally = Tally::default();
        for (strips, own) in self.work.layout.levels.iter().zip(&self.work.holding.levels) {
            let mut level = 0..0;
            // A residual leaves the values as they are. Images of bounds are of the other side, which rests meanwhile.
            if self.work.layout.is_halved && mode != Mode::Residual && self.work.sides.len() == 1 {
                level = self.work.layout.places(strips);
                self.values.keep_before(level.clone());
            }
            for side in 0..self.work.sides.len() {
                let values = self.values.share(side, level.clone());
                let (work, candidates, follow) = (self.work, &self.candidates[side], self.follow);
                let task = |strip| {
                    let (values, candidates) = (&values, &candidates[strip]);
                    Task { side, strip, values, mode, follow, margin, candidates }
                };
                let tallies = parallel::map(work.shared, own.clone(), |at| work.strip(task(at)));
                if mode == Mode::Compare {
                    let further = tallies.iter().copied().map(Tally::extrapolation);
                    self.further[side].splice(own.clone(), further);
                }
                tally = tallies.into_iter().fold(tally, Tally::and);
            }
            if mode != Mode::Residual {
                self.hand_on(strips, |_| true);
            }
        }
        let tally = self.work.holding.together(tally);
        self.certificate = Some(tally).filter(|_| mode == Mode::Residual);
        if self.follow == Follow::Choosing {
            self.known = self.chosen(margin, tally.change);
            self.change_at_choice = tally.change;
        }
        self.change = tally.change;
        tally
    }

    /// Each strip goes as far as its own deltas say.
    fn extrapolate(&mut self, _tally: Tally, _sweep: u32) {
        for (side, further) in self.further.iter().enumerate() {
            for (strip, further) in further.iter().enumerate() {
                if let &Some(further) = further {
                    let places = self.work.layout.places(&(strip..strip + 1));
                    self.values.extrapolate(side, places, further);
                }
            }
        }
        let further = std::mem::take(&mut self.further);
        for strips in &self.work.layout.levels {
            self.hand_on(strips, |strip| further[0][strip].is_some());
        }
        self.further = further;
    }

    fn widen(&mut self) -> bool {
        let is_narrow = self.follow == Follow::Candidates;
        if is_narrow {
            self.known = Known::Nothing;
        }
        is_narrow
    }

    fn round(&mut self) {
        self.values.round(&self.work.layout, &self.work.field.pre);
    }

    fn to_index_order(&self) -> Box<[f64]> {
        let SublayerWork { layout, sublayer, .. } = self.work;
        self.values.to_index_order(layout, &self.work.field.pre, *sublayer)
    }
}

impl<'a> GeneralSweeps<'a> {
    fn new(work: &'a SublayerWork<'a>, values: WorkingValues) -> Self {
        let strips = || work.layout.strips.iter();
        let candidates = work.sides.iter().map(|_| strips().map(|_| Mutex::default()).collect());
        let candidates = candidates.collect();
        let further = vec![vec![None; strips().len()]; work.sides.len()];
        Self {
            work,
            values,
            candidates,
            further,
            follow: Follow::All,
            known: Known::Nothing,
            change: f64::INFINITY,
            change_at_choice: f64::INFINITY,
            certificate: None,
        }
    }

    /// Hands those of some strips that were moved to the ranks that read them.
    fn hand_on(&mut self, strips: &Range<usize>, is_moved: impl Fn(usize) -> bool) {
        let SublayerWork { layout, holding, .. } = self.work;
        holding.hand_on(layout, &mut self.values, strips, is_moved);
    }

    /// Returns which successors the next pass follows.
    fn next_follow(&self, mode: Mode, sweep: u32) -> Follow {
        let is_sweep = matches!(mode, Mode::Sweep | Mode::Record | Mode::Compare);
        // Bounds take a dozen sweeps: candidates would save a tenth of their time, and take 80 bytes a block.
        if !is_sweep || self.work.sides.len() > 1 {
            return Follow::All;
        }
        // Right after values were extrapolated.
        let is_time = sweep % EXTRAPOLATE_EVERY == 1;
        match self.known {
            Known::Nothing if is_time && self.change <= FIRST_CHOICE => Follow::Choosing,
            Known::Nothing => Follow::All,
            Known::Many if is_time => Follow::Choosing,
            Known::Many | Known::Few => Follow::Candidates,
        }
    }

    /// Returns what is known of candidates that were chosen with a margin, given the largest change in that sweep.
    ///
    /// Choices of both sides may chase each other: if a sweep with all moves does not come nearer, the next ones take all.
    fn chosen(&self, margin: f64, change: f64) -> Known {
        if change >= self.change_at_choice / 2.0 {
            Known::Nothing
        } else if margin > SMALL_MARGIN {
            Known::Many
        } else {
            Known::Few
        }
    }
}

impl SublayerWork<'_> {
    /// Returns settled values in index order, which take the room of what else was at work.
    fn into_index_order(self, mut values: WorkingValues) -> Box<[f64]> {
        drop(self.successors);
        values.drop_deltas();
        values.to_index_order(&self.layout, &self.field.pre, self.sublayer)
    }

    /// Backs up a strip. All instructions give the same bits.
    fn strip(&self, task: Task<'_>) -> Tally {
        match self.field.instructions.set() {
            // SAFETY: the processor has these instructions, as `Instructions::new` found.
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx512 | InstructionSet::Avx2 => unsafe { self.strip_by_avx2(task) },
            _ => self.strip_by_any(task),
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    fn strip_by_avx2(&self, task: Task<'_>) -> Tally {
        self.strip_by_any(task)
    }

    #[inline(always)]
    fn strip_by_any(&self, task: Task<'_>) -> Tally {
        let Task { side, strip: at, values, mode, follow, margin, candidates } = task;
        let General { rules, indexer, pre, .. } = self.field;
        let board = indexer.position(self.sublayer.base).expect("a sublayer has positions");
        let dead = (rules.dead_value(board), self.layout.is_halved);
        let BoundSide { finished, slack } = &self.sides[side];
        let mut backup = Backup::new(pre, dead, (values, finished), (mode, *slack));
        let mut candidates = candidates.lock().expect("no holder of this lock panics");
        let [mut all, mut several] = self.successors[at].each_ref().map(|words| Words::new(words));
        if follow == Follow::Choosing {
            // A roll without a move has a word as well.
            let most = all.len() + self.layout.strips[at].blocks() * rules.rolls().len();
            backup.choose(std::mem::take(&mut candidates), (most, margin));
        }
        let mut few = Words::new(&candidates.words);
        let mut tally = Tally::default();
        for (block, at) in self.layout.blocks(&self.layout.strips[at], &self.field.pre) {
            let site = backup.site(block, at);
            // SAFETY: strips of one level lead to each other only by mirror images, which are read as they were before.
            tally = tally.and(unsafe {
                match follow {
                    _ if site.boards > 1 => backup.several(site, &mut several),
                    Follow::All => backup.one::<false>(site, &mut all),
                    Follow::Choosing => backup.one::<true>(site, &mut all),
                    Follow::Candidates => backup.by_candidates(site, (&mut few, &candidates.exits)),
                }
            });
        }
        if follow == Follow::Choosing {
            *candidates = backup.candidates;
            candidates.shrink();
        }
        tally
    }
}
