//! The successors of all strips, kept for all sweeps in memory or on a disk.

use std::sync::Mutex;

use super::Word;
use crate::memory::shelf::{Run, Shelf};
use crate::memory::spill::Spill;
use crate::parallel::{self, Sharing};
use crate::types::SolveError;

/// By strip: the successors of its blocks of a single board, and of those of several.
#[derive(Debug)]
pub(crate) struct SuccessorRuns<W> {
    shelf: Shelf<W>,
    strips: Vec<[Run<W>; 2]>,
}

impl<W: Word> SuccessorRuns<W> {
    /// Keeps what `find` finds for each strip, on all threads if they are shared.
    pub(crate) fn find(
        spill: Spill,
        (strips, sharing): (usize, Sharing<'_>),
        find: impl Fn(usize) -> [Vec<W>; 2] + Sync + Send,
    ) -> Result<Self, SolveError> {
        let shelf = Mutex::new(Shelf::new(spill));
        let kept = parallel::map(sharing, 0..strips, |strip| {
            let [single, several] = find(strip);
            let mut shelf = shelf.lock().expect("no holder of this lock panics");
            Ok([shelf.put(single)?, shelf.put(several)?])
        });
        let strips = kept.into_iter().collect::<Result<_, SolveError>>()?;
        Ok(Self { shelf: shelf.into_inner().expect("no holder of this lock panics"), strips })
    }

    /// Returns the words of a strip: those of single boards if they are `wanted`, and those of several.
    pub(crate) fn read<'a>(
        &'a self,
        strip: usize,
        wanted: bool,
        [first, second]: &'a mut [Vec<W>; 2],
    ) -> Result<[&'a [W]; 2], SolveError> {
        let [single, several] = &self.strips[strip];
        let single = if wanted { self.shelf.read(single, first)? } else { &[] };
        Ok([single, self.shelf.read(several, second)?])
    }
}
