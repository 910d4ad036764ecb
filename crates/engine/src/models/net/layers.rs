//! The weights of a net and its arithmetic.

use puabi_core::Rules;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use super::inputs::{ActiveInputs, Inputs};

/// The sizes of a net: its inputs and its two hidden layers.
///
/// ```
/// use puabi_core::RuleSet;
/// use puabi_engine::{Inputs, Shape};
/// let rules = RuleSet::FINKEL.compile()?;
/// let shape = Shape::new(&rules, 64, 32);
/// let inputs = Inputs::new(&rules).len();
/// assert_eq!(shape.weights(), (inputs + 1) * 64 + 8 * (64 * 32 + 32 + 32 + 1));
/// # Ok::<(), puabi_core::RuleError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// Inputs, as [`Inputs`] counts them.
    pub inputs: usize,
    /// Units of the first hidden layer.
    pub first: usize,
    /// Units of the second hidden layer; each stage has such a layer of its own.
    pub second: usize,
}

impl Shape {
    /// The largest number of units in a hidden layer.
    pub const MAX_UNITS: usize = 512;

    /// Returns the shape of nets for these rules. The numbers of units are rounded up to multiples of 16, at most
    /// [`Shape::MAX_UNITS`].
    pub fn new(rules: &Rules, first: usize, second: usize) -> Self {
        let units = |asked: usize| asked.next_multiple_of(LANES).clamp(LANES, Self::MAX_UNITS);
        Self { inputs: Inputs::new(rules).len(), first: units(first), second: units(second) }
    }

    /// Returns the number of weights, biases included.
    pub const fn weights(self) -> usize {
        self.start_of(Inputs::STAGES)
    }

    /// Returns the index, among all weights, at which the biases of the first layer begin.
    pub(super) const fn biases(self) -> usize {
        self.inputs * self.first
    }

    /// Returns the index at which the weights of a stage begin: the rows of the second layer, its biases, the weights of the
    /// output, its bias.
    pub(super) const fn start_of(self, stage: usize) -> usize {
        self.biases() + self.first + stage * (self.first * self.second + 2 * self.second + 1)
    }
}

/// The values of the units of both hidden layers for one position.
#[derive(Debug, Clone)]
pub struct Hidden {
    first: [f32; Shape::MAX_UNITS],
    second: [f32; Shape::MAX_UNITS],
}

impl Default for Hidden {
    fn default() -> Self {
        Self { first: [0.0; Shape::MAX_UNITS], second: [0.0; Shape::MAX_UNITS] }
    }
}

/// A gradient: the partial derivative of an output by each weight of a net, in the order of the weights.
pub type Gradient = [f32];

/// The weights of a net.
///
/// They are stored one after the other: the rows of the first layer by input, and its biases; then for each stage the rows of the
/// second layer by unit of the first, its biases, the weights of the output, and its bias. The value of a hidden unit is its sum,
/// or 0 if the sum is negative.
///
/// ```
/// use puabi_core::RuleSet;
/// use puabi_engine::{Inputs, Layers, Shape};
/// let rules = RuleSet::FINKEL.compile()?;
/// let layers = Layers::random(Shape::new(&rules, 16, 16), 1);
/// assert!(layers.log_odds(&Inputs::new(&rules).of(rules.start())).abs() < 5.0);
/// # Ok::<(), puabi_core::RuleError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Layers {
    shape: Shape,
    weights: Vec<f32>,
}

/// The weights of a stage.
struct Stage<'a> {
    rows: &'a [f32],
    biases: &'a [f32],
    output: &'a [f32],
    last: f32,
}

impl Layers {
    /// Returns the layers with these weights; `None` if there are too many or too few.
    pub fn new(shape: Shape, weights: Vec<f32>) -> Option<Self> {
        (weights.len() == shape.weights()).then_some(Self { shape, weights })
    }

