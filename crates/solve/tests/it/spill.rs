//! Solves with values at work in given rooms find the same bits.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use memmap2::MmapMut;
use puabi_core::{Indexer, RuleSet, Sublayer};
use puabi_solve::{Checkpoint, Facts, Held, Options, Rooms, SolveError, Solver, Store, Unattended};

/// Rooms in memory, as long as there are bytes left.
#[derive(Debug)]
struct Left(AtomicU64);

impl Rooms for Left {
    fn room(&self, bytes: u64) -> io::Result<MmapMut> {
        let take = |left: u64| left.checked_sub(bytes);
        match self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take) {
            Ok(_) => MmapMut::map_anon(usize::try_from(bytes).unwrap()),
            Err(left) => Err(io::Error::other(format!("{left} bytes are left"))),
        }
    }

    fn store(&self, bytes: u64) -> io::Result<Box<dyn Store>> {
        Ok(Box::new(InMemory(Mutex::new(self.room(bytes)?))))
    }
}

/// A store in memory.
#[derive(Debug)]
struct InMemory(Mutex<MmapMut>);

impl InMemory {
    fn with<R>(&self, at: u64, bytes: usize, action: impl FnOnce(&mut [u8]) -> R) -> R {
        let at = usize::try_from(at).unwrap();
        action(&mut self.0.lock().unwrap()[at..at + bytes])
    }
}

impl Store for InMemory {
    fn write(&self, at: u64, bytes: &[u8]) -> io::Result<()> {
        self.with(at, bytes.len(), |room| room.copy_from_slice(bytes));
        Ok(())
    }

    fn read(&self, at: u64, bytes: &mut [u8]) -> io::Result<()> {
        self.with(at, bytes.len(), |room| bytes.copy_from_slice(room));
        Ok(())
    }
}

fn solver(rules: &RuleSet) -> Solver {
    Solver::new(&rules.clone().compile().unwrap(), Options::default()).unwrap()
}

fn spilling(solver: &Solver, left: u64, limit: u64) -> Solver {
    solver.clone().spilling(Arc::new(Left(left.into())), limit)
}

