//! How many positions and lines of play there are.

use proptest::prelude::*;
use puabi_core::{
    Board, Game, Indexer, Path, Player, Roll, RuleSet, Tile, TileKind, perft, perft_from,
};

use crate::boards;

fn len(rule_set: &RuleSet) -> u64 {
    Indexer::new(&rule_set.compile().unwrap()).unwrap().len()
}

/// Counts unfinished positions without zones or sublayers: each tile holds nothing, one of light's squares on it or
/// one of dark's, and pieces not on the board are in hand or home.
fn closed_form(rule_set: &RuleSet) -> u64 {
    let board = rule_set.path.board();
    let pieces = usize::from(rule_set.pieces);
    let goal = rule_set.goal.map_or(pieces, usize::from);
    let mut boards = vec![vec![0_u128; pieces + 1]; pieces + 1];
    boards[0][0] = 1;
    for &tile in board.tiles() {
        let [light, dark] =
            Player::BOTH.map(|player| u128::from(board.squares_on(tile, player).len()));
        for l in (0..=pieces).rev() {
            for d in (0..=pieces).rev() {
                let with_light = if l > 0 { light * boards[l - 1][d] } else { 0 };
                let with_dark = if d > 0 { dark * boards[l][d - 1] } else { 0 };
                boards[l][d] += with_light + with_dark;
            }
        }
    }
    // A side with the goal home has won, so the position is not counted.
    let splits = |on_board| goal.min(pieces - on_board + 1) as u128;
    let rows = boards.iter().enumerate();
    let sum: u128 = rows
        .flat_map(|(l, row)| {
            row.iter().enumerate().map(move |(d, ways)| ways * splits(l) * splits(d))
        })
        .sum();
    sum.try_into().unwrap()
}

#[test]
fn the_presets_have_as_many_positions_as_published() {
    assert_eq!(len(&RuleSet::FINKEL), 137_870_097);
    assert_eq!(len(&RuleSet::BLITZ), 41_243_781);
    assert_eq!(len(&RuleSet::MASTERS), 500_929_993);
    assert_eq!(len(&RuleSet::MURRAY), 107_965_167_229);
    assert_eq!(len(&RuleSet::MURRAY.with_pieces(4)), 207_286_720);
}

#[test]
fn the_number_of_positions_is_the_closed_form_for_every_preset_and_size() {
    for preset in RuleSet::PRESETS {
        if preset.compile().unwrap().has_stacks() {
            continue;
        }
        for pieces in 1..=8 {
            let rule_set = preset.clone().with_pieces(pieces);
            assert_eq!(len(&rule_set), closed_form(&rule_set), "{rule_set}");
        }
    }
}

proptest! {
    #[test]
    fn the_number_of_positions_is_the_closed_form_for_drawn_boards(rule_set in boards::drawn()) {
        prop_assume!(!rule_set.compile().unwrap().has_stacks());
        prop_assert_eq!(len(&rule_set), closed_form(&rule_set));
    }
}

#[test]
fn the_largest_games_are_counted() {
    let lane = |row| (1..=31).filter_map(move |column| Tile::new(row, column)).collect::<Vec<_>>();
    let tiles = [lane(0), lane(1)].concat().into_iter().map(|tile| (tile, TileKind::Plain));
    let board = Board::with_kinds(tiles.collect(), lane(0), lane(1)).unwrap();
    let apart =
        RuleSet { name: "apart".into(), path: Path::Drawn(Box::new(board)), ..RuleSet::FINKEL };
    for rule_set in RuleSet::PRESETS.into_iter().chain([apart]) {
        let rule_set = rule_set.with_pieces(RuleSet::MAX_PIECES);
        if rule_set.compile().unwrap().has_stacks() {
            continue;
        }
        assert_eq!(len(&rule_set), closed_form(&rule_set), "{rule_set}");
    }
}

#[test]
fn finkel_has_as_many_lines_of_play_as_an_independent_count() {
    let rules = RuleSet::FINKEL.compile().unwrap();
    let lines = [1, 2, 3, 4, 5].map(|depth| perft(&rules, rules.start(), depth));
    assert_eq!(lines, [5, 28, 192, 1492, 12469]);
}

/// Counts the lines of `depth` plies by playing them.
fn played(game: &Game, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let rolls: Vec<Roll> = match game.pending() {
        Some(roll) => vec![roll],
        None => game.rules().rolls().iter().map(|&(roll, _)| roll).collect(),
    };
    let mut lines = 0;
    for roll in rolls {
        let mut rolled = game.clone();
        if rolled.is_over() || rolled.pending().is_none() && rolled.roll(roll).is_err() {
            continue;
        }
        let moves = rolled.decision().map(|decision| decision.moves().to_vec()).unwrap_or_default();
        for action in moves {
            let mut next = rolled.clone();
            next.play(action).unwrap();
            lines += played(&next, depth - 1);
        }
    }
    lines
}

#[test]
fn lines_of_play_are_those_of_games() {
    let cases = [
        (RuleSet::FINKEL, "4,8:5,9:D"),
        (RuleSet::FINKEL, "4,8:5,9:D2"),
        (RuleSet::FINKEL, "4,14+5:5,9:L1"),
        // Neither player can ever move.
        (RuleSet::SIMPLE_UR, "15,16,17,18+3:4,5,6,7,8,9+1:L"),
        (RuleSet::SIMPLE_UR, "15,16,17,18+3:4,5,6,7,8,9+1:L3"),
    ];
    for (rule_set, text) in cases {
        let rules = rule_set.compile().unwrap();
        let setup: puabi_core::Setup = text.parse().unwrap();
        let position = rules.position(&setup).unwrap();
        let game = Game::from_setup(rules.clone(), setup.clone()).unwrap();
        for depth in 0..4 {
            let counted = perft_from(&rules, (position, setup.roll), depth, &|| true);
            assert_eq!(counted, played(&game, depth), "{text}, {depth} plies");
        }
    }
}

#[test]
fn shared_configurations_are_counted_by_their_pieces() {
    let indexer = Indexer::new(&RuleSet::FINKEL.compile().unwrap()).unwrap();
    // Eight tiles: choose light's, then dark's among the rest.
    assert_eq!(indexer.configurations(0, 0), 1);
    assert_eq!(indexer.configurations(2, 3), 28 * 20);
    assert_eq!(indexer.configurations(7, 2), 0);
}
