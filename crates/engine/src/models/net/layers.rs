//! The weights of a net and its arithmetic.

use puabi_core::Rules;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use super::inputs::Inputs;

/// The sizes of a net: its inputs and its two hidden layers.
///
/// ```
/// use puabi_core::RuleSet;
/// use puabi_engine::Shape;
/// let shape = Shape::new(&RuleSet::FINKEL.compile()?, 64, 32);
/// assert_eq!(shape.weights(), 58 * 64 + 64 + 64 * 32 + 32 + 32 + 1);
/// # Ok::<(), puabi_core::RuleError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// Inputs, as [`Inputs`] counts them.
    pub inputs: usize,
    /// Units of the first hidden layer.
    pub first: usize,
    /// Units of the second.
    pub second: usize,
}

impl Shape {
    /// The most units of a hidden layer.
    pub const MOST: usize = 512;

    /// Returns the shape of nets for these rules: layers have a multiple of 16 units, [`Shape::MOST`] at most.
    pub fn new(rules: &Rules, first: usize, second: usize) -> Self {
        let units = |asked: usize| asked.next_multiple_of(LANES).clamp(LANES, Self::MOST);
        Self { inputs: Inputs::new(rules).len(), first: units(first), second: units(second) }
    }

    /// Returns the number of weights, biases included.
    pub const fn weights(self) -> usize {
        (self.inputs + 1) * self.first + (self.first + 1) * self.second + self.second + 1
    }

    /// Returns where each part begins among all weights: the biases of the first layer, the rows of the second, its biases,
    /// the weights of the output, its bias.
    const fn starts(self) -> [usize; 5] {
        let biases = self.inputs * self.first;
        let second = biases + self.first;
        let more = second + self.first * self.second;
        [biases, second, more, more + self.second, more + 2 * self.second]
    }
}

/// The units of both hidden layers for one position.
#[derive(Debug, Clone)]
pub struct Hidden {
    first: [f32; Shape::MOST],
    second: [f32; Shape::MOST],
}

impl Default for Hidden {
    fn default() -> Self {
        Self { first: [0.0; Shape::MOST], second: [0.0; Shape::MOST] }
    }
}

/// The slope of something by each weight of a net.
pub type Slopes = [f32];

/// The weights of a net.
///
/// They lie one after the other: the rows of the first layer by input, its biases, the rows of the second layer by unit of the
/// first, its biases, the weights of the output, its bias. A hidden unit is the sum that it is given, or nought if that is
/// below.
///
/// ```
/// use puabi_core::RuleSet;
/// use puabi_engine::{Inputs, Layers, Shape};
/// let rules = RuleSet::FINKEL.compile()?;
/// let layers = Layers::drawn(Shape::new(&rules, 16, 8), 1);
/// assert!(layers.log_odds(&Inputs::new(&rules).of(rules.start())).abs() < 3.0);
/// # Ok::<(), puabi_core::RuleError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Layers {
    shape: Shape,
    weights: Vec<f32>,
}

impl Layers {
    /// Returns the layers with these weights; `None` if they are too many or too few.
    pub fn new(shape: Shape, weights: Vec<f32>) -> Option<Self> {
        (weights.len() == shape.weights()).then_some(Self { shape, weights })
    }

    /// Returns layers with random weights, from which learning starts (He et al. 2015).
    pub fn drawn(shape: Shape, seed: u64) -> Self {
        /// Inputs that are on in a position of the games that people play, roughly.
        const ON: f32 = 14.0;
        let mut generator = Pcg64::seed_from_u64(seed);
        let mut weights = vec![0.0; shape.weights()];
        let [biases, second, more, output, last] = shape.starts();
        let parts = [(0..biases, ON), (second..more, shape.first as f32)];
        for (part, fan_in) in parts.into_iter().chain([(output..last, shape.second as f32)]) {
            let width = (6.0 / fan_in).sqrt();
            weights[part].fill_with(|| generator.random_range(-width..width));
        }
        Self { shape, weights }
    }

    /// Returns the sizes.
    pub const fn shape(&self) -> Shape {
        self.shape
    }

    /// Returns all weights.
    pub fn weights(&self) -> &[f32] {
        &self.weights
    }

    /// Returns all weights, to be changed.
    pub fn weights_mut(&mut self) -> &mut [f32] {
        &mut self.weights
    }

