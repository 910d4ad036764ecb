//! A solve by several ranks: small sublayers whole, one rank each, and large ones slab by slab.
//!
//! Every rank goes through the same sublayers in the same order. The first keeps what is solved and tells the others what it
//! has kept already; each holds the values that sublayers to come read, or what it keeps them with does.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::{Open, Read, Schedule, Settled, Sweep, Watch};
use crate::drive::engine::Certify;
use crate::drive::exchange::{ALONE, Ranks, Set};
use crate::drive::iterate::Course;
use crate::drive::schedule::Keep;
use crate::drive::statistics::Tally;
use crate::parallel::{self, Sharing};
use crate::plan::dependencies::is_for_all_ranks;
use crate::types::{Facts, SolveError};
use crate::values::Held;

/// By sublayer: its values, if this rank holds them to the end.
pub(crate) type Solved = Vec<Option<Settled<f64>>>;

/// Returns the bytes of renewed values that this rank receives in a sweep of a sublayer, by the model of a plan.
pub(crate) type Model<'a> = &'a (dyn Fn(usize) -> f64 + Sync);

/// A solve by several ranks in progress, on one of them.
struct Joint<'a, E: Certify<Value = f64>> {
    schedule: &'a Schedule<'a, E>,
    tolerance: f64,
    ranks: Ranks<'a>,
    keep: &'a dyn Keep<f64>,
    watch: &'a dyn Watch,
    model: Model<'a>,
    /// By sublayer: its values while they are held.
    settled: Vec<Option<Settled<f64>>>,
    /// By sublayer: how many are to come that read it.
    readers: Vec<usize>,
    /// The positions of sublayers that are done.
    done: u64,
    /// What this rank has certified.
    tally: Tally,
}

impl<E: Certify<Value = f64>> Schedule<'_, E> {
    /// Sweeps every sublayer to its fixed point together with other ranks and certifies it. Returns, on the first rank, all values
    /// and what the certificates of all ranks have found.
    pub(crate) fn solve_among(
        &self,
        tolerance: f64,
        ranks: Ranks<'_>,
        (keep, watch): (&dyn Keep<f64>, &dyn Watch),
        model: Model<'_>,
    ) -> Result<(Solved, Tally), SolveError> {
        let sublayers = self.engine.sublayers();
        let readers = self.graph.needed_by.iter().map(Vec::len).collect();
        let mut joint = Joint {
            schedule: self,
            tolerance,
            ranks,
            keep,
            watch,
            model,
            settled: vec![None; sublayers],
            readers,
            done: 0,
            tally: Tally::default(),
        };
        self.pool.install(|| {
            joint.all()?;
            Ok((joint.settled, ranks.together(joint.tally)))
        })
    }

    /// Returns whether the ranks sweep a sublayer together.
    fn is_shared(&self, at: usize, ranks: usize) -> bool {
        let (positions, all) = (self.engine.positions(at), self.engine.indexer().len());
        positions > E::MOST_BY_ONE_RANK && is_for_all_ranks(positions, all, self.threads * ranks)
    }

    /// Returns the sublayers in an order in which each comes after those that it leads to: small ones that wait for none of each
    /// other together, and large ones one by one.
    fn batches(&self, ranks: usize) -> Vec<Vec<usize>> {
        let mut order: Vec<_> = (0..self.graph.depth.len()).collect();
        let key = |&at: &usize| (self.graph.depth[at], self.is_shared(at, ranks));
        order.sort_by_key(key);
        let are_together = |a: &usize, b: &usize| key(a) == key(b) && !self.is_shared(*a, ranks);
        order.chunk_by(are_together).map(<[usize]>::to_vec).collect()
    }

    /// Returns which rank solves each of some small sublayers: the largest first, each by the rank that has least to do.
    fn solvers(&self, small: &[usize], ranks: usize) -> Vec<usize> {
        let mut order: Vec<_> = (0..small.len()).collect();
        let positions = |at: &usize| self.engine.positions(small[*at]);
        order.sort_by_key(|at| std::cmp::Reverse(positions(at)));
        let (mut work, mut solvers) = (vec![0; ranks], vec![0; small.len()]);
        for at in order {
            let least = (0..ranks).min_by_key(|&rank| work[rank]).expect("there is a rank");
            solvers[at] = least;
            work[least] += positions(&at);
        }
        solvers
    }
}

