//! The successors of all strips, kept for all sweeps in memory or on a disk.

use super::packed::{LastPlaces, Packed, WordOrder};
use super::{EXTERNAL, Head, Word};
use crate::memory::shelf::{Run, Shelf};
use crate::memory::spill::Spill;
use crate::parallel::{self, Sharing};
use crate::types::SolveError;

/// By strip: the successors of its blocks of a single board, and of those of several.
#[derive(Debug)]
pub(crate) struct SuccessorRuns<W> {
    shelf: Shelf<W, Packed<BlockByBlock>>,
    strips: Vec<[Run<W>; 2]>,
}

impl<W: Word> SuccessorRuns<W> {
    /// Keeps what `find` finds for each of the strips of a game with `rolls` rolls that move pieces, on all threads if they are
    /// shared.
    pub(crate) fn find(
        (spill, rolls): (Spill, usize),
        (strips, sharing): (usize, Sharing<'_>),
        find: impl Fn(usize) -> Result<[Vec<W>; 2], SolveError> + Sync + Send,
    ) -> Result<Self, SolveError> {
        let shelf = Shelf::new(spill, Packed(BlockByBlock { rolls }));
        let kept = parallel::map(sharing, 0..strips, |strip| {
            let [single, several] = find(strip)?;
            Ok([shelf.put(single)?, shelf.put(several)?])
        });
        let strips = kept.into_iter().collect::<Result<_, SolveError>>()?;
        Ok(Self { shelf, strips })
    }

    /// Returns the words of a strip: those of single boards, and those of blocks of several boards.
    pub(crate) fn read<'a>(
        &'a self,
        strip: usize,
        [first, second]: &'a mut [Vec<W>; 2],
    ) -> Result<[&'a [W]; 2], SolveError> {
        let [single, several] = &self.strips[strip];
        Ok([self.shelf.read(single, first)?, self.shelf.read(several, second)?])
    }
}

/// The order of successors: a head for each roll that moves pieces, then light's successors by roll, then dark's.
#[derive(Debug)]
struct BlockByBlock {
    rolls: usize,
}

impl WordOrder for BlockByBlock {
    fn walk(&self, mut next: impl FnMut(&mut LastPlaces) -> Option<u64>) -> Option<()> {
        let mut heads = vec![(0, LastPlaces::default()); self.rolls];
        // By player, roll and number: a successor, and what it is if it leads out.
        let of_roll = vec![<[LastPlaces; 2]>::default(); Head::MOST];
        let mut successors = [(); 2].map(|()| vec![of_roll.clone(); self.rolls]);
        loop {
            for (head, last) in &mut heads {
                *head = next(last)?;
            }
            for (is_dark, of_player) in [false, true].into_iter().zip(&mut successors) {
                for (&(head, _), of_roll) in heads.iter().zip(of_player) {
                    let len = Head::from_word(head, is_dark).len() as usize;
                    for [successor, external] in &mut of_roll[..len] {
                        if next(successor)? & EXTERNAL != 0 {
                            next(external)?;
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use puabi_core::{Indexer, RuleSet};

    use super::*;
    use crate::general::layout::{BlockLayout, Purpose};
    use crate::general::places::Places;
    use crate::general::pre::PreMoves;
    use crate::general::successors::find::Finder;
    use crate::memory::shelf::Packing;

    #[test]
    fn successors_come_back_from_a_disk_and_take_less_than_half_there() {
        for rules in [RuleSet::SKIRIUK, RuleSet::DMYTRO, RuleSet::MURRAY] {
            let rules = rules.with_pieces(2).compile().unwrap();
            let indexer = Indexer::new(&rules).unwrap();
            let pre = PreMoves::new(&rules, &indexer);
            let packing = Packed(BlockByBlock { rolls: pre.rolls.len() });
            let (mut packed_bytes, mut bytes) = (0, 0);
            for &sublayer in indexer.sublayers() {
                let layout = BlockLayout::new(&indexer, &pre, sublayer, Purpose::Solve);
                let places = Places::<u32>::new(&layout, &pre, sublayer);
                let finder = Finder { rules: &rules, indexer: &indexer, pre: &pre, sublayer };
                for strip in &layout.strips {
                    let blocks = layout.blocks(strip, &pre).map(|(block, _)| block);
                    let words = finder.find(blocks, &places);
                    let packed = packing.pack(&words);
                    let mut back = vec![0; words.len()];
                    assert_eq!(packing.unpack(&packed, &mut back), Some(()));
                    assert!(back == words);
                    (packed_bytes, bytes) = (packed_bytes + packed.len(), bytes + 4 * words.len());
                }
            }
            assert!(2 * packed_bytes < bytes, "{packed_bytes} for {bytes}");
        }
    }
}
