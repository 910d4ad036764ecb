//! The choices of the levels of the heuristic player, and of principles.

use puabi_core::{Roll, RuleSet, Square};
use puabi_engine::{AgentSpec, capture_chance};

/// Returns the moves that an agent may play, as text.
fn played(rules: &RuleSet, agent: &str, position: &str, roll: u8) -> String {
    let rules = rules.compile().unwrap();
    let spec: AgentSpec = agent.parse().unwrap();
    let position = rules.position(&position.parse().unwrap()).unwrap();
    let decision = rules.decision(position, Roll::new(roll));
    let policy = spec.build(&rules, None).unwrap().policy(&decision);
    let moves = decision.moves();
    let played = moves.iter().zip(policy).filter(|(_, chance)| *chance > 0.0);
    played.map(|(action, _)| action.to_string()).collect::<Vec<_>>().join(" ")
}

#[test]
fn levels_choose_as_the_heuristic_was_published() {
    // Positions of the Forgotten Game that mean the same with one piece a tile.
    let cases = [
        ("level:3", "2,10:-:L", 2, "10-12"),
        ("level:5", "5,18:6,19:L", 1, "18-19"),
        ("level:4", "5,8:6,9:L", 1, "8-9"),
        ("level:5", "5,8:6,9:L", 1, "5-6"),
        ("level:5", "9,22:-:L", 2, "0-2"),
        ("level:6", "9,22:-:L", 2, "22-off"),
        ("level:5", "9,22:-:L", 1, "0-1"),
        ("level:2", "1,9:-:L", 2, "9-11"),
        ("level:1", "1,9:-:L", 2, "0-2 1-3 9-11"),
    ];
    for (level, position, roll, expected) in cases {
        let found = played(&RuleSet::SKIRIUK_PATH, level, position, roll);
        assert_eq!(found, expected, "{level} {position}{roll}");
    }
}

#[test]
fn higher_levels_hold_the_safe_rosette_and_the_last_private_squares() {
    let finkel = |level, position, roll| played(&RuleSet::FINKEL, level, position, roll);
    assert_eq!(finkel("level:7", "2,8:-:L", 1), "0-1 2-3 8-9", "all are safe");
    assert_eq!(finkel("level:8", "2,8:-:L", 1), "2-3");
    assert_eq!(finkel("level:8", "8,13+5:-:L", 1), "13-14");
    assert_eq!(finkel("level:9", "3,13+5:9:L", 2), "13-off");
    assert_eq!(finkel("level:8", "3,11+5:9:L", 2), "11-13");
    assert_eq!(finkel("level:9", "9,11+5:8:L", 2), "11-13");
}

#[test]
fn a_humanised_level_overlooks_its_first_rules_half_of_the_time() {
    let rules = RuleSet::FINKEL.compile().unwrap();
    let position = rules.position(&"3,6:7:L".parse().unwrap()).unwrap();
    let decision = rules.decision(position, Roll::new(1));
    let spec: AgentSpec = "humanised:5".parse().unwrap();
    let policy = spec.build(&rules, None).unwrap().policy(&decision);
    // 3-4 is the rosette, 6-7 the capture and the foremost piece.
    assert_eq!(decision.moves()[1..], ["3-4".parse().unwrap(), "6-7".parse().unwrap()]);
    assert_eq!(policy.as_slice(), [0.0, 0.5, 0.5]);
}

#[test]
fn principles_keep_the_moves_that_they_name() {
    let finkel =
        |chain: &str, position: &str, roll| played(&RuleSet::FINKEL, chain, position, roll);
    let cases = [
        ("hit", "6,9:7,10:L", 1, "6-7 9-10"),
        ("hit-foremost", "6,9:7,10:L", 1, "9-10"),
        ("extra-roll", "3,9:-:L", 1, "3-4"),
        ("extra-roll", "2,9:-:L", 1, "0-1 2-3 9-10"),
        ("centre", "3,8:-:L", 1, "0-1 3-4"),
        ("score", "3,14:-:L", 1, "14-off"),
        ("homestretch", "3,11:-:L", 2, "11-13"),
        ("least-exposed", "5,9:8:L", 1, "5-6"),
        ("extra-hit", "3,13:6:L", 1, "3-4"),
    ];
    for (chain, position, roll, expected) in cases {
        // If the answer enters no piece, the hand is empty: five pieces are at home.
        let stays = expected.contains("0-1");
        let position = if stays { position.to_owned() } else { position.replacen(':', "+5:", 1) };
        assert_eq!(finkel(chain, &position, roll), expected, "{chain} {position}{roll}");
    }
    assert_eq!(finkel("hit+extra-roll", "3,7:8:L", 1), "3-4", "nothing can be hit");
    assert_eq!(finkel("extra-roll+hit", "6,13:7:L", 1), "13-14", "the first principle decides");
}

