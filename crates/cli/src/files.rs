//! Text files, and files that are written as a whole or not at all.

pub(crate) mod records;

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use anyhow::{Context, Error, Result};
use puabi_tables::write_whole;

/// Reads the text file at `path`.
pub(crate) fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))
}

/// Writes the text file at `path`.
pub(crate) fn write(path: &Path, text: &str) -> Result<()> {
    fs::write(path, text).with_context(|| format!("writing {}", path.display()))
}

/// Writes the text file at `path` as a whole or not at all.
pub(crate) fn replace(path: &Path, text: &str) -> Result<()> {
    replace_with(path, |file| Ok(file.write_all(text.as_bytes())?))
}

/// Writes the file at `path` by `write`, as a whole or not at all.
pub(crate) fn replace_with(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<&mut File>) -> Result<()>,
) -> Result<()> {
    let written = write_whole(path, |file| {
        let mut file = BufWriter::new(file);
        write(&mut file)?;
        Ok(file.flush()?)
    });
    // Other errors are those of `write`, which have their own words.
    written.map_err(|error: Error| {
        let context = format!("writing {}", path.display());
        if error.is::<io::Error>() { error.context(context) } else { error }
    })
}

/// Creates a folder and those above it, unless they exist.
pub(crate) fn create_folder(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("creating {}", folder.display()))
}

/// Returns the folder of the file at `path`.
pub(crate) fn folder(path: &Path) -> &Path {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}
