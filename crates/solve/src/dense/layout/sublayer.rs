//! Where the values of one sublayer are stored while it is swept.
//!
//! Every value is the *senior's* chance, once with the senior and once with the junior about to roll. The values of a
//! configuration (the senior's and the junior's shared mask) are a *block*. All blocks of one shared mask of the junior are a
//! *slab*. Slabs, and blocks within a slab, are stored in the order of sweeps.
#![expect(clippy::cast_possible_truncation, reason = "there are fewer than 2^32 masks")]
#![expect(
    clippy::inline_always,
    reason = "the kernel has to be one piece for the instruction set it is compiled for"
)]

use puabi_core::{Indexer, SideState, Sublayer};

use crate::dense::layout::block::{BlockShape, Ranks, UNIT, number_of, place_of};
use crate::dense::layout::masks::{MaskTables, NONE};
use crate::dense::successors::packed::SENTINEL;
use crate::types::SolveError;

/// All blocks of one shared mask of the junior.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Slab {
    /// The junior's mask.
    pub(crate) junior: u32,
    /// Where its columns, the senior's masks, begin and end in [`DenseLayout::columns`].
    pub(crate) columns: (usize, usize),
}

/// The layout of one sublayer.
#[derive(Debug)]
pub(crate) struct DenseLayout {
    pub(crate) sublayer: Sublayer,
    /// The senior's and the junior's state.
    pub(crate) states: [SideState; 2],
    /// The pieces of the senior and of the junior that are not home and not on post squares.
    pub(crate) movable: [u8; 2],
    pub(crate) ranks: Ranks,
    /// The senior's masks of the blocks that are swept, slab by slab.
    pub(crate) columns: Vec<u32>,
    /// By column: the number of the place where its block begins, or `NONE`.
    places: Vec<u32>,
    /// By column: the number of the place where the mirror image of its block begins, or `NONE`.
    images: Vec<u32>,
    pub(crate) slabs: Vec<Slab>,
    /// Slabs by the junior's progress, the furthest first; those of one level do not read each other.
    pub(crate) levels: Vec<Vec<usize>>,
    /// The slabs of all levels, one level after the other: the order of a pass.
    pub(crate) order: Vec<usize>,
    /// By slab: its place in that order.
    pub(crate) turns: Vec<usize>,
    /// Whether only half the columns are swept, see [`DenseLayout::new`].
    pub(crate) halved: bool,
    /// The number of values with one side about to roll.
    pub(crate) len: usize,
    /// The number of those values that are in blocks swept here. Behind them come the values that are only read: blocks that
    /// other ranks sweep, and mirror images.
    pub(crate) swept: usize,
}

impl DenseLayout {
    /// Returns the layout of `sublayer`, whose blocks have no places yet. With `halved`, a sublayer that mirrors itself has only
    /// those columns in which the junior is at least as far as the senior: the others follow from them.
    pub(crate) fn new(
        tables: &MaskTables,
        indexer: &Indexer,
        sublayer: Sublayer,
        halved: bool,
    ) -> Self {
        let states = [sublayer.senior, sublayer.junior].map(|state| indexer.side_states()[state]);
        let mut layout = Self {
            sublayer,
            states,
            movable: states.map(|state| state.movable(tables.pieces)),
            ranks: Ranks::new(indexer),
            columns: Vec::new(),
            places: Vec::new(),
            images: Vec::new(),
            slabs: Vec::new(),
            levels: Vec::new(),
            order: Vec::new(),
            turns: Vec::new(),
            halved: halved && sublayer.is_mirror(),
            len: 0,
            swept: 0,
        };
        layout.list_blocks(tables);
        layout.places = vec![NONE; layout.columns.len()];
        layout.images = vec![NONE; if layout.halved { layout.columns.len() } else { 0 }];
        layout.levels = layout.levels(tables);
        layout.order = layout.levels.concat();
        layout.turns = vec![0; layout.slabs.len()];
        for (turn, &slab) in layout.order.iter().enumerate() {
            layout.turns[slab] = turn;
        }
        layout
    }

    fn list_blocks(&mut self, tables: &MaskTables) {
        for junior in 0..tables.masks.len() as u32 {
            if tables.masks.count(junior) <= self.movable[1] {
                self.list_slab(tables, junior);
            }
        }
    }

