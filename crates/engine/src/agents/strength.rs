//! How strong agents are, as measured once and written down.

use crate::agents::ladder::rating;
use crate::agents::spec::AgentSpec;

/// Chances to win against the perfect player under Finkel's rules, both sides equally often.
///
/// Each is the mean of `ur match finkel AGENT perfect --games 4000 --seed 1`, with a standard deviation of 0.008 at
/// most.
const FINKEL: [(&str, f64); 33] = [
    ("perfect", 0.5),
    ("expectimax:2@brain:trained", 0.45025),
    ("brain:trained", 0.4255),
    ("expectimax:2", 0.11325),
    ("accuracy:90", 0.257),
    ("epsilon:0.1", 0.33375),
    ("hit+extra-roll+least-exposed", 0.16775),
    ("greedy", 0.0415),
    ("pips", 0.00025),
    ("humanised:7", 0.1165),
    ("last-move", 0.01975),
    ("random", 0.0015),
    ("first-move", 0.0),
    ("worst", 0.0),
    ("hit", 0.0055),
    ("hit-foremost", 0.00475),
    ("extra-roll", 0.00325),
    ("extra-hit", 0.00325),
    ("centre", 0.0025),
    ("score", 0.00275),
    ("homestretch", 0.003),
    ("least-exposed", 0.053),
    ("level:1", 0.0015),
    ("level:2", 0.01975),
    ("level:3", 0.03),
    ("level:4", 0.03525),
    ("level:5", 0.06),
    ("level:6", 0.06575),
    ("level:7", 0.183),
    ("level:8", 0.24375),
    ("level:9", 0.2355),
    ("likely:3/0.1", 0.15025),
    ("expectimax:3", 0.15975),
];

impl AgentSpec {
    /// Returns the chance (0..=1) to win against the perfect player under Finkel's rules, if it was measured.
    pub fn finkel_win_chance(&self) -> Option<f64> {
        // Finkel's rules have all levels.
        let level = self.difficulty().map(|level| format!("level:{level}"));
        let name = level.unwrap_or_else(|| self.to_string());
        FINKEL.iter().find(|(known, _)| *known == name).map(|&(_, chance)| chance)
    }

    /// Returns the rating under Finkel's rules, if it was measured; that of the perfect player is 2000.
    pub fn finkel_elo(&self) -> Option<f64> {
        let measured = || self.finkel_win_chance().filter(|&chance| chance > 0.0).map(rating);
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
        for (name, chance) in FINKEL {
            let spec: AgentSpec = name.parse().unwrap();
            assert_eq!(spec.finkel_win_chance(), Some(chance));
            assert!((0.0..=0.5).contains(&chance), "{name}");
        }
    }
}
