//! Values that a checkpoint holds are held by nothing else.

use std::io;
use std::sync::{Arc, Mutex, Weak};

use puabi_core::RuleSet;
use puabi_solve::{Checkpoint, Facts, Held, Options, Solver, Unattended};

/// A checkpoint that copies values to a place of its own, as a file would be.
#[derive(Default)]
struct Elsewhere {
    given: Mutex<Vec<Weak<dyn Held>>>,
}

impl Checkpoint for Elsewhere {
    fn load(&self, _at: usize) -> io::Result<Option<(Arc<dyn Held>, Facts)>> {
        Ok(None)
    }

    fn save(&self, _at: usize, values: Arc<dyn Held>, _: Facts) -> io::Result<Arc<dyn Held>> {
        self.given.lock().unwrap().push(Arc::downgrade(&values));
        Ok(Arc::new(Box::<[f64]>::from(values.values())))
    }
}

#[test]
fn values_are_read_where_the_checkpoint_holds_them() {
    for rules in ["finkel:2", "blitz:1", "skiriuk:2"] {
        let rules = rules.parse::<RuleSet>().unwrap().compile().unwrap();
        for threads in [1, 3] {
            let options = Options { threads, ..Options::default() };
            let solver = Solver::new(&rules, options).unwrap();
            let elsewhere = Elsewhere::default();
            let (expected, report) = solver.solve(&Unattended, &Unattended).unwrap();
            let (values, again) = solver.solve(&elsewhere, &Unattended).unwrap();
            assert_eq!(report, again);
            assert!(values.chunks().eq(expected.chunks()));
            let given = elsewhere.given.into_inner().unwrap();
            assert_eq!(given.len(), report.sublayers);
            assert!(given.iter().all(|values| values.upgrade().is_none()));
        }
    }
}
