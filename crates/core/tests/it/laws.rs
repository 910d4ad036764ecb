//! Laws that hold in every position under every rule set.

use std::collections::BTreeSet;

use proptest::prelude::*;
use puabi_core::{
    Indexer, Move, Player, Position, Roll, RuleSet, Rules, Setup, Side, SideState, Square, Squares,
    Stack,
};

use crate::boards;

fn state(indexer: &Indexer, side: Side) -> usize {
    let post = indexer.zones().post_mask(side.squares());
    indexer.state_index(SideState { score: side.score(), post }).unwrap()
}

/// Returns the sides after a move, the mover's first; `None` if the game is won.
fn sides_after(after: puabi_core::Afterstate) -> Option<(Side, Side)> {
    let next = after.position()?;
    let next = if after.rolls_again() { next } else { next.flipped() };
    Some((next.mine(), next.theirs()))
}

proptest! {
    #[test]
    fn a_move_is_legal_where_it_is_listed((rules, position) in boards::positions(), steps in 0..=20_u8) {
        let decision = rules.decision(position, Roll::new(steps));
        let listed = decision.moves();
        let squares = || Squares::range(1, 31).iter();
        let all = squares().map(|to| Move::Enter { to }).chain(squares().map(|from| Move::Score { from }));
        let advances = squares().flat_map(|from| squares().map(move |to| Move::Advance { from, to }));
        for action in all.chain(advances).chain([Move::Pass]) {
            prop_assert_eq!(decision.allows(action), listed.contains(&action), "{}", action);
        }
    }

    #[test]
    fn a_position_and_its_index_invert_each_other((rules, position) in boards::positions()) {
        let indexer = Indexer::new(&rules).unwrap();
        let index = indexer.rank(position);
        prop_assert!(index < indexer.len());
        prop_assert_eq!(indexer.position(index), Some(position));
    }

    #[test]
    fn every_index_of_a_drawn_board_is_a_position_of_its_own(
        rule_set in boards::drawn(),
        at in any::<prop::sample::Index>(),
    ) {
        let goal = rule_set.goal.filter(|&goal| goal < 2);
        let rules = RuleSet { pieces: 2, goal, ..rule_set }.compile().unwrap();
        let indexer = Indexer::new(&rules).unwrap();
        let first = at.index(usize::try_from(indexer.len()).unwrap()) as u64;
        for index in (first..indexer.len()).take(500) {
            let position = indexer.position(index).unwrap();
            prop_assert_eq!(indexer.rank(position), index);
        }
        prop_assert_eq!(indexer.position(indexer.len()), None);
    }

    #[test]
    fn a_position_and_its_flip_lie_in_one_sublayer((rules, position) in boards::positions()) {
        let indexer = Indexer::new(&rules).unwrap();
        let states = |p: Position| (state(&indexer, p.mine()), state(&indexer, p.theirs()));
        let (mine, theirs) = states(position);
        prop_assert_eq!(states(position.flipped()), (theirs, mine));
        let (sublayer, _) = indexer.sublayer(mine, theirs);
        for index in [position, position.flipped()].map(|position| indexer.rank(position)) {
            prop_assert!((sublayer.base..sublayer.base + sublayer.len()).contains(&index));
        }
    }

    #[test]
    fn no_side_returns_to_an_earlier_state((rules, position) in boards::positions()) {
        let indexer = Indexer::new(&rules).unwrap();
        for &(roll, _) in rules.rolls() {
            for (_, after) in rules.decision(position, roll).afterstates() {
                let Some((mine, theirs)) = sides_after(after) else { continue };
                prop_assert!(state(&indexer, mine) >= state(&indexer, position.mine()));
                prop_assert_eq!(state(&indexer, theirs), state(&indexer, position.theirs()));
            }
        }
    }

    #[test]
    fn moves_keep_every_piece_and_every_rule((rules, position) in boards::positions()) {
        for &(roll, _) in rules.rolls() {
            let decision = rules.decision(position, roll);
            for (action, after) in decision.afterstates() {
                let Some((mine, theirs)) = sides_after(after) else {
                    prop_assert_eq!(position.mine().score(), rules.goal() - 1);
                    continue;
                };
                check_mover(&rules, position.mine(), action, mine)?;
                let captured = decision.captures(action);
                prop_assert_eq!(pieces(theirs), changed(position.theirs(), captured, None));
                prop_assert_eq!(theirs.score(), position.theirs().score());
                let next = after.position().unwrap();
                prop_assert_eq!(rules.position(&rules.setup(next, Player::Dark)), Ok(next));
            }
        }
    }

    #[test]
    fn captures_land_on_the_victims_tile_and_spare_safe_rosettes(
        (rules, position) in boards::positions(),
    ) {
        for &(roll, _) in rules.rolls() {
            let decision = rules.decision(position, roll);
            for action in decision.moves() {
                let Some(victim) = decision.captures(action) else { continue };
                let to = action.to().unwrap();
                prop_assert_eq!(rules.tile(Player::Light, to), rules.tile(Player::Dark, victim));
                prop_assert!(rules.captors(victim).contains(to) && !rules.is_safe(victim));
                prop_assert!(position.theirs().squares().contains(victim));
            }
        }
    }

    #[test]
    fn only_the_listed_moves_can_be_played((rules, position) in boards::positions(), steps in 0..=255_u8) {
        let decision = rules.decision(position, Roll::new(steps));
        let moves = decision.moves();
        prop_assert!(!moves.is_empty());
        prop_assert!(moves.is_sorted_by_key(|action| action.from()));
        let all = Squares::range(1, Square::MAX);
        let advances = all.iter().flat_map(|from| all.iter().map(move |to| Move::Advance { from, to }));
        let enters = all.iter().map(|to| Move::Enter { to });
        let scores = all.iter().map(|from| Move::Score { from });
        for action in advances.chain(enters).chain(scores).chain([Move::Pass]) {
            prop_assert_eq!(decision.play(action).is_ok(), moves.contains(&action), "{}", action);
        }
    }

    #[test]
    fn swapping_colours_and_turn_gives_the_same_position((rules, position) in boards::positions()) {
        let setup = rules.setup(position, Player::Light);
        let swapped = Setup {
            light: setup.dark.clone(),
            dark: setup.light.clone(),
            turn: Player::Dark,
            roll: None,
            stacks: setup.stacks.iter().map(swapped_stack).collect(),
        };
        prop_assert_eq!(rules.setup(position, Player::Dark), swapped.clone());
        prop_assert_eq!(rules.position(&swapped), Ok(position));
        prop_assert_eq!(rules.position(&setup), Ok(position));
    }

    #[test]
    fn sets_of_squares_are_sets(left in any::<u32>(), right in any::<u32>(), number in 1..=31_u8) {
        let (a, b) = (Squares::from_bits(left), Squares::from_bits(right));
        let model = |squares: Squares| squares.iter().collect::<BTreeSet<_>>();
        let square = Square::new(number).unwrap();
        prop_assert_eq!(usize::from(a.len()), model(a).len());
        prop_assert_eq!(model(a & b), &model(a) & &model(b));
        prop_assert_eq!(model(a | b), &model(a) | &model(b));
        prop_assert_eq!(a.meets(b), !model(a).is_disjoint(&model(b)));
        prop_assert_eq!(a.contains(square), model(a).contains(&square));
        prop_assert_eq!(a.first(), model(a).first().copied());
        prop_assert!(a.with(square).contains(square) && !a.without(square).contains(square));
        prop_assert!(!(!a).meets(a) && (!a | a) == Squares::range(1, Square::MAX));
        prop_assert_eq!(model(a).into_iter().collect::<Squares>(), a);
        prop_assert_eq!(Squares::from_bits(a.bits()), a);
    }
}

