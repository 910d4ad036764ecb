//! File operations that the standard library lacks: free space, whole files, reads and writes at an offset, mapped and unnamed
//! files; and the amount of free memory, which decides whether values are spilled to a disk.

pub(crate) mod free_memory;
mod guard;
pub(crate) mod lock;
pub(crate) mod mapped;
pub(crate) mod speed;
pub(crate) mod spilled;

use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::error::TableError;

/// Returns the bytes that are free on the disk of `directory`, which need not exist yet.
///
/// # Errors
///
/// Returns an error if neither the directory nor any above it can be read.
pub fn free_space(directory: &Path) -> io::Result<u64> {
    fs4::available_space(nearest_existing(directory)?)
}

/// Returns whether a directory keeps its files in memory, as a tmpfs does. If the directory does not exist yet, the nearest one
/// above it counts.
///
/// # Errors
///
/// Returns an error if the directory cannot be read.
pub fn is_in_memory(directory: &Path) -> io::Result<bool> {
    #[cfg(target_os = "linux")]
    return Ok(nix::sys::statfs::statfs(&nearest_existing(directory)?)?.filesystem_type()
        == nix::sys::statfs::TMPFS_MAGIC);
    #[cfg(not(target_os = "linux"))]
    nearest_existing(directory).map(|_| false)
}

/// Returns whether two folders are on one disk. If a folder does not exist yet, the nearest one above it counts. On systems that
/// do not report the disk, the answer is true.
///
/// # Errors
///
/// Returns an error if neither a folder nor any above it can be read.
pub fn is_one_disk(a: &Path, b: &Path) -> io::Result<bool> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let disk = |folder| Ok::<_, io::Error>(nearest_existing(folder)?.metadata()?.dev());
        Ok(disk(a)? == disk(b)?)
    }
    #[cfg(not(unix))]
    nearest_existing(a).and(nearest_existing(b)).map(|_| true)
}

/// Returns a folder, or the nearest one above that exists.
fn nearest_existing(directory: &Path) -> io::Result<PathBuf> {
    let directory = std::path::absolute(directory)?;
    let there = directory.ancestors().find(|above| above.exists());
    Ok(there.unwrap_or(&directory).to_path_buf())
}

/// Checks that the disk of `directory` has room for `bytes` more.
///
/// # Errors
///
/// Returns an error that states how much is free if there is not enough, or an error if the directory cannot be read.
pub fn ensure_space(directory: &Path, bytes: u64) -> Result<(), TableError> {
    let free = fs4::available_space(directory)?;
    if bytes > free {
        let place = directory.display().to_string();
        return Err(TableError::NoSpace { place, needed: bytes, free });
    }
    Ok(())
}

/// Asks the system to keep nothing of these bytes of a file in memory, so that they are read from the disk. Returns whether the
/// system can be asked.
pub(crate) fn forget(file: &File, range: Range<u64>) -> io::Result<bool> {
    #[cfg(target_os = "linux")]
    {
        use nix::fcntl::{PosixFadviseAdvice, posix_fadvise};
        // The system forgets whole pages. The first one may have been read whole for bytes before the range.
        let start = range.start - range.start % 4096;
        let [start, len] = [start, range.end - start].map(i64::try_from);
        let (start, len) = (start.map_err(io::Error::other)?, len.map_err(io::Error::other)?);
        // A length of 0 would stand for all that follows.
        if len > 0 {
            posix_fadvise(file, start, len, PosixFadviseAdvice::POSIX_FADV_DONTNEED)?;
        }
        Ok(true)
    }
    #[cfg(not(target_os = "linux"))]
    file.metadata().map(|_| false)
}

/// Writes the file at `path` as a whole or not at all: `write` fills a file beside it, which is renamed once all of it is
/// on the disk.
///
/// # Errors
///
/// Returns the error of `write`, or one if the system does not let us write beside `path`. A file at `path` stays as it was.
pub fn write_whole<T, E: From<io::Error>>(
    path: &Path,
    write: impl FnOnce(&mut File) -> Result<T, E>,
) -> Result<T, E> {
    // Every early return drops the temporary file, which removes it.
    let mut file = temporary(path)?;
    let written = write(file.as_file_mut())?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    sync_directory(directory(path))?;
    Ok(written)
}

