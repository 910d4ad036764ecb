//! Bounds on both sides: they are true in exact arithmetic and narrow, whatever values they are found from.
#![expect(clippy::cast_possible_truncation, reason = "numbers of few bits")]

use std::sync::Mutex;

use puabi_core::{Afterstate, Position, RuleSet};
use puabi_solve::{Bounds, Unattended, Values, bound};

use crate::dead::lane;
use crate::solved::{Solved, drawn};

/// The bounds of every position, as the chance of the player about to roll.
struct Bounded {
    found: Bounds,
    lower: Values,
    upper: Values,
}

fn bounds_from(solved: &Solved, start: &Values, threads: usize) -> Bounded {
    let sides = Mutex::new(vec![(Box::default(), Box::default()); start.chunks().count()]);
    let see = |at: usize, a: &[f64], b: &[f64]| {
        let both = || a.iter().zip(b);
        sides.lock().unwrap()[at] = (
            both().map(|(a, b)| a.min(*b)).collect::<Box<_>>(),
            both().map(|(a, b)| a.max(*b)).collect::<Box<_>>(),
        );
    };
    let found = bound(&solved.rules, start, threads, &Unattended, (&see, &|held| held)).unwrap();
    let (lower, upper) = sides.into_inner().unwrap().into_iter().unzip();
    let values = |sides| Values::new(solved.values.indexer().clone(), sides);
    Bounded { found, lower: values(lower), upper: values(upper) }
}

/// Returns a number of 0..2 in units of 2^-110. This is exact except for the last bits of chances below 2^-57.
fn exact(value: f64) -> i128 {
    let high = (value * 2_f64.powi(55)).trunc();
    let low = (value * 2_f64.powi(55) - high) * 2_f64.powi(55);
    (high as i128) * (1 << 55) + low as i128
}

/// Checks with exact sums that no upper bound is below the backup of the bounds around it, nor a lower bound above it.
fn check_backups(solved: &Solved, bounded: &Bounded) {
    let rules = &solved.rules;
    // Chances are fractions of a power of two.
    let shared = 1024_i128;
    let backup = |position: Position, mine: &Values, theirs: &Values| -> i128 {
        let worth = |after: Afterstate| match after {
            Afterstate::RollsAgain(next) => exact(mine.value(next)),
            Afterstate::TurnPasses(next) => exact(1.0) - exact(theirs.value(next)),
            Afterstate::Won => exact(1.0),
        };
        let rolls = rules.rolls().iter().map(|&(roll, chance)| {
            let decision = rules.decision(position, roll);
            let best = decision.afterstates().map(|(_, after)| worth(after)).max().unwrap();
            best * (chance * 1024.0) as i128
        });
        rolls.sum()
    };
    for position in solved.positions() {
        if solved.is_dead(position) {
            for bounds in [&bounded.lower, &bounded.upper] {
                assert_eq!(bounds.value(position).to_bits(), 0.5_f64.to_bits(), "{position:?}");
            }
            continue;
        }
        let Bounded { lower, upper, .. } = bounded;
        assert!(
            shared * exact(upper.value(position)) >= backup(position, upper, lower),
            "{position:?}"
        );
        assert!(
            shared * exact(lower.value(position)) <= backup(position, lower, upper),
            "{position:?}"
        );
    }
}

fn check(rule_set: &RuleSet) {
    let solved = Solved::new(rule_set);
    let bounded = bounds_from(&solved, &solved.values, 1);
    let Bounds { width, error } = bounded.found;
    assert!(width > 0.0 && width <= 1e-12, "{rule_set}: {width:e}");
    assert!(error > 0.0 && error <= width, "{rule_set}: {error:e} of {width:e}");
    for position in solved.positions() {
        let value = solved.values.value(position);
        let (lower, upper) = (bounded.lower.value(position), bounded.upper.value(position));
        assert!(lower <= value && value <= upper, "{rule_set} {position:?}");
    }
    check_backups(&solved, &bounded);
}

#[test]
fn bounds_hold_in_exact_arithmetic_and_are_narrow() {
    for rule_set in [
        RuleSet::FINKEL.with_pieces(2),
        RuleSet::BLITZ.with_pieces(1),
        RuleSet::MASTERS.with_pieces(1),
        RuleSet::ASEB.with_pieces(2),
        RuleSet::SKIRIUK_PATH.with_pieces(2),
        RuleSet::MURRAY.with_pieces(1),
        RuleSet::SKIRIUK.with_pieces(1),
        RuleSet::DMYTRO.with_pieces(1),
        lane(5, "2d", 3),
    ] {
        check(&rule_set);
    }
    drawn().iter().for_each(check);
}

/// Rules under which a sweep brings bounds nearer by a few hundredths alone.
const SLOW: &str = r#"
name = "slow"
dice = "3d"
pieces = 2
safe_rosettes = false
rosettes_grant_rolls = false
exact_exit = false
stack_cap = 2
path = { board = ["..C", "V..", "..C"], light = "A3 B2 B2 B1 B1", dark = "C3 B2 B2 B1 B1" }
"#;

#[test]
fn bounds_that_come_nearer_slowly_are_found() {
    check(&RuleSet::from_toml(SLOW).unwrap());
}

#[test]
fn bounds_are_found_from_values_that_are_wrong() {
    for rule_set in [RuleSet::FINKEL.with_pieces(1), RuleSet::SKIRIUK.with_pieces(1)] {
        let solved = Solved::new(&rule_set);
        for wrong in [0.5, 0.0, 1.0] {
            let sides = solved.values.chunks().map(|values| values.iter().map(|_| wrong).collect());
            let start = Values::new(solved.values.indexer().clone(), sides.collect());
            let bounded = bounds_from(&solved, &start, 2);
            assert!(bounded.found.width <= 1e-12, "{rule_set}: {:e}", bounded.found.width);
            assert!(bounded.found.error > 0.3, "{rule_set}: {:e}", bounded.found.error);
            check_backups(&solved, &bounded);
        }
    }
}

#[test]
fn bounds_are_the_same_for_any_number_of_threads() {
    for rule_set in [RuleSet::FINKEL.with_pieces(3), RuleSet::SKIRIUK.with_pieces(2)] {
        let solved = Solved::new(&rule_set);
        let found = [1, 3].map(|threads| bounds_from(&solved, &solved.values, threads));
        assert_eq!(found[0].found, found[1].found, "{rule_set}");
        let bits = |values: &Values| -> Vec<u64> {
            values.chunks().flatten().map(|value| value.to_bits()).collect()
        };
        assert!(bits(&found[0].upper) == bits(&found[1].upper), "{rule_set}");
        assert!(bits(&found[0].lower) == bits(&found[1].lower), "{rule_set}");
    }
}
