//! Pictures of boards as text, at most 80 columns wide and readable without colour.
//!
//! A [`Picture`] consists of lines of [`Patch`]es. Each patch has an [`Ink`], by which a terminal may colour it; the `Display`
//! of a picture is its plain text. Columns that do not fit beside the others are drawn below them.

use std::collections::HashMap;
use std::fmt;

use crate::{Board, Player, Rules, Setup, SideSetup, Square, Tile, TileKind, TileNames};

/// The signs that pictures are drawn with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Charset {
    /// Box drawing, `○` for light's pieces and `●` for dark's.
    #[default]
    Unicode,
    /// `+`, `-`, `|`, and the letters `L` and `D` for pieces.
    Ascii,
}

impl Charset {
    /// Returns the sign of a piece of `player`.
    ///
    /// ```
    /// use puabi_core::{Charset, Player};
    /// assert_eq!(Charset::Ascii.piece(Player::Dark), 'D');
    /// ```
    pub const fn piece(self, player: Player) -> char {
        match (self, player) {
            (Self::Unicode, Player::Light) => '○',
            (Self::Unicode, Player::Dark) => '●',
            (Self::Ascii, player) => player.letter(),
        }
    }

    /// Returns the sign of a piece of `player` that has turned.
    pub const fn veteran(self, player: Player) -> char {
        match (self, player) {
            (Self::Unicode, Player::Light) => '◇',
            (Self::Unicode, Player::Dark) => '◆',
            (Self::Ascii, player) => player.letter().to_ascii_lowercase(),
        }
    }

    /// Returns the sign of a point where lines meet, given whether one comes from above, below, the left and the right.
    fn corner(self, [up, down, left, right]: [bool; 4]) -> char {
        const LINES: [char; 16] =
            [' ', '│', '│', '│', '─', '┘', '┐', '┤', '─', '└', '┌', '├', '─', '┴', '┬', '┼'];
        let index =
            [up, down, left, right].iter().rev().fold(0, |i, &line| 2 * i + usize::from(line));
        match self {
            Self::Unicode => LINES[index],
            Self::Ascii if index > 0 => '+',
            Self::Ascii => ' ',
        }
    }

    const fn across(self) -> char {
        match self {
            Self::Unicode => '─',
            Self::Ascii => '-',
        }
    }

    const fn down(self) -> char {
        match self {
            Self::Unicode => '│',
            Self::Ascii => '|',
        }
    }
}

/// The signs of a picture, and the names of its lanes and columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Look {
    /// The signs.
    pub charset: Charset,
    /// The names.
    pub names: TileNames,
}

impl From<Charset> for Look {
    fn from(charset: Charset) -> Self {
        Self { charset, names: TileNames::default() }
    }
}

/// What a patch of a picture shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ink {
    /// Nothing, or words.
    Plain,
    /// The lines between tiles.
    Frame,
    /// A lane's letter or a column's number.
    Label,
    /// The mark of an empty tile that is not plain.
    Mark,
    /// A piece of this player, maybe beside the mark of its tile.
    Piece(Player),
    /// The steps of a path.
    Step,
}

/// A part of a line of a picture, all of one ink.
///
/// ```
/// use puabi_core::{Charset, Ink, Picture, RuleSet};
/// let picture = Picture::board(&RuleSet::FINKEL.compile()?, Charset::Unicode);
/// let rosettes = picture.lines().iter().flatten().filter(|patch| patch.ink == Ink::Mark);
/// assert_eq!(rosettes.count(), 5);
/// # Ok::<(), puabi_core::RuleError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Patch {
    /// What is written.
    pub text: String,
    /// What the text shows.
    pub ink: Ink,
}

impl Patch {
    fn new(text: impl Into<String>, ink: Ink) -> Self {
        Self { text: text.into(), ink }
    }

    fn blank(width: usize) -> Self {
        Self::new(" ".repeat(width), Ink::Plain)
    }
}

