//! Errors say where the fault is, what was found and what would be right.

use puabi_core::RuleSet;
use puabi_formats::Notation;

fn error(notation: Notation, text: &str) -> String {
    notation.read(text, None).unwrap_err().to_string()
}

#[test]
fn of_rgn() {
    let game = |moves: &str| format!("[Rules finkel:2]\n\n{moves}");
    let cases = [
        (
            "1. A@A1\n".to_owned(),
            "line 1, column 1: found no rules: expected a tag such as `[Rules finkel]`, or the rules given beside the text",
        ),
        (
            "[Rules chess]\n\n1. A@A1\n".to_owned(),
            "line 1, column 1: found `chess`: expected a tag such as `[Rules finkel]`, or the rules given beside the text",
        ),
        (
            "[Rules finkel\n".to_owned(),
            "line 1, column 1: found `[Rules finkel`: expected a tag such as `[Rules finkel]`, values with spaces in quotes",
        ),
        (
            game("1. A@A1 * / 0 --"),
            "line 3, column 13: found a ply of dark: expected one of light, whose turn it is",
        ),
        (
            game("1. A@B1"),
            "line 3, column 4: a roll of 5 cannot be thrown: expected one of 0, 1, 2, 3, 4",
        ),
        (
            game("1. A@A2 / 0 --\n2. A@A2"),
            "line 4, column 4: 0-3 is not legal with a roll of 3: legal is only 3-6",
        ),
        (
            game("1. A2A1"),
            "line 3, column 4: found a move from A2: expected a piece from the hand: light has none on the board",
        ),
        (
            game("1. A@A2 / 0 --\n2. A3A2"),
            "line 4, column 4: found a move from A3: expected one of light's pieces, which are on A2",
        ),
        (game("1. 4:A@A2"), "line 3, column 4: found a roll of 4: expected 3, which A@A2 takes"),
        (
            game("1. 3 -- / 0 --"),
            "line 3, column 9: no move is made with this roll: expected one of 0-3",
        ),
        (game("1. 03:A@A2"), "line 3, column 4: found `03`: expected a roll before `:`"),
        (
            game("+1. A@A2"),
            "line 3, column 1: found `+1.`: expected the number of a turn, as in `1.`",
        ),
        (
            game("1. 7 --"),
            "line 3, column 6: a roll of 7 cannot be thrown: expected one of 0, 1, 2, 3, 4",
        ),
        (
            game("1. A@A2# / 0 --"),
            "line 3, column 10: found `/`: expected nothing after `#`, the end of the game",
        ),
        (
            game("1. what"),
            "line 3, column 4: found `what`: expected a move such as `A@A4`, `B3B5x` or `A8A+`, or a roll without a move, `0 --`",
        ),
        (
            game("A@A2"),
            "line 3, column 1: found an action: expected the number of a turn, as in `1.`, or `/`",
        ),
        (
            game("[Rules finkel]\n\n1. A@A2"),
            "line 3, column 1: found a second tag `Rules`: expected one",
        ),
        (
            "[Rules \"simple-ur\"]\n[Start \"15,16,17,18+3:4,5,6,7,8,9+1:L\"]\n[End \"resigned L\"]\n\n1. 2 --".to_owned(),
            "line 3, column 1: the game is over: neither player can ever move, and nobody has won: expected no tag `End`",
        ),
        (
            game("1. A7A+#").replace("finkel:2]", "finkel:2]\n[Start 14+1:-:L]\n[End \"resigned D\"]"),
            "line 3, column 1: the game is over: light has won: expected no tag `End`",
        ),
        (game("1. {open"), "line 3, column 4: found `{` without `}`: expected both"),
        (game("1. 3"), "line 3, column 4: found a roll alone: expected `--` or a move after it"),
    ];
    for (text, expected) in cases {
        assert_eq!(error(Notation::Rgn, &text), expected, "{text}");
    }
}

#[test]
fn of_rgn_marks() {
    let remarks = |text: &str| -> Vec<_> {
        let reading = Notation::Rgn.read(text, None).unwrap();
        reading.remarks.iter().map(ToString::to_string).collect()
    };
    assert_eq!(
        remarks("[Rules finkel:2]\n\n1. A@A1x A@A3 * / 0 --\n3. A3A2\n"),
        [
            "line 3, column 4: A@A1 captures nothing: expected no `x`",
            "line 3, column 4: A@A1 lands on a rosette: expected ` *` after it",
            "line 3, column 15: the move does not land on a rosette: expected no `*`",
            "line 4, column 1: turn 3 follows: expected number 2",
        ]
    );
    assert_eq!(
        remarks("[Rules finkel:2]\n\n1. B@A2 / A@C2\n"),
        [
            "line 3, column 4: B@A2 names another lane: expected `A@A2`",
            "line 3, column 11: A@C2 names another lane: expected `C@C2`",
        ]
    );
    let twice = "[Rules finkel:2]\n[Event a]\n[Event b]\n\n1. A@A2\n";
    let reading = Notation::Rgn.read(twice, None).unwrap();
    let remark = "line 3, column 1: found a second tag `Event`: expected one";
    assert_eq!(reading.remarks[0].to_string(), remark);
    let last = format!("[Rules finkel:2]\n\n{0}. 0 -- / 0 --\n{0}. 0 --\n", u64::MAX);
    assert_eq!(Notation::Rgn.read(&last, None).unwrap().remarks.len(), 1);
}

