//! Exits: moves that leave a sublayer, off the board or onto a post square.
//!
//! What they lead to is solved before, so for each block and roll the best of them is worked out once a sublayer and
//! stored in the order in which sweeps meet it.
#![expect(
    clippy::cast_possible_truncation,
    reason = "counts here are small: at most 31 squares, 15 pieces, 256 values of a block, 2^32 lanes"
)]

use arrayvec::ArrayVec;
use puabi_core::{Indexer, SideState};

use crate::dense::layout::block::{DARK_NEVER, LIGHT_NEVER, Placed, Ranks, Shape};
use crate::dense::layout::masks::{Terrain, ones};
use crate::dense::layout::plan::Plan;
use crate::drive::engine::Finished;

/// Where a leaving piece comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Origin {
    Hand,
    /// A pre square, by its bit.
    Pre(usize),
    /// A shared square, by its bit.
    Shared(usize),
    /// A post square; the configuration stays as it is.
    Post,
}

/// A move that leaves the sublayer.
#[derive(Debug, Clone, Copy)]
struct Exit {
    origin: Origin,
    /// The side state it leads to, or `None` where it wins.
    state: Option<usize>,
    again: bool,
}

/// The exits of one side, by throw: those from anywhere but shared squares, then those from each shared bit.
#[derive(Debug)]
pub(crate) struct SideExits {
    elsewhere: Vec<Vec<Exit>>,
    shared: Vec<Vec<(usize, Exit)>>,
    /// By mask: a bit for each throw that some exit answers.
    pub(crate) throws: Vec<u16>,
}

impl SideExits {
    pub(crate) fn new(terrain: &Terrain, indexer: &Indexer, state: SideState) -> Self {
        let mut exits = Self { elsewhere: Vec::new(), shared: Vec::new(), throws: Vec::new() };
        for throw in &terrain.throws {
            let exit = |from: usize, origin: Origin| {
                exit(terrain, indexer, state, from, from + throw.steps, origin)
            };
            let post_at = terrain.length - terrain.post + 1;
            let mut elsewhere: Vec<_> = exit(0, Origin::Hand).into_iter().collect();
            elsewhere
                .extend((1..=terrain.pre).filter_map(|from| exit(from, Origin::Pre(from - 1))));
            elsewhere.extend(ones(state.post).filter_map(|bit| exit(post_at + bit, Origin::Post)));
            exits.elsewhere.push(elsewhere);
            let shared = (0..terrain.shared)
                .filter_map(|bit| Some((bit, exit(terrain.pre + 1 + bit, Origin::Shared(bit))?)));
            exits.shared.push(shared.collect());
        }
        exits.throws = terrain.masks.bits.iter().map(|&mask| exits.answered(mask)).collect();
        exits
    }

    fn answered(&self, mask: u32) -> u16 {
        let answers = |throw: usize| {
            !self.elsewhere[throw].is_empty()
                || self.shared[throw].iter().any(|&(bit, _)| mask >> bit & 1 != 0)
        };
        (0..self.shared.len()).filter(|&throw| answers(throw)).fold(0, |bits, t| bits | 1 << t)
    }

    fn of(&self, mask: u32, throw: usize) -> impl Iterator<Item = Exit> {
        let shared = self.shared[throw].iter().filter(move |&&(bit, _)| mask >> bit & 1 != 0);
        self.elsewhere[throw].iter().copied().chain(shared.map(|&(_, exit)| exit))
    }
}

/// The move of a piece from square `from` (0 for the hand) to `to`, where that leaves the sublayer.
fn exit(
    terrain: &Terrain,
    indexer: &Indexer,
    state: SideState,
    from: usize,
    to: usize,
    origin: Origin,
) -> Option<Exit> {
    let post_at = terrain.length - terrain.post + 1;
    let left =
        if origin == Origin::Post { state.post & !(1 << (from - post_at)) } else { state.post };
    if to == terrain.length + 1 {
        let score = state.score + 1;
        // A score that wins is of no side state.
        let state = indexer.state_index(SideState { score, post: left });
        return Some(Exit { origin, state, again: false });
    }
    if to < post_at || to > terrain.length || left >> (to - post_at) & 1 != 0 {
        return None;
    }
    let post = left | 1 << (to - post_at);
    let state = indexer.state_index(SideState { post, ..state })?;
    Some(Exit { origin, state: Some(state), again: terrain.again[to] })
}

