//! Games of the archive in progress: which action is legal for whom, and what follows from it.

use std::sync::Arc;

use puabi_core::{
    Away, Cube, Ending, Forfeit, Game, GameError, Move, Player, Record, Roll, Rules, Setup, Stakes,
    wording,
};
use puabi_engine::{AgentSpec, CubeJudge, Pair, Seat, Session};

use crate::agents;
use crate::error::{ApiError, ApiResult, field_error};
use crate::view::game::{GameView, SeatView, Stage, stage};

/// The most plies of a game; the longest among people have some hundreds.
const MAX_PLIES: usize = 10_000;
/// The header of records that says who throws the dice.
const DICE: &str = "dice";

/// A game of the archive that goes on.
#[derive(Debug, Clone)]
pub struct Play {
    session: Session,
    is_manual: bool,
}

/// What an agent is to do next.
#[derive(Debug, Clone, PartialEq)]
pub enum AgentTask {
    /// To roll.
    Roll,
    /// To double or to roll.
    RollOrDouble,
    /// To take a double or to pass.
    Answer,
    /// To move.
    Move(AgentSpec),
}

/// How a new game is to be played.
#[derive(Debug)]
pub struct Plan {
    /// The rules.
    pub rules: Arc<Rules>,
    /// Who plays light.
    pub light: SeatView,
    /// Who plays dark.
    pub dark: SeatView,
    /// The seed of the dice.
    pub seed: u64,
    /// The position to start from, unless it is the usual one.
    pub start: Option<String>,
    /// The points of the match that the game begins, if it is one of a match.
    pub points: Option<u32>,
    /// The value up to which the cube of a single game goes, if it has one.
    pub cube: Option<u32>,
    /// Whether people throw real dice and enter the rolls.
    pub is_manual: bool,
    /// The programs that may be asked to play.
    pub programs: Vec<AgentSpec>,
}

impl Plan {
    /// Returns the record of the game at its start.
    ///
    /// # Errors
    ///
    /// Returns an error if a name is not allowed, an agent is unknown, or the start breaks the rules.
    pub fn begin(self) -> ApiResult<Record> {
        let game = match &self.start {
            None => Game::new(Arc::clone(&self.rules)),
            Some(text) => start(&self.rules, text)?,
        };
        let stakes = self.stakes()?;
        let mut record = Record::new(game);
        record.set_stakes(stakes);
        let dice = if self.is_manual { "manual" } else { "auto" };
        let headers = [
            ("light", self.checked("light", &self.light)?),
            ("dark", self.checked("dark", &self.dark)?),
            (DICE, dice.to_owned()),
            ("seed", self.seed.to_string()),
        ];
        for (key, value) in headers {
            record.set_header(key, &value).map_err(|error| field_error(key, &value, &error))?;
        }
        Ok(record)
    }

    /// Returns what the game is played for; `None` if it has neither a match nor a cube.
    fn stakes(&self) -> ApiResult<Option<Stakes>> {
        match (self.points, self.cube) {
            (Some(_), Some(cap)) => {
                let message = "the score of a match decides how far its cube goes";
                Err(ApiError::field("cube", &cap.to_string(), message).expected("no cube"))
            }
            (Some(points), None) => {
                let score = Away::start(points);
                let score =
                    score.map_err(|error| field_error("match", &points.to_string(), &error));
                Ok(Some(Stakes::of_match(score?)))
            }
            (None, Some(cap)) => {
                let checked = Cube::checked_cap(cap);
                let cap = checked.map_err(|error| field_error("cube", &cap.to_string(), &error))?;
                Ok(Some(Stakes::money(Cube::new(cap))))
            }
            (None, None) => Ok(None),
        }
    }

    /// Checks the player of a seat, and returns the name that the record gives the seat.
    fn checked(&self, field: &str, seat: &SeatView) -> ApiResult<String> {
        match seat {
            SeatView::Agent { spec } => Ok(agents::parse_agent_for(
                &format!("{field}.spec"),
                spec,
                &self.rules,
                &self.programs,
            )?
            .to_string()),
            SeatView::Person { name } => {
                if !Seat::is_name_of_person(name) {
                    let is_agent = name.parse::<AgentSpec>().is_ok();
                    let message = if is_agent {
                        "that is the name of an agent"
                    } else {
                        "that is not a name"
                    };
                    let field = format!("{field}.name");
                    return Err(ApiError::field(field, name, message).expected(format!(
                        "{}, not the name of an agent",
                        wording::names(Seat::MAX_NAME)
                    )));
                }
                Ok(name.clone())
            }
        }
    }
}

