//! Writing JSON, version 2, as `RoyalUr`'s programs read it.

use std::borrow::Cow;

use indexmap::IndexMap;
use puabi_core::{Decision, Ending, Game, Move, Note, Player, Ply, Record, Roll, Setup};
use serde::Serialize;
use serde::de::IgnoredAny;

use super::shapes::{COMMENT, Holdings, Letter, Pair, RollValue, Texts, VERSION};

use crate::records::conversion::{WriteError, Written};
use crate::records::settings::Settings;
use crate::records::tags as record_tags;

#[derive(Debug, Serialize)]
struct GameOut<'r> {
    notation_version: u64,
    metadata: IndexMap<&'r str, Cow<'r, str>>,
    settings: Settings,
    initial_state: FirstState,
    states: Vec<State>,
}

#[derive(Debug, Serialize)]
struct FirstState {
    board: Board,
    players: Pair<Holdings>,
    #[serde(flatten)]
    state: State,
}

#[derive(Debug, Serialize)]
struct Board {
    pieces: IndexMap<String, i8>,
}

/// A state; keys in the order in which `RoyalUr` writes them.
#[derive(Debug, Serialize, Default)]
struct State {
    #[serde(rename = "type")]
    kind: &'static str,
    time: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    metadata: Option<Texts>,
    #[serde(skip_serializing_if = "Option::is_none")]
    turn: Option<Letter>,
    #[serde(skip_serializing_if = "Option::is_none")]
    roll: Option<RollValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<Vec<MoveOut>>,
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    action: Option<MoveOut>,
    #[serde(skip_serializing_if = "Option::is_none")]
    player: Option<Letter>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    winner: Option<Letter>,
}

#[derive(Debug, Serialize)]
struct MoveOut {
    #[serde(skip_serializing_if = "Option::is_none")]
    src: Option<i8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dest: Option<i8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    captured: Option<i8>,
}

pub(crate) fn write(record: &Record) -> Result<Written, WriteError> {
    let (metadata, has_name_clash) = record_tags::tags(record, &[]);
    let game = GameOut {
        notation_version: VERSION,
        metadata,
        settings: Settings::try_from(record.game.rules().rule_set())?,
        initial_state: first_state(record),
        states: states(record),
    };
    let text = serde_json::to_string(&game).expect("texts and numbers are JSON");
    let has_name_clash = has_name_clash || record.notes().any(|(_, note)| has_second_comment(note));
    let losses = [
        // JSON spells the rules out, without their name.
        (record.game.rules().rule_set().preset().is_none(), "the name of the rules"),
        (has_name_clash, record_tags::NAME_CLASH),
    ];
    let lost = losses.into_iter().filter(|&(is_lost, _)| is_lost).map(|(_, what)| what).collect();
    Ok(Written { text: text + "\n", lost })
}

/// Returns whether a tag other than the comment has the name under which the comment is kept.
fn has_second_comment(note: &Note) -> bool {
    let tag = note.tags.get(COMMENT).filter(|_| !note.comment().is_empty());
    tag.is_some_and(|tag| tag != note.comment())
}

fn first_state(record: &Record) -> FirstState {
    let game = &record.game;
    let start = game.start();
    let mut pieces: Vec<_> = Player::BOTH
        .into_iter()
        .flat_map(|player| start.side(player).squares.iter().map(move |&square| (player, square)))
        .map(|(player, square)| {
            let tile = game.rules().tile(player, square);
            (tile, signed(player, square.number()))
        })
        .collect();
    pieces.sort_unstable();
    let holdings = |player| {
        let side = start.side(player);
        let on_board = u8::try_from(side.squares.len()).unwrap_or(u8::MAX);
        let score = side.score;
        let pieces = game.rules().pieces().saturating_sub(on_board + score);
        Holdings { pieces, score, _others: IgnoredAny }
    };
    FirstState {
        board: Board {
            pieces: pieces.into_iter().map(|(t, piece)| (t.to_string(), piece)).collect(),
        },
        players: Pair {
            light: holdings(Player::Light),
            dark: holdings(Player::Dark),
            _others: IgnoredAny,
        },
        state: noted(record, 0, waiting(game, start)),
    }
}

/// Returns the state of a game that waits for a roll or a move.
fn waiting(game: &Game, setup: &Setup) -> State {
    match (setup.roll, game.rules().position(setup)) {
        (Some(roll), Ok(position)) => {
            thrown("wait4move", setup.turn, &game.rules().decision(position, roll))
        }
        _ => State { kind: "wait4roll", turn: Some(setup.turn.into()), ..State::default() },
    }
}

