//! `ur lab --perfect`: what games between perfect players are like.

use std::fmt;

use puabi_study::{Figure, Lengths, PerfectPlay};
use serde::Serialize;

use crate::output::text;

/// Statistics of a game's perfect play.
#[derive(Debug, Serialize)]
pub(super) struct Statistics {
    pub(super) rules: String,
    #[serde(flatten)]
    pub(super) found: PerfectPlay,
}

impl fmt::Display for Statistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PerfectPlay { rolls, lengths, lead_changes, piece, die, rosette } = &self.found;
        let how = lengths.games.map_or_else(
            || "exact".to_owned(),
            |games| format!("from {} games", text::count(games)),
        );
        writeln!(f, "{}: games between perfect players, {how}", self.rules)?;
        writeln!(f, "  rolls of a game      {}", number(*rolls, 1.0, 2))?;
        write_lengths(lengths, f)?;
        writeln!(f, "  changes of the lead  {}", number(*lead_changes, 1.0, 3))?;
        let mut worth = |what: &str, figure: &Option<Figure>| {
            let shown = figure.map_or_else(|| "-".to_owned(), |it| number(it, 100.0, 2));
            writeln!(f, "  {what:<20} {shown}")
        };
        worth("a piece home, points", piece)?;
        worth("a die, points", die)?;
        worth("a rosette, points", rosette)
    }
}

fn write_lengths(lengths: &Lengths, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let shortest = lengths.chances.iter().position(|&chance| chance > 0.0).unwrap_or_default();
    let deviation = lengths.deviation();
    writeln!(f, "    from {shortest} on, standard deviation {deviation:.2}")?;
    let shares = [0.05, 0.25, 0.5, 0.75, 0.95, 0.99];
    let most = |share: f64| {
        let length = lengths.quantile(share);
        format!("{:.0} % {}", share * 100.0, text::or_dash(length, |it| it.to_string()))
    };
    writeln!(f, "    at most, of games: {}", shares.map(most).join(", "))
}

/// Formats a figure and half the width of its interval.
fn number(figure: Figure, scale: f64, digits: usize) -> String {
    // A number that rounds to zero has no sign.
    let least = 0.5 * 0.1_f64.powi(i32::try_from(digits).unwrap_or(0));
    let value = figure.value * scale;
    let value = format!("{:.digits$}", if value.abs() < least { 0.0 } else { value });
    figure.margin().map_or(value.clone(), |margin| format!("{value} ± {:.digits$}", margin * scale))
}
