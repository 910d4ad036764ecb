//! `ur cube`: a game with a doubling cube, for money and in matches.

use anyhow::Result;
use puabi_core::{Away, Cube, Player};
use puabi_solve::{MatchTable, OfferReport, Solver};
use puabi_tables::{CubeLevelReport, CubeTables, Precision, make_cube_tables};
use serde::Serialize;

use crate::errors::Advise;
use crate::options::SolveSettings;
use crate::output::{Cost, Out, Start, text};
use crate::progress::Bar;
use crate::{notation, tables};

/// Arguments of `ur cube`.
#[derive(Debug, clap::Args)]
#[command(after_help = include_str!("../../help/cube.txt"))]
pub(crate) struct CubeArgs {
    /// The rule set
    #[arg(default_value = "finkel")]
    rules: String,
    /// The value at which the cube can no longer be doubled: a power of two from 2 to 65536
    #[arg(long, value_name = "VALUE", default_value_t = Cube::USUAL_CAP, value_parser = doubled_cap, conflicts_with = "points")]
    cap: u32,
    /// Solves matches to this many points instead
    #[arg(long = "match", value_name = "POINTS", value_parser = clap::value_parser!(u32).range(1..=i64::from(Away::MOST)))]
    points: Option<u32>,
    /// How the tables store a value: f64, f32 or u16
    #[arg(long, value_name = "PRECISION", default_value_t = Precision::F32, conflicts_with = "points")]
    store: Precision,
    #[command(flatten)]
    solving: SolveSettings,
    /// Prints JSON
    #[arg(long)]
    json: bool,
}

/// Reads the cap of a cube.
pub(crate) fn cap(text: &str) -> Result<u32, String> {
    cap_from(1, text)
}

/// Reads the cap of a cube that is doubled at least once.
fn doubled_cap(text: &str) -> Result<u32, String> {
    cap_from(2, text)
}

fn cap_from(least: u32, text: &str) -> Result<u32, String> {
    let caps = least..=Cube::MAX_CAP;
    let cap = text.parse().ok().filter(|cap: &u32| cap.is_power_of_two() && caps.contains(cap));
    cap.ok_or_else(|| format!("expected a power of two from {least} to {}", Cube::MAX_CAP))
}

#[derive(Debug, Serialize)]
struct Money {
    rules: String,
    /// The equity of the first player without a cube.
    cubeless: f64,
    levels: Vec<Level>,
    #[serde(flatten)]
    cost: Cost,
}

#[derive(Debug, Serialize)]
struct Level {
    doublings: u8,
    cap: u32,
    equity: f64,
    sweeps_max: u32,
    residual: f64,
    changed: f64,
}

impl Level {
    fn new(found: CubeLevelReport) -> Self {
        let CubeLevelReport { doublings, start, changed, report } = found;
        let OfferReport { sweeps_max, residual } = report;
        let (cap, equity) = (1 << doublings, 2.0 * start - 1.0);
        Self { doublings, cap, equity, sweeps_max, residual, changed }
    }

    /// Prints the level as a line of the list.
    fn print(&self, out: &mut Out) -> Result<()> {
        let Self { doublings, cap, equity, sweeps_max, residual, changed } = self;
        let changed = text::percent(*changed);
        writeln!(
            out,
            "{doublings:>9} {cap:>6} {equity:>+13.10} {sweeps_max:>7}  {residual:.2e} {changed:>18}"
        )?;
        out.flush()
    }
}

#[derive(Debug, Serialize)]
struct Matches {
    rules: String,
    /// The chance of a player to win the match, by the points that this player needs and those that the other needs, each from
    /// one. If either needs one point, the game is the Crawford game.
    chances: Vec<Vec<f64>>,
    /// The chance of a player who needs one point after the Crawford game, by the points that the other needs, from one.
    after_crawford: Vec<f64>,
    sweeps_max: u32,
    residual: f64,
    #[serde(flatten)]
    cost: Cost,
}

pub(crate) fn run(args: &CubeArgs, out: &mut Out) -> Result<()> {
    match args.points {
        Some(points) => matches(args, points, out),
        None => money(args, out),
    }
}

