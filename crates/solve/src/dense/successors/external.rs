//! External successors: moves that leave a sublayer, off the board or onto a post square.
//!
//! What they lead to is solved already, so for each block and roll the best of their values is found once a sublayer, and stored
//! in the order in which sweeps read it.
#![expect(
    clippy::cast_possible_truncation,
    reason = "counts here are small: at most 31 squares, 15 pieces, 256 values of a block"
)]

use std::ops::Range;

use puabi_core::{Indexer, SideState};

use crate::dense::layout::block::{BlockShape, Ranks};
use crate::dense::layout::masks::{MaskTables, PRE, THROWS, ones};
use crate::dense::layout::sublayer::DenseLayout;
use crate::drive::engine::Finished;
use crate::mover::{Junior, Mover, Senior};

/// A move that leaves the sublayer.
#[derive(Debug, Clone, Copy)]
struct ExternalMove {
    /// The square that the piece leaves: a shared one or a post square. From pre squares no throw leads beyond the shared ones.
    from: usize,
    /// The side state it leads to, or `None` if it wins.
    state: Option<usize>,
    again: bool,
}

impl ExternalMove {
    /// Returns the shared mask without the piece that leaves, or `None` if the mask does not have this piece.
    fn shared_after(self, tables: &MaskTables, mask: u32) -> Option<u32> {
        let bit = self.shared_bit(tables).map_or(0, |bit| 1 << bit);
        (mask & bit == bit).then_some(mask & !bit)
    }

    fn shared_bit(self, tables: &MaskTables) -> Option<usize> {
        self.from.checked_sub(PRE + 1).filter(|&bit| bit < tables.shared)
    }
}

/// The external moves of one side.
#[derive(Debug)]
pub(crate) struct SideExternals {
    moves: [Vec<ExternalMove>; THROWS],
    /// By mask: a bit for each throw with an external move.
    pub(crate) throws: Vec<u16>,
}

impl SideExternals {
    fn new(tables: &MaskTables, indexer: &Indexer, state: SideState) -> Self {
        let external = |from, throw| external_move(tables, indexer, state, from, throw);
        let moves: [Vec<_>; THROWS] = std::array::from_fn(|throw| {
            (PRE + 1..=tables.length).filter_map(|from| external(from, throw)).collect()
        });
        let mut externals = Self { moves, throws: Vec::new() };
        let throws = |&mask: &u32| {
            let has_move =
                |&throw: &usize| externals.moves_of(tables, mask, throw).next().is_some();
            (0..THROWS).filter(has_move).fold(0, |bits, throw| bits | 1 << throw)
        };
        externals.throws = tables.masks.bits.iter().map(throws).collect();
        externals
    }

    /// Returns the external moves of a mask with a throw, and the mask of the side after each.
    fn moves_of(
        &self,
        tables: &MaskTables,
        mask: u32,
        throw: usize,
    ) -> impl Iterator<Item = (ExternalMove, u32)> {
        self.moves[throw].iter().filter_map(move |&it| Some((it, it.shared_after(tables, mask)?)))
    }
}

/// Returns the move of a piece from a square if it leaves the sublayer.
fn external_move(
    tables: &MaskTables,
    indexer: &Indexer,
    state: SideState,
    from: usize,
    throw: usize,
) -> Option<ExternalMove> {
    let SideState { score, post } = state;
    let own = tables.post_bit(from).unwrap_or(0);
    let hop = tables.hop(from, throw).filter(|_| post & own == own)?;
    let left = post & !own;
    let state = match hop.to {
        // There is no side state after a score that wins.
        None => indexer.state_index(SideState { score: score + 1, post: left }),
        Some(to) => {
            let to = tables.post_bit(to).filter(|to| left & to == 0)?;
            Some(indexer.state_index(SideState { score, post: left | to })?)
        }
    };
    Some(ExternalMove { from, state, again: hop.again })
}

/// Both sides' external moves of one sublayer, and where the values of each slab that is swept here are stored.
#[derive(Debug)]
pub(crate) struct ExternalSuccessors {
    senior: SideExternals,
    junior: SideExternals,
    /// By slab, where its values begin, if it has any; one more entry for the end.
    pub(crate) starts: Vec<usize>,
}

impl ExternalSuccessors {
    pub(crate) fn new(
        tables: &MaskTables,
        indexer: &Indexer,
        layout: &DenseLayout,
        is_swept: impl Fn(usize) -> bool,
    ) -> Self {
        let [senior, junior] =
            layout.states.map(|state| SideExternals::new(tables, indexer, state));
        let mut externals = Self { senior, junior, starts: vec![0] };
        let mut end = 0;
        for slab in 0..layout.slabs.len() {
            for (senior, junior) in layout.slab_blocks(slab).filter(|_| is_swept(slab)) {
                let shape = layout.shape(tables, senior, junior);
                let blocks = externals.count(senior, junior);
                end = shape.begin(end) + blocks * shape.len(&layout.ranks);
            }
            end = end.next_multiple_of(16);
            externals.starts.push(end);
        }
        externals
    }

