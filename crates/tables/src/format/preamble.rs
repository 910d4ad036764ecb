//! The preamble of a file: magic, version, length of the JSON, checksum; and the JSON that it vouches for.

use crate::error::{TableError, VERSION};
use crate::format::checksum::checksum;

/// The first bytes. As in PNG, a copy as text changes the high bit or the line ends.
pub(crate) const MAGIC: [u8; 8] = *b"\x89URT\r\n\x1a\n";
/// Bytes before the JSON: magic, version, length of the JSON, checksum.
pub(super) const PREAMBLE: usize = 32;
/// The most bytes of JSON: a rule file of the greatest length with every byte escaped.
pub(crate) const MAX_JSON: usize = 1 << 19;

/// Returns the preamble of a file with this header.
pub(super) fn preamble(json: &[u8]) -> [u8; PREAMBLE] {
    let mut bytes = [0; PREAMBLE];
    bytes[..16].copy_from_slice(&file_start(MAGIC, json));
    let sum = checksum(&[&bytes[..16], json].concat());
    bytes[16..].copy_from_slice(&sum);
    bytes
}

/// Returns how a file with this magic and header begins: magic, version, length of the JSON.
pub(crate) fn file_start(magic: [u8; 8], json: &[u8]) -> [u8; 16] {
    let length = u32::try_from(json.len()).expect("a header is at most 2^19 bytes");
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&magic);
    bytes[8..12].copy_from_slice(&VERSION.to_le_bytes());
    bytes[12..].copy_from_slice(&length.to_le_bytes());
    bytes
}

/// Returns the version and the length of the JSON after a file's magic.
pub(crate) fn version_and_length(start: &[u8; 16]) -> [u32; 2] {
    let number = |at: usize| u32::from_le_bytes([0, 1, 2, 3].map(|byte| start[at + byte]));
    [number(8), number(12)]
}

/// Returns the JSON of a file, if it matches its checksum.
pub(super) fn json_of(file: &[u8]) -> Result<&[u8], TableError> {
    check_magic(file)?;
    let found = file.len() as u64;
    let truncated = |expected: usize| TableError::Truncated { found, expected: expected as u64 };
    let (preamble, rest) =
        file.split_first_chunk::<PREAMBLE>().ok_or_else(|| truncated(PREAMBLE))?;
    let start = preamble.first_chunk().expect("a preamble is longer");
    let [version, length] = version_and_length(start);
    match version {
        VERSION => {}
        0 => return Err(damaged("version 0")),
        found => return Err(TableError::Newer { found }),
    }
    let length = length as usize;
    if length > MAX_JSON {
        return Err(too_long(length));
    }
    let json = rest.get(..length).ok_or_else(|| truncated(PREAMBLE + length))?;
    if checksum(&[start, json].concat()) != preamble[16..] {
        return Err(damaged("it does not match its checksum"));
    }
    Ok(json)
}

fn check_magic(file: &[u8]) -> Result<(), TableError> {
    let start = &file[..file.len().min(MAGIC.len())];
    if MAGIC.starts_with(start) {
        return Ok(());
    }
    let as_text = start.get(1..4) == Some(b"URT")
        && [MAGIC[0], MAGIC[0] & 0x7f].contains(&start[0])
        || start.starts_with(b"\xc2\x89URT")
        || start.starts_with(b"\xef\xbf\xbdURT");
    Err(if as_text { TableError::CopiedAsText } else { TableError::Foreign })
}

/// Returns the error of a header that is not what was written.
pub(super) fn damaged(what: impl Into<String>) -> TableError {
    TableError::Header { what: what.into() }
}

/// Returns the error of a header whose JSON has this many bytes.
pub(super) fn too_long(length: usize) -> TableError {
    damaged(format!("{length} bytes: expected {MAX_JSON} at most"))
}
