//! Game records in any notation, from files and from stdin.

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use anyhow::{Context, Result, bail};
use puabi_core::{Record, RuleSet};
use puabi_formats::{Notation, Reading};

use crate::complaint::{Advise, Complaint};
use crate::notation;

/// How a record's rules are named where it does not name them itself.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Rules {
    /// The rules of a record that names none, or none that are known
    #[arg(long, value_name = "RULES")]
    rules: Option<String>,
}

impl Rules {
    /// Returns the rule set, where one is given.
    pub(crate) fn rule_set(&self) -> Result<Option<RuleSet>> {
        self.rules.as_deref().map(notation::rule_set).transpose()
    }
}

/// Reads the text of the file at `path`, or of stdin where that is `-`.
pub(crate) fn text(path: &str) -> Result<String> {
    let reading = || format!("reading {path}");
    let mut text = String::new();
    // One byte more than is read tells that there is too much.
    let limit = Record::MAX_BYTES as u64 + 1;
    let read = if path == "-" {
        io::stdin().take(limit).read_to_string(&mut text)
    } else {
        fs::File::open(path).with_context(reading)?.take(limit).read_to_string(&mut text)
    };
    read.with_context(reading)?;
    Ok(text)
}

/// Returns the notation of a file by its name, or else by its text.
pub(crate) fn notation_of(path: &str, text: &str) -> Notation {
    Notation::of_name(path).unwrap_or_else(|| Notation::of_text(text))
}

/// Reads the game at `path`; one that breaks the rules is the answer no.
pub(crate) fn read(path: &str, rules: Option<&RuleSet>) -> Result<Reading> {
    let text = text(path)?;
    let notation = notation_of(path, &text);
    notation.read(&text, rules).map_err(|error| {
        Complaint::answer(anyhow::Error::new(error).context(path.to_owned()))
            .hint(format!("read as {notation}; docs/notation.md describes game records"))
            .into()
    })
}

/// Returns the files of games in a folder, by name.
pub(crate) fn in_folder(folder: &Path) -> Result<Vec<String>> {
    let reading = || format!("reading {}", folder.display());
    let mut games = Vec::new();
    for entry in folder.read_dir().with_context(reading)? {
        let path = entry.with_context(reading)?.path();
        let name = path.to_string_lossy().into_owned();
        if path.is_file() && Notation::of_name(&name).is_some() {
            games.push(name);
        }
    }
    games.sort_unstable();
    if games.is_empty() {
        let error: Result<_, _> = Err(anyhow::anyhow!("{} holds no games", folder.display()));
        return error.hint(|| "expected files ending in .urg, .rgn, .json or .ur");
    }
    Ok(games)
}

/// Writes `text` to the file at `path`, or to `out` where that is `-`.
pub(crate) fn write(path: &str, text: &str, out: &mut dyn io::Write) -> Result<()> {
    if path == "-" {
        return Ok(out.write_all(text.as_bytes())?);
    }
    if Path::new(path).is_dir() {
        bail!("{path} is a folder: expected the name of a file");
    }
    fs::write(path, text).with_context(|| format!("writing {path}"))
}
