//! The rule sets that are served: presets, and rule files that are kept in the data directory.

use std::collections::HashMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard};
use std::time::SystemTime;

use puabi_answers::{
    ApiError, ApiResult, compile_rule_file, file_name, is_file_name, limit_reached_error,
    name_taken_error, no_rule_file_error, other_name, rules_not_kept_error, unknown_rules_error,
};
use puabi_core::{RuleSet, Rules};
use puabi_tables::{read_text, write_whole};

use crate::http::error::unwritten;
use crate::rulesets::variant::Variant;

/// The rule sets that are served.
#[derive(Debug)]
pub(crate) struct Catalog {
    directory: PathBuf,
    /// The most rule files that are kept.
    most: usize,
    known: RwLock<Known>,
    /// Locked while the kept files are read or changed, so that `known` agrees with the files.
    changing: Mutex<()>,
}

/// The time when a kept file was written, and its length. If one of them differs, another file is in its place.
type Stamp = (SystemTime, u64);

/// The rule sets that have been asked for, by name, with the stamps of those that are kept files.
type Known = HashMap<String, (Arc<Variant>, Option<Stamp>)>;

impl Catalog {
    /// Returns the presets and the rule files that are kept below the data directory.
    pub(crate) fn new(data: &Path, most: usize) -> Self {
        let directory = data.join("rules");
        Self { directory, most, known: RwLock::default(), changing: Mutex::default() }
    }

    /// Returns every preset with its own number of pieces, and every kept rule file that can be read.
    pub(crate) fn list(&self) -> Vec<Arc<Variant>> {
        let presets = RuleSet::PRESETS.iter().map(ToString::to_string);
        let names = presets.chain(self.kept_names());
        names.filter_map(|name| self.find(&name).ok()).collect()
    }

    /// Returns the rule set of this name if it has been asked for before, and its file, if it has one, has not changed since it
    /// was read. People and other programs change files too.
    pub(crate) fn cached(&self, name: &str) -> Option<Arc<Variant>> {
        let (variant, stamp) = self.known().get(name).cloned()?;
        (stamp.is_none() || stamp == self.stamp(name)).then_some(variant)
    }

    /// Returns the rule set of this name: `finkel`, `finkel:3`, or that of a kept file or of the rules in it.
    ///
    /// # Errors
    ///
    /// Returns an error if no rule set has this name.
    pub(crate) fn find(&self, name: &str) -> ApiResult<Arc<Variant>> {
        if let Some(variant) = self.cached(name) {
            return Ok(variant);
        }
        // Games and reviews give the name inside the rule file, as people write it.
        let other = other_name(name).and_then(|other| self.find(&other).ok());
        if let Some(variant) = other.filter(|variant| variant.rule_set().name == name) {
            return Ok(variant);
        }
        let _alone = self.lock_files();
        self.read(name)
    }

    /// Returns the variant that has exactly these rules.
    ///
    /// # Errors
    ///
    /// Returns an error if the rules are neither those of a preset nor in a kept file.
    pub(crate) fn of_rule_set(&self, rule_set: &RuleSet) -> ApiResult<Arc<Variant>> {
        if rule_set.preset().is_some() {
            return self.find(&rule_set.to_string());
        }
        let kept = self.kept_names().filter_map(|name| self.find(&name).ok());
        let found = kept.into_iter().find(|variant| variant.rule_set() == rule_set);
        found
            .ok_or_else(|| rules_not_kept_error(rule_set, self.find(&rule_set.to_string()).is_ok()))
    }

    /// Returns the variant of the rules of a game: under the name that they have here, or with an empty name.
    pub(crate) fn of_game(&self, rules: &Arc<Rules>) -> Arc<Variant> {
        let named = self.of_rule_set(rules.rule_set());
        named.unwrap_or_else(|_| Arc::new(Variant::new(String::new(), Arc::clone(rules))))
    }

    /// Returns the variant of a rule file, without keeping it: under its own name if it is a preset, else with an empty name.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is not a rule file.
    pub(crate) fn preview(&self, text: &str) -> ApiResult<Arc<Variant>> {
        let rules = compile_rule_file(text)?;
        if rules.rule_set().preset().is_some() {
            return self.find(&rules.rule_set().to_string());
        }
        Ok(Arc::new(Variant::new(String::new(), rules)))
    }

