//! The archive: games in a file of `SQLite`, on disk before the program answers.

mod blocking;
mod copy;
mod error;
mod matches;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use blake3::Hash;
use puabi_answers::{Entry, Filter, Marks, PlayedEntry, ending, name, plies, winner};
use puabi_core::{Player, Record};
use puabi_engine::Pair;
use sqlx::migrate::MigrateError;
use sqlx::sqlite::{
    SqliteAutoVacuum, SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous,
};
use sqlx::{SqliteConnection, SqliteExecutor, SqlitePool};
use tempfile::TempDir;

pub use blocking::BlockingArchive;
use copy::FILE;
pub use error::ArchiveError;

/// Games in a file of `SQLite`.
#[derive(Debug, Clone)]
pub(crate) struct Archive {
    pool: SqlitePool,
    /// The folder of the copy, if this is one; it is removed with the last handle.
    copy: Option<Arc<TempDir>>,
}

/// The BLAKE3 hashes of the keys of both seats, by which the right keys are recognised.
pub(crate) type KeyHashes = Pair<Hash>;

/// A game of the archive, with the version that a change must be based on.
#[derive(Debug)]
pub(crate) struct StoredGame {
    pub(crate) version: i64,
    pub(crate) record: Record,
    /// The hashes of the keys of the seats, if the game was begun with keys.
    pub(crate) key_hashes: Option<KeyHashes>,
}

/// The largest number of games on one page of a list.
pub(crate) const PAGE: i64 = 50;

impl Archive {
    /// Returns the file of the archive in the data directory.
    pub(crate) fn file(data: &Path) -> PathBuf {
        data.join(FILE)
    }

    /// Opens the archive in the data directory, creating it if it does not exist.
    pub(crate) async fn open(data: &Path) -> Result<Self, ArchiveError> {
        tokio::fs::create_dir_all(data).await?;
        let options = SqliteConnectOptions::new()
            .filename(Self::file(data))
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            // A game that was reported as kept survives a power cut, and deleted text is overwritten.
            .synchronous(SqliteSynchronous::Full)
            .pragma("secure_delete", "ON")
            .busy_timeout(Duration::from_secs(5));
        // Each connection that sets this option writes to the file, so only the first connection sets it, and only if the file is
        // new.
        let is_new = tokio::fs::metadata(Self::file(data)).await.map_or(true, |it| it.len() == 0);
        let mut first = options.clone();
        if is_new {
            first = first.auto_vacuum(SqliteAutoVacuum::Incremental);
        }
        let pool = SqlitePoolOptions::new().max_connections(4).connect_with(first).await?;
        pool.set_connect_options(options);
        migrate(&pool).await?;
        Ok(Self { pool, copy: None })
    }

    /// Opens the archive in the data directory, or a copy of it if the directory is read-only. Changes of a copy are lost when
    /// the program ends.
    pub(crate) async fn open_or_copy(data: &Path) -> Result<Self, ArchiveError> {
        // `SQLite` opens a file that may only be read as if nothing were amiss.
        let opened = match copy::ensure_file(data) {
            Ok(()) => Self::open(data).await,
            Err(error) => Err(error.into()),
        };
        let error = match opened {
            Err(error) if copy::may_only_be_read(data) => error,
            opened => return opened,
        };
        tracing::warn!("{} may only be read, nothing is kept: {error}", data.display());
        let (from, copy) = (data.to_owned(), tempfile::tempdir()?);
        let to = copy.path().to_owned();
        let copied = tokio::task::spawn_blocking(move || copy::copy(&from, &to));
        if !copied.await.map_err(std::io::Error::from)?? {
            return Err(ArchiveError::Changing);
        }
        let Self { pool, .. } = Self::open(copy.path()).await?;
        Ok(Self { pool, copy: Some(Arc::new(copy)) })
    }

    /// Returns whether changes outlive the program, which those of a copy do not.
    pub(crate) fn keeps(&self) -> bool {
        self.copy.is_none()
    }

