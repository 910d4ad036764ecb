//! The place where a game of this terminal is kept: the archive, beside the games of the page, or a file that the user names.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use puabi_core::Record;
use puabi_formats::Notation;
use puabi_server::{ArchiveError, BlockingArchive};
use puabi_tables::directory;

use crate::errors::{self, Advise};
use crate::{files, tables};

/// The place where a game is kept.
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
    /// The text of the file before this program wrote it, if there was a file.
    before: Option<String>,
    /// Whether `before` is this game, which goes on.
    is_resumed: bool,
    /// The text that this program has written there last.
    written: Option<String>,
}

/// A game's place in the archive.
#[derive(Debug)]
pub(crate) struct Archived {
    data: PathBuf,
    /// Opened when there is something to keep.
    archive: Option<BlockingArchive>,
    /// The number of the game, and its record there.
    kept: Option<(i64, Record)>,
    /// The record in the archive before this program went on with the game.
    before: Option<Record>,
    /// The previous game of the match, whose record names this game once this game is kept.
    previous: Option<(i64, Record)>,
}

impl Keeper {
    /// Returns the archive as the place of a new game.
    pub(crate) fn archive() -> Result<Self> {
        Ok(Self::Archive(Archived::at(tables::data_directory()?).into()))
    }

    /// Returns a file as the place of a new game, or an error if it is not a file for game records.
    pub(crate) fn file(path: &Path) -> Result<Self> {
        ensure_for_records(path)?;
        Ok(Self::File(KeptFile::at(path.to_owned())))
    }

    /// Returns the game that was kept at `place`, a number in the archive or a file, and the keeper for it from now on.
    pub(crate) fn resume(place: &str) -> Result<(Record, Self)> {
        if place == "-" {
            bail!("the game cannot come from stdin: that is where your moves come from");
        }
        let Ok(id) = place.parse() else {
            let (record, file) = KeptFile::resume(place.into())?;
            return Ok((record, Self::File(file)));
        };
        let record = read(id)?;
        let archived = Archived::at(tables::data_directory()?).going_on(id, record.clone());
        Ok((record, Self::Archive(archived.into())))
    }

    /// Returns the keeper of the next game of a match, which begins as in `start`, and the record of this game if it has begun
    /// before.
    pub(crate) fn next(&self, start: &Record) -> Result<(Self, Option<Record>)> {
        match self {
            Self::File(file) => {
                let (file, begun) = file.next(start);
                Ok((Self::File(file), begun))
            }
            Self::Archive(archived) => {
                let (archived, begun) = archived.next(start)?;
                Ok((Self::Archive(archived.into()), begun))
            }
        }
    }

    /// Keeps the record of the game. If another program has changed the kept game, that stays as it is, and this game is kept
    /// beside it from now on. Returns whether the game has moved in this way.
    pub(crate) fn keep(&mut self, record: &Record) -> Result<bool> {
        match self {
            Self::File(file) => file.keep(record),
            Self::Archive(archived) => archived.keep(record),
        }
    }

    /// Removes what this program has kept of the game, and restores what was there before.
    pub(crate) fn forget(&mut self) -> Result<()> {
        match self {
            Self::File(file) => file.forget(),
            Self::Archive(archived) => archived.forget(),
        }
    }

    /// Returns where the game is kept, as [`resume`](Self::resume) takes it; `None` if nothing is kept yet.
    pub(crate) fn place(&self) -> Option<String> {
        match self {
            Self::File(file) => (file.is_resumed || file.written.is_some()).then(|| file.place()),
            Self::Archive(archived) => archived.kept.as_ref().map(|(id, _)| id.to_string()),
        }
    }

    /// Returns whether the game is to be kept in this file.
    pub(crate) fn is_at(&self, path: &Path) -> bool {
        matches!(self, Self::File(file) if file.path == path)
    }

    /// Returns whether games are kept in the archive.
    pub(crate) const fn is_archive(&self) -> bool {
        matches!(self, Self::Archive(_))
    }
}

impl KeptFile {
    /// Returns the place of a new game, which replaces what is there.
    fn at(path: PathBuf) -> Self {
        let before = files::text_at(&path).ok();
        Self { path, before, is_resumed: false, written: None }
    }

