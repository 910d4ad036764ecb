//! The ranks of this run, over MPI.
//!
//! Plain sends and collectives only, in pieces that every version of MPI can count.

use std::fmt::Display;

use mpi::collective::SystemOperation;
use mpi::environment::Universe;
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator, CommunicatorCollectives, Destination, Root, Source};
use mpi::{Threading, request};
use puabi_solve::{Exchange, Packets};

/// The most bytes of a packet that are sent at once: Open MPI fails beyond 2 GB, and buffers of its own grow with what is under way.
const PIECE: usize = 256_000_000;

/// The ranks of this run. MPI ends when it is dropped.
pub(crate) struct World {
    _universe: Universe,
    rank: usize,
    ranks: usize,
}

impl World {
    /// Joins the other ranks; `None` if MPI does not let threads call it, one at a time.
    pub(crate) fn join() -> Option<Self> {
        let (universe, threading) = mpi::initialize_with_threading(Threading::Serialized)?;
        let world = universe.world();
        let [rank, ranks] =
            [world.rank(), world.size()].map(|number| number.unsigned_abs() as usize);
        (threading >= Threading::Serialized).then_some(Self { _universe: universe, rank, ranks })
    }

    pub(crate) fn is_first(&self) -> bool {
        self.rank == 0
    }

    /// Returns the number of ranks on this machine.
    pub(crate) fn beside(&self) -> u64 {
        u64::from(world().split_shared(number(self.rank)).size().unsigned_abs())
    }

    /// Returns the first rank that gives other bytes than the first rank of all, if there is one.
    pub(crate) fn differing(&self, bytes: &[u8]) -> Option<usize> {
        let mut given = vec![bytes.to_vec(); self.ranks];
        given[self.rank].clear();
        let mut taken = self.swap(given);
        taken[self.rank] = bytes.to_vec();
        taken.iter().position(|it| *it != taken[0])
    }
}

impl Exchange for World {
    fn rank(&self) -> usize {
        self.rank
    }

    fn ranks(&self) -> usize {
        self.ranks
    }

    fn swap(&self, given: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
        let mut once = Once { given, taken: vec![Vec::new(); self.ranks] };
        self.stream(&mut once);
        once.taken
    }

    fn stream(&self, packets: &mut dyn Packets) {
        for step in 1..self.ranks {
            let to = (self.rank + step) % self.ranks;
            let from = (self.rank + self.ranks - step) % self.ranks;
            stream(to, from, packets);
        }
    }

    fn spread(&self, from: usize, bytes: &mut [u8]) {
        for piece in bytes.chunks_mut(PIECE) {
            world().process_at_rank(number(from)).broadcast_into(piece);
        }
    }

    fn most(&self, number: f64) -> f64 {
        let mut most = 0.0;
        world().all_reduce_into(&number, &mut most, SystemOperation::max());
        most
    }
}

/// All ranks. A communicator cannot be handed to another thread; this one is the same wherever it is made.
fn world() -> SimpleCommunicator {
    SimpleCommunicator::world()
}

fn number(rank: usize) -> i32 {
    i32::try_from(rank).expect("MPI counts ranks by an i32")
}

fn reduced<const N: usize>(numbers: [u64; N], operation: SystemOperation) -> [u64; N] {
    let mut found = [0; N];
    world().all_reduce_into(&numbers[..], &mut found[..], operation);
    found
}

/// Gives packets to the rank `to` and takes those of the rank `from`, in pieces: one that is not full ends a packet, and an empty
/// packet is the last.
fn stream(to: usize, from: usize, packets: &mut dyn Packets) {
    let world = world();
    let [next, last] = [to, from].map(|rank| world.process_at_rank(number(rank)));
    let (mut given, mut taken) = (Some(packets.give(to)), Some(Vec::new()));
    let mut at = 0;
    while given.is_some() || taken.is_some() {
        let piece = given.as_ref().map(|packet| &packet[at..packet.len().min(at + PIECE)]);
        request::scope(|scope| {
            let giving = piece.map(|piece| next.immediate_send(scope, piece));
            taken = taken.take().and_then(|packet| receive(&last, packet, from, packets));
            giving.map(request::Request::wait);
        });
        at += PIECE;
        let is_whole = given.as_ref().is_some_and(|packet| packet.len() < at);
        if is_whole {
            at = 0;
            given = given.filter(|packet| !packet.is_empty()).map(|_| packets.give(to));
        }
    }
}

/// Receives the next piece of a packet that a rank gives, and takes the packet if it is whole; `None` after the last.
fn receive(
    rank: &impl Source,
    mut packet: Vec<u8>,
    from: usize,
    packets: &mut dyn Packets,
) -> Option<Vec<u8>> {
    let (mut piece, _) = rank.receive_vec::<u8>();
    let is_whole = piece.len() < PIECE;
    if packet.is_empty() {
        packet = piece;
    } else {
        packet.append(&mut piece);
    }
    if !is_whole {
        return Some(packet);
    }
    if packet.is_empty() {
        return None;
    }
    packets.take(from, packet);
    Some(Vec::new())
}

/// One packet for each rank, and from each.
struct Once {
    given: Vec<Vec<u8>>,
    taken: Vec<Vec<u8>>,
}

impl Packets for Once {
    fn give(&mut self, to: usize) -> Vec<u8> {
        std::mem::take(&mut self.given[to])
    }

    fn take(&mut self, from: usize, packet: Vec<u8>) {
        self.taken[from] = packet;
    }
}

/// Tells the user what is wrong and ends all ranks.
#[expect(clippy::print_stderr, reason = "this is a program, and this rank may be silent otherwise")]
pub(crate) fn abort(error: impl Display) -> ! {
    eprintln!("error: {error}");
    end_all(crate::FAILED)
}

/// Ends all ranks with an exit code.
pub(crate) fn end_all(code: u8) -> ! {
    world().abort(code.into())
}

/// Returns the sums of numbers that each rank gives.
pub(crate) fn sums<const N: usize>(numbers: [u64; N]) -> [u64; N] {
    reduced(numbers, SystemOperation::sum())
}

/// Returns the least of the numbers that each rank gives, and the first rank with it.
pub(crate) fn least(own: u64) -> (u64, usize) {
    let world = world();
    let mut given = vec![0; world.size().unsigned_abs() as usize];
    world.all_gather_into(&own, &mut given[..]);
    let ranks = given.into_iter().zip(0..);
    ranks.min().expect("there is a rank")
}

/// Returns the largest of the numbers that each rank gives.
pub(crate) fn greatest<const N: usize>(numbers: [u64; N]) -> [u64; N] {
    reduced(numbers, SystemOperation::max())
}
