//! The strengths of agents, which were measured once and are stored as a file.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::agents::ladder::rating;
use crate::agents::spec::AgentSpec;

/// The chances to win against the perfect player under Finkel's rules, by the names of the agents.
static FINKEL: LazyLock<BTreeMap<String, f64>> = LazyLock::new(|| {
    toml::from_str(include_str!("../../strengths/finkel.toml")).expect("the measurements are sound")
});

impl AgentSpec {
    /// Returns the chance (0..=1) to win against the perfect player under Finkel's rules, if it was measured.
    pub fn finkel_win_chance(&self) -> Option<f64> {
        // Finkel's rules have all nine levels, so a difficulty plays as exactly its level.
        let level = self.difficulty().map(|level| format!("level:{level}"));
        let name = level.unwrap_or_else(|| self.to_string());
        FINKEL.get(&name).copied()
    }

    /// Returns the rating under Finkel's rules, if it was measured; that of the perfect player is 2000. It is a whole number: games
    /// do not tell more, and the systems' logarithms differ in the last digits.
    pub fn finkel_elo(&self) -> Option<f64> {
        let measured = || self.finkel_win_chance().filter(|&chance| chance > 0.0);
        let measured = || measured().map(|chance| rating(chance).round());
        self.chosen_elo().map(f64::from).or_else(measured)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difficulty_is_as_strong_as_its_level() {
        let chance = |text: &str| text.parse::<AgentSpec>().unwrap().finkel_win_chance();
        assert_eq!(chance("expert"), chance("level:9"));
    }

    #[test]
    fn measured_agents_are_agents_and_none_beats_the_perfect_one() {
        for (name, &chance) in FINKEL.iter() {
            let spec: AgentSpec = name.parse().unwrap();
            assert_eq!(spec.finkel_win_chance(), Some(chance));
            assert!((0.0..=0.5).contains(&chance), "{name}");
        }
    }
}
