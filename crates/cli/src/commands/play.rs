//! `ur play`: a game at the terminal, between people, bots, or both.

mod lines;

use std::env;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow, bail};
use lines::LineGame;
use puabi_core::{Away, Cube, Game, Player, Record, Stakes, wording};
use puabi_engine::{Pair, Seat, Session};

use crate::commands::cube::cap;
use crate::errors::{self, Advise};
use crate::options::EngineSettings;
use crate::output::text::t;
use crate::output::{Out, asking};
use crate::play::keeper::{self, Keeper};
use crate::play::{DiceBy, LocalGame};
use crate::style::Style;
use crate::{notation, tui};

/// Arguments of `ur play`.
#[derive(Debug, clap::Args)]
#[command(after_help = include_str!("../../help/play.txt"))]
pub(crate) struct PlayArgs {
    /// The rule set [default: finkel]
    #[arg(conflicts_with = "resume")]
    rules: Option<String>,
    /// Who plays light, and moves first: human or an agent, see `ur agents` [default: human]
    #[arg(long, value_name = "WHO")]
    light: Option<Seat>,
    /// Who plays dark [default: easy]
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
    /// Your name in the archive; given twice, the second is the other person's
    #[arg(long = "name", value_name = "NAME", value_parser = name_of_person)]
    names: Vec<String>,
    /// Goes on with a game that was kept: its number in the archive, or a file
    #[arg(long, value_name = "N|FILE")]
    resume: Option<String>,
    /// Keeps the game in this file, not in the archive
    #[arg(long, value_name = "FILE", conflicts_with = "resume")]
    save: Option<PathBuf>,
    /// Plays a match to this many points with a doubling cube, game after game
    #[arg(long = "match", value_name = "POINTS", value_parser = clap::value_parser!(u32).range(1..=i64::from(Away::MOST)), conflicts_with = "resume")]
    points: Option<u32>,
    /// Plays one game with a doubling cube that goes up to this value [default: 64]
    #[arg(long, value_name = "CAP", num_args = 0..=1, default_missing_value = "64", value_parser = cap, conflicts_with_all = ["points", "resume"])]
    cube: Option<u32>,
    /// Plays in lines of text, not on the whole screen
    #[arg(long)]
    plain: bool,
    #[command(flatten)]
    style: Style,
    #[command(flatten)]
    engines: EngineSettings,
}

pub(crate) fn run(args: &PlayArgs, out: &mut Out) -> Result<()> {
    let game = args.open()?;
    if has_screen() && !args.plain {
        return tui::run(game, args.style, out);
    }
    LineGame::new(game, args.style, out).run()
}

/// Returns whether stdin and stdout are a terminal whose cursor can be moved.
fn has_screen() -> bool {
    let is_dumb = env::var_os("TERM").is_some_and(|name| name == "dumb");
    io::stdin().is_terminal() && io::stdout().is_terminal() && !is_dumb
}

/// Reads the name of a person.
fn name_of_person(text: &str) -> Result<String, String> {
    if Seat::is_name_of_person(text) {
        return Ok(text.to_owned());
    }
    Err(format!("expected {}, not the name of an agent", wording::names(Seat::MAX_NAME)))
}

impl PlayArgs {
    fn open(&self) -> Result<LocalGame> {
        let (mut record, keeper) = match &self.resume {
            Some(place) => Keeper::resume(place)?,
            None => self.begin()?,
        };
        let dice = self.dice.unwrap_or(match record.header(DiceBy::HEADER) {
            Some("manual") => DiceBy::Manual,
            _ => DiceBy::Auto,
        });
        let [light, dark] = Player::BOTH.map(|player| self.seat(player, &record));
        let seats = Pair { light: light?, dark: dark? };
        self.name(&seats, &mut record)?;
        if self.dice.is_some() || goes_on(&record) {
            record.set_header(DiceBy::HEADER, dice.name())?;
        }
        let seed = record.seed().unwrap_or_else(rand::random);
        // A roll that was thrown before comes from no seed, or from another one.
        if record.game.plies().is_empty() && record.game.thrown().is_none() {
            record.set_header("seed", &seed.to_string())?;
        }
        let session = Session::new(record, seats, seed);
        let engines = self.engines.engines(session.bots(), |_| ())?;
        Ok(LocalGame::new(session, dice, keeper, engines))
    }

