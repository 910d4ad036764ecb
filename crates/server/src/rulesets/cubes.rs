//! Values of games with a doubling cube: from tables that `ur cube` has made, or solved here if that takes only a moment.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use puabi_answers::{ApiError, ApiResult, SolvedCube, solve_count, solve_cube, stakes_at_start};
use puabi_core::{CubeEvaluator, RuleSet, Stakes};
use puabi_solve::{MatchTable, Options, Solver, Unattended};
use puabi_tables::{CubeTables, Library, Table};
use tokio::sync::{Semaphore, watch};

use crate::rulesets::variant::{ServedTable, Variant};

/// How long a request waits for values that are being made.
const PATIENCE: Duration = Duration::from_secs(10);
/// The most values that are found for one answer, which takes about ten seconds: positions times `solve_count`. It suffices for
/// `finkel:3`, which has 263,121 positions, in a match to 6 points.
const BUDGET: u64 = 20_000_000;
/// The largest number of games of which the state is kept at once.
const MAX_GAMES: usize = 12;

/// Values of games with a cube.
#[derive(Debug, Clone, Default)]
pub(crate) struct Cubes(Arc<CubeCache>);

#[derive(Debug)]
struct CubeCache {
    /// The games, those asked for last at the end.
    games: Mutex<Vec<(Key, CubeState)>>,
    /// The chances at the scores of matches, by the rules.
    matches: Mutex<Vec<(RuleSet, Arc<MatchTable>)>>,
    /// One solve at a time.
    turn: Arc<Semaphore>,
}

impl Default for CubeCache {
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

/// The state of the values of a game.
#[derive(Debug, Clone)]
enum CubeState {
    /// A solve that goes on; the sender is dropped when it ends.
    Solving(watch::Receiver<()>),
    /// The values.
    Ready(Arc<CubeValues>),
    /// The reason why there are no values.
    Failed(String),
}

/// The values of a game with a cube.
pub(crate) enum CubeValues {
    /// Tables on disk.
    Tables {
        tables: Box<CubeTables>,
        /// Whether a reader has found them damaged, or changed by another program.
        is_damaged: AtomicBool,
    },
    /// Values in memory.
    Solved(SolvedCube),
}

impl std::fmt::Debug for CubeValues {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Tables { .. } => "Tables",
            Self::Solved(_) => "Solved",
        })
    }
}

impl CubeValues {
    /// Returns the result of `work` on the values.
    ///
    /// # Errors
    ///
    /// Returns a conflict if a table is damaged; the next request then opens the tables anew.
    pub(crate) fn with<T>(&self, work: impl FnOnce(&dyn CubeEvaluator) -> T) -> ApiResult<T> {
        match self {
            Self::Solved(values) => Ok(work(&**values)),
            Self::Tables { tables, is_damaged } => tables.with_values(work).map_err(|error| {
                tracing::error!("tables of a cube are damaged: {error}");
                is_damaged.store(true, Ordering::Relaxed);
                ApiError::conflict(format!("the tables of this cube are damaged: {error}"))
            }),
        }
    }
}

impl CubeState {
    fn is_damaged(&self) -> bool {
        let Self::Ready(values) = self else { return false };
        matches!(&**values, CubeValues::Tables { is_damaged, .. } if is_damaged.load(Ordering::Relaxed))
    }
}

/// Returns whether the values of a game are found soon enough to solve it for one answer.
fn is_soon_solved(variant: &Variant, stakes: Stakes) -> bool {
    let positions = variant.size().positions().unwrap_or(u64::MAX);
    positions.saturating_mul(solve_count(stakes)) <= BUDGET
}

