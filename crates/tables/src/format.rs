//! The header of a table: everything about it except the values.
//!
//! A file begins with a fixed preamble, the header as JSON, a checksum for each block of values, and the hash of all this,
//! which names the table. `docs/format.md` describes every byte. This module trusts nothing that it reads: it checks sizes
//! before it uses them, and allocates no more than the file has bytes.

pub(crate) mod checksum;
pub(crate) mod cube_state;
pub(crate) mod preamble;

use std::ops::Range;
use std::sync::Arc;

use puabi_core::{Indexer, RuleSet, Rules};
use puabi_solve::Report;
use serde::{Deserialize, Serialize};

use self::checksum::{CHECKSUM, Checksum, checksum};
use self::cube_state::CubeState;
use self::preamble::{MAX_JSON, PREAMBLE, damaged, json_of, preamble, too_long};
use crate::error::TableError;
use crate::precision::Precision;

/// Bytes of the hash that names a table.
const HASH: usize = 32;
/// Values begin at a multiple of this many bytes, the usual page of memory.
const PAGE: u64 = 4096;
/// Bytes of values with one checksum: a first look-up costs about 20 microseconds, checksums 1/4096 of the file.
const BLOCK: u32 = 1 << 16;

/// The fields of the JSON. None depends on when, where or how fast the table was made.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct HeaderFields {
    rules: String,
    store: Precision,
    positions: u64,
    layers: u64,
    sublayers: u64,
    block_bytes: u32,
    tolerance: f64,
    sweeps_max: u32,
    residual: f64,
    stored_residual: f64,
    start_value: f64,
    dead_positions: u64,
    /// Absent in the table of a game without a cube.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cube: Option<CubeState>,
}

/// Everything that a table says about its values.
///
/// ```
/// use puabi_core::RuleSet;
/// use puabi_solve::{Options, Solver, Unattended};
/// use puabi_tables::{Header, Precision};
///
/// let rules = RuleSet::FINKEL.with_pieces(1).compile()?;
/// let solver = Solver::new(&rules, Options::default())?;
/// let (_, report) = solver.solve(&Unattended, &Unattended)?;
/// let header = Header::new(&rules, solver.indexer(), &report, Precision::U16, 4.5e-16, 7e-6)?;
/// let read = Header::from_json(header.json())?;
/// assert_eq!(read.rules().rule_set(), rules.rule_set());
/// assert_eq!(read.report(), report);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Header {
    json: Vec<u8>,
    fields: HeaderFields,
    rules: Arc<Rules>,
    indexer: Indexer,
    layout: Layout,
}

/// The offsets of the parts of a file, in bytes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Layout {
    blocks: u64,
    hash: u64,
    pub(crate) values: u64,
    pub(crate) end: u64,
}

impl Layout {
    /// Returns the layout; `None` if the file would be longer than a file can be.
    fn new(fields: &HeaderFields, json: usize) -> Option<Self> {
        let values_bytes = fields.positions.checked_mul(fields.store.bytes() as u64)?;
        let blocks = values_bytes.div_ceil(u64::from(fields.block_bytes));
        let hash = blocks.checked_mul(CHECKSUM as u64)?.checked_add((PREAMBLE + json) as u64)?;
        let values = hash.checked_add(HASH as u64)?.checked_next_multiple_of(PAGE)?;
        let end = values.checked_add(values_bytes).filter(|&end| end < 1 << 63)?;
        Some(Self { blocks, hash, values, end })
    }

    /// Returns the layout of a table to be made.
    fn to_come(fields: &HeaderFields, json: usize) -> Result<Self, TableError> {
        Self::new(fields, json).ok_or(TableError::FitsNoFile { positions: fields.positions })
    }

