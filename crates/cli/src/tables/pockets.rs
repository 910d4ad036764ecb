//! The files of pockets.

use std::fs::File;
use std::io;
use std::path::Path;

use anyhow::Result;
use puabi_engine::Pocket;
use puabi_tables::read_bytes;

use crate::errors::Advise;
use crate::files::kinds::POCKET;

/// Returns whether `text` names a pocket: one that ships, or a file.
pub(crate) fn is_pocket(text: &str) -> bool {
    text == "pocket"
        || text.starts_with("pocket:")
        || Path::new(text).extension().is_some_and(|end| end == POCKET)
}

/// Returns what is in the file of a pocket.
pub(super) fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    read_bytes(File::open(path)?, Pocket::MAX_BYTES)
}

/// Returns the pocket in the file at `path`.
pub(crate) fn open(path: &Path) -> Result<Pocket> {
    let bytes = bytes(path).doing("reading", path.display())?;
    Pocket::read(&bytes).doing("reading", path.display())
}
