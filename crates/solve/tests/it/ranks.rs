//! Several ranks find the values that one does, to the last bit. Ranks are threads here.

use std::io;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, mpsc};

use memmap2::MmapMut;
use puabi_core::{RuleSet, Rules, Sublayer};
use puabi_solve::{
    Checkpoint, Facts, Held, Options, Report, SolveError, Solver, Store, Traffic, Unattended,
    Values,
};

use crate::threads::{Table, Thread};

/// A checkpoint that holds copies of all values. It counts the sublayers that it is asked for and given, and the values that it
/// is given.
#[derive(Default)]
struct Copies {
    asked: AtomicUsize,
    given: AtomicUsize,
    values: AtomicUsize,
}

impl Checkpoint for Copies {
    fn load(&self, _at: usize) -> io::Result<Option<(Arc<dyn Held>, Facts)>> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        Ok(None)
    }

    fn save(&self, _at: usize, values: Arc<dyn Held>, _facts: Facts) -> io::Result<Arc<dyn Held>> {
        self.given.fetch_add(1, Ordering::Relaxed);
        self.values.fetch_add(values.values().len(), Ordering::Relaxed);
        Ok(Arc::new(Box::<[f64]>::from(values.values())))
    }
}

/// Rooms in memory that count their bytes, and give at most `most` of them.
#[derive(Debug)]
struct Rooms {
    most: u64,
    given: AtomicU64,
}

impl puabi_solve::Rooms for Rooms {
    fn room(&self, bytes: u64) -> io::Result<MmapMut> {
        if self.given.fetch_add(bytes, Ordering::Relaxed) + bytes > self.most {
            return Err(io::Error::other("this is all"));
        }
        MmapMut::map_anon(usize::try_from(bytes).unwrap())
    }

    fn store(&self, _bytes: u64) -> io::Result<Box<dyn Store>> {
        panic!("values in index order are mapped")
    }
}

/// What the solve of a rank returns, and how many values its checkpoint was given.
type Solved = (Option<(Values, Report)>, Traffic, usize);

