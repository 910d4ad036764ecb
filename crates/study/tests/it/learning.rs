//! Laws of learning.

use puabi_core::{RuleSet, Rules};
use puabi_engine::{Argmax, Brain, Linear, Model};
use puabi_solve::Values;
use puabi_study::{
    Evolution, EvolutionOptions, Fit, FitOptions, Samples, TemporalDifference, TemporalOptions,
    Trainer, duel,
};

use crate::solved;

fn finkel(pieces: u8) -> Rules {
    RuleSet::FINKEL.with_pieces(pieces).compile().unwrap()
}

fn samples(rules: &Rules) -> (Samples, Values) {
    let values = solved(rules);
    (Samples::all(rules, &values).unwrap(), values)
}

fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}

/// Checks that four steps on one thread give the same state as two steps, a pause and two more steps on three threads.
fn is_reproducible<C: Trainer + Send>(trainer: impl Fn() -> C + Sync) {
    let whole = on_threads(1, || {
        let mut trainer = trainer();
        (0..4).for_each(|_| trainer.step());
        trainer.keep().unwrap()
    });
    let resumed = on_threads(3, || {
        let mut first = trainer();
        (0..2).for_each(|_| first.step());
        let mut second = trainer();
        second.resume(&first.keep().unwrap()).unwrap();
        (0..2).for_each(|_| second.step());
        second.keep().unwrap()
    });
    assert_eq!(whole, resumed);
}

fn start(rules: &Rules) -> Brain {
    Brain::start(rules)
}

#[test]
fn evolution_comes_to_the_same_for_any_threads_and_after_a_pause() {
    let rules = finkel(2);
    let options = EvolutionOptions { population: 6, games: 10, fame_interval: 2, seed: 5 };
    is_reproducible(|| Evolution::new(&rules, &start(&rules), options));
}

#[test]
fn temporal_difference_comes_to_the_same_for_any_threads_and_after_a_pause() {
    let rules = finkel(2);
    let options = TemporalOptions { games: 5, seed: 5, ..TemporalOptions::default() };
    is_reproducible(|| TemporalDifference::new(&rules, &start(&rules), options));
}

#[test]
fn a_fit_comes_to_the_same_for_any_threads_and_after_a_pause() {
    let rules = finkel(2);
    let (samples, _) = samples(&rules);
    let options = FitOptions { batch: 1000, ..FitOptions::default() };
    is_reproducible(|| Fit::new(&rules, &start(&rules), &samples, options));
}

#[test]
fn seeds_make_a_difference() {
    let rules = finkel(1);
    let bred = |seed| {
        let options =
            EvolutionOptions { population: 6, games: 10, seed, ..EvolutionOptions::default() };
        let mut evolution = Evolution::new(&rules, &start(&rules), options);
        evolution.step();
        evolution.player()
    };
    assert_ne!(bred(1).grid(), bred(2).grid());
}

#[test]
fn a_course_for_other_rules_is_refused() {
    let rules = finkel(1);
    let kept = Evolution::new(&rules, &start(&rules), EvolutionOptions::default()).keep().unwrap();
    let masters = RuleSet::MASTERS.compile().unwrap();
    let mut other = Evolution::new(&masters, &start(&masters), EvolutionOptions::default());
    let error = other.resume(&kept).unwrap_err();
    assert!(
        error.to_string().contains("the kept state has 561 weights: these rules need 703"),
        "{error}"
    );
    assert!(other.resume("{}").is_err());
}

#[test]
fn a_course_that_does_not_fit_together_is_refused() {
    let rules = finkel(2);
    let damaged = |kept: &str, at: &str, value: serde_json::Value| {
        let mut kept: serde_json::Value = serde_json::from_str(kept).unwrap();
        *kept.pointer_mut(at).unwrap() = value;
        kept.to_string()
    };
    let mut evolution = Evolution::new(&rules, &start(&rules), EvolutionOptions::default());
    let kept = evolution.keep().unwrap();
    assert!(evolution.resume(&damaged(&kept, "/0/population", 0.into())).is_err());
    let options = TemporalOptions::default();
    let mut trainer = TemporalDifference::new(&rules, &start(&rules), options);
    let kept = trainer.keep().unwrap();
    for part in ["mean", "square"] {
        let none = serde_json::json!([]);
        assert!(trainer.resume(&damaged(&kept, &format!("/adam/{part}"), none)).is_err());
    }
}

