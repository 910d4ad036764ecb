//! What a position is worth with a doubling cube, for money or in a match.

use anyhow::Result;
use puabi_core::{Away, Cube, Player, Position, Roll, Rules, Stakes};
use puabi_engine::{CubeAction, CubeAnswer, CubeChoice};
use puabi_server::Language;
use puabi_tables::Precision;

use crate::commands::cube::cap;
use crate::output::Out;
use crate::output::text::{self, t};
use crate::play::doubling::stakes_words;
use crate::style::Style;
use crate::tables::cube::CubeValues;

/// What a game is played for, as the user says it.
#[derive(Debug, Clone, Copy, clap::Args)]
pub(crate) struct StakesArgs {
    /// Values a game with a doubling cube: 1 if it is in the middle, or else its value and owner, as in 2:light
    #[arg(long, value_name = "CUBE")]
    cube: Option<Cube>,
    /// The score of a match: the points that light and dark need, as in 3-5; 1-4:crawford is the Crawford game
    #[arg(long = "match", value_name = "SCORE")]
    score: Option<Away>,
    /// The value at which the cube can no longer be doubled, in a game for money [default: 64]
    #[arg(long, value_name = "VALUE", value_parser = cap, conflicts_with = "score")]
    cap: Option<u32>,
}

impl StakesArgs {
    /// Returns the stakes of the game, if the user gives any.
    pub(crate) fn stakes(self) -> Result<Option<Stakes>> {
        Ok(Stakes::from_parts(self.cube, self.score, self.cap)?)
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
    write(rules, &answer, values.precision(), style, out)
}

/// Formats a worth: points with a sign, or a chance to win the match, with as many digits as values of this precision have.
fn worth(stakes: Stakes, worth: f64, precision: Precision, language: Language) -> String {
    let points = match precision {
        Precision::F64 => 10,
        Precision::F32 => 6,
        Precision::U16 => 4,
    };
    language.number(match stakes.score {
        Some(_) => text::percent_as(worth, precision),
        None => format!("{worth:+.points$}"),
    })
}

/// Formats a difference of worths: points of money, or points of a hundred of the match.
pub(crate) fn cost(stakes: Stakes, cost: f64, language: Language) -> String {
    language.number(if stakes.score.is_some() {
        format!("{:.4} %", cost * 100.0)
    } else {
        format!("{cost:.6}")
    })
}

fn write(
    rules: &Rules,
    answer: &CubeAnswer,
    precision: Precision,
    style: Style,
    out: &mut Out,
) -> Result<()> {
    let (stakes, turn, language) = (answer.stakes, answer.position.turn, style.language);
    writeln!(out, "{}  {}  {}", answer.rules, answer.position, stakes_words(stakes, language))?;
    style.position(rules, &answer.position, out)?;
    let (player, amount) =
        (language.translate(turn), worth(stakes, answer.worth, precision, language));
    let said = match stakes.score {
        Some(_) => t!(language, "{player} wins the match with {chance}", player, chance = amount),
        None => t!(language, "{player} wins {points} points on average", player, points = amount),
    };
    writeln!(out, "{said}")?;
    let choice = CubeChoice { rolling: answer.rolling, double: answer.double };
    for line in choice_lines(choice, stakes, turn, (precision, language)) {
        writeln!(out, "{line}")?;
    }
    for roll in &answer.rolls {
        let chance = language.number(text::percent(roll.chance));
        let heading = t!(language, "roll {roll}, {chance}", roll = roll.roll, chance);
        writeln!(out, "\n{heading}")?;
        let best = roll.moves[0].value;
        for option in &roll.moves {
            let tiles = text::left(&style.tiles(rules, turn, option.action), 9);
            let own = worth(stakes, option.value, precision, language);
            let costs = if option.value >= best {
                String::new()
            } else {
                let cost = cost(stakes, best - option.value, language);
                format!("  {}", t!(language, "costs {cost}", cost))
            };
            writeln!(out, "  {tiles} {own}{costs}")?;
        }
    }
    Ok(())
}

/// Returns lines with the worth and the cost of each choice of `turn` with the cube, by values of this precision.
pub(crate) fn choice_lines(
    choice: CubeChoice,
    stakes: Stakes,
    turn: Player,
    (precision, language): (Precision, Language),
) -> Vec<String> {
    let [player, other] = [turn, turn.opponent()].map(|player| language.translate(player));
    let Some(double) = choice.double else {
        let why = match stakes.double(turn) {
            Err(error) => language.translate(error),
            Ok(_) => t!(language, "the match is won with the cube as it is"),
        };
        return vec![t!(language, "{player} does not double: {why}", player, why)];
    };
    let line = |what: String, own: f64, costs: f64, who: &str| {
        let costs = if costs > 1e-12 {
            let cost = cost(stakes, costs, language);
            format!("  {}", t!(language, "costs {player} {cost}", player = who, cost))
        } else {
            String::new()
        };
        let own = worth(stakes, own, precision, language);
        format!("  {} {own}{costs}", text::left(&what, 13))
    };
    let least = double.worth();
    let said = advice(choice, least, stakes, [&player, &other], language);
    vec![
        line(t!(language, "no double"), choice.rolling, choice.worth() - choice.rolling, &player),
        line(t!(language, "double, take"), double.take, double.take - least, &other),
        line(t!(language, "double, pass"), double.pass, double.pass - least, &other),
        said,
    ]
}

/// Returns what perfect players do with the cube and, if they do not double, what a double would cost. `least` is the worth of a
/// double.
fn advice(
    choice: CubeChoice,
    least: f64,
    stakes: Stakes,
    [player, other]: [&str; 2],
    language: Language,
) -> String {
    match choice.action() {
        CubeAction::NoDouble if choice.rolling - least <= 1e-12 => {
            t!(language, "perfect players: no double")
        }
        CubeAction::NoDouble => {
            let cost = cost(stakes, (choice.rolling - least).max(0.0), language);
            t!(language, "perfect players: no double; a double costs {player} {cost}", player, cost)
        }
        CubeAction::DoubleTake => {
            t!(language, "perfect players: {player} doubles, and {other} takes", player, other)
        }
        _ => t!(language, "perfect players: {player} doubles, and {other} passes", player, other),
    }
}
