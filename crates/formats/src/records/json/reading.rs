//! Reading JSON, state by state through the rules.

use puabi_core::{AbandonReason, Ending, Game, Move, Note, Player, RecordError, Roll, RuleSet};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::initial;
use super::shapes::{COMMENT, GameIn, MoveIn, Piece, SetupIn, StateIn, Texts, VERSION};
use crate::records::conversion::Reading;
use crate::records::playback::Playback;
use crate::records::problem::{Problem, Remarks, excerpt, offset};
use crate::records::settings::Settings;
use crate::records::tags as record_tags;

pub(crate) fn read(text: &str) -> Result<Reading, RecordError> {
    if text.trim().is_empty() {
        return Err(Problem::expected("nothing", "an object with `notation_version`").at(text, 0));
    }
    let game: GameIn<'_> = parse(text, text)?;
    let found = &game.notation_version;
    if !found.as_u64().is_some_and(|found| (1..=VERSION).contains(&found)) {
        let at = text.find("\"notation_version\"").unwrap_or(0);
        let problem = Problem::expected(format!("notation version {found}"), "1 or 2");
        return Err(problem.at(text, at));
    }
    let mut playback = Playback::new(start(text, &game)?);
    let mut remarks = Remarks::new(text);
    if game.metadata.is_none() {
        remarks.add(0, "`metadata` is missing: RoyalUr-Java asks for it, even empty");
    }
    for (key, value) in game.metadata.iter().flatten() {
        record_tags::keep(&mut playback.record, key, value);
    }
    let first: StateIn<'_> = parse(text, game.initial_state.get())?;
    remark_on_time(&mut remarks, game.initial_state, &first);
    note(&mut playback, 0, first);
    let mut states = States { text, playback, remarks, early_win: None };
    for raw in game.states {
        states.read(raw)?;
    }
    states.check_early_win()?;
    Ok(states.remarks.with(states.playback.finish()))
}

/// Reads a part of the text as a JSON object; errors have their place in the whole text.
fn parse<'t, T: Deserialize<'t>>(text: &'t str, part: &'t str) -> Result<T, RecordError> {
    if part.trim_start().starts_with('[') {
        return Err(Problem::expected("an array", "an object").at(text, offset(text, part)));
    }
    serde_json::from_str(part).map_err(|error| {
        let lines = part.split_inclusive('\n').take(error.line().saturating_sub(1));
        let within = lines.map(str::len).sum::<usize>() + error.column().saturating_sub(1);
        let message = error.to_string();
        let message = message.split(" at line ").next().unwrap_or_default();
        RecordError::at(text, offset(text, part) + within, &message)
    })
}

fn start(text: &str, game: &GameIn<'_>) -> Result<Game, RecordError> {
    let raw = game.settings.get();
    let settings: Settings = parse(text, raw)?;
    let at = |problem: Problem| problem.at(text, offset(text, raw));
    let rule_set = RuleSet::try_from(&settings).map_err(|error| at(error.into()))?;
    let rules = rule_set.compile().map_err(|error| at(error.into()))?;
    let raw = game.initial_state.get();
    let (setup, state): (SetupIn, StateIn<'_>) = (parse(text, raw)?, parse(text, raw)?);
    initial::game(rules, &setup, &state).map_err(|problem| problem.at(text, offset(text, raw)))
}

/// Remarks on an odd time, which is then left out.
fn remark_on_time<'t>(remarks: &mut Remarks<'t>, raw: &'t RawValue, state: &StateIn<'_>) {
    if let Some(time) = state.odd_time() {
        let what = format!("`time` is {time}: expected milliseconds since the game began");
        remarks.add_in(raw.get(), "\"time\":", &what);
    }
}

/// Keeps what a state says besides the game: its time, its comment and its metadata.
fn note(playback: &mut Playback, moment: usize, state: StateIn<'_>) {
    let millis = state.millis();
    let mut metadata: Texts = state.metadata.unwrap_or_default();
    let comment = metadata.shift_remove(COMMENT).unwrap_or_default();
    let mut note = Note::new(millis).with_comment(&comment);
    for (key, value) in metadata {
        note.tags.set(key, value);
    }
    playback.note(moment, note);
}

struct States<'t> {
    text: &'t str,
    playback: Playback,
    remarks: Remarks<'t>,
    /// The place of a win that was stated before the last piece was home, and the winner that it states.
    early_win: Option<(usize, Option<Player>)>,
}

impl<'t> States<'t> {
    fn read(&mut self, raw: &'t RawValue) -> Result<(), RecordError> {
        let state: StateIn<'t> = parse(self.text, raw.get())?;
        remark_on_time(&mut self.remarks, raw, &state);
        let begin = offset(self.text, raw.get());
        let place = |key: &str| begin + raw.get().find(key).unwrap_or(0);
        // After the state that says how the game ended, `RoyalUr` writes the win of the player who is left.
        let is_end = matches!(&*state.kind, "win" | "resigned" | "abandoned");
        let ending = self.playback.record.ending.filter(|_| state.kind != "win");
        let told = ending.map(|ending| format!("was {ending}"));
        let told =
            told.or_else(|| self.early_win.filter(|_| !is_end).map(|_| "was won".to_owned()));
        if let Some(told) = told {
            let problem = Problem::expected("a state", format!("none after the game {told}"));
            return Err(problem.at(self.text, begin));
        }
        let key = match &*state.kind {
            "move" => "\"move\":",
            "roll" | "wait4move" => "\"roll\":",
            _ => "\"type\":",
        };
        self.check_turn(&state).map_err(|problem| problem.at(self.text, place("\"turn\":")))?;
        let is_action = matches!(&*state.kind, "move" | "roll");
        self.apply(&state, begin).map_err(|problem| problem.at(self.text, place(key)))?;
        if state.kind == "win" && self.playback.game().winner().is_none() {
            self.early_win = Some((place(key), state.winner.map(Player::from)));
        }
        let plies = self.playback.game().plies().len();
        let moment = if is_action { self.playback.moment() } else { plies + 1 };
        note(&mut self.playback, moment, state);
        Ok(())
    }

