//! The files of pockets.

use std::path::Path;

use anyhow::Result;
use puabi_engine::Pocket;

use crate::errors::Advise;
use crate::files;

/// The end of the names of pockets' files.
pub(crate) const EXTENSION: &str = "pocket";

/// The most bytes of a pocket that are read.
pub(super) const MOST: u64 = 1 << 30;

/// Returns whether `text` names a pocket: one that ships, or a file.
pub(crate) fn is_pocket(text: &str) -> bool {
    text == "pocket"
        || text.starts_with("pocket:")
        || Path::new(text).extension().is_some_and(|end| end == EXTENSION)
}

/// Returns the pocket in the file at `path`.
pub(crate) fn open(path: &Path) -> Result<Pocket> {
    let bytes = files::bytes_at(path, MOST).doing("reading", path.display())?;
    Pocket::read(&bytes).doing("reading", path.display())
}
