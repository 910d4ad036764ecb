//! Writing a record, the same text for the same record.

use std::fmt;

use crate::record::double::Double;
use crate::record::grammar::{DOUBLES, DRAWN, FORMAT, PASSES, STAKES, TAKES, WON};
use crate::text::quote::quoted;
use crate::{Note, Record, Tags};

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_headers(f)?;
        write_tags(f, &self.tags)?;
        writeln!(f)?;
        if let Some(note) = self.note(0) {
            write!(f, "-")?;
            write_note(f, Some(note))?;
        }
        for (ply, moment) in self.game.plies().iter().zip(1..) {
            self.write_double(f, moment - 1)?;
            write!(f, "{} {} {}", ply.player.letter(), ply.roll, ply.action)?;
            write_note(f, self.note(moment))?;
        }
        self.write_double(f, self.game.plies().len())?;
        self.write_end(f)
    }
}

impl Record {
    fn write_headers(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rule_set = self.game.rules().rule_set();
        writeln!(f, "format: {FORMAT}")?;
        if rule_set.preset().is_some() {
            writeln!(f, "rules: {rule_set}")?;
        } else {
            writeln!(f, "rules: |")?;
            for line in rule_set.to_toml().lines() {
                writeln!(f, "{}", format!("| {line}").trim_end())?;
            }
        }
        if !self.game.starts_as_usual() {
            writeln!(f, "start: {}", self.game.start())?;
        }
        if let Some(stakes) = self.stakes_at_start() {
            writeln!(f, "{STAKES}: {stakes}")?;
        }
        for (key, value) in self.headers() {
            writeln!(f, "{}", format!("{key}: {value}").trim_end())?;
        }
        Ok(())
    }

    /// Writes the double after the first `plies` plies and its answer, if there is one.
    fn write_double(&self, f: &mut fmt::Formatter<'_>, plies: usize) -> fmt::Result {
        let Some(double) = self.doubles.get(&plies) else { return Ok(()) };
        writeln!(f, "{} {DOUBLES}", double.by.letter())?;
        let Some(is_taken) = double.is_taken else { return Ok(()) };
        let answer = if is_taken { TAKES } else { PASSES };
        writeln!(f, "{} {answer}", double.by.opponent().letter())
    }

    /// Writes how the game stands after the last ply, if the plies do not say it already or if there is a note on it.
    fn write_end(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plies = self.game.plies().len();
        let note = self.note(plies + 1);
        let ending = self.ending.filter(|_| !self.game.is_over());
        // A pass says that the game was given up, and after a double only its answer or an ending may come.
        let says_all = |double: &Double| double.is_taken.map_or(ending.is_none(), |takes| !takes);
        if self.doubles.get(&plies).is_some_and(says_all) {
            return Ok(());
        }
        if let (Some(player), Some(roll)) = (self.game.turn(), self.game.pending()) {
            write!(f, "{} {roll}", player.letter())?;
            if ending.is_none() {
                return write_note(f, note);
            }
            writeln!(f)?;
        }
        match (ending, self.game.turn(), self.game.winner()) {
            (Some(ending), _, _) => write!(f, "{ending}")?,
            (None, Some(player), _) if note.is_some() => write!(f, "{}", player.letter())?,
            (None, _, Some(winner)) if note.is_some() => write!(f, "{WON} {}", winner.letter())?,
            (None, None, None) if note.is_some() => write!(f, "{DRAWN}")?,
            _ => return Ok(()),
        }
        write_note(f, note)
    }
}

/// Writes a note: the rest of the line that it begins on, and the lines that belong to it.
fn write_note(f: &mut fmt::Formatter<'_>, note: Option<&Note>) -> fmt::Result {
    let Some(note) = note else { return writeln!(f) };
    if note.millis() > 0 {
        write!(f, " @{}", note.millis())?;
    }
    let mut lines = note.comment().lines();
    if let Some(first) = lines.next() {
        write!(f, " # {first}")?;
    }
    writeln!(f)?;
    for line in lines {
        writeln!(f, "# {line}")?;
    }
    write_tags(f, &note.tags)
}

fn write_tags(f: &mut fmt::Formatter<'_>, tags: &Tags) -> fmt::Result {
    tags.iter().try_for_each(|(key, value)| writeln!(f, "{}: {}", quoted(key), quoted(value)))
}
