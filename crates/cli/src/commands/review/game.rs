//! The review of one game.

use std::io::Write;

use anyhow::Result;
use puabi_core::{Player, Record};
use puabi_engine::{Review, Totals};
use puabi_report::{Graph, Page};

use super::targets::Targets;
use super::words::{accuracy, points, rating, strength};
use crate::output::{Outcome, text};
use crate::style::Style;

/// Writes the review to its targets.
pub(super) fn write(
    record: &Record,
    review: &Review,
    targets: &Targets,
    out: &mut dyn Write,
) -> Result<Outcome> {
    let page = || Page::new(review, record.game.rules()).html();
    let graph = || Graph::new(review).svg();
    let text = |out: &mut dyn Write| write_text(record, review, targets.style, out);
    targets.write(review, page, graph, text, out)
}

fn write_text(record: &Record, review: &Review, style: Style, out: &mut dyn Write) -> Result<()> {
    let [light, dark] = Player::BOTH.map(|player| review.name(player));
    writeln!(out, "{}: {light} against {dark}, {} plies", review.rules, review.plies.len())?;
    let (start, result) = (text::percent(review.start), text::percent(review.result));
    match review.winner {
        Some(winner) => writeln!(out, "{} won; light began with {start}", review.name(winner))?,
        None => writeln!(out, "unfinished; light began with {start} and has {result}")?,
    }
    if let Some(caveat) = review.source.caveat() {
        writeln!(out, "{caveat}")?;
    }
    write_totals(review, out)?;
    write_turning_points(record, review, style, out)?;
    write_slips(record, review, style, out)
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
    row("temperature", &|it| strength(it.strength))?;
    if Player::BOTH.iter().any(|&player| review.totals[player].rating.is_some()) {
        row("rating", &|it| rating(it.rating))?;
    }
    Ok(())
}

fn write_turning_points(
    record: &Record,
    review: &Review,
    style: Style,
    out: &mut dyn Write,
) -> Result<()> {
    for (at, &number) in review.turning_points.iter().enumerate() {
        if at == 0 {
            writeln!(out, "\nturning points, light's chance")?;
        }
        let ply = &review.plies[number - 1];
        let (before, after) = (text::percent(ply.light_before()), text::percent(ply.light_after()));
        let tiles = style.tiles(record.game.rules(), ply.player, ply.action);
        writeln!(
            out,
            "{number:>5} {} {} {tiles:<9} {before:>8} to {after:>8}",
            ply.player.letter(),
            ply.roll
        )?;
    }
    Ok(())
}

fn write_slips(record: &Record, review: &Review, style: Style, out: &mut dyn Write) -> Result<()> {
    let slips = review.plies.iter().filter_map(|ply| Some((ply, ply.reason.as_ref()?)));
    for (at, (ply, reason)) in slips.enumerate() {
        if at == 0 {
            writeln!(out, "\ninaccuracies, mistakes and blunders")?;
        }
        let tiles = |action| style.tiles(record.game.rules(), ply.player, action);
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
