//! Rule sets in JSON: the board to draw, the paths, the dice, and what is known of the game.

use std::sync::Arc;

use puabi_core::{Chapter, Game, Player, RuleSet, Rules, Square, Squares, TileKind};
use puabi_solve::Report;
use serde::Serialize;
use utoipa::ToSchema;

/// A tile of a board.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TileView {
    #[schema(example = "B4")]
    tile: String,
    /// The column, from 1.
    column: u8,
    /// The row, from 0.
    row: u8,
    rosette: bool,
    /// Whether no piece can be captured there.
    safe: bool,
    /// What it is, in words.
    #[schema(example = "a rosette")]
    ground: &'static str,
    /// The same in a word.
    #[schema(example = "rosette")]
    kind: &'static str,
    /// Whether landing there gives another roll.
    again: bool,
    /// Light's squares that lie there.
    light: Vec<u8>,
    /// Dark's squares that lie there.
    dark: Vec<u8>,
}

/// A board.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct BoardView {
    columns: u8,
    rows: u8,
    tiles: Vec<TileView>,
}

/// A part of the way of play.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ChapterView {
    /// What it is about.
    #[schema(example = "Rosettes")]
    title: &'static str,
    sentences: Vec<String>,
}

impl From<Chapter> for ChapterView {
    fn from(Chapter { title, sentences }: Chapter) -> Self {
        Self { title, sentences }
    }
}

/// The tiles of each player's path, in order.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Paths {
    light: Vec<String>,
    dark: Vec<String>,
}

/// A roll and its chance.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RollChance {
    roll: u8,
    chance: f64,
}

/// What is known of a game, most of it from its table.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Facts {
    /// The number of positions, if they can be counted.
    positions: Option<u64>,
    /// The chance that the player who begins wins; absent before the game is solved.
    first_player: Option<f64>,
    /// The mean number of plies of perfect play: exact if it has been computed, otherwise measured in 2,000 games; null until
    /// these games have been played. The first request starts them.
    length: Option<f64>,
    /// The largest difference of a value and its backup; absent before the game is solved.
    residual: Option<f64>,
}

/// The state of a table.
#[derive(Debug, Serialize, ToSchema)]
pub struct TableView {
    /// `ready`, `missing`, `solving`, `failed` or `too-large`.
    state: &'static str,
    /// The bytes that it takes or would take.
    bytes: Option<u64>,
    /// How much of the solve is done, in percent; while solving only.
    #[serde(skip_serializing_if = "Option::is_none")]
    percent: Option<u64>,
    /// Why the last solve had no result.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
}

impl TableView {
    /// Returns the view of a table that takes, or would take, `bytes` bytes.
    pub fn new(standing: TableStanding, bytes: Option<u64>) -> Self {
        let (state, percent, why) = match standing {
            TableStanding::Ready => ("ready", None, None),
            TableStanding::Solving { percent } => ("solving", Some(percent), None),
            TableStanding::Failed { why } => ("failed", None, Some(why)),
            TableStanding::TooLarge => ("too-large", None, None),
            TableStanding::Missing => ("missing", None, None),
        };
        Self { state, bytes, percent, why }
    }
}

/// The state of a table, from which its view is made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TableStanding {
    /// There is a table.
    Ready,
    /// A solve is going on.
    Solving {
        /// How much of it is done, in percent.
        percent: u64,
    },
    /// There is no table, because the last solve failed.
    Failed {
        /// Why it failed.
        why: String,
    },
    /// There is no table, because the game is too large for one here.
    TooLarge,
    /// There is no table yet.
    Missing,
}

/// A rule set with the name by which requests ask for it.
#[derive(Debug, Clone)]
pub struct NamedRules {
    /// The name; empty if the rules are neither a preset nor kept.
    pub name: String,
    /// The rules.
    pub rules: Arc<Rules>,
    /// The number of positions, if they can be counted.
    pub positions: Option<u64>,
}

/// What is known of a game that is solved.
#[derive(Debug, Clone, Copy)]
pub struct SolveResults {
    /// What the solve found.
    pub report: Report,
    /// The mean number of plies of perfect play, once it is known.
    pub length: Option<f64>,
}

/// A rule set in a line.
#[derive(Debug, Serialize, ToSchema)]
pub struct RulesLine {
    /// The name by which requests ask for it.
    #[schema(example = "finkel")]
    name: String,
    /// What people call it.
    title: String,
    /// What a preset is like, for people who choose their first game.
    introduction: Option<&'static str>,
    /// Squares of a path.
    path: u8,
    /// The dice.
    #[schema(example = "4d")]
    dice: String,
    /// Pieces of each player.
    pieces: u8,
    /// The number of positions, if they can be counted.
    positions: Option<u64>,
    /// Whether it is a preset, and not a rule file that was kept.
    preset: bool,
    table: TableView,
}

