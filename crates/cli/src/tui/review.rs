//! The review of the game: which ply is looked at.

use puabi_engine::{PlyReview, Review};

/// A reviewed game and the ply that is looked at.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ReviewRoom {
    review: Review,
    at: usize,
}

impl ReviewRoom {
    /// Returns the room, looking at the last ply; `None` where nothing was played.
    pub(super) fn new(review: Review) -> Option<Self> {
        let at = review.plies.len().checked_sub(1)?;
        Some(Self { review, at })
    }

    /// Returns the review.
    pub(super) const fn review(&self) -> &Review {
        &self.review
    }

    /// Returns the ply that is looked at.
    pub(super) fn ply(&self) -> &PlyReview {
        &self.review.plies[self.at]
    }

    /// Looks at the ply so many later, or earlier, as far as there are any.
    pub(super) fn step(&mut self, by: isize) {
        self.at = self.at.saturating_add_signed(by).min(self.review.plies.len() - 1);
    }

    /// Looks at the next slip.
    pub(super) fn next_slip(&mut self) {
        let later = self.review.plies.iter().skip(self.at + 1).find(|ply| ply.class.is_slip());
        self.at = later.map_or(self.at, |ply| ply.number - 1);
    }

    /// Looks at the slip before.
    pub(super) fn previous_slip(&mut self) {
        let earlier = self.review.plies[..self.at].iter().rfind(|ply| ply.class.is_slip());
        self.at = earlier.map_or(self.at, |ply| ply.number - 1);
    }
}
