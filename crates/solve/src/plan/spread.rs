//! A model of what ranks that solve a game together hand to each other, counted before it is solved.
//!
//! The pieces of a side on shared squares are taken as a mask, even if pieces may lie on each other. The masks of one progress
//! are a level; each rank holds a chunk of it, and the values of a mask go to the ranks that hold what reads them. See "Ranks" in
//! `docs/method.md`.
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "chances and shares are never negative, and squares few"
)]

use std::ops::Range;

use puabi_core::{Indexer, Rules, Sublayer};

use crate::memory::spill::Spilled;
use crate::plan::dependencies::leads_to;
use crate::plan::memory::RankShare;
use crate::plan::size::{EngineWork, VALUE, WorkSize};

/// By number of the junior's pieces on shared squares: what a rank receives of the values with that number, as a share of all of
/// them.
type ByPieces = Vec<f64>;

/// How the values of a game's sublayers spread over ranks.
#[derive(Debug)]
pub(crate) struct Spread {
    ranks: usize,
    /// By the junior's movable pieces.
    read_shares: Vec<ReadShares>,
    /// By sublayer: which share of its values has each number of the junior's pieces on shared squares.
    shares: Vec<(u8, Vec<f64>)>,
    are_mirrors: Vec<bool>,
    /// By sublayer: the positions of those that it leads to.
    reads: Vec<f64>,
    handing: Handing,
}

/// How an engine hands on what it renews.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Handing {
    /// The share of values that a sweep changes and hands on; values that are extrapolated count once more. The first number is
    /// for sublayers that do not mirror themselves, the second for those that do.
    pub(crate) renewed: [f64; 2],
    /// The least blocks of a strip if ranks hold strips of several slabs.
    pub(crate) strip: Option<f64>,
    /// The share of the sides with a mask that a move leads to: 1 if no square takes two pieces.
    pub(crate) sides: f64,
    /// The number of values that are as much work as everything else of a block.
    pub(crate) block: f64,
    /// The most that a rank fetches of a finished sublayer that it reads: the first number times its part, but no more than the
    /// second as a share of all.
    pub(crate) fetched: [f64; 2],
}

/// Which share of the values is read, by the number of the junior's pieces on shared squares.
#[derive(Debug, Default)]
struct ReadShares {
    /// What each rank receives from others.
    received: Vec<ByPieces>,
    /// What the holder of the values reads of them.
    own: ByPieces,
}

/// Masks of the junior's shared squares, in the order of sweeps: level by level, in each by number.
struct Masks {
    all: Vec<u64>,
    /// By mask: the rank that holds it.
    holders: rustc_hash::FxHashMap<u64, usize>,
}

/// What the model knows of the rules.
struct Board {
    /// The numbers of shared squares, and of pre squares before them.
    squares: u32,
    pre: u32,
    /// The throws that move a piece.
    throws: Vec<u32>,
    /// The chance that the senior has a piece on a given shared square.
    density: f64,
    /// By the junior's pieces on shared squares: the blocks of a slab if all pieces of the senior can move, and how much work these
    /// are.
    slab: Vec<f64>,
    work: Vec<f64>,
    handing: Handing,
}

/// The most masks that are counted. To count them takes some seconds.
const MOST_MASKS: f64 = 4e6;
/// In a sublayer that mirrors itself, the share of the images that some block reads: counted in `finkel:4`.
const IMAGES: f64 = 0.57;

impl Spread {
    /// Counts what `ranks` ranks receive.
    pub(crate) fn new(rules: &Rules, indexer: &Indexer, ranks: usize, handing: Handing) -> Self {
        let shares: Vec<_> = indexer.sublayers().iter().map(|it| shares(indexer, *it)).collect();
        let board = Board::new(rules, indexer, handing);
        let most = usize::from(indexer.pieces());
        let mut read_shares: Vec<_> = (0..=most).map(|_| ReadShares::default()).collect();
        for &(movable, _) in &shares {
            let read = &mut read_shares[usize::from(movable)];
            if read.received.is_empty() {
                *read = board.read_shares(movable, ranks);
            }
        }
        let are_mirrors = indexer.sublayers().iter().map(Sublayer::is_mirror).collect();
        let positions = |at: usize| indexer.sublayers()[at].len() as f64;
        let reads = |at| leads_to(indexer, at).into_iter().map(positions).sum();
        let reads = (0..shares.len()).map(reads).collect();
        Self { ranks, read_shares, shares, are_mirrors, reads, handing }
    }

