//! The engine's side of the protocol: what it knows, and what it answers to each line.

use puabi_core::wording::excerpt;
use puabi_core::{Agent, Player, Position, Roll, Rules, Setup};

use crate::agents::registry::SharedEvaluator;
use crate::agents::spec::AgentSpec;
use crate::analysis::move_values::move_values;
use crate::play::dice::DiceRng;
use crate::protocol::command::Command;
use crate::protocol::error::{ErrorCode, ProtocolError};
use crate::protocol::reply::Reply;

/// A function that reads the rules of a name, and says in its error what is wrong with the name.
pub type ReadRules<'f> = &'f dyn Fn(&str) -> Result<Rules, String>;

/// An engine that listens to a controller.
///
/// It holds no agent. The caller makes one for [`ProtocolEngine::agent`] under [`ProtocolEngine::rules`] once it is needed.
///
/// ```
/// use puabi_core::RuleSet;
/// use puabi_engine::protocol::{ProtocolEngine, Reaction, ReadyAgent};
/// use puabi_engine::{AgentSpec, Greedy};
///
/// let read = |name: &str| name.parse::<RuleSet>().map_err(|e| e.to_string())?.compile().map_err(|e| e.to_string());
/// let mut engine = ProtocolEngine::new(RuleSet::FINKEL.compile()?, "greedy".parse()?, 1, &read);
/// assert!(matches!(engine.react("position ur 8:-:L1", None), Reaction::Replies(replies) if replies.is_empty()));
/// assert!(matches!(engine.react("go", None), Reaction::NeedsAgent));
/// let ready = ReadyAgent { agent: &Greedy, values: None };
/// let Reaction::Replies(replies) = engine.react("go", Some(ready)) else { panic!() };
/// assert_eq!(replies[0].to_string(), "bestmove 8-9");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct ProtocolEngine<'f> {
    read: ReadRules<'f>,
    settings: Settings,
    /// The settings at the start, which are the defaults of the keys.
    initial: Settings,
    rules: Rules,
    draws: DiceRng,
    /// The position, and the player who is about to roll.
    position: Option<(Position, Player)>,
    roll: Option<Roll>,
}

/// The settings that a controller can change.
#[derive(Debug, Clone)]
struct Settings {
    variant: String,
    agent: AgentSpec,
    seed: u64,
    sends_info: bool,
}

/// An agent that is ready to play, and the values of the solved game if they are at hand.
#[derive(Debug, Clone, Copy)]
pub struct ReadyAgent<'a> {
    /// The agent.
    pub agent: &'a (dyn Agent + Sync + 'a),
    /// The values.
    pub values: Option<SharedEvaluator<'a>>,
}

/// What follows from a line that an engine has read.
#[derive(Debug)]
pub enum Reaction {
    /// The engine answers these lines, or nothing if there are none.
    Replies(Vec<Reply>),
    /// Another agent or other rules are set, so a [`ReadyAgent`] that the caller has is out of date.
    Changed,
    /// The line can be answered only with an agent that is ready to play.
    NeedsAgent,
    /// The engine ends.
    Quit,
}

/// The keys, each with its name, its type as `keys` lists it, and its purpose.
const KEYS: [(&str, &str, &str); 4] = [
    ("game.variant", "string *", "the rule set: a name, or the file of one"),
    ("engine.agent", "string *", "the name of the agent that plays"),
    ("engine.seed", "int 0..18446744073709551615", "! the seed of an agent that chooses by chance"),
    ("engine.info", "bool", "! whether to send the value of each move, if the game is solved"),
];

impl<'f> ProtocolEngine<'f> {
    /// Returns an engine that plays as `agent` under `rules`. By `seed` it draws among the moves that the agent plays by chance,
    /// and `read` reads other rules.
    pub fn new(rules: Rules, agent: AgentSpec, seed: u64, read: ReadRules<'f>) -> Self {
        let variant = rules.rule_set().to_string();
        let settings = Settings { variant, agent, seed, sends_info: true };
        let draws = DiceRng::new(seed);
        let initial = settings.clone();
        Self { read, settings, initial, rules, draws, position: None, roll: None }
    }

    /// Returns the engine with its rules under the name by which `read` reads them again.
    #[must_use]
    pub fn with_rules_named(mut self, name: &str) -> Self {
        for settings in [&mut self.settings, &mut self.initial] {
            name.clone_into(&mut settings.variant);
        }
        self
    }

    /// Returns the rules that are set.
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Returns the agent that is set.
    pub const fn agent(&self) -> &AgentSpec {
        &self.settings.agent
    }

    /// Returns what follows from `line`; `ready` is the agent, if it is ready to play.
    pub fn react(&mut self, line: &str, ready: Option<ReadyAgent<'_>>) -> Reaction {
        if line.trim().is_empty() {
            return Reaction::Replies(Vec::new());
        }
        let reaction = line.parse().and_then(|command| self.execute(command, ready));
        reaction.unwrap_or_else(|error| Reaction::Replies(vec![Reply::Error(error)]))
    }

