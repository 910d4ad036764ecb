//! Four difficulties for who does not want to choose among nine levels.

use puabi_core::Rules;

use crate::agents::levels::Level;

/// How hard an opponent is to beat: four of the nine levels, by names that need no explanation.
///
/// ```
/// use puabi_core::RuleSet;
/// use puabi_engine::Difficulty;
///
/// assert_eq!(Difficulty::Hard.name(), "hard");
/// assert_eq!(Difficulty::Expert.level().to_string(), "9");
/// // Masters lacks the squares that levels 8 and 9 are about.
/// let rules = RuleSet::MASTERS.compile()?;
/// assert_eq!(Difficulty::Expert.level_under(&rules).to_string(), "7");
/// # Ok::<(), puabi_core::RuleError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Difficulty {
    /// Level 2: moves its foremost piece.
    Easy,
    /// Level 4: takes rosettes, then captures.
    Medium,
    /// Level 7: also keeps out of reach.
    Hard,
    /// Level 9, or the highest that the rules have.
    Expert,
}

impl Difficulty {
    /// All difficulties, the easiest first.
    pub const ALL: [Self; 4] = [Self::Easy, Self::Medium, Self::Hard, Self::Expert];

    /// Returns the name by which it is asked for.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Easy => "easy",
            Self::Medium => "medium",
            Self::Hard => "hard",
            Self::Expert => "expert",
        }
    }

    /// Returns how it thinks, in a few words.
    pub(crate) fn thinking(self) -> String {
        format!("level {} of nine, or the highest that the rules have", self.level())
    }

    /// Returns the level that it is where the rules have all nine.
    pub const fn level(self) -> Level {
        match self {
            Self::Easy => Level::at(2),
            Self::Medium => Level::at(4),
            Self::Hard => Level::at(7),
            Self::Expert => Level::HIGHEST,
        }
    }

    /// Returns the level that it is under these rules, which may lack the highest.
    pub fn level_under(self, rules: &Rules) -> Level {
        self.level().min(Level::highest(rules))
    }
}