    /// Returns the number of ranks.
    pub(crate) fn ranks(&self) -> usize {
        self.ranks
    }

    /// Returns the bytes that each rank receives in a sweep of the sublayer at `at`, given its size.
    pub(crate) fn sweep(&self, at: usize, size: WorkSize) -> Vec<f64> {
        let renewed = self.handing.renewed[usize::from(self.are_mirrors[at])];
        let bytes = renewed * VALUE * size.swept;
        let (read, _) = self.read(at);
        read.into_iter().map(|part| bytes * part).collect()
    }

    /// Returns the share of the rank that has most of the sublayer at `at`: what it sweeps, and what it reads. In the general
    /// engine a rank has all of this to the end.
    pub(crate) fn share(&self, at: usize) -> RankShare {
        let (read, images) = self.read(at);
        let most = read.into_iter().fold(0.0, f64::max);
        let own = 1.0 / self.ranks as f64;
        let at_end = if self.handing.strip.is_some() { own + most } else { own };
        let [fetched, fetched_from] = [self.fetched(at), self.reads[at]];
        RankShare { own, swept: own + most, images, at_end, fetched, fetched_from }
    }

    /// Returns how many values of finished sublayers a rank fetches for the one at `at`, its own among them.
    fn fetched(&self, at: usize) -> f64 {
        let Handing { fetched: [parts, most], .. } = self.handing;
        self.reads[at] * (parts / self.ranks as f64).min(most)
    }

    /// Returns which share of the values of the sublayer at `at` each rank reads from others, and which share of all images a
    /// rank reads on average.
    fn read(&self, at: usize) -> (Vec<f64>, f64) {
        let (movable, shares) = &self.shares[at];
        let ReadShares { received, own } = &self.read_shares[usize::from(*movable)];
        let of_all = |it: &ByPieces| -> f64 {
            it.iter().zip(shares).map(|(part, share)| part * share).sum()
        };
        let parts: Vec<f64> = received.iter().map(of_all).collect();
        let mean = parts.iter().sum::<f64>() / self.ranks as f64;
        let others = (self.ranks as f64 - 1.0) / self.ranks as f64;
        if !self.are_mirrors[at] || others == 0.0 {
            return (parts, 0.0);
        }
        // An image belongs to a slab of its own, which any rank may hold. The holder of that slab and other ranks read it as
        // often as any slab.
        let image = IMAGES * (of_all(own) * (1.0 - others) + mean);
        let with_images = |part: f64| others - (others - part).max(0.0) * (1.0 - image);
        (parts.into_iter().map(with_images).collect(), image)
    }

    /// Returns the bytes of finished values that the first rank receives for the sublayer at `at`: what it fetches, its part, and
    /// then the parts of all others.
    pub(crate) fn finished(&self, at: usize, size: WorkSize) -> f64 {
        let own = 1.0 / self.ranks as f64;
        VALUE * (1.0 - own) * (self.fetched(at) + (1.0 + own) * size.positions as f64)
    }
}

/// Returns the junior's movable pieces in a sublayer, and which share of the boards has each number of them on shared squares.
fn shares(indexer: &Indexer, sublayer: Sublayer) -> (u8, Vec<f64>) {
    let states = indexer.side_states();
    let [senior, junior] =
        [sublayer.senior, sublayer.junior].map(|state| states[state].movable(indexer.pieces()));
    let ways = |left: u8| indexer.pre_index().ways_at_most(left) as f64;
    let boards = |on_junior: u8| -> f64 {
        let boards = |on: u8| indexer.configurations(on, on_junior) as f64 * ways(senior - on);
        ways(junior - on_junior) * (0..=senior).map(boards).sum::<f64>()
    };
    let boards: Vec<_> = (0..=junior).map(boards).collect();
    let all: f64 = boards.iter().sum();
    (junior, boards.into_iter().map(|boards| boards / all).collect())
}

