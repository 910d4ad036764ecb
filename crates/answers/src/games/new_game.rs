//! The bodies of requests about games.

use std::sync::Arc;

use puabi_core::{Away, Cube, Rules};
use puabi_engine::AgentSpec;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use utoipa::ToSchema;

use crate::body::{number, roll};
use crate::games::play::Plan;
use crate::view::game::{SeatView, Seed};

/// A game to begin.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewGame {
    /// The rule set.
    #[schema(example = "finkel:1")]
    pub rules: String,
    /// Who plays light.
    #[serde(deserialize_with = "seat")]
    pub light: SeatView,
    /// Who plays dark.
    #[serde(deserialize_with = "seat")]
    pub dark: SeatView,
    /// The seed of the dice; the same seed, the same dice. A random one if it is not given.
    pub seed: Option<Seed>,
    /// The position to start from; the usual start with light to roll if it is not given.
    #[schema(example = "-:-:L")]
    pub start: Option<String>,
    /// The points of a match, which this game begins: with a doubling cube, by the Crawford rule.
    #[serde(rename = "match", default, deserialize_with = "points")]
    #[schema(example = json!(null), minimum = 1, maximum = 99)]
    pub points: Option<u32>,
    /// The value up to which a doubling cube goes, in a single game for money.
    #[serde(default, deserialize_with = "cap")]
    #[schema(example = json!(null))]
    pub cube: Option<u32>,
    /// Whether people throw real dice and enter the rolls.
    #[serde(default)]
    pub manual: bool,
}

/// A roll, if people throw the dice.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RollBody {
    /// What the dice show; only in a game in which people throw them.
    #[serde(default, deserialize_with = "roll")]
    #[schema(example = json!(null))]
    pub roll: Option<u8>,
}

/// A move.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MoveBody {
    /// The move, as the game's `moves` have it.
    #[serde(rename = "move")]
    #[schema(example = "0-4")]
    pub action: String,
}

/// The answer to a double.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DoubleBody {
    /// Whether the player takes the double; a player who passes loses what the cube showed.
    #[schema(example = true)]
    pub take: bool,
}

/// Who gives up.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ResignBody {
    /// `light` or `dark`.
    #[schema(example = "dark")]
    pub player: String,
}

impl NewGame {
    /// Returns the plan of the game under these rules. `seed` is the seed of the dice if the request gives none; `programs` may
    /// be asked to play.
    pub fn plan(self, rules: Arc<Rules>, seed: u64, programs: Vec<AgentSpec>) -> Plan {
        let Self { light, dark, start, points, cube, manual: is_manual, .. } = self;
        let seed = self.seed.map_or(seed, |Seed(seed)| seed);
        Plan { rules, light, dark, seed, start, points, cube, is_manual, programs }
    }
}

/// Reads who plays a colour. Only an object is accepted, because serde would read a list as an object whose fields come in order.
fn seat<'de, D: Deserializer<'de>>(source: D) -> Result<SeatView, D::Error> {
    let found = serde_json::Value::deserialize(source)?;
    if !found.is_object() {
        let example = r#"an object such as {"kind":"person","name":"Ann"}"#;
        return Err(D::Error::custom(format!("the value does not fit: expected {example}")));
    }
    SeatView::deserialize(found).map_err(D::Error::custom)
}

/// Reads the points of a match.
fn points<'de, D: Deserializer<'de>>(source: D) -> Result<Option<u32>, D::Error> {
    number(source, &format!("a whole number from 1 to {}", Away::MOST))
}

/// Reads the value up to which a cube goes.
fn cap<'de, D: Deserializer<'de>>(source: D) -> Result<Option<u32>, D::Error> {
    number(source, &format!("a power of two from 1 to {}", Cube::MAX_CAP))
}
