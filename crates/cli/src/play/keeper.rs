//! Where a game of this terminal is kept: in the archive beside the games of the page, or in a file that the user names.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use puabi_core::Record;
use puabi_formats::Notation;
use puabi_server::{ArchiveError, BlockingArchive};
use puabi_tables::write_whole;

use crate::errors::{self, Advise};
use crate::{files, tables};

/// What keeps a game.
#[derive(Debug)]
pub(crate) enum Keeper {
    /// A file.
    File(KeptFile),
    /// The archive of a data directory.
    Archive(Box<Archived>),
}

/// A file for a game.
#[derive(Debug)]
pub(crate) struct KeptFile {
    pub(crate) path: PathBuf,
    /// Whether the game lies there. What lay there before is another one.
    is_kept: bool,
}

/// A game's place in the archive.
#[derive(Debug)]
pub(crate) struct Archived {
    data: PathBuf,
    /// Opened when there is something to keep.
    archive: Option<BlockingArchive>,
    /// The number of the game, and its record there.
    kept: Option<(i64, Record)>,
}

impl Keeper {
    /// Returns the archive as the place of a new game.
    pub(crate) fn archive() -> Result<Self> {
        let archived = Archived { data: tables::data_directory()?, archive: None, kept: None };
        Ok(Self::Archive(archived.into()))
    }

    /// Returns a file as the place of a new game, unless it is no file for game records.
    pub(crate) fn file(path: &Path) -> Result<Self> {
        ensure_for_records(path)?;
        Ok(Self::File(KeptFile { path: path.to_owned(), is_kept: false }))
    }

    /// Returns the game that was kept at `place`, a number in the archive or a file, and what keeps it from now on.
    pub(crate) fn resume(place: &str) -> Result<(Record, Self)> {
        let Ok(id) = place.parse() else {
            let path = PathBuf::from(place);
            return Ok((read_file(&path)?, Self::File(KeptFile { path, is_kept: true })));
        };
        let record = read(id)?;
        let kept = Some((id, record.clone()));
        let archived = Archived { data: tables::data_directory()?, archive: None, kept };
        Ok((record, Self::Archive(archived.into())))
    }

    /// Returns what keeps the next game of a match.
    pub(crate) fn next(&self) -> Self {
        match self {
            Self::File(file) => {
                Self::File(KeptFile { path: next_file(&file.path), is_kept: false })
            }
            Self::Archive(archived) => {
                let (data, archive, kept) = (archived.data.clone(), None, None);
                Self::Archive(Archived { data, archive, kept }.into())
            }
        }
    }

    /// Keeps how the game stands.
    pub(crate) fn keep(&mut self, record: &Record) -> Result<()> {
        match self {
            Self::File(file) => {
                write(&file.path, record)?;
                file.is_kept = true;
                Ok(())
            }
            Self::Archive(archived) => archived.keep(record),
        }
    }

    /// Removes what is kept, if anything is.
    pub(crate) fn forget(&mut self) -> Result<()> {
        match self {
            Self::File(KeptFile { path, is_kept }) if *is_kept => {
                *is_kept = false;
                fs::remove_file(&*path).doing("removing", path.display())
            }
            Self::File(_) => Ok(()),
            Self::Archive(archived) => archived.forget(),
        }
    }

    /// Returns where the game is kept, as [`resume`](Self::resume) takes it; `None` if nothing is kept yet.
    pub(crate) fn place(&self) -> Option<String> {
        match self {
            Self::File(file) => file.is_kept.then(|| file.path.display().to_string()),
            Self::Archive(archived) => archived.kept.as_ref().map(|(id, _)| id.to_string()),
        }
    }

    /// Returns whether games are kept in the archive.
    pub(crate) const fn is_archive(&self) -> bool {
        matches!(self, Self::Archive(_))
    }
}

impl Archived {
    fn keep(&mut self, record: &Record) -> Result<()> {
        let archive = match &mut self.archive {
            Some(archive) => archive,
            closed => closed.insert(open_at(&self.data)?),
        };
        let id = match &self.kept {
            Some((_, before)) if before == record => return Ok(()),
            Some((id, before)) => {
                archive.update(*id, before, record)?;
                *id
            }
            None => archive.insert(record)?,
        };
        self.kept = Some((id, record.clone()));
        Ok(())
    }

    fn forget(&mut self) -> Result<()> {
        match (&self.archive, self.kept.take()) {
            (Some(archive), Some((id, _))) => Ok(archive.remove(id)?),
            _ => Ok(()),
        }
    }
}

/// Returns the file of the next game of a match whose game is kept at `path`: `five.urg`, then `five-game2.urg`.
fn next_file(path: &Path) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let (name, game) = match stem.rsplit_once("-game") {
        Some((name, game)) => (name, game.parse().unwrap_or(1)),
        None => (&*stem, 1u32),
    };
    let next = path.with_file_name(format!("{name}-game{}", game.saturating_add(1)));
    match path.extension() {
        Some(extension) => next.with_extension(extension),
        None => next,
    }
}

/// Reads the game at `path`.
pub(crate) fn read_file(path: &Path) -> Result<Record> {
    let record = files::read(path)?.parse().with_context(|| path.display().to_string());
    record.hint(|| "`ur help records` describes game records")
}

/// Opens the archive of the user.
pub(crate) fn open() -> Result<BlockingArchive> {
    open_at(&tables::data_directory()?)
}

/// Opens the archive of the user to read games, which works although nothing can be kept.
pub(crate) fn open_to_read() -> Result<BlockingArchive> {
    let data = tables::data_directory()?;
    BlockingArchive::open_to_read(&data).doing("opening the archive in", data.display())
}

/// Returns the game of this number in the archive of the user.
pub(crate) fn read(id: i64) -> Result<Record> {
    found(open_to_read()?.record(id))
}

fn open_at(data: &Path) -> Result<BlockingArchive> {
    BlockingArchive::open(data).doing("opening the archive in", data.display())
}

/// Turns a missing game into the answer no.
pub(crate) fn found<T>(result: Result<T, ArchiveError>) -> Result<T> {
    match result {
        Err(error @ ArchiveError::Missing { .. }) => {
            Err(errors::no(error, "`ur games list` shows what is there"))
        }
        result => Ok(result?),
    }
}

/// Refuses a path that holds something that is no game, or that is named as one of another notation.
fn ensure_for_records(path: &Path) -> Result<()> {
    let place = path.display();
    if let Some(notation) =
        Notation::of_name(&path.to_string_lossy()).filter(|it| *it != Notation::Urg)
    {
        return Err(anyhow!(
            "{place} is named as {notation}, and games are kept as {}",
            Notation::Urg
        ))
        .hint(|| "expected a name that ends with .urg; `ur convert` writes the others");
    }
    let Ok(data) = path.metadata() else { return Ok(()) };
    if !data.is_file() {
        bail!("{place} is no file: expected the name of one for the game");
    }
    let text = files::text_at(path).unwrap_or_default();
    if data.len() > 0 && text.parse::<Record>().is_err() {
        bail!("{place} holds something that is no game: expected another name");
    }
    Ok(())
}

/// Writes a game to a file; a game that was there before is replaced as a whole.
pub(crate) fn write(path: &Path, record: &Record) -> Result<()> {
    ensure_for_records(path)?;
    let text = record.to_string();
    let made = fs::create_dir_all(files::folder(path));
    let kept = made.and_then(|()| write_whole(path, |file| file.write_all(text.as_bytes())));
    kept.doing("keeping the game in", path.display())
}
