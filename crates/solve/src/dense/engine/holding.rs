//! The slabs of a sublayer that one rank holds.

use crate::dense::layout::masks::MaskTables;
use crate::dense::layout::sublayer::DenseLayout;
use crate::drive::exchange::{BitSet, Ranks, holders};

/// Which slabs of a sublayer this rank sweeps, and which blocks each rank reads.
pub(super) struct Holding<'a> {
    pub(super) ranks: Ranks<'a>,
    /// By slab: the rank that sweeps it.
    pub(super) holders: Vec<usize>,
    /// The slabs of this rank, by level and in the order of their numbers.
    pub(super) levels: Vec<Vec<usize>>,
    pub(super) slabs: Vec<usize>,
    /// By rank: the columns whose blocks, or the images of these, it reads. Empty if there is one rank.
    pub(super) reads: Vec<BitSet>,
}

/// The number of values that take as long as all other work of a block: its inputs and what its moves lead to.
pub(crate) const WORK_OF_BLOCK: usize = 64;

impl<'a> Holding<'a> {
    pub(super) fn new(layout: &DenseLayout, tables: &MaskTables, ranks: Ranks<'a>) -> Self {
        let len = |(senior, junior)| layout.shape(tables, senior, junior).len(&layout.ranks);
        let work = |slab| layout.slab_blocks(slab).map(|block| WORK_OF_BLOCK + len(block)).sum();
        let levels = layout.levels.iter().map(|level| level.iter().copied());
        let holders = holders(layout.slabs.len(), levels, work, ranks.count());
        let is_own = |slab: &usize| holders[*slab] == ranks.rank();
        let own = |level: &Vec<usize>| level.iter().copied().filter(is_own).collect();
        let levels = layout.levels.iter().map(own).collect();
        let slabs = (0..holders.len()).filter(is_own).collect();
        Self { ranks, holders, levels, slabs, reads: Vec::new() }
    }

    pub(super) fn is_own(&self, slab: usize) -> bool {
        self.holders[slab] == self.ranks.rank()
    }

    pub(super) fn is_alone(&self) -> bool {
        self.ranks.is_alone()
    }

    /// Tells the other ranks which columns this one reads, and learns what they read.
    pub(super) fn exchange_reads(&mut self, reads: BitSet) {
        if !self.is_alone() {
            self.reads = reads.exchanged(self.ranks);
        }
    }
}
