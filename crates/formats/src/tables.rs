//! `.rgu` tables: the solved games that `RoyalUr`'s solver publishes.

pub(crate) mod difference;
pub(crate) mod error;
pub(crate) mod layout;
pub(crate) mod metadata;
pub(crate) mod reader;
pub(crate) mod states;
pub(crate) mod value_type;
pub(crate) mod writer;
