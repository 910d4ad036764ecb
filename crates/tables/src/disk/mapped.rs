//! A file mapped into memory that notices when another program changes it.

use std::fs::{File, Metadata};
use std::io;
use std::ops::Deref;
use std::path::Path;
use std::time::SystemTime;

use memmap2::Mmap;

use crate::disk::guard::Guarded;
use crate::disk::is_at;

/// A file mapped into memory.
///
/// This program writes files beside and renames them, so it never changes one that is mapped. Another program may.
#[derive(Debug)]
pub(crate) struct MappedFile {
    /// Dropped before the map: no address stays guarded that is not mapped.
    _guarded: Option<Guarded>,
    map: Mmap,
    file: File,
    stamp: Stamp,
}

/// What changes with the bytes of a file.
#[derive(Debug, PartialEq, Eq)]
struct Stamp {
    len: u64,
    modified: Option<SystemTime>,
}

impl Stamp {
    fn of(data: &Metadata) -> Self {
        Self { len: data.len(), modified: data.modified().ok() }
    }
}

impl MappedFile {
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        let stamp = Stamp::of(&file.metadata()?);
        // SAFETY: bytes that change while they are borrowed could be any: whoever reads a value that matters compares its block
        // with a checksum first, and asks `is_unchanged` before and after. Pages that are cut off read as zeros, see `guard`.
        #[expect(unsafe_code, reason = "a mapped table costs no reading and no memory of its own")]
        let map = unsafe { Mmap::map(&file) }?;
        Ok(Self { _guarded: Guarded::new(&map), map, file, stamp })
    }

    /// Returns whether the file still has the size and the time of change that it had when it was opened.
    pub(crate) fn is_unchanged(&self) -> bool {
        self.file.metadata().is_ok_and(|data| Stamp::of(&data) == self.stamp)
    }

    /// Returns whether `path` still leads to this file, as it was.
    pub(crate) fn is_current(&self, path: &Path) -> bool {
        self.is_unchanged() && is_at(&self.file, path)
    }
}

impl Deref for MappedFile {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.map
    }
}
