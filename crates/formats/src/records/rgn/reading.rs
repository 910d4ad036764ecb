//! Reading RGN.

use puabi_core::{
    AbandonReason, Ending, EndingError, Game, Player, RecordError, Roll, RuleSet, Setup,
    SetupError, ascii,
};

use super::scan::{Word, Words};
use super::tags::{self, END, START, Tag};
use super::tiles::{self, Tiles, marks};

use crate::records::conversion::Reading;
use crate::records::playback::Playback;
use crate::records::problem::{Problem, Remarks, excerpt};
use crate::records::tags as record_tags;

pub(crate) fn read(text: &str, rules: Option<&RuleSet>) -> Result<Reading, RecordError> {
    let (tags, at) = tags::read(text)?;
    let mut remarks = Remarks::new(text);
    tags::check_once(text, &tags, &mut remarks)?;
    let mut playback = Playback::new(start(text, &tags, rules)?);
    let end = keep(text, &tags, &mut playback)?;
    let mut turns = Turns::new(text, playback, remarks);
    for word in Words::new(text, at) {
        turns.word(word).map_err(|problem| problem.at(text, word.at))?;
    }
    turns.finish(end)
}

/// Returns the game at its start, as the tags and `rules` give it.
fn start(text: &str, tags: &[Tag], rules: Option<&RuleSet>) -> Result<Game, RecordError> {
    let tag = |name| tags.iter().find(|tag| tag.name == name);
    let stated = tag(record_tags::RULES).and_then(|tag| record_tags::rule_set(&tag.value));
    let at = tag(record_tags::RULES).map_or(0, |tag| tag.at);
    let rule_set = rules.cloned().or(stated).ok_or_else(|| {
        let found =
            tag(record_tags::RULES).map_or("no rules".to_owned(), |tag| excerpt(&tag.value));
        Problem::expected(
            found,
            "a tag such as `[Rules finkel]`, or the rules given beside the text",
        )
        .at(text, at)
    })?;
    let rules = rule_set.compile().map_err(|error| RecordError::at(text, at, &error))?;
    let Some(start) = tag(START) else { return Ok(Game::new(rules)) };
    let at_start = |problem: Problem| problem.at(text, start.at);
    let setup: Setup = start.value.parse().map_err(|error: SetupError| at_start(error.into()))?;
    Game::from_setup(rules, setup).map_err(|error| at_start(error.into()))
}

/// Keeps the tags in the record, and returns the place of the tag that says how the game ended.
fn keep(text: &str, tags: &[Tag], playback: &mut Playback) -> Result<usize, RecordError> {
    let mut end = 0;
    for tag in tags {
        match &*tag.name {
            START => {}
            END => {
                let error = |error: EndingError| RecordError::at(text, tag.at, &error);
                playback.record.ending = Some(tag.value.parse().map_err(error)?);
                end = tag.at;
            }
            name => record_tags::keep(&mut playback.record, name, &tag.value),
        }
    }
    Ok(end)
}

/// The turns of a game, up to some word.
struct Turns<'t> {
    text: &'t str,
    playback: Playback,
    tiles: Tiles,
    remarks: Remarks<'t>,
    /// The player whose turn the text is at; `None` until the text says it.
    turn: Option<Player>,
    number: u64,
    has_dark_begun: bool,
    /// The place of the roll that waits for `--` or for its move.
    roll: Option<(Roll, usize)>,
    /// The last move and its place, if the move still lacks the mark of a rosette.
    unmarked: Option<(&'t str, usize)>,
    is_over: bool,
}

impl<'t> Turns<'t> {
    fn new(text: &'t str, playback: Playback, remarks: Remarks<'t>) -> Self {
        let tiles = Tiles::new(playback.game().rules());
        Self {
            text,
            playback,
            tiles,
            remarks,
            turn: None,
            number: 0,
            has_dark_begun: false,
            roll: None,
            unmarked: None,
            is_over: false,
        }
    }

