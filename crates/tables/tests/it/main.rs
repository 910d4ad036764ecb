//! Laws and facts of solved games on disk.

mod checkpoint;
mod library;
mod response;
mod solved;
mod store;
mod table;
