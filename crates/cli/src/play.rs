//! A game that is played at this terminal and kept, in lines of text or on the whole screen.

pub(crate) mod doubling;
pub(crate) mod ending;
pub(crate) mod keeper;

use std::path::Path;
use std::sync::Arc;

use anyhow::{Result, anyhow};
use clap::ValueEnum;
use puabi_core::{Game, Move, Player, Record};
use puabi_engine::{AgentSpec, Answer, Seat, Session};
use puabi_server::Language;
use puabi_study::Engines;

use crate::errors;
use crate::output::text::{self, t};
use crate::progress::interrupt;
use crate::tables::cube::CubeValues;
use crate::tables::judge::Judge;
use keeper::Keeper;

/// A game, its players, and the place where it is kept.
#[derive(Debug)]
pub(crate) struct LocalGame {
    /// The game, its players and the seed of the dice.
    pub(crate) session: Session,
    /// The source of the rolls.
    pub(crate) dice: DiceBy,
    /// The place where the game is kept.
    keeper: Keeper,
    /// The outside engines that play.
    pub(crate) engines: Arc<Engines>,
    /// The values of the game with its cube, if it has one and they are known.
    pub(crate) cube: Option<CubeValues>,
    /// The record as it was kept last, or else as it was when the game was begun or opened.
    kept: Record,
    /// Why the game is not kept, if the last attempt to keep it failed.
    unkept: Option<String>,
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
pub(crate) enum WaitsFor {
    /// A person to throw, or to type the roll of real dice.
    PersonRolls,
    /// A person to choose a move.
    PersonMoves,
    /// A person to take a double or to pass.
    PersonAnswers,
    /// The throw of an agent, who may double first.
    AgentRolls,
    /// The move of an agent.
    AgentMoves(AgentSpec),
    /// An agent to take a double or to pass.
    AgentAnswers,
    /// A forced pass.
    ForcedPass,
    /// Nothing: the game is over.
    Nothing,
}

impl LocalGame {
    /// Returns a game that goes on and is kept by `keeper`; `engines` has the agents that are other programs.
    pub(crate) fn new(session: Session, dice: DiceBy, keeper: Keeper, engines: Engines) -> Self {
        let kept = session.record().clone();
        Self { session, dice, keeper, engines: Arc::new(engines), cube: None, kept, unkept: None }
    }

    /// Returns the game.
    pub(crate) const fn game(&self) -> &Game {
        self.session.game()
    }

    /// Goes on with the next game of a match, which is kept in a place of its own. Returns this place if the game has begun
    /// before.
    pub(crate) fn follow(&mut self, next: Session, language: Language) -> Result<Option<String>> {
        let (keeper, begun) = self.keeper.next(next.record())?;
        self.session = match begun {
            Some(record) => Session::new(record, next.seats().clone(), next.seed()),
            None => next,
        };
        (self.keeper, self.kept) = (keeper, self.session.record().clone());
        Ok(self.place(language))
    }

    /// Returns who plays: a person's name, if it is known, or the agent.
    pub(crate) fn who(&self, player: Player, language: Language) -> String {
        let name = self.session.record().header(player.name());
        match (self.session.seat(player), name) {
            (Seat::Human, Some(name)) if name != Seat::Human.to_string() => name.to_owned(),
            (seat, _) => language.translate(seat),
        }
    }

    /// Returns what the game waits for.
    pub(crate) fn waits_for(&self) -> WaitsFor {
        let Some(seat) = self.session.seated() else { return WaitsFor::Nothing };
        if let Some(player) = self.session.record().answering() {
            return match self.session.seat(player) {
                Seat::Human => WaitsFor::PersonAnswers,
                Seat::Bot(_) => WaitsFor::AgentAnswers,
            };
        }
        match (self.moves().first(), seat) {
            (None, Seat::Bot(_)) if self.dice == DiceBy::Auto => WaitsFor::AgentRolls,
            (None, _) => WaitsFor::PersonRolls,
            (Some(Move::Pass), _) => WaitsFor::ForcedPass,
            (Some(_), Seat::Human) => WaitsFor::PersonMoves,
            (Some(_), Seat::Bot(spec)) => WaitsFor::AgentMoves(spec.clone()),
        }
    }

    /// Returns the legal moves of the current roll.
    pub(crate) fn moves(&self) -> Vec<Move> {
        self.game().decision().map_or(Vec::new(), |decision| decision.moves().to_vec())
    }

