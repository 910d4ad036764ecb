//! Laws of the opening book.

use std::collections::HashMap;

use puabi_core::{Agent, Game, RuleSet};
use puabi_engine::{Argmax, DiceRng, Principle, Principles, best};
use puabi_study::{Book, DecisionList};

use crate::solved;

const PLIES: u32 = 6;

#[test]
fn a_book_says_how_often_games_meet_each_choice() {
    let rules = RuleSet::FINKEL.with_pieces(3).compile().unwrap();
    let values = solved(&rules);
    let book = Book::new(&rules, &values, PLIES, 0.0);
    assert!(book.covered >= 1.0, "nothing is left out");
    let (games, mut met) = (20_000, HashMap::new());
    let perfect = Argmax(&values);
    for seed in 0..games {
        let (mut game, mut dice) = (Game::new(rules.clone()), DiceRng::new(seed));
        for _ in 0..PLIES {
            let roll = dice.throw(rules.rule_set().dice);
            let decision = game.roll(roll).unwrap();
            let action = perfect.choose(&decision, 0.0);
            if decision.moves().len() > 1 {
                *met.entry((decision.position(), roll)).or_insert(0.0) += 1.0 / games as f64;
            }
            game.play(action).unwrap();
        }
    }
    for choice in &book.choices {
        let found = met.remove(&(choice.position, choice.roll)).unwrap_or_default();
        // No choice comes up twice in six plies, so the counts are shares of games.
        let error = (choice.often * (1.0 - choice.often) / games as f64).sqrt();
        // The normal distribution does not hold for choices that are met only a few times.
        let is_common = choice.often > 1e-3;
        assert!(!is_common || (found - choice.often).abs() < 6.0 * error, "{choice:?} {found}");
        assert_eq!(best(&choice.moves).action, choice.moves[0].action);
    }
    assert!(met.is_empty(), "the book knows every choice that a game meets");
}

#[test]
fn a_book_leaves_out_what_is_rare_and_says_so() {
    let rules = RuleSet::FINKEL.with_pieces(2).compile().unwrap();
    let values = solved(&rules);
    let whole = Book::new(&rules, &values, PLIES, 0.0);
    let part = Book::new(&rules, &values, PLIES, 0.01);
    assert!(part.choices.len() < whole.choices.len() && part.covered < 1.0);
    assert_eq!(part.choices[0].position, whole.choices[0].position);
    assert!(part.choices[0].often < whole.choices[0].often);
    let first_ply = Book::new(&rules, &values, 1, 0.4);
    assert!(first_ply.covered >= 1.0, "the start is followed, whatever comes after it");
}

#[test]
fn a_decision_list_loses_what_its_agent_loses_in_the_openings_that_are_played() {
    let rules = RuleSet::FINKEL.with_pieces(3).compile().unwrap();
    let values = solved(&rules);
    let book = Book::new(&rules, &values, PLIES, 0.0);
    let list = DecisionList::of(&book, &rules);
    let chain: Vec<Principle> = list.rules.iter().map(|rule| rule.keeps).collect();
    assert!(!chain.is_empty());
    let agent = Principles::new(&rules, &chain).unwrap();
    // The games are those of perfect players: at each choice the list is asked, but not followed.
    let (games, perfect) = (20_000, Argmax(&values));
    let (mut gone, mut squares, mut asked, mut right) = (0.0, 0.0, 0.0, 0.0);
    for seed in 0..games {
        let (mut game, mut dice) = (Game::new(rules.clone()), DiceRng::new(seed));
        let mut sum = 0.0;
        for _ in 0..PLIES {
            let decision = game.roll(dice.throw(rules.rule_set().dice)).unwrap();
            let judged = puabi_engine::move_values(&decision, &values);
            let policy = agent.policy(&decision);
            for (chance, judged_move) in policy.iter().zip(&judged) {
                let cost = best(&judged).value - judged_move.value;
                sum += chance * cost;
                if judged.len() > 1 {
                    asked += chance;
                    right += chance * f64::from(cost < 1e-12);
                }
            }
            let action = perfect.choose(&decision, 0.0);
            game.play(action).unwrap();
        }
        gone += sum / games as f64;
        squares += sum * sum / games as f64;
    }
    let whole = list.rules.last().unwrap();
    let error = ((squares - gone * gone) / games as f64).sqrt();
    assert!((gone - whole.lost).abs() < 5.0 * error, "{gone} {whole:?} {error}");
    assert!((right / asked - whole.right).abs() < 0.02, "{} {whole:?}", right / asked);
}
