//! The commands, a file each.

use std::io::Write;

use anyhow::Result;

use crate::Outcome;
use crate::args::Command;

pub(crate) mod agents;
pub(crate) mod bench;
pub(crate) mod completions;
pub(crate) mod convert;
pub(crate) mod exact;
pub(crate) mod exploit;
pub(crate) mod games;
pub(crate) mod lab;
pub(crate) mod league;
pub(crate) mod lint;
pub(crate) mod man;
pub(crate) mod matches;
pub(crate) mod perft;
pub(crate) mod play;
pub(crate) mod review;
pub(crate) mod rules;
pub(crate) mod serve;
pub(crate) mod solve;
pub(crate) mod table;
pub(crate) mod train;
pub(crate) mod value;

/// Runs a command, with its results on `out`.
pub(crate) fn run(command: &Command, out: &mut dyn Write) -> Result<Outcome> {
    match command {
        Command::Rules(args) => rules::run(args, out),
        Command::Solve(args) => solve::run(args, out),
        Command::Value(args) => value::run(args, out),
        Command::Table(args) => table::run(args, out),
        Command::Play(args) => play::run(args, out),
        Command::Exploit(args) => exploit::run(args, out),
        Command::Games(args) => games::run(args, out),
        Command::Serve(args) => serve::run(args, out),
        Command::Agents(args) => agents::run(args, out),
        Command::Match(args) => matches::run(args, out),
        Command::League(args) => league::run(args, out),
        Command::Lab(args) => lab::run(args, out),
        Command::Train(args) => train::run(args, out),
        Command::Review(args) => review::run(args, out),
        Command::Convert(args) => convert::run(args, out),
        Command::Lint(args) => lint::run(args, out),
        Command::Perft(args) => perft::run(args, out),
        Command::Bench(args) => bench::run(args, out),
        Command::Completions(args) => completions::run(args, out),
        Command::Man => man::run(out),
    }
}
