//! Text files, and files that are written as a whole or not at all.

pub(crate) mod records;

use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::Path;

use anyhow::Result;
use puabi_core::Record;
use puabi_tables::{read_text, write_whole};

use crate::errors::Advise;

/// Reads the text file at `path`, or stdin if that is `-`.
pub(crate) fn read(path: impl AsRef<Path>) -> Result<String> {
    let path = path.as_ref();
    text_at(path).doing("reading", path.display())
}

/// Reads the text file at `path`, or stdin, up to the length of the longest game record: no text is longer, but some files have
/// no end. The mark that some editors write before UTF-8 is left out.
pub(crate) fn text_at(path: &Path) -> io::Result<String> {
    let text = if path == "-" {
        read_text(io::stdin(), Record::MAX_BYTES)
    } else {
        read_text(File::open(path)?, Record::MAX_BYTES)
    };
    let text = text?;
    Ok(match text.strip_prefix('\u{feff}') {
        Some(rest) => rest.to_owned(),
        None => text,
    })
}

/// Reads the file at `path`, which has at most so many bytes: some files have no end.
pub(crate) fn bytes_at(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(io::Error::other(format!("it is longer than {most} bytes")));
    }
    Ok(bytes)
}

/// Writes the text file at `path`; half a file does not stay.
pub(crate) fn write(path: &Path, text: &str) -> Result<()> {
    let written = fs::write(path, text);
    // A device stays in any case.
    if written.is_err() && path.symlink_metadata().is_ok_and(|data| data.is_file()) {
        let _ = fs::remove_file(path);
    }
    written.doing("writing", path.display())
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
    let written: Result<()> = write_whole(path, |file| {
        let mut file = BufWriter::new(file);
        write(&mut file)?;
        Ok(file.flush()?)
    });
    match written {
        Err(error) if error.is::<io::Error>() => Err(error).doing("writing", path.display()),
        // Other errors are those of `write`, which have their own words.
        written => written,
    }
}

/// Creates a folder and those above it, unless they exist.
pub(crate) fn create_folder(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).doing("creating", folder.display())
}

/// Returns the folder of the file at `path`.
pub(crate) fn folder(path: &Path) -> &Path {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}
