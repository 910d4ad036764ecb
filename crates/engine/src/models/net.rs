//! A small net: two hidden layers over the patterns of a position, with weights of eight bits in its file.
//!
//! Each pattern ([`Inputs`]) is in one of its states. So the first layer is the sum of one row for each pattern, ten under
//! Finkel's rules. Each stage of the game has a second layer of its own. All arithmetic is f32 in a fixed order, without
//! functions that differ between systems: the chance of a position has the same bits everywhere.

mod bytes;
mod inputs;
mod layers;

use puabi_core::{Evaluator, Position, Rules};

pub use bytes::NetError;
pub use inputs::{ActiveInputs, Inputs};
pub use layers::{Gradient, Hidden, Layers, Shape};

/// A net of two hidden layers that judges positions.
///
/// ```
/// use puabi_core::RuleSet;
/// use puabi_engine::{Layers, Net, Shape};
///
/// let rules = RuleSet::FINKEL.compile()?;
/// let net = Net::new(&rules, &Layers::random(Shape::new(&rules, 32, 16), 7));
/// let read = Net::read(&net.to_bytes(), &rules)?;
/// assert_eq!(net.log_odds(rules.start()), read.log_odds(rules.start()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Net {
    inputs: Inputs,
    layers: Layers,
    bytes: Box<[u8]>,
}

impl Net {
    /// Returns the net with these weights, rounded to what a file holds.
    ///
    /// # Panics
    ///
    /// Panics if the layers are for rules with other inputs.
    pub fn new(rules: &Rules, layers: &Layers) -> Self {
        let bytes = bytes::write(layers, &Inputs::new(rules).sizes());
        Self::read(&bytes, rules).expect("layers for these rules")
    }

    /// Returns the net in `bytes`, which [`Net::to_bytes`] writes.
    ///
    /// # Errors
    ///
    /// Returns an error if the bytes are not a net for these rules.
    pub fn read(bytes: &[u8], rules: &Rules) -> Result<Self, NetError> {
        let layers = bytes::read(bytes, rules)?;
        Ok(Self { inputs: Inputs::new(rules), layers, bytes: bytes.into() })
    }

    /// Returns the net as bytes, in the form that `docs/format.md` describes.
    pub fn to_bytes(&self) -> Box<[u8]> {
        self.bytes.clone()
    }

    /// Returns the weights.
    pub const fn layers(&self) -> &Layers {
        &self.layers
    }

    /// Returns the chance (0..=1) of the player about to roll to win.
    #[inline]
    pub fn chance(&self, position: Position) -> f32 {
        logistic(self.log_odds(position))
    }

    /// Returns the log-odds of the player about to roll.
    #[inline]
    pub fn log_odds(&self, position: Position) -> f32 {
        self.layers.log_odds(&self.inputs.of(position))
    }
}

impl Evaluator for Net {
    fn evaluate(&self, positions: &[Position], values: &mut [f64]) {
        for (value, &position) in values.iter_mut().zip(positions) {
            *value = self.chance(position).into();
        }
    }
}

/// Returns the chance that has these log-odds, with the same bits on every system. The systems' own exponential functions differ
/// in the last bits.
#[inline]
fn logistic(log_odds: f32) -> f32 {
    1.0 / (1.0 + exponential(-log_odds))
}

/// Returns e to the power of a number, with a relative error below 4e-7. Numbers below -80 or above 80 count as -80 or 80.
#[inline]
fn exponential(number: f32) -> f32 {
    /// If this is added to a small number and subtracted again, the number is rounded to the nearest whole one.
    const WHOLE: f32 = 12_582_912.0;
    /// ln 2 in two parts, so that a whole multiple of the first is exact (Cody and Waite 1980).
    const LN_2: (f32, f32) = (0.693_359_4, -2.121_944_4e-4);
    let number = number.clamp(-80.0, 80.0);
    let power = (number * std::f32::consts::LOG2_E + WHOLE) - WHOLE;
    let rest = number - power * LN_2.0 - power * LN_2.1;
    // Taylor's series: the rest is at most ln 2 / 2.
    let terms = [1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0];
    let series = terms.into_iter().fold(0.0, |sum, term| sum * rest + term);
    #[expect(clippy::cast_possible_truncation, reason = "a whole number from -116 to 116")]
    let exponent = (power as i32 + 127).cast_unsigned();
    series * f32::from_bits(exponent << 23)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_are_those_of_the_log_odds() {
        for number in (-2000_i16..=2000).map(|number| f32::from(number) / 100.0) {
            let exact = 1.0 / (1.0 + f64::from(-number).exp());
            assert!((f64::from(logistic(number)) - exact).abs() < 2e-7, "{number}");
            let exact = f64::from(number).exp();
            assert!((f64::from(exponential(number)) / exact - 1.0).abs() < 4e-7, "{number}");
        }
        assert_eq!((logistic(f32::INFINITY), logistic(-100.0) < 1e-30), (1.0, true));
    }
}
