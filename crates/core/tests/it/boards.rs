//! Random rule sets for properties: presets of any size, and drawn boards that are mirror-equal by construction.

use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use puabi_core::{
    Board, Dice, Game, Path, Position, Roll, RuleSet, Rules, StackOrder, Stacks, Tile, TileKind,
    Turning, TurnsOn,
};

/// Presets with any number of pieces.
pub(crate) fn presets() -> impl Strategy<Value = RuleSet> {
    let presets = select(RuleSet::PRESETS.to_vec());
    (presets, 1..=7_u8).prop_map(|(preset, pieces)| preset.with_pieces(pieces))
}

/// Presets of any size as races to fewer than all pieces home, some with a given first roll.
fn races() -> impl Strategy<Value = RuleSet> {
    (presets(), 1..7_u8, any::<bool>()).prop_map(|(preset, goal, is_given)| {
        let goal = Some(goal).filter(|&goal| goal < preset.pieces);
        let first_roll = is_given.then_some(Roll::new(1));
        RuleSet { name: "race".into(), goal, first_roll, ..preset }
    })
}

/// Rule sets with a drawn board: up to 6 private squares, then any walk that may cross itself and meet the other
/// player's at other steps, then up to 5 private squares.
pub(crate) fn drawn() -> impl Strategy<Value = RuleSet> {
    let middle: Vec<_> =
        (1..=3).flat_map(|row| (1..=4).map(move |column| tile(row, column))).collect();
    let twice: Vec<_> = middle.iter().chain(&middle).copied().collect();
    let walk = subsequence(twice, 2..=16).prop_shuffle();
    let rosettes = subsequence(middle, 0..=4);
    let dice = (1..=3_u8, 0..=4_u8).prop_filter_map("dice", |(count, zero)| Dice::new(count, zero));
    let switches = (any::<bool>(), any::<bool>(), any::<bool>());
    let special = prop::collection::vec((any::<u8>(), 2..TileKind::ALL.len()), 0..4);
    let rest = (1..=5_u8, switches, special, rare());
    (0..=6_u8, walk, 0..=5_u8, rosettes, dice, rest).prop_filter_map(
        "a path as long as the longest roll, and stacks where both reach them alike",
        |(pre, walk, post, rosettes, dice, (pieces, switches, special, rare))| {
            let before = (1..=pre).map(|column| tile(0, column));
            let after = (1..=post).map(|column| tile(0, 10 + column));
            let light: Vec<_> = before.chain(walk).chain(after).collect();
            let rule_set = RuleSet {
                name: "drawn".into(),
                path: Path::Drawn(Box::new(mirror_equal(light, &rosettes, &special))),
                dice,
                pieces,
                goal: rare.goal.filter(|&goal| goal < pieces),
                safe_rosettes: switches.0,
                rosettes_grant_rolls: switches.1,
                captures_grant_rolls: switches.2,
                ..rare
            };
            rule_set.compile().is_ok().then_some(rule_set)
        },
    )
}

/// Presets, races and drawn boards.
pub(crate) fn rule_sets() -> impl Strategy<Value = RuleSet> {
    prop_oneof![presets(), races(), drawn()]
}

fn tile(row: u8, column: u8) -> Tile {
    Tile::new(row, column).unwrap()
}

/// The switches that only some games have, on any rules.
fn rare() -> impl Strategy<Value = RuleSet> {
    let turning = (1..=4_u8, select(TurnsOn::NAMES.to_vec()));
    let stacks = (1..=4_u8, select(StackOrder::NAMES.to_vec()), any::<bool>());
    let switches = (any::<bool>(), any::<bool>(), any::<bool>());
    let rest = (prop::option::of(1..5_u8), switches);
    let rare = (prop::option::of(turning), stacks, rest);
    rare.prop_map(|(turning, stacks, (goal, switches))| RuleSet {
        goal,
        turning: turning.map(|(square, (_, on))| Turning { square, on }),
        stacks: Stacks { cap: stacks.0, order: stacks.1.1, camps_of_one_kind: stacks.2 },
        exact_exit: switches.0,
        like_captures_like: switches.1,
        last_protects_novices: switches.2,
        ..RuleSet::FINKEL
    })
}

/// Returns a board of five lanes on which dark's path is light's, seen from the other side.
fn mirror_equal(light: Vec<Tile>, rosettes: &[Tile], special: &[(u8, usize)]) -> Board {
    let mirrored = |tile: &Tile| Tile::new(4 - tile.row(), tile.column()).unwrap();
    let dark: Vec<_> = light.iter().map(mirrored).collect();
    let mut kinds: BTreeMap<_, _> =
        light.iter().chain(&dark).map(|&tile| (tile, TileKind::Plain)).collect();
    let special = special
        .iter()
        .map(|&(at, kind)| (light[usize::from(at) % light.len()], TileKind::ALL[kind]));
    let rosettes = rosettes.iter().map(|&tile| (tile, TileKind::Rosette));
    for (tile, kind) in rosettes.chain(special) {
        for tile in [tile, mirrored(&tile)] {
            kinds.entry(tile).and_modify(|it| *it = kind);
        }
    }
    Board::with_kinds(kinds.into_iter().collect(), light, dark).unwrap()
}

/// Compiled rules with one of their positions, drawn uniformly from all.
pub(crate) fn positions() -> impl Strategy<Value = (Rules, Position)> {
    (rule_sets(), any::<prop::sample::Index>()).prop_map(|(rule_set, index)| {
        let rules = rule_set.compile().unwrap();
        let indexer = puabi_core::Indexer::new(&rules).unwrap();
        // `Index` picks a `usize`, which has 64 bits on the systems that run tests.
        let index = index.index(usize::try_from(indexer.len()).unwrap()) as u64;
        let position = indexer.position(index).unwrap();
        (rules, position)
    })
}

/// Games played at random for some plies, with or without a roll that waits for its move.
pub(crate) fn games() -> impl Strategy<Value = Game> {
    let choices =
        prop::collection::vec(any::<(prop::sample::Index, prop::sample::Index)>(), 0..200);
    (positions(), any::<bool>(), choices, any::<bool>()).prop_map(
        |((rules, position), from_start, choices, pending)| {
            let mut game = if from_start {
                Game::new(rules)
            } else {
                let start = rules.setup(position, puabi_core::Player::Dark);
                Game::from_setup(rules, start).unwrap()
            };
            for (roll, choice) in choices {
                if game.turn().is_none() {
                    return game;
                }
                if game.pending().is_none() {
                    game.roll(any_roll(&game.rules().clone(), roll)).unwrap();
                }
                let moves = game.decision().unwrap().moves();
                game.play(*choice.get(&moves)).unwrap();
            }
            if pending && game.turn().is_some() && game.pending().is_none() {
                let roll = game.rules().rolls()[0].0;
                game.roll(roll).unwrap();
            }
            game
        },
    )
}

fn any_roll(rules: &Rules, index: prop::sample::Index) -> Roll {
    index.get(rules.rolls()).0
}
