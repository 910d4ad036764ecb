//! The doubling cube of a game at this terminal: what agents handle it by, and what is said of it.

use anyhow::Result;
use puabi_core::{CubeEvaluator, Move, Player, Stakes};
use puabi_engine::{AgentSpec, CubeChoice, CubeJudge, Seat};
use puabi_server::Language;
use puabi_solve::Watch;
use puabi_tables::{GameSize, Precision};

use super::LocalGame;
use crate::errors;
use crate::output::text::t;
use crate::tables;
use crate::tables::cube::CubeValues;
use crate::tables::judging::Judging;

impl LocalGame {
    /// Gets ready for doubles: finds or solves what agents handle the cube by, or makes that the values of the next game of
    /// the match. Returns what is to be said if agents do without.
    pub(crate) fn prepare_cube(
        &mut self,
        language: Language,
        watch: &dyn Watch,
    ) -> Result<Option<String>> {
        let Some(stakes) = self.session.stakes() else { return Ok(None) };
        if let Some(values) = &mut self.cube {
            return values.turn_to(stakes, watch).map(|()| None);
        }
        let (rules, mut why) = (self.session.rules(), String::new());
        let (is_small, has_bots) =
            (GameSize::of(rules).is_small(), self.session.bots().next().is_some());
        // People may do without: a large game is not solved for hints alone.
        let is_had = is_small || has_bots && stakes.score.is_none();
        if is_had && tables::can_be_had(rules) {
            match CubeValues::obtain(rules, stakes) {
                Ok(values) => self.cube = Some(values),
                Err(error) => why = format!("{}\n", language.told(errors::line(&error))),
            }
        }
        let is_needed = self.cube.is_none() && has_bots;
        let [double, take] = [CubeJudge::DOUBLES_FROM, CubeJudge::TAKES_FROM]
            .map(|chance| language.number(format!("{:.0} %", 100.0 * chance)));
        let without = t!(
            language,
            "this game is not solved with a cube: agents double from {double} on and take from {take} on",
            double,
            take
        );
        Ok(is_needed.then(|| format!("{why}{without}")))
    }

    /// Returns what `work` makes of what agents handle the cube by: the values of the game with it, or else the chance that
    /// `judging` knows.
    pub(crate) fn judged<'j, T>(
        &self,
        judging: impl FnOnce() -> Result<Option<&'j Judging>>,
        work: impl FnOnce(CubeJudge<'_>) -> T,
    ) -> Result<T> {
        if let Some(values) = &self.cube {
            return values.with(|values| work(CubeJudge::Exact(values)));
        }
        let answer = judging()?.map(|judging| self.answer(judging)).transpose()?.flatten();
        Ok(work(CubeJudge::Chance(answer.map_or(0.5, |answer| answer.value))))
    }

    /// Returns what the cube is worth to the player about to roll, if the game is solved with it.
    pub(crate) fn cube_choice(&self) -> Result<Option<CubeChoice>> {
        Ok(self.by_cube(|values| self.session.cube_choice(values))?.flatten())
    }

    /// Returns how precise the values of the game with its cube are.
    pub(crate) fn cube_precision(&self) -> Precision {
        self.cube.as_ref().map_or(Precision::F64, CubeValues::precision)
    }

    /// Returns what `work` makes of the values of the game with its cube, if it is solved with it.
    pub(crate) fn by_cube<T>(
        &self,
        work: impl FnOnce(&dyn CubeEvaluator) -> T,
    ) -> Result<Option<T>> {
        self.cube.as_ref().map(|values| values.with(work)).transpose()
    }

    /// Returns the move that an agent plays which has chosen `action`: the perfect one minds the cube.
    pub(crate) fn with_cube(&self, spec: &AgentSpec, action: Move) -> Result<Move> {
        match &self.cube {
            Some(values) if *spec == AgentSpec::PERFECT => values
                .with(|values| self.session.best_with_cube(values))
                .map(|best| best.unwrap_or(action)),
            _ => Ok(action),
        }
    }

    /// Returns whether an agent is about to roll that may double first.
    pub(crate) fn agent_may_double(&self) -> bool {
        self.session.may_double() && matches!(self.session.seated(), Some(Seat::Bot(_)))
    }
}

/// Returns what a game is played for, in few words.
pub(crate) fn stakes_words(stakes: Stakes, language: Language) -> String {
    let value = stakes.cube.value();
    let cube = stakes
        .cube
        .owner()
        .map_or_else(|| value.to_string(), |owner| format!("{value}:{}", language.told(owner)));
    match stakes.score {
        Some(score) => t!(language, "cube {cube}, match {score}", cube, score),
        None => t!(language, "cube {cube} to {cap}", cube, cap = stakes.cube.cap()),
    }
}

/// Returns what a won game has brought, and whether that wins the match.
pub(crate) fn won_words(session: &puabi_engine::Session, language: Language) -> Option<String> {
    let (stakes, winner) = (session.stakes()?, session.record().winner()?);
    let (player, points) = (language.told(winner), stakes.cube.value());
    Some(match (stakes.score, session.score_after()) {
        (None, _) => t!(language, "{player} wins {points}", player, points),
        (Some(_), Some(_)) => t!(language, "{player} scores {points}", player, points),
        (Some(_), None) => {
            t!(language, "{player} scores {points} and wins the match", player, points)
        }
    })
}

/// Returns what a player says of a double: that it is taken or passed.
pub(crate) fn answer_words(player: Player, takes: bool, language: Language) -> String {
    let player = language.told(player);
    if takes {
        t!(language, "{player} takes", player)
    } else {
        t!(language, "{player} passes", player)
    }
}

/// Returns what is said when a match goes on with a game, and where that is kept if it has begun before.
pub(crate) fn next_words(
    begun: Option<String>,
    session: &puabi_engine::Session,
    language: Language,
) -> String {
    match (begun, session.turn()) {
        (None, Some(first)) => {
            t!(language, "the next game, {first} moves first", first = language.told(first))
        }
        (path, _) => t!(
            language,
            "the next game has begun before and is kept in {path}",
            path = path.unwrap_or_default()
        ),
    }
}
