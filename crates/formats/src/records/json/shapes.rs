//! The objects of the JSON, field by field.
//!
//! Objects within others have a field for all other keys: without it serde would read them from arrays, too.

use std::borrow::Cow;
use std::fmt;

use indexmap::IndexMap;
use puabi_core::Player;
use serde::de::value::MapAccessDeserializer;
use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Number;
use serde_json::value::RawValue;

use crate::records::settings::small;

pub(super) type Texts = IndexMap<String, String>;

/// The version that is written; the version before is read, too.
pub(super) const VERSION: u64 = 2;
/// The key of a state's metadata that holds a comment of ours.
pub(super) const COMMENT: &str = "Comment";

/// A game as it is read. Each state is still raw text, so that its place is known.
#[derive(Debug, Deserialize)]
#[serde(
    expecting = "a game: an object with `notation_version`, `settings`, `initial_state` and `states`"
)]
pub(super) struct GameIn<'t> {
    pub(super) notation_version: Number,
    #[serde(default)]
    pub(super) metadata: Option<Texts>,
    #[serde(borrow)]
    pub(super) settings: &'t RawValue,
    #[serde(borrow)]
    pub(super) initial_state: &'t RawValue,
    #[serde(borrow)]
    pub(super) states: Vec<&'t RawValue>,
}

/// A state as it is read.
#[derive(Debug, Deserialize)]
#[serde(expecting = "a state of a game: an object with a `type`")]
pub(super) struct StateIn<'t> {
    #[serde(rename = "type", borrow)]
    pub(super) kind: Cow<'t, str>,
    pub(super) time: Option<Number>,
    #[serde(default)]
    pub(super) metadata: Option<Texts>,
    pub(super) turn: Option<Letter>,
    pub(super) roll: Option<RollValue>,
    #[serde(rename = "move")]
    pub(super) action: Option<MoveIn>,
    pub(super) player: Option<Letter>,
    #[serde(borrow)]
    pub(super) reason: Option<Cow<'t, str>>,
    pub(super) winner: Option<Letter>,
}

impl StateIn<'_> {
    /// Returns the milliseconds since the game began; fractions are cut off, and [odd times](Self::odd_time) count as 0.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "no odd times")]
    pub(super) fn millis(&self) -> u64 {
        let time = self.time.as_ref().filter(|_| self.odd_time().is_none());
        time.and_then(Number::as_f64).map_or(0, |time| time as u64)
    }

    /// Returns the time if it is before the beginning of the game, or too late for a double to count milliseconds exactly.
    pub(super) fn odd_time(&self) -> Option<&Number> {
        let is_time = |time: f64| (0.0..=Self::LATEST).contains(&time);
        self.time.as_ref().filter(|time| !time.as_f64().is_some_and(is_time))
    }

    /// 2^53: up to here a double can be every whole number.
    const LATEST: f64 = 9_007_199_254_740_992.0;
}

/// The board and the players of the first state.
#[derive(Debug, Deserialize)]
#[serde(expecting = "a state to begin in: an object with `board` and `players`")]
pub(super) struct SetupIn {
    pub(super) board: BoardIn,
    pub(super) players: Pair<Holdings>,
}

#[derive(Debug, Deserialize)]
#[serde(expecting = "a board: an object with `pieces`")]
pub(super) struct BoardIn {
    pub(super) pieces: IndexMap<String, Piece>,
    #[serde(flatten)]
    pub(super) _others: IgnoredAny,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(expecting = "an object with `L` and `D`")]
pub(super) struct Pair<T> {
    #[serde(rename = "L")]
    pub(super) light: T,
    #[serde(rename = "D")]
    pub(super) dark: T,
    #[serde(flatten, skip_serializing)]
    pub(super) _others: IgnoredAny,
}

/// The pieces that a player has in hand and home.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(expecting = "an object with `pieces` and `score`")]
pub(super) struct Holdings {
    #[serde(deserialize_with = "small")]
    pub(super) pieces: u8,
    #[serde(deserialize_with = "small")]
    pub(super) score: u8,
    #[serde(flatten, skip_serializing)]
    pub(super) _others: IgnoredAny,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Letter {
    L,
    D,
}

impl From<Letter> for Player {
    fn from(letter: Letter) -> Self {
        match letter {
            Letter::L => Self::Light,
            Letter::D => Self::Dark,
        }
    }
}

impl From<Player> for Letter {
    fn from(player: Player) -> Self {
        match player {
            Player::Light => Self::L,
            Player::Dark => Self::D,
        }
    }
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(expecting = "a roll, as in {\"value\":3}")]
pub(super) struct RollValue {
    #[serde(deserialize_with = "small")]
    pub(super) value: u8,
    #[serde(flatten, skip_serializing)]
    pub(super) _others: IgnoredAny,
}

/// A move; without a source a piece enters, without a destination a piece goes home.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(expecting = "a move, as in {\"src\":1,\"dest\":3}")]
pub(super) struct MoveIn {
    pub(super) src: Option<Piece>,
    pub(super) dest: Option<Piece>,
    pub(super) captured: Option<Piece>,
    #[serde(flatten)]
    pub(super) _others: IgnoredAny,
}

/// A piece: in version 2 its step from 1, negative for dark; in version 1 its owner and its step from 0.
#[derive(Debug, Clone, Copy)]
pub(super) enum Piece {
    Signed(i64),
    Owned(OwnedPiece),
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(expecting = "a piece: an object with `owner` and `index`")]
pub(super) struct OwnedPiece {
    owner: Letter,
    index: i64,
}

impl<'de> Deserialize<'de> for Piece {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(PieceVisitor)
    }
}

struct PieceVisitor;

impl<'de> Visitor<'de> for PieceVisitor {
    type Value = Piece;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a piece: its step, negative for dark, or an object of `owner` and `index`")
    }

    fn visit_i64<E>(self, step: i64) -> Result<Piece, E> {
        Ok(Piece::Signed(step))
    }

    fn visit_u64<E>(self, step: u64) -> Result<Piece, E> {
        Ok(Piece::Signed(i64::try_from(step).unwrap_or(i64::MAX)))
    }

    fn visit_map<M: MapAccess<'de>>(self, map: M) -> Result<Piece, M::Error> {
        OwnedPiece::deserialize(MapAccessDeserializer::new(map)).map(Piece::Owned)
    }
}

impl Piece {
    /// Returns the owner of the piece, and its step from 1.
    pub(super) fn read(self) -> (Player, i64) {
        match self {
            Self::Signed(step) if step < 0 => (Player::Dark, step.saturating_neg()),
            Self::Signed(step) => (Player::Light, step),
            Self::Owned(OwnedPiece { owner, index }) => (owner.into(), index.saturating_add(1)),
        }
    }
}