#[test]
fn of_logs() {
    let cases = [
        ("X: 3 a", "line 1, column 6: 1-4 is not legal with a roll of 3: legal is only 0-3"),
        (
            "X: 3 e\nX: 3 e",
            "line 2, column 1: found a ply of light: expected one of dark, whose turn it is",
        ),
        ("X: 5 e", "line 1, column 4: a roll of 5 cannot be thrown: expected one of 0, 1, 2, 3, 4"),
        ("X: +3 e", "line 1, column 4: found `+3`: expected a roll, 0 to 4"),
        ("O: 3 f", "line 1, column 6: found `f`: expected E, A to D, 1 to 8, Y or Z"),
        ("X: 3\nO: 0", "line 2, column 1: no move is made with this roll: expected one of 0-3"),
        (
            "hello",
            "line 1, column 1: found `hello`: expected `X: 3 a`, `O: 0`, `X: wins`, `X is A, O is B`, `Board:` or `#`",
        ),
        (
            "X: wins",
            "line 1, column 1: found light wins: expected `wins` only after that player's last piece is home",
        ),
        (
            "X: 1 e\nBoard: \"MoX5A\"",
            "line 2, column 1: found a board after the first ply: expected it before all plies",
        ),
        (
            "Board: \"MoX5A\"\nBoard: \"MoX5A\"",
            "line 2, column 1: found a second board: expected one game a file",
        ),
        (
            "X is Ann, O is Bea\nX is Ann, O is Eve",
            "line 2, column 1: found names a second time: expected one game a file",
        ),
        (
            "Board: \"xyz\"",
            "line 1, column 1: `xyz` is not a position code: expected five characters such as MoX5A, the start",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(error(Notation::Log, text), expected, "{text}");
    }
}

#[test]
fn of_texts_with_nothing_in_them() {
    for notation in Notation::ALL {
        for text in ["", "\n \n"] {
            let found = error(notation, text);
            assert!(found.starts_with("line 1, column 1: found no"), "{notation}: {found}");
        }
    }
    // A comment alone is a game that has not begun.
    assert_eq!(Notation::Log.read("# later", None).unwrap().record.game.plies().len(), 0);
}

#[test]
fn of_json() {
    let settings = r#"{"board_shape":"standard","paths":"bell","dice":"four_binary","start_pieces":2,"safe_rosettes":true,"rosettes_grant_rolls":true,"captures_grant_rolls":false}"#;
    let start = r#"{"board":{"pieces":{}},"players":{"L":{"pieces":2,"score":0},"D":{"pieces":2,"score":0}},"type":"wait4roll","time":0,"turn":"L"}"#;
    let game = |states: &str| {
        format!(
            "{{\"notation_version\":2,\"metadata\":{{}},\n\"settings\":{settings},\n\"initial_state\":{start},\n\"states\":[{states}]}}"
        )
    };
    let cases = [
        (
            game(r#"{"type":"move","turn":"L","roll":{"value":3},"move":{"dest":4}}"#),
            "line 4, column 56: 0-4 is not legal with a roll of 3: legal is only 0-3",
        ),
        (
            game(r#"{"type":"move","turn":"D","roll":{"value":3},"move":{"dest":-3}}"#),
            "line 4, column 26: found a ply of dark: expected one of light, whose turn it is",
        ),
        (
            game(r#"{"type":"roll","turn":"L","roll":{"value":9},"moves":[]}"#),
            "line 4, column 37: a roll of 9 cannot be thrown: expected one of 0, 1, 2, 3, 4",
        ),
        (
            game(r#"{"type":"leap"}"#),
            "line 4, column 12: found a state of the type `leap`: expected roll, move, wait4roll, wait4move, resigned, abandoned or win",
        ),
        (
            game(r#"{"type":"win","winner":"L"}"#),
            "line 4, column 12: found a win: expected one only after the last piece is home, or with a resigned or abandoned game",
        ),
        (
            game(r#"{"type":"roll","turn":"L","roll":"3"}"#),
            "line 4, column 46: invalid type: string \"3\", expected a roll, as in {\"value\":3}",
        ),
        (
            game("").replace("\"bell\"", "\"ring\""),
            "line 2, column 12: `paths` is `ring`: expected bell, aseb, masters, murray or skiriuk",
        ),
        (
            game("").replace("\"start_pieces\":2", "\"start_pieces\":3"),
            "line 3, column 17: found 2 pieces of a player: expected `start_pieces`, 3",
        ),
        (
            game("").replace("\"pieces\":{}", "\"pieces\":{\"A1\":3}"),
            "line 3, column 17: found light's piece 3 on `A1`: expected A2",
        ),
        (
            game("").replace("version\":2", "version\":3"),
            "line 1, column 2: found notation version 3: expected 1 or 2",
        ),
        (
            game("").replace("version\":2", "version\":\"2\""),
            "line 1, column 23: invalid type: string \"2\", expected a JSON number",
        ),
        (
            game(r#"{"type":"roll","turn":"L","roll":{"value":300},"moves":[]}"#),
            "line 4, column 55: invalid value: integer `300`, expected a whole number of at most 255",
        ),
        (
            game("").replace("\"start_pieces\":2", "\"start_pieces\":300"),
            "line 2, column 91: invalid value: integer `300`, expected a whole number of at most 255",
        ),
        (
            game(r#"{"type":"roll","turn":"L","roll":[4],"moves":[]}"#),
            "line 4, column 43: invalid type: sequence, expected a roll, as in {\"value\":3}",
        ),
        (
            game(r#"{"type":"move","turn":"L","roll":{"value":3},"move":[null,3,null]}"#),
            "line 4, column 62: invalid type: sequence, expected a move, as in {\"src\":1,\"dest\":3}",
        ),
        (
            game("").replace(
                "\"players\":{\"L\":{\"pieces\":2,\"score\":0},",
                "\"players\":{\"L\":[2,0],",
            ),
            "line 3, column 54: invalid type: sequence, expected an object with `pieces` and `score`",
        ),
        (game("").replace(settings, "[]"), "line 2, column 12: found an array: expected an object"),
        (format!("[{}]", game("")), "line 1, column 1: found an array: expected an object"),
        ("{\"notation_version\":2".to_owned(), "line 1, column 21: EOF while parsing an object"),
    ];
    for (text, expected) in cases {
        assert_eq!(error(Notation::Json, &text), expected, "{text}");
    }
}

#[test]
fn a_list_of_games_is_json_and_remarks_are_counted() {
    for text in ["[{}]", " [\n  { \"notation_version\": 2 } ]"] {
        assert_eq!(Notation::guess(text), Notation::Json, "{text}");
    }
    assert_eq!(Notation::guess("[Rules finkel]\n"), Notation::Rgn);
    let turns = "9. 0 -- / 0 --\n".repeat(130);
    let reading = Notation::Rgn.read(&format!("[Rules finkel:2]\n\n{turns}"), None).unwrap();
    assert_eq!((reading.remarks.len(), reading.more_remarks), (100, 30));
}

#[test]
fn a_captured_piece_is_named_with_its_owner() {
    let start = "format: urg 1\nrules: finkel:1\nstart: 4:6:L\n\nL 2 4-6\n";
    let text = Notation::Json.write(&start.parse().unwrap()).unwrap().text;
    let remarks = |captured: &str| {
        let text = text.replace("\"captured\":-6", captured);
        let reading = Notation::Json.read(&text, None).unwrap();
        reading.remarks.into_iter().map(|it| it.message().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(remarks("\"captured\":-6"), Vec::<String>::new());
    assert_eq!(remarks("\"captured\":6"), ["`captured` is 6: expected -6"]);
    assert_eq!(remarks("\"captured\":-4"), ["`captured` is -4: expected -6"]);
}

#[test]
fn rules_that_a_notation_cannot_hold_are_refused() {
    let record = puabi_core::Record::new(puabi_core::Game::new(RuleSet::BLITZ.compile().unwrap()));
    let error = Notation::Log.write(&record).unwrap_err().to_string();
    assert_eq!(error, "blitz: Heled's logs hold games by Finkel's rules with seven pieces only");
    let race = RuleSet { name: "race".into(), goal: Some(5), ..RuleSet::FINKEL };
    let record = puabi_core::Record::new(puabi_core::Game::new(race.compile().unwrap()));
    let error = Notation::Json.write(&record).unwrap_err().to_string();
    assert_eq!(
        error,
        "race is won with 5 of 7 pieces home: RoyalUr's settings know games for all pieces only"
    );
    assert!(Notation::Log.write(&record).is_err());
    let lost = Notation::Rgn.write(&record).unwrap().lost;
    assert!(lost.contains(&"the rules, which are not a preset"), "{lost:?}");
}
