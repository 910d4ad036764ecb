//! What judges the positions of a game: its table, or a search if it cannot have a table.

use std::borrow::Cow;
use std::sync::Arc;

use puabi_answers::{AnswerView, ApiResult, Question};
use puabi_core::{RuleSet, Rules};
use puabi_engine::{Lookahead, SharedEvaluator, ValueSource};
use puabi_tables::Precision;

use crate::rulesets::tables::Tables;
use crate::rulesets::variant::{ServedTable, Variant};

/// What judges the positions of a game.
#[derive(Debug)]
pub(crate) enum Judge {
    /// The table of the solved game.
    Table(Arc<ServedTable>),
    /// A search, for a game that takes more memory to be solved than there is.
    Search(Box<Lookahead>),
}

impl Tables {
    /// Returns the table, solving a small game first, or a search if the game is too large to be solved here.
    ///
    /// # Errors
    ///
    /// As [`Tables::obtain`].
    pub(crate) async fn judge(&self, variant: &Arc<Variant>) -> ApiResult<Judge> {
        if self.is_out_of_reach(variant).await? {
            return Ok(Judge::search(variant));
        }
        self.obtain(variant).await.map(Judge::Table)
    }
}

impl Judge {
    /// Returns a search.
    pub(crate) fn search(variant: &Variant) -> Self {
        let rules = Arc::clone(variant.rules());
        Self::Search(Lookahead::new(rules, Lookahead::DEPTH).into())
    }

    /// Returns the kind of judge, as answers and reviews state it.
    pub(crate) fn source(&self) -> ValueSource {
        match self {
            Self::Table(_) => ValueSource::Table,
            Self::Search(lookahead) => lookahead.source(),
        }
    }

    /// Returns the answer to a question, for which a search takes some milliseconds.
    ///
    /// # Errors
    ///
    /// Returns a conflict if the table is damaged.
    pub(crate) fn answer(&self, question: Question, rules: &Rules) -> ApiResult<AnswerView> {
        let answer = self.with_values(|values| question.answer(rules, self.source(), values))?;
        Ok(answer.rounded_to(self.precision()))
    }

    /// Returns the precision of values that a table has rounded.
    fn precision(&self) -> Option<Precision> {
        match self {
            Self::Table(solved) => solved.table().header().rounded(),
            Self::Search(_) => None,
        }
    }

    /// Returns the entity tag of every answer that follows from this judge, which judges positions under these rules.
    pub(crate) fn tag(&self, rule_set: &RuleSet) -> Cow<'_, str> {
        match self {
            Self::Table(solved) => solved.tag().into(),
            Self::Search(lookahead) => {
                let rules = blake3::hash(rule_set.to_toml().as_bytes()).to_hex();
                let version = env!("CARGO_PKG_VERSION");
                format!("\"{}-{}-{version}\"", &rules[..16], lookahead.source()).into()
            }
        }
    }

    /// Returns the result of `work` on the values.
    ///
    /// # Errors
    ///
    /// Returns a conflict if the table is damaged.
    pub(crate) fn with_values<T>(
        &self,
        work: impl FnOnce(SharedEvaluator<'_>) -> T,
    ) -> ApiResult<T> {
        match self {
            Self::Table(solved) => solved.with_values(work),
            Self::Search(lookahead) => Ok(work(&**lookahead)),
        }
    }
}
