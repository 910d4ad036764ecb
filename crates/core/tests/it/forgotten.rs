//! The Forgotten Game of Ur and its kin: test positions of their specification, counts and invariants.

use proptest::prelude::*;
use puabi_core::{
    DeadPosition, Game, Indexer, Move, Player, Position, Roll, RuleError, RuleSet, Rules, Setup,
    SideSetup, Square, Stack, StackOrder, Stacks, TileKind, Turning, TurnsOn,
};

/// The position in which pieces stand as in `W7 B7 W7`, bottom first, and `turn` is about to roll.
///
/// `home` is the number of white's pieces home; white is light.
fn position(rules: &Rules, pieces: &str, turn: Player, home: u8) -> Position {
    let mut setup = Setup {
        light: SideSetup { squares: Vec::new(), score: home },
        dark: SideSetup::default(),
        turn,
        roll: None,
        stacks: Vec::new(),
    };
    let mut stacks: Vec<Stack> = Vec::new();
    for text in pieces.split_whitespace() {
        let (player, number) = text.split_at(1);
        let square = Square::new(number.parse().unwrap()).unwrap();
        let (player, side) = match player {
            "W" => (Player::Light, &mut setup.light),
            _ => (Player::Dark, &mut setup.dark),
        };
        side.squares.push(square);
        let tile = rules.tile(player, square);
        match stacks.iter_mut().find(|stack| stack.tile == tile) {
            Some(stack) => stack.pieces.push((player, square)),
            None => stacks.push(Stack { tile, pieces: vec![(player, square)] }),
        }
    }
    setup.light.squares.sort_unstable();
    setup.dark.squares.sort_unstable();
    let counts = |stack: &Stack| match rules.rule_set().stacks.order {
        StackOrder::Lifo => true,
        StackOrder::FreeInCamps => rules.board().tile_kind(stack.tile) != Some(TileKind::Camp),
        StackOrder::Free => false,
    };
    let differs = |stack: &Stack| stack.pieces.iter().any(|piece| *piece != stack.pieces[0]);
    setup.stacks = stacks.into_iter().filter(|stack| counts(stack) && differs(stack)).collect();
    let named = rules.position(&setup).unwrap();
    assert_eq!(rules.position(&rules.setup(named, turn).to_string().parse().unwrap()), Ok(named));
    named
}

/// Returns the squares that the legal moves leave, 0 for the hand; a pass leaves no square.
fn origins(rules: &Rules, position: Position, steps: u8) -> Vec<u8> {
    let moves = rules.decision(position, Roll::new(steps)).moves();
    let moves = moves.into_iter().filter(|&action| action != Move::Pass);
    moves.map(|action| action.from().map_or(0, Square::number)).collect()
}

