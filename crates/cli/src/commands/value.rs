//! `ur value`: what a position and every move in it are worth.

pub(crate) mod cubeful;
mod thoughts;

use std::sync::{Arc, OnceLock};

use anyhow::{Result, bail};
use puabi_core::{Player, Position, Roll, Rules, Setup};
use puabi_engine::{AgentSpec, Answer, RollAnswer, ValueSource};
use puabi_server::Language;
use puabi_solve::Options;
use puabi_tables::{Precision, Table};
use serde::Serialize;

use crate::output::text::{self, t};
use crate::output::{Out, wrapped};
use crate::style::Style;
use crate::tables::judge::Judge;
use crate::{notation, tables};
use cubeful::StakesArgs;
use thoughts::Thoughts;

/// Arguments of `ur value`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = include_str!("../../help/value.txt"),
    override_usage = "ur value [OPTIONS] [RULES] [POSITION]"
)]
pub(crate) struct ValueArgs {
    /// The rule set; finkel if only a position is given
    #[arg(value_name = "RULES", allow_hyphen_values = true, value_parser = no_option)]
    first: String,
    /// The position, with a roll or for every roll; the start if only a rule set is given
    #[arg(value_name = "POSITION", allow_hyphen_values = true, value_parser = no_option)]
    second: Option<String>,
    /// Shows how lucky each roll is, with its best move
    #[arg(long, conflicts_with = "json")]
    heat: bool,
    /// Computes bounds on both sides of the exact chance; takes half to four fifths as long as a solve
    #[arg(long, conflicts_with_all = ["heat", "search"])]
    bounds: bool,
    /// Judges by a search that looks this many moves ahead, not by the solved game [default for a game too large to solve: 2]
    #[arg(long, value_name = "DEPTH", num_args = 0..=1, default_missing_value = "2", value_parser = clap::value_parser!(u8).range(1..=i64::from(AgentSpec::MAX_DEPTH)))]
    search: Option<u8>,
    /// Shows what a quadratic brain sees of the position and of each move, and its scores
    #[arg(long, value_name = "NAME|FILE", conflicts_with_all = ["heat", "bounds", "search", "cube", "score", "cap"])]
    brain: Option<String>,
    #[command(flatten)]
    stakes: StakesArgs,
    /// Prints JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    style: Style,
}

/// The position in which a game begins.
const START: &str = "-:-:L";

/// Returns whether `text` means a position and not a rule set: a position begins with a square, `-`, `+` or `:`.
fn is_position(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_digit() || "-+:".contains(first))
}

/// Accepts a text that begins with a hyphen, as positions may, but not with two hyphens: that is a mistyped option.
fn no_option(text: &str) -> Result<String, String> {
    if text.starts_with("--") {
        return Err("there is no such option: `ur value --help` lists them".to_owned());
    }
    Ok(text.to_owned())
}

pub(crate) fn run(args: &ValueArgs, out: &mut Out) -> Result<()> {
    let first = &*args.first;
    let (rules, named, position) = match &args.second {
        Some(position) => (notation::rules(first)?, first, &**position),
        None => match notation::rules(first) {
            Ok(rules) => (rules, first, START),
            Err(_) if is_position(first) && !notation::is_file(first) => {
                (notation::rules("finkel")?, "finkel", first)
            }
            Err(error) => return Err(error),
        },
    };
    let (position, Setup { turn, roll, .. }) = notation::position(&rules, named, position)?;
    if let Some(name) = &args.brain {
        let thoughts = Thoughts::new(name, &rules, position, turn, roll)?;
        return if args.json {
            out.json(&thoughts)
        } else {
            // The thoughts of a brain are for people who train one, and are in English.
            thoughts.write(&rules, Style { language: Language::English, ..args.style }, out)
        };
    }
    if let Some(stakes) = args.stakes.stakes()? {
        if args.heat || args.bounds || args.search.is_some() {
            bail!(
                "a position with a cube has neither --heat nor --bounds, and no search judges it"
            );
        }
        return cubeful::run(&rules, (position, turn, roll), stakes, (args.json, args.style), out);
    }
    args.judge(&rules, (position, turn, roll), out)
}

