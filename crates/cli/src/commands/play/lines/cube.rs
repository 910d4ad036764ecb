//! The doubling cube and matches in lines of text: doubles, answers, scores, the next game.

use std::ops::ControlFlow::Continue;

use anyhow::Result;
use puabi_core::{Player, Stakes};
use puabi_engine::{CubeJudge, Seat};

use super::{LineGame, Step};
use crate::commands::value::cubeful;
use crate::output::status;
use crate::output::text::t;
use crate::play::doubling::{answer_words, next_words, stakes_words, won_words};
use crate::progress::Bar;

impl LineGame<'_> {
    /// Returns the stakes of the game, if it has a cube.
    fn stakes(&self) -> Option<Stakes> {
        self.local.session.stakes()
    }

    /// Prepares doubles, and prints a note if agents have no values for them.
    pub(super) fn prepare_cube(&mut self) -> Result<()> {
        let Some(stakes) = self.stakes() else { return Ok(()) };
        let bar = Bar::new(format!("solving the game with {stakes}"));
        let said = self.local.prepare_cube(self.language(), &bar)?;
        drop(bar);
        said.into_iter().for_each(status);
        Ok(())
    }

    /// Prints the stakes whenever they have changed.
    pub(super) fn show_stakes(&mut self) -> Result<()> {
        let stakes = self.stakes();
        if stakes != self.shown_stakes {
            self.shown_stakes = stakes;
            if let Some(stakes) = stakes {
                writeln!(self.out, "{}", stakes_words(stakes, self.style.language))?;
            }
        }
        Ok(())
    }

    /// Asks a person to answer a double, or lets an agent answer it.
    pub(super) fn answer_double(&mut self, player: Player) -> Step {
        let Some(stakes) = self.stakes() else { return Ok(Continue(())) };
        let language = self.language();
        if let Seat::Bot(_) = self.seat(player) {
            let takes = self.with_cube_judge(|judge| self.local.session.wants_take(judge))?;
            self.local.session.answer_double(takes)?;
            return self.say(answer_words(player, takes, language));
        }
        let question = t!(
            language,
            "{player}: t takes at {doubled}, p passes and loses {points}",
            player = self.player(player),
            doubled = 2 * stakes.cube.value(),
            points = stakes.cube.value()
        );
        self.ask(&question, |game, text| {
            let takes = match text {
                "t" | "take" => true,
                "p" | "pass" => false,
                _ => return game.say(t!(language, "type t to take the double or p to pass")),
            };
            game.local.session.answer_double(takes)?;
            Ok(Continue(()))
        })
    }

    /// Doubles for the person who is about to roll.
    pub(super) fn double(&mut self, player: Player) -> Step {
        match self.local.session.double() {
            Ok(()) => {
                let player = self.player(player);
                self.say(t!(self.style.language, "{player} doubles", player))
            }
            Err(error) => self.say(self.language().translate(error)),
        }
    }

    /// Doubles for the agent that is about to roll, if it wants to; returns whether it did.
    pub(super) fn agent_doubles(&mut self, player: Player) -> Result<bool> {
        let session = &self.local.session;
        if !self.local.agent_may_double()
            || !self.with_cube_judge(|judge| session.wants_double(judge))?
        {
            return Ok(false);
        }
        self.local.session.double()?;
        let line = t!(
            self.style.language,
            "{player} ({agent}) doubles",
            player = self.player(player),
            agent = self.language().translate(self.seat(player))
        );
        writeln!(self.out, "{line}")?;
        Ok(true)
    }

    /// Returns the result of `work` with the judge by which agents handle the cube.
    fn with_cube_judge<T>(&self, work: impl FnOnce(CubeJudge<'_>) -> T) -> Result<T> {
        self.local.with_cube_judge(|| self.judge().map(Some), work)
    }

    /// Shows what a double, a take and a pass are worth, if the game is solved with its cube.
    pub(super) fn show_cube(&mut self) -> Step {
        let choice = self.local.cube_choice()?;
        let player = self.local.session.turn();
        if let (Some(choice), Some(stakes), Some(player)) = (choice, self.stakes(), player) {
            let form = (self.local.cube_precision(), self.language());
            for line in cubeful::choice_lines(choice, stakes, player, form) {
                writeln!(self.out, "{line}")?;
            }
        }
        Ok(Continue(()))
    }

    /// Says what can be typed in a game with a cube.
    pub(super) fn say_keys_of_the_cube(&mut self) -> Step {
        if self.stakes().is_none() {
            return Ok(Continue(()));
        }
        let keys = t!(self.language(), "d  doubles before a roll; t takes a double, p passes");
        self.say(format_args!("  {keys}"))
    }

    /// Ends the game, or goes on with the next one of its match.
    pub(super) fn after_game(&mut self) -> Step {
        let (language, session) = (self.language(), &self.local.session);
        let next = session.next_of_match();
        if let Some(won) = won_words(session, language) {
            writeln!(self.out, "{won}")?;
        }
        let Some(next) = next else { return self.leave() };
        self.keep()?;
        let begun = next_words(self.local.follow(next, language)?, &self.local.session, language);
        (self.shown, self.shown_stakes) = (None, None);
        writeln!(self.out, "\n{begun}")?;
        self.prepare_cube()?;
        Ok(Continue(()))
    }
}
