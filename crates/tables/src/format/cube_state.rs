//! Which values of a game with a cube a table has.

use std::fmt;

use puabi_core::CubeSeat;
use serde::{Deserialize, Serialize};

/// The state of the cube that the values of a table are of, in a game with a cube for money.
///
/// The values depend on how often the cube may still be doubled and on who owns it: they are half of one more than the
/// equity of the player about to roll, in parts of what the cube shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CubeState {
    /// How often the cube may still be doubled.
    pub doublings: u8,
    /// Who owns it, seen by the player about to roll.
    #[serde(serialize_with = "write_seat", deserialize_with = "read_seat")]
    pub seat: CubeSeat,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the form that serde asks for")]
fn write_seat<S: serde::Serializer>(seat: &CubeSeat, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(seat.name())
}

fn read_seat<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<CubeSeat, D::Error> {
    let name = String::deserialize(deserializer)?;
    let error = || serde::de::Error::custom("an unknown seat: expected centred, owned or theirs");
    CubeSeat::named(&name).ok_or_else(error)
}

impl fmt::Display for CubeState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.doublings {
            1 => write!(f, "a cube that may be doubled once more, {}", self.seat),
            more => write!(f, "a cube that may be doubled {more} times more, {}", self.seat),
        }
    }
}
