//! `ur review`: a played game judged by the values of the solved one, or by a search.

mod folder;
mod what_if;
mod words;

use std::io::Write;
use std::path::Path;

use anyhow::{Result, bail};
use puabi_core::Record;
use puabi_engine::{AgentSpec, Review};
use puabi_report::{Graph, Page};

use crate::drawing::Pen;
use crate::games::Rules;
use crate::judging::Judging;
use crate::{Outcome, games, talk, text};

/// Arguments of `ur review`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Reads .urg, .rgn, .json and .ur. Luck is what a roll gained over expectation, an error what a move lost against the best;
in light's view, result minus start is the sum of luck minus the sum of errors. A folder gives the report of the player
who has most games in it. A game that is not solved yet is solved first, and its table kept; where it is too large for
that, a search judges instead.

Examples:
  ur review game.rgn
  ur review game.json --html game.html --svg graph.svg
  ur review game.urg --ply 17
  ur review games/ --player Ann --html ann.html
  ur review long.urg --search 3")]
pub(crate) struct Args {
    /// The game, or a folder of games; - is stdin
    game: String,
    #[command(flatten)]
    rules: Rules,
    /// Prints JSON
    #[arg(long)]
    json: bool,
    /// Writes a page: with the board at every ply, or the report of a folder
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
    /// Judges by a search that looks this many moves ahead, not by the solved game [default where there is none: 2]
    #[arg(long, value_name = "DEPTH", num_args = 0..=1, default_missing_value = "2", value_parser = depth())]
    search: Option<u8>,
    #[command(flatten)]
    pen: Pen,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<Outcome> {
    if Path::new(&args.game).is_dir() {
        return folder::run(args, out);
    }
    let record = games::read(&args.game, args.rules.rule_set()?.as_ref())?.record;
    let judging = Judging::obtain(record.game.rules(), args.search)?;
    if let Some(ply) = args.ply {
        what_if::run(args, &record, ply, &judging, out)?;
        return Ok(Outcome::Done);
    }
    let review = judging.review(&record)?;
    write_files(args, &record, &review, out)?;
    if args.json {
        text::write_json(&review, out)?;
    } else if [&args.html, &args.svg].iter().all(|path| path.as_deref() != Some("-")) {
        words::write(&record, &review, args.pen, out)?;
    }
    Ok(Outcome::Done)
}

/// The moves that a search may look ahead.
fn depth() -> clap::builder::RangedI64ValueParser<u8> {
    clap::value_parser!(u8).range(1..=i64::from(AgentSpec::MAX_DEPTH))
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
