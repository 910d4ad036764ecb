//! Ranks that solve one game together: which rank holds which part of a level, and what ranks send to each other.
//!
//! A sweep passes over the parts of a level that its rank holds, slabs or strips, and then hands on what it has renewed to the
//! ranks that read it. The sweep itself does not know whether there are other ranks.
#![expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "numbers of bytes")]

use std::sync::atomic::{AtomicU64, Ordering};

use crate::drive::statistics::Tally;

/// What ranks use to communicate. Ranks are processes that solve one game together, each with memory of its own. All of them call
/// the same methods in the same order.
///
/// [`Alone`] is the one rank of a solve without others.
pub trait Exchange: Sync {
    /// Returns the number of this rank, from 0 on.
    fn rank(&self) -> usize;

    /// Returns the number of ranks.
    fn ranks(&self) -> usize;

    /// Sends each other rank the bytes at its number in `given`. Returns, by number, the bytes that each rank has sent to this
    /// one. The bytes at this rank's own number are empty in both.
    fn swap(&self, given: Vec<Vec<u8>>) -> Vec<Vec<u8>>;

    /// Sends packets to each other rank and takes the packets of each, in turn, so that few are under way at a time.
    fn stream(&self, packets: &mut dyn Packets) {
        let mut is_at_work = true;
        while is_at_work {
            let give = |to| if to == self.rank() { Vec::new() } else { packets.give(to) };
            let given: Vec<_> = (0..self.ranks()).map(give).collect();
            let gives = given.iter().any(|packet| !packet.is_empty());
            let taken = self.swap(given).into_iter().enumerate();
            for (from, packet) in taken.filter(|(_, packet)| !packet.is_empty()) {
                packets.take(from, packet);
            }
            is_at_work = self.most(f64::from(gives)) > 0.0;
        }
    }

    /// Sends the bytes of the rank `from` to all others. `bytes` has the same length on all ranks.
    fn spread(&self, from: usize, bytes: &mut [u8]) {
        let own = if self.rank() == from { bytes.to_vec() } else { Vec::new() };
        let mut given = vec![own; self.ranks()];
        given[self.rank()] = Vec::new();
        let taken = self.swap(given);
        if self.rank() != from {
            bytes.copy_from_slice(&taken[from]);
        }
    }

    /// Returns the largest of the numbers that the ranks give.
    fn most(&self, number: f64) -> f64 {
        let mut given = vec![number.to_le_bytes().to_vec(); self.ranks()];
        given[self.rank()] = Vec::new();
        let others = self.swap(given).into_iter().filter_map(|bytes| bytes.try_into().ok());
        others.map(f64::from_le_bytes).fold(number, f64::max)
    }

    /// Returns the lowest rank whose bytes differ from those of rank 0, if there is one. All ranks get the same answer.
    fn differing(&self, bytes: &[u8]) -> Option<usize> {
        let mut given = vec![bytes.to_vec(); self.ranks()];
        given[self.rank()].clear();
        let mut taken = self.swap(given);
        taken[self.rank()] = bytes.to_vec();
        taken.iter().position(|it| *it != taken[0])
    }
}

/// What a rank sends to others and takes from them, packet by packet.
pub trait Packets {
    /// Returns the next packet for a rank. An empty packet is the last one: after it, all packets for that rank are empty.
    fn give(&mut self, to: usize) -> Vec<u8>;

    /// Takes the next packet of a rank, which is not empty.
    fn take(&mut self, from: usize, packet: Vec<u8>);
}

/// The one rank of a solve without others.
#[derive(Debug, Clone, Copy, Default)]
pub struct Alone;

impl Exchange for Alone {
    fn rank(&self) -> usize {
        0
    }

    fn ranks(&self) -> usize {
        1
    }

    fn swap(&self, _given: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
        vec![Vec::new()]
    }
}

/// The bytes that one rank has received from others in a solve.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Renewed values, while sublayers were swept.
    pub renewed: u64,
    /// The bytes of renewed values that the model of a plan gives, with the number of sweeps that were made.
    pub modelled: u64,
    /// Values of finished sublayers, and what ranks send to agree with each other.
    pub finished: u64,
}

