//! The ranks of this run, over MPI.
//!
//! Plain sends and collectives only, in pieces that every version of MPI can count.

use std::fmt::Display;

use mpi::collective::SystemOperation;
use mpi::environment::Universe;
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator, CommunicatorCollectives, Destination, Root, Source};
use mpi::{Tag, Threading, request};
use puabi_solve::{Exchange, Packets};

/// The most bytes of a packet that are sent at once: Open MPI fails beyond 2 GB, and its own buffers grow with the bytes that are
/// under way.
const PIECE: usize = 256_000_000;

/// The ranks of this run. MPI ends when it is dropped.
pub(crate) struct World {
    _universe: Universe,
    rank: usize,
    ranks: usize,
}

impl World {
    /// Joins the other ranks; `None` if MPI does not support calls from several threads, one at a time.
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

    /// Returns the number of another rank with an error and the first line of that error; `None` if there is no such rank, or if
    /// this rank has an error (`wrong`) itself.
    pub(crate) fn error_of_another_rank(
        &self,
        wrong: Option<&impl Display>,
    ) -> Option<(usize, String)> {
        let own = wrong.map(|it| format!("{it:#}")).unwrap_or_default();
        let errors = self.swap(vec![own.into_bytes(); self.ranks]);
        let rank = errors.iter().position(|it| wrong.is_none() && !it.is_empty())?;
        let error = String::from_utf8_lossy(&errors[rank]);
        Some((rank, error.lines().next().unwrap_or_default().to_owned()))
    }

    /// Returns the number of ranks on this machine.
    pub(crate) fn ranks_on_this_machine(&self) -> u64 {
        u64::from(world().split_shared(number(self.rank)).size().unsigned_abs())
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
        let mut packets = PacketEach { given, taken: vec![Vec::new(); self.ranks] };
        self.stream(&mut packets);
        packets.taken
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

/// Returns the communicator of all ranks. A communicator cannot be passed to another thread, but this one is the same wherever it
/// is made.
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

/// The tags of messages, which say what follows a piece of a packet: the rest of the packet, other packets, or nothing.
const REST: Tag = 2;
const OTHERS: Tag = 1;
const NOTHING: Tag = 0;

/// A packet on its way to another rank, and the next one; if that is empty, this packet is the last.
struct Outgoing {
    packet: Vec<u8>,
    /// Where the next piece begins.
    at: usize,
    next: Vec<u8>,
}

impl Outgoing {
    fn new(packet: Vec<u8>, mut give: impl FnMut() -> Vec<u8>) -> Self {
        let next = if packet.is_empty() { Vec::new() } else { give() };
        Self { packet, at: 0, next }
    }

    /// Returns the next piece, and the tag for what follows it.
    fn piece(&self) -> (&[u8], Tag) {
        let rest = &self.packet[self.at..];
        match rest.get(..PIECE) {
            Some(piece) if rest.len() > PIECE => (piece, REST),
            _ => (rest, if self.next.is_empty() { NOTHING } else { OTHERS }),
        }
    }

    /// Returns what is to be sent after the next piece.
    fn after_piece(self, give: impl FnMut() -> Vec<u8>) -> Option<Self> {
        match self.piece().1 {
            REST => Some(Self { at: self.at + PIECE, ..self }),
            OTHERS => Some(Self::new(self.next, give)),
            _ => None,
        }
    }
}

/// Gives packets to the rank `to` and takes those of the rank `from`, piece by piece.
fn stream(to: usize, from: usize, packets: &mut dyn Packets) {
    let world = world();
    let [receiver, sender] = [to, from].map(|rank| world.process_at_rank(number(rank)));
    let mut given = Some(Outgoing::new(packets.give(to), || packets.give(to)));
    let mut taken = Some(Vec::new());
    while given.is_some() || taken.is_some() {
        request::scope(|scope| {
            let piece = given.as_ref().map(Outgoing::piece);
            let sent = piece.map(|(it, tag)| receiver.immediate_send_with_tag(scope, it, tag));
            if let Some(mut packet) = taken.take() {
                let (mut piece, status) = sender.receive_vec::<u8>();
                if packet.is_empty() {
                    packet = piece;
                } else {
                    packet.append(&mut piece);
                }
                let follows = status.tag();
                if follows != REST && !packet.is_empty() {
                    packets.take(from, std::mem::take(&mut packet));
                }
                taken = (follows != NOTHING).then_some(packet);
            }
            sent.map(request::Request::wait);
        });
        given = given.and_then(|it| it.after_piece(|| packets.give(to)));
    }
}

/// One packet to each rank, and one from each rank.
struct PacketEach {
    given: Vec<Vec<u8>>,
    taken: Vec<Vec<u8>>,
}

impl Packets for PacketEach {
    fn give(&mut self, to: usize) -> Vec<u8> {
        std::mem::take(&mut self.given[to])
    }

    fn take(&mut self, from: usize, packet: Vec<u8>) {
        self.taken[from] = packet;
    }
}

/// Prints an error and ends all ranks.
#[expect(clippy::print_stderr, reason = "this is a program, and this rank may be silent otherwise")]
pub(crate) fn abort(error: impl Display) -> ! {
    eprintln!("error: {error}");
    end_all(crate::FAILED)
}

/// Ends all ranks with an exit code.
pub(crate) fn end_all(code: u8) -> ! {
    puabi_cli::end_engines();
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
