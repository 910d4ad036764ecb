//! The review of the game and the ply that it shows.

use puabi_engine::{PlyReview, Review};

/// A reviewed game and the ply that is shown.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ReviewState {
    pub(crate) review: Review,
    at: usize,
}

impl ReviewState {
    /// Returns the review at the last ply; `None` if nothing was played.
    pub(crate) fn new(review: Review) -> Option<Self> {
        let at = review.plies.len().checked_sub(1)?;
        Some(Self { review, at })
    }

    /// Returns the ply that is shown.
    pub(crate) fn ply(&self) -> &PlyReview {
        &self.review.plies[self.at]
    }

    /// Goes `by` plies on or back, at most to either end.
    pub(crate) fn step(&mut self, by: isize) {
        self.at = self.at.saturating_add_signed(by).min(self.review.plies.len() - 1);
    }

    /// Goes to the next slip.
    pub(crate) fn next_slip(&mut self) {
        let later = self.review.plies.iter().skip(self.at + 1).find(|ply| ply.class.is_slip());
        self.at = later.map_or(self.at, |ply| ply.number - 1);
    }

    /// Goes to the previous slip.
    pub(crate) fn previous_slip(&mut self) {
        let earlier = self.review.plies[..self.at].iter().rfind(|ply| ply.class.is_slip());
        self.at = earlier.map_or(self.at, |ply| ply.number - 1);
    }
}
