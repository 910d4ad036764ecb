//! What a quadratic brain sees of a position and thinks of its moves.

use anyhow::Result;
use puabi_core::{Afterstate, Agent, Evaluator, Move, Player, Position, Roll, Rules, Setup};
use puabi_engine::{Brain, model};
use serde::Serialize;

use crate::errors::Advise;
use crate::output::{Out, text};
use crate::style::Style;
use crate::tables::agents;

/// What a brain sees of a position and thinks of its moves; scores are those of the player to move.
#[derive(Debug, Serialize)]
pub(super) struct Thoughts {
    brain: String,
    position: String,
    /// The count of each place, see `ur help brains`; light is the player about to roll.
    inputs: Vec<i8>,
    score: i32,
    /// The chance to win that the score stands for.
    chance: f64,
    rolls: Vec<Thrown>,
    #[serde(skip)]
    setup: Setup,
}

#[derive(Debug, Serialize)]
struct Thrown {
    roll: u8,
    moves: Vec<Thought>,
}

/// What a brain thinks of a move.
#[derive(Debug, Serialize)]
struct Thought {
    #[serde(rename = "move")]
    action: String,
    #[serde(skip)]
    played: Move,
    /// The inputs after the move, with light as the player who rolls next; `None` if the move wins.
    inputs: Option<Vec<i8>>,
    /// The score for the mover; `None` if the move wins.
    score: Option<i32>,
    /// Whether the brain plays it.
    best: bool,
}

impl Thoughts {
    /// Asks the brain of this name or file.
    pub(super) fn new(
        name: &str,
        rules: &Rules,
        position: Position,
        turn: Player,
        roll: Option<Roll>,
    ) -> Result<Self> {
        let brain: Brain =
            model(name, rules, &agents::read_model).hint(|| "`ur help brains` describes them")?;
        let mut chance = [0.0];
        brain.evaluate(&[position], &mut chance);
        let all = rules.rolls().iter().map(|&(roll, _)| roll);
        let rolls = roll.map_or_else(|| all.collect(), |roll| vec![roll]);
        let thrown = |roll: Roll| Thrown {
            roll: roll.steps(),
            moves: thoughts(&brain, rules, position, roll),
        };
        let setup = Setup { roll, ..rules.setup(position, turn) };
        Ok(Self {
            brain: name.to_owned(),
            position: setup.to_string(),
            inputs: Brain::inputs(rules, position),
            score: brain.score(position),
            chance: chance[0],
            rolls: rolls.into_iter().map(thrown).collect(),
            setup,
        })
    }

    /// Writes the thoughts as text.
    pub(super) fn write(&self, rules: &Rules, style: Style, out: &mut Out) -> Result<()> {
        let turn = self.setup.turn;
        writeln!(out, "{}  {}", rules.rule_set(), self.position)?;
        style.position(rules, &self.setup, out)?;
        writeln!(out, "brain:{} gives {turn} {} points", self.brain, self.score)?;
        writeln!(out, "which stand for a chance of {}", text::percent(self.chance))?;
        writeln!(out, "it sees {}", line(&self.inputs))?;
        for Thrown { roll, moves } in &self.rolls {
            writeln!(out, "\nroll {roll}")?;
            for thought in moves {
                let tiles = style.tiles(rules, turn, thought.played);
                let score = thought.score.map_or("wins".to_owned(), |score| score.to_string());
                let best = if thought.best { "  best" } else { "" };
                writeln!(out, "  {:<7} {tiles:<9} {score:>8}{best}", thought.action)?;
                if let Some(inputs) = &thought.inputs {
                    writeln!(out, "          {}", line(inputs))?;
                }
            }
        }
        Ok(())
    }
}

/// Returns what the brain thinks of every move with this roll.
fn thoughts(brain: &Brain, rules: &Rules, position: Position, roll: Roll) -> Vec<Thought> {
    let decision = rules.decision(position, roll);
    let chosen = brain.choose(&decision, 0.0);
    let thought = |&action: &Move| {
        let seen = match decision.after(action) {
            Afterstate::Won => None,
            Afterstate::RollsAgain(next) => Some((next, brain.score(next))),
            Afterstate::TurnPasses(next) => Some((next, -brain.score(next))),
        };
        Thought {
            action: action.to_string(),
            played: action,
            inputs: seen.map(|(next, _)| Brain::inputs(rules, next)),
            score: seen.map(|(_, score)| score),
            best: action == chosen,
        }
    };
    decision.moves().iter().map(thought).collect()
}

fn line(inputs: &[i8]) -> String {
    inputs.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}