    /// Returns the layout that a solve of these rules will almost certainly need, before its numbers are known: their
    /// digits can move the values by a page.
    #[cfg(feature = "files")]
    pub(crate) fn expected(
        rules: &Rules,
        indexer: &Indexer,
        precision: Precision,
    ) -> Result<Self, TableError> {
        let report = Report {
            positions: indexer.len(),
            layers: indexer.layers(),
            sublayers: indexer.sublayers().len(),
            sweeps_max: 50,
            residual: f64::EPSILON,
            start_value: 0.5 + f64::EPSILON,
            dead_positions: 0,
        };
        let fields = HeaderFields::new(rules, &report, precision, [f64::EPSILON; 2]);
        Self::to_come(&fields, fields.to_json()?.len())
    }
}

impl Header {
    /// Returns the header of a table of the game with these rules, whose positions `indexer` counts.
    ///
    /// `tolerance` is that of the solve; `stored_residual` is the residual of the values as `precision` stores them.
    ///
    /// # Errors
    ///
    /// Returns an error if the report is of other rules, or if a number in it is not in 0..=1.
    pub fn new(
        rules: &Rules,
        indexer: &Indexer,
        report: &Report,
        precision: Precision,
        tolerance: f64,
        stored_residual: f64,
    ) -> Result<Self, TableError> {
        let fields = HeaderFields::new(rules, report, precision, [tolerance, stored_residual]);
        fields.check()?;
        fields.check_counts(indexer)?;
        let json = fields.to_json()?;
        let layout = Layout::to_come(&fields, json.len())?;
        Ok(Self { json, fields, rules: Arc::new(rules.clone()), indexer: indexer.clone(), layout })
    }

    /// Returns the header of a table of the same game with a cube in this state.
    ///
    /// # Errors
    ///
    /// Returns an error if the file would be longer than a file can be.
    pub fn of_cube(mut self, state: CubeState) -> Result<Self, TableError> {
        self.fields.cube = Some(state);
        self.json = self.fields.to_json()?;
        self.layout = Layout::to_come(&self.fields, self.json.len())?;
        Ok(self)
    }

    /// Returns the state of the cube that the values are of; `None` for those of the game without one.
    pub fn cube(&self) -> Option<CubeState> {
        self.fields.cube
    }

    /// Returns an error if the values are of a game with a cube.
    pub(crate) fn ensure_cubeless(&self) -> Result<(), TableError> {
        match self.cube() {
            Some(found) => Err(TableError::not_cubeless(&found)),
            None => Ok(()),
        }
    }

    /// Returns the header that this JSON states.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is not a header, or if its numbers do not fit its rules.
    pub fn from_json(json: &[u8]) -> Result<Self, TableError> {
        let (fields, layout) = HeaderFields::read(json)?;
        fields.with_game(json, layout)
    }

    /// Returns the header of the table whose file has these bytes; everything except the values is checked.
    ///
    /// # Errors
    ///
    /// Returns an error if the file is not a table or is of a newer version, if its length is not the one that its header asks
    /// for, or if a bit before the values differs from what was written.
    pub fn from_file(file: &[u8]) -> Result<Self, TableError> {
        let json = json_of(file)?;
        let (fields, layout) = HeaderFields::read(json)?;
        let (found, expected) = (file.len() as u64, layout.end);
        if found < expected {
            return Err(TableError::Truncated { found, expected });
        }
        if found > expected {
            return Err(TableError::TooLong { found, expected });
        }
        let (front, rest) = file[..to_usize(layout.values)].split_at(to_usize(layout.hash));
        let (hash, padding) = rest.split_at(HASH);
        if blake3::hash(front).as_bytes() != hash {
            return Err(damaged("its hash and the blocks' checksums do not match"));
        }
        if padding.iter().any(|&byte| byte != 0) {
            return Err(damaged("the padding before the values is not zero"));
        }
        // Last, since building the index takes longer than all the checks before it.
        fields.with_game(json, layout)
    }

