//! Solved games to test with, and the plain arithmetic that they are judged by.

use puabi_core::{Indexer, Move, Position, RuleSet, Rules};
use puabi_solve::{Options, Report, Solver, Unattended, Values};

/// A solved game.
pub(crate) struct Solved {
    pub(crate) rules: Rules,
    pub(crate) values: Values,
    pub(crate) report: Report,
}

impl Solved {
    pub(crate) fn new(rule_set: &RuleSet) -> Self {
        Self::with(rule_set, Options::default())
    }

    pub(crate) fn with(rule_set: &RuleSet, options: Options) -> Self {
        let rules = rule_set.compile().unwrap();
        let solver = Solver::new(&rules, options).unwrap();
        let (values, report) = solver.solve(&Unattended, &Unattended).unwrap();
        Self { rules, values, report }
    }

    /// Returns every unfinished position.
    pub(crate) fn positions(&self) -> impl Iterator<Item = Position> {
        positions(self.values.indexer())
    }

    /// Returns the chance that the mover wins, from the values one ply on and nothing else: the mean over the rolls
    /// of the best afterstate.
    pub(crate) fn backup(&self, position: Position) -> f64 {
        self.backup_by(position, |next| self.values.value(next))
    }

    /// Returns the same backup from given values.
    pub(crate) fn backup_by(&self, position: Position, value: impl Fn(Position) -> f64) -> f64 {
        let best = |roll| self.rules.decision(position, roll).best_value(&value);
        self.rules.rolls().iter().map(|&(roll, chance)| chance * best(roll)).sum()
    }

    /// Returns whether neither side can move, whatever is thrown: then neither ever can.
    pub(crate) fn is_dead(&self, position: Position) -> bool {
        let stuck = |position: Position| {
            let mut rolls = self.rules.rolls().iter();
            rolls.all(|&(roll, _)| self.rules.decision(position, roll).moves()[..] == [Move::Pass])
        };
        stuck(position) && stuck(position.flipped())
    }
}

fn positions(indexer: &Indexer) -> impl Iterator<Item = Position> {
    (0..indexer.len()).map(|index| indexer.position(index).expect("an index below the length"))
}

/// Returns the worked examples of rule files.
pub(crate) fn drawn() -> [RuleSet; 2] {
    [
        include_str!("../../../../examples/rules/bridge.toml"),
        include_str!("../../../../examples/rules/serpent.toml"),
    ]
    .map(|text| RuleSet::from_toml(text).unwrap())
}
