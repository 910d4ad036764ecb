//! A sublayer at work: its layout, what its moves lead to, and the finished values that it reads.

use std::ops::Range;
use std::sync::Mutex;

use puabi_core::{Indexer, Rules, Sublayer};

use super::holding::Holding;
use super::layout::among_ranks::DividedLayout;
use super::layout::{BlockLayout, BoardBlock, Purpose};
use super::places::Places;
use super::pre::PreMoves;
use super::successors::find::{Finder, Unplaced};
use super::successors::runs::SuccessorRuns;
use super::successors::word::Word;
use super::values::{WorkingValues, runs};
use crate::drive::divided::{Division, WantedPages};
use crate::drive::engine::Finished;
use crate::drive::exchange::BitSet;
use crate::drive::iterate::Course;
use crate::drive::preparation::Preparation;
use crate::memory::advice;
use crate::memory::buffer::Buffer;
use crate::memory::spill::{OnDisk, Spill, Spills};
use crate::parallel::{self, Sharing};
use crate::plan::dependencies;
use crate::simd::select::{InstructionSet, Instructions};
use crate::types::SolveError;

/// A game as the general engine sees it.
#[derive(Debug)]
pub(super) struct Game<'a> {
    pub(super) rules: &'a Rules,
    pub(super) indexer: &'a Indexer,
    pub(super) pre: PreMoves,
    pub(super) instructions: Instructions,
    pub(super) spills: Spills,
}

/// One sublayer at work; successors are kept in words of `W`.
pub(super) struct SublayerWork<'a, W> {
    pub(super) game: &'a Game<'a>,
    pub(super) sublayer: Sublayer,
    pub(super) spills: Spills,
    pub(super) layout: BlockLayout,
    pub(super) holding: Holding<'a>,
    /// The successors of the blocks of each strip that this rank holds.
    pub(super) successors: SuccessorRuns<W>,
    /// One side, or two for bounds: the upper bound of light's chance and the lower one.
    pub(super) sides: Vec<BoundSide<'a>>,
    pub(super) sharing: Sharing<'a>,
}

/// What the backups of one bound read and add.
pub(super) struct BoundSide<'a> {
    pub(super) finished: Vec<SeenValues<'a>>,
    /// What each backup adds to a value: zero, except for bounds.
    pub(super) slack: f64,
}

/// The values of a finished sublayer as a reader sees them whose senior is the junior there, and as one sees them whose senior is
/// the senior there.
type SeenValues<'a> = [&'a [f64]; 2];

impl<'a> BoundSide<'a> {
    /// Returns the slack, and the finished values that the sublayer `at` leads to. They are found once, since sweeps read them
    /// again and again. If they `are_gone` from memory, the system is asked to read them again in order.
    fn new<F: Finished>(
        game: &Game<'_>,
        (at, are_gone): (usize, bool),
        (finished, slack): &'a (F, f64),
    ) -> Self {
        let mut seen: Vec<SeenValues<'_>> = vec![[&[]; 2]; game.indexer.sublayers().len()];
        for target in dependencies::leads_to(game.indexer, at) {
            seen[target] = [false, true].map(|is_senior| finished.seen(target, is_senior));
            if are_gone {
                soon(finished.sublayer(target));
            }
        }
        Self { finished: seen, slack: *slack }
    }
}

impl<'a> Game<'a> {
    pub(super) fn new(
        rules: &'a Rules,
        indexer: &'a Indexer,
        instructions: InstructionSet,
    ) -> Self {
        let instructions = Instructions::new(instructions);
        let (pre, spills) = (PreMoves::new(rules, indexer), Spills::default());
        Self { rules, indexer, pre, instructions, spills }
    }

