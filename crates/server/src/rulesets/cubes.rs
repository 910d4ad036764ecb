//! Values of games with a doubling cube: from tables that `ur cube` has made, or solved here if that takes a moment.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use puabi_answers::{ApiError, ApiResult, SolvedCube, game_of, solve_cube, solves};
use puabi_core::{CubeEvaluator, RuleSet, Stakes};
use puabi_solve::{MatchTable, Options, Solver, Unattended};
use puabi_tables::{CubeTables, Library, Table};
use tokio::sync::{Semaphore, watch};

use crate::rulesets::variant::{Solved, Variant};

/// How long a request waits for values that are being made.
const PATIENCE: Duration = Duration::from_secs(10);
/// The most values that are found for one answer, which takes about ten seconds: `finkel:3` has 263,121 in each game of a
/// match, and a match to 5 points 64 games.
const BUDGET: u64 = 20_000_000;
/// The games that are held at once.
const HELD: usize = 12;

/// Values of games with a cube.
#[derive(Debug, Clone, Default)]
pub(crate) struct Cubes(Arc<Shelves>);

#[derive(Debug)]
struct Shelves {
    /// The games, those asked for last at the end.
    games: Mutex<Vec<(Key, Held)>>,
    /// The chances at the scores of matches, by the rules.
    matches: Mutex<Vec<(RuleSet, Arc<MatchTable>)>>,
    /// One solve at a time.
    turn: Arc<Semaphore>,
}

impl Default for Shelves {
    fn default() -> Self {
        Self {
            games: Mutex::default(),
            matches: Mutex::default(),
            turn: Arc::new(Semaphore::new(1)),
        }
    }
}

/// What values are of: the rules, and the score of a match or the cap of a cube for money.
type Key = (RuleSet, Stakes);

/// What there is of the values of a game.
#[derive(Debug, Clone)]
enum Held {
    /// A solve that goes on; the other end goes away with it.
    Solving(watch::Receiver<()>),
    /// The values.
    Ready(Arc<CubeValues>),
    /// Why there are none.
    Failed(String),
}

/// The values of a game with a cube.
pub(crate) enum CubeValues {
    /// Tables on disk.
    Tables(Box<CubeTables>),
    /// Values in memory.
    Solved(SolvedCube),
}

impl std::fmt::Debug for CubeValues {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Tables(_) => "Tables",
            Self::Solved(_) => "Solved",
        })
    }
}

impl CubeValues {
    /// Returns what `work` makes of the values.
    ///
    /// # Errors
    ///
    /// Returns a conflict if a table is damaged.
    pub(crate) fn with<T>(&self, work: impl FnOnce(&dyn CubeEvaluator) -> T) -> ApiResult<T> {
        match self {
            Self::Solved(values) => Ok(work(&**values)),
            Self::Tables(tables) => tables.with_values(work).map_err(|error| {
                tracing::error!("tables of a cube are damaged: {error}");
                ApiError::conflict(format!("the tables of this cube are damaged: {error}"))
            }),
        }
    }
}

/// Returns whether the values of a game are found in a moment.
fn is_soon_solved(variant: &Variant, stakes: Stakes) -> bool {
    let positions = variant.size().positions().unwrap_or(u64::MAX);
    positions.saturating_mul(solves(stakes)) <= BUDGET
}

impl Cubes {
    /// Returns the values, solving the game first if that takes a moment; `None` if it takes longer and there are no tables.
    ///
    /// `solves` says whether requests may have games solved.
    ///
    /// # Errors
    ///
    /// Returns a conflict if the game is being solved, or cannot be.
    pub(crate) async fn obtain(
        &self,
        (library, solves): (&Library, bool),
        variant: &Arc<Variant>,
        (cubeless, stakes): (&Arc<Solved>, Stakes),
    ) -> ApiResult<Option<Arc<CubeValues>>> {
        let key = (variant.rule_set().clone(), game_of(stakes));
        if self.held(&key).is_none() {
            if let Some(tables) = tables(library, &key)? {
                let found = Arc::new(CubeValues::Tables(Box::new(tables)));
                self.put(key.clone(), Held::Ready(found));
            } else if solves && is_soon_solved(variant, stakes) {
                self.solve(key.clone(), Arc::clone(cubeless));
            } else {
                return Ok(None);
            }
        }
        if let Some(Held::Solving(mut end)) = self.held(&key) {
            let over = async { while end.changed().await.is_ok() {} };
            let _ = tokio::time::timeout(PATIENCE, over).await;
        }
        let name = variant.name();
        match self.held(&key) {
            Some(Held::Ready(values)) => Ok(Some(values)),
            Some(Held::Failed(why)) => {
                self.forget(&key);
                Err(ApiError::conflict(format!("{name} has no values with its cube: {why}")))
            }
            _ => Err(ApiError::conflict(format!("{name} is being solved with its cube"))
                .expected("to ask again later")),
        }
    }

