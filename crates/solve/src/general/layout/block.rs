//! A block of a sublayer, and what blocks are laid out for.

use puabi_core::Sublayer;

use crate::general::pre::PreMoves;
use crate::general::successors::word::{WideWord, Word};

/// The values of one configuration: `light` is the senior side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct BoardBlock {
    pub(super) base: WideWord,
    pub(super) image: WideWord,
    /// Light's pieces on pre squares and in hand.
    pub(crate) light: u8,
    /// Dark's pieces on pre squares and in hand.
    pub(crate) dark: u8,
}

impl BoardBlock {
    /// Returns the index of the block's first board among those of the sublayer, seen by light.
    #[inline]
    pub(crate) fn base(self) -> u64 {
        self.base.widen()
    }

    /// Returns the index of the first board of the block's mirror image if the sublayer mirrors itself; unknown for given
    /// policies.
    #[inline]
    pub(crate) fn image(self) -> u64 {
        self.image.widen()
    }

    /// Returns whether the block is its own mirror image, in a sublayer that mirrors itself.
    #[inline]
    pub(crate) fn is_own_image(self) -> bool {
        self.image == self.base
    }

    /// Returns the number of its values.
    pub(crate) fn values(self, pre: &PreMoves) -> usize {
        2 * pre.boards([self.light, self.dark])
    }
}

/// For which backups a sublayer is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// The backups of a solve and of bounds. If the sublayer mirrors itself, half of the blocks are images of others.
    Solve,
    /// The backups of given policies, board by board: no block is an image of another.
    Policies,
}

impl Purpose {
    pub(super) fn halves(self, sublayer: Sublayer) -> bool {
        self == Self::Solve && sublayer.is_mirror()
    }
}
