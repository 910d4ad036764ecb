//! The memory that sublayers take while they are at work, and their room on a disk, for a single process and for one of several
//! ranks.
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "bytes are never negative, and casts of more than 2^64 give that"
)]

use crate::memory::shelf::room_for;
use crate::memory::spill::{OnDisk, Spilled};
use crate::plan::dependencies::{MOST_BESIDE, is_large};
use crate::plan::size::{EngineWork, VALUE, WorkSize};

/// The share of a sublayer at work that a process has: all of it, or the share of one of several ranks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RankShare {
    /// The share of what belongs to the values that it sweeps: deltas, successors, external values, and its part in index order.
    pub(crate) own: f64,
    /// The share of the values renewed by sweeps that it has: those that it sweeps or reads.
    pub(crate) swept: f64,
    /// The share of the mirror images that it has.
    pub(crate) images: f64,
    /// The share of the values renewed by sweeps that it still has when its part is brought to index order.
    pub(crate) at_end: f64,
    /// The number of values of finished sublayers that it fetches, and the number of all values of these sublayers.
    pub(crate) fetched: f64,
    pub(crate) fetched_from: f64,
}

impl RankShare {
    /// The share of a single process: all values that are read. Mirror images that no block reads have no place. In presets with
    /// four pieces and more, 0.61 to 0.75 of them are read.
    const ALL: Self =
        Self { own: 1.0, swept: 1.0, images: 0.7, at_end: 1.0, fetched: 0.0, fetched_from: 0.0 };

    /// Returns how much more than its share a rank may have.
    fn unevenness(self) -> f64 {
        if self.own < 1.0 { UNEVEN } else { 1.0 }
    }
}

/// How much more than its part of the work a rank may have: `murray:3` among four ranks.
const UNEVEN: f64 = 1.1;
/// Bytes for everything else that a process has, including MPI.
const REST: f64 = (32 << 20) as f64;
/// Bytes of a number in single precision.
const SINGLE: f64 = 4.0;
/// Bytes, for each value of a finished sublayer, that record which pages are fetched and where they are: two bits for each page
/// of eight values, and a number for each 64 pages.
const PAGES: f64 = 3.0 / 64.0;

impl WorkSize {
    /// Returns the bytes of values at work. They may first be in single precision, with external values behind them.
    fn values_at_work(self, share: RankShare) -> f64 {
        let count = share.swept * self.swept + share.images * (self.values - self.swept);
        (VALUE * count).max(SINGLE * (count + share.own * self.externals))
    }

    /// Returns the bytes of the marks of what ranks read, if there are several: each rank has those of all.
    fn read_marks(self, share: RankShare) -> f64 {
        if share.own < 1.0 { self.marks_of_rank / share.own } else { 0.0 }
    }

    /// Returns the bytes of memory of a process that has this share, with what `disk` says on a disk: the most that it takes
    /// while the sublayer is laid out, while it is swept, or at its end, when values are brought to index order. The allocator
    /// keeps successors and candidates until then: they are many small pieces.
    fn memory(self, share: RankShare, disk: Spilled) -> f64 {
        let [first, second] = self.read_only();
        let first = disk.bytes_in_memory(OnDisk::ReadOnly, first);
        let beside = disk.bytes_in_memory(OnDisk::Successors, second)
            + disk.bytes_in_memory(OnDisk::Deltas, self.deltas);
        let swept = disk.bytes_in_memory(OnDisk::Values, self.values_at_work(share))
            + share.own * (first + beside)
            + disk.bytes_in_memory(OnDisk::Ordered, VALUE * share.fetched);
        let at_end = disk.bytes_in_memory(OnDisk::Values, VALUE * share.at_end * self.swept)
            + share.own * (first + disk.bytes_in_memory(OnDisk::Ordered, self.ordered));
        let most = swept.max(at_end).max(share.own * self.laid_out);
        let layout = self.layout + share.swept * self.layout_of_held + self.read_marks(share);
        share.unevenness() * most + layout + PAGES * share.fetched_from
    }

    /// Returns the bytes, by part, of a sublayer in an engine that leaves its buffers to the next one. Values in index order
    /// count too, since they are kept while the next sublayer is swept.
    fn left(self) -> BytesByPart {
        let values = self.values_at_work(RankShare::ALL);
        let externals = VALUE * self.externals;
        [values, externals, self.deltas, self.successors, self.layout, self.ordered]
    }

    /// Returns the bytes on a disk that sweeps need beside values, and that are free once the sublayer is settled.
    fn swept_with(self, disk: Spilled) -> f64 {
        disk.bytes_on_disk(OnDisk::ReadOnly, room_for(self.packed.candidates))
            + disk.bytes_on_disk(self.successors_on, room_for(self.packed.successors))
            + disk.bytes_on_disk(OnDisk::Deltas, self.deltas)
    }

    /// Returns the bytes of rooms on a disk.
    fn spilled(self, disk: Spilled) -> BytesByPart {
        let values = disk.bytes_on_disk(OnDisk::Values, self.values_at_work(RankShare::ALL));
        let externals = disk.bytes_on_disk(OnDisk::ReadOnly, VALUE * self.externals);
        let either = self.swept_with(disk).max(disk.bytes_on_disk(OnDisk::Ordered, self.ordered));
        [values, externals, either, 0.0, 0.0, 0.0]
    }