impl Cubes {
    /// Returns the values, solving the game first if that takes only a moment; `None` if there are no tables and it takes longer.
    ///
    /// `may_solve` says whether requests may have games solved.
    ///
    /// # Errors
    ///
    /// Returns a conflict if the game is being solved, or could not be solved.
    pub(crate) async fn obtain(
        &self,
        (library, may_solve): (&Library, bool),
        variant: &Arc<Variant>,
        (cubeless, stakes): (&Arc<ServedTable>, Stakes),
    ) -> ApiResult<Option<Arc<CubeValues>>> {
        let key = (variant.rule_set().clone(), stakes_at_start(stakes));
        if self.state(&key).is_none() {
            if let Some(tables) = opened(library, &key).await? {
                self.state_or_insert(&key, || CubeState::Ready(Arc::new(tables)));
            } else if may_solve && is_soon_solved(variant, stakes) {
                self.solve(key.clone(), Arc::clone(cubeless));
            } else {
                return Ok(None);
            }
        }
        if let Some(CubeState::Solving(mut end)) = self.state(&key) {
            let over = async { while end.changed().await.is_ok() {} };
            let _ = tokio::time::timeout(PATIENCE, over).await;
        }
        let name = variant.name();
        match self.state(&key) {
            Some(CubeState::Ready(values)) => Ok(Some(values)),
            Some(CubeState::Failed(why)) => {
                self.forget(&key);
                Err(ApiError::conflict(format!("{name} has no values with its cube: {why}")))
            }
            _ => Err(ApiError::conflict(format!("{name} is being solved with its cube"))
                .expected("to ask again later")),
        }
    }

    fn games(&self) -> std::sync::MutexGuard<'_, Vec<(Key, CubeState)>> {
        self.0.games.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn state(&self, key: &Key) -> Option<CubeState> {
        find(&mut self.games(), key)
    }

    /// Returns the state of a game. If it has none yet, inserts and returns the result of `begin`.
    fn state_or_insert(&self, key: &Key, begin: impl FnOnce() -> CubeState) -> CubeState {
        let mut games = self.games();
        find(&mut games, key).unwrap_or_else(|| {
            let state = begin();
            put(&mut games, key, state.clone());
            state
        })
    }

    fn forget(&self, key: &Key) {
        self.games().retain(|(known, _)| known != key);
    }

    /// Solves the game in the background, unless another request has begun to.
    fn solve(&self, key: Key, solved: Arc<ServedTable>) {
        let mut begun = None;
        self.state_or_insert(&key, || {
            let (sender, receiver) = watch::channel(());
            begun = Some(sender);
            CubeState::Solving(receiver)
        });
        let Some(sender) = begun else { return };
        let (here, turn) = (self.clone(), Arc::clone(&self.0.turn));
        tokio::spawn(async move {
            let _turn = turn.acquire_owned().await;
            let (work, of) = (here.clone(), key.clone());
            let done = tokio::task::spawn_blocking(move || work.values(&of, solved.table())).await;
            let state = match done {
                Ok(Ok(values)) => CubeState::Ready(Arc::new(CubeValues::Solved(values))),
                Ok(Err(why)) => CubeState::Failed(why),
                Err(error) => CubeState::Failed(error.to_string()),
            };
            put(&mut here.games(), &key, state);
            // This wakes all requests that wait, only now that the values are there.
            drop(sender);
        });
    }

    /// Solves a game, and returns its values or the reason why there are none.
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

    /// Returns the chances at the scores of the longest match that was solved with these rules.
    fn known(&self, rule_set: &RuleSet) -> Option<Arc<MatchTable>> {
        let matches = self.0.matches.lock().unwrap_or_else(PoisonError::into_inner);
        matches.iter().find(|(of, _)| of == rule_set).map(|(_, chances)| Arc::clone(chances))
    }

    fn keep(&self, rule_set: &RuleSet, chances: &Arc<MatchTable>) {
        let mut matches = self.0.matches.lock().unwrap_or_else(PoisonError::into_inner);
        matches.retain(|(of, _)| of != rule_set);
        if matches.len() >= MAX_GAMES {
            matches.remove(0);
        }
        matches.push((rule_set.clone(), Arc::clone(chances)));
    }
}

