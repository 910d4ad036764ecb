//! Statistics of perfect play: how long games are, how often the lead changes, and what a piece, a die and a rosette are worth.

use puabi_core::{Afterstate, Decision, Dice, Player, Position, Roll, Rules, Setup};
use puabi_engine::{Argmax, SharedEvaluator};
use puabi_solve::{GameLength, Measure, SolveError, Watch};
use serde::{Deserialize, Serialize};

use crate::lab::figure::Figure;
use crate::lab::lengths::Lengths;
use crate::lab::measures::lead_changes;
use crate::lab::played::{SampledPlay, Totals};
use crate::lab::profile::{Lab, Method};
use crate::move_measure::MoveMeasure;

/// Statistics of games between perfect players.
///
/// Worths are chances to win (0..=1), means over the rolls of such games; "Statistics of perfect play" in `docs/method.md`
/// defines them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PerfectPlay {
    /// Expected rolls of a game, passes among them.
    pub rolls: Figure,
    /// How long games are.
    pub lengths: Lengths,
    /// Expected changes of the lead in a game.
    pub lead_changes: Figure,
    /// The gain of the player about to roll if a piece in the hand were home; `None` if there never is a piece in the hand.
    pub piece: Option<Figure>,
    /// What the player about to roll loses by throwing one die less, this once; `None` if there is one die only.
    pub die: Option<Figure>,
    /// The worth of the extra roll that a move to a rosette gives; `None` if no rosette gives one.
    pub rosette: Option<Figure>,
}

/// The places of the measures in a list.
const ROLLS: usize = 0;
const LEAD_CHANGES: usize = 1;
const HANDS: usize = 2;
const PIECE: usize = 3;
const DIE: usize = 4;
const ROSETTES: usize = 5;
const ROSETTE: usize = 6;
/// The number of measures.
const MEASURES: usize = 7;

impl Lab<'_> {
    /// The number of measures that [`Lab::perfect`] takes at once, like [`Lab::MEASURES`].
    pub const PERFECT_MEASURES: usize = MEASURES;

    /// Returns statistics of games between perfect players.
    ///
    /// # Errors
    ///
    /// Returns an error if the watch stops it.
    pub fn perfect(&self, method: Method, watch: &dyn Watch) -> Result<PerfectPlay, SolveError> {
        let worths = Worths { rules: self.rules, values: self.values };
        let leads = lead_changes(self.values);
        let hands = MoveMeasure(|_, decision: &Decision<'_>, gained: &mut [f64]| {
            gained.fill(f64::from(worths.piece(decision.position()).is_some()));
        });
        let piece = MoveMeasure(|_, decision: &Decision<'_>, gained: &mut [f64]| {
            gained.fill(worths.piece(decision.position()).unwrap_or(0.0));
        });
        let die = MoveMeasure(|_, decision: &Decision<'_>, gained: &mut [f64]| {
            gained.fill(worths.die(decision.position()).unwrap_or(0.0));
        });
        let rosettes = MoveMeasure(|_, decision: &Decision<'_>, gained: &mut [f64]| {
            worths.fill(decision, gained, |_| 1.0);
        });
        let rosette = MoveMeasure(|_, decision: &Decision<'_>, gained: &mut [f64]| {
            worths.fill(decision, gained, |next| worths.roll(next));
        });
        // In the order of their places above.
        let measures: [&dyn Measure; MEASURES] =
            [&GameLength, &leads, &hands, &piece, &die, &rosettes, &rosette];
        let (play, lengths) = self.play(measures, method, watch)?;
        let has_dice = self.rules.rule_set().dice.count() > 1;
        Ok(PerfectPlay {
            rolls: play.mean(ROLLS),
            lengths,
            lead_changes: play.mean(LEAD_CHANGES),
            piece: play.ratio(PIECE, HANDS),
            die: play.ratio(DIE, ROLLS).filter(|_| has_dice),
            rosette: play.ratio(ROSETTE, ROSETTES),
        })
    }

    /// Returns the measures of perfect play, and how long its games are.
    fn play(
        &self,
        measures: [&dyn Measure; MEASURES],
        method: Method,
        watch: &dyn Watch,
    ) -> Result<(Totals<MEASURES>, Lengths), SolveError> {
        let perfect = Argmax(self.values);
        match method {
            Method::Exact => {
                let (outcomes, _) = self.solver.meet([&perfect, &perfect], measures, watch)?;
                let lengths = Lengths::exact(self.rules, self.values, watch)?;
                Ok((Totals::exact(outcomes), lengths))
            }
            Method::Sampled { games, seed } => {
                let play = SampledPlay { rules: self.rules, agent: &perfect, measures, seed };
                let totals = play.play(games, watch)?;
                let lengths = Lengths::played(totals.counts(ROLLS));
                Ok((totals, lengths))
            }
        }
    }
}

/// Finds what things are worth in a position, as chances to win.
struct Worths<'a> {
    rules: &'a Rules,
    values: SharedEvaluator<'a>,
}

impl Worths<'_> {
    fn value(&self, position: Position) -> f64 {
        self.values.value(position)
    }

    /// Returns what the player about to roll would gain if a piece in the hand were home; `None` if there is no piece in the
    /// hand.
    fn piece(&self, position: Position) -> Option<f64> {
        let (rules, mine) = (self.rules, position.mine());
        if mine.on_board() + mine.score() >= rules.pieces() {
            return None;
        }
        if mine.score() + 1 >= rules.goal() {
            return Some(1.0 - self.value(position));
        }
        let mut setup: Setup = rules.setup(position, Player::Light);
        setup.light.score += 1;
        Some(self.value(rules.position(&setup).ok()?) - self.value(position))
    }

    /// Returns what the player about to roll loses by throwing one die less. A throw of nothing then counts one more than
    /// there are dice, if it counts more than nothing in the game.
    fn die(&self, position: Position) -> Option<f64> {
        let dice = self.rules.rule_set().dice;
        let fewer = dice.count().checked_sub(1)?;
        let fewer = Dice::new(fewer, if dice.zero_as() > 0 { fewer + 1 } else { 0 })?;
        let best = |roll: Roll| {
            self.rules.decision(position, roll).best_value(|position| self.value(position))
        };
        let with_fewer: f64 = fewer.rolls().map(|(roll, chance)| chance * best(roll)).sum();
        Some(self.value(position) - with_fewer)
    }

    /// Returns what it is worth to roll again in `next`, not to let the opponent roll there.
    fn roll(&self, next: Position) -> f64 {
        self.value(next) + self.value(next.flipped()) - 1.0
    }

    /// Writes what `worth` says of the position after each move that gives another roll by its rosette.
    fn fill(&self, decision: &Decision<'_>, gained: &mut [f64], worth: impl Fn(Position) -> f64) {
        let by_capture = self.rules.rule_set().captures_grant_rolls;
        for (gained, (action, after)) in gained.iter_mut().zip(decision.afterstates()) {
            let Afterstate::RollsAgain(next) = after else { continue };
            if !(by_capture && decision.captures(action).is_some()) {
                *gained = worth(next);
            }
        }
    }
}
