//! Results as people and programs read them.

use std::fmt::Display;
use std::io::Write;
use std::time::Duration;

use anyhow::Result;
use indicatif::{DecimalBytes, HumanCount};
use serde::Serialize;

/// Writes `count` with commas between thousands.
pub(crate) fn count(count: u64) -> impl Display {
    HumanCount(count)
}

/// Writes `bytes` in decimal units.
pub(crate) fn bytes(bytes: u64) -> impl Display {
    DecimalBytes(bytes)
}

/// Writes a chance (0..=1) in percent with two digits after the point.
pub(crate) fn percent(chance: f64) -> String {
    format!("{:.2} %", chance * 100.0)
}

/// Writes a time: seconds below two minutes, and minutes above.
pub(crate) fn seconds(time: Duration) -> String {
    match time.as_secs() {
        0..120 => format!("{:.1} s", time.as_secs_f64()),
        whole => format!("{} min {} s", whole / 60, whole % 60),
    }
}

/// Writes a chance (0..=1) in percent with twelve digits.
pub(crate) fn exact_percent(chance: f64) -> String {
    format!("{:.10} %", chance * 100.0)
}

/// Writes `value` as a line of JSON; numbers have the shortest digits that read back equal.
pub(crate) fn write_json(value: &impl Serialize, out: &mut dyn Write) -> Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    writeln!(out)?;
    Ok(())
}
