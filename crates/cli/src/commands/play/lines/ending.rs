//! How a game ended, in words.

use puabi_core::{Player, Record};
use puabi_server::Language;

use crate::output::text::t;

/// Returns who has won, and after how many rolls; `name` returns the name of a player.
pub(super) fn words(
    record: &Record,
    name: impl Fn(Player) -> String,
    language: Language,
) -> String {
    let rolls = record.game.plies().len();
    match record.winner() {
        Some(player) => won(record, player, &name(player), language),
        None if record.ending.is_some() => {
            if rolls == 1 {
                return t!(language, "nobody wins, after one roll");
            }
            t!(language, "nobody wins, after {rolls} rolls", rolls)
        }
        None => {
            if rolls == 1 {
                return t!(language, "neither player can ever move: nobody wins, after one roll");
            }
            t!(language, "neither player can ever move: nobody wins, after {rolls} rolls", rolls)
        }
    }
}

fn won(record: &Record, player: Player, winner: &str, language: Language) -> String {
    let (setup, rolls) = (record.game.setup(), record.game.plies().len());
    let [won, lost] = [player, player.opponent()].map(|side| setup.side(side).score);
    if rolls == 1 {
        return t!(language, "{winner} wins, {won} to {lost}, after one roll", winner, won, lost);
    }
    t!(language, "{winner} wins, {won} to {lost}, after {rolls} rolls", winner, won, lost, rolls)
}
