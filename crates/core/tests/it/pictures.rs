//! Pictures: what people see of a board.

use puabi_core::{Board, Charset, Dice, Path, Picture, Player, RuleSet, Tile, TileKind};

fn picture(rule_set: &RuleSet, position: &str, charset: Charset) -> String {
    let rules = rule_set.compile().unwrap();
    Picture::position(&rules, &position.parse().unwrap(), charset).to_string()
}

#[test]
fn pieces_and_rosettes_are_told_apart_without_colour() {
    let expected = "\
light ○   5 in hand, 1 home
    1   2   3   4   5   6   7   8
  ┌───┬───┬───┬───┐       ┌───┬───┐
A │ * │   │   │   │       │*○*│   │
  ├───┼───┼───┼───┼───┬───┼───┼───┤
B │ ● │   │   │ * │   │   │   │   │
  ├───┼───┼───┼───┼───┴───┼───┼───┤
C │*●*│   │   │   │       │ * │   │
  └───┴───┴───┴───┘       └───┴───┘
dark  ●   5 in hand, 0 home, to roll
";
    assert_eq!(picture(&RuleSet::FINKEL, "14+1:4,5:D", Charset::Unicode), expected);
}

#[test]
fn a_finished_game_has_nobody_to_roll() {
    let text = picture(&RuleSet::FINKEL.with_pieces(1), "+1:3:L", Charset::Ascii);
    assert!(text.starts_with("light L   0 in hand, 1 home\n"), "{text}");
    assert!(text.ends_with("dark  D   0 in hand, 0 home\n"), "{text}");
}

#[test]
fn a_path_shows_both_steps_of_a_tile_it_visits_twice() {
    let rules = RuleSet::MURRAY.compile().unwrap();
    let expected = "
      1       2       3       4       5       6       7       8
  +-------+-------+-------+-------+               +-------+-------+
A |     4*|     3 |     2 |     1 |               |    16*|    15 |
  +-------+-------+-------+-------+-------+-------+-------+-------+
B |  5/23 |  6/22 |  7/21 |  8/20*|  9/19 | 10/18 | 11/17 |    14 |
  +-------+-------+-------+-------+-------+-------+-------+-------+
C |    24*|    25 |    26 |    27 |               |    12*|    13 |
  +-------+-------+-------+-------+               +-------+-------+
";
    let drawn = Picture::path(&rules, Player::Light, Charset::Ascii).to_string();
    let lines = |text: &str| -> Vec<_> {
        text.lines().filter(|line| !line.trim().is_empty()).map(str::to_owned).collect()
    };
    assert_eq!(lines(&drawn)[1..], lines(expected)[1..]);
}

/// Returns rules with a board of all possible tiles; the paths take a few of them.
fn largest() -> RuleSet {
    let tiles = (0..26).flat_map(|row| (1..=32).filter_map(move |c| Tile::new(row, c)));
    let tiles = tiles.map(|tile| (tile, TileKind::Rosette)).collect();
    let lane = |row| (1..=31).filter_map(move |column| Tile::new(row, column)).collect::<Vec<_>>();
    let board = Board::with_kinds(tiles, lane(0), lane(25)).unwrap();
    RuleSet {
        name: "largest".into(),
        path: Path::Drawn(Box::new(board)),
        dice: Dice::FOUR,
        ..RuleSet::FINKEL
    }
}

#[test]
fn no_picture_is_wider_than_a_terminal() {
    for rule_set in RuleSet::PRESETS.into_iter().chain([largest()]) {
        let rules = rule_set.compile().unwrap();
        for charset in [Charset::Unicode, Charset::Ascii] {
            let mut pictures = vec![Picture::board(&rules, charset)];
            pictures.extend(Player::BOTH.map(|player| Picture::path(&rules, player, charset)));
            for line in pictures.iter().flat_map(Picture::lines) {
                let width: usize = line.iter().map(|patch| patch.text.chars().count()).sum();
                assert!(width <= Picture::MAX_WIDTH, "{rule_set}: {width}");
            }
        }
    }
}

#[test]
fn columns_that_do_not_fit_are_drawn_below() {
    let rules = largest().compile().unwrap();
    let text = Picture::board(&rules, Charset::Ascii).to_string();
    let headers: Vec<_> = text.lines().filter(|line| line.starts_with("   ")).collect();
    assert_eq!(headers.len(), 2);
    assert!(headers[0].ends_with("18  19") && headers[1].ends_with("31  32"), "{headers:?}");
}
