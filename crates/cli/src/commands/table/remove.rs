//! Removing tables.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use puabi_tables::{Precision, Table, TableError, TableStore, is_unfinished, remove_table};

use crate::errors::{self, Advise};
use crate::output::asking::is_confirmed;
use crate::output::{Out, status};
use crate::tables::pockets;
use crate::{notation, tables};

pub(super) fn run(text: &str, yes: bool, out: &mut Out) -> Result<()> {
    let paths = targets(text)?;
    if paths.is_empty() {
        bail!("there is no table of {text}");
    }
    if !yes && !is_confirmed(paths.iter().map(|path| path.display()))? {
        status("nothing is removed");
        return errors::answer(false);
    }
    for path in paths {
        let was_there = remove_table(&path).doing("removing", path.display())?;
        let what = if was_there { "" } else { "what an unfinished solve left of " };
        writeln!(out, "removed {what}{}", path.display())?;
    }
    Ok(())
}

/// Returns the tables that `text` names and that exist, or of which an unfinished solve has left files.
fn targets(text: &str) -> Result<Vec<PathBuf>> {
    if tables::is_table_file(text) {
        let path = PathBuf::from(text);
        if path.exists() || !is_unfinished(&path) {
            path.metadata().doing("removing", text)?;
            ensure_table(&path)?;
        }
        return Ok(vec![path]);
    }
    let (library, rule_set) = (tables::library()?, notation::rule_set(text)?);
    let paths = Precision::ALL.map(|precision| library.store().path(&rule_set, precision));
    Ok(paths.into_iter().filter(|path| path.is_file() || is_unfinished(path)).collect())
}

/// Refuses a file that has neither the name nor the first bytes of a table.
fn ensure_table(path: &Path) -> Result<()> {
    let names = [TableStore::EXTENSION, tables::FOREIGN, pockets::EXTENSION];
    let is_named = path.extension().is_some_and(|end| names.iter().any(|name| end == *name));
    let is_none = |error: &TableError| {
        matches!(
            error,
            TableError::Foreign | TableError::Truncated { .. } | TableError::Unreadable(_)
        )
    };
    match Table::open(path) {
        Err(error) if !is_named && is_none(&error) => Err(error)
            .doing("removing", path.display())
            .hint(|| "expected a table; other files are not removed"),
        _ => Ok(()),
    }
}