    /// Lays out the sublayer at `at` and finds what its moves lead to.
    pub(super) fn work<'f, F: Finished, W: Word>(
        &'f self,
        at: usize,
        sides: &'f [(F, f64)],
        course: Course<'f>,
    ) -> Result<SublayerWork<'f, W>, SolveError> {
        let sublayer = self.indexer.sublayers()[at];
        let finder = Finder { rules: self.rules, indexer: self.indexer, pre: &self.pre, sublayer };
        let (layout, holding, successors) = if course.ranks.is_alone() {
            self.laid_out(finder, course)?
        } else {
            // One rank alone finds bounds.
            self.divided(finder, (at, &sides[0].0), course)?
        };
        let spills = self.spills.of_sublayer(sublayer.len());
        // Words that were written to the disk have taken the place of finished values in memory.
        let are_gone = spills.holds(OnDisk::ReadOnly);
        let sides = sides.iter().map(|side| BoundSide::new(self, (at, are_gone), side)).collect();
        let sharing = course.sharing;
        Ok(SublayerWork {
            game: self,
            sublayer,
            spills,
            layout,
            holding,
            successors,
            sides,
            sharing,
        })
    }

    /// Returns where the successors of a sublayer are put, and the number of rolls that have successors.
    #[inline(never)]
    fn successors_on(&self, sublayer: Sublayer) -> (Spill, usize) {
        let spills = self.spills.of_sublayer(sublayer.len());
        (spills.spill_for(OnDisk::ReadOnly), self.pre.rolls.len())
    }

    /// Lays out a sublayer that one rank sweeps, and finds its successors.
    fn laid_out<'f, W: Word>(
        &self,
        finder: Finder<'_>,
        course: Course<'f>,
    ) -> Result<LaidOut<'f, W>, SolveError> {
        let Self { indexer, pre, .. } = self;
        let layout = BlockLayout::new(indexer, pre, finder.sublayer, Purpose::Solve);
        ensure_places::<W>(&layout)?;
        let places = Places::<W>::new(&layout, pre, finder.sublayer);
        let strips = (layout.strips.len(), course.sharing);
        let finding = Preparation::new(course, FINDING, layout.values);
        let on = self.successors_on(finder.sublayer);
        let successors = SuccessorRuns::find(on, strips, |strip| {
            let strip = &layout.strips[strip];
            finding.begin(strip.values())?;
            let blocks = || layout.blocks(strip, pre).map(|(block, _)| block);
            Ok(by_boards(pre, blocks, |blocks| finder.find(blocks, &places)))
        })?;
        let holding = Holding::new(&layout, course.ranks);
        Ok((layout, holding, successors))
    }

    /// Lays out what this rank sweeps and reads of the sublayer at `at`, finds the successors of what it sweeps, and fetches the
    /// finished values that these lead to.
    fn divided<'f, W: Word>(
        &self,
        finder: Finder<'_>,
        (at, finished): (usize, &impl Finished),
        course: Course<'f>,
    ) -> Result<LaidOut<'f, W>, SolveError> {
        let (Self { indexer, pre, .. }, sublayer) = (self, finder.sublayer);
        let Course { sharing, ranks, .. } = course;
        let mut divided = DividedLayout::count(indexer, pre, sublayer, ranks);
        let mut holding = Holding::new(&divided.layout, ranks);
        divided.hand_out(&holding.holders);
        let pages = WantedPages::none(indexer.sublayers(), dependencies::leads_to(indexer, at));
        let (unplaced, read) = self.unplaced::<W>(finder, &divided, &pages, course)?;
        finished.fetch(&pages)?;
        drop(pages);
        let (layout, wanted) = divided.lay(&holding.holders, read);
        holding.exchange_wanted(&layout, pre, &wanted);
        ensure_places::<W>(&layout)?;
        let places = Places::<W>::new(&layout, pre, sublayer);
        let strips = (layout.strips.len(), sharing);
        let successors = SuccessorRuns::find(self.successors_on(sublayer), strips, |strip| {
            if !holding.is_own(strip) {
                return Ok(Default::default());
            }
            let words = std::mem::take(&mut *unplaced[strip].lock().expect(UNPOISONED));
            let (mut words, exit) = (words.into_iter(), |at, index| finished.place(at, index));
            let blocks = || layout.blocks(&layout.strips[strip], pre).map(|(block, _)| block);
            Ok(by_boards(pre, blocks, |blocks| {
                finder.place(words.next().unwrap_or_default(), blocks, &places, exit)
            }))
        })?;
        Ok((layout, holding, successors))
    }

    /// Finds the successors of what this rank sweeps, by strip, with indices instead of places. Returns them and the first boards
    /// of the blocks that they lead to. Adds to `pages` those of other sublayers that they lead to.
    fn unplaced<W: Word>(
        &self,
        finder: Finder<'_>,
        divided: &DividedLayout<'_>,
        pages: &WantedPages,
        course: Course<'_>,
    ) -> Result<(UnplacedWords<W>, BitSet), SolveError> {
        let boards = usize::try_from(finder.sublayer.half).expect("boards have room");
        let read = Mutex::new(BitSet::new(boards));
        let strips = divided.layout.strips.len();
        let finding = Preparation::new(course, FINDING, strips);
        let unplaced = parallel::map(course.sharing, 0..strips, |strip| {
            finding.begin(1)?;
            let blocks = || divided.blocks(strip);
            let words = by_boards(&self.pre, blocks, |blocks| finder.find_unplaced(blocks));
            let mut each = words.iter();
            by_boards(&self.pre, blocks, |blocks| {
                let mut read = read.lock().expect(UNPOISONED);
                let words: &[W] = each.next().map_or(&[], Vec::as_slice);
                finder.each_unplaced(words, blocks, |it| match it {
                    Unplaced::Block { board } => read.insert(board),
                    Unplaced::Exit { sublayer, index, boards } => {
                        pages.insert(sublayer, index..index + boards);
                    }
                });
            });
            Ok(Mutex::new(words))
        });
        let unplaced = unplaced.into_iter().collect::<Result<_, SolveError>>()?;
        Ok((unplaced, read.into_inner().expect(UNPOISONED)))
    }
}

/// Asks the system to read values in order that are soon read at random places.
#[inline(never)]
fn soon(values: &[f64]) {
    let Range { start, end } = values.as_ptr_range();
    advice::soon(start.cast()..end.cast());
}

