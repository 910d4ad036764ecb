//! The values of a settled sublayer, divided among ranks: each rank has a part of the index order, and fetches the pages that it
//! reads of other parts.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use puabi_core::Sublayer;

use crate::drive::exchange::{FULL, Packets, Ranks};
use crate::memory::buffer::Buffer;
use crate::types::SolveError;

/// The number of values of a page, which are fetched together.
const VALUES_PER_PAGE: usize = 8;
/// The number of values in the pages that one word has bits for. Each part begins at a multiple of it.
const VALUES_PER_WORD: usize = VALUES_PER_PAGE * u64::BITS as usize;

/// How the index order of a sublayer is divided among ranks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Division {
    /// The number of values of the sublayer, and that of each part but the last ones.
    len: usize,
    part: usize,
}

impl Division {
    /// Divides the values of a sublayer among ranks.
    pub(crate) fn new(sublayer: &Sublayer, ranks: usize) -> Self {
        Self::among(usize::try_from(sublayer.len()).expect("a sublayer fits memory"), ranks)
    }

    /// Divides `len` values into parts of equal length, one for each rank. The last part that has values may be shorter, and the
    /// parts after it are empty.
    fn among(len: usize, ranks: usize) -> Self {
        Self { len, part: len.div_ceil(ranks).next_multiple_of(VALUES_PER_WORD) }
    }

    /// Returns the indices of the values that a rank has.
    pub(crate) fn part(self, rank: usize) -> Range<usize> {
        let start = |rank: usize| (rank * self.part).min(self.len);
        start(rank)..start(rank + 1)
    }

    /// Returns the pages that have values with these indices.
    pub(crate) fn pages(self, indices: Range<usize>) -> Pages {
        let pages =
            Pages((0..self.len.div_ceil(VALUES_PER_WORD)).map(|_| AtomicU64::new(0)).collect());
        pages.insert(indices);
        pages
    }

    /// Returns the words of the pages that a rank has.
    fn words(self, rank: usize) -> Range<usize> {
        let Range { start, end } = self.part(rank);
        start.div_ceil(VALUES_PER_WORD)..end.div_ceil(VALUES_PER_WORD)
    }

    /// Sends values to the ranks whose parts they belong to; `own` receives those of this rank's part. `each_run` calls a
    /// function with each run of values that this rank has of a level. The values of a run follow each other in index order; the
    /// index of the first one comes with them.
    pub(crate) fn gather(
        self,
        ranks: Ranks<'_>,
        levels: usize,
        own: &mut [f64],
        each_run: impl Fn(usize, &mut dyn FnMut(usize, &[f64])),
    ) {
        let first = self.part(ranks.rank()).start;
        // Level by level, so that the values under way take little memory.
        for level in 0..levels {
            let mut given = vec![Vec::new(); ranks.count()];
            each_run(level, &mut |mut index, mut values| {
                while !values.is_empty() {
                    let to = index / self.part;
                    let ends = self.part(to).end - index;
                    let (these, rest) = values.split_at(values.len().min(ends));
                    if to == ranks.rank() {
                        own[index - first..][..these.len()].copy_from_slice(these);
                    } else {
                        given[to].extend(index.to_le_bytes());
                        given[to].extend(these.len().to_le_bytes());
                        given[to].extend_from_slice(bytemuck::cast_slice(these));
                    }
                    (index, values) = (index + these.len(), rest);
                }
            });
            for bytes in ranks.swap(|it| &it.finished, given) {
                write_runs(&bytes, first, own);
            }
        }
    }

    /// Fetches the `wanted` pages from the ranks that have them. `own` are the values that this rank has; `room` returns a buffer
    /// for a number of values.
    ///
    /// All ranks call this at the same time, even those that want no pages.
    pub(crate) fn fetch(
        self,
        ranks: Ranks<'_>,
        own: &[f64],
        wanted: &Pages,
        room: impl FnOnce(u64) -> Result<Buffer<f64>, SolveError>,
    ) -> Result<Fetched, SolveError> {
        let (words, pages) = wanted.counted();
        let has_last = self.len > 0 && wanted.contains(self.len - 1);
        let missing =
            if has_last { self.len.next_multiple_of(VALUES_PER_PAGE) - self.len } else { 0 };
        let mut values = room((pages * VALUES_PER_PAGE - missing) as u64)?;
        let wanted_of = |rank| words[self.words(rank)].iter().map(|&(pages, _)| pages).collect();
        let asking: Vec<Vec<u64>> = (0..ranks.count()).map(wanted_of).collect();
        let mut asked = ranks.swap_numbers(&asking);
        let me = ranks.rank();
        asked[me].clone_from(&asking[me]);
        // The pages of consecutive words are stored side by side.
        let first = |rank| {
            words.get(self.words(rank).start).map_or(0, |(_, before)| before * VALUES_PER_PAGE)
        };
        let taken = (0..ranks.count()).map(first).collect();
        let given =
            asked.iter().map(|words| words.iter().zip(own.chunks(VALUES_PER_WORD))).collect();
        let mut pages = OnTheWay { given, taken, to: values.as_mut_slice() };
        loop {
            let packet = pages.give(me);
            if packet.is_empty() {
                break;
            }
            pages.take(me, packet);
        }
        ranks.stream(|it| &it.finished, &mut pages);
        Ok(Fetched { words, values })
    }
}