/// Test positions: rules (f full, s simple), pieces, white's pieces home, turn and roll, and the squares of legal moves.
const LEGAL: &[(&str, &str, u8, &str, &[u8])] = &[
    ("f", "", 0, "W4", &[0]),
    ("f", "W1 W1 W1 W1", 0, "W1", &[1]),
    ("f", "W1 W1 W1 W1", 0, "W2", &[0, 1]),
    ("f", "W2", 0, "W2", &[2]),
    ("f", "W1", 0, "W1", &[0, 1]),
    ("s", "W1", 0, "W1", &[1]),
    ("f", "W11 B10", 0, "B1", &[0]),
    ("f", "W11 B10", 0, "B2", &[0, 10]),
    ("s", "W10 B11", 0, "W1", &[0, 10]),
    ("f", "W10 B11", 0, "W1", &[0]),
    ("f", "W11 W16", 0, "W1", &[0, 11, 16]),
    ("f", "W11 W17", 0, "W1", &[0, 17]),
    ("f", "W11 W11 W11 W11 W10", 0, "W1", &[0, 11]),
    ("f", "W13 B13", 0, "W2", &[0]),
    ("f", "W13 B14", 0, "W1", &[0, 13]),
    ("f", "W12 B14", 0, "W2", &[0, 12]),
    ("f", "W11 B14", 0, "W3", &[0, 11]),
    ("f", "W13 B14", 0, "B1", &[0]),
    ("f", "W12 B14", 0, "B2", &[0]),
    ("f", "W12 B15", 0, "B1", &[0]),
    ("f", "W14 B13", 0, "B1", &[0, 13]),
    ("f", "W8 B19", 0, "B1", &[0]),
    ("f", "W8 B7", 0, "B1", &[0, 7]),
    ("f", "W19 B18", 0, "B1", &[0, 18]),
    ("f", "B7 W3", 0, "W4", &[0, 3]),
    ("f", "W7 B7 W21 B21 W6", 0, "W1", &[0]),
    ("f", "W7 B7 W21 W6", 0, "W1", &[0, 6]),
    ("f", "W6 B21", 0, "W1", &[0, 6]),
    ("s", "W6 B21", 0, "W1", &[0]),
    ("s", "W6 B7", 0, "W1", &[0, 6]),
    ("f", "W23 B22", 0, "B1", &[0]),
    ("s", "W23 B22", 0, "B1", &[0, 22]),
    ("f", "W5 B4", 0, "B1", &[0, 4]),
    ("s", "W5 B4", 0, "B1", &[0, 4]),
    ("f", "W23 B4", 0, "B1", &[0]),
    ("s", "W23 B4", 0, "B1", &[0]),
    ("f", "W5 B22", 0, "B1", &[0]),
    ("s", "W5 B22", 0, "B1", &[0]),
    ("f", "W23 W4", 0, "W1", &[0, 23]),
    ("f", "W6 W20", 0, "W2", &[0]),
    ("f", "W23", 6, "W2", &[]),
    ("f", "W23", 6, "W1", &[23]),
    ("f", "W20", 6, "W4", &[20]),
    ("f", "W21", 6, "W4", &[]),
    // The squares of the deadlock of Simple Ur; under these rules the position is not dead.
    ("f", "W15 W16 W17 W18 B4 B5 B6 B7 B8 B9", 3, "W1", &[16, 17]),
    ("f", "W15 W16 W17 W18 B4 B5 B6 B7 B8 B9", 3, "W2", &[15, 16]),
    ("f", "W15 W16 W17 W18 B4 B5 B6 B7 B8 B9", 3, "W3", &[15, 18]),
    ("f", "W15 W16 W17 W18 B4 B5 B6 B7 B8 B9", 3, "W4", &[17]),
    // Dmytro's game: tiles of four eyes take novices only, tiles of four fives veterans only, and no piece lies under another.
    ("d", "W3", 0, "W4", &[0]),
    ("d", "W16", 0, "W1", &[0]),
    ("d", "W16 W18 B18 B18", 0, "W2", &[0, 16, 18]),
    ("d", "W16 W18 B18 B18 B18", 0, "W2", &[0, 18]),
    ("d", "W5 B5 W23 B23 B4", 0, "B1", &[0, 5, 23]),
    ("d", "W5 B5 W23 B4", 0, "B1", &[0, 4, 5]),
    ("d", "W11 B11 W9", 0, "W2", &[0, 9, 11]),
    ("d", "W9 B18", 0, "B1", &[0, 18]),
];

#[test]
fn the_test_positions_have_the_legal_moves_of_the_specification() {
    for &(rules, pieces, home, throw, expected) in LEGAL {
        let rule_set = match rules {
            "f" => RuleSet::SKIRIUK,
            "s" => RuleSet::SIMPLE_UR,
            _ => RuleSet::DMYTRO,
        };
        let rules = rule_set.compile().unwrap();
        let turn = if throw.starts_with('W') { Player::Light } else { Player::Dark };
        let position = position(&rules, pieces, turn, home);
        let steps = throw[1..].parse().unwrap();
        assert_eq!(origins(&rules, position, steps), expected, "{rule_set}: {pieces}, {throw}");
    }
}

