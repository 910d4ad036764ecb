//! The successors of a sublayer, found once for all its sweeps.

use super::DenseSublayer;
use crate::dense::successors::find::{BlockNumbers, SuccessorFinder};
use crate::dense::successors::packed::BlockWords;

impl DenseSublayer<'_> {
    fn number_blocks(&self) -> BlockNumbers {
        BlockNumbers::new(&self.engine.tables, &self.layout)
    }

    /// Has each pass find the successors of its slab anew.
    pub(super) fn find_successors_anew(&mut self) {
        let numbers = self.number_blocks();
        if self.layout.halved {
            self.place_read_images(&numbers);
        }
        self.numbers = Some(numbers);
    }

    fn finder<'b>(&'b self, numbers: &'b BlockNumbers, notes_sources: bool) -> SuccessorFinder<'b> {
        let Self { engine, layout, externals, .. } = self;
        SuccessorFinder { tables: &engine.tables, layout, externals, numbers, notes_sources }
    }

    /// Finds the successors of all slabs once for all passes.
    pub(super) fn keep_successors(&mut self) {
        let numbers = self.number_blocks();
        if self.layout.halved {
            self.place_read_images(&numbers);
        }
        let finder = self.finder(&numbers, true);
        let found = self.each(&self.holding.slabs, |slab| {
            let mut words = Vec::new();
            finder.push_slab(slab, &mut words);
            words.shrink_to_fit();
            words
        });
        self.words = vec![Vec::new(); self.layout.slabs.len()];
        for (&slab, found) in self.holding.slabs.iter().zip(found) {
            self.words[slab] = found;
        }
        let columns = self.layout.columns.len();
        let blocks = self.words.iter().flat_map(|words| BlockWords::all(words));
        let sources = blocks.flat_map(|block| block.sources).map(|&source| source as usize);
        let reads = sources.map(|source| source.checked_sub(columns).unwrap_or(source));
        self.holding.tell_reads(reads, columns);
    }

    /// Finds out which mirror images this rank reads, about two thirds of them, and gives these places.
    fn place_read_images(&mut self, numbers: &BlockNumbers) {
        let columns = self.layout.columns.len();
        let finder = self.finder(numbers, true);
        let read = self.each(&self.holding.slabs, |slab| {
            let mut words = Vec::new();
            finder.push_slab(slab, &mut words);
            let sources = BlockWords::all(&words).flat_map(|block| block.sources);
            let images = sources.filter_map(|&source| (source as usize).checked_sub(columns));
            let mut images: Vec<_> = images.collect();
            images.sort_unstable();
            images.dedup();
            images
        });
        let mut is_read = vec![false; columns];
        read.into_iter().flatten().for_each(|image| is_read[image] = true);
        self.layout.place_images(&self.engine.tables, |column| is_read[column]);
    }

    /// Returns the successors of a slab: those kept, or else those that are found now.
    pub(super) fn successors<'b>(&'b self, slab: usize, found: &'b mut Vec<u32>) -> &'b [u32] {
        if let Some(numbers) = &self.numbers {
            found.clear();
            self.finder(numbers, false).push_slab(slab, found);
            return found;
        }
        &self.words[slab]
    }
}
