//! Text files, and files that are written as a whole or not at all.

pub(crate) mod kinds;
pub(crate) mod records;

use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow, bail};
use puabi_core::Record;
use puabi_tables::{directory, read_text, write_whole};

use crate::errors::Advise;

/// Reads the text file at `path`, or stdin if that is `-`.
pub(crate) fn read(path: impl AsRef<Path>) -> Result<String> {
    let path = path.as_ref();
    text_at(path).doing("reading", path.display())
}

/// Reads the text file at `path`, or stdin, up to the length of the longest game record: no text is longer, but some files have no
/// end. Leaves out the byte order mark that some editors write before UTF-8.
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

/// Checks, before work that may take long, that its result can be written at `path`: to a file, in a folder that exists.
pub(crate) fn ensure_name(path: &Path) -> Result<()> {
    let (place, folder) = (path.display(), directory(path));
    if path == "-" {
        bail!("`-` is stdout, which has the result in words: expected the name of a file");
    }
    if path.is_dir() {
        bail!("{place} is a folder: expected the name of a file");
    }
    if !folder.is_dir() {
        bail!("there is no folder {}: expected one for {place}", folder.display());
    }
    Ok(())
}

/// Checks that a file of this `kind` may be written at `path`: that nothing is there, or an empty file, or a file of the same
/// kind. `is_kind` decides from the first bytes of a file whether it is of this kind.
pub(crate) fn ensure_replaceable(
    path: &Path,
    kind: &str,
    is_kind: impl Fn(&[u8]) -> bool,
) -> Result<()> {
    let found = match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Ok(data) if data.is_file() => File::open(path).and_then(|file| {
            let mut start = Vec::new();
            file.take(16).read_to_end(&mut start).map(|_| Some(start))
        }),
        // Anything but a regular file may have no end, or wait until another process writes to it.
        other => other.map(|_| None),
    };
    match found.doing("reading", path.display())? {
        Some(start) if start.is_empty() || is_kind(&start) => Ok(()),
        _ => {
            Err(anyhow!("{} exists and is not a {kind}: only a {kind} is replaced", path.display()))
                .hint(|| "name another file, or move that one away")
        }
    }
}

/// Checks, as [`ensure_name`] does, the name of a result that is made from `inputs`. The name must be neither that of an input nor
/// that of another kind of file. `wanted` says what the result is, with an example of a name.
pub(crate) fn ensure_result(path: &Path, wanted: &str, inputs: &[String]) -> Result<()> {
    ensure_name(path)?;
    ensure_other(path, inputs)?;
    kinds::ensure_no_other(path, wanted)
}

/// Checks the name of a page or a picture, as [`ensure_result`] does, and that it replaces nothing but another one.
pub(crate) fn ensure_picture(path: &Path, wanted: &str, inputs: &[String]) -> Result<()> {
    ensure_result(path, wanted, inputs)?;
    ensure_replaceable(path, "page or picture", |start| start.starts_with(b"<"))
}

/// Returns an error if the file is one of `inputs`, which may include other files that are written.
pub(crate) fn ensure_other(path: &Path, inputs: &[String]) -> Result<()> {
    let Ok(there) = place(path) else { return Ok(()) };
    let is_there = |input: &&String| place(Path::new(input)).is_ok_and(|it| it == there);
    match inputs.iter().filter(|input| *input != "-").find(is_there) {
        Some(input) => bail!("{input} would be written over itself: expected another name"),
        None => Ok(()),
    }
}

/// Returns the resolved form of a path, whether or not there is a file yet.
fn place(path: &Path) -> io::Result<PathBuf> {
    let name = path.file_name().unwrap_or_default();
    path.canonicalize().or_else(|_| Ok(directory(path).canonicalize()?.join(name)))
}

/// Returns the target of a symbolic link at `path`, or else the path.
///
/// # Errors
///
/// Returns an error if the link leads nowhere.
pub fn followed(path: &Path) -> Result<PathBuf> {
    if !path.is_symlink() {
        return Ok(path.to_owned());
    }
    path.canonicalize().doing("following", path.display())
}

/// Writes the text file at `path` as a whole or not at all.
pub(crate) fn write(path: &Path, text: &str) -> Result<()> {
    write_with(path, |file| Ok(file.write_all(text.as_bytes())?))
}

/// Writes the text file at `path`, where there is at most a file that a killed run of the same command has left. Does not wait
/// until the text is on the disk: the file can be made again, and there may be thousands of files.
pub(crate) fn write_again(path: &Path, text: &str) -> Result<()> {
    let written = fs::write(path, text);
    if written.is_err() {
        // Half a file is of no use.
        let _ = fs::remove_file(path);
    }
    written.doing("writing", path.display())
}

/// Writes the file at `path` by `write`, as a whole or not at all. If that fails, a file that was there stays unchanged. Anything
/// that is not a file, such as a device, is written to directly.
pub(crate) fn write_with(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<&mut File>) -> Result<()>,
) -> Result<()> {
    match write_at(path, write) {
        Err(error) if error.is::<io::Error>() => Err(error).doing("writing", path.display()),
        // Other errors come from `write` and have their own words.
        written => written,
    }
}

/// Writes a file as [`write_with`] does; its errors do not name the file.
pub(crate) fn write_at(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<&mut File>) -> Result<()>,
) -> Result<()> {
    let fill = |file: &mut File| {
        let mut file = BufWriter::new(file);
        write(&mut file)?;
        Ok(file.flush()?)
    };
    // Only a file that may be written to is replaced, and a link to it still leads to the new file.
    match File::options().write(true).open(path) {
        Ok(mut there) => match there.metadata()? {
            data if data.is_file() => write_whole(&path.canonicalize()?, |file| {
                file.set_permissions(data.permissions())?;
                fill(file)
            }),
            _ => fill(&mut there),
        },
        Err(error) if error.kind() == io::ErrorKind::NotFound => write_whole(path, fill),
        Err(error) => Err(error.into()),
    }
}

/// Creates a folder and those above it, unless they exist.
///
/// # Errors
///
/// Returns an error if the system does not allow it, or if `folder` is `-`.
pub fn create_folder(folder: &Path) -> Result<()> {
    if folder == "-" {
        bail!("`-` is stdout: expected the name of a folder");
    }
    fs::create_dir_all(folder).doing("creating", folder.display())
}
