//! Dead positions, in which neither side can ever move: worth 1/2 unless the rules say otherwise, and counted.

use puabi_core::RuleSet;

use crate::solved::Solved;

/// Returns a game in which two players meet head on in one lane of rosettes, where no piece can be captured.
pub(crate) fn lane(tiles: usize, dice: &str, pieces: u8) -> RuleSet {
    let path: Vec<_> = (1..=tiles).map(|column| format!("A{column}")).collect();
    let back: Vec<_> = path.iter().rev().cloned().collect();
    let text = format!(
        "name = \"Lane\"\ndice = \"{dice}\"\npieces = {pieces}\n[path]\nboard = [\"{}\"]\nlight = \"{}\"\ndark = \"{}\"",
        "*".repeat(tiles),
        path.join(" "),
        back.join(" "),
    );
    RuleSet::from_toml(&text).unwrap()
}

/// Checks the dead positions of a game against a search of all positions and returns how many there are.
fn check(rule_set: &RuleSet) -> u64 {
    let solved = Solved::new(rule_set);
    let mut dead = 0;
    for position in solved.positions().filter(|&position| solved.is_dead(position)) {
        assert_eq!(solved.values.value(position).to_bits(), 0.5_f64.to_bits(), "{position:?}");
        dead += 1;
    }
    assert_eq!(solved.report.dead_positions, dead, "{rule_set}");
    assert!(solved.report.residual <= 4.5e-16, "{rule_set}: {:e}", solved.report.residual);
    dead
}

#[test]
fn two_pieces_that_face_each_other_on_safe_rosettes_are_dead() {
    let game = lane(2, "1d", 1);
    let solved = Solved::new(&game);
    let position = solved.rules.position(&"1:1:L".parse().unwrap()).unwrap();
    assert!(solved.is_dead(position));
    assert_eq!(solved.values.value(position).to_bits(), 0.5_f64.to_bits());
    assert_eq!(solved.report.dead_positions, 1);
}

#[test]
fn dead_positions_are_those_that_a_search_of_all_positions_finds() {
    for (tiles, dice, pieces) in [(2, "1d", 2), (4, "1d", 3), (5, "2d", 3), (6, "2d0=3", 3)] {
        let dead = check(&lane(tiles, dice, pieces));
        assert!(dead > 0, "{tiles} tiles, {dice}, {pieces} pieces");
    }
    check(&RuleSet::MURRAY.with_pieces(2));
    check(&RuleSet::SKIRIUK_PATH.with_pieces(2));
}

#[test]
fn games_without_dead_positions_report_none() {
    for game in [RuleSet::FINKEL, RuleSet::BLITZ, RuleSet::MASTERS, RuleSet::ASEB] {
        let game = game.with_pieces(2);
        assert_eq!(check(&game), 0, "{game}");
    }
}
