//! Tables: keys, order, values and quirks.

use std::io::Cursor;

use proptest::prelude::*;
use proptest::sample::Index;
use puabi_core::{Indexer, Player, RuleSet, Rules, Setup};
use puabi_formats::{
    ForeignTableError, KeyLayout, Metadata, State, States, TableReader, TableWriter, ValueType,
    WarTable,
};

fn keyed() -> [RuleSet; 5] {
    [RuleSet::FINKEL, RuleSet::BLITZ, RuleSet::MASTERS, RuleSet::MASTERS_4D, RuleSet::ASEB]
}

fn layout(rules: &Rules) -> KeyLayout {
    KeyLayout::new(rules, WarTable::OwnPieces).unwrap()
}

/// Returns a table whose values depend on the states.
fn table(rule_set: &RuleSet, value_type: ValueType, war_table: WarTable) -> Vec<u8> {
    let metadata = Metadata::new(rule_set, value_type, &[("author", "\"us\"")]).unwrap();
    let mut file = Vec::new();
    let percent = |state: &State| f64::from(state.light.bits() ^ state.dark.bits()) % 100.0;
    TableWriter::new(&metadata, war_table)
        .unwrap()
        .write(&mut file, |states| Ok(states.iter().map(percent).collect()))
        .unwrap();
    file
}

#[test]
fn the_start_has_the_key_that_royalur_gives_it() {
    let cases = [
        (RuleSet::FINKEL, 0x7E00_0000),
        (RuleSet::BLITZ, 0x2_D000_0000),
        (RuleSet::MASTERS, 0x3_F000_0000),
        (RuleSet::ASEB, 0x2_D000_0000),
        (RuleSet::FINKEL.with_pieces(2), 0x0480_0000),
    ];
    for (rule_set, key) in cases {
        assert_eq!(layout(&rule_set.compile().unwrap()).start(), key, "{rule_set}");
    }
    let small = RuleSet::FINKEL.with_pieces(2).compile().unwrap();
    assert_eq!(KeyLayout::new(&small, WarTable::SevenPieces).unwrap().start(), 0x2400_0000);
}

#[test]
fn keys_are_those_of_the_oracle() {
    // `rgu_key` of lines such as {"position":"-:-:L","value":..,"rgu_key":..}, made with RoyalUr-Java.
    for name in ["finkel-n2", "finkel-n3", "blitz-n2", "masters-n2", "aseb-n2"] {
        let path = format!("{}/../../testdata/oracle/{name}.jsonl", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).unwrap();
        let (preset, pieces) = name.split_once("-n").unwrap();
        let rules = format!("{preset}:{pieces}").parse::<RuleSet>().unwrap().compile().unwrap();
        let layout = layout(&rules);
        let mut checked = 0;
        for line in text.lines() {
            let json: serde_json::Value = serde_json::from_str(line).unwrap();
            let Some(key) = json["rgu_key"].as_u64() else { continue };
            let setup: Setup = json["position"].as_str().unwrap().parse().unwrap();
            let state = State::of(rules.position(&setup).unwrap(), &rules);
            assert_eq!(layout.key(state), key, "{name}: {setup}");
            checked += 1;
        }
        assert!(checked > 100, "{name}: {checked}");
    }
}

#[test]
fn the_states_are_all_positions_and_the_wins_of_light_in_the_order_of_their_keys() {
    for preset in keyed() {
        for pieces in 1..=2 {
            let rules = preset.clone().with_pieces(pieces).compile().unwrap();
            let (layout, indexer) = (layout(&rules), Indexer::new(&rules).unwrap());
            let states: Vec<_> = States::new(&layout).collect();
            let positions = states.iter().filter_map(|state| state.position(&rules));
            let mut ranks: Vec<_> = positions.map(|position| indexer.rank(position)).collect();
            ranks.sort_unstable();
            assert!(ranks.into_iter().eq(0..indexer.len()), "{preset}:{pieces}");
            let keys: Vec<_> = states.iter().map(|&state| layout.key(state)).collect();
            assert!(keys.is_sorted_by(|first, second| first < second));
            assert_eq!(keys.last(), Some(&layout.start()));
            for (&key, &state) in keys.iter().zip(&states) {
                assert_eq!(layout.state(key), Some(state));
                assert!(state.is_won() || state.position(&rules).is_some());
            }
        }
    }
}

