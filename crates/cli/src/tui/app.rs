//! The state of the screen: the game, what is shown of it, and what is asked.

use std::path::Path;
use std::time::Duration;

use puabi_core::{Game, Setup};
use puabi_engine::{Answer, Review, SharedEvaluator, Sitting};
use ratatui::crossterm::event::KeyEvent;
use ratatui::layout::Size;

use super::dialog::Dialog;
use super::event;
use super::explorer::Explorer;
use super::look::Look;
use super::pace::Pace;
use super::reply::Reply;
use super::review::ReviewRoom;
use super::values::Values;
use crate::commands::play::file::{self, GameFile};
use crate::commands::play::{DiceBy, Opening};
use crate::tables;

/// Everything that a frame shows, and what goes on meanwhile.
#[derive(Debug)]
pub(super) struct App {
    pub(super) sitting: Sitting,
    pub(super) dice: DiceBy,
    pub(super) look: Look,
    pub(super) file: GameFile,
    pub(super) values: Values,
    pub(super) room: Room,
    pub(super) dialog: Option<Dialog>,
    /// What is known of where the game stands, where its values are.
    pub(super) answer: Option<Answer>,
    /// Which of the moves is selected.
    pub(super) selected: usize,
    /// The digits of a roll thrown by hand.
    pub(super) typed: String,
    pub(super) aids: Aids,
    pub(super) pace: Pace,
    pub(super) is_paused: bool,
    /// How long the next throw or reply has been waited for.
    pub(super) waited: Duration,
    /// Whether the next throw or reply is asked for at once, paused or not.
    pub(super) is_hurried: bool,
    pub(super) reply: Option<Reply>,
    /// What is said until the next key.
    pub(super) message: Option<String>,
    pub(super) size: Size,
    /// The key that waits for the values.
    wanted: Option<KeyEvent>,
    /// Whether keeping the game has failed.
    is_unkept: bool,
    departure: Option<Departure>,
}

/// What the screen shows.
#[derive(Debug)]
pub(super) enum Room {
    /// The game that is played.
    Game,
    /// The game as it was played.
    Review(Box<ReviewRoom>),
    /// Any position.
    Explorer(Explorer),
}

/// What helps a player to decide.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Aids {
    /// Shows what the moves of this decision are worth.
    pub(super) hint: bool,
    /// Warns before a costly move.
    pub(super) tutor: bool,
    /// Shows each player's chance.
    pub(super) chances: bool,
}

/// How the screen is left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Departure {
    /// The game is kept.
    Kept,
    /// The game is not kept, as asked.
    Dropped,
    /// By Ctrl-C.
    Stopped,
}

impl App {
    /// Returns the state at the start of a sitting.
    pub(super) fn new(opening: Opening, look: Look, values: Values) -> Self {
        let Opening { sitting, dice, file, .. } = opening;
        let aids = Aids { chances: values.table().is_some(), ..Aids::default() };
        let mut app = Self {
            sitting,
            dice,
            look,
            file,
            values,
            room: Room::Game,
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
            wanted: None,
            is_unkept: false,
            departure: None,
        };
        app.look_up();
        app
    }

    /// Returns the game.
    pub(super) const fn game(&self) -> &Game {
        self.sitting.game()
    }

    /// Returns how the screen is left, once it is.
    pub(super) const fn departure(&self) -> Option<Departure> {
        self.departure
    }

    /// Leaves the screen.
    pub(super) fn leave(&mut self, departure: Departure) {
        self.departure = Some(departure);
    }

    /// Returns how long a key may be waited for before time has to pass.
    pub(super) fn patience(&self) -> Duration {
        let is_solving = matches!(self.values, Values::Solving(_));
        Duration::from_millis(if is_solving || self.is_going() { 30 } else { 500 })
    }