fn play(rules: &Rules, pieces: &str, turn: Player, action: &str) -> (Position, bool) {
    let before = position(rules, pieces, turn, 0);
    let action: Move = action.parse().unwrap();
    let from = action.from().map_or(0, Square::number);
    let roll = Roll::new(action.to().unwrap().number() - from);
    let after = rules.decision(before, roll).play(action).unwrap();
    (after.position().unwrap(), after.rolls_again())
}

#[test]
fn a_novice_that_turns_in_flight_captures_a_veteran_who_starts_again() {
    let rules = RuleSet::SKIRIUK.compile().unwrap();
    for (from, action) in [("W13", "13-14"), ("W12", "12-14"), ("W11", "11-14")] {
        let (after, again) = play(&rules, &format!("{from} B14"), Player::Light, action);
        assert!(!again);
        assert_eq!(rules.setup(after, Player::Dark).to_string(), "14:-:D");
        assert_eq!(rules.hand(after.mine()), 7);
    }
    let (after, _) = play(&rules, "W14 B13", Player::Dark, "13-14");
    assert_eq!(rules.setup(after, Player::Light).to_string(), "-:14:L");
}

#[test]
fn a_capture_on_a_rosette_rolls_again_and_entering_one_does() {
    let rules = RuleSet::SKIRIUK.compile().unwrap();
    let (after, again) = play(&rules, "W8 B7", Player::Dark, "7-8");
    assert!(again);
    assert_eq!(rules.setup(after, Player::Dark).to_string(), "-:8:D");
    assert!(play(&rules, "", Player::Light, "0-4").1);
}

#[test]
fn stacks_are_last_in_first_out() {
    let rules = RuleSet::SKIRIUK.compile().unwrap();
    let (after, _) = play(&rules, "W11 W16", Player::Light, "16-17");
    let setup = rules.setup(after, Player::Dark);
    assert_eq!(setup.to_string(), "11,17:-:D:B7=L11.L17");
    assert_eq!(origins(&rules, after.flipped(), 1), [0, 17]);

    let (covered, _) = play(&rules, "B7 W3", Player::Light, "3-7");
    assert_eq!(rules.setup(covered, Player::Dark).to_string(), "7:7:D:B3=D7.L7");
    assert!(!origins(&rules, covered, 2).contains(&7));
    let freed =
        rules.decision(covered.flipped(), Roll::new(2)).play("7-9".parse().unwrap()).unwrap();
    assert!(origins(&rules, freed.position().unwrap(), 2).contains(&7));
}

#[test]
fn a_dead_position_of_simple_ur_ends_the_game_without_a_winner() {
    let rules = RuleSet::SIMPLE_UR.compile().unwrap();
    let text = "15,16,17,18+3:4,5,6,7,8,9+1:L";
    let setup: Setup = text.parse().unwrap();
    let position = rules.position(&setup).unwrap();
    assert!(rules.is_dead(position) && rules.is_dead(position.flipped()));
    for steps in 1..=4 {
        assert_eq!(origins(&rules, position, steps), [0; 0]);
    }
    let mut game = Game::from_setup(rules, setup).unwrap();
    game.roll(Roll::new(2)).unwrap();
    game.play(Move::Pass).unwrap();
    assert!(game.is_over() && game.winner().is_none() && game.turn().is_none());
    assert_eq!(
        game.roll(Roll::new(1)).unwrap_err().to_string(),
        "the game is over: neither player can ever move, and nobody has won"
    );
    let more_home = RuleSet {
        dead_position: DeadPosition::MoreHome,
        name: "more".into(),
        ..RuleSet::SIMPLE_UR
    };
    let mut game = Game::from_setup(more_home.compile().unwrap(), text.parse().unwrap()).unwrap();
    game.roll(Roll::new(2)).unwrap();
    game.play(Move::Pass).unwrap();
    assert_eq!(game.winner(), Some(Player::Light));
    game.undo();
    assert!(!game.is_over());
}

