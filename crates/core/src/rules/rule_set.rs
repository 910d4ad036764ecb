//! Rule sets: the rules of one game as plain data, from a preset or a file.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use crate::text::ascii::number;
use crate::text::wording::{excerpt, expected};
use crate::{Board, DeadPosition, Dice, Roll, Route, StackOrder, Stacks, Turning, TurnsOn};

/// The way over the board: a route known by name, or a board drawn by the user.
///
/// ```
/// use puabi_core::{Path, Route};
/// let named = Path::Named(Route::Bell);
/// let drawn = Path::Drawn(Box::new(Route::Bell.board()));
/// assert_eq!(named.board(), drawn.board());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Path {
    /// A route known by name.
    Named(Route),
    /// A board drawn in a rule file.
    Drawn(Box<Board>),
}

impl Path {
    /// Returns the board with both players' paths.
    pub fn board(&self) -> Cow<'_, Board> {
        match self {
            Self::Named(route) => Cow::Owned(route.board()),
            Self::Drawn(board) => Cow::Borrowed(board),
        }
    }
}

/// The rules of one game as plain data: what a user, a file or a table header says.
///
/// ```
/// use puabi_core::RuleSet;
/// let rule_set: RuleSet = "finkel:3".parse()?;
/// assert_eq!(rule_set, RuleSet::FINKEL.with_pieces(3));
/// assert_eq!(rule_set.to_string(), "finkel:3");
/// # Ok::<(), puabi_core::PresetError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a rule that is on or off, as in a rule file"
)]
pub struct RuleSet {
    /// The name of the rules; a preset is found by its name.
    pub name: Cow<'static, str>,
    /// The board and the route of each player.
    pub path: Path,
    /// The dice.
    pub dice: Dice,
    /// The number of pieces of each player.
    pub pieces: u8,
    /// The number of pieces that a player must bring home to win; `None` if all.
    pub goal: Option<u8>,
    /// Whether a piece on a rosette is safe from capture.
    pub safe_rosettes: bool,
    /// Whether landing on a rosette gives the same player another roll.
    pub rosettes_grant_rolls: bool,
    /// Whether a capture gives the same player another roll.
    pub captures_grant_rolls: bool,
    /// Whether a piece leaves the board by the exact roll only. Otherwise the piece that wins may leave with a longer roll,
    /// too, if no other piece of its player is farther along.
    pub exact_exit: bool,
    /// The square at which pieces turn from novice to veteran; `None` if no piece turns.
    pub turning: Option<Turning>,
    /// Whether a novice captures only novices, and a veteran only veterans; the kind of a piece after its move counts.
    pub like_captures_like: bool,
    /// How pieces lie on each other, on tiles that hold several.
    pub stacks: Stacks,
    /// Whether a novice on a last tile is as safe there as a veteran.
    pub last_protects_novices: bool,
    /// How a game ends in which neither player can ever move again.
    pub dead_position: DeadPosition,
    /// The first roll of every game; `None` if it is thrown.
    pub first_roll: Option<Roll>,
}

impl RuleSet {
    /// The most pieces of one player.
    pub const MAX_PIECES: u8 = 15;
    /// The most characters of a name.
    pub const MAX_NAME: usize = 60;

    /// Finkel's rules: Bell's path, four dice, the middle rosette safe.
    pub const FINKEL: Self = Self {
        name: Cow::Borrowed("finkel"),
        path: Path::Named(Route::Bell),
        dice: Dice::FOUR,
        pieces: 7,
        goal: None,
        safe_rosettes: true,
        rosettes_grant_rolls: true,
        captures_grant_rolls: false,
        exact_exit: true,
        turning: None,
        like_captures_like: false,
        stacks: Stacks::DEFAULT,
        last_protects_novices: false,
        dead_position: DeadPosition::Draw,
        first_roll: None,
    };

    /// Blitz: Masters' path with five pieces, and captures give another roll.
    pub const BLITZ: Self = Self {
        name: Cow::Borrowed("blitz"),
        path: Path::Named(Route::Masters),
        pieces: 5,
        safe_rosettes: false,
        captures_grant_rolls: true,
        ..Self::FINKEL
    };

    /// Masters: the longer path, three dice whose zero counts as four, no safe rosette.
    pub const MASTERS: Self = Self {
        name: Cow::Borrowed("masters"),
        path: Path::Named(Route::Masters),
        dice: Dice::THREE_ZERO_IS_FOUR,
        safe_rosettes: false,
        ..Self::FINKEL
    };

    /// Masters with four dice, as royalur.net played it before 2024.
    pub const MASTERS_4D: Self =
        Self { name: Cow::Borrowed("masters-4d"), dice: Dice::FOUR, ..Self::MASTERS };

