//! Laws of brains and linear models.

use proptest::prelude::*;
use puabi_core::{
    Afterstate, Agent, Evaluator, Game, Indexer, Move, Player, Position, Roll, RuleSet, Rules,
    Side, Square,
};
use puabi_engine::{AbsoluteBrain, Brain, Feature, Grid, Linear, Model};

const PRESETS: [&str; 11] = [
    "finkel",
    "blitz",
    "masters",
    "aseb:15",
    "murray",
    "skiriuk-path",
    "finkel:1",
    "masters-4d:3",
    "skiriuk:5",
    "simple-ur",
    "dmytro:5",
];

fn compiled(name: &str) -> Rules {
    name.parse::<RuleSet>().unwrap().compile().unwrap()
}

/// Returns the counts of a side: hand, squares, home.
fn counts(rules: &Rules, side: Side) -> Vec<i32> {
    let on_squares = (1..=rules.length()).map(|number| {
        let square = Square::new(number).unwrap();
        i32::from(side.count(square))
    });
    let hand = std::iter::once(i32::from(rules.hand(side)));
    hand.chain(on_squares).chain([i32::from(side.score())]).collect()
}

/// Returns the score by its definition, as the documentation states it.
fn naive_score(rules: &Rules, grid: &Grid, position: Position) -> i32 {
    let mut columns = counts(rules, position.mine());
    columns.extend(counts(rules, position.theirs()));
    let mut rows = columns.clone();
    rows.push(-1);
    columns.push(1);
    let mut score = 0;
    for (row, &count) in rows.iter().enumerate() {
        // Rows end at the diagonal, so only the corner has the turn as its column.
        for (column, &other) in columns.iter().enumerate().take(row + 1) {
            score += i32::from(grid.get(row, column)) * count * other;
        }
    }
    score
}

fn grids(length: u8) -> impl Strategy<Value = Grid> {
    let count = Grid::new(length).weights().len();
    prop::collection::vec(any::<i16>(), count)
        .prop_map(move |weights| Grid::from_weights(length, weights).unwrap())
}

fn brains() -> impl Strategy<Value = (Rules, Brain)> {
    prop::sample::select(&PRESETS[..]).prop_flat_map(|name| {
        let rules = compiled(name);
        (grids(rules.length()), 0.001..1e6_f64).prop_map(move |(grid, scale)| {
            let brain = Brain::new(&rules, grid, scale).with_origin("a test: of two parts");
            (rules.clone(), brain)
        })
    })
}

fn position(rules: &Rules, spread: u64) -> Position {
    let indexer = Indexer::new(rules).unwrap();
    indexer.position(spread % indexer.len()).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_brain_reads_as_it_is_written((rules, brain) in brains()) {
        prop_assert_eq!(Brain::read(&brain.to_string(), &rules), Ok(brain));
    }

    #[test]
    fn the_score_is_the_sum_over_pairs_of_places((rules, brain) in brains(), at in any::<u64>()) {
        let position = position(&rules, at);
        prop_assert_eq!(brain.score(position), naive_score(&rules, brain.grid(), position));
    }

    #[test]
    fn the_move_played_is_the_first_after_which_the_score_is_best(
        (rules, brain) in brains(),
        at in any::<u64>(),
    ) {
        let lead = |after: Afterstate| match after {
            Afterstate::Won => i32::MAX,
            Afterstate::RollsAgain(position) => naive_score(&rules, brain.grid(), position),
            Afterstate::TurnPasses(position) => -naive_score(&rules, brain.grid(), position),
        };
        for &(roll, _) in rules.rolls() {
            let decision = rules.decision(position(&rules, at), roll);
            let leads: Vec<_> = decision.afterstates().map(|(_, after)| lead(after)).collect();
            let best = leads.iter().position(|lead| lead == leads.iter().max().unwrap()).unwrap();
            let action = brain.choose(&decision, 0.0);
            let chosen = (action, decision.after(action));
            prop_assert_eq!(chosen, decision.afterstates().nth(best).unwrap());
        }
    }

    #[test]
    fn a_brain_that_mirrors_itself_judges_both_sides_alike(at in any::<u64>()) {
        // Except for the roll, the start brain weighs the pieces of both sides alike.
        let rules = compiled("finkel");
        let brain = Brain::start(&rules);
        let position = position(&rules, at);
        let roll = brain.score(rules.start());
        prop_assert_eq!(brain.score(position) - roll, -(brain.score(position.flipped()) - roll));
    }

    #[test]
    fn no_text_breaks_the_reader(text in "[-0-9 #/\n:a-z]{0,200}") {
        let rules = compiled("finkel");
        let _ = (Brain::read(&text, &rules), Linear::read(&text, &rules));
    }

    #[test]
    fn a_linear_model_reads_as_it_is_written(
        weights in prop::collection::vec(-1e3..1e3_f64, 2 * Feature::ALL.len() + 1),
    ) {
        let rules = compiled("finkel");
        let (mine, theirs) = weights[1..].split_at(Feature::ALL.len());
        let model = Linear::new(&rules, mine.try_into().unwrap(), theirs.try_into().unwrap(), weights[0]);
        let model = model.with_origin("\"quoted\"");
        prop_assert_eq!(Linear::read(&model.to_string(), &rules), Ok(model));
    }
}

