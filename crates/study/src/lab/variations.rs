//! Variations: families of rule sets that differ in pieces, goals, dice and switches.

use std::borrow::Cow;

use puabi_core::{Dice, RuleSet};

/// The variations of a rule set to try; if a list is empty, each rule set keeps its own setting.
///
/// ```
/// use puabi_core::{Dice, RuleSet};
/// use puabi_study::Variations;
///
/// let dice = vec![Dice::FOUR, Dice::THREE_ZERO_IS_FOUR];
/// let variations = Variations { pieces: vec![3], dice, ..Variations::default() };
/// let names: Vec<_> = variations.of(&RuleSet::FINKEL).iter().map(ToString::to_string).collect();
/// assert_eq!(names, ["finkel:3", "finkel, 3 pieces, 3d0=4"]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Variations {
    /// Pieces of each player.
    pub pieces: Vec<u8>,
    /// Pieces that a player must bring home to win.
    pub goals: Vec<u8>,
    /// The dice of both players.
    pub dice: Vec<Dice>,
    /// Whether a piece on a rosette is safe from capture.
    pub safe_rosettes: Vec<bool>,
    /// Whether landing on a rosette gives another roll.
    pub rosettes_grant_rolls: Vec<bool>,
    /// Whether a capture gives another roll.
    pub captures_grant_rolls: Vec<bool>,
}

impl Variations {
    /// Returns every variation of `base`; the name of each lists its differences from `base`.
    ///
    /// Some may not be playable: [`RuleSet::compile`] reports an error for those.
    pub fn of(&self, base: &RuleSet) -> Vec<RuleSet> {
        let mut found = vec![base.clone()];
        vary(&mut found, &self.pieces, |rules, pieces| rules.pieces = pieces);
        vary(&mut found, &self.goals, |rules, goal| {
            rules.goal = Some(goal).filter(|&goal| goal != rules.pieces);
        });
        vary(&mut found, &self.dice, |rules, dice| rules.dice = dice);
        vary(&mut found, &self.safe_rosettes, |rules, on| rules.safe_rosettes = on);
        vary(&mut found, &self.rosettes_grant_rolls, |rules, on| rules.rosettes_grant_rolls = on);
        vary(&mut found, &self.captures_grant_rolls, |rules, on| rules.captures_grant_rolls = on);
        for rules in &mut found {
            rules.name = name(base, rules);
        }
        found
    }
}

/// Replaces each rule set by one for each of `choices`; changes nothing if there are no choices.
fn vary<T: Copy>(found: &mut Vec<RuleSet>, choices: &[T], set: impl Fn(&mut RuleSet, T)) {
    if choices.is_empty() {
        return;
    }
    let with = |rules: &RuleSet, choice| {
        let mut rules = rules.clone();
        set(&mut rules, choice);
        rules
    };
    *found = found
        .iter()
        .flat_map(|rules| choices.iter().map(move |&choice| with(rules, choice)))
        .collect();
}

/// The fewest letters of the base's name that are kept.
const LEAST_OF_BASE: usize = 8;

/// Returns the name of a variation of `base`, no longer than a name may be.
fn name(base: &RuleSet, rules: &RuleSet) -> Cow<'static, str> {
    let usual = base.preset().map_or(base.pieces, |preset| preset.pieces);
    let is_told = rules.preset().is_some() || rules.pieces == usual;
    let switch = |before: bool, now: bool, words: [&str; 2]| {
        (before != now).then(|| words[usize::from(now)].to_owned())
    };
    let changes = [
        (!is_told).then(|| pieces(rules.pieces)),
        (base.goal != rules.goal).then(|| format!("{} home", rules.goal.unwrap_or(rules.pieces))),
        (base.dice != rules.dice).then(|| rules.dice.to_string()),
        switch(base.safe_rosettes, rules.safe_rosettes, ["unsafe", "safe"]),
        switch(base.rosettes_grant_rolls, rules.rosettes_grant_rolls, ["no extra", "extra"]),
        switch(
            base.captures_grant_rolls,
            rules.captures_grant_rolls,
            ["captures end", "captures again"],
        ),
    ];
    let changes: Vec<_> = changes.into_iter().flatten().collect();
    if changes.is_empty() {
        return base.name.clone();
    }
    let changes = format!(", {}", changes.join(", "));
    let room = RuleSet::MAX_NAME.saturating_sub(changes.chars().count());
    let kept: String = base.name.chars().take(room.max(LEAST_OF_BASE)).collect();
    let name = format!("{}{changes}", kept.trim_end());
    if name.chars().count() <= RuleSet::MAX_NAME {
        return Cow::Owned(name);
    }
    let kept: String = name.chars().take(RuleSet::MAX_NAME - 1).collect();
    Cow::Owned(format!("{kept}…"))
}

fn pieces(count: u8) -> String {
    if count == 1 { "1 piece".to_owned() } else { format!("{count} pieces") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> Variations {
        Variations {
            pieces: vec![1, 2],
            goals: vec![1],
            dice: vec![Dice::FOUR, Dice::THREE_ZERO_IS_FOUR],
            safe_rosettes: vec![true, false],
            rosettes_grant_rolls: vec![true, false],
            captures_grant_rolls: vec![false, true],
        }
    }

    #[test]
    fn variations_have_every_combination_once_and_all_of_them_compile() {
        for preset in RuleSet::PRESETS {
            let found = all().of(&preset);
            assert_eq!(found.len(), 32);
            for (at, rules) in found.iter().enumerate() {
                assert!(rules.compile().is_ok(), "{rules}");
                assert!(!found[..at].contains(rules), "{rules} comes twice");
            }
        }
    }

    #[test]
    fn a_long_name_is_cut_to_make_room_for_what_was_changed() {
        let long = RuleSet { name: "x".repeat(RuleSet::MAX_NAME).into(), ..RuleSet::FINKEL };
        assert!(all().of(&long).iter().all(|rules| rules.compile().is_ok()));
        let most = Variations {
            pieces: vec![10],
            goals: vec![9],
            dice: vec!["8d0=14".parse().unwrap()],
            safe_rosettes: vec![false],
            rosettes_grant_rolls: vec![false],
            captures_grant_rolls: vec![true],
        };
        for rules in most.of(&RuleSet::FINKEL) {
            assert!(rules.compile().is_ok() && rules.name.starts_with("finkel, 10 pieces, 9 home"));
        }
    }

    #[test]
    fn a_goal_is_told_where_it_is_not_all_pieces() {
        let variations = Variations { pieces: vec![2, 3], goals: vec![2], ..Variations::default() };
        let names = variations.of(&RuleSet::FINKEL).into_iter().map(|rules| rules.to_string());
        assert_eq!(names.collect::<Vec<_>>(), ["finkel:2", "finkel, 3 pieces, 2 home"]);
    }

    #[test]
    fn all_pieces_are_told_where_the_base_has_a_goal() {
        let base = RuleSet { name: "Two of three".into(), goal: Some(2), ..RuleSet::FINKEL };
        let variations = Variations { goals: vec![2, 3], ..Variations::default() };
        let names = |base| variations.of(base).into_iter().map(|rules| rules.to_string());
        let names: Vec<_> = names(&base.with_pieces(3)).collect();
        assert_eq!(names, ["Two of three", "Two of three, 3 home"]);
    }

    #[test]
    fn nothing_to_vary_leaves_a_rule_set_as_it_is() {
        assert_eq!(Variations::default().of(&RuleSet::BLITZ), [RuleSet::BLITZ]);
    }
}
