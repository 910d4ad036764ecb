//! The kinds of agents: the only list of how each is named, what it does and how it is made.

use puabi_core::{Agent, Evaluator, Rules};

use crate::agents::error::BuildError;
use crate::agents::ladder;
use crate::agents::leaf::{self, Leaf, ReadFile, absolute, model};
use crate::agents::search::expectimax::Expectimax;
use crate::agents::search::leaves::Pips;
use crate::agents::search::likely::Likely;
use crate::agents::thumb::levels::{Level, LevelPlayer, Manner};
use crate::agents::thumb::principles::{Principle, Principles};
use crate::agents::thumb::simple::{FirstMove, Greedy, LastMove, Random};
use crate::agents::valued::{Accuracy, Argmax, Epsilon, Softmax, Worst};
use crate::models::brain::Brain;
use crate::models::linear::Linear;

/// An agent ready to play, on any thread.
pub type BoxedAgent<'a> = Box<dyn Agent + Send + Sync + 'a>;

/// An evaluator that any thread can use.
pub type SharedEvaluator<'a> = &'a (dyn Evaluator + Sync + 'a);

/// A kind of agent.
pub(crate) struct AgentKind {
    /// The name, with what follows it.
    pub(crate) form: &'static str,
    pub(crate) argument: ArgumentForm,
    /// Describes how the agent thinks, in a few words.
    pub(crate) thinking: fn(&Arguments) -> String,
    pub(crate) build: Build,
}

/// What follows the name of an agent.
pub(crate) enum ArgumentForm {
    Nothing,
    /// Nothing, since the name stands for a level.
    Fixed(Level),
    Level,
    /// A depth, and a leaf.
    Search,
    /// A depth, the least chance of a line of rolls, and a leaf.
    Likely,
    /// The name of a model or of its file.
    Model(fn(String) -> Leaf, Parameter),
    /// A number in this range.
    Number(f64, f64, Parameter),
    /// A rating.
    Elo,
    /// The command that starts another program.
    Command,
    /// Nothing, or a file.
    Pocket,
    /// Nothing; the name itself is a list of principles with `+` between them.
    Principles,
}

/// The parts of an error about an argument: what it should be, and an example of an agent that has it.
#[derive(Clone, Copy)]
pub(crate) struct Parameter {
    pub(crate) expected: &'static str,
    pub(crate) example: &'static str,
}

/// The arguments of an agent; each kind uses those that its form names.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Arguments {
    pub(crate) level: Level,
    /// Moves to look ahead; 0 if the agent does not search.
    pub(crate) depth: u8,
    pub(crate) leaf: Leaf,
    /// A chance, a temperature or a percentage.
    pub(crate) number: f64,
    pub(crate) elo: u16,
    pub(crate) principles: Vec<Principle>,
    pub(crate) command: String,
    /// The file of a pocket; `None` for the pocket that ships.
    pub(crate) file: Option<String>,
}

/// How an agent is made.
pub(crate) enum Build {
    /// From the rules, and from files if it plays by a model.
    Rules(fn(&Arguments, &Rules, ReadFile<'_>) -> Result<BoxedAgent<'static>, BuildError>),
    /// From the values of the solved game.
    Values(
        for<'a> fn(&Arguments, &Rules, SharedEvaluator<'a>) -> Result<BoxedAgent<'a>, BuildError>,
    ),
    /// As another program, which has to be started elsewhere.
    Outside,
}

impl Arguments {
    pub(crate) const NONE: Self = Self {
        level: Level::HIGHEST,
        depth: 0,
        leaf: Leaf::Pips,
        number: 0.0,
        elo: 0,
        principles: Vec::new(),
        command: String::new(),
        file: None,
    };
}

pub(crate) static PERFECT: AgentKind = AgentKind {
    form: "perfect",
    argument: ArgumentForm::Nothing,
    thinking: |_| BEST.into(),
    build: Build::Values(|_, _, values| Ok(Box::new(Argmax(values)))),
};

pub(crate) static EXPECTIMAX: AgentKind = AgentKind {
    form: "expectimax:DEPTH[@LEAF]",
    argument: ArgumentForm::Search,
    thinking: |it| format!("looks {} ahead, judges by {}", moves(it.depth), it.leaf),
    build: Build::Rules(|it, rules, read| {
        Ok(Box::new(Expectimax { depth: it.depth, leaf: it.leaf.evaluator(rules, read)? }))
    }),
};

/// The agents by principles, which are named by the principles alone.
pub(crate) static PRINCIPLES: AgentKind = AgentKind {
    form: "",
    argument: ArgumentForm::Principles,
    thinking: |it| {
        let wishes: Vec<_> = it.principles.iter().map(|principle| principle.wish()).collect();
        format!("keeps the moves that {}", wishes.join(", then those that "))
    },
    build: Build::Rules(|it, rules, _| Ok(Box::new(Principles::new(rules, &it.principles)?))),
};