    fn execute(
        &mut self,
        command: Command,
        ready: Option<ReadyAgent<'_>>,
    ) -> Result<Reaction, ProtocolError> {
        let mut replies = Vec::new();
        match command {
            Command::Ubgi => replies = introduction(),
            Command::IsReady if ready.is_some() => replies.push(Reply::ReadyOk),
            Command::IsReady => return Ok(Reaction::NeedsAgent),
            Command::NewGame => (self.position, self.roll) = (None, None),
            Command::Position(setup) => self.set_up(&setup)?,
            Command::Dice(roll) => self.roll = Some(self.thrown(roll)?),
            Command::Go => match (self.stands()?, ready) {
                (_, None) => return Ok(Reaction::NeedsAgent),
                (stands, Some(ready)) => self.decide(stands, ready, &mut replies)?,
            },
            Command::Set { key, value } => return self.set(&key, &value),
            Command::Get(key) => {
                let value = self.settings.value(&key).ok_or_else(|| unknown(&key))?;
                replies.push(Reply::Information(format!("value {key} {value}")));
            }
            Command::Keys => replies.extend(KEYS.map(|key| self.initial.listed(key))),
            Command::Quit => return Ok(Reaction::Quit),
        }
        Ok(Reaction::Replies(replies))
    }

    fn set_up(&mut self, setup: &Setup) -> Result<(), ProtocolError> {
        let position = self.rules.position(setup).map_err(|error| ErrorCode::BadValue.of(error))?;
        (self.position, self.roll) = (Some((position, setup.turn)), setup.roll);
        Ok(())
    }

    fn thrown(&self, roll: Roll) -> Result<Roll, ProtocolError> {
        if self.rules.can_roll(roll) {
            return Ok(roll);
        }
        Err(ErrorCode::BadValue.of(self.rules.cannot_roll(roll)))
    }

    /// Returns the position, the player and the roll to decide with.
    fn stands(&self) -> Result<(Position, Player, Roll), ProtocolError> {
        let lacks = |what: &str, example: &str| {
            ErrorCode::BadState.of(format!("no {what} is set: expected `{example}` before `go`"))
        };
        let stands = self.position.ok_or_else(|| lacks("position", "position ur -:-:L"));
        let (position, mover) = stands?;
        Ok((position, mover, self.roll.ok_or_else(|| lacks("roll", "dice 2"))?))
    }

    /// Adds to `replies` the values of the moves, if they are known, and the move that the agent plays.
    fn decide(
        &mut self,
        (position, mover, roll): (Position, Player, Roll),
        ready: ReadyAgent<'_>,
        replies: &mut Vec<Reply>,
    ) -> Result<(), ProtocolError> {
        let decision = self.rules.decision(position, roll).by(mover);
        if let Some(values) = ready.values.filter(|_| self.settings.sends_info) {
            let mut ranked = move_values(&decision, values);
            ranked.sort_by(|a, b| b.value.total_cmp(&a.value));
            replies.extend((1..).zip(&ranked).map(|(rank, it)| {
                let (action, value) = (it.action, it.value);
                Reply::Information(format!("info multipv {rank} score {value:.10} pv {action}"))
            }));
        }
        self.draws.throw(self.rules.rule_set().dice);
        let played = ready.agent.play(&decision, self.draws.number());
        replies.push(Reply::BestMove(played.map_err(|reason| ErrorCode::BadState.of(reason))?));
        Ok(())
    }

    fn set(&mut self, key: &str, value: &str) -> Result<Reaction, ProtocolError> {
        let wrong =
            |error: &dyn std::fmt::Display| ErrorCode::BadValue.of(format!("{key}: {error}"));
        match key {
            "game.variant" => {
                self.rules = (self.read)(value).map_err(|error| wrong(&error))?;
                value.clone_into(&mut self.settings.variant);
                (self.position, self.roll) = (None, None);
                return Ok(Reaction::Changed);
            }
            "engine.agent" => {
                let agent: AgentSpec = value.parse().map_err(|error| wrong(&error))?;
                if agent.command().is_some() {
                    return Err(wrong(
                        &"an engine cannot start another program: expected one of its own agents",
                    ));
                }
                self.settings.agent = agent;
                return Ok(Reaction::Changed);
            }
            "engine.seed" => {
                let expected = "expected a whole number from 0 to 18446744073709551615";
                let is_plain = value.bytes().all(|letter| letter.is_ascii_digit());
                let seed = value.parse().ok().filter(|_| is_plain);
                self.settings.seed = seed.ok_or_else(|| wrong(&expected))?;
                self.draws = DiceRng::new(self.settings.seed);
            }
            "engine.info" => {
                self.settings.sends_info =
                    value.parse().map_err(|_| wrong(&"expected true or false"))?;
            }
            _ => return Err(unknown(key)),
        }
        Ok(Reaction::Replies(Vec::new()))
    }
}

impl std::fmt::Debug for ProtocolEngine<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ProtocolEngine").field("settings", &self.settings).finish_non_exhaustive()
    }
}

impl Settings {
    fn value(&self, key: &str) -> Option<String> {
        Some(match key {
            "game.variant" => self.variant.clone(),
            "engine.agent" => self.agent.to_string(),
            "engine.seed" => self.seed.to_string(),
            "engine.info" => self.sends_info.to_string(),
            _ => return None,
        })
    }

    /// Returns the line that lists a key.
    fn listed(&self, (name, kind, about): (&str, &str, &str)) -> Reply {
        let default = self.value(name).unwrap_or_default();
        Reply::Information(format!("key {name} {kind} {default} {about}"))
    }
}

fn introduction() -> Vec<Reply> {
    let version = env!("CARGO_PKG_VERSION");
    let lines = [&*format!("id name Puabi {version}"), "id author The Puabi authors", "proto 0.2"];
    lines
        .map(|line| Reply::Information(line.to_owned()))
        .into_iter()
        .chain([Reply::UbgiOk])
        .collect()
}

fn unknown(key: &str) -> ProtocolError {
    let keys = KEYS.map(|(name, ..)| name).join(", ");
    ErrorCode::Unsupported.of(format!("`{}` is not a key: expected one of {keys}", excerpt(key)))
}