/// Both sides' exits of one sublayer, and where each slab's are stored.
#[derive(Debug)]
pub(crate) struct Exits {
    pub(crate) light: SideExits,
    pub(crate) dark: SideExits,
    /// By slab, where its values begin; one more entry for the end.
    pub(crate) starts: Vec<usize>,
}

/// One side of a configuration before an exit.
#[derive(Clone, Copy)]
struct Party {
    state: usize,
    movable: u8,
    mask: u32,
}

/// Light and dark as a configuration has them.
fn parties(terrain: &Terrain, plan: &Plan, dark: u32, light: u32) -> [Party; 2] {
    let mask = |mask: u32| terrain.masks.bits[mask as usize];
    let Plan { sublayer, light_movable, dark_movable, .. } = *plan;
    [
        Party { state: sublayer.senior, movable: light_movable, mask: mask(light) },
        Party { state: sublayer.junior, movable: dark_movable, mask: mask(dark) },
    ]
}

impl Exits {
    pub(crate) fn new(terrain: &Terrain, plan: &Plan) -> Self {
        let light = SideExits::new(terrain, &plan.indexer, plan.senior);
        let dark = SideExits::new(terrain, &plan.indexer, plan.junior);
        let mut exits = Self { light, dark, starts: vec![0] };
        let mut end = 0;
        for slab in &plan.slabs {
            for &column in &plan.columns[slab.columns.0..slab.columns.1] {
                let shape = plan.shape(terrain, slab.dark, column);
                end = shape.begin(end)
                    + exits.of(slab.dark, column) as usize * shape.len(&plan.ranks);
            }
            end = end.next_multiple_of(16);
            exits.starts.push(end);
        }
        exits
    }

    /// How many blocks of values that of a configuration has.
    pub(crate) fn of(&self, dark: u32, light: u32) -> u32 {
        self.light.throws[light as usize].count_ones()
            + self.dark.throws[dark as usize].count_ones()
    }

    /// The number of values of all blocks.
    pub(crate) fn lanes(&self) -> usize {
        self.starts[self.starts.len() - 1]
    }

    /// Works out the values of the slab at `at` in light's frame.
    pub(crate) fn fill(
        &self,
        terrain: &Terrain,
        plan: &Plan,
        finished: &impl Finished,
        at: usize,
        values: &mut [f64],
    ) {
        let slab = plan.slabs[at];
        let mut next = 0;
        for &column in &plan.columns[slab.columns.0..slab.columns.1] {
            let [light, dark] = parties(terrain, plan, slab.dark, column);
            let shape = plan.shape(terrain, slab.dark, column);
            let lanes = shape.len(&plan.ranks);
            let context = Context { terrain, indexer: &plan.indexer, ranks: &plan.ranks, shape };
            next = shape.begin(next);
            for throw in ones(u32::from(self.light.throws[column as usize])) {
                let block = &mut values[next..next + lanes];
                next += lanes;
                block.fill(LIGHT_NEVER);
                for exit in self.light.of(light.mask, throw) {
                    leave::<true>(&context, finished, [light, dark], exit, block);
                }
            }
            for throw in ones(u32::from(self.dark.throws[slab.dark as usize])) {
                let block = &mut values[next..next + lanes];
                next += lanes;
                block.fill(DARK_NEVER);
                for exit in self.dark.of(dark.mask, throw) {
                    leave::<false>(&context, finished, [light, dark], exit, block);
                }
            }
        }
    }
}

/// What an exit's block is made with.
struct Context<'a> {
    terrain: &'a Terrain,
    indexer: &'a Indexer,
    ranks: &'a Ranks,
    shape: Shape,
}

impl Party {
    /// Takes the piece that leaves from there away.
    fn lose(&mut self, origin: Origin) {
        match origin {
            Origin::Shared(bit) => {
                self.mask &= !(1 << bit);
                self.movable -= 1;
            }
            Origin::Hand | Origin::Pre(_) => self.movable -= 1,
            Origin::Post => {}
        }
    }
}

