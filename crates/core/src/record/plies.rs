//! Reading the plies of a record: a line each, with notes, and how the game stands at the end.

use arrayvec::ArrayVec;

use crate::ascii;
use crate::record::double::DoubleError;
use crate::record::grammar::{DOUBLES, DRAWN, PASSES, TAKES, WON};
use crate::record::line::Line;
use crate::text::wording::excerpt;
use crate::{EndingError, Game, MoveError, Note, Player, Record, RecordError, Roll};

/// The most words of a line that are looked at; no valid line has this many.
const WORDS: usize = 6;

/// Plays the plies of `lines` into `record`, which is at its start; `comments` are those among the headers.
pub(super) fn read<'t>(
    record: Record,
    comments: String,
    lines: impl Iterator<Item = Line<'t>>,
) -> Result<Record, RecordError> {
    let mut reading = Reading { record, note: Note::default(), comments, moment: 0, last: None };
    for line in lines {
        reading.line(line)?;
    }
    reading.keep();
    Ok(reading.record)
}

/// A record up to some line, and the note of the moment that this line is about.
struct Reading<'t> {
    record: Record,
    note: Note,
    comments: String,
    moment: usize,
    /// The line after which only an ending may come.
    last: Option<Line<'t>>,
}

impl<'t> Reading<'t> {
    fn line(&mut self, line: Line<'t>) -> Result<(), RecordError> {
        if line.tag(&mut self.note.tags)? {
            return Ok(());
        }
        let (content, comment) = line.split();
        let mut words: ArrayVec<_, WORDS> = ascii::words(content).take(WORDS).collect();
        if !words.is_empty() {
            let time = words.last().copied().filter(|word| ascii::begins(word, b'@'));
            words.truncate(words.len() - usize::from(time.is_some()));
            self.statement(line, &words)?;
            if let (Some(time), [_, DOUBLES | TAKES | PASSES]) = (time, &words[..]) {
                return Err(no_ply(line, time));
            }
            if let Some(time) = time {
                let millis = ascii::number(&time[1..]).ok_or_else(|| no_time(line, time))?;
                self.note.set_millis(millis);
            }
        }
        if let Some(comment) = comment {
            self.comments.extend([comment, "\n"]);
        }
        Ok(())
    }

    /// Stores the note of the current moment in the record, once the moment is over.
    fn keep(&mut self) {
        if self.comments.is_empty() && self.note.is_empty() {
            return;
        }
        let note = std::mem::take(&mut self.note).with_comment(&self.comments);
        self.comments.clear();
        if !note.is_empty() {
            self.record.set_note(self.moment, note);
        }
    }

    fn statement(&mut self, line: Line<'t>, words: &[&'t str]) -> Result<(), RecordError> {
        if words == ["-"] && self.moment == 0 && self.note.millis() == 0 {
            return Ok(());
        }
        if let [player, action @ (DOUBLES | TAKES | PASSES)] = *words {
            return self.cube(line, player, action);
        }
        let is_ending = matches!(words.first(), Some(&("resigned" | "abandoned")));
        if let Some(player) = self.record.answering().filter(|_| !is_ending) {
            let message = format!("{player} has to answer a double: expected `takes` or `passes`");
            return Err(line.error(line.text, &message));
        }
        let moment = self.record.game.plies().len() + 1;
        // A roll that waits and the ending after it are one moment, with one note.
        if moment != self.moment {
            self.keep();
            self.moment = moment;
        }
        if let Some(earlier) = self.last.filter(|_| !is_ending || self.record.ending.is_some()) {
            let message = "this line has no move, but the record goes on: expected a move, as in `L 3 0-3`, on every ply but the last";
            return Err(earlier.error(earlier.text, &message));
        }
        let game = &mut self.record.game;
        match *words {
            [player, roll, action] if !is_ending => {
                throw(game, line, player, roll)?;
                return play(game, line, action);
            }
            [WON, player] => check_winner(game, line, player)?,
            [DRAWN] => check_drawn(game, line)?,
            [player] if !is_ending => {
                turn(game, line, player).and_then(|_| ensure_goes_on(game, line, player))?;
            }
            [player, roll] if !is_ending => throw(game, line, player, roll)?,
            [first, ..] if is_ending => self.end(line, first, words)?,
            _ => return Err(no_ply(line, words.last().copied().unwrap_or(line.text))),
        }
        self.last = Some(line);
        Ok(())
    }

    /// Doubles, takes or passes. A comment on such a line belongs to the ply before.
    fn cube(&mut self, line: Line<'t>, player: &str, action: &str) -> Result<(), RecordError> {
        if let Some(earlier) = self.last {
            let message = "a double follows this line: expected doubles only before a roll and in a game that goes on";
            return Err(earlier.error(earlier.text, &message));
        }
        let found = Player::from_letter(player).ok_or_else(|| no_ply(line, player))?;
        let error = |error: DoubleError| line.error(action, &error);
        let expected = match action {
            DOUBLES => self.record.can_double().map_err(error)?,
            _ => self.record.answering().ok_or_else(|| error(DoubleError::NotDoubled))?,
        };
        if found != expected {
            let message = format!("{found} {action}: expected {expected}, whose turn it is");
            return Err(line.error(player, &message));
        }
        match action {
            DOUBLES => self.record.double(),
            _ => self.record.answer_double(action == TAKES),
        }
        .map_err(error)?;
        self.last = (action == PASSES).then_some(line);
        Ok(())
    }

    fn end(&mut self, line: Line<'_>, first: &str, words: &[&str]) -> Result<(), RecordError> {
        let error = |error: EndingError| line.error(first, &error);
        let ending = words.join(" ").parse().map_err(error)?;
        ensure_goes_on(&self.record.game, line, first)?;
        self.record.ending = Some(ending);
        Ok(())
    }
}

