//! The graph of sublayers, and for how long their values are read.

use crate::drive::engine::Engine;
use crate::plan::dependencies::is_for_all_ranks;

/// The sublayers of a game as a graph without cycles.
#[derive(Debug)]
pub(crate) struct Graph {
    /// By sublayer: those that moves lead to.
    pub(crate) leads_to: Vec<Vec<usize>>,
    /// By sublayer: those whose moves lead to it.
    pub(crate) needed_by: Vec<Vec<usize>>,
    /// By sublayer: the most sublayers that a game may come through after it.
    pub(crate) depth: Vec<u32>,
}

impl Graph {
    pub(crate) fn new(engine: &impl Engine) -> Self {
        let sublayers = engine.sublayers();
        let leads_to: Vec<_> = (0..sublayers).map(|at| engine.leads_to(at)).collect();
        let (mut needed_by, mut depth) = (vec![Vec::new(); sublayers], vec![0; sublayers]);
        // Moves lead to larger numbers.
        for (at, targets) in leads_to.iter().enumerate().rev() {
            for &target in targets {
                needed_by[target].push(at);
                depth[at] = depth[at].max(depth[target] + 1);
            }
        }
        Self { leads_to, needed_by, depth }
    }

    /// Returns how many sublayers are to come that read each; those that the beginning of a game reads are read once more.
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

    /// Returns which sublayers ranks sweep together, given the threads of all of them: large ones, and those that lead to one that they
    /// do. What a rank sweeps by itself leads to what it has.
    pub(crate) fn shared<E: Engine>(&self, engine: &E, threads: usize) -> Vec<bool> {
        let mut shared = vec![false; self.depth.len()];
        // Moves lead to larger numbers.
        for at in (0..shared.len()).rev() {
            let (positions, all) = (engine.positions(at), engine.indexer().len());
            let is_large =
                positions > E::MOST_BY_ONE_RANK && is_for_all_ranks(positions, all, threads);
            shared[at] = is_large || self.leads_to[at].iter().any(|&target| shared[target]);
        }
        shared
    }

    /// Returns the sublayers in the order in which ranks solve them, each after those that it leads to: of one depth small ones together,
    /// and then shared ones one by one.
    pub(crate) fn batches(&self, is_shared: &[bool]) -> Vec<Vec<usize>> {
        let mut order: Vec<_> = (0..self.depth.len()).collect();
        let key = |&at: &usize| (self.depth[at], is_shared[at]);
        order.sort_by_key(key);
        let are_together = |a: &usize, b: &usize| key(a) == key(b) && !is_shared[*a];
        order.chunk_by(are_together).map(<[usize]>::to_vec).collect()
    }

    /// Returns the most positions that one process holds at a time if each sublayer is let go after its last reader; `held_of` returns
    /// how many it holds of a sublayer of a size.
    pub(crate) fn most_held(
        &self,
        engine: &impl Engine,
        threads: usize,
        held_of: impl Fn(u64) -> u64,
    ) -> u64 {
        let mut order: Vec<_> = (0..self.depth.len()).collect();
        order.sort_by_key(|&at| (self.depth[at], engine.is_large(at, threads), at));
        self.most_held_in(order.chunks(1), |at| held_of(engine.positions(at)))
    }

    /// The same of batches, each of which is solved before any of what it leads to is let go; `held_of` returns how many positions are
    /// held of a sublayer.
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

    /// Returns the most positions that are opened at a time if the certificate of a sublayer opens it and those it leads to, of
    /// sublayers of at least `least` positions.
    pub(crate) fn most_opened(&self, engine: &impl Engine, threads: usize, least: u64) -> u64 {
        let positions = |at| Some(engine.positions(at)).filter(|&it| it >= least).unwrap_or(0);
        let opened = |at: usize| {
            let all = self.leads_to[at].iter().chain([&at]).map(|&at| positions(at)).sum::<u64>();
            if engine.is_large(at, threads) { all } else { all.saturating_mul(threads as u64) }
        };
        (0..self.depth.len()).map(opened).max().unwrap_or(0)
    }
}
