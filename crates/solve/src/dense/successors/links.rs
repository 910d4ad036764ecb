//! Links: where the backups of each block read. They are the same in every sweep of a sublayer.
//!
//! The links of a slab are a stream of words in the order in which a pass reads them. For each block of it: how many words
//! follow; where it begins; how many blocks of exits it has; how many blocks it reads and their numbers; then by side, light first, and by
//! throw, a [`Count`], where the blocks begin that the throw leads to, and where those that are brought into another layout
//! begin and how; where pieces of the side with the lanes enter, by
//! shared bit; where those of the side with the rows do. [`Head`] reads the first part, the arena the second.

#![expect(
    clippy::cast_possible_truncation,
    reason = "counts here are small: at most 31 squares, 15 pieces, 256 values of a block, 2^31 lanes"
)]
#![expect(
    clippy::inline_always,
    reason = "the kernel has to be one piece for the instruction set it is compiled for"
)]
#![expect(unsafe_code, reason = "links are read through raw pointers")]

use crate::dense::layout::block::Shape;
use crate::dense::layout::masks::{NONE, Step, THROWS, Terrain};
use crate::dense::layout::plan::{Plan, Slab};
use crate::dense::successors::external::Exits;
use crate::dense::successors::relayout::{Capture, Entering, Recasts};

/// A link that is no place among the values: what is never chosen.
pub(crate) const NEVER: u32 = u32::MAX >> 1;
/// Set in a link whose block is copied into another layout; the next word says how.
pub(crate) const COPIED: u32 = 1 << 31;

/// How many blocks a throw leads to, in one word.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Count(u32);

impl Count {
    fn new(plain: usize, copied: usize, exits: u32) -> Self {
        Self(plain as u32 | (copied as u32) << 8 | exits << 16)
    }

    /// Returns the count that [`Count::word`] gave.
    #[inline(always)]
    pub(crate) const fn from_word(word: u32) -> Self {
        Self(word)
    }

    /// Blocks that are read where they lie.
    #[inline(always)]
    pub(crate) const fn plain(self) -> usize {
        (self.0 & 255) as usize
    }

    /// Blocks that are brought into another layout.
    #[inline(always)]
    pub(crate) const fn copied(self) -> usize {
        (self.0 >> 8 & 255) as usize
    }

    /// Whether the throw has a block of exits.
    #[inline(always)]
    pub(crate) const fn exits(self) -> bool {
        self.0 >> 16 != 0
    }

    const fn word(self) -> u32 {
        self.0
    }
}

/// A configuration after a move, and whether the mover rolls again.
#[derive(Clone, Copy)]
struct Landed {
    dark: u32,
    light: u32,
    captured: bool,
    again: bool,
}

/// How the rows of a block lie that a piece of the side with the lanes enters, in one word.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EntryLayout(u32);

impl EntryLayout {
    const TURNED: u32 = 1 << 31;
    /// That of blocks brought into the layout of the block that is backed up, where that has sixteen lanes.
    pub(crate) const COPIED: Self = Self(4 << 8);

    fn new(shape: Shape, turned: bool) -> Self {
        let width = u32::from(shape.width.ilog2() as u8) << 8;
        Self(u32::from(shape.lane_left) | width | if turned { Self::TURNED } else { 0 })
    }

    /// Returns the layout that [`EntryLayout::word`] gave.
    #[inline(always)]
    pub(crate) const fn from_word(word: u32) -> Self {
        Self(word)
    }

    /// Whether the side with the lanes of the block that is backed up has the rows there.
    #[inline(always)]
    pub(crate) const fn turned(self) -> bool {
        self.0 & Self::TURNED != 0
    }

    #[inline(always)]
    pub(crate) const fn width(self) -> usize {
        1 << (self.0 >> 8 & 15)
    }

    #[inline(always)]
    pub(crate) const fn lane_left(self) -> u8 {
        (self.0 & 255) as u8
    }

    pub(crate) const fn word(self) -> u32 {
        self.0
    }
}

/// The numbers of blocks, by dark's and light's mask: their places among the columns. After them come the numbers of those
/// that are the mirror images of blocks that are swept, in the same order.
#[derive(Debug)]
pub(crate) struct Numbers {
    masks: usize,
    numbers: Vec<u32>,
}

impl Numbers {
    pub(crate) fn new(terrain: &Terrain, plan: &Plan) -> Self {
        let masks = terrain.masks.len();
        let mut numbers = vec![NONE; masks * masks];
        for slab in &plan.slabs {
            for number in slab.columns.0..slab.columns.1 {
                let (dark, light) = (slab.dark as usize, plan.columns[number] as usize);
                if plan.halved {
                    numbers[light * masks + dark] = (plan.columns.len() + number) as u32;
                }
                numbers[dark * masks + light] = number as u32;
            }
        }
        Self { masks, numbers }
    }

