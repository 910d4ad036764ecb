//! Boards and moves as the console shows them.

use std::io::Write;

use anstyle::{AnsiColor, Style};
use anyhow::Result;
use puabi_core::{Afterstate, Charset, Decision, Ink, Move, Patch, Picture, Player, Rules, Setup};
use puabi_engine::MoveAnswer;

use crate::text;

/// How boards and moves are drawn.
#[derive(Debug, Clone, Copy, Default, clap::Args)]
pub(crate) struct Pen {
    /// Draws with letters and signs of ASCII alone
    #[arg(long)]
    pub(crate) ascii: bool,
}

impl Pen {
    /// Returns the signs that it draws with.
    pub(crate) fn charset(self) -> Charset {
        if self.ascii { Charset::Ascii } else { Charset::Unicode }
    }

    /// Draws the board with the pieces of `setup`.
    pub(crate) fn position(self, rules: &Rules, setup: &Setup, out: &mut dyn Write) -> Result<()> {
        write_picture(&Picture::position(rules, setup, self.charset()), out)
    }

    /// Draws the board with the steps of `player`'s path.
    pub(crate) fn path(self, rules: &Rules, player: Player, out: &mut dyn Write) -> Result<()> {
        write_picture(&Picture::path(rules, player, self.charset()), out)
    }

    /// Returns `action` by the tiles it leaves and reaches, as in `A1→B2`.
    pub(crate) fn tiles(self, rules: &Rules, player: Player, action: Move) -> String {
        let arrow = if self.ascii { "->" } else { "→" };
        let tile = |square| rules.tile(player, square);
        match action {
            Move::Pass => "no move".to_owned(),
            Move::Enter { to } => format!("hand{arrow}{}", tile(to)),
            Move::Advance { from, to } => format!("{}{arrow}{}", tile(from), tile(to)),
            Move::Score { from } => format!("{}{arrow}home", tile(from)),
        }
    }

    /// Returns a move of `player` and what it does.
    pub(crate) fn action(self, decision: &Decision<'_>, player: Player, action: Move) -> String {
        let tiles = self.tiles(decision.rules(), player, action);
        let capture = decision.captures(action).is_some();
        let again = decision.play(action).is_ok_and(Afterstate::rolls_again);
        let effects = effects(capture, again);
        format!("{action:<7} {tiles:<9} {effects}").trim_end().to_owned()
    }

    /// Returns a move with its value and what it costs against `best`, all chances in percent.
    pub(crate) fn option(
        self,
        rules: &Rules,
        turn: Player,
        option: &MoveAnswer,
        best: f64,
    ) -> String {
        let (action, tiles) = (option.action, self.tiles(rules, turn, option.action));
        let effects = effects(option.capture, option.again);
        let value = text::percent(option.value);
        let cost = if option.best {
            "best".to_owned()
        } else {
            format!("-{:.2}", (best - option.value) * 100.0)
        };
        format!("{action:<7} {tiles:<9} {effects:<22} {value:>9}  {cost:>6}")
    }
}

fn write_picture(picture: &Picture, out: &mut dyn Write) -> Result<()> {
    for line in picture.lines() {
        let is_blank = |patch: &&Patch| patch.text.trim_end().is_empty();
        let blanks = line.iter().rev().take_while(is_blank).count();
        let Some((last, others)) = line[..line.len() - blanks].split_last() else { continue };
        for Patch { text, ink } in others {
            let style = style(*ink);
            write!(out, "{style}{text}{style:#}")?;
        }
        let style = style(last.ink);
        writeln!(out, "{style}{}{style:#}", last.text.trim_end())?;
    }
    Ok(())
}

fn style(ink: Ink) -> Style {
    match ink {
        Ink::Plain | Ink::Step => Style::new(),
        Ink::Frame | Ink::Label => Style::new().dimmed(),
        Ink::Rosette => AnsiColor::Yellow.on_default(),
        Ink::Piece(Player::Light) => AnsiColor::Cyan.on_default().bold(),
        Ink::Piece(Player::Dark) => AnsiColor::Magenta.on_default().bold(),
    }
}

/// Returns what a move does beside moving, in words.
fn effects(capture: bool, again: bool) -> &'static str {
    match (capture, again) {
        (false, false) => "",
        (true, false) => "captures",
        (false, true) => "rolls again",
        (true, true) => "captures, rolls again",
    }
}