    /// Keeps a new game and returns its number.
    pub(crate) async fn insert(
        &self,
        record: &Record,
        key_hashes: Option<KeyHashes>,
    ) -> Result<i64, ArchiveError> {
        Ok(insert(&self.pool, record, key_hashes).await?)
    }

    /// Keeps a game from elsewhere, unless a kept game has exactly this record. Returns the number of the game, and whether it is
    /// new.
    pub(crate) async fn add(&self, record: &Record) -> Result<(i64, bool), ArchiveError> {
        // Another program or request that adds the same game meanwhile has to wait.
        let mut both = self.pool.begin_with("BEGIN IMMEDIATE").await?;
        if let Some(id) = number(&mut *both, record).await? {
            return Ok((id, false));
        }
        let mut record = record.clone();
        if record.next_game().is_some() {
            // This number belongs to the archive that the record comes from.
            record.set_next_game(None);
            if let Some(id) = number(&mut *both, &record).await? {
                return Ok((id, false));
            }
        }
        let id = insert(&mut *both, &record, None).await?;
        both.commit().await?;
        Ok((id, true))
    }

    /// Returns a game.
    pub(crate) async fn find(&self, id: i64) -> Result<StoredGame, ArchiveError> {
        type Row = (i64, String, Option<Vec<u8>>, Option<Vec<u8>>);
        let select = "SELECT version, record, light_lock, dark_lock FROM games WHERE id = $1";
        let row = sqlx::query_as(select).bind(id).fetch_optional(&self.pool).await?;
        let (version, text, light, dark): Row = row.ok_or(ArchiveError::Missing { id })?;
        let mut record = text.parse().map_err(|source| ArchiveError::Damaged { id, source })?;
        self.forget_removed(&mut record).await?;
        let hash = |bytes: Option<Vec<u8>>| Hash::from_slice(&bytes?).ok();
        let key_hashes = hash(light).zip(hash(dark)).map(|(light, dark)| KeyHashes { light, dark });
        Ok(StoredGame { version, record, key_hashes })
    }

    /// Keeps a change of a game that was at `version`. The change is on disk when this returns.
    pub(crate) async fn update(
        &self,
        id: i64,
        version: i64,
        record: &Record,
    ) -> Result<(), ArchiveError> {
        let update = "UPDATE games SET version = version + 1, changed = $1, plies = $2, winner = $3, ending = $4, \
                      record = $5, light_accuracy = NULL, dark_accuracy = NULL, light_luck = NULL, dark_luck = NULL \
                      WHERE id = $6 AND version = $7";
        let done = sqlx::query(update)
            .bind(now())
            .bind(plies(record))
            .bind(winner(record))
            .bind(ending(record))
            .bind(record.to_string())
            .bind(id)
            .bind(version)
            .execute(&self.pool)
            .await?;
        if done.rows_affected() > 0 { Ok(()) } else { Err(self.not_updated(id).await) }
    }

    /// Returns the error of a change that did not find the game at its version.
    async fn not_updated(&self, id: i64) -> ArchiveError {
        self.find(id).await.err().unwrap_or(ArchiveError::Changed { id })
    }

    /// Removes a game for good; a copy refuses to.
    pub(crate) async fn remove(&self, id: i64) -> Result<(), ArchiveError> {
        if !self.keeps() {
            return Err(ArchiveError::ReadOnly);
        }
        let mut connection = self.pool.acquire().await?;
        let delete = sqlx::query("DELETE FROM games WHERE id = $1").bind(id);
        let done = delete.execute(&mut *connection).await?;
        if done.rows_affected() == 0 {
            return Err(ArchiveError::Missing { id });
        }
        // If this fails, the game is deleted all the same, and the next deletion tries again.
        match tidy(&mut connection).await {
            Ok(true) => {}
            Ok(false) => tracing::warn!(
                "the text of game {id}, which is deleted, is still in the log, which is being read"
            ),
            Err(error) => tracing::warn!(
                "the text of game {id}, which is deleted, may still be in the log: {error}"
            ),
        }
        Ok(())
    }

