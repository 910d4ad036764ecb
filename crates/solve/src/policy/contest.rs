//! The engine of contests: it asks the players for their moves once and sweeps the values that these give.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use puabi_core::{Indexer, Player, Position, RuleSet, Rules, Sublayer};

use super::cells::Cells;
use super::choices::{Surroundings, Turn, seen_by};
use super::measure::Measure;
use super::rows::{Measured, Rows};
use super::seat::Seat;
use super::sweeps::{PolicySweeps, Strip};
use crate::drive::engine::{Engine, Finished};
use crate::drive::iterate::Course;
use crate::drive::schedule::{Keep, Settled};
use crate::general::layout::{Layout, Purpose};
use crate::general::places::Places;
use crate::general::pre::PreMoves;
use crate::parallel;
use crate::plan::dependencies::{Graph, later_pairs};
use crate::types::{SolveError, Sweep};
use crate::values::Values;

/// The values of a board: with light about to roll, and with dark.
pub(super) type Pair<const N: usize> = [Measured<N>; 2];

/// The most moves of a decision.
pub(super) const MAX_MOVES: usize = RuleSet::MAX_PIECES as usize + 1;

/// A game, its two players and what is measured.
///
/// A *board* is a position seen by light, whoever is about to roll. The boards with one side state of light and one of
/// dark are a *unit*: a sublayer in which light is the senior side, or one in which dark is. Its boards are laid out as
/// those of a solve, seen by the senior side.
pub(super) struct Contest<'a, const N: usize> {
    pub(super) rules: &'a Rules,
    pub(super) indexer: &'a Indexer,
    pub(super) seats: [Seat<'a>; 2],
    pub(super) measures: [&'a dyn Measure; N],
    pre: PreMoves,
    /// By unit: what else is known of it.
    found: Vec<OnceLock<Found<N>>>,
}

/// What is known of a settled unit beside its values.
#[derive(Debug, Clone, Copy)]
pub(super) struct Found<const N: usize> {
    pub(super) gathered: Measured<N>,
    pub(super) sweeps: u32,
    pub(super) residual: f64,
}

/// Which values are held to the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kept {
    /// All.
    All,
    /// Those that units to come read, and those that the start reads.
    Needed,
}

impl<V> Keep<V> for Kept {
    fn holds_all(&self) -> bool {
        *self == Self::All
    }
}

