//! Laws and facts of reviews.

use std::sync::LazyLock;

use proptest::prelude::*;
use proptest::sample::Index;
use puabi_core::{
    CubeEvaluator, Evaluator, Game, Move, Player, Record, Roll, RuleSet, Setup, Stakes,
};
use puabi_engine::{
    Argmax, Class, CubeErrors, CubeReview, Kind, Lookahead, Phase, PlayerReport, Review,
    ValueSource,
};
use puabi_solve::{Options, Solver, Unattended, Values};

use crate::solved;

static FINKEL: LazyLock<Values> =
    LazyLock::new(|| solved(&RuleSet::FINKEL.with_pieces(2).compile().unwrap()));
static BLITZ: LazyLock<Values> =
    LazyLock::new(|| solved(&RuleSet::BLITZ.with_pieces(2).compile().unwrap()));
static MURRAY: LazyLock<Values> =
    LazyLock::new(|| solved(&RuleSet::MURRAY.with_pieces(1).compile().unwrap()));

static PERFECT: LazyLock<Argmax<Values>> = LazyLock::new(|| Argmax(FINKEL.clone()));

/// Returns random games, with the values of their rules.
fn games() -> impl Strategy<Value = (Record, &'static Values)> {
    let choices = prop::collection::vec(any::<(Index, Index)>(), 0..400);
    (0..3_usize, choices).prop_map(|(which, choices)| {
        let (rule_set, values): (_, &'static Values) = match which {
            0 => (RuleSet::FINKEL.with_pieces(2), &FINKEL),
            1 => (RuleSet::BLITZ.with_pieces(2), &BLITZ),
            _ => (RuleSet::MURRAY.with_pieces(1), &MURRAY),
        };
        let mut game = Game::new(rule_set.compile().unwrap());
        for (roll, choice) in choices {
            if game.turn().is_none() {
                break;
            }
            let roll = roll.get(game.rules().rolls()).0;
            let moves = game.roll(roll).unwrap().moves();
            game.play(*choice.get(&moves)).unwrap();
        }
        (Record::new(game), values)
    })
}

proptest! {
    #[test]
    fn luck_less_errors_is_what_the_chance_has_changed_by((record, values) in games()) {
        let review = Review::new(&record, values);
        let balance: f64 = review.plies.iter().map(|ply| ply.light_luck() - ply.light_error()).sum();
        prop_assert!((review.result - review.start - balance).abs() < 1e-12);
        let totals = &review.totals;
        let by_player = totals.light.luck - totals.dark.luck - totals.light.error + totals.dark.error;
        prop_assert!((review.result - review.start - by_player).abs() < 1e-12);
        prop_assert!(review.plies.iter().all(|ply| ply.error >= 0.0));
    }
}

/// Returns a random game of the Forgotten Game with seven pieces and at most `plies` plies.
fn forgotten(plies: usize) -> Record {
    let rules = RuleSet::SKIRIUK.compile().unwrap();
    let mut thrower = puabi_engine::DiceRng::new(5);
    let mut game = Game::new(rules.clone());
    for _ in 0..plies {
        if game.pending().is_none() && game.turn().is_some() {
            game.roll(thrower.throw(rules.rule_set().dice)).unwrap();
        }
        let Some(decision) = game.decision() else { break };
        let action = thrower.choose(&decision, &puabi_engine::Random);
        game.play(action).unwrap();
    }
    Record::new(game)
}

#[test]
fn a_game_that_is_not_solved_is_judged_by_a_search_in_the_same_form() {
    let record = forgotten(60);
    let lookahead = Lookahead::new(record.game.rules().clone(), 1);
    let review = Review::by(lookahead.source(), &record, &lookahead);
    let balance: f64 = review.plies.iter().map(|ply| ply.light_luck() - ply.light_error()).sum();
    assert!((review.result - review.start - balance).abs() < 1e-12);
    assert_eq!(review.plies.len(), 60);
    assert!(review.source.to_string().starts_with("expectimax:1@brain:"), "{}", review.source);
    assert!(review.totals.light.rating.is_none() && review.totals.light.strength.is_some());
    let caveat = review.source.caveat().unwrap();
    assert!(caveat.contains("looks 1 move ahead") && caveat.contains("all chances are estimates"));
    assert_eq!(ValueSource::Table.caveat(), None);
}

