//! Everything that a request can use.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use puabi_core::RuleSet;
use puabi_engine::AgentSpec;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, broadcast};

use crate::archive::{Archive, ArchiveError};
use crate::games::hosted::HostedPrograms;
use crate::http::metrics::Metrics;
use crate::limits::Limits;
use crate::mode::{Mode, Right};
use crate::options::Options;
use crate::rulesets::catalog::Catalog;
use crate::rulesets::tables::Tables;
use crate::rulesets::variant::Variant;
use puabi_answers::{ApiError, ApiResult, Marks, limit_reached_error};

/// Everything that a request can use.
#[derive(Debug, Clone)]
pub(crate) struct AppState(Arc<Shared>);

/// The content of an [`AppState`].
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) catalog: Catalog,
    pub(crate) tables: Tables,
    pub(crate) archive: Archive,
    pub(crate) metrics: Metrics,
    pub(crate) mode: Mode,
    pub(crate) limits: Limits,
    pub(crate) hosted: Arc<HostedPrograms>,
    /// The numbers of games that change, for the clients that watch them.
    pub(crate) changes: broadcast::Sender<i64>,
    /// What the reviews of games say, by the number and the last change of each game, on a server that writes nothing down.
    pub(crate) reviewed: Mutex<HashMap<(i64, i64), Marks>>,
    /// Limits how many searches, reviews and the like go on at once.
    blocking: Arc<Semaphore>,
    /// Limits how many waits for other programs go on at once.
    waiting: Arc<Semaphore>,
    /// Limits how many plies are reviewed at once, so that the memory for reviews does not grow with the processors.
    reviewed_plies: Arc<Semaphore>,
    /// Limits how many demonstrations go on at once.
    pub(crate) demonstrations: Arc<Semaphore>,
}

/// The number of changes of games that a watcher may be behind; one that is further behind gets a single event instead.
const CHANGES: usize = 256;
/// The most waits for other programs at once: each takes a thread, but no processor.
const WAITS: usize = 64;
/// The number of reviews that go on at once if each is of the longest game that a client may send.
const LONG_REVIEWS: usize = 4;
/// The most demonstrations of how values converge at once.
const DEMONSTRATIONS: usize = 2;

impl AppState {
    /// Opens the data directory.
    pub(crate) async fn open(options: &Options) -> Result<Self, ArchiveError> {
        let Options { data, memory, mode, limits, hosted, .. } = options;
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let reviewed_plies = limits.plies.saturating_mul(LONG_REVIEWS).min(Semaphore::MAX_PERMITS);
        Ok(Self(Arc::new(Shared {
            catalog: Catalog::new(data, limits.rule_files),
            tables: Tables::new(data, *memory, mode.allows(Right::Solve, false), limits.tables),
            archive: Archive::open_or_copy(data).await?,
            metrics: Metrics::new(),
            mode: *mode,
            limits: *limits,
            hosted: Arc::clone(hosted),
            changes: broadcast::Sender::new(CHANGES),
            reviewed: Mutex::default(),
            blocking: Arc::new(Semaphore::new(threads)),
            waiting: Arc::new(Semaphore::new(WAITS)),
            reviewed_plies: Arc::new(Semaphore::new(reviewed_plies)),
            demonstrations: Arc::new(Semaphore::new(DEMONSTRATIONS)),
        })))
    }

    /// Returns the rule set of this name. The first request for a rule set counts its positions, which takes a while.
    ///
    /// # Errors
    ///
    /// Returns an error if no rule set has this name.
    pub(crate) async fn variant(&self, name: &str) -> ApiResult<Arc<Variant>> {
        if let Some(variant) = self.catalog.cached(name) {
            return Ok(variant);
        }
        let (here, name) = (self.clone(), name.to_owned());
        self.run_blocking(move || here.catalog.find(&name)).await
    }

    /// Returns whether the rule set of this name has exactly these rules.
    pub(crate) async fn knows(&self, rule_set: &RuleSet) -> bool {
        let is_it = |variant: Arc<Variant>| variant.rule_set() == rule_set;
        rule_set.preset().is_some() || self.variant(&rule_set.to_string()).await.is_ok_and(is_it)
    }

    /// Returns the variant that has exactly these rules.
    ///
    /// # Errors
    ///
    /// Returns an error if the rules are neither those of a preset nor in a kept file.
    pub(crate) async fn variant_of(&self, rule_set: &RuleSet) -> ApiResult<Arc<Variant>> {
        let (here, rule_set) = (self.clone(), rule_set.clone());
        self.run_blocking(move || here.catalog.of_rule_set(&rule_set)).await
    }

