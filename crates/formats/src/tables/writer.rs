//! Writing `.rgu` tables as a stream, in bounded memory.

use std::io::Write;

use puabi_core::{Evaluator, Position, Rules};

use crate::tables::error::ForeignTableError;
use crate::tables::layout::{KeyLayout, State, WarTable};
use crate::tables::metadata::Metadata;
use crate::tables::states::{Runs, States};
use crate::tables::value_type::ValueType;

/// The number of entries that are asked for at a time.
const BATCH: usize = 1 << 12;

/// Writes a `.rgu` table in one go, front to back.
///
/// See [`TableReader`](crate::TableReader) for an example.
#[derive(Debug, Clone)]
pub struct TableWriter {
    metadata: Metadata,
    value_type: ValueType,
    rules: Rules,
    layout: KeyLayout,
}

impl TableWriter {
    /// Returns the writer of a table with this metadata.
    ///
    /// # Errors
    ///
    /// Returns an error if the states of the rules have no keys, or if the metadata does not describe a table.
    pub fn new(metadata: &Metadata, war_table: WarTable) -> Result<Self, ForeignTableError> {
        let rules = metadata.rule_set()?.compile()?;
        Ok(Self {
            metadata: metadata.clone(),
            value_type: metadata.value_type()?.unwrap_or_default(),
            layout: KeyLayout::new(&rules, war_table)?,
            rules,
        })
    }

    /// Counts the entries of each map, in less than a nanosecond an entry.
    pub fn maps(&self) -> Vec<u32> {
        let (mut runs, mut maps) = (Runs::new(&self.layout), Vec::new());
        while let Some(run) = runs.next() {
            let map = usize::try_from(self.layout.key(run.base) >> 32).unwrap_or(usize::MAX);
            if maps.len() <= map {
                maps.resize(map + 1, 0);
            }
            maps[map] += u32::try_from(runs.dark_safe_choices(run).len()).unwrap_or(u32::MAX);
        }
        maps
    }

    /// Writes the table to `sink`.
    ///
    /// Calls `percents` with up to 4,096 states at a time, in the order of their keys. It returns light's chances in percent,
    /// one for each state.
    ///
    /// # Errors
    ///
    /// Returns an error if `sink` cannot be written, and any error of `percents`.
    pub fn write(
        &self,
        sink: &mut impl Write,
        mut percents: impl FnMut(&[State]) -> Result<Vec<f64>, ForeignTableError>,
    ) -> Result<(), ForeignTableError> {
        self.write_front(sink).map_err(ForeignTableError::Unwritable)?;
        self.write_keys(sink).map_err(ForeignTableError::Unwritable)?;
        let mut bytes = Vec::new();
        for states in batches(&self.layout) {
            bytes.clear();
            for percent in percents(&states)? {
                self.value_type.encode(percent, &mut bytes);
            }
            sink.write_all(&bytes).map_err(ForeignTableError::Unwritable)?;
        }
        Ok(())
    }

    /// Writes the table with the values of `evaluator`, and 100 percent for the states that light has won.
    ///
    /// Calls `watch` with the number of values so far; the writing stops if `watch` returns `true`.
    ///
    /// # Errors
    ///
    /// Returns an error if `sink` cannot be written, and [`ForeignTableError::Stopped`] if `watch` returns `true`.
    pub fn write_values(
        &self,
        sink: &mut impl Write,
        evaluator: &impl Evaluator,
        mut watch: impl FnMut(u64) -> bool,
    ) -> Result<(), ForeignTableError> {
        let mut done = 0;
        self.write(sink, |states| {
            done += states.len() as u64;
            if watch(done) {
                return Err(ForeignTableError::Stopped);
            }
            Ok(self.percents(states, evaluator))
        })
    }

    fn percents(&self, states: &[State], evaluator: &impl Evaluator) -> Vec<f64> {
        let positions: Vec<Option<Position>> =
            states.iter().map(|state| state.position(&self.rules)).collect();
        let asked: Vec<_> = positions.iter().copied().flatten().collect();
        let mut values = vec![0.0; asked.len()];
        evaluator.evaluate(&asked, &mut values);
        let mut values = values.into_iter();
        let percent = |position: &Option<Position>| {
            // A state without a position is a game that light has won.
            position.and_then(|_| values.next()).unwrap_or(1.0) * 100.0
        };
        positions.iter().map(percent).collect()
    }

    fn write_keys(&self, sink: &mut impl Write) -> std::io::Result<()> {
        let (mut runs, mut bytes) = (Runs::new(&self.layout), Vec::new());
        while let Some(run) = runs.next() {
            // The number of the map is the upper half.
            let [_, _, _, _, lower @ ..] = self.layout.key(run.base).to_be_bytes();
            let lower = u32::from_be_bytes(lower);
            bytes.clear();
            for on_safe in runs.dark_safe_choices(run) {
                bytes.extend((lower | on_safe.bits).to_be_bytes());
            }
            sink.write_all(&bytes)?;
        }
        Ok(())
    }

    fn write_front(&self, sink: &mut impl Write) -> std::io::Result<()> {
        let word = |number: usize| u32::try_from(number).unwrap_or(u32::MAX).to_be_bytes();
        let json = self.metadata.json();
        sink.write_all(b"RGU\0")?;
        sink.write_all(&word(json.len()))?;
        sink.write_all(json.as_bytes())?;
        let maps = self.maps();
        sink.write_all(&word(maps.len()))?;
        maps.iter().try_for_each(|count| sink.write_all(&count.to_be_bytes()))
    }
}

/// Returns the states in batches.
fn batches(layout: &KeyLayout) -> impl Iterator<Item = Vec<State>> {
    let mut states = States::new(layout);
    std::iter::from_fn(move || {
        let batch: Vec<_> = states.by_ref().take(BATCH).collect();
        (!batch.is_empty()).then_some(batch)
    })
}
