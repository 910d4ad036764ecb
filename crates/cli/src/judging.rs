//! What judges the positions of a game: its table, or a search where there is none and none can be made.

use std::sync::Arc;

use anyhow::Result;
use puabi_core::{Evaluator, Position, Record, Rules};
use puabi_engine::{Judge, Lookahead, Review};
use puabi_solve::Options;

use crate::tables::{self, Lookup, Work};
use crate::talk;

/// What judges the positions of a game.
#[derive(Debug)]
pub(crate) enum Judging {
    /// The table of the solved game.
    Table(Box<Lookup>),
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
        if let Some(lookup) = tables::find(rules)? {
            return Ok(Self::Table(Box::new(lookup)));
        }
        if let Err(refusal) = tables::solver(rules, Options::default(), Work::Solve) {
            let lookahead = Lookahead::new(rules.clone(), Lookahead::DEPTH);
            talk(&format!("judged by {}: {refusal}", lookahead.judge()));
            return Ok(Self::Search(lookahead));
        }
        tables::obtain(rules).map(|lookup| Self::Table(Box::new(lookup)))
    }

    /// Returns the review of a game; damage of a table is an error.
    pub(crate) fn review(&self, record: &Record) -> Result<Review> {
        let review = Review::by(self.judge(), record, self);
        self.check()?;
        Ok(review)
    }

    /// Returns what it judges by.
    pub(crate) fn judge(&self) -> Judge {
        match self {
            Self::Table(_) => Judge::Table,
            Self::Search(lookahead) => lookahead.judge(),
        }
    }

    /// Returns the damage of a table that was met; what was judged before it is sound.
    pub(crate) fn check(&self) -> Result<()> {
        match self {
            Self::Table(lookup) => lookup.check(),
            Self::Search(_) => Ok(()),
        }
    }
}

impl Evaluator for Judging {
    fn evaluate(&self, positions: &[Position], values: &mut [f64]) {
        match self {
            Self::Table(lookup) => lookup.evaluate(positions, values),
            Self::Search(lookahead) => lookahead.evaluate(positions, values),
        }
    }
}
