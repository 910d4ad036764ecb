//! `ur convert`: game records and tables from one notation to another.

mod table;

use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result, anyhow};
use puabi_formats::{Notation, ValueType};
use puabi_tables::TableStore;

use crate::complaint::Advise;
use crate::games::Rules;
use crate::{Outcome, foreign, games, talk};

/// Arguments of `ur convert`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The names tell the notations. Games: .urg (ours), .rgn and .json (RoyalUr), .ur (Heled's logs). Tables: .urt (ours) and
.rgu (RoyalUr). What of a game the other notation cannot hold is said on stderr.

Examples:
  ur convert game.rgn game.json
  ur convert game.ur - --to urg
  ur convert finkel.urt finkel.rgu --values percent16
  ur convert published.rgu finkel.urt")]
pub(crate) struct Args {
    /// The game or table to read, or the rules of a table that is kept; - is a game from stdin
    from: String,
    /// The file to write; - is stdout, for games
    to: String,
    /// The notation to write, where the name does not tell: urg, rgn, json or ur
    #[arg(long = "to", value_name = "NOTATION")]
    notation: Option<Notation>,
    /// How a table stores its values: percent16, f32 or f64 [default: as it was]
    #[arg(long, value_name = "TYPE")]
    values: Option<ValueType>,
    #[command(flatten)]
    rules: Rules,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<Outcome> {
    if is_table(&args.to) {
        table::convert(&args.from, Path::new(&args.to), args.values)?;
    } else {
        convert_game(args, out)?;
    }
    Ok(Outcome::Done)
}

fn is_table(name: &str) -> bool {
    let extension = Path::new(name).extension();
    extension
        .is_some_and(|end| [foreign::EXTENSION, TableStore::EXTENSION].iter().any(|it| end == *it))
}

fn convert_game(args: &Args, out: &mut dyn Write) -> Result<()> {
    let notation = args.notation.or_else(|| Notation::of_name(&args.to));
    let notation = notation
        .ok_or_else(|| anyhow!("{} names no notation", args.to))
        .hint(|| "--to urg, rgn, json or ur tells which; tables end in .urt or .rgu")?;
    let reading = games::read(&args.from, args.rules.rule_set()?.as_ref())?;
    for remark in &reading.remarks {
        talk(&format!("{}: {remark}", args.from));
    }
    let written = notation.write(&reading.record);
    let written = written.with_context(|| format!("converting {} to {notation}", args.from))?;
    games::write(&args.to, &written.text, out)?;
    for lost in written.lost {
        talk(&format!("lost: {lost}; {notation} cannot hold that"));
    }
    Ok(())
}
