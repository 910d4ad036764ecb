//! Random records for properties.

use proptest::prelude::*;
use proptest::sample::{Index, select};
use puabi_core::{AbandonReason, Ending, Game, Indexer, Note, Player, Record, RuleSet, Setup};

/// Presets with one to seven pieces.
pub(crate) fn presets() -> impl Strategy<Value = RuleSet> {
    let presets = select(RuleSet::PRESETS.to_vec());
    (presets, 1..=7_u8).prop_map(|(preset, pieces)| preset.with_pieces(pieces))
}

/// Presets of one piece a tile, which the dialects can hold.
pub(crate) fn foreign_presets() -> impl Strategy<Value = RuleSet> {
    presets().prop_filter("games that RoyalUr's programs name", |rule_set| {
        !["skiriuk", "simple-ur", "dmytro"].contains(&&*rule_set.name)
    })
}

/// Games by these rules, from the start or from anywhere, some to their end.
pub(crate) fn games(rules: impl Strategy<Value = RuleSet>) -> impl Strategy<Value = Game> {
    let choices = prop_oneof![
        prop::collection::vec(any::<(Index, Index)>(), 0..40),
        prop::collection::vec(any::<(Index, Index)>(), 600..601),
    ];
    let start = proptest::option::of((any::<Index>(), any::<bool>(), any::<bool>()));
    (rules, start, choices, any::<bool>(), any::<Index>()).prop_map(
        |(rule_set, start, choices, pending, last)| {
            let mut game = begun(&rule_set, start);
            for (roll, choice) in choices {
                if game.turn().is_none() {
                    return game;
                }
                throw(&mut game, roll);
                let moves = game.decision().unwrap().moves();
                game.play(*choice.get(&moves)).unwrap();
            }
            if pending && game.turn().is_some() {
                throw(&mut game, last);
            }
            game
        },
    )
}

fn throw(game: &mut Game, roll: Index) {
    if game.pending().is_none() {
        let roll = roll.get(game.rules().rolls()).0;
        game.roll(roll).unwrap();
    }
}

fn begun(rule_set: &RuleSet, start: Option<(Index, bool, bool)>) -> Game {
    let rules = rule_set.compile().unwrap();
    let Some((index, is_dark, is_thrown)) = start else { return Game::new(rules) };
    let indexer = Indexer::new(&rules).unwrap();
    let index = index.index(usize::try_from(indexer.len()).unwrap()) as u64;
    let turn = if is_dark { Player::Dark } else { Player::Light };
    let roll = is_thrown.then(|| rules.rolls()[1].0);
    let setup = Setup { roll, ..rules.setup(indexer.position(index).unwrap(), turn) };
    Game::from_setup(rules, setup).unwrap()
}

/// Records of games by these rules, with names, tags, notes and endings.
pub(crate) fn records(rules: impl Strategy<Value = RuleSet>) -> impl Strategy<Value = Record> {
    let note = (0..3_u64, "[a-z #\"\\\\:]{0,9}", proptest::option::of("[A-Z]{1,3}"));
    let notes = prop::collection::vec((any::<Index>(), note), 0..6);
    let name = prop_oneof![
        8 => "[A-Z][a-z ]{0,8}[a-z\"]".boxed(),
        1 => Just(String::new()).boxed(),
        1 => Just("Ann, O is Bob".to_owned()).boxed(),
    ];
    let name = proptest::option::weighted(0.8, name);
    let names = (name.clone(), name);
    (games(rules), notes, names, any::<u8>()).prop_map(|(game, notes, names, kind)| {
        let mut record = Record::new(game);
        for (key, name) in [("light", names.0), ("dark", names.1)] {
            if let Some(name) = name {
                record.set_header(key, &name).unwrap();
            }
        }
        if kind % 2 == 0 {
            record.set_header("seed", "7").unwrap();
            record.tags.set("StartTime", "2024-05-01T10:00:00Z");
        }
        if kind % 3 == 0 {
            // Names that the notations need for their own tags.
            let taken = record.headers().filter(|&(key, _)| key == "light").map(|_| "Light");
            for name in ["Rules", "Start", "End"].into_iter().chain(taken.collect::<Vec<_>>()) {
                record.tags.set(name, "chess");
            }
        }
        for (at, (millis, comment, tag)) in notes {
            let moment = at.index(record.game.plies().len() + 2);
            let mut note = Note::new(millis * 700).with_comment(&comment);
            if let Some(tag) = tag {
                note.tags.set(tag, " x\n");
                if !note.comment().is_empty() {
                    note.tags.set("Comment", "another");
                }
            }
            record.set_note(moment, note);
        }
        record.ending = ending(kind).filter(|_| !record.game.is_over());
        record
    })
}

fn ending(kind: u8) -> Option<Ending> {
    let by = Some(Player::Dark).filter(|_| kind > 128);
    match kind % 5 {
        0 => Some(Ending::Resigned(Player::Light)),
        1 => Some(Ending::Abandoned { by, reason: AbandonReason::External }),
        2 => Some(Ending::Abandoned { by, reason: AbandonReason::PlayerLeft }),
        _ => None,
    }
}
