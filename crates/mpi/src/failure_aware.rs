//! Ranks that learn if one of them has ended: an error of one rank ends all ranks and is printed once.

use std::process::ExitCode;

use anyhow::Result;
use puabi_solve::Exchange;

use crate::FAILED;
use crate::world::{World, abort};

/// The ranks of a command in which each rank may end with an error of its own.
///
/// All bytes that are handed on end with the [`State`] of their sender. A rank that has ended hands on its last state, so that the
/// others learn of it the next time that they hand on something.
pub(crate) struct FailureAwareRanks<'w>(pub(crate) &'w World);

/// Whether a rank is at work or has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    AtWork,
    Done,
    /// The rank has an error, and the bytes before this state are its text.
    Failed,
}

impl State {
    const ALL: [Self; 3] = [Self::AtWork, Self::Done, Self::Failed];
}

impl FailureAwareRanks<'_> {
    /// Ends the command of all ranks and returns the exit code; `done` is the result of this rank.
    pub(crate) fn end(&self, done: Result<()>) -> ExitCode {
        let (state, said) = match &done {
            Ok(()) => (State::Done, String::new()),
            Err(error) => (State::Failed, puabi_cli::line(error)),
        };
        let all = self.hand_on(state, vec![said.into_bytes(); self.0.ranks()]);
        let code = done.map_or_else(|error| puabi_cli::report(&error), |()| ExitCode::SUCCESS);
        let is_said = all[0].0 == State::Failed || first(&all, State::Failed).is_none();
        if is_said && first(&all, State::AtWork).is_none() {
            // All ranks return here, so that MPI ends: it waits for each of them.
            return code;
        }
        self.give_up(&all)
    }

    /// Gives each other rank its bytes and the state of this rank. Returns the state of each rank and the bytes that it gives.
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

    /// Ends all ranks because one has failed or, if none has, because one has stopped before the others. The first rank prints
    /// which one it was, and the others wait until it ends them. All ranks call this with the same states.
    fn give_up(&self, all: &[(State, Vec<u8>)]) -> ! {
        if !self.0.is_first() {
            // This rank is ended by a signal that nothing hears.
            puabi_cli::end_engines();
        }
        while !self.0.is_first() {
            std::thread::park();
        }
        match (first(all, State::Failed), first(all, State::Done)) {
            // The first rank itself has failed, and it has printed its error already.
            (Some(0), _) => crate::world::end_all(FAILED),
            (Some(rank), _) => {
                abort(format_args!("rank {rank}: {}", String::from_utf8_lossy(&all[rank].1)))
            }
            (None, rank) => {
                let rank = rank.expect("a rank has ended");
                abort(format_args!("rank {rank} has stopped before the others"))
            }
        }
    }
}

/// Returns the first rank with this state, if there is one.
fn first(all: &[(State, Vec<u8>)], state: State) -> Option<usize> {
    all.iter().position(|(it, _)| *it == state)
}

impl Exchange for FailureAwareRanks<'_> {
    fn rank(&self) -> usize {
        self.0.rank()
    }

    fn ranks(&self) -> usize {
        self.0.ranks()
    }

    fn swap(&self, given: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
        let taken = self.hand_on(State::AtWork, given);
        if taken.iter().any(|(state, _)| *state != State::AtWork) {
            self.give_up(&taken);
        }
        taken.into_iter().map(|(_, bytes)| bytes).collect()
    }
}