    fn of(&self, dark: u32, light: u32) -> u32 {
        self.numbers[dark as usize * self.masks + light as usize]
    }
}

/// The first part of a block's links.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Head<'a> {
    /// Where the block begins.
    pub(crate) at: usize,
    /// How many blocks of exits it has.
    pub(crate) exits: usize,
    /// The blocks that it reads; empty where there are no numbers.
    pub(crate) sources: &'a [u32],
    /// Where it reads them.
    pub(crate) places: *const u32,
    /// The links of the next block.
    pub(crate) next: *const u32,
}

impl Head<'_> {
    /// # Safety
    ///
    /// A block's links begin at `links` and last as long as `'a`.
    #[inline(always)]
    pub(crate) unsafe fn read(links: *const u32) -> Self {
        // SAFETY: as the caller vouches.
        unsafe {
            let (words, sources) = (*links as usize, *links.add(3) as usize);
            Self {
                at: *links.add(1) as usize,
                exits: *links.add(2) as usize,
                sources: std::slice::from_raw_parts(links.add(HEAD), sources),
                places: links.add(HEAD + sources),
                next: links.add(1 + words),
            }
        }
    }
}

/// Returns the numbers of all blocks that a slab of so many blocks reads, from its links.
pub(crate) fn sources(links: &[u32], blocks: usize) -> impl Iterator<Item = u32> {
    let mut at = 0;
    (0..blocks).flat_map(move |_| {
        let (words, count) = (links[at] as usize, links[at + 3] as usize);
        let sources = &links[at + HEAD..at + HEAD + count];
        at += 1 + words;
        sources.iter().copied()
    })
}

/// The words of a head without sources.
const HEAD: usize = 4;

/// The links of one block while they are found.
#[derive(Debug, Default)]
struct Found {
    /// The numbers of the blocks that it reads; empty where nobody asks for them.
    sources: Vec<u32>,
    links: Vec<u32>,
    /// Of one throw, links of blocks that are brought into another layout, and how.
    copied: Vec<u32>,
}

/// Finds links.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Finder<'a> {
    pub(crate) terrain: &'a Terrain,
    pub(crate) plan: &'a Plan,
    pub(crate) exits: &'a Exits,
    /// `None` where nobody asks which blocks are read.
    pub(crate) numbers: Option<&'a Numbers>,
}