    /// Keeps a rule file and returns its variant; if the same rules are kept already, returns theirs.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is not a rule file, if another rule file has its name, or if the system does not let us
    /// write.
    pub(crate) fn keep(&self, text: &str) -> ApiResult<Arc<Variant>> {
        let rules = compile_rule_file(text)?;
        let rule_set = rules.rule_set();
        if rule_set.preset().is_some() {
            return self.find(&rule_set.to_string());
        }
        let name = file_name(&rule_set.name)?;
        let _alone = self.lock_files();
        match self.read(&name) {
            Ok(kept) if kept.rule_set() == rule_set => return Ok(kept),
            Ok(_) => return Err(name_taken_error(&name)),
            // A file that cannot be read, perhaps because a newer program wrote it, is not replaced.
            Err(_) if self.path(&name).exists() => return Err(name_taken_error(&name)),
            Err(_) if self.kept_names().count() >= self.most => {
                return Err(limit_reached_error(self.most, "rule files"));
            }
            Err(_) => {}
        }
        self.write(&name, &rule_set.to_toml())
            .map_err(|error| unwritten("keeping the rule file", &error))?;
        self.read(&name)
    }

    /// Takes a kept rule file away; its table stays.
    ///
    /// # Errors
    ///
    /// Returns an error if no kept rule file has this name.
    pub(crate) fn remove(&self, name: &str) -> ApiResult<()> {
        if !is_file_name(name) || name.parse::<RuleSet>().is_ok() {
            return Err(no_rule_file_error(name));
        }
        let _alone = self.lock_files();
        fs::remove_file(self.path(name)).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => no_rule_file_error(name),
            _ => unwritten("removing the rule file", &error),
        })?;
        self.known.write().unwrap_or_else(PoisonError::into_inner).remove(name);
        Ok(())
    }

    /// Waits until no other request reads or changes the kept files.
    fn lock_files(&self) -> MutexGuard<'_, ()> {
        self.changing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn known(&self) -> RwLockReadGuard<'_, Known> {
        self.known.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the rule set of a preset or of a kept file. The caller holds the lock of [`Catalog::lock_files`].
    fn read(&self, name: &str) -> ApiResult<Arc<Variant>> {
        if let Some(variant) = self.cached(name) {
            return Ok(variant);
        }
        // Taken before the file is read, so that a change meanwhile is seen the next time.
        let stamp = self.stamp(name);
        let variant = Arc::new(Variant::new(name.to_owned(), self.rules(name)?));
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        known.insert(name.to_owned(), (Arc::clone(&variant), stamp));
        Ok(variant)
    }

    /// Reads the rules of a preset or of a kept file; no other file can be named.
    fn rules(&self, name: &str) -> ApiResult<Rules> {
        let rule_set = match name.parse() {
            Ok(preset) => preset,
            Err(_) if is_file_name(name) && self.path(name).is_file() => {
                let text = fs::File::open(self.path(name))
                    .and_then(|file| read_text(file, RuleSet::MAX_TOML_BYTES))
                    .map_err(|error| ApiError::internal("reading the rule file", &error))?;
                RuleSet::from_toml(&text)
                    .map_err(|error| ApiError::internal("reading the rule file", &error))?
            }
            Err(_) => return Err(unknown_rules_error(name)),
        };
        rule_set.compile().map_err(|error| ApiError::field("rules", name, error))
    }

    fn write(&self, name: &str, text: &str) -> io::Result<()> {
        fs::create_dir_all(&self.directory)?;
        write_whole(&self.path(name), |file| file.write_all(text.as_bytes()))
    }

    /// Returns the stamp of the kept file of this name, if there is one.
    fn stamp(&self, name: &str) -> Option<Stamp> {
        let found = is_file_name(name).then(|| fs::metadata(self.path(name)).ok()).flatten()?;
        Some((found.modified().ok()?, found.len()))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.join(format!("{name}.toml"))
    }

    /// Returns the names of the kept files, in order.
    fn kept_names(&self) -> impl Iterator<Item = String> {
        let entries = self.directory.read_dir().into_iter().flatten().flatten();
        let names = entries.filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            name.strip_suffix(".toml").filter(|stem| is_file_name(stem)).map(str::to_owned)
        });
        let mut names: Vec<_> = names.collect();
        names.sort_unstable();
        names.into_iter()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;

    use super::*;

    /// Lets `requests` threads each keep a rule file at the same time, with the `name` of its number; returns how many could.
    fn kept_at_once(catalog: &Catalog, requests: u8, name: impl Fn(u8) -> String + Sync) -> usize {
        let begin = Barrier::new(usize::from(requests));
        let keep = |number: u8| {
            let rules = RuleSet {
                name: name(number).into(),
                captures_grant_rolls: true,
                ..RuleSet::FINKEL.with_pieces(number + 1)
            };
            begin.wait();
            catalog.keep(&rules.to_toml()).is_ok()
        };
        std::thread::scope(|scope| {
            let keep = &keep;
            let threads: Vec<_> =
                (0..requests).map(|number| scope.spawn(move || keep(number))).collect();
            threads.into_iter().filter_map(|thread| thread.join().ok()).filter(|kept| *kept).count()
        })
    }

    #[test]
    fn rules_that_are_taken_away_while_others_ask_for_them_are_known_no_more() {
        let data = tempfile::tempdir().unwrap();
        let catalog = Catalog::new(data.path(), 3);
        for _ in 0..50 {
            assert_eq!(kept_at_once(&catalog, 1, |_| "mine".to_owned()), 1);
            catalog.known.write().unwrap().clear();
            let begin = Barrier::new(3);
            std::thread::scope(|scope| {
                for _ in 0..2 {
                    scope.spawn(|| {
                        begin.wait();
                        let _ = catalog.find("mine");
                    });
                }
                begin.wait();
                catalog.remove("mine").unwrap();
            });
            assert!(catalog.find("mine").is_err());
        }
    }

    #[test]
    fn a_file_that_others_change_or_take_away_is_read_anew() {
        let data = tempfile::tempdir().unwrap();
        let [one, other] = [0; 2].map(|_| Catalog::new(data.path(), 3));
        let rules = |goal| RuleSet { name: "mine".into(), goal, ..RuleSet::FINKEL.with_pieces(3) };
        let goal = |catalog: &Catalog| catalog.find("mine").map(|it| it.rule_set().goal).ok();
        one.keep(&rules(Some(1)).to_toml()).unwrap();
        assert_eq!(goal(&other), Some(Some(1)));
        fs::remove_file(one.path("mine")).unwrap();
        assert_eq!([goal(&one), goal(&other)], [None; 2]);
        one.keep(&rules(Some(1)).to_toml()).unwrap();
        assert!(one.path("mine").exists());
        assert_eq!(goal(&other), Some(Some(1)));
        one.remove("mine").unwrap();
        let mut longer = rules(Some(2));
        longer.captures_grant_rolls = true;
        one.keep(&longer.to_toml()).unwrap();
        assert_eq!(goal(&other), Some(Some(2)));
    }

    #[test]
    fn a_kept_file_that_cannot_be_read_is_not_replaced() {
        let data = tempfile::tempdir().unwrap();
        let catalog = Catalog::new(data.path(), 3);
        fs::create_dir(&catalog.directory).unwrap();
        fs::write(catalog.path("same"), "of = \"a newer program\"").unwrap();
        assert_eq!(kept_at_once(&catalog, 1, |_| "same".to_owned()), 0);
        assert_eq!(fs::read_to_string(catalog.path("same")).unwrap(), "of = \"a newer program\"");
        catalog.remove("same").unwrap();
        assert_eq!(kept_at_once(&catalog, 1, |_| "same".to_owned()), 1);
    }

    #[test]
    fn requests_at_once_keep_one_file_of_a_name_and_no_more_than_may_be() {
        for _ in 0..10 {
            let data = tempfile::tempdir().unwrap();
            let catalog = Catalog::new(data.path(), 3);
            assert_eq!(kept_at_once(&catalog, 4, |_| "same".to_owned()), 1);
            assert_eq!(kept_at_once(&catalog, 4, |number| format!("other {number}")), 2);
        }
    }
}
