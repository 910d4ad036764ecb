//! Laws of exact match-ups.

use std::ops::ControlFlow;

use puabi_core::{Afterstate, Agent, Decision, Game, Player, Policy, RuleSet, Rules};
use puabi_engine::{AgentSpec, Argmax, DiceRng, Greedy, Random, perfect_length};
use puabi_solve::{Options, Solver, Unattended};
use puabi_study::{Exploit, Interval, MatchScore, Matchup, Shares, Simulation};
use puabi_tables::Response;

use crate::solved;

/// Plays one game; returns whether light wins, and the rolls thrown.
fn play(rules: &Rules, agents: [&dyn Agent; 2], seed: u64) -> (bool, usize) {
    let mut game = Game::new(rules.clone());
    let mut thrower = DiceRng::new(seed);
    while let Some(player) = game.turn() {
        let roll = thrower.throw(rules.rule_set().dice);
        let decision = game.roll(roll).unwrap();
        let action = thrower.choose(&decision, agents[player as usize]);
        game.play(action).unwrap();
    }
    (game.winner() == Some(Player::Light), game.plies().len())
}

/// Compares a mean over games with the expected one: five standard errors allow one false alarm in a million.
fn assert_mean(found: &[f64], expected: f64) {
    let count = found.len() as f64;
    let mean = found.iter().sum::<f64>() / count;
    let variance = found.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count;
    let allowed = 5.0 * (variance / count).sqrt();
    assert!((mean - expected).abs() < allowed, "{mean} {expected} {allowed}");
}

#[test]
fn simulated_games_agree_with_the_exact_match_up() {
    let rules = RuleSet::FINKEL.with_pieces(2).compile().unwrap();
    let solver = Solver::new(&rules, Options::default()).unwrap();
    let matchup = Matchup::new(&solver, [&Greedy, &Random], &Unattended).unwrap();
    let played = |agents: [&dyn Agent; 2]| -> (Vec<f64>, Vec<f64>) {
        let games = (0..20_000).map(|seed| play(&rules, agents, seed));
        games.map(|(light_wins, rolls)| (f64::from(light_wins), rolls as f64)).unzip()
    };
    let (wins, mut rolls) = played([&Greedy, &Random]);
    assert_mean(&wins, matchup.a_first);
    let (losses, more) = played([&Random, &Greedy]);
    assert_mean(&losses, 1.0 - matchup.a_second);
    rolls.extend(more);
    assert_mean(&rolls, matchup.rolls);
}

/// A cheap agent of every kind.
const CHEAP: [&str; 15] = [
    "random",
    "first-move",
    "last-move",
    "greedy",
    "pips",
    "hit+extra-roll+least-exposed",
    "level:7",
    "humanised:5",
    "brain:trained",
    "linear:start",
    "perfect",
    "worst",
    "epsilon:0.25",
    "softmax:0.05",
    "accuracy:75",
];

#[test]
fn every_two_cheap_agents_win_as_often_in_games_as_exactly() {
    let rules = RuleSet::FINKEL.with_pieces(2).compile().unwrap();
    let values = solved(&rules);
    let solver = Solver::new(&rules, Options::default()).unwrap();
    let build = |text: &str| text.parse::<AgentSpec>().unwrap().build(&rules, Some(&values));
    let agents = CHEAP.map(|text| build(text).unwrap());
    let (mut pairs, mut held) = (0, 0);
    for (at, a) in agents.iter().enumerate() {
        for (b, name) in agents[at..].iter().zip(&CHEAP[at..]) {
            let exact = Matchup::new(&solver, [&**a, &**b], &Unattended).unwrap();
            let simulation =
                Simulation { rules: &rules, agents: [&**a, &**b], seed: 9, watch: &Unattended };
            let score = simulation.play(600, |_| ControlFlow::Continue(()));
            let Interval { low, high } = score.interval();
            // The interval reaches 1.96 standard errors; five allow one false alarm in a million.
            let off = (exact.a_mean - f64::midpoint(low, high)).abs() / (high - low);
            assert!(off < 1.3, "{} {name}: {exact:?} {low} {high}", CHEAP[at]);
            pairs += 1;
            held += u32::from(off <= 0.5);
        }
    }
    // On average 95 of 100 intervals hold it.
    assert!(held * 100 >= pairs * 90, "{held} of {pairs} intervals hold the exact chance");
}

