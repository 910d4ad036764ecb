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
    /// All successors; the pass notes for each board which come near the best.
    Choosing,
    /// Those that came near the best when candidates were last chosen.
    Candidates,
}

/// What a pass reads of a strip, block by block.
struct StripWords<'a, W> {
    /// The successors of single boards and of blocks of several boards, unless only candidates are followed.
    single: Words<'a, W>,
    several: Words<'a, W>,
    /// The candidates, if only these are followed, and the chances after those that lead out.
    candidates: Words<'a, W>,
    exits: &'a [f64],
}

impl<W: Word> SublayerWork<'_, W> {
    /// Backs up a strip.
    pub(super) fn strip(&self, task: Task<'_, W>) -> Result<Tally, SolveError> {
        let Task { strip, follow, candidates, .. } = task;
        let words = |[single, several, candidates]: [_; 3], exits| {
            let [single, several, candidates] = [single, several, candidates].map(Words::new);
            StripWords { single, several, candidates, exits }
        };
        if follow == Follow::Candidates {
            let mut copies = CandidateCopies::default();
            let (few, exits) = candidates.read(strip, &mut copies)?;
            return Ok(self.back_up(task, words([&[], &[], few], exits)));
        }
        let mut copies = <[Vec<W>; 2]>::default();
        let [single, several] = self.successors.read(strip, &mut copies)?;
        let words = words([single, several, &[]], &[]);
        if follow == Follow::Choosing {
            // A sublayer chooses once: that is not worth code for several sets of instructions.
            let (tally, chosen) = self.back_up_by_any::<true>(task, words);
            candidates.put(strip, chosen)?;
            return Ok(tally);
        }
        Ok(self.back_up(task, words))
    }

    /// Backs up a strip. All instructions give the same bits.
    fn back_up(&self, task: Task<'_, W>, words: StripWords<'_, W>) -> Tally {
        match self.game.instructions.set() {
            // SAFETY: the processor has these instructions, as `Instructions::new` found.
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx512 | InstructionSet::Avx2 => unsafe {
                self.back_up_by_avx2(task, words)
            },
            _ => self.back_up_by_any::<false>(task, words).0,
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    fn back_up_by_avx2(&self, task: Task<'_, W>, words: StripWords<'_, W>) -> Tally {
        self.back_up_by_any::<false>(task, words).0
    }

    /// Backs up a strip. If it is to `CHOOSE`, returns the candidates, too.
    #[inline(always)]
    fn back_up_by_any<const CHOOSE: bool>(
        &self,
        task: Task<'_, W>,
        words: StripWords<'_, W>,
    ) -> (Tally, Candidates<W>) {
        let Task { side, strip: at, values, mode, follow, margin, .. } = task;
        let StripWords { mut single, mut several, mut candidates, exits } = words;
        let Game { rules, indexer, pre, .. } = self.game;
        let board = indexer.position(self.sublayer.base).expect("a sublayer has positions");
        let dead = (rules.dead_value(board), self.layout.is_halved);
        let BoundSide { finished, slack } = &self.sides[side];
        let mut backup = Backup::new(pre, dead, (values, finished), (mode, *slack, margin));
        let mut tally = Tally::default();
        for (block, at) in self.layout.blocks(&self.layout.strips[at], pre) {
            let placed = backup.placed(block, at);
            // SAFETY: strips of one level lead to each other only by mirror images, which are read as they were before.
            tally = tally.and(unsafe {
                if !CHOOSE && follow == Follow::Candidates {
                    backup.by_candidates(placed, (&mut candidates, exits))
                } else if placed.boards == 1 {
                    backup.one::<CHOOSE>(placed, &mut single)
                } else {
                    backup.several::<CHOOSE>(placed, &mut several)
                }
            });
        }
        (tally, backup.candidates)
    }
}
