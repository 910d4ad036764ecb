//! Numbers in as few bytes as each needs, one after the other: most in one, and none is read bit by bit.

/// Numbers below this are one byte.
const ONE_BYTE: u8 = 0xe0;
/// First bytes from this on say how many follow; those between have the high bits of a number of two bytes.
const MANY_BYTES: u8 = 0xf8;
/// [`ONE_BYTE`] as a number.
const FIRST_OF_TWO: u64 = ONE_BYTE as u64;
/// Numbers below this take one byte or two.
const FIRST_OF_MANY: u64 = FIRST_OF_TWO + (((MANY_BYTES - ONE_BYTE) as u64) << u8::BITS);

/// The most bytes of a number. As many follow the last one.
pub(super) const MOST_BYTES: usize = size_of::<u64>();

/// Adds a number of at most 56 bits.
pub(super) fn push(bytes: &mut Vec<u8>, number: u64) {
    match number {
        ..FIRST_OF_TWO => bytes.push(number.to_le_bytes()[0]),
        FIRST_OF_TWO..FIRST_OF_MANY => {
            let [low, high, ..] = (number - FIRST_OF_TWO).to_le_bytes();
            bytes.extend_from_slice(&[ONE_BYTE + high, low]);
        }
        _ => {
            let all = number.to_le_bytes();
            let last = all.iter().rposition(|&byte| byte > 0).expect("it is more than none");
            bytes.push(MANY_BYTES + 1 + u8::try_from(last).expect("a number has eight bytes"));
            bytes.extend_from_slice(&all[..=last]);
        }
    }
}

/// Takes a number from the front; returns nothing if not as many bytes are left as follow the last one.
#[inline]
pub(super) fn take(bytes: &mut &[u8]) -> Option<u64> {
    let front = *bytes.first_chunk()?;
    let (first, rest) = (front[0], u64::from_le_bytes(front) >> u8::BITS);
    let (number, len) = match first {
        ..ONE_BYTE => (first.into(), 0),
        ONE_BYTE..MANY_BYTES => {
            let high = u64::from(first - ONE_BYTE) << u8::BITS;
            (FIRST_OF_TWO + high + (rest & 0xff), 1)
        }
        MANY_BYTES.. => {
            let len = first - MANY_BYTES;
            (rest & !(u64::MAX << (8 * len)), usize::from(len))
        }
    };
    *bytes = &bytes[1 + len..];
    Some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back_and_take_as_many_bytes_as_they_need() {
        let lens = [(0, 1), (FIRST_OF_TWO - 1, 1), (FIRST_OF_TWO, 2), (FIRST_OF_MANY - 1, 2)];
        let many = [(FIRST_OF_MANY, 3), (0xffff, 3), (0x1_0000, 4), ((1 << 56) - 1, 8)];
        let mut bytes = Vec::new();
        for (number, len) in lens.into_iter().chain(many) {
            let before = bytes.len();
            push(&mut bytes, number);
            assert_eq!(bytes.len() - before, len, "{number}");
        }
        bytes.extend_from_slice(&[0; MOST_BYTES]);
        let mut rest = &*bytes;
        for (number, _) in lens.into_iter().chain(many) {
            assert_eq!(take(&mut rest), Some(number));
        }
        assert_eq!(rest.len(), MOST_BYTES);
    }
}
