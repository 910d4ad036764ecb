//! The review of one game.

use anyhow::Result;
use puabi_core::{Player, Record};
use puabi_engine::{Review, Totals};
use puabi_report::{Graph, Page};

use super::targets::Targets;
use crate::output::{Out, text};
use crate::style::Style;

/// Writes the review to its targets.
pub(super) fn write(record: &Record, review: &Review, to: &Targets, out: &mut Out) -> Result<()> {
    let page = || Page { review, rules: record.game.rules() }.html();
    let graph = || Graph { review }.svg();
    let text = |out: &mut Out| write_text(record, review, to.style, out);
    to.write(review, page, graph, text, out)
}

fn write_text(record: &Record, review: &Review, style: Style, out: &mut Out) -> Result<()> {
    let [light, dark] = Player::BOTH.map(|player| review.name(player));
    writeln!(out, "{}: {light} against {dark}, {} plies", review.rules, review.plies.len())?;
    let (start, result) = (text::percent(review.start), text::percent(review.result));
    let end = review.early_end();
    match (review.winner, end) {
        (Some(winner), None) => {
            writeln!(out, "{} won; light began with {start}", review.name(winner))?;
        }
        (Some(winner), Some(end)) => {
            let winner = review.name(winner);
            writeln!(out, "{end}, {winner} won; light began with {start} and had {result}")?;
        }
        (None, end) => {
            let end = end.as_deref().unwrap_or("unfinished");
            writeln!(out, "{end}; light began with {start} and has {result}")?;
        }
    }
    if let Some(caveat) = review.source.caveat() {
        writeln!(out, "{caveat}")?;
    }
    write_totals(review, out)?;
    write_swings(record, review, style, out)?;
    write_slips(record, review, style, out)
}

fn write_totals(review: &Review, out: &mut Out) -> Result<()> {
    let [light, dark] = Player::BOTH.map(|player| review.name(player));
    writeln!(out, "\n{:<14} {light:>18} {dark:>18}", "")?;
    let mut row = |name: &str, value: &dyn Fn(&Totals) -> String| {
        let [light, dark] = Player::BOTH.map(|player| value(&review.totals[player]));
        writeln!(out, "{name:<14} {light:>18} {dark:>18}")
    };
    row("accuracy", &|it| text::accuracy(it.accuracy))?;
    row("luck", &|it| text::points(it.luck))?;
    row("errors", &|it| text::points(-it.error))?;
    row("free choices", &|it| it.decisions.to_string())?;
    row("best, good", &|it| format!("{}, {}", it.classes.best, it.classes.good))?;
    row("inaccuracies", &|it| it.classes.inaccuracy.to_string())?;
    row("mistakes", &|it| it.classes.mistake.to_string())?;
    row("blunders", &|it| it.classes.blunder.to_string())?;
    row("temperature", &|it| text::strength(it.strength))?;
    if Player::BOTH.iter().any(|&player| review.totals[player].rating.is_some()) {
        row("rating", &|it| text::rating(it.rating))?;
    }
    Ok(())
}

fn write_swings(record: &Record, review: &Review, style: Style, out: &mut Out) -> Result<()> {
    for (at, &number) in review.turning_points.iter().enumerate() {
        if at == 0 {
            writeln!(out, "\nturning points, light's chance")?;
        }
        let ply = &review.plies[number - 1];
        let [before, after] = [ply.light_before(), ply.light_after()].map(text::percent);
        let tiles = style.tiles(record.game.rules(), ply.player, ply.action);
        let (player, roll) = (ply.player.letter(), ply.roll);
        writeln!(out, "{number:>5} {player} {roll} {tiles:<9} {before:>8} to {after:>8}")?;
    }
    Ok(())
}

fn write_slips(record: &Record, review: &Review, style: Style, out: &mut Out) -> Result<()> {
    let slips = review.plies.iter().filter_map(|ply| Some((ply, ply.reason.as_ref()?)));
    for (at, (ply, reason)) in slips.enumerate() {
        if at == 0 {
            writeln!(out, "\ninaccuracies, mistakes and blunders")?;
        }
        let tiles = |action| style.tiles(record.game.rules(), ply.player, action);
        let (number, letter, roll) = (ply.number, ply.player.letter(), ply.roll);
        let (class, sentence) = (ply.class, style.sentence(&reason.sentence));
        let [played, best] = [ply.action, ply.best].map(tiles);
        writeln!(out, "{number:>5} {letter} {roll} {played:<9} {class}: {sentence}")?;
        writeln!(out, "{:>9} best was {best}", "")?;
    }
    Ok(())
}
