//! What a solve would take, told before it begins.

use puabi_core::RuleSet;
use puabi_solve::{Options, Plan, SolveError, Solver, Unattended};

fn solver(rules: &str) -> Solver {
    let rules = rules.parse::<RuleSet>().unwrap().compile().unwrap();
    Solver::new(&rules, Options { threads: 2, ..Options::default() }).unwrap()
}

#[test]
fn a_plan_counts_what_the_solve_reports() {
    for rules in ["finkel:2", "blitz:1", "skiriuk:1", "murray:1"] {
        let solver = solver(rules);
        let Plan { positions, layers, sublayers, can_be_solved, .. } = solver.plan();
        let (_, report) = solver.solve(&Unattended, &Unattended).unwrap();
        assert_eq!(
            (positions, layers, sublayers),
            (report.positions, report.layers, report.sublayers)
        );
        assert!(can_be_solved);
    }
}

#[test]
fn a_plan_of_the_largest_game_is_made_without_its_memory() {
    let plan = solver("skiriuk").plan();
    assert_eq!((plan.positions, plan.largest_sublayer), (1_072_022_880_769, 541_154_107_131));
    assert!(!plan.can_be_solved);
    assert!(plan.memory > 8 * plan.largest_sublayer);
    // Each value is read and written, and its successors are read.
    assert!(plan.sweep_reads > plan.sweep_writes && plan.sweep_writes == 8 * plan.largest_sublayer);
}

#[test]
fn more_pieces_take_more_of_everything() {
    for rules in ["finkel", "masters", "simple-ur", "murray", "dmytro", "skiriuk"] {
        let plans: Vec<_> =
            (1..=7).map(|pieces| solver(&format!("{rules}:{pieces}")).plan()).collect();
        for pair in plans.windows(2) {
            assert!(pair[0].cpu_seconds < pair[1].cpu_seconds, "{rules}");
            assert!(pair[0].memory <= pair[1].memory, "{rules}");
            assert!(pair[0].sweep_reads < pair[1].sweep_reads, "{rules}");
        }
    }
}

#[test]
fn a_game_whose_values_have_no_places_is_refused_before_it_begins() {
    for rules in ["skiriuk", "simple-ur:10"] {
        let solver = solver(rules);
        assert!(!solver.plan().can_be_solved, "{rules}");
        let error = solver.solve(&Unattended, &Unattended).unwrap_err();
        assert!(
            matches!(error, SolveError::TooManyValues { values, most } if values > most),
            "{error}"
        );
    }
}
