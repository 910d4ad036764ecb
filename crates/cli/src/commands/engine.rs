//! `ur engine`: an engine for other programs, by the engine protocol.

use std::io::{self, BufRead, Read};
use std::ops::ControlFlow::{self, Break, Continue};

use anyhow::{Result, bail};
use puabi_core::Rules;
use puabi_engine::protocol::{ErrorCode, ProtocolEngine, Reaction, ReadyAgent, Reply};
use puabi_engine::{AgentSpec, SharedEvaluator};

use crate::output::Out;
use crate::tables::{self, agents};
use crate::{errors, notation};

/// Arguments of `ur engine`.
#[derive(Debug, clap::Args)]
#[command(after_help = include_str!("../../help/engine.txt"))]
pub(crate) struct EngineArgs {
    /// The rule set, until the controller sets another one
    #[arg(default_value = "finkel")]
    rules: String,
    /// The agent that plays, until the controller sets another one; see `ur agents`
    #[arg(long, value_name = "AGENT", default_value = "perfect")]
    agent: AgentSpec,
    /// The seed of the draws among moves that the agent plays by chance [default: a new one]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

pub(crate) fn run(args: &EngineArgs, out: &mut Out) -> Result<()> {
    if args.agent.command().is_some() {
        bail!(
            "an engine cannot start another program: expected one of its own agents, not `{}`",
            args.agent
        );
    }
    let rules = named(&args.rules)?;
    let read = |name: &str| named(name).map_err(|error| errors::line(&error));
    let seed = args.seed.unwrap_or_else(rand::random);
    let engine = ProtocolEngine::new(rules, args.agent.clone(), seed, &read);
    let mut engine = engine.with_rules_named(&args.rules);
    let mut conversation = Conversation { engine: &mut engine, out, waiting_line: None };
    while conversation.without_agent()?.is_continue() {}
    Ok(())
}

/// Returns the rules that `text` names.
fn named(text: &str) -> Result<Rules> {
    if text == "-" {
        bail!("the rules cannot come from stdin: that is where the controller speaks");
    }
    notation::rules(text)
}

/// The conversation with the controller, on stdin and stdout.
struct Conversation<'a, 's> {
    engine: &'a mut ProtocolEngine<'s>,
    out: &'a mut Out,
    /// The line that is to be answered once an agent is ready to play.
    waiting_line: Option<String>,
}

/// Whether the conversation goes on.
type Step = Result<ControlFlow<()>>;

impl Conversation<'_, '_> {
    /// Listens until an agent is needed, and then with the agent until another one is set.
    fn without_agent(&mut self) -> Step {
        let Some(line) = self.next_line()? else { return Ok(Break(())) };
        match self.engine.react(&line, None) {
            Reaction::Replies(replies) => self.say(&replies)?,
            Reaction::Changed => {}
            Reaction::Quit => return Ok(Break(())),
            Reaction::NeedsAgent => {
                self.waiting_line = Some(line);
                return self.prepared();
            }
        }
        Ok(Continue(()))
    }

    /// Prepares the agent, with the values of the game if the agent needs them or if there is a table.
    fn prepared(&mut self) -> Step {
        let (rules, agent) = (self.engine.rules().clone(), self.engine.agent().clone());
        // Checks the whole table first: otherwise the engine would answer with a move before it reports the damage that the move
        // came upon.
        let table = if agent.needs_values() {
            tables::checked(&rules).map(Some)
        } else {
            let found = tables::find(&rules).unwrap_or_default();
            Ok(found.filter(|table| tables::check(table).is_ok()))
        };
        let listened = table.and_then(|table| match &table {
            Some(table) => {
                tables::with_values(table, |values| self.listen(&agent, &rules, Some(values)))?
            }
            None => self.listen(&agent, &rules, None),
        });
        match listened {
            Err(error) if errors::stopped(&error).is_some() => Err(error),
            // The waiting line has not been answered, so the agent could not be prepared.
            Err(error) if self.waiting_line.take().is_some() => {
                let refusal = ErrorCode::BadState.of(errors::line(&error));
                self.say(&[Reply::Error(refusal)])?;
                Ok(Continue(()))
            }
            listened => listened,
        }
    }

    /// Listens with an agent that is ready to play.
    fn listen(
        &mut self,
        agent: &AgentSpec,
        rules: &Rules,
        values: Option<SharedEvaluator<'_>>,
    ) -> Step {
        let agent = agents::build_own(agent, rules, values)?;
        let ready = ReadyAgent { agent: &*agent, values };
        loop {
            let line = match self.waiting_line.take() {
                Some(line) => line,
                None => match self.next_line()? {
                    Some(line) => line,
                    None => return Ok(Break(())),
                },
            };
            match self.engine.react(&line, Some(ready)) {
                Reaction::Replies(replies) => self.say(&replies)?,
                Reaction::Changed | Reaction::NeedsAgent => return Ok(Continue(())),
                Reaction::Quit => return Ok(Break(())),
            }
        }
    }

    /// Returns the next line, or `None` at the end or if nobody reads the answers any more. Answers each line that is too long with
    /// an error.
    fn next_line(&mut self) -> Result<Option<String>> {
        loop {
            if !self.out.is_read() {
                return Ok(None);
            }
            match Line::next()? {
                Line::Read(line) => return Ok(Some(line)),
                Line::TooLong => {
                    let what =
                        format!("a line of more than {MOST_BYTES} bytes: expected at most that");
                    self.say(&[Reply::Error(ErrorCode::BadCommand.of(what))])?;
                }
                Line::End => return Ok(None),
            }
        }
    }

    fn say(&mut self, replies: &[Reply]) -> Result<()> {
        for reply in replies {
            writeln!(self.out, "{reply}")?;
        }
        self.out.flush()
    }
}

/// The most bytes of a line.
const MOST_BYTES: u64 = 1 << 16;

/// The next line on stdin.
enum Line {
    Read(String),
    /// A line with more than `MOST_BYTES` bytes, which was skipped.
    TooLong,
    End,
}

impl Line {
    fn next() -> io::Result<Self> {
        let (mut stdin, mut bytes) = (io::stdin().lock(), Vec::new());
        (&mut stdin).take(MOST_BYTES + 1).read_until(b'\n', &mut bytes)?;
        if bytes.is_empty() {
            return Ok(Self::End);
        }
        bytes.pop_if(|last| *last == b'\n');
        if bytes.len() as u64 > MOST_BYTES {
            stdin.skip_until(b'\n')?;
            return Ok(Self::TooLong);
        }
        Ok(Self::Read(String::from_utf8_lossy(&bytes).into_owned()))
    }
}