/// Checks the mover's side against what the move says.
fn check_mover(
    rules: &Rules,
    before: Side,
    action: Move,
    after: Side,
) -> Result<(), TestCaseError> {
    let scored = u8::from(matches!(action, Move::Score { .. }));
    let entered = u8::from(matches!(action, Move::Enter { .. }));
    prop_assert_eq!(pieces(after), changed(before, action.from(), action.to()));
    prop_assert_eq!(after.score(), before.score() + scored);
    prop_assert_eq!(rules.hand(after), rules.hand(before) - entered);
    Ok(())
}

fn pieces(side: Side) -> Vec<Square> {
    side.pieces().collect()
}

/// Returns the pieces of a side without the piece that leaves and with the piece that comes.
fn changed(side: Side, leaves: Option<Square>, comes: Option<Square>) -> Vec<Square> {
    let mut squares = pieces(side);
    if let Some(at) = leaves.and_then(|leaves| squares.iter().position(|&it| it == leaves)) {
        squares.remove(at);
    }
    squares.extend(comes);
    squares.sort_unstable();
    squares
}

#[test]
fn ranges_of_squares_end_where_they_are_told_to() {
    assert_eq!(Squares::range(1, 31).len(), 31);
    assert_eq!(Squares::range(5, 4), Squares::EMPTY);
    assert_eq!(Squares::range(1, 32), Squares::EMPTY);
    assert_eq!(Squares::range(0, 2).bits(), 0b110);
}

#[test]
fn pips_count_the_squares_still_to_travel() {
    let rules = RuleSet::FINKEL.with_pieces(2).compile().unwrap();
    assert_eq!(rules.pips(rules.start().mine()), 30);
    let position = rules.position(&"14+1:8:L".parse().unwrap()).unwrap();
    assert_eq!(rules.pips(position.mine()), 1);
    assert_eq!(rules.pips(position.theirs()), 15 + 7);
}

/// Returns the same stack with the players' colours swapped; its tile lies on the same squares of both paths.
fn swapped_stack(stack: &Stack) -> Stack {
    let pieces = stack.pieces.iter().map(|&(player, square)| (player.opponent(), square));
    Stack { tile: stack.tile, pieces: pieces.collect() }
}
