//! Values of games with a cube: from tables if there are some, else solved in memory.

use anyhow::{Result, anyhow};
use puabi_core::{Cube, CubeEvaluator, Player, Rules, Stakes};
use puabi_solve::{MatchTable, MoneyValues, Options, ScoreValues, Solver, Values, Watch};
use puabi_tables::{CubeTables, GameSize, Precision, Table};

use crate::errors::Advise;
use crate::notation;
use crate::output::status;
use crate::progress::Bar;
use crate::tables;

/// The source of values for positions of a game with a cube.
pub(crate) enum CubeValues {
    /// Tables of a cube for money.
    Tables(Box<CubeTables>),
    /// A game for money, solved in memory.
    Money(Box<MoneyValues>),
    /// A match, solved in memory.
    Match(Box<MatchValues>),
}

impl std::fmt::Debug for CubeValues {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Tables(_) => "Tables",
            Self::Money(_) => "Money",
            Self::Match(_) => "Match",
        })
    }
}

/// The values of a match: the worth of each score, and the values of the game at one score.
pub(crate) struct MatchValues {
    solver: Solver,
    cubeless: Values,
    table: MatchTable,
    game: ScoreValues,
}

impl CubeValues {
    /// Returns the values of a game at these stakes. Solves the game first if it is small, or part of a match.
    pub(crate) fn obtain(rules: &Rules, stakes: Stakes) -> Result<Self> {
        match stakes.score {
            Some(_) => Self::of_match(rules, stakes),
            None => Self::for_money(rules, stakes.cube.cap()),
        }
    }

    fn for_money(rules: &Rules, cap: u32) -> Result<Self> {
        let (name, doublings) = (rules.rule_set().to_string(), Cube::new(cap).left());
        if !GameSize::of(rules).is_small() {
            let store = tables::library()?.store().clone();
            let open = |table| CubeTables::open(&store, table, doublings);
            let found = tables::find(rules)?.map(open).transpose();
            return found
                .doing("opening cubes of", &name)?
                .flatten()
                .map(|tables| Self::Tables(Box::new(tables)))
                .ok_or_else(|| anyhow!("there are no tables of {name} with a cube up to {cap}"))
                .hint(|| {
                    format!("`ur cube {} --cap {cap}` makes them", notation::word(rules.rule_set()))
                });
        }
        let solver = tables::solver(rules, Options::default(), Solver::cube_memory)?;
        let table = tables::exact(rules)?;
        let bar = Bar::new(format!("solving {name} with a cube up to {cap}"));
        let money = solver.solve_money(load(&table, &bar)?, doublings, &bar);
        Ok(Self::Money(Box::new(money.doing("solving", &name)?)))
    }

    fn of_match(rules: &Rules, stakes: Stakes) -> Result<Self> {
        let name = rules.rule_set().to_string();
        let score = stakes.score.expect("a match has a score");
        let points = Player::BOTH.map(|player| score.of(player)).into_iter().max().unwrap_or(1);
        let solver = tables::solver(rules, Options::default(), Solver::match_memory)?;
        if !GameSize::of(rules).is_small() {
            status(format_args!(
                "a match of {name} to {points} points takes a solve for each score and level of the cube: Ctrl-C ends it, fewer pieces take less"
            ));
        }
        let table = tables::exact(rules)?;
        let bar = Bar::new(format!("solving matches of {name} to {points} points"));
        let cubeless = load(&table, &bar)?;
        let table =
            solver.match_table(&cubeless, points, &bar).doing("solving matches of", &name)?;
        let game = solver.solve_at(score, &cubeless, &table, &bar).doing("solving", &name)?;
        Ok(Self::Match(Box::new(MatchValues { solver, cubeless, table, game })))
    }

    /// Changes the values to those at other stakes of the same match, or of the same cube.
    pub(crate) fn turn_to(&mut self, stakes: Stakes, watch: &dyn Watch) -> Result<()> {
        let (Self::Match(found), Some(score)) = (self, stakes.score) else { return Ok(()) };
        if found.game.score() != score {
            found.game = found
                .solver
                .solve_at(score, &found.cubeless, &found.table, watch)
                .doing("solving the game at", score)?;
        }
        Ok(())
    }

    /// Returns the precision of the values: that of the coarsest table that they come from.
    pub(crate) fn precision(&self) -> Precision {
        match self {
            Self::Tables(tables) => tables.precision(),
            Self::Money(_) | Self::Match(_) => Precision::F64,
        }
    }

    /// Returns the result of `work` with the values, or an error if a table is damaged.
    pub(crate) fn with<T>(&self, work: impl FnOnce(&dyn CubeEvaluator) -> T) -> Result<T> {
        match self {
            Self::Tables(tables) => tables.with_values(work).doing("reading", "tables of a cube"),
            Self::Money(money) => Ok(work(&**money)),
            Self::Match(found) => Ok(work(&found.game)),
        }
    }
}

fn load(table: &Table, bar: &Bar) -> Result<Values> {
    let loaded = table.load(Options::default().threads, bar);
    loaded.doing("reading", table.path().display())
}
