//! A solve by several ranks: each small sublayer is swept whole by one rank, and the slabs of large ones by all ranks.
//!
//! Every rank goes through the same sublayers in the same order. The first rank keeps what is solved and tells the others what it
//! has kept already. Each rank, or its checkpoint, holds the small sublayers that are still to be read, and its part of the large
//! ones.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use super::{OpenValues, Schedule, Settled, Sweep, Watch};
use crate::drive::divided::{Division, Fetched, WantedPages};
use crate::drive::engine::{Certify, Finished};
use crate::drive::exchange::{ALONE, BitSet, Ranks};
use crate::drive::iterate::Course;
use crate::drive::schedule::Keep;
use crate::drive::statistics::Tally;
use crate::memory::buffer::Buffer;
use crate::parallel::{self, Sharing};
use crate::types::{Facts, SolveError};
use crate::values::Held;

/// By sublayer: its values, if this rank holds them to the end.
pub(crate) type Solved = Vec<Option<Settled<f64>>>;

/// A function that returns the bytes of renewed values that this rank receives in a sweep of a sublayer, by the model of a plan.
pub(crate) type Model<'a> = &'a (dyn Fn(usize) -> f64 + Sync);

/// A function that returns room for all values of a sublayer on the first rank.
pub(crate) type Gathering<'a> = &'a (dyn Fn(u64) -> Result<Buffer<f64>, SolveError> + Sync);

/// A solve by several ranks in progress, on one of them.
struct Joint<'a, E: Certify<Value = f64>> {
    schedule: &'a Schedule<'a, E>,
    tolerance: f64,
    ranks: Ranks<'a>,
    keep: &'a dyn Keep<f64>,
    watch: &'a dyn Watch,
    model: Model<'a>,
    gathering: Gathering<'a>,
    /// By sublayer: whether all ranks sweep it together and each has a part of its values.
    is_shared: Vec<bool>,
    /// By sublayer: its values while they are held. Of a shared sublayer the first rank has all values.
    settled: Vec<Option<Settled<f64>>>,
    /// By sublayer: how many are still to read it.
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
        (model, gathering): (Model<'_>, Gathering<'_>),
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
            gathering,
            is_shared: self.graph.shared(E::MOST_BY_ONE_RANK, self.threads * ranks.count()),
            settled: vec![None; sublayers],
            readers,
            done: 0,
            tally: Tally::default(),
        };
        self.pool.install(|| {
            joint.all()?;
            Ok((joint.settled, ranks.certified_together(joint.tally)))
        })
    }
}

