//! Headers of our records under the names that they have in RGN's tags and JSON's metadata.

use std::borrow::Cow;

use indexmap::IndexMap;
use puabi_core::{Record, RuleSet};

/// The tag that names the rule set.
pub(crate) const RULES: &str = "Rules";

/// Our headers that have another name there.
const NAMES: [(&str, &str); 3] = [("light", "Light"), ("dark", "Dark"), ("seed", "Seed")];

/// Keeps a tag of another program's record: as a header if we have one for it, else as a tag.
pub(crate) fn keep(record: &mut Record, tag: &str, value: &str) {
    let rules = record.game.rules().rule_set();
    if tag == RULES && rules.preset().is_some() && rules.to_string() == value {
        return;
    }
    let known = NAMES.iter().find(|(_, name)| *name == tag).map(|&(key, _)| key);
    let is_ours = known.is_none() && NAMES.iter().any(|&(key, _)| key == tag);
    let key = known.unwrap_or(tag);
    let is_header = !is_ours && record.header(key).is_none();
    if !is_header || record.set_header(key, value).is_err() {
        record.tags.set(tag, value);
    }
}

/// The words for a loss: tags whose names our own tags have.
pub(crate) const NAME_CLASH: &str = "tags whose names our own tags use";

/// Returns the tags of a record: its rules, its headers, and the tags that it was read with. Tags whose names are taken by the
/// record's own tags, or are `reserved`, are left out; the second value says whether there are any.
pub(crate) fn tags<'r>(
    record: &'r Record,
    reserved: &[&str],
) -> (IndexMap<&'r str, Cow<'r, str>>, bool) {
    let rules = record.game.rules().rule_set();
    let mut tags: IndexMap<_, Cow<'r, str>> = IndexMap::new();
    if rules.preset().is_some() {
        // Another program's name of these rules may take the place of ours.
        let foreign =
            record.tags.get(RULES).filter(|value| rule_set(value).as_ref() == Some(rules));
        tags.insert(RULES, foreign.map_or_else(|| rules.to_string().into(), Cow::Borrowed));
    }
    for (key, value) in record.headers() {
        let name = NAMES.iter().find(|(known, _)| *known == key).map_or(key, |&(_, name)| name);
        tags.insert(name, value.into());
    }
    let mut has_name_clash = false;
    for (key, value) in record.tags.iter() {
        match tags.get(key) {
            Some(known) if known == value => {}
            None if !reserved.contains(&key) => drop(tags.insert(key, value.into())),
            _ => has_name_clash = true,
        }
    }
    (tags, has_name_clash)
}

/// Returns the rule set that a tag names, by our names or by those of `RoyalUr`'s programs.
///
/// For those programs `skiriuk` is the single-piece game on Skiriuk's path; their notations cannot hold the game that we call
/// `skiriuk`. `finkel2p` is `finkel:2`.
pub(crate) fn rule_set(value: &str) -> Option<RuleSet> {
    let name = value.trim().to_ascii_lowercase();
    let ours = name.parse().ok().filter(|ours: &RuleSet| ours.name != RuleSet::SKIRIUK.name);
    if ours.is_some() {
        return ours;
    }
    let plain = name.strip_suffix('p').unwrap_or(&name);
    let stem = plain.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let preset = match stem {
        "skiriuk" => "skiriuk-path",
        stem => stem,
    };
    let pieces = &plain[stem.len()..];
    if pieces.is_empty() { preset.parse().ok() } else { format!("{preset}:{pieces}").parse().ok() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_known_by_the_names_that_others_give_them() {
        for (tag, ours) in [
            ("Finkel", "finkel"),
            ("finkel2", "finkel:2"),
            ("finkel2p", "finkel:2"),
            ("skiriuk", "skiriuk-path"),
            ("blitz:3", "blitz:3"),
        ] {
            assert_eq!(rule_set(tag), Some(ours.parse().unwrap()), "{tag}");
        }
        assert_eq!(rule_set("chess"), None);
        assert_eq!(rule_set("p"), None);
    }
}
