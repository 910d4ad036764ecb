//! The strips of a sublayer that one rank holds, and what it hands to others.

use std::ops::Range;

use super::layout::BlockLayout;
use super::successors::each_place;
use super::successors::runs::SuccessorRuns;
use super::successors::word::Word;
use super::values::WorkingValues;
use crate::drive::exchange::{Packed, Packet, Ranks, Received, Set, holders};
use crate::drive::statistics::Tally;
use crate::types::SolveError;

/// Which strips of a sublayer this rank sweeps, and which each rank reads.
pub(super) struct Holding<'a> {
    ranks: Ranks<'a>,
    /// By strip: the rank that sweeps it.
    holders: Vec<usize>,
    /// By level: the strips of this rank.
    pub(super) levels: Vec<Range<usize>>,
    /// By rank: the strips that it reads. Empty if there is one rank.
    reads: Vec<Set>,
}

impl<'a> Holding<'a> {
    pub(super) fn new(layout: &BlockLayout, ranks: Ranks<'a>) -> Self {
        let values = |strip: usize| layout.places(&(strip..strip + 1)).len();
        let levels = layout.levels.iter().cloned();
        let holders = holders(layout.strips.len(), levels, values, ranks.count());
        let own = |level: &Range<usize>| {
            // Ranks have chunks of a level in their order.
            let first = |rank| {
                level.start + holders[level.clone()].partition_point(|&holder| holder < rank)
            };
            first(ranks.rank())..first(ranks.rank() + 1)
        };
        let levels = layout.levels.iter().map(own).collect();
        Self { ranks, holders, levels, reads: Vec::new() }
    }

    pub(super) fn is_own(&self, strip: usize) -> bool {
        self.holders[strip] == self.ranks.rank()
    }

    /// Tells the other ranks which strips this one reads, given its successors by strip, and learns what they read.
    pub(super) fn tell_reads(
        &mut self,
        layout: &BlockLayout,
        rolls: usize,
        successors: &SuccessorRuns<impl Word>,
    ) -> Result<(), SolveError> {
        if self.ranks.is_alone() {
            return Ok(());
        }
        let mut reads = Set::new(layout.strips.len());
        let mut copies = Default::default();
        for strip in 0..layout.strips.len() {
            for words in successors.read(strip, true, &mut copies)? {
                each_place(words, rolls, |place| reads.insert(layout.strip(place)));
            }
        }
        self.reads = reads.of_all(self.ranks);
        Ok(())
    }

    /// Returns what a pass of all ranks has found, given what that of this rank has.
    pub(super) fn together(&self, tally: Tally) -> Tally {
        Tally { change: self.ranks.exchange.most(tally.change), ..tally }
    }

    /// Returns a number of each strip, given those of the strips of this rank.
    pub(super) fn changes(&self, own: &[f64]) -> Vec<f64> {
        let mut all = own.to_vec();
        if self.ranks.is_alone() {
            return all;
        }
        let bytes = bytemuck::cast_slice(own).to_vec();
        let given = self.ranks.swap(|it| &it.renewed, vec![bytes; self.ranks.count()]);
        for (strip, &holder) in self.holders.iter().enumerate() {
            if let Some(bytes) = given[holder].chunks_exact(8).nth(strip) {
                all[strip] = f64::from_ne_bytes(bytes.try_into().expect("eight bytes"));
            }
        }
        all
    }

    /// Hands those of some strips that were moved to the ranks that read them.
    pub(super) fn hand_on(
        &self,
        layout: &BlockLayout,
        values: &mut WorkingValues,
        strips: &Range<usize>,
        is_moved: impl Fn(usize) -> bool,
    ) {
        if self.ranks.is_alone() {
            return;
        }
        let me = self.ranks.rank();
        let packed =
            |to| pack(layout, values, self.handed(strips, me, self.reads.get(to)), &is_moved);
        let given =
            (0..self.ranks.count()).map(|to| if to == me { Vec::new() } else { packed(to) });
        self.receive(layout, values, strips, (given.collect(), self.reads.get(me)), |it| {
            &it.renewed
        });
    }

    /// Hands every strip to every rank.
    pub(super) fn gather(&self, layout: &BlockLayout, values: &mut WorkingValues) {
        if self.ranks.is_alone() {
            return;
        }
        // Level by level, so that what is under way takes little memory.
        for strips in &layout.levels {
            let own = self.handed(strips, self.ranks.rank(), None);
            let packed = pack(layout, values, own, &|_| true);
            let given = vec![packed; self.ranks.count()];
            self.receive(layout, values, strips, (given, None), |it| &it.finished);
        }
    }

    /// Gives what is packed for each rank, and writes what the others have packed for this one.
    fn receive(
        &self,
        layout: &BlockLayout,
        values: &mut WorkingValues,
        strips: &Range<usize>,
        (given, reads): (Vec<Vec<u8>>, Option<&Set>),
        purpose: fn(&Received) -> &std::sync::atomic::AtomicU64,
    ) {
        for (holder, bytes) in self.ranks.swap(purpose, given).iter().enumerate() {
            let mut packed = Packed::new(bytes);
            for strip in self.handed(strips, holder, reads) {
                if packed.next() {
                    packed.take(values.at_mut(layout.places(&(strip..strip + 1))));
                }
            }
        }
    }

    /// Returns those of some strips that one rank holds and another reads, or takes unread.
    fn handed(
        &self,
        strips: &Range<usize>,
        holder: usize,
        reads: Option<&Set>,
    ) -> impl Iterator<Item = usize> {
        let is_handed = move |&strip: &usize| {
            self.holders[strip] == holder && reads.is_none_or(|set| set.contains(strip))
        };
        strips.clone().filter(is_handed)
    }
}

/// Returns the values of those of some strips that were moved.
fn pack(
    layout: &BlockLayout,
    values: &WorkingValues,
    strips: impl Iterator<Item = usize>,
    is_moved: &impl Fn(usize) -> bool,
) -> Vec<u8> {
    let mut packet = Packet::default();
    for strip in strips {
        if packet.push(is_moved(strip)) {
            packet.add(values.at(layout.places(&(strip..strip + 1))));
        }
    }
    packet.into_bytes()
}