/// Returns an error at `part` of the line if the game is over.
fn ensure_goes_on(game: &Game, line: Line<'_>, part: &str) -> Result<(), RecordError> {
    game.over().map_or(Ok(()), |error| Err(line.error(part, &error)))
}

fn check_winner(game: &Game, line: Line<'_>, player: &str) -> Result<(), RecordError> {
    let found = Player::from_letter(player).ok_or_else(|| no_ply(line, player))?;
    if game.winner() == Some(found) {
        return Ok(());
    }
    let message =
        format!("{found} has not won: expected `won` only after the piece that wins is home");
    Err(line.error(player, &message))
}

fn check_drawn(game: &Game, line: Line<'_>) -> Result<(), RecordError> {
    if game.is_over() && game.winner().is_none() {
        return Ok(());
    }
    let message = "the game is not drawn: expected `drawn` only after the pass in a position where neither player can ever \
                   move, if it has no winner";
    Err(line.error(DRAWN, &message))
}

fn no_ply(line: Line<'_>, found: &str) -> RecordError {
    let text = excerpt(found);
    let message = format!("`{text}` is not a ply: expected player, roll and move, as in `L 3 0-3`");
    line.error(found, &message)
}

fn no_time(line: Line<'_>, found: &str) -> RecordError {
    let text = excerpt(found);
    let message =
        format!("`{text}` is not a time: expected milliseconds after `@`, as in `L 3 0-3 @1500`");
    line.error(found, &message)
}

/// Returns the player with this letter, if it is that player's turn or the game is over.
fn turn(game: &Game, line: Line<'_>, player: &str) -> Result<Player, RecordError> {
    let found = Player::from_letter(player).ok_or_else(|| no_ply(line, player))?;
    if game.turn() == Some(found.opponent()) {
        let other = found.opponent();
        let message = format!("found a ply of {found}: expected one of {other}, whose turn it is");
        return Err(line.error(player, &message));
    }
    Ok(found)
}

/// Throws the roll of a ply, or checks that it is the roll that the start names.
fn throw(game: &mut Game, line: Line<'_>, player: &str, steps: &str) -> Result<(), RecordError> {
    turn(game, line, player)?;
    let roll = Roll::read(steps).ok_or_else(|| no_ply(line, steps))?;
    match game.pending() {
        Some(expected) if expected == roll => Ok(()),
        Some(expected) => {
            let message =
                format!("found a roll of {roll}: expected {expected}, with which the game starts");
            Err(line.error(steps, &message))
        }
        None => game.roll(roll).map(drop).map_err(|error| line.error(steps, &error)),
    }
}

fn play(game: &mut Game, line: Line<'_>, text: &str) -> Result<(), RecordError> {
    let action = text.parse().map_err(|error: MoveError| line.error(text, &error))?;
    game.play(action).map(drop).map_err(|error| line.error(text, &error))
}
