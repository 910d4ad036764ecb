//! The state of the screen: the game, what is shown of it, and what the user is asked.

use std::time::Duration;

use puabi_core::{Forfeit, Move, Player, Rules};
use puabi_engine::Answer;
use puabi_server::Language;
use ratatui::crossterm::event::KeyEvent;
use ratatui::layout::Size;

use super::dialog::Dialog;
use super::explorer::Explorer;
use super::review::ReviewState;
use super::task::Task;
use super::theme::Theme;
use super::values::Values;
use crate::errors;
use crate::output::text::t;
use crate::play::{DiceBy, LocalGame, WaitsFor};

/// Everything that a frame shows, and the work that goes on meanwhile.
#[derive(Debug)]
pub(crate) struct App {
    pub(crate) local: LocalGame,
    pub(crate) theme: Theme,
    pub(crate) values: Values,
    pub(crate) screen: Screen,
    pub(crate) dialog: Option<Dialog>,
    /// The values of the position and its moves, if they are known.
    pub(crate) answer: Option<Answer>,
    /// The index of the selected move.
    pub(crate) selected: usize,
    /// The digits of a roll of real dice.
    pub(crate) typed: String,
    pub(crate) aids: Aids,
    pub(crate) pace: Pace,
    pub(crate) is_paused: bool,
    /// The time since the last throw or move.
    pub(crate) waited: Duration,
    /// Whether the next throw or move happens at once, paused or not.
    pub(crate) is_hurried: bool,
    pub(crate) reply: Option<Task<Result<Move, Forfeit>>>,
    /// The message that is shown until the next key.
    pub(crate) message: Option<String>,
    pub(crate) size: Size,
    /// The key to press again once the values are known.
    pub(crate) waiting_key: Option<KeyEvent>,
    /// How the user left, if they did.
    pub(crate) exit: Option<Exit>,
}

/// What the screen shows.
#[derive(Debug)]
pub(crate) enum Screen {
    /// The game that is played.
    Game,
    /// The plies of the game with their values.
    Review(Box<ReviewState>),
    /// Any position.
    Explorer(Explorer),
}

/// The help that a player gets with a decision.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Aids {
    /// Shows the values of the moves of this decision.
    pub(crate) hint: bool,
    /// Warns before a costly move.
    pub(crate) tutor: bool,
    /// Shows each player's chance to win.
    pub(crate) chances: bool,
}

/// The pace at which agents throw and move: an index into the list of paces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Pace(usize);

/// The name of each pace, and the milliseconds before each throw and each move.
const PACES: [(&str, u64); 4] = [("slow", 2000), ("steady", 700), ("quick", 200), ("instant", 0)];

impl Default for Pace {
    fn default() -> Self {
        Self(1)
    }
}

impl Pace {
    /// Returns the time before each throw and each move.
    pub(crate) const fn wait(self) -> Duration {
        Duration::from_millis(PACES[self.0].1)
    }

    /// Returns the name.
    pub(crate) const fn name(self) -> &'static str {
        PACES[self.0].0
    }

    /// Returns the pace that is `by` steps faster, or the last one in that direction.
    pub(crate) fn faster(self, by: isize) -> Self {
        Self(self.0.saturating_add_signed(by).min(PACES.len() - 1))
    }
}

/// How the user left the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// The game is kept.
    Kept,
    /// The user dropped the game.
    Dropped,
    /// The user pressed Ctrl-C.
    Interrupted,
}

impl App {
    /// Returns the state at the start.
    pub(crate) fn new(local: LocalGame, theme: Theme, values: Values) -> Self {
        let aids = Aids { chances: values.judge().is_some(), ..Aids::default() };
        let mut app = Self {
            local,
            theme,
            values,
            screen: Screen::Game,
            dialog: None,
            answer: None,
            selected: 0,
            typed: String::new(),
            aids,
            pace: Pace::default(),
            is_paused: false,
            waited: Duration::ZERO,
            is_hurried: false,
            reply: None,
            message: None,
            size: Size::new(80, 24),
            waiting_key: None,
            exit: None,
        };
        app.update_answer();
        app
    }

    /// Returns the rules of the game.
    pub(crate) fn rules(&self) -> &Rules {
        self.local.session.rules()
    }

    /// Returns the language of the screen.
    pub(crate) const fn language(&self) -> Language {
        self.theme.style.language
    }

    /// Returns the word for a player.
    pub(crate) fn player(&self, player: Player) -> String {
        self.language().translate(player)
    }

    /// Returns whether the user throws real dice.
    pub(crate) fn has_real_dice(&self) -> bool {
        self.local.dice == DiceBy::Manual
    }

    /// Returns how long to wait for a key before time must pass.
    pub(crate) fn poll_timeout(&self) -> Duration {
        let is_solving = matches!(self.values, Values::Solving(_));
        Duration::from_millis(if is_solving || self.is_going() { 30 } else { 500 })
    }

    /// Returns whether the game goes on without a key.
    pub(crate) fn is_going(&self) -> bool {
        let is_shown = matches!(self.screen, Screen::Game) && self.dialog.is_none();
        let waits_for_people = matches!(
            self.local.waits_for(),
            WaitsFor::PersonRolls
                | WaitsFor::PersonMoves
                | WaitsFor::PersonAnswers
                | WaitsFor::Nothing
        );
        is_shown && !waits_for_people && (self.is_hurried || !self.is_paused)
    }

    /// Shows `message` until the next key.
    pub(crate) fn say(&mut self, message: impl Into<String>) {
        self.message = Some(message.into());
    }

    /// Shows a problem over the board.
    pub(crate) fn warn(&mut self, problem: String) {
        self.dialog = Some(Dialog::Notice(problem));
    }

    /// Shows why there are no values.
    pub(crate) fn warn_no_values(&mut self, error: &anyhow::Error) {
        let why = self.language().translate(errors::line(error));
        self.warn(t!(self.language(), "there are no values: {why}", why));
    }

    /// Shows why the game could not be solved; the judge that was used meanwhile stays.
    pub(crate) fn warn_unsolved(&mut self, error: &anyhow::Error) {
        if self.values.judge().is_none() {
            return self.warn_no_values(error);
        }
        let why = self.language().translate(errors::line(error));
        self.warn(t!(self.language(), "the game is not solved: {why}", why));
    }

    /// Looks up the values of the position and its moves; shows the damage of the table, if there is any.
    pub(crate) fn update_answer(&mut self) {
        let answer = self.values.judge().map(|judge| self.local.answer(judge));
        self.answer = answer.unwrap_or(Ok(None)).unwrap_or_else(|damage| {
            self.warn_no_values(&damage);
            None
        });
    }

    /// Keeps the game; shows the problem the first time that this fails.
    pub(crate) fn keep(&mut self) {
        if let Some(problem) = self.local.keep(self.language()) {
            self.warn(problem);
        }
    }
}
