//! Reading agents from text.

use puabi_core::wording::{excerpt, expected};

use crate::agents::error::AgentSpecError;
use crate::agents::ladder::PERFECT_ELO;
use crate::agents::leaf::Leaf;
use crate::agents::registry::{
    AGENT_KINDS, AgentKind, ArgumentForm, Arguments, CHANCE, PRINCIPLES, Parameter,
};
use crate::agents::thumb::principles::Principle;

/// The most moves that a search looks ahead.
pub(crate) const MAX_DEPTH: u8 = 8;

/// Returns the form of every kind of agent: its name, and what follows it.
pub(crate) fn forms() -> impl Iterator<Item = &'static str> {
    AGENT_KINDS
        .iter()
        .map(|kind| kind.form)
        .chain(Principle::ALL.iter().map(|principle| principle.name()))
}

/// Returns the kind of agent in `text`, with its arguments.
pub(crate) fn read(text: &str) -> Result<(&'static AgentKind, Arguments), AgentSpecError> {
    let (name, rest) = match text.split_once(':') {
        Some((name, rest)) => (name, Some(rest)),
        None => (text, None),
    };
    let kind = AGENT_KINDS.into_iter().find(|kind| kind.name() == name).unwrap_or(&PRINCIPLES);
    let (source, none) = (Source { text, rest }, Arguments::NONE);
    let arguments = match kind.argument {
        ArgumentForm::Nothing => none,
        ArgumentForm::Fixed(level) => Arguments { level, ..none },
        ArgumentForm::Principles => Arguments { principles: principles(name)?, ..none },
        ArgumentForm::Level => Arguments { level: source.after(LEVEL)?.parse()?, ..none },
        ArgumentForm::Search => source.search()?,
        ArgumentForm::Likely => source.likely()?,
        ArgumentForm::Model(leaf, parameter) => {
            Arguments { leaf: leaf(source.after(parameter)?.to_owned()), ..none }
        }
        ArgumentForm::Number(least, most, parameter) => {
            let text = source.after(parameter)?;
            Arguments { number: source.number(text, parameter, least..=most)?, ..none }
        }
        ArgumentForm::Elo => Arguments { elo: source.elo()?, ..none },
        ArgumentForm::Command => Arguments { command: source.command()?, ..none },
        ArgumentForm::Pocket if rest.is_none() => none,
        ArgumentForm::Pocket => Arguments { file: Some(source.after(POCKET)?.to_owned()), ..none },
    };
    match (&kind.argument, rest) {
        (
            ArgumentForm::Nothing | ArgumentForm::Fixed(_) | ArgumentForm::Principles,
            Some(found),
        ) => {
            let (agent, found) = (kind.text(&arguments), excerpt(found).into_owned());
            Err(AgentSpecError::Needless { agent, found })
        }
        _ => Ok((kind, arguments)),
    }
}

const LEVEL: Parameter = Parameter { expected: "a level from 1 to 9", example: "level:5" };
const DEPTH: Parameter =
    Parameter { expected: "a number of moves from 1 to 8", example: "expectimax:3" };
const LIKELY: Parameter =
    Parameter { expected: "a number of moves and a chance", example: "likely:5/0.01" };
const LIKELIHOOD: Parameter = Parameter { expected: CHANCE, example: "likely:5/0.01" };
const ELO: Parameter = Parameter { expected: "a rating from 0 to 2000", example: "elo:1400" };
const COMMAND: Parameter = Parameter {
    expected: "the command that starts the program, in one line",
    example: "engine:./my-engine --fast",
};
const POCKET: Parameter = Parameter { expected: "a file", example: "pocket:finkel.pocket" };
const LEAF: Parameter = Parameter {
    expected: "pips, material, brain:NAME or linear:NAME",
    example: "expectimax:3@pips",
};

/// The text of an agent, and what follows its name.
struct Source<'t> {
    text: &'t str,
    rest: Option<&'t str>,
}

