//! The pockets that ship, and pockets as agents.

use puabi_core::{Roll, RuleSet};
use puabi_engine::{AgentSpec, Argmax, Pocket, best, move_values};

#[test]
fn pockets_ship_that_give_away_little_and_none_for_fewer_pieces() {
    // What each plays in random decisions, on every machine, as `ur bench pocket finkel --decisions 1000` hashes it.
    let most = [
        ("finkel", 1.1e-3, "1705b34a4d764a7f0528009e802ab2dc0d9abf521abaaa2091b7d7c57d030e58"),
        ("blitz", 1.3e-3, "80ab1167ff2453352550cb9ed75e9b7453fd18d1e99eccd0eb11c9751be710d6"),
        ("masters", 2e-3, "f7e96b181c9154e0b1659d4dd4eb3100e9bbbd3b8eb2d95826c101c33a4b26bd"),
    ];
    assert_eq!(Pocket::files().len(), most.len());
    for ((name, bytes), (expected, most, trial)) in Pocket::files().iter().zip(most) {
        assert_eq!(*name, expected);
        let rules: RuleSet = name.parse().unwrap();
        let rules = rules.compile().unwrap();
        let pocket = Pocket::shipped(&rules).unwrap();
        assert_eq!(&pocket.to_bytes(), bytes);
        assert!(pocket.facts().loss < most && pocket.facts().off_by < 1e-4, "{name}");
        assert_eq!(pocket.within(), "0.2 %");
        assert_eq!(pocket.trial(1, 1000), trial, "{name}");
    }
    let all: usize = Pocket::files().iter().map(|(_, bytes)| bytes.len()).sum();
    assert!(all < 1_500_000, "{all} bytes");
    let few = RuleSet::FINKEL.with_pieces(3).compile().unwrap();
    assert!(Pocket::shipped(&few).is_none());
    let spec: AgentSpec = "pocket".parse().unwrap();
    let error = spec.build(&few, None).err().unwrap();
    assert!(error.to_string().contains("`ur table pocket` makes one"), "{error}");
}

#[test]
fn a_pocket_is_read_from_its_file_and_belongs_to_its_rules() {
    let rules = RuleSet::FINKEL.compile().unwrap();
    let bytes = Pocket::shipped(&rules).unwrap().to_bytes();
    let spec: AgentSpec = "pocket:my.pocket".parse().unwrap();
    assert_eq!(
        (spec.to_string(), spec.pocket_file()),
        ("pocket:my.pocket".into(), Some("my.pocket"))
    );
    let read = |name: &str| {
        assert_eq!(name, "my.pocket");
        Ok(bytes.clone())
    };
    let agent = spec.build_reading(&rules, None, &read).unwrap();
    let position = rules.position(&"4,8:5,9:L".parse().unwrap()).unwrap();
    let decision = rules.decision(position, Roll::new(1));
    // The best by the table of the solved game: 57.36 % to win, before 55.88 and 51.66.
    assert_eq!(decision.moves().len(), 3);
    assert_eq!(agent.choose(&decision, 0.0).to_string(), "4-5");
    let other = RuleSet::BLITZ.compile().unwrap();
    let error = spec.build_reading(&other, None, &read).err().unwrap();
    assert_eq!(error.to_string(), "`my.pocket` is a pocket of finkel: expected a pocket of blitz");
    let error = spec.build_reading(&rules, None, &|_| Ok(b"nothing".to_vec())).err().unwrap();
    assert_eq!(error.to_string(), "`my.pocket` does not contain a pocket");
}

#[test]
fn the_best_move_by_the_values_of_a_pocket_is_the_one_that_it_plays() {
    let rules = RuleSet::FINKEL.compile().unwrap();
    let pocket = Pocket::shipped(&rules).unwrap();
    for text in ["4,8,12+2:1,5:D", "2,9:-:L", "3,6,9:5,8+1:L", "1,4,7,10:2,11,13:L"] {
        let setup: puabi_core::Setup = text.parse().unwrap();
        let position = rules.position(&setup).unwrap();
        for &(roll, _) in rules.rolls() {
            let decision = rules.decision(position, roll);
            let action = puabi_core::Agent::choose(&pocket, &decision, 0.0);
            assert_eq!(best(&move_values(&decision, &pocket)).action, action);
            let argmax = Argmax(&pocket);
            assert_eq!(puabi_core::Agent::choose(&argmax, &decision, 0.0), action);
            let mut played = Vec::new();
            puabi_core::Agent::play_each(&argmax, &[(decision, 0.0)], &mut played);
            assert_eq!(played, [Ok(action)]);
        }
    }
}
