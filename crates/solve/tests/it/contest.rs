//! Laws of contests between given policies.

use puabi_core::{Agent, Decision, Player, Policy, Position, RuleSet, Rules};
use puabi_solve::{
    Evaluation, GameLength, Measure, Options, Seat, Solver, Sweep, Unattended, Values, Watch,
    WinChance,
};

use crate::solved::Solved;

/// Plays every legal move equally often.
struct Even;

impl Agent for Even {
    fn policy(&self, decision: &Decision<'_>) -> Policy {
        let moves = decision.moves();
        moves.iter().map(|_| 1.0 / moves.len() as f64).collect()
    }
}

/// Plays the piece that is furthest along, whatever it does.
struct Runner;

impl Agent for Runner {
    fn policy(&self, decision: &Decision<'_>) -> Policy {
        let moves = decision.moves();
        (1..=moves.len()).map(|at| f64::from(at == moves.len())).collect()
    }
}

/// Plays the best move by the values of a solved game.
struct Solution<'a>(&'a Values);

impl Agent for Solution<'_> {
    fn policy(&self, decision: &Decision<'_>) -> Policy {
        let worth = |next| self.0.value(next);
        let values: Vec<_> = decision.afterstates().map(|(_, after)| after.value(worth)).collect();
        let best = (0..values.len()).rev().max_by(|&a, &b| values[a].total_cmp(&values[b]));
        (0..values.len()).map(|at| f64::from(Some(at) == best)).collect()
    }
}

fn games() -> [RuleSet; 5] {
    [
        RuleSet::FINKEL.with_pieces(1),
        RuleSet::FINKEL.with_pieces(2),
        RuleSet::BLITZ.with_pieces(2),
        RuleSet::MURRAY.with_pieces(1),
        RuleSet::ASEB.with_pieces(1),
    ]
}

