//! Reviews for Python as JSON, from which the package makes objects and frames.

use puabi_core::{Evaluator, Position};
use puabi_engine::{AgentSpec, Lookahead, Review};
use puabi_solve::Watch;
use puabi_tables::Source;
use pyo3::prelude::*;

use crate::arrays::whole_or_none;
use crate::errors::{OrRaise, of_record, of_table, unusable};
use crate::game::{Game, read};
use crate::rules::Rules;
use crate::running::{Work, run};
use crate::table::{Table, library, obtain};

/// Returns the review of a game as JSON; `record` is a text in any notation, or a `Game`.
///
/// The game is judged by `table`; else, without `depth`, by its table, which is made if it takes only a moment; else
/// by a search that looks `depth` moves ahead.
#[pyfunction]
#[pyo3(signature = (record, table=None, depth=None))]
pub(crate) fn review_json(
    py: Python<'_>,
    record: &Bound<'_, PyAny>,
    table: Option<&Bound<'_, Table>>,
    #[pyo3(from_py_with = whole_or_none)] depth: Option<u64>,
) -> PyResult<String> {
    let depth = depth.map(searched).transpose()?;
    let record = match record.cast::<Game>() {
        Ok(game) => game.try_borrow()?.to_record(),
        Err(_) => read(record.extract()?)?,
    };
    let rules = Rules { rules: record.game.rules().clone() };
    let given = table.map(|it| it.get().clone());
    if let Some(given) = given.as_ref().filter(|it| it.rules() != rules) {
        let (found, expected) = (given.rules(), &rules);
        let [found, expected] = [&found, expected].map(|it| it.rules.rule_set().to_string());
        return Err(unusable(format!("a table of {found}: expected a table of {expected}")));
    }
    let review = run(py, None, |work| {
        let table = match (given, depth) {
            (Some(table), _) => Some(table),
            (None, Some(_)) => None,
            (None, None) => match library()?.source(&rules.rules) {
                Source::Table(_) | Source::Solve { is_small: true } => Some(obtain(&rules, work)?),
                Source::Solve { is_small: false } | Source::Search => None,
            },
        };
        let Some(table) = table else {
            let search = Lookahead::new(rules.rules.clone(), depth.unwrap_or(Lookahead::DEPTH));
            return Ok(Review::by(
                search.source(),
                &record,
                &StoppableSearch { search: &search, work },
            ));
        };
        table.table.with_values(|values| Review::new(&record, &values)).or_raise(of_table)
    })?;
    serde_json::to_string(&review).or_raise(of_record)
}

/// Returns the depth of a search.
fn searched(depth: u64) -> PyResult<u8> {
    let most = AgentSpec::MAX_DEPTH;
    let found = u8::try_from(depth).ok().filter(|depth| (1..=most).contains(depth));
    found.ok_or_else(|| unusable(format!("a search of depth {depth} found: expected 1 to {most}")))
}

/// A search that stops judging once the review is to end.
struct StoppableSearch<'a> {
    search: &'a Lookahead,
    work: &'a Work,
}

impl Evaluator for StoppableSearch<'_> {
    fn evaluate(&self, positions: &[Position], values: &mut [f64]) {
        for (position, value) in positions.iter().zip(values) {
            *value = if self.work.stop() { 0.5 } else { self.search.value(*position) };
        }
    }
}