/// Every kind except the principles, in the order in which people see them.
pub(crate) static AGENT_KINDS: [&AgentKind; 24] = [
    &difficulty("easy", 2),
    &difficulty("medium", 4),
    &difficulty("hard", 7),
    &difficulty("expert", 9),
    &AgentKind {
        form: "random",
        argument: ArgumentForm::Nothing,
        thinking: |_| "any legal move, each equally often".into(),
        build: Build::Rules(|_, _, _| Ok(Box::new(Random))),
    },
    &AgentKind {
        form: "first-move",
        argument: ArgumentForm::Nothing,
        thinking: |_| "the piece furthest back; enters where it can".into(),
        build: Build::Rules(|_, _, _| Ok(Box::new(FirstMove))),
    },
    &AgentKind {
        form: "last-move",
        argument: ArgumentForm::Nothing,
        thinking: |_| "the piece furthest along".into(),
        build: Build::Rules(|_, _, _| Ok(Box::new(LastMove))),
    },
    &AgentKind {
        form: "greedy",
        argument: ArgumentForm::Nothing,
        thinking: |_| "captures, else lands on a rosette, else moves the foremost piece".into(),
        build: Build::Rules(|_, _, _| Ok(Box::new(Greedy))),
    },
    &AgentKind {
        form: "pips",
        argument: ArgumentForm::Nothing,
        thinking: |_| "the move after which the lead in the race is largest".into(),
        build: Build::Rules(|_, rules, _| {
            Ok(Box::new(Expectimax { depth: 1, leaf: Pips::new(rules) }))
        }),
    },
    &AgentKind {
        form: "level:1..9",
        argument: ArgumentForm::Level,
        thinking: |it| format!("the rules of level {} of nine, in their order", it.level),
        build: Build::Rules(|it, rules, _| level_player(rules, it.level, Manner::Strict)),
    },
    &AgentKind {
        form: "humanised:1..9",
        argument: ArgumentForm::Level,
        thinking: |it| {
            let level = it.level;
            format!(
                "the rules of level {level}, half of the time skipping the first one or two of their three segments"
            )
        },
        build: Build::Rules(|it, rules, _| level_player(rules, it.level, Manner::Humanised)),
    },
    &EXPECTIMAX,
    &AgentKind {
        form: "likely:DEPTH/CHANCE[@LEAF]",
        argument: ArgumentForm::Likely,
        thinking: |it| {
            let (moves, least, leaf) = (moves(it.depth), it.number, &it.leaf);
            format!("looks {moves} ahead along rolls of chance {least} or more, judges by {leaf}")
        },
        build: Build::Rules(|it, rules, read| {
            let leaf = it.leaf.evaluator(rules, read)?;
            Ok(Box::new(Likely { depth: it.depth, least: it.number, leaf }))
        }),
    },
    &AgentKind {
        form: "brain:NAME",
        argument: ArgumentForm::Model(
            Leaf::Brain,
            Parameter { expected: MODEL, example: "brain:trained" },
        ),
        thinking: |it| format!("the move that the brain `{}` likes best", it.leaf.name()),
        build: Build::Rules(|it, rules, read| {
            Ok(Box::new(model::<Brain>(it.leaf.name(), rules, read)?))
        }),
    },
    &AgentKind {
        form: "brain-absolute:NAME",
        argument: ArgumentForm::Model(
            Leaf::Brain,
            Parameter { expected: MODEL, example: "brain-absolute:brain.txt" },
        ),
        thinking: |it| {
            let name = it.leaf.name();
            format!(
                "as RoyalGameOfUrReloaded plays by the brain `{name}`: both players judge the board from light's side"
            )
        },
        build: Build::Rules(|it, rules, read| Ok(Box::new(absolute(it.leaf.name(), rules, read)?))),
    },
    &AgentKind {
        form: "linear:NAME",
        argument: ArgumentForm::Model(
            Leaf::Linear,
            Parameter { expected: MODEL, example: "linear:trained" },
        ),
        thinking: |it| {
            let name = it.leaf.name();
            format!("the move after which the linear model `{name}` likes the position best")
        },
        build: Build::Rules(|it, rules, read| {
            Ok(Box::new(model::<Linear>(it.leaf.name(), rules, read)?))
        }),
    },
    &PERFECT,
    &AgentKind {
        form: "pocket[:FILE]",
        argument: ArgumentForm::Pocket,
        thinking: |it| match &it.file {
            None => "a small net, corrected where it is known to be wrong".into(),
            Some(file) => format!(
                "a small net, corrected where it is known to be wrong, from the file {file}"
            ),
        },
        build: Build::Rules(|it, rules, read| {
            Ok(Box::new(leaf::pocket(it.file.as_deref(), rules, read)?))
        }),
    },
    &AgentKind {
        form: "worst",
        argument: ArgumentForm::Nothing,
        thinking: |_| "the worst move of the solved game".into(),
        build: Build::Values(|_, _, values| Ok(Box::new(Worst(values)))),
    },
    &AgentKind {
        form: "epsilon:CHANCE",
        argument: ArgumentForm::Number(
            0.0,
            1.0,
            Parameter { expected: CHANCE, example: "epsilon:0.1" },
        ),
        thinking: |it| format!("any move with chance {}, else the best", it.number),
        build: Build::Values(|it, _, values| Ok(Box::new(Epsilon { values, chance: it.number }))),
    },
    &AgentKind {
        form: "softmax:TEMPERATURE",
        argument: ArgumentForm::Number(
            1e-6,
            1e3,
            Parameter { expected: "a temperature from 0.000001 to 1000", example: "softmax:0.02" },
        ),
        thinking: |it| {
            format!("better moves more often: in proportion to exp(value / {})", it.number)
        },
        build: Build::Values(|it, _, values| {
            Ok(Box::new(Softmax { values, temperature: it.number }))
        }),
    },
    &AgentKind {
        form: "accuracy:PERCENT",
        argument: ArgumentForm::Number(
            0.0,
            100.0,
            Parameter { expected: "a percentage from 0 to 100", example: "accuracy:90" },
        ),
        thinking: |it| format!("the best move in {} of 100 choices", it.number),
        build: Build::Values(|it, _, values| {
            Ok(Box::new(Accuracy { values, chance: it.number / 100.0 }))
        }),
    },
    &AgentKind {
        form: "elo:N",
        argument: ArgumentForm::Elo,
        thinking: |it| match it.elo {
            ladder::PERFECT_ELO => BEST.into(),
            elo => format!("softmax at the temperature that gives a rating of {elo}"),
        },
        build: Build::Values(|it, rules, values| {
            if it.elo == ladder::PERFECT_ELO {
                return Ok(Box::new(Argmax(values)));
            }
            let temperature = ladder::temperature(rules, it.elo)?;
            Ok(Box::new(Softmax { values, temperature }))
        }),
    },
    &AgentKind {
        form: "engine:COMMAND",
        argument: ArgumentForm::Command,
        thinking: |it| format!("as the program `{}` does, by the engine protocol", it.command),
        build: Build::Outside,
    },
];