    /// Goes back to the last decision of a person, with the same roll, or to before a roll that was typed since then. Returns
    /// whether there was one of them.
    pub(crate) fn undo(&mut self) -> bool {
        match self.dice {
            DiceBy::Auto => self.session.undo(),
            DiceBy::Manual => self.session.undo_by_hand(),
        }
    }

    /// Returns the values of the position and its moves; `None` if the game is over.
    pub(crate) fn answer(&self, judge: &Judge) -> Result<Option<Answer>> {
        let game = self.game();
        let Some(query) = game.position().zip(self.session.turn()) else { return Ok(None) };
        judge.answer(game.rules(), query, game.pending()).map(Some)
    }

    /// Keeps the game, if it has changed. Returns a message if there is news: that the game is kept elsewhere from now on, or the
    /// problem if keeping fails for another reason than the last time.
    pub(crate) fn keep(&mut self, language: Language) -> Option<String> {
        if *self.session.record() == self.kept {
            self.unkept = None;
            return None;
        }
        let error = match self.keep_at_once(language) {
            Ok(said) => return said,
            Err(error) => error,
        };
        let why = language.translate(errors::line(&error));
        let problem = t!(language, "the game is not kept: {why}", why);
        let before = self.unkept.replace(problem.clone());
        Some(problem).filter(|problem| before.as_ref() != Some(problem))
    }

    /// Keeps the game, changed or not. Returns a message with its new place if another program has changed the kept game.
    fn keep_at_once(&mut self, language: Language) -> Result<Option<String>> {
        let has_moved = self.keeper.keep(self.session.record())?;
        (self.kept, self.unkept) = (self.session.record().clone(), None);
        interrupt::set_message(self.kept(language));
        Ok(self.place(language).filter(|_| has_moved).map(|path| {
            t!(
                language,
                "another program has changed this game: yours is kept in {path} from now on",
                path
            )
        }))
    }

    /// Returns whether anything was played that is kept, or that could not be kept.
    pub(crate) fn is_worth_keeping(&self) -> bool {
        self.unkept.is_some() || self.keeper.place().is_some()
    }

    /// Returns an error if the last attempt to keep the game failed.
    pub(crate) fn ensure_kept(&self) -> Result<()> {
        self.unkept.as_ref().map_or(Ok(()), |problem| Err(anyhow!("{problem}")))
    }

    /// Writes the game to a file, and returns a message with the place. Returns an error if the file holds another game.
    pub(crate) fn save(&mut self, path: &Path, language: Language) -> Result<String> {
        if self.keeper.is_at(path) {
            return self.save_here(language);
        }
        let record = self.session.record();
        keeper::ensure_goes_on(path, record)?;
        keeper::write(path, record)?;
        Ok(t!(language, "the game is kept in {path}", path = path.display()))
    }

    /// Keeps the game in its place, and returns a message with the place.
    pub(crate) fn save_here(&mut self, language: Language) -> Result<String> {
        let said = self.keep_at_once(language)?;
        let path = self.place(language).unwrap_or_default();
        Ok(said.unwrap_or_else(|| t!(language, "the game is kept in {path}", path)))
    }

    /// Returns the name of a file for the game: the file that keeps it, or one in the current folder.
    pub(crate) fn file_name(&self) -> String {
        if let Keeper::File(file) = &self.keeper {
            return file.path.display().to_string();
        }
        let rule_set = self.session.rules().rule_set();
        let name = rule_set.preset().map_or("game".to_owned(), |_| rule_set.to_string());
        format!("{}-{}.urg", name.replace(':', "-"), self.session.seed())
    }

    /// Removes the kept game.
    pub(crate) fn remove(&mut self) -> Result<()> {
        self.keeper.forget()
    }

    /// Returns where the game is kept, if it is.
    fn place(&self, language: Language) -> Option<String> {
        let place = self.keeper.place()?;
        if !self.keeper.is_archive() {
            return Some(place);
        }
        Some(t!(language, "the archive as game {number}", number = place))
    }

    /// Returns a message that says where the game is kept and how to go on with it.
    pub(crate) fn kept(&self, language: Language) -> String {
        if let Some(unkept) = &self.unkept {
            return unkept.clone();
        }
        let Some((place, path)) = self.keeper.place().zip(self.place(language)) else {
            return t!(language, "nothing was played, and nothing is kept");
        };
        let place = text::shell_word(&place);
        if self.session.turn().is_some() {
            return t!(
                language,
                "the game is kept in {path}: go on with `ur play --resume {place}`",
                path,
                place
            );
        }
        t!(language, "the record is kept in {path}: `ur review {place}` judges it", path, place)
    }
}
