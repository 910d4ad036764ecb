//! How boards and moves are written at the terminal, and in which language.

use anstyle::AnsiColor;
use anyhow::Result;
use clap::ValueEnum;
use puabi_core::{
    Afterstate, Chapter, Charset, Decision, Ink, Look, Move, Patch, Picture, Player, Rules, Setup,
    Square, TileNames,
};
use puabi_engine::MoveAnswer;
use puabi_server::Language;
use textwrap::core::display_width;

use crate::output::Out;
use crate::output::text::{self, t};

/// How tiles are named, as an option.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Names {
    #[default]
    Lanes,
    Chess,
}

/// The characters and names that boards and moves are written with.
#[derive(Debug, Clone, Copy, Default, clap::Args)]
pub(crate) struct Signs {
    /// Draws with ASCII characters only
    #[arg(long)]
    pub(crate) ascii: bool,

    /// Names tiles by lane and column (B7) or as on a chess board (g2)
    #[arg(long, value_enum, default_value_t)]
    pub(crate) tiles: Names,
}

/// The characters, names and words that boards and moves are written with.
#[derive(Debug, Clone, Copy, Default, clap::Args)]
pub(crate) struct Style {
    #[command(flatten)]
    pub(crate) signs: Signs,

    /// Speaks English (en), German (de) or Arabic (ar) [default: `UR_LANGUAGE`, or else as the system]
    #[arg(
        long,
        value_name = "CODE",
        default_value_t = language_of_the_environment(),
        hide_default_value = true
    )]
    pub(crate) language: Language,
}

/// Returns the language that the environment names.
pub(crate) fn language_of_the_environment() -> Language {
    Language::of_environment(|name| std::env::var(name).ok())
}

impl Style {
    /// Returns the characters of boards.
    pub(crate) fn charset(self) -> Charset {
        if self.signs.ascii { Charset::Ascii } else { Charset::Unicode }
    }

