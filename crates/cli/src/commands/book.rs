//! `ur book`: the opening book of perfect players.

use anyhow::Result;
use puabi_core::{Player, Rules};
use puabi_server::Language;
use puabi_study::{Book, Choice, DecisionList, Worth};
use serde::Serialize;

use crate::output::{Out, text};
use crate::style::{Signs, Style};
use crate::{notation, tables};

/// Arguments of `ur book`.
#[derive(Debug, clap::Args)]
#[command(after_help = include_str!("../../help/book.txt"))]
pub(crate) struct BookArgs {
    /// The rule set
    rules: String,
    /// Plies from the start of the game
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=40))]
    plies: u32,
    /// Choices to show, the most frequent ones
    #[arg(long, value_name = "N", default_value_t = 30)]
    choices: usize,
    /// Ignores positions that fewer than this share of games reach at a ply
    #[arg(long, value_name = "CHANCE", default_value_t = 1e-4, value_parser = chance)]
    least: f64,
    /// Prints JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    signs: Signs,
}

fn chance(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| (1e-6..=1.0).contains(number));
    number.ok_or_else(|| "expected a chance from 0.000001 to 1, such as 0.0001".into())
}

#[derive(Debug, Serialize)]
struct Shown {
    rules: String,
    plies: u32,
    /// The share of games that stay among the positions that were followed.
    covered: f64,
    choices: Vec<Line>,
    /// Rules of thumb for all choices, in the order in which they are best asked.
    list: DecisionList,
}

/// A choice: the position with light to move, and how often a game meets it.
#[derive(Debug, Serialize)]
struct Line {
    position: String,
    often: f64,
    /// The best first.
    moves: Vec<Judged>,
}

/// A move, the chance of the player who makes it, and what it gives away.
#[derive(Debug, Serialize)]
struct Judged {
    #[serde(rename = "move")]
    action: String,
    #[serde(skip)]
    tiles: String,
    value: f64,
    cost: f64,
}

pub(crate) fn run(args: &BookArgs, out: &mut Out) -> Result<()> {
    let rules = notation::rules(&args.rules)?;
    let style = Style { signs: args.signs, language: Language::English };
    let table = tables::obtain(&rules, style.language)?;
    tables::tell_rounded(&table);
    let find = |values: puabi_engine::SharedEvaluator<'_>| {
        Book::new(&rules, values, args.plies, args.least)
    };
    let book = tables::with_values(&table, find)?;
    let list = DecisionList::of(&book, &rules);
    let Book { choices, covered } = book;
    let met = choices.len();
    let line = |choice: &Choice| Line::new(&rules, style, choice);
    let choices: Vec<_> = choices.iter().take(args.choices).map(line).collect();
    let shown =
        Shown { rules: rules.rule_set().to_string(), plies: args.plies, covered, choices, list };
    if args.json { out.json(&shown) } else { shown.write(met, out) }
}

impl Line {
    fn new(rules: &Rules, style: Style, choice: &Choice) -> Self {
        let mut setup = rules.setup(choice.position, Player::Light);
        setup.roll = Some(choice.roll);
        let moves = choice.moves.iter().map(|judged| Judged {
            action: judged.action.to_string(),
            tiles: style.tiles(rules, Player::Light, judged.action),
            value: judged.value,
            cost: choice.cost(judged),
        });
        Self { position: setup.to_string(), often: choice.often, moves: moves.collect() }
    }
}

impl Shown {
    fn write(&self, met: usize, out: &mut Out) -> Result<()> {
        let Self { rules, plies, covered, choices, list } = self;
        let first = if *plies == 1 { "ply" } else { &format!("{plies} plies") };
        writeln!(out, "{rules}: what perfect players choose in the first {first}")?;
        writeln!(out, "often     position and roll, light to move")?;
        for Line { position, often, moves } in choices {
            writeln!(out, "{:>8}  {position}", text::percent(*often))?;
            for Judged { action, tiles, value, cost } in moves {
                let cost =
                    if *cost > 0.0 { format!("{:+8.2}", -cost * 100.0) } else { String::new() };
                let value = text::percent(*value);
                writeln!(out, "            {action:<7} {tiles:<9} {value:>8}{cost}")?;
            }
        }
        let (shown, met) = (text::count(choices.len() as u64), text::count(met as u64));
        writeln!(
            out,
            "{shown} of {met} choices; {} of games stay among them",
            text::percent(*covered)
        )?;
        write_list(list, out)
    }
}

/// Writes the rules of thumb. Each line also has the loss a game and the share of right choices of the list up to this rule.
fn write_list(list: &DecisionList, out: &mut Out) -> Result<()> {
    writeln!(
        out,
        "\nof the legal moves keep those that, in this order:          lost a game  right"
    )?;
    let mut row = |what: &str, lost: f64, right: f64| {
        writeln!(
            out,
            "  {what:<58} {:>10.2} {:>6}",
            lost * 100.0,
            format!("{:.0} %", right * 100.0)
        )
    };
    for rule in &list.rules {
        row(rule.keeps.wish(), rule.lost, rule.right)?;
    }
    let Worth { lost, right } = list.by_chance;
    row("(none of these: a move by chance)", lost, right)
}