#[test]
fn a_game_that_nobody_can_go_on_with_is_worth_what_the_rules_say_to_a_search_too() {
    let rules = "name = \"Head on\"\ndice = \"1d0=1\"\npieces = 2\nrosettes_grant_rolls = false\n[path]\nboard = [\"***\"]\n\
                 light = \"A1 A2 A3\"\ndark = \"A3 A2 A1\"\n";
    let rules = RuleSet::from_toml(rules).unwrap().compile().unwrap();
    let mut game = Game::new(rules.clone());
    while game.turn().is_some() {
        game.roll(rules.rolls()[0].0).unwrap();
        let action = game.decision().unwrap().moves()[0];
        game.play(action).unwrap();
    }
    assert_eq!(game.winner(), None);
    let record = Record::new(game);
    for depth in 1..=3 {
        let lookahead = Lookahead::new(rules.clone(), depth);
        let review = Review::by(lookahead.source(), &record, &lookahead);
        let balance: f64 =
            review.plies.iter().map(|ply| ply.light_luck() - ply.light_error()).sum();
        assert!((review.result - review.start - balance).abs() < 1e-12, "{depth}");
    }
}

#[test]
fn looking_a_move_further_is_the_mean_of_the_best_moves() {
    let record = forgotten(40);
    let rules = record.game.rules();
    let [one, two] = [1, 2].map(|depth| Lookahead::new(rules.clone(), depth));
    let value = |judge: &Lookahead, position| {
        let mut value = [0.0];
        judge.evaluate(&[position], &mut value);
        value[0]
    };
    for ply in record.game.plies().iter().step_by(7) {
        let rolls = rules.rolls().iter().map(|&(roll, chance)| {
            chance * rules.decision(ply.before, roll).best_value(|position| value(&one, position))
        });
        assert!((rolls.sum::<f64>() - value(&two, ply.before)).abs() < 1e-12);
    }
}

/// Returns the review of one ply of finkel:2, from `setup`, which names the roll.
fn one_ply(setup: &str, action: &str) -> Review {
    let rules = RuleSet::FINKEL.with_pieces(2).compile().unwrap();
    let mut game = Game::from_setup(rules, setup.parse::<Setup>().unwrap()).unwrap();
    game.play(action.parse::<Move>().unwrap()).unwrap();
    Review::new(&Record::new(game), &*FINKEL)
}

#[test]
fn the_last_piece_home_is_forced_and_certain() {
    let rules = RuleSet::FINKEL.with_pieces(2).compile().unwrap();
    let game = |start: &str| Game::from_setup(rules.clone(), start.parse().unwrap()).unwrap();
    let mut forced = game("14+1:12+1:L1");
    forced.play("14-off".parse().unwrap()).unwrap();
    let review = Review::new(&Record::new(forced), &*FINKEL);
    assert_eq!(
        (review.plies[0].class, review.result.to_bits()),
        (Class::Forced, 1.0_f64.to_bits())
    );
}

#[test]
fn a_roll_that_the_start_names_is_no_luck() {
    let review = one_ply("4,14:12:L1", "4-5");
    assert_eq!(review.plies[0].luck.to_bits(), 0.0_f64.to_bits());
    assert_eq!(review.start.to_bits(), review.plies[0].best_value.to_bits());
}

