//! Removing tables.

use std::io::{self, BufRead, IsTerminal, Write};
use std::path::PathBuf;

use anyhow::{Context, Result, anyhow, bail};
use puabi_tables::remove_table;

use crate::errors::Advise;
use crate::output::{Outcome, status};
use crate::{notation, tables};

pub(super) fn run(text: &str, yes: bool, out: &mut dyn Write) -> Result<Outcome> {
    let paths = targets(text)?;
    if paths.is_empty() {
        bail!("there is no table of {text}");
    }
    if !yes && !confirmed(&paths)? {
        status("nothing is removed");
        return Ok(Outcome::No);
    }
    for path in paths {
        remove_table(&path).with_context(|| format!("removing {}", path.display()))?;
        writeln!(out, "removed {}", path.display())?;
    }
    Ok(Outcome::Done)
}

/// Returns the files that `text` names and that exist.
fn targets(text: &str) -> Result<Vec<PathBuf>> {
    if tables::is_table_file(text) {
        let path = PathBuf::from(text);
        path.metadata().with_context(|| format!("removing {text}"))?;
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
