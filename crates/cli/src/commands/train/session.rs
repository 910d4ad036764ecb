//! A run of training: steps with progress, measurements, the state on disk, and the result.

use std::fmt;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};
use puabi_core::{RuleSet, Rules};
use puabi_engine::{Model, SharedEvaluator};
use puabi_solve::SolveError;
use puabi_study::{Milestone, Samples, Standing, Trainer, learning_curve, standing};
use serde::{Deserialize, Serialize};

use crate::errors::Advise;
use crate::files;
use crate::notation;
use crate::options::Threads;
use crate::output::{status, text};
use crate::progress::Bar;

/// The options of every way of training.
#[derive(Debug, clap::Args)]
pub(super) struct Common {
    /// The rule set
    pub(super) rules: String,
    /// The file for the player
    #[arg(long, value_name = "FILE")]
    pub(super) out: PathBuf,
    /// The player to start from [default: one set by hand]
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// The seed of all random numbers
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub(super) seed: u64,
    /// Continues an earlier run with the same --out and with its options, to the number of steps that is given now
    #[arg(long)]
    pub(super) resume: bool,
    /// Draws strength by step
    #[arg(long, value_name = "FILE.svg")]
    pub(super) plot: Option<PathBuf>,
    /// Steps from one measurement of strength to the next
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) measure: Option<u64>,
    #[command(flatten)]
    pub(super) threads: Threads,
    /// Prints JSON
    #[arg(long)]
    pub(super) json: bool,
}

impl Common {
    /// Checks that the files of the run can be written, and replace no other files.
    pub(super) fn ensure_places(&self) -> Result<()> {
        // A linear model may be named like a rule file.
        files::ensure_name(&self.out)?;
        if let Some(plot) = &self.plot {
            let others = [Some(&self.out), self.from.as_ref()].into_iter().flatten();
            let others: Vec<_> = others.map(|path| path.display().to_string()).collect();
            files::ensure_picture(plot, "the chart, such as strength.svg", &others)?;
        }
        let is_player = |start: &[u8]| PLAYER_FILE_PREFIXES.iter().any(|it| start.starts_with(it));
        files::ensure_replaceable(&self.out, "trained player", is_player)
    }

    /// Returns the state that the run goes on from: that of an earlier run if the user wants it, or else an empty one. Returns an
    /// error if an empty state would replace that of a run that has not ended. `command` says how players are trained.
    pub(super) fn saved(&self, rules: &Rules, command: &str) -> Result<SavedTraining> {
        let (path, rules) = (self.saved_path(), rules.rule_set());
        let place = path.display();
        if self.resume {
            let text = files::read(&path).hint(
                || "--resume continues the training that an earlier run with the same --out saved",
            )?;
            return SavedTraining::read(&text, rules, command).doing("reading", place);
        }
        files::ensure_replaceable(&path, "saved training", SavedTraining::begins)?;
        match files::text_at(&path) {
            Ok(text) if !text.is_empty() && !SavedTraining::is_finished(&text) => {
                Err(anyhow!("{place} is the saved state of a training that has not ended"))
                    .hint(|| "--resume continues it; move it away to begin anew")
            }
            _ => {
                let (rules, command) = (rules.to_toml(), command.to_owned());
                Ok(SavedTraining { rules, command, ..SavedTraining::default() })
            }
        }
    }

    /// Returns the file of the state, beside that of the player.
    fn saved_path(&self) -> PathBuf {
        self.out.with_added_extension("training")
    }

    /// Returns the player to start from: the one in the file that the user names, or else the one set by hand.
    pub(super) fn start<M: Model>(&self, rules: &Rules) -> Result<M> {
        let Some(path) = &self.from else { return Ok(M::start(rules)) };
        M::read(&files::read(path)?, rules).with_context(|| path.display().to_string())
    }
}

/// The steps of a run.
#[derive(Debug, Clone, Copy)]
pub(super) struct Steps {
    /// The name of a step.
    pub(super) name: &'static str,
    /// The number of steps.
    pub(super) total: u64,
    /// The usual number of steps from one measurement to the next.
    pub(super) measure: u64,
}