#[test]
fn a_roll_that_waits_for_its_move_counts_only_if_the_start_names_it() {
    let mut game = Game::new(RuleSet::FINKEL.with_pieces(2).compile().unwrap());
    let usual = Review::new(&Record::new(game.clone()), &*FINKEL);
    game.roll(Roll::new(4)).unwrap();
    let waiting = Review::new(&Record::new(game), &*FINKEL);
    assert!(waiting.start.to_bits() == usual.start.to_bits());
    assert!(waiting.result.to_bits() == usual.result.to_bits());
    let named: Setup = "-:-:L4".parse().unwrap();
    let rules = RuleSet::FINKEL.with_pieces(2).compile().unwrap();
    let named = Review::new(&Record::new(Game::from_setup(rules, named).unwrap()), &*FINKEL);
    assert!(named.start > usual.start + 0.05, "{} {}", named.start, usual.start);
}

#[test]
fn a_capture_that_is_missed_is_named_by_its_tile() {
    let review = one_ply("1,9:11:L2", "1-3");
    let ply = &review.plies[0];
    let reason = ply.reason.as_ref().unwrap();
    assert_eq!((ply.best.to_string().as_str(), reason.kind), ("9-11", Kind::MissedCapture));
    assert!(reason.sentence.starts_with("did not take the piece on B7"), "{}", reason.sentence);
    assert!(reason.sentence.ends_with(&format!("cost {:.1} points", ply.error * 100.0)));
    // Dark has travelled 11 of its 30 squares.
    assert_eq!(reason.phase, Phase::Middle);
    assert!(ply.class.is_slip());
}

#[test]
fn no_rosette_is_missed_where_rosettes_do_nothing() {
    let plain = RuleSet {
        name: "plain".into(),
        safe_rosettes: false,
        rosettes_grant_rolls: false,
        ..RuleSet::FINKEL.with_pieces(2)
    };
    let rules = plain.compile().unwrap();
    let values = solved(&rules);
    let mut game = Game::from_setup(rules, "1,7:5:D4".parse::<Setup>().unwrap()).unwrap();
    game.play("5-9".parse::<Move>().unwrap()).unwrap();
    let review = Review::new(&Record::new(game), &values);
    let ply = &review.plies[0];
    // The best move lands on the rosette C1.
    assert_eq!(ply.best.to_string(), "0-4");
    assert_eq!(ply.reason.as_ref().unwrap().kind, Kind::Exposed);
}

#[test]
fn perfect_moves_are_all_accuracy_and_random_ones_about_none() {
    let rules = RuleSet::FINKEL.with_pieces(2).compile().unwrap();
    let mut thrower = puabi_engine::DiceRng::new(3);
    let mut reviews = Vec::new();
    for _ in 0..60 {
        let mut game = Game::new(rules.clone());
        while let Some(player) = game.turn() {
            let decision = game.roll(thrower.throw(rules.rule_set().dice)).unwrap();
            let action = match player {
                Player::Light => thrower.choose(&decision, &*PERFECT),
                Player::Dark => thrower.choose(&decision, &puabi_engine::Random),
            };
            game.play(action).unwrap();
        }
        reviews.push(Review::new(&Record::new(game), &*FINKEL));
    }
    let of = |player| {
        let games: Vec<_> =
            reviews.iter().map(|review| (String::new(), player, review.clone())).collect();
        PlayerReport::new("", &games)
    };
    let (light, dark) = (of(Player::Light), of(Player::Dark));
    assert_eq!(light.accuracy, Some(100.0));
    assert_eq!(light.strength.unwrap().temperature.value.to_bits(), 0.0_f64.to_bits());
    assert!(light.leaks.is_empty() && light.won > 30);
    // Four standard deviations of some 600 choices.
    assert!(dark.accuracy.unwrap().abs() < 20.0, "{:?}", dark.accuracy);
    assert!(dark.strength.unwrap().temperature.high.is_infinite());
    assert!(dark.leaks.windows(2).all(|pair| pair[0].error >= pair[1].error));
}

