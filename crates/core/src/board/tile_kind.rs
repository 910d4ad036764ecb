//! Tile kinds: what a tile means for the pieces that land on it.

/// What a tile means for the pieces that land on it.
///
/// Only rules with a turning square distinguish novices and veterans, see [`Turning`](crate::Turning); under other rules every
/// piece is a novice.
///
/// ```
/// use puabi_core::TileKind;
/// assert_eq!(TileKind::from_sign('C'), Some(TileKind::Camp));
/// assert!(TileKind::Camp.stacks() && !TileKind::Camp.mixes());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TileKind {
    /// Holds one piece; a piece that lands on an opponent's piece captures it.
    Plain,
    /// As plain; landing on it may give another roll.
    Rosette,
    /// Holds a stack of one player's pieces and is closed to the other player.
    Camp,
    /// Holds a stack of both players' pieces; nothing is captured.
    Holy,
    /// As holy, for novices only.
    Novices,
    /// As holy, for veterans only.
    Veterans,
    /// As plain, but a veteran on it cannot be captured.
    Last,
}

impl TileKind {
    /// All kinds.
    pub const ALL: [Self; 7] = [
        Self::Plain,
        Self::Rosette,
        Self::Camp,
        Self::Holy,
        Self::Novices,
        Self::Veterans,
        Self::Last,
    ];

    /// Returns the sign of this kind in drawn boards.
    pub const fn sign(self) -> char {
        match self {
            Self::Plain => '.',
            Self::Rosette => '*',
            Self::Camp => 'C',
            Self::Holy => 'H',
            Self::Novices => 'N',
            Self::Veterans => 'V',
            Self::Last => 'L',
        }
    }

    /// Returns the kind with this sign.
    pub fn from_sign(sign: char) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.sign() == sign)
    }

    /// Returns the mark of this kind on boards with pieces; `None` for a plain tile. A last tile is not marked `L`, since `L`
    /// is a piece of light.
    ///
    /// ```
    /// use puabi_core::TileKind;
    /// assert_eq!(TileKind::Last.mark(), Some('E'));
    /// ```
    pub const fn mark(self) -> Option<char> {
        match self {
            Self::Plain => None,
            Self::Last => Some('E'),
            kind => Some(kind.sign()),
        }
    }

    /// Returns the word that explains the mark of this kind.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Rosette => "rosette",
            Self::Camp => "camp",
            Self::Holy => "holy",
            Self::Novices => "novices",
            Self::Veterans => "veterans",
            Self::Last => "last",
        }
    }

    /// Returns what a tile of this kind is called.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Plain => "a plain tile",
            Self::Rosette => "a rosette",
            Self::Camp => "a camp",
            Self::Holy => "a holy tile",
            Self::Novices => "a tile for novices",
            Self::Veterans => "a tile for veterans",
            Self::Last => "a last tile",
        }
    }

    /// Returns whether several pieces may stand on such a tile, up to the cap of the rules.
    pub const fn stacks(self) -> bool {
        self.mixes() || matches!(self, Self::Camp)
    }

    /// Returns whether pieces of both players may stand on such a tile together.
    pub const fn mixes(self) -> bool {
        matches!(self, Self::Holy | Self::Novices | Self::Veterans)
    }

    /// Returns whether a veteran may land on such a tile, if `is_veteran`, and otherwise whether a novice may.
    pub(crate) const fn admits(self, is_veteran: bool) -> bool {
        match self {
            Self::Novices => !is_veteran,
            Self::Veterans => is_veteran,
            _ => true,
        }
    }
}
