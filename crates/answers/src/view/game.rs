//! Games in JSON: the players, the position, the legal actions, the plies so far.

use puabi_core::ascii::number;
use puabi_core::{Move, Player, Ply, Rules, Setup};
use puabi_engine::{Seat, Session};
use serde::{Deserialize, Serialize};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, OneOfBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

use super::cube::{DoubleView, ScoreView, StakesView};
use super::position::{MoveView, PositionView};

/// The keys of both seats, shown once, to the client that begins the game.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct SeatKeys {
    /// Light's.
    #[schema(example = "5f1d7a84db00d2fce00b31a7fc73224f")]
    pub light: String,
    /// Dark's.
    #[schema(example = "0c5a6b9b1fd7aa2ae31ba9ad9b8e0ea4")]
    pub dark: String,
}

/// Who plays a colour.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum SeatView {
    /// A person.
    Person {
        /// The person's name; `human` if it is not given.
        #[serde(default = "human")]
        #[schema(example = "Ann")]
        name: String,
    },
    /// An agent.
    Agent {
        /// Which one; `GET /api/{rules}/agents` lists them.
        #[schema(example = "elo:1400")]
        spec: String,
    },
}

fn human() -> String {
    Seat::Human.to_string()
}

/// The seed of dice: a number, or its digits as text if it is larger than numbers in JavaScript can be.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(try_from = "SeedText")]
pub struct Seed(pub u64);

impl ToSchema for Seed {}

impl PartialSchema for Seed {
    fn schema() -> RefOr<Schema> {
        let number = ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(0));
        let digits = ObjectBuilder::new().schema_type(Type::String).pattern(Some("^[0-9]+$"));
        OneOfBuilder::new().item(number).item(digits).examples(["7"]).into()
    }
}

#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "that is not a seed: expected a whole number from 0 to 18446744073709551615, or its digits as a text"
)]
enum SeedText {
    Number(u64),
    Digits(String),
}

impl TryFrom<SeedText> for Seed {
    type Error = &'static str;

    fn try_from(text: SeedText) -> Result<Self, Self::Error> {
        let number = match text {
            SeedText::Number(number) => Some(number),
            SeedText::Digits(digits) => number(&digits),
        };
        number
            .map(Self)
            .ok_or("that is not a seed: expected a whole number from 0 to 18446744073709551615")
    }
}

/// The seats of both players.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct Seats {
    light: SeatView,
    dark: SeatView,
}

/// A ply that was played.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PlyView {
    /// Who rolled and moved.
    player: &'static str,
    roll: u8,
    #[serde(flatten)]
    played: MoveView,
    /// The position before, with the roll.
    #[schema(example = "-:-:L4")]
    position: String,
}

/// What a game waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Stage {
    /// A roll.
    Roll,
    /// A move.
    Move,
    /// The answer of the player who was doubled.
    Answer,
    /// Nothing: it is over.
    Over,
}

/// A game and its present position.
#[expect(clippy::struct_excessive_bools, reason = "each is a field of the answer")]
#[derive(Debug, Serialize, ToSchema)]
pub struct GameView {
    id: i64,
    /// The rule set.
    rules: String,
    /// Whether `/api/{rules}` answers by exactly these rules; if not, `/api/games/{id}/rules` still does.
    known: bool,
    seats: Seats,
    #[serde(flatten)]
    stands: PositionView,
    stage: Stage,
    /// The roll that waits for its move.
    roll: Option<u8>,
    /// What each die shows, 1 if a marked corner is up; empty if no roll waits.
    dice: Vec<u8>,
    /// The legal moves of the roll.
    moves: Vec<MoveView>,
    /// Whether the only move is to pass.
    forced_pass: bool,
    /// The plies played, the first one first.
    plies: Vec<PlyView>,
    /// Who has won.
    winner: Option<&'static str>,
    /// How it ended without a last piece brought home, as in `resigned L`.
    ending: Option<String>,
    /// What the game is played for, if it has a doubling cube.
    stakes: Option<StakesView>,
    /// Whether the player whose turn it is may double before the roll, and can gain by it.
    may_double: bool,
    /// Whether the last choice of a person may be taken back.
    may_undo: bool,
    /// The player who has to take or pass a double, if one waits for an answer.
    answering: Option<&'static str>,
    /// The doubles, the first one first.
    doubles: Vec<DoubleView>,
    /// The number of the next game of the match, if it has begun.
    next_game: Option<i64>,
    /// The score after this game, if it is over and its match goes on.
    next_score: Option<ScoreView>,
    /// Who throws the dice: `auto` or `manual`.
    thrown: &'static str,
    /// The seed of the dice, as text: it may be larger than what numbers in JavaScript can hold. Null on public and read-only
    /// servers.
    seed: Option<String>,
    /// The keys of both seats, in the answer that begins a game on a public server.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keys: Option<SeatKeys>,
}

