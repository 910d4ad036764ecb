//! Requests and answers: what is taken out of the one, the forms of the other, and the layers around both.

pub(crate) mod client;
pub(crate) mod doors;
pub(crate) mod error;
pub(crate) mod extract;
pub(crate) mod guard;
pub(crate) mod held;
pub(crate) mod metrics;
pub(crate) mod page;
