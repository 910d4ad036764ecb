//! A rule set as the server holds it: its compiled rules and, if it is solved, its table.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use puabi_core::{RuleSet, Rules};
use puabi_engine::{Argmax, SharedEvaluator, perfect_length};
use puabi_solve::Unattended;
use puabi_study::Simulation;
use puabi_tables::{GameSize, Precision, Table};
use tokio::sync::watch;

use puabi_answers::{
    ApiError, ApiResult, NamedRules, SolveProgress, SolveResults, TableStanding, TableView,
};

/// The number of pairs of games from which the mean length is measured: its standard deviation is about one ply in a hundred.
const PAIRS: u64 = 1_000;

/// A rule set with the name by which requests ask for it.
#[derive(Debug)]
pub(crate) struct Variant {
    named: NamedRules,
    size: GameSize,
    table_state: RwLock<TableState>,
}

/// The room that there is for a table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Room {
    /// The bytes of memory for its solve, if the system reports them.
    pub(crate) memory: Option<u64>,
    /// The bytes that all tables may take on disk.
    pub(crate) disk: u64,
}

impl Room {
    /// Returns whether a table of `variant` can be made, provided that no other table takes a part of the disk.
    pub(crate) fn suffices(&self, variant: &Variant) -> bool {
        variant.size().fits(self.memory) && variant.bytes().is_some_and(|bytes| bytes <= self.disk)
    }
}

/// The state of a variant's table.
#[derive(Debug, Clone)]
pub(crate) enum TableState {
    /// There is no table.
    Empty,
    /// A solve that is going on or waits for its turn.
    Solving(watch::Receiver<SolveProgress>),
    /// There is no sound table: the reason why the last solve had no result, or what is wrong with the file.
    Failed(String),
    /// The table.
    Ready(Arc<ServedTable>),
}

impl TableState {
    /// Returns whether there is a sound table or a solve of one. Neither another solve nor a failure replaces these.
    pub(crate) fn is_under_way(&self) -> bool {
        match self {
            Self::Solving(_) => true,
            Self::Ready(solved) => solved.damage().is_none() && solved.table().is_current(),
            Self::Empty | Self::Failed(_) => false,
        }
    }

    /// Returns the view of this state of the table of `variant`, for which `room` may be too little.
    pub(crate) fn view(&self, variant: &Variant, room: Room) -> TableView {
        let standing = match self {
            Self::Ready(_) => TableStanding::Ready,
            Self::Solving(progress) => {
                TableStanding::Solving { percent: progress.borrow().percent() }
            }
            Self::Failed(why) => TableStanding::Failed { why: why.clone() },
            Self::Empty if !room.suffices(variant) => TableStanding::TooLarge,
            Self::Empty => TableStanding::Missing,
        };
        let bytes = match self {
            Self::Ready(solved) => Some(solved.table().header().bytes()),
            _ => variant.bytes(),
        };
        TableView::new(standing, bytes)
    }

    /// Returns what is known of the game, if it is solved.
    pub(crate) fn known(&self) -> Option<SolveResults> {
        let Self::Ready(solved) = self else { return None };
        Some(SolveResults { report: solved.table().header().report(), length: solved.length() })
    }
}

/// An open table with the tag by which its answers are cached.
#[derive(Debug)]
pub(crate) struct ServedTable {
    table: Table,
    tag: String,
    /// What is wrong with the table, once that is known.
    damage: OnceLock<String>,
    /// The mean number of plies under perfect play, once it is known.
    length: OnceLock<f64>,
    is_measuring: AtomicBool,
}

impl ServedTable {
    /// Returns the table with its tag: its hash and the version of the program, because answers of another version may look
    /// different.
    pub(crate) fn new(table: Table) -> Self {
        let tag = format!("\"{}-{}\"", &table.hash().to_hex()[..16], env!("CARGO_PKG_VERSION"));
        let length = perfect_length(table.header().rules().rule_set());
        let is_measuring = AtomicBool::new(length.is_some());
        let length = length.map_or_else(OnceLock::new, OnceLock::from);
        Self { table, tag, damage: OnceLock::new(), length, is_measuring }
    }