    /// Returns the game at `path`, and the file that keeps it from now on.
    fn resume(path: PathBuf) -> Result<(Record, Self)> {
        let text = files::read(&path)?;
        let record = text.parse::<Record>().with_context(|| path.display().to_string());
        let record = record.hint(|| "`ur help records` describes game records")?;
        Ok((record, Self { path, before: Some(text), is_resumed: true, written: None }))
    }

    /// Returns the name without its ending, and the ending with its dot.
    fn name(&self) -> (String, String) {
        let stem = self.path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let end = self.path.extension().map(|end| format!(".{}", end.to_string_lossy()));
        (stem, end.unwrap_or_default())
    }

    /// Returns a file that does not exist yet: for `five.urg` it is `five-2.urg`, or `five-3.urg`, and so on.
    fn beside(&self) -> Self {
        let (stem, end) = self.name();
        let path = |number| self.path.with_file_name(format!("{stem}-{number}{end}"));
        let free = (2..=u64::MAX).map(path).find(|path| !path.exists());
        Self::at(free.expect("numbers have no end"))
    }

    /// Returns the file of the next game of a match: `five-game2.urg` after `five.urg`, and so on, up to a file that does not
    /// exist or that already has this game.
    fn next(&self, start: &Record) -> (Self, Option<Record>) {
        let (stem, end) = self.name();
        let numbered = |(name, number): (_, &str)| Some((name, number.parse::<u32>().ok()?));
        let (name, game) = stem.rsplit_once("-game").and_then(numbered).unwrap_or((&*stem, 1));
        let mut number = u64::from(game);
        loop {
            number += 1;
            let path = self.path.with_file_name(format!("{name}-game{number}{end}"));
            if !path.exists() {
                return (Self::at(path), None);
            }
            if let Ok((record, file)) = Self::resume(path)
                && begins_as(&record, start)
            {
                return (file, Some(record));
            }
        }
    }

    fn keep(&mut self, record: &Record) -> Result<bool> {
        let beside = (!self.is_unchanged()).then(|| self.beside());
        write(beside.as_ref().map_or(&self.path, |file| &file.path), record)?;
        let has_moved = beside.is_some();
        if let Some(file) = beside {
            *self = file;
        }
        self.written = Some(record.to_string());
        Ok(has_moved)
    }

    /// Returns whether no other program has changed the file, such as another terminal that goes on with the same game.
    fn is_unchanged(&self) -> bool {
        let known = self.written.as_ref().or(self.before.as_ref());
        match files::text_at(&self.path) {
            Err(error) => error.kind() == io::ErrorKind::NotFound,
            Ok(found) => known == Some(&found),
        }
    }

    fn forget(&mut self) -> Result<()> {
        if self.written.is_none() {
            return Ok(());
        }
        if !self.is_unchanged() {
            bail!("another program has changed {}", self.path.display());
        }
        match &self.before {
            Some(before) => files::write(&self.path, before)?,
            None => fs::remove_file(&self.path).doing("removing", self.path.display())?,
        }
        self.written = None;
        Ok(())
    }

    /// Returns the path in a form that is neither a number nor an option.
    fn place(&self) -> String {
        let path = self.path.display().to_string();
        let is_other = path.parse::<i64>().is_ok() || path.starts_with('-');
        if is_other { format!("./{path}") } else { path }
    }
}

impl Archived {
    /// Returns the place of a new game in the archive of this data directory.
    const fn at(data: PathBuf) -> Self {
        Self { data, archive: None, kept: None, before: None, previous: None }
    }

    /// Returns the place of the game of this number.
    fn going_on(self, id: i64, record: Record) -> Self {
        Self { before: Some(record.clone()), kept: Some((id, record)), ..self }
    }

