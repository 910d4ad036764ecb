//! Laws of the laboratory.

use puabi_core::{Decision, Game, Player, RuleSet, Rules, Square};
use puabi_engine::{Argmax, DiceRng, Greedy, Random};
use puabi_solve::{Measure, Options, Solver, Unattended, Values};
use puabi_study::{Figure, Lab, Matchup, Method, Opening, OpeningValue, Profile};

use crate::solved;

/// A game of two players who meet head on in a lane of two rosettes, where no piece can be captured.
pub(crate) const LANE: &str = "name = \"Lane\"\ndice = \"1d\"\npieces = 1\n\
     [path]\nboard = [\"**\"]\nlight = \"A1 A2\"\ndark = \"A2 A1\"";

fn games() -> [RuleSet; 4] {
    [
        RuleSet::FINKEL.with_pieces(1),
        RuleSet::FINKEL.with_pieces(2),
        RuleSet::SKIRIUK.with_pieces(1),
        RuleSet::from_toml(LANE).unwrap(),
    ]
}

/// Returns what `look` finds in the laboratory of a game.
fn examine<T>(rule_set: &RuleSet, look: impl FnOnce(&Lab<'_>, &Values) -> T) -> T {
    let rules = rule_set.compile().unwrap();
    let solver = Solver::new(&rules, Options::default()).unwrap();
    let (values, report) = solver.solve(&Unattended, &Unattended).unwrap();
    look(&Lab { rules: &rules, solver: &solver, values: &values, report }, &values)
}

fn exact(lab: &Lab<'_>) -> Profile {
    lab.profile(Method::Exact, &Unattended).unwrap()
}

fn assert_close(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-11 * expected.abs().max(1.0), "{found} {expected}");
}

/// Counts the rolls with a single legal move, a pass among them.
struct OneMove;

impl Measure for OneMove {
    fn end(&self, _winner: Option<Player>) -> f64 {
        0.0
    }

    fn gather(&self, _mover: Player, decision: &Decision<'_>, gained: &mut [f64]) {
        gained.fill(f64::from(decision.moves().len() == 1));
    }
}

#[test]
fn forced_rolls_and_free_rolls_are_all_rolls() {
    for rule_set in games() {
        examine(&rule_set, |lab, values| {
            let perfect = Argmax(values);
            let measures: [&dyn Measure; 1] = [&OneMove];
            let met = lab.solver.meet([&perfect, &perfect], measures, &Unattended).unwrap();
            let profile = exact(lab);
            assert_close(profile.forced.value * profile.rolls.value, met.0[0].mean());
        });
    }
}

#[test]
fn length_and_skill_are_those_of_the_match_ups() {
    for rule_set in games() {
        examine(&rule_set, |lab, values| {
            let (profile, perfect) = (exact(lab), Argmax(values));
            let meet = |other| Matchup::new(lab.solver, [&perfect, other], &Unattended).unwrap();
            assert_close(profile.rolls.value, meet(&perfect).rolls);
            assert_close(profile.first_edge, meet(&perfect).first_edge);
            assert_close(profile.greedy_skill.value, meet(&Greedy).shares.skill);
            let odds = 10_f64.powf(profile.random_elo.value / 400.0);
            assert_close(odds / (1.0 + odds), meet(&Random).a_mean);
        });
    }
}

#[test]
fn one_piece_leaves_nothing_to_decide() {
    let profile = examine(&RuleSet::FINKEL.with_pieces(1), |lab, _| exact(lab));
    assert_eq!(profile.forced, Figure::exact(1.0));
    assert_eq!((profile.options, profile.stakes), (None, None));
    assert!(profile.random_elo.value.abs() < 1e-9 && profile.greedy_skill.value < 1e-20);
}

#[test]
fn a_game_done_by_hand_has_the_profile_found_by_hand() {
    // In the lane, a player who stands on the first square wins two games of three from there; the third ends in a dead position.
    let profile = examine(&RuleSet::from_toml(LANE).unwrap(), |lab, _| exact(lab));
    assert_close(profile.first_edge, 1.0 / 9.0);
    assert_close(profile.rolls.value, 6.0);
    assert_close(profile.draws.value, 1.0 / 3.0);
    assert_close(profile.lead_changes.value, 7.0 / 6.0);
    assert_eq!((profile.positions > 0, profile.dead_positions), (true, 1));
}

