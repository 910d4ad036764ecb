//! One game played through the rules, ply by ply, while a text in another notation is read.

use std::mem;

use puabi_core::{Game, Move, Note, Player, Record, Roll};

use crate::records::problem::Problem;

/// A record being read.
#[derive(Debug)]
pub(crate) struct Playback {
    pub(crate) record: Record,
    /// The note so far on the moment that the text is at.
    note: Note,
    moment: usize,
}

impl Playback {
    pub(crate) fn new(game: Game) -> Self {
        Self { record: Record::new(game), note: Note::default(), moment: 0 }
    }

    pub(crate) fn game(&self) -> &Game {
        &self.record.game
    }

    /// Checks that it is `player`'s turn, if the game is not over.
    #[inline]
    pub(crate) fn check_turn(&self, player: Player) -> Result<(), Problem> {
        if self.game().turn() == Some(player.opponent()) {
            return Err(Problem::not_on_turn(player));
        }
        Ok(())
    }

    /// Throws `roll`, or checks that it equals the roll that waits for its move.
    #[inline]
    pub(crate) fn throw(&mut self, roll: Roll) -> Result<(), Problem> {
        match self.game().pending() {
            Some(pending) if pending == roll => Ok(()),
            Some(pending) => Err(Problem::expected(
                format!("a roll of {roll}"),
                format!("{pending}, which is already thrown"),
            )),
            None => Ok(self.record.game.roll(roll).map(drop)?),
        }
    }

    /// Plays `action` with the roll that is thrown.
    #[inline]
    pub(crate) fn play(&mut self, action: Move) -> Result<(), Problem> {
        Ok(self.record.game.play(action).map(drop)?)
    }

    /// Plays a pass if no piece can move with the roll that is thrown.
    pub(crate) fn pass_if_forced(&mut self) -> Result<(), Problem> {
        let forced = self.game().decision().is_some_and(|it| it.moves()[0] == Move::Pass);
        if forced { self.play(Move::Pass) } else { Ok(()) }
    }

    /// Returns the error of a roll that waits for its move while the record goes on.
    #[inline]
    pub(crate) fn missing_move(&self) -> Option<Problem> {
        self.game().decision().map(|decision| Problem::missing_move(&decision))
    }

    /// Returns the moment of the last ply; the moment after it if a roll waits for its move.
    pub(crate) fn moment(&self) -> usize {
        self.game().plies().len() + usize::from(self.game().thrown().is_some())
    }

    /// Adds lines to the comment of the moment.
    pub(crate) fn comment(&mut self, text: &str) {
        self.note(self.moment(), Note::default().with_comment(text));
    }

    /// Adds to the note on a moment; moments must come in their order.
    pub(crate) fn note(&mut self, moment: usize, note: Note) {
        let before = mem::take(&mut self.note);
        if moment == self.moment {
            self.note = before.and(note);
        } else {
            self.record.set_note(self.moment, before);
            (self.moment, self.note) = (moment, note);
        }
    }

    /// Returns the record that was read.
    pub(crate) fn finish(mut self) -> Record {
        self.record.set_note(self.moment, self.note);
        self.record
    }
}
