//! The parts of a pocket.

use super::facts::PocketFacts;
use super::ribbon::Ribbon;
use crate::models::net::Net;

/// The parts of a pocket, which a builder puts together.
#[derive(Debug, Clone)]
pub struct PocketParts {
    /// What the file says about itself.
    pub facts: PocketFacts,
    /// The model.
    pub net: Net,
    /// The filter bits of challenges, which say which challenges may succeed.
    pub filter: Ribbon,
    /// The verdicts on the challenges that pass the filter: which of them do succeed.
    pub verdicts: Ribbon,
}
