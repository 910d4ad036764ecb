//! The doubling cube and matches in lines of text: doubles, answers, scores, the next game.

use std::ops::ControlFlow::Continue;

use anyhow::Result;
use puabi_core::{Game, Move, Player, Record, Stakes};
use puabi_engine::{AgentSpec, CubeChoice, DiceRng, Pair, Seat, Session, best_with_cube};
use puabi_tables::GameSize;

use super::{LineGame, Step};
use crate::output::status;
use crate::tables;
use crate::tables::cube::CubeValues;

/// The chance from which an agent doubles if the game with the cube is not solved, and that from which it takes.
const DOUBLES_FROM: f64 = 0.7;
const TAKES_FROM: f64 = 0.25;

impl LineGame<'_> {
    /// Returns what the game is played for, if it has a cube.
    fn stakes(&self) -> Option<Stakes> {
        self.local.session.record().stakes()
    }

    /// Gets ready for doubles: finds or solves what agents handle the cube by.
    pub(super) fn prepare_cube(&mut self) -> Result<()> {
        let Some(stakes) = self.stakes() else { return Ok(()) };
        if self.local.session.bots().next().is_none() {
            return Ok(());
        }
        if let Some(values) = &mut self.cube {
            return values.turn_to(stakes);
        }
        let rules = self.rules();
        let is_had = GameSize::of(&rules).is_small() || stakes.score.is_none();
        if is_had && tables::can_be_had(&rules) {
            match CubeValues::obtain(&rules, stakes) {
                Ok(values) => self.cube = Some(values),
                Err(error) => status(format_args!("{error:#}")),
            }
        }
        if self.cube.is_none() {
            status(format_args!(
                "this game is not solved with a cube: agents double from {:.0} % on and take from {:.0} % on",
                100.0 * DOUBLES_FROM,
                100.0 * TAKES_FROM
            ));
        }
        Ok(())
    }

    /// Says what the game is played for, as often as that is new.
    pub(super) fn tell_stakes(&mut self) -> Result<()> {
        let stakes = self.stakes();
        if stakes != self.told {
            self.told = stakes;
            if let Some(stakes) = stakes {
                writeln!(self.out, "{stakes}")?;
            }
        }
        Ok(())
    }

    /// Asks a person to answer a double, or lets an agent answer it.
    pub(super) fn answer_double(&mut self, player: Player) -> Step {
        let Some(stakes) = self.stakes() else { return Ok(Continue(())) };
        let doubled = 2 * stakes.cube.value();
        if let Seat::Bot(_) = self.seat(player) {
            let takes = self.takes(player, stakes)?;
            self.local.session.answer_double(takes)?;
            let said = if takes { "takes" } else { "passes" };
            return self.say(format_args!("{player} {said}"));
        }
        let question =
            format!("{player}: t takes at {doubled}, p passes and loses {}", doubled / 2);
        self.ask(&question, |game, text| {
            let takes = match text {
                "t" | "take" => true,
                "p" | "pass" => false,
                _ => return game.say("type t to take the double or p to pass"),
            };
            game.local.session.answer_double(takes)?;
            Ok(Continue(()))
        })
    }

    /// Doubles for the person who is about to roll.
    pub(super) fn double(&mut self, player: Player) -> Step {
        match self.local.session.double() {
            Ok(()) => self.say(format_args!("{player} doubles")),
            Err(error) => self.say(error),
        }
    }

    /// Doubles for the agent that is about to roll, if it wants to; returns whether it did.
    pub(super) fn agent_doubles(&mut self, player: Player) -> Result<bool> {
        let (Some(stakes), Seat::Bot(_)) = (self.stakes(), self.seat(player)) else {
            return Ok(false);
        };
        let can = self.local.session.record().can_double().is_ok() && stakes.may_double(player);
        if !can || !self.wants_double(player, stakes)? {
            return Ok(false);
        }
        self.local.session.double()?;
        let line = format!("{player} ({}) doubles", self.seat(player));
        writeln!(self.out, "{line}")?;
        Ok(true)
    }

    fn wants_double(&self, player: Player, stakes: Stakes) -> Result<bool> {
        if self.cube.is_none() {
            return Ok(self.chance(player)? >= DOUBLES_FROM);
        }
        let choice = self.choice(player, stakes)?;
        Ok(choice.is_some_and(|choice| choice.action().doubles()))
    }

    /// Returns whether an agent takes a double of the opponent, who is about to roll.
    fn takes(&self, player: Player, stakes: Stakes) -> Result<bool> {
        if self.cube.is_none() {
            return Ok(1.0 - self.chance(player.opponent())? >= TAKES_FROM);
        }
        let choice = self.choice(player.opponent(), stakes)?;
        let double = choice.and_then(|choice| choice.double);
        Ok(double.is_none_or(|double| double.take <= double.pass))
    }

    /// Returns what the cube is worth to the player about to roll, if the game with it is solved.
    fn choice(&self, player: Player, stakes: Stakes) -> Result<Option<CubeChoice>> {
        let (Some(values), Some(position)) = (&self.cube, self.local.game().position()) else {
            return Ok(None);
        };
        let rules = self.rules();
        values.with(|values| Some(CubeChoice::new(&rules, stakes, (position, player), values)))
    }

    /// Returns the chance of the player about to roll to win the game.
    fn chance(&self, player: Player) -> Result<f64> {
        let answer = self.local.answer(self.judging()?)?;
        debug_assert_eq!(self.local.game().turn(), Some(player));
        Ok(answer.map_or(0.5, |answer| answer.value))
    }

    /// Returns the move that the perfect player makes with the cube where it is; `None` for other agents.
    pub(super) fn cubeful_move(&self, player: Player, spec: &AgentSpec) -> Result<Option<Move>> {
        let (Some(values), Some(stakes)) = (&self.cube, self.stakes()) else { return Ok(None) };
        let Some(decision) = self.local.game().decision() else { return Ok(None) };
        if *spec != AgentSpec::PERFECT {
            return Ok(None);
        }
        values.with(|values| Some(best_with_cube(&decision, stakes.cube, player, values)))
    }

    /// Scores the game that is over, and begins the next one of the match.
    pub(super) fn next_game(&mut self) -> Step {
        let record = self.local.session.record();
        let Some((stakes, score)) = record.stakes().and_then(|it| Some((it, it.score?))) else {
            return self.leave();
        };
        let (points, winner) = (stakes.cube.value(), record.winner());
        let next = match winner {
            Some(winner) => score.after(winner, points),
            None => Some(score),
        };
        if let Some(winner) = winner {
            writeln!(self.out, "{winner} scores {points}")?;
        }
        let Some(next) = next else {
            let winner = winner.expect("a match ends with a won game");
            writeln!(self.out, "{winner} wins the match")?;
            return self.leave();
        };
        self.keep()?;
        self.begin(next)?;
        self.prepare_cube()?;
        Ok(Continue(()))
    }

    /// Begins a game at this score; the dice say who moves first.
    fn begin(&mut self, score: puabi_core::Away) -> Result<()> {
        let (rules, before) = (self.rules(), &self.local.session);
        let seed = before.seed().wrapping_add(1);
        let first = if DiceRng::new(seed).number() < 0.5 { Player::Light } else { Player::Dark };
        let mut setup = rules.setup(rules.start(), first);
        setup.roll = rules.rule_set().first_roll;
        let mut record = Record::new(Game::from_setup((*rules).clone(), setup)?);
        for (key, value) in before.record().headers() {
            record.set_header(key, value)?;
        }
        record.set_header("seed", &seed.to_string())?;
        record.set_stakes(Some(Stakes::at(score)));
        let [light, dark] = Player::BOTH.map(|player| before.seat(player).clone());
        self.local.follow(Session::new(record, Pair { light, dark }, seed));
        (self.shown, self.told) = (None, None);
        writeln!(self.out, "\nthe next game, {first} moves first")
    }

    /// Ends the game that is played for a cube, or goes on with the match.
    pub(super) fn after_game(&mut self) -> Step {
        if self.stakes().is_some_and(|stakes| stakes.score.is_some()) {
            return self.next_game();
        }
        let points = self.stakes().map(|stakes| stakes.cube.value());
        let winner = self.local.session.record().winner();
        if let (Some(points), Some(winner)) = (points, winner) {
            writeln!(self.out, "{winner} wins {points}")?;
        }
        self.leave()
    }
}