proptest! {
    #[test]
    fn a_key_is_of_one_state_or_of_none(at in any::<Index>(), preset in 0..5_usize, pieces in 1..=7_u8) {
        let rules = keyed()[preset].clone().with_pieces(pieces).compile().unwrap();
        let (layout, indexer) = (layout(&rules), Indexer::new(&rules).unwrap());
        let index = at.index(usize::try_from(indexer.len()).unwrap()) as u64;
        let state = State::of(indexer.position(index).unwrap(), &rules);
        let key = layout.key(state);
        prop_assert_eq!(layout.state(key), Some(state));
        // Some of the neighbouring keys belong to states as well.
        for changed in (0..64).map(|bit| key ^ 1 << bit) {
            if let Some(state) = layout.state(changed) {
                prop_assert_eq!(layout.key(state), changed);
            }
        }
    }

    #[test]
    fn no_bytes_make_the_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..64), at in 0..600_usize) {
        let mut file = table(&RuleSet::FINKEL.with_pieces(1), ValueType::F32, WarTable::OwnPieces);
        let end = (at + bytes.len()).min(file.len());
        file.splice(at.min(end)..end, bytes);
        if let Ok(mut reader) = TableReader::new(Cursor::new(file)) {
            let _ = reader.each(|_| Ok(()));
        }
    }
}

#[test]
fn tables_read_back_in_every_type_of_values_and_both_layouts() {
    for preset in keyed() {
        let rule_set = preset.with_pieces(2);
        for value_type in ValueType::ALL {
            for war_table in [WarTable::OwnPieces, WarTable::SevenPieces] {
                let file = table(&rule_set, value_type, war_table);
                let mut reader = TableReader::new(Cursor::new(&file)).unwrap();
                assert_eq!(reader.value_type(), value_type);
                assert_eq!(*reader.rules().rule_set(), rule_set);
                let metadata = reader.metadata().clone();
                let found = reader.layout().war_table();
                let mut percents = Vec::new();
                reader
                    .each(|entry| {
                        percents.push(entry.percent);
                        Ok(())
                    })
                    .unwrap();
                let mut percents = percents.into_iter();
                let mut again = Vec::new();
                TableWriter::new(&metadata, found)
                    .unwrap()
                    .write(&mut again, |states| Ok(percents.by_ref().take(states.len()).collect()))
                    .unwrap();
                assert!(again == file, "{rule_set} {value_type} {war_table}");
            }
        }
    }
}

#[test]
fn a_position_is_seen_by_its_mover() {
    let rules = RuleSet::MASTERS.with_pieces(2).compile().unwrap();
    let position = |text: &str| rules.position(&text.parse().unwrap()).unwrap();
    let (light, dark) = (position("3,12:5:L"), position("5:3,12:D"));
    assert_eq!(
        layout(&rules).key(State::of(light, &rules)),
        layout(&rules).key(State::of(dark, &rules))
    );
    assert_eq!(rules.setup(light, Player::Light).to_string(), "3,12:5:L");
}

