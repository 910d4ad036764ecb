//! Laws and facts of solved games on disk.

mod beside;
mod changed;
mod checkpoint;
mod library;
mod response;
mod solved;
mod store;
mod table;
