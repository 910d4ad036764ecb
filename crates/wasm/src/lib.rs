//! The API without a server: the same requests and answers as over HTTP, in a browser.
//!
//! A page calls [`ask`] with a request as JSON, and gets an answer with its status. The page keeps games, rule files and tables
//! in the browser's own database: a request brings the game that it is about, and the answer says what the page is to keep. So
//! the page decides when something is on disk. This program has no state that could be lost except rule files and tables, which
//! the page gives it when it starts.
//!
//! The functions take and return memory by its address, as a plain C ABI. The page passes a text as an address and a length. A
//! function returns the address of four bytes, which hold the length of its answer, with the bytes of the answer behind them.

mod archive;
mod catalog;
mod engine;
mod games;
mod memory;
mod request;
mod routes;
mod rules;
mod tables;

use std::cell::RefCell;

use crate::engine::Engine;
use crate::memory::{hand_to_page, take_from_page};

thread_local! {
    /// The one engine of an instance: a browser gives each worker an instance of its own.
    static ENGINE: RefCell<Engine> = RefCell::new(Engine::new());
}

/// Returns the answer to a request, both as JSON; `ApiRequest` has the form of the request.
#[unsafe(no_mangle)]
#[expect(unsafe_code, reason = "a page calls it by its name")]
pub extern "C" fn ask(start: *mut u8, length: usize) -> *mut u8 {
    let text = take_from_page(start, length);
    hand_to_page(&ENGINE.with_borrow_mut(|engine| routes::ask(engine, &text)))
}

/// Solves the rule set of this name or rule file, reports the progress, and returns the table's bytes; or `!` and the reason why
/// there is no table.
#[unsafe(no_mangle)]
#[expect(unsafe_code, reason = "a page calls it by its name")]
pub extern "C" fn solve(start: *mut u8, length: usize) -> *mut u8 {
    let name = take_from_page(start, length);
    hand_to_page(&engine::solve(&name))
}

/// Takes over a table from its bytes, and returns the hash that names it; or `!` and the reason why it is refused.
#[unsafe(no_mangle)]
#[expect(unsafe_code, reason = "a page calls it by its name")]
pub extern "C" fn shelve(start: *mut u8, length: usize) -> *mut u8 {
    let bytes = take_from_page(start, length);
    hand_to_page(&ENGINE.with_borrow_mut(|engine| engine.add_table(bytes)))
}

/// Takes over a pocket from the bytes of its file, and returns nothing; or `!` and the reason why it is refused.
#[unsafe(no_mangle)]
#[expect(unsafe_code, reason = "a page calls it by its name")]
pub extern "C" fn pocket(start: *mut u8, length: usize) -> *mut u8 {
    let bytes = take_from_page(start, length);
    hand_to_page(&engine::take_pocket(&bytes))
}

/// Returns the trial of a pocket, a hash of the moves that it chooses in random decisions, for `NAME SEED COUNT`; or `!` and what
/// was expected.
#[unsafe(no_mangle)]
#[expect(unsafe_code, reason = "a script calls it by its name")]
pub extern "C" fn trial(start: *mut u8, length: usize) -> *mut u8 {
    let text = take_from_page(start, length);
    hand_to_page(&engine::trial(&String::from_utf8_lossy(&text)))
}

/// Reports how the values of the rule set of this name or rule file converge, by an event for each sweep; returns `!` and the
/// reason if it cannot.
#[unsafe(no_mangle)]
#[expect(unsafe_code, reason = "a page calls it by its name")]
pub extern "C" fn converge(start: *mut u8, length: usize) -> *mut u8 {
    let name = take_from_page(start, length);
    hand_to_page(&engine::converge(&name))
}
