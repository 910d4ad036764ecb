//! The order in which a search looks into moves, which also decides among equally good ones.

use puabi_core::{Decision, Move};

use crate::agents::thumb::simple::origin;

/// Returns how appealing a move is at first sight. Two moves never leave the same square, so no two have the same appeal.
///
/// A further roll counts most, then a capture, then a rosette, then a square on which no piece can capture the moved one, then
/// how far along the piece stands. Of the orders that were measured, each over all presets, this one plays best (docs/results.md,
/// "Equal moves").
pub(crate) fn appeal(decision: &Decision<'_>, action: Move) -> u16 {
    let rules = decision.rules();
    let is_on_rosette = action.to().is_some_and(|to| rules.rosettes().contains(to));
    let is_out_of_reach = action.to().is_none_or(|to| rules.captors(to).is_empty());
    let wishes = [
        decision.rolls_again(action),
        decision.captures(action).is_some(),
        is_on_rosette,
        is_out_of_reach,
    ];
    let wishes = wishes.iter().fold(0, |bits, &wish| bits << 1 | u16::from(wish));
    // A square has five bits.
    wishes << 5 | u16::from(origin(action))
}
