//! Names of agents: what reads is written as one canonical name, and its agent is built or refused.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use puabi_core::{RuleSet, Rules};
use puabi_engine::AgentSpec;

static RULES: LazyLock<Rules> = LazyLock::new(|| RuleSet::FINKEL.compile().unwrap());

fuzz_target!(|text: &str| {
    let Ok(spec) = text.parse::<AgentSpec>() else { return };
    let canonical = spec.to_string();
    let again: AgentSpec = canonical.parse().unwrap();
    assert_eq!((again.to_string(), again), (canonical, spec.clone()));
    let _ = spec.build(&RULES, None);
});
