//! The pass over a strip, compiled for the instructions that the processor has.
#![expect(
    unsafe_code,
    clippy::inline_always,
    reason = "strips of one level are swept by several threads, by code that is compiled for instructions found at run time"
)]

use crate::drive::statistics::{Mode, Tally};
use crate::general::backup::Backup;
use crate::general::candidates::{CandidateCopies, CandidateRuns, Candidates};
use crate::general::successors::Words;
use crate::general::successors::word::Word;
use crate::general::values::SharedValues;
use crate::general::work::{BoundSide, Game, SublayerWork};
#[cfg(target_arch = "x86_64")]
use crate::simd::select::InstructionSet;
use crate::types::SolveError;

/// A strip to back up.
#[derive(Clone, Copy)]
pub(super) struct Task<'a, W> {
    pub(super) side: usize,
    pub(super) strip: usize,
    pub(super) values: &'a SharedValues<'a>,
    pub(super) mode: Mode,
    pub(super) follow: Follow,
    /// How far the value of a candidate may be from the best.
    pub(super) margin: f64,
    pub(super) candidates: &'a CandidateRuns<W>,
}

/// Which successors a pass follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Follow {
    /// All successors.
    All,
    /// All successors; the pass notes which come near the best on single boards.
    Choosing,
    /// For single boards, those that came near the best when candidates were last chosen; for other blocks, all.
    Candidates,
}

/// What a pass reads of a strip, block by block.
struct StripWords<'a, W> {
    /// The successors of single boards, if they are followed.
    all: Words<'a, W>,
    /// The successors of blocks of several boards.
    several: Words<'a, W>,
    /// The candidates of single boards, if only these are followed, and the chances after those that lead out.
    few: Words<'a, W>,
    exits: &'a [f64],
}

impl<W: Word> SublayerWork<'_, W> {
    /// Backs up a strip.
    pub(super) fn strip(&self, task: Task<'_, W>) -> Result<Tally, SolveError> {
        let Task { strip, follow, candidates, .. } = task;
        let follows_all = follow != Follow::Candidates;
        let (mut copies, mut few_copies) = <([Vec<W>; 2], CandidateCopies<W>)>::default();
        let [all, several] = self.successors.read(strip, follows_all, &mut copies)?;
        let words = |few, exits| {
            let [all, several, few] = [all, several, few].map(Words::new);
            StripWords { all, several, few, exits }
        };
        if follow == Follow::Candidates {
            let (few, exits) = candidates.read(strip, &mut few_copies)?;
            return Ok(self.back_up(task, words(few, exits)).0);
        }
        let (tally, chosen) = self.back_up(task, words(&[], &[]));
        if follow == Follow::Choosing {
            candidates.put(strip, chosen)?;
        }
        Ok(tally)
    }

    /// Backs up a strip, and returns the candidates that were chosen. All instructions give the same bits.
    fn back_up(&self, task: Task<'_, W>, words: StripWords<'_, W>) -> (Tally, Candidates<W>) {
        match self.game.instructions.set() {
            // SAFETY: the processor has these instructions, as `Instructions::new` found.
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx512 | InstructionSet::Avx2 => unsafe {
                self.back_up_by_avx2(task, words)
            },
            _ => self.back_up_by_any(task, words),
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    fn back_up_by_avx2(
        &self,
        task: Task<'_, W>,
        words: StripWords<'_, W>,
    ) -> (Tally, Candidates<W>) {
        self.back_up_by_any(task, words)
    }

    #[inline(always)]
    fn back_up_by_any(
        &self,
        task: Task<'_, W>,
        words: StripWords<'_, W>,
    ) -> (Tally, Candidates<W>) {
        let Task { side, strip: at, values, mode, follow, margin, .. } = task;
        let StripWords { mut all, mut several, mut few, exits } = words;
        let Game { rules, indexer, pre, .. } = self.game;
        let board = indexer.position(self.sublayer.base).expect("a sublayer has positions");
        let dead = (rules.dead_value(board), self.layout.is_halved);
        let BoundSide { finished, slack } = &self.sides[side];
        let mut backup = Backup::new(pre, dead, (values, finished), (mode, *slack));
        if follow == Follow::Choosing {
            // A roll without a move has a word as well.
            let most = all.len() + self.layout.strips[at].blocks() * rules.rolls().len();
            backup.choose(most, margin);
        }
        let mut tally = Tally::default();
        for (block, at) in self.layout.blocks(&self.layout.strips[at], pre) {
            let placed = backup.placed(block, at);
            // SAFETY: strips of one level lead to each other only by mirror images, which are read as they were before.
            tally = tally.and(unsafe {
                match follow {
                    _ if placed.boards > 1 => backup.several(placed, &mut several),
                    Follow::All => backup.one::<false>(placed, &mut all),
                    Follow::Choosing => backup.one::<true>(placed, &mut all),
                    Follow::Candidates => backup.by_candidates(placed, (&mut few, exits)),
                }
            });
        }
        (tally, backup.candidates)
    }
}
