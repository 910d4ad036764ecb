//! Response files: the best response to an agent on disk. `docs/format.md` describes every byte.

use std::io::{self, Write};
use std::path::Path;

use puabi_core::{Player, Position, Rules};
use puabi_solve::{Evaluation, Values};
use serde::{Deserialize, Serialize};

use crate::disk::mapped::MappedFile;
use crate::disk::write_whole;
use crate::error::{TableError, VERSION};
use crate::format::preamble::{MAX_JSON, file_start, version_and_length};
use crate::format::{rules_and_index, to_usize};

/// The first bytes. As in PNG, a copy as text changes the high bit or the line ends.
const MAGIC: [u8; 8] = *b"\x89URR\r\n\x1a\n";
/// The most values that are written at once.
const BATCH: usize = 1 << 13;

/// The best response to an agent: its chance to win in every position, with either player about to roll.
///
/// ```
/// use puabi_core::{Agent, Decision, Player, Policy, RuleSet};
/// use puabi_solve::{Options, Seat, Solver, Unattended, WinChance};
/// use puabi_tables::Response;
///
/// struct Even;
///
/// impl Agent for Even {
///     fn policy(&self, decision: &Decision<'_>) -> Policy {
///         let moves = decision.moves();
///         moves.iter().map(|_| 1.0 / moves.len() as f64).collect()
///     }
/// }
///
/// let rules = RuleSet::FINKEL.with_pieces(1).compile()?;
/// let solver = Solver::new(&rules, Options::default())?;
/// let found = solver.evaluate([Seat::Best, Seat::Plays(&Even)], &WinChance, &Unattended)?;
/// let response = Response::new(rules.clone(), "even", found);
/// # let directory = tempfile::tempdir()?;
/// # let path = directory.path().join("even.urr");
/// response.write(&path)?;
/// let read = Response::read(&path)?;
/// let start = rules.start();
/// assert_eq!(read.chance(Player::Light, start), response.chance(Player::Light, start));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Response {
    rules: Rules,
    against: String,
    residual: f64,
    values: [Values; 2],
}

/// The fields of the JSON.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ResponseHeader {
    rules: String,
    against: String,
    positions: u64,
    residual: f64,
}

impl Response {
    /// Returns the response that `evaluation` found with the best seat as light; `against` names the agent.
    pub fn new(rules: Rules, against: impl Into<String>, evaluation: Evaluation) -> Self {
        let Evaluation { values, report, .. } = evaluation;
        Self { rules, against: against.into(), residual: report.residual, values }
    }

    /// Returns the rules of the game.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Returns the name of the agent that the response answers.
    pub fn against(&self) -> &str {
        &self.against
    }

    /// Returns the largest difference between a value and its backup.
    pub fn residual(&self) -> f64 {
        self.residual
    }

    /// Returns the chance (0..=1) that the response wins. Light is the response and dark the agent; `mover` is about to
    /// roll, and `position` is as the mover sees it.
    pub fn chance(&self, mover: Player, position: Position) -> f64 {
        chance(self.values[mover as usize].value(position))
    }

    /// Writes the response at `path` and returns the hash that names it.
    ///
    /// A file at `path` is replaced when the new one is whole and on the disk.
    ///
    /// # Errors
    ///
    /// Returns an error if the system does not let us write, or if the rules and the agent's name are longer than a response may
    /// state.
    pub fn write(&self, path: &Path) -> Result<blake3::Hash, TableError> {
        write_whole(path, |file| self.write_to(file)).map_err(TableError::UnwritableResponse)
    }