/// A board as text, at most 80 columns wide.
///
/// ```
/// use puabi_core::{Charset, Picture, RuleSet};
/// let rules = RuleSet::FINKEL.compile()?;
/// let picture = Picture::position(&rules, &"4,8:5+1:D3".parse()?, Charset::Ascii);
/// assert_eq!(picture.to_string(), "\
/// light L   5 in hand, 0 home
///     1   2   3   4   5   6   7   8
///   +---+---+---+---+       +---+---+
/// A |*L*|   |   |   |       | * |   |
///   +---+---+---+---+---+---+---+---+
/// B | D |   |   |*L*|   |   |   |   |
///   +---+---+---+---+---+---+---+---+
/// C | * |   |   |   |       | * |   |
///   +---+---+---+---+       +---+---+
/// dark  D   5 in hand, 1 home, to move 3
/// ");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    lines: Vec<Vec<Patch>>,
}

impl Picture {
    /// The most columns of text that a picture takes.
    pub const MAX_WIDTH: usize = 80;

    /// Returns the empty board, each tile that is not plain with its [mark](TileKind::mark).
    pub fn board(rules: &Rules, look: impl Into<Look>) -> Self {
        let mut lines = draw(rules.board(), look.into(), &HashMap::new());
        lines.extend(legend(rules.board()));
        Self { lines }
    }

    /// Returns the board with the pieces of `setup`; the lines above and below it say how many pieces each player has in hand
    /// and home.
    ///
    /// A finished game can be drawn, too; pieces on squares beyond the path are left out. Pieces that lie on each other are
    /// drawn from the bottom one on, veterans with signs of their own. Boards with marks other than those of rosettes have a
    /// legend.
    ///
    /// ```
    /// use puabi_core::{Charset, Picture, RuleSet};
    /// let rules = RuleSet::SKIRIUK.compile()?;
    /// let setup = "1,1:7,11,17:L:B7=D11.D17".parse()?;
    /// let picture = Picture::position(&rules, &setup, Charset::Ascii).to_string();
    /// assert!(picture.contains("|CLL|") && picture.contains("|CDd|"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn position(rules: &Rules, setup: &Setup, look: impl Into<Look>) -> Self {
        Self::pointing(rules, setup, &[], look)
    }

    /// Returns the board as [`Picture::position`] does, with `tiles` in brackets.
    ///
    /// ```
    /// use puabi_core::{Charset, Picture, RuleSet};
    /// let rules = RuleSet::FINKEL.compile()?;
    /// let tiles = ["B1".parse()?, "B4".parse()?];
    /// let picture = Picture::pointing(&rules, &"5:-:L3".parse()?, &tiles, Charset::Ascii);
    /// assert!(picture.to_string().contains("|[L]|   |   |[*]|"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn pointing(rules: &Rules, setup: &Setup, tiles: &[Tile], look: impl Into<Look>) -> Self {
        let look = look.into();
        let charset = look.charset;
        let board = rules.board();
        let mark = |tile| board.tile_kind(tile).and_then(TileKind::mark);
        let mut faces = HashMap::new();
        for (tile, pieces) in rules.pieces_by_tile(setup) {
            let Some(&(top, _)) = pieces.last() else { continue };
            let sign = |&(player, square): &(Player, Square)| {
                let is_veteran = rules.veterans().contains(square);
                if is_veteran { charset.veteran(player) } else { charset.piece(player) }
            };
            let signs: String = pieces.iter().map(sign).collect();
            let text = match mark(tile) {
                Some('*') if !tiles.contains(&tile) => format!("*{signs}*"),
                Some(mark) => format!("{mark}{signs}"),
                None => signs,
            };
            faces.insert(tile, Patch::new(text, Ink::Piece(top)));
        }
        for &tile in tiles {
            let empty = || Patch::new(mark(tile).unwrap_or(' '), Ink::Mark);
            let face = faces.entry(tile).or_insert_with(empty);
            face.text = format!("[{}]", face.text);
        }
        let mut lines = vec![side_line(rules, setup, Player::Light, charset)];
        lines.extend(draw(board, look, &faces));
        lines.push(side_line(rules, setup, Player::Dark, charset));
        lines.extend(legend(board));
        Self { lines }
    }

    /// Returns the board with the steps of `player`'s path: `4*` for a rosette, `7C` for a camp, `6/22` where the path
    /// crosses itself.
    ///
    /// ```
    /// use puabi_core::{Charset, Picture, Player, RuleSet};
    /// let picture = Picture::path(&RuleSet::MURRAY.compile()?, Player::Light, Charset::Unicode);
    /// assert!(picture.to_string().contains("│  8/20*│"));
    /// # Ok::<(), puabi_core::RuleError>(())
    /// ```
    pub fn path(rules: &Rules, player: Player, look: impl Into<Look>) -> Self {
        let board = rules.board();
        let face = |tile| {
            let steps: Vec<_> =
                board.squares_on(tile, player).iter().map(|s| s.to_string()).collect();
            let mark = board.tile_kind(tile).and_then(TileKind::mark).unwrap_or(' ');
            (tile, Patch::new(format!("{}{mark}", steps.join("/")), Ink::Step))
        };
        let faces = board.path(player).iter().copied().map(face).collect();
        let mut lines = draw(board, look.into(), &faces);
        lines.extend(legend(board));
        Self { lines }
    }

    /// Returns what the marks of the tiles mean; `None` if only rosettes have marks.
    ///
    /// ```
    /// use puabi_core::{Picture, RuleSet};
    /// let rules = RuleSet::SKIRIUK.compile()?;
    /// let legend = Picture::legend(rules.board());
    /// assert_eq!(legend.as_deref(), Some("* rosette  C camp  H holy  E last"));
    /// # Ok::<(), puabi_core::RuleError>(())
    /// ```
    pub fn legend(board: &Board) -> Option<String> {
        let kinds: Vec<_> =
            board.tiles().iter().filter_map(|&tile| board.tile_kind(tile)).collect();
        let words = TileKind::ALL
            .into_iter()
            .filter(|kind| kinds.contains(kind))
            .filter_map(|kind| Some(format!("{} {}", kind.mark()?, kind.word())));
        let words: Vec<_> = words.collect();
        let is_known = words.iter().all(|word| word.starts_with('*'));
        (!is_known).then(|| words.join("  "))
    }

    /// Returns the lines from the top, each from the left.
    pub fn lines(&self) -> &[Vec<Patch>] {
        &self.lines
    }
}

