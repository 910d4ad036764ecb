//! What the standard library lacks for files: room on a disk, reading and writing at an offset.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use crate::error::TableError;

/// Checks that `bytes` more fit on the disk of `directory`.
///
/// # Errors
///
/// Where they do not, saying how much is free, or where the directory cannot be read.
pub fn ensure_space(directory: &Path, bytes: u64) -> Result<(), TableError> {
    let free = fs4::available_space(directory).map_err(TableError::Unwritable)?;
    if bytes > free {
        let place = directory.display().to_string();
        return Err(TableError::NoSpace { place, needed: bytes, free });
    }
    Ok(())
}

/// Returns the directory that `path` lies in.
pub(crate) fn directory(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Returns the file name of `path`, as people read it.
pub(crate) fn name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// Returns the path of a file that goes with the one at `path`.
pub(crate) fn beside(path: &Path, extension: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(extension);
    PathBuf::from(name)
}

/// Makes what was renamed in `directory` last through a power cut, where the system can.
pub(crate) fn sync_directory(directory: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(directory)?.sync_all() } else { Ok(()) }
}

/// Removes a file; that there is none is no error.
pub(crate) fn remove(path: &Path) -> io::Result<bool> {
    match std::fs::remove_file(path) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

#[cfg(unix)]
pub(crate) use std::os::unix::fs::FileExt as Positioned;

/// Reads and writes at an offset; other systems than Unix may do so in parts.
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
