//! Matches of several games.

use puabi_core::{Away, Game, Player, Record, RuleSet, Stakes};
use puabi_engine::{Pair, Seat, Session};

#[test]
fn either_player_may_begin_the_next_game_of_a_match() {
    let begins = |seed: u64| {
        let mut record = Record::new(Game::new(RuleSet::FINKEL.compile().unwrap()));
        record.set_stakes(Some(Stakes::at(Away::start(3).unwrap())));
        let seats = Pair { light: Seat::Human, dark: Seat::Human };
        let mut session = Session::new(record, seats, seed);
        session.double().unwrap();
        session.answer_double(false).unwrap();
        session.next_of_match().unwrap().game().turn()
    };
    let light = (0..100).filter(|&seed| begins(seed) == Some(Player::Light)).count();
    // Five standard deviations are 25.
    assert!((25..=75).contains(&light), "light begins {light} of 100");
}

#[test]
fn the_next_game_of_a_match_is_followed_by_none_yet() {
    let mut record = Record::new(Game::new(RuleSet::FINKEL.compile().unwrap()));
    record.set_stakes(Some(Stakes::at(Away::start(3).unwrap())));
    record.set_header("light", "Ann").unwrap();
    record.set_next_game(Some(2));
    let mut session = Session::new(record, Pair { light: Seat::Human, dark: Seat::Human }, 1);
    session.double().unwrap();
    session.answer_double(false).unwrap();
    let next = session.next_of_match().unwrap();
    assert_eq!((next.record().header("light"), next.record().next_game()), (Some("Ann"), None));
}
