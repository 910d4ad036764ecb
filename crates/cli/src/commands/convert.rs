//! `ur convert`: game records and tables from one notation to another.

mod table;

use std::path::Path;

use anyhow::{Result, anyhow, bail};
use puabi_formats::{Notation, ValueType};
use puabi_tables::TableStore;

use crate::errors::Advise;
use crate::files::{self, kinds, records};
use crate::options::RecordRules;
use crate::output::{Out, status};

/// Arguments of `ur convert`.
#[derive(Debug, clap::Args)]
#[command(after_help = include_str!("../../help/convert.txt"))]
pub(crate) struct ConvertArgs {
    /// The game or table to read, or the rules of a table that is kept; - is a game from stdin
    from: String,
    /// The file to write; - is stdout, for games
    to: String,
    /// The notation to write, if the name does not end in one: urg, rgn, json or ur
    #[arg(long = "to", value_name = "NOTATION")]
    notation: Option<Notation>,
    /// How a table stores its values: percent16, f32 or f64 [default: unchanged]
    #[arg(long, value_name = "TYPE")]
    values: Option<ValueType>,
    #[command(flatten)]
    rules: RecordRules,
}

pub(crate) fn run(args: &ConvertArgs, out: &mut Out) -> Result<()> {
    if is_table(&args.to) {
        if args.notation.is_some() || args.rules.is_given() {
            bail!("--to and --rules are for games, and {} is a table", args.to);
        }
        table::convert(&args.from, Path::new(&args.to), args.values)?;
    } else {
        if args.values.is_some() {
            bail!("--values is for tables: expected a file ending in .rgu or .urt");
        }
        convert_game(args, out)?;
    }
    Ok(())
}

fn is_table(name: &str) -> bool {
    [kinds::FOREIGN_TABLE, TableStore::EXTENSION].iter().any(|end| kinds::is_named(name, end))
}

/// Returns an error if the file to write is the one that is read, or if its name is of anything but a game in this notation.
fn ensure_fits(args: &ConvertArgs, notation: Notation) -> Result<()> {
    let to = Path::new(&args.to);
    files::ensure_other(to, std::slice::from_ref(&args.from))?;
    match Notation::from_file_name(&args.to) {
        Some(named) if named != notation => {
            bail!("{} is named as {named}: expected a name for {notation}", args.to)
        }
        Some(_) => Ok(()),
        None => kinds::ensure_no_other(to, "the game, such as game.urg"),
    }
}

fn convert_game(args: &ConvertArgs, out: &mut Out) -> Result<()> {
    let notation = args.notation.or_else(|| Notation::from_file_name(&args.to));
    let notation = notation
        .ok_or_else(|| anyhow!("{} names no notation", args.to))
        .hint(|| "--to urg, rgn, json or ur says which; tables end in .urt or .rgu")?;
    ensure_fits(args, notation)?;
    let reading = records::read(&args.from, args.rules.rule_set()?.as_ref())?;
    for remark in &reading.remarks {
        status(format_args!("{}: {remark}", args.from));
    }
    if reading.more_remarks > 0 {
        status(format_args!("{}: {}", args.from, records::more(reading.more_remarks)));
    }
    let doing = format_args!("{} to {notation}", args.from);
    let written = notation.write(&reading.record).doing("converting", doing)?;
    records::write(&args.to, &written.text, out)?;
    for lost in written.lost {
        status(format_args!("lost: {lost}; {notation} cannot hold that"));
    }
    Ok(())
}
