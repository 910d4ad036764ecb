//! The log of an outside engine: what it writes to stderr, and the last lines before each of its faults.

use std::fmt::Display;
use std::fs::{self, File};
use std::io::Write;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// The most bytes that a log holds; anything after them is dropped.
const MOST_BYTES: usize = 4 << 20;

/// The log of an outside engine; the file is created when something is first written.
#[derive(Debug)]
pub(super) struct EngineLog {
    path: PathBuf,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    file: Option<File>,
    written: usize,
}

impl EngineLog {
    /// Returns the log at this path.
    pub(super) fn new(path: PathBuf) -> Self {
        Self { path, state: Mutex::default() }
    }

    /// Returns `text`, with the path of the log if the log has been created.
    pub(super) fn with_path(&self, text: impl Display) -> String {
        if self.path.is_file() {
            format!("{text}; its log is {}", self.path.display())
        } else {
            text.to_string()
        }
    }

    /// Appends as many of the bytes as there is room for. If the log cannot be written, the game goes on.
    pub(super) fn append(&self, bytes: &[u8]) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let room = MOST_BYTES - state.written;
        let bytes = &bytes[..bytes.len().min(room)];
        if bytes.is_empty() {
            return;
        }
        if state.file.is_none() {
            state.file = self.create();
        }
        state.written += bytes.len();
        if let Some(file) = &mut state.file {
            let _ = file.write_all(bytes);
        }
    }

    fn create(&self) -> Option<File> {
        let folder = self.path.parent()?;
        fs::create_dir_all(folder).ok()?;
        File::create(&self.path).ok()
    }
}