    /// Writes the response to `file` and returns the hash that names it.
    ///
    /// # Errors
    ///
    /// As [`Response::write`].
    pub fn write_to(&self, file: &mut impl Write) -> io::Result<blake3::Hash> {
        let json = serde_json::to_vec(&self.header())?;
        if json.len() > MAX_JSON {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, too_long(json.len())));
        }
        let mut hasher = blake3::Hasher::new();
        let mut put = |bytes: &[u8]| {
            hasher.update(bytes);
            file.write_all(bytes)
        };
        put(&file_start(MAGIC, &json))?;
        put(&json)?;
        for sublayer in self.values.iter().flat_map(Values::chunks) {
            for part in sublayer.chunks(BATCH) {
                let words = part.iter().flat_map(|&value| chance(value).to_le_bytes());
                put(&words.collect::<Vec<_>>())?;
            }
        }
        let hash = hasher.finalize();
        file.write_all(hash.as_bytes())?;
        Ok(hash)
    }

    fn header(&self) -> ResponseHeader {
        ResponseHeader {
            rules: self.rules.rule_set().to_toml(),
            against: self.against.clone(),
            positions: self.values[0].indexer().len(),
            residual: self.residual,
        }
    }

    /// Returns whether a file that begins with these bytes is a response, whole or damaged.
    pub fn begins(start: &[u8]) -> bool {
        start.starts_with(&MAGIC)
    }

    /// Returns the response in the file at `path`, all of it checked and in memory.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read, is not a response, or is not what was written.
    pub fn read(path: &Path) -> Result<Self, TableError> {
        let file = MappedFile::open(path).map_err(TableError::UnreadableResponse)?;
        let truncated = || damaged("it is truncated");
        let (start, rest) = file.split_first_chunk().ok_or_else(truncated)?;
        let json_length = check_start(start)?;
        let (rest, hash) = rest.split_last_chunk().ok_or_else(truncated)?;
        if blake3::Hasher::new().update(start).update(rest).finalize() != *hash {
            return Err(damaged("it does not match its hash"));
        }
        let (json, values) = rest.split_at_checked(json_length).ok_or_else(truncated)?;
        let header: ResponseHeader =
            serde_json::from_slice(json).map_err(|it| damaged(it.to_string()))?;
        let (rules, indexer) = rules_and_index(&header.rules).map_err(of_rules)?;
        let (words, rest) = values.as_chunks();
        let expected = indexer.len().saturating_mul(2);
        if header.positions != indexer.len() || words.len() as u64 != expected || !rest.is_empty() {
            let (stated, found, expected) = (header.positions, values.len(), indexer.len());
            return Err(damaged(format!(
                "{stated} positions and {found} bytes of values, but its rules give {expected} positions"
            )));
        }
        let (against, residual) = (header.against, header.residual);
        let mut words = words.iter().map(|&word| f64::from_le_bytes(word));
        check_numbers(residual, words.clone())?;
        let mut half = || {
            let lengths = indexer.sublayers().iter().map(|sublayer| to_usize(sublayer.len()));
            let parts = lengths.map(|length| words.by_ref().take(length).collect());
            Values::new(indexer.clone(), parts.collect())
        };
        let values = [half(), half()];
        // The values read are those compared with the hash only if no other program wrote the file in between.
        if !file.is_unchanged() {
            return Err(damaged("another program has changed it since it was opened"));
        }
        Ok(Self { rules, against, residual, values })
    }
}

/// Checks that the residual of a response is a number from 0 on, and that its values are chances.
fn check_numbers(residual: f64, mut values: impl Iterator<Item = f64>) -> Result<(), TableError> {
    if !residual.is_finite() || residual < 0.0 {
        return Err(damaged(format!("its residual is {residual}: expected a number from 0 on")));
    }
    match values.find(|value| !(0.0..=1.0).contains(value)) {
        Some(found) => Err(damaged(format!("the value {found} is not a chance: expected 0 to 1"))),
        None => Ok(()),
    }
}

/// Checks the magic and the version at the start of a response file, and returns the length of its JSON.
fn check_start(start: &[u8; 16]) -> Result<usize, TableError> {
    if !Response::begins(start) {
        return Err(damaged(
            "it is not a response: one begins with 89 55 52 52 0D 0A 1A 0A (hexadecimal)",
        ));
    }
    let [version, length] = version_and_length(start);
    if version != VERSION {
        return Err(damaged(format!("its format version is {version}: expected {VERSION}")));
    }
    let length = length as usize;
    if length > MAX_JSON { Err(damaged(too_long(length))) } else { Ok(length) }
}

fn too_long(json: usize) -> String {
    format!("its JSON has {json} bytes: expected {MAX_JSON} at most")
}

/// Returns the error of a response whose rules give this error.
fn of_rules(error: TableError) -> TableError {
    match error {
        TableError::RuleText(error) => damaged(format!("its rules cannot be read: {error}")),
        TableError::Rules(error) => damaged(format!("its rules cannot be played: {error}")),
        error => damaged(error.to_string()),
    }
}

/// Clamps a value to 0..=1: rounding may take it out by the last bit.
fn chance(value: f64) -> f64 {
    value.clamp(0.0, 1.0)
}

fn damaged(what: impl Into<String>) -> TableError {
    TableError::Response { what: what.into() }
}