fn money(args: &CubeArgs, out: &mut Out) -> Result<()> {
    let began = Start::now();
    let rules = notation::rules(&args.rules)?;
    let name = rules.rule_set().to_string();
    let doublings = Cube::new(args.cap).left();
    tables::solver(&rules, args.solving.options(), Solver::cube_memory)?;
    let table = tables::exact(&rules)?;
    let cubeless = 2.0 * table.header().report().start_value - 1.0;
    if !args.json {
        writeln!(out, "{name}: the first player has an equity of {cubeless:+.10} without a cube")?;
        writeln!(out, "doublings    cap        equity  sweeps  residual  positions changed")?;
    }
    let store = tables::library()?.store().clone();
    let mut levels = Vec::new();
    let bar = Bar::new(format!("solving {name} with a cube"));
    let mut done = |found| {
        let level = Level::new(found);
        if !args.json {
            // An error is ignored here, because later output fails, too.
            let _ = level.print(out);
        }
        levels.push(level);
    };
    let how = (args.store, args.solving.options());
    make_cube_tables(&store, &table, doublings, how, &bar, &mut done)
        .doing("solving", format_args!("{name} with a cube"))?;
    drop(bar);
    let cost = began.cost();
    if args.json {
        return out.json(&Money { rules: name, cubeless, levels, cost });
    }
    let folder = CubeTables::folder(&store, rules.rule_set());
    writeln!(out, "tables       {}\nthis run     {cost}", folder.display())
}

fn matches(args: &CubeArgs, points: u32, out: &mut Out) -> Result<()> {
    let began = Start::now();
    let rules = notation::rules(&args.rules)?;
    let name = rules.rule_set().to_string();
    let solver = tables::solver(&rules, args.solving.options(), Solver::match_memory)?;
    let table = tables::exact(&rules)?;
    let length = text::counted(points.into(), "point", "points");
    let bar = Bar::new(format!("solving matches of {name} to {length}"));
    let options = args.solving.options();
    let cubeless = table.load(options.threads, &bar).doing("reading", table.path().display())?;
    let found = solver.match_table(&cubeless, points, &bar).doing("solving matches of", &name)?;
    drop(bar);
    let cost = began.cost();
    if args.json {
        return out.json(&Matches::new(name, &found, cost));
    }
    write_matches(&name, &found, out)?;
    let OfferReport { sweeps_max, residual } = found.report;
    let sweeps = text::counted(sweeps_max.into(), "sweep", "sweeps");
    writeln!(out, "residual     {residual:.2e}, at most {sweeps}")?;
    writeln!(out, "this run     {cost}")
}

impl Matches {
    fn new(rules: String, found: &MatchTable, cost: Cost) -> Self {
        let needs = || 1..=found.points();
        let row = |own| needs().map(|other| before(found, own, other)).collect();
        let OfferReport { sweeps_max, residual } = found.report;
        Self {
            rules,
            chances: needs().map(row).collect(),
            after_crawford: needs().map(|other| after(found, other)).collect(),
            sweeps_max,
            residual,
            cost,
        }
    }
}

/// Returns the chance of a player who needs `own` points before the Crawford game, or in it.
fn before(found: &MatchTable, own: u32, other: u32) -> f64 {
    let score = Away::new([own, other], own == 1 || other == 1).expect("a score of the match");
    found.chance(Player::Light, Some(score), Player::Light)
}

/// Returns the chance of a player who needs one point after the Crawford game.
fn after(found: &MatchTable, other: u32) -> f64 {
    let score = Away::new([1, other], false).expect("a score of the match");
    found.chance(Player::Light, Some(score), Player::Light)
}

/// Writes the chances by the points that the player and the opponent need.
fn write_matches(name: &str, found: &MatchTable, out: &mut Out) -> Result<()> {
    let points = found.points();
    writeln!(
        out,
        "{name}: the chance to win a match in percent, by the points that a player (down) and"
    )?;
    writeln!(
        out,
        "the opponent (across) need; at one point in the Crawford game, and after it below"
    )?;
    let row = |cell: &dyn Fn(u32) -> String| (1..=points).map(cell).collect::<Vec<_>>().join(" ");
    let chance = |value: f64| format!("{:>7.4}", 100.0 * value);
    writeln!(out, "      {}", row(&|other| format!("{other:>7}")))?;
    for own in 1..=points {
        writeln!(out, "{own:>5} {}", row(&|other| chance(before(found, own, other))))?;
    }
    Ok(writeln!(out, "after {}", row(&|other| chance(after(found, other))))?)
}
