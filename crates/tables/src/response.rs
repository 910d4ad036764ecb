//! Response files: the best response to an agent on disk. `docs/format.md` gives every byte.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::Path;

use puabi_core::{Indexer, Player, Position, RuleSet, Rules};
use serde::{Deserialize, Serialize};
use tempfile::NamedTempFile;

use crate::disk::{directory, sync_directory};
use puabi_solve::Evaluation;
use puabi_solve::Values;

/// The version of the format that this code writes and reads.
const VERSION: u32 = 1;
/// The first bytes; as in PNG, a copy as text changes the high bit or the line ends.
const MAGIC: [u8; 8] = *b"\x89URR\r\n\x1a\n";
/// Bytes before the JSON: magic, version, length of the JSON.
const PREAMBLE: usize = 16;
/// The most bytes of JSON.
const MAX_JSON: u32 = 1 << 19;
/// The most values that are read or written at once.
const BATCH: usize = 1 << 13;

/// The best response to an agent: how likely it wins, in every position and whoever is about to roll.
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

/// What keeps a response file from being read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ResponseError {
    /// The system does not let us read.
    #[error("the response cannot be read")]
    Unreadable(#[source] io::Error),
    /// The system does not let us write.
    #[error("the response cannot be written")]
    Unwritable(#[source] io::Error),
    /// The file is something else.
    #[error("the file is no response: one begins with 89 55 52 52 0D 0A 1A 0A (hexadecimal)")]
    Foreign,
    /// The file is of a version that is not known yet.
    #[error(
        "the response has format version {found}: expected {VERSION}, a newer program reads it"
    )]
    Newer {
        /// The version found.
        found: u32,
    },
    /// The file is not what was written.
    #[error("the response is damaged: {what}")]
    Damaged {
        /// What does not fit.
        what: String,
    },
}

/// What the JSON says.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stated {
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

    /// Returns the name of the agent that is answered.
    pub fn against(&self) -> &str {
        &self.against
    }

    /// Returns the largest difference between a value and its backup.
    pub fn residual(&self) -> f64 {
        self.residual
    }

    /// Returns the chance (0..=1) that the response wins, `position` being seen by who is about to roll: light is the
    /// response, dark the agent.
    pub fn chance(&self, mover: Player, position: Position) -> f64 {
        chance(self.values[mover as usize].value(position))
    }

    /// Writes the response at `path` and returns the hash that names it.
    ///
    /// A file that was there is replaced when the new one is whole and on the disk.
    ///
    /// # Errors
    ///
    /// Where the system does not let us write.
    pub fn write(&self, path: &Path) -> Result<blake3::Hash, ResponseError> {
        self.write_beside(path).map_err(ResponseError::Unwritable)
    }

    fn write_beside(&self, path: &Path) -> io::Result<blake3::Hash> {
        let mut out =
            Hashed { inner: BufWriter::new(temporary(path)?), hasher: blake3::Hasher::new() };
        let json = serde_json::to_vec(&self.stated())?;
        let length = u32::try_from(json.len()).map_err(io::Error::other)?;
        out.write_all(&MAGIC)?;
        out.write_all(&VERSION.to_le_bytes())?;
        out.write_all(&length.to_le_bytes())?;
        out.write_all(&json)?;
        for part in self.values.iter().flat_map(Values::chunks).flat_map(|part| part.chunks(BATCH))
        {
            let bytes: Vec<_> =
                part.iter().flat_map(|value| chance(*value).to_le_bytes()).collect();
            out.write_all(&bytes)?;
        }
        let hash = out.hasher.finalize();
        out.inner.write_all(hash.as_bytes())?;
        let file = out.inner.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.as_file().sync_all()?;
        file.persist(path).map_err(|error| error.error)?;
        sync_directory(directory(path))?;
        Ok(hash)
    }

    fn stated(&self) -> Stated {
        Stated {
            rules: self.rules.rule_set().to_toml(),
            against: self.against.clone(),
            positions: self.values[0].indexer().len(),
            residual: self.residual,
        }
    }

    /// Returns the response in the file at `path`, all of it checked and in memory.
    ///
    /// # Errors
    ///
    /// Where the file cannot be read, is no response or is not what was written.
    pub fn read(path: &Path) -> Result<Self, ResponseError> {
        let file = File::open(path).map_err(ResponseError::Unreadable)?;
        let length = file.metadata().map_err(ResponseError::Unreadable)?.len();
        let mut file = Hashed { inner: BufReader::new(file), hasher: blake3::Hasher::new() };
        let (stated, json) = Stated::read(&mut file)?;
        let (rules, indexer) = stated.game()?;
        let values = indexer.len().saturating_mul(16);
        let expected = values.saturating_add(PREAMBLE as u64 + json + blake3::OUT_LEN as u64);
        if length != expected {
            return Err(damaged(format!("found {length} bytes, expected {expected}")));
        }
        let mut values = || -> Result<Values, ResponseError> {
            let lengths = indexer.sublayers().iter().map(puabi_core::Sublayer::len);
            let parts = lengths.map(|length| read_values(&mut file, length));
            Ok(Values::new(indexer.clone(), parts.collect::<Result<_, _>>()?))
        };
        let values = [values()?, values()?];
        let mut hash = [0; blake3::OUT_LEN];
        file.inner.read_exact(&mut hash).map_err(ResponseError::Unreadable)?;
        if file.hasher.finalize() != hash {
            return Err(damaged("it does not match its hash"));
        }
        Ok(Self { rules, against: stated.against, residual: stated.residual, values })
    }
}

