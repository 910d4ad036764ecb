//! A screen that is set, drawn and played on in tests.

use std::fs;
use std::sync::LazyLock;
use std::time::Duration;

use puabi_core::{Game, Record};
use puabi_engine::{Pair, Session};
use puabi_server::Language;
use puabi_solve::{Options, Unattended};
use puabi_study::Engines;
use puabi_tables::{Precision, Table, make_table};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::layout::Size;
use tempfile::TempDir;

use crate::notation;
use crate::play::keeper::Keeper;
use crate::play::{DiceBy, LocalGame, WaitsFor};
use crate::style::{Names, Signs, Style};
use crate::tables::judge::Judge;
use crate::tui::state::{App, Theme, Values};
use crate::tui::update::{self, input};
use crate::tui::view;

/// A screen with the folder that has its game and its table.
pub(super) struct Stage {
    pub(super) app: App,
    pub(super) folder: TempDir,
}

/// The settings of a stage.
#[derive(Clone, Copy)]
pub(super) struct Scene<'a> {
    pub(super) rules: &'a str,
    pub(super) light: &'a str,
    pub(super) dark: &'a str,
    pub(super) dice: DiceBy,
    pub(super) style: Style,
    pub(super) is_solved: bool,
    /// The stakes of the game.
    pub(super) stakes: Option<&'a str>,
}

/// A person against a bot that needs no values.
pub(super) const SCENE: Scene<'_> = Scene {
    rules: "finkel:2",
    light: "human",
    dark: "greedy",
    dice: DiceBy::Auto,
    style: Style {
        signs: Signs { ascii: false, tiles: Names::Lanes },
        language: Language::English,
    },
    is_solved: true,
    stakes: None,
};

impl Scene<'_> {
    pub(super) fn set(self) -> Stage {
        let folder = tempfile::tempdir().unwrap();
        let rules = notation::rules(self.rules).unwrap();
        let values = if self.is_solved { solve(&folder) } else { Values::Unknown };
        let seats = Pair { light: self.light.parse().unwrap(), dark: self.dark.parse().unwrap() };
        let mut record = Record::new(Game::new(rules));
        record.set_stakes(self.stakes.map(|stakes| stakes.parse().unwrap()));
        let session = Session::new(record, seats, 7);
        let engines = Engines::new(Duration::from_secs(1), folder.path(), |_| ());
        let keeper = Keeper::file(&folder.path().join("game.urg")).unwrap();
        let game = LocalGame::new(session, self.dice, keeper, engines);
        let theme = Theme { style: self.style, has_colour: false };
        Stage { app: App::new(game, theme, values), folder }
    }
}

/// The table of the game that solved scenes play.
static TABLE: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.urt");
    let rules = notation::rules(SCENE.rules).unwrap();
    make_table(&path, &rules, Precision::F64, Options::default(), &Unattended).unwrap();
    fs::read(&path).unwrap()
});

fn solve(folder: &TempDir) -> Values {
    let path = folder.path().join("table.urt");
    fs::write(&path, &*TABLE).unwrap();
    Values::Known(Judge::Table(Table::open(&path).unwrap().into()).into())
}

impl Stage {
    pub(super) fn press(&mut self, code: KeyCode) {
        input::handle(&mut self.app, &Event::Key(KeyEvent::from(code)));
    }

    pub(super) fn typed(&mut self, text: &str) {
        text.chars().for_each(|letter| self.press(KeyCode::Char(letter)));
    }

    pub(super) fn click(&mut self, column: u16, row: u16) {
        let kind = MouseEventKind::Down(MouseButton::Left);
        let modifiers = KeyModifiers::NONE;
        input::handle(&mut self.app, &Event::Mouse(MouseEvent { kind, column, row, modifiers }));
    }

    pub(super) fn frame(&mut self, width: u16, height: u16) -> String {
        self.app.size = Size::new(width, height);
        let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        terminal.draw(|frame| view::draw(&self.app, frame)).unwrap();
        terminal.backend().to_string()
    }

    pub(super) fn plies(&self) -> usize {
        self.app.local.game().plies().len()
    }

    /// Lets bots play until a person is asked, or the game is over.
    pub(super) fn wait(&mut self) {
        while self.app.is_going() {
            update::tick(&mut self.app, Duration::from_secs(1));
            std::thread::yield_now();
        }
    }

    /// Plays the first move of every roll until the game has `plies` plies or is over.
    pub(super) fn play(&mut self, plies: usize) {
        while self.plies() < plies && self.app.local.waits_for() != WaitsFor::Nothing {
            match self.app.local.waits_for() {
                WaitsFor::PersonRolls => self.press(KeyCode::Char(' ')),
                WaitsFor::PersonMoves => self.press(KeyCode::Char('1')),
                WaitsFor::PersonAnswers => self.press(KeyCode::Char('y')),
                _ => self.wait(),
            }
        }
    }

    /// Goes on until a person has several moves to choose from.
    pub(super) fn reach_a_choice(&mut self) {
        self.wait();
        while self.app.local.waits_for() != WaitsFor::PersonMoves
            || self.app.local.moves().len() < 2
        {
            assert_ne!(
                self.app.local.waits_for(),
                WaitsFor::Nothing,
                "there is a choice before the end"
            );
            self.play(self.plies() + 1);
            self.wait();
            if self.app.local.waits_for() == WaitsFor::PersonRolls {
                self.press(KeyCode::Enter);
            }
        }
    }
}
