//! Questions before something is lost.

use std::fmt::Display;
use std::io::{self, BufRead, IsTerminal};

use anyhow::{Result, anyhow};

use crate::errors::Advise;
use crate::output::status;

/// Shows what would be removed, one line each, asks the user, and returns whether the user agrees.
///
/// # Errors
///
/// Returns an error if stdin is not a terminal, so that there is no user to ask.
pub(crate) fn is_confirmed(removed: impl IntoIterator<Item = impl Display>) -> Result<bool> {
    if !io::stdin().is_terminal() {
        return Err(anyhow!("cannot ask for confirmation: stdin is not a terminal"))
            .hint(|| "--yes does not ask");
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
