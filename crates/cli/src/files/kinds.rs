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

/// Returns whether the name of a file has this end, in letters of either case.
pub(crate) fn is_named(path: impl AsRef<Path>, end: &str) -> bool {
    path.as_ref().extension().is_some_and(|found| found.eq_ignore_ascii_case(end))
}

/// Returns whether a file is named after a table, with one more end.
fn is_beside_table(path: &Path) -> bool {
    path.file_stem().is_some_and(|table| is_named(table, TableStore::EXTENSION))
}

/// Returns an error if the name is that of another kind of file. `wanted` describes the right kind with an example, as in "the
/// table, such as finkel.urt"; the end of the example is the end that the name may have.
pub(crate) fn ensure_no_other(path: &Path, wanted: &str) -> Result<()> {
    let end = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    if wanted.ends_with(&format!(".{end}")) {
        return Ok(());
    }
    let (kind, hint) = match &*end {
        TableStore::EXTENSION => ("a table", "`ur solve` makes one"),
        FOREIGN_TABLE => ("a table of other programs", "`ur convert finkel finkel.rgu` writes one"),
        POCKET => ("a pocket", "`ur table pocket` makes one"),
        "part" | "journal" | "lock" if is_beside_table(path) => {
            ("what a solve keeps beside its table", "`ur solve` makes and removes it")
        }
        "urr" => ("a best response", "`ur exploit` finds one"),
        "toml" => ("a rule file", "`ur help rules` describes them"),
        _ if Notation::from_file_name(&format!(".{end}")).is_some() => {
            ("a game", "`ur convert` writes games")
        }
        _ => return Ok(()),
    };
    Err(anyhow!("{} is named as {kind}: expected a name for {wanted}", path.display()))
        .hint(|| hint)
}