/// Reads `source` to its end, at most `most` bytes: some files have no end.
///
/// ```
/// assert_eq!(puabi_tables::read_bytes(&b"abc"[..], 3)?, b"abc");
/// assert!(puabi_tables::read_bytes(&b"abcd"[..], 3).is_err());
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
///
/// Returns an error if `source` cannot be read, or is longer.
pub fn read_bytes(source: impl Read, most: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(most as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > most {
        let message = format!("it is longer than the {most} bytes allowed");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
    }
    Ok(bytes)
}

/// Reads `source` to its end as text of at most `most` bytes: some files have no end.
///
/// ```
/// let read = |text: &str| puabi_tables::read_text(text.as_bytes(), 3);
/// assert_eq!(read("abc")?, "abc");
/// assert!(read("abcd").is_err());
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
///
/// Returns an error if `source` cannot be read, is longer, or is not UTF-8.
pub fn read_text(source: impl Read, most: usize) -> io::Result<String> {
    String::from_utf8(read_bytes(source, most)?)
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is not text in UTF-8"))
}

/// Returns a new file beside `path`, with the rights of an ordinary file.
fn temporary(path: &Path) -> io::Result<NamedTempFile> {
    let prefix = format!("{}.", name(path));
    let mut options = File::options();
    options.read(true).write(true).create_new(true);
    let mut builder = tempfile::Builder::new();
    // Errors of `tempfile_in` would name the new file, and the user does not know that name.
    let builder = builder.prefix(&prefix).suffix(TEMPORARY);
    builder.make_in(directory(path), |new| options.open(new))
}

/// The suffix of the names of files that are being written.
const TEMPORARY: &str = ".tmp";

/// Removes the unfinished files that killed writers left in a directory. `is_written` receives the name that the finished file
/// would have, and returns whether the unfinished one is removed. No other process may be writing these files.
pub(crate) fn remove_temporaries(
    directory: &Path,
    is_written: impl Fn(&str) -> bool,
) -> io::Result<()> {
    for entry in directory.read_dir()? {
        let entry = entry?;
        if final_name(&entry.file_name().to_string_lossy()).is_some_and(&is_written) {
            remove(&entry.path())?;
        }
    }
    Ok(())
}

/// Returns the name of the file that a file of this name was to become, if it is a temporary one.
fn final_name(temporary: &str) -> Option<&str> {
    // `tempfile` puts six random letters and digits in between.
    let (name, random) = temporary.strip_suffix(TEMPORARY)?.rsplit_once('.')?;
    let is_random = random.len() == 6 && random.bytes().all(|it| it.is_ascii_alphanumeric());
    is_random.then_some(name)
}

/// Returns the directory that the file at `path` is in.
///
/// ```
/// use std::path::Path;
///
/// assert_eq!(puabi_tables::directory(Path::new("kept/finkel.urt")), Path::new("kept"));
/// assert_eq!(puabi_tables::directory(Path::new("finkel.urt")), Path::new("."));
/// ```
pub fn directory(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Returns the file name of `path` as text.
pub(crate) fn name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// The end of the names of tables.
pub(crate) const EXTENSION: &str = "urt";

/// Returns the path of a file that belongs to the table at `path`: this path with `extension` behind it. A table named otherwise
/// than `.urt` gets that end before, so that no other program's file has the name.
pub(crate) fn beside(path: &Path, extension: &str) -> PathBuf {
    let ends = path.extension().is_some_and(|end| end.eq_ignore_ascii_case(EXTENSION));
    let path = if ends { path.to_owned() } else { path.with_added_extension(EXTENSION) };
    path.with_added_extension(extension)
}

/// Opens the file at `path` to read and write, creating it if there is none. On Unix a symbolic link is refused, because it could
/// lead to another user's file.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NOFOLLOW);
    if !path.is_symlink() && path.exists() {
        ensure_regular(path)?;
    }
    options.open(path).map_err(|error| {
        if !path.is_symlink() {
            return error;
        }
        let message = format!("{} is a symbolic link: expected a file, or none", path.display());
        io::Error::new(error.kind(), message)
    })
}

/// Checks that a file is at `path`: to open a pipe would wait for somebody who writes to it.
///
/// # Errors
///
/// Returns an error if something else is there, such as a folder or a pipe, or nothing.
pub fn ensure_regular(path: &Path) -> io::Result<()> {
    let data = path.metadata()?;
    if data.is_dir() {
        let message = "it is a folder: expected a file";
        return Err(io::Error::new(io::ErrorKind::IsADirectory, message));
    }
    let message = "it is a pipe or a device: expected a file";
    if data.is_file() { Ok(()) } else { Err(io::Error::new(io::ErrorKind::InvalidInput, message)) }
}

/// Makes renames in `directory` survive a power cut, if the system can.
pub(crate) fn sync_directory(directory: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(directory)?.sync_all() } else { Ok(()) }
}

/// Removes the file at `path`, and returns whether there was one.
pub(crate) fn remove(path: &Path) -> io::Result<bool> {
    match std::fs::remove_file(path) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// Returns whether `path` still leads to `file`.
#[cfg(unix)]
pub(crate) fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let identity = |data: std::fs::Metadata| (data.dev(), data.ino());
    let (held, there) = (file.metadata().map(identity), path.metadata().map(identity));
    matches!((held, there), (Ok(held), Ok(there)) if held == there)
}

/// Returns true: only Unix renames over open files.
#[cfg(not(unix))]
pub(crate) fn is_at(_file: &File, _path: &Path) -> bool {
    true
}

#[cfg(unix)]
pub(crate) use std::os::unix::fs::FileExt as Positioned;

/// Reads and writes at an offset. One call to Windows may read or write only a part, so these repeat it until all is done.
#[cfg(windows)]
pub(crate) trait Positioned: std::os::windows::fs::FileExt {
    fn write_all_at(&self, mut bytes: &[u8], mut offset: u64) -> io::Result<()> {
        while !bytes.is_empty() {
            let written = self.seek_write(bytes, offset)?;
            if written == 0 {
                return Err(io::ErrorKind::WriteZero.into());
            }
            (bytes, offset) = (&bytes[written..], offset + written as u64);
        }
        Ok(())
    }

    fn read_exact_at(&self, mut bytes: &mut [u8], mut offset: u64) -> io::Result<()> {
        while !bytes.is_empty() {
            let read = self.seek_read(bytes, offset)?;
            if read == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            (bytes, offset) = (&mut bytes[read..], offset + read as u64);
        }
        Ok(())
    }
}

#[cfg(windows)]
impl Positioned for File {}
