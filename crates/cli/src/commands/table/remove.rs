//! Removing tables.

use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow};
use puabi_core::RuleSet;
use puabi_tables::{
    CubeTables, Precision, Table, TableError, TableStore, is_unfinished, remove_table,
};

use crate::errors::{self, Advise};
use crate::files::kinds;
use crate::output::asking::is_confirmed;
use crate::output::{Out, status};
use crate::{notation, tables};

pub(super) fn run(text: &str, yes: bool, out: &mut Out) -> Result<()> {
    let Targets { tables, of_cube, cube } = targets(text)?;
    if tables.is_empty() && of_cube.is_empty() {
        return Err(anyhow!("there is no table of {text}"))
            .hint(|| "`ur table list` shows what is there");
    }
    if !yes && !is_confirmed(tables.iter().chain(&of_cube).map(|path| path.display()))? {
        status("nothing is removed");
        return errors::answer(false);
    }
    for path in tables {
        let was_there = remove_table(&path).doing("removing", path.display())?;
        let what = if was_there { "" } else { "what an unfinished solve left of " };
        writeln!(out, "removed {what}{}", path.display())?;
    }
    if let Some((store, rule_set)) = cube.filter(|_| !of_cube.is_empty()) {
        for path in CubeTables::remove(&store, &rule_set).doing("removing cubes of", text)? {
            writeln!(out, "removed {}", path.display())?;
        }
    }
    Ok(())
}

/// The tables to remove.
#[derive(Default)]
struct Targets {
    /// Tables that exist, or of which an unfinished solve has left files.
    tables: Vec<PathBuf>,
    /// The tables of the game with a cube.
    of_cube: Vec<PathBuf>,
    /// The store and the rules of the tables in `of_cube`, if the user named the game and not a file.
    cube: Option<(TableStore, RuleSet)>,
}

/// Returns the tables that `text` names.
fn targets(text: &str) -> Result<Targets> {
    if tables::is_table_file(text) {
        let path = PathBuf::from(text);
        if path.exists() || !is_unfinished(&path) {
            path.metadata().doing("removing", text)?;
            ensure_table(&path)?;
        }
        return Ok(Targets { tables: vec![path], ..Targets::default() });
    }
    let (library, rule_set) = (tables::library()?, notation::rule_set(text)?);
    let paths = Precision::ALL.map(|precision| library.store().path(&rule_set, precision));
    let tables = paths.into_iter().filter(|path| path.is_file() || is_unfinished(path)).collect();
    let store = library.store().clone();
    let of_cube = CubeTables::paths(&store, &rule_set)
        .doing("reading", CubeTables::folder(&store, &rule_set).display())?;
    Ok(Targets { tables, of_cube, cube: Some((store, rule_set)) })
}

/// Refuses a file that has neither the name nor the first bytes of a table.
fn ensure_table(path: &Path) -> Result<()> {
    let names = [TableStore::EXTENSION, kinds::FOREIGN_TABLE, kinds::POCKET];
    let is_named = names.iter().any(|end| kinds::is_named(path, end));
    let is_none = |error: &TableError| {
        matches!(
            error,
            TableError::Foreign | TableError::Truncated { .. } | TableError::Unreadable(_)
        )
    };
    match Table::open_any(path) {
        Err(error) if !is_named && is_none(&error) => Err(error)
            .doing("removing", path.display())
            .hint(|| "expected a table; other files are not removed"),
        _ => Ok(()),
    }
}
