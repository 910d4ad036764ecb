//! One solve of a table at a time.

use std::fs::{File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::disk::{beside, directory, is_at, name, open, read_text, remove, remove_temporaries};
use crate::error::TableError;

/// The most bytes that are read of a lock file; ours holds the number of a process.
const SIGNATURE: usize = 32;

/// The right to write one table file. It ends when this value is dropped, or when the process ends in any way.
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
    /// Takes the right to write the table at `table`, and removes the unfinished files that a killed writer left.
    ///
    /// # Errors
    ///
    /// Returns an error if another process has the right, or if the system does not let us write beside the table.
    pub fn acquire(table: &Path) -> Result<Self, TableError> {
        let path = beside(table, "lock");
        let file = loop {
            let file = open(&path)?;
            match file.try_lock() {
                Ok(()) if is_at(&file, &path) => break file,
                // The last holder removed the file between our opening and locking it.
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Err(locked(table, file)),
                Err(TryLockError::Error(error)) => return Err(error.into()),
            }
        };
        let lock = Self { path, file };
        lock.sign()?;
        let own = name(table);
        remove_temporaries(directory(table), |written| written == own)?;
        Ok(lock)
    }

    /// Writes the number of this process, for the error message of the next one that wants the lock.
    fn sign(&self) -> io::Result<()> {
        self.file.set_len(0)?;
        (&self.file).write_all(std::process::id().to_string().as_bytes())
    }
}

impl Drop for SolveLock {
    fn drop(&mut self) {
        // Removed while still locked, so that no other process can lock the file that is about to go. It does no harm if
        // the file stays.
        if cfg!(unix) {
            let _ = remove(&self.path);
        }
    }
}

fn locked(table: &Path, file: File) -> TableError {
    let process = read_text(file, SIGNATURE).ok().and_then(|text| text.trim().parse().ok());
    TableError::Locked { table: name(table), process }
}
