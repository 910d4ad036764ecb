//! Texts made by hand from the grammars.

use puabi_core::{Ending, Player, Record, RuleSet};
use puabi_formats::{Notation, PositionCode};

/// Two players with a piece each: a rosette, a pass, a capture, a win.
const RGN: &str = "\
[Rules finkel:1]
[Light Ann]
[Dark \"Bea B.\"]
[StartTime \"2024-05-01T10:00:00Z\"]

1. A@A1 * A1B1 / 0 --
2. 0 -- / C@C2
3. B1B4 * B4B6 / C2B2
4. B6A8 / B2B4 * 0 --
5. A8A7 * A7A+#
";

/// The same game in JSON.
const JSON: &str = r#"{"notation_version":2,"metadata":{"Rules":"finkel:1","Light":"Ann","Dark":"Bea B.","StartTime":"2024-05-01T10:00:00Z"},"settings":{"board_shape":"standard","paths":"bell","dice":"four_binary","start_pieces":1,"safe_rosettes":true,"rosettes_grant_rolls":true,"captures_grant_rolls":false},"initial_state":{"board":{"pieces":{}},"players":{"L":{"pieces":1,"score":0},"D":{"pieces":1,"score":0}},"type":"wait4roll","time":0,"turn":"L"},"states":[{"type":"move","time":0,"turn":"L","roll":{"value":4},"move":{"dest":4}},{"type":"move","time":0,"turn":"L","roll":{"value":1},"move":{"src":4,"dest":5}},{"type":"roll","time":0,"turn":"D","roll":{"value":0},"moves":[]},{"type":"roll","time":0,"turn":"L","roll":{"value":0},"moves":[]},{"type":"move","time":0,"turn":"D","roll":{"value":3},"move":{"dest":-3}},{"type":"move","time":0,"turn":"L","roll":{"value":3},"move":{"src":5,"dest":8}},{"type":"move","time":0,"turn":"L","roll":{"value":2},"move":{"src":8,"dest":10}},{"type":"move","time":0,"turn":"D","roll":{"value":3},"move":{"src":-3,"dest":-6}},{"type":"move","time":0,"turn":"L","roll":{"value":3},"move":{"src":10,"dest":13}},{"type":"move","time":0,"turn":"D","roll":{"value":2},"move":{"src":-6,"dest":-8}},{"type":"roll","time":0,"turn":"D","roll":{"value":0},"moves":[]},{"type":"move","time":0,"turn":"L","roll":{"value":1},"move":{"src":13,"dest":14}},{"type":"move","time":0,"turn":"L","roll":{"value":1},"move":{"src":14}},{"type":"win","time":0,"winner":"L"}]}
"#;

/// A log with a start of its own: dark takes a piece of light.
const LOG: &str = "\
# from a match
X is Ann, O is Bea
Board: \"MoX5A\"
X: 3 e
O: 4 E
# a rosette
O: 2 D
X: 0 
";

fn read(notation: Notation, text: &str) -> Record {
    let reading = notation.read(text, None).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(reading.remarks, []);
    reading.record
}

#[test]
fn one_game_is_the_same_in_rgn_and_json_and_in_our_own_record() {
    let record = read(Notation::Rgn, RGN);
    assert_eq!(read(Notation::Json, JSON), record);
    assert_eq!(record.game.winner(), Some(Player::Light));
    assert_eq!(record.header("dark"), Some("Bea B."));
    assert_eq!(record.tags.get("StartTime"), Some("2024-05-01T10:00:00Z"));
    assert_eq!(Notation::Rgn.write(&record).unwrap().text, RGN);
    assert_eq!(Notation::Json.write(&record).unwrap().text, JSON);
    assert_eq!(read(Notation::Urg, &record.to_string()), record);
}

#[test]
fn rgn_has_the_rules_the_start_and_the_end_of_the_game_alone() {
    let mut record = read(Notation::Rgn, RGN);
    for (name, rules) in [("Finkel1", "Finkel1"), ("blitz", "finkel:1"), ("?", "finkel:1")] {
        record.tags.set("Rules", name);
        let text = Notation::Rgn.write(&record).unwrap().text;
        assert!(text.starts_with(&format!("[Rules {rules}]\n[Light Ann]\n")), "{text}");
        assert_eq!(read(Notation::Rgn, &text).game, record.game);
    }
    record.tags.set("Start", "-:-:D");
    record.tags.set("End", "resigned L");
    let written = Notation::Rgn.write(&record).unwrap();
    assert_eq!(
        (written.text.as_str(), written.lost),
        (RGN, vec!["tags whose names our own tags use"])
    );
}

#[test]
fn what_states_of_one_moment_say_is_kept_together() {
    let end = r#"{"type":"move","time":0,"turn":"L","roll":{"value":1},"move":{"src":14}},{"type":"win","time":0,"winner":"L"}"#;
    let states = [
        r#"{"type":"roll","time":7,"metadata":{"A":"1","Comment":"a"},"turn":"L","roll":{"value":1}}"#,
        r#"{"type":"resigned","time":0,"metadata":{"B":"2","Comment":"b"},"player":"D"}"#,
        r#"{"type":"win","time":9,"metadata":{"Comment":"c"},"winner":"L"}"#,
    ];
    let record = read(Notation::Json, &JSON.replace(end, &states.join(",")));
    let note = record.note(record.game.plies().len() + 1).unwrap();
    assert_eq!((note.comment(), note.millis()), ("a\nb\nc", 9));
    assert_eq!(note.tags.iter().collect::<Vec<_>>(), [("A", "1"), ("B", "2")]);
}

#[test]
fn a_log_is_read_and_written() {
    let record = read(Notation::Log, LOG);
    assert_eq!(record.game.setup().to_string(), "3:6:D");
    assert_eq!(record.note(0).unwrap().comment(), "from a match");
    assert_eq!(record.note(2).unwrap().comment(), "a rosette");
    assert_eq!(record.header("light"), Some("Ann"));
    let written = Notation::Log.write(&record).unwrap();
    assert_eq!((written.text.as_str(), written.lost), (LOG, Vec::new()));
}

#[test]
fn the_start_of_finkel_has_the_code_that_heled_gives_it() {
    let start = RuleSet::FINKEL.compile().unwrap().start();
    assert_eq!(PositionCode::new(start).to_string(), "MoX5A");
    for text in ["", "MoX5", "MoX5AA", "MoX5~", "#####"] {
        assert!(text.parse::<PositionCode>().is_err(), "{text}");
    }
}

#[test]
fn version_one_of_json_names_owners_and_steps_from_nought() {
    let json = JSON.replace("\"notation_version\":2", "\"notation_version\":1");
    let json = json.replace(r#"{"src":14}"#, r#"{"src":{"owner":"L","index":13}}"#);
    let json = json.replace(r#"{"dest":-3}"#, r#"{"dest":{"owner":"D","index":2}}"#);
    assert_eq!(read(Notation::Json, &json), read(Notation::Json, JSON));
}

#[test]
fn old_names_of_settings_are_read() {
    let json = JSON.replace("\"standard\"", "\"Standard\"").replace("\"bell\"", "\"Bell\"");
    let json = json.replace("\"four_binary\"", "\"FourBinary\"");
    assert_eq!(read(Notation::Json, &json), read(Notation::Json, JSON));
}

#[test]
fn json_without_metadata_is_read_with_a_remark() {
    let start = JSON.find("\"metadata\"").unwrap();
    let json = format!("{}{}", &JSON[..start], &JSON[JSON.find("\"settings\"").unwrap()..]);
    let reading = Notation::Json.read(&json, None).unwrap();
    assert_eq!(
        reading.remarks[0].to_string(),
        "line 1, column 1: `metadata` is missing: RoyalUr-Java asks for it, even empty"
    );
}

#[test]
fn times_metadata_and_endings_of_json_are_kept() {
    let end =
        JSON.find(r#"{"type":"move","time":0,"turn":"L","roll":{"value":1},"move":{"src":14}}"#);
    let json = format!(
        r#"{}{{"type":"wait4roll","time":12,"turn":"L"}},{{"type":"resigned","time":1499.7,"metadata":{{"Comment":"why?","Via":"app"}},"player":"L"}}]}}"#,
        &JSON[..end.unwrap()]
    );
    let record = read(Notation::Json, &json);
    let note = record.note(record.game.plies().len() + 1).unwrap();
    assert_eq!((note.millis(), note.comment(), note.tags.get("Via")), (1_499, "why?", Some("app")));
    assert_eq!(record.ending, Some(Ending::Resigned(Player::Light)));
    assert_eq!(read(Notation::Urg, &record.to_string()), record);
}

#[test]
fn a_path_that_crosses_itself_reads_by_the_piece_that_moves() {
    // On Murray's path B7 is square 11 and square 17.
    let mut game = puabi_core::Game::from_setup(
        RuleSet::MURRAY.compile().unwrap(),
        "10,16:-:L1".parse().unwrap(),
    )
    .unwrap();
    game.play("16-17".parse().unwrap()).unwrap();
    let text = Notation::Rgn.write(&Record::new(game)).unwrap().text;
    assert!(text.ends_with("1. A7B7\n"), "{text}");
    let record = read(Notation::Rgn, &text);
    assert_eq!(record.game.setup().to_string(), "10,17:-:D");
}

#[test]
fn rolls_comments_and_marks_without_a_space_are_read_in_rgn() {
    let text = "[Rules Finkel]\n\n{so} 1. 4:A@A1* {good} A@A3\n/ 0 --";
    let record = read(Notation::Rgn, text);
    assert_eq!(record.note(0).unwrap().comment(), "so");
    assert_eq!(record.note(1).unwrap().comment(), "good");
    assert_eq!(record.game.setup().to_string(), "2,4:-:L");
}

#[test]
fn pieces_go_home_in_the_lane_beyond_the_end_of_the_path() {
    // The end of each path lies beyond its last tile; on the board of twenty squares it lies beside that tile.
    for (rules, from, action) in [
        (RuleSet::FINKEL, "12:-:L3", "B8A+"),
        (RuleSet::MASTERS, "-:13:D4", "A8C+"),
        (RuleSet::ASEB, "16:-:L1", "B12A+"),
        (RuleSet::ASEB, "-:15:D2", "B11C+"),
        (RuleSet::MURRAY, "27:-:L1", "C4C+"),
        (RuleSet::SKIRIUK_PATH, "-:23:D1", "B1B+"),
    ] {
        let setup: puabi_core::Setup = from.parse().unwrap();
        let mut game = puabi_core::Game::from_setup(rules.compile().unwrap(), setup).unwrap();
        let scores = |action: &puabi_core::Move| matches!(action, puabi_core::Move::Score { .. });
        let home = game.decision().unwrap().moves().into_iter().find(scores).unwrap();
        game.play(home).unwrap();
        let text = Notation::Rgn.write(&Record::new(game)).unwrap().text;
        assert!(text.trim_end().ends_with(action), "{text}");
    }
}

#[test]
fn a_roll_that_waits_for_its_move_ends_an_unfinished_game() {
    let record = read(Notation::Rgn, "[Rules finkel]\n\n1. 3 --\n");
    assert_eq!(record.game.setup().to_string(), "-:-:L3");
    let record = read(Notation::Log, "X: 3 \n");
    assert_eq!(record.game.setup().to_string(), "-:-:L3");
}

/// Games that `RoyalUr`'s rules wrote and that ended early, with their endings: given up while a roll waits, and abandoned by
/// light.
const EARLY: [(&str, &str, &str, Player); 3] = [
    (
        include_str!("../../../../testdata/records/early-finkel-g003.json"),
        include_str!("../../../../testdata/records/early-finkel-g003.rgn"),
        "resigned D",
        Player::Light,
    ),
    (
        include_str!("../../../../testdata/records/early-aseb-g003.json"),
        include_str!("../../../../testdata/records/early-aseb-g003.rgn"),
        "resigned L",
        Player::Dark,
    ),
    (
        include_str!("../../../../testdata/records/early-aseb-g011.json"),
        include_str!("../../../../testdata/records/early-aseb-g011.rgn"),
        "abandoned L external",
        Player::Dark,
    ),
];

#[test]
fn games_that_royalur_ends_early_are_read_and_written_as_it_does() {
    for (json, rgn, ending, winner) in EARLY {
        let record = Notation::Json.read(json, None).unwrap().record;
        assert_eq!(record.ending.unwrap().to_string(), ending);
        assert_eq!((record.winner(), record.game.winner()), (Some(winner), None));
        let states = |text: &str| -> serde_json::Value {
            let game: serde_json::Value = serde_json::from_str(text).unwrap();
            game["states"].clone()
        };
        assert_eq!(states(&Notation::Json.write(&record).unwrap().text), states(json));
        // RGN says that the game ended, but not how.
        let reading = Notation::Rgn.read(rgn, Some(record.game.rules().rule_set())).unwrap();
        assert_eq!(reading.record.game.plies(), record.game.plies());
        assert_eq!(reading.record.game.pending(), record.game.pending());
        assert_eq!(reading.record.ending.unwrap().to_string(), "abandoned external");
        assert!(reading.remarks.iter().any(|it| it.to_string().contains("the game ends early")));
        let turns = |text: &str| {
            text.lines()
                .filter(|line| !line.starts_with('['))
                .map(str::to_owned)
                .collect::<Vec<_>>()
                .join("\n")
                .trim()
                .to_owned()
        };
        assert_eq!(turns(&Notation::Rgn.write(&record).unwrap().text), turns(rgn));
    }
}

#[test]
fn a_win_before_the_end_is_that_of_who_is_left() {
    let text = |end: &str| {
        JSON.replace(r#"{"type":"move","time":0,"turn":"L","roll":{"value":1},"move":{"src":14}},{"type":"win","time":0,"winner":"L"}"#, end)
    };
    let read =
        |end: &str| Notation::Json.read(&text(end), None).map(|reading| reading.record.winner());
    let resigned = r#"{"type":"resigned","time":0,"player":"D"}"#;
    let won = |who: &str| format!(r#"{{"type":"win","time":0,"winner":"{who}"}}"#);
    assert_eq!(read(resigned), Ok(Some(Player::Light)));
    assert_eq!(read(&format!("{resigned},{}", won("L"))), Ok(Some(Player::Light)));
    assert_eq!(read(&format!("{},{resigned}", won("L"))), Ok(Some(Player::Light)));
    for wrong in [
        won("L"),
        format!("{resigned},{}", won("D")),
        format!("{},{resigned}", won("D")),
        format!("{},{}", won("L"), won("L")),
        format!("{resigned},{resigned}"),
        format!(r#"{},{{"type":"wait4roll","time":0,"turn":"L"}}"#, won("L")),
    ] {
        assert!(read(&wrong).is_err(), "{wrong}");
    }
}

#[test]
fn light_s_first_turn_has_number_one_though_dark_begins() {
    let ours = "[Rules finkel:1]\n[Start \"-:-:D\"]\n\n/ C@C2\n1. A@A1 * A1B1 / C2B1x\n";
    let record = read(Notation::Rgn, ours);
    assert_eq!(Notation::Rgn.write(&record).unwrap().text, ours);
    let counted = ours.replace("\n1. ", "\n2. ");
    assert_eq!(read(Notation::Rgn, &counted), record);
    let reading = Notation::Rgn.read(&ours.replace("\n1. ", "\n3. "), None).unwrap();
    assert_eq!(reading.remarks.len(), 1);
}

#[test]
fn the_board_of_a_log_is_light_s_view_and_letters_may_be_small() {
    // Light has a piece on 6, dark to roll: Heled's own example begins in this way.
    let light = RuleSet::FINKEL.compile().unwrap();
    let code = PositionCode::new(light.position(&"6:-:L".parse().unwrap()).unwrap());
    let text = format!("Board: \"{code}\"\nO: 2 e\nX: 0 \nO: 4 b\n");
    let record = read(Notation::Log, &text);
    assert_eq!(record.game.start().to_string(), "6:-:D");
    assert_eq!(record.game.setup().to_string(), "-:6:L");
    let written = Notation::Log.write(&record).unwrap().text;
    assert_eq!(written, format!("Board: \"{code}\"\nO: 2 E\nX: 0 \nO: 4 B\n"));
}
