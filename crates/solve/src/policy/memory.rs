//! The memory that a contest takes, estimated beforehand.

use puabi_core::{Indexer, Rules};

use super::contest::{Contest, Kept};
use super::seat::Seat;
use crate::drive::engine::Engine;
use crate::drive::graph::Graph;

/// Returns the bytes of memory that a contest takes at its peak.
pub(super) fn memory(
    rules: &Rules,
    indexer: &Indexer,
    threads: usize,
    measures: usize,
    kept: Kept,
) -> u64 {
    let contest = Contest::new(rules, indexer, [Seat::Best; 2], []);
    let graph = Graph::new(&contest);
    let largest = |is_large: bool| {
        let units = 0..contest.sublayers();
        let of_kind = units.filter(|&unit| graph.is_large(unit, threads) == is_large);
        of_kind.map(|unit| contest.positions(unit)).max().unwrap_or(0)
    };
    let (large, small) = (largest(true), largest(false).saturating_mul(threads as u64));
    let a_value = 16 * measures as u64;
    let held = match kept {
        // At the end the values of each player are written beside those of the units.
        Kept::All => indexer.len().saturating_mul(a_value + 16),
        // Units that other threads work on may be held a little longer.
        Kept::Needed => {
            let held = graph.most_held(threads, |positions| positions);
            held.saturating_add(small).saturating_mul(a_value)
        }
    };
    let rolls = rules.rolls().len() as u64;
    let a_row = 12 + 8 * measures as u64 + rolls * MOVES_A_ROLL * MOVE;
    let at_work = large.max(small).saturating_mul(BOARD + 3 * a_value + 2 * a_row);
    held.saturating_add(at_work).saturating_add(32 << 20)
}

/// Bytes for the place of a board, and for its block, which may have no other board.
const BOARD: u64 = 48;
/// Bytes of a move in a row.
const MOVE: u64 = 12;
/// The assumed number of moves of a roll that stay in the unit.
const MOVES_A_ROLL: u64 = 3;