impl<'t> Source<'t> {
    fn after(&self, parameter: Parameter) -> Result<&'t str, AgentSpecError> {
        let Parameter { expected, example } = parameter;
        let lacks = || AgentSpecError::Lacks { agent: self.name(), expected, example };
        self.rest.filter(|rest| !rest.is_empty()).ok_or_else(lacks)
    }

    fn name(&self) -> String {
        excerpt(self.text.trim_end_matches(':')).into_owned()
    }

    fn wrong(&self, found: &str, Parameter { expected, .. }: Parameter) -> AgentSpecError {
        let (found, agent) = (excerpt(found).into_owned(), self.name());
        AgentSpecError::Parameter { found, agent, expected }
    }

    /// Reads a number that is written in digits, with or without a point. Signs, exponents and words such as `inf` are refused.
    fn number(
        &self,
        text: &str,
        parameter: Parameter,
        range: std::ops::RangeInclusive<f64>,
    ) -> Result<f64, AgentSpecError> {
        let plain = text.bytes().all(|b| b.is_ascii_digit() || b == b'.');
        let number = text.parse().ok().filter(|number| plain && range.contains(number));
        number.ok_or_else(|| self.wrong(text, parameter))
    }

    fn depth(&self, text: &str) -> Result<u8, AgentSpecError> {
        let known = (1..=MAX_DEPTH).find(|depth| depth.to_string() == text);
        known.ok_or_else(|| self.wrong(text, DEPTH))
    }

    fn elo(&self) -> Result<u16, AgentSpecError> {
        let text = self.after(ELO)?;
        let elo = text.parse().ok().filter(|elo: &u16| elo.to_string() == text);
        elo.filter(|&elo| elo <= PERFECT_ELO).ok_or_else(|| self.wrong(text, ELO))
    }

    fn command(&self) -> Result<String, AgentSpecError> {
        let text = self.after(COMMAND)?.trim();
        if text.is_empty() || text.contains(char::is_control) {
            return Err(self.wrong(text, COMMAND));
        }
        Ok(text.to_owned())
    }

    fn search(&self) -> Result<Arguments, AgentSpecError> {
        let (depth, leaf) = self.leaf(self.after(DEPTH)?)?;
        Ok(Arguments { depth: self.depth(depth)?, leaf, ..Arguments::NONE })
    }

    fn likely(&self) -> Result<Arguments, AgentSpecError> {
        let (search, leaf) = self.leaf(self.after(LIKELY)?)?;
        let (depth, least) = search.split_once('/').ok_or_else(|| self.wrong(search, LIKELY))?;
        let number = self.number(least, LIKELIHOOD, 0.0..=1.0)?;
        Ok(Arguments { depth: self.depth(depth)?, number, leaf, ..Arguments::NONE })
    }

    /// Splits a search from its leaf, which is `pips` if the text names none.
    fn leaf(&self, text: &'t str) -> Result<(&'t str, Leaf), AgentSpecError> {
        let Some((search, leaf)) = text.split_once('@') else { return Ok((text, Leaf::Pips)) };
        let leaf = match leaf.split_once(':') {
            None if leaf == "pips" => Leaf::Pips,
            None if leaf == "material" => Leaf::Material,
            Some(("brain", name)) if !name.is_empty() => Leaf::Brain(name.to_owned()),
            Some(("linear", name)) if !name.is_empty() => Leaf::Linear(name.to_owned()),
            _ => return Err(self.wrong(leaf, LEAF)),
        };
        Ok((search, leaf))
    }
}

/// Reads principles with `+` between them. Any other word is an error, since it names no agent.
fn principles(name: &str) -> Result<Vec<Principle>, AgentSpecError> {
    let refused = |word| if word == name { unknown(word) } else { joined(word, name) };
    name.split('+').map(|word| word.parse().map_err(|_| refused(word))).collect()
}

fn joined(found: &str, agent: &str) -> AgentSpecError {
    let names = || Principle::ALL.iter().map(|principle| principle.name());
    let list = names().collect::<Vec<_>>().join(", ");
    AgentSpecError::Joined {
        found: excerpt(found).into_owned(),
        agent: excerpt(agent).into_owned(),
        expected: expected(found, names(), &format!("one of {list}")),
    }
}

fn unknown(found: &str) -> AgentSpecError {
    let names = forms().map(|form| form.split([':', '[']).next().unwrap_or(form));
    let forms = forms().collect::<Vec<_>>().join(", ");
    AgentSpecError::Unknown {
        found: excerpt(found).into_owned(),
        expected: expected(found, names, &format!("one of {forms}")),
    }
}