/// Returns the state of a roll with the moves that the roll allows.
fn thrown(kind: &'static str, turn: Player, decision: &Decision<'_>) -> State {
    let (roll, moves) = (Some(value(decision.roll())), Some(moves(decision, turn)));
    State { kind, turn: Some(turn.into()), roll, moves, ..State::default() }
}

/// Adds what the record says about a moment.
fn noted(record: &Record, moment: usize, state: State) -> State {
    let Some(note) = record.note(moment) else { return state };
    let mut metadata: Texts =
        note.tags.iter().map(|(key, value)| (key.to_owned(), value.to_owned())).collect();
    if !note.comment().is_empty() {
        metadata.insert(COMMENT.to_owned(), note.comment().to_owned());
    }
    let metadata = Some(metadata).filter(|metadata| !metadata.is_empty());
    State { time: note.millis(), metadata, ..state }
}

/// Returns a state for each ply, and for how the game stands at the end.
fn states(record: &Record) -> Vec<State> {
    let game = &record.game;
    let plies = game.plies().iter().zip(1..);
    let mut states: Vec<_> =
        plies.map(|(ply, moment)| noted(record, moment, state(game, ply))).collect();
    let end = game.plies().len() + 1;
    let setup = game.setup();
    let is_news = !states.is_empty() || setup != *game.start();
    let time = record.note(end).map_or(0, Note::millis);
    if let (Some(decision), true) = (game.decision(), is_news) {
        states.push(State { time, ..thrown("roll", setup.turn, &decision) });
    }
    let last = match (game.winner(), record.ending) {
        (Some(winner), _) => State { kind: "win", winner: Some(winner.into()), ..State::default() },
        (None, Some(ending)) => ended(ending),
        (None, None) if is_news || record.note(end).is_some() => waiting(game, &setup),
        (None, None) => return states,
    };
    states.push(noted(record, end, last));
    if let (None, Some(ending)) = (game.winner(), record.ending) {
        // `RoyalUr` writes this state, too, and finds the winner in it.
        let winner = ending.winner().map(Letter::from);
        states.push(State { kind: "win", time, winner, ..State::default() });
    }
    states
}

fn state(game: &Game, ply: &Ply) -> State {
    let (turn, roll) = (Some(ply.player.into()), Some(value(ply.roll)));
    let decision = game.rules().decision(ply.before, ply.roll);
    match action(&decision, ply.player, ply.action) {
        None => State { kind: "roll", turn, roll, moves: Some(Vec::new()), ..State::default() },
        action => State { kind: "move", turn, roll, action, ..State::default() },
    }
}

fn ended(ending: Ending) -> State {
    match ending {
        Ending::Resigned(player) => {
            State { kind: "resigned", player: Some(player.into()), ..State::default() }
        }
        Ending::Abandoned { by, reason } => State {
            kind: "abandoned",
            player: by.map(Letter::from),
            reason: Some(reason.name()),
            ..State::default()
        },
    }
}

/// Returns the legal moves in the order in which `RoyalUr` finds them: home first, then from the hand, then along the path.
fn moves(decision: &Decision<'_>, player: Player) -> Vec<MoveOut> {
    let moves = decision.moves();
    let (home, others): (Vec<Move>, Vec<Move>) =
        moves.iter().partition(|it| matches!(it, Move::Score { .. }));
    home.into_iter().chain(others).filter_map(|it| action(decision, player, it)).collect()
}

/// Returns a move with its pieces; `None` for a pass.
fn action(decision: &Decision<'_>, player: Player, action: Move) -> Option<MoveOut> {
    let mine = |square: puabi_core::Square| signed(player, square.number());
    let theirs = |square: puabi_core::Square| signed(player.opponent(), square.number());
    (action != Move::Pass).then(|| MoveOut {
        src: action.from().map(mine),
        dest: action.to().map(mine),
        captured: decision.captures(action).map(theirs),
    })
}

/// Returns the step of a piece, negative for dark; a path has at most 31.
fn signed(player: Player, step: u8) -> i8 {
    let step = step.cast_signed();
    if player == Player::Light { step } else { -step }
}

const fn value(roll: Roll) -> RollValue {
    RollValue { value: roll.steps(), _others: IgnoredAny }
}
