//! The files of pockets.

use std::fs::File;
use std::io;
use std::path::Path;

use anyhow::Result;
use puabi_core::RuleSet;
use puabi_engine::Pocket;
use puabi_tables::read_bytes;

use crate::errors::Advise;
use crate::files::kinds;

/// Returns whether `text` names a pocket: one that ships, or a file.
pub(crate) fn is_pocket(text: &str) -> bool {
    text == "pocket" || text.starts_with("pocket:") || kinds::is_named(text, kinds::POCKET)
}

/// Returns the bytes of the file of a pocket.
pub(super) fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    read_bytes(File::open(path)?, Pocket::MAX_BYTES)
}

/// Returns the pocket that `text` names as agents do, or by its file: `pocket` alone is the one that ships for finkel.
pub(crate) fn named(text: &str) -> Result<Pocket> {
    let shipped = Pocket::shipped(&RuleSet::FINKEL.compile()?).filter(|_| text == "pocket");
    shipped.map_or_else(|| open(text.strip_prefix("pocket:").unwrap_or(text).as_ref()), Ok)
}

/// Returns the pocket in the file at `path`.
pub(crate) fn open(path: &Path) -> Result<Pocket> {
    let bytes = bytes(path).doing("reading", path.display())?;
    Pocket::read(&bytes).doing("reading", path.display())
}
