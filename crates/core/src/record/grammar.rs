//! The fixed words and the limits of the record format.

/// The first line of a record, after `format:`.
pub(super) const FORMAT: &str = "urg 1";
/// The headers that follow from the game and the format.
pub(super) const OWN_HEADERS: [&str; 4] = ["format", "rules", "start", STAKES];
/// The header with the seed of the dice.
pub(super) const SEED: &str = "seed";
/// The header with the number of the next game of the match.
pub(super) const NEXT: &str = "next";
/// The first word of a line that names the winner.
pub(super) const WON: &str = "won";
/// The line that says that the game is drawn: neither player can ever move.
pub(super) const DRAWN: &str = "drawn";
/// The longest text that is read as a record, in bytes.
pub(super) const MAX_BYTES: usize = 64 << 20;
/// The most characters of a header's key.
pub(super) const MAX_KEY: usize = 40;
/// The header with what the game is played for, if it has a cube.
pub(super) const STAKES: &str = "stakes";
/// The words for what a player does with the cube; they stand behind the player's letter.
pub(super) const DOUBLES: &str = "doubles";
pub(super) const TAKES: &str = "takes";
pub(super) const PASSES: &str = "passes";
