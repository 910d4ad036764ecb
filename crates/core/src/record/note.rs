//! What a record says besides the plies: times, comments, tags, and how a game ended early.

use std::fmt;

use indexmap::IndexMap;

use crate::Player;
use crate::text::wording::{excerpt, is_control};

/// Keys and values of another notation, kept unchanged and in their order; no key comes twice.
///
/// ```
/// use puabi_core::Tags;
/// let mut tags = Tags::default();
/// tags.set("StartTime", "2024-05-01T10:00:00Z");
/// tags.set("StartTime", "2024-05-02");
/// assert_eq!(tags.get("StartTime"), Some("2024-05-02"));
/// assert_eq!(tags.iter().count(), 1);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tags(IndexMap<String, String>);

impl Tags {
    /// Returns the value of `key`.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key).map(String::as_str)
    }

    /// Sets the value of `key`; an earlier one is replaced.
    pub fn set(&mut self, key: impl Into<String>, value: impl Into<String>) {
        self.0.insert(key.into(), value.into());
    }

    /// Removes `key`, if it is there.
    pub fn remove(&mut self, key: &str) {
        self.0.shift_remove(key);
    }

    /// Returns keys and values in their order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(key, value)| (key.as_str(), value.as_str()))
    }

    /// Returns whether there is no tag.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// What a record says about one moment of a game: its time, a comment, tags.
///
/// ```
/// use puabi_core::Note;
/// let note = Note::new(1_500).with_comment("a slip\n  or a trap ");
/// assert_eq!((note.millis(), note.comment()), (1_500, "a slip\nor a trap"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Note {
    millis: u64,
    comment: String,
    /// What another notation says about this moment.
    pub tags: Tags,
}

impl Note {
    /// Returns a note of the time alone: milliseconds since the game began, 0 if that is not known.
    pub fn new(millis: u64) -> Self {
        Self { millis, ..Self::default() }
    }

    /// Returns the note with this comment: lines of text, spaces at their ends and blank lines left out.
    #[must_use]
    pub fn with_comment(self, comment: &str) -> Self {
        let plain = comment.replace(|letter: char| is_control(letter) && letter != '\n', " ");
        let lines: Vec<_> = plain.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        Self { comment: lines.join("\n"), ..self }
    }

    /// Returns the milliseconds since the game began, 0 if the time is not known.
    pub const fn millis(&self) -> u64 {
        self.millis
    }

    /// Returns the comment; empty if there is none.
    pub fn comment(&self) -> &str {
        &self.comment
    }

    /// Returns whether the note has no time, no comment and no tag.
    pub fn is_empty(&self) -> bool {
        self.millis == 0 && self.comment.is_empty() && self.tags.is_empty()
    }

    /// Returns this note merged with a later one on the same moment: both comments in turn; the later note's time and tags take
    /// precedence.
    ///
    /// ```
    /// use puabi_core::Note;
    /// let both = Note::new(900).with_comment("a slip").and(Note::default().with_comment("or a trap"));
    /// assert_eq!((both.millis(), both.comment()), (900, "a slip\nor a trap"));
    /// ```
    #[must_use]
    pub fn and(mut self, later: Self) -> Self {
        if later.millis > 0 {
            self.millis = later.millis;
        }
        if !self.comment.is_empty() && !later.comment.is_empty() {
            self.comment.push('\n');
        }
        self.comment += &later.comment;
        self.tags.0.extend(later.tags.0);
        self
    }

    pub(super) const fn set_millis(&mut self, millis: u64) {
        self.millis = millis;
    }
}

/// How a game ended without a last piece brought home.
///
/// ```
/// use puabi_core::{AbandonReason, Ending, Player};
/// let ending = Ending::Abandoned { by: None, reason: AbandonReason::External };
/// assert_eq!(ending.to_string(), "abandoned external");
/// assert_eq!("resigned L".parse(), Ok(Ending::Resigned(Player::Light)));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ending {
    /// A player gave up.
    Resigned(Player),
    /// The game was left unfinished.
    Abandoned {
        /// The player who abandoned it, if a player did.
        by: Option<Player>,
        /// The reason.
        reason: AbandonReason,
    },
}

/// Why a game was abandoned.
///
/// ```
/// use puabi_core::AbandonReason;
/// assert_eq!(AbandonReason::PlayerLeft.name(), "player_left");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AbandonReason {
    /// A player went away.
    PlayerLeft,
    /// Something outside the game, such as a server that stopped.
    External,
}

impl AbandonReason {
    /// All reasons.
    pub const ALL: [Self; 2] = [Self::PlayerLeft, Self::External];

    /// Returns the name, as `RoyalUr` writes it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::PlayerLeft => "player_left",
            Self::External => "external",
        }
    }

    /// Returns the reason with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.name() == name)
    }
}

impl Ending {
    /// Returns the winner: the opponent of the player who gave up or abandoned the game.
    ///
    /// ```
    /// use puabi_core::{Ending, Player};
    /// assert_eq!(Ending::Resigned(Player::Light).winner(), Some(Player::Dark));
    /// ```
    pub const fn winner(self) -> Option<Player> {
        match self {
            Self::Resigned(player) | Self::Abandoned { by: Some(player), .. } => {
                Some(player.opponent())
            }
            Self::Abandoned { by: None, .. } => None,
        }
    }

    /// Returns the ending in words, such as `light resigned`, given the players' names.
    pub(super) fn words<'n>(self, name: impl FnOnce(Player) -> &'n str) -> String {
        match self {
            Self::Resigned(player) => format!("{} resigned", name(player)),
            Self::Abandoned { by: Some(player), .. } => format!("{} left", name(player)),
            Self::Abandoned { by: None, .. } => "abandoned".to_owned(),
        }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Resigned(player) => write!(f, "resigned {}", player.letter()),
            Self::Abandoned { by: Some(player), reason } => {
                write!(f, "abandoned {} {}", player.letter(), reason.name())
            }
            Self::Abandoned { by: None, reason } => write!(f, "abandoned {}", reason.name()),
        }
    }
}

/// The error of a text that is not an ending.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{found}` is not an ending: expected `resigned L`, `abandoned player_left`, `abandoned D external` or the like"
)]
pub struct EndingError {
    found: String,
}

impl std::str::FromStr for Ending {
    type Err = EndingError;

    fn from_str(text: &str) -> Result<Self, EndingError> {
        let words: Vec<_> = text.split_whitespace().take(4).collect();
        let ending = match words[..] {
            ["resigned", player] => Player::from_letter(player).map(Self::Resigned),
            ["abandoned", reason] => {
                AbandonReason::named(reason).map(|reason| Self::Abandoned { by: None, reason })
            }
            ["abandoned", player, reason] => Player::from_letter(player)
                .zip(AbandonReason::named(reason))
                .map(|(player, reason)| Self::Abandoned { by: Some(player), reason }),
            _ => None,
        };
        ending.ok_or_else(|| EndingError { found: excerpt(text).into_owned() })
    }
}
