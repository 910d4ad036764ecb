//! Long work: the interpreter goes on, Ctrl-C ends the work, and progress is reported.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use puabi_solve::Watch;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// The time between two looks at signals, and between two reports of progress.
pub(crate) const LOOK: Duration = Duration::from_millis(50);

/// The progress of some work, and whether the work is to end.
#[derive(Debug, Default)]
pub(crate) struct Work {
    stop: AtomicBool,
    done: AtomicU64,
    total: AtomicU64,
    failure: Mutex<Option<PyErr>>,
}

impl Watch for Work {
    fn progress(&self, done: u64, total: u64) {
        self.done.store(done, Ordering::Relaxed);
        self.total.store(total, Ordering::Relaxed);
    }

    fn stop(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

impl Work {
    /// Ends the work with this exception; the first exception is kept.
    pub(crate) fn fail(&self, error: PyErr) {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Returns the exception that ended the work.
    pub(crate) fn into_failure(self) -> Option<PyErr> {
        self.failure.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reports that all is done, if there was anything to do.
    fn finish(&self, progress: Option<&Py<PyAny>>) -> PyResult<()> {
        self.done.store(self.total.load(Ordering::Relaxed), Ordering::Relaxed);
        self.look(progress)
    }

    /// Looks at signals and reports the progress.
    fn look(&self, progress: Option<&Py<PyAny>>) -> PyResult<()> {
        Python::attach(|py| {
            py.check_signals()?;
            let (done, total) =
                (self.done.load(Ordering::Relaxed), self.total.load(Ordering::Relaxed));
            match progress.filter(|_| total > 0) {
                Some(progress) => progress.call1(py, (done, total)).map(drop),
                None => Ok(()),
            }
        })
    }
}

/// Does `work` on another thread and returns its result. Meanwhile, this thread looks for Ctrl-C and calls `progress(done,
/// total)`.
///
/// The work does not hold the lock of the interpreter. Its watch asks it to end, and its result is then dropped.
pub(crate) fn run<T: Send>(
    py: Python<'_>,
    progress: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&Work) -> PyResult<T> + Send,
) -> PyResult<T> {
    let watch = Work::default();
    let progress = progress.map(|it| it.clone().unbind());
    let found = py.detach(|| {
        thread::scope(|scope| {
            let (sender, receiver) = channel::<()>();
            let worker = scope.spawn(|| {
                // Dropped when the work ends, however it ends.
                let _sender = sender;
                registered_with_python(|| work(&watch))
            });
            while receiver.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
                if let Err(error) = watch.look(progress.as_ref()) {
                    watch.fail(error);
                }
            }
            let found = worker.join();
            if matches!(found, Ok(Ok(_)))
                && let Err(error) = watch.finish(progress.as_ref())
            {
                watch.fail(error);
            }
            found
        })
    });
    if let Some(error) = watch.into_failure() {
        return Err(error);
    }
    found.unwrap_or_else(|_| Err(PyRuntimeError::new_err("puabi has a bug: its message is above")))
}

/// Does `work` on new threads and returns its result: in a forked process, the threads of an earlier call are gone.
pub(crate) fn on_threads<T: Send>(work: impl FnOnce() -> T + Send) -> PyResult<T> {
    let builder = rayon::ThreadPoolBuilder::new();
    let found = builder.build_scoped(
        |thread| registered_with_python(|| thread.run()),
        |threads| threads.install(work),
    );
    found.map_err(|error| PyRuntimeError::new_err(format!("could not start threads: {error}")))
}

/// Does `work` on a thread that the interpreter knows meanwhile: making the thread known anew at each call of a function takes
/// nine microseconds.
fn registered_with_python<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    Python::attach(|py| py.detach(work))
}