    /// Lets time pass: takes what threads have brought, and lets bots play.
    pub(super) fn tick(&mut self, elapsed: Duration) {
        match self.values.poll() {
            Some(Ok(())) => {
                self.look_up();
                self.message = Some(format!("{} is solved", self.sitting.rules().rule_set()));
                if let Some(key) = self.wanted.take() {
                    event::press(self, key);
                }
            }
            Some(Err(error)) => self.warn(format!("there are no values: {error:#}")),
            None => {}
        }
        if self.is_going() {
            self.advance(elapsed);
        }
    }

    /// Says `message` until the next key.
    pub(super) fn say(&mut self, message: impl Into<String>) {
        self.message = Some(message.into());
    }

    /// Says what went wrong, over the board.
    pub(super) fn warn(&mut self, problem: String) {
        self.dialog = Some(Dialog::Notice(problem));
    }

    /// Forgets what was said and what waits for the values: there is a new key.
    pub(super) fn forget(&mut self) {
        self.message = None;
        self.wanted = None;
    }

    /// Works out anew what is known of where the game stands.
    pub(super) fn look_up(&mut self) {
        let game = self.game();
        let (rules, roll) = (game.rules().clone(), game.pending());
        let asked = game.position().zip(game.turn());
        self.answer = asked
            .and_then(|asked| self.ask_table(|values| Answer::new(&rules, asked, roll, values)));
    }

    /// Returns what `work` makes of the values, if there are any; says what is wrong with the table if it is damaged.
    fn ask_table<T>(&mut self, work: impl FnOnce(SharedEvaluator<'_>) -> T) -> Option<T> {
        let found = tables::with_values(self.values.table()?, work);
        found.inspect_err(|damage| self.warn(format!("there are no values: {damage:#}"))).ok()
    }

    /// Returns whether the values are at hand; where not, solves the game and presses `key` again once it is solved.
    pub(super) fn has_values(&mut self, key: KeyEvent) -> bool {
        if self.values.table().is_some() {
            return true;
        }
        self.values.ask(self.sitting.rules());
        self.wanted = Some(key);
        false
    }

    /// Keeps the game; that it cannot be kept is said once.
    pub(super) fn keep(&mut self) {
        let game = self.game();
        if self.is_unkept || game.plies().is_empty() && game.pending().is_none() {
            return;
        }
        if let Err(error) = self.file.write(self.sitting.record()) {
            self.is_unkept = true;
            self.warn(format!("the game is not kept: {error:#}"));
        }
    }

    /// Saves the game to a file of the user's choice; returns what is wrong where that fails.
    pub(super) fn save(&mut self, path: &str) -> Result<(), String> {
        if path.is_empty() {
            return Err("expected the name of a file".to_owned());
        }
        let saved = file::write(Path::new(path), self.sitting.record());
        saved.map_err(|error| format!("{error:#}"))?;
        self.say(format!("the game is kept in {path}"));
        Ok(())
    }

    /// Removes the file of the game and leaves.
    pub(super) fn drop_game(&mut self) {
        match self.file.remove() {
            Ok(()) => self.leave(Departure::Dropped),
            Err(error) => self.warn(format!("{error:#}")),
        }
    }

    /// Tells where the game is kept.
    pub(super) fn kept(&self) -> String {
        self.file.kept(self.game())
    }
}

/// The way from room to room.
impl App {
    /// Shows the review of what was played.
    pub(super) fn review(&mut self) {
        let record = self.sitting.record().clone();
        match self.ask_table(|values| ReviewRoom::new(Review::new(&record, values))) {
            Some(Some(room)) => self.room = Room::Review(Box::new(room)),
            Some(None) => self.say("nothing has been played yet"),
            None => {}
        }
    }

    /// Shows the explorer, with the board as it is.
    pub(super) fn explore(&mut self, setup: Setup) {
        let board = self.sitting.rules().board();
        self.room = Room::Explorer(Explorer::new(board, Setup { roll: None, ..setup }));
    }
}
