//! The tables of the data directory, and the one solve at a time that makes new ones.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::http::StatusCode;
use puabi_core::Stakes;
use puabi_solve::Watch;
use puabi_tables::{Library, Precision};
use tokio::sync::{Semaphore, watch};

use crate::pace::Pace;
use crate::rulesets::cubes::{CubeValues, Cubes};
use crate::rulesets::variant::{Room, ServedTable, TableState, Variant};
use puabi_answers::{ApiError, ApiResult, SolveProgress};

/// How long a request waits for a small game that is being solved.
const PATIENCE: Duration = Duration::from_secs(10);

/// The tables of the data directory, and the solves that make new ones.
#[derive(Debug, Clone)]
pub(crate) struct Tables {
    library: Library,
    /// Whether requests may have games solved.
    may_solve: bool,
    /// The bytes that all tables may take on disk.
    quota: u64,
    /// One solve at a time: each takes all processors and much memory.
    turn: Arc<Semaphore>,
    stop: Arc<AtomicBool>,
    /// The values of games with a cube.
    cubes: Cubes,
}

impl Tables {
    /// Returns the tables below the data directory.
    pub(crate) fn new(
        data: &Path,
        memory: fn() -> Option<u64>,
        may_solve: bool,
        quota: u64,
    ) -> Self {
        let library = Library::new(data.join("tables"), memory);
        let (turn, stop) = (Arc::new(Semaphore::new(1)), Arc::default());
        Self { library, may_solve, quota, turn, stop, cubes: Cubes::default() }
    }

    /// Asks all solves to end; what they have done is kept.
    pub(crate) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Returns the state of the table of `variant`; opens a table that another program has made or put in its place.
    pub(crate) fn current_state(&self, variant: &Variant) -> TableState {
        let table_state = variant.table_state();
        let seen = match &table_state {
            TableState::Ready(solved) => solved.damage().filter(|_| solved.table().is_current()),
            _ => None,
        };
        if let Some(damage) = seen {
            return TableState::Failed(damage.to_owned());
        }
        if table_state.is_under_way() {
            return table_state;
        }
        let found = match (self.library.find(variant.rule_set()).map(|it| it.table), &table_state) {
            (Some(Ok(table)), _) => TableState::Ready(Arc::new(ServedTable::new(table))),
            (Some(Err(error)), _) => TableState::Failed(error.to_string()),
            // The table has been removed since.
            (None, TableState::Ready(_)) => TableState::Empty,
            (None, _) => return table_state,
        };
        variant.replace(found.clone(), TableState::is_under_way).err().unwrap_or(found)
    }

    /// Returns the table, solving a small game first.
    ///
    /// # Errors
    ///
    /// Returns a conflict that reports the progress of the solve, or how to start one.
    pub(crate) async fn obtain(&self, variant: &Arc<Variant>) -> ApiResult<Arc<ServedTable>> {
        let (here, of) = (self.clone(), Arc::clone(variant));
        let begun = run_blocking(move || match here.current_state(&of) {
            TableState::Empty if of.size().is_small() && here.may_solve => {
                here.solve(&of).map(drop)
            }
            _ => Ok(()),
        });
        begun.await??;
        match variant.table_state() {
            TableState::Solving(progress) if variant.size().is_small() => wait(progress).await,
            _ => {}
        }
        match variant.table_state() {
            TableState::Ready(solved) => Ok(solved),
            other => Err(self.unsolved(variant, &other)),
        }
    }

    /// Returns the values of a game with a cube, solving a small game first; `None` if there are no values and finding them takes
    /// longer.
    ///
    /// # Errors
    ///
    /// As [`Tables::obtain`].
    pub(crate) async fn cube(
        &self,
        variant: &Arc<Variant>,
        stakes: Stakes,
    ) -> ApiResult<Option<Arc<CubeValues>>> {
        if self.is_out_of_reach(variant).await? {
            self.ensure_room(variant)?;
            return Ok(None);
        }
        let solved = self.obtain(variant).await?;
        self.cubes.obtain((&self.library, self.may_solve), variant, (&solved, stakes)).await
    }