/// A chance, as errors describe it.
pub(crate) const CHANCE: &str = "a chance from 0 to 1";
/// The argument of an agent with a model, as errors describe it.
const MODEL: &str = "a name or a file";
/// The perfect player's way of thinking.
const BEST: &str = "the best move of the solved game";

/// Returns the kind of a difficulty: a name that needs no explanation, for one of the nine levels.
const fn difficulty(name: &'static str, level: u8) -> AgentKind {
    AgentKind {
        form: name,
        argument: ArgumentForm::Fixed(Level::at(level)),
        thinking: |it| format!("level {} of nine, or the highest that the rules have", it.level),
        build: Build::Rules(|it, rules, _| {
            level_player(rules, it.level.min(Level::highest(rules)), Manner::Strict)
        }),
    }
}

fn level_player(
    rules: &Rules,
    level: Level,
    manner: Manner,
) -> Result<BoxedAgent<'static>, BuildError> {
    Ok(Box::new(LevelPlayer::new(rules, level, manner)?))
}

fn moves(depth: u8) -> String {
    if depth == 1 { "1 move".into() } else { format!("{depth} moves") }
}

impl AgentKind {
    /// Returns the name alone.
    pub(crate) fn name(&self) -> &'static str {
        self.form.split([':', '[']).next().unwrap_or(self.form)
    }

    /// Returns the canonical text of the agent with these arguments, its name included.
    pub(crate) fn text(&self, arguments: &Arguments) -> String {
        let Arguments { level, depth, leaf, number, elo, principles, command, file } = arguments;
        let name = self.name();
        let at_leaf = || if *leaf == Leaf::Pips { String::new() } else { format!("@{leaf}") };
        match self.argument {
            ArgumentForm::Nothing | ArgumentForm::Fixed(_) => name.into(),
            ArgumentForm::Level => format!("{name}:{level}"),
            ArgumentForm::Search => format!("{name}:{depth}{}", at_leaf()),
            ArgumentForm::Likely => format!("{name}:{depth}/{number}{}", at_leaf()),
            ArgumentForm::Model(..) => format!("{name}:{}", leaf.name()),
            ArgumentForm::Number(..) => format!("{name}:{number}"),
            ArgumentForm::Elo => format!("{name}:{elo}"),
            ArgumentForm::Command => format!("{name}:{command}"),
            ArgumentForm::Pocket => {
                file.as_ref().map_or(name.into(), |file| format!("{name}:{file}"))
            }
            ArgumentForm::Principles => {
                principles.iter().map(|principle| principle.name()).collect::<Vec<_>>().join("+")
            }
        }
    }
}

impl std::fmt::Debug for AgentKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.form)
    }
}

impl PartialEq for AgentKind {
    fn eq(&self, other: &Self) -> bool {
        self.form == other.form
    }
}
