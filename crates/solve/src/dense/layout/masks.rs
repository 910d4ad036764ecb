//! Mask tables: what the rules of a game mean for sweeping, worked out once a game.
//!
//! Pieces on shared squares make a *configuration*: a shared mask of each side, bit 0 for the first shared square.
//! Masks are numbered from the largest down. A step forward makes a mask larger, so every move but a capture leads to
//! masks with smaller numbers; this is the order of sweeps.
//!
//! Nothing here decides a rule: [`Rules`] is asked for each move, with one piece on the board, or one of each side.
#![expect(
    clippy::cast_possible_truncation,
    reason = "counts here are small: at most 31 squares, 15 pieces, 256 values of a block, 2^32 values"
)]

use puabi_core::{Afterstate, DeadPosition, Indexer, Move, Roll, Rules, Square, Squares, Zones};

/// The pre squares of games that are swept in dense rows, and the throws of these games. The longest throw reaches as many shared
/// squares.
pub(crate) const PRE: usize = 4;
pub(crate) const THROWS: usize = 4;

/// Stands for no mask, as when squares overlap.
pub(crate) const NONE: u32 = u32::MAX;

/// Where a throw takes a piece if no other is in its way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Hop {
    /// The square; `None` for home.
    pub(crate) to: Option<usize>,
    /// Whether the same side rolls again.
    pub(crate) again: bool,
}

/// Hops by square, 0 for the hand, and throw.
type Hops = Vec<[Option<Hop>; THROWS]>;

/// Returns the shared bit that a piece on the shared bit `from` reaches with a throw. Beyond the last shared square, bits are
/// counted on.
fn shared_target(hops: &Hops, from: usize, throw: usize) -> Option<usize> {
    hops[PRE + 1 + from][throw]?.to.map(|to| to - PRE - 1)
}

/// Returns the rolls that move a piece, with their chances.
fn throws(rules: &Rules) -> impl Iterator<Item = (Roll, f64)> {
    rules.rolls().iter().copied().filter(|(roll, _)| roll.steps() > 0)
}

/// Returns what the mover's piece on `from`, or in hand for 0, does with `roll`, as the only one of its side on the board. The
/// opponent's pieces are on `theirs`.
///
/// `None` if there is no such position; `Some(None)` if the piece cannot move.
#[expect(clippy::option_option, reason = "no position is not the same as no move")]
fn probe(rules: &Rules, from: u8, roll: Roll, theirs: Squares) -> Option<Option<Hop>> {
    let mine = Square::new(from).map_or(Squares::default(), |from| Squares::default().with(from));
    let position = rules.arrange((mine, 0), (theirs, 0))?;
    let decision = rules.decision(position, roll);
    let moved = decision
        .afterstates()
        .find(|(action, _)| *action != Move::Pass && action.from() == Square::new(from));
    Some(moved.map(|(action, after): (Move, Afterstate)| {
        let to = action.to().map(|to| usize::from(to.number()));
        Hop { to, again: after.rolls_again() }
    }))
}

fn hops(rules: &Rules) -> Hops {
    let hop = |from: u8, roll| probe(rules, from, roll, Squares::default()).flatten();
    let by_throw = |from| {
        let mut hops = [None; THROWS];
        for (to, (roll, _)) in hops.iter_mut().zip(throws(rules)) {
            *to = hop(from, roll);
        }
        hops
    };
    (0..=rules.length()).map(by_throw).collect()
}

/// A move onto a shared square: the mask it makes and what landing there means.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Step {
    pub(crate) mask: u32,
    pub(crate) landing: Landing,
}

/// What landing on a shared square means.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Landing {
    /// The opponent's shared squares on the same tile.
    pub(crate) meets: u32,
    /// The squares among `meets` on which a piece cannot be captured.
    pub(crate) blocks: u32,
    /// Whether landing grants another roll without a capture, and with one.
    pub(crate) again: bool,
    pub(crate) again_capturing: bool,
}

/// All shared masks of one side, the same for both sides.
#[derive(Debug)]
pub(crate) struct Masks {
    pub(crate) bits: Vec<u32>,
    counts: Vec<u8>,
    /// The opponent's bits that each mask excludes.
    pub(crate) excludes: Vec<u32>,
    steps: Vec<Step>,
    /// By mask and throw: where its steps begin; one more entry at the end.
    step_start: Vec<u32>,
    entered: Vec<Option<Step>>,
    removed: Vec<u32>,
    shared: usize,
}

/// A rule set as sweeps see it.
#[derive(Debug)]
pub(crate) struct MaskTables {
    pub(crate) zones: Zones,
    pub(crate) shared: usize,
    pub(crate) length: usize,
    pub(crate) pieces: u8,
    hops: Hops,
    /// The chance of each throw.
    pub(crate) chances: [f64; THROWS],
    /// The chance of a roll that moves no piece.
    pub(crate) zero_chance: f64,
    pub(crate) masks: Masks,
}

