//! Plan: where the values of one sublayer lie while it is swept.
//!
//! Values are kept in *light's frame*: light is the senior side, and every value is light's chance, once with light and
//! once with dark about to roll. A configuration (dark's and light's shared mask) is a *block*: a row for each pre mask
//! of dark, a lane for each pre mask of light. All blocks of one shared mask of dark are a *slab*; slabs, and blocks
//! within a slab, lie in the order of sweeps.
#![expect(
    clippy::cast_possible_truncation,
    reason = "counts here are small: at most 31 squares, 15 pieces, 256 values of a block, 2^32 lanes"
)]
#![expect(
    clippy::inline_always,
    reason = "the kernel has to be one piece for the instruction set it is compiled for"
)]

use puabi_core::{Indexer, SideState, Sublayer};

use crate::dense::layout::block::{Ranks, Shape};
use crate::dense::layout::masks::{NONE, Terrain};

/// All blocks of one shared mask of dark.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Slab {
    /// Dark's mask.
    pub(crate) dark: u32,
    /// Where its columns, light's masks, begin and end in [`Plan::columns`].
    pub(crate) columns: (usize, usize),
}

/// The layout of one sublayer.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) sublayer: Sublayer,
    pub(crate) senior: SideState,
    pub(crate) junior: SideState,
    pub(crate) light_movable: u8,
    pub(crate) dark_movable: u8,
    pub(crate) ranks: Ranks,
    masks: usize,
    /// By dark's and light's mask: where the block begins, or `NONE`.
    blocks: Vec<u32>,
    /// The masks of light in each slab that sweeps visit.
    pub(crate) columns: Vec<u32>,
    pub(crate) slabs: Vec<Slab>,
    /// Slabs by dark's progress, the furthest first; those of one level do not read each other.
    pub(crate) levels: Vec<Vec<u32>>,
    /// Whether only half the columns are swept, see [`Plan::new`].
    pub(crate) halved: bool,
    /// The number of values with one side about to roll.
    pub(crate) lanes: usize,
    /// How many of those lie in blocks that are swept; their mirror images come behind.
    pub(crate) swept: usize,
    pub(crate) indexer: Indexer,
}

impl Plan {
    /// Returns the layout of `sublayer`. With `halved`, a sublayer that mirrors itself has only those columns in which
    /// dark is at least as far as light: the others follow from them.
    pub(crate) fn new(
        terrain: &Terrain,
        indexer: &Indexer,
        sublayer: Sublayer,
        halved: bool,
    ) -> Self {
        let states = indexer.side_states();
        let (senior, junior) = (states[sublayer.senior], states[sublayer.junior]);
        let mut plan = Self {
            sublayer,
            senior,
            junior,
            light_movable: senior.movable(terrain.pieces),
            dark_movable: junior.movable(terrain.pieces),
            ranks: Ranks::new(indexer),
            masks: terrain.masks.len(),
            blocks: vec![NONE; terrain.masks.len() * terrain.masks.len()],
            columns: Vec::new(),
            slabs: Vec::new(),
            levels: Vec::new(),
            halved: halved && sublayer.is_mirror(),
            lanes: 0,
            swept: 0,
            indexer: indexer.clone(),
        };
        plan.place_blocks(terrain);
        plan.levels = plan.levels(terrain);
        plan
    }

    fn place_blocks(&mut self, terrain: &Terrain) {
        let mut images = Vec::new();
        for dark in 0..terrain.masks.len() as u32 {
            if terrain.masks.count(dark) <= self.dark_movable {
                self.place_slab(terrain, dark, &mut images);
            }
        }
        self.swept = self.lanes.next_multiple_of(16);
        self.lanes = self.swept;
        for (dark, light) in images {
            self.place_block(terrain, dark, light);
        }
        self.lanes = self.lanes.next_multiple_of(16);
    }

    /// Places the blocks of a slab that are swept; adds the others to the images.
    fn place_slab(&mut self, terrain: &Terrain, dark: u32, images: &mut Vec<(u32, u32)>) {
        let masks = &terrain.masks;
        let first_column = self.columns.len();
        let key = |mask: u32| (masks.progress(mask), std::cmp::Reverse(mask));
        let excluded = masks.bits[dark as usize];
        for light in 0..masks.len() as u32 {
            if masks.count(light) > self.light_movable
                || masks.excludes[light as usize] & excluded != 0
            {
                continue;
            }
            if !self.halved || key(dark) >= key(light) {
                self.place_block(terrain, dark, light);
                self.columns.push(light);
            } else {
                images.push((dark, light));
            }
        }
        self.slabs.push(Slab { dark, columns: (first_column, self.columns.len()) });
    }

    fn place_block(&mut self, terrain: &Terrain, dark: u32, light: u32) {
        let shape = self.shape(terrain, dark, light);
        self.lanes = shape.begin(self.lanes);
        self.blocks[dark as usize * self.masks + light as usize] = self.lanes as u32;
        self.lanes += shape.len(&self.ranks);
    }

    fn levels(&self, terrain: &Terrain) -> Vec<Vec<u32>> {
        let mut levels = Vec::new();
        for (at, slab) in (0..).zip(&self.slabs) {
            let progress = terrain.masks.progress(slab.dark);
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
    pub(crate) fn shape(&self, terrain: &Terrain, dark: u32, light: u32) -> Shape {
        let light_left = self.light_movable - terrain.masks.count(light);
        let dark_left = self.dark_movable - terrain.masks.count(dark);
        Shape::new(light_left, dark_left)
    }

    /// Returns where the block of a configuration begins.
    #[inline]
    pub(crate) fn block(&self, dark: u32, light: u32) -> usize {
        let at = self.blocks[dark as usize * self.masks + light as usize];
        debug_assert_ne!(at, NONE, "a configuration without overlap has a block");
        at as usize
    }
}
