//! Games whose rules give the first roll: match-ups, simulations and the laboratory begin with it.

use std::ops::ControlFlow;

use puabi_core::{Game, Record, Roll, RuleSet, Rules};
use puabi_engine::{AgentSpec, Argmax, Pair, Seat, Session, move_values};
use puabi_solve::{Options, Report, Solver, Unattended, Values};
use puabi_study::{Contestant, Lab, Matchup, Method, Pairing, Simulation};

use crate::solved;

fn given() -> Rules {
    let rule_set = RuleSet::FINKEL.with_pieces(2);
    let first_roll = Some(Roll::new(1));
    RuleSet { name: "given".into(), first_roll, ..rule_set }.compile().unwrap()
}

fn solve(solver: &Solver) -> (Values, Report) {
    solver.solve(&Unattended, &Unattended).unwrap()
}

#[test]
fn a_match_up_of_perfect_players_is_worth_the_best_move_of_the_first_roll() {
    let rules = given();
    let solver = Solver::new(&rules, Options::default()).unwrap();
    let (values, report) = solve(&solver);
    let judged = move_values(&rules.decision(rules.start(), Roll::new(1)), &values);
    let best = judged.iter().map(|judged| judged.value).fold(0.0, f64::max);
    assert_eq!(report.start_value.to_bits(), best.to_bits());
    let perfect = Argmax(&values);
    let matchup = Matchup::new(&solver, [&perfect, &perfect], &Unattended).unwrap();
    assert!((matchup.a_first - best).abs() < 1e-12, "{matchup:?}");
    assert!((matchup.first_edge - (best - 0.5)).abs() < 1e-12, "{matchup:?}");
    let simulation =
        Simulation { rules: &rules, agents: [&perfect, &perfect], seed: 1, watch: &Unattended };
    let score = simulation.play(20_000, |_| ControlFlow::Continue(()));
    // Five standard deviations of 20,000 games.
    assert!((score.first() - best).abs() < 0.018, "{} {best}", score.first());
}

#[test]
fn a_session_with_the_seed_of_a_game_of_a_match_plays_that_game() {
    let rules = given();
    let values = solved(&rules);
    let agent = "softmax:0.1".parse::<AgentSpec>().unwrap();
    let built = agent.build(&rules, Some(&values)).unwrap();
    let simulation =
        Simulation { rules: &rules, agents: [&*built, &*built], seed: 1, watch: &Unattended };
    for pair in 0..20 {
        let record = simulation.record(Pairing { pair, light: Contestant::A });
        let seats = Pair { light: Seat::Human, dark: Seat::Human };
        let game = Record::new(Game::new(rules.clone()));
        let mut session = Session::new(game, seats, record.seed().unwrap());
        while !session.game().is_over() {
            if session.game().pending().is_none() {
                session.throw().unwrap();
            }
            let action = session.reply(&*built).unwrap().unwrap();
            session.choose(action).unwrap();
        }
        assert_eq!(session.game().plies(), record.game.plies(), "pair {pair}");
    }
}

#[test]
fn the_laboratory_measures_games_that_begin_with_the_first_roll() {
    let rules = given();
    let solver = Solver::new(&rules, Options::default()).unwrap();
    let (values, report) = solve(&solver);
    let lab = Lab { rules: &rules, solver: &solver, values: &values, report };
    let exact = lab.profile(Method::Exact, &Unattended).unwrap();
    assert!((exact.first_edge - (report.start_value - 0.5)).abs() < 1e-15);
    let played = lab.profile(Method::Sampled { games: 20_000, seed: 5 }, &Unattended).unwrap();
    for (exact, played) in [(exact.rolls, played.rolls), (exact.lead_changes, played.lead_changes)]
    {
        let interval = played.interval.unwrap();
        // Two and a half of the half widths are five standard deviations.
        let off = (played.value - exact.value).abs();
        assert!(off < 2.5 * (interval.high - interval.low) / 2.0, "{exact:?} {played:?}");
    }
    // With a free first throw, games are different.
    let free = RuleSet { first_roll: None, ..rules.rule_set().clone() }.compile().unwrap();
    let solver = Solver::new(&free, Options::default()).unwrap();
    let (values, report) = solve(&solver);
    let free = Lab { rules: &free, solver: &solver, values: &values, report };
    let free = free.profile(Method::Exact, &Unattended).unwrap();
    assert!((free.rolls.value - exact.rolls.value).abs() > 1e-6);
}
