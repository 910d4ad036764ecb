//! Game records in any notation, from files and from stdin.

use std::io;
use std::path::Path;

use anyhow::{Result, bail};
use puabi_core::RuleSet;
use puabi_formats::{Notation, Reading};

use crate::errors::{self, Advise};
use crate::files;
use crate::output::{Out, text};

/// Returns the notation that the name of a file ends with, or else the notation of its text.
pub(crate) fn notation_of(path: &str, text: &str) -> Notation {
    Notation::from_file_name(path).unwrap_or_else(|| Notation::guess(text))
}

/// Reads the game at `path`; a game that breaks the rules is the answer no.
pub(crate) fn read(path: &str, rules: Option<&RuleSet>) -> Result<Reading> {
    let text = files::read(path)?;
    let notation = notation_of(path, &text);
    notation.read(&text, rules).map_err(|error| {
        errors::no(
            anyhow::Error::new(error).context(path.to_owned()),
            format!("read as {notation}; `ur help records` describes game records"),
        )
    })
}

/// Returns the text that says how many more remarks there are than are shown.
pub(crate) fn more(remarks: usize) -> String {
    format!("and {} more", text::counted(remarks as u64, "remark", "remarks"))
}

/// Returns the game files in a folder, sorted by name.
pub(crate) fn in_folder(folder: &Path) -> Result<Vec<String>> {
    let entries = folder.read_dir().and_then(Iterator::collect::<io::Result<Vec<_>>>);
    let paths = entries.doing("reading", folder.display())?.into_iter().map(|it| it.path());
    let names = paths.filter(|it| it.is_file()).map(|it| it.to_string_lossy().into_owned());
    let mut games: Vec<_> = names.filter(|name| Notation::from_file_name(name).is_some()).collect();
    games.sort_unstable();
    if games.is_empty() {
        return Err(anyhow::anyhow!("{} holds no games", folder.display()))
            .hint(|| "expected files ending in .urg, .rgn, .json or .ur");
    }
    Ok(games)
}

/// Writes `text` to the file at `path`, or to `out` if that is `-`.
pub(crate) fn write(path: &str, text: &str, out: &mut Out) -> Result<()> {
    if path == "-" {
        return out.bytes(text.as_bytes());
    }
    if Path::new(path).is_dir() {
        bail!("{path} is a folder: expected the name of a file");
    }
    files::write(Path::new(path), text)
}
