//! Everything that a request can use.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use puabi_core::RuleSet;
use tokio::sync::{Semaphore, broadcast};

use crate::archive::{Archive, ArchiveError};
use crate::games::hosted::Hosted;
use crate::http::metrics::Metrics;
use crate::limits::Limits;
use crate::mode::{Mode, Right};
use crate::options::Options;
use crate::rulesets::catalog::Catalog;
use crate::rulesets::tables::Tables;
use crate::rulesets::variant::Variant;
use puabi_answers::{ApiError, ApiResult, Marks};

/// Everything that a request can use.
#[derive(Debug, Clone)]
pub(crate) struct AppState(Arc<Shared>);

/// What a state has.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) catalog: Catalog,
    pub(crate) tables: Tables,
    pub(crate) archive: Archive,
    pub(crate) metrics: Metrics,
    pub(crate) mode: Mode,
    pub(crate) limits: Limits,
    pub(crate) hosted: Arc<Hosted>,
    /// The numbers of games that change, for those who watch them.
    pub(crate) changes: broadcast::Sender<i64>,
    /// What the reviews of games say, by the number and the last change of each, if nothing may be written down.
    pub(crate) reviewed: Mutex<HashMap<(i64, i64), Marks>>,
    /// Searches, reviews and the like that may go on at once.
    blocking: Arc<Semaphore>,
    /// Demonstrations that may go on at once.
    pub(crate) demonstrations: Arc<Semaphore>,
}

/// Changes of games that a watcher may be behind; who is further behind is told of one change instead.
const CHANGES: usize = 256;
/// Demonstrations of how values converge that may go on at once.
const DEMONSTRATIONS: usize = 2;

impl AppState {
    /// Opens what lies in the data directory.
    pub(crate) async fn open(options: &Options) -> Result<Self, ArchiveError> {
        let Options { data, memory, mode, limits, hosted, .. } = options;
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
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
            demonstrations: Arc::new(Semaphore::new(DEMONSTRATIONS)),
        })))
    }

    /// Returns the rule set of this name. The first request for a rule set counts its positions, which takes a while.
    ///
    /// # Errors
    ///
    /// Returns an error if no rule set has this name.
    pub(crate) async fn variant(&self, name: &str) -> ApiResult<Arc<Variant>> {
        if let Some(variant) = self.catalog.met(name) {
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
    /// Returns an error if they are no preset's and in no kept file.
    pub(crate) async fn variant_of(&self, rule_set: &RuleSet) -> ApiResult<Arc<Variant>> {
        let (here, rule_set) = (self.clone(), rule_set.clone());
        self.run_blocking(move || here.catalog.of_rule_set(&rule_set)).await
    }

    /// Returns the result of `work`, done on a thread on which it may block.
    pub(crate) async fn run_blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> ApiResult<T> + Send + 'static,
    ) -> ApiResult<T> {
        let turn = Arc::clone(&self.blocking).acquire_owned().await;
        let done = tokio::task::spawn_blocking(move || {
            let _turn = turn;
            work()
        });
        done.await.unwrap_or_else(|error| Err(ApiError::internal("blocking", &error)))
    }
}

impl std::ops::Deref for AppState {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}