/// Plays a game by `values` and returns how often the better chance changes hands.
fn lead_changes(rules: &Rules, values: &Values, seed: u64) -> f64 {
    let (mut game, mut thrower) = (Game::new(rules.clone()), DiceRng::new(seed));
    let mut light_leads = Vec::new();
    while let Some(player) = game.turn() {
        let roll = thrower.throw(rules.rule_set().dice);
        let decision = game.roll(roll).unwrap();
        let value = values.value(decision.position());
        light_leads.push((player == Player::Light) == (value > 0.5));
        let action = thrower.choose(&decision, &Argmax(values));
        game.play(action).unwrap();
    }
    light_leads.push(game.winner() == Some(Player::Light));
    light_leads.windows(2).filter(|pair| pair[0] != pair[1]).count() as f64
}

#[test]
fn lead_changes_are_those_counted_in_games() {
    for rule_set in [RuleSet::FINKEL.with_pieces(1), RuleSet::FINKEL.with_pieces(2)] {
        examine(&rule_set, |lab, values| {
            let games = 5_000;
            let changes: Vec<_> =
                (0..games).map(|seed| lead_changes(lab.rules, values, seed)).collect();
            let mean = changes.iter().sum::<f64>() / games as f64;
            let spread = changes.iter().map(|it| (it - mean).powi(2)).sum::<f64>() / games as f64;
            let (expected, error) = (exact(lab).lead_changes.value, (spread / games as f64).sqrt());
            assert!((mean - expected).abs() < 5.0 * error, "{mean} {expected} {error}");
        });
    }
}

/// Compares an estimate with the exact number: it may be off by five standard errors, and by a little if nothing varies.
fn assert_agree(estimate: Figure, exact: Figure) {
    let allowed = estimate.margin().unwrap_or(0.0) * 5.0 / 1.96 + 1e-9;
    assert!((estimate.value - exact.value).abs() < allowed, "{estimate:?} {exact:?}");
}

#[test]
fn estimates_agree_with_exact_numbers_within_their_intervals() {
    for rule_set in games() {
        let method = Method::Sampled { games: 4_000, seed: 7 };
        let (exact, sampled) =
            examine(&rule_set, |lab, _| (exact(lab), lab.profile(method, &Unattended).unwrap()));
        let all = |profile: &Profile| {
            let Profile { rolls, lead_changes, forced, draws, .. } = *profile;
            [rolls, lead_changes, forced, draws, profile.random_elo]
        };
        for (estimate, exact) in all(&sampled).into_iter().zip(all(&exact)) {
            assert_agree(estimate, exact);
        }
        let choices = |profile: &Profile| [profile.options, profile.stakes];
        for (estimate, exact) in choices(&sampled).into_iter().zip(choices(&exact)) {
            assert_eq!(estimate.is_some(), exact.is_some());
            if let Some((estimate, exact)) = estimate.zip(exact) {
                assert_agree(estimate, exact);
            }
        }
        assert_eq!(sampled.first_edge.to_bits(), exact.first_edge.to_bits());
        assert!(sampled.rolls.interval.is_some() && exact.rolls.interval.is_none());
        // Draws that cannot happen need no estimate.
        assert_eq!(sampled.draws.interval.is_some(), sampled.dead_positions > 0);
    }
}

#[test]
fn a_sample_is_the_same_for_one_seed_and_another_for_another() {
    examine(&RuleSet::FINKEL.with_pieces(2), |lab, _| {
        let sample =
            |seed| lab.profile(Method::Sampled { games: 300, seed }, &Unattended).unwrap().rolls;
        assert_eq!(sample(1), sample(1));
        assert_ne!(sample(1), sample(2));
    });
}