#[test]
fn quirks_are_met_and_named() {
    let rule_set = RuleSet::FINKEL.with_pieces(1);
    let file = table(&rule_set, ValueType::F64, WarTable::SevenPieces);
    let quirks = |file: Vec<u8>| TableReader::new(Cursor::new(file)).unwrap().quirks();
    assert_eq!(
        quirks(file.clone()),
        ["keys by the war table of seven pieces, as before April 2024"]
    );

    let file = table(&rule_set, ValueType::Percent16, WarTable::OwnPieces);
    assert_eq!(quirks(file.clone()), [""; 0]);
    let without = replaced(&file, "\"value_type\":\"percent16\",", "");
    assert_eq!(quirks(without), ["no `value_type`: percent16, as in files of February 2024"]);
    let doubled = replaced(&file, "\"author\":\"us\"", "\"author\":\"us\",\"author\":\"them\"");
    assert_eq!(quirks(doubled), ["the key `author` comes twice: the first counts"]);
    let wrong = replaced(&file, "percent16", "f64");
    assert_eq!(quirks(wrong), ["`value_type` does not fit the length: percent16"]);
}

/// Returns the file with a text of its metadata changed.
fn replaced(file: &[u8], from: &str, to: &str) -> Vec<u8> {
    let length = u32::from_be_bytes(file[4..8].try_into().unwrap()) as usize;
    let json = std::str::from_utf8(&file[8..8 + length]).unwrap();
    assert!(json.contains(from), "{json}");
    let json = json.replacen(from, to, 1);
    let length = u32::try_from(json.len()).unwrap().to_be_bytes();
    [
        b"RGU\0".as_slice(),
        &length,
        json.as_bytes(),
        &file[8 + usize::try_from(u32::from_be_bytes(file[4..8].try_into().unwrap())).unwrap()..],
    ]
    .concat()
}

#[test]
fn files_that_are_no_such_table_are_refused_with_the_reason() {
    let file = table(&RuleSet::FINKEL.with_pieces(1), ValueType::F32, WarTable::OwnPieces);
    let error = |file: Vec<u8>| {
        let read =
            TableReader::new(Cursor::new(file)).and_then(|mut reader| reader.each(|_| Ok(())));
        read.unwrap_err().to_string()
    };
    assert!(
        error(b"\x89URT".to_vec())
            .contains("expected the bytes 52 47 55 (`RGU`) and version 0, found 89 55 52 54")
    );
    assert!(
        error(file[..file.len() - 1].to_vec()).contains("entries of 6, 8 or 12 bytes would take")
    );
    let mut many = file.clone();
    let maps = 8 + u32::from_be_bytes(file[4..8].try_into().unwrap()) as usize;
    many[maps] = 1;
    let counts = format!("bytes: the counts of its {} maps end at", (1 << 24) + 1);
    assert!(error(many).contains(&counts));
    let lengths =
        replaced(&file, "\"author\":\"us\"", "\"objective\":\"max_expected_legal_moves\"");
    assert!(error(lengths).contains("holds max_expected_legal_moves, not chances to win"));
    let murray = replaced(&file, "\"bell\"", "\"murray\"");
    assert!(error(murray).contains("which the keys of .rgu tables cannot tell apart"));
    let ring = replaced(&file, "\"bell\"", "\"ring\"");
    assert!(error(ring).contains("`paths` is `ring`: expected bell"));
    let u32s = replaced(&file, "\"f32\"", "\"u32\"");
    assert!(
        error(u32s)
            .contains("`u32` is not a value type of a table: expected percent16, f32 or f64")
    );
    let mut swapped = file.clone();
    let entries = TableReader::new(Cursor::new(&file)).unwrap().len();
    let keys = file.len() - 8 * usize::try_from(entries).unwrap();
    swapped.swap(keys + 3, keys + 7);
    assert!(error(swapped).contains("expected ascending keys"));
    let mut nan = file.clone();
    let end = nan.len();
    nan[end - 4..].fill(0xFF);
    let is_no_chance = "is not a chance: expected 0 to 100 percent";
    assert!(error(nan.clone()).contains(is_no_chance));
    let mut reader = TableReader::new(Cursor::new(nan)).unwrap();
    let states: Vec<_> = States::new(reader.layout()).collect();
    let last = &states[states.len() - 1..];
    let error = reader.percents(entries - 1, last).unwrap_err().to_string();
    assert!(error.contains(is_no_chance), "{error}");
}

