//! Everything that a request can use.

use std::path::Path;
use std::sync::Arc;

use puabi_core::RuleSet;
use tokio::sync::Semaphore;

use crate::archive::{Archive, ArchiveError};
use crate::error::{Answered, ApiError};
use crate::library::Library;
use crate::metrics::Metrics;
use crate::tables::Tables;
use crate::variant::Variant;

/// Everything that a request can use.
#[derive(Debug, Clone)]
pub(crate) struct House(Arc<Rooms>);

/// What a house has.
#[derive(Debug)]
pub(crate) struct Rooms {
    pub(crate) library: Library,
    pub(crate) tables: Tables,
    pub(crate) archive: Archive,
    pub(crate) metrics: Metrics,
    /// Searches, reviews and the like that may go on at once.
    thinking: Arc<Semaphore>,
    /// Demonstrations that may go on at once.
    pub(crate) demonstrations: Arc<Semaphore>,
}

/// Demonstrations of how values converge that may go on at once.
const DEMONSTRATIONS: usize = 2;

impl House {
    /// Opens what lies in the data directory.
    pub(crate) async fn open(
        data: &Path,
        memory: fn() -> Option<u64>,
    ) -> Result<Self, ArchiveError> {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        Ok(Self(Arc::new(Rooms {
            library: Library::new(data),
            tables: Tables::new(data, memory),
            archive: Archive::open(data).await?,
            metrics: Metrics::new(),
            thinking: Arc::new(Semaphore::new(threads)),
            demonstrations: Arc::new(Semaphore::new(DEMONSTRATIONS)),
        })))
    }

    /// Returns the rule set of this name; one that nobody has asked for yet takes a while to be counted.
    ///
    /// # Errors
    ///
    /// Where there is none.
    pub(crate) async fn variant(&self, name: &str) -> Answered<Arc<Variant>> {
        if let Some(variant) = self.library.met(name) {
            return Ok(variant);
        }
        let (here, name) = (self.clone(), name.to_owned());
        self.think(move || here.library.find(&name)).await
    }

    /// Returns the variant that has exactly these rules.
    ///
    /// # Errors
    ///
    /// Where they are no preset's and in no kept file.
    pub(crate) async fn variant_of(&self, rule_set: &RuleSet) -> Answered<Arc<Variant>> {
        let (here, rule_set) = (self.clone(), rule_set.clone());
        self.think(move || here.library.of_rule_set(&rule_set)).await
    }

    /// Returns what `work` gives, done on a thread where it keeps nobody waiting.
    pub(crate) async fn think<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Answered<T> + Send + 'static,
    ) -> Answered<T> {
        let turn = Arc::clone(&self.thinking).acquire_owned().await;
        let done = tokio::task::spawn_blocking(move || {
            let _turn = turn;
            work()
        });
        done.await.unwrap_or_else(|error| Err(ApiError::internal("thinking", &error)))
    }
}

impl std::ops::Deref for House {
    type Target = Rooms;

    fn deref(&self) -> &Rooms {
        &self.0
    }
}
