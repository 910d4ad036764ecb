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
    bests: [Vec<Vec<f64>>; 2],
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
        let rolls = field.lane.rolls.len();
        Self {
            field,
            values,
            finished,
            dead: field.rules.dead_value(board),
            positions: if sublayer.is_mirror() { 1 } else { 2 },
            bests: [vec![Vec::new(); rolls], vec![Vec::new(); rolls]],
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
                tally = tally.and(self.board(block, board, lights.len(), pass));
            }
        }
        tally
    }

    /// Fills the bests of the block from its links.
    fn follow(&mut self, block: Block, links: &mut impl Iterator<Item = u32>) {
        let rows = |left: u8| self.field.lane.orders[usize::from(left)].len();
        let boards = rows(block.light) * rows(block.dark);
        for player in Player::BOTH {
            for roll in 0..self.field.lane.rolls.len() {
                let mut best = std::mem::take(&mut self.bests[player as usize][roll]);
                best.clear();
                best.resize(boards, NO_MOVE);
                let head = links.next().expect("links are whole");
                for _ in 0..head & 0xff {
                    self.take(block, player, None, Link::read(links), &mut best);
                }
                for origin in (0..8).filter(|origin| head >> (8 + origin) & 1 != 0) {
                    self.take(block, player, Some(origin), Link::read(links), &mut best);
                }
                self.bests[player as usize][roll] = best;
            }
        }
    }

    /// Takes what a link leads to where it is better.
    fn take(&self, block: Block, player: Player, origin: Option<u8>, link: Link, best: &mut [f64]) {
        let lane = &self.field.lane;
        let rows = |left: u8| lane.orders[usize::from(left)].len();
        let (lights, darks) = (rows(block.light), rows(block.dark));
        let target = Target::new(self, block, player, origin.is_some(), link);
        for dark in 0..darks {
            for light in 0..lights {
                let mut place = [light, dark];
                if let Some(origin) = origin {
                    let own = &mut place[player as usize];
                    let all = if player == Player::Light { block.light } else { block.dark };
                    match lane.without(origin, *own, all) {
                        NONE => continue,
                        rank => *own = usize::from(rank),
                    }
                }
                let best = &mut best[dark * lights + light];
                *best = best.max(target.value(place));
            }
        }
    }

    /// Backs up one board, given by the pre ranks of light and dark.
    fn board(&self, block: Block, [light, dark]: [usize; 2], lights: usize, pass: Pass) -> Tally {
        let base = block.base as usize;
        let place = |[light, dark]: [usize; 2]| dark * lights + light;
        let at = |player: Player, ranks| {
            base + place(ranks) + if player == Player::Light { 0 } else { self.values.half() }
        };
        let sums = Player::BOTH.map(|player| {
            let (own, all) = match player {
                Player::Light => (light, block.light),
                Player::Dark => (dark, block.dark),
            };
            let mut sum = Sum::default();
            for (roll, &(chance, _)) in self.field.lane.rolls.iter().enumerate() {
                let mut best = self.bests[player as usize][roll][place([light, dark])];
                for inner in self.field.lane.inner(roll, own, all) {
                    let mut ranks = [light, dark];
                    ranks[player as usize] = usize::from(inner.to);
                    best = best.max(match inner.again {
                        true => self.values.get(at(player, ranks)),
                        false => 1.0 - self.values.get(at(player.opponent(), ranks)),
                    });
                }
                sum.add(chance, best);
            }
            sum
        });
        let places = Player::BOTH.map(|player| at(player, [light, dark]));
        self.store(sums, places, pass)
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

/// The block that a link leads to, read for the player who moves.
enum Target<'a> {
    Won,
    Work { values: &'a Values, base: usize, strides: [usize; 2], again: bool },
    Finished { values: &'a [f64], base: usize, strides: [usize; 2], again: bool },
}

impl<'a> Target<'a> {
    fn new<F: Finished>(
        backup: &Backup<'a, F>,
        block: Block,
        player: Player,
        enters: bool,
        link: Link,
    ) -> Self {
        let mut left = [block.light, block.dark];
        left[player as usize] -= u8::from(enters);
        left[player.opponent() as usize] += u8::from(link.captures);
        let rows = left.map(|left| backup.field.lane.orders[usize::from(left)].len());
        let Link { base, again, .. } = link;
        match link.exit {
            None => Self::Work { values: backup.values, base, strides: [1, rows[0]], again },
            Some(Exit::Won) => Self::Won,
            Some(Exit::Into { at, is_turned }) => Self::Finished {
                values: backup.finished.sublayer(at),
                base,
                strides: if is_turned { [rows[1], 1] } else { [1, rows[0]] },
                again,
            },
        }
    }

    /// The mover's chance where light and dark have these pre ranks.
    #[inline]
    fn value(&self, [light, dark]: [usize; 2]) -> f64 {
        let place =
            |base: usize, strides: [usize; 2]| base + light * strides[0] + dark * strides[1];
        let (value, again) = match *self {
            Self::Won => return 1.0,
            Self::Work { values, base, strides, again } => {
                (values.get(place(base, strides)), again)
            }
            Self::Finished { values, base, strides, again } => {
                (values[place(base, strides)], again)
            }
        };
        if again { value } else { 1.0 - value }
    }
}