impl Board {
    fn new(rules: &Rules, indexer: &Indexer, handing: Handing) -> Self {
        let zones = indexer.zones();
        let squares = u32::from(rules.length() - zones.pre() - zones.post());
        let throws = rules.rolls().iter().map(|(roll, _)| u32::from(roll.steps()));
        // On average half of the pieces are assumed to be on shared squares.
        let density = f64::from(indexer.pieces()) / 2.0 / f64::from(squares);
        let throws = throws.filter(|&steps| steps > 0).collect();
        let pieces = indexer.pieces();
        let of_slab = |on_junior: u8, of_block: &dyn Fn(u8) -> f64| {
            let blocks = |on: u8| indexer.configurations(on, on_junior) as f64 * of_block(on);
            let masks = ways(squares, u32::from(on_junior));
            (0..=pieces).map(blocks).sum::<f64>() / masks.max(1.0)
        };
        let slab = |on_junior: u8| of_slab(on_junior, &|_| 1.0);
        let values = |on: u8| indexer.pre_index().ways_at_most(pieces - on) as f64;
        let work = |on_junior: u8| {
            of_slab(on_junior, &|on| handing.block + values(on) * values(on_junior))
        };
        let slab = (0..=pieces).map(slab).collect();
        let work = (0..=pieces).map(work).collect();
        let (pre, density) = (u32::from(zones.pre()), density.min(0.5));
        Self { squares, pre, throws, density, slab, work, handing }
    }

    /// Returns what each rank receives in a sweep if the junior has this many movable pieces, and what it reads of its own.
    fn read_shares(&self, movable: u8, ranks: usize) -> ReadShares {
        let none = vec![0.0; usize::from(movable) + 1];
        let mut shares = ReadShares { received: vec![none.clone(); ranks], own: none.clone() };
        if ranks == 1 {
            return shares;
        }
        let counted = self.counted(u32::from(movable));
        let masks = self.masks(counted, ranks);
        let (mut counts, mut readers) = (none, Vec::new());
        for &mask in &masks.all {
            readers.clear();
            self.readers(mask, counted, &masks, &mut readers);
            readers.sort_unstable_by_key(|&(rank, _)| rank);
            let pieces = mask.count_ones() as usize;
            for same in readers.chunk_by(|a, b| a.0 == b.0) {
                let unread: f64 = same.iter().map(|(_, part)| 1.0 - part).product();
                let rank = same[0].0;
                let is_own = rank == masks.holders[&mask];
                let read = if is_own { &mut shares.own } else { &mut shares.received[rank] };
                read[pieces] += 1.0 - unread;
            }
            counts[pieces] += 1.0;
        }
        for read in shares.received.iter_mut().chain([&mut shares.own]) {
            read.iter_mut().zip(&counts).for_each(|(part, count)| *part /= count.max(1.0));
            let last = read[counted as usize];
            read[counted as usize..].fill(last);
        }
        shares
    }

    /// Returns the most pieces of the masks that are counted: fewer than `movable` if there are too many masks. Masks with more
    /// pieces are assumed to be read as much as those with the most pieces that are counted.
    fn counted(&self, movable: u32) -> u32 {
        let mut masks = 0.0;
        for pieces in 0..=movable.min(self.squares) {
            masks += ways(self.squares, pieces);
            if masks > MOST_MASKS {
                return pieces - 1;
            }
        }
        movable
    }

    /// Adds the ranks that hold readers of a mask, and which part of its values each of these readers reads.
    fn readers(&self, mask: u64, movable: u32, masks: &Masks, readers: &mut Vec<(usize, f64)>) {
        let mut add = |mask, part| {
            if let Some(&rank) = masks.holders.get(&mask) {
                readers.push((rank, part));
            }
        };
        for square in 0..self.squares {
            let bit = 1_u64 << square;
            if mask & bit == 0 {
                // The senior has captured a piece there.
                if mask.count_ones() < movable {
                    add(mask | bit, self.density);
                }
                continue;
            }
            for &steps in &self.throws {
                match square.checked_sub(steps) {
                    Some(from) if mask >> from & 1 == 0 => {
                        add(mask ^ bit | 1_u64 << from, self.handing.sides * (1.0 - self.density));
                    }
                    // The piece came from the hand or a pre square.
                    None if steps <= square + 1 + self.pre => add(mask ^ bit, self.handing.sides),
                    _ => {}
                }
            }
        }
    }

