//! The successors of a sublayer, found once for all its sweeps.

use std::sync::{Mutex, MutexGuard};

use super::DenseSublayer;
use crate::dense::successors::find::{BlockNumbers, SuccessorFinder};
use crate::dense::successors::kept::Successors;
use crate::dense::successors::packed::BlockWords;
use crate::drive::exchange::BitSet;
use crate::memory::shelf::{Plain, Run, Shelf};
use crate::memory::spill::OnDisk;
use crate::types::SolveError;

impl DenseSublayer<'_> {
    fn number_blocks(&self) -> BlockNumbers {
        BlockNumbers::new(&self.engine.tables, &self.layout)
    }

    /// Makes each pass find the successors of its slab anew.
    pub(super) fn find_successors_anew(&mut self) -> Result<(), SolveError> {
        let numbers = self.number_blocks();
        self.place_read(&numbers)?;
        self.successors = Successors::Anew(numbers);
        Ok(())
    }

    fn finder<'b>(&'b self, numbers: &'b BlockNumbers, notes_sources: bool) -> SuccessorFinder<'b> {
        let Self { engine, layout, externals, .. } = self;
        SuccessorFinder { tables: &engine.tables, layout, externals, numbers, notes_sources }
    }

    /// Finds the successors of all slabs once for all passes. They are put on the shelf in the order in which passes read them.
    pub(super) fn keep_successors(&mut self) -> Result<(), SolveError> {
        let numbers = self.number_blocks();
        let reads = self.place_read(&numbers)?;
        let finder = self.finder(&numbers, true);
        let found = Shelf::new(self.engine.spills.spill_for(OnDisk::Successors), Plain);
        let mut slabs = Vec::new();
        slabs.resize_with(self.layout.slabs.len(), Run::default);
        for level in &self.holding.levels {
            let kept = self.each(level, |slab| {
                let mut words = Vec::new();
                finder.push_slab(slab, &mut words);
                found.put(words)
            });
            for (&slab, kept) in level.iter().zip(kept) {
                slabs[slab] = kept?;
            }
        }
        self.successors = Successors::Kept { shelf: found, slabs };
        self.holding.exchange_reads(reads);
        Ok(())
    }

    /// Finds what this rank reads besides the blocks that it sweeps, and gives places to it: blocks of other ranks, and mirror
    /// images, of which about two thirds are read. Returns the columns whose blocks, or the images of these, it reads.
    fn place_read(&mut self, numbers: &BlockNumbers) -> Result<BitSet, SolveError> {
        let columns = self.layout.columns.len();
        let [read, reads] = [2 * columns, columns].map(|len| Mutex::new(BitSet::new(len)));
        if self.layout.halved || !self.holding.is_alone() {
            let finder = self.finder(numbers, true);
            self.each(&self.holding.slabs, |slab| {
                let mut words = Vec::new();
                finder.push_slab(slab, &mut words);
                let (mut read, mut reads) = (locked(&read), locked(&reads));
                for &source in BlockWords::all(&words).flat_map(|block| block.sources) {
                    read.insert(source as usize);
                    reads.insert(source as usize % columns);
                }
            });
        }
        let [read, reads] = [read, reads].map(|set| set.into_inner().expect(UNPOISONED));
        self.layout.place_read(&self.engine.tables, |number| read.contains(number));
        self.layout.ensure_places()?;
        Ok(reads)
    }

    /// Returns the successors of a slab: the kept ones, or else those that are found now. What is not in memory yet is written to
    /// `copy`.
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

const UNPOISONED: &str = "no holder of this lock panics";

fn locked<T>(it: &Mutex<T>) -> MutexGuard<'_, T> {
    it.lock().expect(UNPOISONED)
}
