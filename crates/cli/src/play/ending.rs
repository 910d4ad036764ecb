//! How a game ended before its time, in words.

use puabi_core::{Ending, Player, Record};
use puabi_server::Language;

use crate::output::text::t;

/// Returns the words for a game that ended because a player passed a double, gave up or left; `None` if it did not. `name` returns
/// the name of a player.
pub(crate) fn early(
    record: &Record,
    name: impl Fn(Player) -> String,
    language: Language,
) -> Option<String> {
    let ending = record.ending.filter(|_| !record.game.is_over())?;
    if let Some(player) = record.double_passed_by() {
        return Some(t!(language, "{player} passes", player = name(player)));
    }
    Some(match ending {
        Ending::Resigned(player) => t!(language, "{player} resigned", player = name(player)),
        Ending::Abandoned { by: Some(player), .. } => {
            t!(language, "{player} left", player = name(player))
        }
        Ending::Abandoned { by: None, .. } => t!(language, "abandoned"),
    })
}
