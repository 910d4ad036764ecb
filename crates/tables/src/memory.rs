//! Tables in memory, for systems without files.

use puabi_core::{Evaluator, Position, Rules};
use puabi_solve::{Options, Report, Solver, Unattended, Values, Watch};

use crate::error::TableError;
use crate::format::checksum::{Checksum, checksum};
use crate::format::{Header, to_usize};
use crate::precision::Precision;

/// A table whose file is held in memory, byte for byte as on disk.
///
/// ```
/// use puabi_core::RuleSet;
/// use puabi_solve::Unattended;
/// use puabi_tables::MemoryTable;
///
/// let rules = RuleSet::FINKEL.with_pieces(1).compile()?;
/// let table = MemoryTable::solve(&rules, &Unattended)?;
/// assert!((table.value(rules.start()) - 0.530_049_839_525).abs() < 1e-12);
/// let copy = MemoryTable::open(table.bytes().to_vec())?;
/// assert_eq!(copy.hash(), table.hash());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct MemoryTable {
    header: Header,
    bytes: Vec<u8>,
}

impl MemoryTable {
    /// Solves the game with these rules; the table is the one that `ur solve` makes.
    ///
    /// # Errors
    ///
    /// Returns an error if the positions cannot be counted, or the watch ends the solve.
    pub fn solve(rules: &Rules, watch: &dyn Watch) -> Result<Self, TableError> {
        let options = Options::default();
        let solver = Solver::new(rules, options)?;
        let (values, report) = solver.solve(&Unattended, watch)?;
        Self::new(rules, &values, &report, options.tolerance)
    }

    /// Returns the table of these values, which a solve with this tolerance has found.
    fn new(
        rules: &Rules,
        values: &Values,
        report: &Report,
        tolerance: f64,
    ) -> Result<Self, TableError> {
        let (indexer, precision) = (values.indexer(), Precision::F64);
        let header = Header::new(rules, indexer, report, precision, tolerance, report.residual)?;
        let mut stored = vec![0; to_usize(header.bytes()) - header.values_at()];
        let mut rest = &mut stored[..];
        for chunk in values.chunks() {
            let (part, others) = rest.split_at_mut(chunk.len() * precision.bytes());
            precision.encode(chunk, part);
            rest = others;
        }
        let checksums: Vec<Checksum> = stored.chunks(header.block_bytes()).map(checksum).collect();
        let mut bytes = header.front(&checksums);
        bytes.extend(stored);
        Ok(Self { header, bytes })
    }

    /// Returns the table whose file has these bytes, all of which are checked.
    ///
    /// # Errors
    ///
    /// Returns an error if the bytes are not a table, are a table of a game with a cube, or differ from what was written, or if a
    /// value is not a chance.
    pub fn open(bytes: Vec<u8>) -> Result<Self, TableError> {
        let header = Header::from_file(&bytes)?;
        header.ensure_cubeless()?;
        (0..header.blocks()).try_for_each(|block| header.check_block(&bytes, block))?;
        Ok(Self { header, bytes })
    }

    /// Returns what the table says about its values.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Returns the hash that names the table.
    pub fn hash(&self) -> blake3::Hash {
        self.header.hash(&self.bytes)
    }

    /// Returns the bytes of the file.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the bytes of the file, without a copy.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// Returns the value of a position: the chance of the player about to roll.
    pub fn value(&self, position: Position) -> f64 {
        let at = to_usize(self.header.indexer().rank(position));
        self.header.precision().decode(&self.bytes[self.header.values_at()..], at)
    }
}

impl Evaluator for MemoryTable {
    fn evaluate(&self, positions: &[Position], values: &mut [f64]) {
        for (value, &position) in values.iter_mut().zip(positions) {
            *value = self.value(position);
        }
    }
}
