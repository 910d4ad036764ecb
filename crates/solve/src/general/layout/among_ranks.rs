//! The layout of a sublayer on one of several ranks that sweep it: no rank has all of its blocks.
//!
//! Each rank finds the blocks that begin in a range of the boards, in the order of the index. The ranks tell each other how many
//! blocks are in each slab, from which follows which rank holds what. Then each gives the blocks that it has found to the ranks
//! that hold them.

use puabi_core::{Indexer, Sublayer};
use rustc_hash::FxHashMap;

use super::order::{OrderedBlock, Part, Sides, Slab, SweptBlocks};
use super::{BlockLayout, BoardBlock, LastSlabs, Purpose, SlabSize};
use crate::drive::exchange::{BitSet, Ranks};
use crate::general::pre::PreMoves;
use crate::parallel::{self, Sharing};

/// The layout of one rank in the making.
pub(crate) struct DividedLayout<'a> {
    swept: SweptBlocks<'a>,
    pre: &'a PreMoves,
    ranks: Ranks<'a>,
    /// All of dark's sides.
    sides: Sides,
    /// The blocks that this rank has found, and then those that it holds, in the order of sweeping.
    own: Vec<OrderedBlock>,
    /// All strips, without blocks at first.
    pub(crate) layout: BlockLayout,
    last: LastSlabs,
}

/// By rank: the first boards of those of its blocks that this rank reads, in the order of sweeping.
pub(crate) type Wanted = Vec<Vec<u64>>;

impl<'a> DividedLayout<'a> {
    /// Counts the blocks of all slabs together with the other ranks.
    pub(crate) fn count(
        indexer: &'a Indexer,
        pre: &'a PreMoves,
        sublayer: Sublayer,
        ranks: Ranks<'a>,
    ) -> Self {
        let blocks = SweptBlocks { indexer, sublayer, purpose: Purpose::Solve };
        let len = sublayer.half.div_ceil(ranks.count() as u64);
        let start = |rank: usize| (rank as u64 * len).min(sublayer.half);
        let part = blocks.within(start(ranks.rank())..start(ranks.rank() + 1));
        let own = counted(&part, pre);
        let mut counts = ranks.swap_numbers(&vec![own.clone(); ranks.count()]);
        counts[ranks.rank()] = own;
        let (sides, slabs) = added_up(blocks, &counts);
        let (layout, last) = BlockLayout::of_slabs(slabs.into_iter(), blocks);
        let own = part.numbered_as(&sides);
        Self { swept: blocks, pre, ranks, sides, own, layout, last }
    }

    /// Gives each rank the blocks that it holds, given the holder of each strip.
    pub(crate) fn hand_out(&mut self, holders: &[usize]) {
        let (mut own, mut given) = (Vec::new(), vec![Vec::new(); self.ranks.count()]);
        for entry in std::mem::take(&mut self.own) {
            match holders[self.strip(entry.slab())] {
                holder if holder == self.ranks.rank() => own.push(entry),
                holder => given[holder].push(entry.block.base()),
            }
        }
        for bases in self.ranks.swap_numbers(&given) {
            own.extend(parallel::map(Sharing::All, 0..bases.len(), |at| self.entry(bases[at])));
        }
        parallel::sort_unstable(&mut own);
        self.own = own;
    }

    /// Returns the blocks of a strip if this rank holds it, and no blocks if another rank does.
    pub(crate) fn blocks(&self, strip: usize) -> impl Iterator<Item = BoardBlock> + '_ {
        let first = match strip.checked_sub(1).map(|before| self.last[before]) {
            Some(before) => self.own.partition_point(|it| it.slab() <= before),
            None => 0,
        };
        let last = self.last[strip];
        self.own[first..].iter().take_while(move |it| it.slab() <= last).map(|it| it.block)
    }

    /// Lays out the blocks that this rank holds and those that it reads, given the holder of each strip, and the first boards of
    /// the blocks that it reads or of their images. Returns the layout, and what is read of other ranks.
    pub(crate) fn lay(mut self, holders: &[usize], mut read: BitSet) -> (BlockLayout, Wanted) {
        for OrderedBlock { block, .. } in &self.own {
            for base in [block.base(), block.image()] {
                read.remove(usize::try_from(base).expect("boards have room"));
            }
        }
        let read: Vec<_> = read.iter().collect();
        let mut read = parallel::map(Sharing::All, 0..read.len(), |at| self.entry(read[at] as u64));
        parallel::sort_unstable(&mut read);
        // A block may be read as itself and as its image.
        read.dedup();
        let mut wanted = vec![Vec::new(); self.ranks.count()];
        for entry in &read {
            wanted[holders[self.strip(entry.slab())]].push(entry.block.base());
        }
        let mut blocks = std::mem::take(&mut self.own);
        blocks.append(&mut read);
        parallel::sort_unstable(&mut blocks);
        self.layout.lay(blocks, &self.last, self.pre);
        (self.layout, wanted)
    }

    /// Returns the block whose first board, or whose image's first board, has this index.
    fn entry(&self, base: u64) -> OrderedBlock {
        let (side, entry) = self.swept.at(base);
        entry.with_side(self.sides.number_of(side))
    }

    /// Returns the strip of a slab.
    fn strip(&self, slab: Slab) -> usize {
        self.last.partition_point(|&last| last < slab)
    }
}

