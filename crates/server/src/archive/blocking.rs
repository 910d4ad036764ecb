//! The archive for programs that wait: a call returns when it is done.

use std::path::Path;

use puabi_core::Record;
use tokio::runtime::{Builder, Runtime};

use super::{Archive, ArchiveError, Entry, FILE, Filter, StoredGame};

/// The archive of a data directory, for programs that wait.
///
/// ```
/// use puabi_core::{Game, Record, RuleSet};
/// use puabi_server::{BlockingArchive, Filter};
///
/// # let data = tempfile::tempdir()?;
/// let archive = BlockingArchive::open(data.path())?;
/// let record = Record::new(Game::new(RuleSet::FINKEL.compile()?));
/// let id = archive.insert(&record)?;
/// assert_eq!(archive.list(&Filter::default())?.len(), 1);
/// assert_eq!(archive.record(id)?, record);
/// archive.remove(id)?;
/// assert!(archive.record(id).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct BlockingArchive {
    archive: Archive,
    runtime: Runtime,
}

impl BlockingArchive {
    /// Returns whether the data directory has an archive.
    pub fn exists(data: &Path) -> bool {
        data.join(FILE).is_file()
    }

    /// Opens the archive in the data directory, creating it if it does not exist.
    ///
    /// # Errors
    ///
    /// Returns an error if the system does not let us open or create the file, or if a newer program has written it.
    pub fn open(data: &Path) -> Result<Self, ArchiveError> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let archive = runtime.block_on(Archive::open(data))?;
        Ok(Self { archive, runtime })
    }

    /// Opens the archive for reading, or a copy of it if the data directory is read-only.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open).
    pub fn open_to_read(data: &Path) -> Result<Self, ArchiveError> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let archive = runtime.block_on(Archive::open_or_copy(data))?;
        Ok(Self { archive, runtime })
    }

    /// Keeps a new game and returns its number.
    ///
    /// # Errors
    ///
    /// Returns an error if the file fails.
    pub fn insert(&self, record: &Record) -> Result<i64, ArchiveError> {
        self.runtime.block_on(self.archive.insert(record, None))
    }

    /// Keeps a game from elsewhere, unless a kept game has exactly this record. Returns the number of the game, and whether it is
    /// new. If the record gives the number of the next game of its match, that is a number of another archive and is left out.
    ///
    /// # Errors
    ///
    /// Returns an error if the file fails.
    pub fn add(&self, record: &Record) -> Result<(i64, bool), ArchiveError> {
        self.runtime.block_on(self.archive.add(record))
    }

    /// Replaces the record of a game, which was `before`, by `record`. The change is on disk when this returns.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no such game, if another program has changed it, or if the file fails.
    pub fn update(&self, id: i64, before: &Record, record: &Record) -> Result<(), ArchiveError> {
        self.runtime.block_on(async {
            let found = self.found(id, before).await?;
            self.archive.update(id, found.version, record).await
        })
    }

    /// Keeps `next` as the next game of a match, and its number in the record of game `id`, which was `before`: both or neither.
    /// Returns the number.
    ///
    /// # Errors
    ///
    /// As [`update`](Self::update).
    pub fn follow(&self, id: i64, before: &Record, next: &Record) -> Result<i64, ArchiveError> {
        self.runtime.block_on(async {
            let found = self.found(id, before).await?;
            self.archive.follow((id, found.version), before, (next, found.key_hashes)).await
        })
    }

    /// Returns a game if its record is `expected`.
    async fn found(&self, id: i64, expected: &Record) -> Result<StoredGame, ArchiveError> {
        let found = self.archive.find(id).await?;
        if found.record == *expected { Ok(found) } else { Err(ArchiveError::Changed { id }) }
    }

    /// Returns every game that fits the filter, the newest first.
    ///
    /// # Errors
    ///
    /// Returns an error if the file fails.
    pub fn list(&self, filter: &Filter) -> Result<Vec<Entry>, ArchiveError> {
        let (mut filter, mut all) = (filter.clone(), Vec::new());
        loop {
            let (page, _) = self.runtime.block_on(self.archive.list(&filter))?;
            let Some(last) = page.last() else { return Ok(all) };
            filter.after = last.id;
            all.extend(page);
        }
    }

    /// Returns the record of a game.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no such game, or the file fails.
    pub fn record(&self, id: i64) -> Result<Record, ArchiveError> {
        Ok(self.runtime.block_on(self.archive.find(id))?.record)
    }

    /// Removes a game for good.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no such game, if this is a copy of a read-only archive, or if the file fails.
    pub fn remove(&self, id: i64) -> Result<(), ArchiveError> {
        self.runtime.block_on(self.archive.remove(id))
    }
}

impl Drop for BlockingArchive {
    fn drop(&mut self) {
        self.runtime.block_on(self.archive.close());
    }
}