#[test]
fn values_are_those_of_the_states_that_are_asked_for() {
    let rule_set = RuleSet::BLITZ.with_pieces(3);
    let file = table(&rule_set, ValueType::F64, WarTable::OwnPieces);
    let mut reader = TableReader::new(Cursor::new(&file)).unwrap();
    assert!(reader.maps().len() > 1, "{:?}", reader.maps());
    let states: Vec<_> = States::new(reader.layout()).collect();
    let all = reader.percents(0, &states).unwrap();
    for at in (0..states.len() - 1).step_by(997) {
        let found = reader.percents(at as u64, &states[at..=at + 1]).unwrap();
        assert_eq!(found, all[at..=at + 1], "{at}");
        assert!(reader.percents(at as u64, &states[at + 1..at + 2]).is_err());
    }
}

#[test]
fn metadata_of_many_keys_is_read_in_linear_time() {
    // A quadratic reader would take minutes.
    let keys: Vec<_> = (0..110_000).map(|key| format!("\"{key:x}\":0")).collect();
    let json = format!("{{{}}}", keys.join(","));
    assert!(json.len() < Metadata::MAX_BYTES);
    let metadata = Metadata::parse(json.as_bytes()).unwrap();
    assert_eq!((metadata.field("ff"), metadata.duplicate_keys().len()), (Some("0"), 0));
}

#[test]
fn a_state_that_light_has_won_is_worth_100_percent() {
    let metadata = Metadata::new(&RuleSet::FINKEL.with_pieces(1), ValueType::F32, &[]).unwrap();
    let writer = TableWriter::new(&metadata, WarTable::OwnPieces).unwrap();
    for (won, is_right) in [(100.0, true), (99.99, false)] {
        let mut file = Vec::new();
        let percent = |state: &State| if state.is_won() { won } else { 50.0 };
        writer.write(&mut file, |states| Ok(states.iter().map(percent).collect())).unwrap();
        let mut reader = TableReader::new(Cursor::new(file)).unwrap();
        assert_eq!(reader.each_position(|_, _| Ok(())).is_ok(), is_right, "{won}");
    }
}

#[test]
fn keys_in_another_map_are_of_other_states() {
    let mut file = table(&RuleSet::BLITZ.with_pieces(2), ValueType::F64, WarTable::OwnPieces);
    let reader = TableReader::new(Cursor::new(&file)).unwrap();
    let states: Vec<_> = States::new(reader.layout()).collect();
    let maps = reader.maps().len();
    // The same lower halves, after an empty map.
    let counts = file.len() - 12 * states.len() - 4 * maps;
    file[counts - 1] += 1;
    file.splice(counts..counts, [0; 4]);
    let mut reader = TableReader::new(Cursor::new(file)).unwrap();
    assert_eq!((reader.maps().len(), reader.maps()[0]), (maps + 1, 0));
    let error = reader.percents(0, &states[..1]).unwrap_err().to_string();
    assert!(error.contains("belongs to no state under these rules"), "{error}");
}

#[test]
fn games_without_keys_are_refused() {
    let race = RuleSet { name: "race".into(), goal: Some(5), ..RuleSet::FINKEL };
    let winding = [RuleSet::MURRAY, RuleSet::SKIRIUK_PATH, RuleSet::SKIRIUK, RuleSet::SIMPLE_UR];
    let others = [RuleSet::DMYTRO, RuleSet::FINKEL.with_pieces(8), race];
    for rule_set in winding.into_iter().chain(others) {
        let rules = rule_set.compile().unwrap();
        assert!(KeyLayout::new(&rules, WarTable::OwnPieces).is_err(), "{rule_set}");
    }
    let three = RuleSet { dice: "3d".parse().unwrap(), name: "three".into(), ..RuleSet::FINKEL };
    let error = Metadata::new(&three, ValueType::F64, &[]).unwrap_err();
    assert!(matches!(error, ForeignTableError::Settings(_)), "{error}");
}
