//! A small net: two hidden layers over the places of a position, weights of eight bits in its file.
//!
//! A position is seen as lights that are on or off: for either side the number of pieces in hand, the number at home, and the
//! squares that hold a piece. About eighteen of them are on, so the first layer is the sum of as many rows. All arithmetic is
//! f32 in a fixed order, without functions that differ between systems: the log-odds of a position have the same bits
//! everywhere.

mod bytes;
mod inputs;
mod layers;

use puabi_core::{Evaluator, Position, Rules};

pub use bytes::NetError;
pub use inputs::{Inputs, On};
pub use layers::{Hidden, Layers, Shape, Slopes};

use crate::models::model::logistic;

/// A net of two hidden layers that judges positions.
///
/// ```
/// use puabi_core::RuleSet;
/// use puabi_engine::{Layers, Net, Shape};
///
/// let rules = RuleSet::FINKEL.compile()?;
/// let net = Net::new(&rules, &Layers::drawn(Shape::new(&rules, 32, 16), 7));
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
    /// Panics if the layers are for rules of other places.
    pub fn new(rules: &Rules, layers: &Layers) -> Self {
        let bytes = bytes::write(layers);
        Self::read(&bytes, rules).expect("layers for these rules")
    }

    /// Returns the net in `bytes`, which [`Net::to_bytes`] writes.
    ///
    /// # Errors
    ///
    /// Returns an error if the bytes are no net for these rules.
    pub fn read(bytes: &[u8], rules: &Rules) -> Result<Self, NetError> {
        let layers = bytes::read(bytes, rules)?;
        Ok(Self { inputs: Inputs::new(rules), layers, bytes: bytes.into() })
    }

    /// Returns the net as `docs/format.md` describes it.
    pub fn to_bytes(&self) -> Box<[u8]> {
        self.bytes.clone()
    }

    /// Returns the weights.
    pub const fn layers(&self) -> &Layers {
        &self.layers
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
            *value = logistic(f64::from(self.log_odds(position)));
        }
    }
}
