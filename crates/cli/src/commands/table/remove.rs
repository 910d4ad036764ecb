//! Removing tables.

use std::path::PathBuf;

use anyhow::{Result, bail};
use puabi_tables::remove_table;

use crate::errors::{self, Advise};
use crate::output::asking::is_confirmed;
use crate::output::{Out, status};
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
        remove_table(&path).doing("removing", path.display())?;
        writeln!(out, "removed {}", path.display())?;
    }
    Ok(())
}

/// Returns the files that `text` names and that exist.
fn targets(text: &str) -> Result<Vec<PathBuf>> {
    if tables::is_table_file(text) {
        let path = PathBuf::from(text);
        path.metadata().doing("removing", text)?;
        return Ok(vec![path]);
    }
    let (library, rule_set) = (tables::library()?, notation::rule_set(text)?);
    Ok(library.store().paths(&rule_set).collect())
}
