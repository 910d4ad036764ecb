//! The engine protocol: what is read reads back as it is written, and an engine answers every line with lines.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use puabi_core::{RuleSet, Rules};
use puabi_engine::protocol::{Command, ProtocolEngine, Reaction, ReadyAgent, Reply};
use puabi_engine::Greedy;

static RULES: LazyLock<Rules> = LazyLock::new(|| RuleSet::FINKEL.compile().unwrap());

fuzz_target!(|text: &str| {
    let read = |name: &str| {
        let rule_set: RuleSet = name.parse().map_err(|_| "no rule set".to_owned())?;
        rule_set.compile().map_err(|error| error.to_string())
    };
    let mut engine = ProtocolEngine::new(RULES.clone(), "greedy".parse().unwrap(), 1, &read);
    for line in text.lines() {
        if let Ok(command) = line.parse::<Command>() {
            assert_eq!(command.to_string().parse(), Ok(command));
        }
        if let Ok(reply) = line.parse::<Reply>() {
            assert_eq!(reply.to_string().parse(), Ok(reply));
        }
        let ready = ReadyAgent { agent: &Greedy, values: None };
        if let Reaction::Replies(replies) = engine.react(line, Some(ready)) {
            for reply in replies {
                assert_eq!(reply.to_string().parse(), Ok(reply));
            }
        }
    }
});
