//! Races: games that are won with fewer than all pieces home.

use puabi_core::{
    Charset, Game, Indexer, Picture, Player, Position, Roll, RuleError, RuleSet, Rules, Square,
    Squares, perft,
};

fn race(rule_set: RuleSet, goal: u8) -> RuleSet {
    RuleSet { name: "race".into(), goal: Some(goal), ..rule_set }
}

fn compiled(rule_set: RuleSet, goal: u8) -> Rules {
    race(rule_set, goal).compile().unwrap()
}

fn position(rules: &Rules, text: &str) -> Position {
    rules.position(&text.parse().unwrap()).unwrap()
}

/// Returns the moves of the player about to roll, as texts.
fn moves(rules: &Rules, text: &str, steps: u8) -> Vec<String> {
    let decision = rules.decision(position(rules, text), Roll::new(steps));
    decision.moves().iter().map(ToString::to_string).collect()
}

#[test]
fn a_race_is_won_with_its_goal_home_whatever_else_stands_on_the_board() {
    let rules = compiled(RuleSet::FINKEL, 5);
    let mut game = Game::from_setup(rules, "3,14+4:8,9:L".parse().unwrap()).unwrap();
    game.roll(Roll::new(1)).unwrap();
    game.play("14-off".parse().unwrap()).unwrap();
    assert_eq!(game.winner(), Some(Player::Light));
    assert_eq!(game.setup().to_string(), "3+5:8,9:L");
}

#[test]
fn a_position_with_the_goal_home_is_of_a_finished_game() {
    let rules = compiled(RuleSet::FINKEL, 5);
    for (home, is_over) in [(4, false), (5, true), (6, true)] {
        let found = rules.position(&format!("-:14+{home}:L").parse().unwrap());
        assert_eq!(found.is_err(), is_over, "{home}");
        let quick = rules.arrange((Squares::EMPTY, 0), (Squares::range(14, 14), home));
        assert_eq!(quick, found.ok(), "{home}");
    }
    let error = rules.position(&"-:+6:L".parse().unwrap()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "dark has 6 home: the game is over with 5 home, and nobody rolls"
    );
}

#[test]
fn only_the_farthest_piece_may_win_with_a_longer_roll() {
    let loose = RuleSet { exact_exit: false, ..RuleSet::FINKEL };
    let rules = compiled(loose, 5);
    // 14 needs 1 and 12 needs 3: with 3 both win; with 4 only the farthest does, and neither if two more are needed.
    assert_eq!(moves(&rules, "12,14+4:-:L", 3), ["0-3", "12-off", "14-off"]);
    assert_eq!(moves(&rules, "12,14+4:-:L", 4), ["0-4", "14-off"]);
    assert_eq!(moves(&rules, "12,14+3:-:L", 4), ["0-4"]);
    // If all pieces must come home, the one that wins is the last.
    let all = compiled(RuleSet { exact_exit: false, ..RuleSet::FINKEL }, 7);
    assert_eq!(moves(&all, "14+6:-:L", 4), ["14-off"]);
}

#[test]
fn nobody_leaves_with_a_longer_roll_past_a_farther_piece_that_lies_under_another() {
    let loose = RuleSet { exact_exit: false, ..RuleSet::SKIRIUK };
    let rules = compiled(loose, 1);
    // Square 21 is a holy tile, where dark's piece comes to lie on light's.
    let buried = |setup: &str| moves(&rules, setup, 4);
    assert_eq!(buried("21:-:L"), ["0-4", "21-off"].map(String::from));
    assert_eq!(buried("21,22:-:L"), ["0-4", "22-off"].map(String::from));
    let tile = rules.tile(Player::Light, Square::new(21).unwrap());
    assert_eq!(buried(&format!("20,21:21:L:{tile}=L21.D21")), ["0-4", "20-off"].map(String::from));
    assert_eq!(moves(&rules, &format!("19,21:21:L:{tile}=L21.D21"), 4), ["0-4", "19-23"]);
}

#[test]
fn pictures_tell_how_many_are_to_come_home() {
    let rules = compiled(RuleSet::FINKEL, 5);
    let picture = |setup: &str| {
        let setup = setup.parse().unwrap();
        Picture::position(&rules, &setup, Charset::Ascii).to_string()
    };
    let going = picture("3,14+4:8,9:L1");
    assert!(going.contains("1 in hand, 4 of 5 home, to move 1"), "{going}");
    assert!(going.contains("5 in hand, 0 of 5 home"), "{going}");
    let won = picture("3+5:8,9:L");
    assert!(won.contains("1 in hand, 5 of 5 home\n"), "{won}");
}

#[test]
fn pips_are_those_of_the_pieces_that_win_soonest() {
    let rules = compiled(RuleSet::FINKEL, 2);
    assert_eq!(rules.pips(rules.start().mine()), 30);
    let mine = |text| position(&rules, text).mine();
    assert_eq!(rules.pips(mine("3,12,14:-:L")), 1 + 3);
    assert_eq!(rules.pips(mine("3,12,14+1:-:L")), 1);
    assert_eq!(rules.pips(mine("14:-:L")), 1 + 15);
}

