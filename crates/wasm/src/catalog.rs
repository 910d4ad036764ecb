//! The rule sets that are known: presets, and the rule files that the page keeps.

use std::collections::BTreeMap;
use std::sync::Arc;

use puabi_answers::{
    ApiError, ApiResult, NamedRules, compile_rule_file, file_name, is_file_name, name_taken_error,
    no_rule_file_error, other_name, rules_not_kept_error, unknown_rules_error,
};
use puabi_core::{Indexer, RuleSet, Rules};

/// The rule sets that are known.
#[derive(Debug, Default)]
pub(crate) struct Catalog {
    known: BTreeMap<String, Arc<NamedRules>>,
    /// The names of the rule files.
    kept: Vec<String>,
}

impl Catalog {
    /// Returns every preset with its own number of pieces, and every kept rule file.
    pub(crate) fn list(&mut self) -> Vec<Arc<NamedRules>> {
        let presets = RuleSet::PRESETS.iter().map(ToString::to_string);
        let names: Vec<_> = presets.chain(self.kept.clone()).collect();
        names.iter().filter_map(|name| self.find(name).ok()).collect()
    }

    /// Returns the rule set of this name.
    ///
    /// # Errors
    ///
    /// Returns an error if no rule set has this name.
    pub(crate) fn find(&mut self, name: &str) -> ApiResult<Arc<NamedRules>> {
        if let Some(found) = self.known.get(name) {
            return Ok(Arc::clone(found));
        }
        // Games and reviews give the name inside the rule file, as people write it.
        let other = other_name(name).and_then(|other| self.known.get(&other));
        if let Some(found) = other.filter(|found| found.rules.rule_set().name == name) {
            return Ok(Arc::clone(found));
        }
        let rule_set: RuleSet = name.parse().map_err(|_| unknown_rules_error(name))?;
        let rules = rule_set.compile().map_err(|error| ApiError::field("rules", name, error))?;
        Ok(self.add(name, rules))
    }

    /// Returns the rule files that are kept.
    pub(crate) fn files(&self) -> impl Iterator<Item = &Arc<NamedRules>> {
        self.kept.iter().filter_map(|name| self.known.get(name))
    }

    /// Returns the rule set of this name if it was asked for before, or is kept.
    pub(crate) fn cached(&self, name: &str) -> Option<&Arc<NamedRules>> {
        self.known.get(name)
    }

    /// Returns the rules under the name that they have here.
    ///
    /// # Errors
    ///
    /// Returns an error if the rules are neither those of a preset nor in a kept file.
    pub(crate) fn of_rule_set(&mut self, rule_set: &RuleSet) -> ApiResult<Arc<NamedRules>> {
        if rule_set.preset().is_some() {
            return self.find(&rule_set.to_string());
        }
        let mut kept = self.kept.iter().filter_map(|name| self.known.get(name));
        let found = kept.find(|named| named.rules.rule_set() == rule_set).cloned();
        found
            .ok_or_else(|| rules_not_kept_error(rule_set, self.find(&rule_set.to_string()).is_ok()))
    }

    /// Returns the rules of a game under the name that they have here, or with an empty name.
    pub(crate) fn of_game(&mut self, rules: &Arc<Rules>) -> Arc<NamedRules> {
        let found = self.of_rule_set(rules.rule_set());
        found.unwrap_or_else(|_| Arc::new(named("", Arc::clone(rules))))
    }

    /// Returns whether the rule set of this name has exactly these rules.
    pub(crate) fn knows(&mut self, rule_set: &RuleSet) -> bool {
        let named = self.find(&rule_set.to_string());
        named.is_ok_and(|named| named.rules.rule_set() == rule_set)
    }

    /// Returns the rules of a file, without keeping it: under their own name if they are a preset's, else with an empty name.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is not a rule file.
    pub(crate) fn preview(&mut self, text: &str) -> ApiResult<Arc<NamedRules>> {
        let rules = compile_rule_file(text)?;
        if rules.rule_set().preset().is_some() {
            return self.find(&rules.rule_set().to_string());
        }
        Ok(Arc::new(named("", rules)))
    }

    /// Keeps a rule file, and returns its rules; if the same rules are kept already, returns those.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is not a rule file, or if another rule file has its name.
    pub(crate) fn keep(&mut self, text: &str) -> ApiResult<Arc<NamedRules>> {
        let rules = compile_rule_file(text)?;
        let rule_set = rules.rule_set();
        if rule_set.preset().is_some() {
            return self.find(&rule_set.to_string());
        }
        let name = file_name(&rule_set.name)?;
        match self.cached(&name) {
            Some(kept) if kept.rules.rule_set() == rule_set => Ok(Arc::clone(kept)),
            Some(_) => Err(name_taken_error(&name)),
            None => {
                self.kept.push(name.clone());
                self.kept.sort_unstable();
                Ok(self.add(&name, rules))
            }
        }
    }

    /// Takes a kept rule file away.
    ///
    /// # Errors
    ///
    /// Returns an error if no kept rule file has this name.
    pub(crate) fn remove(&mut self, name: &str) -> ApiResult<()> {
        let at = self.kept.iter().position(|kept| is_file_name(name) && kept == name);
        self.kept.remove(at.ok_or_else(|| no_rule_file_error(name))?);
        self.known.remove(name);
        Ok(())
    }

    fn add(&mut self, name: &str, rules: Rules) -> Arc<NamedRules> {
        let added = Arc::new(named(name, rules));
        self.known.insert(name.to_owned(), Arc::clone(&added));
        added
    }
}

fn named(name: &str, rules: impl Into<Arc<Rules>>) -> NamedRules {
    let rules = rules.into();
    let positions = Indexer::new(&rules).ok().map(|indexer| indexer.len());
    NamedRules { name: name.to_owned(), rules, positions }
}