    fn games(&self) -> std::sync::MutexGuard<'_, Vec<(Key, Held)>> {
        self.0.games.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn held(&self, key: &Key) -> Option<Held> {
        let mut games = self.games();
        let at = games.iter().position(|(known, _)| known == key)?;
        let found = games.remove(at);
        let held = found.1.clone();
        games.push(found);
        Some(held)
    }

    fn forget(&self, key: &Key) {
        self.games().retain(|(known, _)| known != key);
    }

    fn put(&self, key: Key, held: Held) {
        self.forget(&key);
        let mut games = self.games();
        if games.len() >= HELD {
            games.remove(0);
        }
        games.push((key, held));
    }

    /// Solves the game in the background.
    fn solve(&self, key: Key, solved: Arc<Solved>) {
        let (sender, receiver) = watch::channel(());
        self.put(key.clone(), Held::Solving(receiver));
        let (here, turn) = (self.clone(), Arc::clone(&self.0.turn));
        tokio::spawn(async move {
            let _turn = turn.acquire_owned().await;
            let (work, of) = (here.clone(), key.clone());
            let done = tokio::task::spawn_blocking(move || work.values(&of, solved.table())).await;
            let held = match done {
                Ok(Ok(values)) => Held::Ready(Arc::new(CubeValues::Solved(values))),
                Ok(Err(why)) => Held::Failed(why),
                Err(error) => Held::Failed(error.to_string()),
            };
            here.put(key, held);
            // Only now all who wait are woken.
            drop(sender);
        });
    }

    /// Returns the values of a game, or why there are none.
    fn values(&self, (rule_set, stakes): &Key, table: &Table) -> Result<SolvedCube, String> {
        let options = Options::default();
        let solver = Solver::new(table.header().rules(), options).map_err(|it| it.to_string())?;
        let cubeless = table.load(options.threads, &Unattended).map_err(|it| it.to_string())?;
        let found = solve_cube(&solver, cubeless, *stakes, self.known(rule_set));
        let (values, chances) = found.map_err(|it| it.to_string())?;
        if let Some(chances) = chances {
            self.keep(rule_set, &chances);
        }
        Ok(values)
    }

    /// Returns the chances of the longest match that was solved.
    fn known(&self, rule_set: &RuleSet) -> Option<Arc<MatchTable>> {
        let matches = self.0.matches.lock().unwrap_or_else(PoisonError::into_inner);
        matches.iter().find(|(of, _)| of == rule_set).map(|(_, chances)| Arc::clone(chances))
    }

    fn keep(&self, rule_set: &RuleSet, chances: &Arc<MatchTable>) {
        let mut matches = self.0.matches.lock().unwrap_or_else(PoisonError::into_inner);
        matches.retain(|(of, _)| of != rule_set);
        if matches.len() >= HELD {
            matches.remove(0);
        }
        matches.push((rule_set.clone(), Arc::clone(chances)));
    }
}

/// Returns the tables of a cube for money, if they were made.
fn tables(library: &Library, (rule_set, stakes): &Key) -> ApiResult<Option<CubeTables>> {
    let Some(Ok(cubeless)) = library.find(rule_set).map(|it| it.table) else { return Ok(None) };
    if stakes.score.is_some() {
        return Ok(None);
    }
    let opened = CubeTables::open(library.store(), cubeless, stakes.cube.left());
    opened.map_err(|error| ApiError::internal("opening the tables of a cube", &error))
}
