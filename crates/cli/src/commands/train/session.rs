//! A run of training: steps with progress, measurements, the state on disk, and the result.

use std::fmt;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use puabi_core::Rules;
use puabi_engine::SharedEvaluator;
use puabi_solve::{SolveError, Watch};
use puabi_study::{AgainstExact, Chart, Milestone, Samples, Standing, Trainer};
use serde::{Deserialize, Serialize};

use super::common::Common;
use crate::errors::Advise;
use crate::files;
use crate::output::{status, text};
use crate::progress::Bar;

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
pub(super) struct Training<'a> {
    common: &'a Common,
    pub(super) rules: &'a Rules,
    pub(super) exact: Option<SharedEvaluator<'a>>,
    /// The decisions that measure strength; their seed is another one than that of the training.
    exam: Option<Samples>,
}

/// The state that a later run continues from, in a file beside the player.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Kept {
    rules: String,
    course: String,
    milestones: Vec<Milestone>,
    /// The strongest player so far.
    best: Option<(Standing, String)>,
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
    out: PathBuf,
}

/// The positions whose decisions measure strength, the games against perfect play, and their seed.
const EXAM: (u64, u64, u64) = (20_000, 2_000, u64::MAX);

/// The time from one save of the state to the next.
const KEEPING: Duration = Duration::from_secs(15);

impl<'a> Training<'a> {
    pub(super) fn new(
        common: &'a Common,
        rules: &'a Rules,
        exact: Option<SharedEvaluator<'a>>,
    ) -> Result<Self> {
        if exact.is_none() {
            let name = rules.rule_set();
            status(format_args!(
                "{name} is not solved: strength is not measured; `ur solve {name}` solves it"
            ));
        }
        let exam = exact.map(|exact| Samples::spread(rules, &exact, EXAM.0, EXAM.2)).transpose()?;
        Ok(Self { common, rules, exact, exam })
    }

    /// Runs `course` to its last step and writes the strongest player.
    pub(super) fn run<C: Trainer>(&self, mut course: C, steps: Steps) -> Result<Summary> {
        let began = Instant::now();
        let every = self.common.measure.unwrap_or(steps.measure);
        let mut kept = self.begin(&mut course)?;
        let bar = Bar::new(format!("training for {}", self.rules.rule_set()));
        let mut saved = Instant::now();
        if course.done() == 0 {
            self.measure(&course, &mut kept, steps.name);
        }
        while course.done() < steps.total {
            if bar.stop() {
                self.keep(&course, &mut kept)?;
                return Err(SolveError::Stopped).context("training");
            }
            course.step();
            bar.progress(course.done(), steps.total);
            if course.done().is_multiple_of(every) || course.done() == steps.total {
                self.measure(&course, &mut kept, steps.name);
            }
            if saved.elapsed() > KEEPING {
                self.keep(&course, &mut kept)?;
                saved = Instant::now();
            }
        }
        drop(bar);
        self.keep(&course, &mut kept)?;
        self.finish(&course, kept, steps, began.elapsed())
    }

    fn begin(&self, course: &mut impl Trainer) -> Result<Kept> {
        let (path, rules) = (self.kept_path(), self.rules.rule_set().to_string());
        if !self.common.resume {
            return Ok(Kept { rules, ..Kept::default() });
        }
        let reading = || format!("reading {}", path.display());
        let text = files::read(&path)
            .hint(|| "--resume goes on with what an earlier run with the same --out kept")?;
        let kept: Kept = serde_json::from_str(&text).with_context(reading)?;
        if kept.rules != rules {
            bail!("{}: what is kept is for {}, not for {rules}", path.display(), kept.rules);
        }
        course.resume(&kept.course).with_context(reading)?;
        Ok(kept)
    }

    fn measure<C: Trainer>(&self, course: &C, kept: &mut Kept, name: &str) {
        let (Some(exact), Some(exercises)) = (&self.exact, &self.exam) else { return };
        let player = course.player();
        let strength = AgainstExact { samples: exercises, exact, games: EXAM.1 }.strength(&player);
        kept.milestones.push(Milestone { step: course.done(), strength });
        if kept.best.as_ref().is_none_or(|(best, _)| strength.regret < best.regret) {
            kept.best = Some((strength, player.to_string()));
        }
        let (step, Standing { regret, wins }) = (course.done(), strength);
        let (regret, wins) = (regret * 100.0, text::percent(wins));
        status(format_args!("{name} {step}: regret {regret:.4} points, {wins} against perfect"));
    }

    fn keep(&self, course: &impl Trainer, kept: &mut Kept) -> Result<()> {
        kept.course = course.keep()?;
        files::replace(&self.kept_path(), &serde_json::to_string(kept)?)
    }

    /// Returns the file of the state, beside that of the player.
    fn kept_path(&self) -> PathBuf {
        self.common.out.with_added_extension("training")
    }

    fn finish(
        &self,
        course: &impl Trainer,
        kept: Kept,
        steps: Steps,
        time: Duration,
    ) -> Result<Summary> {
        let player = match &kept.best {
            Some((_, text)) => text.clone(),
            None => course.player().to_string(),
        };
        files::replace(&self.common.out, &player)?;
        if let Some(path) = &self.common.plot {
            let title = format!("{}: {}", self.rules.rule_set(), self.common.out.display());
            let chart = Chart { title: &title, step: steps.name };
            files::replace(path, &chart.svg(&kept.milestones)?)?;
        }
        Ok(Summary {
            rules: self.rules.rule_set().to_string(),
            steps: course.done(),
            seconds: time.as_secs_f64(),
            first: kept.milestones.first().map(|milestone| milestone.strength),
            last: kept.best.map(|(strength, _)| strength),
            games: EXAM.1,
            milestones: kept.milestones,
            out: self.common.out.clone(),
        })
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (rules, steps) = (&self.rules, self.steps);
        let time = text::seconds(self.seconds);
        writeln!(f, "{rules}: {steps} steps in {time}")?;
        if let (Some(first), Some(last)) = (self.first, self.last) {
            let (before, after) = (first.regret * 100.0, last.regret * 100.0);
            writeln!(f, "regret       {after:.4} points a decision; it began with {before:.4}")?;
            let (before, after) = (text::percent(first.wins), text::percent(last.wins));
            let games = text::count(self.games);
            writeln!(
                f,
                "wins         {after} of {games} games against perfect; it began with {before}"
            )?;
        }
        writeln!(f, "written to   {}", self.out.display())
    }
}