    /// Returns the output for the inputs that are on: the log-odds of the player about to roll.
    #[inline]
    pub fn log_odds(&self, on: &[u16]) -> f32 {
        self.forward(on, &mut Hidden::default())
    }

    /// Returns the output, and writes the hidden units.
    #[inline]
    pub fn forward(&self, on: &[u16], hidden: &mut Hidden) -> f32 {
        let Shape { first: m, second: n, .. } = self.shape;
        let [biases, second, more, output, last] = self.shape.starts();
        let (first, biases) = self.weights[..second].split_at(biases);
        let rows = on.iter().map(|&input| (usize::from(input), 1.0));
        sum_rows(first, &rows, biases, &mut hidden.first[..m]);
        let (mut active, mut count) = ([(0, 0.0); Shape::MOST], 0);
        for (at, &unit) in hidden.first[..m].iter().enumerate() {
            // No branch: nobody can foresee which units are on.
            active[count] = (at, unit);
            count += usize::from(unit > 0.0);
        }
        let (rows, biases) = (&self.weights[second..more], &self.weights[more..output]);
        sum_rows(rows, &active[..count].iter().copied(), biases, &mut hidden.second[..n]);
        let units = hidden.second[..n].iter().zip(&self.weights[output..last]);
        units.fold(self.weights[last], |sum, (unit, weight)| sum + unit * weight)
    }

    /// Adds to `slopes` the slope of the output by each weight, times `step`; `hidden` are the units for the inputs `on`.
    pub fn add_slopes(&self, on: &[u16], hidden: &Hidden, step: f32, slopes: &mut Slopes) {
        let Shape { first: m, second: n, .. } = self.shape;
        let [biases, second, more, output, last] = self.shape.starts();
        let (mut above, mut below) = ([0.0; Shape::MOST], [0.0; Shape::MOST]);
        let (above, below) = (&mut above[..n], &mut below[..m]);
        slopes[last] += step;
        for (at, &unit) in hidden.second[..n].iter().enumerate() {
            slopes[output + at] += step * unit;
            above[at] = if unit > 0.0 { step * self.weights[output + at] } else { 0.0 };
        }
        add(&mut slopes[more..output], 1.0, above);
        for (at, &unit) in hidden.first[..m].iter().enumerate() {
            if unit > 0.0 {
                let row = second + at * n..second + (at + 1) * n;
                below[at] = dot(&self.weights[row.clone()], above);
                add(&mut slopes[row], unit, above);
            }
        }
        add(&mut slopes[biases..second], 1.0, below);
        for &input in on {
            add(&mut slopes[usize::from(input) * m..][..m], 1.0, below);
        }
    }
}

/// Units are summed so many at a time, which fit the registers of every processor; layers have a multiple of them.
const LANES: usize = 16;

/// Writes the units of a layer: the biases and the rows, each times its factor, added up in order; nought if that is below.
#[inline]
fn sum_rows(
    weights: &[f32],
    rows: &(impl Iterator<Item = (usize, f32)> + Clone),
    biases: &[f32],
    units: &mut [f32],
) {
    let width = units.len();
    let lanes = units.as_chunks_mut::<LANES>().0.iter_mut().zip(biases.as_chunks::<LANES>().0);
    for (at, (units, &biases)) in lanes.enumerate() {
        let mut sums = biases;
        for (row, factor) in rows.clone() {
            let start = row * width + at * LANES;
            let Some(row) = weights.get(start..).and_then(<[f32]>::first_chunk::<LANES>) else {
                continue;
            };
            for (sum, weight) in sums.iter_mut().zip(row) {
                *sum += factor * weight;
            }
        }
        *units = sums.map(|sum| sum.max(0.0));
    }
}

/// Adds `other` times a factor.
#[inline]
fn add(sums: &mut [f32], factor: f32, other: &[f32]) {
    let lanes = sums.as_chunks_mut::<LANES>().0.iter_mut().zip(other.as_chunks::<LANES>().0);
    for (sums, other) in lanes {
        sums.iter_mut().zip(other).for_each(|(sum, other)| *sum += factor * other);
    }
}

/// The sum of products.
#[inline]
fn dot(first: &[f32], second: &[f32]) -> f32 {
    let mut sums = [0.0; LANES];
    let lanes = first.as_chunks::<LANES>().0.iter().zip(second.as_chunks::<LANES>().0);
    for (first, second) in lanes {
        for ((sum, first), second) in sums.iter_mut().zip(first).zip(second) {
            *sum += first * second;
        }
    }
    sums.iter().sum()
}
