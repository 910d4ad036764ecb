//! Sieve: tells moves that may still be the best of a throw from those that cannot.
//!
//! When values are near their limits, a move that is far behind the best one in every position of its block will never be
//! chosen again; sweeps need not read what it leads to.
#![expect(unsafe_code, reason = "blocks are read through raw pointers")]

use arrayvec::ArrayVec;

use crate::arena::Arena;
use crate::lanes::Element;
use crate::links::Leads;
use crate::shape::{BLOCK, DARK_NEVER, LIGHT_NEVER, Shape};

/// Sifts the moves of one slab's blocks, in their order.
#[derive(Debug)]
pub(crate) struct Sieve<'a, T> {
    arena: &'a Arena<'a, T>,
    /// How far behind the best a move may be.
    slack: T,
    shape: Shape,
    /// Places of the block that hold no position.
    blanks: ArrayVec<usize, BLOCK>,
    /// Where the next block of exits begins.
    exits: usize,
    best: Box<[T; BLOCK]>,
    /// Blocks brought into the layout of the one whose moves are sifted.
    copies: Vec<[T; BLOCK]>,
}

impl<'a, T: Element> Sieve<'a, T> {
    /// Returns a sieve for the slab at `at`, whose values are nearer to their limits than half of `slack`.
    pub(crate) fn new(arena: &'a Arena<'a, T>, at: usize, slack: f64) -> Self {
        let none = [T::from_f64(0.0); BLOCK];
        Self {
            arena,
            slack: T::from_f64(slack),
            shape: Shape::new(0, 0),
            blanks: ArrayVec::new(),
            exits: arena.exits.starts[at],
            best: Box::new(none),
            copies: vec![none; Leads::CAPACITY],
        }
    }

    /// Goes on to the next block.
    pub(crate) fn enter(&mut self, shape: Shape) {
        let ranks = &self.arena.plan.ranks;
        let used = ranks.masks(shape.lane_left).iter().fold(0_u32, |used, at| used | 1 << at.lane);
        let is_blank = |&at: &usize| used >> (at % shape.width) & 1 == 0;
        self.blanks = (0..shape.len(ranks)).filter(is_blank).collect();
        self.exits = shape.begin(self.exits);
        self.shape = shape;
    }

    /// Leaves out what light (or dark) will not choose among these and its exits, if it has any.
    ///
    /// # Safety
    ///
    /// They are the moves of one throw in the block, in the order of its exits, and nobody writes the arena's values.
    pub(crate) unsafe fn sift<const LIGHT: bool>(&mut self, leads: &mut Leads, has_exits: bool) {
        let len = self.shape.len(&self.arena.plan.ranks);
        self.best.fill(T::from_f64(if LIGHT { LIGHT_NEVER } else { DARK_NEVER }));
        if has_exits {
            // SAFETY: the exits of a block are of its layout.
            let exits =
                unsafe { std::slice::from_raw_parts(self.arena.leaving.add(self.exits), len) };
            take::<LIGHT, T>(&mut self.best[..], exits);
            self.exits += len;
        }
        let mut blocks = ArrayVec::<&[T], { Leads::CAPACITY }>::new();
        for (lead, copy) in leads.0.iter().zip(&mut self.copies) {
            // SAFETY: as the caller vouches.
            let block = unsafe { self.arena.block(lead, self.shape, copy) };
            blocks.push(&block[..len]);
        }
        for block in &blocks {
            take::<LIGHT, T>(&mut self.best[..], block);
        }
        let times = T::from_f64(if LIGHT { -1.0 } else { 1.0 });
        self.best[..len].iter_mut().for_each(|best| *best = best.moved(times, self.slack));
        for &blank in &self.blanks {
            self.best[blank] = T::from_f64(if LIGHT { f64::INFINITY } else { f64::NEG_INFINITY });
        }
        let mut blocks = blocks.iter();
        leads.0.retain(|_| {
            blocks.next().is_some_and(|block| reaches::<LIGHT, T>(block, &self.best[..]))
        });
    }
}

/// Takes the better of two chances, for light or for dark, place by place.
fn take<const LIGHT: bool, T: Element>(best: &mut [T], block: &[T]) {
    for (best, &value) in best.iter_mut().zip(block) {
        let is_better = if LIGHT { value > *best } else { value < *best };
        *best = if is_better { value } else { *best };
    }
}

/// Whether light (or dark) has a chance somewhere in a block that is no worse than the bound there.
fn reaches<const LIGHT: bool, T: Element>(block: &[T], bounds: &[T]) -> bool {
    const TOGETHER: usize = 32;
    block.chunks(TOGETHER).zip(bounds.chunks(TOGETHER)).any(|(block, bounds)| {
        let reaches =
            |(value, bound): (&T, &T)| if LIGHT { value >= bound } else { value <= bound };
        block.iter().zip(bounds).map(reaches).fold(false, |any, one| any | one)
    })
}