impl<E: Certify<Value = f64>> Joint<'_, E> {
    fn all(&mut self) -> Result<(), SolveError> {
        let kept = self.load()?;
        for batch in self.schedule.batches(self.ranks.count()) {
            if self.schedule.is_shared(batch[0], self.ranks.count()) {
                self.large(batch[0], kept.contains(batch[0]))?;
            } else {
                self.small(&batch, &kept)?;
            }
            for &at in &batch {
                self.done += self.schedule.engine.positions(at);
                self.let_go(at)?;
            }
            self.watch.progress(self.done, self.schedule.engine.indexer().len());
        }
        Ok(())
    }

    fn is_first(&self) -> bool {
        self.ranks.rank() == 0
    }

    /// Loads what the first rank has kept; returns which sublayers these are.
    fn load(&mut self) -> Result<Set, SolveError> {
        let mut kept = Set::new(self.settled.len());
        if self.is_first() {
            for (at, settled) in self.settled.iter_mut().enumerate() {
                *settled = self.keep.load(at).map_err(SolveError::Checkpoint)?;
                if settled.is_some() {
                    kept.insert(at);
                }
            }
        }
        Ok(kept.of_all(self.ranks).swap_remove(0))
    }

    /// Solves one sublayer together with the other ranks, or takes it from the first if that has kept it.
    fn large(&mut self, at: usize, is_kept: bool) -> Result<(), SolveError> {
        if is_kept {
            self.spread(at, 0)?;
        } else {
            let settled = self.settle(at, self.schedule.all_threads(), self.ranks)?;
            self.ranks.expect(f64::from(settled.1.sweeps) * (self.model)(at));
            self.settled[at] = Some(settled);
        }
        self.save(at, is_kept)?;
        let tally = self.certify(at, self.schedule.all_threads(), self.ranks)?;
        self.tally = self.tally.and(tally);
        Ok(())
    }

    /// Solves sublayers that do not read each other, each by one rank, but for those that the first has kept.
    fn small(&mut self, batch: &[usize], kept: &Set) -> Result<(), SolveError> {
        let (me, solvers) = (self.ranks.rank(), self.schedule.solvers(batch, self.ranks.count()));
        let own: Vec<_> =
            (0..batch.len()).filter(|&i| solvers[i] == me).map(|i| batch[i]).collect();
        let to_do: Vec<_> = own.iter().copied().filter(|&at| !kept.contains(at)).collect();
        let settle = |i: usize| self.settle(to_do[i], Sharing::Nobody, ALONE);
        let found = parallel::map(self.schedule.all_threads(), 0..to_do.len(), settle);
        for (&at, settled) in to_do.iter().zip(found) {
            self.settled[at] = Some(settled?);
        }
        for (&at, &solver) in batch.iter().zip(&solvers) {
            let is_kept = kept.contains(at);
            self.spread(at, if is_kept { 0 } else { solver })?;
            self.save(at, is_kept)?;
        }
        let certify = |i: usize| self.certify(own[i], Sharing::Nobody, ALONE);
        for tally in parallel::map(self.schedule.all_threads(), 0..own.len(), certify) {
            self.tally = self.tally.and(tally?);
        }
        Ok(())
    }

    /// Returns what holds the values of a sublayer.
    fn held(&self, at: usize) -> Option<Arc<dyn Held>> {
        self.settled[at].as_ref().map(|(values, _)| Arc::clone(values))
    }

    fn settle(
        &self,
        at: usize,
        sharing: Sharing<'_>,
        ranks: Ranks<'_>,
    ) -> Result<Settled<f64>, SolveError> {
        let schedule = self.schedule;
        let targets = schedule.graph.leads_to[at].iter().copied();
        let read = Read::new(self.settled.len(), targets, |target| self.held(target));
        let positions = schedule.engine.positions(at) as f64;
        let told = AtomicU64::new(0);
        let watch = |share: f64, sweep: Option<&Sweep<'_>>| {
            if let Some(sweep) = sweep {
                self.watch.sweep(at, sweep);
            }
            if !ranks.is_alone() {
                let told = told.fetch_max((share * positions) as u64, Ordering::Relaxed);
                self.watch.progress(self.done + told, schedule.engine.indexer().len());
            }
            // All ranks end, or none: who stops one of them ends its process.
            false
        };
        let certificate = Some(&schedule.certificates[at]);
        let course =
            Course { sharing, ranks, tolerance: self.tolerance, watch: &watch, certificate };
        let settle = |space: &mut _| schedule.engine.settle(at, read, space, course);
        let (values, sweeps) = schedule.with_space(at, sharing, settle)?;
        Ok((values, Facts { sweeps }))
    }

    /// Gives all ranks the values of a sublayer that `from` has.
    fn spread(&mut self, at: usize, from: usize) -> Result<(), SolveError> {
        let engine = self.schedule.engine;
        let mut values = engine.room(engine.positions(at))?;
        let mut facts = Facts::default();
        if let Some((held, own)) = self.settled[at].as_ref().filter(|_| self.ranks.rank() == from) {
            values.as_mut_slice().copy_from_slice(held.values());
            held.rest();
            facts = *own;
        }
        let mut sweeps = facts.sweeps.to_le_bytes();
        self.ranks.spread(from, &mut sweeps);
        self.ranks.spread(from, bytemuck::cast_slice_mut(values.as_mut_slice()));
        if self.ranks.rank() != from {
            let facts = Facts { sweeps: u32::from_le_bytes(sweeps) };
            self.settled[at] = Some((Arc::new(values), facts));
        }
        Ok(())
    }

    /// Keeps a sublayer, which the first rank may have kept before; readers to come read it where it is kept.
    fn save(&mut self, at: usize, is_kept: bool) -> Result<(), SolveError> {
        let is_to_be = !(is_kept && self.is_first());
        if let Some((values, facts)) = self.settled[at].take_if(|_| is_to_be) {
            let kept = self.keep.save(at, values, facts).map_err(SolveError::Checkpoint)?;
            self.settled[at] = Some((kept, facts));
        }
        Ok(())
    }

    /// Measures how far the values of a sublayer are from their backups, unless that is known.
    fn certify(
        &self,
        at: usize,
        sharing: Sharing<'_>,
        ranks: Ranks<'_>,
    ) -> Result<Tally, SolveError> {
        if let Some(&tally) = self.schedule.certificates[at].get() {
            return Ok(tally);
        }
        let open: Open<'_> = &|at| self.held(at).expect("a sublayer is held while it is read");
        self.schedule.measure(at, Course { ranks, ..Course::of_certificate(sharing) }, open)
    }

    /// Lets go of the sublayers that only the one at `at` was still to read; the first rank holds all. If one is damaged, so may be
    /// what has read it.
    fn let_go(&mut self, at: usize) -> Result<(), SolveError> {
        for &target in &self.schedule.graph.leads_to[at] {
            self.readers[target] -= 1;
            let is_last = self.readers[target] == 0 && !self.is_first();
            if self.settled[target].take_if(|_| is_last).is_some_and(|(it, _)| !it.is_undamaged()) {
                return Err(SolveError::Damaged);
            }
        }
        Ok(())
    }
}