/// A run of training.
pub(super) struct Run<'a> {
    common: &'a Common,
    pub(super) rules: &'a Rules,
    pub(super) exact: Option<SharedEvaluator<'a>>,
    /// The state that the run goes on from.
    pub(super) saved: SavedTraining,
    /// The decisions that measure strength; their seed differs from that of the training.
    exam: Option<Samples>,
}

/// The state that a later run continues from, in a file beside the player.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct SavedTraining {
    /// The text of a rule file, because rules with the same name may differ.
    rules: String,
    /// The command that trains, such as `ur train td`.
    #[serde(default)]
    command: String,
    #[serde(rename = "course")]
    trainer: String,
    milestones: Vec<Milestone>,
    /// The strongest player so far.
    best: Option<(Standing, String)>,
    /// The decisions that a fit learns from.
    pub(super) drawn: Option<Drawn>,
    /// Whether the player has been written, after all steps.
    #[serde(default)]
    is_finished: bool,
    /// The hash of all other fields.
    #[serde(default)]
    hash: String,
}

/// How the decisions that a fit learns from are drawn.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(super) struct Drawn {
    pub(super) seed: u64,
    pub(super) games: u64,
    pub(super) positions: u64,
}

impl SavedTraining {
    /// Returns whether a file that begins with these bytes is the file of a state, whole or damaged.
    fn begins(start: &[u8]) -> bool {
        start.starts_with(b"{\"rules\":")
    }

    /// Returns whether this is the text of a state after all steps.
    fn is_finished(text: &str) -> bool {
        serde_json::from_str(text).is_ok_and(|saved: Self| saved.is_finished)
    }

    /// Reads the state of a training for these rules by this command.
    fn read(text: &str, rules: &RuleSet, command: &str) -> Result<Self> {
        let saved: Self = serde_json::from_str(text).context("it is not a saved training")?;
        if saved.hash != saved.hashed()? {
            bail!(
                "the saved training is damaged, or from another version: it does not match its hash"
            );
        }
        if saved.command != command {
            bail!("the saved training is of `{}`: expected one of `{command}`", saved.command);
        }
        if saved.rules == rules.to_toml() {
            return Ok(Self { is_finished: false, ..saved });
        }
        match RuleSet::from_toml(&saved.rules) {
            Ok(found) if found.to_string() != rules.to_string() => {
                bail!("the saved training is for {found}, not for {rules}")
            }
            _ => bail!("the saved training is for other rules of the name {rules}"),
        }
    }

    fn hashed(&self) -> Result<String> {
        let rest = Self { hash: String::new(), ..self.clone() };
        Ok(blake3::hash(&serde_json::to_vec(&rest)?).to_hex().to_string())
    }
}

/// The result of a run.
#[derive(Debug, Serialize)]
pub(super) struct Summary {
    rules: String,
    steps: u64,
    seconds: f64,
    /// The strength of the first player, and of the one that is written.
    first: Option<Standing>,
    last: Option<Standing>,
    games: u64,
    milestones: Vec<Milestone>,
    #[serde(serialize_with = "text::shown")]
    out: PathBuf,
}

/// The number of positions whose decisions measure strength, the number of games against perfect play, and their seed, which no
/// training uses.
pub(super) const EXAM: (u64, u64, u64) = (20_000, 2_000, u64::MAX);

/// The first bytes of the files of brains and of linear models.
const PLAYER_FILE_PREFIXES: [&[u8]; 2] = [b"# rules: ", b"rules = "];

/// The time from one save of the state to the next.
const SAVE_INTERVAL: Duration = Duration::from_secs(15);

impl<'a> Run<'a> {
    pub(super) fn new(
        common: &'a Common,
        rules: &'a Rules,
        exact: Option<SharedEvaluator<'a>>,
        saved: SavedTraining,
    ) -> Result<Self> {
        let name = rules.rule_set();
        if exact.is_none() && saved.best.is_some() {
            return Err(anyhow!(
                "the strength of the saved training was measured, and {name} is not solved any more"
            ))
            .hint(|| format!("`ur solve {}` solves it", notation::word(name)));
        }
        if exact.is_none() {
            status(format_args!(
                "{name} is not solved: strength is not measured; `ur solve {}` solves it",
                notation::word(name)
            ));
        }
        let exam = exact.map(|exact| Samples::spread(rules, &exact, EXAM.0, EXAM.2)).transpose()?;
        Ok(Self { common, rules, exact, saved, exam })
    }