    /// Lists the blocks of a slab that are swept.
    fn list_slab(&mut self, tables: &MaskTables, junior: u32) {
        let masks = &tables.masks;
        let first_column = self.columns.len();
        let key = |mask: u32| (masks.progress(mask), std::cmp::Reverse(mask));
        let bits = masks.bits[junior as usize];
        for senior in 0..masks.len() as u32 {
            let is_block = masks.count(senior) <= self.movable[0]
                && masks.excludes[senior as usize] & bits == 0;
            if is_block && (!self.halved || key(junior) >= key(senior)) {
                self.columns.push(senior);
            }
        }
        self.slabs.push(Slab { junior, columns: (first_column, self.columns.len()) });
    }

    /// Gives places to the blocks of `slabs`, which are swept here.
    pub(crate) fn place_swept(&mut self, tables: &MaskTables, slabs: &[usize]) {
        for &slab in slabs {
            self.place_slab(tables, slab, |_| true);
        }
        self.len = self.len.next_multiple_of(16);
        self.swept = self.len;
    }

    /// Gives places to what is read besides, behind what is swept: the blocks and images whose numbers `is_read` accepts. The
    /// block that an image is made of has a place too.
    pub(crate) fn place_read(&mut self, tables: &MaskTables, is_read: impl Fn(usize) -> bool) {
        let columns = self.columns.len();
        for slab in 0..self.slabs.len() {
            self.place_slab(tables, slab, |column| is_read(column) || is_read(columns + column));
        }
        if self.halved {
            self.place_images(tables, |column| is_read(columns + column));
        }
        self.len = self.len.next_multiple_of(16);
    }

    /// Returns an error if there are more places than blocks have numbers for, with either side about to roll.
    pub(crate) fn ensure_places(&self) -> Result<(), SolveError> {
        let (values, most) = (2 * self.len as u64, UNIT as u64 * u64::from(SENTINEL));
        if values <= most { Ok(()) } else { Err(SolveError::TooManyValues { values, most }) }
    }

    /// Gives places to those blocks of a slab that `needs_place` accepts and that have no place yet.
    fn place_slab(
        &mut self,
        tables: &MaskTables,
        slab: usize,
        needs_place: impl Fn(usize) -> bool,
    ) {
        let Slab { junior, columns: (from, to) } = self.slabs[slab];
        for column in from..to {
            if self.places[column] == NONE && needs_place(column) {
                self.places[column] = self.place_block(tables, self.columns[column], junior);
            }
        }
    }

    fn place_images(&mut self, tables: &MaskTables, is_read: impl Fn(usize) -> bool) {
        let mut images = Vec::new();
        for &Slab { junior, columns: (from, to) } in &self.slabs {
            let read = (from..to).filter(|&column| is_read(column));
            images.extend(read.map(|column| (self.columns[column], junior, column)));
        }
        // In the order in which they would be swept.
        images.sort_unstable();
        for (senior, junior, column) in images {
            self.images[column] = self.place_block(tables, junior, senior);
        }
    }

    /// Makes room for a block; returns the number of its place.
    fn place_block(&mut self, tables: &MaskTables, senior: u32, junior: u32) -> u32 {
        let shape = self.shape(tables, senior, junior);
        let at = shape.begin(self.len);
        self.len = at + shape.len(&self.ranks);
        number_of(at)
    }

    fn levels(&self, tables: &MaskTables) -> Vec<Vec<usize>> {
        let mut levels = Vec::new();
        for (at, slab) in self.slabs.iter().enumerate() {
            let progress = tables.masks.progress(slab.junior);
            if levels.len() <= progress {
                levels.resize(progress + 1, Vec::new());
            }
            levels[progress].push(at);
        }
        levels.reverse();
        levels
    }

    /// Returns the shape of the block of a configuration.
    #[inline(always)]
    pub(crate) fn shape(&self, tables: &MaskTables, senior: u32, junior: u32) -> BlockShape {
        let [senior_movable, junior_movable] = self.movable;
        let masks = &tables.masks;
        BlockShape::new(senior_movable - masks.count(senior), junior_movable - masks.count(junior))
    }

