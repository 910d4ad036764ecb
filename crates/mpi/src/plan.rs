//! `ur-mpi plan`: what a solve by several ranks would take.

use anyhow::Result;
use indicatif::HumanCount;
use puabi_cli::Out;
use puabi_solve::{Options, RankPlan, Solver};

/// Arguments of `ur-mpi plan`.
#[derive(Debug, clap::Args)]
pub(crate) struct PlanArgs {
    /// The rule set: finkel, murray:7 or my.toml
    rules: String,
    /// The numbers of ranks to plan for
    #[arg(long, value_name = "N,N..", value_delimiter = ',', default_value = "1,8,512", value_parser = clap::value_parser!(u16).range(1..))]
    ranks: Vec<u16>,
    /// Processors of each rank, which is alone on its machine
    #[arg(long, value_name = "N", default_value = "64", value_parser = clap::value_parser!(u16).range(1..))]
    threads: u16,
    /// Memory of each rank, such as 256G
    #[arg(long, value_name = "BYTES", default_value = "256G", value_parser = puabi_cli::bytes)]
    memory: u64,
    /// Bits that a rank receives in a second, such as 25G
    #[arg(long, value_name = "BITS", default_value = "25G", value_parser = puabi_cli::bytes)]
    network: u64,
}

/// The share of the time in which no rank waits for others at the end of a level.
const BUSY: f64 = 0.96;

/// Prints what a solve would take.
pub(crate) fn run(args: &PlanArgs) -> Result<()> {
    let mut out = Out::new();
    let rules = puabi_cli::rules(&args.rules)?;
    let solver =
        Solver::new(&rules, Options { threads: args.threads.into(), ..Options::default() })?;
    let plan = solver.plan();
    writeln!(out, "{}: what a solve by ranks would take, estimated", rules.rule_set())?;
    let [positions, largest] = [plan.positions, plan.largest_sublayer].map(HumanCount);
    writeln!(out, "positions    {positions}, {largest} in the largest sublayer")?;
    if !plan.can_be_solved {
        writeln!(out, "             the largest has too many values for this version to solve")?;
    }
    let hours = plan.cpu_seconds / 3600.0;
    let processors = if args.threads == 1 { "processor" } else { "processors" };
    writeln!(out, "processors   {hours:.3} hours together, {} {processors} a rank", args.threads)?;
    writeln!(
        out,
        "ranks  memory of each  with --spill  received by all  by the busiest  hours: at work + exchange"
    )?;
    for &ranks in &args.ranks {
        let plan = solver.plan_for_ranks(ranks.into());
        writeln!(out, "{}", args.line(&plan))?;
    }
    writeln!(
        out,
        "Estimated from other games: half of it or half as much again would be no surprise."
    )?;
    out.flush()
}

impl PlanArgs {
    /// Returns the line of one number of ranks.
    fn line(&self, plan: &RankPlan) -> String {
        let RankPlan { ranks, memory, spilling, renewed: [all, most], finished, cpu_seconds } =
            *plan;
        let busy = if ranks > 1 { BUSY } else { 1.0 };
        let work = cpu_seconds / (ranks as f64 * f64::from(self.threads) * busy) / 3600.0;
        let exchange = (most as f64 + finished as f64) * 8.0 / self.network as f64 / 3600.0;
        let over = if most.max(finished) == u64::MAX { "over " } else { "" };
        let fits = match self.memory {
            most if memory <= most => "",
            most if spilling <= most => ", with --spill",
            _ => ", too much memory",
        };
        let [memory, spilling, all, most] =
            [memory, spilling, all, most].map(puabi_cli::format_bytes);
        format!(
            "{ranks:5}  {memory:>14}  {spilling:>12}  {all:>15}  {most:>14}  {work:.3} + {over}{exchange:.3}{fits}"
        )
    }
}
