//! A game that is played at this terminal and kept in a file, whatever shows it.

use std::fs;
use std::io::Write;
use std::iter;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result};
use clap::ValueEnum;
use puabi_core::{Game, Move, Record, RuleSet};
use puabi_engine::{AgentSpec, Answer, Seat, Session};
use puabi_server::Language;
use puabi_study::Engines;
use puabi_tables::write_whole;

use crate::errors::{self, Advise};
use crate::output::text::t;
use crate::tables::judging::Judging;
use crate::{files, tables};

/// A game, the players, and the file that keeps it.
#[derive(Debug)]
pub(crate) struct LocalGame {
    /// The game, its players and the seed of the dice.
    pub(crate) session: Session,
    /// The source of the rolls.
    pub(crate) dice: DiceBy,
    /// The file that keeps the game.
    pub(crate) path: PathBuf,
    /// The outside engines that play.
    pub(crate) engines: Arc<Engines>,
    /// Whether an attempt to keep the game failed.
    is_unkept: bool,
}

/// The source of the rolls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DiceBy {
    /// The program throws
    Auto,
    /// You throw real dice and type the rolls
    Manual,
}

impl DiceBy {
    /// The header of records that stores the source of the rolls.
    pub(crate) const HEADER: &str = "dice";

    /// Returns the name in records.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Manual => "manual",
        }
    }
}

/// What the game waits for.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Waits {
    /// A person to throw, or to type the roll of real dice.
    Roll,
    /// A person to choose a move.
    Choice,
    /// The throw of an agent.
    Throw,
    /// A forced pass.
    Pass,
    /// The move of an agent.
    Reply(AgentSpec),
    /// Nothing: the game is over.
    Over,
}

impl LocalGame {
    /// Returns a game that goes on and is kept at `path`; agents that are other programs are of `engines`.
    pub(crate) fn new(session: Session, dice: DiceBy, path: PathBuf, engines: Engines) -> Self {
        Self { session, dice, path, engines: Arc::new(engines), is_unkept: false }
    }

    /// Returns the game.
    pub(crate) const fn game(&self) -> &Game {
        self.session.game()
    }

    /// Returns what the game waits for.
    pub(crate) fn waits(&self) -> Waits {
        let Some(seat) = self.session.seated() else { return Waits::Over };
        match (self.moves().first(), seat) {
            (None, Seat::Bot(_)) if self.dice == DiceBy::Auto => Waits::Throw,
            (None, _) => Waits::Roll,
            (Some(Move::Pass), _) => Waits::Pass,
            (Some(_), Seat::Human) => Waits::Choice,
            (Some(_), Seat::Bot(spec)) => Waits::Reply(spec.clone()),
        }
    }

    /// Returns the legal moves of the current roll.
    pub(crate) fn moves(&self) -> Vec<Move> {
        self.game().decision().map_or(Vec::new(), |decision| decision.moves().to_vec())
    }

    /// Returns the values of the position and its moves; `None` if the game is over.
    pub(crate) fn answer(&self, judging: &Judging) -> Result<Option<Answer>> {
        let game = self.game();
        let Some(query) = game.position().zip(game.turn()) else { return Ok(None) };
        judging.answer(game.rules(), query, game.pending()).map(Some)
    }

    /// Keeps the game, if anything was played; returns the problem the first time that this fails.
    pub(crate) fn keep(&mut self, language: Language) -> Option<String> {
        let game = self.game();
        if self.is_unkept || game.plies().is_empty() && game.pending().is_none() {
            return None;
        }
        let error = self.save(&self.path).err()?;
        self.is_unkept = true;
        let why = language.told(errors::line(&error));
        Some(t!(language, "the game is not kept: {why}", why))
    }

    /// Writes the game to a file; a game that was there before is replaced as a whole.
    pub(crate) fn save(&self, path: &Path) -> Result<()> {
        let text = self.session.record().to_string();
        let made = fs::create_dir_all(files::folder(path));
        let kept = made.and_then(|()| write_whole(path, |file| file.write_all(text.as_bytes())));
        kept.doing("keeping the game in", path.display())
    }

    /// Removes the file that keeps the game, if it exists.
    pub(crate) fn remove(&self) -> Result<()> {
        if !self.path.exists() {
            return Ok(());
        }
        fs::remove_file(&self.path).doing("removing", self.path.display())
    }

    /// Tells where the game is kept and how to go on with it.
    pub(crate) fn kept(&self, language: Language) -> String {
        let path = self.path.display();
        if !self.path.exists() {
            t!(language, "nothing was played, and nothing is kept")
        } else if self.session.turn().is_none() {
            t!(language, "the record is kept in {path}", path)
        } else {
            t!(language, "the game is kept in {path}: go on with `ur play --resume {path}`", path)
        }
    }
}

/// Returns a path in the data directory that no game uses yet.
pub(crate) fn new_path(rule_set: &RuleSet, seed: u64) -> Result<PathBuf> {
    let directory = tables::data_directory()?.join("games");
    let name = rule_set.preset().map_or("game".to_owned(), |_| rule_set.to_string());
    let stem = format!("{}-{seed}", name.replace(':', "-"));
    let numbered = (2_u64..).map(|number| format!("{stem}-{number}.urg"));
    let names = iter::once(format!("{stem}.urg")).chain(numbered);
    let mut paths = names.map(|name| directory.join(name));
    Ok(paths.find(|path| !path.exists()).unwrap_or(directory))
}

/// Reads the game at `path`.
pub(crate) fn read(path: &Path) -> Result<Record> {
    let record = files::read(path)?.parse().with_context(|| path.display().to_string());
    record.hint(|| "`ur help records` describes game records")
}