    /// Returns where the block of a column begins. The block has a place.
    #[inline]
    pub(crate) fn block(&self, column: usize) -> usize {
        debug_assert!(self.places[column] != NONE, "a block without a place is not asked for");
        place_of(self.places[column])
    }

    /// Returns where the block of a column begins, if it has a place.
    #[inline]
    pub(crate) fn placed(&self, column: usize) -> Option<usize> {
        Some(self.places[column]).filter(|&at| at != NONE).map(place_of)
    }

    /// Returns where the mirror image of a column's block begins, if it has a place.
    #[inline]
    pub(crate) fn image(&self, column: usize) -> Option<usize> {
        self.images.get(column).filter(|&&at| at != NONE).map(|&at| place_of(at))
    }

    /// Returns whether the values of a block have a mirror image that is not swept.
    pub(crate) fn has_image(&self, senior: u32, junior: u32) -> bool {
        self.halved && senior != junior
    }

    /// Returns how many positions a slot of a block stands for: one if the position with the junior about to roll is also that of
    /// another slot with the senior about to roll.
    #[inline]
    pub(crate) fn positions_of_slot(&self, senior: u32, junior: u32) -> u64 {
        if self.sublayer.is_mirror() && !self.has_image(senior, junior) { 1 } else { 2 }
    }

    /// Returns the configurations of the blocks of a slab that are swept: the senior's mask, and the junior's.
    pub(crate) fn slab_blocks(&self, at: usize) -> impl Iterator<Item = (u32, u32)> {
        let Slab { junior, columns, .. } = self.slabs[at];
        self.columns[columns.0..columns.1].iter().map(move |&senior| (senior, junior))
    }
}

#[cfg(test)]
mod tests {
    use puabi_core::RuleSet;

    use super::*;

    #[test]
    fn what_is_swept_or_read_has_places_of_its_own_and_nothing_else_has() {
        let rules = RuleSet::FINKEL.with_pieces(3).compile().unwrap();
        let indexer = Indexer::new(&rules).unwrap();
        let tables = MaskTables::new(&rules, &indexer);
        for &sublayer in indexer.sublayers() {
            let mut layout = DenseLayout::new(&tables, &indexer, sublayer, true);
            let columns = layout.columns.len();
            let swept: Vec<_> = (0..layout.slabs.len()).step_by(2).collect();
            let is_read = |number: usize| number.is_multiple_of(3);
            layout.place_swept(&tables, &swept);
            layout.place_read(&tables, is_read);
            let mut places = Vec::new();
            for (slab, &Slab { junior, columns: (from, to) }) in layout.slabs.iter().enumerate() {
                for column in from..to {
                    let senior = layout.columns[column];
                    let len = layout.shape(&tables, senior, junior).len(&layout.ranks);
                    let [block, image] = [layout.placed(column), layout.image(column)];
                    let is_swept = swept.contains(&slab);
                    assert_eq!(block.is_some_and(|at| at + len <= layout.swept), is_swept);
                    let has_image = layout.halved && is_read(columns + column);
                    assert_eq!(image.is_some(), has_image);
                    let is_placed = is_swept || is_read(column) || is_read(columns + column);
                    assert_eq!(block.is_some(), is_placed);
                    places.extend([block, image].into_iter().flatten().map(|at| (at, at + len)));
                }
            }
            layout.ensure_places().unwrap();
            places.sort_unstable();
            assert!(places.windows(2).all(|pair| pair[0].1 <= pair[1].0));
            assert!(places.last().is_none_or(|&(_, end)| end <= layout.len));
        }
    }

    #[test]
    fn more_places_than_numbers_are_refused() {
        let rules = RuleSet::FINKEL.with_pieces(1).compile().unwrap();
        let indexer = Indexer::new(&rules).unwrap();
        let tables = MaskTables::new(&rules, &indexer);
        let mut layout = DenseLayout::new(&tables, &indexer, indexer.sublayers()[0], true);
        layout.len = UNIT * (SENTINEL as usize) / 2;
        layout.ensure_places().unwrap();
        layout.len += UNIT;
        assert!(matches!(layout.ensure_places(), Err(SolveError::TooManyValues { .. })));
    }
}