/// How far a game may be taken back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Undo {
    /// To the last choice of a person.
    ToChoice,
    /// To the last choice of a person, unless the program has thrown dice since. These dice would show the same again, so the
    /// person would make the choice once more, knowing the next roll.
    BeforeRoll,
}

fn start(rules: &Arc<Rules>, text: &str) -> ApiResult<Game> {
    let wrong = |error: &dyn std::fmt::Display| {
        ApiError::field("start", text, error).expected("a position, as in `-:-:L`")
    };
    let setup: Setup = text.parse().map_err(|error| wrong(&error))?;
    Game::from_setup(Arc::clone(rules), setup).map_err(|error| wrong(&error))
}

impl Play {
    /// Takes up the game of `record` where it stands.
    pub fn new(record: Record) -> Self {
        let is_manual = record.header(DICE) == Some("manual");
        let seat = |player: Player| {
            let name = record.header(player.name());
            name.and_then(|name| name.parse().ok()).unwrap_or(Seat::Human)
        };
        let seats = Pair { light: seat(Player::Light), dark: seat(Player::Dark) };
        let seed = record.seed().unwrap_or_default();
        Self { session: Session::new(record, seats, seed), is_manual }
    }

    /// Returns the game with its players.
    pub const fn session(&self) -> &Session {
        &self.session
    }

    /// Returns the record.
    pub const fn record(&self) -> &Record {
        self.session.record()
    }

    /// Returns the view of the game of this number; `known` says whether the name of its rules means exactly these rules here.
    pub fn view(&self, (id, known): (i64, bool), undo: Undo) -> GameView {
        let view = GameView::new((id, known), &self.session, self.is_manual);
        view.followed_by(self.record().next_game()).going_back(self.clone().undo(undo).is_ok())
    }

    /// Returns whose turn it is, unless the game is over.
    fn turn(&self) -> Option<Player> {
        self.session.game().turn()
    }

    /// Throws the dice, or takes the roll of dice that people have thrown; returns the player who rolls.
    ///
    /// # Errors
    ///
    /// Returns an error if the game waits for no roll, if an agent may double before it, if a roll is given though the program
    /// throws the dice, or if no roll is given though people throw them.
    pub fn roll(&mut self, given: Option<u8>) -> ApiResult<Option<Player>> {
        self.ensure(Stage::Roll)?;
        let player = self.turn();
        if let Some(Seat::Bot(spec)) = self.session.seated()
            && !self.is_manual
            && self.session.may_double()
        {
            let error = ApiError::conflict(format!("it is {spec}'s turn to double or to roll"));
            return Err(error.expected("POST step, which does it"));
        }
        self.throw(given).map(|()| player)
    }

    fn throw(&mut self, given: Option<u8>) -> ApiResult<()> {
        match (self.is_manual, given) {
            (false, None) => self.session.throw().map(drop).map_err(ApiError::conflict),
            (true, Some(steps)) => {
                let taken = self.session.take_roll(Roll::new(steps)).map(drop);
                taken.map_err(|error| field_error("roll", &steps.to_string(), &error))
            }
            (false, Some(steps)) => {
                let message = "the dice of this game are thrown by the server";
                Err(ApiError::field("roll", &steps.to_string(), message).expected("no roll"))
            }
            (true, None) => {
                Err(ApiError::field("roll", "", "the dice of this game are thrown by hand")
                    .expected("the roll, as in 3"))
            }
        }
    }

    /// Plays a person's move, and returns the player who moves.
    ///
    /// # Errors
    ///
    /// Returns an error if the game waits for no move of a person, or the move is not legal.
    pub fn play(&mut self, text: &str) -> ApiResult<Option<Player>> {
        self.ensure(Stage::Move)?;
        let player = self.turn();
        if let Some(Seat::Bot(spec)) = self.session.seated() {
            return Err(ApiError::conflict(format!("it is {spec}'s move"))
                .expected("POST step, which plays it"));
        }
        let action: Move = text.parse().map_err(|error| field_error("move", text, &error))?;
        self.choose(action).map_err(|error| field_error("move", text, &error))?;
        Ok(player)
    }