#[test]
fn there_are_as_many_positions_as_published() {
    let len = |rule_set: RuleSet| Indexer::new(&rule_set.compile().unwrap()).unwrap().len();
    assert_eq!(len(RuleSet::SKIRIUK.with_pieces(4)), 209_167_162);
    assert_eq!(len(RuleSet::SIMPLE_UR.with_pieces(5)), 522_551_083);
    assert_eq!(len(RuleSet::DMYTRO.with_pieces(4)), 50_987_935);
    // To the digits that the specification gives: 1.07 T, 140 G with stacks of two, 58.7 G.
    let near = |rule_set, billions: f64| {
        let found = len(rule_set) as f64 / 1e9;
        assert!((found / billions - 1.0).abs() < 0.005, "{found} {billions}");
    };
    near(RuleSet::SKIRIUK, 1070.0);
    near(RuleSet::DMYTRO, 58.7);
    let mut low = RuleSet { name: "low".into(), ..RuleSet::SKIRIUK };
    low.stacks.cap = 2;
    near(low, 140.0);
}

#[test]
fn positions_that_break_a_rule_are_refused_by_square_and_rule() {
    let error = |rule_set: RuleSet, text: &str| {
        let rules = rule_set.compile().unwrap();
        rules.position(&text.parse().unwrap()).unwrap_err().to_string()
    };
    assert_eq!(
        error(RuleSet::SKIRIUK, "1,1,1,1,1:-:L"),
        "A4 holds 5 pieces: these rules allow 4 on each other"
    );
    assert_eq!(
        error(RuleSet::SKIRIUK, "7,7,7:7,21:L:B3=L7.L7.L7.D7.D21"),
        "B3 holds 5 pieces: these rules allow 4 on each other"
    );
    assert_eq!(
        error(RuleSet::SKIRIUK, "11:17:L"),
        "B7 holds pieces of both players (light's square 11, dark's square 17): a camp is closed to the other player"
    );
    assert_eq!(
        error(RuleSet::SKIRIUK, "7:7:L"),
        "B3 holds different pieces, and their order matters: expected a fourth field such as `B3=L7.D7`, \
         bottom first"
    );
    let example = error(RuleSet::SKIRIUK, "7,7:21:L");
    assert!(example.contains("such as `B3=L7.L7.D21`"), "{example}");
    assert_eq!(
        error(RuleSet::SKIRIUK, "7:7:L:B3=L7.L7"),
        "B3=L7.L7 does not list the pieces that stand there: expected those of B3=L7.D7, in their order"
    );
    assert_eq!(
        error(RuleSet::SKIRIUK, "7:7:L:B3=L7.D7,B4=L8"),
        "the order of pieces on B4 does not matter under these rules: leave that tile out of the fourth field"
    );
    assert_eq!(
        error(RuleSet::DMYTRO, "7:-:L"),
        "light has a piece on square 7, but B3 is a tile for veterans"
    );
    assert_eq!(
        error(RuleSet::SKIRIUK, "2,2:-:L"),
        "light has two pieces on square 2: these rules allow one piece a square"
    );
}