#[test]
fn values_at_work_in_rooms_come_to_the_same_bits() {
    // The third has a sublayer that all threads sweep together. From the fourth on they are games of the general engine.
    for (rules, count) in [
        (RuleSet::BLITZ.with_pieces(2), Some(5)),
        (RuleSet::MASTERS.with_pieces(2), Some(5)),
        (RuleSet::FINKEL.with_pieces(3), Some(4)),
        (RuleSet::MURRAY.with_pieces(2), None),
        (RuleSet::SKIRIUK.with_pieces(2), None),
        (RuleSet::DMYTRO.with_pieces(2), None),
    ] {
        let solver = solver(&rules);
        let (expected, _) = solver.solve(&Unattended, &Unattended).unwrap();
        // Each step allows one byte less than the one before takes, so more goes to rooms. In the dense engine it is one kind of
        // data more: external values, then successors, deltas, settled values and values. Deltas go there together with settled
        // values if these take more memory at the end of a sublayer.
        let spilling = |limit| spilling(&solver, u64::MAX, limit);
        let all = spilling(0);
        let mut steps = vec![spilling(solver.memory() - 1)];
        while !steps[steps.len() - 1].plan().values_on_disk {
            steps.push(spilling(steps[steps.len() - 1].memory() - 1));
        }
        // Some values stay in memory, where a system can do that.
        let last = steps[steps.len() - 1].memory();
        let some = spilling(u64::midpoint(all.memory(), last));
        assert!((all.memory()..=last).contains(&some.memory()), "{rules}");
        assert!(some.spilled() <= all.spilled() && some.plan().values_on_disk, "{rules}");
        assert!(!cfg!(target_os = "linux") || some.spilled() < all.spilled(), "{rules}");
        steps.pop();
        steps.push(all);
        // The general engine first leaves small sublayers in memory, and of these one less at each step.
        let is_dense = count.is_some();
        assert!(count.map_or(steps.len() > 3, |count| steps.len() == count), "{rules}");
        for spilling in &steps {
            let (found, report) = spilling.solve(&Unattended, &Unattended).unwrap();
            assert!(found.chunks().eq(expected.chunks()), "{rules}");
            assert!(report.residual <= Options::TOLERANCE);
            let open = |at| Arc::clone(expected.held(at));
            // Values that are stored nowhere in the form in which they are read go to rooms too, if they are many.
            let held = |at| {
                let values = expected.sublayer(at);
                spilling.hold(values.len(), |position| values[position])
            };
            for open in [&open as &(dyn Fn(usize) -> Arc<dyn Held> + Sync), &held] {
                let certificate = spilling.certify(&Unattended, open).unwrap();
                let found = (certificate.residual, certificate.dead_positions);
                assert_eq!(found, (report.residual, report.dead_positions));
            }
        }
        steps.insert(0, solver);
        let of = |what: fn(&Solver) -> u64| steps.iter().map(what).collect::<Vec<_>>();
        assert!(of(Solver::memory).is_sorted_by(|more, less| more > less), "{rules}");
        // Settled values take the rooms of what was swept with them.
        let spilled = of(Solver::spilled);
        assert!(spilled[..2].is_sorted_by(|less, more| less < more), "{rules}");
        assert!(!is_dense || spilled.is_sorted(), "{rules}");
        assert!(spilled.iter().all(|it| it <= &spilled[spilled.len() - 1]), "{rules}");
        // The dense engine leaves its rooms to the next sublayer. The general one has no words any more when values are kept.
        let last = 8 * steps[0].indexer().sublayers()[0].len();
        let freed = of(Solver::freed_at_end);
        assert!(freed.iter().zip(spilled).all(|(&it, all)| it <= all.min(last)), "{rules}");
        assert_eq!(freed.iter().any(|&it| it > 0), !is_dense, "{rules}");
        for rising in [
            |solver: &Solver| solver.plan().disk_reads,
            |solver: &Solver| solver.plan().disk_writes,
        ] {
            let found = of(rising);
            let (&most, less) = found.split_last().unwrap();
            assert!(found[0] == 0 && less.iter().all(|&less| less < most), "{rules}");
            assert!(!is_dense || found.is_sorted_by(|less, more| less < more), "{rules}");
        }
        let with_values = steps.iter().filter(|solver| solver.plan().values_on_disk);
        assert_eq!(with_values.count(), 1, "{rules}");
        assert_eq!(steps[0].opened(), 0);
    }
}

#[test]
fn values_are_held_in_rooms_or_in_memory_if_those_run_out() {
    let one = Options { threads: 1, ..Options::default() };
    let rules = RuleSet::FINKEL.with_pieces(4).compile().unwrap();
    let solver = Solver::new(&rules, one).unwrap();
    let opened = spilling(&solver, 0, u64::MAX).opened();
    // This is at least the largest sublayer, and less than all sublayers together.
    let largest = solver.indexer().sublayers().iter().map(Sublayer::len).max().unwrap();
    assert!((8 * largest..8 * solver.indexer().len()).contains(&opened), "{opened}");
    for left in [0, opened] {
        let spilling = spilling(&solver, left, u64::MAX);
        let held = spilling.hold(usize::try_from(largest).unwrap(), |at| at as f64);
        let expected = (0..held.values().len()).map(|at| at as f64);
        assert!(held.values().iter().copied().eq(expected), "{left}");
    }
}

#[test]
fn rooms_that_run_out_end_the_solve_with_an_error() {
    // Successors take rooms of a mebibyte and more; after three of these, candidates find no room.
    let cases = [
        (RuleSet::FINKEL.with_pieces(3), [0, 1 << 12, 1 << 16, 1 << 18]),
        (RuleSet::MURRAY.with_pieces(2), [0, 1 << 20, 3 << 20, 5 << 20]),
    ];
    for (rules, cases) in cases {
        for left in cases {
            let spilling = spilling(&solver(&rules), left, 0);
            let error = spilling.solve(&Unattended, &Unattended).unwrap_err();
            assert!(matches!(error, SolveError::Spill { .. }), "{rules}, {left}: {error}");
        }
    }
}

/// A checkpoint that takes a while to keep a large sublayer. It counts the large sublayers that begin before the last one is
/// kept.
#[derive(Debug)]
struct Slow<'a> {
    indexer: &'a Indexer,
    /// The large sublayers that have begun and are not kept yet.
    at_work: AtomicU64,
    early: AtomicU64,
}

