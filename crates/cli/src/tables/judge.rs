//! The judge of a game's positions: its table, the pocket that ships until there is a table, or a search if no table can be made.

use std::sync::Arc;

use anyhow::Result;
use puabi_core::{Player, Position, Record, Roll, Rules};
use puabi_engine::{Answer, Lookahead, Pocket, Review, SharedEvaluator, ValueSource};
use puabi_server::Language;
use puabi_solve::{Options, Solver};
use puabi_tables::Table;

use crate::errors;
use crate::notation;
use crate::output::status;
use crate::output::text::t;
use crate::tables;

/// The judge of a game's positions.
#[derive(Debug)]
pub(crate) enum Judge {
    /// The table of the solved game.
    Table(Box<Table>),
    /// The pocket that ships, while there is no table.
    Pocket(Box<Pocket>),
    /// A search.
    Search(Lookahead),
}

impl Judge {
    /// Returns the table of these rules, or a search if the user gives its `depth` or the game is too large to be solved.
    ///
    /// Solves the game first if there is no table.
    pub(crate) fn obtain(
        rules: &Arc<Rules>,
        depth: Option<u8>,
        language: Language,
    ) -> Result<Self> {
        if let Some(depth) = depth {
            return Ok(Self::Search(Lookahead::new(rules.clone(), depth)));
        }
        if let Some(table) = tables::find(rules)? {
            return Ok(Self::Table(Box::new(table)));
        }
        if let Err(refusal) = tables::solver(rules, Options::default(), Solver::memory) {
            let lookahead = Lookahead::new(rules.clone(), Lookahead::DEPTH);
            let (judge, why) = (lookahead.source(), language.translate(errors::line(&refusal)));
            status(t!(language, "judged by {judge}: {why}", judge, why));
            return Ok(Self::Search(lookahead));
        }
        tables::obtain(rules, language).map(|table| Self::Table(Box::new(table)))
    }

    /// Returns a judge that answers at once, if there is one: the table, or else the pocket that ships for these rules.
    ///
    /// If there is neither, or if the user gives the `depth` of a search, this is the judge of [`Judge::obtain`].
    pub(crate) fn at_once(
        rules: &Arc<Rules>,
        depth: Option<u8>,
        language: Language,
    ) -> Result<Self> {
        let pocket = Pocket::shipped(rules).filter(|_| depth.is_none());
        let Some(pocket) = pocket else { return Self::obtain(rules, depth, language) };
        if let Some(table) = tables::find(rules)? {
            return Ok(Self::Table(Box::new(table)));
        }
        let (name, within) = (rules.rule_set(), pocket.within());
        status(t!(
            language,
            "judged by the pocket player, within {within} of perfect play: `ur solve {rules}` makes the exact table",
            within,
            rules = notation::word(name)
        ));
        Ok(Self::Pocket(pocket.into()))
    }

    /// Returns the table, if it is the judge.
    pub(crate) fn table(&self) -> Option<&Table> {
        match self {
            Self::Table(table) => Some(table),
            Self::Pocket(_) | Self::Search(_) => None,
        }
    }

    /// Returns the values of a position and its moves, with this player to roll or move; an error if the table is damaged.
    pub(crate) fn answer(
        &self,
        rules: &Rules,
        asked: (Position, Player),
        roll: Option<Roll>,
    ) -> Result<Answer> {
        self.with_values(|values| Answer::by(self.source(), rules, asked, roll, values))
    }

    /// Returns the review of a game, or an error if the table is damaged.
    pub(crate) fn review(&self, record: &Record) -> Result<Review> {
        self.with_values(|values| Review::by(self.source(), record, values))
    }

    /// Returns the kind of judge, as reviews state it.
    pub(crate) fn source(&self) -> ValueSource {
        match self {
            Self::Table(_) => ValueSource::Table,
            Self::Pocket(pocket) => ValueSource::pocket(pocket),
            Self::Search(lookahead) => lookahead.source(),
        }
    }

    /// Returns the result of `work` with the values, or an error if the table is damaged.
    pub(crate) fn with_values<T>(&self, work: impl FnOnce(SharedEvaluator<'_>) -> T) -> Result<T> {
        match self {
            Self::Table(table) => tables::with_values(table, work),
            Self::Pocket(pocket) => Ok(work(&**pocket)),
            Self::Search(lookahead) => Ok(work(lookahead)),
        }
    }
}
