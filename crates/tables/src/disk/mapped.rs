//! Files mapped into memory: one that notices when another program changes it, and one that is being written.

use std::fs::{File, Metadata};
use std::io;
use std::ops::{Deref, Range};
use std::path::Path;
use std::time::SystemTime;

use memmap2::{MmapOptions, MmapRaw};

use crate::disk::guard::Guarded;
use crate::disk::{ensure_regular, is_at};

/// A file mapped into memory.
///
/// This program writes files beside and renames them, so it never changes one that is mapped. Another program may.
#[derive(Debug)]
pub(crate) struct MappedFile {
    map: MappedPart,
    file: File,
    stamp: Stamp,
}

/// The properties of a file that differ after its bytes were changed.
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
        ensure_regular(path)?;
        let file = File::open(path)?;
        let data = file.metadata()?;
        let stamp = Stamp::of(&data);
        let bytes = usize::try_from(stamp.len).map_err(io::Error::other)?;
        Ok(Self { map: MappedPart::new(&file, bytes)?, file, stamp })
    }

    /// Takes bytes of the file out of this program's memory; the system loads them again when they are read.
    pub(crate) fn release(&self, range: Range<usize>) {
        self.map.release(range);
    }

    /// See [`MappedPart::expect_random_reads`].
    pub(crate) fn expect_random_reads(&self, range: Range<usize>) {
        self.map.expect_random_reads(range);
    }

    /// Returns whether the file still has the size and the time of change that it had when it was opened, and the system had all
    /// of its bytes that were read.
    pub(crate) fn is_unchanged(&self) -> bool {
        let has_missed = self.map.guarded.as_ref().is_some_and(Guarded::has_missed);
        !has_missed && self.file.metadata().is_ok_and(|data| Stamp::of(&data) == self.stamp)
    }

    /// Returns whether `path` still leads to this file, as it was.
    pub(crate) fn is_current(&self, path: &Path) -> bool {
        self.is_unchanged() && is_at(&self.file, path)
    }
}

impl Deref for MappedFile {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        // SAFETY: another program may change the bytes to any others while they are borrowed. So a caller that reads a value that
        // matters compares its block with a checksum first, and asks `is_unchanged` before and after.
        #[expect(unsafe_code, reason = "a mapped table costs no reading and no memory of its own")]
        unsafe {
            self.map.bytes(0..self.map.len())
        }
    }
}

/// A file mapped into memory. This program may still write bytes of it that no slice from [`MappedPart::bytes`] holds.
#[derive(Debug)]
pub(crate) struct MappedPart {
    /// Dropped before the map: no address stays guarded that is not mapped.
    guarded: Option<Guarded>,
    map: MmapRaw,
}

impl MappedPart {
    /// Maps the first `bytes` of `file`, which has at least as many.
    pub(crate) fn new(file: &File, bytes: usize) -> io::Result<Self> {
        let map = MmapOptions::new().len(bytes).map_raw_read_only(file)?;
        let start = map.as_ptr() as usize;
        Ok(Self { guarded: Guarded::new(start..start + bytes), map })
    }

    /// Returns the number of bytes that are mapped.
    pub(crate) fn len(&self) -> usize {
        self.map.len()
    }

    /// Returns bytes of the file.
    ///
    /// # Safety
    ///
    /// This program must not write the bytes while the slice is in use.
    #[expect(unsafe_code, reason = "a mapped file costs no memory of its own")]
    pub(crate) unsafe fn bytes(&self, range: Range<usize>) -> &[u8] {
        assert!(range.start <= range.end && range.end <= self.map.len());
        // SAFETY: the bytes are within the map. Another program that writes them spoils values, which the certificate finds;
        // missing pages of a truncated file read as zeros, see `guard`.
        unsafe { std::slice::from_raw_parts(self.map.as_ptr().add(range.start), range.len()) }
    }

    /// Takes bytes of the file out of this program's memory; the system loads them again when they are read.
    #[cfg(unix)]
    #[expect(unsafe_code, reason = "advice that would be wrong for memory without a file")]
    pub(crate) fn release(&self, range: Range<usize>) {
        use memmap2::UncheckedAdvice::DontNeed;
        // SAFETY: a shared mapping of a file reads the same afterwards. It is advice: an error changes nothing.
        let _ = unsafe { self.map.unchecked_advise_range(DontNeed, range.start, range.len()) };
        let _ = self.map.advise_range(memmap2::Advice::Normal, range.start, range.len());
    }

    /// Asks the system to load only those pages of these bytes that are read, and none around them. This holds until the bytes
    /// are released.
    #[cfg(unix)]
    pub(crate) fn expect_random_reads(&self, range: Range<usize>) {
        let _ = self.map.advise_range(memmap2::Advice::Random, range.start, range.len());
    }

    /// Does nothing: other systems decide by themselves.
    #[cfg(not(unix))]
    pub(crate) fn release(&self, _range: Range<usize>) {}

    /// Does nothing: other systems decide by themselves.
    #[cfg(not(unix))]
    pub(crate) fn expect_random_reads(&self, _range: Range<usize>) {}
}
