//! Laws of agents as text, and of every agent that text can name.

use proptest::prelude::*;
use puabi_core::{RuleSet, Rules};
use puabi_engine::{AgentSpec, BuildError, Principle};

use crate::{every_decision, sample, solved};

/// Returns an agent of every kind.
fn one_of_each() -> Vec<AgentSpec> {
    let texts = [
        "random",
        "first-move",
        "last-move",
        "greedy",
        "pips",
        "level:7",
        "humanised:5",
        "easy",
        "expert",
        "expectimax:2",
        "expectimax:1@material",
        "likely:2/0.1",
        "linear:start",
        "expectimax:2@linear:start",
        "perfect",
        "worst",
        "epsilon:0.25",
        "softmax:0.02",
        "accuracy:87.5",
        "hit+least-exposed+extra-hit",
    ];
    let principles = Principle::ALL.iter().map(|principle| principle.name());
    texts.into_iter().chain(principles).map(|text| text.parse().unwrap()).collect()
}

/// Calls `check` with an agent of every kind that these rules have.
fn with_agents(rules: &Rules, mut check: impl FnMut(&AgentSpec, &dyn puabi_core::Agent)) {
    let values = solved(rules);
    for spec in one_of_each() {
        match spec.build(rules, Some(&values)) {
            Ok(agent) => check(&spec, &*agent),
            Err(BuildError::Unfit(_)) => {}
            Err(error) => panic!("{spec}: {error}"),
        }
    }
}

#[test]
fn every_policy_sums_to_one() {
    for preset in RuleSet::PRESETS {
        let rules = preset.with_pieces(2).compile().unwrap();
        with_agents(&rules, |spec, agent| {
            let mut choices = 0;
            sample(&rules, 200, |decision| {
                let policy = agent.policy(decision);
                assert_eq!(policy.len(), decision.moves().len(), "{spec}");
                assert!((policy.iter().sum::<f64>() - 1.0).abs() < 1e-15, "{spec}");
                assert!(policy.iter().all(|&chance| chance >= 0.0), "{spec}");
                choices += usize::from(policy.len() > 1);
            });
            assert!(choices > 50, "{spec}: {choices} decisions with a choice");
        });
    }
}

#[test]
fn an_agent_chooses_what_its_policy_draws() {
    let rules = RuleSet::FINKEL.with_pieces(2).compile().unwrap();
    with_agents(&rules, |spec, agent| {
        if !spec.is_cheap() {
            return;
        }
        every_decision(&rules, |position, roll| {
            let decision = rules.decision(position, roll);
            let policy = agent.policy(&decision);
            for number in [0.0, 0.3, 0.999] {
                let drawn = decision.draw(&policy, number);
                assert_eq!(agent.choose(&decision, number), drawn, "{spec} {position:?} {roll}");
            }
        });
    });
}

#[test]
fn agents_of_every_kind_read_back_as_they_are_written() {
    for spec in one_of_each() {
        assert_eq!(spec.to_string().parse(), Ok(spec));
    }
    for text in [
        "brain:a/b.txt",
        "linear:a/b.toml",
        "expectimax:3@brain:a@b:c",
        "elo:0",
        "elo:2000",
        "epsilon:1",
        "engine:./mine --fast \"a b\"",
    ] {
        assert_eq!(text.parse::<AgentSpec>().unwrap().to_string(), text);
    }
}

/// Returns agents that are read from the text of another agent with one character of its arguments changed.
fn changed_agents() -> impl Strategy<Value = AgentSpec> {
    let texts = one_of_each().into_iter().map(|spec| spec.to_string());
    let texts: Vec<_> = texts.filter(|text| text.contains(':')).collect();
    let changed = (prop::sample::select(texts), any::<prop::sample::Index>(), "[0-9./@a-z]");
    changed.prop_filter_map("no agent", |(mut text, at, character)| {
        let arguments = text.find(':').unwrap() + 1;
        let at = arguments + at.index(text.len() - arguments);
        text.replace_range(at..=at, &character);
        text.parse().ok()
    })
}

proptest! {
    #[test]
    fn what_is_read_as_an_agent_is_written_as_the_same_agent(spec in changed_agents()) {
        prop_assert_eq!(spec.to_string().parse(), Ok(spec));
    }

    #[test]
    fn numbers_of_agents_read_back(percent in 0.0..=100.0) {
        let spec: AgentSpec = format!("accuracy:{percent}").parse().unwrap();
        prop_assert_eq!(spec.to_string().parse(), Ok(spec));
    }
}