    /// Returns all bytes of the file before the values, given the checksum of each block.
    pub(crate) fn front(&self, checksums: &[Checksum]) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.values_at());
        bytes.extend(preamble(&self.json));
        bytes.extend(&self.json);
        bytes.extend(checksums.as_flattened());
        let hash = blake3::hash(&bytes);
        bytes.extend(hash.as_bytes());
        bytes.resize(self.values_at(), 0);
        bytes
    }

    /// Returns the JSON.
    pub fn json(&self) -> &[u8] {
        &self.json
    }

    /// Returns the rules of the game.
    pub fn rules(&self) -> &Arc<Rules> {
        &self.rules
    }

    /// Returns the index of the game's positions.
    pub fn indexer(&self) -> &Indexer {
        &self.indexer
    }

    /// Returns how the values are stored.
    pub fn precision(&self) -> Precision {
        self.fields.store
    }

    /// Returns the precision if it rounds values.
    pub fn rounded(&self) -> Option<Precision> {
        Some(self.precision()).filter(|it| *it != Precision::F64)
    }

    /// Returns what the solve found; its residual and start value are those of the values before they were stored.
    pub fn report(&self) -> Report {
        Report {
            positions: self.indexer.len(),
            layers: self.indexer.layers(),
            sublayers: self.indexer.sublayers().len(),
            sweeps_max: self.fields.sweeps_max,
            residual: self.fields.residual,
            start_value: self.fields.start_value,
            dead_positions: self.fields.dead_positions,
        }
    }

    /// Returns the largest difference between a value as stored and its backup from values as stored.
    pub fn stored_residual(&self) -> f64 {
        self.fields.stored_residual
    }

    /// Returns the largest difference between a value and its backup at which the solve took a sublayer as settled.
    pub fn tolerance(&self) -> f64 {
        self.fields.tolerance
    }

    /// Returns the length of the whole file in bytes.
    pub fn bytes(&self) -> u64 {
        self.layout.end
    }

    /// Returns the number of blocks with a checksum each.
    pub fn blocks(&self) -> u64 {
        self.layout.blocks
    }

    /// Returns the number of bytes of a block; the last may be shorter.
    pub fn block_bytes(&self) -> usize {
        self.fields.block_bytes as usize
    }

    /// Returns the bytes of the file that hold a block of values.
    pub(crate) fn block(&self, block: u64) -> Range<u64> {
        let length = u64::from(self.fields.block_bytes);
        let start = self.layout.values + block * length;
        start..(start + length).min(self.layout.end)
    }

    /// Compares a block of the table's file with its checksum, and checks that every value of it is a chance.
    pub(crate) fn check_block(&self, file: &[u8], block: u64) -> Result<(), TableError> {
        let (at, bytes) = (to_usize(block), self.block(block));
        let stored = &file[to_usize(bytes.start)..to_usize(bytes.end)];
        let sums = file[PREAMBLE + self.json.len()..].as_chunks::<CHECKSUM>().0;
        if checksum(stored) != sums[at] {
            return Err(TableError::Block { block, bytes });
        }
        let precision = self.precision();
        let count = stored.len() / precision.bytes();
        let is_chance = |&within: &usize| (0.0..=1.0).contains(&precision.decode(stored, within));
        if let Some(within) = (0..count).find(|within| !is_chance(within)) {
            let first = at * (self.block_bytes() / precision.bytes());
            let found = precision.decode(stored, within);
            return Err(TableError::Value { index: (first + within) as u64, found });
        }
        Ok(())
    }

    /// Returns the hash that names a table, given the beginning of its file.
    pub(crate) fn hash(&self, file: &[u8]) -> blake3::Hash {
        let hash = file[to_usize(self.layout.hash)..].first_chunk::<HASH>();
        blake3::Hash::from_bytes(*hash.expect("the values lie behind the hash"))
    }

    pub(crate) fn values_at(&self) -> usize {
        to_usize(self.layout.values)
    }
}

/// Converts an offset in a file that is in memory or about to be.
pub(crate) fn to_usize(offset: u64) -> usize {
    usize::try_from(offset).expect("a mapped file is shorter than memory")
}

