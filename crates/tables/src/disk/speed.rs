//! Measures how fast a disk reads and writes.

use std::io;
use std::time::{Duration, Instant};

use serde::Serialize;

use super::spilled::SpillFolder;
use super::{Positioned, forget, nearest_existing};

/// The speed at which a disk reads and writes large pieces, in bytes a second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct DiskSpeed {
    /// Bytes read a second.
    pub reads: u64,
    /// Bytes written a second.
    pub writes: u64,
}

/// Bytes of a piece.
const PIECE: usize = 16 << 20;
/// The most pieces that are written, and read again.
const MOST_PIECES: u64 = 16;
/// Writing ends with the piece in which this time has passed.
const LONG_ENOUGH: Duration = Duration::from_secs(2);

impl SpillFolder {
    /// Measures the disk of the folder, which need not exist yet, with an unnamed file of at most 268 MB. This takes a few
    /// seconds, so a disk that is fast only for a while is measured as fast. If the system cannot be asked to drop a file from
    /// memory, reads are taken to be as fast as writes.
    ///
    /// # Errors
    ///
    /// Returns an error if no file can be made there, or if the disk has no room for it or fails.
    pub fn speed(&self) -> io::Result<DiskSpeed> {
        let above = Self::new(&nearest_existing(&self.path)?);
        above.file(PIECE as u64 * MOST_PIECES, |file| {
            // Bytes that look random: a disk that compresses cannot make them shorter.
            let mut piece = vec![0; PIECE];
            blake3::Hasher::new().finalize_xof().fill(&mut piece);
            let (start, mut end) = (Instant::now(), 0);
            while end < PIECE as u64 * MOST_PIECES && start.elapsed() < LONG_ENOUGH {
                file.write_all_at(&piece, end)?;
                file.sync_data()?;
                end += PIECE as u64;
            }
            let writes = a_second(end, start.elapsed());
            if !forget(&file, 0..end)? {
                return Ok(DiskSpeed { reads: writes, writes });
            }
            let start = Instant::now();
            for at in (0..end).step_by(PIECE) {
                file.read_exact_at(&mut piece, at)?;
            }
            Ok(DiskSpeed { reads: a_second(end, start.elapsed()), writes })
        })
    }
}

/// Returns the speed in bytes a second, at least 1.
fn a_second(bytes: u64, time: Duration) -> u64 {
    let speed = u128::from(bytes) * 1_000_000_000 / time.as_nanos().max(1);
    u64::try_from(speed).unwrap_or(u64::MAX).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disk_reads_and_writes_and_keeps_nothing() {
        let directory = tempfile::tempdir().unwrap();
        let DiskSpeed { reads, writes } = SpillFolder::new(directory.path()).speed().unwrap();
        assert!(reads > 1 && writes > 1);
        assert_eq!(a_second(3000, Duration::from_millis(1500)), 2000);
        assert_eq!((a_second(0, Duration::ZERO), a_second(1, Duration::MAX)), (1, 1));
        // A folder that is not there yet is on the disk of the one above.
        assert!(SpillFolder::new(&directory.path().join("missing")).speed().is_ok());
        assert_eq!(directory.path().read_dir().unwrap().count(), 0);
    }
}