/// Texts that name no agent, and what the error says of each.
const REFUSED: &[(&str, &str)] = &[
    (
        "greddy",
        "`greddy` is not an agent: did you mean `greedy`? Expected one of easy, medium, hard, expert, ",
    ),
    ("hitt", "did you mean `hit`?"),
    ("hit+scroe", "`scroe` in `hit+scroe`, where `+` joins rules of thumb: did you mean `score`?"),
    ("hit+", "`` in `hit+`, where `+` joins rules of thumb: expected one of hit, "),
    (
        "random+greedy",
        "`random` in `random+greedy`, where `+` joins rules of thumb: expected one of hit, ",
    ),
    ("greedy:2", "`greedy` takes nothing after it: found `2`"),
    ("hit:2", "`hit` takes nothing after it"),
    ("level", "`level` lacks a level from 1 to 9, as in `level:5`"),
    ("level:10", "`10` is not a level: expected 1 to 9"),
    ("expectimax:0", "`0` in `expectimax:0`: expected a number of moves from 1 to 8"),
    (
        "expectimax:2@god",
        "`god` in `expectimax:2@god`: expected pips, material, brain:NAME or linear:NAME",
    ),
    ("likely:3", "expected a number of moves and a chance"),
    ("likely:3/2", "`2` in `likely:3/2`: expected a chance from 0 to 1"),
    ("epsilon:1.5", "expected a chance from 0 to 1"),
    ("epsilon:nan", "expected a chance from 0 to 1"),
    ("epsilon:-0", "expected a chance from 0 to 1"),
    ("softmax:0", "expected a temperature from 0.000001 to 1000"),
    ("accuracy:101", "expected a percentage from 0 to 100"),
    ("elo:2001", "expected a rating from 0 to 2000"),
    ("elo:+3", "expected a rating from 0 to 2000"),
    ("brain:", "`brain` lacks a name or a file"),
    ("linear", "`linear` lacks a name or a file, as in `linear:trained`"),
    ("easy:3", "`easy` takes nothing after it: found `3`"),
    ("engine", "`engine` lacks the command that starts the program"),
    ("engine: ", "expected the command that starts the program, in one line"),
    ("engine:a\nb", "expected the command that starts the program, in one line"),
];

#[test]
fn texts_that_name_no_agent_are_refused_with_what_would_be_right() {
    for (text, expected) in REFUSED {
        let error = text.parse::<AgentSpec>().unwrap_err().to_string();
        assert!(error.contains(expected), "{text}: {error}");
    }
}

#[test]
fn a_difficulty_plays_its_level_or_the_highest_that_there_is() {
    let pairs = |expert| [("easy", "level:2"), ("medium", "level:4"), ("hard", "level:7"), expert];
    for (rule_set, expert) in [(RuleSet::FINKEL, "level:9"), (RuleSet::MASTERS, "level:7")] {
        let rules = rule_set.with_pieces(2).compile().unwrap();
        for (difficulty, level) in pairs(("expert", expert)) {
            let [a, b] = [difficulty, level]
                .map(|text| text.parse::<AgentSpec>().unwrap().build(&rules, None).unwrap());
            let mut choices = 0;
            sample(&rules, 1_000, |decision| {
                assert_eq!(a.policy(decision), b.policy(decision), "{difficulty}");
                choices += usize::from(decision.moves().len() > 1);
            });
            assert!(choices > 100, "{difficulty}: {choices} decisions with a choice");
        }
    }
}

#[test]
fn an_agent_that_a_rule_set_lacks_is_refused_with_what_it_would_need() {
    let rules = RuleSet::MASTERS.compile().unwrap();
    let refusal = |text: &str| {
        let spec: AgentSpec = text.parse().unwrap();
        spec.build(&rules, None).err().unwrap().to_string()
    };
    let expected = "`level:8` cannot play masters: it needs a camp or a safe rosette that both players \
                    cross; levels 1 to 7 are available";
    assert_eq!(refusal("level:8"), expected);
    let expected =
        "`homestretch` cannot play masters: it needs private squares at the end of the path";
    assert_eq!(refusal("hit+homestretch"), expected);
    let expected =
        "`softmax:0.1` needs the values of the solved game masters, which are not available";
    assert_eq!(refusal("softmax:0.1"), expected);
    assert!(
        refusal("brain:nobody").starts_with("`nobody` is not a brain: expected `trained`, `start`")
    );
}
