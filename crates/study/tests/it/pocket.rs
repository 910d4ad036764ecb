//! Laws of pockets: they play what is stored, lose what they say, and read only if they are sound.

use puabi_core::{Agent, Game, Indexer, Roll, RuleSet, Rules};
use puabi_engine::{
    Argmax, DiceRng, Layers, Net, Pocket, PocketFacts, Shape, best, challenges, move_values, ranked,
};
use puabi_solve::{Options, SolveError, Solver, Unattended, Watch};
use puabi_study::{
    Matchup, NetFit, NetOptions, PocketBuildError, PocketBuilder, PocketGoal, PocketModel,
};

use crate::matches::Ended;
use crate::solved;

/// Returns the net after a short training.
fn trained(rules: &Rules, values: &puabi_solve::Values) -> Net {
    let start = Layers::random(Shape::new(rules, 16, 16), 1);
    let options = NetOptions { games: 8, steps: 60, learning_rate: 0.01, ..NetOptions::default() };
    let mut fit = NetFit::new(rules, values, start, options);
    while fit.done() < 60 {
        fit.step();
    }
    fit.net()
}

fn made(rules: &Rules, loss: f64) -> Pocket {
    made_by(rules, loss, 1)
}

fn made_by(rules: &Rules, loss: f64, backups: u8) -> Pocket {
    let values = solved(rules);
    let model = PocketModel { net: trained(rules, &values), backups };
    let goal = PocketGoal { loss: Some(loss), bytes: None };
    let builder = PocketBuilder::new(rules, &values, model, goal.followed(), &Unattended).unwrap();
    builder.reach(goal, "a test", |pocket| builder.measure(pocket, &Unattended)).unwrap()
}

#[test]
fn a_pocket_loses_what_it_says() {
    let rules = RuleSet::FINKEL.with_pieces(2).compile().unwrap();
    for backups in [0, 1] {
        let (values, pocket) = (solved(&rules), made_by(&rules, 1e-3, backups));
        let solver = Solver::new(&rules, Options::default()).unwrap();
        let matchup = Matchup::new(&solver, [&pocket, &Argmax(&values)], &Unattended).unwrap();
        let (stated, exact) = (pocket.facts().loss, 0.5 - matchup.a_mean);
        assert!((stated - exact).abs() <= pocket.facts().off_by + 1e-7, "{stated} {exact}");
        assert!(exact > 1e-5 && exact <= 1e-3, "{exact}");
    }
}

#[test]
fn a_measurement_that_is_ended_before_all_games_are_played_is_none() {
    let rules = RuleSet::FINKEL.with_pieces(1).compile().unwrap();
    let values = solved(&rules);
    let model = PocketModel { net: trained(&rules, &values), backups: 0 };
    let builder = PocketBuilder::new(&rules, &values, model, 1e-6, &Unattended).unwrap();
    let goal = PocketGoal { loss: Some(0.1), bytes: None };
    let measured = |watch: &dyn Watch| {
        builder.measure_by_games(builder.build(goal, "a test").unwrap(), (500, 1), watch)
    };
    let stopped = measured(&Ended).unwrap_err();
    assert!(matches!(stopped, PocketBuildError::Solve(SolveError::Stopped)));
    assert!(measured(&Unattended).unwrap().facts().found.starts_with("1000 "));
}

#[test]
fn a_pocket_that_cannot_be_as_good_as_was_asked_for_is_returned_all_the_same() {
    let rules = RuleSet::FINKEL.with_pieces(1).compile().unwrap();
    let values = solved(&rules);
    let model = PocketModel { net: trained(&rules, &values), backups: 0 };
    let builder = PocketBuilder::new(&rules, &values, model, 1e-6, &Unattended).unwrap();
    let goal = PocketGoal { loss: Some(1e-3), bytes: None };
    let mut losses = [0.5, 0.3, 0.4, 0.6, 0.7, 0.8].into_iter();
    let missed = builder.reach(goal, "a test", |pocket| {
        let loss = losses.next().unwrap();
        let facts = PocketFacts { loss, ..pocket.facts().clone() };
        Ok(pocket.with_facts(facts))
    });
    let missed: PocketBuildError = missed.unwrap_err();
    assert!(
        missed.to_string().starts_with("the pocket loses 0.3 a game, more than 0.001: "),
        "{missed}"
    );
}