    /// Returns the error of a game without a table, with the reason.
    fn unsolved(&self, variant: &Variant, table_state: &TableState) -> ApiError {
        let name = variant.name();
        let (message, expected) = match table_state {
            TableState::Solving(progress) => {
                let percent = progress.borrow().percent();
                let expected =
                    format!("to ask again later; GET /api/{name}/solve reports the progress");
                (format!("{name} is being solved, {percent} % done"), expected)
            }
            TableState::Failed(why) => {
                let expected = format!("POST /api/{name}/solve, which tries again");
                (format!("{name} has no table: {why}"), expected)
            }
            _ => {
                let expected = format!("POST /api/{name}/solve, which starts a solve");
                (format!("{name} is not solved yet"), expected)
            }
        };
        let can_be_asked = self.may_solve || matches!(table_state, TableState::Solving(_));
        let by_others = || "the person who runs the server to solve it".to_owned();
        let expected = if can_be_asked { expected } else { by_others() };
        ApiError::conflict(message).expected(expected)
    }

    /// Returns the table if the game is solved.
    pub(crate) fn ready(&self, variant: &Variant) -> Option<Arc<ServedTable>> {
        match self.current_state(variant) {
            TableState::Ready(solved) => Some(solved),
            _ => None,
        }
    }

    /// Returns whether the game has neither a table nor a solve that goes on, and there is no room to make a table. A solve that
    /// goes on has taken its memory already, so the room that is left does not matter to it.
    ///
    /// # Errors
    ///
    /// Returns an error if the look for a table ends badly.
    pub(crate) async fn is_out_of_reach(&self, variant: &Arc<Variant>) -> ApiResult<bool> {
        let (here, variant) = (self.clone(), Arc::clone(variant));
        run_blocking(move || match here.current_state(&variant) {
            TableState::Ready(_) | TableState::Solving(_) => false,
            TableState::Empty | TableState::Failed(_) => !here.room().suffices(&variant),
        })
        .await
    }

    /// Returns the room that there is for a table; the system takes a millisecond to report its memory.
    pub(crate) fn room(&self) -> Room {
        Room { memory: self.library.memory(), disk: self.quota }
    }

    /// Returns whether requests may have games solved and all values of this one fit into memory.
    pub(crate) fn may_show(&self, variant: &Variant) -> bool {
        self.may_solve && self.library.holds(variant.size())
    }

    /// Refuses a table with which all tables would take more of the disk than they may. Files that an earlier solve of the game
    /// has left do not count, because they become part of the table.
    fn ensure_room(&self, variant: &Variant) -> ApiResult<()> {
        let store = self.library.store();
        let table = store.path(variant.rule_set(), Precision::F64);
        let own = ["part", "journal"].map(|end| table.with_added_extension(end));
        let taken = bytes_in(store.directory(), &own);
        let needed = variant.bytes().unwrap_or(u64::MAX);
        if taken.saturating_add(needed) <= self.quota {
            return Ok(());
        }
        let message = format!(
            "the table of {} takes {needed} bytes, and all tables may take {}",
            variant.name(),
            self.quota
        );
        Err(ApiError::new(StatusCode::INSUFFICIENT_STORAGE, message)
            .expected("a smaller game, or tables to be removed by the person who runs the server"))
    }

    /// Starts to solve the game in the background, and returns the progress. If a solve of it is already going on, returns the
    /// progress of that one.
    ///
    /// # Errors
    ///
    /// Returns an error if the game is solved, or takes more memory or disk than there is.
    pub(crate) fn solve(
        &self,
        variant: &Arc<Variant>,
    ) -> ApiResult<watch::Receiver<SolveProgress>> {
        let table_state = variant.table_state();
        if table_state.is_under_way() {
            return going_on(variant, table_state);
        }
        if !self.library.fits(variant.size()) {
            return Err(too_large(variant));
        }
        self.ensure_room(variant)?;
        let (sender, receiver) = watch::channel(SolveProgress::WAITING);
        let solving = TableState::Solving(receiver.clone());
        // Another request may have been faster.
        if let Err(table_state) = variant.replace(solving, TableState::is_under_way) {
            return going_on(variant, table_state);
        }
        let job = Job {
            variant: Arc::clone(variant),
            tables: self.clone(),
            reporter: Reporter {
                sender: sender.clone(),
                pace: Pace::new(),
                stop: Arc::clone(&self.stop),
            },
        };
        let (turn, variant) = (Arc::clone(&self.turn), Arc::clone(variant));
        tokio::spawn(async move {
            let _turn = turn.acquire_owned().await;
            settle(&variant, move || job.run(), sender).await;
        });
        Ok(receiver)
    }
}

