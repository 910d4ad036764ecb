//! The engine of contests: it asks the players for their moves once and sweeps the values that these give.

use std::sync::Arc;

use puabi_core::{Indexer, Player, Position, Sublayer};

use super::cells::Cells;
use super::choices::{Surroundings, TurnChoices, seen_by};
use super::contest::{Contest, Pair, UnitReport, index};
use super::sweeps::{BoardMoves, PolicySweeps};
use crate::drive::engine::{Engine, Finished, SettledBy};
use crate::drive::iterate::Course;
use crate::drive::preparation::Preparation;
use crate::general::layout::{BlockLayout, Purpose};
use crate::general::places::Places;
use crate::parallel;
use crate::plan::dependencies::later_pairs;
use crate::types::{SolveError, Sweep};

impl<const N: usize> Contest<'_, N> {
    /// Asks the players for all their moves on some boards, each given with its place.
    fn strip(&self, around: &Surroundings<'_, N>, boards: &[(Position, u32)]) -> BoardMoves<N> {
        let (mut gathered, mut dead, mut turn) = ([0.0; N], 0, TurnChoices::new());
        let rows = Player::BOTH.map(|mover| {
            let mut rows = self.rows(mover, boards.len());
            for &(board, _) in boards {
                rows.push();
                let scene = (mover, seen_by(mover, board));
                let is_dead = self.fill(around, scene, &mut turn, (&mut rows, &mut gathered));
                dead += u64::from(is_dead && mover == Player::Light);
            }
            rows.shrink();
            rows
        });
        let limits = Player::BOTH.map(|mover| self.limits(mover, boards));
        let places = boards.iter().map(|&(_, place)| place).collect();
        BoardMoves { places, rows, limits, gathered, dead }
    }

    /// Returns what a player can take on each board instead of rolling, as a worth to light; empty if nothing is offered.
    fn limits(&self, mover: Player, boards: &[(Position, u32)]) -> Box<[f64]> {
        let Some(offer) = self.offers[mover as usize] else { return Box::default() };
        let of_board = |&(board, _): &(Position, u32)| {
            let position = seen_by(mover, board);
            // A dead board has ended.
            let is_dead = self.rules.is_dead(position);
            let own = if is_dead { 0.0 } else { offer.worth(offer.values.value(position)) };
            if mover == Player::Light { own } else { 1.0 - own }
        };
        boards.iter().map(of_board).collect()
    }

    /// Asks the players for all their moves in a unit.
    fn strips(
        &self,
        (sublayer, senior): (Sublayer, Player),
        layout: &BlockLayout,
        around: &Surroundings<'_, N>,
        course: Course<'_>,
    ) -> Result<Vec<BoardMoves<N>>, SolveError> {
        let asking = Preparation::new(course, ASKING, layout.strips.len());
        let strips = parallel::map(course.sharing, 0..layout.strips.len(), |strip| {
            asking.begin(1)?;
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
}

impl<const N: usize> Engine for Contest<'_, N> {
    type Space = ();
    type Value = Pair<N>;

    /// The moves of a unit take many times the memory of its values, so only smaller units are at work beside others.
    const MOST_BESIDE: u64 = 1 << 18;

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
        finished: F,
        (): &mut (),
        course: Course<'_>,
    ) -> SettledBy<Self> {
        let Some(unit) = self.sublayer_of(at) else {
            return Ok((Arc::new(Box::<[Pair<N>]>::default()), 0));
        };
        let layout = BlockLayout::new(self.indexer, &self.pre, unit.0, Purpose::Policies);
        let places = Places::new(&layout, &self.pre, unit.0);
        let around = Surroundings { unit: at, places: &places, finished: &finished };
        let strips = self.strips(unit, &layout, &around, course)?;
        let cells = Cells::new(layout.values, self.end(None));
        let mut sweeps = PolicySweeps::new(&layout, strips, cells, course.sharing);
        // A position has a value for each measure and player, so no sweep is shown to the watch.
        let watch = |share: f64, _: Option<&Sweep<'_>>| (course.watch)(share, None);
        let unshown = Course { watch: &watch, ..course };
        let made = unshown.within(ASKING..1.0, |course| course.sweep_policies(&mut sweeps))?;
        let residual = sweeps.residual();
        let (cells, gathered, dead) = sweeps.into_values();
        let first = self.found[at].set(UnitReport { gathered, dead, sweeps: made, residual });
        debug_assert!(first.is_ok(), "a unit is settled once");
        let value = |offset| {
            let (place, _) = places.find(offset);
            [cells.get(place), cells.get(place + 1)]
        };
        let values: Box<[Pair<N>]> = (0..index(unit.0.half)).map(value).collect();
        Ok((Arc::new(values), made))
    }
}

/// The share of the work that asking the players for their moves is assumed to take.
const ASKING: f64 = 0.5;
