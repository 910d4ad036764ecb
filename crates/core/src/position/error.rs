//! The error of a description of a position that breaks the rules.

/// The reason why a described position breaks the rules.
///
/// ```
/// use puabi_core::RuleSet;
/// let rules = RuleSet::FINKEL.compile()?;
/// let error = rules.position(&"15:-:L".parse()?).unwrap_err();
/// assert_eq!(error.to_string(), "light has a piece on square 15, but the path has 14 squares");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct PositionError(pub(crate) String);