/// The bytes of a [`Traffic`] while they are counted.
#[derive(Debug, Default)]
pub(crate) struct Received {
    /// Renewed values, while sublayers were swept.
    pub(crate) renewed: AtomicU64,
    pub(crate) modelled: AtomicU64,
    /// Values of finished sublayers.
    pub(crate) finished: AtomicU64,
}

impl Received {
    pub(crate) fn into_traffic(self) -> Traffic {
        let Self { renewed, modelled, finished } = self;
        let [renewed, modelled, finished] =
            [renewed, modelled, finished].map(AtomicU64::into_inner);
        Traffic { renewed, modelled, finished }
    }
}

/// The ranks that sweep a sublayer together.
#[derive(Clone, Copy)]
pub(crate) struct Ranks<'a> {
    pub(crate) exchange: &'a dyn Exchange,
    pub(crate) received: Option<&'a Received>,
}

/// A single rank, without others.
pub(crate) const ALONE: Ranks<'static> = Ranks { exchange: &Alone, received: None };

impl Ranks<'_> {
    pub(crate) fn rank(self) -> usize {
        self.exchange.rank()
    }

    pub(crate) fn count(self) -> usize {
        self.exchange.ranks()
    }

    /// Returns whether there is no other rank. This is always so without the feature `threads`; then the compiler leaves out the
    /// code for several ranks.
    pub(crate) fn is_alone(self) -> bool {
        cfg!(not(feature = "threads")) || self.count() == 1
    }

    /// Sends each other rank the bytes at its number. Returns what the others have sent, by rank, and counts these bytes.
    pub(crate) fn swap(
        self,
        purpose: fn(&Received) -> &AtomicU64,
        mut given: Vec<Vec<u8>>,
    ) -> Vec<Vec<u8>> {
        given[self.rank()] = Vec::new();
        let taken = self.exchange.swap(given);
        if let Some(received) = self.received {
            let bytes = taken.iter().map(Vec::len).sum::<usize>() as u64;
            purpose(received).fetch_add(bytes, Ordering::Relaxed);
        }
        taken
    }

    /// Sends packets to each other rank and takes the packets of each. It counts the bytes that it takes.
    pub(crate) fn stream(self, purpose: fn(&Received) -> &AtomicU64, packets: &mut dyn Packets) {
        let mut counted = Counted { packets, taken: 0 };
        self.exchange.stream(&mut counted);
        if let Some(received) = self.received {
            purpose(received).fetch_add(counted.taken, Ordering::Relaxed);
        }
    }

    /// Sends each other rank the numbers for it. Returns the numbers that each has sent, by rank, and counts them as what ranks
    /// send to agree with each other.
    pub(crate) fn swap_numbers(self, given: &[Vec<u64>]) -> Vec<Vec<u64>> {
        let given = given.iter().map(|numbers| bytemuck::cast_slice(numbers).to_vec()).collect();
        let numbers = |bytes: Vec<u8>| {
            bytes.as_chunks().0.iter().map(|&number| u64::from_ne_bytes(number)).collect()
        };
        self.swap(|it| &it.finished, given).into_iter().map(numbers).collect()
    }

    /// Sends the bytes of the rank `from` to all others.
    pub(crate) fn spread(self, from: usize, bytes: &mut [u8]) {
        self.exchange.spread(from, bytes);
        if let Some(received) = self.received.filter(|_| self.rank() != from) {
            received.finished.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        }
    }

    /// Counts bytes of renewed values that this rank should have received according to the model of a plan.
    pub(crate) fn count_modelled(self, bytes: f64) {
        if let Some(received) = self.received {
            received.modelled.fetch_add(bytes as u64, Ordering::Relaxed);
        }
    }

    /// Returns what a rank has found in a pass, with the largest change of all ranks instead of its own.
    pub(crate) fn with_largest_change(self, tally: Tally) -> Tally {
        Tally { change: self.exchange.most(tally.change), ..tally }
    }

    /// Returns what the certificates of all ranks have found together, given what those of this rank have found.
    pub(crate) fn certified_together(self, tally: Tally) -> Tally {
        let dead =
            self.swap(|it| &it.finished, vec![tally.dead.to_le_bytes().to_vec(); self.count()]);
        let others = dead.iter().filter_map(|bytes| bytes.as_slice().try_into().ok());
        let dead = tally.dead + others.map(u64::from_le_bytes).sum::<u64>();
        self.with_largest_change(Tally { dead, ..tally })
    }
}

