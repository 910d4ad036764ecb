//! The length of perfect games, for the rule sets for which it has been computed.

use puabi_core::RuleSet;

/// The mean numbers of rolls, one game on each line.
const LENGTHS: &str = include_str!("../../strengths/lengths.txt");

/// Returns the mean number of rolls in a game between perfect players under these rules, with every roll counted and an error
/// below 1e-6; `None` if it has not been computed. To compute it takes longer than to solve the game.
///
/// The numbers are those of `ur match RULES perfect perfect`, an exact match-up.
///
/// ```
/// use puabi_core::RuleSet;
/// use puabi_engine::perfect_length;
/// assert_eq!(perfect_length(&RuleSet::FINKEL), Some(209.869874));
/// assert_eq!(perfect_length(&RuleSet::SKIRIUK), None);
/// ```
pub fn perfect_length(rule_set: &RuleSet) -> Option<f64> {
    rule_set.preset()?;
    let name = rule_set.to_string();
    let mut games = LENGTHS.lines().filter_map(|line| line.split_once(' '));
    games.find(|(game, _)| *game == name).and_then(|(_, rolls)| rolls.parse().ok())
}