    /// Returns the place of the next game of a match.
    fn next(&self, start: &Record) -> Result<(Self, Option<Record>)> {
        let next = Self::at(self.data.clone());
        let number = self.kept.as_ref().and_then(|(_, record)| record.next_game());
        if let Some(id) = number {
            match open_at(&self.data)?.record(id) {
                Ok(record) if begins_as(&record, start) => {
                    return Ok((next.going_on(id, record.clone()), Some(record)));
                }
                Ok(_) | Err(ArchiveError::Missing { .. }) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok((Self { previous: self.kept.clone(), ..next }, None))
    }

    fn keep(&mut self, record: &Record) -> Result<bool> {
        let archive = match &mut self.archive {
            Some(archive) => archive,
            closed => closed.insert(open_at(&self.data)?),
        };
        let kept = match (&self.kept, &self.previous) {
            (Some((_, before)), _) if before == record => return Ok(false),
            (Some((id, before)), _) => archive.update(*id, before, record).map(|()| *id),
            (None, Some((id, before))) => archive.follow(*id, before, record),
            (None, None) => archive.insert(record),
        };
        let has_moved =
            matches!(kept, Err(ArchiveError::Changed { .. } | ArchiveError::Missing { .. }));
        let id = if has_moved { archive.insert(record)? } else { kept? };
        if has_moved {
            (self.before, self.previous) = (None, None);
        }
        self.kept = Some((id, record.clone()));
        Ok(has_moved)
    }

    fn forget(&mut self) -> Result<()> {
        let Some((archive, (id, record))) = self.archive.as_ref().zip(self.kept.take()) else {
            return Ok(());
        };
        match &self.before {
            Some(before) if *before == record => return Ok(()),
            Some(before) => return Ok(archive.update(id, &record, before)?),
            None => {}
        }
        if let Some((previous, before)) = &self.previous {
            let mut linked = before.clone();
            linked.set_next_game(Some(id));
            archive.update(*previous, &linked, before)?;
        }
        Ok(archive.remove(id)?)
    }
}

/// Returns whether a game of a match began as in `start`.
fn begins_as(record: &Record, start: &Record) -> bool {
    let [found, expected] =
        [record, start].map(|it| (it.game.rules().rule_set(), it.seed(), it.stakes_at_start()));
    found == expected
}

/// Reads the game at `path`.
pub(crate) fn read_file(path: &Path) -> Result<Record> {
    KeptFile::resume(path.to_owned()).map(|(record, _)| record)
}

/// Opens the archive of the user.
pub(crate) fn open() -> Result<BlockingArchive> {
    open_at(&tables::data_directory()?)
}

/// Opens the archive of the user to read games. This works even if nothing can be kept there.
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

/// Returns an error if the path holds something other than a game, or has the name of a game in another notation.
fn ensure_for_records(path: &Path) -> Result<()> {
    let place = path.display();
    if path == "-" {
        bail!("`-` is not a name of a file for a game: `./-` is one");
    }
    if let Some(notation) =
        Notation::from_file_name(&path.to_string_lossy()).filter(|it| *it != Notation::Urg)
    {
        return Err(anyhow!(
            "{place} is named as {notation}, and games are kept as {}",
            Notation::Urg
        ))
        .hint(|| "expected a name that ends with .urg; `ur convert` writes the others");
    }
    let Ok(data) = path.metadata() else { return Ok(()) };
    if !data.is_file() {
        bail!("{place} is not a file: expected the name of one for the game");
    }
    let text = files::text_at(path).unwrap_or_default();
    if data.len() > 0 && text.parse::<Record>().is_err() {
        bail!("{place} holds something that is not a game: expected another name");
    }
    Ok(())
}

/// Returns an error if the file holds another game, or plies that `record` has taken back.
pub(crate) fn ensure_goes_on(path: &Path, record: &Record) -> Result<()> {
    ensure_for_records(path)?;
    let Ok(there) = read_file(path) else { return Ok(()) };
    let is_earlier = record.game.plies().starts_with(there.game.plies());
    if !is_earlier || !begins_as(&there, record) {
        bail!("{} holds another game: expected another name", path.display());
    }
    Ok(())
}

/// Writes a game to a file; a game that was there before is replaced as a whole.
pub(crate) fn write(path: &Path, record: &Record) -> Result<()> {
    ensure_for_records(path)?;
    let text = record.to_string();
    let made = fs::create_dir_all(directory(path)).map_err(anyhow::Error::from);
    let fill = || files::write_at(path, |file| Ok(file.write_all(text.as_bytes())?));
    made.and_then(|()| fill()).doing("keeping the game in", path.display())
}
