//! What a position is worth with a doubling cube, for money or in a match.

use anyhow::{Result, bail};
use puabi_core::{Away, Cube, Player, Position, Roll, Rules, Stakes};
use puabi_engine::{CubeAction, CubeAnswer};

use crate::commands::cube::cap;
use crate::output::Out;
use crate::output::text;
use crate::style::Style;
use crate::tables::cube::CubeValues;

/// What a game is played for, as the user says it.
#[derive(Debug, Clone, Copy, clap::Args)]
pub(crate) struct StakesArgs {
    /// Values a game with a doubling cube: 1 for one in the middle, or its value and owner, as in 2:light
    #[arg(long, value_name = "CUBE")]
    cube: Option<Cube>,
    /// The score of a match: the points that light and dark need, as in 3-5; 1-4:crawford is the Crawford game
    #[arg(long = "match", value_name = "SCORE")]
    score: Option<Away>,
    /// The value of the cube that is not doubled, in a game for money [default: 64]
    #[arg(long, value_name = "VALUE", value_parser = cap, conflicts_with = "score")]
    cap: Option<u32>,
}

impl StakesArgs {
    /// Returns what the game is played for, if the user says that it is for anything.
    pub(crate) fn stakes(self) -> Result<Option<Stakes>> {
        let Self { cube, score, cap } = self;
        if let Some(score) = score {
            let stakes = Stakes::at(score);
            return Ok(Some(cube.map_or(Ok(stakes), |cube| stakes.with_cube(cube))?));
        }
        if cube.is_none() && cap.is_none() {
            return Ok(None);
        }
        let most = cap.unwrap_or(Cube::USUAL_CAP);
        let cube = cube.unwrap_or_else(|| Cube::new(most));
        if cube.value() > most {
            bail!("a cube at {}: expected {most} at most, its cap", cube.value());
        }
        Ok(Some(Stakes::money(cube.capped(most))))
    }
}

/// Shows what a position is worth at these stakes.
pub(super) fn run(
    rules: &Rules,
    (position, turn, roll): (Position, Player, Option<Roll>),
    stakes: Stakes,
    (json, style): (bool, Style),
    out: &mut Out,
) -> Result<()> {
    let values = CubeValues::obtain(rules, stakes)?;
    let answer =
        values.with(|values| CubeAnswer::new(rules, stakes, (position, turn), roll, values))?;
    if json {
        return out.json(&answer);
    }
    write(rules, &answer, style, out)
}

/// Formats a worth: points with a sign, or a chance to win the match.
pub(crate) fn worth(stakes: Stakes, worth: f64) -> String {
    if stakes.score.is_some() { text::exact_percent(worth) } else { format!("{worth:+.10}") }
}

/// Formats a difference of worths: points of money, or points of a hundred of the match.
pub(crate) fn cost(stakes: Stakes, cost: f64) -> String {
    if stakes.score.is_some() { format!("{:.4} %", cost * 100.0) } else { format!("{cost:.6}") }
}

fn write(rules: &Rules, answer: &CubeAnswer, style: Style, out: &mut Out) -> Result<()> {
    let (stakes, turn) = (answer.stakes, answer.position.turn);
    writeln!(out, "{}  {}  {stakes}", answer.rules, answer.position)?;
    style.position(rules, &answer.position, out)?;
    let told = worth(stakes, answer.worth);
    match stakes.score {
        Some(_) => writeln!(out, "{turn} wins the match with {told}")?,
        None => writeln!(out, "{turn} wins {told} points on average")?,
    }
    write_cube(answer, out)?;
    for roll in &answer.rolls {
        writeln!(out, "\nroll {}, {}", roll.roll, text::percent(roll.chance))?;
        let best = roll.moves[0].value;
        for option in &roll.moves {
            let tiles = text::left(&style.tiles(rules, turn, option.action), 9);
            let own = worth(stakes, option.value);
            let is_best = option.value >= best;
            let costs = if is_best {
                String::new()
            } else {
                format!("  costs {}", cost(stakes, best - option.value))
            };
            writeln!(out, "  {tiles} {own}{costs}")?;
        }
    }
    Ok(())
}

/// Writes what each choice with the cube is worth and costs.
fn write_cube(answer: &CubeAnswer, out: &mut Out) -> Result<()> {
    let (stakes, turn) = (answer.stakes, answer.position.turn);
    let opponent = turn.opponent();
    let Some(double) = answer.double else {
        let why = match stakes.double(turn) {
            Err(error) => error.to_string(),
            Ok(_) => "the match is won with the cube as it is".to_owned(),
        };
        return Ok(writeln!(out, "{turn} does not double: {why}")?);
    };
    let line = |out: &mut Out, what: &str, own: f64, costs: f64, who: Player| {
        let costs = if costs > 1e-12 {
            format!("  costs {who} {}", cost(stakes, costs))
        } else {
            String::new()
        };
        writeln!(out, "  {what:<14}{}{costs}", worth(stakes, own))
    };
    line(out, "no double", answer.rolling, answer.worth - answer.rolling, turn)?;
    line(out, "double, take", double.take, double.take - double.worth(), opponent)?;
    line(out, "double, pass", double.pass, double.pass - double.worth(), opponent)?;
    let said = match answer.action {
        CubeAction::NoDouble => {
            let costs = cost(stakes, (answer.rolling - double.worth()).max(0.0));
            format!("no double; a double costs {turn} {costs}")
        }
        CubeAction::DoubleTake => format!("{turn} doubles, and {opponent} takes"),
        _ => format!("{turn} doubles, and {opponent} passes"),
    };
    Ok(writeln!(out, "perfect players: {said}")?)
}