    /// Returns layers with random weights, from which learning starts (He et al. 2015); all stages begin alike.
    pub fn random(shape: Shape, seed: u64) -> Self {
        /// The approximate number of patterns in the games that people play.
        const ACTIVE_PATTERNS: f32 = 10.0;
        let Shape { first: m, second: n, .. } = shape;
        let mut generator = Pcg64::seed_from_u64(seed);
        let mut draw = |weights: &mut [f32], square: f32| {
            let width = square.sqrt();
            weights.fill_with(|| generator.random_range(-width..width));
        };
        let mut weights = vec![0.0; shape.weights()];
        draw(&mut weights[..shape.biases()], 3.0 / ACTIVE_PATTERNS);
        let (mut rows, mut output) = (vec![0.0; m * n], vec![0.0; n]);
        draw(&mut rows, 6.0 / m as f32);
        draw(&mut output, 3.0 / n as f32);
        for stage in 0..Inputs::STAGES {
            let start = shape.start_of(stage);
            weights[start..start + m * n].copy_from_slice(&rows);
            weights[start + m * n + n..start + m * n + 2 * n].copy_from_slice(&output);
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

    /// Returns all weights, for a caller that changes them.
    pub fn weights_mut(&mut self) -> &mut [f32] {
        &mut self.weights
    }

    fn stage(&self, stage: usize) -> Stage<'_> {
        let Shape { first: m, second: n, .. } = self.shape;
        let (rows, rest) = self.weights[self.shape.start_of(stage)..].split_at(m * n);
        let (biases, rest) = rest.split_at(n);
        Stage { rows, biases, output: &rest[..n], last: rest[n] }
    }

    /// Returns the output for a position, which is seen as `inputs`: the log-odds of the player about to roll.
    #[inline]
    pub fn log_odds(&self, inputs: &ActiveInputs) -> f32 {
        self.forward(inputs, &mut Hidden::default())
    }

    /// Returns the output, and writes the values of the hidden units to `hidden`.
    #[inline]
    pub fn forward(&self, inputs: &ActiveInputs, hidden: &mut Hidden) -> f32 {
        let Shape { first: m, second: n, .. } = self.shape;
        let stage = self.stage(inputs.stage);
        let (first, biases) = self.weights[..self.shape.biases() + m].split_at(self.shape.biases());
        let rows = inputs.rows.iter().map(|&input| (usize::from(input), 1.0));
        sum_rows(first, &rows, biases, &mut hidden.first[..m]);
        let (mut active, mut count) = ([(0, 0.0); Shape::MAX_UNITS], 0);
        for (at, &unit) in hidden.first[..m].iter().enumerate() {
            // There is no branch here, because processors cannot predict which units are on.
            active[count] = (at, unit);
            count += usize::from(unit > 0.0);
        }
        let rows = active[..count].iter().copied();
        sum_rows(stage.rows, &rows, stage.biases, &mut hidden.second[..n]);
        stage.last + dot(&hidden.second[..n], stage.output)
    }

    /// Adds to `gradient` the slope of the output by each weight, times `step`; `hidden` are the values that [`Layers::forward`]
    /// has written for `inputs`.
    pub fn add_gradient(
        &self,
        inputs: &ActiveInputs,
        hidden: &Hidden,
        step: f32,
        gradient: &mut Gradient,
    ) {
        let Shape { first: m, second: n, .. } = self.shape;
        let stage = self.stage(inputs.stage);
        let (of_first, of_stages) = gradient.split_at_mut(self.shape.start_of(inputs.stage));
        let (rows, rest) = of_stages.split_at_mut(m * n);
        let (biases, rest) = rest.split_at_mut(n);
        let (mut above, mut below) = ([0.0; Shape::MAX_UNITS], [0.0; Shape::MAX_UNITS]);
        let (above, below) = (&mut above[..n], &mut below[..m]);
        rest[n] += step;
        add(&mut rest[..n], step, &hidden.second[..n]);
        for ((above, &unit), weight) in above.iter_mut().zip(&hidden.second[..n]).zip(stage.output)
        {
            *above = if unit > 0.0 { step * weight } else { 0.0 };
        }
        add(biases, 1.0, above);
        let weights = stage.rows.chunks_exact(n).zip(rows.chunks_exact_mut(n));
        for ((&unit, below), (weights, gradient)) in
            hidden.first[..m].iter().zip(&mut *below).zip(weights)
        {
            if unit > 0.0 {
                *below = dot(weights, above);
                add(gradient, unit, above);
            }
        }
        add(&mut of_first[self.shape.biases()..][..m], 1.0, below);
        for &input in &inputs.rows {
            add(&mut of_first[usize::from(input) * m..][..m], 1.0, below);
        }
    }
}

/// The number of units that are summed at a time, which fit the registers of every processor. Layers have a multiple of it.
const LANES: usize = 16;

/// Writes the units of a layer: the biases plus the rows, each row times its factor, added up in order; 0 if the sum is negative.
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

/// Adds `other` times a factor to `sums`.
#[inline]
fn add(sums: &mut [f32], factor: f32, other: &[f32]) {
    let lanes = sums.as_chunks_mut::<LANES>().0.iter_mut().zip(other.as_chunks::<LANES>().0);
    for (sums, other) in lanes {
        sums.iter_mut().zip(other).for_each(|(sum, other)| *sum += factor * other);
    }
}

/// Returns the sum of products. At the end, halves of the lanes are added to each other; to add one after the other would take
/// five times as long.
#[inline]
fn dot(first: &[f32], second: &[f32]) -> f32 {
    let mut sums = [0.0; LANES];
    let lanes = first.as_chunks::<LANES>().0.iter().zip(second.as_chunks::<LANES>().0);
    for (first, second) in lanes {
        for ((sum, first), second) in sums.iter_mut().zip(first).zip(second) {
            *sum += first * second;
        }
    }
    let eight: [f32; 8] = std::array::from_fn(|at| sums[at] + sums[at + 8]);
    let four: [f32; 4] = std::array::from_fn(|at| eight[at] + eight[at + 4]);
    (four[0] + four[2]) + (four[1] + four[3])
}
