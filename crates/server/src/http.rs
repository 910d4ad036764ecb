//! Requests and answers: the parts that are read from requests, the forms of answers, and the layers around the routes.

pub(crate) mod client;
pub(crate) mod connections;
pub(crate) mod error;
pub(crate) mod extract;
pub(crate) mod guard;
pub(crate) mod metrics;
pub(crate) mod page;
pub(crate) mod unsent;
