//! Rule sets and positions as the user writes them.

use std::io;

use anyhow::{Context, Result, anyhow};
use puabi_core::{Position, RuleSet, Rules, Setup, SetupError, Tile};

use crate::errors::{self, Advise};
use crate::files::{self, kinds};
use crate::output::text::shell_word;

/// Returns the rule set that `text` names: a preset, a preset with a number of pieces, or a file.
pub(crate) fn rule_set(text: &str) -> Result<RuleSet> {
    if let Some((file, pieces)) = text.rsplit_once(':').filter(|(file, _)| is_file(file)) {
        let found = format!("`:{pieces}` is for presets: {file} says how many pieces there are");
        return Err(anyhow!("{found}, as in `pieces = {pieces}`")).hint(|| RULE_FILES);
    }
    if !is_file(text) {
        return text.parse().hint(|| match setup(text) {
            Ok(_) => "the rule set comes before the position: `ur rules` lists the rule sets",
            Err(_) => "`ur rules` lists the rule sets",
        });
    }
    let source = files::read(text)?;
    let parsed = RuleSet::from_toml(&source).with_context(|| text.to_owned());
    parsed.hint(|| RULE_FILES)
}

/// The hint that says where rule files are described.
pub(crate) const RULE_FILES: &str = "`ur help rules` describes rule files, with examples";

/// Returns the rules in the file that `text` names, or the error in them. Returns an outer error if the file cannot be read.
pub(crate) fn checked(text: &str) -> Result<Result<Rules>> {
    if !is_file(text) {
        return rules(text).map(Ok);
    }
    let source = match files::read(text) {
        // A file that is not text counts as a wrong rule file.
        Err(error) if is_no_text(&error) => return Ok(Err(error)),
        read => read?,
    };
    let parsed = RuleSet::from_toml(&source).map_err(anyhow::Error::from);
    let compiled = parsed.and_then(|rule_set| Ok(rule_set.compile()?));
    Ok(compiled.with_context(|| text.to_owned()))
}

fn is_no_text(error: &anyhow::Error) -> bool {
    let cause = error.root_cause().downcast_ref::<io::Error>();
    cause.is_some_and(|error| error.kind() == io::ErrorKind::InvalidData)
}

/// Returns the word for these rules in a command: the name of a preset, or `FILE.toml` for a file, which the user knows.
pub(crate) fn word(rule_set: &RuleSet) -> String {
    if rule_set.preset().is_some() { rule_set.to_string() } else { "FILE.toml".to_owned() }
}

/// Returns whether `text` names a rule file and not a preset.
pub(crate) fn is_file(text: &str) -> bool {
    text == "-" || kinds::is_named(text, "toml")
}

/// Returns the compiled rules that `text` names: a preset, a preset with a number of pieces, or a file.
///
/// # Errors
///
/// Returns an error if there are no such rules, or if they do not compile.
pub fn rules(text: &str) -> Result<Rules> {
    rule_set(text)?.compile().with_context(|| text.to_owned())
}

/// Returns the position in `text`, whose stacks may name tiles as on a chess board.
pub(crate) fn setup(text: &str) -> Result<Setup, SetupError> {
    let Some((squares, stacks)) = text.rsplit_once(':').filter(|(_, end)| end.contains('=')) else {
        return text.parse();
    };
    let ours = |stack: &str| {
        let (tile, pieces) = stack.split_once('=')?;
        Some(format!("{}={pieces}", Tile::from_chess_name(tile)?))
    };
    let stacks = stacks.split(',').map(|stack| ours(stack).unwrap_or_else(|| stack.to_owned()));
    let stacks: Vec<_> = stacks.collect();
    format!("{squares}:{}", stacks.join(",")).parse()
}

/// Returns the position that `text` describes, and its setup. A position that breaks the rules gives the answer no.
///
/// `named` is the user's text for the rules.
pub(crate) fn position(rules: &Rules, named: &str, text: &str) -> Result<(Position, Setup)> {
    let start = "the start is `-:-:L`; `ur help positions` describes positions";
    let setup = setup(text).hint(|| start)?;
    let position = rules.position(&setup).map_err(|error| {
        let name = shell_word(named);
        errors::no(error, format!("`ur rules show {name}` draws the board and its squares"))
    })?;
    Ok((position, setup))
}