/// The share of the work of a sublayer that finding its successors is assumed to take: an eighth in `dmytro:4`, a third in
/// `murray:4`.
pub(super) const FINDING: f64 = 0.2;

/// Returns an error if there are more values than places that words can hold.
fn ensure_places<W: Word>(layout: &BlockLayout) -> Result<(), SolveError> {
    let (values, most) = (layout.values as u64, W::MOST_PLACES);
    if values <= most { Ok(()) } else { Err(SolveError::TooManyValues { values, most }) }
}

/// A sublayer's layout, what of it this rank sweeps, and the successors of what it sweeps.
type LaidOut<'a, W> = (BlockLayout, Holding<'a>, SuccessorRuns<W>);

/// By strip: the successors of its blocks of a single board and of the others, with indices instead of places, until these are
/// looked up.
type UnplacedWords<W> = Vec<Mutex<[Vec<W>; 2]>>;

const UNPOISONED: &str = "no holder of this lock panics";

/// Returns what `find` finds for those blocks that have a single board, and for the others.
fn by_boards<R, I: Iterator<Item = BoardBlock>>(
    pre: &PreMoves,
    blocks: impl Fn() -> I,
    mut find: impl FnMut(&mut dyn Iterator<Item = BoardBlock>) -> R,
) -> [R; 2] {
    [true, false].map(|is_single| {
        let is_of_kind = |it: &BoardBlock| (pre.boards([it.light, it.dark]) == 1) == is_single;
        find(&mut blocks().filter(is_of_kind))
    })
}

impl<W: Word> SublayerWork<'_, W> {
    /// Brings values from index order to the order of sweeps, once for each of `sides` sides, given where the value with an index
    /// is stored.
    pub(super) fn values_from(
        &self,
        values: (&[f64], impl Fn(usize) -> usize),
        sides: usize,
    ) -> Result<WorkingValues, SolveError> {
        let Self { game, layout, sublayer, spills, .. } = self;
        let spills = (sides, spills);
        WorkingValues::from_index_order(layout, &game.pre, *sublayer, values, spills)
    }

    /// Returns the settled values of this sublayer, which is the one at `at`, in the order of sweeps: those that this rank sweeps
    /// or reads.
    pub(super) fn settled_values(
        &self,
        at: usize,
        settled: &impl Finished,
    ) -> Result<WorkingValues, SolveError> {
        let (Game { indexer, pre, .. }, layout) = (self.game, &self.layout);
        if !self.holding.is_alone() {
            let wanted = WantedPages::none(indexer.sublayers(), [at]);
            for (block, _) in layout.all(pre) {
                for run in runs(self.sublayer, pre, block) {
                    wanted.insert(at, run);
                }
            }
            settled.fetch(&wanted)?;
        }
        self.values_from((settled.sublayer(at), |index| settled.place(at, index)), 1)
    }

    /// Returns settled values in index order; among ranks, the part of this rank. They take the room of everything else that was
    /// at work.
    pub(super) fn into_index_order(
        self,
        mut values: WorkingValues,
    ) -> Result<Buffer<f64>, SolveError> {
        drop(self.successors);
        values.drop_deltas();
        let Self { game, layout, holding, sublayer, spills, sides, .. } = self;
        let pre = &game.pre;
        let room = |values: usize| Buffer::in_index_order(&spills, values as u64);
        let len = usize::try_from(sublayer.len()).expect("a sublayer fits memory");
        if holding.is_alone() {
            let mut ordered = room(len * sides.len())?;
            values.to_index_order(&layout, pre, sublayer, ordered.as_mut_slice());
            return Ok(ordered);
        }
        let ranks = holding.ranks;
        let division = Division::new(&sublayer, ranks.count());
        let mut ordered = room(division.part(ranks.rank()).len())?;
        let each_run = |level: usize, action: &mut dyn FnMut(usize, &[f64])| {
            let strips = holding.levels[level].clone();
            let blocks = strips.flat_map(|strip| layout.blocks(&layout.strips[strip], pre));
            values.each_run(0, blocks, pre, sublayer, action);
        };
        division.gather(ranks, layout.levels.len(), ordered.as_mut_slice(), each_run);
        Ok(ordered)
    }
}

#[cfg(test)]
mod tests {
    use puabi_core::RuleSet;

    use super::*;

    /// No finished values: a stop comes before any are read.
    struct Nothing;

    impl Finished for Nothing {
        fn sublayer(&self, _: usize) -> &[f64] {
            &[]
        }
    }

    #[test]
    fn a_stop_is_heard_while_successors_are_found() {
        let rules = RuleSet::SKIRIUK.with_pieces(1).compile().unwrap();
        let indexer = Indexer::new(&rules).unwrap();
        let game = Game::new(&rules, &indexer, InstructionSet::best());
        let course = Course { watch: &|_, _| true, ..Course::of_certificate(Sharing::NoThreads) };
        for at in 0..indexer.sublayers().len() {
            let work = game.work::<_, u32>(at, &[(Nothing, 0.0)], course);
            assert!(matches!(work, Err(SolveError::Stopped)));
        }
    }
}