#[test]
fn a_review_in_json_has_the_keys_that_programs_rely_on() {
    let json = serde_json::to_value(one_ply("1,9:11:L2", "1-3")).unwrap();
    let keys =
        |value: &serde_json::Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(
        keys(&json),
        [
            "judge",
            "names",
            "plies",
            "result",
            "rules",
            "start",
            "totals",
            "turning_points",
            "winner"
        ]
    );
    let ply = &json["plies"][0];
    assert_eq!(
        keys(ply),
        [
            "before",
            "best",
            "best_value",
            "class",
            "error",
            "luck",
            "move",
            "moves",
            "number",
            "player",
            "position",
            "reason",
            "roll",
            "value",
        ]
    );
    assert_eq!((&ply["player"], &ply["position"]), (&"light".into(), &"1,9:11:L2".into()));
    assert_eq!(ply["reason"]["kind"], "missed-capture");
    assert_eq!(keys(&ply["reason"]), ["best_hit", "hit", "kind", "phase", "sentence"]);
}

#[test]
fn a_double_that_was_passed_is_called_no_resignation() {
    let end = |lines: &str| {
        let text =
            format!("format: urg 1\nrules: finkel:2\nstakes: cube 1 to 4\ndark: Bea\n\n{lines}\n");
        let record: Record = text.parse().unwrap();
        Review::new(&record, &*FINKEL).early_end().map(str::to_owned)
    };
    assert_eq!(end("L doubles\nD passes").as_deref(), Some("Bea passes"));
    assert_eq!(end("L doubles\nD takes\nresigned D").as_deref(), Some("Bea resigned"));
    assert_eq!(end("L doubles\nD takes"), None);
}

#[test]
fn a_double_that_cannot_gain_is_charged_and_so_is_its_answer() {
    let rules = RuleSet::FINKEL.with_pieces(2).compile().unwrap();
    let solver = Solver::new(&rules, Options::default()).unwrap();
    let table = solver.match_table(&FINKEL, 3, &Unattended).unwrap();
    let stakes: Stakes = "cube 1, match 1-3".parse().unwrap();
    let values = solver.solve_at(stakes.score.unwrap(), &FINKEL, &table, &Unattended).unwrap();
    let worth =
        |stakes: Stakes| values.worth_rolling(&rules, stakes.cube, Player::Light, rules.start());
    let (rolling, taken) = (worth(stakes), worth(stakes.double(Player::Light).unwrap()));
    assert!(rolling - taken > 0.2);
    let costs = |answer: &str| {
        let head = format!("format: urg 1\nrules: finkel:2\nstakes: {stakes}\n\n");
        let record: Record = format!("{head}L doubles\nD {answer}\n").parse().unwrap();
        let totals = CubeReview::new(&record, &values).unwrap().totals;
        let [light, dark] = [totals.light, totals.dark]
            .map(|CubeErrors { doubling, taking, .. }| (doubling, taking));
        assert_eq!((light.1, dark.0), (0.0, 0.0));
        (light.0, dark.1)
    };
    assert_eq!(costs("takes"), (rolling - taken, 0.0));
    // A pass loses the match.
    assert_eq!(costs("passes"), (rolling - taken, 1.0 - taken));
}

#[test]
fn a_missed_double_counts_whether_or_not_the_move_after_it_was_played() {
    let rules = RuleSet::FINKEL.with_pieces(1).compile().unwrap();
    let solver = Solver::new(&rules, Options::default()).unwrap();
    let (cubeless, _) = solver.solve(&Unattended, &Unattended).unwrap();
    let money = solver.solve_money(cubeless, 1, &Unattended).unwrap();
    let doubling = |last: &str| {
        let head = "format: urg 1\nrules: finkel:1\nstakes: cube 1 to 2\nstart: 14:-:L\n";
        let text = format!("{head}\nL 2 pass\nD 1 0-1\n{last}");
        let record: Record = text.parse().unwrap();
        CubeReview::new(&record, &money).unwrap().totals.light.doubling
    };
    let before = doubling("");
    let [waiting, played] = [doubling("L 4\n"), doubling("L 4 pass\n")];
    assert!(before < waiting, "{before}, {waiting}");
    assert_eq!(waiting.to_bits(), played.to_bits());
}
