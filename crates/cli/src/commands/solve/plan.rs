//! `ur solve --plan`: what a solve would take.

use std::fmt;
use std::path::Path;

use anyhow::Result;
use puabi_core::{RuleSet, Rules};
use puabi_solve::{Options, Plan};
use puabi_tables::{DiskSpeed, DiskUse, Precision, SpillFolder, directory, free_space};
use serde::{Serialize, Serializer};

use super::spilling::{self, ANOTHER_DISK, Spilled};
use crate::errors::Advise;
use crate::output::{Out, text};
use crate::tables;

/// What a solve would take, and what this machine has.
#[derive(Debug, Serialize)]
struct PlanReport<'a> {
    #[serde(serialize_with = "named")]
    rules: &'a RuleSet,
    #[serde(flatten)]
    plan: Plan,
    /// The most bytes of memory that the solve may take.
    memory_limit: u64,
    #[serde(serialize_with = "text::shown")]
    table: &'a Path,
    table_bytes: u64,
    /// The most bytes of disk at a time; `disk_taken` is the part of them that an earlier solve has taken.
    disk: u64,
    disk_taken: u64,
    disk_free: u64,
    /// The bytes that the solve spills and their folder, if memory is short and a disk can take them.
    #[serde(flatten)]
    spilled: Option<Spilled<'a>>,
    /// The speed of the disk that takes the spilled values, if it could be measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    spill_speed: Option<DiskSpeed>,
    /// The hint if there is too little memory.
    #[serde(skip)]
    advice: String,
    threads: usize,
    /// Elapsed seconds.
    seconds: f64,
}

/// The share of the time in which threads do not wait for each other, in solves on two threads.
const BUSY: f64 = 0.93;

/// The hint if the disk is too small.
pub(super) const ELSEWHERE: &str =
    "--out FILE puts the table, and what it is made of, on another disk";

/// A solve to plan.
#[derive(Debug)]
pub(super) struct PlannedSolve<'a> {
    pub(super) rules: &'a Rules,
    /// The file of the table.
    pub(super) path: &'a Path,
    pub(super) store: Precision,
    pub(super) options: Options,
    /// The most bytes of memory that the solve may take.
    pub(super) memory_limit: u64,
    /// The folder for values at work that memory has no room for.
    pub(super) spill: Option<&'a Path>,
}

/// Prints what a solve would take.
pub(super) fn run(planned: &PlannedSolve<'_>, json: bool, out: &mut Out) -> Result<()> {
    let PlannedSolve { rules, path, store, options, memory_limit, spill } = *planned;
    let solver = tables::unlimited_solver(rules, options)?;
    let disk = DiskUse::new(path, rules, solver.indexer(), store)?;
    let memory_limit = spilling::memory_beside_table(memory_limit, path, disk);
    let (solver, spilled) =
        spilling::spill_if_short(solver, (spill, store), memory_limit, (path, disk))?;
    let folder = directory(path);
    let plan = solver.plan();
    let busy = if options.threads > 1 { BUSY } else { 1.0 };
    let planned = PlanReport {
        rules: rules.rule_set(),
        memory_limit,
        table: path,
        table_bytes: disk.table,
        disk: disk.most,
        disk_taken: disk.taken,
        disk_free: free_space(folder).doing("reading the free space of", folder.display())?,
        spilled,
        // A speed that cannot be measured is left out: a solve will report why.
        spill_speed: spilled.and_then(|spilled| SpillFolder::new(spilled.folder).speed().ok()),
        advice: spilling::advice(&solver, store, memory_limit),
        threads: options.threads,
        seconds: plan.cpu_seconds / (options.threads as f64 * busy),
        plan,
    };
    out.print(&planned, json)
}

impl fmt::Display for PlanReport<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Plan { positions, sublayers, largest_sublayer, memory, .. } = self.plan;
        let [positions, largest] = [positions, largest_sublayer].map(text::count);
        writeln!(f, "{}: what a solve would take, estimated", self.rules)?;
        writeln!(f, "positions    {positions}, sublayers {sublayers}, {largest} in the largest")?;
        if !self.plan.can_be_solved {
            writeln!(f, "             the largest has too many values for this version to solve")?;
        }
        let [needed, limit] = [memory, self.memory_limit].map(text::bytes);
        writeln!(f, "memory       {needed} at the peak, {limit} may be used")?;
        if let Some(missing) = missing(memory, self.memory_limit) {
            writeln!(f, "             {missing} are missing: {}", self.advice)?;
        }
        let [most, table, free] = [self.disk, self.table_bytes, self.disk_free].map(text::bytes);
        let store = self.table.display();
        writeln!(f, "disk         {most} at most, {table} of it for {store}; {free} are free")?;
        if let Some(missing) = missing(self.disk, self.disk_free + self.disk_taken) {
            writeln!(f, "             {missing} are missing: {ELSEWHERE}")?;
        }
        if let Some(spilled @ Spilled { folder, bytes, free, .. }) = self.spilled {
            let [most, left] = [bytes, free].map(text::bytes);
            let folder = folder.display();
            writeln!(
                f,
                "spilled      {most} at most to {folder}; {left} are free besides the room for the table"
            )?;
            if let Some(missing) = spilled.missing() {
                writeln!(f, "             {missing}: {ANOTHER_DISK}")?;
            }
            if let Some(waiting) = spilled.waiting() {
                writeln!(f, "             {waiting}")?;
            }
        }
        let [read, written] = [self.plan.sweep_reads, self.plan.sweep_writes].map(text::bytes);
        writeln!(f, "a sweep      reads {read} of the largest sublayer and writes {written}")?;
        self.write_time(f)
    }
}

impl PlanReport<'_> {
    /// Writes how long a solve would take, and what a disk may add.
    fn write_time(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [time, cpu] = [self.seconds, self.plan.cpu_seconds].map(text::duration);
        let threads = text::counted(self.threads as u64, "thread", "threads");
        writeln!(f, "time         {time} on {threads}, {cpu} of processors")?;
        writeln!(
            f,
            "             estimated from other games; half of it or half as much again would be no surprise"
        )?;
        let Some(DiskSpeed { reads, writes }) = self.spill_speed else { return Ok(()) };
        let Plan { disk_reads, disk_writes, values_on_disk, .. } = self.plan;
        let [read, written] = [disk_reads, disk_writes].map(text::bytes);
        let [by_read, by_write] = [reads, writes].map(text::bytes);
        let more =
            text::duration(disk_reads as f64 / reads as f64 + disk_writes as f64 / writes as f64);
        writeln!(f, "disk time    {more} more if memory keeps nothing of what is spilled:")?;
        writeln!(
            f,
            "             {read} read at {by_read} a second, {written} written at {by_write} a second, measured now"
        )?;
        if values_on_disk {
            writeln!(
                f,
                "             or up to fifty times that: values at work are there, too, and are read in single pages"
            )?;
        }
        Ok(())
    }
}

fn named<S: Serializer>(rules: &RuleSet, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(rules)
}

/// Returns how many bytes are missing, if any are.
fn missing(needed: u64, there: u64) -> Option<impl fmt::Display> {
    needed.checked_sub(there).filter(|&missing| missing > 0).map(text::bytes)
}
