//! What a pocket says about itself.

use serde::{Deserialize, Serialize};

use super::challenge::{CLASSES, NEVER};
use super::error::PocketError;

/// What a pocket says about itself, in its header.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PocketFacts {
    /// The rules, as the text of a rule file.
    pub rules: String,
    /// The chance (0..=1) to win that the pocket gives away in a game against perfect play: what perfect play would keep less
    /// what the pocket keeps, as a mean over both seats.
    pub loss: f64,
    /// The largest error of the stated loss; if the loss was found by games, half of the interval that holds it in 95 of 100 such
    /// matches.
    pub off_by: f64,
    /// How the loss was found.
    pub found: String,
    /// What the best response to the pocket gains in a game, as a mean over both seats, if that was computed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exploitability: Option<f64>,
    /// How often the net is backed up before it ranks moves: 0 or 1.
    #[serde(default)]
    pub backups: u8,
    /// The number of challenges that are stored as successful: the decisions in which the net is wrong.
    pub exceptions: u64,
    /// The number of challenges that are stored as unsuccessful, because they pass the filter.
    pub protected: u64,
    /// The origin of the net and the table that everything was computed from.
    pub origin: String,
    /// The filter bits of each class; 255 if its challenges never succeed.
    pub filter_bits: Vec<u8>,
}

/// The largest number of filter bits of a class.
pub(super) const MAX_FILTER_BITS: u8 = 40;

/// The largest number of backups of a net. A second one would take a hundred times as long as the first.
const MAX_BACKUPS: u8 = 1;

impl PocketFacts {
    /// Returns an error if the facts are impossible.
    pub(super) fn ensure_sound(&self) -> Result<(), PocketError> {
        let chances = [self.loss, self.off_by, self.exploitability.unwrap_or(0.0)];
        let wrong = |what| Err(PocketError::Facts { what });
        if let Some(found) = chances.iter().find(|loss| !(-1e-6..=1.0).contains(*loss)) {
            return wrong(format!("that {found} is lost in a game: expected a chance from 0 to 1"));
        }
        if self.backups > MAX_BACKUPS {
            let found = self.backups;
            return wrong(format!(
                "that the net is backed up {found} times: expected at most {MAX_BACKUPS}"
            ));
        }
        let classes = self.filter_bits.len();
        if classes != CLASSES {
            return wrong(format!("that there are {classes} classes: expected {CLASSES}"));
        }
        let is_wrong = |bits: &&u8| **bits > MAX_FILTER_BITS && **bits != NEVER;
        match self.filter_bits.iter().find(is_wrong) {
            Some(bits) => {
                wrong(format!("that a class has {bits} bits: expected at most {MAX_FILTER_BITS}"))
            }
            None => Ok(()),
        }
    }
}

/// Returns a loss as people read it, such as `0.3 %`: rounded up to one significant digit.
pub(super) fn within(loss: f64) -> String {
    let percent = (loss * 100.0).max(1e-9);
    let mut unit = 1.0;
    let mut digits = 0;
    while percent < unit {
        unit /= 10.0;
        digits += 1;
    }
    format!("{:.digits$} %", (percent / unit - 1e-9).ceil() * unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loss_is_rounded_up_to_one_digit() {
        for (loss, text) in
            [(0.0027, "0.3 %"), (0.003, "0.3 %"), (0.0099, "1.0 %"), (1.1e-4, "0.02 %")]
        {
            assert_eq!(within(loss), text);
        }
    }
}
