//! Game records: a game as text, to save, resume and pass on. `docs/notation.md` has the grammar.

pub(crate) mod double;
mod doubles;
mod grammar;
mod line;
pub(crate) mod note;
mod plies;
pub(crate) mod problem;
mod reading;
mod writing;

use std::collections::BTreeMap;

use crate::record::double::Double;
use crate::record::grammar::{NEXT, OWN_HEADERS, SEED};
use crate::record::problem::HeaderError;
use crate::text::ascii::number;
use crate::text::wording::{excerpt, is_control};
use crate::{Ending, Game, Note, Player, Stakes, Tags};

/// A game and what is known about it: the players, the seed of the dice, times, comments, anything else.
///
/// It holds everything that the notations we read say about a game. So reading one and writing another loses only what the
/// other cannot express.
///
/// ```
/// use puabi_core::Record;
/// let text = "format: urg 1\nrules: finkel\nlight: Ann\n\nL 4 0-4\nL 2 0-2 @900 # not 4-6\nD 0 pass\nL 3\n";
/// let record: Record = text.parse()?;
/// assert_eq!(record.header("light"), Some("Ann"));
/// assert_eq!(record.game.setup().to_string(), "2,4:-:L3");
/// assert_eq!(record.note(2).map(|note| (note.millis(), note.comment())), Some((900, "not 4-6")));
/// assert_eq!(record.to_string(), text);
/// # Ok::<(), puabi_core::RecordError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// The game; the headers `rules` and `start` follow from it.
    pub game: Game,
    headers: Tags,
    /// What another notation says about the game, kept unchanged.
    pub tags: Tags,
    /// The notes by moment; no note is empty.
    notes: BTreeMap<usize, Note>,
    /// What the game is played for at its start, if it has a cube.
    stakes: Option<Stakes>,
    /// The doubles, each by the number of plies before it.
    doubles: BTreeMap<usize, Double>,
    /// How the game ended, if a player gave up or it was abandoned.
    pub ending: Option<Ending>,
}

impl Record {
    /// The longest text that is read as a record, in bytes.
    pub const MAX_BYTES: usize = grammar::MAX_BYTES;
    /// The most characters of a header's key.
    pub const MAX_KEY: usize = grammar::MAX_KEY;

    /// Returns the record of `game` without further headers.
    pub fn new(game: Game) -> Self {
        let (headers, tags) = (Tags::default(), Tags::default());
        let (notes, doubles) = (BTreeMap::new(), BTreeMap::new());
        Self { game, headers, tags, notes, stakes: None, doubles, ending: None }
    }

    /// Returns the headers except those that follow from the game, in the order of the text.
    pub fn headers(&self) -> impl Iterator<Item = (&str, &str)> {
        self.headers.iter()
    }

    /// Returns the value of a header, such as `light`, the name of light's player.
    pub fn header(&self, key: &str) -> Option<&str> {
        self.headers.get(key)
    }

    /// Returns the winner: the player who won on the board, or the opponent of a player who gave up or left.
    pub fn winner(&self) -> Option<Player> {
        self.game.winner().or_else(|| self.ending?.winner())
    }

    /// Returns how the game ended early, such as `light resigned`, given the players' names; `None` if it did not end early.
    ///
    /// ```
    /// use puabi_core::{Player, Record};
    /// let end = |text: &str| text.parse::<Record>().unwrap().early_end(Player::name);
    /// let head = "format: urg 1\nrules: finkel\nstakes: cube 1 to 64\n";
    /// assert_eq!(end(&format!("{head}\nresigned L\n")).as_deref(), Some("light resigned"));
    /// assert_eq!(end(&format!("{head}\nL doubles\nD passes\n")).as_deref(), Some("dark passes"));
    /// assert_eq!(end(head), None);
    /// ```
    pub fn early_end<'n>(&self, name: impl FnOnce(Player) -> &'n str) -> Option<String> {
        let ending = self.ending.filter(|_| !self.game.is_over())?;
        Some(match self.double_passed_by() {
            Some(player) => format!("{} passes", name(player)),
            None => ending.words(name),
        })
    }

    /// Returns the seed of the dice.
    pub fn seed(&self) -> Option<u64> {
        self.header(SEED)?.parse().ok()
    }

    /// Returns the number of the next game of the match in the archive that holds this one, if it has begun.
    pub fn next_game(&self) -> Option<i64> {
        self.header(NEXT)?.parse().ok()
    }

    /// Sets the number of the next game of the match; `None` if it has not begun.
    pub fn set_next_game(&mut self, number: Option<i64>) {
        match number {
            Some(number) => self.headers.set(NEXT, number.to_string()),
            None => self.headers.remove(NEXT),
        }
    }

    /// Sets a header, such as `light`, `dark` or `seed`; an earlier value is replaced.
    ///
    /// # Errors
    ///
    /// Returns an error if the key is malformed or follows from the game, or if the value has a line break or another control
    /// character, spaces at an end, or is not a number for `seed` or `next`.
    pub fn set_header(&mut self, key: &str, value: &str) -> Result<(), HeaderError> {
        check_header(key, value)?;
        self.headers.set(key, value);
        Ok(())
    }

    /// Removes a header, if there is one.
    pub fn remove_header(&mut self, key: &str) {
        self.headers.remove(key);
    }

    /// Returns the note on a moment.
    ///
    /// Moment 0 is the start, moment n the n-th ply; one more than the number of plies is the end.
    pub fn note(&self, moment: usize) -> Option<&Note> {
        self.notes.get(&moment)
    }

    /// Sets the note on a moment, counted as in [`Record::note`]; an empty note removes it.
    pub fn set_note(&mut self, moment: usize, note: Note) {
        if note.is_empty() {
            self.notes.remove(&moment);
        } else {
            self.notes.insert(moment, note);
        }
    }

    /// Returns the notes of all moments that have one, in the order of the game.
    pub fn notes(&self) -> impl Iterator<Item = (usize, &Note)> {
        let last = self.game.plies().len() + 1;
        self.notes.range(..=last).map(|(&moment, note)| (moment, note))
    }
}

fn check_header(key: &str, value: &str) -> Result<(), HeaderError> {
    let is_word = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
    let is_key = (1..=Record::MAX_KEY).contains(&key.len()) && key.bytes().all(is_word);
    if !is_key || OWN_HEADERS.contains(&key) {
        return Err(HeaderError(format!(
            "`{}` cannot be a header: expected up to {} of a to z, 0 to 9 and -, and none of format, rules, start, stakes",
            excerpt(key),
            Record::MAX_KEY
        )));
    }
    if value.trim() != value || value.contains(is_control) {
        return Err(HeaderError(format!(
            "the value of `{key}` has a control character or a space at an end: expected one line of text"
        )));
    }
    check_number(key, value)
}

/// Returns an error if a seed, or the number of the next game, is not a number.
fn check_number(key: &str, value: &str) -> Result<(), HeaderError> {
    let (what, is_number, most) = match key {
        SEED => ("seed", number::<u64>(value).is_some(), u64::MAX),
        NEXT => ("number of a game", number::<i64>(value).is_some(), i64::MAX.cast_unsigned()),
        _ => return Ok(()),
    };
    if is_number {
        return Ok(());
    }
    let found = excerpt(value);
    Err(HeaderError(format!("`{found}` is not a {what}: expected a whole number from 0 to {most}")))
}
