//! A review as people read it.

use std::io::Write;

use anyhow::Result;
use puabi_core::{Player, Record};
use puabi_engine::{Estimate, Review, Strength, Totals};

use crate::drawing::Pen;
use crate::text;

pub(super) fn write(record: &Record, review: &Review, pen: Pen, out: &mut dyn Write) -> Result<()> {
    let [light, dark] = Player::BOTH.map(|player| review.name(player));
    writeln!(out, "{}: {light} against {dark}, {} plies", review.rules, review.plies.len())?;
    let (start, result) = (text::percent(review.start), text::percent(review.result));
    match review.winner {
        Some(winner) => writeln!(out, "{} won; light began with {start}", review.name(winner))?,
        None => writeln!(out, "unfinished; light began with {start} and has {result}")?,
    }
    if let Some(caveat) = review.judge.caveat() {
        writeln!(out, "{caveat}")?;
    }
    write_totals(review, out)?;
    write_turning_points(record, review, pen, out)?;
    write_slips(record, review, pen, out)
}

fn write_totals(review: &Review, out: &mut dyn Write) -> Result<()> {
    let [light, dark] = Player::BOTH.map(|player| review.name(player));
    writeln!(out, "\n{:<14} {light:>18} {dark:>18}", "")?;
    let mut row = |name: &str, value: &dyn Fn(&Totals) -> String| {
        let [light, dark] = Player::BOTH.map(|player| value(&review.totals[player]));
        writeln!(out, "{name:<14} {light:>18} {dark:>18}")
    };
    row("accuracy", &|it| accuracy(it.accuracy))?;
    row("luck", &|it| points(it.luck))?;
    row("errors", &|it| points(-it.error))?;
    row("free choices", &|it| it.decisions.to_string())?;
    row("best, good", &|it| format!("{}, {}", it.classes.best, it.classes.good))?;
    row("inaccuracies", &|it| it.classes.inaccuracy.to_string())?;
    row("mistakes", &|it| it.classes.mistake.to_string())?;
    row("blunders", &|it| it.classes.blunder.to_string())?;
    row("temperature", &|it| it.strength.map_or("-".to_owned(), strength))?;
    if Player::BOTH.iter().any(|&player| review.totals[player].rating.is_some()) {
        row("rating", &|it| it.rating.map_or("-".to_owned(), rating))?;
    }
    Ok(())
}

fn write_turning_points(
    record: &Record,
    review: &Review,
    pen: Pen,
    out: &mut dyn Write,
) -> Result<()> {
    for (at, &number) in review.turning_points.iter().enumerate() {
        if at == 0 {
            writeln!(out, "\nturning points, light's chance")?;
        }
        let ply = &review.plies[number - 1];
        let (before, after) = (text::percent(ply.light_before()), text::percent(ply.light_after()));
        let tiles = pen.tiles(record.game.rules(), ply.player, ply.action);
        writeln!(
            out,
            "{number:>5} {} {} {tiles:<9} {before:>8} to {after:>8}",
            ply.player.letter(),
            ply.roll
        )?;
    }
    Ok(())
}

fn write_slips(record: &Record, review: &Review, pen: Pen, out: &mut dyn Write) -> Result<()> {
    let slips = review.plies.iter().filter_map(|ply| Some((ply, ply.reason.as_ref()?)));
    for (at, (ply, reason)) in slips.enumerate() {
        if at == 0 {
            writeln!(out, "\ninaccuracies, mistakes and blunders")?;
        }
        let tiles = |action| pen.tiles(record.game.rules(), ply.player, action);
        let (played, best, class) = (tiles(ply.action), tiles(ply.best), ply.class);
        writeln!(
            out,
            "{:>5} {} {} {played:<9} {class}: {}",
            ply.number,
            ply.player.letter(),
            ply.roll,
            reason.sentence
        )?;
        writeln!(out, "{:>9} best was {best}", "")?;
    }
    Ok(())
}

pub(super) fn accuracy(accuracy: Option<f64>) -> String {
    accuracy.map_or("-".to_owned(), |accuracy| format!("{accuracy:.1} %"))
}

/// Writes a difference of chances in points, with its sign.
pub(super) fn points(difference: f64) -> String {
    let points = difference * 100.0;
    if points.abs() < 0.005 { "0.00".to_owned() } else { format!("{points:+.2}") }
}

/// Writes a rating with its interval.
pub(super) fn rating(Estimate { value, low, high }: Estimate) -> String {
    format!("{value:.0} ({low:.0} to {high:.0})")
}

/// Writes the temperature with its interval, in points.
pub(super) fn strength(strength: Strength) -> String {
    let Estimate { value, low, high } = strength.temperature;
    let [value, low, high] = [value, low, high].map(|chance| format!("{:.1}", chance * 100.0));
    format!("{value} ({low} to {high})")
}