    fn choose(&mut self, action: Move) -> Result<(), GameError> {
        self.session.choose(action).map(drop)
    }

    /// Returns what an agent is to do next.
    ///
    /// # Errors
    ///
    /// Returns an error if it is a person's turn, if the game is over, or if it waits for dice that people throw.
    pub fn agent_task(&self, programs: &[AgentSpec]) -> ApiResult<AgentTask> {
        let answering = self.record().answering().map(|player| self.session.seat(player));
        let Some(Seat::Bot(spec)) = answering.or_else(|| self.session.seated()) else {
            self.ensure_goes_on()?;
            let expected = "POST roll, move, double or answer";
            return Err(ApiError::conflict("it is a person's turn").expected(expected));
        };
        self.ensure_goes_on()?;
        match stage(&self.session) {
            Stage::Answer => Ok(AgentTask::Answer),
            Stage::Roll if self.session.may_double() => Ok(AgentTask::RollOrDouble),
            Stage::Roll => self.ensure_throws().map(|()| AgentTask::Roll),
            // A record may come from elsewhere, so its agents are checked like those of a request.
            _ => agents::parse_agent("agent", &spec.to_string(), programs).map(AgentTask::Move),
        }
    }

    fn ensure_throws(&self) -> ApiResult<()> {
        if self.is_manual {
            let error = ApiError::conflict("the dice are thrown by hand");
            return Err(error.expected("POST roll with the roll"));
        }
        Ok(())
    }

    /// Acts for an agent as `judge` sees the position: the agent that was doubled takes or passes; the agent about to roll
    /// doubles or, if it does not, rolls.
    ///
    /// # Errors
    ///
    /// Returns an error if the game waits for neither an answer nor a roll, or if the agent is to roll but people throw the dice.
    pub fn play_cube_decision(&mut self, judge: CubeJudge<'_>) -> ApiResult<()> {
        if self.record().answering().is_some() {
            let takes = self.session.wants_take(judge);
            return self.session.answer_double(takes).map_err(ApiError::conflict);
        }
        if self.session.wants_double(judge) {
            return self.session.double().map_err(ApiError::conflict);
        }
        self.ensure_throws()?;
        self.throw(None)
    }

    /// Doubles for the person about to roll, and returns that player.
    ///
    /// # Errors
    ///
    /// Returns an error if the game has no cube, if the player may not double, or if it waits for something else.
    pub fn double(&mut self) -> ApiResult<Option<Player>> {
        self.ensure_goes_on()?;
        let player = self.turn();
        if let Some(Seat::Bot(spec)) = self.session.seated() {
            let error = ApiError::conflict(format!("it is {spec}'s turn"));
            return Err(error.expected("POST step, which plays it"));
        }
        self.session.double().map_err(ApiError::conflict)?;
        Ok(player)
    }

    /// Takes or passes the double for the person who was doubled, and returns that player.
    ///
    /// # Errors
    ///
    /// Returns an error if no double waits for a person's answer.
    pub fn answer_double(&mut self, takes: bool) -> ApiResult<Option<Player>> {
        self.ensure_goes_on()?;
        let player = self.record().answering();
        if let Some(Seat::Bot(spec)) = player.map(|player| self.session.seat(player)) {
            let error = ApiError::conflict(format!("{spec} has to answer the double"));
            return Err(error.expected("POST step, which does it"));
        }
        self.session.answer_double(takes).map_err(ApiError::conflict)?;
        Ok(player)
    }

    /// Returns the next game of the match.
    ///
    /// # Errors
    ///
    /// Returns an error if the game goes on, if it is not part of a match, or if it has decided its match.
    pub fn next(&self) -> ApiResult<Self> {
        let next = self.session.next_of_match().ok_or_else(|| {
            ApiError::conflict("no game of a match follows this one")
                .expected("a finished game of a match that goes on")
        });
        Ok(Self::new(next?.record().clone()))
    }

    /// Asks the agent to move by `ask`, and plays its move; if the agent forfeits, gives the game up for it.
    ///
    /// # Errors
    ///
    /// Returns an error if `ask` fails, if the move is not legal, or if the game waits for no move.
    pub fn reply(
        &mut self,
        ask: impl FnOnce(&Session) -> ApiResult<Option<Result<Move, Forfeit>>>,
    ) -> ApiResult<()> {
        let waits = || ApiError::conflict("the game waits for no move");
        let reply = ask(&self.session)?.ok_or_else(waits)?;
        match (reply, self.turn()) {
            (Ok(action), _) => self.choose(action).map_err(ApiError::conflict),
            // The reason is reported to the person who runs the server.
            (Err(_), Some(player)) => {
                self.session.resign(player);
                Ok(())
            }
            (Err(_), None) => Err(waits()),
        }
    }

