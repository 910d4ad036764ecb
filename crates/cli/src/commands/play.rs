//! `ur play`: a game at the terminal, between people, bots, or both.

mod console;
pub(crate) mod file;
mod session;

use std::env;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::ValueEnum;
use puabi_core::{Game, Player, Record, Rules};
use puabi_engine::{Pair, Roster, Seat, Sitting};

use crate::drawing::Pen;
use crate::{Outcome, notation, tables, tui};
use console::Console;
use file::GameFile;
use session::Session;

/// Arguments of `ur play`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
At a terminal the game takes the whole screen; ? lists its keys.
With --plain, or without a terminal, it is played in lines of text. At every prompt:
h hint, v value, u undo, s save, q quit, ? help.
The game is kept after every move; --resume goes on with it.

Examples:
  ur play finkel
  ur play finkel --against elo:1400
  ur play blitz --against greedy --seed 7
  ur play finkel --light human --dark human --dice manual
  ur play finkel:3 --light perfect --dark random
  ur play --resume game.urg")]
pub(crate) struct Args {
    /// The rule set
    #[arg(required_unless_present = "resume", conflicts_with = "resume")]
    rules: Option<String>,
    /// Who plays light, and moves first: human or an agent, see `ur agents` [default: human]
    #[arg(long, value_name = "WHO")]
    light: Option<Seat>,
    /// Who plays dark [default: perfect, or the best without a table if there can be none]
    #[arg(long, value_name = "WHO")]
    dark: Option<Seat>,
    /// Who plays against you: an agent, such as elo:1400
    #[arg(long, value_name = "WHO", conflicts_with_all = ["light", "dark", "resume"])]
    against: Option<Seat>,
    /// The seed of the dice; the same seed gives the same dice [default: a new one]
    #[arg(long, value_name = "N", conflicts_with = "resume")]
    seed: Option<u64>,
    /// Who throws the dice [default: auto]
    #[arg(long, value_name = "auto|manual")]
    dice: Option<DiceBy>,
    /// Goes on with a game that was kept
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
    /// Where the game is kept [default: a file in the data directory]
    #[arg(long, value_name = "FILE", conflicts_with = "resume")]
    save: Option<PathBuf>,
    /// Plays in lines of text, not on the whole screen
    #[arg(long)]
    plain: bool,
    #[command(flatten)]
    pen: Pen,
}

/// A game that is about to be played: who plays, how it is shown and kept.
#[derive(Debug)]
pub(crate) struct Opening {
    /// The game, who plays it and the seed of the dice.
    pub(crate) sitting: Sitting,
    /// Who throws.
    pub(crate) dice: DiceBy,
    /// How boards are drawn.
    pub(crate) pen: Pen,
    /// Where the game is kept.
    pub(crate) file: GameFile,
}

/// Who throws the dice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DiceBy {
    /// The program does
    Auto,
    /// You do, with real dice, and type the rolls
    Manual,
}

impl DiceBy {
    /// The header of records that says who throws.
    const HEADER: &str = "dice";

    const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Manual => "manual",
        }
    }
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<Outcome> {
    let opening = args.open()?;
    if has_screen() && !args.plain {
        return tui::run(opening, out);
    }
    Session::new(opening, Console::new(io::stdin().lock(), out)).run()
}

/// Returns whether there is a terminal on both ends whose cursor can be moved.
fn has_screen() -> bool {
    let is_dumb = env::var_os("TERM").is_some_and(|name| name == "dumb");
    io::stdin().is_terminal() && io::stdout().is_terminal() && !is_dumb
}

impl Args {
    fn open(&self) -> Result<Opening> {
        let (mut record, file) = match &self.resume {
            Some(path) => (file::read(path)?, GameFile::at(path.clone())),
            None => self.begin()?,
        };
        let dice = self.dice.unwrap_or(match record.header(DiceBy::HEADER) {
            Some("manual") => DiceBy::Manual,
            _ => DiceBy::Auto,
        });
        let [light, dark] = Player::BOTH.map(|player| self.seat(player, &record));
        let seats = Pair { light, dark };
        for player in Player::BOTH {
            if seats[player] != Seat::Human || record.header(player.name()).is_none() {
                record.set_header(player.name(), &seats[player].to_string())?;
            }
        }
        record.set_header(DiceBy::HEADER, dice.name())?;
        let seed = record.seed().unwrap_or_else(rand::random);
        record.set_header("seed", &seed.to_string())?;
        Ok(Opening { sitting: Sitting::new(record, seats, seed), dice, pen: self.pen, file })
    }

    fn begin(&self) -> Result<(Record, GameFile)> {
        let Some(text) = &self.rules else { bail!("no rule set is given") };
        if text == "-" {
            bail!("the rules cannot come from stdin: that is where your moves come from");
        }
        let rules = notation::rules(text)?;
        let seed = self.seed.unwrap_or_else(rand::random);
        let file = match &self.save {
            Some(path) => GameFile::at(path.clone()),
            None => GameFile::fresh(rules.rule_set(), seed)?,
        };
        let mut record = Record::new(Game::new(rules));
        record.set_header("seed", &seed.to_string())?;
        Ok((record, file))
    }

    /// Returns who plays: as asked for, else as the record says; a name that is no bot's is a person.
    fn seat(&self, player: Player, record: &Record) -> Seat {
        let asked = match player {
            Player::Light => self.light.clone(),
            Player::Dark => self.dark.clone().or_else(|| self.against.clone()),
        };
        let recorded =
            || record.header(player.name()).map(|name| name.parse().unwrap_or(Seat::Human));
        asked.or_else(recorded).unwrap_or_else(|| match player {
            Player::Light => Seat::Human,
            Player::Dark => opponent(record.game.rules()),
        })
    }
}

/// Returns who plays where nobody was asked for: the perfect player, or where its table cannot be had the strongest that
/// needs none.
fn opponent(rules: &Rules) -> Seat {
    if tables::can_be_had(rules) { Seat::PERFECT } else { Seat::Bot(Roster::champion(rules)) }
}
