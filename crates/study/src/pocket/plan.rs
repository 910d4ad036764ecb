//! Which challenges a pocket stores, and how many filter bits each class has, at a given price of a bit.
//!
//! A successful challenge costs the filter bits of its class and a verdict. Any other challenge passes a filter of `r` bits with
//! the chance `2^-r`; then it costs a verdict, or is left to a bit that looks random. Each class has the number of bits for which
//! the sum of its loss and the price of its bits is least.

use puabi_engine::{CLASSES, NEVER};

use super::survey::{Candidate, Survey};

/// Bits of a ribbon for each bit that it stores.
const SPARE: f64 = 1.04;
/// The most filter bits that are tried.
const MOST_BITS: u8 = 24;
/// Buckets of a histogram of worths, four for each doubling.
const BUCKETS: usize = 256;

/// What a pocket stores.
#[derive(Debug, Clone)]
pub(super) struct Plan {
    /// The filter bits of each class.
    pub(super) filter_bits: Vec<u8>,
    /// The chance to win that a bit should be worth.
    price: f64,
    /// What the pocket gives away in a game, as far as foreseen.
    pub(super) loss: f64,
    /// The bits of its ribbons, as far as foreseen.
    pub(super) bits: f64,
}

/// Challenges of a class by their worth: the number in each bucket, and their worth together.
#[derive(Debug, Clone)]
struct Histogram([(f64, f64); BUCKETS]);

/// The challenges of a class.
#[derive(Debug, Clone)]
struct Class {
    gains: Histogram,
    harms: Histogram,
    /// The gain of all challenges that are too small to be listed, together, if they succeeded.
    rest: f64,
}

/// The challenges of a game by class, in a form from which a plan is made quickly.
#[derive(Debug, Clone)]
pub(super) struct ClassHistograms {
    classes: Vec<Class>,
    net_loss: f64,
}

/// What a number of filter bits is foreseen to do for a class.
#[derive(Debug, Clone, Copy)]
struct Forecast {
    /// The chance to win that is gained over the net alone.
    gain: f64,
    bits: f64,
}

impl ClassHistograms {
    pub(super) fn new(survey: &Survey) -> Self {
        let empty = Histogram([(0.0, 0.0); BUCKETS]);
        let class = |rest: &f64| Class { gains: empty.clone(), harms: empty.clone(), rest: *rest };
        let mut classes: Vec<_> = survey.rest.iter().map(class).collect();
        for candidate in &survey.candidates {
            let class = &mut classes[usize::from(candidate.class)];
            let worth = f64::from(candidate.worth);
            (if worth > 0.0 { &mut class.gains } else { &mut class.harms }).add(worth.abs());
        }
        Self { classes, net_loss: survey.net_loss }
    }

    /// Returns the plan that keeps the loss at most at `loss` and the ribbons at most at `bits`, as far as both are possible.
    pub(super) fn plan(&self, loss: Option<f64>, bits: Option<f64>) -> Plan {
        let (mut low, mut high) = (1e-16_f64, 1e-4_f64);
        for _ in 0..50 {
            let middle = (low * high).sqrt();
            let plan = self.at(middle);
            let loses_too_much = loss.is_some_and(|loss| plan.loss > loss);
            let is_too_large = bits.is_some_and(|bits| plan.bits > bits);
            // A lower price makes a larger file that loses less.
            if is_too_large || !loses_too_much && loss.is_some() {
                low = middle;
            } else {
                high = middle;
            }
        }
        let small = self.at(low);
        let fits = loss.is_some() && bits.is_none_or(|bits| small.bits <= bits);
        if fits { small } else { self.at(high) }
    }

    /// Returns the best plan if a bit costs `price`.
    fn at(&self, price: f64) -> Plan {
        let mut plan =
            Plan { filter_bits: vec![NEVER; CLASSES], price, loss: self.net_loss, bits: 0.0 };
        for (class, bits) in self.classes.iter().zip(&mut plan.filter_bits) {
            let tries = (0..=MOST_BITS).map(|bits| (bits, class.forecast(bits, price)));
            let net = |forecast: &Forecast| forecast.gain - price * forecast.bits;
            let best = tries.max_by(|(_, a), (_, b)| net(a).total_cmp(&net(b)));
            if let Some((chosen, forecast)) = best.filter(|(_, forecast)| net(forecast) > 0.0) {
                *bits = chosen;
                plan.loss -= forecast.gain;
                plan.bits += forecast.bits;
            }
        }
        plan
    }
}

impl Plan {
    /// Returns whether a successful challenge is stored.
    pub(super) fn stores(&self, candidate: &Candidate) -> bool {
        let bits = self.filter_bits[usize::from(candidate.class)];
        bits != NEVER && f64::from(candidate.worth) > threshold(bits, self.price)
    }

    /// Returns whether a challenge that passes the filter is worth a verdict against it.
    pub(super) fn protects(&self, candidate: &Candidate) -> bool {
        f64::from(-candidate.worth) > 2.0 * SPARE * self.price
    }
}

/// Returns what a successful challenge must be worth to be stored.
fn threshold(bits: u8, price: f64) -> f64 {
    SPARE * price * (f64::from(bits) + 1.0) / (1.0 - passing(bits) / 2.0)
}

/// Returns the chance that a challenge that is not stored passes the filter.
fn passing(bits: u8) -> f64 {
    0.5_f64.powi(bits.into())
}

impl Class {
    fn forecast(&self, bits: u8, price: f64) -> Forecast {
        let passing = passing(bits);
        let (stored, gained) = self.gains.above(threshold(bits, price));
        let (_, all) = self.gains.above(0.0);
        let (protected, spared) = self.harms.above(2.0 * SPARE * price);
        let (_, harm) = self.harms.above(0.0);
        let chance = passing / 2.0;
        let gain = gained + chance * (all - gained + self.rest - (harm - spared));
        let bits = SPARE * (stored * (f64::from(bits) + 1.0) + protected * passing);
        Forecast { gain, bits }
    }
}

impl Histogram {
    fn add(&mut self, worth: f64) {
        let (count, sum) = &mut self.0[bucket(worth)];
        *count += 1.0;
        *sum += worth;
    }

    /// Returns the number of challenges that are worth more than `limit`, and their worth together.
    fn above(&self, limit: f64) -> (f64, f64) {
        let from = if limit > 0.0 { bucket(limit) } else { 0 };
        self.0[from..].iter().fold((0.0, 0.0), |(n, s), (count, sum)| (n + count, s + sum))
    }
}

/// Returns the bucket of a worth; the first bucket has all of 2^-64 and less.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a small number from 0"
)]
fn bucket(worth: f64) -> usize {
    ((4.0 * (worth.log2() + 64.0)).max(0.0) as usize).min(BUCKETS - 1)
}
