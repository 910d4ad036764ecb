//! The graph of sublayers, and for how long their values are needed.

use puabi_core::{Indexer, Sublayer};

use crate::drive::engine::Engine;
use crate::plan::dependencies::{self, MOST_BESIDE, is_for_all_ranks};
use crate::plan::memory::RankTask;

/// The sublayers of a game as a graph without cycles.
#[derive(Debug)]
pub(crate) struct Graph {
    /// By sublayer: those that moves lead to.
    pub(crate) leads_to: Vec<Vec<usize>>,
    /// By sublayer: those whose moves lead to it.
    pub(crate) needed_by: Vec<Vec<usize>>,
    /// By sublayer: the largest number of sublayers that a game may pass through after it.
    pub(crate) depth: Vec<u32>,
    /// By sublayer: its positions.
    positions: Vec<u64>,
    /// The most positions of a sublayer that is at work beside others.
    most_beside: u64,
}

impl Graph {
    /// Returns the graph of an engine's sublayers, or of the units that it has instead.
    pub(crate) fn new<E: Engine>(engine: &E) -> Self {
        let positions: Vec<_> = (0..engine.sublayers()).map(|at| engine.positions(at)).collect();
        Self::from_edges(positions, |at| engine.leads_to(at), E::MOST_BESIDE)
    }

    /// Returns the graph of a game's sublayers.
    pub(crate) fn of_game(indexer: &Indexer) -> Self {
        let positions = indexer.sublayers().iter().map(Sublayer::len).collect();
        Self::from_edges(positions, |at| dependencies::leads_to(indexer, at), MOST_BESIDE)
    }

    fn from_edges(
        positions: Vec<u64>,
        leads_to: impl Fn(usize) -> Vec<usize>,
        most_beside: u64,
    ) -> Self {
        let sublayers = positions.len();
        let leads_to: Vec<_> = (0..sublayers).map(leads_to).collect();
        let (mut needed_by, mut depth) = (vec![Vec::new(); sublayers], vec![0; sublayers]);
        // Moves lead to larger numbers.
        for (at, targets) in leads_to.iter().enumerate().rev() {
            for &target in targets {
                needed_by[target].push(at);
                depth[at] = depth[at].max(depth[target] + 1);
            }
        }
        Self { leads_to, needed_by, depth, positions, most_beside }
    }

    /// Returns whether the sublayer at `at` is at work alone, swept by all threads together.
    pub(crate) fn is_large(&self, at: usize, threads: usize) -> bool {
        dependencies::is_large(self.positions[at], threads, self.most_beside)
    }

    /// Returns by how many sublayers each one is read. Sublayers that no other leads to, and those that they lead to, count one
    /// reader more, so that they are held to the end.
    pub(crate) fn readers(&self) -> Vec<usize> {
        let mut readers: Vec<_> = self.needed_by.iter().map(Vec::len).collect();
        for (at, targets) in self.leads_to.iter().enumerate() {
            if self.needed_by[at].is_empty() {
                readers[at] += 1;
                for &target in targets {
                    readers[target] += 1;
                }
            }
        }
        readers
    }

    /// Returns which sublayers all ranks sweep together, given the number of threads of all ranks: large ones, and those that
    /// lead to a shared one. So a rank that sweeps a sublayer alone has all that this sublayer leads to. Sublayers of at most
    /// `most_by_one_rank` positions are not large.
    pub(crate) fn shared(&self, most_by_one_rank: u64, threads: usize) -> Vec<bool> {
        let mut shared = vec![false; self.depth.len()];
        let all = self.positions.iter().sum();
        // Moves lead to larger numbers.
        for at in (0..shared.len()).rev() {
            let positions = self.positions[at];
            let is_large =
                positions > most_by_one_rank && is_for_all_ranks(positions, all, threads);
            shared[at] = is_large || self.leads_to[at].iter().any(|&target| shared[target]);
        }
        shared
    }