#[test]
fn a_fit_halves_the_regret_of_the_start_brain() {
    let rules = finkel(2);
    let (samples, _) = samples(&rules);
    let mut fit = Fit::new(&rules, &start(&rules), &samples, FitOptions::default());
    (0..10).for_each(|_| fit.step());
    let (before, after) = (samples.regret(&Brain::start(&rules)), samples.regret(&fit.player()));
    assert!(after < before / 2.0, "{before} to {after}");
}

#[test]
fn a_fit_to_a_game_without_choices_leaves_the_weights_as_they_are() {
    let rules = finkel(1);
    let (samples, _) = samples(&rules);
    assert!(samples.choices().is_empty());
    let start = start(&rules);
    let mut fit = Fit::new(&rules, &start, &samples, FitOptions::default());
    fit.step();
    let weights = [start.weights(), fit.player().weights()];
    let largest = weights.map(|weights| weights.iter().fold(0.0_f32, |max, x| max.max(x.abs())));
    assert!((largest[1] / largest[0] - 1.0).abs() < 0.01, "{largest:?}");
}

#[test]
fn a_fit_of_the_linear_model_lowers_its_regret() {
    let rules = finkel(2);
    let (samples, _) = samples(&rules);
    let start = Linear::start(&rules);
    let mut fit = Fit::new(
        &rules,
        &start,
        &samples,
        FitOptions { learning_rate: 0.01, ..FitOptions::default() },
    );
    (0..4).for_each(|_| fit.step());
    let (before, after) = (samples.regret(&start), samples.regret(&fit.player()));
    assert!(after < before, "{before} to {after}");
}

#[test]
fn temporal_difference_lowers_the_regret_of_the_start_brain() {
    let rules = finkel(2);
    let (samples, _) = samples(&rules);
    let options = TemporalOptions { steps: 150, ..TemporalOptions::default() };
    let mut trainer = TemporalDifference::new(&rules, &start(&rules), options);
    (0..150).for_each(|_| trainer.step());
    let (before, after) =
        (samples.regret(&Brain::start(&rules)), samples.regret(&trainer.player()));
    assert!(after < before, "{before} to {after}");
}

#[test]
fn what_has_evolved_beats_what_it_began_with() {
    let rules = finkel(2);
    let options = EvolutionOptions { population: 12, games: 40, ..EvolutionOptions::default() };
    let mut evolution = Evolution::new(&rules, &start(&rules), options);
    (0..30).for_each(|_| evolution.step());
    let (bred, start) = (evolution.player(), Brain::start(&rules));
    let pair =
        |seed| duel(&rules, (&bred, &start), seed) + 1.0 - duel(&rules, (&start, &bred), seed);
    let wins: f64 = (0..2000).map(pair).sum();
    // Half of 4000 games; four standard deviations are 126.
    assert!(wins > 2126.0, "{wins}");
}

#[test]
fn perfect_play_is_not_beaten_in_a_duel() {
    let rules = finkel(2);
    let perfect = Argmax(solved(&rules));
    let brain = Brain::start(&rules);
    let pair = |seed| {
        duel(&rules, (&perfect, &brain), seed) + 1.0 - duel(&rules, (&brain, &perfect), seed)
    };
    let wins: f64 = (0..1000).map(pair).sum();
    assert!(wins > 1000.0, "{wins}");
}

#[test]
fn calibrated_chances_are_nearer_to_the_exact_ones() {
    use puabi_core::{Evaluator, Indexer};
    let rules = finkel(2);
    let (samples, values) = samples(&rules);
    let mut fit = Fit::new(&rules, &start(&rules), &samples, FitOptions::default());
    (0..5).for_each(|_| fit.step());
    let brain = fit.player();
    let indexer = Indexer::new(&rules).unwrap();
    let positions: Vec<_> = (0..indexer.len()).filter_map(|at| indexer.position(at)).collect();
    let error = |evaluator: &dyn Evaluator| -> f64 {
        let mut found = vec![0.0; positions.len()];
        evaluator.evaluate(&positions, &mut found);
        let pairs = found.iter().zip(&positions);
        pairs.map(|(found, &position)| (found - values.value(position)).abs()).sum::<f64>()
            / positions.len() as f64
    };
    let scale = brain.scale();
    let rescaled = |factor: f64| Brain::new(&rules, brain.grid().clone(), scale * factor);
    assert!(error(&brain) < error(&rescaled(4.0)) && error(&brain) < error(&rescaled(0.25)));
}
