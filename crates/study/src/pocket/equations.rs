//! Solves ribbons: finds the bits for which every key has the answer that it should have.

use puabi_engine::{Equation, Ribbon, Shard};
use rayon::prelude::*;

/// The keys of a shard on average: a larger shard needs more bits to spare, and smaller shards need more bytes for their seeds
/// and lengths.
const SHARD: usize = 6000;
/// The fewest bits of a shard beyond its keys.
const BAND: usize = 128;
/// Seeds that are tried before a shard grows.
const SEEDS: u8 = 4;

/// Returns the ribbon in which each of these equations has its bit; no equation may come twice with different bits.
///
/// ```
/// use puabi_engine::Equation;
/// use puabi_study::ribbon;
/// let stored: Vec<_> = (0..10_000).map(|key| (Equation::new(key, 0), key % 3 == 0)).collect();
/// let ribbon = ribbon(stored.clone());
/// assert!(stored.iter().all(|(equation, bit)| ribbon.get(*equation) == *bit));
/// assert!(ribbon.bits().len() * 8 < 10_700);
/// ```
///
/// # Panics
///
/// Panics if an equation comes twice with different bits, or if there are more than some hundred million.
pub fn ribbon(mut equations: Vec<(Equation, bool)>) -> Ribbon {
    let count = equations.len().div_ceil(SHARD);
    assert!(count <= Ribbon::MAX_SHARDS, "a ribbon has few shards");
    equations.par_sort_unstable();
    let ends: Vec<_> = (0..=count)
        .map(|shard| equations.partition_point(|(equation, _)| equation.shard(count) < shard))
        .collect();
    let solved = ends.par_windows(2).map(|ends| solve_shard(&equations[ends[0]..ends[1]]));
    let solved: Vec<_> = solved.collect();
    let mut bits = Bits::default();
    for &bit in solved.iter().flat_map(|(_, solution)| solution) {
        bits.push(bit);
    }
    let shards = solved.into_iter().map(|(shard, _)| shard).collect();
    Ribbon::new(shards, &bits.bytes).expect("the bits are those of the shards")
}

/// Returns a shard in which all equations hold, and its bits.
fn solve_shard(equations: &[(Equation, bool)]) -> (Shard, Vec<bool>) {
    if equations.is_empty() {
        return (Shard { seed: 0, rows: 0 }, Vec::new());
    }
    let least = equations.len() + equations.len() / 100 + BAND;
    for spare in 0.. {
        let rows = u16::try_from(least + spare * (equations.len() / 200 + 16));
        let rows = rows.expect("no equation comes twice with different bits");
        for seed in 0..SEEDS {
            let shard = Shard { seed, rows };
            if let Some(solution) = solve(shard, equations) {
                return (shard, solution);
            }
        }
    }
    unreachable!("a shard grows until it can be solved, or panics")
}

/// Returns the bits that solve all equations, by elimination in a band.
fn solve(shard: Shard, equations: &[(Equation, bool)]) -> Option<Vec<bool>> {
    let mut rows = vec![(0_u128, false); usize::from(shard.rows)];
    for &(equation, mut bit) in equations {
        let (mut at, mut names) = equation.within(shard);
        while rows[at].0 != 0 {
            names ^= rows[at].0;
            bit ^= rows[at].1;
            if names == 0 {
                break;
            }
            let zeros = names.trailing_zeros();
            names >>= zeros;
            at += zeros as usize;
        }
        match (names, bit) {
            // It follows from the others, or contradicts them.
            (0, false) => {}
            (0, true) => return None,
            _ => rows[at] = (names, bit),
        }
    }
    let mut solution = vec![false; rows.len()];
    let mut after = 0_u128;
    for (bit, (names, sum)) in solution.iter_mut().zip(rows).rev() {
        after <<= 1;
        *bit = names != 0 && ((names & after).count_ones() % 2 == 1) ^ sum;
        after |= u128::from(*bit);
    }
    Some(solution)
}

/// Bits in bytes, the lowest first.
#[derive(Default)]
struct Bits {
    bytes: Vec<u8>,
    len: usize,
}

impl Bits {
    fn push(&mut self, bit: bool) {
        if self.len.is_multiple_of(8) {
            self.bytes.push(0);
        }
        if let Some(last) = self.bytes.last_mut() {
            *last |= u8::from(bit) << (self.len % 8);
        }
        self.len += 1;
    }
}
