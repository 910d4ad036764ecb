//! A net as bytes: weights of eight bits with a scale for each unit.

use puabi_core::Rules;

use super::layers::{Layers, Shape};

/// Why bytes are no net.
///
/// ```
/// use puabi_core::RuleSet;
/// use puabi_engine::Net;
/// let error = Net::read(&[1, 0], &RuleSet::FINKEL.compile()?).unwrap_err();
/// assert_eq!(error.to_string(), "the net has 2 bytes: expected 4 bytes of sizes at least");
/// # Ok::<(), puabi_core::RuleError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NetError {
    /// The sizes are not there.
    #[error("the net has {found} bytes: expected 4 bytes of sizes at least")]
    Short {
        /// The bytes there are.
        found: usize,
    },
    /// A layer has no units, too many, or no multiple of 16.
    #[error(
        "a layer of the net has {found} units: expected a multiple of 16, at most {}",
        Shape::MOST
    )]
    Units {
        /// The units.
        found: usize,
    },
    /// The bytes are not as many as the sizes say.
    #[error("the net has {found} bytes: expected {expected} for its sizes")]
    Length {
        /// The bytes there are.
        found: usize,
        /// What the sizes need.
        expected: usize,
    },
    /// A scale or bias is no finite number.
    #[error("a number of the net is not finite")]
    NotFinite,
}

/// The largest weight in a file.
const LARGEST: f32 = 127.0;

/// Returns the layers as bytes.
///
/// The sizes of the hidden layers, u16 each. Then for either hidden layer: a scale for each unit and a bias for each unit, f32;
/// then the weights as i8, row by row, each to be multiplied by the scale of its unit. Then the weights of the output and its
/// bias, f32. Everything is little-endian.
pub(super) fn write(layers: &Layers) -> Box<[u8]> {
    let Shape { inputs, first, second } = layers.shape();
    let size = |units: usize| u16::try_from(units).expect("a layer is small").to_le_bytes();
    let mut bytes = [size(first), size(second)].concat();
    let mut rest = layers.weights();
    for (rows, units) in [(inputs, first), (first, second)] {
        let (weights, after) = rest.split_at(rows * units);
        let (biases, after) = after.split_at(units);
        write_layer(weights, biases, &mut bytes);
        rest = after;
    }
    bytes.extend(rest.iter().flat_map(|number| number.to_le_bytes()));
    bytes.into()
}

fn write_layer(weights: &[f32], biases: &[f32], bytes: &mut Vec<u8>) {
    let units = biases.len();
    let largest = |unit: usize| {
        let column = weights.iter().skip(unit).step_by(units);
        column.fold(0.0_f32, |largest, weight| largest.max(weight.abs()))
    };
    let scales: Vec<_> = (0..units).map(|unit| largest(unit) / LARGEST).collect();
    bytes.extend(scales.iter().chain(biases).flat_map(|number| number.to_le_bytes()));
    for row in weights.chunks_exact(units) {
        #[expect(clippy::cast_possible_truncation, reason = "the largest is 127")]
        let rounded = |(weight, scale): (&f32, &f32)| {
            if *scale > 0.0 { (weight / scale).round() as i8 } else { 0 }
        };
        bytes.extend(row.iter().zip(&scales).map(rounded).flat_map(i8::to_le_bytes));
    }
}

/// Returns the layers in `bytes`.
pub(super) fn read(bytes: &[u8], rules: &Rules) -> Result<Layers, NetError> {
    let sizes = bytes.first_chunk::<4>().ok_or(NetError::Short { found: bytes.len() })?;
    let size = |at: usize| usize::from(u16::from_le_bytes([sizes[at], sizes[at + 1]]));
    let (first, second) = (size(0), size(2));
    let shape = Shape::new(rules, first, second);
    if let Some((found, _)) = [(first, shape.first), (second, shape.second)]
        .into_iter()
        .find(|(found, fits)| found != fits)
    {
        return Err(NetError::Units { found });
    }
    let expected = length(shape);
    if bytes.len() != expected {
        return Err(NetError::Length { found: bytes.len(), expected });
    }
    let (mut rest, mut weights) = (&bytes[4..], Vec::with_capacity(shape.weights()));
    for (rows, units) in [(shape.inputs, first), (first, second)] {
        let (layer, after) = rest.split_at(8 * units + rows * units);
        read_layer(layer, units, &mut weights);
        rest = after;
    }
    weights.extend(floats(rest));
    if !weights.iter().all(|weight| weight.is_finite()) {
        return Err(NetError::NotFinite);
    }
    Ok(Layers::new(shape, weights).expect("the lengths agree"))
}

fn length(Shape { inputs, first, second }: Shape) -> usize {
    4 + (8 + inputs) * first + (8 + first) * second + 4 * (second + 1)
}

fn read_layer(bytes: &[u8], units: usize, weights: &mut Vec<f32>) {
    let (scales, rest) = bytes.split_at(4 * units);
    let (biases, rows) = rest.split_at(4 * units);
    let scales: Vec<_> = floats(scales).collect();
    for row in rows.chunks_exact(units) {
        let whole = row.iter().map(|&byte| f32::from(i8::from_le_bytes([byte])));
        weights.extend(whole.zip(&scales).map(|(whole, scale)| whole * scale));
    }
    weights.extend(floats(biases));
}

fn floats(bytes: &[u8]) -> impl Iterator<Item = f32> {
    bytes.as_chunks::<4>().0.iter().map(|&bytes| f32::from_le_bytes(bytes))
}
