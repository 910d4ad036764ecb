//! Serialization of values to JSON in their text forms, and pairs of values.

use std::fmt::Display;

use puabi_core::{Player, Roll};
use serde::{Serialize, Serializer};

pub(crate) fn as_text<S: Serializer>(
    value: &impl Display,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

#[expect(clippy::ref_option, reason = "serde passes the field by reference")]
pub(crate) fn as_optional_text<S: Serializer>(
    value: &Option<impl Display>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match value {
        Some(value) => serializer.collect_str(value),
        None => serializer.serialize_none(),
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes the field by reference")]
pub(crate) fn as_steps<S: Serializer>(roll: &Roll, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u8(roll.steps())
}

/// A value for each player.
///
/// ```
/// use puabi_core::Player;
/// use puabi_engine::Pair;
/// let pair = Pair { light: 1, dark: 2 };
/// assert_eq!(pair[Player::Dark], 2);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Pair<T> {
    /// Light's value.
    pub light: T,
    /// Dark's value.
    pub dark: T,
}

impl<T> std::ops::Index<Player> for Pair<T> {
    type Output = T;

    fn index(&self, player: Player) -> &T {
        match player {
            Player::Light => &self.light,
            Player::Dark => &self.dark,
        }
    }
}

impl<T> std::ops::IndexMut<Player> for Pair<T> {
    fn index_mut(&mut self, player: Player) -> &mut T {
        match player {
            Player::Light => &mut self.light,
            Player::Dark => &mut self.dark,
        }
    }
}
