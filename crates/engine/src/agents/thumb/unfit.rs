//! The error of rules that lack what an agent needs.

use puabi_core::RuleSet;

/// The error of an agent by rule of thumb under rules that lack what it needs.
///
/// ```
/// use puabi_core::RuleSet;
/// use puabi_engine::{Principle, Principles};
/// let error = Principles::new(&RuleSet::MASTERS.compile()?, &[Principle::Centre]).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "`centre` cannot play masters: it needs a safe rosette that both players cross"
/// );
/// # Ok::<(), puabi_core::RuleError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{agent}` cannot play {rules}: it needs {lacks}")]
pub struct UnfitError {
    rules: RuleSet,
    agent: String,
    lacks: String,
}

impl UnfitError {
    pub(crate) fn new(rules: &RuleSet, agent: String, lacks: String) -> Self {
        Self { rules: rules.clone(), agent, lacks }
    }
}
