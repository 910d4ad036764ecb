//! `ur review`: a played game judged by the values of the solved one.

mod folder;
mod what_if;
mod words;

use std::io::Write;
use std::path::Path;

use anyhow::{Result, bail};
use puabi_core::Record;
use puabi_engine::{Graph, Page, Review};

use crate::drawing::Pen;
use crate::games::Rules;
use crate::tables::Lookup;
use crate::{Outcome, games, tables, talk, text};

/// Arguments of `ur review`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Reads .urg, .rgn, .json and .ur. Luck is what a roll gained over expectation, an error what a move lost against the best;
in light's view, result minus start is the sum of luck minus the sum of errors. A folder gives the report of the player
who has most games in it. A game that is not solved yet is solved first, and its table kept.

Examples:
  ur review game.rgn
  ur review game.json --html game.html --svg graph.svg
  ur review game.urg --ply 17
  ur review games/ --player Ann")]
pub(crate) struct Args {
    /// The game, or a folder of games; - is stdin
    game: String,
    #[command(flatten)]
    rules: Rules,
    /// Prints JSON
    #[arg(long)]
    json: bool,
    /// Writes a page with the board at every ply
    #[arg(long, value_name = "FILE")]
    html: Option<String>,
    /// Writes the graph of light's chance
    #[arg(long, value_name = "FILE")]
    svg: Option<String>,
    /// Shows every roll and every move at this ply, counted from 1
    #[arg(long, value_name = "N", conflicts_with_all = ["html", "svg"])]
    ply: Option<usize>,
    /// Whose report a folder gives
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    #[command(flatten)]
    pen: Pen,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<Outcome> {
    if Path::new(&args.game).is_dir() {
        return folder::run(args, out);
    }
    let record = games::read(&args.game, args.rules.rule_set()?.as_ref())?.record;
    let lookup = tables::obtain(record.game.rules())?;
    if let Some(ply) = args.ply {
        what_if::run(args, &record, ply, &lookup, out)?;
        return Ok(Outcome::Done);
    }
    let review = review(&record, &lookup)?;
    write_files(args, &record, &review, out)?;
    if args.json {
        text::write_json(&review, out)?;
    } else if [&args.html, &args.svg].iter().all(|path| path.as_deref() != Some("-")) {
        words::write(&record, &review, args.pen, out)?;
    }
    Ok(Outcome::Done)
}

/// Reviews a game; damage of the table is an error.
fn review(record: &Record, lookup: &Lookup) -> Result<Review> {
    let review = Review::new(record, lookup);
    lookup.check()?;
    Ok(review)
}

fn write_files(args: &Args, record: &Record, review: &Review, out: &mut dyn Write) -> Result<()> {
    if args.json && [&args.html, &args.svg].iter().any(|path| path.as_deref() == Some("-")) {
        bail!("JSON and a page or graph would both go to stdout: expected a file for one of them");
    }
    if let Some(path) = &args.html {
        games::write(path, &Page::new(review, record.game.rules()).html(), out)?;
        talk(&format!("the page is in {path}"));
    }
    if let Some(path) = &args.svg {
        games::write(path, &Graph::new(review).svg(), out)?;
        talk(&format!("the graph is in {path}"));
    }
    Ok(())
}
