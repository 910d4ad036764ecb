//! Games with stacks and other rules that the general engine solves.

use puabi_core::{Indexer, RuleSet};
use puabi_solve::{Options, Report, Seat, Solver, Unattended, Values, WinChance};

fn solve(rule_set: &RuleSet, threads: usize) -> (Values, Report) {
    let rules = rule_set.compile().unwrap();
    let solver = Solver::new(&rules, Options { threads, ..Options::default() }).unwrap();
    solver.solve(&Unattended, &Unattended).unwrap()
}

#[test]
fn start_values_are_those_of_the_specification() {
    for (rule_set, expected) in
        [(RuleSet::SKIRIUK, 0.538_179_79), (RuleSet::SIMPLE_UR, 0.519_365_84)]
    {
        let (_, report) = solve(&rule_set.clone().with_pieces(1), 2);
        assert!((report.start_value - expected).abs() < 5e-9, "{rule_set}: {}", report.start_value);
        assert!(report.residual <= 3.4e-16, "{rule_set}: {}", report.residual);
    }
}

/// Games for the general engine, and one without stacks that the dense engine solves.
fn games() -> Vec<RuleSet> {
    let mut games: Vec<_> =
        [RuleSet::SKIRIUK, RuleSet::DMYTRO].into_iter().map(|it| it.with_pieces(2)).collect();
    let loose = RuleSet { exact_exit: false, name: "loose".into(), ..RuleSet::FINKEL };
    games.push(loose.with_pieces(2));
    games.push(RuleSet::SIMPLE_UR.with_pieces(2));
    games
}

#[test]
fn every_value_is_that_of_a_contest_between_two_best_players() {
    for rule_set in games() {
        let (values, _) = solve(&rule_set, 2);
        let rules = rule_set.compile().unwrap();
        let solver = Solver::new(&rules, Options::default()).unwrap();
        let best = solver.evaluate([Seat::Best, Seat::Best], &WinChance, &Unattended).unwrap();
        let indexer = Indexer::new(&rules).unwrap();
        for index in 0..indexer.len() {
            let position = indexer.position(index).unwrap();
            let (found, expected) = (values.value(position), best.values[0].value(position));
            assert!(
                (found - expected).abs() < 1e-12,
                "{}: {found} {expected}",
                rules.setup(position, puabi_core::Player::Light)
            );
        }
    }
}

#[test]
fn the_same_bits_for_any_number_of_threads() {
    for rule_set in games() {
        let bits = |threads| {
            let (values, _) = solve(&rule_set, threads);
            let sublayers = values.indexer().sublayers().len();
            let all = (0..sublayers).flat_map(|at| values.sublayer(at).to_vec());
            all.map(f64::to_bits).collect::<Vec<_>>()
        };
        let one = bits(1);
        assert!([2, 3, 7].into_iter().all(|threads| bits(threads) == one), "{rule_set}");
    }
}
