//! The sizes of what is at work while a sublayer is swept, counted before it is laid out.
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "sizes are never negative, and casts of more than 2^64 give that"
)]

use crate::memory::spill::{OnDisk, Spilled};
use crate::types::SolveError;

/// The sizes of what is at work while one sublayer is swept. Numbers of values are fractions if they are estimated.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WorkSize {
    /// The positions of the sublayer.
    pub(crate) positions: u64,
    /// The number of blocks that are swept.
    pub(crate) blocks: f64,
    /// The number of values at work, with either side to roll, including mirror images and places without a position.
    pub(crate) values: f64,
    /// The number of values at work that sweeps renew.
    pub(crate) swept: f64,
    /// The bytes of the deltas of the values that sweeps renew.
    pub(crate) deltas: f64,
    /// The number of external values that are kept beside the values at work.
    pub(crate) externals: f64,
    /// The bytes of the successors of all blocks, and the kind of data with which they go to a disk.
    pub(crate) successors: f64,
    pub(crate) successors_on: OnDisk,
    /// The bytes while blocks are laid out and their successors are found.
    pub(crate) laid_out: f64,
    /// The bytes of the layout of all blocks, which each rank has whole.
    pub(crate) layout: f64,
    /// The bytes of the layout of those blocks that a rank sweeps or reads.
    pub(crate) layout_of_held: f64,
    /// The bytes of the marks that say which blocks a rank reads.
    pub(crate) marks_of_rank: f64,
    /// The bytes of candidates, if the engine writes them down.
    pub(crate) candidates: f64,
    /// What successors and candidates take on a disk.
    pub(crate) packed: PackedSize,
    /// The bytes of settled values in index order.
    pub(crate) ordered: f64,
}

/// The bytes of successors and candidates on a disk, which are fewer than those in memory if the engine packs them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PackedSize {
    pub(crate) successors: f64,
    pub(crate) candidates: f64,
    /// The processor time in seconds to pack them once, and to unpack them for a sweep.
    pub(crate) seconds: [f64; 2],
}

impl WorkSize {
    /// Returns the bytes that a sweep in double precision reads: values, external values and successors.
    pub(crate) fn read_by_sweep(self) -> f64 {
        VALUE * (self.values + self.externals) + self.successors
    }

    /// Returns the bytes that a sweep in double precision writes.
    pub(crate) fn written_by_sweep(self) -> f64 {
        VALUE * self.swept
    }

    /// Returns the bytes of what sweeps only read, in order: of what goes to a disk first, and of successors if they go there
    /// separately.
    pub(crate) fn read_only(self) -> [f64; 2] {
        self.in_turn(self.successors, self.candidates)
    }

    /// Returns the bytes of what sweeps only read, in the order in which it goes to a disk.
    fn in_turn(self, successors: f64, candidates: f64) -> [f64; 2] {
        let first = VALUE * self.externals + candidates;
        match self.successors_on {
            OnDisk::Successors => [first, successors],
            _ => [first + successors, 0.0],
        }
    }

    /// Returns the bytes on the disk of what sweeps only read.
    fn read_only_on(self, disk: Spilled) -> f64 {
        let [first, successors] = self.in_turn(self.packed.successors, self.packed.candidates);
        disk.bytes_on_disk(OnDisk::ReadOnly, first)
            + disk.bytes_on_disk(OnDisk::Successors, successors)
    }

    /// Returns the bytes that a sweep in double precision reads from the disk and writes to it, if memory keeps nothing of what
    /// is there.
    fn through_disk(self, disk: Spilled) -> [f64; 2] {
        // Of four sweeps two write deltas, and one of these reads them, as extrapolation does.
        let deltas = disk.bytes_on_disk(OnDisk::Deltas, self.deltas / 2.0);
        // Mirror images are written too.
        let values = disk.bytes_on_disk(OnDisk::Values, VALUE * self.values);
        [self.read_only_on(disk) + deltas + values, deltas + values]
    }
}

/// The sizes of all sublayers of a game in the engine that solves it.
#[derive(Debug)]
pub(crate) struct EngineWork {
    pub(crate) sizes: Vec<WorkSize>,
    pub(crate) speed: Speed,
    /// The most values at work that the engine can number.
    pub(crate) most_values: u64,
    /// The positions up to which one of several ranks sweeps a sublayer alone.
    pub(crate) most_by_one_rank: u64,
    /// Whether a sublayer leaves its buffers to the next.
    pub(crate) leaves_buffers: bool,
}

impl EngineWork {
    /// Returns the largest size of a part of the work, among all sublayers.
    pub(crate) fn most(&self, part: impl Fn(WorkSize) -> f64) -> u64 {
        self.sizes.iter().map(|&size| part(size)).fold(0.0, f64::max).round() as u64
    }

    /// Returns an error if the engine cannot number the values of every sublayer. `at_work` returns how many values a sublayer
    /// has at work.
    pub(crate) fn ensure_places(&self, at_work: fn(WorkSize) -> f64) -> Result<(), SolveError> {
        let (values, most) = (self.most(at_work), self.most_values);
        if values <= most { Ok(()) } else { Err(SolveError::TooManyValues { values, most }) }
    }

    /// Returns the bytes that a solve reads from the disk and writes to it, if memory keeps nothing of what is there.
    pub(crate) fn disk_traffic(&self, disk: Spilled) -> [u64; 2] {
        let (mut reads, mut writes) = (0.0, 0.0);
        for size in &self.sizes {
            let disk = disk.of_sublayer(size.positions);
            let [read, written] = size.through_disk(disk);
            let ordered = disk.bytes_on_disk(OnDisk::Ordered, size.ordered);
            reads += SWEEPS * read + ordered;
            writes += SWEEPS * written + size.read_only_on(disk) + ordered;
        }
        [reads, writes].map(|bytes| bytes.round() as u64)
    }

    /// Returns the processor time in seconds that a solve takes.
    pub(crate) fn seconds(&self, disk: Spilled) -> f64 {
        let packing = |size: &WorkSize| {
            let [once, a_sweep] = size.packed.seconds;
            let disk = disk.of_sublayer(size.positions);
            disk.bytes_on_disk(OnDisk::ReadOnly, once + SWEEPS * a_sweep)
        };
        self.speed.seconds(&self.sizes) + self.sizes.iter().map(packing).sum::<f64>()
    }
}

/// Bytes of a value.
pub(crate) const VALUE: f64 = 8.0;
/// The number of sweeps of all values that read as much from a disk as all sweeps of a solve: `simple-ur:6` read as much as 20.8,
/// `murray:4` as 22.0.
const SWEEPS: f64 = 21.0;

/// How fast an engine is: seconds of a processor that a solve of a game with [`TYPICAL`] positions takes for each block and
/// for each value that it sweeps, all sweeps together.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Speed {
    pub(crate) block: f64,
    pub(crate) value: f64,
    /// The power of the number of positions by which these times grow. Larger games take more sweeps, and more of their values
    /// come from memory.
    pub(crate) growth: f64,
}

/// The positions of a game of middling size: about those of Finkel.
const TYPICAL: f64 = 1.3e8;

impl Speed {
    /// Returns the processor time in seconds that a solve of sublayers of these sizes takes.
    fn seconds(self, sizes: &[WorkSize]) -> f64 {
        let positions: u64 = sizes.iter().map(|size| size.positions).sum();
        let growth = (positions as f64 / TYPICAL).powf(self.growth);
        let of_size = |size: &WorkSize| self.block * size.blocks + self.value * size.swept;
        growth * sizes.iter().map(of_size).sum::<f64>()
    }
}