    /// Returns the names of tiles.
    pub(crate) fn names(self) -> TileNames {
        match self.signs.tiles {
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
        self.write_picture(&Picture::position(rules, setup, self.look()), out)
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
        self.write_picture(&Picture::pointing(rules, setup, &tiles, self.look()), out)
    }

    /// Draws the board with the steps of `player`'s path.
    pub(crate) fn path(self, rules: &Rules, player: Player, out: &mut Out) -> Result<()> {
        self.write_picture(&Picture::path(rules, player, self.look()), out)
    }

    /// Formats a move by the tiles that it leaves and reaches, as in `A1→B2`.
    pub(crate) fn tiles(self, rules: &Rules, player: Player, action: Move) -> String {
        let arrow = if self.signs.ascii { "->" } else { "→" };
        let tile = |square: Square| self.names().name(rules.tile(player, square));
        match action {
            Move::Pass => t!(self.language, "no move"),
            Move::Enter { to } => format!("{}{arrow}{}", t!(self.language, "hand"), tile(to)),
            Move::Advance { from, to } => format!("{}{arrow}{}", tile(from), tile(to)),
            Move::Score { from } => format!("{}{arrow}{}", tile(from), t!(self.language, "home")),
        }
    }

    /// Returns a sentence in this language, with the names of its tiles in this style.
    pub(crate) fn sentence(self, text: &str) -> String {
        let named = |word: &str| {
            let bare = word.trim_matches(['(', ')', '.', ',', ';', ':']);
            match bare.parse() {
                Ok(tile) => word.replacen(bare, &self.names().name(tile), 1),
                Err(_) => word.to_owned(),
            }
        };
        self.language.translate(text.split(' ').map(named).collect::<Vec<_>>().join(" "))
    }

    /// Returns the way of play, in chapters with lines of at most 80 columns.
    pub(crate) fn way_of_play(self, rules: &Rules) -> String {
        let options = || textwrap::Options::new(80).initial_indent("  ").subsequent_indent("    ");
        let chapter = |Chapter { title, sentences }| {
            let lines = sentences.iter().map(|it| textwrap::fill(&self.sentence(it), options()));
            std::iter::once(self.language.translate(title))
                .chain(lines)
                .collect::<Vec<_>>()
                .join("\n")
        };
        rules.way_of_play().into_iter().map(chapter).collect::<Vec<_>>().join("\n\n")
    }

    /// Returns the one of `moves` that `text` names by its tiles, as in `A1-B2` or `a1→b2`, with words of this language or
    /// of English.
    pub(crate) fn named(
        self,
        rules: &Rules,
        player: Player,
        moves: &[Move],
        text: &str,
    ) -> Option<Move> {
        let plain =
            |text: &str| text.to_lowercase().replace("->", "-").replace('→', "-").replace(' ', "");
        let english = Self { language: Language::English, ..self };
        let is_named = |&action: &Move| {
            [self, english]
                .iter()
                .any(|style| plain(&style.tiles(rules, player, action)) == plain(text))
        };
        moves.iter().copied().find(is_named)
    }

    /// Formats a move with its tiles and its effect.
    pub(crate) fn action(self, decision: &Decision<'_>, player: Player, action: Move) -> String {
        let tiles = self.tiles(decision.rules(), player, action);
        let effect = Effect::of(decision, action).words(self.language);
        format!("{action:<7} {} {effect}", text::left(&tiles, 9)).trim_end().to_owned()
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
        let [tiles, effect] = [(tiles, 9), (Effect::from(option).words(self.language), 22)]
            .map(|(words, width)| text::left(&words, width));
        let value = self.language.number(text::percent(option.value));
        let loss = text::right(&self.loss(option, best), 6);
        format!("{:<7} {tiles} {effect} {value:>9}  {loss}", option.action)
    }

    /// Formats what a move loses against `best`, in points.
    pub(crate) fn loss(self, option: &MoveAnswer, best: f64) -> String {
        if option.best {
            return t!(self.language, "best");
        }
        self.language.number(format!("-{:.2}", (best - option.value) * 100.0))
    }

    /// Returns the word for a player, padded so that the words for both players have the same width.
    pub(crate) fn player(self, player: Player) -> String {
        let widths = Player::BOTH.map(|player| display_width(&self.language.translate(player)));
        let width = widths.into_iter().max().unwrap_or(0);
        text::left(&self.language.translate(player), width)
    }

    /// Returns the words of a picture in this language. Parts of a picture are two spaces apart, and the mark of a tile comes
    /// before its word.
    pub(crate) fn words(self, words: &str) -> String {
        let translated = |part: &str| {
            let word = part.trim_start();
            let indent = &part[..part.len() - word.len()];
            match word.split_once(' ') {
                Some((mark, kind))
                    if mark.chars().count() == 1 && !mark.starts_with(char::is_numeric) =>
                {
                    format!("{indent}{mark} {}", text::isolated(&self.language.translate(kind)))
                }
                _ => format!("{indent}{}", text::isolated(&self.language.translate(word))),
            }
        };
        words.split("  ").map(translated).collect::<Vec<_>>().join("  ")
    }

    fn write_picture(self, picture: &Picture, out: &mut Out) -> Result<()> {
        for line in picture.lines() {
            let is_blank = |patch: &&Patch| patch.text.trim_end().is_empty();
            let blanks = line.iter().rev().take_while(is_blank).count();
            let Some((last, others)) = line[..line.len() - blanks].split_last() else { continue };
            for patch in others {
                let style = colour(patch.ink);
                write!(out, "{style}{}{style:#}", self.patch(patch))?;
            }
            let style = colour(last.ink);
            writeln!(out, "{style}{}{style:#}", self.patch(last).trim_end())?;
        }
        Ok(())
    }

    /// Returns the text of a patch; only plain patches have words.
    fn patch(self, Patch { text, ink }: &Patch) -> String {
        let is_player = |player: &Player| player.name() == text.trim();
        match Player::BOTH.into_iter().find(is_player) {
            _ if *ink != Ink::Plain => text.clone(),
            Some(player) => self.player(player) + " ",
            None => self.words(text),
        }
    }
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
    pub(crate) fn choose<T: Default>(self, [capture, roll, both]: [T; 3]) -> T {
        match (self.captures, self.rolls_again) {
            (false, false) => T::default(),
            (true, false) => capture,
            (false, true) => roll,
            (true, true) => both,
        }
    }

    fn words(self, language: Language) -> String {
        self.choose([
            t!(language, "captures"),
            t!(language, "rolls again"),
            t!(language, "captures, rolls again"),
        ])
    }
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
