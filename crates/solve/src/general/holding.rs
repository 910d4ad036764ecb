//! The strips of a sublayer that one rank holds, and what it hands to others.

use std::ops::Range;

use super::layout::BlockLayout;
use super::layout::among_ranks::Wanted;
use super::pre::PreMoves;
use super::values::WorkingValues;
use crate::drive::exchange::{Packet, PacketReader, Packets, Ranks, holders};

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

    /// Returns the strips of a level that a rank holds: each rank has a chunk of the level, in the order of ranks.
    fn held_by(&self, rank: usize, level: &Range<usize>) -> Range<usize> {
        let before = |rank| self.holders[level.clone()].partition_point(|&holder| holder < rank);
        level.start + before(rank)..level.start + before(rank + 1)
    }

    /// Tells the other ranks which of their blocks this one reads, and learns what they read of it.
    pub(super) fn exchange_wanted(
        &mut self,
        layout: &BlockLayout,
        pre: &PreMoves,
        wanted: &Wanted,
    ) {
        let taken = self.ranks.swap_numbers(wanted);
        self.read_by = taken.iter().map(|bases| self.places(layout, pre, bases)).collect();
    }

    /// Returns the places of the values of those blocks of this rank that begin with the boards `bases`, in the order of
    /// sweeping.
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

    /// Returns the largest change of each strip, given the changes of this rank's strips.
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

    /// Hands on those strips of a level that were moved to the ranks that read them. `is_moved` says whether a strip was.
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
        let own = &self.levels[level];
        let given = self.read_by.iter().map(|runs| {
            let Range { start, end } = layout.places(own);
            let before = |place: usize| runs.partition_point(|run| run.start < place);
            (own.clone(), &runs[before(start)..before(end)])
        });
        let given = given.collect();
        let held = |rank| self.held_by(rank, &layout.levels[level]);
        let taken = (0..self.ranks.count()).map(held).collect();
        let mut handed = Handed { layout, values, is_moved, given, taken };
        self.ranks.stream(|it| &it.renewed, &mut handed);
    }
}

/// The strips of a level that are being handed on between ranks.
struct Handed<'a, M> {
    layout: &'a BlockLayout,
    values: &'a mut WorkingValues,
    is_moved: M,
    /// By rank: the strips of this rank that are still to come, with the places in them that the other one reads.
    given: Vec<(Range<usize>, &'a [Range<usize>])>,
    /// By rank: its strips that are still to come.
    taken: Vec<Range<usize>>,
}

impl<M: Fn(usize) -> bool> Packets for Handed<'_, M> {
    /// Returns the values that a rank reads of the next strips that were moved.
    fn give(&mut self, to: usize) -> Vec<u8> {
        let mut packet = Packet::new();
        let (strips, rest) = &mut self.given[to];
        for strip in strips {
            let end = self.layout.places(&(strip..strip + 1)).end;
            let of_strip = rest.iter().take_while(|run| run.start < end).count();
            let these = rest.split_off(..of_strip).unwrap_or_default();
            if !these.is_empty() && packet.push((self.is_moved)(strip)) {
                for run in these {
                    packet.add(self.values.at(run.clone()));
                }
            }
            if packet.is_full() {
                break;
            }
        }
        packet.into_bytes()
    }

    /// Writes the values of the next strips that have changed.
    fn take(&mut self, from: usize, bytes: Vec<u8>) {
        let mut reader = PacketReader::new(&bytes);
        let places = |strip: usize| self.layout.places(&(strip..strip + 1));
        let read = self.taken[from].by_ref().map(places).filter(|places| !places.is_empty());
        for places in read.take(reader.parts()) {
            if reader.next() {
                reader.take(self.values.at_mut(places));
            }
        }
    }
}
