//! Threads that stand for ranks.

use std::sync::{Barrier, Mutex, MutexGuard};

use puabi_solve::Exchange;

/// Where threads that stand for ranks lay down what they give each other.
pub(crate) struct Table {
    barrier: Barrier,
    given: Vec<Mutex<Vec<Vec<u8>>>>,
}

impl Table {
    pub(crate) fn new(ranks: usize) -> Self {
        let given = (0..ranks).map(|_| Mutex::default()).collect();
        Self { barrier: Barrier::new(ranks), given }
    }
}

/// A thread that stands for a rank.
pub(crate) struct Thread<'a> {
    pub(crate) rank: usize,
    pub(crate) table: &'a Table,
}

impl Thread<'_> {
    fn given(&self, by: usize) -> MutexGuard<'_, Vec<Vec<u8>>> {
        self.table.given[by].lock().expect("no thread panics with it")
    }
}

impl Exchange for Thread<'_> {
    fn rank(&self) -> usize {
        self.rank
    }

    fn ranks(&self) -> usize {
        self.table.given.len()
    }

    fn swap(&self, given: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
        assert!(given[self.rank].is_empty(), "a rank has no need to send itself anything");
        *self.given(self.rank) = given;
        self.table.barrier.wait();
        let taken = (0..self.ranks()).map(|by| self.given(by)[self.rank].clone()).collect();
        self.table.barrier.wait();
        taken
    }
}