#[test]
fn a_plain_grid_is_read_as_it_stands() {
    // As the C++ program writes them: a full square, signs that touch the number before, a comment after the last row.
    let rules = compiled("finkel");
    let mut rows = vec![vec![0_i16; 33]; 33];
    (rows[20][20], rows[20][19], rows[32][32]) = (-12, 4, -20);
    let row = |row: &Vec<i16>| {
        row.iter().map(|weight| format!("{weight:3}")).collect::<Vec<_>>().concat()
    };
    let lines: Vec<_> = rows.iter().map(row).collect();
    let text = format!("{}\n\n{}  // the turn", lines[..16].join("\n"), lines[16..].join("\n"));
    assert!(text.contains("4-12"));
    let brain = Brain::read(&text, &rules).unwrap();
    assert_eq!((brain.grid().get(20, 20), brain.grid().get(20, 19)), (-12, 4));
    assert_eq!(brain.score(rules.start()), 20, "the roll is worth what it takes from the opponent");
}

#[test]
fn a_triangle_is_read_too() {
    let rules = compiled("finkel:2");
    let square = Brain::start(&rules);
    let row = |row| {
        (0..=row).map(|column| square.grid().get(row, column).to_string() + " ").collect::<String>()
    };
    let triangle: Vec<String> = (0..33).map(row).collect();
    let read = Brain::read(&triangle.join("\n"), &rules).unwrap();
    assert_eq!(read.grid(), square.grid());
}

#[test]
fn a_broken_brain_is_refused_with_line_and_column() {
    let rules = compiled("finkel");
    let good = Brain::start(&rules).to_string();
    let error = |text: &str| Brain::read(text, &rules).unwrap_err().to_string();
    assert_eq!(
        error("# scale: big\n"),
        "line 1, column 10: `big` is not a scale: expected a number from 1e-9 to 1e9"
    );
    assert_eq!(
        error("1\n2 40000"),
        "line 2, column 3: `40000` is not a weight: expected a whole number from -32768 to 32767"
    );
    assert!(error("1\n 1 2 3\n").starts_with(
        "line 2, column 2: row 2 has 3 weights: expected 33, or the 2 up to the diagonal"
    ));
    assert!(error("1\n1 2\n").starts_with("line 2, column 1: 2 rows: expected 33, since finkel"));
    assert!(error(&format!("{good}1 2\n")).contains("34 rows: expected 33"));
    assert!(error(&Brain::start(&compiled("masters")).to_string()).contains("expected 33"));
}

#[test]
fn chances_of_a_brain_lie_between_none_and_certainty() {
    let rules = compiled("finkel");
    let brain = Brain::shipped(&rules).unwrap();
    let positions: Vec<_> = (0..100).map(|at| position(&rules, at * 1_378_700)).collect();
    let mut values = vec![f64::NAN; positions.len()];
    brain.evaluate(&positions, &mut values);
    assert!(values.iter().all(|value| (0.0..=1.0).contains(value)));
}

#[test]
fn a_brain_plays_the_first_of_equal_moves() {
    let rules = compiled("finkel");
    let brain = Brain::new(&rules, Grid::new(14), 1.0);
    let decision = rules.decision(position(&rules, 12_345_678), puabi_core::Roll::new(2));
    let policy = brain.policy(&decision);
    assert_eq!(policy.iter().sum::<f64>().to_bits(), 1.0_f64.to_bits());
    assert_eq!(policy[0].to_bits(), 1.0_f64.to_bits());
}

