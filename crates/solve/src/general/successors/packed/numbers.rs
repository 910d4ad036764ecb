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

/// The layout of a group of numbers.
#[derive(Clone, Copy)]
struct Group {
    /// The offset of each number.
    starts: [u8; GROUP],
    /// The mask of the bits of each number.
    masks: [u64; GROUP],
    /// The length of all numbers in bytes.
    len: u8,
}

/// The layouts by the codes of a group, the first code in the lowest bits.
static GROUPS: [Group; 256] = {
    let mut groups = [Group { starts: [0; GROUP], masks: [0; GROUP], len: 0 }; 256];
    let mut codes = 0;
    while codes < groups.len() {
        let mut number = 0;
        while number < GROUP {
            let len = LENS[codes >> (2 * number) & 3];
            let group = &mut groups[codes];
            group.starts[number] = group.len;
            group.masks[number] = u64::MAX >> (u64::BITS - 8 * len as u32);
            group.len += len;
            number += 1;
        }
        codes += 1;
    }
    groups
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
        let (group, looked_at) = (&GROUPS[usize::from(of_group)], bytes.first_chunk()?);
        numbers.extend_from_slice(&group.numbers(looked_at)?);
        bytes = bytes.get(group.len.into()..)?;
    }
    numbers.truncate(count);
    (bytes.len() == LOOKED_AT).then_some(numbers)
}

impl Group {
    #[inline]
    fn numbers(&self, bytes: &[u8; LOOKED_AT]) -> Option<[u64; GROUP]> {
        let mut numbers = self.masks;
        for (number, &start) in numbers.iter_mut().zip(&self.starts) {
            *number &= u64::from_le_bytes(*bytes.get(start.into()..)?.first_chunk()?);
        }
        Some(numbers)
    }
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
