//! The table of profiles, in plain text or in Markdown.

use anyhow::Result;
use puabi_study::{Figure, Profile};
use textwrap::core::display_width;

use crate::output::{Out, text};

/// A column: its head, and the text for a game.
type Column = (&'static str, fn(&Profile) -> String);

const COLUMNS: [Column; 11] = [
    ("positions", |profile| text::count(profile.positions).to_string()),
    ("first", |profile| format!("{:+.3}", profile.first_edge * 100.0)),
    ("rolls", |profile| figure(profile.rolls, 1.0, 2)),
    ("leads", |profile| figure(profile.lead_changes, 1.0, 2)),
    ("forced %", |profile| figure(profile.forced, 100.0, 2)),
    ("moves", |profile| choice(profile.options, 1.0, 3)),
    ("stakes", |profile| choice(profile.stakes, 100.0, 3)),
    ("Elo", |profile| figure(profile.random_elo, 1.0, 1)),
    ("skill %", |profile| figure(profile.greedy_skill, 100.0, 2)),
    ("draws %", |profile| figure(profile.draws, 100.0, 4)),
    ("dead", |profile| text::count(profile.dead_positions).to_string()),
];

/// A table with a line for each game.
#[derive(Debug)]
pub(super) struct ProfileTable {
    markdown: bool,
    /// The width of the first column.
    name: usize,
    /// The width of a column of figures.
    figure: usize,
}

/// The widths of exact figures, and of estimates with their intervals.
const FIGURE: usize = 8;
const ESTIMATE: usize = 13;

impl ProfileTable {
    /// Returns the table of games with these names; `sampled` says whether some figures are estimates.
    pub(super) fn new(markdown: bool, names: impl Iterator<Item = String>, sampled: bool) -> Self {
        let widths = names.map(|name| display_width(&name));
        let name = widths.max().unwrap_or_default().max("rule set".len());
        Self { markdown, name, figure: if sampled { ESTIMATE } else { FIGURE } }
    }

    /// Writes the heads of the columns.
    pub(super) fn write_head(&self, out: &mut Out) -> Result<()> {
        self.write_line("rule set", &COLUMNS.map(|(head, _)| head.to_owned()), out)?;
        if self.markdown {
            writeln!(out, "| --- |{}", " ---: |".repeat(COLUMNS.len()))?;
        }
        Ok(())
    }

    /// Writes the line of a game.
    pub(super) fn write_row(&self, name: &str, profile: &Profile, out: &mut Out) -> Result<()> {
        self.write_line(name, &COLUMNS.map(|(_, text)| text(profile)), out)
    }

    fn write_line(&self, name: &str, cells: &[String; COLUMNS.len()], out: &mut Out) -> Result<()> {
        if self.markdown {
            return writeln!(out, "| {} | {} |", name.replace('|', "\\|"), cells.join(" | "));
        }
        write!(out, "{}", text::left(name, self.name))?;
        for (cell, (head, _)) in cells.iter().zip(COLUMNS) {
            let width = match head {
                "positions" => "10,000,000".len(),
                "first" | "dead" => FIGURE,
                _ => self.figure,
            };
            write!(out, " {cell:>width$}")?;
        }
        writeln!(out)
    }
}

/// Formats a figure that is missing if the game never leaves a choice.
fn choice(found: Option<Figure>, scale: f64, digits: usize) -> String {
    text::or_dash(found, |found| figure(found, scale, digits))
}

/// Formats a figure, and half the width of its interval if it is an estimate. If the figure is infinite, the text has the finite
/// end of its interval, which is all that the games show.
fn figure(found: Figure, scale: f64, digits: usize) -> String {
    if let Some(bound) = found.bound() {
        let sign = if found.value > 0.0 { '>' } else { '<' };
        return format!("{sign} {:.digits$}", bound * scale);
    }
    let value = text::rounded(found.value * scale, digits);
    match found.margin() {
        None => value,
        Some(margin) => format!("{value}±{:.digits$}", margin * scale),
    }
}
