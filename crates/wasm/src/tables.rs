//! The tables in memory, and what judges the positions of a game.

use std::collections::HashMap;
use std::sync::Arc;

use puabi_answers::{
    AnswerView, ApiError, ApiResult, NamedRules, Question, SolveProgress, SolveResults, SolvedCube,
    TableStanding, TableView, solve_count, solve_cube, stakes_at_start,
};
use puabi_core::{Evaluator, Rules, Stakes};
use puabi_engine::{Lookahead, Pocket, SharedEvaluator, ValueSource, perfect_length};
use puabi_solve::{MatchTable, Options, SolveError, Solver, Unattended};
use puabi_tables::MemoryTable;

use crate::request::solving_failed;

/// The most positions of a game that is solved when its values are first asked for, which takes about a second.
const AT_ONCE: u64 = 400_000;
/// The most positions of a game that is solved here at all: its table and the solve take half a gigabyte.
const FITTING: u64 = 25_000_000;
/// The most values that are found for a game with a cube, which takes a second or two: a match of `finkel:2` to 7 points, or
/// its cube for money.
const CUBE: u64 = 2_000_000;
/// Bytes of a value.
const VALUE: u64 = 8;

/// The tables by the text of their rules, and the solves of tables that are not there.
#[derive(Default)]
pub(crate) struct Tables {
    solved: HashMap<String, Arc<MemoryTable>>,
    solves: HashMap<String, SolveState>,
    /// The values of the game with a cube that was asked for last, with its rules and stakes.
    cube: Option<(String, Stakes, Arc<SolvedCube>)>,
    /// The chances at the scores of the match that was solved last, with its rules.
    chances: Option<(String, Arc<MatchTable>)>,
}

impl std::fmt::Debug for Tables {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tables").field("solves", &self.solves).finish_non_exhaustive()
    }
}

/// A solve that goes on elsewhere, or has failed.
#[derive(Debug)]
pub(crate) enum SolveState {
    /// How far it is.
    Running(SolveProgress),
    /// Why there is no table.
    Failed(String),
}

/// What judges the positions of a game.
#[derive(Debug)]
pub(crate) enum Judge {
    /// The table of the solved game.
    Table(Arc<MemoryTable>),
    /// A pocket, for a game that is not solved.
    Pocket(Box<Pocket>),
    /// A search, for a game that is not solved and has no pocket.
    Search(Box<Lookahead>),
}

impl Judge {
    /// Returns the kind of judge, as answers and reviews state it.
    pub(crate) fn source(&self) -> ValueSource {
        match self {
            Self::Table(_) => ValueSource::Table,
            Self::Pocket(pocket) => ValueSource::pocket(pocket),
            Self::Search(lookahead) => lookahead.source(),
        }
    }

    /// Returns the values.
    pub(crate) fn values(&self) -> &dyn Evaluator {
        match self {
            Self::Table(table) => &**table,
            Self::Pocket(pocket) => &**pocket,
            Self::Search(lookahead) => &**lookahead,
        }
    }

    /// Returns the answer to a question.
    pub(crate) fn answer(&self, question: Question, rules: &Rules) -> AnswerView {
        question.answer(rules, self.source(), self.values())
    }
}

impl Tables {
    /// Takes over a table.
    pub(crate) fn put(&mut self, table: MemoryTable) {
        let key = key(table.header().rules());
        self.solves.remove(&key);
        self.solved.insert(key, Arc::new(table));
    }

    /// Notes the state of the solve of these rules.
    pub(crate) fn note(&mut self, rules: &Rules, solve: SolveState) {
        self.solves.insert(key(rules), solve);
    }

    /// Returns the table, if the game is solved.
    pub(crate) fn ready(&self, rules: &Rules) -> Option<&Arc<MemoryTable>> {
        self.solved.get(&key(rules))
    }

    /// Returns the table, solving a small game first.
    ///
    /// # Errors
    ///
    /// Returns a conflict if the game is not small, and not solved yet.
    pub(crate) fn obtain(&mut self, named: &NamedRules) -> ApiResult<Arc<MemoryTable>> {
        if self.ready(&named.rules).is_none() && is_at_once(named) {
            let table = MemoryTable::solve(&named.rules, &Unattended).map_err(solving_failed)?;
            self.put(table);
        }
        self.ready(&named.rules).cloned().ok_or_else(|| self.unsolved(named))
    }

    /// Returns the values of a game with a cube; `None` if finding them takes longer than a moment.
    ///
    /// # Errors
    ///
    /// Returns an error if a small game cannot be solved.
    pub(crate) fn cube(
        &mut self,
        named: &NamedRules,
        stakes: Stakes,
    ) -> ApiResult<Option<Arc<SolvedCube>>> {
        let (key, game) = (key(&named.rules), stakes_at_start(stakes));
        let work = named.positions.unwrap_or(u64::MAX).saturating_mul(solve_count(stakes));
        if work > CUBE {
            return Ok(None);
        }
        if let Some((rules, of, values)) = &self.cube
            && *rules == key
            && *of == game
        {
            return Ok(Some(Arc::clone(values)));
        }
        let known = self.chances.as_ref().filter(|(rules, _)| *rules == key);
        let solved = solve(named, game, known.map(|(_, chances)| Arc::clone(chances)));
        let (values, chances) = solved.map_err(solving_failed)?;
        let values = Arc::new(values);
        self.cube = Some((key.clone(), game, Arc::clone(&values)));
        if let Some(chances) = chances {
            self.chances = Some((key, chances));
        }
        Ok(Some(values))
    }

