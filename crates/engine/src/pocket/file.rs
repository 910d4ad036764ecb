//! The file of a pocket; `docs/format.md` describes every byte.
//!
//! The reader trusts nothing: it checks sizes before it uses them, allocates no more than the file has bytes, and believes a
//! part only after its checksum holds.

use puabi_core::{RuleSet, Rules};
use serde::{Deserialize, Serialize};

use super::error::PocketError;
use super::facts::PocketFacts;
use super::parts::PocketParts;
use super::ribbon::{Ribbon, Shard};
use crate::models::net::Net;

/// The first bytes. As in PNG, they show whether the file was copied as text, which changes the high bit or the line ends.
pub(super) const MAGIC: [u8; 8] = *b"\x89URP\r\n\x1a\n";
const VERSION: u32 = 1;
/// The number of bytes before the header: magic, version, length of the header, checksum.
const PREAMBLE: usize = 32;
const CHECKSUM: usize = 16;
/// The most bytes of the header.
const MAX_HEADER: usize = 1 << 19;
/// The parts after the header, as errors name them.
const PARTS: [&str; 3] = ["net", "filter", "list of verdicts"];
/// The number of bytes of a file with an empty header and empty parts.
const MIN_BYTES: usize = PREAMBLE + PARTS.len() * CHECKSUM;

/// The header: the lengths of the parts, and what the pocket says about itself.
#[derive(Debug, Serialize, Deserialize)]
struct Header {
    /// The number of bytes of each part.
    parts: [u32; PARTS.len()],
    facts: PocketFacts,
}

fn checksum(bytes: &[u8]) -> [u8; CHECKSUM] {
    *blake3::hash(bytes).as_bytes().first_chunk().expect("a hash is longer than a checksum")
}

/// Returns the bytes of a pocket.
pub(super) fn write(pocket: &PocketParts) -> Vec<u8> {
    let PocketParts { facts, net, filter, verdicts } = pocket;
    let parts = [net.to_bytes().into(), ribbon_bytes(filter), ribbon_bytes(verdicts)];
    let length = |part: &Vec<u8>| u32::try_from(part.len()).expect("a pocket is below 4 GB");
    let header = Header { parts: parts.each_ref().map(length), facts: facts.clone() };
    let text = toml::to_string(&header).expect("a header is plain numbers and texts");
    let mut bytes = MAGIC.to_vec();
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend(u32::try_from(text.len()).expect("a header is small").to_le_bytes());
    let start = [&bytes[..], text.as_bytes()].concat();
    bytes.extend(checksum(&start));
    bytes.extend(text.as_bytes());
    for part in &parts {
        bytes.extend(checksum(part));
    }
    for part in &parts {
        bytes.extend(part);
    }
    bytes
}

/// Returns the rules and the parts of the pocket in `bytes`.
pub(super) fn read(bytes: &[u8]) -> Result<(Rules, PocketParts), PocketError> {
    let (header, rest) = read_header(bytes)?;
    let (sums, mut rest) = rest.split_at_checked(PARTS.len() * CHECKSUM).unwrap_or((&[], &[]));
    let sizes = header.parts.map(|size| usize::try_from(size).unwrap_or(usize::MAX));
    let sum: u64 = header.parts.iter().map(|&size| u64::from(size)).sum();
    if sums.is_empty() || rest.len() as u64 != sum {
        let before = bytes.len() - rest.len();
        return Err(PocketError::Length { found: bytes.len(), expected: before as u64 + sum });
    }
    let mut parts = [&[][..]; PARTS.len()];
    for ((at, part), sum) in parts.iter_mut().enumerate().zip(sums.chunks_exact(CHECKSUM)) {
        (*part, rest) = rest.split_at(sizes[at]);
        if checksum(part) != sum {
            return Err(PocketError::Damaged { part: PARTS[at] });
        }
    }
    header.facts.ensure_sound()?;
    let rules = RuleSet::from_toml(&header.facts.rules)?.compile()?;
    let [net, filter, verdicts] = parts;
    let net = Net::read(net, &rules)?;
    let (filter, verdicts) = (read_ribbon(filter)?, read_ribbon(verdicts)?);
    Ok((rules, PocketParts { facts: header.facts, net, filter, verdicts }))
}

/// Returns the header and the bytes after it.
fn read_header(bytes: &[u8]) -> Result<(Header, &[u8]), PocketError> {
    if bytes.len() < MIN_BYTES {
        return Err(PocketError::Short { found: bytes.len(), expected: MIN_BYTES });
    }
    if !bytes.starts_with(&MAGIC) {
        return Err(PocketError::Magic);
    }
    let number = |at: usize| {
        let bytes = bytes[at..].first_chunk().expect("the file is longer than its preamble");
        u32::from_le_bytes(*bytes)
    };
    let (version, length) = (number(8), number(12));
    if version != VERSION {
        return Err(PocketError::Version { found: version, expected: VERSION });
    }
    let end = PREAMBLE + usize::try_from(length).unwrap_or(usize::MAX).min(MAX_HEADER);
    let text = bytes.get(PREAMBLE..end).ok_or(PocketError::Length {
        found: bytes.len(),
        expected: MIN_BYTES as u64 + u64::from(length),
    })?;
    if checksum(&[&bytes[..16], text].concat()) != bytes[16..PREAMBLE] {
        return Err(PocketError::Damaged { part: "header" });
    }
    let text = std::str::from_utf8(text).map_err(|_| PocketError::Text)?;
    let header = toml::from_str(text).map_err(|error| PocketError::Header(error.into()))?;
    Ok((header, &bytes[end..]))
}

/// Returns a ribbon as bytes: the number of shards as u32, the seed as u8 and the rows as u16 of each shard, and the bits.
fn ribbon_bytes(ribbon: &Ribbon) -> Vec<u8> {
    let count = u32::try_from(ribbon.shards().len()).expect("there are few shards");
    let mut bytes = count.to_le_bytes().to_vec();
    for Shard { seed, rows } in ribbon.shards() {
        bytes.push(*seed);
        bytes.extend(rows.to_le_bytes());
    }
    bytes.extend(ribbon.bits());
    bytes
}

fn read_ribbon(bytes: &[u8]) -> Result<Ribbon, PocketError> {
    let wrong = |expected| PocketError::Ribbon { found: bytes.len(), expected };
    let (count, rest) = bytes.split_first_chunk::<4>().ok_or(wrong(4))?;
    let count = usize::try_from(u32::from_le_bytes(*count)).unwrap_or(usize::MAX);
    if count > Ribbon::MAX_SHARDS {
        return Err(wrong(4 + 3 * Ribbon::MAX_SHARDS));
    }
    let (shards, bits) = rest.split_at_checked(3 * count).ok_or(wrong(4 + 3 * count))?;
    let shards = shards
        .as_chunks::<3>()
        .0
        .iter()
        .map(|&[seed, low, high]| Shard { seed, rows: u16::from_le_bytes([low, high]) });
    Ribbon::new(shards.collect(), bits)
}
