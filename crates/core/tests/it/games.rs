//! Games: turns, rolls, undoing and winning.

use proptest::prelude::*;
use puabi_core::{Game, GameError, Move, Player, Roll, RuleSet, Setup};

use crate::boards;

fn game(rule_set: &str, start: &str) -> Game {
    let rules = rule_set.parse::<RuleSet>().unwrap().compile().unwrap();
    Game::from_setup(rules, start.parse().unwrap()).unwrap()
}

#[test]
fn a_game_ends_with_the_last_piece_home() {
    let mut game = game("finkel:1", "14:3:L");
    game.roll(Roll::new(1)).unwrap();
    game.play("14-off".parse().unwrap()).unwrap();
    assert_eq!(game.winner(), Some(Player::Light));
    assert_eq!((game.turn(), game.position(), game.pending()), (None, None, None));
    assert_eq!(game.setup().to_string(), "+1:3:L");
    let over = GameError::Over { winner: Player::Light };
    assert_eq!(game.roll(Roll::new(1)).unwrap_err(), over);
    assert_eq!(game.play(Move::Pass).unwrap_err(), over);
}

#[test]
fn rolls_and_moves_alternate() {
    let mut game = game("finkel", "-:-:D");
    let error = game.play(Move::Pass).unwrap_err();
    assert_eq!(error.to_string(), "dark has not rolled: expected a roll before the move");
    let error = game.roll(Roll::new(5)).unwrap_err();
    assert_eq!(error.to_string(), "a roll of 5 cannot be thrown: expected one of 0, 1, 2, 3, 4");
    game.roll(Roll::new(2)).unwrap();
    let error = game.roll(Roll::new(2)).unwrap_err();
    assert_eq!(error.to_string(), "dark has thrown 2: expected a move");
    let error = game.play(Move::Pass).unwrap_err();
    assert_eq!(error.to_string(), "pass is not legal with a roll of 2: legal is only 0-2");
}

#[test]
fn a_roll_that_the_start_names_stays_after_undoing() {
    let mut game = game("finkel", "-:-:D3");
    game.play("0-3".parse().unwrap()).unwrap();
    assert_eq!(game.turn(), Some(Player::Light));
    assert!(game.undo().is_some());
    assert_eq!(game.setup().to_string(), "-:-:D3");
    assert_eq!(game.undo(), None);
}

proptest! {
    #[test]
    fn undoing_every_ply_leads_back_to_the_start(mut game in boards::games()) {
        let plies = game.plies().len();
        let mut undone = 0;
        while let Some(ply) = game.undo() {
            undone += 1;
            let roll = game.start().roll.filter(|_| game.plies().is_empty());
            let expected = Setup { roll, ..game.rules().setup(ply.before, ply.player) };
            prop_assert_eq!(game.setup(), expected);
        }
        prop_assert_eq!(undone, plies);
        if plies > 0 {
            prop_assert_eq!(&game.setup(), game.start());
        }
    }
}