    fn check_turn(&self, state: &StateIn<'_>) -> Result<(), Problem> {
        state.turn.map_or(Ok(()), |turn| self.playback.check_turn(turn.into()))
    }

    fn apply(&mut self, state: &StateIn<'_>, begin: usize) -> Result<(), Problem> {
        match &*state.kind {
            "roll" => {
                self.throw(state)?;
                self.playback.pass_if_forced()
            }
            "move" => self.play(state, begin),
            "wait4roll" => self.playback.missing_move().map_or(Ok(()), Err),
            "wait4move" => self.throw(state),
            "resigned" => {
                let player = state.player.ok_or_else(|| missing("player", "who resigned"))?;
                self.end(Ending::Resigned(player.into()))
            }
            "abandoned" => {
                let reason = reason(state.reason.as_deref())?;
                self.end(Ending::Abandoned { by: state.player.map(Player::from), reason })
            }
            "win" => self.win(state),
            kind => Err(Problem::expected(
                format!("a state of the type {}", excerpt(kind)),
                "roll, move, wait4roll, wait4move, resigned, abandoned or win",
            )),
        }
    }

    fn throw(&mut self, state: &StateIn<'_>) -> Result<(), Problem> {
        let roll = state.roll.ok_or_else(|| missing("roll", "as in {\"value\":3}"))?;
        self.playback.throw(Roll::new(roll.value))
    }

    fn play(&mut self, state: &StateIn<'_>, begin: usize) -> Result<(), Problem> {
        self.throw(state)?;
        let Some(stated) = state.action else { return Err(missing("move", "as in {\"dest\":3}")) };
        let action = self.action(stated)?;
        let game = self.playback.game();
        let captures = game.decision().and_then(|it| it.captures(action));
        let taken = captures.zip(game.turn());
        self.playback.play(action)?;
        let found = stated.captured.map(Piece::read);
        let expected = taken.map(|(square, by)| (by.opponent(), i64::from(square.number())));
        if found != expected {
            let [found, expected] = [found, expected].map(signed);
            self.remarks.add(begin, &format!("`captured` is {found}: expected {expected}"));
        }
        Ok(())
    }

    /// Returns the move from the stated source to the stated destination, both of the player whose turn it is.
    fn action(&self, stated: MoveIn) -> Result<Move, Problem> {
        let game = self.playback.game();
        let square = |piece: Option<Piece>| {
            let Some((player, step)) = piece.map(Piece::read) else { return Ok(None) };
            if game.turn() == Some(player.opponent()) {
                return Err(Problem::not_on_turn(player));
            }
            initial::square(game.rules(), step).map(Some)
        };
        match (square(stated.src)?, square(stated.dest)?) {
            (Some(from), Some(to)) => Ok(Move::Advance { from, to }),
            (Some(from), None) => Ok(Move::Score { from }),
            (None, Some(to)) => Ok(Move::Enter { to }),
            (None, None) => Err(missing("src", "it or `dest`, or both")),
        }
    }

    fn end(&mut self, ending: Ending) -> Result<(), Problem> {
        if let Some(error) = self.playback.game().over() {
            return Err(error.into());
        }
        self.playback.record.ending = Some(ending);
        Ok(())
    }

    fn win(&self, state: &StateIn<'_>) -> Result<(), Problem> {
        let (found, winner) = (state.winner.map(Player::from), self.playback.game().winner());
        match winner {
            Some(winner) if found.is_none_or(|found| found == winner) => Ok(()),
            Some(winner) => Err(Problem::expected("a win of the other player", winner.name())),
            None if self.early_win.is_some() => Err(Problem::expected("a second win", "one")),
            // A state that says how the game ended early, and by whose doing, may follow.
            None => Ok(()),
        }
    }

    /// Checks that a win before the last piece was home is that of the player who was left.
    fn check_early_win(&self) -> Result<(), RecordError> {
        let Some((at, found)) = self.early_win else { return Ok(()) };
        let at = |problem: Problem| problem.at(self.text, at);
        let Some(ending) = self.playback.record.ending else {
            let expected =
                "one only after the last piece is home, or with a resigned or abandoned game";
            return Err(at(Problem::expected("a win", expected)));
        };
        match (found, ending.winner()) {
            (Some(found), Some(winner)) if found != winner => {
                let expected = format!("that of {winner}: the game was {ending}");
                Err(at(Problem::expected(format!("a win of {found}"), expected)))
            }
            _ => Ok(()),
        }
    }
}

/// Returns a piece as version 2 writes it, negative for dark.
fn signed(piece: Option<(Player, i64)>) -> String {
    match piece {
        Some((Player::Light, step)) => step.to_string(),
        Some((Player::Dark, step)) => format!("-{step}"),
        None => "nothing".to_owned(),
    }
}

fn reason(found: Option<&str>) -> Result<AbandonReason, Problem> {
    let expected = "\"player_left\" or \"external\"";
    let found = found.ok_or_else(|| missing("reason", expected))?;
    AbandonReason::named(found)
        .ok_or_else(|| Problem::expected(format!("the reason {}", excerpt(found)), expected))
}

fn missing(key: &str, expected: &str) -> Problem {
    Problem::expected(format!("no `{key}`"), expected)
}
