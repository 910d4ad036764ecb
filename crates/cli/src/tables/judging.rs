//! What judges the positions of a game: its table, or a search where there is none and none can be made.

use std::sync::Arc;

use anyhow::Result;
use puabi_core::{Record, Rules};
use puabi_engine::{Judge, Lookahead, Review, SharedEvaluator};
use puabi_solve::Options;
use puabi_tables::Table;

use crate::output::status;
use crate::tables::{self, Work};

/// What judges the positions of a game.
#[derive(Debug)]
pub(crate) enum Judging {
    /// The table of the solved game.
    Table(Box<Table>),
    /// A search.
    Search(Lookahead),
}

impl Judging {
    /// Returns the table of these rules, solving the game first where there is none; a search where the game is too large
    /// to be solved here, or where `depth` says how far to look ahead.
    pub(crate) fn obtain(rules: &Arc<Rules>, depth: Option<u8>) -> Result<Self> {
        if let Some(depth) = depth {
            return Ok(Self::Search(Lookahead::new(rules.clone(), depth)));
        }
        if let Some(table) = tables::find(rules)? {
            return Ok(Self::Table(Box::new(table)));
        }
        if let Err(refusal) = tables::solver(rules, Options::default(), Work::Solve) {
            let lookahead = Lookahead::new(rules.clone(), Lookahead::DEPTH);
            status(format!("judged by {}: {refusal}", lookahead.judge()));
            return Ok(Self::Search(lookahead));
        }
        tables::obtain(rules).map(|table| Self::Table(Box::new(table)))
    }

    /// Returns the review of a game; damage of a table is an error.
    pub(crate) fn review(&self, record: &Record) -> Result<Review> {
        self.with_values(|values| Review::by(self.judge(), record, values))
    }

    /// Returns what it judges by.
    pub(crate) fn judge(&self) -> Judge {
        match self {
            Self::Table(_) => Judge::Table,
            Self::Search(lookahead) => lookahead.judge(),
        }
    }

    /// Returns what `work` makes of the values; damage of a table that it meets is an error.
    pub(crate) fn with_values<T>(&self, work: impl FnOnce(SharedEvaluator<'_>) -> T) -> Result<T> {
        match self {
            Self::Table(table) => tables::with_values(table, work),
            Self::Search(lookahead) => Ok(work(lookahead)),
        }
    }
}