    /// Goes back to the last choice of a person (a move, a double or the answer to one), or to before a roll that was thrown by
    /// hand since. A game that was given up goes on. Returns the player whose turn it is now, or the one who had given up.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no choice to take back, if the next game of the match has begun, or if `undo` does not let
    /// the game go back so far.
    pub fn undo(&mut self, undo: Undo) -> ApiResult<Option<Player>> {
        let mut back = self.clone();
        let player = back.go_back()?;
        if undo == Undo::BeforeRoll && !self.is_manual && back.rolls() < self.rolls() {
            let error =
                ApiError::conflict("the next roll has been thrown already, so the choice stays");
            return Err(error.expected("an undo before the next roll"));
        }
        *self = back;
        Ok(player)
    }

    fn go_back(&mut self) -> ApiResult<Option<Player>> {
        if let Some(next) = self.record().next_game() {
            let error = ApiError::conflict("the next game of the match has begun");
            return Err(error.expected(format!("POST undo of game {next}")));
        }
        let passed_by = self.record().double_passed_by();
        if let Some(ending) = self.record().ending.filter(|_| passed_by.is_none()) {
            self.session.undo();
            return Ok(match ending {
                Ending::Resigned(player) => Some(player),
                Ending::Abandoned { .. } => None,
            });
        }
        let session = &mut self.session;
        let was_done = if self.is_manual { session.undo_by_hand() } else { session.undo() };
        if was_done {
            return Ok(self.record().answering().or_else(|| self.turn()));
        }
        Err(ApiError::conflict("no person has made a choice that could be taken back"))
    }

    /// Returns how many rolls have been thrown.
    fn rolls(&self) -> usize {
        let game = self.session.game();
        game.plies().len() + usize::from(game.pending().is_some())
    }

    /// Gives the game up for `player`, who is a person, and returns that player.
    ///
    /// # Errors
    ///
    /// Returns an error if `player` is not the name of a player, if an agent plays that side, or if the game is over.
    pub fn resign(&mut self, player: &str) -> ApiResult<Option<Player>> {
        self.ensure_not_over()?;
        let found = Player::BOTH.into_iter().find(|known| known.name() == player);
        let found = found.ok_or_else(|| {
            ApiError::field("player", player, "that is not a player").expected("light or dark")
        })?;
        if let Seat::Bot(spec) = self.session.seat(found) {
            let error =
                ApiError::conflict(format!("{spec} plays {player}, and agents do not resign"));
            return Err(error.expected("the side of a person"));
        }
        self.end(Some(Ending::Resigned(found)));
        Ok(Some(found))
    }

    fn end(&mut self, ending: Option<Ending>) {
        let mut record = self.session.record().clone();
        record.ending = ending;
        *self = Self::new(record);
    }

    fn ensure_not_over(&self) -> ApiResult<()> {
        match stage(&self.session) {
            Stage::Over => {
                Err(ApiError::conflict("the game is over").expected("POST undo, or a new game"))
            }
            _ => Ok(()),
        }
    }

    fn ensure_goes_on(&self) -> ApiResult<()> {
        self.ensure_not_over()?;
        if self.session.game().plies().len() >= MAX_PLIES {
            let message = format!("the game has {MAX_PLIES} plies, the most that a game may have");
            return Err(ApiError::conflict(message));
        }
        Ok(())
    }

    fn ensure(&self, wanted: Stage) -> ApiResult<()> {
        self.ensure_goes_on()?;
        match (wanted, stage(&self.session)) {
            (Stage::Roll, Stage::Move) => {
                Err(ApiError::conflict("the dice are thrown").expected("POST move or step"))
            }
            (Stage::Move, Stage::Roll) => {
                Err(ApiError::conflict("the dice are not thrown yet").expected("POST roll or step"))
            }
            (_, Stage::Answer) => {
                let error = ApiError::conflict("a double waits for its answer");
                Err(error.expected("POST answer or step"))
            }
            _ => Ok(()),
        }
    }
}
