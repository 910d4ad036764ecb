//! One solve of a table at a time.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use crate::disk::{beside, name, remove};
use crate::error::TableError;
use crate::write::remove_temporaries;

/// The right to solve for one table file; ends when dropped, and when the process ends, however it does.
///
/// ```
/// use puabi_tables::{SolveLock, TableError};
/// # let directory = tempfile::tempdir()?;
/// let path = directory.path().join("finkel.urt");
/// let lock = SolveLock::acquire(&path)?;
/// assert!(matches!(SolveLock::acquire(&path), Err(TableError::Locked { .. })));
/// drop(lock);
/// assert!(SolveLock::acquire(&path).is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct SolveLock {
    path: PathBuf,
    file: File,
}

impl SolveLock {
    /// Takes the right to solve for the table at `table`, and removes what a killed writer of it left behind.
    ///
    /// # Errors
    ///
    /// Where another process has it, or where the system does not let us write beside the table.
    pub fn acquire(table: &Path) -> Result<Self, TableError> {
        let path = beside(table, "lock");
        let file = loop {
            let file = open(&path).map_err(TableError::Unwritable)?;
            match file.try_lock() {
                Ok(()) if is_at(&file, &path) => break file,
                // The last holder removed the file between our opening and locking it.
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Err(locked(table, file)),
                Err(TryLockError::Error(error)) => return Err(TableError::Unwritable(error)),
            }
        };
        let lock = Self { path, file };
        lock.sign().and_then(|()| remove_temporaries(table)).map_err(TableError::Unwritable)?;
        Ok(lock)
    }

    /// Writes who holds the lock, for the message of whoever comes second.
    fn sign(&self) -> io::Result<()> {
        self.file.set_len(0)?;
        (&self.file).write_all(std::process::id().to_string().as_bytes())
    }
}

impl Drop for SolveLock {
    fn drop(&mut self) {
        // While still locked: nobody can take a file for the lock that is about to go. A lock file that stays is no
        // harm.
        if cfg!(unix) {
            let _ = remove(&self.path);
        }
    }
}

fn open(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)
}

fn locked(table: &Path, mut file: File) -> TableError {
    let mut text = String::new();
    let process = file.read_to_string(&mut text).ok().and_then(|_| text.trim().parse().ok());
    TableError::Locked { table: name(table), process }
}

/// Returns whether `file` is what lies at `path` now.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let identity = |data: std::fs::Metadata| (data.dev(), data.ino());
    let (held, there) = (file.metadata().map(identity), path.metadata().map(identity));
    matches!((held, there), (Ok(held), Ok(there)) if held == there)
}

/// Lock files are removed on Unix only.
#[cfg(not(unix))]
fn is_at(_file: &File, _path: &Path) -> bool {
    true
}
