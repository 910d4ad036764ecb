//! A training session: steps with progress, measurements, what is kept, and the result.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow};
use puabi_core::Rules;
use puabi_engine::SharedEvaluator;
use puabi_solve::{SolveError, Watch};
use puabi_study::{AgainstExact, Chart, Course, Exercises, Milestone, Standing, Yardstick};
use serde::{Deserialize, Serialize};

use super::Common;
use crate::complaint::Advise;
use crate::watch::Bar;
use crate::{talk, text};

/// The steps of a session.
#[derive(Debug, Clone, Copy)]
pub(super) struct Steps {
    /// What a step is called.
    pub(super) name: &'static str,
    /// Steps to go.
    pub(super) total: u64,
    /// Steps from one measurement to the next, where the user does not say.
    pub(super) measure: u64,
}

/// A training session.
pub(super) struct Session<'a> {
    common: &'a Common,
    rules: &'a Rules,
    steps: Steps,
    exact: Option<SharedEvaluator<'a>>,
    /// The decisions that strength is measured on; other seeds than those that are learnt from.
    exam: Option<Exercises>,
}

/// What is kept between two runs, beside the file that the player goes to.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Kept {
    rules: String,
    course: String,
    milestones: Vec<Milestone>,
    /// The strongest player so far.
    best: Option<(Standing, String)>,
}

/// What a session tells at its end.
#[derive(Debug, Serialize)]
struct Summary<'s> {
    rules: String,
    steps: u64,
    seconds: f64,
    /// The strength of what it began with, and of what is written.
    first: Option<Standing>,
    last: Option<Standing>,
    games: u64,
    milestones: &'s [Milestone],
    out: &'s Path,
}

/// Positions whose decisions are measured, games against perfect play, and their seed.
const EXAM: (u64, u64, u64) = (20_000, 2_000, u64::MAX);

/// How often a session that goes on is kept.
const KEEPING: Duration = Duration::from_secs(15);

impl<'a> Session<'a> {
    pub(super) fn new(
        common: &'a Common,
        rules: &'a Rules,
        steps: Steps,
        exact: Option<SharedEvaluator<'a>>,
    ) -> Result<Self> {
        if exact.is_none() {
            let name = rules.rule_set();
            talk(&format!(
                "{name} is not solved: strength is not measured; `ur solve {name}` solves it"
            ));
        }
        let steps = Steps { measure: common.measure.unwrap_or(steps.measure), ..steps };
        let exam =
            exact.map(|exact| Exercises::spread(rules, &exact, EXAM.0, EXAM.2)).transpose()?;
        Ok(Self { common, rules, steps, exact, exam })
    }

    /// Takes `course` to its last step and writes the strongest player.
    pub(super) fn run<C: Course>(&self, mut course: C, out: &mut Vec<u8>) -> Result<()> {
        let began = Instant::now();
        let mut kept = self.begin(&mut course)?;
        let bar = Bar::new(format!("training for {}", self.rules.rule_set()));
        let mut saved = Instant::now();
        if course.done() == 0 {
            self.measure(&course, &mut kept);
        }
        while course.done() < self.steps.total {
            if bar.stop() {
                self.keep(&course, &mut kept)?;
                return Err(SolveError::Stopped).context("training");
            }
            course.step();
            bar.progress(course.done(), self.steps.total);
            if course.done().is_multiple_of(self.steps.measure) || course.done() == self.steps.total
            {
                self.measure(&course, &mut kept);
            }
            if saved.elapsed() > KEEPING {
                self.keep(&course, &mut kept)?;
                saved = Instant::now();
            }
        }
        drop(bar);
        self.keep(&course, &mut kept)?;
        self.finish(&course, &kept, began.elapsed(), out)
    }