    /// Returns the sublayers in the order in which ranks solve them, each after those that it leads to. The small ones of one
    /// depth come together, then the shared ones of that depth one by one.
    pub(crate) fn batches(&self, is_shared: &[bool]) -> Vec<Vec<usize>> {
        let mut order: Vec<_> = (0..self.depth.len()).collect();
        let key = |&at: &usize| (self.depth[at], is_shared[at]);
        order.sort_by_key(key);
        let are_together = |a: &usize, b: &usize| key(a) == key(b) && !is_shared[*a];
        order.chunk_by(are_together).map(<[usize]>::to_vec).collect()
    }

    /// Returns which rank solves each of some small sublayers: the largest first, each by the rank that has least to do.
    pub(crate) fn solvers(&self, small: &[usize], ranks: usize) -> Vec<usize> {
        let mut order: Vec<_> = (0..small.len()).collect();
        let positions = |at: &usize| self.positions[small[*at]];
        order.sort_by_key(|at| std::cmp::Reverse(positions(at)));
        let (mut work, mut solvers) = (vec![0; ranks], vec![0; small.len()]);
        for at in order {
            let least = (0..ranks).min_by_key(|&rank| work[rank]).expect("there is a rank");
            solvers[at] = least;
            work[least] += positions(&at);
        }
        solvers
    }

    /// Returns all tasks of the ranks.
    pub(crate) fn tasks(&self, is_shared: &[bool], ranks: usize) -> Vec<RankTask> {
        let of_batch = |batch: Vec<usize>| match batch[..] {
            [at] if is_shared[at] => vec![RankTask::Together(at)],
            _ => {
                let mut own = vec![Vec::new(); ranks];
                let solvers = self.solvers(&batch, ranks);
                batch.into_iter().zip(solvers).for_each(|(at, rank)| own[rank].push(at));
                own.into_iter().map(RankTask::Alone).collect()
            }
        };
        self.batches(is_shared).into_iter().flat_map(of_batch).collect()
    }

    /// Returns the most positions that one process holds at a time if each sublayer is released after its last reader; `held_of`
    /// returns how many positions it holds of a sublayer of a given size.
    pub(crate) fn most_held(&self, threads: usize, held_of: impl Fn(u64) -> u64) -> u64 {
        let mut order: Vec<_> = (0..self.depth.len()).collect();
        order.sort_by_key(|&at| (self.depth[at], self.is_large(at, threads), at));
        self.most_held_in(order.chunks(1), |at| held_of(self.positions[at]))
    }

    /// Returns the most positions held at a time if sublayers are solved in batches. A batch is solved before any sublayer that
    /// it leads to is released. `held_of` returns how many positions are held of a sublayer.
    pub(crate) fn most_held_in<'a>(
        &self,
        batches: impl IntoIterator<Item = &'a [usize]>,
        held_of: impl Fn(usize) -> u64,
    ) -> u64 {
        let mut readers = self.readers();
        let (mut held, mut most) = (0, 0);
        for batch in batches {
            held += batch.iter().map(|&at| held_of(at)).sum::<u64>();
            most = most.max(held);
            for &target in batch.iter().flat_map(|&at| &self.leads_to[at]) {
                readers[target] -= 1;
                held -= if readers[target] == 0 { held_of(target) } else { 0 };
            }
        }
        most
    }

    /// Returns the most positions that are opened at a time if the certificate of a sublayer opens it and those that it leads to.
    /// Only sublayers of at least `least` positions count.
    pub(crate) fn most_opened(&self, threads: usize, least: u64) -> u64 {
        let positions = |at: usize| Some(self.positions[at]).filter(|&it| it >= least).unwrap_or(0);
        let opened = |at: usize| {
            let all = self.leads_to[at].iter().chain([&at]).map(|&at| positions(at)).sum::<u64>();
            if self.is_large(at, threads) { all } else { all.saturating_mul(threads as u64) }
        };
        (0..self.depth.len()).map(opened).max().unwrap_or(0)
    }
}