/// Returns the rules that a header states, and the index of their positions.
pub(crate) fn rules_and_index(rules: &str) -> Result<(Rules, Indexer), TableError> {
    let rule_set = RuleSet::from_toml(rules).map_err(TableError::RuleText)?;
    let rules = rule_set.compile().map_err(TableError::Rules)?;
    let indexer = Indexer::new(&rules)?;
    Ok((rules, indexer))
}

impl HeaderFields {
    fn new(
        rules: &Rules,
        report: &Report,
        precision: Precision,
        [tolerance, stored_residual]: [f64; 2],
    ) -> Self {
        Self {
            rules: rules.rule_set().to_toml(),
            store: precision,
            positions: report.positions,
            layers: report.layers as u64,
            sublayers: report.sublayers as u64,
            block_bytes: BLOCK,
            tolerance,
            sweeps_max: report.sweeps_max,
            residual: report.residual,
            stored_residual,
            start_value: report.start_value,
            dead_positions: report.dead_positions,
            cube: None,
        }
    }

    /// Reads the fields, and returns the layout of the file that they describe.
    fn read(json: &[u8]) -> Result<(Self, Layout), TableError> {
        if json.len() > MAX_JSON {
            return Err(too_long(json.len()));
        }
        let fields: Self = serde_json::from_slice(json).map_err(not_json)?;
        fields.check()?;
        let error = || damaged(format!("{} positions: more than a file holds", fields.positions));
        let layout = Layout::new(&fields, json.len()).ok_or_else(error)?;
        Ok((fields, layout))
    }

    /// Returns the header, if the numbers fit the game of the rules.
    fn with_game(self, json: &[u8], layout: Layout) -> Result<Header, TableError> {
        let (rules, indexer) = rules_and_index(&self.rules)?;
        self.check_counts(&indexer)?;
        let (json, rules) = (json.to_vec(), Arc::new(rules));
        Ok(Header { json, fields: self, rules, indexer, layout })
    }

    fn to_json(&self) -> Result<Vec<u8>, TableError> {
        let json = serde_json::to_vec(self).map_err(not_json)?;
        if json.len() > MAX_JSON { Err(too_long(json.len())) } else { Ok(json) }
    }

    fn check(&self) -> Result<(), TableError> {
        let block_lengths = 1 << 12..=1 << 24;
        if !self.block_bytes.is_power_of_two() || !block_lengths.contains(&self.block_bytes) {
            let what = format!("blocks of {} bytes: expected a power of two", self.block_bytes);
            return Err(damaged(format!("{what} from 2^12 to 2^24")));
        }
        let measures = [
            ("tolerance", self.tolerance),
            ("residual", self.residual),
            ("stored residual", self.stored_residual),
            ("start value", self.start_value),
        ];
        match measures.into_iter().find(|(_, measure)| !(0.0..=1.0).contains(measure)) {
            Some((name, found)) => Err(damaged(format!("{name} {found}: expected 0 to 1"))),
            None => Ok(()),
        }
    }

    fn check_counts(&self, indexer: &Indexer) -> Result<(), TableError> {
        let counts = [
            ("positions", self.positions, indexer.len()),
            ("layers", self.layers, indexer.layers() as u64),
            ("sublayers", self.sublayers, indexer.sublayers().len() as u64),
        ];
        match counts.into_iter().find(|(_, found, expected)| found != expected) {
            Some((name, found, expected)) => {
                Err(damaged(format!("{found} {name}, but its rules give {expected}")))
            }
            None if self.dead_positions > self.positions => {
                Err(damaged(format!("{} dead positions: more than there are", self.dead_positions)))
            }
            None => Ok(()),
        }
    }
}

#[expect(clippy::needless_pass_by_value, reason = "the form that `map_err` asks for")]
fn not_json(error: serde_json::Error) -> TableError {
    damaged(error.to_string())
}