impl GameView {
    /// Returns the view of the game of this number; `known` says whether the name of its rules means exactly these rules here.
    pub fn new((id, known): (i64, bool), session: &Session, is_manual: bool) -> Self {
        let (game, rules) = (session.game(), session.rules());
        let (record, ending) = (session.record(), session.record().ending);
        let (answering, doubles) = (record.answering(), record.doubles());
        let stage = stage(session);
        let moves = match (stage, game.turn(), game.decision()) {
            (Stage::Move, Some(player), Some(decision)) => {
                let moves = decision.moves().into_iter();
                moves.map(|action| MoveView::of(player, &decision, action)).collect()
            }
            _ => Vec::new(),
        };
        let faces = session.faces().unwrap_or_default();
        Self {
            id,
            rules: rules.rule_set().to_string(),
            known,
            seats: Seats { light: seat(session, Player::Light), dark: seat(session, Player::Dark) },
            stands: PositionView::new(rules, &game.setup()),
            stage,
            roll: game.pending().map(puabi_core::Roll::steps),
            dice: faces.into_iter().map(u8::from).collect(),
            forced_pass: game.decision().is_some_and(|decision| decision.allows(Move::Pass)),
            moves,
            plies: game.plies().iter().map(|ply| PlyView::new(rules, ply)).collect(),
            winner: session.record().winner().map(Player::name),
            ending: ending.map(|ending| ending.to_string()),
            stakes: session.stakes().map(StakesView::new),
            may_double: stage == Stage::Roll && session.may_double(),
            may_undo: false,
            answering: answering.map(Player::name),
            doubles: doubles.map(|(plies, double)| DoubleView::new(plies, double)).collect(),
            next_game: None,
            next_score: session.score_after().map(ScoreView::new),
            thrown: if is_manual { "manual" } else { "auto" },
            seed: Some(session.seed().to_string()),
            keys: None,
        }
    }

    /// Returns the view of a game with the number of the next one of its match.
    #[must_use]
    pub(crate) fn followed_by(self, next_game: Option<i64>) -> Self {
        Self { next_game, ..self }
    }

    /// Returns the view with `may_undo`: whether the last choice of a person may be taken back.
    #[must_use]
    pub(crate) fn going_back(self, may_undo: bool) -> Self {
        Self { may_undo, ..self }
    }

    /// Returns the view without the seed, from which the dice to come follow.
    #[must_use]
    pub fn without_seed(self) -> Self {
        Self { seed: None, ..self }
    }
}

/// Returns what the game waits for.
pub(crate) fn stage(session: &Session) -> Stage {
    let game = session.game();
    match game.pending() {
        _ if game.is_over() || session.record().ending.is_some() => Stage::Over,
        Some(_) => Stage::Move,
        None if session.record().answering().is_some() => Stage::Answer,
        None => Stage::Roll,
    }
}

fn seat(session: &Session, player: Player) -> SeatView {
    match session.seat(player) {
        Seat::Bot(spec) => SeatView::Agent { spec: spec.to_string() },
        Seat::Human => {
            let name = session.record().header(player.name());
            SeatView::Person { name: name.map_or_else(human, str::to_owned) }
        }
    }
}

impl PlyView {
    fn new(rules: &Rules, ply: &Ply) -> Self {
        let setup = Setup { roll: Some(ply.roll), ..rules.setup(ply.before, ply.player) };
        let decision = rules.decision(ply.before, ply.roll);
        Self {
            player: ply.player.name(),
            roll: ply.roll.steps(),
            played: MoveView::of(ply.player, &decision, ply.action),
            position: setup.to_string(),
        }
    }
}
