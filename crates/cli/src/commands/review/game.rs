//! The review of one game.

use anyhow::Result;
use puabi_core::{Player, Record};
use puabi_engine::{CubeReview, Review, Totals};
use puabi_report::{Graph, Page};
use puabi_server::Language;
use serde::Serialize;

use super::cubeful;
use super::targets::Targets;
use crate::output::text::{self, t};
use crate::output::{self, Out};
use crate::play::ending::early;
use crate::style::Style;

/// Writes the review to its targets.
pub(super) fn write(
    record: &Record,
    review: &Review,
    cube: Option<&CubeReview>,
    to: &Targets,
    out: &mut Out,
) -> Result<()> {
    let page = || Page { review, cube, rules: record.game.rules() }.html();
    let graph = || Graph { review }.svg();
    let text = |out: &mut Out| {
        write_text(record, review, to.style, out)?;
        let cube = cube.iter().flat_map(|cube| cubeful::error_lines(cube, to.style.language));
        cube.enumerate()
            .try_for_each(|(at, line)| writeln!(out, "{}{line}", if at == 0 { "\n" } else { "" }))
    };
    let whole = WithCube { review, cube };
    to.write(&whole, page, graph, text, out)
}

/// The review of a game, and of its cube if it has one.
#[derive(Debug, Serialize)]
struct WithCube<'a> {
    #[serde(flatten)]
    review: &'a Review,
    #[serde(skip_serializing_if = "Option::is_none")]
    cube: Option<&'a CubeReview>,
}

fn write_text(record: &Record, review: &Review, style: Style, out: &mut Out) -> Result<()> {
    let language = style.language;
    let [light, dark] = Player::BOTH.map(|player| name(review, player, language));
    let (rules, plies) = (&review.rules, review.plies.len());
    let heading = if plies == 1 {
        t!(language, "{rules}: {light} against {dark}, 1 ply", rules, light, dark)
    } else {
        t!(language, "{rules}: {light} against {dark}, {plies} plies", rules, light, dark, plies)
    };
    writeln!(out, "{heading}\n{}", outcome(record, review, language))?;
    if let Some(caveat) = review.source.caveat() {
        writeln!(out, "{}", output::wrapped(&language.translate(caveat)))?;
    }
    write_totals(review, language, out)?;
    write_swings(record, review, style, out)?;
    write_slips(record, review, style, out)
}

/// Returns the name of a player, or the word for the colour if there is no name.
fn name(review: &Review, player: Player, language: Language) -> String {
    review.names[player].clone().unwrap_or_else(|| language.translate(player))
}

/// Returns how the game ended, and light's chances.
fn outcome(record: &Record, review: &Review, language: Language) -> String {
    let [start, result] =
        [review.start, review.result].map(|chance| language.number(text::percent(chance)));
    let winner = review.winner.map(|winner| name(review, winner, language));
    match (winner, early(record, |player| name(review, player, language), language)) {
        (Some(winner), None) => {
            t!(language, "{winner} won; light began with {start}", winner, start)
        }
        (Some(winner), Some(end)) => t!(
            language,
            "{end}, {winner} won; light began with {start} and had {result}",
            end,
            winner,
            start,
            result
        ),
        (None, Some(end)) => {
            t!(language, "{end}; light began with {start} and has {result}", end, start, result)
        }
        (None, None) if review.drawn => t!(language, "drawn; light began with {start}", start),
        (None, None) => {
            t!(language, "unfinished; light began with {start} and has {result}", start, result)
        }
    }
}

/// The width of a player's column: that of a temperature with its interval.
const COLUMN: usize = 23;

fn write_totals(review: &Review, language: Language, out: &mut Out) -> Result<()> {
    let line = |name: &str, [light, dark]: [String; 2]| {
        let name = text::left(&text::cut(name, 14), 14);
        format!("{name} {} {}", text::right(&light, COLUMN), text::right(&dark, COLUMN))
    };
    let names = Player::BOTH.map(|player| name(review, player, language));
    let names = names.map(|name| text::cut(&name, COLUMN));
    writeln!(out, "\n{}", line("", names))?;
    let mut row = |name: String, value: &dyn Fn(&Totals) -> String| {
        let values = Player::BOTH.map(|player| language.translate(value(&review.totals[player])));
        writeln!(out, "{}", line(&name, values))
    };
    row(t!(language, "accuracy"), &|it| text::accuracy(it.accuracy))?;
    row(t!(language, "luck"), &|it| text::points(it.luck))?;
    row(t!(language, "errors"), &|it| text::points(-it.error))?;
    row(t!(language, "free choices"), &|it| it.decisions.to_string())?;
    row(t!(language, "best, good"), &|it| format!("{}, {}", it.classes.best, it.classes.good))?;
    row(t!(language, "inaccuracies"), &|it| it.classes.inaccuracy.to_string())?;
    row(t!(language, "mistakes"), &|it| it.classes.mistake.to_string())?;
    row(t!(language, "blunders"), &|it| it.classes.blunder.to_string())?;
    row(t!(language, "temperature"), &|it| text::strength(it.strength))?;
    if Player::BOTH.iter().any(|&player| review.totals[player].rating.is_some()) {
        row(t!(language, "rating"), &|it| text::rating(it.rating))?;
    }
    Ok(())
}

fn write_swings(record: &Record, review: &Review, style: Style, out: &mut Out) -> Result<()> {
    let language = style.language;
    for (at, &number) in review.turning_points.iter().enumerate() {
        if at == 0 {
            writeln!(out, "\n{}", t!(language, "turning points, light's chance"))?;
        }
        let ply = &review.plies[number - 1];
        let [before, after] = [ply.light_before(), ply.light_after()]
            .map(|chance| format!("{:>8}", language.number(text::percent(chance))));
        let tiles = style.tiles(record.game.rules(), ply.player, ply.action);
        let (player, roll, tiles) = (ply.player.letter(), ply.roll, text::left(&tiles, 9));
        let chances = t!(language, "{before} to {after}", before, after);
        writeln!(out, "{number:>5} {player} {roll} {tiles} {chances}")?;
    }
    Ok(())
}

fn write_slips(record: &Record, review: &Review, style: Style, out: &mut Out) -> Result<()> {
    let language = style.language;
    let slips = review.plies.iter().filter_map(|ply| Some((ply, ply.reason.as_ref()?)));
    for (at, (ply, reason)) in slips.enumerate() {
        if at == 0 {
            writeln!(out, "\n{}", t!(language, "inaccuracies, mistakes and blunders"))?;
        }
        let tiles = |action| style.tiles(record.game.rules(), ply.player, action);
        let (number, letter, roll) = (ply.number, ply.player.letter(), ply.roll);
        let (class, sentence) = (language.translate(ply.class), style.sentence(&reason.sentence));
        let [played, best] = [ply.action, ply.best].map(tiles);
        let played = text::left(&played, 9);
        writeln!(out, "{number:>5} {letter} {roll} {played} {class}: {sentence}")?;
        writeln!(out, "{:>9} {}", "", t!(language, "best was {best}", best))?;
    }
    Ok(())
}
