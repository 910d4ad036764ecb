//! Checksums of parts of a file.

/// Bytes of a checksum.
pub(crate) const CHECKSUM: usize = 16;

/// The checksum of a block of values.
pub(crate) type Checksum = [u8; CHECKSUM];

/// Returns the checksum of `bytes`.
pub(crate) fn checksum(bytes: &[u8]) -> Checksum {
    *blake3::hash(bytes).as_bytes().first_chunk().expect("a hash is longer than a checksum")
}
