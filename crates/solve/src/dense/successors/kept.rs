//! Where passes get the successors of a sublayer from.

use crate::dense::successors::find::BlockNumbers;
use crate::memory::shelf::{Plain, Run, Shelf};

/// Where a pass gets the successors of a slab from.
#[derive(Debug)]
pub(crate) enum Successors {
    /// The successors of each slab that this rank holds are on a shelf.
    Kept { shelf: Shelf<u32>, slabs: Vec<Run<u32>> },
    /// Each pass finds them anew, with the numbers of blocks, as in a certificate.
    Anew(BlockNumbers),
}

impl Default for Successors {
    fn default() -> Self {
        Self::Kept { shelf: Shelf::new(None, Plain), slabs: Vec::new() }
    }
}
