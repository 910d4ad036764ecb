//! Ranks that hear if one of them has ended: an error of one ends all, and one of them says it, once.

use std::process::ExitCode;

use anyhow::Result;
use puabi_solve::Exchange;

use crate::FAILED;
use crate::world::{World, abort};

/// The ranks of a command that each may end with an error of its own.
///
/// What is handed on has a [`State`] behind it. A rank that has ended hands that on, and so the others hear it the next time
/// that they hand on something.
pub(crate) struct Attentive<'w>(pub(crate) &'w World);

/// How far a rank is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    AtWork,
    Done,
    /// What is handed on is the error.
    Failed,
}

impl State {
    const ALL: [Self; 3] = [Self::AtWork, Self::Done, Self::Failed];
}

impl Attentive<'_> {
    /// Ends the command of all ranks and returns the exit code; `done` is what this one has come to.
    pub(crate) fn end(&self, done: Result<()>) -> ExitCode {
        let (state, said) = match &done {
            Ok(()) => (State::Done, String::new()),
            Err(error) => (State::Failed, puabi_cli::line(error)),
        };
        let others = self.hand_on(state, vec![said.into_bytes(); self.0.ranks()]);
        let are_others_at_work = others.iter().any(|(state, _)| *state == State::AtWork);
        if let Err(error) = done {
            let code = puabi_cli::report(&error);
            return if are_others_at_work { self.give_up(None) } else { code };
        }
        match others.into_iter().enumerate().find(|(_, (state, _))| *state != State::Done) {
            Some(ended) => self.give_up(Some(ended)),
            None => ExitCode::SUCCESS,
        }
    }

    /// Gives each other rank bytes, with the state of this one; returns what they give.
    fn hand_on(&self, state: State, mut given: Vec<Vec<u8>>) -> Vec<(State, Vec<u8>)> {
        for bytes in &mut given {
            bytes.push(state as u8);
        }
        given[self.0.rank()].clear();
        let split = |mut bytes: Vec<u8>| {
            let state = bytes.pop().map_or(state, |at| State::ALL[usize::from(at)]);
            (state, bytes)
        };
        self.0.swap(given).into_iter().map(split).collect()
    }

    /// Ends all ranks: the first says what another has come to, and the others wait for that.
    fn give_up(&self, ended: Option<(usize, (State, Vec<u8>))>) -> ! {
        while !self.0.is_first() {
            std::thread::park();
        }
        match ended {
            None => crate::world::end_all(FAILED),
            Some((rank, (State::Failed, said))) => {
                abort(format_args!("rank {rank}: {}", String::from_utf8_lossy(&said)))
            }
            Some((rank, _)) => abort(format_args!("rank {rank} has stopped before the others")),
        }
    }
}

impl Exchange for Attentive<'_> {
    fn rank(&self) -> usize {
        self.0.rank()
    }

    fn ranks(&self) -> usize {
        self.0.ranks()
    }

    fn swap(&self, given: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
        let taken = self.hand_on(State::AtWork, given);
        match taken.iter().position(|(state, _)| *state != State::AtWork) {
            Some(rank) => self.give_up(taken.into_iter().nth(rank).map(|ended| (rank, ended))),
            None => taken.into_iter().map(|(_, bytes)| bytes).collect(),
        }
    }
}