impl<E: Certify<Value = f64>> Joint<'_, E> {
    fn all(&mut self) -> Result<(), SolveError> {
        let kept = self.load()?;
        for batch in self.schedule.graph.batches(&self.is_shared) {
            if self.is_shared[batch[0]] {
                self.large(batch[0], kept.contains(batch[0]))?;
            } else {
                self.small(&batch, &kept)?;
            }
            for &at in &batch {
                self.done += self.schedule.engine.positions(at);
                self.release_targets(at)?;
            }
            self.watch.progress(self.done, self.schedule.engine.indexer().len());
        }
        Ok(())
    }

    fn is_first(&self) -> bool {
        self.ranks.rank() == 0
    }

    /// Loads what the first rank has kept; returns which sublayers these are.
    fn load(&mut self) -> Result<BitSet, SolveError> {
        let mut kept = BitSet::new(self.settled.len());
        if self.is_first() {
            for (at, settled) in self.settled.iter_mut().enumerate() {
                *settled = self.keep.load(at).map_err(SolveError::Checkpoint)?;
                if settled.is_some() {
                    kept.insert(at);
                }
            }
        }
        Ok(kept.exchanged(self.ranks).swap_remove(0))
    }

    /// Solves one sublayer together with the other ranks, or takes it from the first if that has kept it.
    fn large(&mut self, at: usize, is_kept: bool) -> Result<(), SolveError> {
        if !is_kept {
            let settled = self.settle(at, self.schedule.all_threads(), self.ranks)?;
            self.ranks.count_modelled(f64::from(settled.1.sweeps) * (self.model)(at));
            self.settled[at] = Some(settled);
        }
        self.divide(at, is_kept)?;
        self.save(at, is_kept)?;
        let tally = self.certify(at, self.schedule.all_threads(), self.ranks)?;
        self.tally = self.tally.and(tally);
        Ok(())
    }

    /// Solves sublayers that do not read each other, each by one rank, except those that the first rank has kept.
    fn small(&mut self, batch: &[usize], kept: &BitSet) -> Result<(), SolveError> {
        let (me, solvers) =
            (self.ranks.rank(), self.schedule.graph.solvers(batch, self.ranks.count()));
        let own: Vec<_> =
            (0..batch.len()).filter(|&i| solvers[i] == me).map(|i| batch[i]).collect();
        let to_do: Vec<_> = own.iter().copied().filter(|&at| !kept.contains(at)).collect();
        let settle = |i: usize| self.settle(to_do[i], Sharing::NoThreads, ALONE);
        let found = parallel::map(self.schedule.all_threads(), 0..to_do.len(), settle);
        for (&at, settled) in to_do.iter().zip(found) {
            self.settled[at] = Some(settled?);
        }
        for (&at, &solver) in batch.iter().zip(&solvers) {
            let is_kept = kept.contains(at);
            self.spread(at, if is_kept { 0 } else { solver })?;
            self.save(at, is_kept)?;
        }
        let certify = |i: usize| self.certify(own[i], Sharing::NoThreads, ALONE);
        for tally in parallel::map(self.schedule.all_threads(), 0..own.len(), certify) {
            self.tally = self.tally.and(tally?);
        }
        Ok(())
    }

    /// Returns the holder of the values of a sublayer.
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
        let read = self.fetching(schedule.graph.leads_to[at].iter().copied());
        let positions = schedule.engine.positions(at) as f64;
        let reported = AtomicU64::new(0);
        let watch = |share: f64, sweep: Option<&Sweep<'_>>| {
            if let Some(sweep) = sweep {
                self.watch.sweep(at, sweep);
            }
            if !ranks.is_alone() {
                let so_far = (share * positions) as u64;
                let so_far = reported.fetch_max(so_far, Ordering::Relaxed).max(so_far);
                self.watch.progress(self.done + so_far, schedule.engine.indexer().len());
            }
            // Either all ranks end or none does. To stop one rank, end its process.
            false
        };
        let certificate = Some(&schedule.certificates[at]);
        let course =
            Course { sharing, ranks, tolerance: self.tolerance, watch: &watch, certificate };
        let settle = |space: &mut _| schedule.engine.settle(at, read, space, course);
        let (values, sweeps) = schedule.with_space(at, sharing, settle)?;
        Ok((values, Facts { sweeps }))
    }

    /// Sends the values of a sublayer that `from` has to all ranks.
    fn spread(&mut self, at: usize, from: usize) -> Result<(), SolveError> {
        let engine = self.schedule.engine;
        let mut values = engine.room(engine.positions(at))?;
        let mut facts = Facts::default();
        if let Some((held, own)) = self.settled[at].as_ref().filter(|_| self.ranks.rank() == from) {
            values.as_mut_slice().copy_from_slice(held.values());
            held.release_pages();
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

    /// Sends the first rank all values of a sublayer of which each rank has its part. If the first rank has kept the sublayer
    /// before, sends each other rank its part instead.
    fn divide(&mut self, at: usize, is_kept: bool) -> Result<(), SolveError> {
        let (engine, me) = (self.schedule.engine, self.ranks.rank());
        let sublayer = &engine.indexer().sublayers()[at];
        let [whole, among] = [1, self.ranks.count()].map(|ranks| Division::new(sublayer, ranks));
        let (division, takes) = (if is_kept { whole } else { among }, self.is_first() != is_kept);
        let wanted = match (takes, self.is_first()) {
            (true, true) => whole.part(me),
            (true, false) => among.part(me),
            (false, _) => 0..0,
        };
        let held = self.held(at);
        let own = held.as_ref().map_or(&[][..], |held| held.values());
        let wanted = division.pages(wanted);
        let gathers = takes && self.is_first();
        let room = |values| if gathers { (self.gathering)(values) } else { engine.room(values) };
        let fetched = division.fetch(self.ranks, own, &wanted, room)?;
        if let Some(held) = held {
            held.release_pages();
        }
        if takes {
            let facts = self.settled[at].as_ref().map(|&(_, facts)| facts);
            self.settled[at] = Some((Arc::new(fetched.values), facts.unwrap_or_default()));
        }
        Ok(())
    }

    /// Keeps a sublayer, unless this is the first rank and it has kept the sublayer before. Later readers read it where it is
    /// kept.
    fn save(&mut self, at: usize, is_kept: bool) -> Result<(), SolveError> {
        let must_save = !(is_kept && self.is_first());
        if let Some((values, facts)) = self.settled[at].take_if(|_| must_save) {
            let kept = self.keep.save(at, values, facts).map_err(SolveError::Checkpoint)?;
            self.settled[at] = Some((kept, facts));
        }
        Ok(())
    }

    /// Measures how far the values of a sublayer are from their backups, unless that was measured before.
    fn certify(
        &self,
        at: usize,
        sharing: Sharing<'_>,
        ranks: Ranks<'_>,
    ) -> Result<Tally, SolveError> {
        if let Some(&tally) = self.schedule.certificates[at].get() {
            return Ok(tally);
        }
        let read = self.fetching(self.schedule.graph.leads_to[at].iter().copied().chain([at]));
        self.schedule.measure(at, Course { ranks, ..Course::of_certificate(sharing) }, &read)
    }

    /// Returns the values of the sublayers at `read`, in the form in which other sublayers read them.
    fn fetching(&self, read: impl IntoIterator<Item = usize>) -> Fetching<'_, E> {
        Fetching {
            engine: self.schedule.engine,
            ranks: self.ranks,
            is_shared: &self.is_shared,
            held: OpenValues::new(self.settled.len(), read, |at| self.held(at)),
            fetched: self.settled.iter().map(|_| OnceLock::new()).collect(),
        }
    }

    /// Releases the sublayers that only the one at `at` was still to read; the first rank holds all. It is an error if one is
    /// damaged, since the values that were computed from it may be wrong.
    fn release_targets(&mut self, at: usize) -> Result<(), SolveError> {
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

/// Settled values on one of several ranks. Of shared sublayers the rank fetches what it reads.
struct Fetching<'a, E> {
    engine: &'a E,
    ranks: Ranks<'a>,
    is_shared: &'a [bool],
    held: OpenValues<f64>,
    /// By sublayer: what was fetched of it.
    fetched: Vec<OnceLock<Fetched>>,
}

impl<E: Certify<Value = f64>> Finished for Fetching<'_, E> {
    fn sublayer(&self, at: usize) -> &[f64] {
        if self.is_shared[at] {
            self.fetched[at].get().map_or(&[], |fetched| fetched.values.as_slice())
        } else {
            self.held.sublayer(at)
        }
    }

    fn fetch(&self, wanted: &WantedPages) -> Result<(), SolveError> {
        for (at, fetched) in self.fetched.iter().enumerate().filter(|(at, _)| self.is_shared[*at]) {
            let Some(pages) = wanted.pages(at) else { continue };
            let sublayer = &self.engine.indexer().sublayers()[at];
            let division = Division::new(sublayer, self.ranks.count());
            let own = &self.held.sublayer(at)[..division.part(self.ranks.rank()).len()];
            let found =
                division.fetch(self.ranks, own, pages, |values| self.engine.room(values))?;
            assert!(fetched.set(found).is_ok(), "a sublayer is fetched once");
        }
        Ok(())
    }

    fn place(&self, at: usize, index: usize) -> usize {
        self.fetched[at].get().map_or(index, |fetched| fetched.place(index))
    }
}