impl ValueArgs {
    /// Prints what a position without a cube is worth.
    fn judge(
        &self,
        rules: &Rules,
        (position, turn, roll): (Position, Player, Option<Roll>),
        out: &mut Out,
    ) -> Result<()> {
        let judge = if self.bounds {
            Judge::Table(tables::obtain(rules, self.style.language)?.into())
        } else {
            Judge::obtain(&Arc::new(rules.clone()), self.search, self.style.language)?
        };
        let answer = judge.answer(rules, (position, turn), roll)?;
        let table = judge.table().filter(|_| self.bounds);
        let bounds = table.map(|table| bound(table, position)).transpose()?;
        let caveat = answer.source.caveat();
        let precision = judge.table().map_or(Precision::F64, |table| table.header().precision());
        if self.json {
            let precision = (precision != Precision::F64).then(|| precision.to_string());
            return out.json(&FullAnswer { answer, caveat, bounds, precision });
        }
        if self.heat {
            write_heat(rules, &answer, self.style, out)?;
        } else {
            write_answer(rules, (&answer, precision), self.style, out)?;
        }
        if let Some([lower, upper]) = bounds {
            let [lower, upper] = [lower, upper].map(|chance| chance * 100.0);
            writeln!(out, "\nbefore the roll, exactly: from {lower:.13} % to {upper:.13} %")?;
        }
        caveat.map_or(Ok(()), |caveat| {
            writeln!(out, "\n{}", wrapped(&self.style.language.translate(caveat)))
        })
    }
}

/// The values of a position, a caveat if they are estimates, and the bounds of the exact chance before the roll.
#[derive(Debug, Serialize)]
struct FullAnswer {
    #[serde(flatten)]
    answer: Answer,
    #[serde(skip_serializing_if = "Option::is_none")]
    caveat: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bounds: Option<[f64; 2]>,
    /// How the table stores values, if not as f64.
    #[serde(skip_serializing_if = "Option::is_none")]
    precision: Option<String>,
}

/// Returns the lower and the upper bound of the chance that the player about to roll wins.
fn bound(table: &Table, position: Position) -> Result<[f64; 2]> {
    let indexer = table.header().indexer();
    let index = indexer.rank(position);
    let found = OnceLock::new();
    tables::bound(table, Options::default().threads, &|at, a, b| {
        let sublayer = indexer.sublayers()[at];
        if let Some(place) = index.checked_sub(sublayer.base).filter(|&it| it < sublayer.len()) {
            let [a, b] = [a, b].map(|bounds| bounds[usize::try_from(place).expect("in memory")]);
            // Each sublayer is seen once.
            let _ = found.set([a.min(b), a.max(b)]);
        }
    })?;
    Ok(found.into_inner().expect("every position is in a sublayer"))
}

/// The columns of the longest bar.
const BAR: u8 = 30;

/// Writes each roll with its best move and its luck, in points and as a bar.
fn write_heat(rules: &Rules, answer: &Answer, style: Style, out: &mut Out) -> Result<()> {
    let turn = answer.position.turn;
    writeln!(out, "{}  {}", answer.rules, answer.position)?;
    let language = style.language;
    let (player, chance) = (language.translate(turn), language.number(text::percent(answer.value)));
    writeln!(out, "{}", t!(language, "{player} wins {chance} before the roll", player, chance))?;
    let luck = |roll: &RollAnswer| roll.moves[0].value - answer.value;
    let widest = answer.rolls.iter().map(|roll| luck(roll).abs()).fold(1e-9, f64::max);
    for roll in &answer.rolls {
        let (best, luck) = (&roll.moves[0], luck(roll));
        let sign = if luck < 0.0 { "-" } else { "+" };
        let length = luck.abs() / widest * f64::from(BAR);
        let bar = sign.repeat((0..BAR).filter(|&at| f64::from(at) < length).count());
        let tiles = text::left(&style.tiles(rules, turn, best.action), 9);
        let [chance, value] =
            [roll.chance, best.value].map(|chance| language.number(text::percent(chance)));
        let (roll, luck) = (roll.roll, language.number(text::points(luck)));
        writeln!(out, "{roll:>3} {chance:>8} {tiles} {value:>8} {luck:>7}  {bar}")?;
    }
    Ok(())
}

fn write_answer(
    rules: &Rules,
    (answer, precision): (&Answer, Precision),
    style: Style,
    out: &mut Out,
) -> Result<()> {
    let (turn, language) = (answer.position.turn, style.language);
    writeln!(out, "{}  {}", answer.rules, answer.position)?;
    style.position(rules, &answer.position, out)?;
    let player = language.translate(turn);
    let [exact, rounded] = [text::percent_as(answer.value, precision), text::percent(answer.value)]
        .map(|it| language.number(it));
    let wins = match answer.source {
        ValueSource::Table => t!(language, "{player} wins {chance}", player, chance = exact),
        ValueSource::Pocket { .. } | ValueSource::Search { .. } => {
            t!(language, "{player} wins about {chance}", player, chance = rounded)
        }
    };
    writeln!(out, "{wins}")?;
    for RollAnswer { roll, chance, moves } in &answer.rolls {
        let chance = language.number(text::percent(*chance));
        writeln!(out, "\n{}", t!(language, "roll {roll}, {chance}", roll, chance))?;
        for option in moves {
            writeln!(out, "  {}", style.option(rules, turn, option, moves[0].value))?;
        }
    }
    Ok(())
}