/// Returns three numbers for each slab, in the order of the slabs' first blocks: the first board of this block, the number of all
/// blocks, and the number of their values.
fn counted(part: &Part, pre: &PreMoves) -> Vec<u64> {
    let (mut numbers, mut counts) = (FxHashMap::default(), Vec::new());
    for entry in &part.entries {
        let at = *numbers.entry(entry.slab()).or_insert_with(|| {
            counts.extend([entry.block.base(), 0, 0]);
            counts.len() - 3
        });
        counts[at + 1] += 1;
        counts[at + 2] += entry.block.values(pre) as u64;
    }
    counts
}

/// Returns all sides of dark's and all slabs in order, given what each rank has counted.
fn added_up(blocks: SweptBlocks<'_>, counts: &[Vec<u64>]) -> (Sides, Vec<SlabSize>) {
    let (mut sides, mut slabs) = (Sides::default(), FxHashMap::default());
    // Sides are numbered rank after rank, and slab after slab in the order of the index.
    for &[first, count, values] in counts.iter().flat_map(|of_rank| of_rank.as_chunks().0) {
        let (side, entry) = blocks.at(first);
        let slab = entry.with_side(sides.number(side)).slab();
        let all = slabs.entry(slab).or_insert(SlabSize { slab, blocks: 0, values: 0 });
        all.blocks += usize::try_from(count).expect("blocks have room");
        all.values += usize::try_from(values).expect("values have room");
    }
    let mut slabs: Vec<_> = slabs.into_values().collect();
    slabs.sort_unstable_by_key(|it| it.slab);
    (sides, slabs)
}

#[cfg(test)]
mod tests {
    use puabi_core::RuleSet;

    use super::*;
    use crate::drive::exchange::holders;
    use crate::threads::{Table, Thread};

    /// By strip: its holder, and the blocks that one rank has of it.
    type Strips = Vec<(usize, Vec<BoardBlock>)>;

    fn strips_of(
        (indexer, pre): (&Indexer, &PreMoves),
        sublayer: Sublayer,
        (rank, table): (usize, &Table),
        count: usize,
    ) -> Strips {
        let ranks = Ranks { exchange: &Thread { rank, table }, received: None };
        let mut divided = DividedLayout::count(indexer, pre, sublayer, ranks);
        let BlockLayout { strips, levels, .. } = &divided.layout;
        let values = |strip: usize| strips[strip].values();
        let holders = holders(strips.len(), levels.iter().cloned(), values, count);
        divided.hand_out(&holders);
        let blocks = |strip: usize| divided.blocks(strip).collect();
        holders.iter().enumerate().map(|(strip, &holder)| (holder, blocks(strip))).collect()
    }

    #[test]
    fn ranks_have_the_strips_of_one_among_them_and_each_block_once() {
        for rule_set in [RuleSet::MURRAY, RuleSet::SKIRIUK] {
            let rules = rule_set.with_pieces(2).compile().unwrap();
            let indexer = Indexer::new(&rules).unwrap();
            let (indexer, pre) = (&indexer, &PreMoves::new(&rules, &indexer));
            for &sublayer in indexer.sublayers() {
                let whole = BlockLayout::new(indexer, pre, sublayer, Purpose::Solve);
                let blocks = |strip| whole.blocks(strip, pre).map(|(block, _)| block).collect();
                let whole: Vec<Vec<_>> = whole.strips.iter().map(blocks).collect();
                for count in [1, 2, 3, 9] {
                    let table = &Table::new(count);
                    let found: Vec<Strips> = std::thread::scope(|scope| {
                        let start = |rank| {
                            scope.spawn(move || {
                                strips_of((indexer, pre), sublayer, (rank, table), count)
                            })
                        };
                        let running: Vec<_> = (0..count).map(start).collect();
                        running.into_iter().map(|thread| thread.join().unwrap()).collect()
                    });
                    for (rank, strips) in found.into_iter().enumerate() {
                        assert_eq!(strips.len(), whole.len());
                        for ((holder, found), all) in strips.iter().zip(&whole) {
                            let expected = if *holder == rank { &all[..] } else { &[] };
                            assert_eq!(found, expected, "rank {rank} of {count}");
                        }
                    }
                }
            }
        }
    }
}