    /// Aseb: the Egyptian board of twenty squares, five pieces.
    pub const ASEB: Self = Self {
        name: Cow::Borrowed("aseb"),
        path: Path::Named(Route::Aseb),
        pieces: 5,
        ..Self::FINKEL
    };

    /// One piece a square on Murray's path, as `RoyalUr` plays it.
    pub const MURRAY: Self =
        Self { name: Cow::Borrowed("murray"), path: Path::Named(Route::Murray), ..Self::FINKEL };

    /// One piece a square on Skiriuk's path, as `RoyalUr` plays it.
    pub const SKIRIUK_PATH: Self = Self {
        name: Cow::Borrowed("skiriuk-path"),
        path: Path::Named(Route::Skiriuk),
        ..Self::FINKEL
    };

    /// The Forgotten Game of Ur, as Dmitry Skiriuk reconstructed it: camps, stacks, pieces that turn.
    pub const SKIRIUK: Self = Self {
        name: Cow::Borrowed("skiriuk"),
        path: Path::Named(Route::Forgotten),
        turning: Some(Turning { square: 13, on: TurnsOn::Leaving }),
        like_captures_like: true,
        ..Self::MASTERS
    };

    /// Simple Ur: the Forgotten Game with one piece a square.
    pub const SIMPLE_UR: Self = Self {
        name: Cow::Borrowed("simple-ur"),
        path: Path::Named(Route::Simple),
        ..Self::SKIRIUK
    };

    /// Dmytro's Ur: stacks without order on tiles for novices and on tiles for veterans; any piece captures any other.
    pub const DMYTRO: Self = Self {
        name: Cow::Borrowed("dmytro"),
        path: Path::Named(Route::Dmytro),
        turning: Some(Turning { square: 13, on: TurnsOn::Landing }),
        like_captures_like: false,
        stacks: Stacks { order: StackOrder::Free, ..Stacks::DEFAULT },
        ..Self::SKIRIUK
    };

    /// All presets.
    pub const PRESETS: [Self; 10] = [
        Self::FINKEL,
        Self::BLITZ,
        Self::MASTERS,
        Self::MASTERS_4D,
        Self::ASEB,
        Self::MURRAY,
        Self::SKIRIUK_PATH,
        Self::SKIRIUK,
        Self::SIMPLE_UR,
        Self::DMYTRO,
    ];

    /// Returns these rules with another number of pieces.
    #[must_use]
    pub fn with_pieces(self, pieces: u8) -> Self {
        Self { pieces, ..self }
    }

    /// Returns the preset that has these rules, regardless of the number of pieces; `None` if no preset has them.
    pub fn preset(&self) -> Option<Self> {
        Self::PRESETS.into_iter().find(|preset| preset.clone().with_pieces(self.pieces) == *self)
    }
}

impl fmt::Display for RuleSet {
    /// Writes the name that [`RuleSet::from_str`] reads if the rules are a preset, and their own name otherwise.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.preset() {
            Some(preset) if preset.pieces != self.pieces => {
                f.pad(&format!("{}:{}", self.name, self.pieces))
            }
            _ => f.pad(&self.name),
        }
    }
}

/// The error of a text that does not name a preset.
///
/// ```
/// use puabi_core::RuleSet;
/// let error = "finkle".parse::<RuleSet>().unwrap_err();
/// assert!(error.to_string().contains("did you mean `finkel`?"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PresetError {
    /// No preset has this name.
    #[error(
        "`{found}` is not a rule set: {}",
        expected(found, RuleSet::PRESETS.iter().map(|preset| &*preset.name), &format!(
            "one of {}, with `:N` for another number of pieces, or a file ending in .toml",
            preset_names()
        ))
    )]
    Unknown {
        /// The name that was asked for.
        found: String,
    },
    /// What follows the colon is not a number of pieces.
    #[error(
        "`{found}` is not a number of pieces: expected 1 to {max}, as in `finkel:3`",
        max = RuleSet::MAX_PIECES
    )]
    Pieces {
        /// What follows the colon.
        found: String,
    },
}

fn preset_names() -> String {
    RuleSet::PRESETS.map(|preset| preset.name.into_owned()).join(", ")
}

impl FromStr for RuleSet {
    type Err = PresetError;

    fn from_str(text: &str) -> Result<Self, PresetError> {
        let (name, pieces) = match text.split_once(':') {
            Some((name, pieces)) => (name, Some(pieces)),
            None => (text, None),
        };
        let preset = Self::PRESETS
            .into_iter()
            .find(|preset| preset.name == name)
            .ok_or_else(|| PresetError::Unknown { found: excerpt(name).into_owned() })?;
        let Some(pieces) = pieces else {
            return Ok(preset);
        };
        number(pieces)
            .filter(|count| (1..=Self::MAX_PIECES).contains(count))
            .map(|count| preset.with_pieces(count))
            .ok_or_else(|| PresetError::Pieces { found: excerpt(pieces).into_owned() })
    }
}