    /// Refuses another game if a server for others keeps as many as it may.
    ///
    /// # Errors
    ///
    /// Returns an error if as many games are kept as may be, or if the archive fails.
    pub(crate) async fn ensure_room_for_game(&self) -> ApiResult<()> {
        let most = self.limits.games;
        if self.mode.is_for_others() && self.archive.count().await? >= most as u64 {
            return Err(limit_reached_error(most, "games"));
        }
        Ok(())
    }

    /// Returns the result of `work`, done on a thread on which it may block.
    pub(crate) async fn run_blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> ApiResult<T> + Send + 'static,
    ) -> ApiResult<T> {
        run_in_turn(&self.blocking, work).await
    }

    /// Waits for a turn to review a game of about `plies` plies; the turn ends when the permit is dropped.
    pub(crate) async fn turn_to_review(&self, plies: usize) -> Option<OwnedSemaphorePermit> {
        let plies = u32::try_from(plies.min(self.limits.plies)).unwrap_or(u32::MAX);
        // Only a semaphore that was closed gives no permit, and this one never is.
        Arc::clone(&self.reviewed_plies).acquire_many_owned(plies).await.ok()
    }

    /// Returns the result of `work`, which asks this agent. Work that waits for another program does not keep other work from
    /// running.
    pub(crate) async fn run_asking<T: Send + 'static>(
        &self,
        spec: &AgentSpec,
        work: impl FnOnce() -> ApiResult<T> + Send + 'static,
    ) -> ApiResult<T> {
        let turns = if spec.command().is_some() { &self.waiting } else { &self.blocking };
        run_in_turn(turns, work).await
    }
}

async fn run_in_turn<T: Send + 'static>(
    turns: &Arc<Semaphore>,
    work: impl FnOnce() -> ApiResult<T> + Send + 'static,
) -> ApiResult<T> {
    let turn = Arc::clone(turns).acquire_owned().await;
    let done = tokio::task::spawn_blocking(move || {
        let _turn = turn;
        work()
    });
    done.await.unwrap_or_else(|error| Err(ApiError::internal("blocking", &error)))
}

impl std::ops::Deref for AppState {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tempfile::TempDir;
    use tokio::runtime::Handle;
    use tokio::sync::watch;

    use super::*;

    async fn open(data: &TempDir) -> AppState {
        let options = Options {
            address: ([127, 0, 0, 1], 0).into(),
            data: data.path().to_owned(),
            names: Vec::new(),
            solve: None,
            memory: || None,
            mode: Mode::Mine,
            proxy: None,
            limits: Limits::default(),
            hosted: Arc::default(),
        };
        AppState::open(&options).await.unwrap()
    }

    #[tokio::test]
    async fn long_reviews_wait_for_their_turn() {
        let data = tempfile::tempdir().unwrap();
        let state = open(&data).await;
        let long = state.limits.plies;
        let mut turns = Vec::new();
        for _ in 0..LONG_REVIEWS {
            turns.push(state.turn_to_review(2 * long).await.unwrap());
        }
        let short = || tokio::time::timeout(Duration::from_millis(50), state.turn_to_review(1));
        assert!(short().await.is_err());
        turns.pop();
        let short = short().await.expect("there is room again");
        let next = tokio::time::timeout(Duration::from_millis(50), state.turn_to_review(long));
        assert!(next.await.is_err(), "the short one takes a part of the room");
        drop(short);
        assert!(state.turn_to_review(long).await.is_some());
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn who_waits_for_a_program_keeps_nobody_from_thinking() {
        let data = tempfile::tempdir().unwrap();
        let state = open(&data).await;
        let (end, ended) = watch::channel(());
        for _ in 0..std::thread::available_parallelism().unwrap().get() {
            let (state, mut ended) = (state.clone(), ended.clone());
            let wait = move || {
                let _ = Handle::current().block_on(ended.changed());
                Ok(())
            };
            let program = "engine:slow".parse().unwrap();
            tokio::spawn(async move { state.run_asking(&program, wait).await });
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
        let work = state.run_blocking(|| Ok(()));
        assert!(tokio::time::timeout(Duration::from_secs(10), work).await.is_ok());
        drop(end);
    }
}