    /// Returns the masks of at most this many pieces, cut into chunks for ranks level by level.
    fn masks(&self, movable: u32, ranks: usize) -> Masks {
        let mut masks = Vec::new();
        push_masks(0, 0, self.squares, movable, &mut masks);
        let progress = |mask: u64| (0..self.squares).filter(|at| mask >> at & 1 != 0).sum::<u32>();
        let level = |mask: u64| progress(mask) + mask.count_ones() * (self.pre + 1);
        masks.sort_unstable_by_key(|&mask| (level(mask), mask));
        let mut holders = rustc_hash::FxHashMap::default();
        for level in masks.chunk_by(|&a, &b| level(a) == level(b)) {
            let work = |masks: &[u64]| -> f64 {
                masks.iter().map(|mask| self.work[mask.count_ones() as usize]).sum()
            };
            let (all, mut before) = (work(level), 0.0);
            for strip in self.strips(level) {
                let own = work(&level[strip.clone()]);
                let holder = ((before + own / 2.0) / all * ranks as f64) as usize;
                let holder = holder.min(ranks - 1);
                before += own;
                holders.extend(level[strip.clone()].iter().map(|&mask| (mask, holder)));
            }
        }
        Masks { all: masks, holders }
    }

    /// Cuts the masks of a level into strips that have at least the blocks of a strip, or into single masks if ranks hold no
    /// strips.
    fn strips(&self, level: &[u64]) -> Vec<Range<usize>> {
        let least = self.handing.strip.unwrap_or(0.0);
        let (mut strips, mut start, mut blocks) = (Vec::new(), 0, 0.0);
        for (at, mask) in level.iter().enumerate() {
            blocks += self.slab[mask.count_ones() as usize];
            if blocks >= least || at + 1 == level.len() {
                strips.push(start..at + 1);
                (start, blocks) = (at + 1, 0.0);
            }
        }
        strips
    }
}

/// Returns in how many ways the pieces can lie on the squares, at most one on each.
fn ways(squares: u32, pieces: u32) -> f64 {
    (1..=pieces)
        .map(|piece| f64::from((squares + 1).saturating_sub(piece)) / f64::from(piece))
        .product()
}

/// Adds a mask, and all masks with up to `left` more pieces on squares from `from` on.
fn push_masks(mask: u64, from: u32, squares: u32, left: u32, masks: &mut Vec<u64>) {
    masks.push(mask);
    if left > 0 {
        for square in from..squares {
            push_masks(mask | 1_u64 << square, square + 1, squares, left - 1, masks);
        }
    }
}

/// The cost of a solve by several ranks, estimated without solving.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct RankPlan {
    /// The number of ranks.
    pub ranks: usize,
    /// The bytes of memory of one rank at its peak, if no checkpoint holds finished values for it.
    pub memory: u64,
    /// The bytes of memory of one rank at its peak, if a checkpoint holds finished values for it and values are brought to index
    /// order in rooms.
    pub spilling: u64,
    /// The bytes of renewed values that all ranks receive, and those of the rank that receives most.
    pub renewed: [u64; 2],
    /// The bytes of finished values that the first rank receives. It receives more of them than any other rank.
    pub finished: u64,
    /// The processor time in seconds, all ranks together.
    pub cpu_seconds: f64,
}

/// The assumed number of sweeps of a sublayer. Most take 24 to 34, but single ones in `docs/results.md` up to 287.
const SWEEPS: f64 = 30.0;

impl RankPlan {
    /// Plans for several ranks, given the memory of each without and with rooms, and which sublayers all ranks sweep together.
    pub(crate) fn new(
        work: &EngineWork,
        spread: &Spread,
        [memory, spilling]: [u64; 2],
        is_shared: &[bool],
    ) -> Self {
        let mut received = vec![0.0; spread.ranks];
        let mut finished = 0.0;
        for (at, &size) in work.sizes.iter().enumerate() {
            finished += spread.finished(at, size);
            if !is_shared[at] {
                continue;
            }
            let sweep = spread.sweep(at, size);
            received.iter_mut().zip(sweep).for_each(|(all, sweep)| *all += SWEEPS * sweep);
        }
        let (all, most) =
            (received.iter().sum::<f64>(), received.iter().copied().fold(0.0, f64::max));
        Self {
            ranks: spread.ranks,
            memory,
            spilling,
            renewed: [all as u64, most as u64],
            finished: finished as u64,
            cpu_seconds: work.seconds(Spilled::default()),
        }
    }
}