#[test]
fn a_pocket_loses_what_it_says_if_the_first_roll_is_given() {
    let rule_set = RuleSet::FINKEL.with_pieces(2);
    let first_roll = Some(Roll::new(4));
    let given = RuleSet { name: "given".into(), first_roll, ..rule_set }.compile().unwrap();
    let values = solved(&given);
    let start = Layers::random(Shape::new(&given, 16, 16), 1);
    let net = NetFit::new(&given, &values, start, NetOptions::default()).net();
    let model = PocketModel { net, backups: 0 };
    let builder = PocketBuilder::new(&given, &values, model, 1e-9, &Unattended).unwrap();
    let goal = PocketGoal { loss: Some(0.1), bytes: None };
    let pocket = builder.build(goal, "a test").unwrap();
    let foreseen = pocket.facts().loss;
    let pocket = builder.measure(pocket, &Unattended).unwrap();
    let solver = Solver::new(&given, Options::default()).unwrap();
    let matchup = Matchup::new(&solver, [&pocket, &Argmax(&values)], &Unattended).unwrap();
    let (stated, exact) = (pocket.facts().loss, 0.5 - matchup.a_mean);
    assert!(exact > 0.01 && foreseen > 0.01, "{exact} {foreseen}");
    assert!((stated - exact).abs() < 1e-5, "{stated} {exact}");
}

#[test]
fn a_pocket_that_may_lose_nothing_plays_the_best_move_where_perfect_players_come() {
    let rules = RuleSet::FINKEL.with_pieces(2).compile().unwrap();
    let (values, pocket) = (solved(&rules), made(&rules, 1e-9));
    assert!(pocket.facts().loss < 1e-6, "{}", pocket.facts().loss);
    let (mut choices, mut lost) = (0, 0.0);
    for seed in 0..50 {
        let (mut game, mut dice) = (Game::new(rules.clone()), DiceRng::new(seed));
        while game.position().is_some() {
            let decision = game.roll(dice.throw(rules.rule_set().dice)).unwrap();
            let judged = move_values(&decision, &values);
            let action = pocket.choose(&decision, 0.0);
            let chosen = judged.iter().find(|judged| judged.action == action).unwrap();
            lost += best(&judged).value - chosen.value;
            choices += usize::from(judged.len() > 1);
            let perfect = best(&judged).action;
            game.play(perfect).unwrap();
        }
    }
    assert!(choices > 500, "{choices} decisions with a choice");
    assert!(lost < 1e-6, "{lost} in 50 games");
}

#[test]
fn moves_are_those_of_the_net_and_the_exceptions_before_and_after_the_file() {
    let rules = RuleSet::FINKEL.with_pieces(2).compile().unwrap();
    let (pocket, indexer) = (made(&rules, 1e-3), Indexer::new(&rules).unwrap());
    let read = Pocket::read(&pocket.to_bytes()).unwrap();
    let mut exceptions = 0;
    for index in 0..indexer.len() {
        for &(roll, _) in rules.rolls() {
            let decision = rules.decision(indexer.position(index).unwrap(), roll);
            let ranked = ranked(&decision, |position| pocket.chance(position));
            let mut all = challenges(&ranked, index, &decision);
            let exception = all.find(|challenge| pocket.accepts(challenge));
            let expected = exception.map_or(ranked[0].action, |challenge| challenge.action);
            assert_eq!(read.choose(&decision, 0.0), expected);
            exceptions += u64::from(exception.is_some());
        }
    }
    assert!(exceptions >= pocket.facts().exceptions && exceptions > 0);
}

#[test]
fn a_pocket_with_a_changed_byte_or_a_missing_end_is_refused() {
    let bytes = made(&RuleSet::FINKEL.with_pieces(1).compile().unwrap(), 1e-3).to_bytes();
    // Every byte of the header and the ribbons, and some of the net, which is by far the longest part.
    let inner = 4000..bytes.len() - 400;
    for at in (0..bytes.len()).filter(|at| !inner.contains(at) || at % 97 == 0) {
        let mut changed = bytes.clone();
        changed[at] ^= 0x20;
        assert!(Pocket::read(&changed).is_err(), "byte {at}");
        assert!(Pocket::read(&bytes[..at]).is_err(), "the first {at} bytes");
    }
    assert!(Pocket::read(&[&bytes[..], &[0]].concat()).is_err());
}