    /// Writes the names of the players into the record. If the game is over, it writes only those of seats that the user has
    /// chosen.
    fn name(&self, seats: &Pair<Seat>, record: &mut Record) -> Result<()> {
        let (human, mut names) = (Seat::Human.to_string(), self.names.iter());
        let goes_on = goes_on(record);
        for player in Player::BOTH {
            if !goes_on && self.chosen(player).is_none() {
                continue;
            }
            let known = record.header(player.name()).filter(|name| *name != human);
            let name = match (&seats[player], known) {
                (bot @ Seat::Bot(_), _) => bot.to_string(),
                // A person's name in the record stays: a new name must not replace it.
                (Seat::Human, Some(_)) => continue,
                (Seat::Human, None) => names.next().cloned().unwrap_or_else(|| human.clone()),
            };
            record.set_header(player.name(), &name)?;
        }
        names.next().map_or(Ok(()), |name| {
            Err(anyhow!("`{name}` has no seat: expected a name for each person without one"))
        })
    }

    fn begin(&self) -> Result<(Record, Keeper)> {
        let text = self.rules.as_deref().unwrap_or("finkel");
        if text == "-" {
            bail!("the rules cannot come from stdin: that is where your moves come from");
        }
        let rules = notation::rules(text)?;
        let seed = self.seed.unwrap_or_else(rand::random);
        let keeper = match &self.save {
            Some(path) => self.file(path)?,
            None => Keeper::archive()?,
        };
        let mut record = Record::new(Game::new(rules));
        record.set_header("seed", &seed.to_string())?;
        record.set_stakes(self.stakes()?);
        Ok((record, keeper))
    }

    /// Returns a file as the place of the game. If stdin is a terminal, it asks before it replaces a game in the file.
    fn file(&self, path: &Path) -> Result<Keeper> {
        let keeper = Keeper::file(path)?;
        if io::stdin().is_terminal() && keeper::read_file(path).is_ok() {
            let path = path.display();
            let question = t!(self.style.language, "{path} holds a game: replace it? y or n", path);
            errors::answer(asking::is_agreed(question)?)?;
        }
        Ok(keeper)
    }

    /// Returns the stakes of the game, if the user wants a cube.
    fn stakes(&self) -> Result<Option<Stakes>> {
        Ok(match (self.points, self.cube) {
            (Some(points), _) => Some(Stakes::of_match(Away::start(points)?)),
            (None, Some(cap)) => Some(Stakes::money(Cube::new(cap))),
            (None, None) => None,
        })
    }

    /// Returns the seat that the user has chosen for `player`.
    fn chosen(&self, player: Player) -> Option<&Seat> {
        match player {
            Player::Light => self.light.as_ref(),
            Player::Dark => self.dark.as_ref().or(self.against.as_ref()),
        }
    }

    /// Returns the seat of `player`: the user's choice, or else that of the record. A name that is not an agent's is a person's.
    ///
    /// A record may come from anywhere, so it starts no program.
    fn seat(&self, player: Player, record: &Record) -> Result<Seat> {
        let chosen = self.chosen(player);
        let recorded =
            || record.header(player.name()).map(|name| name.parse().unwrap_or(Seat::Human));
        if let (None, Some(Seat::Bot(spec))) = (chosen, recorded())
            && spec.command().is_some()
        {
            let player = player.name();
            return Err(anyhow!(
                "the record names `{spec}` for {player}, and a record starts no program"
            ))
            .hint(|| format!("--{player} names who plays: a program, if you trust it"));
        }
        Ok(chosen.cloned().or_else(recorded).unwrap_or_else(|| match player {
            Player::Light => Seat::Human,
            // A user who names no opponent may be playing for the first time.
            Player::Dark => "easy".parse().expect("an agent"),
        }))
    }
}

/// Returns whether a game is not over yet.
const fn goes_on(record: &Record) -> bool {
    !record.game.is_over() && record.ending.is_none()
}