impl fmt::Display for Picture {
    /// Writes the plain text; every line ends with a line feed.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in &self.lines {
            let text: String = line.iter().map(|patch| patch.text.as_str()).collect();
            writeln!(f, "{}", text.trim_end())?;
        }
        Ok(())
    }
}

/// Returns the line that says what `player` has in hand and home, and whether it is that player's turn.
fn side_line(rules: &Rules, setup: &Setup, player: Player, charset: Charset) -> Vec<Patch> {
    let SideSetup { squares, score } = setup.side(player);
    let hand = usize::from(rules.pieces()).saturating_sub(squares.len() + usize::from(*score));
    let home = rules.home_count(*score);
    let turn = match setup.roll {
        _ if player != setup.turn || *score >= rules.goal() => String::new(),
        Some(roll) => format!(", to move {roll}"),
        None => ", to roll".to_owned(),
    };
    vec![
        Patch::new(format!("{player:5} "), Ink::Plain),
        Patch::new(charset.piece(player), Ink::Piece(player)),
        Patch::new(format!("   {hand} in hand, {home} home{turn}"), Ink::Plain),
    ]
}

fn legend(board: &Board) -> Option<Vec<Patch>> {
    let words = Picture::legend(board)?;
    Some(vec![Patch::new(format!("  {words}"), Ink::Plain)])
}

/// The columns of text before a lane: its name and a space.
const MARGIN: usize = 2;

/// Draws a board, each tile with its face in `faces`, if it has one. Columns that do not fit side by side follow below.
fn draw(board: &Board, look: Look, faces: &HashMap<Tile, Patch>) -> Vec<Vec<Patch>> {
    let widest = faces.values().map(|face| face.text.chars().count()).max().unwrap_or(0);
    // A cell has a space on either side of a single sign, and stars may take their places; wider faces have one space only.
    let width = if widest <= 3 { 3 } else { widest + 1 };
    let last = board.tiles().iter().map(|tile| tile.column()).max().unwrap_or(0);
    let columns: Vec<u8> = (1..=last).collect();
    let room = Picture::MAX_WIDTH - MARGIN - 1;
    let bands = columns.chunks((room / (width + 1)).max(1));
    bands.flat_map(|columns| Band { board, look, faces, width, columns }.lines()).collect()
}

