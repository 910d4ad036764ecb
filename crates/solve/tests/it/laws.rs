//! Laws that the values of every solved game keep.

use puabi_core::RuleSet;
use puabi_solve::{InstructionSet, Options, Report, Unattended, Values, certify};

use crate::solved::{Solved, drawn};

/// Returns small games of every kind: with and without post squares, paths that cross a tile twice, drawn boards.
fn small_games() -> Vec<RuleSet> {
    let mut games = vec![
        RuleSet::FINKEL.with_pieces(2),
        RuleSet::BLITZ.with_pieces(2),
        RuleSet::MASTERS.with_pieces(2),
        RuleSet::MURRAY.with_pieces(1),
        RuleSet::SKIRIUK_PATH.with_pieces(2),
    ];
    games.extend(drawn().map(|rule_set| rule_set.with_pieces(2)));
    games
}

/// Returns the bits of every value, and the report.
fn bits(values: &Values, report: &Report) -> (Vec<u64>, Report) {
    (values.chunks().flatten().map(|value| value.to_bits()).collect(), *report)
}

#[test]
fn a_solve_gives_the_same_bits_for_any_threads_and_instructions() {
    for rule_set in small_games() {
        let solve = |threads, instructions| {
            let options = Options { threads, instructions, ..Options::default() };
            let solved = Solved::with(&rule_set, options);
            bits(&solved.values, &solved.report)
        };
        let expected = solve(1, InstructionSet::Portable);
        for instructions in InstructionSet::available() {
            for threads in [1, 2, 3, 7] {
                let same = solve(threads, instructions) == expected;
                assert!(same, "{rule_set} {instructions} {threads} threads");
            }
        }
    }
}

#[test]
fn threads_that_share_sublayers_and_their_mirror_images_give_the_same_bits() {
    let solve = |threads| {
        let options = Options { threads, ..Options::default() };
        let solved = Solved::with(&RuleSet::BLITZ.with_pieces(3), options);
        bits(&solved.values, &solved.report)
    };
    let alone = solve(1);
    for threads in [2, 3, 7] {
        assert!(solve(threads) == alone, "{threads} threads");
    }
}

#[test]
fn the_first_player_of_finkel_games_wins_as_often_as_published() {
    // Exact start values of independent solvers, to 12 digits.
    let published = [
        (1, 0.530_049_839_525),
        (2, 0.518_572_907_496),
        (3, 0.516_201_102_238),
        (4, 0.516_159_233_557),
    ];
    for (pieces, expected) in published {
        let start = Solved::new(&RuleSet::FINKEL.with_pieces(pieces)).report.start_value;
        assert!((start - expected).abs() <= 6e-13, "{pieces} pieces: {start}");
    }
}

#[test]
fn the_luck_of_the_rolls_weighted_by_chance_is_zero_in_every_position() {
    for rule_set in small_games() {
        let solved = Solved::new(&rule_set);
        let mut worst = 0.0_f64;
        for position in solved.positions() {
            let luck = solved.backup(position) - solved.values.value(position);
            worst = worst.max(luck.abs());
        }
        assert!(worst <= 4.5e-16, "{rule_set}: {worst:e}");
        // The certificate adds in another order: a last bit may differ.
        let certified = certify(&solved.rules, &solved.values, 2, &Unattended).unwrap().residual;
        assert_eq!(certified.to_bits(), solved.report.residual.to_bits(), "{rule_set}");
        assert!((certified - worst).abs() <= 2.3e-16, "{rule_set}: {certified:e} {worst:e}");
    }
}

#[test]
fn a_value_that_is_no_number_is_no_solution() {
    for rule_set in [RuleSet::FINKEL.with_pieces(1), RuleSet::SKIRIUK.with_pieces(1)] {
        let solved = Solved::new(&rule_set);
        for wrong in [f64::NAN, f64::INFINITY] {
            for sublayer in 0..solved.values.chunks().count() {
                let mut sides: Vec<Box<[f64]>> = solved.values.chunks().map(Into::into).collect();
                sides[sublayer][0] = wrong;
                let values = Values::new(solved.values.indexer().clone(), sides);
                let residual = certify(&solved.rules, &values, 2, &Unattended).unwrap().residual;
                let is_far = residual > 0.1 || residual.is_nan();
                assert!(is_far, "{rule_set} {wrong}: {residual:e}");
            }
        }
    }
}