#[test]
fn rule_sets_have_the_levels_that_the_notation_says() {
    let highest = |rules: &RuleSet| {
        let rules = rules.compile().unwrap();
        let has = |level: &u8| {
            let spec: AgentSpec = format!("level:{level}").parse().unwrap();
            spec.build(&rules, None).is_ok()
        };
        (1..=9).take_while(has).last()
    };
    let found = RuleSet::PRESETS.map(|preset| highest(&preset).unwrap());
    // finkel, blitz, masters, masters-4d, aseb, murray, skiriuk-path, skiriuk, simple-ur, dmytro
    assert_eq!(found, [9, 7, 7, 7, 8, 8, 8, 9, 9, 9]);
}

#[test]
fn squares_before_a_turning_square_count_in_the_forgotten_games_alone() {
    // On Finkel's path 6 and 7 are open to captures, so the private squares at the end take their place.
    let turns = "name = \"Turns\"\npath = \"bell\"\nturning_square = 7\n";
    let rules = RuleSet::from_toml(turns).unwrap();
    assert_eq!(played(&rules, "level:9", "4,11:5:L", 2), "11-13");
    assert_eq!(played(&RuleSet::FINKEL, "level:9", "4,11:5:L", 2), "11-13");
}

#[test]
fn the_centre_is_a_safe_rosette() {
    // In the Forgotten Game 7 and 10 are holy tiles, on which no piece is captured, but not rosettes.
    assert_eq!(played(&RuleSet::SKIRIUK, "centre", "3,10:-:L", 4), "0-4 3-7 10-14");
}

#[test]
fn levels_choose_as_specified_in_the_forgotten_game() {
    // Decisions of the specification: the position, the roll, the level, and the square that the move leaves.
    let cases = [
        ("2,10:-:L", 2, 3, 10),
        ("3,11:-:L", 1, 7, 11),
        ("3,11:-:L", 1, 8, 3),
        ("5,18:6,19:L", 1, 5, 18),
        ("5,8:6,9:L", 1, 4, 8),
        ("5,8:6,9:L", 1, 5, 5),
        ("10,22:-:L", 1, 8, 10),
        ("11,11,22:-:L", 2, 6, 22),
        ("11,11,22:-:L", 2, 8, 22),
        ("11,11,22:-:L", 2, 9, 11),
        ("9,22:-:L", 2, 5, 0),
        ("9,22:-:L", 2, 6, 22),
        ("9,22:-:L", 1, 5, 0),
        ("1,6:7:L", 1, 4, 6),
        ("1,9:-:L", 2, 2, 9),
        ("3,11:-:L", 3, 8, 3),
        ("1,13:-:L", 1, 8, 13),
        ("1,13:-:L", 1, 9, 1),
    ];
    for (position, roll, level, from) in cases {
        let found = played(&RuleSet::SKIRIUK, &format!("level:{level}"), position, roll);
        assert!(found.starts_with(&format!("{from}-")), "{position}{roll} {level}: {found}");
        assert!(!found.contains(' '), "{position}{roll} {level}: {found}");
    }
}

#[test]
fn attacks_are_those_of_the_specification() {
    let rules = RuleSet::SKIRIUK.compile().unwrap();
    let cases = [
        ("9:8:D", 9, true),
        ("9:5:D", 9, true),
        ("9:4:D", 9, false),
        ("7:6:D", 7, false),
        ("5:4:D", 5, true),
        ("23:22:D", 23, false),
        ("13:14:D", 13, false),
        ("14:10:D", 14, true),
        ("14:9:D", 14, false),
        ("20:19:D", 20, true),
    ];
    for (position, square, expected) in cases {
        // The opponent of the piece's owner is about to roll.
        let hunter = rules.position(&position.parse().unwrap()).unwrap();
        let prey = [Square::new(square).unwrap()].into_iter().collect();
        assert_eq!(capture_chance(&rules, hunter, prey) > 0.0, expected, "{position}");
    }
    // In the last check a veteran on d2 and an enemy novice share a tile, which is not a legal position.
    let refused = rules.position(&"20:8:D".parse().unwrap()).unwrap_err();
    assert!(refused.to_string().starts_with("B4 holds pieces of both players"), "{refused}");
}
