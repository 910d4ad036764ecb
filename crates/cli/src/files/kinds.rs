//! Kinds of files, by the ends of their names.

use std::path::Path;

use anyhow::{Result, anyhow};
use puabi_formats::Notation;
use puabi_tables::TableStore;

use crate::errors::Advise;

/// The end of the names of other programs' tables.
pub(crate) const FOREIGN_TABLE: &str = "rgu";
/// The end of the names of pockets' files.
pub(crate) const POCKET: &str = "pocket";

/// Refuses a name that is one of another kind of file than what is `wanted`, as in "the table, such as finkel.urt".
pub(crate) fn ensure_no_other(path: &Path, wanted: &str) -> Result<()> {
    let end = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    let (kind, hint) = match &*end {
        TableStore::EXTENSION => ("a table", "`ur solve` makes one"),
        FOREIGN_TABLE => ("a table of other programs", "`ur convert finkel finkel.rgu` writes one"),
        POCKET => ("a pocket", "`ur table pocket` makes one"),
        "urr" => ("a best response", "`ur exploit` finds one"),
        "toml" => ("a rule file", "`ur help rules` describes them"),
        _ if Notation::of_name(&format!(".{end}")).is_some() => {
            ("a game", "`ur convert` writes games")
        }
        _ => return Ok(()),
    };
    Err(anyhow!("{} is named as {kind}: expected a name for {wanted}", path.display()))
        .hint(|| hint)
}
