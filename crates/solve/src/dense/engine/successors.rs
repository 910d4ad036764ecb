//! The successors of a sublayer, found once for all its sweeps.

use std::sync::Mutex;

use super::DenseSublayer;
use crate::dense::successors::find::{BlockNumbers, SuccessorFinder};
use crate::dense::successors::kept::Successors;
use crate::dense::successors::packed::BlockWords;
use crate::drive::exchange::Set;
use crate::memory::shelf::{Run, Shelf};
use crate::memory::spill::OnDisk;
use crate::types::SolveError;

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
        self.successors = Successors::Anew(numbers);
    }

    fn finder<'b>(&'b self, numbers: &'b BlockNumbers, notes_sources: bool) -> SuccessorFinder<'b> {
        let Self { engine, layout, externals, .. } = self;
        SuccessorFinder { tables: &engine.tables, layout, externals, numbers, notes_sources }
    }

    /// Finds the successors of all slabs once for all passes, which find them in the order in which they are put on the shelf.
    pub(super) fn keep_successors(&mut self) -> Result<(), SolveError> {
        let numbers = self.number_blocks();
        if self.layout.halved {
            self.place_read_images(&numbers);
        }
        let columns = self.layout.columns.len();
        let finder = self.finder(&numbers, true);
        let found = Mutex::new(Shelf::new(self.engine.spills.of(OnDisk::Successors)));
        let reads = Mutex::new(Set::new(columns));
        let mut slabs = Vec::new();
        slabs.resize_with(self.layout.slabs.len(), Run::default);
        for level in &self.holding.levels {
            let kept = self.each(level, |slab| {
                let mut words = Vec::new();
                finder.push_slab(slab, &mut words);
                if !self.holding.is_alone() {
                    let mut reads = reads.lock().expect("no holder of this lock panics");
                    let sources = BlockWords::all(&words).flat_map(|block| block.sources);
                    sources.for_each(|&source| reads.insert(column_of(source, columns)));
                }
                found.lock().expect("no holder of this lock panics").put(words)
            });
            for (&slab, kept) in level.iter().zip(kept) {
                slabs[slab] = kept?;
            }
        }
        let found = found.into_inner().expect("no holder of this lock panics");
        let reads = reads.into_inner().expect("no holder of this lock panics");
        self.successors = Successors::Kept { shelf: found, slabs };
        self.holding.tell_reads(reads);
        Ok(())
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

    /// Returns the successors of a slab: those kept, or else those that are found now; what comes to memory comes to `copy`.
    pub(super) fn successors_of<'b>(
        &'b self,
        slab: usize,
        copy: &'b mut Vec<u32>,
    ) -> Result<&'b [u32], SolveError> {
        match &self.successors {
            Successors::Kept { shelf, slabs } => shelf.read(&slabs[slab], copy),
            Successors::Anew(numbers) => {
                copy.clear();
                self.finder(numbers, false).push_slab(slab, copy);
                Ok(copy)
            }
        }
    }
}

/// Returns the column of a block or of the image of one.
fn column_of(block: u32, columns: usize) -> usize {
    let block = block as usize;
    block.checked_sub(columns).unwrap_or(block)
}
