//! Pockets: what is read is written to the same bytes and plays legal moves, also behind checksums that were mended.

#![no_main]

use libfuzzer_sys::fuzz_target;
use puabi_core::Agent;
use puabi_engine::Pocket;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(pocket) = Pocket::read(bytes) {
        assert_eq!(pocket.to_bytes(), bytes);
    }
    // Checksums stop nearly every change, and the reader behind them is to be tried too.
    let Some(pocket) = mended(bytes).and_then(|bytes| Pocket::read(&bytes).ok()) else { return };
    let written = pocket.to_bytes();
    assert_eq!(Pocket::read(&written).expect("what was written").to_bytes(), written);
    // In decisions with a choice, other ones for other bytes.
    let [seed] = *checksum(&written).first_chunk().expect("a hash is longer");
    for decision in pocket.trials(seed.into()).take(8) {
        assert!(decision.allows(pocket.choose(&decision, 0.0)));
    }
});

/// Returns the bytes with the checksums that they should have, as far as the header says where these are.
fn mended(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = bytes.to_vec();
    let length = u32::from_le_bytes(*bytes.get(12..)?.first_chunk()?);
    let end = 32 + usize::try_from(length).ok()?;
    let header = bytes.get(32..end)?;
    let text = str::from_utf8(header).ok()?;
    let (_, sizes) = text.split_once("parts = [")?;
    let sizes = sizes.split_once(']')?.0.split(',').map_while(|size| size.trim().parse().ok());
    let sizes: Vec<usize> = sizes.take(3).collect();
    let sum = checksum(&[&bytes[..16], header].concat());
    bytes[16..32].copy_from_slice(&sum);
    let mut from = end + 48;
    for (part, size) in sizes.into_iter().enumerate() {
        let sum = checksum(bytes.get(from..from.checked_add(size)?)?);
        bytes[end + 16 * part..][..16].copy_from_slice(&sum);
        from += size;
    }
    Some(bytes)
}

fn checksum(bytes: &[u8]) -> [u8; 16] {
    *blake3::hash(bytes).as_bytes().first_chunk().expect("a hash is longer")
}
