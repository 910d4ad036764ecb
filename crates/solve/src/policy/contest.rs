//! A contest: a game, its two players and what is measured.

use std::sync::OnceLock;

use puabi_core::{Indexer, Player, RuleSet, Rules, Sublayer};

use super::measure::Measure;
use super::rows::{Measured, Rows};
use super::seat::Seat;
use crate::drive::schedule::{Keep, Settled};
use crate::general::pre::PreMoves;
use crate::offer::Offer;
use crate::values::Values;

/// The values of a board: with light about to roll, and with dark.
pub(super) type Pair<const N: usize> = [Measured<N>; 2];

/// The values of the units that are held to the end.
pub(super) type Units<const N: usize> = Vec<Option<Settled<Pair<N>>>>;

/// The most moves of a decision.
pub(super) const MAX_MOVES: usize = RuleSet::MAX_PIECES as usize + 1;

/// A game, its two players and what is measured.
///
/// A *board* is a position seen by light, whichever player is about to roll. The boards with one side state of light and one of
/// dark are a *unit*: a sublayer in which light is the senior side, or one in which dark is. Its boards are laid out as those of
/// a solve, seen by the senior side.
pub(super) struct Contest<'a, const N: usize> {
    pub(super) rules: &'a Rules,
    pub(super) indexer: &'a Indexer,
    pub(super) seats: [Seat<'a>; 2],
    pub(super) measures: [&'a dyn Measure; N],
    /// By player: what this player may take instead of rolling, in the first measure.
    pub(super) offers: [Option<Offer<'a>>; 2],
    pub(super) pre: PreMoves,
    /// By unit: its report, once it is settled.
    pub(super) found: Vec<OnceLock<UnitReport<N>>>,
}

/// The report of a settled unit: what is known of it beside its values.
#[derive(Debug, Clone, Copy)]
pub(super) struct UnitReport<const N: usize> {
    pub(super) gathered: Measured<N>,
    /// The number of its dead boards.
    pub(super) dead: u64,
    pub(super) sweeps: u32,
    pub(super) residual: f64,
}

/// Which values are held to the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kept {
    /// All.
    All,
    /// Those that later units read, and those that the start reads.
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
        let offers = [None; 2];
        Self { rules, indexer, seats, measures, offers, pre, found }
    }

    /// Returns the number of the unit with these side states.
    pub(super) fn unit(light: usize, dark: usize) -> usize {
        let (senior, junior) = (light.max(dark), light.min(dark));
        senior * (senior + 1) + 2 * junior + usize::from(light < dark)
    }

    /// Returns the sublayer of a unit, and its senior side. A sublayer that mirrors itself has no unit with dark as the senior.
    pub(super) fn sublayer_of(&self, unit: usize) -> Option<(Sublayer, Player)> {
        let sublayer = self.indexer.sublayers()[unit / 2];
        let senior = Player::BOTH[unit % 2];
        (senior == Player::Light || !sublayer.is_mirror()).then_some((sublayer, senior))
    }

    /// Returns what the game is worth to light when it ends.
    pub(super) fn end(&self, winner: Option<Player>) -> Measured<N> {
        self.measures.map(|measure| measure.end(winner))
    }

    /// Returns the reports of all settled units, in the order of their numbers.
    pub(super) fn found(&self) -> impl Iterator<Item = &UnitReport<N>> {
        self.found.iter().filter_map(OnceLock::get)
    }

    /// Returns room for the given number of rows of a player.
    pub(super) fn rows(&self, mover: Player, rows: usize) -> Rows<N> {
        match self.seats[mover as usize] {
            Seat::Best => Rows::best(rows, mover),
            Seat::Plays(_) => Rows::given(rows),
        }
    }

    /// Returns the first measure of every position, seen by the player about to roll: light, and then dark.
    pub(super) fn values(&self, settled: &Units<N>) -> [Values; 2] {
        Player::BOTH.map(|mover| {
            let sublayers = self.indexer.sublayers().iter();
            let values = sublayers.map(|sublayer| self.to_index_order(sublayer, mover, settled));
            Values::new(self.indexer.clone(), values.collect())
        })
    }

    /// Returns the first measure of a sublayer's positions with `mover` about to roll, in index order.
    fn to_index_order(&self, sublayer: &Sublayer, mover: Player, settled: &Units<N>) -> Box<[f64]> {
        let [senior, junior] = [sublayer.senior, sublayer.junior];
        let of_player = |mine: usize, theirs: usize| {
            let unit = match mover {
                Player::Light => Self::unit(mine, theirs),
                Player::Dark => Self::unit(theirs, mine),
            };
            let (held, _) = settled[unit].as_ref().expect("all units are held");
            let values = held.values();
            (0..values.len()).map(move |offset| match mover {
                // Boards with unequal states have the same offset, whichever player sees them.
                Player::Dark if mine == theirs => {
                    let position = self.indexer.position(sublayer.base + offset as u64);
                    let position = position.expect("an index below the length");
                    values[index(self.indexer.rank_parts(position.flipped()).offset)][1][0]
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

#[expect(clippy::cast_possible_truncation, reason = "below the length of a slice")]
pub(super) fn index(offset: u64) -> usize {
    offset as usize
}