    fn word(&mut self, word: Word<'t>) -> Result<(), Problem> {
        if ascii::begins(word.text, b'{') {
            let comment = ascii::strip_last(&word.text[1..], b'}');
            let comment = comment.ok_or_else(|| Problem::expected("`{` without `}`", "both"))?;
            self.playback.comment(comment);
            return Ok(());
        }
        let text = ascii::strip_last(word.text, b'#').unwrap_or(word.text);
        if self.is_over {
            return Err(Problem::expected(
                excerpt(word.text),
                "nothing after `#`, the end of the game",
            ));
        }
        if !text.is_empty() {
            self.part(Word { text, at: word.at })?;
        }
        if text.len() < word.text.len() {
            self.end(word.at + text.len());
        }
        Ok(())
    }

    fn part(&mut self, word: Word<'t>) -> Result<(), Problem> {
        if word.text == "*" {
            return self.star(word.at);
        }
        self.missing_star();
        match word.text {
            "/" => {
                self.has_dark_begun |= self.turn.is_none();
                self.turn = Some(Player::Dark);
                self.ensure_complete()
            }
            "--" => self.no_move(),
            text if ascii::strip_last(text, b'.').is_some() => self.turn_number(word),
            text => match ascii::number(text) {
                Some(steps) => self.throw(steps, word.at),
                None => self.action(word),
            },
        }
    }

    fn turn_number(&mut self, word: Word<'t>) -> Result<(), Problem> {
        let digits = &word.text[..word.text.len() - 1];
        let found: u64 = ascii::number(digits).ok_or_else(|| {
            Problem::expected(excerpt(word.text), "the number of a turn, as in `1.`")
        })?;
        self.number = self.number.saturating_add(1);
        if self.number == 1 && found == 2 && self.has_dark_begun {
            // Some programs count dark's first turn as the first pair.
            self.number = found;
        }
        if found != self.number {
            let expected = self.number;
            self.remarks.add(word.at, &format!("turn {found} follows: expected number {expected}"));
            self.number = found;
        }
        self.turn = Some(Player::Light);
        self.ensure_complete()
    }

    /// Returns an error if a roll waits for its move.
    fn ensure_complete(&self) -> Result<(), Problem> {
        match self.roll {
            Some(_) => Err(Problem::expected("the end of a turn", "`--` or a move after the roll")),
            // A roll that the start names is not part of the text, and its move may still come.
            None if self.playback.game().thrown().is_none() => Ok(()),
            None => self.playback.missing_move().map_or(Ok(()), Err),
        }
    }

    /// Checks that the text has opened a turn, and that it is the turn of the player to move.
    fn check_turn(&self) -> Result<(), Problem> {
        match self.turn {
            Some(player) => self.playback.check_turn(player),
            None => Err(Problem::expected("an action", "the number of a turn, as in `1.`, or `/`")),
        }
    }

    fn throw(&mut self, steps: u8, at: usize) -> Result<(), Problem> {
        self.ensure_complete()?;
        self.check_turn()?;
        self.roll = Some((Roll::new(steps), at));
        Ok(())
    }

    /// Reads a roll without a move: a pass or, at the end of an unfinished game, a roll that waits.
    fn no_move(&mut self) -> Result<(), Problem> {
        let Some((roll, _)) = self.roll.take() else {
            return Err(Problem::expected("`--`", "a roll before it, as in `0 --`"));
        };
        self.playback.throw(roll)?;
        self.playback.pass_if_forced()
    }