impl<'a, const N: usize> Contest<'a, N> {
    pub(super) fn new(
        rules: &'a Rules,
        indexer: &'a Indexer,
        seats: [Seat<'a>; 2],
        measures: [&'a dyn Measure; N],
    ) -> Self {
        let pre = PreMoves::new(rules, indexer);
        let found = (0..2 * indexer.sublayers().len()).map(|_| OnceLock::new()).collect();
        Self { rules, indexer, seats, measures, pre, found }
    }

    /// Returns the number of the unit with these side states.
    pub(super) fn unit(light: usize, dark: usize) -> usize {
        let (senior, junior) = (light.max(dark), light.min(dark));
        senior * (senior + 1) + 2 * junior + usize::from(light < dark)
    }

    /// The sublayer of a unit, and its senior side. A sublayer that mirrors itself has no unit with dark as the senior.
    fn sublayer_of(&self, unit: usize) -> Option<(Sublayer, Player)> {
        let sublayer = self.indexer.sublayers()[unit / 2];
        let senior = Player::BOTH[unit % 2];
        (senior == Player::Light || !sublayer.is_mirror()).then_some((sublayer, senior))
    }

    /// Returns what the game is worth to light when it ends.
    pub(super) fn end(&self, winner: Option<Player>) -> Measured<N> {
        self.measures.map(|measure| measure.end(winner))
    }

    /// Returns what is known of every unit, in the order of their numbers.
    pub(super) fn found(&self) -> impl Iterator<Item = &Found<N>> {
        self.found.iter().filter_map(OnceLock::get)
    }

    /// Returns room for a number of rows of a player.
    pub(super) fn rows(&self, mover: Player, rows: usize) -> Rows<N> {
        match self.seats[mover as usize] {
            Seat::Best => Rows::best(rows, mover),
            Seat::Plays(_) => Rows::given(rows),
        }
    }

    /// Asks the players for all their moves on some boards, each given with its place.
    fn strip(&self, around: &Surroundings<'_, N>, boards: &[(Position, u32)]) -> Strip<N> {
        let (mut gathered, mut turn) = ([0.0; N], Turn::new());
        let rows = Player::BOTH.map(|mover| {
            let mut rows = self.rows(mover, boards.len());
            for &(board, _) in boards {
                rows.push();
                let scene = (mover, seen_by(mover, board));
                self.fill(around, scene, &mut turn, (&mut rows, &mut gathered));
            }
            rows.shrink();
            rows
        });
        Strip { places: boards.iter().map(|&(_, place)| place).collect(), rows, gathered }
    }

    /// Asks the players for all their moves in a unit.
    fn strips(
        &self,
        (sublayer, senior): (Sublayer, Player),
        layout: &Layout,
        around: &Surroundings<'_, N>,
        course: Course<'_>,
    ) -> Result<Vec<Strip<N>>, SolveError> {
        let asked = AtomicUsize::new(0);
        let strips = parallel::map(course.shared, 0..layout.strips.len(), |strip| {
            let done = asked.fetch_add(1, Ordering::Relaxed) as f64;
            if (course.watch)(ASKING * done / layout.strips.len() as f64, None) {
                return Err(SolveError::Stopped);
            }
            let mut boards = Vec::new();
            layout.for_each_board(&layout.strips[strip], &self.pre, |offset, place| {
                let board = self.indexer.position(sublayer.base + offset);
                let board = board.expect("an index below the length");
                let place = u32::try_from(place).expect("a unit has fewer than 2^31 boards");
                boards.push((seen_by(senior, board), place));
            });
            Ok(self.strip(around, &boards))
        });
        strips.into_iter().collect()
    }

    /// Returns the first measure of every position, seen by the player about to roll: light, and then dark.
    pub(super) fn values(&self, settled: &[Option<Settled<Pair<N>>>]) -> [Values; 2] {
        Player::BOTH.map(|mover| {
            let sublayers = self.indexer.sublayers().iter();
            let values = sublayers.map(|sublayer| self.to_index_order(sublayer, mover, settled));
            Values::new(self.indexer.clone(), values.collect())
        })
    }

    /// The first measure of a sublayer's positions with `mover` about to roll.
    fn to_index_order(
        &self,
        sublayer: &Sublayer,
        mover: Player,
        settled: &[Option<Settled<Pair<N>>>],
    ) -> Box<[f64]> {
        let [senior, junior] = [sublayer.senior, sublayer.junior];
        let of_player = |mine: usize, theirs: usize| {
            let unit = match mover {
                Player::Light => Self::unit(mine, theirs),
                Player::Dark => Self::unit(theirs, mine),
            };
            let (values, _) = settled[unit].as_ref().expect("all units are held");
            (0..values.len()).map(move |offset| match mover {
                // Boards with unequal states have the same offset, whoever sees them.
                Player::Dark if mine == theirs => {
                    let position = self.indexer.position(sublayer.base + offset as u64);
                    let position = position.expect("an index below the length");
                    values[index(self.indexer.place(position.flipped()).offset)][1][0]
                }
                _ => values[offset][mover as usize][0],
            })
        };
        let mut values = Vec::with_capacity(index(sublayer.len()));
        values.extend(of_player(senior, junior));
        if !sublayer.is_mirror() {
            values.extend(of_player(junior, senior));
        }
        values.into()
    }
}

impl<const N: usize> Engine for Contest<'_, N> {
    type Space = ();
    type Value = Pair<N>;

    /// The moves of a unit take many times the memory of its values, so few units are at work at a time.
    const MOST_ALONE: u64 = 1 << 18;

    fn indexer(&self) -> &Indexer {
        self.indexer
    }

    fn sublayers(&self) -> usize {
        self.found.len()
    }

    fn positions(&self, unit: usize) -> u64 {
        self.sublayer_of(unit).map_or(0, |(sublayer, _)| sublayer.half)
    }

    fn leads_to(&self, unit: usize) -> Vec<usize> {
        let Some((Sublayer { senior, junior, .. }, player)) = self.sublayer_of(unit) else {
            return Vec::new();
        };
        let (light, dark) = match player {
            Player::Light => (senior, junior),
            Player::Dark => (junior, senior),
        };
        let later = later_pairs(self.indexer, light, dark);
        let mut units: Vec<_> = later.map(|(light, dark)| Self::unit(light, dark)).collect();
        units.sort_unstable();
        units.dedup();
        units
    }

    fn settle<F: Finished<Pair<N>>>(
        &self,
        at: usize,
        finished: &F,
        (): &mut (),
        course: Course<'_>,
    ) -> Result<(Box<[Pair<N>]>, u32), SolveError> {
        let Some(unit) = self.sublayer_of(at) else { return Ok((Box::default(), 0)) };
        let layout = Layout::new(self.indexer, &self.pre, unit.0, Purpose::Policies);
        let places = Places::new(&layout, &self.pre, unit.0);
        let around = Surroundings { unit: at, places: &places, finished };
        let strips = self.strips(unit, &layout, &around, course)?;
        let cells = Cells::new(layout.values, self.end(None));
        let mut sweeps = PolicySweeps::new(&layout, strips, cells, course.shared);
        let watch = |share: f64, sweep: Option<&Sweep<'_>>| {
            (course.watch)(ASKING + (1.0 - ASKING) * share, sweep)
        };
        let made = Course { watch: &watch, ..course }.sweep_policies(&mut sweeps)?;
        let residual = sweeps.residual();
        let (cells, gathered) = sweeps.into_values();
        let first = self.found[at].set(Found { gathered, sweeps: made, residual });
        debug_assert!(first.is_ok(), "a unit is settled once");
        let value = |offset| {
            let (place, _) = places.find(offset);
            [cells.get(place), cells.get(place + 1)]
        };
        Ok(((0..index(unit.0.half)).map(value).collect(), made))
    }
}