impl MaskTables {
    /// Returns whether a game can be swept in dense rows: one piece a square and exact exits, four pre squares of which the last
    /// alone grants a roll, and throws of one to four. Other games gain nothing from rows, or cannot be swept by them.
    pub(crate) fn is_dense(rules: &Rules, zones: Zones) -> bool {
        let length = usize::from(rules.length());
        let shared = zones.shared_squares().len();
        if rules.has_stacks()
            || !rules.rule_set().exact_exit
            || rules.rule_set().dead_position != DeadPosition::Draw
            || usize::from(zones.pre()) != PRE
            || usize::from(shared) < THROWS
            || !throws(rules).map(|(roll, _)| usize::from(roll.steps())).eq(1..=THROWS)
        {
            return false;
        }
        let is_plain = |from: usize, steps: usize, hop: Option<Hop>| {
            let to = Some(from + steps).filter(|&to| to <= length);
            let is_there = from + steps <= length + 1;
            hop.is_some() == is_there
                && hop.is_none_or(|hop| {
                    hop.to == to
                        && (!(1..=PRE).contains(&(from + steps)) || hop.again == (to == Some(PRE)))
                })
        };
        hops(rules).iter().enumerate().all(|(from, hops)| {
            hops.iter().zip(1..).all(|(&hop, steps)| is_plain(from, steps, hop))
        })
    }

    pub(crate) fn new(rules: &Rules, indexer: &Indexer) -> Self {
        let zones = indexer.zones();
        let mut chances = [0.0; THROWS];
        for (to, (_, chance)) in chances.iter_mut().zip(throws(rules)) {
            *to = chance;
        }
        let hops = hops(rules);
        let masks = Masks::new(rules, zones, &hops);
        Self {
            zones,
            shared: usize::from(zones.shared_squares().len()),
            length: usize::from(rules.length()),
            pieces: rules.pieces(),
            hops,
            chances,
            zero_chance: 1.0 - chances.iter().sum::<f64>(),
            masks,
        }
    }

    /// Returns where a throw takes a piece from square `from`, or from hand for 0.
    pub(crate) fn hop(&self, from: usize, throw: usize) -> Option<Hop> {
        self.hops[from][throw]
    }

    /// Returns the bit of a square in post masks, if it is a post square.
    pub(crate) fn post_bit(&self, square: usize) -> Option<u32> {
        let first = self.length + 1 - usize::from(self.zones.post());
        (first..=self.length).contains(&square).then(|| 1 << (square - first))
    }

    /// Returns the shared mask `bits` as squares of the path.
    pub(crate) fn squares(bits: u32) -> Squares {
        Squares::from_bits(bits << (PRE + 1))
    }
}

/// Returns what landing on a shared square means.
fn landing(rules: &Rules, zones: Zones, to: Square) -> Landing {
    let mut landing =
        Landing { meets: shared_bits(zones, rules.theirs_on_same_tile(to)), ..Landing::default() };
    for from in 0..to.number() {
        for (roll, _) in throws(rules).filter(|(roll, _)| from + roll.steps() == to.number()) {
            let met = |bit: usize| Squares::from_bits(1 << (bit + PRE + 1));
            if let Some(Some(hop)) = probe(rules, from, roll, Squares::default()) {
                landing.again = hop.again;
            }
            for bit in ones(landing.meets) {
                match probe(rules, from, roll, met(bit)) {
                    Some(Some(hop)) => landing.again_capturing = hop.again,
                    Some(None) => landing.blocks |= 1 << bit,
                    // There is no such position: the origin is on the same tile.
                    None => {}
                }
            }
        }
    }
    landing
}

fn shared_bits(zones: Zones, squares: Squares) -> u32 {
    (squares & zones.shared_squares()).bits() >> (zones.pre() + 1)
}

/// Counts the shared masks of one side without listing them.
pub(crate) fn count_masks(rules: &Rules, zones: Zones) -> u64 {
    // Convolution over tiles: each tile of a side is empty or holds a piece on one of its squares.
    let mut ways = vec![0_u64; usize::from(rules.pieces()) + 1];
    ways[0] = 1;
    for square in zones.shared_squares().iter() {
        let twins = rules.own_on_same_tile(square);
        if twins.iter().any(|twin| twin < square) {
            continue;
        }
        let options = 1 + u64::from(twins.len());
        for placed in (1..ways.len()).rev() {
            ways[placed] = ways[placed].saturating_add(options.saturating_mul(ways[placed - 1]));
        }
    }
    ways.into_iter().fold(0, u64::saturating_add)
}

