//! How long games between perfect players are: the chance of every length.

use std::collections::HashMap;

use puabi_core::{Afterstate, Agent, Position, Rules};
use puabi_engine::{Argmax, SharedEvaluator};
use puabi_solve::{SolveError, Watch};
use serde::{Deserialize, Serialize};

/// The chance of every length of a game.
///
/// ```
/// use puabi_core::RuleSet;
/// use puabi_solve::{Options, Solver, Unattended};
/// use puabi_study::Lengths;
///
/// let rules = RuleSet::FINKEL.with_pieces(1).compile()?;
/// let (values, _) = Solver::new(&rules, Options::default())?.solve(&Unattended, &Unattended)?;
/// let lengths = Lengths::exact(&rules, &values, &Unattended)?;
/// // Nobody is home with four rolls.
/// assert_eq!((lengths.chances[4], lengths.quantile(0.5)), (0.0, Some(16)));
/// assert!((lengths.chances.iter().sum::<f64>() - 1.0).abs() < 1e-11);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Lengths {
    /// By rolls, passes among them: the chance (0..=1) that a game ends with the roll of this number.
    pub chances: Vec<f64>,
    /// The number of games that the chances are from; `None` if they are exact.
    pub games: Option<u64>,
}

/// Games are not followed any longer once the chance of all games that go on is at most this.
const LEFT: f64 = 1e-13;
/// The most rolls that are followed.
const MOST: usize = 20_000;

impl Lengths {
    /// Returns the exact chances of games between players who follow `values`, those of the solved game, and take the first
    /// of equal moves. Takes memory for the positions that such games reach, about 100 bytes each.
    ///
    /// # Errors
    ///
    /// Returns an error if the watch stops it.
    pub fn exact(
        rules: &Rules,
        values: SharedEvaluator<'_>,
        watch: &dyn Watch,
    ) -> Result<Self, SolveError> {
        if rules.is_dead(rules.start()) {
            return Ok(Self { chances: vec![1.0], games: None });
        }
        let mut graph = Graph::new(rules, values);
        let mut chances = vec![0.0];
        let mut here = graph.opening();
        let mut left = 1.0;
        while left > LEFT && chances.len() <= MOST {
            if watch.stop() {
                return Err(SolveError::Stopped);
            }
            let ended = std::mem::take(&mut here[ENDED]);
            left -= ended;
            chances.push(ended);
            here = graph.step(&here);
        }
        Ok(Self { chances, games: None })
    }

    /// Returns the share of games of each length, given the length of each game that was played.
    pub(super) fn played(lengths: impl Iterator<Item = usize>) -> Self {
        let (mut counts, mut games) = (Vec::new(), 0);
        for length in lengths {
            games += 1;
            if counts.len() <= length {
                counts.resize(length + 1, 0.0);
            }
            counts[length] += 1.0;
        }
        let chances = counts.into_iter().map(|count| count / games as f64).collect();
        Self { chances, games: Some(games) }
    }

    /// Returns the mean.
    pub fn mean(&self) -> f64 {
        self.moment(|length| length)
    }

    /// Returns the standard deviation.
    pub fn deviation(&self) -> f64 {
        let mean = self.mean();
        self.moment(|length| (length - mean).powi(2)).sqrt()
    }

    fn moment(&self, of: impl Fn(f64) -> f64) -> f64 {
        (0_u32..).zip(&self.chances).map(|(length, chance)| chance * of(f64::from(length))).sum()
    }

    /// Returns the least length that a share (0..=1) of games does not exceed; `None` if fewer games end at all.
    pub fn quantile(&self, share: f64) -> Option<usize> {
        let mut sum = 0.0;
        self.chances.iter().position(|chance| {
            sum += chance;
            sum >= share
        })
    }
}

/// The number that stands for every game that is over, won or in a dead position; numbers from 1 on stand for positions.
const ENDED: usize = 0;

/// The positions that perfect play reaches, numbered as they are met, with what each roll leads to.
struct Graph<'a> {
    rules: &'a Rules,
    values: SharedEvaluator<'a>,
    numbers: HashMap<Position, usize>,
    positions: Vec<Position>,
    /// By position, from 1 on: where each roll leads, with its chance.
    next: Vec<Vec<(usize, f64)>>,
}

impl<'a> Graph<'a> {
    fn new(rules: &'a Rules, values: SharedEvaluator<'a>) -> Self {
        let positions = vec![rules.start()];
        Self { rules, values, numbers: HashMap::new(), positions, next: vec![Vec::new()] }
    }

    fn number(&mut self, position: Position) -> usize {
        let next = self.positions.len();
        let number = *self.numbers.entry(position).or_insert(next);
        if number == next {
            self.positions.push(position);
        }
        number
    }

    /// Returns the number that stands for what a roll leads to: a position, or [`ENDED`].
    fn after(&mut self, position: Position, roll: puabi_core::Roll) -> usize {
        let decision = self.rules.decision(position, roll);
        let action = Argmax(self.values).choose(&decision, 0.0);
        match decision.play(action).expect("an agent plays a legal move") {
            Afterstate::RollsAgain(next) | Afterstate::TurnPasses(next)
                if !self.rules.is_dead(next) =>
            {
                self.number(next)
            }
            _ => ENDED,
        }
    }

    /// Returns where games are after the first roll: the chance of each position that is known.
    fn opening(&mut self) -> Vec<f64> {
        let start = self.rules.start();
        let given = self.rules.rule_set().first_roll.map(|roll| vec![(roll, 1.0)]);
        let rolls = given.unwrap_or_else(|| self.rules.rolls().to_vec());
        let mut here = Vec::new();
        for (roll, chance) in rolls {
            let number = self.after(start, roll);
            here.resize(self.positions.len(), 0.0);
            here[number] += chance;
        }
        here
    }

    /// Returns where games are one roll later.
    fn step(&mut self, here: &[f64]) -> Vec<f64> {
        let mut next = vec![0.0; self.positions.len()];
        for (number, &chance) in
            here.iter().enumerate().skip(1).filter(|(_, chance)| **chance > 0.0)
        {
            while self.next.len() <= number {
                let position = self.positions[self.next.len()];
                let rolls = self.rules.rolls();
                let leads = rolls.iter().map(|&(roll, share)| (self.after(position, roll), share));
                let leads = leads.collect();
                self.next.push(leads);
            }
            next.resize(self.positions.len(), 0.0);
            for &(to, share) in &self.next[number] {
                next[to] += chance * share;
            }
        }
        next
    }
}