    /// Returns what is wrong with the table, if it is known to be damaged.
    pub(crate) fn damage(&self) -> Option<&str> {
        self.damage.get().map(String::as_str)
    }

    /// Returns the table.
    pub(crate) const fn table(&self) -> &Table {
        &self.table
    }

    /// Returns the entity tag of every answer that follows from this table alone.
    pub(crate) fn tag(&self) -> &str {
        &self.tag
    }

    /// Returns the mean number of plies under perfect play, if it is known: the exact number, or the one measured in games.
    pub(crate) fn length(&self) -> Option<f64> {
        self.length.get().copied()
    }

    /// Returns whether the length of games is still to be measured. It returns true only once, to the caller that then has to
    /// measure it.
    pub(crate) fn is_to_be_measured(&self) -> bool {
        !self.is_measuring.swap(true, Ordering::Relaxed)
    }

    /// Plays games of the perfect player against itself, and remembers how long they were.
    ///
    /// # Errors
    ///
    /// Returns an error if the table is damaged.
    pub(crate) fn measure(&self) -> ApiResult<()> {
        let tally = self.with_values(|values| {
            let (perfect, rules) = (Argmax(values), self.table.header().rules());
            let games =
                Simulation { rules, agents: [&perfect, &perfect], seed: 1, watch: &Unattended };
            games.play(PAIRS, |_| ControlFlow::Continue(()))
        })?;
        let _ = self.length.set(tally.mean_plies());
        Ok(())
    }

    /// Returns the result of `work` on the values.
    ///
    /// # Errors
    ///
    /// Returns a conflict if the table is damaged where `work` reads it, or was found to be damaged before.
    pub(crate) fn with_values<T>(
        &self,
        work: impl FnOnce(SharedEvaluator<'_>) -> T,
    ) -> ApiResult<T> {
        if let Some(damage) = self.damage() {
            return Err(self.damaged(damage));
        }
        self.table.with_values(work).map_err(|error| {
            let name = self.table.header().rules().rule_set();
            tracing::error!("the table of {name} is damaged: {error}");
            self.damaged(self.damage.get_or_init(|| error.to_string()))
        })
    }

    fn damaged(&self, damage: &str) -> ApiError {
        let name = self.table.header().rules().rule_set();
        ApiError::conflict(format!("the table of {name} is damaged: {damage}"))
            .expected(format!("POST /api/{name}/solve, which makes it anew"))
    }
}

impl Variant {
    /// Returns the variant, without a table.
    pub(crate) fn new(name: String, rules: impl Into<Arc<Rules>>) -> Self {
        let rules = rules.into();
        let (size, table_state) = (GameSize::of(&rules), RwLock::new(TableState::Empty));
        let named = NamedRules { name, rules, positions: size.positions() };
        Self { named, size, table_state }
    }

    /// Returns the rules with the name by which requests ask for them.
    pub(crate) const fn named(&self) -> &NamedRules {
        &self.named
    }

    /// Returns the name by which requests ask for the rule set.
    pub(crate) fn name(&self) -> &str {
        &self.named.name
    }

    /// Returns the rules.
    pub(crate) const fn rules(&self) -> &Arc<Rules> {
        &self.named.rules
    }

    /// Returns the rules as data.
    pub(crate) fn rule_set(&self) -> &RuleSet {
        self.named.rules.rule_set()
    }

    /// Returns how large the game is.
    pub(crate) const fn size(&self) -> &GameSize {
        &self.size
    }

    /// Returns the bytes of an exact table, unless they are too many to be counted.
    pub(crate) fn bytes(&self) -> Option<u64> {
        self.size.positions()?.checked_mul(Precision::F64.bytes() as u64)
    }

    /// Returns the state of its table.
    pub(crate) fn table_state(&self) -> TableState {
        self.table_state.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Changes the state of its table.
    ///
    /// # Errors
    ///
    /// Returns the present state if `keeps` says that it must stay.
    pub(crate) fn replace(
        &self,
        with: TableState,
        keeps: impl FnOnce(&TableState) -> bool,
    ) -> Result<(), TableState> {
        let mut table_state = self.table_state.write().unwrap_or_else(PoisonError::into_inner);
        if keeps(&table_state) {
            return Err(table_state.clone());
        }
        *table_state = with;
        Ok(())
    }
}
