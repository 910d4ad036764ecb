//! The numbers of a review as people read them.

use puabi_engine::{Estimate, Strength};

use crate::output::text;

/// Formats an accuracy in percent.
pub(super) fn accuracy(accuracy: Option<f64>) -> String {
    text::or_dash(accuracy, |accuracy| format!("{accuracy:.1} %"))
}

/// Formats a difference of chances in points, with its sign.
pub(super) fn points(difference: f64) -> String {
    let points = difference * 100.0;
    if points.abs() < 0.005 { "0.00".to_owned() } else { format!("{points:+.2}") }
}

/// Formats a rating with its interval.
pub(super) fn rating(rating: Option<Estimate>) -> String {
    text::or_dash(rating, |Estimate { value, low, high }| {
        format!("{value:.0} ({low:.0} to {high:.0})")
    })
}

/// Formats the temperature with its interval, in points.
pub(super) fn strength(strength: Option<Strength>) -> String {
    text::or_dash(strength, |Strength { temperature, .. }| {
        let Estimate { value, low, high } = temperature;
        let [value, low, high] = [value, low, high].map(|chance| format!("{:.1}", chance * 100.0));
        format!("{value} ({low} to {high})")
    })
}
