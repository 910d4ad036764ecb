//! Values at work in rooms that are given: the same bits.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use memmap2::MmapMut;
use puabi_core::RuleSet;
use puabi_solve::{Options, Rooms, SolveError, Solver, Unattended};

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
}

fn solver(rules: &RuleSet) -> Solver {
    Solver::new(&rules.clone().compile().unwrap(), Options::default()).unwrap()
}

fn spilling(solver: &Solver, left: u64, limit: u64) -> Option<Solver> {
    solver.clone().spilling(Arc::new(Left(left.into())), limit)
}

#[test]
fn values_at_work_in_rooms_come_to_the_same_bits() {
    // The last has a sublayer that all threads sweep together.
    for rules in [
        RuleSet::BLITZ.with_pieces(2),
        RuleSet::MASTERS.with_pieces(2),
        RuleSet::FINKEL.with_pieces(3),
    ] {
        let solver = solver(&rules);
        let (expected, _) = solver.solve(&Unattended, &Unattended).unwrap();
        // What a sweep reads once lies in rooms, then values too.
        let [streaming, all] =
            [u64::MAX, 0].map(|limit| spilling(&solver, u64::MAX, limit).unwrap());
        for spilling in [&streaming, &all] {
            let (found, report) = spilling.solve(&Unattended, &Unattended).unwrap();
            assert!(found.chunks().eq(expected.chunks()), "{rules}");
            assert!(report.residual <= Options::TOLERANCE);
        }
        assert!(streaming.memory() < solver.memory() && all.memory() < streaming.memory());
        assert!(streaming.spilled() < all.spilled() && solver.spilled() == 0);
    }
}

#[test]
fn rooms_that_run_out_end_the_solve_with_an_error() {
    for left in [0, 1 << 12, 1 << 16, 1 << 18] {
        let spilling = spilling(&solver(&RuleSet::FINKEL.with_pieces(3)), left, 0).unwrap();
        let error = spilling.solve(&Unattended, &Unattended).unwrap_err();
        assert!(matches!(error, SolveError::Spill { .. }), "{left}: {error}");
    }
}

#[test]
fn games_with_stacks_do_not_spill_yet() {
    assert!(spilling(&solver(&RuleSet::MURRAY.with_pieces(1)), u64::MAX, 0).is_none());
}
