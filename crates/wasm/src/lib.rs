//! The API without a server: the same requests and answers as over HTTP, in a browser.
//!
//! A page asks by [`ask`]: a request as JSON in, an answer with its status out. What is kept (games, rule files, tables)
//! lies with the page, in the browser's own database: a request brings the game that it is about, and an answer says what
//! is to be kept of it. So the page decides when something is on disk, and this program has no state that could be lost
//! but rule files and tables, which it is given when it starts.
//!
//! The functions take and return memory by its address, as a plain C ABI: a text is given as an address and a length, and
//! comes back as the address of its length in four bytes with the bytes behind it.

mod archive;
mod asked;
mod catalog;
mod engine;
mod games;
mod memory;
mod routes;
mod rules;
mod shelf;

use std::cell::RefCell;

use crate::engine::Engine;
use crate::memory::{given, returned};

thread_local! {
    /// The one engine of an instance: a browser gives each worker an instance of its own.
    static ENGINE: RefCell<Engine> = RefCell::new(Engine::new());
}

/// Returns the answer to a request, both as JSON: `Asked` has its form.
#[unsafe(no_mangle)]
#[expect(unsafe_code, reason = "a page calls it by its name")]
pub extern "C" fn ask(start: *mut u8, length: usize) -> *mut u8 {
    let text = given(start, length);
    returned(&ENGINE.with_borrow_mut(|engine| routes::ask(engine, &text)))
}

/// Solves the rule set of this name, telling its progress, and returns the table's bytes; or `!` and why there is none.
#[unsafe(no_mangle)]
#[expect(unsafe_code, reason = "a page calls it by its name")]
pub extern "C" fn solve(start: *mut u8, length: usize) -> *mut u8 {
    let name = given(start, length);
    returned(&engine::solve(&name))
}

/// Takes a table over, from its bytes, and returns the hash that names it; or `!` and why it is refused.
#[unsafe(no_mangle)]
#[expect(unsafe_code, reason = "a page calls it by its name")]
pub extern "C" fn shelve(start: *mut u8, length: usize) -> *mut u8 {
    let bytes = given(start, length);
    returned(&ENGINE.with_borrow_mut(|engine| engine.shelve(bytes)))
}

/// Takes a pocket over, from the bytes of its file, and returns nothing; or `!` and why it is refused.
#[unsafe(no_mangle)]
#[expect(unsafe_code, reason = "a page calls it by its name")]
pub extern "C" fn pocket(start: *mut u8, length: usize) -> *mut u8 {
    let bytes = given(start, length);
    returned(&engine::take_pocket(&bytes))
}

/// Returns the hash of random decisions of a pocket, for `NAME SEED COUNT`; or `!` and why there is none.
#[unsafe(no_mangle)]
#[expect(unsafe_code, reason = "a script calls it by its name")]
pub extern "C" fn trial(start: *mut u8, length: usize) -> *mut u8 {
    let text = given(start, length);
    returned(&engine::trial(&String::from_utf8_lossy(&text)))
}

/// Shows how the values of the rule set of this name converge, an event a sweep; returns `!` and why if it cannot.
#[unsafe(no_mangle)]
#[expect(unsafe_code, reason = "a page calls it by its name")]
pub extern "C" fn converge(start: *mut u8, length: usize) -> *mut u8 {
    let name = given(start, length);
    returned(&engine::converge(&name))
}