fn solve_among(
    rules: &Rules,
    ranks: usize,
    threads: usize,
    rooms: Option<&Arc<Rooms>>,
) -> Vec<Solved> {
    let table = &Table::new(ranks);
    std::thread::scope(|scope| {
        let start = |rank| {
            scope.spawn(move || {
                let options = Options { threads, ..Options::default() };
                let mut solver = Solver::new(rules, options).unwrap();
                if let Some(rooms) = rooms {
                    solver = solver.spilling_in_index_order(Arc::<Rooms>::clone(rooms));
                }
                let copies = Copies::default();
                let found = solver.solve_among(&Thread { rank, table }, &copies, &Unattended);
                let sublayers = solver.indexer().sublayers().len();
                assert_eq!(copies.given.into_inner(), sublayers, "each rank keeps all it may read");
                assert!(rank == 0 || copies.asked.into_inner() == 0, "the first says what is kept");
                let (values, traffic) = found.unwrap();
                (values, traffic, copies.values.into_inner())
            })
        };
        let running: Vec<_> = (0..ranks).map(start).collect();
        running.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

fn bits(values: &Values) -> Vec<u64> {
    values.chunks().flatten().map(|value| value.to_bits()).collect()
}

#[track_caller]
fn assert_same(rule_set: RuleSet, pieces: u8, most_ranks: usize) {
    let rules = rule_set.with_pieces(pieces).compile().unwrap();
    let solver = Solver::new(&rules, Options::default()).unwrap();
    assert_eq!([0, 1].map(|ranks| solver.memory_among(ranks)), [solver.memory(); 2]);
    let (values, report) = solver.solve(&Unattended, &Unattended).unwrap();
    // Of five ranks, some hold nothing of many levels, and of 20 ranks some hold nothing of a whole sublayer.
    for (ranks, threads) in [(1, 2), (2, 1), (3, 2), (5, 1), (most_ranks, 1)] {
        let mut found = solve_among(&rules, ranks, threads, None);
        assert!(found[1..].iter().all(|(values, ..)| values.is_none()), "only the first has them");
        // A rank that holds nothing reads nothing.
        let receiving = found.iter().filter(|(_, traffic, _)| traffic.renewed > 0).count();
        assert!(ranks == 1 || receiving >= ranks.min(5), "{ranks} ranks");
        let large = usize::try_from(solver.plan().largest_sublayer).unwrap();
        let all = bits(&values).len();
        assert_eq!(found[0].2, all, "the first keeps all");
        // Other ranks have no more of the largest sublayer than their part of it.
        let most = all - large + (large / ranks).next_multiple_of(512);
        assert!(found[1..].iter().all(|&(.., held)| held <= most), "{ranks} ranks");
        let (first, ..) = found.swap_remove(0);
        let (found_values, found_report) = first.unwrap();
        assert_eq!(found_report, report, "{ranks} ranks");
        assert!(bits(&found_values) == bits(&values), "{ranks} ranks");
    }
}

#[test]
fn ranks_of_the_dense_engine_find_the_same_bits() {
    assert_same(RuleSet::BLITZ, 3, 20);
    assert_same(RuleSet::FINKEL, 4, 40);
}

#[test]
fn ranks_of_the_general_engine_find_the_same_bits() {
    assert_same(RuleSet::MURRAY, 2, 20);
    assert_same(RuleSet::SKIRIUK, 2, 40);
}

#[test]
fn ranks_with_values_in_rooms_find_the_same_bits_and_take_less_memory() {
    for rules in [RuleSet::FINKEL.with_pieces(4), RuleSet::MURRAY.with_pieces(2)] {
        let rules = rules.compile().unwrap();
        let solver = Solver::new(&rules, Options::default()).unwrap();
        let (values, report) = solver.solve(&Unattended, &Unattended).unwrap();
        let rooms = Arc::new(Rooms { most: u64::MAX, given: AtomicU64::new(0) });
        let mut found = solve_among(&rules, 2, 1, Some(&rooms));
        let (found_values, found_report) = found.swap_remove(0).0.unwrap();
        assert_eq!(found_report, report);
        assert!(bits(&found_values) == bits(&values));
        let positions = || solver.indexer().sublayers().iter().map(Sublayer::len);
        let of_at_least = |least| positions().filter(|&it| it >= least).sum::<u64>();
        let [large, whole] = [of_at_least(1 << 17), of_at_least(1 << 16)];
        // The first rank gathers large sublayers in rooms. If the parts of a sublayer are large too, each rank has its part in
        // rooms.
        assert!(rooms.given.load(Ordering::Relaxed) >= 8 * (whole + large) && whole > 0);
        let spilling = solver.clone().spilling_in_index_order(rooms);
        assert!(spilling.memory_among(64) < solver.memory_among(64));
        assert!(spilling.spilled_among(2) >= 12 * solver.plan().largest_sublayer);
    }
}

/// A sublayer that an earlier solve has kept.
type KeptSublayer = (Arc<dyn Held>, Facts);

/// What an earlier solve has kept, by sublayer, and which of these are loaded.
struct Kept {
    sublayers: Mutex<Vec<Option<KeptSublayer>>>,
    loads: fn(usize) -> bool,
    saved: Mutex<Vec<usize>>,
}

impl Checkpoint for Kept {
    fn load(&self, at: usize) -> io::Result<Option<(Arc<dyn Held>, Facts)>> {
        Ok(self.sublayers.lock().unwrap()[at].clone().filter(|_| (self.loads)(at)))
    }

    fn save(&self, at: usize, values: Arc<dyn Held>, facts: Facts) -> io::Result<Arc<dyn Held>> {
        self.sublayers.lock().unwrap()[at] = Some((Arc::clone(&values), facts));
        self.saved.lock().unwrap().push(at);
        Ok(values)
    }
}

#[test]
fn ranks_go_on_from_what_the_first_has_kept() {
    for rules in [RuleSet::FINKEL.with_pieces(4), RuleSet::MURRAY.with_pieces(2)] {
        let rules = rules.compile().unwrap();
        let solver = Solver::new(&rules, Options::default()).unwrap();
        let sublayers = Mutex::new(vec![None; solver.indexer().sublayers().len()]);
        let mut kept = Kept { sublayers, loads: |_| false, saved: Mutex::default() };
        let (values, report) = solver.solve(&kept, &Unattended).unwrap();
        for loads in [|_| true, |at| at % 2 == 0, |at| at % 2 == 1] {
            kept.loads = loads;
            kept.saved.lock().unwrap().clear();
            let (table, kept) = (&Table::new(3), &kept);
            let found = std::thread::scope(|scope| {
                let start = |rank| {
                    let solver = Solver::new(&rules, Options::default()).unwrap();
                    let keep =
                        move || if rank == 0 { kept as &dyn Checkpoint } else { &Unattended };
                    scope.spawn(move || {
                        solver.solve_among(&Thread { rank, table }, keep(), &Unattended).unwrap().0
                    })
                };
                let running: Vec<_> = (0..3).map(start).collect();
                let found = running.into_iter().map(|thread| thread.join().unwrap());
                found.flatten().collect::<Vec<_>>()
            });
            let [(found_values, found_report)] = &found[..] else { panic!("the first has all") };
            assert_eq!(*found_report, report);
            assert!(bits(found_values) == bits(&values));
            let mut saved = kept.saved.lock().unwrap().clone();
            saved.sort_unstable();
            let missing = (0..solver.indexer().sublayers().len()).filter(|&at| !loads(at));
            assert!(missing.eq(saved), "what was kept is not solved again");
        }
    }
}

#[test]
fn a_rank_whose_rooms_run_out_says_so() {
    let found = first_to_end(|rank| {
        let rules = RuleSet::FINKEL.with_pieces(4).compile().unwrap();
        let solver = Solver::new(&rules, Options::default()).unwrap();
        let most = if rank == 1 { 1 << 20 } else { u64::MAX };
        let rooms = Arc::new(Rooms { most, given: AtomicU64::new(0) });
        (solver.spilling_in_index_order(rooms), &Unattended)
    });
    assert!(matches!(found, (1, Err(SolveError::Spill { .. }))), "{found:?}");
}

/// Lets two ranks solve, each with a solver and a checkpoint. Returns which rank ends first, and its result. The other one may
/// wait for ever.
fn first_to_end<C: Checkpoint + 'static>(
    start: fn(usize) -> (Solver, &'static C),
) -> (usize, Result<(), SolveError>) {
    let table: &Table = Box::leak(Box::new(Table::new(2)));
    let (tell, told) = mpsc::channel();
    for rank in 0..2 {
        let tell = tell.clone();
        std::thread::spawn(move || {
            let (solver, checkpoint) = start(rank);
            let found = solver.solve_among(&Thread { rank, table }, checkpoint, &Unattended);
            tell.send((rank, found.map(|_| ()))).unwrap();
        });
    }
    told.recv().unwrap()
}

/// A checkpoint whose values are no longer those that were written.
struct Damaging;

struct Damaged(Arc<dyn Held>);

impl Held for Damaged {
    fn values(&self) -> &[f64] {
        self.0.values()
    }

    fn is_undamaged(&self) -> bool {
        false
    }
}

impl Checkpoint for Damaging {
    fn load(&self, _at: usize) -> io::Result<Option<(Arc<dyn Held>, Facts)>> {
        Ok(None)
    }

    fn save(&self, _at: usize, values: Arc<dyn Held>, _facts: Facts) -> io::Result<Arc<dyn Held>> {
        Ok(Arc::new(Damaged(values)))
    }
}

#[test]
fn a_rank_whose_values_come_back_other_than_they_were_written_says_so() {
    let found = first_to_end(|_| {
        let rules = RuleSet::FINKEL.with_pieces(2).compile().unwrap();
        (Solver::new(&rules, Options::default()).unwrap(), &Damaging)
    });
    assert!(matches!(found, (1, Err(SolveError::Damaged))), "{found:?}");
}
