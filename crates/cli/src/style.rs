//! How boards and moves are written at the terminal.

use anstyle::AnsiColor;
use anyhow::Result;
use clap::ValueEnum;
use puabi_core::{
    Afterstate, Charset, Decision, Ink, Look, Move, Patch, Picture, Player, Rules, Setup, Square,
    TileNames,
};
use puabi_engine::MoveAnswer;

use crate::output::{Out, text};

/// How tiles are named, as an option.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Names {
    #[default]
    Lanes,
    Chess,
}

/// The characters and names that boards and moves are written with.
#[derive(Debug, Clone, Copy, Default, clap::Args)]
pub(crate) struct Style {
    /// Draws with ASCII characters only
    #[arg(long)]
    pub(crate) ascii: bool,

    /// Names tiles by lane and column (B7) or as on a chess board (g2)
    #[arg(long, value_enum, default_value_t)]
    pub(crate) tiles: Names,
}

impl Style {
    /// Returns the characters of boards.
    pub(crate) fn charset(self) -> Charset {
        if self.ascii { Charset::Ascii } else { Charset::Unicode }
    }

    /// Returns the names of tiles.
    pub(crate) fn names(self) -> TileNames {
        match self.tiles {
            Names::Lanes => TileNames::Lanes,
            Names::Chess => TileNames::Chess,
        }
    }

    /// Returns the look of boards.
    pub(crate) fn look(self) -> Look {
        Look { charset: self.charset(), names: self.names() }
    }

    /// Draws the board with the pieces of `setup`.
    pub(crate) fn position(self, rules: &Rules, setup: &Setup, out: &mut Out) -> Result<()> {
        write_picture(&Picture::position(rules, setup, self.look()), out)
    }

    /// Draws the board with the pieces of `setup`, the tiles that `action` leaves and reaches in brackets.
    pub(crate) fn advice(
        self,
        rules: &Rules,
        setup: &Setup,
        action: Move,
        out: &mut Out,
    ) -> Result<()> {
        let squares = [action.from(), action.to()].into_iter().flatten();
        let tiles: Vec<_> = squares.map(|square| rules.tile(setup.turn, square)).collect();
        write_picture(&Picture::pointing(rules, setup, &tiles, self.look()), out)
    }

    /// Draws the board with the steps of `player`'s path.
    pub(crate) fn path(self, rules: &Rules, player: Player, out: &mut Out) -> Result<()> {
        write_picture(&Picture::path(rules, player, self.look()), out)
    }

    /// Formats a move by the tiles that it leaves and reaches, as in `A1→B2`.
    pub(crate) fn tiles(self, rules: &Rules, player: Player, action: Move) -> String {
        let arrow = if self.ascii { "->" } else { "→" };
        let tile = |square: Square| self.names().name(rules.tile(player, square));
        match action {
            Move::Pass => "no move".to_owned(),
            Move::Enter { to } => format!("hand{arrow}{}", tile(to)),
            Move::Advance { from, to } => format!("{}{arrow}{}", tile(from), tile(to)),
            Move::Score { from } => format!("{}{arrow}home", tile(from)),
        }
    }

    /// Returns `text` with the names of its tiles in this style.
    pub(crate) fn sentence(self, text: &str) -> String {
        let name = |word: &str| {
            word.parse().map_or_else(|_| word.to_owned(), |tile| self.names().name(tile))
        };
        text.split(' ').map(name).collect::<Vec<_>>().join(" ")
    }

    /// Returns the one of `moves` that `text` names by its tiles, as in `A1-B2` or `a1→b2`.
    pub(crate) fn named(
        self,
        rules: &Rules,
        player: Player,
        moves: &[Move],
        text: &str,
    ) -> Option<Move> {
        let plain =
            |text: &str| text.to_lowercase().replace("->", "-").replace('→', "-").replace(' ', "");
        let is_named = |&action: &Move| plain(&self.tiles(rules, player, action)) == plain(text);
        moves.iter().copied().find(is_named)
    }

    /// Formats a move with its tiles and its effect.
    pub(crate) fn action(self, decision: &Decision<'_>, player: Player, action: Move) -> String {
        let tiles = self.tiles(decision.rules(), player, action);
        let effect = Effect::of(decision, action).words();
        format!("{action:<7} {tiles:<9} {effect}").trim_end().to_owned()
    }

    /// Formats a move with its value and its loss against `best`, both chances in percent.
    pub(crate) fn option(
        self,
        rules: &Rules,
        player: Player,
        option: &MoveAnswer,
        best: f64,
    ) -> String {
        let tiles = self.tiles(rules, player, option.action);
        let effect = Effect::from(option).words();
        let (value, loss) = (text::percent(option.value), loss(option, best));
        format!("{:<7} {tiles:<9} {effect:<22} {value:>9}  {loss:>6}", option.action)
    }
}

/// Formats what a move loses against `best`, in points.
pub(crate) fn loss(option: &MoveAnswer, best: f64) -> String {
    if option.best {
        return "best".to_owned();
    }
    format!("-{:.2}", (best - option.value) * 100.0)
}

/// Whether a move captures a piece, and whether it grants another roll.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Effect {
    captures: bool,
    rolls_again: bool,
}

impl From<&MoveAnswer> for Effect {
    fn from(option: &MoveAnswer) -> Self {
        Self { captures: option.capture, rolls_again: option.again }
    }
}

impl Effect {
    /// Returns the effect of `action`.
    pub(crate) fn of(decision: &Decision<'_>, action: Move) -> Self {
        let captures = decision.captures(action).is_some();
        Self { captures, rolls_again: decision.play(action).is_ok_and(Afterstate::rolls_again) }
    }

    /// Returns the text for a capture, for another roll, or for both.
    pub(crate) const fn choose(self, [capture, roll, both]: [&'static str; 3]) -> &'static str {
        match (self.captures, self.rolls_again) {
            (false, false) => "",
            (true, false) => capture,
            (false, true) => roll,
            (true, true) => both,
        }
    }

    const fn words(self) -> &'static str {
        self.choose(["captures", "rolls again", "captures, rolls again"])
    }
}

fn write_picture(picture: &Picture, out: &mut Out) -> Result<()> {
    for line in picture.lines() {
        let is_blank = |patch: &&Patch| patch.text.trim_end().is_empty();
        let blanks = line.iter().rev().take_while(is_blank).count();
        let Some((last, others)) = line[..line.len() - blanks].split_last() else { continue };
        for Patch { text, ink } in others {
            let style = colour(*ink);
            write!(out, "{style}{text}{style:#}")?;
        }
        let style = colour(last.ink);
        writeln!(out, "{style}{}{style:#}", last.text.trim_end())?;
    }
    Ok(())
}

fn colour(ink: Ink) -> anstyle::Style {
    match ink {
        Ink::Plain | Ink::Step => anstyle::Style::new(),
        Ink::Frame | Ink::Label => anstyle::Style::new().dimmed(),
        Ink::Mark => AnsiColor::Yellow.on_default(),
        Ink::Piece(Player::Light) => AnsiColor::Cyan.on_default().bold(),
        Ink::Piece(Player::Dark) => AnsiColor::Magenta.on_default().bold(),
    }
}
