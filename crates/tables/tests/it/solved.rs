//! Solved games to test with.

use puabi_core::{RuleSet, Rules};
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
}

/// Returns the worked examples of rule files.
pub(crate) fn drawn() -> [RuleSet; 2] {
    [
        include_str!("../../../../examples/rules/bridge.toml"),
        include_str!("../../../../examples/rules/serpent.toml"),
    ]
    .map(|text| RuleSet::from_toml(text).unwrap())
}