/// Writes the values that another rank has sent to a part that begins at the index `first`. The bytes are runs: each is an index,
/// a number of values, and the values.
fn write_runs(mut bytes: &[u8], first: usize, part: &mut [f64]) {
    while let Some((index, rest)) = bytes.split_first_chunk() {
        let (len, rest) = rest.split_first_chunk().expect("a number of values follows");
        let [index, len] = [*index, *len].map(usize::from_le_bytes);
        let to: &mut [u8] = bytemuck::cast_slice_mut(&mut part[index - first..][..len]);
        let (values, rest) = rest.split_at(to.len());
        to.copy_from_slice(values);
        bytes = rest;
    }
}

/// Pages on their way from the ranks that have them to those that want them.
struct OnTheWay<'a, W> {
    /// By rank: the words that it asked for and that are still to be sent, each with all values of its pages.
    given: Vec<W>,
    /// By rank: the place in `to` of the next values that it sends.
    taken: Vec<usize>,
    to: &'a mut [f64],
}

impl<'a, W: Iterator<Item = (&'a u64, &'a [f64])>> Packets for OnTheWay<'_, W> {
    fn give(&mut self, to: usize) -> Vec<u8> {
        let mut bytes = Vec::new();
        for (word, values) in &mut self.given[to] {
            let wanted = values
                .chunks(VALUES_PER_PAGE)
                .enumerate()
                .filter(|(page, _)| word >> page & 1 != 0);
            wanted.for_each(|(_, values)| bytes.extend_from_slice(bytemuck::cast_slice(values)));
            if bytes.len() >= FULL {
                break;
            }
        }
        bytes
    }

    fn take(&mut self, from: usize, packet: Vec<u8>) {
        let values = &mut self.to[self.taken[from]..][..packet.len() / size_of::<f64>()];
        bytemuck::cast_slice_mut(values).copy_from_slice(&packet);
        self.taken[from] += values.len();
    }
}

/// A set of pages of a sublayer, which threads fill together.
#[derive(Debug)]
pub(crate) struct Pages(Vec<AtomicU64>);

impl Pages {
    fn insert(&self, indices: Range<usize>) {
        if indices.is_empty() {
            return;
        }
        for page in indices.start / VALUES_PER_PAGE..indices.end.div_ceil(VALUES_PER_PAGE) {
            let (word, bit) = (&self.0[page * VALUES_PER_PAGE / VALUES_PER_WORD], 1 << (page % 64));
            // Most pages are in the set already. A mere load does not make other threads wait.
            if word.load(Ordering::Relaxed) & bit == 0 {
                word.fetch_or(bit, Ordering::Relaxed);
            }
        }
    }

    fn contains(&self, index: usize) -> bool {
        self.0[index / VALUES_PER_WORD].load(Ordering::Relaxed) >> (index / VALUES_PER_PAGE % 64)
            & 1
            != 0
    }

    /// Returns the words with the number of pages before each, and the number of all pages.
    fn counted(&self) -> (Vec<(u64, usize)>, usize) {
        let mut before = 0;
        let counted = self.0.iter().map(|word| {
            let word = word.load(Ordering::Relaxed);
            let counted = (word, before);
            before += word.count_ones() as usize;
            counted
        });
        (counted.collect(), before)
    }
}

/// Some pages of a sublayer, side by side.
#[derive(Debug)]
pub(crate) struct Fetched {
    /// By word: its pages, and how many come before these.
    words: Vec<(u64, usize)>,
    pub(crate) values: Buffer<f64>,
}

impl Fetched {
    /// Returns the place of the value with this index. Its page must have been fetched.
    #[inline]
    pub(crate) fn place(&self, index: usize) -> usize {
        let (pages, before) = self.words[index / VALUES_PER_WORD];
        let page = index / VALUES_PER_PAGE % 64;
        debug_assert!(pages >> page & 1 != 0, "the page was not fetched");
        let before = before + (pages & !(u64::MAX << page)).count_ones() as usize;
        before * VALUES_PER_PAGE + index % VALUES_PER_PAGE
    }
}

/// By sublayer: the pages that a rank wants to read, if it reads any.
#[derive(Debug)]
pub(crate) struct WantedPages(Vec<Option<Pages>>);