/// Returns the squares on which a piece may be captured, by the specification.
fn may_be_captured(rule_set: &RuleSet) -> &'static [u8] {
    match &*rule_set.name {
        "skiriuk" => &[5, 6, 8, 9, 14, 19, 20, 22],
        _ => &[5, 6, 7, 8, 9, 10, 11, 14, 17, 18, 19, 20, 21, 22, 23],
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn random_games_keep_the_invariants(
        is_simple in any::<bool>(),
        choices in prop::collection::vec(any::<(prop::sample::Index, prop::sample::Index)>(), 400),
    ) {
        let rule_set = if is_simple { RuleSet::SIMPLE_UR } else { RuleSet::SKIRIUK };
        let rules = rule_set.compile().unwrap();
        let mut game = Game::new(rules.clone());
        for (roll, choice) in choices {
            if game.is_over() {
                break;
            }
            game.roll(roll.get(rules.rolls()).0).unwrap();
            let decision = game.decision().unwrap();
            let action = *choice.get(&decision.moves());
            if let Some(victim) = decision.captures(action) {
                // Same square and same kind is the same step of both paths.
                prop_assert_eq!(action.to(), Some(victim));
                prop_assert!(may_be_captured(&rule_set).contains(&victim.number()));
            }
            game.play(action).unwrap();
            let Some(position) = game.position() else { break };
            let setup = game.setup();
            prop_assert_eq!(rules.position(&setup), Ok(position));
            prop_assert_eq!(setup.to_string().parse(), Ok(setup));
            let alone = |square: &Square| !rules.tile_kind(*square).mixes();
            for square in position.mine().squares().iter().filter(alone) {
                prop_assert!(!position.theirs().squares().meets(rules.theirs_on_same_tile(square)));
            }
        }
    }
}

#[test]
fn the_squares_in_danger_are_those_of_the_theorem() {
    for rule_set in [RuleSet::SKIRIUK, RuleSet::SIMPLE_UR] {
        let rules = rule_set.compile().unwrap();
        let path = (1..=23).filter_map(Square::new);
        let captured: Vec<_> =
            path.filter(|&square| !rules.is_safe(square)).map(Square::number).collect();
        assert_eq!(captured, may_be_captured(&rule_set));
    }
}

#[test]
fn switches_change_what_they_say() {
    let legal = |rule_set: RuleSet, pieces: &str, home, steps| {
        let rules = RuleSet { name: "switched".into(), ..rule_set }.compile().unwrap();
        origins(&rules, position(&rules, pieces, Player::Light, home), steps)
    };
    let stacks = RuleSet::SKIRIUK.stacks;
    let free = Stacks { order: StackOrder::FreeInCamps, ..stacks };
    assert_eq!(legal(RuleSet { stacks: free, ..RuleSet::SKIRIUK }, "W11 W17", 0, 1), [0, 11, 17]);
    let one_kind = Stacks { camps_of_one_kind: true, ..stacks };
    assert_eq!(legal(RuleSet { stacks: one_kind, ..RuleSet::SKIRIUK }, "W11 W16", 0, 1), [0, 11]);
    assert_eq!(
        legal(RuleSet { last_protects_novices: true, ..RuleSet::SKIRIUK }, "W4 B5", 0, 1),
        [0]
    );
    assert_eq!(legal(RuleSet { exact_exit: false, ..RuleSet::SKIRIUK }, "W22", 6, 4), [22]);
    assert_eq!(legal(RuleSet { exact_exit: false, ..RuleSet::SKIRIUK }, "W22", 5, 4), [0]);
    let low = Stacks { cap: 1, ..stacks };
    assert_eq!(legal(RuleSet { stacks: low, ..RuleSet::SKIRIUK }, "W1", 0, 1), [1]);
    let landing = Turning { square: 13, on: TurnsOn::Landing };
    let landing = RuleSet { turning: Some(landing), ..RuleSet::SKIRIUK };
    assert_eq!(legal(landing.clone(), "W12 B15", 0, 1), [0, 12]);
    let rules = RuleSet { name: "landing".into(), ..landing }.compile().unwrap();
    assert!(!rules.is_safe(Square::new(13).unwrap()) && !rules.is_safe(Square::new(15).unwrap()));
    assert!(rules.is_safe(Square::new(12).unwrap()) && rules.is_safe(Square::new(16).unwrap()));
    let first =
        RuleSet { first_roll: Some(Roll::new(1)), name: "first".into(), ..RuleSet::SKIRIUK };
    assert_eq!(Game::new(first.clone().compile().unwrap()).pending(), Some(Roll::new(1)));
    // A rule file could not say it either.
    let none = RuleSet { first_roll: Some(Roll::new(0)), ..first };
    assert!(matches!(none.compile(), Err(RuleError::FirstRoll { .. })));
}