/// Checks that the positions of a race are those of the whole game in which neither player has won the race, each once.
fn check_positions(rule_set: RuleSet, goal: u8) {
    let (whole, race) = (rule_set.compile().unwrap(), compiled(rule_set, goal));
    let (whole, race) = (Indexer::new(&whole).unwrap(), Indexer::new(&race).unwrap());
    let all = |indexer: &Indexer| {
        let indices = 0..indexer.len();
        indices.map(|index| indexer.position(index).unwrap()).collect::<Vec<_>>()
    };
    for (index, position) in (0..).zip(all(&race)) {
        assert_eq!(race.rank(position), index);
    }
    let goes_on = |p: &Position| p.mine().score() < goal && p.theirs().score() < goal;
    let mut expected: Vec<_> = all(&whole).into_iter().filter(goes_on).collect();
    let mut found = all(&race);
    expected.sort_unstable();
    found.sort_unstable();
    assert!(found == expected, "{} of {}", found.len(), expected.len());
    assert_eq!(race.layers(), usize::from(goal) * usize::from(goal + 1) / 2);
}

#[test]
fn the_positions_of_a_race_are_those_in_which_nobody_has_won_it() {
    for goal in 1..=2 {
        check_positions(RuleSet::FINKEL.with_pieces(2), goal);
        check_positions(RuleSet::MURRAY.with_pieces(2), goal);
    }
    check_positions(RuleSet::FINKEL.with_pieces(3), 2);
    check_positions(RuleSet::DMYTRO.with_pieces(2), 1);
    check_positions(RuleSet::SKIRIUK.with_pieces(2), 1);
}

#[test]
fn a_race_for_all_pieces_is_the_game_itself() {
    for preset in RuleSet::PRESETS {
        let same = RuleSet { goal: Some(preset.pieces), ..preset.clone() };
        assert_eq!(same.to_toml(), preset.to_toml());
        assert_eq!(same.compile(), preset.compile());
        assert_eq!(
            RuleSet::from_toml(&format!("goal = {}\n{}", preset.pieces, preset.to_toml())),
            Ok(preset)
        );
    }
}

#[test]
fn lines_of_play_end_with_the_goal() {
    // Light's 14 wins with a 1; if all pieces must come home, the game goes on.
    let lines = |rules: &Rules| {
        let position = rules.position(&"14+1:14:L".parse().unwrap()).unwrap();
        [1, 2].map(|depth| perft(rules, position, depth))
    };
    let whole = RuleSet::FINKEL.with_pieces(3).compile().unwrap();
    let [race, whole] = [compiled(RuleSet::FINKEL.with_pieces(3), 2), whole].map(|it| lines(&it));
    assert_eq!(race[0], whole[0]);
    assert!(race[1] < whole[1], "{race:?} {whole:?}");
}

#[test]
fn a_goal_is_a_number_of_the_pieces() {
    let error = |text: &str| RuleSet::from_toml(text).unwrap_err().to_string();
    assert_eq!(
        error("path = \"bell\"\npieces = 5\ngoal = 6"),
        "line 3, column 8: `goal` is the number 6: expected a whole number from 1 to 5"
    );
    assert_eq!(
        error("path = \"bell\"\ngoal = \"all\""),
        "line 2, column 8: `goal` is the text \"all\": expected a whole number from 1 to 7"
    );
    assert_eq!(
        error("path = \"bell\"\ngoal = 0"),
        "line 2, column 8: `goal` is the number 0: expected a whole number from 1 to 7"
    );
    let none = race(RuleSet::FINKEL.with_pieces(3), 5).compile().unwrap_err();
    assert_eq!(none, RuleError::Goal { found: 5, pieces: 3 });
    assert_eq!(
        error("name = \"finkel\"\npath = \"bell\"\ngoal = 5"),
        "line 1, column 8: `name`: the name `finkel` would be taken for the preset `finkel`: expected `finkel` for its rules, another name for others"
    );
}

#[test]
fn the_example_is_dmytros_game_and_ends_with_five_home() {
    let text = include_str!("../../../../examples/rules/dmytro-5-home.toml");
    let rule_set = RuleSet::from_toml(text).unwrap();
    let plain = RuleSet { name: RuleSet::DMYTRO.name, goal: None, ..rule_set.clone() };
    assert_eq!((rule_set.goal, plain), (Some(5), RuleSet::DMYTRO));
    for seed in 0..20 {
        let mut game = Game::new(rule_set.compile().unwrap());
        play_out(&mut game, seed);
        let winner = game.winner().unwrap();
        let setup = game.setup();
        assert_eq!(setup.side(winner).score, 5, "{setup}");
        assert!(setup.side(winner.opponent()).score < 5, "{setup}");
    }
}

/// Plays a game to its end with pseudorandom numbers.
fn play_out(game: &mut Game, seed: u64) {
    let mut state = seed;
    let mut next = |choices: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap() % choices
    };
    while !game.is_over() {
        let rolls = game.rules().rolls();
        let roll = rolls[next(rolls.len())].0;
        let moves = game.roll(roll).unwrap().moves();
        game.play(moves[next(moves.len())]).unwrap();
    }
}