/// Packets, and the bytes of those that were taken.
struct Counted<'a> {
    packets: &'a mut dyn Packets,
    taken: u64,
}

impl Packets for Counted<'_> {
    fn give(&mut self, to: usize) -> Vec<u8> {
        self.packets.give(to)
    }

    fn take(&mut self, from: usize, packet: Vec<u8>) {
        self.taken += packet.len() as u64;
        self.packets.take(from, packet);
    }
}

/// Returns which rank holds each part of a sublayer, given the parts of each level in order and how much work each is.
///
/// The parts of a level are cut into chunks of about equal work, one for each rank.
pub(crate) fn holders<L: IntoIterator<Item = usize>>(
    parts: usize,
    levels: impl IntoIterator<Item = L>,
    work: impl Fn(usize) -> usize,
    ranks: usize,
) -> Vec<usize> {
    let mut holders = vec![0; parts];
    for level in levels {
        let level: Vec<_> = level.into_iter().collect();
        let all = level.iter().map(|&part| work(part)).sum::<usize>().max(1);
        let mut before = 0;
        for part in level {
            // The chunk that the middle of the part falls into.
            holders[part] = ((2 * before + work(part)) * ranks / (2 * all)).min(ranks - 1);
            before += work(part);
        }
    }
    holders
}

/// A set of numbers.
#[derive(Debug, Clone, Default)]
pub(crate) struct BitSet(Vec<u8>);

impl BitSet {
    /// Returns a set without numbers, with room for those below `len`.
    pub(crate) fn new(len: usize) -> Self {
        Self(vec![0; len.div_ceil(8)])
    }

    pub(crate) fn insert(&mut self, number: usize) {
        self.0[number / 8] |= 1 << (number % 8);
    }

    pub(crate) fn remove(&mut self, number: usize) {
        self.0[number / 8] &= !(1 << (number % 8));
    }

    /// Returns the numbers in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        let of_byte = |(at, &byte): (usize, &u8)| {
            (0..8).filter(move |bit| byte >> bit & 1 != 0).map(move |bit| 8 * at + bit)
        };
        self.0.iter().enumerate().filter(|(_, byte)| **byte != 0).flat_map(of_byte)
    }

    pub(crate) fn contains(&self, number: usize) -> bool {
        self.0[number / 8] >> (number % 8) & 1 != 0
    }

    /// Sends this set to the other ranks; returns the set of each rank, by rank.
    pub(crate) fn exchanged(self, ranks: Ranks<'_>) -> Vec<Self> {
        let mut sets = ranks.swap(|it| &it.finished, vec![self.0.clone(); ranks.count()]);
        sets[ranks.rank()] = self.0;
        sets.into_iter().map(Self).collect()
    }
}

/// The number of bytes at which a packet of values is full: a packet of that size stays in a processor's cache on its way. Debug
/// builds have smaller packets, so that tests send many of them.
pub(crate) const FULL: usize = if cfg!(debug_assertions) { 1 << 10 } else { 1 << 17 };

/// Some parts of a level on their way to another rank. The bytes are the values of those parts that have changed, then a bit for
/// each part, set if it has changed, and the number of parts in eight bytes. There are no bytes if no part has changed.
#[derive(Debug)]
pub(crate) struct Packet {
    parts: u64,
    bits: Vec<u8>,
    values: Vec<u8>,
}

impl Packet {
    /// Returns a packet without parts.
    pub(crate) fn new() -> Self {
        Self { parts: 0, bits: Vec::new(), values: Vec::with_capacity(FULL + FULL / 4) }
    }

    /// Returns whether no more parts should be added.
    pub(crate) fn is_full(&self) -> bool {
        self.values.len() >= FULL
    }

    /// Adds a part; returns whether it has changed. If so, its values follow.
    pub(crate) fn push(&mut self, has_changed: bool) -> bool {
        if self.parts.is_multiple_of(8) {
            self.bits.push(0);
        }
        if let Some(last) = self.bits.last_mut() {
            *last |= u8::from(has_changed) << (self.parts % 8);
        }
        self.parts += 1;
        has_changed
    }