/// The share of the work that asking the players for their moves is taken to be.
const ASKING: f64 = 0.5;

#[expect(clippy::cast_possible_truncation, reason = "below the length of a slice")]
pub(super) fn index(offset: u64) -> usize {
    offset as usize
}

/// Returns the bytes of memory that a contest takes at its peak.
pub(super) fn memory(
    rules: &Rules,
    indexer: &Indexer,
    threads: usize,
    measures: usize,
    kept: Kept,
) -> u64 {
    let contest = Contest::new(rules, indexer, [Seat::Best; 2], []);
    let largest = |is_large: bool| {
        let units = 0..contest.sublayers();
        let of_kind = units.filter(|&unit| contest.is_large(unit, threads) == is_large);
        of_kind.map(|unit| contest.positions(unit)).max().unwrap_or(0)
    };
    let (large, small) = (largest(true), largest(false).saturating_mul(threads as u64));
    let a_value = 16 * measures as u64;
    let held = match kept {
        // At the end the values of each player are written beside those of the units.
        Kept::All => indexer.len() * (a_value + 16),
        // Units that other threads are at may be held a while longer.
        Kept::Needed => (Graph::new(&contest).most_held(&contest, threads) + small) * a_value,
    };
    let rolls = rules.rolls().len() as u64;
    let a_row = 12 + 8 * measures as u64 + rolls * MOVES_A_ROLL * MOVE;
    held + large.max(small) * (BOARD + 3 * a_value + 2 * a_row) + (32 << 20)
}

/// Bytes for the place of a board, and for a block, of which a board may be the only one.
const BOARD: u64 = 48;
/// Bytes of a move in a row.
const MOVE: u64 = 12;
/// Moves of a roll that stay in the unit.
const MOVES_A_ROLL: u64 = 3;