#[test]
fn features_say_what_they_are() {
    let rules = compiled("finkel");
    let of = |text: &str, feature: Feature| {
        let position = rules.position(&text.parse().unwrap()).unwrap();
        Feature::of(&rules, position)[feature as usize]
    };
    let is = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-12, "{found}");
    is(of("3,9+2:-:L", Feature::Progress), 2.0 + 12.0 / 15.0);
    is(of("3,9+2:-:L", Feature::Hand), 3.0);
    // Dark would need a 5 to enter on square 5, and comes there from 4 with a 1; 8 is a safe rosette.
    is(of("5,8:4:L", Feature::Exposure), 0.25);
    is(of("5,8:4:L", Feature::Risk), 0.25 * 5.0 / 15.0);
    is(of("4,5,8:-:L", Feature::Rosettes), 2.0);
    is(of("4,5,8:-:L", Feature::Refuge), 1.0);
    is(of("12,13,14:-:L", Feature::Homestretch), 2.0);
    // Dark's piece on 6 cannot move to 8 with a 2.
    is(of("8:6:L", Feature::Blocking), 0.375);
    is(of("8+6:-:L", Feature::Freedom), 15.0 / 16.0);
}

/// Returns the weights with which the games of `testdata/reloaded` were played.
fn reloaded_weight(row: i32, column: i32) -> i32 {
    let bonus = match row {
        0..16 if row == column => 3 * row,
        16..32 if row == column => -3 * (row - 16),
        _ => 0,
    };
    (7 * row * row + 13 * column * column + 5 * row * column + 3 * row) % 41 - 20 + bonus
}

#[test]
fn an_absolute_brain_chooses_as_reloaded_does_in_every_decision_of_fifty_games() {
    let rules = compiled("finkel");
    let weight = |row, column| reloaded_weight(row, column).to_string();
    let row = |row| (0..33).map(|column| weight(row, column)).collect::<Vec<_>>().join(" ");
    let text = (0..33).map(row).collect::<Vec<_>>().join("\n");
    let brain = AbsoluteBrain::read(&text, &rules).unwrap();
    let games = include_str!("../../../../testdata/reloaded/games.txt");
    let games = games.lines().filter(|line| !line.starts_with('#'));
    let mut decisions = 0;
    for line in games {
        let mut game = Game::new(rules.clone());
        for ply in line.split(' ') {
            let (roll, from) = ply.split_once(':').unwrap();
            let decision = game.roll(Roll::new(roll.parse().unwrap())).unwrap();
            let action = brain.choose(&decision, 0.0);
            let found = match (action, action.from()) {
                (Move::Pass, _) => "-".to_owned(),
                (_, from) => from.map_or(0, Square::number).to_string(),
            };
            assert_eq!(found, from, "{} with {roll}", game.setup());
            game.play(action).unwrap();
            decisions += 1;
        }
        assert!(game.winner().is_some());
    }
    assert_eq!(decisions, 6926);
}

#[test]
fn an_absolute_brain_sees_the_same_board_with_either_player_to_roll() {
    // It likes light's piece on square 1, and nothing else: light brings it there, and dark captures no piece elsewhere.
    let rules = compiled("finkel");
    let mut grid = Grid::new(14);
    grid.set(1, 1, 1);
    let brain = AbsoluteBrain::new(&grid);
    let position = rules.position(&"4:-:L".parse().unwrap()).unwrap();
    let decision = rules.decision(position, Roll::new(1));
    assert_eq!(brain.choose(&decision, 0.0).to_string(), "0-1");
    // Dark has nothing to gain from its own square 1, and plays the first move.
    assert_eq!(brain.choose(&decision.by(Player::Dark), 0.0).to_string(), "0-1");
    grid.set(17, 17, 1);
    let brain = AbsoluteBrain::new(&grid);
    assert_eq!(brain.choose(&decision.by(Player::Dark), 0.0).to_string(), "4-5");
}

#[test]
fn a_file_without_weights_is_no_model() {
    for text in ["", "roll = 1.0", "[mine]"] {
        let error = Linear::read(text, &compiled("finkel")).unwrap_err().to_string();
        assert!(error.contains("there is no weight"), "{error}");
    }
}
