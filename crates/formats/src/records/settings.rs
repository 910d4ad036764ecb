//! The rules as `RoyalUr` writes them in JSON games and in table headers.

use std::borrow::Cow;
use std::fmt;

use puabi_core::{Dice, Path, Route, RuleSet, wording};
use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

/// The rules as `RoyalUr` writes them.
///
/// ```
/// use puabi_core::RuleSet;
/// use puabi_formats::Settings;
/// let settings = Settings::try_from(&RuleSet::MASTERS)?;
/// assert_eq!((&*settings.paths, &*settings.dice), ("masters", "three_binary_0eq4"));
/// assert_eq!(RuleSet::try_from(&settings), Ok(RuleSet::MASTERS));
/// # Ok::<(), puabi_formats::SettingsError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    /// `standard` or `aseb`.
    pub board_shape: Cow<'static, str>,
    /// `bell`, `aseb`, `masters`, `murray` or `skiriuk`.
    pub paths: Cow<'static, str>,
    /// `four_binary` or `three_binary_0eq4`.
    pub dice: Cow<'static, str>,
    /// Pieces of each player.
    #[serde(deserialize_with = "small")]
    pub start_pieces: u8,
    /// Whether rosettes protect.
    pub safe_rosettes: bool,
    /// Whether rosettes give another roll.
    pub rosettes_grant_rolls: bool,
    /// Whether captures give another roll.
    pub captures_grant_rolls: bool,
}

/// Reads a number of pieces or a roll. The error of serde alone would name the Rust type that the number does not fit.
pub(crate) fn small<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u8, D::Error> {
    deserializer.deserialize_u64(Small)
}

struct Small;

impl Visitor<'_> for Small {
    type Value = u8;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a whole number of at most 255")
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<u8, E> {
        let unfit = |_| E::invalid_value(Unexpected::Unsigned(number), &self);
        u8::try_from(number).map_err(unfit)
    }
}

/// The reason why rules cannot be written as settings, or settings cannot be read as rules.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SettingsError(String);

/// Dice by the names that `RoyalUr` gives them now, and by those that it gave them before.
const DICE: [(&str, &str, Dice); 2] = [
    ("four_binary", "fourbinary", Dice::FOUR),
    ("three_binary_0eq4", "threebinary0max", Dice::THREE_ZERO_IS_FOUR),
];

/// The paths that `RoyalUr` names, and the boards they run over.
const PATHS: [(Route, &str); 5] = [
    (Route::Bell, "standard"),
    (Route::Aseb, "aseb"),
    (Route::Masters, "standard"),
    (Route::Murray, "standard"),
    (Route::Skiriuk, "standard"),
];

/// Returns the board of a path that `RoyalUr` names.
fn shape(route: Route) -> Option<&'static str> {
    PATHS.into_iter().find(|(known, _)| *known == route).map(|(_, shape)| shape)
}

/// Returns whether settings can express every rule of `rule_set` except its path and dice.
fn is_plain(rule_set: &RuleSet) -> bool {
    let RuleSet { safe_rosettes, rosettes_grant_rolls, captures_grant_rolls, .. } = *rule_set;
    let RuleSet { name, path, dice, pieces, .. } = rule_set.clone();
    let usual = RuleSet::FINKEL;
    let switches = RuleSet { safe_rosettes, rosettes_grant_rolls, captures_grant_rolls, ..usual };
    RuleSet { name, path, dice, pieces, ..switches } == *rule_set
}

impl TryFrom<&RuleSet> for Settings {
    type Error = SettingsError;

    fn try_from(rule_set: &RuleSet) -> Result<Self, SettingsError> {
        if let Some(goal) = rule_set.goal.filter(|&goal| goal != rule_set.pieces) {
            return Err(SettingsError(format!(
                "{rule_set} is won with {goal} of {} pieces home: RoyalUr's settings know games for all pieces only",
                rule_set.pieces
            )));
        }
        let route = match rule_set.path {
            Path::Named(route) if is_plain(rule_set) => Some(route),
            _ => None,
        };
        let Some((route, board_shape)) = route.and_then(|route| Some((route, shape(route)?)))
        else {
            return Err(SettingsError(format!(
                "{rule_set} has a board or rules of its own: RoyalUr's settings name the paths bell, aseb, masters, \
                 murray and skiriuk, with one piece a square, only"
            )));
        };
        let (dice, ..) = DICE
            .into_iter()
            .find(|(.., dice)| *dice == rule_set.dice)
            .ok_or_else(|| {
                SettingsError(format!(
                    "{rule_set} is played with {}: RoyalUr's settings name 4d (four_binary) and 3d0=4 \
                     (three_binary_0eq4) only",
                    rule_set.dice
                ))
            })?;
        Ok(Self {
            board_shape: board_shape.into(),
            paths: route.name().into(),
            dice: dice.into(),
            start_pieces: rule_set.pieces,
            safe_rosettes: rule_set.safe_rosettes,
            rosettes_grant_rolls: rule_set.rosettes_grant_rolls,
            captures_grant_rolls: rule_set.captures_grant_rolls,
        })
    }
}

impl TryFrom<&Settings> for RuleSet {
    type Error = SettingsError;

    fn try_from(settings: &Settings) -> Result<Self, SettingsError> {
        let unknown = |key, found: &str, expected| {
            SettingsError(format!("`{key}` is `{}`: expected {expected}", wording::excerpt(found)))
        };
        let paths = settings.paths.to_ascii_lowercase();
        let known = PATHS.into_iter().find(|(route, _)| route.name() == paths);
        let (route, shape) = known.ok_or_else(|| {
            unknown("paths", &settings.paths, "bell, aseb, masters, murray or skiriuk")
        })?;
        if settings.board_shape.to_ascii_lowercase() != shape {
            let expected = "standard, or aseb for the path aseb";
            return Err(unknown("board_shape", &settings.board_shape, expected));
        }
        let dice = settings.dice.to_ascii_lowercase();
        let known = DICE.into_iter().find(|(name, old, _)| [*name, *old].contains(&&*dice));
        let (.., dice) = known
            .ok_or_else(|| unknown("dice", &settings.dice, "four_binary or three_binary_0eq4"))?;
        Ok(named(Self {
            name: "foreign".into(),
            path: Path::Named(route),
            dice,
            pieces: settings.start_pieces,
            safe_rosettes: settings.safe_rosettes,
            rosettes_grant_rolls: settings.rosettes_grant_rolls,
            captures_grant_rolls: settings.captures_grant_rolls,
            ..Self::FINKEL
        }))
    }
}

/// Returns the rules under the name of the preset with the same rules, if there is one.
fn named(rule_set: RuleSet) -> RuleSet {
    let presets = RuleSet::PRESETS.into_iter();
    let mut same = presets.map(|preset| RuleSet { name: preset.name, ..rule_set.clone() });
    same.find(|rule_set| rule_set.preset().is_some()).unwrap_or(rule_set)
}