    fn action(&mut self, word: Word<'t>) -> Result<(), Problem> {
        self.ensure_complete()?;
        self.check_turn()?;
        let (stated, text) = match ascii::split_once(word.text, b':') {
            Some((roll, text)) => (Some(read_roll(roll)?), text),
            None => (None, word.text),
        };
        let star = ascii::strip_last(text, b'*');
        let text = star.unwrap_or(text);
        let capture = ascii::strip_last(text, b'x');
        let text = capture.unwrap_or(text);
        let game = self.playback.game();
        let (Some(player), Some(position)) = (game.turn(), game.position()) else {
            return game.over().map_or(Ok(()), |error| Err(error.into()));
        };
        let mine = position.mine().squares();
        let (roll, action) = self.tiles.parse(game.rules(), (player, mine), text, stated)?;
        if let Some(stated) = stated.filter(|&stated| stated != roll) {
            let expected = format!("{roll}, which {text} takes");
            return Err(Problem::expected(format!("a roll of {stated}"), expected));
        }
        self.playback.throw(roll)?;
        let decision = self.playback.game().decision();
        let marks = decision.map_or((false, false), |decision| marks(&decision, action));
        let name = tiles::name(self.playback.game().rules(), player, action);
        if text != name {
            self.remarks.add(word.at, &format!("{text} names another lane: expected `{name}`"));
        }
        self.playback.play(action)?;
        self.check_capture(word.at, text, capture.is_some(), marks.0);
        match (star.is_some(), marks.1) {
            (false, true) => self.unmarked = Some((text, word.at)),
            (true, false) => self.wrong_star(word.at),
            _ => {}
        }
        Ok(())
    }

    fn check_capture(&mut self, at: usize, text: &str, found: bool, expected: bool) {
        match (found, expected) {
            (true, false) => {
                self.remarks.add(at, &format!("{text} captures nothing: expected no `x`"));
            }
            (false, true) => {
                self.remarks.add(at, &format!("{text} captures: expected `x` after it"));
            }
            _ => {}
        }
    }

    fn star(&mut self, at: usize) -> Result<(), Problem> {
        if self.playback.game().plies().is_empty() {
            return Err(Problem::expected("`*`", "a move before it"));
        }
        if self.unmarked.take().is_none() {
            self.wrong_star(at);
        }
        Ok(())
    }

    fn wrong_star(&mut self, at: usize) {
        self.remarks.add(at, "the move does not land on a rosette: expected no `*`");
    }

    fn missing_star(&mut self) {
        if let Some((text, at)) = self.unmarked.take() {
            self.remarks.add(at, &format!("{text} lands on a rosette: expected ` *` after it"));
        }
    }

    /// Ends the game. `RoyalUr` also ends games in this way that were given up or abandoned, and does not say which.
    fn end(&mut self, at: usize) {
        self.is_over = true;
        if self.playback.game().is_over() || self.playback.record.ending.is_some() {
            return;
        }
        let ending = Ending::Abandoned { by: None, reason: AbandonReason::External };
        self.playback.record.ending = Some(ending);
        let message = format!(
            "the game ends early: taken as `{ending}`, because no tag such as `[End \"resigned L\"]` says how"
        );
        self.remarks.add(at, &message);
    }

    /// Returns the game; `end` is the place of the tag that says how the game ended, if there is one.
    fn finish(mut self, end: usize) -> Result<Reading, RecordError> {
        self.missing_star();
        if let Some((_, at)) = self.roll {
            return Err(
                Problem::expected("a roll alone", "`--` or a move after it").at(self.text, at)
            );
        }
        if let (Some(_), Some(error)) = (self.playback.record.ending, self.playback.game().over()) {
            return Err(Problem(format!("{error}: expected no tag `{END}`")).at(self.text, end));
        }
        if self.playback.game().winner().is_some() && !self.is_over {
            self.remarks.add(self.text.trim_end().len(), "the game is over: expected `#`");
        }
        Ok(self.remarks.with(self.playback.finish()))
    }
}

fn read_roll(text: &str) -> Result<Roll, Problem> {
    let steps = ascii::number(text);
    steps.map(Roll::new).ok_or_else(|| Problem::expected(excerpt(text), "a roll before `:`"))
}