#[test]
fn a_rated_player_wins_about_as_often_as_its_rating_says() {
    // Elo's formula: 100 points below the perfect player.
    let expected = 1.0 / (1.0 + 10.0_f64.powf(0.25));
    for rule_set in [RuleSet::FINKEL, RuleSet::BLITZ, RuleSet::MASTERS_4D] {
        let rules = rule_set.with_pieces(2).compile().unwrap();
        let values = solved(&rules);
        let rated = "elo:1900".parse::<AgentSpec>().unwrap().build(&rules, Some(&values)).unwrap();
        let solver = Solver::new(&rules, Options::default()).unwrap();
        let matchup = Matchup::new(&solver, [&*rated, &Argmax(&values)], &Unattended).unwrap();
        // A hundredth is seven points of Elo here.
        assert!((matchup.a_mean - expected).abs() < 0.01, "{} {matchup:?}", rules.rule_set());
    }
}

#[test]
fn perfect_against_perfect_is_worth_the_start_value() {
    for rule_set in [RuleSet::FINKEL, RuleSet::BLITZ, RuleSet::SKIRIUK_PATH] {
        let rules = rule_set.with_pieces(2).compile().unwrap();
        let perfect = Argmax(solved(&rules));
        let solver = Solver::new(&rules, Options::default()).unwrap();
        let matchup = Matchup::new(&solver, [&perfect, &perfect], &Unattended).unwrap();
        let start = perfect.0.value(rules.start());
        assert!((matchup.a_first - start).abs() < 1e-13);
        assert!((matchup.a_second - (1.0 - start)).abs() < 1e-13);
        assert!(matchup.shares.skill < 1e-24);
    }
}

#[test]
fn perfect_play_cannot_be_exploited() {
    for rule_set in [RuleSet::FINKEL, RuleSet::BLITZ, RuleSet::MURRAY, RuleSet::ASEB] {
        let pieces = if rule_set == RuleSet::MURRAY { 1 } else { 2 };
        let rules = rule_set.with_pieces(pieces).compile().unwrap();
        let perfect = Argmax(solved(&rules));
        let solver = Solver::new(&rules, Options::default()).unwrap();
        let (exploit, _) = Exploit::new(&solver, &perfect, &Unattended).unwrap();
        assert!(exploit.exploitability.abs() < 1e-12, "{}", exploit.exploitability);
    }
}

#[test]
fn an_agent_keeps_least_against_its_best_response() {
    let rules = RuleSet::FINKEL.with_pieces(2).compile().unwrap();
    let solver = Solver::new(&rules, Options::default()).unwrap();
    let (exploit, _) = Exploit::new(&solver, &Greedy, &Unattended).unwrap();
    let perfect = Argmax(solved(&rules));
    for other in [&perfect as &(dyn Agent + Sync), &Random, &Greedy] {
        let matchup = Matchup::new(&solver, [other, &Greedy], &Unattended).unwrap();
        assert!(matchup.a_first <= exploit.best_first + 1e-12);
        assert!(matchup.a_second <= exploit.best_second + 1e-12);
    }
}

/// Plays the best response to an agent; of several equal moves it plays the first.
struct Responder(Response);

impl Agent for Responder {
    fn policy(&self, decision: &Decision<'_>) -> Policy {
        let value = |after: Afterstate| match after {
            Afterstate::Won => 1.0,
            Afterstate::RollsAgain(position) => self.0.chance(Player::Light, position),
            Afterstate::TurnPasses(position) => self.0.chance(Player::Dark, position),
        };
        let values: Policy = decision.afterstates().map(|(_, after)| value(after)).collect();
        let best =
            (1..values.len()).fold(0, |best, at| if values[at] > values[best] { at } else { best });
        (0..values.len()).map(|at| f64::from(at == best)).collect()
    }
}

#[test]
fn the_best_response_wins_as_much_as_its_exploit_says() {
    let rules = RuleSet::FINKEL.with_pieces(2).compile().unwrap();
    let solver = Solver::new(&rules, Options::default()).unwrap();
    let (exploit, found) = Exploit::new(&solver, &Greedy, &Unattended).unwrap();
    let responder = Responder(Response::new(rules.clone(), "greedy", found));
    let matchup = Matchup::new(&solver, [&responder, &Greedy], &Unattended).unwrap();
    assert!((matchup.a_mean - exploit.best_mean).abs() < 1e-12);
}