    /// Returns a page of the games that fit the filter, the newest first, and how many games fit in all.
    pub(crate) async fn list(&self, filter: &Filter) -> Result<(Vec<Entry>, i64), ArchiveError> {
        let select = "SELECT id, rules, light, dark, started, changed, plies, winner, ending FROM games \
                      WHERE ($1 = '' OR light GLOB $2 OR dark GLOB $2 OR rules GLOB $2) \
                      AND ($3 = '' OR rules = $3 OR (substr(rules, 1, length($3) + 1) = $3 || ':' \
                      AND substr(rules, length($3) + 2) NOT GLOB '*[^0-9]*')) \
                      AND ($4 = '' OR light = $4 OR dark = $4) \
                      AND ($5 = 0 OR id < $5) ORDER BY id DESC LIMIT $6";
        let entries = sqlx::query_as(select)
            .bind(&filter.search)
            .bind(pattern(&filter.search))
            .bind(&filter.rules)
            .bind(&filter.player)
            .bind(filter.after)
            .bind(PAGE)
            .fetch_all(&self.pool)
            .await?;
        let count = "SELECT COUNT(*) FROM games \
                     WHERE ($1 = '' OR light GLOB $2 OR dark GLOB $2 OR rules GLOB $2) \
                     AND ($3 = '' OR rules = $3 OR (substr(rules, 1, length($3) + 1) = $3 || ':' \
                     AND substr(rules, length($3) + 2) NOT GLOB '*[^0-9]*')) \
                     AND ($4 = '' OR light = $4 OR dark = $4)";
        let total = sqlx::query_scalar(count)
            .bind(&filter.search)
            .bind(pattern(&filter.search))
            .bind(&filter.rules)
            .bind(&filter.player)
            .fetch_one(&self.pool)
            .await?;
        Ok((entries, total))
    }

    /// Returns how many games are kept.
    pub(crate) async fn count(&self) -> Result<u64, ArchiveError> {
        let count = sqlx::query_scalar("SELECT COUNT(*) FROM games").fetch_one(&self.pool);
        Ok(u64::try_from(count.await.map(|count: i64| count)?).unwrap_or_default())
    }

    /// Returns the last thousand finished games of a player, the oldest first.
    pub(crate) async fn played(&self, player: &str) -> Result<Vec<PlayedEntry>, ArchiveError> {
        let select = "SELECT * FROM (SELECT id, rules, light, dark, changed, plies, winner, light_accuracy, \
                      dark_accuracy, light_luck, dark_luck FROM games \
                      WHERE (light = $1 OR dark = $1) AND ending IS NOT NULL ORDER BY id DESC LIMIT 1000) AS last \
                      ORDER BY id";
        Ok(sqlx::query_as(select).bind(player).fetch_all(&self.pool).await?)
    }

    /// Keeps what the review of a finished game says.
    pub(crate) async fn mark(&self, id: i64, marks: Marks) -> Result<(), ArchiveError> {
        let update = "UPDATE games SET light_accuracy = $1, dark_accuracy = $2, light_luck = $3, dark_luck = $4 \
                      WHERE id = $5";
        sqlx::query(update)
            .bind(marks.light_accuracy)
            .bind(marks.dark_accuracy)
            .bind(marks.light_luck)
            .bind(marks.dark_luck)
            .bind(id)
            .execute(&self.pool)
            .await?;
        Ok(())
    }

    /// Closes the file once all queries under way are done.
    pub(crate) async fn close(&self) {
        self.pool.close().await;
    }
}

/// Returns the number of a game that has exactly this record, if there is one.
async fn number(
    executor: impl SqliteExecutor<'_>,
    record: &Record,
) -> Result<Option<i64>, sqlx::Error> {
    let select = "SELECT id FROM games WHERE rules = $1 AND plies = $2 AND record = $3 LIMIT 1";
    sqlx::query_scalar(select)
        .bind(record.game.rules().rule_set().to_string())
        .bind(plies(record))
        .bind(record.to_string())
        .fetch_optional(executor)
        .await
}

