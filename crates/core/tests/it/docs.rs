//! The documents: what they show agrees with the program.

use std::fs;

use puabi_core::{Charset, Picture, Player, Record, Route, RuleSet, Setup};

fn read(path: &str) -> String {
    fs::read_to_string(format!("{}/../../{path}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

/// The fenced blocks of a document that begin with `opening`.
fn blocks(text: &str, opening: &str) -> Vec<String> {
    let fenced = text.split("```").skip(1).step_by(2);
    fenced.filter(|block| block.starts_with(opening)).map(str::to_owned).collect()
}

#[test]
fn the_rule_files_shown_are_the_examples() {
    let text = read("docs/rules.md");
    let shown: Vec<_> = blocks(&text, "toml\n")
        .iter()
        .map(|block| RuleSet::from_toml(block.strip_prefix("toml\n").unwrap()).unwrap())
        .collect();
    let example = |name| RuleSet::from_toml(&read(&format!("examples/rules/{name}.toml"))).unwrap();
    assert_eq!(shown[1..], [example("bridge"), example("serpent")]);
    for rule_set in &shown[1..] {
        let rules = rule_set.compile().unwrap();
        let picture = Picture::path(&rules, Player::Light, Charset::Ascii).to_string();
        assert!(text.contains(&picture), "{picture}");
        let positions = puabi_core::Indexer::new(&rules).unwrap().len();
        let positions = format!("{},{:03} positions", positions / 1000, positions % 1000);
        assert!(text.contains(&positions), "{positions}");
    }
}

#[test]
fn the_records_and_positions_shown_are_read() {
    let text = read("docs/notation.md");
    let records = blocks(&text, "\nformat: urg 1");
    assert_eq!(records.len(), 3);
    for record in records {
        record.trim_start().parse::<Record>().unwrap();
    }
    let finkel = RuleSet::FINKEL.compile().unwrap();
    let positions = text.lines().filter_map(|line| line.strip_prefix("| `")?.split_once('`'));
    let positions = positions.filter(|(cell, _)| cell.matches(':').count() == 2);
    let positions: Vec<_> = positions.map(|(cell, _)| cell.parse::<Setup>().unwrap()).collect();
    assert_eq!(positions.len(), 4);
    assert!(positions.iter().all(|setup| finkel.position(setup).is_ok()));
    assert!(text.contains(&Picture::path(&finkel, Player::Light, Charset::Ascii).to_string()));
}

#[test]
fn the_presets_are_listed_with_their_rules() {
    let text = read("docs/notation.md");
    for preset in RuleSet::PRESETS {
        let rules = preset.compile().unwrap();
        let puabi_core::Path::Named(route) = preset.path else { panic!("presets have routes") };
        let safe = if preset.safe_rosettes { "yes" } else { "no" };
        let extra = if preset.captures_grant_rolls { "rosette, capture" } else { "rosette" };
        let row = format!(
            "| `{}` | `{}` | {} | `{}` | {} | {safe} | {extra} |",
            preset.name,
            route.name(),
            rules.length(),
            preset.dice,
            preset.pieces,
        );
        assert!(text.contains(&row), "{row}");
    }
}

#[test]
fn the_paths_are_listed_with_their_tiles() {
    let text = read("docs/format.md");
    let (_, table) =
        text.split_once("| `path` | light's tiles from the first square on |").unwrap();
    let rows = table.lines().skip_while(|line| !line.starts_with("| `"));
    let rows = rows.take_while(|line| line.starts_with("| `"));
    let mut listed: Vec<(&str, &str)> = Vec::new();
    for row in rows {
        let cells: Vec<_> = row.split('|').map(str::trim).collect();
        let tiles = if cells[2] == "the same" { listed.last().unwrap().1 } else { cells[2] };
        listed.push((cells[1].trim_matches('`'), tiles));
    }
    let light = |route: Route| {
        let board = route.board();
        board.light().iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
    };
    let known = Route::ALL.map(|route| (route.name(), light(route)));
    let mut known: Vec<_> = known.iter().map(|(name, tiles)| (*name, &**tiles)).collect();
    known.sort_unstable();
    listed.sort_unstable();
    assert_eq!(listed, known);
}

#[test]
fn every_key_of_rule_files_is_listed_with_an_example_that_is_read() {
    let text = read("docs/rules.md");
    let unknown = RuleSet::from_toml("no-key = 1").unwrap_err().to_string();
    let (_, known) = unknown.split_once("expected one of ").unwrap();
    let known: Vec<_> = known.split(';').next().unwrap().split(", ").collect();
    let rows = text.lines().filter(|line| line.starts_with("| `") && line.ends_with("` |"));
    let rows: Vec<Vec<_>> = rows.map(|row| row.split('`').collect()).collect();
    let listed: Vec<_> = rows.iter().map(|row| row[1]).collect();
    assert_eq!(listed, known);
    for row in &rows {
        let (key, example) = (row[1], row[row.len() - 2]);
        assert!(example.starts_with(&format!("{key} = ")), "{example}");
        let needed = [("path", "path = \"forgotten\""), ("turning_square", "turning_square = 13")];
        let needed = needed.iter().filter(|(needed, _)| *needed != key).map(|(_, line)| *line);
        let file: Vec<_> = needed.chain([example]).collect();
        let read = RuleSet::from_toml(&file.join("\n"));
        assert!(read.is_ok(), "{read:?}");
    }
}
