//! The strips of a sublayer that one rank holds, and what it hands to others.

use std::ops::Range;

use super::layout::BlockLayout;
use super::layout::among_ranks::Wanted;
use super::pre::PreMoves;
use super::values::WorkingValues;
use crate::drive::exchange::{Packed, Packet, Ranks, holders};

/// Which strips of a sublayer this rank sweeps, and what the others read of them.
pub(super) struct Holding<'a> {
    pub(super) ranks: Ranks<'a>,
    /// By strip: the rank that sweeps it.
    pub(super) holders: Vec<usize>,
    /// By level: the strips of this rank.
    pub(super) levels: Vec<Range<usize>>,
    /// By rank: the places of the values of this rank that the other one reads, in order, each range within one strip.
    read_by: Vec<Vec<Range<usize>>>,
}

impl<'a> Holding<'a> {
    pub(super) fn new(layout: &BlockLayout, ranks: Ranks<'a>) -> Self {
        let values = |strip: usize| layout.strips[strip].values();
        let levels = layout.levels.iter().cloned();
        let holders = holders(layout.strips.len(), levels, values, ranks.count());
        let mut holding = Self { ranks, holders, levels: Vec::new(), read_by: Vec::new() };
        holding.levels =
            layout.levels.iter().map(|level| holding.held_by(ranks.rank(), level)).collect();
        holding
    }

    /// Returns those strips of a level that a rank holds: ranks have chunks of it in their order.
    fn held_by(&self, rank: usize, level: &Range<usize>) -> Range<usize> {
        let before = |rank| self.holders[level.clone()].partition_point(|&holder| holder < rank);
        level.start + before(rank)..level.start + before(rank + 1)
    }

    /// Tells the other ranks which of their blocks this one reads, and learns what they read of it.
    pub(super) fn tell_wanted(&mut self, layout: &BlockLayout, pre: &PreMoves, wanted: &Wanted) {
        let taken = self.ranks.swap_numbers(wanted);
        self.read_by = taken.iter().map(|bases| self.places(layout, pre, bases)).collect();
    }

    /// Returns where the values of those blocks of this rank lie that begin with these boards, in the order of sweeping.
    fn places(&self, layout: &BlockLayout, pre: &PreMoves, bases: &[u64]) -> Vec<Range<usize>> {
        let mut bases = bases.iter().copied().peekable();
        let mut runs: Vec<Range<usize>> = Vec::new();
        for strip in self.levels.iter().cloned().flatten() {
            let places = layout.places(&(strip..strip + 1));
            for (block, at) in layout.blocks(&layout.strips[strip], pre) {
                if bases.next_if_eq(&block.base()).is_none() {
                    continue;
                }
                let end = at + block.values(pre);
                match runs.last_mut().filter(|it| it.end == at && at > places.start) {
                    Some(run) => run.end = end,
                    None => runs.push(at..end),
                }
            }
        }
        assert!(bases.next().is_none(), "ranks lay out the same sublayer");
        runs
    }

    pub(super) fn is_alone(&self) -> bool {
        self.ranks.is_alone()
    }

    pub(super) fn is_own(&self, strip: usize) -> bool {
        self.holders[strip] == self.ranks.rank()
    }

    /// Returns a number of each strip, given those of the strips of this rank.
    pub(super) fn changes(&self, layout: &BlockLayout, own: &[f64]) -> Vec<f64> {
        let mut all = own.to_vec();
        if self.ranks.is_alone() {
            return all;
        }
        let held = |rank| layout.levels.iter().flat_map(move |level| self.held_by(rank, level));
        let own: Vec<u8> = held(self.ranks.rank()).flat_map(|it| own[it].to_ne_bytes()).collect();
        let given = self.ranks.swap(|it| &it.renewed, vec![own; self.ranks.count()]);
        for (holder, bytes) in given.iter().enumerate() {
            for (strip, &change) in held(holder).zip(bytes.as_chunks().0) {
                all[strip] = f64::from_ne_bytes(change);
            }
        }
        all
    }

    /// Hands those of the strips of a level that were moved to the ranks that read them.
    pub(super) fn hand_on(
        &self,
        layout: &BlockLayout,
        values: &mut WorkingValues,
        level: usize,
        is_moved: impl Fn(usize) -> bool,
    ) {
        if self.ranks.is_alone() {
            return;
        }
        let given =
            self.read_by.iter().map(|runs| self.pack(layout, values, (runs, level), &is_moved));
        let taken = self.ranks.swap(|it| &it.renewed, given.collect());
        for (holder, bytes) in taken.iter().enumerate() {
            let mut packed = Packed::new(bytes);
            for strip in self.held_by(holder, &layout.levels[level]) {
                let places = layout.places(&(strip..strip + 1));
                if !places.is_empty() && packed.next() {
                    packed.take(values.at_mut(places));
                }
            }
        }
    }

    /// Returns those values in a level that a rank reads, of strips that were moved.
    fn pack(
        &self,
        layout: &BlockLayout,
        values: &WorkingValues,
        (runs, level): (&[Range<usize>], usize),
        is_moved: &impl Fn(usize) -> bool,
    ) -> Vec<u8> {
        let own = &self.levels[level];
        let Range { start, end } = layout.places(own);
        let before = |place: usize| runs.partition_point(|run| run.start < place);
        let mut rest = &runs[before(start)..before(end)];
        let bytes = rest.iter().map(Range::len).sum::<usize>() * size_of::<f64>();
        let mut packet = Packet::with_room(own.len(), bytes);
        for strip in own.clone() {
            let end = layout.places(&(strip..strip + 1)).end;
            let of_strip = rest.iter().take_while(|run| run.start < end).count();
            let (these, others) = rest.split_at(of_strip);
            if !these.is_empty() && packet.push(is_moved(strip)) {
                for run in these {
                    packet.add(values.at(run.clone()));
                }
            }
            rest = others;
        }
        packet.into_bytes()
    }
}