#[test]
fn known_lengths_of_perfect_games_are_those_of_match_ups() {
    for name in ["finkel:1", "finkel:2", "blitz:1", "blitz:2", "masters:1", "aseb:2"] {
        let rules = name.parse::<RuleSet>().unwrap().compile().unwrap();
        let known = perfect_length(rules.rule_set()).unwrap();
        let perfect = Argmax(solved(&rules));
        let solver = Solver::new(&rules, Options::default()).unwrap();
        let found = Matchup::new(&solver, [&perfect, &perfect], &Unattended).unwrap().rolls;
        assert!((found - known).abs() < 1e-6, "{name}: {found} {known}");
    }
}

/// Returns the chance that A has more than half of the points after `pairs` pairs of games.
fn lead_after(matchup: &Matchup, pairs: u64) -> f64 {
    // The chances of one game by half points of A. Both seats draw as often.
    let drawn = matchup.shares.drawn;
    let game = |points: f64| [1.0 - points - drawn / 2.0, drawn, points - drawn / 2.0];
    let (first, second) = (game(matchup.a_first), game(matchup.a_second));
    let mut pair = [0.0; 5];
    for (points, chance) in first.iter().enumerate() {
        for (more, share) in second.iter().enumerate() {
            pair[points + more] += chance * share;
        }
    }
    // The chances by half points of A.
    let mut chances = vec![1.0];
    for _ in 0..pairs {
        let mut next = vec![0.0; chances.len() + pair.len() - 1];
        for (points, chance) in chances.iter().enumerate() {
            for (more, share) in pair.iter().enumerate() {
                next[points + more] += chance * share;
            }
        }
        chances = next;
    }
    let half = chances.len() / 2;
    chances[half + 1..].iter().sum()
}

#[test]
fn the_stronger_agent_is_ahead_in_95_of_100_matches_after_as_many_games_as_are_told() {
    let rules = RuleSet::FINKEL.with_pieces(2).compile().unwrap();
    let solver = Solver::new(&rules, Options::default()).unwrap();
    let values = solved(&rules);
    let perfect = Argmax(&values);
    let brain = "brain:trained".parse::<AgentSpec>().unwrap().build(&rules, None).unwrap();
    let matchups: [[&(dyn Agent + Sync); 2]; 3] =
        [[&Greedy, &Random], [&*brain, &Greedy], [&perfect, &*brain]];
    for agents in matchups {
        let matchup = Matchup::new(&solver, agents, &Unattended).unwrap();
        let games = matchup.games_to_lead().unwrap();
        let chance = lead_after(&matchup, games / 2);
        assert!((chance - 0.95).abs() < 0.01, "{games} games: {chance}");
    }
    let even = Matchup::new(&solver, [&perfect, &perfect], &Unattended).unwrap();
    assert_eq!(even.games_to_lead(), None);
}

/// Returns the rules of a game on one row of tiles that the players cross in opposite directions. Many of its games are drawn.
fn lane(tiles: usize, dice: &str, pieces: u8) -> RuleSet {
    let path: Vec<_> = (1..=tiles).map(|column| format!("A{column}")).collect();
    let back: Vec<_> = path.iter().rev().cloned().collect();
    let (board, path, back) = ("*".repeat(tiles), path.join(" "), back.join(" "));
    let text = format!(
        "name = 'Lane'\ndice = '{dice}'\npieces = {pieces}\n\
         [path]\nboard = ['{board}']\nlight = '{path}'\ndark = '{back}'\n"
    );
    RuleSet::from_toml(&text).unwrap()
}

#[test]
fn games_that_nobody_wins_are_no_luck() {
    for (length, dice, pieces) in [(5, "2d", 3), (4, "1d", 3), (3, "1d", 2)] {
        let rules = lane(length, dice, pieces).compile().unwrap();
        let solver = Solver::new(&rules, Options::default()).unwrap();
        let matchup = Matchup::new(&solver, [&Greedy, &Random], &Unattended).unwrap();
        let Shares { skill, seat, luck, drawn } = matchup.shares;
        assert!((skill + seat + luck + drawn - 1.0).abs() < 1e-15);
        let simulation =
            Simulation { rules: &rules, agents: [&Greedy, &Random], seed: 1, watch: &Unattended };
        let score = simulation.play(10_000, |_: &MatchScore| ControlFlow::Continue(()));
        let found = score.unfinished() as f64 / score.games() as f64;
        assert!(drawn > 0.4 && (found - drawn).abs() < 0.015, "{found} and {drawn}");
        let games = matchup.games_to_lead().unwrap();
        let chance = lead_after(&matchup, games / 2);
        assert!((chance - 0.95).abs() < 0.015, "{games} games: {chance}");
    }
}
