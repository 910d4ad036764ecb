//! Reading agents from text.

use std::str::FromStr;

use puabi_core::wording::{excerpt, hint};

use super::{AgentSpec, AgentSpecError, Kind, Leaf};
use crate::agents::difficulty::Difficulty;
use crate::agents::principles::Principle;

/// How the agents are named, with what they take.
const FORMS: [&str; 21] = [
    "easy",
    "medium",
    "hard",
    "expert",
    "random",
    "first-move",
    "last-move",
    "greedy",
    "pips",
    "level:1..9",
    "humanised:1..9",
    "expectimax:DEPTH[@LEAF]",
    "likely:DEPTH/CHANCE[@LEAF]",
    "brain:NAME",
    "linear:NAME",
    "perfect",
    "worst",
    "epsilon:CHANCE",
    "softmax:TEMPERATURE",
    "accuracy:PERCENT",
    "elo:N",
];

impl AgentSpec {
    /// Returns how agents are asked for: every name, with what follows it.
    pub fn forms() -> impl Iterator<Item = &'static str> {
        FORMS.into_iter().chain(Principle::ALL.map(Principle::name))
    }
}

/// A parameter that agents take: how it is called, and an agent that has it.
#[derive(Clone, Copy)]
struct Parameter {
    expected: &'static str,
    example: &'static str,
}

impl FromStr for AgentSpec {
    type Err = AgentSpecError;

    fn from_str(text: &str) -> Result<Self, AgentSpecError> {
        let (name, rest) = match text.split_once(':') {
            Some((name, rest)) => (name, Some(rest)),
            None => (text, None),
        };
        let source = Source { text, rest };
        let kind = match name {
            "random" => source.alone(Kind::Random),
            "first-move" => source.alone(Kind::FirstMove),
            "last-move" => source.alone(Kind::LastMove),
            "greedy" => source.alone(Kind::Greedy),
            "pips" => source.alone(Kind::Pips),
            "perfect" => source.alone(Kind::Perfect),
            "worst" => source.alone(Kind::Worst),
            "level" => Ok(Kind::Level(source.after(LEVEL)?.parse()?)),
            "humanised" => Ok(Kind::Humanised(source.after(LEVEL)?.parse()?)),
            "expectimax" => source.expectimax(),
            "likely" => source.likely(),
            "brain" => Ok(Kind::Brain(source.after(BRAIN)?.to_owned())),
            "linear" => Ok(Kind::Linear(source.after(LINEAR)?.to_owned())),
            "epsilon" => Ok(Kind::Epsilon(source.within(EPSILON, 0.0..=1.0)?)),
            "softmax" => Ok(Kind::Softmax(source.within(SOFTMAX, 1e-6..=1e3)?)),
            "accuracy" => Ok(Kind::Accuracy(source.within(ACCURACY, 0.0..=100.0)?)),
            "elo" => source.elo(),
            _ => match Difficulty::ALL.into_iter().find(|known| known.name() == name) {
                Some(difficulty) => source.alone(Kind::Difficulty(difficulty)),
                None => source.principles(name),
            },
        };
        kind.map(Self)
    }
}

const LEVEL: Parameter = Parameter { expected: "a level from 1 to 9", example: "level:5" };
const BRAIN: Parameter = Parameter { expected: "a name or a file", example: "brain:trained" };
const LINEAR: Parameter = Parameter { expected: "a name or a file", example: "linear:trained" };
const DEPTH: Parameter =
    Parameter { expected: "a number of moves from 1 to 8", example: "expectimax:3" };
const LIKELY: Parameter =
    Parameter { expected: "a number of moves and a chance", example: "likely:5/0.01" };
const LIKELIHOOD: Parameter =
    Parameter { expected: "a chance from 0 to 1", example: "likely:5/0.01" };
const EPSILON: Parameter = Parameter { expected: "a chance from 0 to 1", example: "epsilon:0.1" };
const SOFTMAX: Parameter =
    Parameter { expected: "a temperature from 0.000001 to 1000", example: "softmax:0.02" };
const ACCURACY: Parameter =
    Parameter { expected: "a percentage from 0 to 100", example: "accuracy:90" };
const ELO: Parameter = Parameter { expected: "a rating from 0 to 2000", example: "elo:1400" };
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
    fn alone(&self, kind: Kind) -> Result<Kind, AgentSpecError> {
        match self.rest {
            None => Ok(kind),
            Some(found) => Err(AgentSpecError::Needless {
                agent: AgentSpec(kind).to_string(),
                found: excerpt(found).into_owned(),
            }),
        }
    }

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

    fn within(
        &self,
        parameter: Parameter,
        range: std::ops::RangeInclusive<f64>,
    ) -> Result<f64, AgentSpecError> {
        self.number(self.after(parameter)?, parameter, range)
    }

    /// Reads digits with a point among them, and nothing else that a number could be.
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
        let known = (1..=AgentSpec::MAX_DEPTH).find(|depth| depth.to_string() == text);
        known.ok_or_else(|| self.wrong(text, DEPTH))
    }

    fn elo(&self) -> Result<Kind, AgentSpecError> {
        let text = self.after(ELO)?;
        let elo = text.parse().ok().filter(|elo: &u16| elo.to_string() == text);
        let elo = elo.filter(|&elo| elo <= AgentSpec::PERFECT_ELO);
        elo.map(Kind::Elo).ok_or_else(|| self.wrong(text, ELO))
    }

    fn expectimax(&self) -> Result<Kind, AgentSpecError> {
        let (depth, leaf) = self.leaf(self.after(DEPTH)?)?;
        Ok(Kind::Expectimax { depth: self.depth(depth)?, leaf })
    }

    fn likely(&self) -> Result<Kind, AgentSpecError> {
        let (search, leaf) = self.leaf(self.after(LIKELY)?)?;
        let (depth, least) = search.split_once('/').ok_or_else(|| self.wrong(search, LIKELY))?;
        let least = self.number(least, LIKELIHOOD, 0.0..=1.0)?;
        Ok(Kind::Likely { depth: self.depth(depth)?, least, leaf })
    }

    /// Splits a search from its leaf; without one it is pips.
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

    /// Reads principles with `+` between them; any other word names no agent.
    fn principles(&self, name: &str) -> Result<Kind, AgentSpecError> {
        let find = |word: &str| {
            let known = Principle::ALL.into_iter().find(|principle| principle.name() == word);
            known.ok_or_else(|| unknown(word))
        };
        let chain: Result<Vec<_>, _> = name.split('+').map(find).collect();
        self.alone(Kind::Principles(chain?))
    }
}

fn unknown(found: &str) -> AgentSpecError {
    let names = AgentSpec::forms().map(|form| form.split(':').next().unwrap_or(form));
    AgentSpecError::Unknown {
        found: excerpt(found).into_owned(),
        known: AgentSpec::forms().collect::<Vec<_>>().join(", "),
        hint: hint(found, names),
    }
}
