//! Reading a record: headers up to the first blank line, then a ply a line.

use std::collections::HashSet;

use super::{FORMAT, Record, RecordError, RecordProblem, check_header};
use crate::dice::{Dice, Roll};
use crate::game::Game;
use crate::player::Player;
use crate::rulefile::RuleFileError;
use crate::rules::Rules;
use crate::ruleset::RuleSet;
use crate::setup::Setup;
use crate::wording::excerpt;

/// A line of the text and its number, from 1.
#[derive(Clone, Copy)]
struct Line<'t> {
    number: usize,
    text: &'t str,
}

impl Line<'_> {
    /// An error at `part` of this line.
    fn error(self, part: &str, problem: RecordProblem) -> RecordError {
        let offset = part.as_ptr().addr().saturating_sub(self.text.as_ptr().addr());
        let before = self.text.get(..offset).unwrap_or_default();
        let column = before.chars().count() + 1;
        RecordError { line: self.number, column, problem: Box::new(problem) }
    }
}

pub(super) fn read(text: &str) -> Result<Record, RecordError> {
    if text.len() > Record::MAX_BYTES {
        let problem = RecordProblem::TooLong { found: text.len() };
        return Err(Line { number: 1, text }.error(text, problem));
    }
    let mut lines = (1..).zip(text.lines()).map(|(number, text)| Line { number, text });
    let headers = Headers::read(&mut lines)?;
    let mut record = Record::new(headers.game()?);
    record.headers = headers.others;
    read_plies(&mut record.game, lines)?;
    Ok(record)
}

/// The headers of a record, with where those stand that the game follows from.
struct Headers<'t> {
    format: Line<'t>,
    rules: Option<(Line<'t>, &'t str)>,
    /// The lines of the rule file within the record.
    rule_file: Vec<Line<'t>>,
    start: Option<(Line<'t>, &'t str)>,
    others: Vec<(String, String)>,
}

impl<'t> Headers<'t> {
    fn read(lines: &mut impl Iterator<Item = Line<'t>>) -> Result<Self, RecordError> {
        let mut lines = lines.filter(|line| !line.text.starts_with('#'));
        let format = lines.next().unwrap_or(Line { number: 1, text: "" });
        if header(format.text) != Some(("format", FORMAT)) {
            let found = excerpt(format.text).into_owned();
            return Err(format.error(format.text, RecordProblem::Format { found }));
        }
        let (rule_file, others) = (Vec::new(), Vec::new());
        let mut headers = Self { format, rules: None, rule_file, start: None, others };
        let mut known = HashSet::from(["format"]);
        for line in lines.take_while(|line| !line.text.trim().is_empty()) {
            if line.text.starts_with('|') && headers.rules.is_some_and(|(_, value)| value == "|") {
                headers.rule_file.push(line);
                continue;
            }
            let Some((key, value)) = header(line.text) else {
                let found = excerpt(line.text).into_owned();
                return Err(line.error(line.text, RecordProblem::HeaderLine { found }));
            };
            if !known.insert(key) {
                return Err(
                    line.error(key, RecordProblem::Twice { key: excerpt(key).into_owned() })
                );
            }
            headers.add(line, key, value)?;
        }
        Ok(headers)
    }

    fn add(&mut self, line: Line<'t>, key: &'t str, value: &'t str) -> Result<(), RecordError> {
        match key {
            "rules" => self.rules = Some((line, value)),
            "start" => self.start = Some((line, value)),
            _ => {
                let error = |error| line.error(key, RecordProblem::Header(error));
                check_header(key, value).map_err(error)?;
                self.others.push((key.to_owned(), value.to_owned()));
            }
        }
        Ok(())
    }

    /// The game at its start.
    fn game(&self) -> Result<Game, RecordError> {
        let rules = self.rules()?;
        let Some((line, text)) = self.start else { return Ok(Game::new(rules)) };
        let setup: Setup =
            text.parse().map_err(|error| line.error(text, RecordProblem::Start(error)))?;
        Game::from_setup(rules, setup)
            .map_err(|error| line.error(text, RecordProblem::StartPosition(error)))
    }

