//! Brains as text: a grid of whole numbers, one row on each line, with comments.

use puabi_core::wording::excerpt;
use puabi_core::{LocatedError, Rules};

use super::grid::Grid;

/// The score points of one unit of log-odds if a text names no scale. It suits small weights, such as people write.
const PLAIN_SCALE: f64 = 32.0;

/// A brain as it is read from text.
pub(super) struct Source {
    /// The whole square, row by row. Weights above the diagonal that a row leaves out are zero.
    pub(super) square: Vec<i16>,
    pub(super) scale: f64,
    pub(super) origin: String,
}

impl Source {
    /// Returns the weights up to the diagonal.
    pub(super) fn grid(&self, rules: &Rules) -> Grid {
        let mut grid = Grid::new(rules.length());
        for (row, weights) in self.square.chunks(grid.size()).enumerate() {
            for (column, &weight) in weights[..=row].iter().enumerate() {
                grid.set(row, column, weight);
            }
        }
        grid
    }
}

/// Returns the brain in `text`, for `rules`.
pub(super) fn read(text: &str, rules: &Rules) -> Result<Source, LocatedError> {
    let size = Grid::size_of(rules.length());
    let mut reader = Reader { text, rules, size, square: vec![0; size * size], rows: 0 };
    let (mut scale, mut origin) = (PLAIN_SCALE, String::new());
    for line in text.lines() {
        match header(line) {
            Some(("scale", value)) => scale = reader.scale(value)?,
            Some(("origin", value)) => value.clone_into(&mut origin),
            _ => reader.row(&words(line))?,
        }
    }
    if reader.rows != size {
        let last = text.lines().count().max(1);
        return Err(LocatedError::new(last, 1, &reader.height(reader.rows)));
    }
    Ok(Source { square: reader.square, scale, origin })
}

/// Returns the key and the value of a comment line of the form `# key: value`.
fn header(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.trim().strip_prefix('#')?.split_once(':')?;
    Some((key.trim(), value.trim()))
}

/// Returns the words of a line before any comment; a sign begins a word even without a space before it.
fn words(line: &str) -> Vec<&str> {
    let end = line.find('#').into_iter().chain(line.find("//")).min().unwrap_or(line.len());
    let words = line[..end].split_whitespace();
    let parts = words.flat_map(|word| {
        let sign = |at: &usize| *at > 0 && word[..*at].ends_with(|c: char| c.is_ascii_digit());
        let mut cuts: Vec<_> = word.match_indices('-').map(|(at, _)| at).filter(sign).collect();
        cuts.insert(0, 0);
        cuts.push(word.len());
        cuts.windows(2).map(|cut| &word[cut[0]..cut[1]]).collect::<Vec<_>>()
    });
    parts.collect()
}

/// A square of weights while it is read.
struct Reader<'t> {
    text: &'t str,
    rules: &'t Rules,
    /// The number of rows that there must be.
    size: usize,
    square: Vec<i16>,
    rows: usize,
}

impl Reader<'_> {
    /// Reads the words of a line, which is empty or a row.
    fn row(&mut self, words: &[&str]) -> Result<(), LocatedError> {
        let Some(first) = words.first() else { return Ok(()) };
        let (row, full) = (self.rows, self.size);
        if row == full {
            return Err(self.wrong(first, &self.height(row + 1)));
        }
        for (column, word) in words.iter().enumerate() {
            let weight = word.parse().map_err(|_| self.no_weight(word))?;
            if column < full {
                self.square[row * full + column] = weight;
            }
        }
        let (found, triangle) = (words.len(), row + 1);
        if found != full && found != triangle {
            let paths = self.paths();
            let message = format!(
                "row {triangle} has {found} weights: expected {full}, or the {triangle} up to the diagonal, since {paths}"
            );
            return Err(self.wrong(first, &message));
        }
        self.rows += 1;
        Ok(())
    }

    fn scale(&self, text: &str) -> Result<f64, LocatedError> {
        // Weights divided by the scale must fit an f32.
        let scales = 1e-9..=1e9;
        let number = text.parse().ok().filter(|scale| scales.contains(scale));
        let expected = "expected a number from 1e-9 to 1e9";
        let message = || format!("`{}` is not a scale: {expected}", excerpt(text));
        number.ok_or_else(|| self.wrong(text, &message()))
    }

    /// Returns an error at a part of the text.
    fn wrong(&self, part: &str, message: &str) -> LocatedError {
        let offset = part.as_ptr() as usize - self.text.as_ptr() as usize;
        LocatedError::at(self.text, offset, &message)
    }

    fn no_weight(&self, word: &str) -> LocatedError {
        let found = excerpt(word);
        let expected = "expected a whole number from -32768 to 32767";
        self.wrong(word, &format!("`{found}` is not a weight: {expected}"))
    }

    fn height(&self, found: usize) -> String {
        let (expected, paths) = (self.size, self.paths());
        format!(
            "{found} rows: expected {expected}, since {paths} (one row each for the hand, squares and home of light, the same of dark, and the turn)"
        )
    }

    fn paths(&self) -> String {
        format!("{} has paths of {} squares", self.rules.rule_set(), self.rules.length())
    }
}
