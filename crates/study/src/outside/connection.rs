//! A conversation with an outside engine, by the engine protocol.

use std::sync::Arc;
use std::time::{Duration, Instant};

use puabi_core::{Decision, Move, Player};
use puabi_engine::protocol::{Command, Reply};

use super::engine_log::EngineLog;
use super::fault::Fault;
use super::process::Process;

/// How long an engine may take to start, and to get ready for other rules.
const START: Duration = Duration::from_mins(1);

/// An engine that has introduced itself.
#[derive(Debug)]
pub(super) struct Connection {
    process: Process,
    /// The rule set that it is ready to play.
    variant: String,
}

impl Connection {
    /// Starts an engine, which introduces itself. If it is at fault, its last lines go to the log.
    pub(super) fn start(words: &[String], log: &Arc<EngineLog>) -> Result<Self, Fault> {
        let process = Process::start(words, log)?;
        let mut connection = Self { process, variant: String::new() };
        let introduced = connection.ask(Command::Ubgi.to_string(), "ubgiok", &Reply::UbgiOk);
        connection.unless_at_fault(introduced, log)
    }

    /// Returns the engine once it is ready to play a rule set. If it is at fault, its last lines go to the log.
    pub(super) fn prepared_for(
        mut self,
        variant: &str,
        log: &Arc<EngineLog>,
    ) -> Result<Self, Fault> {
        let prepared = self.prepare_for(variant);
        self.unless_at_fault(prepared, log)
    }

    fn unless_at_fault(
        self,
        found: Result<(), Fault>,
        log: &Arc<EngineLog>,
    ) -> Result<Self, Fault> {
        match found {
            Ok(()) => Ok(self),
            Err(fault) => {
                self.kill_and_log(&fault, log);
                Err(fault)
            }
        }
    }

    /// Makes the engine ready to play a rule set.
    fn prepare_for(&mut self, variant: &str) -> Result<(), Fault> {
        if self.variant == variant {
            return Ok(());
        }
        let set = Command::Set { key: "game.variant".to_owned(), value: variant.to_owned() };
        let lines = format!("{set}\n{}\n{}", Command::NewGame, Command::IsReady);
        self.ask(lines, "readyok", &Reply::ReadyOk)?;
        variant.clone_into(&mut self.variant);
        Ok(())
    }

    /// Returns the move that the engine plays, which is legal.
    pub(super) fn play(
        &mut self,
        variant: &str,
        decision: &Decision<'_>,
        limit: Duration,
    ) -> Result<Move, Fault> {
        self.prepare_for(variant)?;
        // Positions have no colours: the player to move is shown as light.
        let setup = decision.rules().setup(decision.position(), Player::Light);
        let (position, dice) = (Command::Position(setup), Command::Dice(decision.roll()));
        let lines = format!("{position}\n{dice}\n{}", Command::Go);
        let question = Question { deadline: Instant::now() + limit, limit, lines };
        // A reply before `readyok` was given too early. It is an error, so that it is never taken for the move of this decision.
        self.process.tell(&format!("{}\n{}", Command::IsReady, question.lines))?;
        let ready = self.answer(&question)?;
        if ready != Reply::ReadyOk {
            return Err(Fault::Unasked(ready.to_string()));
        }
        match self.answer(&question)? {
            Reply::BestMove(action) if decision.allows(action) => Ok(action),
            Reply::BestMove(action) => Err(Fault::Illegal { action, asked: question.asked() }),
            other => Err(Fault::unexpected(&other.to_string(), "bestmove")),
        }
    }

    /// Tells the engine some lines, which it must answer with `expected`.
    fn ask(&mut self, lines: String, expected: &'static str, answer: &Reply) -> Result<(), Fault> {
        let question = Question { deadline: Instant::now() + START, limit: START, lines };
        self.process.tell(&question.lines)?;
        let reply = self.answer(&question)?;
        if reply == *answer { Ok(()) } else { Err(Fault::unexpected(&reply.to_string(), expected)) }
    }

    /// Returns the next reply to a question. Lines of information are skipped, and an error that the engine reports is a fault.
    fn answer(&mut self, question: &Question) -> Result<Reply, Fault> {
        loop {
            let silent = || Fault::Silent { limit: question.limit, asked: question.asked() };
            match self.process.hear(question.deadline)?.ok_or_else(silent)?.parse()? {
                Reply::Information(_) => {}
                Reply::Error(error) => {
                    return Err(Fault::Refuses { asked: question.asked(), error });
                }
                reply => return Ok(reply),
            }
        }
    }

    /// Ends an engine that is at fault, and logs what was said last.
    pub(super) fn kill_and_log(self, fault: &Fault, log: &EngineLog) {
        let last = self.process.kill_at_fault();
        log.append(format!("{last}! {fault}\n").as_bytes());
    }
}

/// Lines that an engine is told, and the time until which it has to answer.
struct Question {
    lines: String,
    deadline: Instant,
    limit: Duration,
}

impl Question {
    /// Returns the lines as one, for a message.
    fn asked(&self) -> String {
        self.lines.replace('\n', "; ")
    }
}
