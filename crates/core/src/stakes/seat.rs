//! The owner of a cube, seen by the player about to roll.

use std::fmt;

use crate::{Cube, Player};

/// The owner of a cube, seen by the player about to roll.
///
/// ```
/// use puabi_core::{Cube, CubeSeat, Player};
/// let cube = Cube::owned(2, Player::Light)?;
/// assert_eq!(CubeSeat::of(cube, Player::Dark), CubeSeat::Theirs);
/// assert_eq!(CubeSeat::Theirs.to_string(), "theirs");
/// # Ok::<(), puabi_core::CubeError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CubeSeat {
    /// No owner: the cube is in the middle, and either player may double.
    Centred,
    /// The player about to roll, who alone may double.
    Owned,
    /// The opponent.
    Theirs,
}

impl CubeSeat {
    /// All seats.
    pub const ALL: [Self; 3] = [Self::Centred, Self::Owned, Self::Theirs];

    /// Returns the seat of the cube's owner if `mover` is about to roll.
    pub fn of(cube: Cube, mover: Player) -> Self {
        match cube.owner() {
            None => Self::Centred,
            Some(owner) if owner == mover => Self::Owned,
            Some(_) => Self::Theirs,
        }
    }

    /// Returns the name: `centred`, `owned` or `theirs`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Centred => "centred",
            Self::Owned => "owned",
            Self::Theirs => "theirs",
        }
    }

    /// Returns the seat with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|seat| seat.name() == name)
    }
}

impl fmt::Display for CubeSeat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
