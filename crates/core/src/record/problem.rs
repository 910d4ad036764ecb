//! The error of a header of a record.

/// The error of a header that a record cannot have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct HeaderError(pub(super) String);
