//! Questions before something is lost.

use std::fmt::Display;
use std::io::{self, BufRead, IsTerminal};

use anyhow::{Result, anyhow};

use crate::errors::Advise;
use crate::output::status;

/// Shows what would be removed, a line each, and returns whether it may be.
///
/// # Errors
///
/// Returns an error if nobody can be asked.
pub(crate) fn is_confirmed(removed: impl IntoIterator<Item = impl Display>) -> Result<bool> {
    if !io::stdin().is_terminal() {
        return Err(anyhow!("nobody can be asked whether to remove")).hint(|| "--yes does not ask");
    }
    for what in removed {
        status(what);
    }
    is_agreed("remove? y or n")
}

/// Asks a question, and returns whether the answer is yes.
pub(crate) fn is_agreed(question: impl Display) -> Result<bool> {
    status(question);
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer)?;
    Ok(matches!(answer.trim(), "y" | "yes" | "j" | "ja"))
}
