//! Texts: splitting and quoting them, the words of messages, pictures of boards.

pub mod ascii;
pub(crate) mod located;
pub(crate) mod picture;
pub(crate) mod quote;
pub mod wording;
