//! The opening book as a decision list: a few rules of thumb, in the order in which they are best asked.

use puabi_core::{Agent, Rules};
use puabi_engine::{Principle, Principles};
use serde::Serialize;

use crate::book::Book;

/// Principles in the order in which they are asked, each among the moves that those before it have kept.
///
/// They are chosen one by one: the next principle is the one that most lowers the loss of a player who plays by the list alone,
/// in the choices of a book, each weighted by how often games meet it. Moves that the list does not tell apart are played equally
/// often.
///
/// ```
/// use puabi_core::RuleSet;
/// use puabi_solve::{Options, Solver, Unattended};
/// use puabi_study::{Book, DecisionList};
///
/// let rules = RuleSet::FINKEL.with_pieces(3).compile()?;
/// let (values, _) = Solver::new(&rules, Options::default())?.solve(&Unattended, &Unattended)?;
/// let list = DecisionList::of(&Book::new(&rules, &values, 8, 1e-4), &rules);
/// // Each rule makes the list better, and the whole is worth much more than chance.
/// assert!(list.rules.is_sorted_by(|one, next| one.lost > next.lost));
/// assert!(list.rules.last().unwrap().lost < list.by_chance.lost / 2.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DecisionList {
    /// What a player loses who chooses by chance.
    pub by_chance: Worth,
    /// The rules, the first one asked first.
    pub rules: Vec<ListRule>,
}

/// A rule of the list, with the worth of the list up to it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ListRule {
    /// The principle by which it keeps moves.
    #[serde(serialize_with = "by_name")]
    pub keeps: Principle,
    /// The chance to win (0..=1) given away in a game's opening by the list up to here, by both players together.
    pub lost: f64,
    /// The share (0..=1) of choices in which the list up to here plays a best move.
    pub right: f64,
}

/// The worth of a way to choose, in the choices of a book.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Worth {
    /// The chance to win (0..=1) given away in a game's opening, by both players together.
    pub lost: f64,
    /// The share (0..=1) of choices in which a best move is played.
    pub right: f64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the form that serde asks for")]
fn by_name<S: serde::Serializer>(principle: &Principle, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(principle.name())
}

/// The least gain for which a rule is worth its place: a hundredth of a point a game.
const LEAST: f64 = 1e-4;

impl DecisionList {
    /// Returns the list for the choices of a book of these rules.
    pub fn of(book: &Book, rules: &Rules) -> Self {
        let worth = |chain: &[Principle]| {
            Principles::new(rules, chain).ok().map(|agent| worth(book, rules, &agent))
        };
        let by_chance = worth(&[]).unwrap_or(Worth { lost: 0.0, right: 1.0 });
        let (mut chain, mut found) = (Vec::new(), Vec::new());
        let mut lost = by_chance.lost;
        loop {
            let next =
                Principle::ALL.iter().filter(|next| !chain.contains(*next)).filter_map(|&next| {
                    let with = [&chain[..], &[next]].concat();
                    worth(&with).map(|worth| (next, worth))
                });
            let best = next.min_by(|one, other| one.1.lost.total_cmp(&other.1.lost));
            let Some((keeps, worth)) = best.filter(|(_, worth)| worth.lost < lost - LEAST) else {
                return Self { by_chance, rules: found };
            };
            lost = worth.lost;
            chain.push(keeps);
            found.push(ListRule { keeps, lost: worth.lost, right: worth.right });
        }
    }
}

/// The largest cost that may be rounding.
const ROUNDING: f64 = 1e-12;

/// Returns the worth of an agent in the choices of a book.
fn worth(book: &Book, rules: &Rules, agent: &Principles) -> Worth {
    let (mut lost, mut right, mut all) = (0.0, 0.0, 0.0);
    for choice in &book.choices {
        let decision = rules.decision(choice.position, choice.roll);
        let policy = agent.policy(&decision);
        for (chance, action) in policy.iter().zip(decision.moves()) {
            let judged = choice.moves.iter().find(|judged| judged.action == action);
            let cost = judged.map_or(0.0, |judged| choice.cost(judged));
            lost += choice.often * chance * cost;
            right += choice.often * chance * f64::from(cost <= ROUNDING);
        }
        all += choice.often;
    }
    Worth { lost, right: if all > 0.0 { right / all } else { 1.0 } }
}
