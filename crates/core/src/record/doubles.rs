//! The doubling cube in a record: what the game is played for, and the doubles before its rolls.

use crate::record::double::{Double, DoubleError};
use crate::{Ending, Note, Player, Record, Stakes};

impl Record {
    /// Returns what the game is played for now, after all doubles that were taken; `None` if the game has no cube.
    pub fn stakes(&self) -> Option<Stakes> {
        self.stakes_before(self.game.plies().len() + 1)
    }

    /// Returns what the game is played for before the double that precedes the ply at `ply`, counted from 0.
    pub fn stakes_before(&self, ply: usize) -> Option<Stakes> {
        let taken = self.doubles.range(..ply).filter(|(_, double)| double.is_taken == Some(true));
        // Doubles were checked when they were made.
        let double =
            |stakes: Stakes, (_, double): (_, &Double)| stakes.double(double.by).unwrap_or(stakes);
        self.stakes.map(|stakes| taken.fold(stakes, double))
    }

    /// Returns what the game was played for at its start.
    pub fn stakes_at_start(&self) -> Option<Stakes> {
        self.stakes
    }

    /// Sets what the game is played for from its start on, and removes all doubles.
    pub fn set_stakes(&mut self, stakes: Option<Stakes>) {
        self.stakes = stakes;
        self.doubles.clear();
    }

    /// Returns the doubles, each with the number of plies before it.
    pub fn doubles(&self) -> impl Iterator<Item = (usize, Double)> {
        let last = self.game.plies().len();
        self.doubles.range(..=last).map(|(&before, &double)| (before, double))
    }

    /// Returns the player who has to take or to pass; `None` if no double waits for its answer, or the game has ended.
    pub fn answering(&self) -> Option<Player> {
        let last = self.doubles.get(&self.game.plies().len());
        let double = last.filter(|_| self.ending.is_none())?;
        double.is_taken.is_none().then(|| double.by.opponent())
    }

    /// Returns the player whose turn it is, if that player may still double before the roll: there is a cube, no roll waits for
    /// its move, and there was no double since the last ply.
    ///
    /// # Errors
    ///
    /// Returns an error that says why the player may not double.
    pub fn can_double(&self) -> Result<Player, DoubleError> {
        let stakes = self.stakes().ok_or(DoubleError::NoCube)?;
        let by = self.game.turn().filter(|_| self.ending.is_none()).ok_or(DoubleError::Over)?;
        if self.game.pending().is_some() {
            return Err(DoubleError::Rolled);
        }
        if self.doubles.contains_key(&self.game.plies().len()) {
            return Err(DoubleError::Doubled);
        }
        stakes.double(by)?;
        Ok(by)
    }

    /// Doubles for the player whose turn it is.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`Record::can_double`].
    pub fn double(&mut self) -> Result<(), DoubleError> {
        let by = self.can_double()?;
        self.doubles.insert(self.game.plies().len(), Double { by, is_taken: None });
        Ok(())
    }

    /// Answers the double that waits for an answer: takes it, or passes and so gives the game up.
    ///
    /// # Errors
    ///
    /// Returns an error if no double waits.
    pub fn answer_double(&mut self, takes: bool) -> Result<(), DoubleError> {
        let player = self.answering().ok_or(DoubleError::NotDoubled)?;
        if let Some(double) = self.doubles.get_mut(&self.game.plies().len()) {
            double.is_taken = Some(takes);
        }
        if !takes {
            self.ending = Some(Ending::Resigned(player));
        }
        Ok(())
    }

    /// Returns the player who has ended the game by passing a double.
    pub fn double_passed_by(&self) -> Option<Player> {
        let last = self.doubles.get(&self.game.plies().len())?;
        let is_passed = last.is_taken == Some(false) && self.ending.is_some();
        is_passed.then(|| last.by.opponent())
    }

    /// Reopens a game that was given up or left, and removes the note on its end. If a passed double ended the game, the double
    /// is removed, too. Returns whether the game had ended in one of these ways.
    pub fn reopen(&mut self) -> bool {
        let plies = self.game.plies().len();
        if self.doubles.get(&plies).is_some_and(|double| double.is_taken == Some(false)) {
            self.doubles.remove(&plies);
        }
        let had_ended = self.ending.take().is_some();
        if had_ended {
            self.forget_after(plies);
        }
        had_ended
    }

    /// Removes the doubles and the notes after the first `plies` plies; the plies after these were taken back.
    pub fn forget_after(&mut self, plies: usize) {
        self.doubles.retain(|&before, _| before <= plies);
        self.notes.retain(|&moment, _| moment <= plies);
    }

    /// Returns the record with its doubles as comments, for notations that have no cube.
    #[must_use]
    pub fn with_doubles_as_comments(mut self) -> Self {
        for (before, double) in std::mem::take(&mut self.doubles) {
            let answer = match double.is_taken {
                Some(true) => format!(", {} takes", double.by.opponent()),
                Some(false) => format!(", {} passes", double.by.opponent()),
                None => String::new(),
            };
            self.add_comment(before, &format!("{} doubles{answer}", double.by));
        }
        if let Some(stakes) = self.stakes.take() {
            self.add_comment(0, &format!("stakes: {stakes}"));
        }
        self
    }

    fn add_comment(&mut self, moment: usize, comment: &str) {
        let note = self.notes.remove(&moment).unwrap_or_default();
        self.set_note(moment, note.and(Note::default().with_comment(comment)));
    }
}