    /// Returns the bytes that one of several ranks has in rooms for values in index order: what it fetches for a certificate, or,
    /// on the first rank, all values and its part.
    fn spilled_of_rank(self, ranks: usize, share: RankShare) -> f64 {
        let positions = self.positions as f64;
        let certified = share.fetched + share.swept.min(1.0) * positions;
        VALUE * (positions + positions / ranks as f64).max(certified)
    }
}

/// The bytes of a sublayer, by part.
type BytesByPart = [f64; 6];

/// Returns the most bytes of `count` sublayers that are at work at the same time, given the positions and the parts of all
/// sublayers that are at work in turn. Each sublayer takes over the buffers that fit it best, so of two threads only one gets
/// buffers as large as those of the largest sublayer.
fn at_once(mut all: Vec<(u64, BytesByPart)>, count: usize) -> f64 {
    all.sort_by_key(|&(positions, _)| positions);
    let mut most = BytesByPart::default();
    let in_turn = all.iter().map(|(_, parts)| {
        most.iter_mut().zip(parts).for_each(|(most, &part)| *most = most.max(part));
        most.iter().sum()
    });
    in_turn.collect::<Vec<f64>>().into_iter().rev().take(count).sum()
}

impl EngineWork {
    /// Returns the bytes of memory that a process takes at its peak beside finished values, with what `disk` says on a disk: the
    /// bytes of small sublayers on all threads, or those of a large one that all threads share.
    pub(crate) fn memory(&self, threads: usize, disk: Spilled) -> u64 {
        let [small, large] = self.by_threads(threads, |size| self.parts(size, disk));
        (small.max(large) + REST).round() as u64
    }

    /// Returns the bytes that a process has on a disk.
    pub(crate) fn spilled(&self, threads: usize, disk: Spilled) -> u64 {
        let parts = |size: WorkSize| match size.spilled(disk.of_sublayer(size.positions)) {
            parts if self.leaves_buffers => parts,
            parts => whole(parts.iter().sum()),
        };
        let [small, large] = self.by_threads(threads, parts);
        // The buffers of a large sublayer are still there while small ones are swept.
        (if self.leaves_buffers { small + large } else { small.max(large) }).round() as u64
    }

    /// Returns the bytes on a disk that are free again once the last sublayer is settled and brought to index order, but no more
    /// than its values take. It is the first one of the index.
    pub(crate) fn freed_at_end(&self, disk: Spilled) -> u64 {
        let Some(&last) = self.sizes.first().filter(|_| !self.leaves_buffers) else { return 0 };
        let disk = disk.of_sublayer(last.positions);
        let freed = last.swept_with(disk) - disk.bytes_on_disk(OnDisk::Ordered, last.ordered);
        freed.clamp(0.0, VALUE * last.positions as f64).round() as u64
    }

    /// Returns the bytes of small sublayers side by side, and those of large ones one by one.
    fn by_threads(&self, threads: usize, parts: impl Fn(WorkSize) -> BytesByPart) -> [f64; 2] {
        let of_kind = |large: bool, count: usize| {
            let is_of_kind =
                |size: &&WorkSize| is_large(size.positions, threads, MOST_BESIDE) == large;
            let all = self.sizes.iter().filter(is_of_kind);
            at_once(all.map(|&size| (size.positions, parts(size))).collect(), count)
        };
        [of_kind(false, threads), of_kind(true, 1)]
    }

    fn parts(&self, size: WorkSize, disk: Spilled) -> BytesByPart {
        if self.leaves_buffers && disk.is_empty() {
            size.left()
        } else {
            whole(size.memory(RankShare::ALL, disk.of_sublayer(size.positions)))
        }
    }

    /// Returns the bytes of memory that one of several ranks takes at its peak beside finished values, given the tasks that ranks
    /// have in turn: a sublayer that they sweep together, of which each has a share, or small ones that one rank sweeps alone.
    pub(crate) fn memory_of_rank<'a>(
        &self,
        tasks: impl IntoIterator<Item = &'a RankTask>,
        threads: usize,
        share: impl Fn(usize) -> RankShare,
        disk: Spilled,
    ) -> u64 {
        let of_task = |task: &RankTask| match task {
            RankTask::Together(at) => {
                let size = self.sizes[*at];
                size.memory(share(*at), disk.of_sublayer(size.positions))
            }
            RankTask::Alone(small) => {
                let sizes = small.iter().map(|&at| self.sizes[at]);
                let parts = sizes.map(|size| (size.positions, self.parts(size, disk)));
                at_once(parts.collect(), threads)
            }
        };
        let most = tasks.into_iter().map(of_task).fold(0.0, f64::max);
        (most + REST).round() as u64
    }

    /// Returns the most bytes that one of several ranks has in rooms for values in index order.
    pub(crate) fn spilled_of_rank(&self, ranks: usize, share: impl Fn(usize) -> RankShare) -> u64 {
        let of_rank = |(at, size): (usize, &WorkSize)| size.spilled_of_rank(ranks, share(at));
        self.sizes.iter().enumerate().map(of_rank).fold(0.0, f64::max).round() as u64
    }
}

/// A task of one of several ranks, with the numbers of its sublayers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum RankTask {
    /// The rank sweeps a sublayer together with all others.
    Together(usize),
    /// The rank sweeps these sublayers alone, as many at a time as it has threads.
    Alone(Vec<usize>),
}

/// Returns bytes that are not divided into parts.
fn whole(bytes: f64) -> BytesByPart {
    let mut parts = BytesByPart::default();
    parts[0] = bytes;
    parts
}
