//! Laws of simulated matches.

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use puabi_core::{Agent, Decision, Ending, Forfeit, Move, Player, Policy, Record, RuleSet, Rules};
use puabi_engine::{AgentSpec, Argmax, Greedy, Softmax};
use puabi_solve::{Alone, Options, Solver, Unattended, Watch};
use puabi_study::{
    Contestant, League, MatchScore, Matchup, Pairing, SelfPlayReport, SharedAgent, Simulation,
};

use crate::lab::LANE;
use crate::solved;

fn play(rules: &Rules, [a, b]: [&str; 2], seed: u64, pairs: u64, threads: usize) -> MatchScore {
    let values = solved(rules);
    let build =
        |text: &str| text.parse::<AgentSpec>().unwrap().build(rules, Some(&values)).unwrap();
    let (a, b) = (build(a), build(b));
    let simulation = Simulation { rules, agents: [&*a, &*b], seed, watch: &Unattended };
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
    let simulation =
        Simulation { rules: &rules, agents: [&perfect, &perfect], seed: 1, watch: &Unattended };
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
        watch: &Unattended,
    };
    let score = simulation.play(1_000_000, |score| {
        if score.is_decided(0.01) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert!(score.is_decided(0.01));
    assert!(score.games() < 100_000, "{}", score.games());
}

/// Compares the score of a match, whose games may be played abreast, with the same games played one by one.
fn are_told([a, b]: [&(dyn Agent + Sync); 2]) {
    let rules = small();
    let simulation = Simulation { rules: &rules, agents: [a, b], seed: 5, watch: &Unattended };
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

#[test]
fn a_pass_in_a_dead_position_is_no_roll_of_the_game() {
    let rules = RuleSet::from_toml(LANE).unwrap().compile().unwrap();
    let solver = Solver::new(&rules, Options::default()).unwrap();
    let simulation =
        Simulation { rules: &rules, agents: [&Greedy, &Greedy], seed: 5, watch: &Unattended };
    let score = simulation.play(2_000, |_| ControlFlow::Continue(()));
    assert!(score.unfinished() > 1_000);
    let rolls = (0..2_000).flat_map(|pair| {
        [Contestant::A, Contestant::B].map(|light| {
            let game = simulation.record(Pairing { pair, light }).game;
            game.plies().len() as u64 - u64::from(game.winner().is_none())
        })
    });
    let played = rolls.sum::<u64>() as f64 / 4_000.0;
    assert!((score.mean_plies() - played).abs() < 1e-12, "{} {played}", score.mean_plies());
    let exact = Matchup::new(&solver, [&Greedy, &Greedy], &Unattended).unwrap().rolls;
    // The last pass of dead games would add a third of a roll to the mean.
    assert!((score.mean_plies() - exact).abs() < 0.15, "{} {exact}", score.mean_plies());
}

/// Pairs of agents whose exact match-up is found in a moment.
const PAIRS: [[&str; 2]; 20] = [
    ["greedy", "perfect"],
    ["greedy", "random"],
    ["random", "perfect"],
    ["first-move", "perfect"],
    ["last-move", "perfect"],
    ["first-move", "last-move"],
    ["brain:trained", "perfect"],
    ["brain:trained", "greedy"],
    ["level:9", "perfect"],
    ["level:9", "brain:trained"],
    ["pips", "perfect"],
    ["pips", "greedy"],
    ["level:3", "perfect"],
    ["level:7", "level:3"],
    ["epsilon:0.2", "perfect"],
    ["accuracy:80", "greedy"],
    ["softmax:0.05", "perfect"],
    ["worst", "perfect"],
    ["worst", "random"],
    ["perfect", "perfect"],
];

#[test]
fn results_with_the_luck_taken_out_have_the_mean_of_the_exact_match_up_and_a_smaller_spread() {
    let rules = "finkel:2".parse::<RuleSet>().unwrap().compile().unwrap();
    let values = solved(&rules);
    let solver = Solver::new(&rules, Options::default()).unwrap();
    for pair in PAIRS {
        let spec = pair.map(|name| name.parse::<AgentSpec>().unwrap());
        let [a, b] = spec.each_ref().map(|spec| spec.build(&rules, Some(&values)).unwrap());
        let agents: [SharedAgent<'_>; 2] = [&*a, &*b];
        let exact = Matchup::new(&solver, agents, &Unattended).unwrap().a_mean;
        let simulation = Simulation { rules: &rules, agents, seed: 1, watch: &Unattended };
        let unwatched = |_: &MatchScore| ControlFlow::Continue(());
        let (score, adjusted) = simulation.play_adjusted(&Alone, 1000, &values, unwatched);
        assert_eq!(score, simulation.play(1000, unwatched), "the same games");
        let off = (adjusted.a_mean - exact).abs();
        assert!(off <= 3.0 * adjusted.error + 1e-12, "{pair:?} {exact} {adjusted:?}");
        // If one side hardly ever wins, there is little luck to take out.
        let is_close = (0.3..0.7).contains(&exact);
        assert!(
            !is_close || adjusted.worth.is_none_or(|worth| worth > 4.0),
            "{pair:?} {adjusted:?}"
        );
    }
}

/// Gives every game up at the first roll that moves a piece, as an engine does that plays no legal move.
struct Walkout;

impl Agent for Walkout {
    fn policy(&self, decision: &Decision<'_>) -> Policy {
        Greedy.policy(decision)
    }

    fn play(&self, decision: &Decision<'_>, _: f64) -> Result<Move, Forfeit> {
        if decision.allows(Move::Pass) { Ok(Move::Pass) } else { Err(Forfeit::new("no move")) }
    }
}

#[test]
fn the_luck_of_the_roll_with_which_a_game_is_given_up_is_taken_out_too() {
    let (rules, values) = (small(), solved(&small()));
    let perfect = Argmax(&values);
    let simulation =
        Simulation { rules: &rules, agents: [&Walkout, &perfect], seed: 1, watch: &Unattended };
    let unwatched = |_: &MatchScore| ControlFlow::Continue(());
    let (score, adjusted) = simulation.play_adjusted(&Alone, 2_000, &values, unwatched);
    assert_eq!(score.forfeits(), [4_000, 0]);
    assert!(adjusted.a_mean.abs() <= 3.0 * adjusted.error, "{adjusted:?}");
}

/// Gives the game up when it has thrown a four, and plays as greedy before.
struct Quitter;

impl Agent for Quitter {
    fn policy(&self, decision: &Decision<'_>) -> Policy {
        Greedy.policy(decision)
    }

    fn play(&self, decision: &Decision<'_>, number: f64) -> Result<Move, Forfeit> {
        if decision.roll().steps() == 4 {
            return Err(Forfeit::new("a four"));
        }
        Ok(self.choose(decision, number))
    }
}

#[test]
fn a_game_that_is_given_up_is_lost_whether_played_abreast_or_alone() {
    let (rules, values) = (small(), solved(&small()));
    let perfect = Argmax(&values);
    let simulation =
        Simulation { rules: &rules, agents: [&Quitter, &perfect], seed: 5, watch: &Unattended };
    let abreast = simulation.play(200, |_| ControlFlow::Continue(()));
    let lost = Mutex::new(0);
    let keep = |pairing: Pairing, record: Record| {
        let quitter = match pairing.light {
            Contestant::A => Player::Light,
            Contestant::B => Player::Dark,
        };
        if let Some(ending) = record.ending {
            assert_eq!(ending, Ending::Resigned(quitter));
            assert_eq!(record.winner(), Some(quitter.opponent()));
            *lost.lock().unwrap() += 1;
        }
    };
    let alone = simulation.play_recording(200, &keep, |_| ControlFlow::Continue(()));
    assert_eq!(abreast, alone);
    assert_eq!(alone.forfeits(), [lost.into_inner().unwrap(), 0]);
    // In more than half of these games the quitter throws a four.
    assert!(alone.mean() < 0.3 && alone.forfeits()[0] > 200, "{:?}", alone.forfeits());
    let swapped = Simulation { agents: [&perfect, &Quitter], ..simulation };
    let score = swapped.play(200, |_| ControlFlow::Continue(()));
    assert_eq!(score.forfeits(), [0, alone.forfeits()[0]]);
}

#[test]
fn an_agent_that_gives_up_is_not_measured() {
    let error = SelfPlayReport::of(&Quitter, &small(), None, (100, 1), &Unattended).unwrap_err();
    assert_eq!(error.to_string(), "a four");
}

/// Ends all work at once.
pub(crate) struct Ended;

impl Watch for Ended {
    fn progress(&self, _: u64, _: u64) {}

    fn stop(&self) -> bool {
        true
    }
}

#[test]
fn a_measurement_of_an_agent_can_be_ended() {
    assert_eq!(SelfPlayReport::of(&Greedy, &small(), None, (100, 1), &Ended), Ok(None));
}

#[test]
fn a_league_says_for_every_two_how_soon_the_better_leads_and_how_much_is_luck() {
    let (rules, values) = (small(), solved(&small()));
    let solver = Solver::new(&rules, Options::default()).unwrap();
    let perfect = Argmax(&values);
    let random = "random".parse::<AgentSpec>().unwrap().build(&rules, None).unwrap();
    let agents: [SharedAgent<'_>; 3] = [&perfect, &Greedy, &*random];
    let league = League { rules: &rules, agents: &agents, pairs: 10_000, seed: 2 };
    let found = league.play(&Unattended).unwrap();
    for (i, j) in [(0, 1), (0, 2), (1, 2)] {
        let exact = Matchup::new(&solver, [agents[i], agents[j]], &Unattended).unwrap();
        let shares = found.shares(i, j);
        assert!((shares.skill + shares.seat + shares.luck - 1.0).abs() < 1e-12);
        assert!((shares.luck - exact.shares.luck).abs() < 0.02, "{shares:?} {:?}", exact.shares);
        let (games, known) = (found.games_to_lead(i, j).unwrap(), exact.games_to_lead().unwrap());
        assert!((games as f64 / known as f64 - 1.0).abs() < 0.4, "{games} {known}");
        assert_eq!(found.games_to_lead(j, i), Some(games), "whoever is named first");
        assert!((found.shares(j, i).luck - shares.luck).abs() < 1e-12);
    }
    // Games that do not show which agent is better give no number.
    let same = League { agents: &[&Greedy, &Greedy], ..league };
    let found = same.play(&Unattended).unwrap();
    assert_eq!(found.games_to_lead(0, 1), None);
}

#[test]
fn a_match_that_is_ended_has_all_games_of_some_pairs() {
    /// Ends the work after this many looks.
    struct After(AtomicU64);

    impl Watch for After {
        fn progress(&self, _: u64, _: u64) {}

        fn stop(&self) -> bool {
            let less = |looks: u64| Some(looks.saturating_sub(1));
            self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less) <= Ok(1)
        }
    }

    let (rules, values) = (small(), solved(&small()));
    let watch = After(AtomicU64::new(40));
    let simulation =
        Simulation { rules: &rules, agents: [&Greedy, &Greedy], seed: 5, watch: &watch };
    let is_ended = |score: &MatchScore| {
        assert!(score.games() < 80 && score.games().is_multiple_of(2), "{}", score.games());
        ControlFlow::Break(())
    };
    let score = simulation.play(1_000, is_ended);
    assert!(score.games() > 0);
    watch.0.store(40, Ordering::Relaxed);
    simulation.play_adjusted(&Alone, 1_000, &values, is_ended);
    // Pairs that are played abreast end between a few moves of the agent that may take its time.
    watch.0.store(600, Ordering::Relaxed);
    let perfect = Argmax(&values);
    let simulation = Simulation { agents: [&Greedy, &perfect], ..simulation };
    let score = simulation.play(1_000, |_| ControlFlow::Break(()));
    assert!(score.games() < 256 && score.games().is_multiple_of(2), "{}", score.games());
}
