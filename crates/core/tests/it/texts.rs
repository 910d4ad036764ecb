//! Texts: what is printed reads back equal, and a malformed text is refused with an error that says what would be right.

use proptest::prelude::*;
use puabi_core::{Dice, Move, Player, Roll, RuleSet, Setup, SideSetup, Square, Tile};

use crate::boards;

fn squares() -> impl Strategy<Value = Square> {
    (1..=Square::MAX).prop_map(|number| Square::new(number).unwrap())
}

fn sides() -> impl Strategy<Value = SideSetup> {
    (prop::collection::vec(squares(), 0..8), any::<u8>()).prop_map(|(mut squares, score)| {
        squares.sort_unstable();
        SideSetup { squares, score }
    })
}

fn setups() -> impl Strategy<Value = Setup> {
    let turn = prop::sample::select(Player::BOTH.to_vec());
    let roll = prop::option::of((0..=Dice::MAX_ROLL).prop_map(Roll::new));
    (sides(), sides(), turn, roll).prop_map(|(light, dark, turn, roll)| Setup {
        light,
        dark,
        stacks: Vec::new(),
        turn,
        roll,
    })
}

/// Texts of positions with one character changed that are still read as positions.
fn changed_setups() -> impl Strategy<Value = (String, Setup)> {
    let changed = (setups(), any::<prop::sample::Index>(), "[0-9,+:LD-]");
    changed.prop_filter_map("no position", |(setup, at, character)| {
        let mut text = setup.to_string();
        let at = at.index(text.len());
        text.replace_range(at..=at, &character);
        text.parse().ok().map(|setup| (text, setup))
    })
}

fn moves() -> impl Strategy<Value = Move> {
    prop_oneof![
        Just(Move::Pass),
        squares().prop_map(|to| Move::Enter { to }),
        (squares(), squares()).prop_map(|(from, to)| Move::Advance { from, to }),
        squares().prop_map(|from| Move::Score { from }),
    ]
}

proptest! {
    #[test]
    fn positions_read_back(setup in setups()) {
        prop_assert_eq!(setup.to_string().parse(), Ok(setup));
    }

    #[test]
    fn what_reads_as_a_position_is_written_the_same((text, setup) in changed_setups()) {
        prop_assert_eq!(setup.to_string(), text);
    }

    #[test]
    fn moves_read_back(action in moves()) {
        prop_assert_eq!(action.to_string().parse(), Ok(action));
    }

    #[test]
    fn tiles_read_back(row in 0..26_u8, column in 1..=32_u8) {
        let tile = Tile::new(row, column).unwrap();
        prop_assert_eq!(tile.to_string().parse(), Ok(tile));
    }

    #[test]
    fn preset_names_read_back(rule_set in boards::presets()) {
        prop_assert_eq!(rule_set.to_string().parse(), Ok(rule_set));
    }

    #[test]
    fn rule_files_read_back(rule_set in boards::rule_sets()) {
        let text = rule_set.to_toml();
        prop_assert_eq!(RuleSet::from_toml(&text), Ok(rule_set));
    }

    #[test]
    fn no_text_makes_a_reader_panic(text in "\\PC{0,40}") {
        let _ = (text.parse::<Setup>(), text.parse::<Move>(), text.parse::<Tile>());
        let _ = (text.parse::<Dice>(), text.parse::<RuleSet>(), RuleSet::from_toml(&text));
    }
}

/// Returns the error of reading `text` as a position of `rule_set`.
fn refusal(rule_set: &str, text: &str) -> String {
    let rules = rule_set.parse::<RuleSet>().unwrap().compile().unwrap();
    match text.parse::<Setup>() {
        Ok(setup) => rules.position(&setup).unwrap_err().to_string(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn positions_that_break_a_rule_are_refused_with_the_rule() {
    let cases = [
        ("finkel", "15:-:L", "light has a piece on square 15, but the path has 14 squares"),
        (
            "finkel",
            "-:4,4:L",
            "dark has two pieces on square 4: these rules allow one piece a square",
        ),
        (
            "murray",
            "6,22:-:L",
            "light has pieces on squares 6 and 22, which are both B2: these rules allow one piece a tile",
        ),
        (
            "finkel",
            "6:6:L",
            "B2 holds pieces of both players (light's square 6, dark's square 6): these rules allow one piece a tile",
        ),
        (
            "finkel:2",
            "1,2+1:-:L",
            "light has 3 pieces on the board and home, but each player has 2",
        ),
        ("finkel:2", "-:+2:L", "dark has 2 home: the game is over with 2 home, and nobody rolls"),
        ("masters", "-:-:L0", "a roll of 0 cannot be thrown: expected one of 1, 2, 3, 4"),
        (
            "finkel",
            "-:-",
            "a position has three fields, LIGHT:DARK:TURN, as in `4,8,12+2:1,5:D3`, and a fourth where the order of stacks counts; found 2 in `-:-`",
        ),
        (
            "finkel",
            "-:-:X",
            "`X` is not a turn: expected L or D for who rolls next, and the roll if it is known, as in `D3`",
        ),
    ];
    for (rule_set, text, expected) in cases {
        assert_eq!(refusal(rule_set, text), expected);
    }
}

#[test]
fn a_mistyped_preset_is_told_the_nearest_one() {
    let error = "finkle:3".parse::<RuleSet>().unwrap_err().to_string();
    assert!(error.starts_with("`finkle` is not a rule set: did you mean `finkel`? "), "{error}");
    let error = "finkel:16".parse::<RuleSet>().unwrap_err().to_string();
    assert_eq!(error, "`16` is not a number of pieces: expected 1 to 15, as in `finkel:3`");
}

#[test]
fn long_texts_are_quoted_in_part() {
    let text = "x".repeat(1 << 20);
    let errors = [
        text.parse::<Setup>().unwrap_err().to_string(),
        text.parse::<Move>().unwrap_err().to_string(),
        text.parse::<Tile>().unwrap_err().to_string(),
        text.parse::<Dice>().unwrap_err().to_string(),
        text.parse::<RuleSet>().unwrap_err().to_string(),
    ];
    assert!(errors.iter().all(|error| error.len() < 400));
}
