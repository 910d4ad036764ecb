//! Numbers in one, two, three or six bytes each, most of them in one.
//!
//! First comes the count of the numbers, then the length of each, four lengths to a byte, and then the numbers. So four numbers are
//! read at a time without a branch: their lengths follow no pattern that a processor could predict. Such a layout is called Stream
//! `VByte` (Lemire, Kurz and Rupp, 2018: "Stream `VByte`: Faster byte-oriented integer compression").

/// By code: the length in bytes of a number.
const LENS: [u8; 4] = [1, 2, 3, 6];
/// The size of a group: how many numbers have their codes in one byte.
const GROUP: usize = 4;
/// How many bytes reading a group may look at. As many zeros follow the last number.
const LOOKED_AT: usize = 32;

/// By the codes of two numbers, the first in the lowest bits: the length of both in bytes.
const PAIRS: [u8; 16] = {
    let mut pairs = [0; 16];
    let mut codes = 0;
    while codes < pairs.len() {
        pairs[codes] = LENS[codes & 3] + LENS[codes >> 2];
        codes += 1;
    }
    pairs
};

/// Returns the bytes of numbers of at most 48 bits each.
pub(super) fn pack(numbers: &[u64]) -> Vec<u8> {
    let mut packed = count_bytes(numbers.len()).to_vec();
    let mut bytes = Vec::with_capacity(2 * numbers.len());
    for group in numbers.chunks(GROUP) {
        let mut of_group = 0;
        for at in 0..GROUP {
            // The last group is filled up with zeros.
            let number = group.get(at).copied().unwrap_or_default();
            let code = (0_u8..).zip(LENS).find(|&(_, len)| number >> (8 * len) == 0);
            let (code, len) = code.expect("a number has at most 48 bits");
            of_group |= code << (2 * at);
            bytes.extend_from_slice(&number.to_le_bytes()[..len.into()]);
        }
        packed.push(of_group);
    }
    packed.extend_from_slice(&bytes);
    packed.extend_from_slice(&[0; LOOKED_AT]);
    packed
}

/// Returns the most bytes that `count` numbers take.
pub(super) fn most_bytes(count: usize) -> usize {
    let of_group = 1 + GROUP * usize::from(LENS[LENS.len() - 1]);
    size_of::<u64>() + count.div_ceil(GROUP) * of_group + LOOKED_AT
}

fn count_bytes(count: usize) -> [u8; size_of::<u64>()] {
    (count as u64).to_le_bytes()
}

/// Returns the `count` numbers from which `bytes` were made, or `None` if the bytes are not those of `count` numbers.
pub(super) fn unpack(bytes: &[u8], count: usize) -> Option<Vec<u64>> {
    let bytes = bytes.strip_prefix(&count_bytes(count))?;
    let (codes, mut bytes) = bytes.split_at_checked(count.div_ceil(GROUP))?;
    let mut numbers = Vec::with_capacity(GROUP * codes.len());
    for &of_group in codes {
        let looked_at: &[u8; LOOKED_AT] = bytes.first_chunk()?;
        let (first, second) = (usize::from(of_group & 15), usize::from(of_group >> 4));
        let middle = usize::from(PAIRS[first]);
        let [one, two] = pair(looked_at, 0, first)?;
        let [three, four] = pair(looked_at, middle, second)?;
        numbers.extend_from_slice(&[one, two, three, four]);
        bytes = bytes.get(middle + usize::from(PAIRS[second])..)?;
    }
    numbers.truncate(count);
    (bytes.len() == LOOKED_AT).then_some(numbers)
}

/// Returns the two numbers that begin at `start` and have these codes.
#[inline]
fn pair(bytes: &[u8; LOOKED_AT], start: usize, codes: usize) -> Option<[u64; 2]> {
    let [first, second] = [codes & 3, codes >> 2].map(|code| LENS[code]);
    let number = |start: usize, len: u8| {
        let bytes = *bytes.get(start..)?.first_chunk()?;
        Some(u64::from_le_bytes(bytes) & (u64::MAX >> (u64::BITS - 8 * u32::from(len))))
    };
    Some([number(start, first)?, number(start + usize::from(first), second)?])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn numbers_take_as_many_bytes_as_they_need() {
        for (number, len) in [(0, 1), (255, 1), (256, 2), (65535, 2), (65536, 3), (1 << 24, 6)] {
            let bytes = pack(&[number; GROUP]);
            assert_eq!(bytes.len(), 8 + 1 + GROUP * len + LOOKED_AT, "{number}");
        }
        assert_eq!(pack(&[u64::MAX >> 16; GROUP]).len(), most_bytes(GROUP));
    }

    proptest! {
        #[test]
        fn numbers_come_back(numbers in proptest::collection::vec((0_u32..48).prop_flat_map(|bits| 0_u64..2 << bits), 0..50)) {
            let bytes = pack(&numbers);
            prop_assert_eq!(unpack(&bytes, numbers.len()), Some(numbers.clone()));
            prop_assert_eq!(unpack(&bytes, numbers.len() + 1), None);
            prop_assert_eq!(unpack(&bytes[..bytes.len() - 1], numbers.len()), None);
        }

        #[test]
        fn no_bytes_make_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200), count in 0_usize..100) {
            unpack(&bytes, count);
            unpack(&[&count_bytes(count), &*bytes].concat(), count);
        }
    }
}
