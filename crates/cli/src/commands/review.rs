//! `ur review`: a played game judged by the values of the solved one, or by a search.

pub(crate) mod cubeful;
mod game;
mod player;
mod ply;
mod targets;

use std::path::Path;

use anyhow::{Result, bail};
use puabi_engine::AgentSpec;

use crate::files::records;
use crate::options::RecordRules;
use crate::output::Out;
use crate::play::keeper;
use crate::tables::judge::Judge;
use targets::Targets;

/// Arguments of `ur review`.
#[derive(Debug, clap::Args)]
#[command(after_help = include_str!("../../help/review.txt"))]
pub(crate) struct ReviewArgs {
    /// The game: a file, or its number in the archive (./12 is a file); or a folder of games; - is stdin
    game: String,
    #[command(flatten)]
    rules: RecordRules,
    #[command(flatten)]
    targets: Targets,
    /// Shows every roll and every move at this ply, counted from 1
    #[arg(long, value_name = "N", conflicts_with_all = ["html", "svg"])]
    ply: Option<usize>,
    /// The player that the report of a folder is about
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// Judges by a search that looks this many moves ahead, not by the solved game [default for a game too large to solve: 2]
    #[arg(long, value_name = "DEPTH", num_args = 0..=1, default_missing_value = "2", value_parser = clap::value_parser!(u8).range(1..=i64::from(AgentSpec::MAX_DEPTH)))]
    search: Option<u8>,
}

pub(crate) fn run(args: &ReviewArgs, out: &mut Out) -> Result<()> {
    let (rules, targets) = (args.rules.rule_set()?, &args.targets);
    targets.ensure_names(&args.game)?;
    let (id, folder) = (args.game.parse::<i64>(), Path::new(&args.game));
    if args.game != "-" && id.is_err() && folder.is_dir() {
        if targets.svg.is_some() || args.ply.is_some() {
            bail!("{} is a folder: --svg and --ply are for one game", args.game);
        }
        let report = player::report(folder, args.player.as_deref(), rules.as_ref(), args.search)?;
        return player::write(&report, targets, out);
    }
    if let Some(name) = &args.player {
        bail!("{} is one game: --player {name} is for a folder of games", args.game);
    }
    let record = match id {
        Ok(id) => keeper::read(id)?,
        Err(_) => records::read(&args.game, rules.as_ref())?.record,
    };
    let ply = args.ply.map(|number| ply::find(&record, number)).transpose()?;
    let judge = Judge::obtain(record.game.rules(), args.search, targets.style.language)?;
    if let Some(ply) = ply {
        return ply::run(&record.game, ply, &judge, targets, out);
    }
    let (review, cube) = (judge.review(&record)?, cubeful::review(&record, args.search)?);
    game::write(&record, &review, cube.as_ref(), targets, out)
}
