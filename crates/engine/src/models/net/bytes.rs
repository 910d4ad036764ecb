//! A net as bytes: weights of eight bits with a scale for each unit.

use puabi_core::Rules;

use super::inputs::Inputs;
use super::layers::{Layers, Shape};

/// The error of bytes that are not a net.
///
/// ```
/// use puabi_core::RuleSet;
/// use puabi_engine::Net;
/// let error = Net::read(&[1, 0], &RuleSet::FINKEL.compile()?).unwrap_err();
/// assert_eq!(error.to_string(), "the net has 2 bytes: expected at least 4, which hold its sizes");
/// # Ok::<(), puabi_core::RuleError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NetError {
    /// There are too few bytes to hold the sizes.
    #[error("the net has {found} bytes: expected at least 4, which hold its sizes")]
    Short {
        /// The number of bytes.
        found: usize,
    },
    /// A layer has no units, too many, or a number of units that is not a multiple of 16.
    #[error(
        "a layer of the net has {found} units: expected a multiple of 16, at most {}",
        Shape::MAX_UNITS
    )]
    Units {
        /// The number of units.
        found: usize,
    },
    /// The number of bytes is not the one that the sizes need.
    #[error("the net has {found} bytes: expected {expected} for its sizes")]
    Length {
        /// The number of bytes.
        found: usize,
        /// The number of bytes that the sizes need.
        expected: usize,
    },
    /// A number in the net is not finite.
    #[error("a number of the net is not finite")]
    NotFinite,
}

/// The largest weight in a file.
const LARGEST: f32 = 127.0;

/// Returns the layers as bytes.
///
/// The sizes of the hidden layers come first, as u16. Then come the rows of the first layer, in one block for each pattern, and
/// its biases. Then come, for each stage, the rows of the second layer in one block, its biases, the weights of the output and
/// its bias. A block of rows has a scale for each unit, as f32, and then the weights as i8, row by row; each weight is multiplied
/// by the scale of its unit. All other numbers are f32. Everything is little-endian.
pub(super) fn write(layers: &Layers, patterns: &[u16]) -> Box<[u8]> {
    let Shape { first, second, .. } = layers.shape();
    let size = |units: usize| u16::try_from(units).expect("a layer is small").to_le_bytes();
    let mut bytes = [size(first), size(second)].concat();
    let mut rest = layers.weights();
    for &rows in patterns {
        rest = write_rows((rows.into(), first), rest, &mut bytes);
    }
    rest = write_floats(first, rest, &mut bytes);
    for _ in 0..Inputs::STAGES {
        rest = write_rows((first, second), rest, &mut bytes);
        rest = write_floats(2 * second + 1, rest, &mut bytes);
    }
    bytes.into()
}

/// Writes the rows at the start of `weights` as a block, and returns the weights that follow them.
fn write_rows<'a>(
    (rows, units): (usize, usize),
    weights: &'a [f32],
    bytes: &mut Vec<u8>,
) -> &'a [f32] {
    let (weights, rest) = weights.split_at(rows * units);
    let largest = |unit: usize| {
        let column = weights.iter().skip(unit).step_by(units);
        column.fold(0.0_f32, |largest, weight| largest.max(weight.abs()))
    };
    let scales: Vec<_> = (0..units).map(|unit| largest(unit) / LARGEST).collect();
    write_floats(units, &scales, bytes);
    for row in weights.chunks_exact(units) {
        #[expect(clippy::cast_possible_truncation, reason = "the largest is 127")]
        let rounded = |(weight, scale): (&f32, &f32)| {
            if *scale > 0.0 { (weight / scale).round() as i8 } else { 0 }
        };
        bytes.extend(row.iter().zip(&scales).map(rounded).flat_map(i8::to_le_bytes));
    }
    rest
}

fn write_floats<'a>(count: usize, weights: &'a [f32], bytes: &mut Vec<u8>) -> &'a [f32] {
    let (floats, rest) = weights.split_at(count);
    bytes.extend(floats.iter().flat_map(|number| number.to_le_bytes()));
    rest
}

/// Returns the layers in `bytes`.
pub(super) fn read(bytes: &[u8], rules: &Rules) -> Result<Layers, NetError> {
    let sizes = bytes.first_chunk::<4>().ok_or(NetError::Short { found: bytes.len() })?;
    let size = |at: usize| usize::from(u16::from_le_bytes([sizes[at], sizes[at + 1]]));
    let (first, second) = (size(0), size(2));
    let shape = Shape::new(rules, first, second);
    let sizes = [(first, shape.first), (second, shape.second)];
    if let Some(&(found, _)) = sizes.iter().find(|(found, fits)| found != fits) {
        return Err(NetError::Units { found });
    }
    let patterns = Inputs::new(rules).sizes();
    let expected = length(shape, patterns.len());
    if bytes.len() != expected {
        return Err(NetError::Length { found: bytes.len(), expected });
    }
    let mut weights = Vec::with_capacity(shape.weights());
    let mut rest = &bytes[4..];
    for rows in patterns {
        rest = read_rows((rows.into(), first), rest, &mut weights);
    }
    rest = read_floats(first, rest, &mut weights);
    for _ in 0..Inputs::STAGES {
        rest = read_rows((first, second), rest, &mut weights);
        rest = read_floats(2 * second + 1, rest, &mut weights);
    }
    if !weights.iter().all(|weight| weight.is_finite()) {
        return Err(NetError::NotFinite);
    }
    Ok(Layers::new(shape, weights).expect("the lengths agree"))
}

fn length(Shape { inputs, first, second }: Shape, patterns: usize) -> usize {
    let first_layer = (4 * patterns + inputs + 4) * first;
    let stage = (4 + first) * second + 4 * (2 * second + 1);
    4 + first_layer + Inputs::STAGES * stage
}

/// Reads the block of rows at the start of `bytes`, and returns the bytes that follow it.
fn read_rows<'a>(
    (rows, units): (usize, usize),
    bytes: &'a [u8],
    weights: &mut Vec<f32>,
) -> &'a [u8] {
    let (scales, rest) = bytes.split_at(4 * units);
    let (rows, rest) = rest.split_at(rows * units);
    let scales: Vec<_> = floats(scales).collect();
    for row in rows.chunks_exact(units) {
        let whole = row.iter().map(|&byte| f32::from(i8::from_le_bytes([byte])));
        weights.extend(whole.zip(&scales).map(|(whole, scale)| whole * scale));
    }
    rest
}

fn read_floats<'a>(count: usize, bytes: &'a [u8], weights: &mut Vec<f32>) -> &'a [u8] {
    let (read, rest) = bytes.split_at(4 * count);
    weights.extend(floats(read));
    rest
}

fn floats(bytes: &[u8]) -> impl Iterator<Item = f32> {
    bytes.as_chunks::<4>().0.iter().map(|&bytes| f32::from_le_bytes(bytes))
}