fn evaluate(rules: &Rules, seats: [Seat<'_>; 2], measure: &dyn Measure) -> Evaluation {
    let solver = Solver::new(rules, Options::default()).unwrap();
    solver.evaluate(seats, measure, &Unattended).unwrap()
}

/// What a position with one player about to roll is worth to light: a number, and shares of what positions one ply on are worth.
struct Backup {
    gained: f64,
    next: Vec<(Player, usize, f64)>,
}

impl Backup {
    fn of(
        solved: &Solved,
        agent: &dyn Agent,
        measure: &dyn Measure,
        (mover, position): (Player, Position),
    ) -> Self {
        let mut found = Self { gained: 0.0, next: Vec::new() };
        if solved.is_dead(position) {
            found.gained = measure.end(None);
            return found;
        }
        for &(roll, chance) in solved.rules.rolls() {
            let decision = solved.rules.decision(position, roll);
            let mut gained = vec![0.0; decision.moves().len()];
            measure.gather(mover, &decision, &mut gained);
            let policy = agent.policy(&decision);
            for (((_, after), chosen), gained) in decision.afterstates().zip(&policy).zip(gained) {
                let share = chance * chosen;
                found.gained += share * gained;
                match after.position() {
                    None => found.gained += share * measure.end(Some(mover)),
                    Some(position) => {
                        let next = if after.rolls_again() { mover } else { mover.opponent() };
                        found.next.push((next, at(solved, position), share));
                    }
                }
            }
        }
        found
    }
}

fn at(solved: &Solved, position: Position) -> usize {
    usize::try_from(solved.values.indexer().rank(position)).unwrap()
}

/// Evaluates by plain iteration over all positions, from nothing.
fn brute_force(solved: &Solved, agents: [&dyn Agent; 2], measure: &dyn Measure) -> [Vec<f64>; 2] {
    let mut backups = Vec::new();
    for position in solved.positions() {
        for mover in Player::BOTH {
            let backup = Backup::of(solved, agents[mover as usize], measure, (mover, position));
            backups.push((mover, at(solved, position), backup));
        }
    }
    let mut values = [0, 1].map(|_| vec![measure.end(None); backups.len() / 2]);
    loop {
        let mut change = 0.0;
        for (mover, at, Backup { gained, next }) in &backups {
            let worth =
                |&(mover, at, share): &(Player, usize, f64)| share * values[mover as usize][at];
            let found = gained + next.iter().map(worth).sum::<f64>();
            let value = &mut values[*mover as usize][*at];
            change = f64::max(change, (found - *value).abs());
            *value = found;
        }
        if change < 1e-14 {
            return values;
        }
    }
}

fn all(values: &Values) -> Vec<f64> {
    values.chunks().flatten().copied().collect()
}

#[test]
fn values_of_given_policies_are_those_of_plain_iteration() {
    for rule_set in games() {
        let solved = Solved::new(&rule_set);
        for measure in [&WinChance as &dyn Measure, &GameLength] {
            let expected = brute_force(&solved, [&Even, &Runner], measure);
            let seats = [Seat::Plays(&Even), Seat::Plays(&Runner)];
            let found = evaluate(&solved.rules, seats, measure);
            for mover in Player::BOTH {
                let pairs = all(found.rolled_by(mover)).into_iter().zip(&expected[mover as usize]);
                for (found, expected) in pairs {
                    let error = (found - expected).abs() / expected.max(1.0);
                    assert!(error < 1e-11, "{rule_set} {mover}: {found} {expected}");
                }
            }
        }
    }
}

#[test]
fn a_game_that_nobody_can_go_on_with_is_worth_what_its_end_is() {
    for verdict in ["draw", "more-home"] {
        let text = format!(
            "name = \"Lane\"\ndice = \"1d\"\npieces = 2\ndead_position = \"{verdict}\"\n\
             [path]\nboard = [\"****\"]\nlight = \"A1 A2 A3 A4\"\ndark = \"A4 A3 A2 A1\""
        );
        let solved = Solved::new(&RuleSet::from_toml(&text).unwrap());
        assert!(solved.report.dead_positions > 0);
        let best = evaluate(&solved.rules, [Seat::Best; 2], &WinChance);
        for (found, expected) in all(&best.values[0]).into_iter().zip(all(&solved.values)) {
            assert!((found - expected).abs() < 1e-12, "{verdict}: {found} {expected}");
        }
        let expected = brute_force(&solved, [&Even, &Runner], &GameLength);
        let found =
            evaluate(&solved.rules, [Seat::Plays(&Even), Seat::Plays(&Runner)], &GameLength);
        for mover in Player::BOTH {
            let pairs = all(found.rolled_by(mover)).into_iter().zip(&expected[mover as usize]);
            for (found, expected) in pairs {
                assert!((found - expected).abs() < 1e-10, "{verdict} {mover}: {found} {expected}");
            }
        }
    }
}

#[test]
fn two_best_players_reach_the_values_of_the_solved_game() {
    for rule_set in games() {
        let solved = Solved::new(&rule_set);
        let found = evaluate(&solved.rules, [Seat::Best; 2], &WinChance);
        let solution = all(&solved.values);
        let [light, dark] = &found.values;
        for ((light, dark), expected) in all(light).into_iter().zip(all(dark)).zip(solution) {
            assert!((light - expected).abs() < 1e-13, "{rule_set} {light} {expected}");
            assert!((1.0 - dark - expected).abs() < 1e-13, "{rule_set} {dark} {expected}");
        }
    }
}

#[test]
fn nobody_gains_against_perfect_play() {
    for rule_set in games() {
        let solved = Solved::new(&rule_set);
        let perfect = Solution(&solved.values);
        let found = evaluate(&solved.rules, [Seat::Best, Seat::Plays(&perfect)], &WinChance);
        for (found, expected) in all(&found.values[0]).into_iter().zip(all(&solved.values)) {
            assert!((found - expected).abs() < 1e-12, "{rule_set} {found} {expected}");
        }
        assert!((found.outcome.mean() - 0.5).abs() < 1e-12);
    }
}

#[test]
fn a_best_answer_gains_as_much_from_either_seat() {
    for rule_set in games() {
        let rules = rule_set.compile().unwrap();
        let as_light = evaluate(&rules, [Seat::Best, Seat::Plays(&Even)], &WinChance);
        let as_dark = evaluate(&rules, [Seat::Plays(&Even), Seat::Best], &WinChance);
        let (light, dark) = (all(&as_light.values[0]), all(&as_dark.values[1]));
        for (light, dark) in light.into_iter().zip(dark) {
            assert!((light - (1.0 - dark)).abs() < 1e-13, "{rule_set} {light} {dark}");
        }
        // With one piece there is nothing to decide.
        let gains = as_light.outcome.mean() - 0.5;
        assert!(if rule_set.pieces > 1 { gains > 0.01 } else { gains > -1e-12 }, "{rule_set}");
    }
}

#[test]
fn measures_taken_together_are_those_taken_alone() {
    for rule_set in games() {
        let rules = rule_set.compile().unwrap();
        let solver = Solver::new(&rules, Options::default()).unwrap();
        let measures: [&dyn Measure; 2] = [&WinChance, &GameLength];
        let (together, _) = solver.meet([&Even, &Runner], measures, &Unattended).unwrap();
        for (measure, together) in measures.into_iter().zip(together) {
            let seats = [Seat::Plays(&Even), Seat::Plays(&Runner)];
            let alone = evaluate(&rules, seats, measure).outcome;
            assert!((together.mean() - alone.mean()).abs() < 1e-12 * alone.mean().max(1.0));
        }
    }
}

#[test]
fn a_contest_gives_the_same_bits_for_any_threads() {
    for rule_set in [RuleSet::FINKEL.with_pieces(3), RuleSet::BLITZ.with_pieces(2)] {
        let rules = rule_set.compile().unwrap();
        let bits = |threads| {
            let options = Options { threads, ..Options::default() };
            let solver = Solver::new(&rules, options).unwrap();
            let seats = [Seat::Best, Seat::Plays(&Even)];
            let found = solver.evaluate(seats, &WinChance, &Unattended).unwrap();
            let bits = |values| all(values).into_iter().map(f64::to_bits).collect::<Vec<_>>();
            (found.values.each_ref().map(bits), found.report, found.outcome)
        };
        let expected = bits(1);
        for threads in [2, 3] {
            assert!(bits(threads) == expected, "{rule_set} {threads} threads");
        }
    }
}

/// A watch that panics if a sweep is shown: a position of a contest has more than one value.
struct NoSweep;

impl Watch for NoSweep {
    fn progress(&self, _done: u64, _total: u64) {}

    fn sweep(&self, at: usize, _sweep: &Sweep<'_>) {
        panic!("a sweep of {at} is shown");
    }

    fn stop(&self) -> bool {
        false
    }
}

#[test]
fn a_watch_is_shown_no_sweep_of_a_contest() {
    let rules = RuleSet::FINKEL.with_pieces(1).compile().unwrap();
    let solver = Solver::new(&rules, Options::default()).unwrap();
    let seats = [Seat::Plays(&Even), Seat::Best];
    solver.evaluate(seats, &WinChance, &NoSweep).unwrap();
    solver.meet([&Even, &Runner], [&WinChance], &NoSweep).unwrap();
}
