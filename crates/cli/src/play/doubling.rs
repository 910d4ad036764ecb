//! The doubling cube of a game at this terminal: the values by which agents handle it, and the messages about it.

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
use crate::tables::judge::Judge;

impl LocalGame {
    /// Prepares doubles: finds or solves the values by which agents handle the cube, or turns them to the next game of the match.
    /// Returns a message if agents have to do without these values.
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
        // People can do without these values: a large game is not solved for hints alone.
        let is_had = is_small || has_bots && stakes.score.is_none();
        if is_had && tables::can_obtain(rules) {
            match CubeValues::obtain(rules, stakes) {
                Ok(values) => self.cube = Some(values),
                Err(error) => why = format!("{}\n", language.translate(errors::line(&error))),
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

    /// Returns the result of `work` with the judge by which agents handle the cube: the values of the game with its cube, or else
    /// the chance to win by `judge`, or else 1/2.
    pub(crate) fn with_cube_judge<'j, T>(
        &self,
        judge: impl FnOnce() -> Result<Option<&'j Judge>>,
        work: impl FnOnce(CubeJudge<'_>) -> T,
    ) -> Result<T> {
        if let Some(values) = &self.cube {
            return values.with(|values| work(CubeJudge::Exact(values)));
        }
        let answer = judge()?.map(|judge| self.answer(judge)).transpose()?.flatten();
        Ok(work(CubeJudge::Chance(answer.map_or(0.5, |answer| answer.value))))
    }

    /// Returns the worth of each choice with the cube for the player about to roll, if the game is solved with its cube.
    pub(crate) fn cube_choice(&self) -> Result<Option<CubeChoice>> {
        Ok(self.with_cube_values(|values| self.session.cube_choice(values))?.flatten())
    }

    /// Returns the precision of the values of the game with its cube.
    pub(crate) fn cube_precision(&self) -> Precision {
        self.cube.as_ref().map_or(Precision::F64, CubeValues::precision)
    }

    /// Returns the result of `work` with the values of the game with its cube; `None` if it is not solved with its cube.
    pub(crate) fn with_cube_values<T>(
        &self,
        work: impl FnOnce(&dyn CubeEvaluator) -> T,
    ) -> Result<Option<T>> {
        self.cube.as_ref().map(|values| values.with(work)).transpose()
    }

    /// Returns the move that an agent plays after it has chosen `action`: only the perfect agent takes the cube into account.
    pub(crate) fn move_with_cube(&self, spec: &AgentSpec, action: Move) -> Result<Move> {
        match &self.cube {
            Some(values) if *spec == AgentSpec::PERFECT => values
                .with(|values| self.session.best_with_cube(values))
                .map(|best| best.unwrap_or(action)),
            _ => Ok(action),
        }
    }

    /// Returns whether the player about to roll is an agent that may double first.
    pub(crate) fn agent_may_double(&self) -> bool {
        self.session.may_double() && matches!(self.session.seated(), Some(Seat::Bot(_)))
    }
}

/// Returns the stakes of a game in a few words.
pub(crate) fn stakes_words(stakes: Stakes, language: Language) -> String {
    let value = stakes.cube.value();
    let cube = stakes.cube.owner().map_or_else(
        || value.to_string(),
        |owner| format!("{value}:{}", language.translate(owner)),
    );
    match stakes.score {
        Some(score) => t!(language, "cube {cube}, match {score}", cube, score),
        None => t!(language, "cube {cube} to {cap}", cube, cap = stakes.cube.cap()),
    }
}

/// Returns a line with the points of a won game, which says whether they win the match.
pub(crate) fn won_words(session: &puabi_engine::Session, language: Language) -> Option<String> {
    let (stakes, winner) = (session.stakes()?, session.record().winner()?);
    let (player, points) = (language.translate(winner), stakes.cube.value());
    Some(match (stakes.score, session.score_after()) {
        (None, _) => t!(language, "{player} wins {points}", player, points),
        (Some(_), Some(_)) => t!(language, "{player} scores {points}", player, points),
        (Some(_), None) => {
            t!(language, "{player} scores {points} and wins the match", player, points)
        }
    })
}

/// Returns a line that says that a player takes a double or passes.
pub(crate) fn answer_words(player: Player, takes: bool, language: Language) -> String {
    let player = language.translate(player);
    if takes {
        t!(language, "{player} takes", player)
    } else {
        t!(language, "{player} passes", player)
    }
}

/// Returns the line that announces the next game of a match, with its place if it has begun before.
pub(crate) fn next_words(
    begun: Option<String>,
    session: &puabi_engine::Session,
    language: Language,
) -> String {
    match (begun, session.turn()) {
        (None, Some(first)) => {
            t!(language, "the next game, {first} moves first", first = language.translate(first))
        }
        (path, _) => t!(
            language,
            "the next game has begun before and is kept in {path}",
            path = path.unwrap_or_default()
        ),
    }
}