/// Takes one exit of light (or of dark) into the block of best values.
fn leave<const LIGHT: bool>(
    context: &Context<'_>,
    finished: &impl Finished,
    [mut light, mut dark]: [Party; 2],
    exit: Exit,
    block: &mut [f64],
) {
    let &Context { terrain, indexer, ranks, shape } = context;
    let mover = if LIGHT { &mut light } else { &mut dark };
    let left = mover.movable - mover.mask.count_ones() as u8;
    mover.lose(exit.origin);
    let target = exit.state.map(|state| {
        if LIGHT {
            light.state = state;
        } else {
            dark.state = state;
        }
        Target::new(terrain, indexer, finished, light, dark, LIGHT == exit.again)
    });
    let won = if LIGHT { 1.0 } else { 0.0 };
    let better = |a: f64, b: f64| if LIGHT == (b > a) { b } else { a };
    let lanes_move = LIGHT != shape.turned;
    let lanes =
        after(exit.origin, shape.lane_left, lanes_move.then_some(left), ranks, |at| at.lane);
    let rows =
        after(exit.origin, shape.row_left, (!lanes_move).then_some(left), ranks, |at| at.rank);
    for (row, row_after) in rows {
        let block = &mut block[row * shape.width..][..shape.width];
        for &(lane, lane_after) in &lanes {
            let (l, d) =
                if shape.turned { (row_after, lane_after) } else { (lane_after, row_after) };
            let value = target.as_ref().map_or(won, |to| to.value(l, d));
            block[lane] = better(block[lane], value);
        }
    }
}

/// The pre masks of a side with `left` pieces to place: where each lies, and its rank after the exit. Only the mover's
/// change; `movers` are the pieces that it has left.
fn after(
    origin: Origin,
    left: u8,
    movers: Option<u8>,
    ranks: &Ranks,
    place: impl Fn(&Placed) -> usize,
) -> ArrayVec<(usize, usize), 16> {
    let after = |at: &Placed| match movers {
        Some(left) => without(origin, at, left, ranks),
        None => Some(at.rank),
    };
    ranks.masks(left).iter().filter_map(|at| Some((place(at), after(at)?))).collect()
}

/// The rank of the pre mask after a piece leaves from `origin`, if one is there.
#[inline]
fn without(origin: Origin, at: &Placed, left: u8, ranks: &Ranks) -> Option<usize> {
    match origin {
        Origin::Shared(_) | Origin::Post => Some(at.rank),
        Origin::Pre(bit) => (at.mask >> bit & 1 != 0).then(|| ranks.rank(at.mask & !(1 << bit))),
        Origin::Hand => (at.mask.count_ones() < u32::from(left)).then_some(at.rank),
    }
}

/// A block of finished values, read in light's frame.
struct Target<'a> {
    values: &'a [f64],
    dark_stride: usize,
    light_stride: usize,
    /// Whether the values are dark's chance.
    turned: bool,
}

impl<'a> Target<'a> {
    fn new(
        terrain: &Terrain,
        indexer: &Indexer,
        finished: &'a impl Finished,
        light: Party,
        dark: Party,
        light_rolls: bool,
    ) -> Self {
        let (sublayer, light_is_senior) = indexer.sublayer(light.state, dark.state);
        // Equal states are filed with the side about to roll as the senior.
        let as_filed = if sublayer.is_mirror() { light_rolls } else { light_is_senior };
        let (senior, junior) = if as_filed { (light, dark) } else { (dark, light) };
        let base = indexer.shared_rank(
            terrain.squares(senior.mask),
            terrain.squares(junior.mask),
            senior.movable,
            junior.movable,
        );
        let senior_rolls = as_filed == light_rolls;
        let base = if senior_rolls { base } else { base + sublayer.half };
        let row = indexer.pre_index().ways_at_most(senior.movable - senior.mask.count_ones() as u8)
            as usize;
        let at = sublayer.senior * (sublayer.senior + 1) / 2 + sublayer.junior;
        let (dark_stride, light_stride) = if as_filed { (row, 1) } else { (1, row) };
        let values = &finished.sublayer(at)[base as usize..];
        Self { values, dark_stride, light_stride, turned: !light_rolls }
    }

    /// Light's chance at these places of the pre masks.
    #[inline]
    fn value(&self, light_rank: usize, dark_rank: usize) -> f64 {
        let value = self.values[dark_rank * self.dark_stride + light_rank * self.light_stride];
        if self.turned { 1.0 - value } else { value }
    }
}

/// Copies a sublayer's blocks between the layout of sweeps and the order of the index.
pub(crate) fn index_of_block(
    terrain: &Terrain,
    plan: &Plan,
    dark: u32,
    light: u32,
) -> (usize, usize) {
    let masks = &terrain.masks;
    let (light_mask, dark_mask) = (masks.bits[light as usize], masks.bits[dark as usize]);
    let base = plan.indexer.shared_rank(
        terrain.squares(light_mask),
        terrain.squares(dark_mask),
        plan.light_movable,
        plan.dark_movable,
    );
    let row = plan.indexer.pre_index().ways_at_most(plan.light_movable - masks.count(light));
    (base as usize, row as usize)
}
