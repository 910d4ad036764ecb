//! Numbers and words as people read them.

use std::fmt::Display;
use std::path::Path;

use indicatif::{DecimalBytes, HumanCount};
use puabi_engine::{Estimate, Strength};
use puabi_tables::Precision;
use serde::Serializer;
use textwrap::core::display_width;

/// A text of the terminal in a language, with its values: `t!(language, "{player} rolls {roll}", player = name, roll)`.
///
/// `scripts/check-texts` fails if it has no translation.
macro_rules! t {
    (@ $place:ident) => {
        $place
    };
    (@ $place:ident $value:expr) => {
        $value
    };
    ($language:expr, $text:literal $(, $place:ident $(= $value:expr)?)* $(,)?) => {
        $language.text(
            $text,
            &[$((stringify!($place), &t!(@ $place $($value)?) as &dyn std::fmt::Display)),*],
        )
    };
}
pub(crate) use t;

/// Serializes a path as it is shown: JSON has no other text for one that is not UTF-8.
pub(crate) fn shown<S: Serializer>(path: impl AsRef<Path>, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(&path.as_ref().display())
}

/// Formats a count with commas between thousands.
pub(crate) fn count(count: u64) -> impl Display {
    HumanCount(count)
}

/// Formats a number with `digits` digits after the point; a number that rounds to 0 has no sign.
pub(crate) fn rounded(number: f64, digits: usize) -> String {
    let least = 0.5 / 10_f64.powi(i32::try_from(digits).unwrap_or(i32::MAX));
    format!("{:.digits$}", if number.abs() < least { 0.0 } else { number })
}

/// Formats a number of things, given the word for one thing and the word for several.
pub(crate) fn counted(number: u64, one: &str, several: &str) -> String {
    format!("{} {}", HumanCount(number), if number == 1 { one } else { several })
}

/// Fills a column of `width` columns of text from the left; a longer text takes more.
pub(crate) fn left(text: &str, width: usize) -> String {
    format!("{}{}", isolated(text), room(text, width))
}

/// Fills a column of `width` columns of text from the right; a longer text takes more.
pub(crate) fn right(text: &str, width: usize) -> String {
    format!("{}{}", room(text, width), isolated(text))
}

/// Returns a text that fits into `width` columns, with a point where the rest of it is left out.
pub(crate) fn cut(text: &str, width: usize) -> String {
    if display_width(text) <= width {
        return text.to_owned();
    }
    let ends = text.char_indices().map(|(at, letter)| at + letter.len_utf8());
    let fitting = ends.take_while(|&end| display_width(&text[..end]) < width);
    format!("{}.", &text[..fitting.last().unwrap_or(0)])
}

fn room(text: &str, width: usize) -> String {
    " ".repeat(width.saturating_sub(display_width(text)))
}

/// The character that closes a part of a line with a direction of its own. Like the character that opens the part, it takes no
/// room.
pub(crate) const CLOSE: char = '\u{2069}';

/// Returns the character that opens a part of a line with Arabic words, so that a terminal that reverses Arabic keeps the parts in
/// their order; `None` if the part has no Arabic words. A move is read from the left; any other part has the direction of its
/// first word.
pub(crate) fn opening(text: &str) -> Option<char> {
    let is_arabic = |letter| ('\u{0600}'..='\u{06ff}').contains(&letter);
    let words = text.split(' ').filter(|word| word.contains(is_arabic)).count();
    let is_move = text.contains(['→', '>']) && words == 1;
    (words > 0).then_some(if is_move { '\u{2066}' } else { '\u{2068}' })
}

/// Returns a text without the characters that open and close such parts.
pub(crate) fn bare(text: &str) -> String {
    text.replace(['\u{2066}', '\u{2068}', CLOSE], "")
}

/// Encloses a text with Arabic words, so that the text beside it keeps its order.
pub(crate) fn isolated(text: &str) -> String {
    opening(text).map_or_else(|| text.to_owned(), |open| format!("{open}{text}{CLOSE}"))
}

/// Returns a text as a word of a command that a shell reads: in quotes, unless it needs none.
pub(crate) fn shell_word(text: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || "/\\.,:_+-".contains(letter);
    if text.chars().all(is_plain) {
        return text.to_owned();
    }
    // On Windows no file name has double quotes, and the oldest shell treats single quotes as ordinary characters.
    if cfg!(windows) {
        return format!("\"{text}\"");
    }
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// Formats a number of bytes in decimal units; `u64::MAX` stands for all larger numbers.
///
/// ```
/// assert_eq!(puabi_cli::format_bytes(16_000_000_000), "16.00 GB");
/// assert_eq!(puabi_cli::format_bytes(u64::MAX), "over 18 EB");
/// ```
pub fn bytes(bytes: u64) -> String {
    if bytes == u64::MAX { "over 18 EB".to_owned() } else { DecimalBytes(bytes).to_string() }
}

/// Formats a chance (0..=1) in percent with two digits after the point.
pub(crate) fn percent(chance: f64) -> String {
    format!("{:.2} %", chance * 100.0)
}

/// Formats a chance (0..=1) in percent with ten digits after the point.
pub(crate) fn exact_percent(chance: f64) -> String {
    percent_as(chance, Precision::F64)
}

/// Formats a chance (0..=1) in percent, with as many digits as values of this precision have.
pub(crate) fn percent_as(chance: f64, precision: Precision) -> String {
    let digits = match precision {
        Precision::F64 => 10,
        Precision::F32 => 5,
        Precision::U16 => 3,
    };
    format!("{:.digits$} %", chance * 100.0)
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

/// Formats a time of any length: in days above two of them, in hours above two, or as [`seconds`] does.
pub(crate) fn duration(time: f64) -> String {
    const HOUR: f64 = 3600.0;
    match time {
        time if time >= 48.0 * HOUR => format!("{:.1} days", time / (24.0 * HOUR)),
        time if time >= 2.0 * HOUR => format!("{:.1} h", time / HOUR),
        time => seconds(time),
    }
}

/// Formats how often `name` wins: in the mean, moving first, and moving second.
pub(crate) fn wins(name: &str, [mean, first, second]: &[String; 3]) -> String {
    format!("{name} wins {mean}\n  moving first   {first}\n  moving second  {second}")
}

/// Formats an accuracy in percent.
pub(crate) fn accuracy(accuracy: Option<f64>) -> String {
    or_dash(accuracy, |it| if it.abs() < 0.05 { "0.0 %".to_owned() } else { format!("{it:.1} %") })
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

/// Formats the temperature with its interval, in chances, as `softmax:T` takes it.
pub(crate) fn strength(strength: Option<Strength>) -> String {
    or_dash(strength, |Strength { temperature, .. }| {
        let Estimate { value, low, high } = temperature;
        let [value, low, high] = [value, low, high].map(|chance| format!("{chance:.3}"));
        format!("{value} ({low} to {high})")
    })
}
