//! Rule files: one canonical text, and errors that help.

use puabi_core::RuleSet;

/// Returns the error of a rule file that is refused.
fn error(text: &str) -> String {
    RuleSet::from_toml(text).unwrap_err().to_string()
}

#[test]
fn every_preset_reads_back_from_its_canonical_text() {
    for preset in RuleSet::PRESETS {
        for pieces in [1, 7, 15] {
            let rule_set = preset.clone().with_pieces(pieces);
            let text = rule_set.to_toml();
            let read = RuleSet::from_toml(&text).unwrap();
            assert_eq!(read, rule_set);
            assert_eq!(read.to_toml(), text);
        }
    }
}

#[test]
fn a_file_with_the_rules_of_a_preset_keeps_its_own_name() {
    let rule_set = RuleSet::from_toml("name = \"Ours\"\npath = \"bell\"").unwrap();
    assert_eq!(rule_set.to_string(), "Ours");
    assert_eq!(rule_set.preset(), None);
}

#[test]
fn only_the_path_must_be_given() {
    let rule_set = RuleSet::from_toml("path = \"bell\"").unwrap();
    assert_eq!(RuleSet { name: "finkel".into(), ..rule_set.clone() }, RuleSet::FINKEL);
    assert_eq!(rule_set.name, "unnamed");
    assert!(error("").starts_with("line 1, column 1: `path` is missing: expected \"bell\", "));
}

#[test]
fn errors_say_line_column_key_and_what_would_be_right() {
    let cases = [
        (
            "path = \"bell\"\npeices = 3",
            "line 2, column 1: unknown key `peices`: did you mean `pieces`? Expected one of name, path, dice, pieces, goal, safe_rosettes, rosettes_grant_rolls, captures_grant_rolls, exact_exit, turning_square, turning_on, like_captures_like, stack_cap, stack_order, camps_of_one_kind, last_protects_novices, dead_position, first_roll",
        ),
        (
            "path = \"bell\"\npieces = \"3\"",
            "line 2, column 10: `pieces` is the text \"3\": expected a whole number from 1 to 15",
        ),
        (
            "path = \"bell\"\npieces = 16",
            "line 2, column 10: `pieces` is the number 16: expected a whole number from 1 to 15",
        ),
        (
            "path = \"bell\"\npieces = -1",
            "line 2, column 10: `pieces` is the number -1: expected a whole number from 1 to 15",
        ),
        (
            "path = \"bell\"\nsafe_rosettes = 1",
            "line 2, column 17: `safe_rosettes` is the number 1: expected true or false",
        ),
        (
            "path = \"bell\"\ndice = \"4d6\"",
            "line 2, column 8: `dice`: `4d6` is not a kind of dice: expected `4d` for four binary dice (1 to 8), or `3d0=4` if zero counts as four",
        ),
        (
            "path = \"bel\"",
            "line 1, column 8: `path` is the text \"bel\": did you mean `bell`? Expected \"bell\", \"masters\", \"aseb\", \"murray\", \"skiriuk\", \"forgotten\", \"simple\", \"dmytro\", or a table [path] that draws a board",
        ),
        (
            "path = \"bell\"\nname = \" \"",
            "line 2, column 8: `name`: \" \" is not a name: expected 1 to 60 characters, no space at either end, none that controls text or turns its direction",
        ),
        (
            "path = \"aseb\"\nname = \"Finkel\"",
            "line 2, column 8: `name`: the name `Finkel` would be taken for the preset `finkel`: expected `finkel` for its rules, another name for others",
        ),
        (
            "path = \"bell\"\npath = \"bell\"",
            "line 2, column 1: this is not TOML: duplicate key; found `path`",
        ),
        (
            "path = \"bell\"\ndice = \"1d0=15\"",
            "line 2, column 8: `dice`: the path has 14 squares, but a roll can be 15: expected a path at least as long as the longest roll",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(error(text), expected, "{text}");
    }
}

#[test]
fn errors_in_drawings_point_into_them() {
    let cases = [
        (
            "path = {}",
            "line 1, column 8: `path.board` is missing: expected an array with one text for each lane, such as \"*...  *.\": . for a tile, * for a rosette, a space for nothing",
        ),
        (
            "[path]\nboard = [\"..\"]\nligth = \"A1\"",
            "line 3, column 1: unknown key `ligth`: did you mean `light`? Expected one of board, light, dark",
        ),
        (
            "[path]\nboard = [\n  \"..x\",\n]\nlight = \"A1\"",
            "line 3, column 6: `path.board` is `x` in column 3 of lane A: expected . for a tile, * for a rosette, C for a camp, H for a holy tile, N for a tile of novices, V for a tile of veterans, L for a last tile or a space for nothing, in at most 32 columns",
        ),
        (
            "[path]\nboard = [\"..\"]\nlight = \"A1 A0\"",
            "line 3, column 13: `path.light`: `A0` is not a tile: expected a lane letter A to Z and a column 1 to 32, as in B4",
        ),
        (
            "[path]\nboard = [\"..\"]\nlight = [\"A1\", 2]",
            "line 3, column 16: `path.light` is the number 2: expected the tiles of a path in order, such as \"A4 A3 A2 A1 B1\", or an array of them",
        ),
        (
            "[path]\nboard = [\"....\"]\nlight = \"A1 A5 A2 A3\"",
            "line 3, column 9: `path`: light's path visits A5, where the board has no tile",
        ),
        (
            "[path]\nboard = [\"....\", \"....\"]\nlight = \"A1 A2 A3 A4\"\ndark = \"B1 B2\"",
            "line 2, column 9: `path`: light's path has 4 squares and dark's 2: both must have the same number",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(error(text), expected, "{text}");
    }
}

#[test]
fn darks_path_is_lights_mirrored_where_it_is_left_out() {
    let board = "[path]\nboard = [\"..\", \"..\", \"..\"]\nlight = \"A2 A1 B1 B2\"\n";
    let short = format!("dice = \"2d\"\n{board}");
    let rule_set = RuleSet::from_toml(&short).unwrap();
    assert_eq!(rule_set, RuleSet::from_toml(&format!("{short}dark = \"C2 C1 B1 B2\"")).unwrap());
}

#[test]
fn the_examples_compile_and_read_back() {
    let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/rules");
    let files: Vec<_> = std::fs::read_dir(examples).unwrap().collect();
    assert!(files.len() >= 2);
    for file in files {
        let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
        let rule_set = RuleSet::from_toml(&text).unwrap();
        assert_eq!(RuleSet::from_toml(&rule_set.to_toml()), Ok(rule_set));
    }
}

#[test]
fn a_file_of_any_length_is_refused_at_once() {
    let text = "#".repeat(RuleSet::MAX_TOML_BYTES + 1);
    assert!(error(&text).contains("65537 bytes: expected a rule file of at most 65536"));
}
