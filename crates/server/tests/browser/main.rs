//! The page in a browser: Debian's chromium, driven through chromedriver, against a server of its own.
//!
//! Needs the feature `browser`, `chromium` and `chromedriver` on the path, and `npm ci` in this crate's folder. Tables are
//! of `finkel:1` and `finkel:2`, which the server solves when they are first asked for.

mod access;
mod archive;
mod cube;
mod guide;
mod languages;
mod lobby;
mod play;
mod public;
mod sides;
mod stage;
mod study;
