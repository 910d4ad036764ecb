//! Laws of simulated matches.

use std::ops::ControlFlow;

use puabi_core::{Agent, Record, RuleSet, Rules};
use puabi_engine::{AgentSpec, Argmax, Softmax};
use puabi_study::{Contestant, MatchScore, Pairing, Simulation};

use crate::solved;

fn play(rules: &Rules, [a, b]: [&str; 2], seed: u64, pairs: u64, threads: usize) -> MatchScore {
    let values = solved(rules);
    let build =
        |text: &str| text.parse::<AgentSpec>().unwrap().build(rules, Some(&values)).unwrap();
    let (a, b) = (build(a), build(b));
    let simulation = Simulation { rules, agents: [&*a, &*b], seed };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| simulation.play(pairs, |_| ControlFlow::Continue(())))
}

fn small() -> Rules {
    RuleSet::FINKEL.with_pieces(2).compile().unwrap()
}

#[test]
fn a_seed_means_the_same_match_on_any_number_of_threads() {
    let agents = ["softmax:0.05", "random"];
    let one = play(&small(), agents, 11, 1_000, 1);
    assert_eq!(one, play(&small(), agents, 11, 1_000, 3));
    assert_ne!(one, play(&small(), agents, 12, 1_000, 1));
}

#[test]
fn an_agent_against_itself_wins_as_often_as_it_loses() {
    // One player's games are the other's with the sides swapped, so each pair is split unless chance enters the play.
    let score = play(&small(), ["greedy", "greedy"], 3, 500, 2);
    assert_eq!((score.mean(), score.first() + score.second()), (0.5, 1.0));
}

#[test]
fn swapping_the_agents_swaps_the_result() {
    let score = play(&small(), ["greedy", "first-move"], 3, 500, 2);
    let swapped = play(&small(), ["first-move", "greedy"], 3, 500, 2);
    assert!((score.first() - (1.0 - swapped.second())).abs() < 1e-12);
    assert!((score.interval().low - (1.0 - swapped.interval().high)).abs() < 1e-12);
}

#[test]
fn perfect_play_wins_from_the_start_as_often_as_the_start_is_worth() {
    let rules = small();
    let values = solved(&rules);
    let perfect = Argmax(&values);
    let simulation = Simulation { rules: &rules, agents: [&perfect, &perfect], seed: 1 };
    let score = simulation.play(20_000, |_| ControlFlow::Continue(()));
    // Five standard deviations of 20,000 games.
    assert!((score.first() - values.value(rules.start())).abs() < 0.018, "{}", score.first());
}

#[test]
fn a_match_ends_when_its_watch_says_so() {
    let rules = small();
    let simulation = Simulation {
        rules: &rules,
        agents: [&puabi_engine::Greedy, &puabi_engine::FirstMove],
        seed: 5,
    };
    let score = simulation.play(1_000_000, |score| {
        if score.is_decided(0.01) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert!(score.is_decided(0.01));
    assert!(score.games() < 100_000, "{}", score.games());
}

/// Holds the games of a match, which are played abreast, against the same played one by one.
fn are_told([a, b]: [&(dyn Agent + Sync); 2]) {
    let rules = small();
    let simulation = Simulation { rules: &rules, agents: [a, b], seed: 5 };
    let score = simulation.play(20, |_| ControlFlow::Continue(()));
    let (mut won, mut plies) = (0.0, 0);
    for pair in 0..20 {
        for light in [Contestant::A, Contestant::B] {
            let record = simulation.record(Pairing { pair, light });
            let read: Record = record.to_string().parse().unwrap();
            assert_eq!(read, record);
            assert_eq!(record.seed(), Some(simulation.pair_seed(pair)));
            let winner_is_light = record.game.winner() == Some(puabi_core::Player::Light);
            won += f64::from(winner_is_light == (light == Contestant::A));
            plies += record.game.plies().len();
        }
    }
    assert_eq!((won, plies as f64 / 40.0), (score.points(), score.mean_plies()));
}

#[test]
fn the_records_of_a_match_tell_its_games() {
    are_told([&puabi_engine::Greedy, &puabi_engine::Random]);
    let values = solved(&small());
    are_told([&Argmax(&values), &Softmax { values: &values, temperature: 0.05 }]);
}
