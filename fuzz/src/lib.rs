//! What several targets share.

use std::fs;
use std::path::Path;

/// Changes to a file: bytes at places, counted round if there are fewer, and then the length at most.
pub type Damage = (Vec<(u16, u8)>, Option<u16>);

/// Returns the bytes of a sound file with damage.
pub fn damaged(sound: &[u8], (changes, length): &Damage) -> Vec<u8> {
    let mut bytes = sound.to_vec();
    for &(at, byte) in changes {
        bytes[usize::from(at) % sound.len()] = byte;
    }
    bytes.truncate(length.map_or(sound.len(), usize::from));
    bytes
}

/// Writes the bytes of a sound file with damage to the file at `path`.
pub fn write_damaged(path: &Path, sound: &[u8], damage: &Damage) {
    fs::write(path, damaged(sound, damage)).unwrap();
}