impl RulesLine {
    /// Returns the line of a rule set.
    pub fn new(named: &NamedRules, table: TableView) -> Self {
        let (rules, rule_set) = (&named.rules, named.rules.rule_set());
        Self {
            name: named.name.clone(),
            title: title(rule_set),
            introduction: rule_set.introduction(),
            path: rules.length(),
            dice: rule_set.dice.to_string(),
            pieces: rules.pieces(),
            positions: named.positions,
            preset: rule_set.preset().is_some(),
            table,
        }
    }
}

/// A rule set with all that is needed to draw and explain it.
#[derive(Debug, Serialize, ToSchema)]
pub struct RulesView {
    #[serde(flatten)]
    line: RulesLine,
    /// The position that games start from.
    #[schema(example = "-:-:L")]
    start: String,
    board: BoardView,
    paths: Paths,
    /// Every roll, ascending.
    rolls: Vec<RollChance>,
    /// Pieces that a player must bring home to win.
    goal: u8,
    /// Whether a piece on a rosette is safe.
    safe_rosettes: bool,
    /// Whether landing on a rosette gives another roll.
    rosettes_grant_rolls: bool,
    /// Whether a capture gives another roll.
    captures_grant_rolls: bool,
    /// The way of play, in the order in which a beginner needs it.
    way_of_play: Vec<ChapterView>,
    facts: Facts,
    /// The rule file.
    toml: String,
}

impl RulesView {
    /// Returns the view of a rule set with what is known of its game.
    pub fn new(named: &NamedRules, known: Option<SolveResults>, table: TableView) -> Self {
        let (rules, rule_set) = (&named.rules, named.rules.rule_set());
        let path =
            |player| rules.board().path(player).iter().map(ToString::to_string).collect::<Vec<_>>();
        let rolls = rules.rolls().iter();
        Self {
            line: RulesLine::new(named, table),
            start: Game::new(Arc::clone(rules)).setup().to_string(),
            board: BoardView::new(rules),
            paths: Paths { light: path(Player::Light), dark: path(Player::Dark) },
            rolls: rolls.map(|&(roll, chance)| RollChance { roll: roll.steps(), chance }).collect(),
            goal: rules.goal(),
            safe_rosettes: rule_set.safe_rosettes,
            rosettes_grant_rolls: rule_set.rosettes_grant_rolls,
            captures_grant_rolls: rule_set.captures_grant_rolls,
            way_of_play: rules.way_of_play().into_iter().map(ChapterView::from).collect(),
            facts: Facts {
                positions: named.positions,
                first_player: known.map(|known| known.report.start_value),
                length: known.and_then(|known| known.length),
                residual: known.map(|known| known.report.residual),
            },
            toml: rule_set.to_toml(),
        }
    }
}

impl BoardView {
    fn new(rules: &Rules) -> Self {
        let (board, rule_set) = (rules.board(), rules.rule_set());
        let numbers = |squares: Squares| squares.iter().map(Square::number).collect();
        let view = |&tile: &puabi_core::Tile| {
            let [light, dark] = Player::BOTH.map(|player| board.squares_on(tile, player));
            let rosette = board.is_rosette(tile);
            let kind = board.tile_kind(tile).unwrap_or(TileKind::Plain);
            let is_safe = |squares: Squares| squares.iter().all(|square| rules.is_safe(square));
            TileView {
                tile: tile.to_string(),
                column: tile.column(),
                row: tile.row(),
                rosette,
                safe: is_safe(light) && is_safe(dark),
                ground: kind.name(),
                kind: kind.word(),
                again: rosette && rule_set.rosettes_grant_rolls,
                light: numbers(light),
                dark: numbers(dark),
            }
        };
        let tiles: Vec<_> = board.tiles().iter().map(view).collect();
        let rows = tiles.iter().map(|tile| tile.row + 1).max().unwrap_or_default();
        let columns = tiles.iter().map(|tile| tile.column).max().unwrap_or_default();
        Self { columns, rows, tiles }
    }
}

/// Returns the title of a rule set for people: a preset's name written as a title, any other name unchanged.
fn title(rule_set: &RuleSet) -> String {
    let Some(preset) = rule_set.preset() else { return rule_set.name.to_string() };
    let mut letters = preset.name.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    let name = match &*preset.name {
        "skiriuk" => "The Forgotten Game of Ur".to_owned(),
        "skiriuk-path" => "Skiriuk's path".to_owned(),
        "simple-ur" => "Simple Ur".to_owned(),
        _ => first.into_iter().chain(letters).collect::<String>().replace('-', " "),
    };
    if preset.pieces == rule_set.pieces {
        name
    } else {
        match rule_set.pieces {
            1 => format!("{name}, 1 piece"),
            pieces => format!("{name}, {pieces} pieces"),
        }
    }
}