/// Returns the result of `work`, done on a thread on which it may block.
async fn run_blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> ApiResult<T> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|error| ApiError::internal("looking for a table", &error))
}

/// Returns the bytes of the files in a directory and its folders, except those at the paths in `except`.
fn bytes_in(directory: &Path, except: &[PathBuf]) -> u64 {
    let entries = directory.read_dir().into_iter().flatten().flatten();
    let counted = entries.filter(|entry| !except.contains(&entry.path()));
    let bytes = counted.map(|entry| match entry.metadata() {
        Ok(metadata) if metadata.is_dir() => bytes_in(&entry.path(), except),
        Ok(metadata) => metadata.len(),
        Err(_) => 0,
    });
    bytes.fold(0, u64::saturating_add)
}

/// Returns the error of a game that takes more memory than there is.
fn too_large(variant: &Variant) -> ApiError {
    let message = format!("{} takes more memory than there is", variant.name());
    let fewer = variant.rule_set().pieces.saturating_sub(1).max(1);
    let example = variant.rule_set().preset().map(|preset| preset.with_pieces(fewer));
    let example = example.map(|example| format!(", as in {example}")).unwrap_or_default();
    ApiError::conflict(message).expected(format!("fewer pieces{example}"))
}

/// Returns the progress of the solve that is going on.
///
/// # Errors
///
/// Returns a conflict if the game is solved.
fn going_on(
    variant: &Variant,
    table_state: TableState,
) -> ApiResult<watch::Receiver<SolveProgress>> {
    match table_state {
        TableState::Solving(progress) => Ok(progress),
        _ => Err(ApiError::conflict(format!("{} is solved", variant.name()))),
    }
}

/// Does the work of a solve, and keeps the state that it returns, or a failure if it panics.
async fn settle(
    variant: &Variant,
    work: impl FnOnce() -> TableState + Send + 'static,
    sender: watch::Sender<SolveProgress>,
) {
    let done = tokio::task::spawn_blocking(work).await;
    let (table_state, fault) = match done {
        Ok(table_state) => (table_state, None),
        Err(error) => (TableState::Failed("the solve ended badly".to_owned()), Some(error)),
    };
    let _ = variant.replace(table_state, |_| false);
    if let Some(error) = fault {
        tracing::error!("solving {} ended badly: {error}", variant.name());
    }
    // The last sender is dropped only now, which wakes all requests that wait for the end.
    drop(sender);
}

/// Waits until a solve is over, but no longer than `PATIENCE`.
async fn wait(mut progress: watch::Receiver<SolveProgress>) {
    // The sender is dropped when the solve is over.
    let over = async { while progress.changed().await.is_ok() {} };
    let _ = tokio::time::timeout(PATIENCE, over).await;
}

/// A solve in the background.
struct Job {
    variant: Arc<Variant>,
    tables: Tables,
    reporter: Reporter,
}

impl Job {
    /// Solves the game, and returns the state of its table afterwards.
    fn run(mut self) -> TableState {
        self.reporter.pace = Pace::new();
        // The solves that this one waited for have taken room.
        if let Err(error) = self.tables.ensure_room(&self.variant) {
            return TableState::Failed(error.to_string());
        }
        match self.tables.library.solve(self.variant.rules(), &self.reporter) {
            Ok(table) => TableState::Ready(Arc::new(ServedTable::new(table))),
            Err(error) => {
                let name = self.variant.name();
                if self.reporter.stop() {
                    tracing::info!("{name} is not solved yet: {error}");
                } else {
                    tracing::error!("solving {name} failed: {error}");
                }
                TableState::Failed(error.to_string())
            }
        }
    }
}

/// Passes the progress of a solve on to all its watchers.
struct Reporter {
    sender: watch::Sender<SolveProgress>,
    pace: Pace,
    stop: Arc<AtomicBool>,
}

