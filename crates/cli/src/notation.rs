//! Rule sets and positions as the user writes them.

use std::fs;
use std::io::{self, Read};

use anyhow::{Context, Result};
use puabi_core::{Player, Position, Roll, RuleSet, Rules, Setup};

use crate::complaint::{Advise, Complaint};

/// Returns the rule set that `text` names: a preset, a preset and a number of pieces, or a file.
pub(crate) fn rule_set(text: &str) -> Result<RuleSet> {
    if !is_file(text) {
        return text.parse().hint(|| "`ur rules` tells what each rule set is");
    }
    let source = if text == "-" {
        let mut source = String::new();
        io::stdin().read_to_string(&mut source).context("reading rules from stdin")?;
        source
    } else {
        fs::read_to_string(text).with_context(|| format!("reading {text}"))?
    };
    let parsed = RuleSet::from_toml(&source).with_context(|| text.to_owned());
    parsed.hint(|| "docs/rules.md describes rule files, with examples")
}

/// Returns whether `text` names a file of rules and no preset.
pub(crate) fn is_file(text: &str) -> bool {
    text == "-" || std::path::Path::new(text).extension().is_some_and(|end| end == "toml")
}

/// Returns the compiled rules that `text` names.
pub(crate) fn rules(text: &str) -> Result<Rules> {
    rule_set(text)?.compile().with_context(|| text.to_owned())
}

/// A position that the user asks about.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Asked {
    /// The position, seen by the player to roll or move.
    pub(crate) position: Position,
    /// Who that is.
    pub(crate) turn: Player,
    /// The roll, where one is given.
    pub(crate) roll: Option<Roll>,
}

/// Returns the position that `text` describes; one that breaks the rules is the answer no.
pub(crate) fn asked(rules: &Rules, text: &str) -> Result<Asked> {
    let start = "the start is `-:-:L`; docs/notation.md describes positions";
    let setup: Setup = text.parse().hint(|| start)?;
    let position = rules.position(&setup).map_err(|error| {
        let name = rules.rule_set();
        Complaint::answer(error)
            .hint(format!("`ur rules show {name}` draws the board and its squares"))
    })?;
    Ok(Asked { position, turn: setup.turn, roll: setup.roll })
}
