//! Seat keys: on a public server, only requests with the key of a seat can let a game go on.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use axum::http::StatusCode;
use axum::http::request::Parts;
use blake3::Hash;
use puabi_answers::{ApiError, ApiResult, SeatKeys};
use puabi_core::Player;
use puabi_engine::Pair;
use rand::TryRng;
use rand::rngs::SysRng;

use crate::archive::KeyHashes;

/// The header in which a request shows its keys, separated by commas.
const HEADER: &str = "seat-key";

/// Draws the keys of a new game's seats, of 128 bits each.
///
/// # Errors
///
/// Returns an error if the system gives no random numbers.
pub(crate) fn draw() -> ApiResult<SeatKeys> {
    let key = || -> ApiResult<String> {
        let mut bytes = [0; 16];
        let drawn = SysRng.try_fill_bytes(&mut bytes);
        drawn.map_err(|error| ApiError::internal("drawing a key", &error))?;
        Ok(format!("{:032x}", u128::from_be_bytes(bytes)))
    };
    Ok(SeatKeys { light: key()?, dark: key()? })
}

/// Returns the hashes of the keys. Only the hashes are kept.
pub(crate) fn hashes(keys: &SeatKeys) -> KeyHashes {
    Pair { light: hash(&keys.light), dark: hash(&keys.dark) }
}

fn hash(key: &str) -> Hash {
    blake3::hash(key.as_bytes())
}

/// The keys that a request shows, as hashes.
#[derive(Debug, Clone, Default)]
pub(crate) struct ShownKeys(Vec<Hash>);

impl<S: Send + Sync> FromRequestParts<S> for ShownKeys {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        let values = parts.headers.get_all(HEADER).iter().filter_map(|value| value.to_str().ok());
        Ok(Self(values.flat_map(|value| value.split(',')).map(|key| hash(key.trim())).collect()))
    }
}

/// The seats of a game that a request may act for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AllowedSeats(Pair<bool>);

impl AllowedSeats {
    /// Both seats.
    pub(crate) const BOTH: Self = Self(Pair { light: true, dark: true });

    /// Returns the seats whose keys were shown. In a game that was begun without keys there are none.
    pub(crate) fn by(shown: &ShownKeys, key_hashes: Option<&KeyHashes>) -> Self {
        // Hashes are compared in constant time.
        let opens = |hash: &Hash| shown.0.iter().any(|key| key == hash);
        let of = |player| key_hashes.is_some_and(|key_hashes| opens(&key_hashes[player]));
        Self(Pair { light: of(Player::Light), dark: of(Player::Dark) })
    }

    /// Refuses a request that may not act for `player`, or for an agent if `player` is `None`.
    ///
    /// # Errors
    ///
    /// Returns an error unless the key of the player's seat was shown, or, if an agent is to act, the key of any seat.
    pub(crate) fn ensure(self, player: Option<Player>) -> ApiResult<()> {
        let Self(may) = self;
        let (is_allowed, whose) = match player {
            Some(player) => (may[player], format!("{}'s seat", player.name())),
            None => (may.light || may.dark, "a seat".to_owned()),
        };
        if is_allowed {
            return Ok(());
        }
        let message = format!("this needs the key of {whose}");
        Err(ApiError::field(HEADER, "", message)
            .with(StatusCode::FORBIDDEN)
            .expected("a key that POST /api/games gave when the game began"))
    }
}