    /// Returns a side's moves.
    pub(crate) fn side<M: Mover>(&self) -> &SideExternals {
        M::pair(&self.senior, &self.junior).0
    }

    /// Returns how many blocks of external values the block of a configuration has.
    pub(crate) fn count(&self, senior: u32, junior: u32) -> usize {
        let throws = [self.senior.throws[senior as usize], self.junior.throws[junior as usize]];
        throws.map(|throws| throws.count_ones() as usize).iter().sum()
    }

    /// Returns the number of values of all blocks.
    pub(crate) fn len(&self) -> usize {
        self.starts[self.starts.len() - 1]
    }

    /// Finds the external values of the slab `at`.
    pub(crate) fn fill(
        &self,
        tables: &MaskTables,
        indexer: &Indexer,
        layout: &DenseLayout,
        finished: &impl Finished,
        (at, values): (usize, &mut [f64]),
    ) {
        let mut next = 0;
        for (senior, junior) in layout.slab_blocks(at) {
            let context = ExternalContext::new(tables, indexer, layout, [senior, junior]);
            let ExternalContext { shape, .. } = context;
            next = shape.begin(next);
            let end = next + self.count(senior, junior) * shape.len(&layout.ranks);
            let fill = FillContext { context, finished };
            let values = &mut values[next..end];
            if shape.swapped {
                let rest = self.fill_side::<Junior>(&fill, values);
                self.fill_side::<Senior>(&fill, rest);
            } else {
                let rest = self.fill_side::<Senior>(&fill, values);
                self.fill_side::<Junior>(&fill, rest);
            }
            next = end;
        }
    }

    /// Finds the external values of one side, and returns the room behind them.
    fn fill_side<'v, M: Mover>(
        &self,
        fill: &FillContext<'_, impl Finished>,
        mut values: &'v mut [f64],
    ) -> &'v mut [f64] {
        let (externals, context) = (self.side::<M>(), &fill.context);
        for throw in context.throws::<M>(externals) {
            let (block, rest) = values.split_at_mut(context.shape.len(context.ranks));
            values = rest;
            block.fill(M::SENTINEL);
            for (external, after) in context.moves::<M>(externals, throw) {
                fill.take::<M>(external, after, block);
            }
        }
        values
    }

    /// Calls `action` with the values that the slab at `at` leads to: their sublayer and their indices there.
    pub(crate) fn each_target(
        &self,
        tables: &MaskTables,
        indexer: &Indexer,
        layout: &DenseLayout,
        at: usize,
        mut action: impl FnMut(usize, Range<usize>),
    ) {
        for (senior, junior) in layout.slab_blocks(at) {
            let context = ExternalContext::new(tables, indexer, layout, [senior, junior]);
            self.each_target_of::<Senior>(&context, &mut action);
            self.each_target_of::<Junior>(&context, &mut action);
        }
    }

    /// Does the same for the moves of one side in a configuration.
    fn each_target_of<M: Mover>(
        &self,
        context: &ExternalContext<'_>,
        action: &mut impl FnMut(usize, Range<usize>),
    ) {
        let externals = self.side::<M>();
        for throw in context.throws::<M>(externals) {
            for (external, after) in context.moves::<M>(externals, throw) {
                if let Some(TargetBlock { sublayer, indices, .. }) =
                    context.target::<M>(external, after)
                {
                    action(sublayer, indices);
                }
            }
        }
    }
}

/// One side of a configuration before or after an external move.
#[derive(Debug, Clone, Copy)]
struct SideAfter {
    state: usize,
    movable: u8,
    mask: u32,
}

impl SideAfter {
    /// Returns the pieces left to place.
    fn left(self) -> u8 {
        self.movable - self.mask.count_ones() as u8
    }
}

/// One configuration with external moves.
struct ExternalContext<'a> {
    tables: &'a MaskTables,
    indexer: &'a Indexer,
    ranks: &'a Ranks,
    shape: BlockShape,
    /// The senior side and the junior side, and the numbers of their masks.
    sides: [SideAfter; 2],
    masks: [u32; 2],
}

impl<'a> ExternalContext<'a> {
    fn new(
        tables: &'a MaskTables,
        indexer: &'a Indexer,
        layout: &'a DenseLayout,
        masks: [u32; 2],
    ) -> Self {
        let [senior, junior] = masks;
        let sides = [(senior, 0), (junior, 1)].map(|(mask, side)| SideAfter {
            state: [layout.sublayer.senior, layout.sublayer.junior][side],
            movable: layout.movable[side],
            mask: tables.masks.bits[mask as usize],
        });
        let shape = layout.shape(tables, senior, junior);
        Self { tables, indexer, ranks: &layout.ranks, shape, sides, masks }
    }

    /// Returns the throws with which a side has an external move.
    fn throws<M: Mover>(&self, externals: &SideExternals) -> impl Iterator<Item = usize> + use<M> {
        let [senior, junior] = self.masks;
        let (mask, _) = M::pair(senior, junior);
        ones(u32::from(externals.throws[mask as usize]))
    }

