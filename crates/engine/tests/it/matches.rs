//! Matches of several games.

use puabi_core::{Away, Game, Player, Record, RuleSet, Stakes};
use puabi_engine::{CubeJudge, Pair, Seat, Session};

/// Returns a game of a match to this many points between people, which dark has lost by a pass.
fn passed(points: u32, seed: u64) -> Session {
    let mut record = Record::new(Game::new(RuleSet::FINKEL.compile().unwrap()));
    record.set_stakes(Some(Stakes::of_match(Away::start(points).unwrap())));
    record.set_header("light", "Ann").unwrap();
    record.set_next_game(Some(2));
    let seats = Pair { light: Seat::Human, dark: Seat::Human };
    let mut session = Session::new(record, seats, seed);
    session.double().unwrap();
    session.answer_double(false).unwrap();
    session
}

#[test]
fn the_next_game_of_a_match_has_the_headers_of_this_one_but_not_the_number_of_its_next() {
    let session = passed(3, 7);
    let next = session.next_of_match().unwrap();
    assert_eq!(next.record().header("light"), Some("Ann"));
    assert_eq!((session.record().next_game(), next.record().next_game()), (Some(2), None));
}

#[test]
fn either_player_may_begin_the_next_game_of_a_match() {
    let begins = |seed: u64| passed(3, seed).next_of_match().unwrap().game().turn();
    let light = (0..100).filter(|&seed| begins(seed) == Some(Player::Light)).count();
    // Five standard deviations are 25.
    assert!((25..=75).contains(&light), "light begins {light} of 100");
}

#[test]
fn a_double_whose_pass_loses_the_match_is_taken_whatever_the_chance() {
    let takes = |stakes: &str, chance| {
        let mut record = Record::new(Game::new(RuleSet::FINKEL.compile().unwrap()));
        record.set_stakes(Some(stakes.parse().unwrap()));
        let seats = Pair { light: Seat::Human, dark: Seat::Human };
        let mut session = Session::new(record, seats, 1);
        session.double().unwrap();
        session.wants_take(CubeJudge::Chance(chance))
    };
    assert!(takes("cube 1, match 1-3", 1.0));
    assert!(takes("cube 2:light, match 2-3", 0.9));
    // Light needs another game after a pass.
    assert!(!takes("cube 1, match 2-3", 0.9) && !takes("cube 1 to 64", 0.9));
    assert!(takes("cube 1, match 2-3", 0.7));
}