    fn rules(&self) -> Result<Rules, RecordError> {
        let Some((line, value)) = self.rules else {
            return Err(self.format.error(self.format.text, RecordProblem::NoRules));
        };
        let rule_set = if value == "|" {
            self.read_rule_file().map_err(|error| self.rule_file_error(line, &error))?
        } else {
            value.parse().map_err(|error| line.error(value, RecordProblem::Preset(error)))?
        };
        rule_set.compile().map_err(|error| line.error(value, RecordProblem::Rules(error)))
    }

    fn read_rule_file(&self) -> Result<RuleSet, RuleFileError> {
        let lines = self.rule_file.iter().map(|line| &line.text[rule_file_margin(line.text)..]);
        RuleSet::from_toml(&lines.collect::<Vec<_>>().join("\n"))
    }

    /// The error of the rule file within, at its place in the record; `rules` is the line before it.
    fn rule_file_error(&self, rules: Line<'t>, error: &RuleFileError) -> RecordError {
        let line = self.rule_file.get(error.line() - 1).copied().unwrap_or(rules);
        let column = error.column() + rule_file_margin(line.text);
        let problem = Box::new(RecordProblem::RuleFile(error.problem().clone()));
        RecordError { line: line.number, column, problem }
    }
}

/// The bytes before a line of a rule file within a record: `|`, and a space if there is one.
fn rule_file_margin(line: &str) -> usize {
    ["| ", "|"].into_iter().find(|margin| line.starts_with(margin)).map_or(0, str::len)
}

fn header(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.split_once(':')?;
    Some((key.trim(), value.trim()))
}

fn read_plies<'t>(
    game: &mut Game,
    lines: impl Iterator<Item = Line<'t>>,
) -> Result<(), RecordError> {
    let mut without_move: Option<Line<'_>> = None;
    for line in lines {
        let words: Vec<_> = content(line.text).split_whitespace().take(4).collect();
        if words.is_empty() {
            continue;
        }
        if let Some(earlier) = without_move {
            return Err(earlier.error(earlier.text, RecordProblem::NoMove));
        }
        match words[..] {
            [player, roll] => {
                throw(game, line, player, roll)?;
                without_move = Some(line);
            }
            [player, roll, action] => {
                throw(game, line, player, roll)?;
                play(game, line, action)?;
            }
            _ => return Err(no_ply(line, words.last().copied().unwrap_or(line.text))),
        }
    }
    Ok(())
}

/// The line up to a comment.
fn content(line: &str) -> &str {
    line.split('#').next().unwrap_or_default()
}

fn no_ply(line: Line<'_>, found: &str) -> RecordError {
    line.error(found, RecordProblem::Ply { found: excerpt(found).into_owned() })
}

/// Throws the roll of a ply, or finds that the start names it.
fn throw(game: &mut Game, line: Line<'_>, player: &str, steps: &str) -> Result<(), RecordError> {
    let found = read_player(player).ok_or_else(|| no_ply(line, player))?;
    let roll = read_roll(steps).ok_or_else(|| no_ply(line, steps))?;
    if game.turn() == Some(found.opponent()) {
        return Err(line.error(player, RecordProblem::Turn { found }));
    }
    match game.pending() {
        Some(expected) if expected == roll => Ok(()),
        Some(expected) => {
            Err(line.error(steps, RecordProblem::StartRoll { found: roll, expected }))
        }
        None => match game.roll(roll) {
            Ok(_) => Ok(()),
            Err(error) => Err(line.error(steps, RecordProblem::Game(error))),
        },
    }
}

fn play(game: &mut Game, line: Line<'_>, text: &str) -> Result<(), RecordError> {
    let action = text.parse().map_err(|error| line.error(text, RecordProblem::Move(error)))?;
    match game.play(action) {
        Ok(_) => Ok(()),
        Err(error) => Err(line.error(text, RecordProblem::Game(error))),
    }
}

fn read_player(text: &str) -> Option<Player> {
    match text {
        "L" => Some(Player::Light),
        "D" => Some(Player::Dark),
        _ => None,
    }
}

/// Reads a roll, without sign or leading zero.
fn read_roll(text: &str) -> Option<Roll> {
    let steps = text.parse().ok().filter(|&steps| steps <= Dice::MAX_ROLL)?;
    (text.len() == 1 || text.starts_with('1')).then(|| Roll::new(steps))
}
