//! The backup of a block: both players' values of each of its boards.

use puabi_core::{Player, Sublayer};

use super::General;
use super::lane::NONE;
use super::layout::Block;
use super::links::{Exit, Link};
use super::values::Values;
use crate::exits::Finished;
use crate::tally::Tally;

/// What is done with backups.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pass {
    /// They are stored, passes solved to the end.
    Sweep,
    /// They are compared with the values, passes taken one at a time.
    Residual,
}

/// No move: below every chance.
const NO_MOVE: f64 = -1.0;

/// Backs up blocks of one sublayer.
pub(super) struct Backup<'a, F> {
    field: &'a General<'a>,
    values: &'a Values,
    finished: &'a F,
    /// Light's chance in a dead position.
    dead: f64,
    /// Positions of a board: with light about to roll, and with dark where that is another one.
    positions: u64,
    /// By player and roll: the best of what the links lead to for each board of the block.
    bests: Vec<f64>,
}

/// What a player's rolls come to before passes.
#[derive(Debug, Clone, Copy, Default)]
struct Sum {
    value: f64,
    /// The chance of a pass.
    pass: f64,
    passes: usize,
}

impl<'a, F: Finished> Backup<'a, F> {
    pub(super) fn new(
        field: &'a General<'a>,
        sublayer: Sublayer,
        values: &'a Values,
        finished: &'a F,
    ) -> Self {
        let board = field.indexer.position(sublayer.base).expect("a sublayer has positions");
        Self {
            field,
            values,
            finished,
            dead: field.rules.dead_value(board),
            positions: if sublayer.is_mirror() { 1 } else { 2 },
            bests: Vec::new(),
        }
    }

    /// Backs up the boards of `block`, whose links come next.
    pub(super) fn block(
        &mut self,
        block: Block,
        links: &mut impl Iterator<Item = u32>,
        pass: Pass,
    ) -> Tally {
        self.follow(block, links);
        let lane = &self.field.lane;
        let lights = &lane.orders[usize::from(block.light)];
        let mut tally = Tally::default();
        for &dark in &lane.orders[usize::from(block.dark)] {
            for &light in lights {
                let board = [usize::from(light), usize::from(dark)];
                tally = tally.and(self.board(block, board, pass));
            }
        }
        tally
    }

    /// The contents of the pre squares with at most so many pieces.
    #[inline]
    fn rows(&self, left: u8) -> usize {
        self.field.lane.orders[usize::from(left)].len()
    }

    /// Fills the bests of the block from its links.
    fn follow(&mut self, block: Block, links: &mut impl Iterator<Item = u32>) {
        let boards = self.rows(block.light) * self.rows(block.dark);
        let rolls = self.field.lane.rolls.len();
        let mut bests = std::mem::take(&mut self.bests);
        bests.clear();
        bests.resize(2 * rolls * boards, NO_MOVE);
        for (at, best) in bests.chunks_exact_mut(boards).enumerate() {
            let player = if at < rolls { Player::Light } else { Player::Dark };
            let head = links.next().expect("links are whole");
            for _ in 0..head & 0xff {
                self.take(block, player, None, Link::read(links), best);
            }
            let mut origins = head >> 8;
            while origins != 0 {
                let origin = origins.trailing_zeros();
                origins &= origins - 1;
                self.take(block, player, Some(origin as usize), Link::read(links), best);
            }
        }
        self.bests = bests;
    }

    /// Takes what a link leads to where it is better.
    fn take(
        &self,
        block: Block,
        player: Player,
        origin: Option<usize>,
        link: Link,
        best: &mut [f64],
    ) {
        let mut left = [block.light, block.dark];
        left[player as usize] -= u8::from(origin.is_some());
        left[player.opponent() as usize] += u8::from(link.captures);
        let strides = [1, self.rows(left[0])];
        let (base, values) = (link.base, self.values);
        // The mover's chance: that of who rolls next, or what is left of it.
        let (sign, rest) = if link.again { (1.0, 0.0) } else { (-1.0, 1.0) };
        let boards = Boards { block, player, origin };
        match link.exit {
            None => {
                self.each(&boards, strides, best, |at| rest + sign * values.get(base + at));
            }
            Some(Exit::Won) => self.each(&boards, strides, best, |_| 1.0),
            Some(Exit::Into { at, is_turned }) => {
                let finished = &self.finished.sublayer(at)[base..];
                let turned = [self.rows(left[1]), 1];
                let strides = if is_turned { turned } else { strides };
                self.each(&boards, strides, best, |at| rest + sign * finished[at]);
            }
        }
    }