impl Stated {
    /// Reads everything before the values; also returns the length of the JSON.
    fn read(file: &mut impl Read) -> Result<(Self, u64), ResponseError> {
        let mut preamble = [0; PREAMBLE];
        file.read_exact(&mut preamble).map_err(|_| ResponseError::Foreign)?;
        if preamble[..8] != MAGIC {
            return Err(ResponseError::Foreign);
        }
        let number = |at: usize| u32::from_le_bytes([0, 1, 2, 3].map(|byte| preamble[at + byte]));
        let (version, length) = (number(8), number(12));
        if version != VERSION {
            return Err(ResponseError::Newer { found: version });
        }
        if length > MAX_JSON {
            return Err(damaged(format!(
                "a header of {length} bytes: expected {MAX_JSON} at most"
            )));
        }
        let mut json = vec![0; length as usize];
        file.read_exact(&mut json).map_err(ResponseError::Unreadable)?;
        let stated = serde_json::from_slice(&json).map_err(|error| damaged(error.to_string()))?;
        Ok((stated, length.into()))
    }

    /// Returns the game of the header.
    fn game(&self) -> Result<(Rules, Indexer), ResponseError> {
        let rule_set =
            RuleSet::from_toml(&self.rules).map_err(|error| damaged(error.to_string()))?;
        let rules = rule_set.compile().map_err(|error| damaged(error.to_string()))?;
        let indexer = Indexer::new(&rules).map_err(|error| damaged(error.to_string()))?;
        if indexer.len() != self.positions {
            let (found, expected) = (self.positions, indexer.len());
            return Err(damaged(format!("{found} positions, but its rules give {expected}")));
        }
        Ok((rules, indexer))
    }
}

/// Reads so many values and sees that every one is a chance.
fn read_values(file: &mut impl Read, length: u64) -> Result<Box<[f64]>, ResponseError> {
    let length = usize::try_from(length).map_err(|error| damaged(error.to_string()))?;
    let mut values = Vec::with_capacity(length);
    let mut bytes = vec![0; 8 * BATCH.min(length)];
    while values.len() < length {
        let part = &mut bytes[..8 * BATCH.min(length - values.len())];
        file.read_exact(part).map_err(ResponseError::Unreadable)?;
        values.extend(part.as_chunks().0.iter().map(|&word| f64::from_le_bytes(word)));
    }
    match values.iter().find(|value| !(0.0..=1.0).contains(*value)) {
        Some(found) => Err(damaged(format!("the value {found} is no chance: expected 0 to 1"))),
        None => Ok(values.into()),
    }
}

/// Returns a value without the last bit that rounding may take it beyond a chance.
fn chance(value: f64) -> f64 {
    value.clamp(0.0, 1.0)
}

fn damaged(what: impl Into<String>) -> ResponseError {
    ResponseError::Damaged { what: what.into() }
}

/// Returns a new file beside `path`, with the rights of an ordinary file.
fn temporary(path: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(directory(path))
}

/// Hashes what passes through.
struct Hashed<T> {
    inner: T,
    hasher: blake3::Hasher,
}

impl<T: Write> Write for Hashed<T> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.hasher.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

impl<T: Read> Read for Hashed<T> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(bytes)?;
        self.hasher.update(&bytes[..read]);
        Ok(read)
    }
}
