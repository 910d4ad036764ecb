//! Terrain: what a rule set means for sweeping, worked out once a game.
//!
//! Pieces on shared squares make a *configuration*: a shared mask of each side, bit 0 for the first shared square.
//! Masks are numbered from the largest down. A step forward makes a mask larger, so every move but a capture leads to
//! masks with smaller numbers; this is the order of sweeps.
#![expect(
    clippy::cast_possible_truncation,
    reason = "counts here are small: at most 31 squares, 15 pieces, 256 values of a block, 2^32 lanes"
)]

use puabi_core::{DeadPosition, Indexer, Rules, Square, Squares, Zones};

/// Pre squares of games that are swept in dense rows, and their throws; the longest reaches as many shared squares.
pub(crate) const PRE: usize = 4;
pub(crate) const THROWS: usize = 4;

/// No mask: the squares overlap.
pub(crate) const NONE: u32 = u32::MAX;

/// A roll that moves a piece, with its chance.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Throw {
    pub(crate) steps: usize,
    pub(crate) chance: f64,
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
    /// Those of them that cannot be captured.
    pub(crate) blocks: u32,
    /// Whether it gives another roll.
    pub(crate) again: bool,
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
    throws: usize,
    shared: usize,
}

/// A rule set as sweeps see it.
#[derive(Debug)]
pub(crate) struct Terrain {
    pub(crate) pre: usize,
    pub(crate) shared: usize,
    pub(crate) post: usize,
    pub(crate) length: usize,
    pub(crate) pieces: u8,
    /// Rolls that move a piece.
    pub(crate) throws: Vec<Throw>,
    /// The chance of a roll of zero.
    pub(crate) idle: f64,
    /// By square of the path: whether landing there gives another roll.
    pub(crate) again: [bool; 33],
    pub(crate) captures_again: bool,
    pub(crate) masks: Masks,
}

impl Terrain {
    /// Returns whether a game is one for dense rows: one piece a square and exact exits, four pre squares with a rosette on
    /// the last, and throws of one to four. Others gain nothing from rows, or cannot be swept by them.
    pub(crate) fn is_dense(rules: &Rules, zones: Zones) -> bool {
        let rule_set = rules.rule_set();
        let steps = rules.rolls().iter().map(|(roll, _)| usize::from(roll.steps()));
        let again = |square: usize| {
            let is_rosette = rules.rosettes().iter().any(|it| usize::from(it.number()) == square);
            is_rosette && rule_set.rosettes_grant_rolls
        };
        !rules.has_stacks()
            && rule_set.exact_exit
            && rule_set.dead_position == DeadPosition::Draw
            && usize::from(zones.pre()) == PRE
            && usize::from(rules.length() - zones.pre() - zones.post()) >= THROWS
            && steps.filter(|&steps| steps > 0).eq(1..=THROWS)
            && (1..=PRE).all(|square| again(square) == (square == PRE))
    }

    pub(crate) fn new(rules: &Rules, indexer: &Indexer) -> Self {
        let zones = indexer.zones();
        let (pre, post) = (usize::from(zones.pre()), usize::from(zones.post()));
        let length = usize::from(rules.length());
        let shared = length - pre - post;
        let moving = rules.rolls().iter().filter(|(roll, _)| roll.steps() > 0);
        let throws: Vec<_> = moving
            .map(|&(roll, chance)| Throw { steps: usize::from(roll.steps()), chance })
            .collect();
        let mut again = [false; 33];
        for square in rules.rosettes().iter() {
            again[usize::from(square.number())] = rules.rule_set().rosettes_grant_rolls;
        }
        let landings = landings(rules, zones, &again);
        let idle = 1.0 - throws.iter().map(|throw| throw.chance).sum::<f64>();
        let masks = Masks::new(rules, zones, &throws, &landings);
        Self {
            pre,
            shared,
            post,
            length,
            pieces: rules.pieces(),
            throws,
            idle,
            again,
            captures_again: rules.rule_set().captures_grant_rolls,
            masks,
        }
    }

