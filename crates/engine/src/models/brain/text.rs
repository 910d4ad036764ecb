//! Brains as text: a grid of whole numbers, a row a line, with comments.

use puabi_core::Rules;

use super::grid::Grid;

/// Why a text is no brain for some rules.
///
/// ```
/// use puabi_core::RuleSet;
/// use puabi_engine::Brain;
/// let rules = RuleSet::FINKEL.compile()?;
/// let error = Brain::read("0\n1 x\n", &rules).unwrap_err();
/// assert_eq!(error.to_string(), "line 2, column 3: `x` is no weight: expected a whole number from -32768 to 32767");
/// # Ok::<(), puabi_core::RuleError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {problem}")]
pub struct BrainError {
    line: usize,
    column: usize,
    problem: BrainProblem,
}

/// What is wrong there.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
enum BrainProblem {
    #[error("`{found}` is no weight: expected a whole number from -32768 to 32767")]
    Weight { found: String },
    #[error(
        "row {row} has {found} weights: expected {full}, or the {triangle} up to the diagonal, since {rules} has paths of {length} squares"
    )]
    Width { row: usize, found: usize, full: usize, triangle: usize, rules: String, length: u8 },
    #[error(
        "{found} rows: expected {expected}, since {rules} has paths of {length} squares: hand, squares and home of light, the same of dark, and the turn"
    )]
    Height { found: usize, expected: usize, rules: String, length: u8 },
    #[error("`{found}` is no scale: expected a number above 0")]
    Scale { found: String },
}

/// The most characters of a text that are quoted.
const QUOTED: usize = 24;

/// A weight with its column, from 1.
type Token<'t> = (usize, &'t str);

/// Score points to one unit of log-odds if a text names none.
pub(super) const PLAIN_SCALE: f64 = 32.0;

/// Returns the weights, the scale and the origin in `text`, for `rules`.
pub(super) fn read(text: &str, rules: &Rules) -> Result<(Grid, f64, String), BrainError> {
    let mut reader = Reader { rules, grid: Grid::new(rules.length()), rows: 0 };
    let (mut scale, mut origin) = (PLAIN_SCALE, String::new());
    for (line, content) in (1..).zip(text.lines()) {
        let at = |column, problem| BrainError { line, column, problem };
        match header(content) {
            Some(("scale", value)) => {
                scale = read_scale(value).map_err(|problem| at(column(content, value), problem))?;
            }
            Some(("origin", value)) => value.clone_into(&mut origin),
            _ => reader.row(&tokens(content)).map_err(|(column, problem)| at(column, problem))?,
        }
    }
    reader.end().map_err(|problem| BrainError {
        line: text.lines().count().max(1),
        column: 1,
        problem,
    })?;
    Ok((reader.grid, scale, origin))
}

/// Returns the key and the value of a comment line of the form `# key: value`.
fn header(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.trim().strip_prefix('#')?.split_once(':')?;
    Some((key.trim(), value.trim()))
}

/// Returns the column, from 1, of a part of `line`.
fn column(line: &str, part: &str) -> usize {
    let before = part.as_ptr() as usize - line.as_ptr() as usize;
    line[..before].chars().count() + 1
}

fn read_scale(text: &str) -> Result<f64, BrainProblem> {
    let number = text.parse().ok().filter(|&scale: &f64| scale.is_finite() && scale > 0.0);
    number.ok_or_else(|| BrainProblem::Scale { found: excerpt(text) })
}

/// Returns the words of a line before any comment; a sign begins a word even without a space before it.
fn tokens(line: &str) -> Vec<Token<'_>> {
    let end = line.find('#').into_iter().chain(line.find("//")).min().unwrap_or(line.len());
    let words = line[..end].split_whitespace();
    let parts = words.flat_map(|word| {
        let sign = |at: &usize| *at > 0 && word[..*at].ends_with(|c: char| c.is_ascii_digit());
        let mut cuts: Vec<_> = word.match_indices('-').map(|(at, _)| at).filter(sign).collect();
        cuts.insert(0, 0);
        cuts.push(word.len());
        cuts.windows(2).map(|cut| &word[cut[0]..cut[1]]).collect::<Vec<_>>()
    });
    parts.map(|part| (column(line, part), part)).collect()
}

/// A grid while it is read.
struct Reader<'r> {
    rules: &'r Rules,
    grid: Grid,
    rows: usize,
}

impl Reader<'_> {
    /// Reads a line that is empty or a row.
    fn row(&mut self, tokens: &[Token<'_>]) -> Result<(), (usize, BrainProblem)> {
        let Some(&(first, _)) = tokens.first() else { return Ok(()) };
        let (row, full) = (self.rows, self.grid.size());
        if row == full {
            return Err((first, self.height(row + 1)));
        }
        for (number, &(column, word)) in tokens.iter().enumerate() {
            let weight = word.parse().map_err(|_| (column, weight_error(word)))?;
            if number <= row {
                self.grid.set(row, number, weight);
            }
        }
        let (found, triangle) = (tokens.len(), row + 1);
        if found != full && found != triangle {
            let (rules, length) = (self.rules.rule_set().to_string(), self.rules.length());
            let row = triangle;
            let problem = BrainProblem::Width { row, found, full, triangle, rules, length };
            return Err((first, problem));
        }
        self.rows += 1;
        Ok(())
    }

    fn end(&self) -> Result<(), BrainProblem> {
        if self.rows == self.grid.size() { Ok(()) } else { Err(self.height(self.rows)) }
    }

    fn height(&self, found: usize) -> BrainProblem {
        let (rules, length) = (self.rules.rule_set().to_string(), self.rules.length());
        BrainProblem::Height { found, expected: self.grid.size(), rules, length }
    }
}

fn weight_error(word: &str) -> BrainProblem {
    BrainProblem::Weight { found: excerpt(word) }
}

fn excerpt(text: &str) -> String {
    match text.char_indices().nth(QUOTED) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