    /// Takes a value for each board where it is better; `strides` are those of the pre ranks where the values lie.
    #[inline]
    fn each(
        &self,
        boards: &Boards,
        strides: [usize; 2],
        best: &mut [f64],
        value: impl Fn(usize) -> f64,
    ) {
        let Boards { block, player, origin } = *boards;
        let lights = self.rows(block.light);
        let better = |best: &mut f64, at: usize| *best = best.max(value(at));
        if best.len() == 1 && origin.is_none() {
            return better(&mut best[0], 0);
        }
        let lane = &self.field.lane;
        for (dark, best) in best.chunks_exact_mut(lights).enumerate() {
            let dark = match (origin, player) {
                (Some(origin), Player::Dark) => match lane.without(origin, dark, block.dark) {
                    NONE => continue,
                    rank => usize::from(rank),
                },
                _ => dark,
            };
            for (light, best) in best.iter_mut().enumerate() {
                let light = match (origin, player) {
                    (Some(origin), Player::Light) => {
                        match lane.without(origin, light, block.light) {
                            NONE => continue,
                            rank => usize::from(rank),
                        }
                    }
                    _ => light,
                };
                better(best, light * strides[0] + dark * strides[1]);
            }
        }
    }

    /// Backs up one board, given by the pre ranks of light and dark.
    #[inline]
    fn board(&self, block: Block, [light, dark]: [usize; 2], pass: Pass) -> Tally {
        let (lights, base, half) =
            (self.rows(block.light), block.base as usize, self.values.half());
        let boards = lights * self.rows(block.dark);
        let place = dark * lights + light;
        let first = self.sum(place, boards, 0, |roll, mut best| {
            for inner in self.field.lane.inner(roll, light, block.light) {
                let at = base + dark * lights + usize::from(inner.to);
                best = best.max(self.inner_value(at, at + half, inner.again));
            }
            best
        });
        let second = self.sum(place, boards, 1, |roll, mut best| {
            for inner in self.field.lane.inner(roll, dark, block.dark) {
                let at = base + usize::from(inner.to) * lights + light;
                best = best.max(self.inner_value(at + half, at, inner.again));
            }
            best
        });
        self.store([first, second], [base + place, base + place + half], pass)
    }

    /// The mover's chance after a move on the pre squares, given where that of the mover and of the other lie.
    #[inline]
    fn inner_value(&self, own: usize, other: usize, again: bool) -> f64 {
        if again { self.values.get(own) } else { 1.0 - self.values.get(other) }
    }

    /// What the rolls of a player come to on the board at `place`, improved by moves on the pre squares.
    #[inline]
    fn sum(
        &self,
        place: usize,
        boards: usize,
        player: usize,
        improve: impl Fn(usize, f64) -> f64,
    ) -> Sum {
        let rolls = &self.field.lane.rolls;
        let mut sum = Sum::default();
        for (roll, &(chance, _)) in rolls.iter().enumerate() {
            let best = self.bests[(player * rolls.len() + roll) * boards + place];
            sum.add(chance, improve(roll, best));
        }
        sum
    }

    fn store(&self, [light, dark]: [Sum; 2], places: [usize; 2], pass: Pass) -> Tally {
        let old = places.map(|place| self.values.get(place));
        let rolls = self.field.lane.rolls.len();
        let is_dead = light.passes == rolls && dark.passes == rolls;
        let new = match pass {
            _ if is_dead => [self.dead, 1.0 - self.dead],
            Pass::Residual => {
                [light.value + light.pass * (1.0 - old[1]), dark.value + dark.pass * (1.0 - old[0])]
            }
            Pass::Sweep => {
                let left = 1.0 - light.pass * dark.pass;
                let first = (light.value + light.pass * (1.0 - dark.value - dark.pass)) / left;
                [first, dark.value + dark.pass * (1.0 - first)]
            }
        };
        let mut tally =
            Tally { dead: if is_dead { self.positions } else { 0 }, ..Tally::default() };
        for (player, place) in places.into_iter().enumerate() {
            tally.change = tally.change.max((new[player] - old[player]).abs());
            if pass == Pass::Sweep {
                self.values.set(place, new[player]);
            }
        }
        tally
    }
}

impl Sum {
    fn add(&mut self, chance: f64, best: f64) {
        if best == NO_MOVE {
            self.pass += chance;
            self.passes += 1;
        } else {
            self.value += chance * best;
        }
    }
}

/// The boards of a block as a link sees them.
struct Boards {
    block: Block,
    /// Who moves.
    player: Player,
    /// Where the piece comes from, if it comes onto the configuration.
    origin: Option<usize>,
}
