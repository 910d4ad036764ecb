//! The fixed point of the backup: there is only one, and a solve finds it.

use puabi_core::{Indexer, Position, RuleSet, Rules};

use crate::cube::{Graph, Next};
use crate::solved::Solved;

fn presets() -> impl Iterator<Item = RuleSet> {
    RuleSet::PRESETS.into_iter().map(|preset| preset.with_pieces(1))
}

/// Games in which players have choices; with one piece no player has any.
fn games_of_two() -> impl Iterator<Item = RuleSet> {
    [RuleSet::FINKEL, RuleSet::DMYTRO].into_iter().map(|preset| preset.with_pieces(2))
}

/// Returns whether from every position some rolls end the game whatever the players choose.
pub(crate) fn can_be_ended(rules: &Rules) -> bool {
    let indexer = Indexer::new(rules).unwrap();
    let positions: Vec<_> = (0..indexer.len()).map(|at| indexer.position(at).unwrap()).collect();
    let mut ended = vec![false; positions.len()];
    let mut known = 0;
    loop {
        // The last indices are those of the latest positions.
        for (at, &position) in positions.iter().enumerate().rev() {
            let has_ended = |next| ended[usize::try_from(indexer.rank(next)).unwrap()];
            ended[at] = ended[at] || ends(rules, position, has_ended);
        }
        let before = known;
        known = ended.iter().filter(|&&ended| ended).count();
        if known == before {
            return known == positions.len();
        }
    }
}

/// Returns whether a roll ends the game whatever is chosen, or leads to where it can be ended.
fn ends(rules: &Rules, position: Position, has_ended: impl Fn(Position) -> bool) -> bool {
    rules.rolls().iter().any(|&(roll, _)| {
        let decision = rules.decision(position, roll);
        decision.afterstates().all(|(_, after)| after.position().is_none_or(&has_ended))
    })
}

#[test]
fn from_every_position_some_rolls_end_the_game_whatever_is_chosen() {
    for rule_set in presets().chain(games_of_two()) {
        assert!(can_be_ended(&rule_set.compile().unwrap()), "{rule_set}");
    }
}

#[test]
fn plain_backups_end_at_the_solved_values_wherever_they_start() {
    for rule_set in presets().chain(games_of_two()) {
        let solved = Solved::new(&rule_set);
        for start in [0.0, 1.0] {
            let found = iterated(&solved, start);
            for (position, found) in solved.positions().zip(found) {
                let value = solved.values.value(position);
                assert!((found - value).abs() < 1e-12, "{rule_set} from {start}: {found} {value}");
            }
        }
    }
}

/// Returns the values at which backups in index order end if every value begins at `start`.
fn iterated(solved: &Solved, start: f64) -> Vec<f64> {
    let Graph(positions) = Graph::new(&solved.rules, solved.values.indexer());
    let mut values = vec![start; positions.len()];
    let mut change = 1.0;
    while change > 1e-15 {
        change = 0.0;
        for (at, rolls) in positions.iter().enumerate() {
            let value = |next: &Next| match *next {
                Next::Won => 1.0,
                Next::RollsAgain(next) => values[next],
                Next::TurnPasses(next) => 1.0 - values[next],
            };
            let best = |moves: &[Next]| moves.iter().map(value).fold(0.0, f64::max);
            let backup: f64 = rolls.iter().map(|(chance, moves)| chance * best(moves)).sum();
            change = f64::max(change, (backup - values[at]).abs());
            values[at] = backup;
        }
    }
    values
}