    fn begin(&self, course: &mut impl Course) -> Result<Kept> {
        let (path, rules) = (self.kept_path(), self.rules.rule_set().to_string());
        if !self.common.resume {
            return Ok(Kept { rules, ..Kept::default() });
        }
        let reading = || format!("reading {}", path.display());
        let text = fs::read_to_string(&path).with_context(reading);
        let text =
            text.hint(|| "--resume goes on with what an earlier run with the same --out kept")?;
        let kept: Kept = serde_json::from_str(&text).with_context(reading)?;
        if kept.rules != rules {
            let found =
                anyhow!("{}: what is kept is for {}, not for {rules}", path.display(), kept.rules);
            return Err(found);
        }
        course.resume(&kept.course).with_context(reading)?;
        Ok(kept)
    }

    fn measure<C: Course>(&self, course: &C, kept: &mut Kept) {
        let (Some(exact), Some(exercises)) = (&self.exact, &self.exam) else { return };
        let player = course.player();
        let strength = AgainstExact { exercises, exact, games: EXAM.1 }.strength(&player);
        kept.milestones.push(Milestone { step: course.done(), strength });
        if kept.best.as_ref().is_none_or(|(best, _)| strength.regret < best.regret) {
            kept.best = Some((strength, player.to_string()));
        }
        let (step, Standing { regret, wins }) = (course.done(), strength);
        let (name, regret, wins) = (self.steps.name, regret * 100.0, text::percent(wins));
        talk(&format!("{name} {step}: regret {regret:.4} points, {wins} against perfect"));
    }

    fn keep(&self, course: &impl Course, kept: &mut Kept) -> Result<()> {
        kept.course = course.keep()?;
        write_whole(&self.kept_path(), &serde_json::to_string(kept)?)
    }

    /// Where the state of training lies: beside the result.
    fn kept_path(&self) -> PathBuf {
        self.common.out.with_added_extension("training")
    }

    fn finish(
        &self,
        course: &impl Course,
        kept: &Kept,
        time: Duration,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        let player = match &kept.best {
            Some((_, text)) => text.clone(),
            None => course.player().to_string(),
        };
        write_whole(&self.common.out, &player)?;
        if let Some(path) = &self.common.plot {
            let title = format!("{}: {}", self.rules.rule_set(), self.common.out.display());
            let chart = Chart { title: &title, step: self.steps.name };
            write_whole(path, &chart.svg(&kept.milestones)?)?;
        }
        let summary = Summary {
            rules: self.rules.rule_set().to_string(),
            steps: course.done(),
            seconds: time.as_secs_f64(),
            first: kept.milestones.first().map(|milestone| milestone.strength),
            last: kept.best.as_ref().map(|(strength, _)| *strength),
            games: EXAM.1,
            milestones: &kept.milestones,
            out: &self.common.out,
        };
        if self.common.json { text::write_json(&summary, out) } else { summary.write(out) }
    }
}

impl Summary<'_> {
    fn write(&self, out: &mut dyn Write) -> Result<()> {
        let (rules, steps) = (&self.rules, self.steps);
        let time = text::seconds(Duration::from_secs_f64(self.seconds));
        writeln!(out, "{rules}: {steps} steps in {time}")?;
        if let (Some(first), Some(last)) = (self.first, self.last) {
            let (before, after) = (first.regret * 100.0, last.regret * 100.0);
            writeln!(out, "regret       {after:.4} points a decision; it began with {before:.4}")?;
            let (before, after) = (text::percent(first.wins), text::percent(last.wins));
            let games = text::count(self.games);
            writeln!(
                out,
                "wins         {after} of {games} games against perfect; it began with {before}"
            )?;
        }
        writeln!(out, "written to   {}", self.out.display())?;
        Ok(())
    }
}

/// Writes a file that is there as a whole or not at all.
fn write_whole(path: &Path, text: &str) -> Result<()> {
    let beside = path.with_added_extension("partial");
    let writing = || format!("writing {}", path.display());
    fs::write(&beside, text).with_context(writing)?;
    fs::rename(&beside, path).with_context(writing)
}
