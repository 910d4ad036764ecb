//! What a pocket consists of.

use super::facts::PocketFacts;
use super::ribbon::Ribbon;
use crate::models::net::Net;

/// The parts of a pocket that a builder puts together.
#[derive(Debug, Clone)]
pub struct PocketParts {
    /// What the file says about itself.
    pub facts: PocketFacts,
    /// The model.
    pub net: Net,
    /// Which challenges may succeed.
    pub filter: Ribbon,
    /// Which of those do.
    pub verdicts: Ribbon,
}
