//! Numbers as people read them.

use std::fmt::Display;

use indicatif::{DecimalBytes, HumanCount};
use puabi_core::{Chapter, Rules};
use puabi_engine::{Estimate, Strength};

/// Formats a count with commas between thousands.
pub(crate) fn count(count: u64) -> impl Display {
    HumanCount(count)
}

/// Formats the way of play, in chapters with lines of at most 80 columns.
pub(crate) fn chapters(rules: &Rules) -> String {
    let options = || textwrap::Options::new(80).initial_indent("  ").subsequent_indent("    ");
    let chapter = |Chapter { title, sentences }| {
        let told = sentences.iter().map(|sentence| textwrap::fill(sentence, options()));
        std::iter::once(String::from(title)).chain(told).collect::<Vec<_>>().join("\n")
    };
    rules.way_of_play().into_iter().map(chapter).collect::<Vec<_>>().join("\n\n")
}

/// Formats a number of bytes in decimal units.
pub(crate) fn bytes(bytes: u64) -> impl Display {
    DecimalBytes(bytes)
}

/// Formats a chance (0..=1) in percent with two digits after the point.
pub(crate) fn percent(chance: f64) -> String {
    format!("{:.2} %", chance * 100.0)
}

/// Formats a chance (0..=1) in percent with ten digits after the point.
pub(crate) fn exact_percent(chance: f64) -> String {
    format!("{:.10} %", chance * 100.0)
}

/// Formats a value that may be missing; a dash stands for a missing one.
pub(crate) fn or_dash<T>(value: Option<T>, format: impl FnOnce(T) -> String) -> String {
    value.map_or_else(|| "-".to_owned(), format)
}

/// Formats a list with commas between.
pub(crate) fn list(items: impl IntoIterator<Item = impl Display>) -> String {
    let items: Vec<_> = items.into_iter().map(|item| item.to_string()).collect();
    items.join(", ")
}

/// Formats a time: in seconds below two minutes, in minutes and seconds above.
pub(crate) fn seconds(seconds: f64) -> String {
    if seconds < 120.0 {
        return format!("{seconds:.1} s");
    }
    format!("{:.0} min {:.0} s", (seconds / 60.0).floor(), (seconds % 60.0).floor())
}

/// Formats how often `name` wins: in the mean, moving first, and moving second.
pub(crate) fn wins(name: &str, [mean, first, second]: &[String; 3]) -> String {
    format!("{name} wins {mean}\n  moving first   {first}\n  moving second  {second}")
}

/// Formats an accuracy in percent.
pub(crate) fn accuracy(accuracy: Option<f64>) -> String {
    or_dash(accuracy, |accuracy| format!("{accuracy:.1} %"))
}

/// Formats a difference of chances in points, with its sign.
pub(crate) fn points(difference: f64) -> String {
    let points = difference * 100.0;
    if points.abs() < 0.005 { "0.00".to_owned() } else { format!("{points:+.2}") }
}

/// Formats a rating with its interval.
pub(crate) fn rating(rating: Option<Estimate>) -> String {
    or_dash(rating, Estimate::rating)
}

/// Formats the temperature with its interval, in points.
pub(crate) fn strength(strength: Option<Strength>) -> String {
    or_dash(strength, |Strength { temperature, .. }| {
        let Estimate { value, low, high } = temperature;
        let [value, low, high] = [value, low, high].map(|chance| format!("{:.1}", chance * 100.0));
        format!("{value} ({low} to {high})")
    })
}