/// Columns of a board that are drawn side by side, as a grid of cells of one width.
struct Band<'a> {
    board: &'a Board,
    look: Look,
    faces: &'a HashMap<Tile, Patch>,
    /// The columns of text between two vertical lines.
    width: usize,
    columns: &'a [u8],
}

impl Band<'_> {
    fn lines(&self) -> Vec<Vec<Patch>> {
        let last = self.board.tiles().last().map_or(0, |tile| tile.row());
        let mut lines = vec![self.header(), self.frame(0)];
        for row in 0..=last {
            lines.push(self.lane(row));
            lines.push(self.frame(row + 1));
        }
        lines
    }

    fn header(&self) -> Vec<Patch> {
        let width = self.width + 1;
        let names = self.look.names;
        let number = |&column| Patch::new(format!("{:^width$}", names.column(column)), Ink::Label);
        let margin = Patch::blank(MARGIN + 1);
        std::iter::once(margin).chain(self.columns.iter().map(number)).collect()
    }

    /// Returns the tile in lane `row` and the `index`th column; both may be `None`, for a lane or column before the first.
    fn tile(&self, row: Option<u8>, index: Option<usize>) -> Option<Tile> {
        let tile = Tile::new(row?, *self.columns.get(index?)?)?;
        self.board.has(tile).then_some(tile)
    }

    /// Returns whether a vertical line stands on the left of the `index`th column in lane `row`.
    fn line_down(&self, row: Option<u8>, index: usize) -> bool {
        let left = self.tile(row, index.checked_sub(1));
        left.or_else(|| self.tile(row, Some(index))).is_some()
    }

    /// Returns whether a horizontal line stands above lane `row` in the `index`th column.
    fn line_across(&self, row: u8, index: Option<usize>) -> bool {
        let above = self.tile(row.checked_sub(1), index);
        above.or_else(|| self.tile(Some(row), index)).is_some()
    }

    /// Draws the line above lane `row`.
    fn frame(&self, row: u8) -> Vec<Patch> {
        let charset = self.look.charset;
        let mut line = " ".repeat(MARGIN);
        for index in 0..=self.columns.len() {
            let across = self.line_across(row, Some(index));
            line.push(charset.corner([
                self.line_down(row.checked_sub(1), index),
                self.line_down(Some(row), index),
                self.line_across(row, index.checked_sub(1)),
                across,
            ]));
            let sign = if across { charset.across() } else { ' ' };
            line.extend(std::iter::repeat_n(sign, self.width));
        }
        vec![Patch::new(line.trim_end(), Ink::Frame)]
    }

    fn lane(&self, row: u8) -> Vec<Patch> {
        let name = self.look.names.lane(row);
        let mut line = vec![Patch::new(format!("{name:<MARGIN$}"), Ink::Label)];
        for index in 0..=self.columns.len() {
            let is_line = self.line_down(Some(row), index);
            let down = if is_line { self.look.charset.down() } else { ' ' };
            line.push(Patch::new(down, Ink::Frame));
            if index < self.columns.len() {
                line.push(self.face(self.tile(Some(row), Some(index))));
            }
        }
        line
    }

    /// Draws the face of a tile, padded to the width of a cell.
    fn face(&self, tile: Option<Tile>) -> Patch {
        let width = self.width;
        let Some(tile) = tile else { return Patch::blank(width) };
        match self.faces.get(&tile) {
            Some(face) if face.ink == Ink::Step => {
                Patch::new(format!("{:>width$}", face.text), face.ink)
            }
            Some(face) => Patch::new(format!("{:^width$}", face.text), face.ink),
            None => match self.board.tile_kind(tile).and_then(TileKind::mark) {
                Some(mark) => Patch::new(format!("{mark:^width$}"), Ink::Mark),
                None => Patch::blank(width),
            },
        }
    }
}
