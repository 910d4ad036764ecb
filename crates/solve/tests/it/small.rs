//! The smallest games of every kind, for tools that make a program many times slower: `.ci/run` runs these tests under
//! the address sanitizer.

use puabi_core::RuleSet;
use puabi_solve::{InstructionSet, Options, Unattended, certify};

use crate::solved::Solved;

#[test]
fn small_games_have_the_same_bits_and_are_their_own_backups_by_every_instruction_set() {
    let games = [
        RuleSet::FINKEL.with_pieces(2),
        RuleSet::BLITZ.with_pieces(1),
        RuleSet::MASTERS.with_pieces(1),
        RuleSet::MURRAY.with_pieces(1),
        RuleSet::SKIRIUK.with_pieces(1),
    ];
    for rule_set in games {
        let solve = |instructions, threads| {
            Solved::with(&rule_set, Options { threads, instructions, ..Options::default() })
        };
        let expected = solve(InstructionSet::Portable, 1);
        let found = certify(&expected.rules, &expected.values, 2, &Unattended).unwrap().residual;
        assert!(found <= 3.4e-16, "{rule_set}: {found:e}");
        for instructions in InstructionSet::available() {
            let solved = solve(instructions, 2);
            assert_eq!(solved.report, expected.report, "{rule_set} by {instructions}");
            let same = expected.values.chunks().zip(solved.values.chunks());
            for (at, (expected, found)) in same.enumerate() {
                let bits =
                    |values: &[f64]| values.iter().map(|it| it.to_bits()).collect::<Vec<_>>();
                assert_eq!(
                    bits(found),
                    bits(expected),
                    "{rule_set} by {instructions}, sublayer {at}"
                );
            }
        }
    }
}
