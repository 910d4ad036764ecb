//! The graph of sublayers, and for how long their values are read.

use crate::drive::engine::Engine;

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

    /// Returns the most positions that one thread holds at a time if each sublayer is let go after its last reader, given how many it
    /// holds of one with so many.
    pub(crate) fn most_held(
        &self,
        engine: &impl Engine,
        threads: usize,
        held_of: impl Fn(u64) -> u64,
    ) -> u64 {
        let positions = |at| held_of(engine.positions(at));
        let mut order: Vec<_> = (0..self.depth.len()).collect();
        order.sort_by_key(|&at| (self.depth[at], engine.is_large(at, threads), at));
        let mut readers = self.readers();
        let (mut held, mut most) = (0, 0);
        for at in order {
            held += positions(at);
            most = most.max(held);
            for &target in &self.leads_to[at] {
                readers[target] -= 1;
                held -= if readers[target] == 0 { positions(target) } else { 0 };
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
