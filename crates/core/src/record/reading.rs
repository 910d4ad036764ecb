//! Reading a record: headers up to the first blank line, then a ply a line.

use std::collections::HashSet;
use std::str::FromStr;

use crate::ascii;
use crate::record::grammar::{FORMAT, STAKES};
use crate::record::line::Line;
use crate::record::{check_header, plies};
use crate::text::wording::{self, excerpt, is_control};
use crate::{
    Game, PresetError, Record, RecordError, RuleFileError, RuleSet, Rules, Setup, SetupError,
    Stakes, StakesError, Tags,
};

impl FromStr for Record {
    type Err = RecordError;

    fn from_str(text: &str) -> Result<Self, RecordError> {
        if text.len() > Self::MAX_BYTES {
            let (found, max) = (text.len(), Self::MAX_BYTES);
            let message = format!("the text has {found} bytes: expected a record of at most {max}");
            return Err(RecordError::at(text, 0, &message));
        }
        let mut lines = (1..).zip(ascii::lines(text)).map(|(number, text)| Line { number, text });
        let headers = Headers::read(&mut lines)?;
        let mut record = Self::new(headers.game()?);
        record.set_stakes(headers.stakes()?);
        record.headers = headers.others;
        record.tags = headers.tags;
        plies::read(record, headers.comments, lines)
    }
}

/// The headers of a record; those that determine the game are kept with their lines.
struct Headers<'t> {
    format: Line<'t>,
    rules: Option<(Line<'t>, &'t str)>,
    /// The lines of the rule file within the record.
    rule_file: Vec<Line<'t>>,
    start: Option<(Line<'t>, &'t str)>,
    stakes: Option<(Line<'t>, &'t str)>,
    others: Tags,
    tags: Tags,
    /// The comments between the headers.
    comments: String,
}

impl<'t> Headers<'t> {
    fn read(lines: &mut impl Iterator<Item = Line<'t>>) -> Result<Self, RecordError> {
        let mut comments = String::new();
        let mut lines = lines.filter(|line| match line.text.strip_prefix('#') {
            Some(comment) => {
                comments.extend([comment, "\n"]);
                false
            }
            None => true,
        });
        let format = lines.next().unwrap_or(Line { number: 1, text: "" });
        if header(format.text) != Some(("format", FORMAT)) {
            let found = match format.text {
                "" => "found nothing".to_owned(),
                text => format!("found `{}`", excerpt(text)),
            };
            let expected =
                format!("expected `format: {FORMAT}` as the first line of a game record");
            let message = format!("{found}: {expected}");
            return Err(format.error(format.text, &message));
        }
        let mut headers = Self::new(format);
        let mut known = HashSet::from(["format"]);
        for line in lines.take_while(|line| !line.text.trim().is_empty()) {
            headers.line(line, &mut known)?;
        }
        headers.comments = comments;
        Ok(headers)
    }

    fn new(format: Line<'t>) -> Self {
        Self {
            format,
            rules: None,
            rule_file: Vec::new(),
            start: None,
            stakes: None,
            others: Tags::default(),
            tags: Tags::default(),
            comments: String::new(),
        }
    }

    fn line(&mut self, line: Line<'t>, known: &mut HashSet<&'t str>) -> Result<(), RecordError> {
        if line.text.starts_with('|') && self.rules.is_some_and(|(_, value)| value == "|") {
            self.rule_file.push(line);
            return Ok(());
        }
        if line.tag(&mut self.tags)? {
            return Ok(());
        }
        let Some((key, value)) = header(line.text) else {
            let message = format!(
                "`{}` is not a header: expected `key: value`, or a blank line before the first ply",
                excerpt(line.text)
            );
            return Err(line.error(line.text, &message));
        };
        if !known.insert(key) {
            return Err(line.twice(key, "header", key));
        }
        self.add(line, key, value)
    }

    fn add(&mut self, line: Line<'t>, key: &'t str, value: &'t str) -> Result<(), RecordError> {
        match key {
            "rules" => self.rules = Some((line, value)),
            "start" => self.start = Some((line, value)),
            STAKES => self.stakes = Some((line, value)),
            _ => {
                // Characters that turn the direction of text are left out, so that games that were stored with them can be read.
                let value = value.replace(|it: char| is_control(it) && !it.is_control(), "");
                let value = value.trim();
                check_header(key, value).map_err(|error| line.error(key, &error))?;
                self.others.set(key, value);
            }
        }
        Ok(())
    }

    /// Returns the game at its start.
    fn game(&self) -> Result<Game, RecordError> {
        let rules = self.rules()?;
        let Some((line, text)) = self.start else { return Ok(Game::new(rules)) };
        let setup: Setup = text.parse().map_err(|error: SetupError| line.error(text, &error))?;
        Game::from_setup(rules, setup).map_err(|error| line.error(text, &error))
    }

    /// Returns what the game is played for.
    fn stakes(&self) -> Result<Option<Stakes>, RecordError> {
        let Some((line, text)) = self.stakes else { return Ok(None) };
        let stakes = text.parse().map_err(|error: StakesError| line.error(text, &error))?;
        Ok(Some(stakes))
    }

    fn rules(&self) -> Result<Rules, RecordError> {
        let Some((line, value)) = self.rules else {
            let message = "the header `rules` is missing: expected `rules: finkel`, another preset, or `rules: |` and a rule file";
            return Err(self.format.error(self.format.text, &message));
        };
        let rule_set = if value == "|" {
            self.read_rule_file().map_err(|error| self.rule_file_error(line, &error))?
        } else {
            value.parse().map_err(|error| line.error(value, &no_preset(error)))?
        };
        rule_set.compile().map_err(|error| line.error(value, &error))
    }

    fn read_rule_file(&self) -> Result<RuleSet, RuleFileError> {
        let lines = self.rule_file.iter().map(|line| &line.text[rule_file_margin(line.text)..]);
        RuleSet::from_toml(&lines.collect::<Vec<_>>().join("\n"))
    }

    /// Returns the error of the rule file within the record, at its place in the record; `rules` is the line before the rule file.
    fn rule_file_error(&self, rules: Line<'t>, error: &RuleFileError) -> RecordError {
        let line = self.rule_file.get(error.line() - 1).copied().unwrap_or(rules);
        let column = error.column() + rule_file_margin(line.text);
        RecordError::new(line.number, column, &error.message())
    }
}

/// Returns the message of an error of rules that a record names: it holds a rule file itself.
fn no_preset(error: PresetError) -> String {
    let PresetError::Unknown { found } = error else { return error.to_string() };
    let names = RuleSet::PRESETS.map(|preset| preset.name);
    let expectation = format!(
        "one of {}, with `:N` for another number of pieces, or `rules: |` and a rule file",
        names.join(", ")
    );
    let expected = wording::expected(&found, names.iter().map(|name| &**name), &expectation);
    format!("`{found}` is not a preset: {expected}")
}

/// Returns the number of bytes before a line of a rule file within a record: `|`, and a space if there is one.
fn rule_file_margin(line: &str) -> usize {
    ["| ", "|"].into_iter().find(|margin| line.starts_with(margin)).map_or(0, str::len)
}

fn header(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.split_once(':')?;
    Some((key.trim(), value.trim()))
}
