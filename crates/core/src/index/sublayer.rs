//! Sublayers: positions that depend on each other and on later ones only.

/// All positions with the same unordered pair of side states.
///
/// `senior` is the later state of the two. The index runs first over the positions with the senior side about to roll, then
/// over those with the junior side about to roll; if both states are equal, there are only the first.
///
/// ```
/// use puabi_core::{Indexer, RuleSet};
/// let indexer = Indexer::new(&RuleSet::FINKEL.compile()?)?;
/// let last = indexer.sublayers().last().expect("a game has positions");
/// assert!(last.is_mirror());
/// assert_eq!(last.base + last.len(), indexer.len());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sublayer {
    /// The later side state, as an index into [`Indexer::side_states`](crate::Indexer::side_states).
    pub senior: usize,
    /// The earlier side state, as an index into [`Indexer::side_states`](crate::Indexer::side_states).
    pub junior: usize,
    /// The first index of the sublayer.
    pub base: u64,
    /// The number of positions with one given side about to roll.
    pub half: u64,
}

impl Sublayer {
    /// Returns whether both sides are in the same state, so that the sublayer mirrors itself.
    pub const fn is_mirror(&self) -> bool {
        self.senior == self.junior
    }

    /// Returns the number of positions.
    pub const fn len(&self) -> u64 {
        if self.is_mirror() { self.half } else { 2 * self.half }
    }

    /// Returns whether the sublayer has no position; always false.
    pub const fn is_empty(&self) -> bool {
        self.half == 0
    }
}