    fn unsolved(&self, named: &NamedRules) -> ApiError {
        let name = &named.name;
        let (message, expected) = match self.solves.get(&key(&named.rules)) {
            _ if !fits(named) => return too_large(named),
            Some(SolveState::Running(progress)) => {
                let percent = progress.percent();
                let expected =
                    format!("to ask again later; GET /api/{name}/solve reports the progress");
                (format!("{name} is being solved, {percent} % done"), expected)
            }
            Some(SolveState::Failed(why)) => {
                let expected = format!("POST /api/{name}/solve, which tries again");
                (format!("{name} has no table: {why}"), expected)
            }
            None => {
                let expected = format!("POST /api/{name}/solve, which starts a solve");
                (format!("{name} is not solved yet"), expected)
            }
        };
        ApiError::conflict(message).expected(expected)
    }

    /// Returns what judges the game: its table (a small game is solved first), its pocket, or a search.
    ///
    /// # Errors
    ///
    /// Returns an error if a small game cannot be solved.
    pub(crate) fn judge(&mut self, named: &NamedRules) -> ApiResult<Judge> {
        if self.ready(&named.rules).is_none() && !is_at_once(named) {
            if let Some(pocket) = Pocket::shipped(&named.rules) {
                return Ok(Judge::Pocket(pocket.into()));
            }
            let rules = Arc::clone(&named.rules);
            return Ok(Judge::Search(Lookahead::new(rules, Lookahead::DEPTH).into()));
        }
        self.obtain(named).map(Judge::Table)
    }

    /// Notes that another worker is to solve the game. Returns how far the solve is, and whether it is a new one.
    ///
    /// # Errors
    ///
    /// Returns a conflict if the game is solved or too large.
    pub(crate) fn begin(&mut self, named: &NamedRules) -> ApiResult<(SolveProgress, bool)> {
        if self.ready(&named.rules).is_some() {
            return Err(ApiError::conflict(format!("{} is solved", named.name)));
        }
        if !fits(named) {
            return Err(too_large(named));
        }
        if let Some(SolveState::Running(progress)) = self.solves.get(&key(&named.rules)) {
            return Ok((*progress, false));
        }
        self.note(&named.rules, SolveState::Running(SolveProgress::WAITING));
        Ok((SolveProgress::WAITING, true))
    }

    /// Returns the view of the state of a table.
    pub(crate) fn view(&self, named: &NamedRules) -> TableView {
        if let Some(table) = self.ready(&named.rules) {
            return TableView::new(TableStanding::Ready, Some(table.header().bytes()));
        }
        let standing = match self.solves.get(&key(&named.rules)) {
            Some(SolveState::Running(progress)) => {
                TableStanding::Solving { percent: progress.percent() }
            }
            Some(SolveState::Failed(why)) => TableStanding::Failed { why: why.clone() },
            None if !fits(named) => TableStanding::TooLarge,
            None => TableStanding::Missing,
        };
        let bytes = named.positions.and_then(|positions| positions.checked_mul(VALUE));
        TableView::new(standing, bytes)
    }

    /// Returns what is known of the game, if it is solved.
    pub(crate) fn known(&self, named: &NamedRules) -> Option<SolveResults> {
        let report = self.ready(&named.rules)?.header().report();
        Some(SolveResults { report, length: perfect_length(named.rules.rule_set()) })
    }
}

/// Solves a game with a cube.
fn solve(
    named: &NamedRules,
    stakes: Stakes,
    known: Option<Arc<MatchTable>>,
) -> Result<(SolvedCube, Option<Arc<MatchTable>>), SolveError> {
    let solver = Solver::new(&named.rules, Options::default())?;
    let (cubeless, _) = solver.solve(&Unattended, &Unattended)?;
    solve_cube(&solver, cubeless, stakes, known)
}

/// Returns the values of a table for agents.
pub(crate) fn shared(table: &MemoryTable) -> SharedEvaluator<'_> {
    table
}

fn key(rules: &Rules) -> String {
    rules.rule_set().to_toml()
}

fn is_at_once(named: &NamedRules) -> bool {
    named.positions.is_some_and(|positions| positions <= AT_ONCE)
}

fn fits(named: &NamedRules) -> bool {
    named.positions.is_some_and(|positions| positions <= FITTING)
}

fn too_large(named: &NamedRules) -> ApiError {
    ApiError::conflict(format!("{} is too large to be solved here", named.name))
        .expected(format!("at most {FITTING} positions, as finkel:5 has"))
}