    /// Runs `trainer` to its last step and writes the strongest player.
    pub(super) fn complete(&self, mut trainer: impl Trainer, steps: Steps) -> Result<Summary> {
        let began = Instant::now();
        let every = self.common.measure.unwrap_or(steps.measure);
        let mut saved = self.saved.clone();
        if self.common.resume {
            let place = self.common.saved_path();
            trainer.resume(&saved.trainer).doing("reading", place.display())?;
        }
        // Reports a file that cannot be written before the work begins.
        self.save(&trainer, &mut saved)?;
        let bar = Bar::new(format!("training for {}", self.rules.rule_set()));
        let mut last_save = Instant::now();
        if trainer.done() == 0 {
            self.measure(&trainer, &mut saved, steps.name);
        }
        while trainer.done() < steps.total && bar.step(trainer.done(), steps.total).is_continue() {
            trainer.step();
            if trainer.done().is_multiple_of(every) || trainer.done() == steps.total {
                self.measure(&trainer, &mut saved, steps.name);
            }
            if last_save.elapsed() > SAVE_INTERVAL {
                self.save(&trainer, &mut saved)?;
                last_save = Instant::now();
            }
        }
        drop(bar);
        self.save(&trainer, &mut saved)?;
        if trainer.done() < steps.total {
            return Err(SolveError::Stopped).context("training");
        }
        let summary = self.finish(&trainer, &saved, steps.name, began.elapsed())?;
        saved.is_finished = true;
        self.save(&trainer, &mut saved)?;
        Ok(summary)
    }

    fn measure(&self, trainer: &impl Trainer, saved: &mut SavedTraining, name: &str) {
        let (Some(exact), Some(samples)) = (&self.exact, &self.exam) else { return };
        let (step, player) = (trainer.done(), trainer.player());
        let strength = standing(&player, samples, exact, EXAM.1);
        saved.milestones.push(Milestone { step, strength });
        if saved.best.as_ref().is_none_or(|(best, _)| strength.regret < best.regret) {
            saved.best = Some((strength, player.to_string()));
        }
        let (regret, wins) = (points(strength.regret), text::percent(strength.wins));
        status(format_args!("{name} {step}: regret {regret} points, {wins} against perfect"));
    }

    fn save(&self, trainer: &impl Trainer, saved: &mut SavedTraining) -> Result<()> {
        saved.trainer = trainer.keep()?;
        saved.hash = saved.hashed()?;
        files::write(&self.common.saved_path(), &serde_json::to_string(saved)?)
    }

    /// Writes the strongest player and the chart.
    fn finish(
        &self,
        trainer: &impl Trainer,
        saved: &SavedTraining,
        step: &str,
        time: Duration,
    ) -> Result<Summary> {
        let SavedTraining { milestones, best, .. } = saved.clone();
        let rules = self.rules.rule_set().to_string();
        let (last, player) = best.unzip();
        let out = self.common.out.clone();
        files::write(&out, &player.unwrap_or_else(|| trainer.player().to_string()))?;
        if let Some(path) = &self.common.plot {
            let title = format!("{rules}: {}", out.display());
            files::write(path, &learning_curve(&title, step, &milestones)?)?;
        }
        let (steps, seconds) = (trainer.done(), time.as_secs_f64());
        let first = milestones.first().map(|milestone| milestone.strength);
        Ok(Summary { rules, steps, seconds, first, last, games: EXAM.1, milestones, out })
    }
}

/// Formats a chance that is given away, in points of a hundred.
fn points(regret: f64) -> String {
    text::rounded(regret * 100.0, 4)
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let time = text::seconds(self.seconds);
        let steps = text::counted(self.steps, "step", "steps");
        writeln!(f, "{}: {steps} in {time}", self.rules)?;
        if let (Some(first), Some(last)) = (self.first, self.last) {
            let [before, after] = [first.regret, last.regret].map(points);
            writeln!(f, "regret       {after} points a decision; it began with {before}")?;
            let [before, after] = [first.wins, last.wins].map(text::percent);
            let of = format!("of {} games against perfect", text::count(self.games));
            writeln!(f, "wins         {after} {of}; it began with {before}")?;
        }
        writeln!(f, "written to   {}", self.out.display())
    }
}
