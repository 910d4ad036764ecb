//! How agents use a doubling cube, and how a match goes on.

use puabi_core::{Away, CubeEvaluator, Game, Move, Player, Record, Stakes};

use crate::analysis::cube::{CubeChoice, best_with_cube};
use crate::play::dice::DiceRng;
use crate::play::session::Session;

/// What an agent uses to decide about doubles.
#[derive(Clone, Copy)]
pub enum CubeJudge<'a> {
    /// The values of the game with its cube.
    Exact(&'a dyn CubeEvaluator),
    /// The chance (0..=1) of the player about to roll to win the game without a cube. A player doubles with a chance of 70 % or
    /// more, and takes with 25 % or more left.
    Chance(f64),
}

impl std::fmt::Debug for CubeJudge<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Exact(_) => f.write_str("Exact"),
            Self::Chance(chance) => f.debug_tuple("Chance").field(chance).finish(),
        }
    }
}

impl CubeJudge<'_> {
    /// The chance from which an agent doubles if the game is not solved with its cube.
    pub const DOUBLES_FROM: f64 = 0.7;
    /// The chance from which an agent takes, if the game is not solved with its cube.
    pub const TAKES_FROM: f64 = 0.25;
}

impl Session {
    /// Returns the stakes of the game, if it has a cube.
    pub fn stakes(&self) -> Option<Stakes> {
        self.record().stakes()
    }

    /// Returns whether the player whose turn it is may double before the roll, and can gain by it.
    pub fn may_double(&self) -> bool {
        let can = self.record().can_double().ok().zip(self.stakes());
        can.is_some_and(|(player, stakes)| stakes.may_double(player))
    }

    /// Returns whether the player whose turn it is should double, as `judge` sees it.
    pub fn wants_double(&self, judge: CubeJudge<'_>) -> bool {
        self.may_double()
            && match judge {
                CubeJudge::Exact(values) => {
                    self.cube_choice(values).is_some_and(|choice| choice.action().doubles())
                }
                CubeJudge::Chance(chance) => chance >= CubeJudge::DOUBLES_FROM,
            }
    }

    /// Returns whether the player who was doubled should take, as `judge` sees it. A [`CubeJudge::Chance`] is that of the player
    /// who has doubled. Any chance is worth a take if a pass loses the match.
    pub fn wants_take(&self, judge: CubeJudge<'_>) -> bool {
        match judge {
            CubeJudge::Exact(values) => {
                let double = self.cube_choice(values).and_then(|choice| choice.double);
                double.is_none_or(|double| double.take <= double.pass)
            }
            CubeJudge::Chance(chance) => {
                1.0 - chance >= CubeJudge::TAKES_FROM || self.pass_loses_match()
            }
        }
    }

    /// Returns whether a pass of the double that waits for its answer loses the match.
    fn pass_loses_match(&self) -> bool {
        let doubler = self.record().answering().map(Player::opponent);
        doubler.zip(self.stakes()).is_some_and(|(doubler, stakes)| stakes.decides_for(doubler))
    }

    /// Returns the choice between rolling and doubling of the player about to roll; `None` if the game has no cube or is over.
    pub fn cube_choice(&self, values: &dyn CubeEvaluator) -> Option<CubeChoice> {
        let (stakes, player) = (self.stakes()?, self.turn()?);
        let asked = (self.game().position()?, player);
        Some(CubeChoice::new(self.rules(), stakes, asked, values))
    }

    /// Returns the best move with the cube where it is; `None` if the game has no cube, or if no roll waits for its move.
    pub fn best_with_cube(&self, values: &dyn CubeEvaluator) -> Option<Move> {
        let (stakes, player) = (self.stakes()?, self.turn()?);
        Some(best_with_cube(&self.game().decision()?, stakes.cube, player, values))
    }

    /// Returns the score of the match after this game; `None` if the game goes on, is not one of a match, or has decided the
    /// match.
    pub fn score_after(&self) -> Option<Away> {
        let stakes = self.stakes()?;
        let is_over = self.game().is_over() || self.record().ending.is_some();
        let score = stakes.score.filter(|_| is_over)?;
        // A game without a winner leaves the score as it was.
        let Some(winner) = self.record().winner() else { return Some(score) };
        score.after(winner, stakes.cube.value())
    }

    /// Returns the next game of the match, with the same players and the next seed, which decides who begins; `None` if this game
    /// goes on, if the match is over, or if this game is not one of a match.
    ///
    /// # Panics
    ///
    /// Panics if a header of the record is not a valid one, which never happens.
    ///
    /// ```
    /// use puabi_core::{Away, Game, Player, Record, RuleSet, Stakes};
    /// use puabi_engine::{Pair, Seat, Session};
    ///
    /// let mut record = Record::new(Game::new(RuleSet::FINKEL.compile()?));
    /// record.set_stakes(Some(Stakes::of_match(Away::start(2)?)));
    /// let mut session = Session::new(record, Pair { light: Seat::Human, dark: Seat::Human }, 7);
    /// session.double()?;
    /// session.answer_double(false)?;
    /// let next = session.next_of_match().expect("a match to two points goes on");
    /// assert_eq!(next.stakes().unwrap().to_string(), "cube 1, match 1-2:crawford");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn next_of_match(&self) -> Option<Self> {
        let (score, rules) = (self.score_after()?, self.rules());
        let seed = self.seed().wrapping_add(1);
        let text = seed.to_string();
        let mut setup = rules.setup(rules.start(), DiceRng::beginner(seed));
        setup.roll = rules.rule_set().first_roll;
        let game = Game::from_setup(std::sync::Arc::clone(self.game().rules()), setup);
        let mut record = Record::new(game.expect("the start of a game is sound"));
        let headers = self.record().headers().chain([("seed", &*text)]);
        for (key, value) in headers {
            record.set_header(key, value).expect("a header of a record can be one of another");
        }
        record.set_next_game(None);
        record.set_stakes(Some(Stakes::of_match(score)));
        Some(Self::new(record, self.seats().clone(), seed))
    }
}
