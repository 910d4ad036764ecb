//! Work that several ranks share: batches of games in turn, or whole pieces dealt out.
//!
//! Results come in the same order for any number of ranks, so sums over them have the same bits.

use std::ops::ControlFlow;

use puabi_solve::Exchange;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Gives the result of each batch to `see`, in order, until `see` breaks. In each round every rank makes one batch, and then the
/// ranks exchange their results.
///
/// All ranks see the same results, so all of them stop at the same batch. The later batches of that round were made for nothing.
pub(crate) fn in_turn<T: Serialize + DeserializeOwned>(
    ranks: &dyn Exchange,
    batches: u64,
    mut work: impl FnMut(u64) -> T,
    mut see: impl FnMut(u64, T) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let (rank, count) = (ranks.rank() as u64, ranks.ranks() as u64);
    for round in 0..batches.div_ceil(count) {
        let first = round * count;
        let made = (first + rank < batches).then(|| work(first + rank));
        let made = all_gather(ranks, made).into_iter().flatten();
        for (batch, result) in (first..).zip(made) {
            see(batch, result)?;
        }
    }
    ControlFlow::Continue(())
}

/// Returns what `work` makes of each item, in order. Each rank works on some of the items and gets the results of all.
///
/// Items are dealt out, the largest first, each to the rank that has the least to do; `size` says how much work an item is.
///
/// # Errors
///
/// Returns the first error of this rank; the other ranks go on waiting for its results.
///
/// # Panics
///
/// Panics if the results of another rank cannot be read. All ranks must run the same program.
///
/// ```
/// use puabi_solve::Alone;
/// let squares = puabi_study::map_among(&Alone, &[2, 3], |_| 1, |n| Ok::<_, ()>(n * n));
/// assert_eq!(squares, Ok(vec![4, 9]));
/// ```
pub fn map_among<I, T: Serialize + DeserializeOwned, E>(
    ranks: &dyn Exchange,
    items: &[I],
    size: impl Fn(&I) -> u64,
    mut work: impl FnMut(&I) -> Result<T, E>,
) -> Result<Vec<T>, E> {
    let holders = holders(items.iter().map(size), ranks.ranks());
    let own = items.iter().zip(&holders).filter(|(_, holder)| **holder == ranks.rank());
    let own = own.map(|(item, _)| work(item)).collect::<Result<Vec<T>, E>>()?;
    let mut made: Vec<_> = all_gather(ranks, own).into_iter().map(Vec::into_iter).collect();
    let mut take = |holder: &usize| made[*holder].next().expect("a rank makes what it holds");
    Ok(holders.iter().map(&mut take).collect())
}

/// Returns the rank that works on each item, given how much work each is.
fn holders(sizes: impl Iterator<Item = u64>, ranks: usize) -> Vec<usize> {
    let sizes: Vec<_> = sizes.collect();
    let mut order: Vec<_> = (0..sizes.len()).collect();
    order.sort_by_key(|&at| std::cmp::Reverse(sizes[at]));
    let (mut holders, mut load) = (vec![0; sizes.len()], vec![0_u64; ranks]);
    for at in order {
        let least = (0..ranks).min_by_key(|&rank| load[rank]).expect("there is a rank");
        load[least] = load[least].saturating_add(sizes[at].max(1));
        holders[at] = least;
    }
    holders
}

/// Returns the result of each rank, by rank.
fn all_gather<T: Serialize + DeserializeOwned>(ranks: &dyn Exchange, own: T) -> Vec<T> {
    if ranks.ranks() == 1 {
        return vec![own];
    }
    let bytes = postcard::to_allocvec(&own).expect("results have no maps of unknown length");
    let mut given = vec![bytes; ranks.ranks()];
    given[ranks.rank()].clear();
    let mut own = Some(own);
    let taken = ranks.swap(given).into_iter().enumerate();
    let read = |(from, bytes): (usize, Vec<u8>)| {
        let of_this_rank = own.take_if(|_| from == ranks.rank());
        of_this_rank.unwrap_or_else(|| {
            postcard::from_bytes(&bytes).expect("all ranks run the same program")
        })
    };
    taken.map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_item_has_a_rank_for_itself() {
        assert_eq!(holders([1, 5, 1, 2, 1].into_iter(), 2), [1, 0, 1, 1, 1]);
        assert_eq!(holders([0, 0, 0].into_iter(), 3), [0, 1, 2]);
    }
}
