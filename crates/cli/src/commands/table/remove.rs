//! Removing tables.

use std::io::{self, BufRead, IsTerminal};
use std::path::PathBuf;

use anyhow::{Result, anyhow, bail};
use puabi_tables::remove_table;

use crate::errors::{self, Advise};
use crate::output::{Out, status};
use crate::{notation, tables};

pub(super) fn run(text: &str, yes: bool, out: &mut Out) -> Result<()> {
    let paths = targets(text)?;
    if paths.is_empty() {
        bail!("there is no table of {text}");
    }
    if !yes && !confirmed(&paths)? {
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

fn confirmed(paths: &[PathBuf]) -> Result<bool> {
    if !io::stdin().is_terminal() {
        return Err(anyhow!("nobody can be asked whether to remove")).hint(|| "--yes does not ask");
    }
    for path in paths {
        status(path.display());
    }
    status("remove? y or n");
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer)?;
    Ok(matches!(answer.trim(), "y" | "yes"))
}