    /// Returns the shared mask `bits` as squares of the path.
    pub(crate) fn squares(&self, bits: u32) -> Squares {
        Squares::from_bits(bits << (self.pre + 1))
    }
}

fn landings(rules: &Rules, zones: Zones, again: &[bool; 33]) -> Vec<Landing> {
    let bits = |squares: Squares| shared_bits(zones, squares);
    let landing = |square: Square| {
        let meets = bits(rules.meets(square));
        let blocks = meets & !bits(rules.captures(square));
        Landing { meets, blocks, again: again[usize::from(square.number())] }
    };
    zones.shared_squares().iter().map(landing).collect()
}

fn shared_bits(zones: Zones, squares: Squares) -> u32 {
    (squares & zones.shared_squares()).bits() >> (zones.pre() + 1)
}

/// Counts the shared masks of one side without listing them.
pub(crate) fn count_masks(rules: &Rules, zones: Zones) -> u64 {
    // Each tile of a side is empty or holds a piece on one of its squares; binomial convolution over tiles.
    let mut ways = vec![0_u64; usize::from(rules.pieces()) + 1];
    ways[0] = 1;
    for square in zones.shared_squares().iter() {
        let twins = rules.twins(square);
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
    fn new(rules: &Rules, zones: Zones, throws: &[Throw], landings: &[Landing]) -> Self {
        let twins: Vec<u32> = zones
            .shared_squares()
            .iter()
            .map(|square| shared_bits(zones, rules.twins(square)))
            .collect();
        let mut bits = Vec::new();
        list_masks(0, 0, &twins, u32::from(rules.pieces()), &mut bits);
        bits.sort_unstable_by(|a, b| b.cmp(a));
        let excludes = bits.iter().map(|&mask| excluded(mask, landings)).collect();
        let counts = bits.iter().map(|mask| mask.count_ones() as u8).collect();
        let mut masks = Self {
            bits,
            counts,
            excludes,
            steps: Vec::new(),
            step_start: Vec::new(),
            entered: Vec::new(),
            removed: Vec::new(),
            throws: throws.len(),
            shared: landings.len(),
        };
        for at in 0..masks.bits.len() {
            masks.link(masks.bits[at], throws, landings);
        }
        masks.step_start.push(masks.steps.len() as u32);
        masks
    }

    /// Adds what `mask` leads to.
    fn link(&mut self, mask: u32, throws: &[Throw], landings: &[Landing]) {
        for throw in throws {
            self.step_start.push(self.steps.len() as u32);
            for from in ones(mask) {
                let to = from + throw.steps;
                if to < self.shared {
                    let mask = self.find(mask & !(1 << from), 1 << to);
                    if mask != NONE {
                        self.steps.push(Step { mask, landing: landings[to] });
                    }
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

    /// The number of the mask `rest | bit`, or `NONE` where it overlaps or holds too many pieces.
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

    /// The pieces of a mask.
    pub(crate) fn count(&self, mask: u32) -> u8 {
        self.counts[mask as usize]
    }

    /// The moves of a mask's pieces between shared squares with one throw; what the opponent's pieces forbid is left in.
    #[inline]
    pub(crate) fn steps(&self, mask: u32, throw: usize) -> &[Step] {
        let at = mask as usize * self.throws + throw;
        &self.steps[self.step_start[at] as usize..self.step_start[at + 1] as usize]
    }

    /// The mask with one more piece, on `bit`.
    #[inline]
    pub(crate) fn entered(&self, mask: u32, bit: usize) -> Option<Step> {
        self.entered[mask as usize * self.shared + bit]
    }

    /// The mask without its piece on `bit`.
    #[inline]
    pub(crate) fn removed(&self, mask: u32, bit: usize) -> u32 {
        self.removed[mask as usize * self.shared + bit]
    }

    /// The squares that a mask's pieces have travelled over shared squares, each counted from 1.
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

/// The set bits of a mask, ascending.
pub(crate) fn ones(mut mask: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (mask != 0).then(|| mask.trailing_zeros() as usize)?;
        mask &= mask - 1;
        Some(bit)
    })
}