    /// Returns a side's external moves with a throw, and its shared mask after each.
    fn moves<M: Mover>(
        &self,
        externals: &SideExternals,
        throw: usize,
    ) -> impl Iterator<Item = (ExternalMove, u32)> {
        let [senior, junior] = self.sides;
        externals.moves_of(self.tables, M::pair(senior, junior).0.mask, throw)
    }

    /// Returns the block that a move leads to, if the move does not win. `after` is the mover's shared mask after the move.
    fn target<M: Mover>(&self, external: ExternalMove, after: u32) -> Option<TargetBlock> {
        let [senior, junior] = self.sides;
        let (mover, other) = M::pair(senior, junior);
        let is_post = self.tables.post_bit(external.from).is_some();
        let movable = mover.movable - u8::from(!is_post);
        let mover = SideAfter { state: external.state?, movable, mask: after };
        let (senior, junior) = M::pair(mover, other);
        Some(self.block_of([senior, junior], M::IS_SENIOR == external.again))
    }

    /// Returns the block of these sides.
    fn block_of(&self, [senior, junior]: [SideAfter; 2], senior_rolls: bool) -> TargetBlock {
        let (sublayer, is_filed_so) = self.indexer.sublayer(senior.state, junior.state);
        // Equal states are filed with the side about to roll as the senior.
        let is_filed_so = if sublayer.is_mirror() { senior_rolls } else { is_filed_so };
        let (first, second) = if is_filed_so { (senior, junior) } else { (junior, senior) };
        let squares = |side: SideAfter| MaskTables::squares(side.mask);
        let base = self.indexer.shared_rank(
            squares(first),
            squares(second),
            first.movable,
            second.movable,
        );
        let first_rolls = is_filed_so == senior_rolls;
        let base = (if first_rolls { base } else { base + sublayer.half }) as usize;
        let ways = |side: SideAfter| self.indexer.pre_index().ways_at_most(side.left()) as usize;
        let row = ways(first);
        TargetBlock {
            sublayer: sublayer.senior * (sublayer.senior + 1) / 2 + sublayer.junior,
            is_filed_so,
            indices: base..base + row * ways(second),
            strides: if is_filed_so { [1, row] } else { [row, 1] },
            is_juniors: !senior_rolls,
        }
    }
}

/// A block of another sublayer that a move leads to.
struct TargetBlock {
    sublayer: usize,
    /// Whether the senior is also the senior in that sublayer.
    is_filed_so: bool,
    /// The indices of its values.
    indices: Range<usize>,
    /// How far apart the values of neighbouring pre ranks of the senior and of the junior lie.
    strides: [usize; 2],
    /// Whether the values are the junior's chance.
    is_juniors: bool,
}

impl TargetBlock {
    /// Returns its values.
    fn read<F: Finished>(self, finished: &F) -> FinishedBlock<'_> {
        let Self { sublayer, is_filed_so, indices, strides, is_juniors } = self;
        let place = finished.place(sublayer, indices.start);
        let values = &finished.seen(sublayer, is_filed_so)[place..][..indices.len()];
        FinishedBlock { values, strides, is_juniors }
    }
}

/// What is needed to find the external values of one block.
struct FillContext<'a, F> {
    context: ExternalContext<'a>,
    finished: &'a F,
}

impl<F: Finished> FillContext<'_, F> {
    /// Improves the block of best values by an external move of `M`, after which this side's shared mask is `after`.
    fn take<M: Mover>(&self, external: ExternalMove, after: u32, block: &mut [f64]) {
        let target = self.context.target::<M>(external, after).map(|it| it.read(self.finished));
        let ExternalContext { shape, ranks, .. } = self.context;
        for row in ranks.masks(shape.row_left) {
            let values = &mut block[row.rank * shape.width..][..shape.width];
            for slot in ranks.masks(shape.slot_left) {
                let [senior, junior] = shape.by_side(slot.rank, row.rank);
                let value = target.as_ref().map_or(M::WON, |to| to.value(senior, junior));
                values[slot.slot] = M::better(values[slot.slot], value);
            }
        }
    }
}

/// A block of finished values.
struct FinishedBlock<'a> {
    values: &'a [f64],
    /// How far apart the values of neighbouring pre ranks of the senior and of the junior lie.
    strides: [usize; 2],
    /// Whether the values are the junior's chance.
    is_juniors: bool,
}

impl FinishedBlock<'_> {
    /// Returns the senior's chance at these pre ranks.
    #[inline]
    fn value(&self, senior: usize, junior: usize) -> f64 {
        let value = self.values[senior * self.strides[0] + junior * self.strides[1]];
        if self.is_juniors { 1.0 - value } else { value }
    }
}

/// Returns the index of the first position of a block with the senior about to roll, given the masks of the block.
pub(crate) fn index_of_block(
    tables: &MaskTables,
    indexer: &Indexer,
    layout: &DenseLayout,
    [senior, junior]: [u32; 2],
) -> usize {
    let squares = |mask: u32| MaskTables::squares(tables.masks.bits[mask as usize]);
    let [senior_movable, junior_movable] = layout.movable;
    indexer.shared_rank(squares(senior), squares(junior), senior_movable, junior_movable) as usize
}