impl Slow<'_> {
    /// Returns whether all threads sweep a sublayer together.
    fn is_large(&self, at: usize) -> bool {
        self.indexer.sublayers()[at].len() > 1 << 18
    }
}

impl Checkpoint for Slow<'_> {
    fn load(&self, at: usize) -> io::Result<Option<(Arc<dyn Held>, Facts)>> {
        if self.is_large(at) {
            let others = self.at_work.fetch_add(1, Ordering::SeqCst);
            self.early.fetch_add(others, Ordering::SeqCst);
        }
        Ok(None)
    }

    fn save(&self, at: usize, values: Arc<dyn Held>, _facts: Facts) -> io::Result<Arc<dyn Held>> {
        if self.is_large(at) {
            std::thread::sleep(Duration::from_millis(200));
            self.at_work.fetch_sub(1, Ordering::SeqCst);
        }
        Ok(values)
    }
}

#[test]
fn a_large_sublayer_is_kept_before_the_next_takes_memory() {
    let options = Options { threads: 4, ..Options::default() };
    let rules = RuleSet::SIMPLE_UR.with_pieces(3).compile().unwrap();
    let solver = Solver::new(&rules, options).unwrap();
    let spilling = spilling(&solver, u64::MAX, u64::MAX);
    let indexer = spilling.indexer();
    let slow = Slow { indexer, at_work: AtomicU64::new(0), early: AtomicU64::new(0) };
    assert!((0..indexer.sublayers().len()).filter(|&at| slow.is_large(at)).count() > 1);
    spilling.solve(&slow, &Unattended).unwrap();
    assert_eq!(slow.early.into_inner(), 0);
}

#[cfg(unix)]
mod damage {
    //! A disk that gives back something else than was written.
    #![expect(unsafe_code, reason = "a file is mapped, which the test alone changes")]

    use puabi_solve::{Sweep, Watch};
    use std::fs::File;
    use std::os::unix::fs::FileExt;

    use super::*;

    /// Rooms in files; a byte of one changes in the third sweep of a sublayer.
    #[derive(Debug, Default)]
    struct Failing {
        damaged: usize,
        files: Mutex<Vec<File>>,
        sweeps: AtomicU64,
    }

    impl Rooms for Failing {
        fn room(&self, bytes: u64) -> io::Result<MmapMut> {
            let file = tempfile::tempfile()?;
            file.set_len(bytes)?;
            let map = unsafe { MmapMut::map_mut(&file) }?;
            self.files.lock().unwrap().push(file);
            Ok(map)
        }

        fn store(&self, bytes: u64) -> io::Result<Box<dyn Store>> {
            Ok(Box::new(InMemory(Mutex::new(self.room(bytes)?))))
        }
    }

    impl Watch for Failing {
        fn progress(&self, _done: u64, _total: u64) {}

        fn sweep(&self, _at: usize, _sweep: &Sweep<'_>) {
            if self.sweeps.fetch_add(1, Ordering::Relaxed) == 2 {
                let file = &self.files.lock().unwrap()[self.damaged];
                let mut byte = [0];
                file.read_exact_at(&mut byte, 6).unwrap();
                file.write_all_at(&[byte[0] ^ 1], 6).unwrap();
            }
        }

        fn stop(&self) -> bool {
            false
        }
    }

    #[test]
    fn damage_to_what_lies_in_rooms_is_told() {
        let (finkel, murray) = (RuleSet::FINKEL.with_pieces(2), RuleSet::MURRAY.with_pieces(2));
        // External values have the first room, successors of the dense engine the second; the general one begins with successors.
        for (rules, damaged) in [(&finkel, 0), (&finkel, 1), (&murray, 0)] {
            let failing = Arc::new(Failing { damaged, ..Failing::default() });
            let options = Options { threads: 1, ..Options::default() };
            let solver = Solver::new(&rules.clone().compile().unwrap(), options).unwrap();
            let spilling = solver.spilling(Arc::<Failing>::clone(&failing), 0);
            let error = spilling.solve(&Unattended, &*failing).unwrap_err();
            assert!(matches!(error, SolveError::Damaged), "{rules}: {error}");
        }
    }
}