/// Adds a game, and returns its number.
async fn insert(
    executor: impl SqliteExecutor<'_>,
    record: &Record,
    key_hashes: Option<KeyHashes>,
) -> Result<i64, sqlx::Error> {
    let insert = "INSERT INTO games (version, rules, light, dark, started, changed, plies, winner, ending, record, \
                  light_lock, dark_lock) VALUES (1, $1, $2, $3, $4, $4, $5, $6, $7, $8, $9, $10)";
    let hash =
        |player| key_hashes.as_ref().map(|key_hashes| key_hashes[player].as_bytes().to_vec());
    // Not `RETURNING`: a reader that stops after its row never learns that the change could not be kept.
    let done = sqlx::query(insert)
        .bind(record.game.rules().rule_set().to_string())
        .bind(name(record, Player::Light))
        .bind(name(record, Player::Dark))
        .bind(now())
        .bind(plies(record))
        .bind(winner(record))
        .bind(ending(record))
        .bind(record.to_string())
        .bind(hash(Player::Light))
        .bind(hash(Player::Dark))
        .execute(executor)
        .await?;
    Ok(done.last_insert_rowid())
}

/// Gives the room of deleted games back to the system, and empties the log of changes, which still has their text. Returns
/// whether the log is empty now.
async fn tidy(connection: &mut SqliteConnection) -> Result<bool, sqlx::Error> {
    let shrunk = sqlx::query("PRAGMA incremental_vacuum").execute(&mut *connection).await;
    let emptied = sqlx::query_as("PRAGMA wal_checkpoint(TRUNCATE)").fetch_one(connection).await;
    // If another connection reads the log, SQLite reports no error, but says so in the first column.
    let (is_busy, _, _): (bool, i64, i64) = emptied?;
    shrunk.map(|_| !is_busy)
}

fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
}

/// Returns the `GLOB` pattern of texts that contain `search` in large or small letters; `LIKE` ignores case for ASCII letters
/// only.
fn pattern(search: &str) -> String {
    let plain = search.chars().map(|letter| match letter {
        '*' | '?' | '[' => format!("[{letter}]"),
        // A letter that becomes several in the other case, as `ß` does, is searched for in its own case only.
        _ if letter.is_alphabetic() => {
            let cases = [letter.to_lowercase().to_string(), letter.to_uppercase().to_string()];
            let single = cases.into_iter().filter(|case| case.chars().count() == 1);
            format!("[{letter}{}]", single.collect::<String>())
        }
        _ => letter.to_string(),
    });
    format!("*{}*", plain.collect::<String>())
}

/// Brings the tables of the file up to date. Another program may do the same at this moment. A step that the other program took
/// first fails here, so this tries again with the steps that are left.
async fn migrate(pool: &SqlitePool) -> Result<(), MigrateError> {
    let migrator = sqlx::migrate!();
    for _ in migrator.iter() {
        if migrator.run(pool).await.is_ok() {
            return Ok(());
        }
    }
    migrator.run(pool).await
}

#[cfg(test)]
mod tests {
    use axum::http::StatusCode;
    use puabi_answers::ApiError;
    use puabi_core::{Game, RuleSet};

    use super::*;

    fn record() -> Record {
        Record::new(Game::new(RuleSet::FINKEL.compile().unwrap()))
    }

    #[tokio::test]
    async fn the_log_is_not_empty_while_somebody_reads_it() {
        let data = tempfile::tempdir().unwrap();
        let archive = Archive::open(data.path()).await.unwrap();
        archive.insert(&record(), None).await.unwrap();
        let mut reader = archive.pool.begin().await.unwrap();
        sqlx::query("SELECT COUNT(*) FROM games").fetch_one(&mut *reader).await.unwrap();
        let mut writer = archive.pool.acquire().await.unwrap();
        for change in ["PRAGMA busy_timeout = 0", "DELETE FROM games"] {
            sqlx::query(change).execute(&mut *writer).await.unwrap();
        }
        assert!(!tidy(&mut writer).await.unwrap());
        reader.rollback().await.unwrap();
        assert!(tidy(&mut writer).await.unwrap());
    }