    /// Adds values of the part that was added last.
    pub(crate) fn add<T: bytemuck::Pod>(&mut self, values: &[T]) {
        self.values.extend_from_slice(bytemuck::cast_slice(values));
    }

    pub(crate) fn into_bytes(mut self) -> Vec<u8> {
        if !self.values.is_empty() {
            self.values.append(&mut self.bits);
            self.values.extend_from_slice(&self.parts.to_le_bytes());
        }
        self.values
    }
}

/// The contents of a [`Packet`], read in the order in which they were added.
#[derive(Debug)]
pub(crate) struct PacketReader<'a> {
    parts: usize,
    part: usize,
    bits: &'a [u8],
    values: &'a [u8],
}

impl<'a> PacketReader<'a> {
    /// Reads the bytes of a packet.
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        let Some((bytes, parts)) = bytes.split_last_chunk() else {
            return Self { parts: 0, part: 0, bits: &[], values: &[] };
        };
        let parts = u64::from_le_bytes(*parts) as usize;
        let (values, bits) = bytes.split_at(bytes.len() - parts.div_ceil(8));
        Self { parts, part: 0, bits, values }
    }

    /// Returns the number of parts.
    pub(crate) fn parts(&self) -> usize {
        self.parts
    }

    /// Returns whether the next part has changed. If so, its values follow.
    pub(crate) fn next(&mut self) -> bool {
        let bits = self.bits.get(self.part / 8).copied().unwrap_or(0);
        let has_changed = bits >> (self.part % 8) & 1 != 0;
        self.part += 1;
        has_changed
    }

    /// Takes values of the part that was read last.
    pub(crate) fn take<T: bytemuck::Pod>(&mut self, values: &mut [T]) {
        let values: &mut [u8] = bytemuck::cast_slice_mut(values);
        let (these, rest) = self.values.split_at(values.len());
        values.copy_from_slice(these);
        self.values = rest;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_packet_gives_back_the_values_that_have_changed(
            parts in proptest::collection::vec(
                (any::<bool>(), proptest::collection::vec(0.0..1.0_f64, 1..5)),
                0..40,
            ),
        ) {
            let mut packet = Packet::new();
            for (has_changed, values) in &parts {
                if packet.push(*has_changed) {
                    packet.add(values);
                }
            }
            let bytes = packet.into_bytes();
            prop_assert_eq!(bytes.is_empty(), parts.iter().all(|(has_changed, _)| !has_changed));
            let mut reader = PacketReader::new(&bytes);
            prop_assert!(bytes.is_empty() || reader.parts() == parts.len());
            for (has_changed, values) in &parts {
                prop_assert_eq!(reader.next(), *has_changed);
                if *has_changed {
                    let mut found = vec![0.0; values.len()];
                    reader.take(&mut found);
                    prop_assert_eq!(&found, values);
                }
            }
        }

        #[test]
        fn holders_follow_each_other_and_none_has_much_more_than_its_part(
            level in proptest::collection::vec(0_usize..1000, 1..60),
            ranks in 1_usize..12,
        ) {
            let holders = holders(level.len(), std::iter::once(0..level.len()), |part| level[part], ranks);
            prop_assert!(holders.is_sorted() && holders.iter().all(|&holder| holder < ranks));
            let of = |rank: usize| {
                let own = holders.iter().zip(&level).filter(|(holder, _)| **holder == rank);
                own.map(|(_, work)| work).sum::<usize>()
            };
            let (all, largest) = (level.iter().sum::<usize>(), *level.iter().max().unwrap());
            prop_assert!((0..ranks).all(|rank| of(rank) <= all / ranks + largest + 1));
        }
    }

    #[test]
    fn a_set_has_the_numbers_that_were_inserted_and_not_removed() {
        let mut set = BitSet::new(30);
        for number in [0, 7, 8, 19, 29] {
            set.insert(number);
        }
        for number in [8, 9] {
            set.remove(number);
        }
        assert!(set.iter().eq([0, 7, 19, 29]));
        assert!((0..30).all(|number| set.contains(number) == set.iter().any(|it| it == number)));
    }
}
