//! The process of an outside engine: lines to it and from it, which are waited for a limited time.

use std::collections::{BTreeSet, VecDeque};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{
    Receiver, RecvTimeoutError, SyncSender, TryRecvError, TrySendError, sync_channel,
};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::engine_log::EngineLog;
use super::fault::Fault;

/// The most bytes of a line of an engine.
const MOST_BYTES: u64 = 1 << 16;
/// The most lines from an engine, and the most lines to it, that may wait.
const WAITING: usize = 64;
/// The last lines that are logged with a fault.
const REMEMBERED: usize = 40;
/// How long an engine may take to end by itself.
const GRACE_PERIOD: Duration = Duration::from_millis(300);

/// The processes of engines whose end has not been waited for, so that no other process can have their numbers yet.
static RUNNING: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

fn running() -> MutexGuard<'static, BTreeSet<u32>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Kills all engines of this process at once, with the programs that they have started: for a program that ends without dropping
/// its engines.
pub(super) fn kill_all() {
    running().iter().for_each(|&id| kill(id));
}

/// Kills an engine and, if the system has groups of processes, the programs that it has started: the engine may be a script
/// around another program.
fn kill(id: u32) {
    #[cfg(unix)]
    if let Ok(id) = id.try_into() {
        use nix::sys::signal::{Signal, killpg};
        let _ = killpg(nix::unistd::Pid::from_raw(id), Signal::SIGKILL);
    }
    #[cfg(not(unix))]
    let _ = id;
}

/// The process of an outside engine. It ends when this is dropped: by itself if it can, or else it is killed.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    said: Receiver<Result<String, Fault>>,
    told: Option<SyncSender<String>>,
    last: VecDeque<String>,
    is_at_fault: bool,
}

impl Process {
    /// Starts the program of these words; what it writes to stderr goes to the log.
    pub(super) fn start(words: &[String], log: &Arc<EngineLog>) -> Result<Self, Fault> {
        let (program, arguments) = words.split_first().expect("a command has a word");
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // Ctrl-C is for this program only: an engine that it ended would lose its game. So the engine has a group of its own.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        // Whoever kills all engines waits for one that starts now.
        let mut running = running();
        let mut child = command.spawn().map_err(Fault::Start)?;
        running.insert(child.id());
        drop(running);
        let (to_us, said) = sync_channel(WAITING);
        let (told, to_it) = sync_channel(WAITING);
        if let (Some(stdin), Some(stdout), Some(stderr)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        {
            let log = Arc::clone(log);
            thread::spawn(move || listen(stdout, &to_us));
            thread::spawn(move || tell(stdin, &to_it));
            thread::spawn(move || copy_to_log(stderr, &log));
        }
        let last = VecDeque::with_capacity(REMEMBERED);
        Ok(Self { child, said, told: Some(told), last, is_at_fault: false })
    }

    /// Tells the engine a few lines; it must not have said anything since it was asked last.
    pub(super) fn tell(&mut self, lines: &str) -> Result<(), Fault> {
        match self.said.try_recv() {
            Ok(Ok(said)) => return Err(Fault::Unasked(said)),
            Ok(Err(fault)) => return Err(fault),
            Err(TryRecvError::Disconnected) => return Err(self.ended()),
            Err(TryRecvError::Empty) => {}
        }
        lines.lines().for_each(|line| self.remember(">", line));
        let sent = self.told.as_ref().map(|told| told.try_send(format!("{lines}\n")));
        match sent {
            Some(Ok(())) => Ok(()),
            Some(Err(TrySendError::Full(_))) => Err(Fault::Deaf),
            Some(Err(TrySendError::Disconnected(_))) | None => Err(self.ended()),
        }
    }

    /// Returns the next line of the engine, `None` if none comes before `deadline`.
    pub(super) fn hear(&mut self, deadline: Instant) -> Result<Option<String>, Fault> {
        // `recv_timeout` returns a waiting line however late it is, so without this check an engine that never stops talking
        // would go on for ever.
        let Some(left) = deadline.checked_duration_since(Instant::now()) else { return Ok(None) };
        match self.said.recv_timeout(left) {
            Ok(Ok(line)) => {
                self.remember("<", &line);
                Ok(Some(line))
            }
            Ok(Err(fault)) => Err(fault),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(self.ended()),
        }
    }

    fn remember(&mut self, direction: &str, line: &str) {
        if self.last.len() == REMEMBERED {
            self.last.pop_front();
        }
        self.last.push_back(format!("{direction} {line}\n"));
    }

    /// Returns the last lines in both directions, for a log. The process is at fault, and is killed.
    pub(super) fn kill_at_fault(mut self) -> String {
        self.is_at_fault = true;
        self.last.drain(..).collect()
    }

    /// Returns the fault that the engine has ended, with its exit status if it is known soon.
    fn ended(&mut self) -> Fault {
        Fault::Ended(self.wait())
    }

    /// Waits a moment for the end of the process.
    fn wait(&mut self) -> Option<ExitStatus> {
        let deadline = Instant::now() + GRACE_PERIOD;
        loop {
            match self.try_wait() {
                None if Instant::now() < deadline => thread::sleep(Duration::from_millis(2)),
                status => return status,
            }
        }
    }

    /// Returns the exit status of the process if it has ended; its number may be that of another process later on.
    fn try_wait(&mut self) -> Option<ExitStatus> {
        let mut running = running();
        let status = self.child.try_wait().ok()?;
        if status.is_some() && running.remove(&self.child.id()) {
            // The programs that it has started stay in its group, and no other group can have the number so soon.
            kill(self.child.id());
        }
        status
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // The thread of `tell` closes stdin once it has nothing more to write.
        if let Some(told) = self.told.take() {
            let _ = told.try_send("quit\n".to_owned());
        }
        let status = if self.is_at_fault { self.try_wait() } else { self.wait() };
        if status.is_none() {
            kill(self.child.id());
            let _ = self.child.kill();
            running().remove(&self.child.id());
            let _ = self.child.wait();
        }
    }
}

/// Sends the lines of an engine to us, until it ends or one of its lines has no end.
fn listen(stdout: ChildStdout, to_us: &SyncSender<Result<String, Fault>>) {
    let mut source = BufReader::new(stdout);
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        let read = (&mut source).take(MOST_BYTES).read_until(b'\n', &mut bytes);
        if !read.is_ok_and(|count| count > 0) {
            return;
        }
        let is_endless = bytes.len() as u64 == MOST_BYTES && bytes.last() != Some(&b'\n');
        let line = String::from_utf8_lossy(&bytes).trim().to_owned();
        if line.is_empty() {
            continue;
        }
        let said = if is_endless { Err(Fault::Endless(MOST_BYTES)) } else { Ok(line) };
        if to_us.send(said).is_err() || is_endless {
            return;
        }
    }
}

/// Writes to an engine what it is told; an engine that does not read stops no other thread.
fn tell(mut stdin: ChildStdin, to_it: &Receiver<String>) {
    for lines in to_it {
        if stdin.write_all(lines.as_bytes()).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

fn copy_to_log(mut stderr: impl Read, log: &EngineLog) {
    let mut bytes = [0; 4096];
    while let Ok(count @ 1..) = stderr.read(&mut bytes) {
        log.append(&bytes[..count]);
    }
}