impl Masks {
    fn new(rules: &Rules, zones: Zones, hops: &Hops) -> Self {
        let squares = zones.shared_squares();
        let landings: Vec<_> = squares.iter().map(|to| landing(rules, zones, to)).collect();
        let twins = squares.iter().map(|square| shared_bits(zones, rules.own_on_same_tile(square)));
        let twins: Vec<u32> = twins.collect();
        let mut bits = Vec::new();
        list_masks(0, 0, &twins, u32::from(rules.pieces()), &mut bits);
        bits.sort_unstable_by(|a, b| b.cmp(a));
        let excludes = bits.iter().map(|&mask| excluded(mask, &landings)).collect();
        let counts = bits.iter().map(|mask| mask.count_ones() as u8).collect();
        let mut masks = Self {
            bits,
            counts,
            excludes,
            steps: Vec::new(),
            step_start: Vec::new(),
            entered: Vec::new(),
            removed: Vec::new(),
            shared: landings.len(),
        };
        for at in 0..masks.bits.len() {
            masks.link(masks.bits[at], hops, &landings);
        }
        masks.step_start.push(masks.steps.len() as u32);
        masks
    }

    /// Adds the masks that `mask` leads to.
    fn link(&mut self, mask: u32, hops: &Hops, landings: &[Landing]) {
        for throw in 0..THROWS {
            self.step_start.push(self.steps.len() as u32);
            for from in ones(mask) {
                let to = shared_target(hops, from, throw);
                let Some(to) = to.filter(|&to| to < self.shared) else {
                    continue;
                };
                let mask = self.find(mask & !(1 << from), 1 << to);
                if mask != NONE {
                    self.steps.push(Step { mask, landing: landings[to] });
                }
            }
        }
        for (bit, &landing) in landings.iter().enumerate() {
            let entered = self.find(mask, 1 << bit);
            let removed =
                if mask >> bit & 1 != 0 { self.find(mask & !(1 << bit), 0) } else { NONE };
            self.entered.push((entered != NONE).then_some(Step { mask: entered, landing }));
            self.removed.push(removed);
        }
    }

    /// Returns the number of the mask `rest | bit`, or `NONE` if it overlaps or holds too many pieces.
    fn find(&self, rest: u32, bit: u32) -> u32 {
        if rest & bit != 0 {
            return NONE;
        }
        let found = self.bits.binary_search_by(|mask| (rest | bit).cmp(mask));
        found.map_or(NONE, |at| at as u32)
    }

    pub(crate) fn len(&self) -> usize {
        self.bits.len()
    }

    /// Returns the number of pieces of a mask.
    pub(crate) fn count(&self, mask: u32) -> u8 {
        self.counts[mask as usize]
    }

    /// Returns the moves of a mask's pieces between shared squares with one throw, without regard to what the opponent's pieces
    /// forbid.
    #[inline]
    pub(crate) fn steps(&self, mask: u32, throw: usize) -> &[Step] {
        let at = mask as usize * THROWS + throw;
        &self.steps[self.step_start[at] as usize..self.step_start[at + 1] as usize]
    }

    /// Returns the mask with one more piece, on `bit`.
    #[inline]
    pub(crate) fn entered(&self, mask: u32, bit: usize) -> Option<Step> {
        self.entered[mask as usize * self.shared + bit]
    }

    /// Returns the mask without its piece on `bit`.
    #[inline]
    pub(crate) fn removed(&self, mask: u32, bit: usize) -> u32 {
        self.removed[mask as usize * self.shared + bit]
    }

    /// Returns how many shared squares a mask's pieces have travelled, each counted from 1.
    pub(crate) fn progress(&self, mask: u32) -> usize {
        ones(self.bits[mask as usize]).map(|bit| bit + 1).sum()
    }
}

/// Lists the masks with at most `left` more pieces from `bit` on, no two on one tile.
fn list_masks(bit: usize, mask: u32, twins: &[u32], left: u32, masks: &mut Vec<u32>) {
    if bit == twins.len() {
        masks.push(mask);
        return;
    }
    list_masks(bit + 1, mask, twins, left, masks);
    if left > 0 && mask & twins[bit] == 0 {
        list_masks(bit + 1, mask | 1 << bit, twins, left - 1, masks);
    }
}

fn excluded(mask: u32, landings: &[Landing]) -> u32 {
    ones(mask).fold(0, |bits, bit| bits | landings[bit].meets)
}

/// Returns the set bits of a mask, ascending.
pub(crate) fn ones(mut mask: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (mask != 0).then(|| mask.trailing_zeros() as usize)?;
        mask &= mask - 1;
        Some(bit)
    })
}