impl WantedPages {
    /// Returns an empty set of pages for each sublayer that is read.
    pub(crate) fn none(sublayers: &[Sublayer], read: impl IntoIterator<Item = usize>) -> Self {
        let mut wanted: Vec<_> = sublayers.iter().map(|_| None).collect();
        for at in read {
            wanted[at] = Some(Division::new(&sublayers[at], 1).pages(0..0));
        }
        Self(wanted)
    }

    /// Adds the pages of values with these indices in a sublayer.
    pub(crate) fn insert(&self, at: usize, indices: Range<usize>) {
        self.0[at].as_ref().expect("the sublayer is read").insert(indices);
    }

    /// Returns the wanted pages of a sublayer, if the sublayer is read.
    pub(crate) fn pages(&self, at: usize) -> Option<&Pages> {
        self.0[at].as_ref()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::drive::exchange::ALONE;
    use crate::threads::{Table, Thread};

    fn room(values: u64) -> Result<Buffer<f64>, SolveError> {
        let mut room = Buffer::default();
        room.reserve(usize::try_from(values).unwrap())?;
        Ok(room)
    }

    #[test]
    fn parts_follow_each_other_and_have_all_values() {
        for (len, ranks) in [(1, 1), (1, 3), (4096, 2), (4097, 2), (100_000, 7), (1 << 20, 512)] {
            let division = Division::among(len, ranks);
            let mut end = 0;
            for rank in 0..ranks {
                let part = division.part(rank);
                assert!(
                    part.start == end
                        && (part.is_empty() || part.start.is_multiple_of(VALUES_PER_WORD))
                );
                assert_eq!(division.words(rank).len(), part.len().div_ceil(VALUES_PER_WORD));
                end = part.end;
            }
            assert_eq!(end, len);
        }
    }

    proptest! {
        #[test]
        fn what_is_fetched_lies_where_it_is_looked_up(
            len in 1_usize..20_000,
            runs in proptest::collection::vec((0_usize..20_000, 0_usize..300), 0..20),
        ) {
            let own: Vec<f64> = (0..len).map(|at| at as f64).collect();
            let division = Division::among(len, 1);
            let pages = division.pages(0..0);
            let runs = runs.iter().map(|&(start, more)| start.min(len)..(start + more).min(len));
            let runs: Vec<Range<usize>> = runs.collect();
            runs.iter().cloned().for_each(|run| pages.insert(run));
            let fetched = division.fetch(ALONE, &own, &pages, room).unwrap();
            for run in runs.into_iter().filter(|run| !run.is_empty()) {
                // The values of a run are stored side by side.
                let place = fetched.place(run.start);
                prop_assert_eq!(&fetched.values.as_slice()[place..][..run.len()], &own[run]);
            }
            prop_assert!(fetched.values.as_slice().iter().all(|value| value.fract() == 0.0));
        }

        #[test]
        fn ranks_fetch_what_they_would_read_of_the_whole(
            len in 1_usize..20_000,
            // By rank: the runs that it wants, of values with these indices.
            wanted in proptest::collection::vec(
                proptest::collection::vec((0_usize..20_000, 0_usize..2_000), 0..6),
                2..10,
            ),
            levels in 1_usize..4,
        ) {
            let (ranks, table) = (wanted.len(), &Table::new(wanted.len()));
            let division = Division::among(len, ranks);
            let fetch = |rank: usize| {
                let ranks = Ranks { exchange: &Thread { rank, table }, received: None };
                let mut own = vec![-1.0; division.part(rank).len()];
                // Each value is at work on one rank, in one level.
                division.gather(ranks, levels, &mut own, |level, action| {
                    for at in (0..len).step_by(7).filter(|at| at / 7 % levels == level) {
                        if at / 7 % ranks.count() == rank {
                            let run: Vec<f64> = (at..len.min(at + 7)).map(|at| at as f64).collect();
                            action(at, &run);
                        }
                    }
                });
                let pages = division.pages(0..0);
                let run = |&(start, more): &(usize, usize)| start.min(len)..(start + more).min(len);
                wanted[rank].iter().map(run).for_each(|run| pages.insert(run));
                let fetched = division.fetch(ranks, &own, &pages, room).unwrap();
                let is_of = |value: f64, at: usize| value.to_bits() == (at as f64).to_bits();
                let is_right = |at: usize| is_of(fetched.values.as_slice()[fetched.place(at)], at);
                let part = division.part(rank);
                own.iter().zip(part).all(|(&value, at)| is_of(value, at))
                    && wanted[rank].iter().flat_map(run).all(is_right)
            };
            let are_right = std::thread::scope(|scope| {
                let start = |rank| scope.spawn(move || fetch(rank));
                let running: Vec<_> = (0..ranks).map(start).collect();
                running.into_iter().all(|thread| thread.join().unwrap())
            });
            prop_assert!(are_right);
        }
    }
}
