//! Work on a thread of its own: a solve, or the reply of an agent.

use std::thread::{self, JoinHandle};

use anyhow::{Result, anyhow};

/// Work whose result has not been taken yet; if dropped, it goes on and its result is lost.
#[derive(Debug)]
pub(crate) struct Task<T> {
    thread: Option<JoinHandle<Result<T>>>,
}

impl<T: Send + 'static> Task<T> {
    /// Starts `work`.
    pub(crate) fn start(work: impl FnOnce() -> Result<T> + Send + 'static) -> Self {
        Self { thread: Some(thread::spawn(work)) }
    }

    /// Returns the result once, as soon as the work has ended.
    pub(crate) fn poll(&mut self) -> Option<Result<T>> {
        self.thread.take_if(|thread| thread.is_finished()).map(Self::join)
    }

    /// Waits for the end of the work and discards its result.
    pub(crate) fn wait(&mut self) {
        self.thread.take().map(Self::join);
    }

    fn join(thread: JoinHandle<Result<T>>) -> Result<T> {
        thread.join().unwrap_or_else(|_| Err(anyhow!("the work ended without a result")))
    }
}
