//! The page in a browser: Debian's chromium, driven through chromedriver, against a server of its own.
//!
//! `cargo test --test browser -- --test-threads=1` needs `chromium` and `chromedriver` on the path, and `npm ci` in this crate's
//! folder; `cargo test` alone leaves it out. Tables are of `finkel:1` and `finkel:2`, which the server solves when they are first
//! asked for.

mod access;
mod archive;
mod browser;
mod cube;
mod following;
mod guide;
mod languages;
mod lobby;
mod play;
mod public;
mod sides;
mod study;
