//! Copies of an archive whose directory is read-only.

use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::Path;
use std::time::Duration;

use blake3::{Hash, Hasher};

/// The file of an archive, and its log of changes.
pub(super) const FILE: &str = "games.sqlite";
const LOG: &str = "games.sqlite-wal";
/// How often a copy is tried before we give up, and how long other programs have between two tries to finish what they write.
const TRIES: usize = 20;
const PAUSE: Duration = Duration::from_millis(100);

/// Returns whether a directory exists but the system lets us make no file in it, or lets us only read the archive that is there.
pub(super) fn may_only_be_read(directory: &Path) -> bool {
    tempfile::tempfile_in(directory).is_err_and(|error| is_refusal(&error))
        || ensure_file(directory).is_err()
}

/// Returns an error if a directory has an archive that the system lets us only read.
pub(super) fn ensure_file(directory: &Path) -> io::Result<()> {
    match OpenOptions::new().write(true).open(directory.join(FILE)) {
        Err(error) if is_refusal(&error) => Err(error),
        _ => Ok(()),
    }
}

fn is_refusal(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::ReadOnlyFilesystem | ErrorKind::PermissionDenied)
}

/// Copies the files of an archive as they were at one moment. `SQLite` goes on from the copy as after a power cut. Returns false
/// if other programs kept changing the files.
///
/// # Errors
///
/// Returns an error if the system does not let us read or write.
pub(super) fn copy(from: &Path, to: &Path) -> io::Result<bool> {
    for _ in 0..TRIES {
        if copy_if_at_rest(from, to)? {
            return Ok(true);
        }
        std::thread::sleep(PAUSE);
    }
    Ok(false)
}

/// Copies the files of an archive; returns whether the copies show both files at the same moment.
fn copy_if_at_rest(from: &Path, to: &Path) -> io::Result<bool> {
    for name in [FILE, LOG] {
        let mut written = File::create(to.join(name))?;
        match File::open(from.join(name)) {
            Ok(mut read) => io::copy(&mut read, &mut written)?,
            Err(error) if error.kind() == ErrorKind::NotFound => 0,
            Err(error) => return Err(error),
        };
    }
    // If both files still have the content that was copied, they had it together at a moment in between.
    Ok(hashes(from)? == hashes(to)?)
}

/// Returns the hash of each file of an archive; a missing file counts as an empty one.
fn hashes(directory: &Path) -> io::Result<[Hash; 2]> {
    let hash = |name| {
        let mut hasher = Hasher::new();
        match File::open(directory.join(name)) {
            Ok(file) => hasher.update_reader(file)?,
            Err(error) if error.kind() == ErrorKind::NotFound => &mut hasher,
            Err(error) => return Err(error),
        };
        Ok(hasher.finalize())
    };
    Ok([hash(FILE)?, hash(LOG)?])
}

#[cfg(test)]
mod tests {
    use std::io::{Seek, Write};
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    /// Changes the file and then the log, again and again until `is_over`, as another program would.
    fn change(data: &Path, is_over: &AtomicBool) {
        let mut files = [FILE, LOG].map(|name| {
            OpenOptions::new()
                .write(true)
                .create(true)
                .truncate(true)
                .open(data.join(name))
                .unwrap()
        });
        for change in (0_u64..).take_while(|_| !is_over.load(Ordering::Relaxed)) {
            for file in &mut files {
                file.rewind().unwrap();
                file.write_all(&change.to_le_bytes()).unwrap();
            }
        }
    }

    #[test]
    fn what_is_copied_stood_so_at_one_moment() {
        let (data, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let is_over = AtomicBool::new(false);
        let number = |name| {
            let bytes = std::fs::read(to.path().join(name)).unwrap();
            bytes.try_into().map(u64::from_le_bytes).ok()
        };
        let mut found = Vec::new();
        std::thread::scope(|scope| {
            scope.spawn(|| change(data.path(), &is_over));
            for _ in 0..300 {
                if copy_if_at_rest(data.path(), to.path()).is_ok_and(|is_whole| is_whole) {
                    found.extend(number(FILE).zip(number(LOG)));
                }
            }
            is_over.store(true, Ordering::Relaxed);
        });
        for (file, log) in found {
            assert!(file == log || file == log + 1, "{file} and {log}");
        }
        assert!(copy(data.path(), to.path()).unwrap());
        assert!(number(FILE).is_some() && number(FILE) == number(LOG));
    }

    #[test]
    fn a_log_that_is_gone_is_not_copied() {
        let (data, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        std::fs::write(to.path().join(LOG), "of a try before").unwrap();
        std::fs::write(data.path().join(FILE), "games").unwrap();
        assert!(copy(data.path(), to.path()).unwrap());
        assert_eq!(std::fs::read(to.path().join(FILE)).unwrap(), b"games");
        assert_eq!(std::fs::read(to.path().join(LOG)).unwrap(), b"");
    }
}