impl Watch for Reporter {
    fn progress(&self, done: u64, total: u64) {
        self.pace.note(done);
        let seconds_left = self.pace.left(done, total).map(|left| left.as_secs_f64());
        self.sender.send_if_modified(|progress| {
            // Reports come often, from any thread and in any order, so only one that is a thousandth further is passed on.
            let is_news = progress.total == 0
                || done == total
                || done.saturating_sub(progress.done) > total / 1000;
            if is_news {
                *progress = SolveProgress { done, total, seconds_left };
            }
            is_news
        });
    }

    fn stop(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU64;

    use puabi_core::RuleSet;

    use super::*;

    fn finkel() -> Arc<Variant> {
        let rules = RuleSet::FINKEL.with_pieces(2).compile().unwrap();
        Arc::new(Variant::new("finkel:2".to_owned(), rules))
    }

    #[tokio::test]
    async fn a_solve_that_goes_on_is_not_begun_again_whatever_room_is_left() {
        static LEFT: AtomicU64 = AtomicU64::new(u64::MAX);
        let (data, variant) = (tempfile::tempdir().unwrap(), finkel());
        let memory = || Some(LEFT.load(Ordering::Relaxed));
        let tables = Tables::new(data.path(), memory, true, u64::MAX);
        let _turn = tables.turn.acquire().await;
        let first = tables.solve(&variant).unwrap();
        LEFT.store(0, Ordering::Relaxed);
        assert!(tables.solve(&variant).unwrap().same_channel(&first));
        assert!(!tables.is_out_of_reach(&variant).await.unwrap());
        assert!(tables.is_out_of_reach(&finkel()).await.unwrap());
    }

    #[tokio::test]
    async fn what_a_solve_has_left_is_part_of_its_table_and_cubes_take_room() {
        let (data, variant) = (tempfile::tempdir().unwrap(), finkel());
        let bytes = 8 * variant.size().positions().unwrap();
        let tables = Tables::new(data.path(), || None, true, bytes * 3 / 2);
        let write = |path: &str, bytes: u64| {
            let path = data.path().join("tables").join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::File::create(path).unwrap().set_len(bytes).unwrap();
        };
        write("finkel-2.urt.part", bytes);
        write("finkel-2.urt.journal", bytes);
        assert!(tables.ensure_room(&variant).is_ok());
        write("finkel.cube/1-centred.urt", bytes);
        assert!(tables.ensure_room(&variant).is_err());
    }

    #[tokio::test]
    async fn solves_that_wait_take_no_more_room_than_there_is() {
        let (data, one) = (tempfile::tempdir().unwrap(), finkel());
        let rule_set = RuleSet { name: "other".into(), ..RuleSet::FINKEL.with_pieces(2) };
        let other = Arc::new(Variant::new("other".to_owned(), rule_set.compile().unwrap()));
        let bytes = 8 * one.size().positions().unwrap();
        let tables = Tables::new(data.path(), || None, true, bytes * 3 / 2);
        let turn = tables.turn.acquire().await.unwrap();
        let both = [tables.solve(&one).unwrap(), tables.solve(&other).unwrap()];
        drop(turn);
        for progress in both {
            wait(progress).await;
        }
        let failed = |variant: &Variant| match variant.table_state() {
            TableState::Ready(_) => false,
            TableState::Failed(why) => why.contains("all tables may take"),
            under_way => panic!("{under_way:?}"),
        };
        assert!(failed(&one) != failed(&other));
    }

    #[tokio::test]
    async fn who_waits_for_a_solve_that_panics_finds_it_failed() {
        let variant = finkel();
        let (sender, mut progress) = watch::channel(SolveProgress::WAITING);
        variant.replace(TableState::Solving(progress.clone()), |_| false).unwrap();
        let reporter = sender.clone();
        let work = move || {
            let _reporter = reporter;
            panic!("a fault of the solver");
        };
        let (waits, settles) = (Arc::clone(&variant), Arc::clone(&variant));
        let found = async move {
            while progress.changed().await.is_ok() {}
            waits.table_state()
        };
        let (found, ()) = tokio::join!(found, settle(&settles, work, sender));
        assert!(matches!(found, TableState::Failed(_)), "{found:?}");
    }
}