impl Finder<'_> {
    /// Adds the links of the slab at `at` to `links`.
    pub(crate) fn slab(&self, at: usize, links: &mut Vec<u32>) {
        let Slab { dark, columns, .. } = self.plan.slabs[at];
        let mut found = Found::default();
        for &light in &self.plan.columns[columns.0..columns.1] {
            self.block(dark, light, &mut found);
            let words = HEAD - 1 + found.sources.len() + found.links.len();
            let at = self.plan.block(dark, light) as u32;
            let exits = self.exits.of(dark, light);
            links.extend([words as u32, at, exits, found.sources.len() as u32]);
            links.append(&mut found.sources);
            links.append(&mut found.links);
        }
    }

    fn block(&self, dark: u32, light: u32, found: &mut Found) {
        // A backup reads the block's own values of before where a side passes.
        self.note(dark, light, found);
        let shape = self.plan.shape(self.terrain, dark, light);
        self.moves::<true>(dark, light, shape, found);
        self.moves::<false>(dark, light, shape, found);
        if shape.turned {
            self.lane_entries::<false>(dark, light, shape, found);
            self.row_entries::<true>(dark, light, shape, found);
        } else {
            self.lane_entries::<true>(dark, light, shape, found);
            self.row_entries::<false>(dark, light, shape, found);
        }
    }

    /// Notes that the block of a configuration is read, where somebody asks.
    fn note(&self, dark: u32, light: u32, found: &mut Found) {
        found.sources.extend(self.numbers.map(|numbers| numbers.of(dark, light)));
    }

    /// The moves of light's (or dark's) shared pieces and its exits, by throw.
    fn moves<const LIGHT: bool>(&self, dark: u32, light: u32, own: Shape, found: &mut Found) {
        let answered = if LIGHT {
            self.exits.light.throws[light as usize]
        } else {
            self.exits.dark.throws[dark as usize]
        };
        let mover = if LIGHT { light } else { dark };
        for throw in 0..THROWS {
            let head = found.links.len();
            found.links.push(0);
            for &step in self.terrain.masks.steps(mover, throw) {
                if let Some(landed) = self.lands::<LIGHT>(dark, light, step) {
                    self.shared_move::<LIGHT>(landed, own, found);
                }
            }
            let plain = found.links.len() - head - 1;
            let exits = u32::from(answered >> throw & 1);
            found.links[head] = Count::new(plain, found.copied.len() / 2, exits).word();
            found.links.append(&mut found.copied);
        }
    }

    /// Adds where a move of light's (or dark's) leads, with how to bring it into another layout where that is needed.
    fn shared_move<const LIGHT: bool>(&self, landed: Landed, own: Shape, found: &mut Found) {
        self.note(landed.dark, landed.light, found);
        let block = self.at::<LIGHT>(landed);
        let shape = self.plan.shape(self.terrain, landed.dark, landed.light);
        // Without a capture both sides have as many pieces left to place as before.
        if !landed.captured || shape.has_layout_of(own) {
            found.links.push(block);
        } else {
            let capture = if LIGHT { Capture::Dark } else { Capture::Light };
            found.copied.extend([block, Recasts::number(own, Entering::Nobody, capture)]);
        }
    }

    /// What follows a step of light (or dark); `None` where the other side is safe on its square.
    fn lands<const LIGHT: bool>(&self, dark: u32, light: u32, step: Step) -> Option<Landed> {
        let masks = &self.terrain.masks;
        let other = if LIGHT { dark } else { light };
        let met = step.landing.meets & masks.bits[other as usize];
        let configuration =
            |other: u32| if LIGHT { (other, step.mask) } else { (step.mask, other) };
        if met == 0 {
            let (dark, light) = configuration(other);
            return Some(Landed { dark, light, captured: false, again: step.landing.again });
        }
        if step.landing.blocks & masks.bits[other as usize] != 0 {
            return None;
        }
        let (dark, light) = configuration(masks.removed(other, met.trailing_zeros() as usize));
        let again = step.landing.again || self.terrain.captures_again;
        Some(Landed { dark, light, captured: true, again })
    }

    /// Where the block of what follows a move of light (or dark) begins, with whoever rolls next.
    fn at<const LIGHT: bool>(&self, landed: Landed) -> u32 {
        let dark_rolls = LIGHT != landed.again;
        let at = self.plan.block(landed.dark, landed.light);
        (at + if dark_rolls { self.plan.lanes } else { 0 }) as u32
    }

    /// The configuration where one of light's (or dark's) `left` pieces has entered on `bit`, if it may.
    fn enters<const LIGHT: bool>(
        &self,
        dark: u32,
        light: u32,
        left: u8,
        bit: usize,
    ) -> Option<Landed> {
        if left == 0 {
            return None;
        }
        let mover = if LIGHT { light } else { dark };
        let step = self.terrain.masks.entered(mover, bit)?;
        self.lands::<LIGHT>(dark, light, step)
    }

    /// Where pieces of the side with the lanes, light (or dark), enter.
    fn lane_entries<const LIGHT: bool>(
        &self,
        dark: u32,
        light: u32,
        own: Shape,
        found: &mut Found,
    ) {
        for bit in 0..THROWS {
            let Some(landed) = self.enters::<LIGHT>(dark, light, own.lane_left, bit) else {
                found.links.extend([NEVER, EntryLayout::COPIED.word()]);
                continue;
            };
            self.note(landed.dark, landed.light, found);
            let block = self.at::<LIGHT>(landed);
            let shape = self.plan.shape(self.terrain, landed.dark, landed.light);
            let turned = shape.turned != own.turned;
            // Sixteen lanes are read at once: they have to lie side by side.
            if turned && own.lane_left >= 3 {
                let recast = Recasts::number(own, Entering::Lanes, landed.capture::<LIGHT>());
                found.links.extend([block | COPIED, recast]);
            } else {
                found.links.extend([block, EntryLayout::new(shape, turned).word()]);
            }
        }
    }

    /// Where pieces of the side with the rows, light (or dark), enter.
    fn row_entries<const LIGHT: bool>(&self, dark: u32, light: u32, own: Shape, found: &mut Found) {
        for bit in 0..THROWS {
            let Some(landed) = self.enters::<LIGHT>(dark, light, own.row_left, bit) else {
                found.links.push(NEVER);
                continue;
            };
            self.note(landed.dark, landed.light, found);
            let block = self.at::<LIGHT>(landed);
            if self.plan.shape(self.terrain, landed.dark, landed.light).has_layout_of(own) {
                found.links.push(block);
            } else {
                let recast = Recasts::number(own, Entering::Rows, landed.capture::<LIGHT>());
                found.links.extend([block | COPIED, recast]);
            }
        }
    }
}

impl Landed {
    fn capture<const LIGHT: bool>(self) -> Capture {
        match (self.captured, LIGHT) {
            (false, _) => Capture::Nobody,
            (true, true) => Capture::Dark,
            (true, false) => Capture::Light,
        }
    }
}
