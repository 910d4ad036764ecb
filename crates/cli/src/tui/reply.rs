//! A bot's reply, thought about on a thread of its own.

use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, TryRecvError};
use std::thread;

use anyhow::{Result, anyhow};
use puabi_core::Move;
use puabi_engine::{AgentSpec, Sitting};
use puabi_tables::Table;

use crate::agents;

/// A reply that is on its way; dropped, it is forgotten.
#[derive(Debug)]
pub(super) struct Reply {
    receiver: Receiver<Result<Move>>,
}

impl Reply {
    /// Lets `spec` think about the roll that waits for its move.
    pub(super) fn begin(sitting: &Sitting, spec: AgentSpec, table: Option<Arc<Table>>) -> Self {
        let (sender, receiver) = mpsc::channel();
        let sitting = sitting.clone();
        thread::spawn(move || {
            // Nobody listens any more where the game went another way.
            let _ = sender.send(choose(&sitting, &spec, table.as_deref()));
        });
        Self { receiver }
    }

    /// Returns the reply once it is there.
    pub(super) fn poll(&self) -> Option<Result<Move>> {
        match self.receiver.try_recv() {
            Ok(reply) => Some(reply),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => Some(Err(anyhow!("the bot broke off"))),
        }
    }
}

fn choose(sitting: &Sitting, spec: &AgentSpec, table: Option<&Table>) -> Result<Move> {
    let reply = agents::with_agent(spec, sitting.rules(), table, |agent| sitting.reply(agent))?;
    reply.ok_or_else(|| anyhow!("no roll waits for a move"))
}