    #[tokio::test]
    async fn names_are_found_in_large_and_small_letters() {
        let data = tempfile::tempdir().unwrap();
        let archive = Archive::open(data.path()).await.unwrap();
        let mut record = record();
        record.set_header("light", "Änne S [2]*").unwrap();
        archive.insert(&record, None).await.unwrap();
        for (search, total) in [
            ("änne", 1),
            ("ÄNNE", 1),
            ("anne", 0),
            ("ß", 0),
            ("s", 1),
            ("[2]*", 1),
            ("[n]", 0),
            ("n*2", 0),
            ("?", 0),
        ] {
            let filter = Filter { search: search.to_owned(), ..Filter::default() };
            assert_eq!(archive.list(&filter).await.unwrap().1, total, "{search}");
        }
    }

    #[tokio::test]
    async fn connections_are_opened_while_another_writes() {
        let data = tempfile::tempdir().unwrap();
        let archive = Archive::open(data.path()).await.unwrap();
        let mut connections = vec![archive.pool.acquire().await.unwrap()];
        sqlx::query("BEGIN IMMEDIATE").execute(&mut *connections[0]).await.unwrap();
        while connections.len() < 4 {
            connections.push(archive.pool.acquire().await.unwrap());
        }
    }

    #[tokio::test]
    async fn a_full_disk_is_no_fault_of_the_server() {
        let data = tempfile::tempdir().unwrap();
        let archive = Archive::open(data.path()).await.unwrap();
        archive.insert(&record(), None).await.unwrap();
        // Stands in for a full disk: no connection may let the file grow.
        let mut connections = Vec::new();
        for _ in 0..archive.pool.options().get_max_connections() {
            let mut connection = archive.pool.acquire().await.unwrap();
            sqlx::query("PRAGMA max_page_count = 1").execute(&mut *connection).await.unwrap();
            connections.push(connection);
        }
        drop(connections);
        let mut long = record();
        long.set_header("event", &"x".repeat(100_000)).unwrap();
        let error = archive.insert(&long, None).await.unwrap_err();
        assert!(error.is_full() && !error.is_busy(), "{error}");
        let told = ApiError::from(error);
        assert_eq!(told.status(), StatusCode::INSUFFICIENT_STORAGE);
        assert!(told.to_string().starts_with("the server's disk is full"), "{told}");
    }

    #[tokio::test]
    async fn a_file_that_may_only_be_read_is_told_in_words() {
        let data = tempfile::tempdir().unwrap();
        let archive = Archive::open(data.path()).await.unwrap();
        // Stands in for a read-only file: no connection may write.
        let mut connections = Vec::new();
        for _ in 0..archive.pool.options().get_max_connections() {
            let mut connection = archive.pool.acquire().await.unwrap();
            sqlx::query("PRAGMA query_only = 1").execute(&mut *connection).await.unwrap();
            connections.push(connection);
        }
        drop(connections);
        let error = archive.insert(&record(), None).await.unwrap_err();
        assert!(matches!(error, ArchiveError::Unwritable), "{error}");
        assert_eq!(ApiError::from(error).status(), StatusCode::CONFLICT);
    }

    #[tokio::test]
    async fn a_game_that_is_added_twice_at_once_is_kept_once() {
        let data = tempfile::tempdir().unwrap();
        let [one, other] =
            [Archive::open(data.path()).await.unwrap(), Archive::open(data.path()).await.unwrap()];
        let record = record();
        let (first, second) = tokio::join!(one.add(&record), other.add(&record));
        let (first, second) = (first.unwrap(), second.unwrap());
        assert_eq!(first.0, second.0);
        assert_ne!(first.1, second.1);
    }

    #[tokio::test]
    async fn the_file_shrinks_when_games_are_removed() {
        let data = tempfile::tempdir().unwrap();
        let archive = Archive::open(data.path()).await.unwrap();
        let size = || data.path().join(FILE).metadata().unwrap().len();
        let mut long = record();
        long.set_header("event", &"x".repeat(100_000)).unwrap();
        let id = archive.insert(&long, None).await.unwrap();
        let mut connection = archive.pool.acquire().await.unwrap();
        assert!(tidy(&mut connection).await.unwrap());
        let before = size();
        archive.remove(id).await.unwrap();
        assert!(size() + 50_000 < before, "{before} bytes, then {}", size());
    }
}