/// Returns the state of a game, and moves the game to the end. If its tables are damaged, forgets it and returns `None`.
fn find(games: &mut Vec<(Key, CubeState)>, key: &Key) -> Option<CubeState> {
    let at = games.iter().position(|(known, _)| known == key)?;
    let found = games.remove(at);
    if found.1.is_damaged() {
        return None;
    }
    let state = found.1.clone();
    games.push(found);
    Some(state)
}

/// Keeps the state of a game. If there are too many, those that were last asked for longest ago make room, except solves that go on.
fn put(games: &mut Vec<(Key, CubeState)>, key: &Key, state: CubeState) {
    games.retain(|(known, _)| known != key);
    let may_go = |(_, state): &(Key, CubeState)| !matches!(state, CubeState::Solving(_));
    while games.len() >= MAX_GAMES
        && let Some(at) = games.iter().position(may_go)
    {
        games.remove(at);
    }
    games.push((key.clone(), state));
}

/// Returns the tables of a cube, opened on a thread on which that may block.
async fn opened(library: &Library, key: &Key) -> ApiResult<Option<CubeValues>> {
    let (library, key) = (library.clone(), key.clone());
    let opening = tokio::task::spawn_blocking(move || tables(&library, &key));
    let failed = |error| Err(ApiError::internal("opening the tables of a cube", &error));
    let tables = opening.await.unwrap_or_else(failed)?.map(Box::new);
    Ok(tables.map(|tables| CubeValues::Tables { tables, is_damaged: AtomicBool::new(false) }))
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

#[cfg(test)]
mod tests {
    use std::fs::OpenOptions;
    use std::io::Write;

    use puabi_core::{Away, Cube};
    use puabi_tables::{Precision, make_cube_tables};

    use super::*;

    fn key(points: u8) -> Key {
        let score = format!("{points}-{points}").parse::<Away>().unwrap();
        (RuleSet::FINKEL.with_pieces(1), Stakes::of_match(score))
    }

    #[test]
    fn a_game_is_begun_once_and_its_solve_is_not_forgotten() {
        let cubes = Cubes::default();
        let begin = || CubeState::Solving(watch::channel(()).1);
        cubes.state_or_insert(&key(1), begin);
        cubes.state_or_insert(&key(1), || panic!("it is being solved"));
        for points in 2..30 {
            cubes.state_or_insert(&key(points), || CubeState::Failed(String::new()));
        }
        assert_eq!(cubes.games().len(), MAX_GAMES);
        assert!(matches!(cubes.state(&key(1)), Some(CubeState::Solving(_))));
        assert!(cubes.state(&key(2)).is_none() && cubes.state(&key(29)).is_some());
    }

    #[tokio::test]
    async fn tables_that_were_made_anew_are_opened_anew() {
        let data = tempfile::tempdir().unwrap();
        let library = Library::new(data.path(), || None);
        let rules = RuleSet::FINKEL.with_pieces(1).compile().unwrap();
        let cubeless = library.solve(&rules, &Unattended).unwrap();
        let make = || {
            let how = (Precision::F64, Options::default());
            let made =
                make_cube_tables(library.store(), &cubeless, 1, how, &Unattended, &mut |_| ());
            made.unwrap();
        };
        make();
        let variant = Arc::new(Variant::new("finkel:1".to_owned(), rules));
        let solved = ServedTable::new(library.find(variant.rule_set()).unwrap().table.unwrap());
        let (cubes, solved) = (Cubes::default(), Arc::new(solved));
        let stakes = Stakes::money(Cube::new(2));
        let obtain = async || {
            let found = cubes.obtain((&library, false), &variant, (&solved, stakes)).await;
            found.unwrap().unwrap()
        };
        assert!(obtain().await.with(|_| ()).is_ok());
        let folder = CubeTables::folder(library.store(), variant.rule_set());
        for file in folder.read_dir().unwrap() {
            let mut file = OpenOptions::new().append(true).open(file.unwrap().path()).unwrap();
            file.write_all(&[0]).unwrap();
        }
        assert!(obtain().await.with(|_| ()).is_err());
        make();
        assert!(obtain().await.with(|_| ()).is_ok());
    }
}