#[test]
fn fair_starts_are_those_that_were_found_independently() {
    let rules = "finkel:4".parse::<RuleSet>().unwrap().compile().unwrap();
    let found = OpeningValue::all(&rules, &solved(&rules));
    let square = Square::new(1).unwrap();
    for (opening, first) in [
        (Opening::AsRuled, 0.5162),
        (Opening::Throw(2), 0.5039),
        (Opening::Throw(1), 0.4953),
        (Opening::Ahead(square), 0.4933),
    ] {
        let it = found.iter().find(|it| it.opening == opening).unwrap();
        assert!((it.first - first).abs() < 5e-5, "{opening}: {} {first}", it.first);
    }
    assert_eq!(found[0].opening, Opening::Throw(2), "the fairest comes first");
}

#[test]
fn a_swap_after_the_first_throw_leaves_the_worse_side_of_it() {
    for name in ["finkel:2", "masters:2", "skiriuk:1", "murray:1", "aseb:2"] {
        let rules = name.parse::<RuleSet>().unwrap().compile().unwrap();
        let values = solved(&rules);
        let found = OpeningValue::all(&rules, &values);
        let first = |opening| found.iter().find(|it| it.opening == opening).unwrap().first;
        let [throw, moved] = [Opening::SwapAfterThrow, Opening::SwapAfterMove].map(first);
        let swapped = rules.rolls().iter().map(|&(roll, chance)| {
            let first = rules.decision(rules.start(), roll).best_value(|next| values.value(next));
            chance * first.min(1.0 - first)
        });
        let expected: f64 = swapped.sum();
        assert!((throw - expected).abs() < 1e-14, "{name}: {throw} {expected}");
        assert!(throw <= moved && moved < 0.5, "{name}: {throw} {moved}");
    }
}

#[test]
fn exact_lengths_have_the_mean_of_the_contest_and_the_shares_of_games_that_are_played() {
    for rule_set in games() {
        examine(&rule_set, |lab, _| {
            let exact = lab.perfect(Method::Exact, &Unattended).unwrap();
            let lengths = &exact.lengths;
            let all: f64 = lengths.chances.iter().sum();
            assert!((all - 1.0).abs() < 1e-10, "{rule_set}: {all}");
            let off = (lengths.mean() - exact.rolls.value).abs();
            assert!(off < 1e-8 * exact.rolls.value, "{rule_set}: {off}");
            let method = Method::Sampled { games: 20_000, seed: 3 };
            let played = lab.perfect(method, &Unattended).unwrap();
            assert_eq!(played.lengths.games, Some(20_000));
            for (length, &chance) in lengths.chances.iter().enumerate() {
                let share = played.lengths.chances.get(length).copied().unwrap_or_default();
                let error = (chance * (1.0 - chance) / 20_000.0).sqrt();
                assert!((share - chance).abs() < 6.0 * error + 1e-3, "{rule_set} {length}");
            }
        });
    }
}

#[test]
fn worths_of_a_piece_a_die_and_a_rosette_are_those_of_games_that_are_played() {
    for rule_set in [RuleSet::FINKEL.with_pieces(2), RuleSet::BLITZ.with_pieces(2)] {
        examine(&rule_set, |lab, _| {
            let exact = lab.perfect(Method::Exact, &Unattended).unwrap();
            let method = Method::Sampled { games: 20_000, seed: 3 };
            let played = lab.perfect(method, &Unattended).unwrap();
            let pairs = [
                (exact.lead_changes, played.lead_changes),
                (exact.piece.unwrap(), played.piece.unwrap()),
                (exact.die.unwrap(), played.die.unwrap()),
                (exact.rosette.unwrap(), played.rosette.unwrap()),
            ];
            for (exact, played) in pairs {
                let off = (exact.value - played.value).abs();
                assert!(off < 3.0 * played.margin().unwrap(), "{rule_set} {exact:?} {played:?}");
                assert!(exact.value > 0.0);
            }
        });
    }
}

#[test]
fn what_does_not_exist_has_no_worth() {
    // The game has one die, so a throw with one die less has no worth.
    examine(&RuleSet::from_toml(LANE).unwrap(), |lab, values| {
        let found = lab.perfect(Method::Exact, &Unattended).unwrap();
        assert_eq!(found.die, None);
        // The only piece is in the hand, so having it home wins.
        let start = lab.rules.start();
        let piece = found.piece.unwrap().value;
        assert!(piece > 0.0 && piece <= 1.0, "{piece} {}", values.value(start));
    });
}
