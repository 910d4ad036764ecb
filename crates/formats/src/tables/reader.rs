//! Reading `.rgu` tables as a stream, in bounded memory.

use std::io::{ErrorKind, Read, Seek, SeekFrom};

use puabi_core::{Position, Rules};

use crate::tables::error::ForeignTableError;
use crate::tables::layout::{KeyLayout, State, WarTable};
use crate::tables::metadata::Metadata;
use crate::tables::value_type::ValueType;

/// The most entries that memory holds at a time.
const BATCH: u64 = 1 << 16;
/// The bytes of a key in the file.
const KEY: u64 = 4;
/// The bytes of magic, version and the length of the metadata.
const PREAMBLE: u64 = 8;

/// An entry of a table: a state with light about to roll, and light's chance.
///
/// ```
/// use puabi_formats::{Entry, State};
/// use puabi_core::Squares;
/// let none = Squares::EMPTY;
/// let state = State { light: none, dark: none, light_hand: 7, dark_hand: 7 };
/// assert!(!Entry { key: 0x7E00_0000, state, percent: 51.5 }.state.is_won());
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Entry {
    /// The key.
    pub key: u64,
    /// The state.
    pub state: State,
    /// Light's chance in percent, as the file has it.
    pub percent: f64,
}

/// A `.rgu` table being read.
///
/// ```
/// use std::io::Cursor;
/// use puabi_core::RuleSet;
/// use puabi_formats::{Metadata, TableReader, TableWriter, ValueType, WarTable};
///
/// let metadata = Metadata::new(&RuleSet::FINKEL.with_pieces(1), ValueType::F64, &[])?;
/// let writer = TableWriter::new(&metadata, WarTable::OwnPieces)?;
/// let mut file = Vec::new();
/// writer.write(&mut file, |states| Ok(vec![50.0; states.len()]))?;
///
/// let mut reader = TableReader::new(Cursor::new(file))?;
/// let mut found = 0;
/// reader.each(|_| { found += 1; Ok(()) })?;
/// assert_eq!(found, reader.len());
/// # Ok::<(), puabi_formats::ForeignTableError>(())
/// ```
#[derive(Debug)]
pub struct TableReader<R> {
    source: R,
    metadata: Metadata,
    rules: Rules,
    value_type: ValueType,
    layout: KeyLayout,
    maps: Vec<u32>,
    /// The offset of the first key in the file.
    keys: u64,
}

impl<R: Read + Seek> TableReader<R> {
    /// Reads everything except the keys and the values.
    ///
    /// The largest key, the start's, shows which war table the keys were made with. The length of the file shows how
    /// values are stored.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read or is not a `.rgu` table, if its length does not fit its counts, if its
    /// values are not chances to win, or if the states of its rules have no keys.
    pub fn new(mut source: R) -> Result<Self, ForeignTableError> {
        let length = source.seek(SeekFrom::End(0)).map_err(ForeignTableError::Unreadable)?;
        source.rewind().map_err(ForeignTableError::Unreadable)?;
        let metadata = read_metadata(&mut source)?;
        let rules = metadata.rule_set()?.compile()?;
        let count = u32::from_be_bytes(array(&mut source)?);
        let keys = PREAMBLE + metadata.json().len() as u64 + 4 + 4 * u64::from(count);
        if keys > length {
            return Err(ForeignTableError::Malformed(format!(
                "the table has {length} bytes: the counts of its {count} maps end at {keys}"
            )));
        }
        let maps: Result<Vec<_>, _> =
            (0..count).map(|_| array(&mut source).map(u32::from_be_bytes)).collect();
        let maps = maps?;
        let entries = maps.iter().map(|&count| u64::from(count)).sum();
        let value_type = value_type(&metadata, length, keys, entries)?;
        let layout = KeyLayout::new(&rules, WarTable::OwnPieces)?;
        let mut reader = Self { source, metadata, rules, value_type, layout, maps, keys };
        reader.find_layout()?;
        Ok(reader)
    }

    fn find_layout(&mut self) -> Result<(), ForeignTableError> {
        let Some(map) = self.maps.iter().rposition(|&count| count > 0) else { return Ok(()) };
        let at = self.keys + (self.len() - 1) * KEY;
        self.seek(at)?;
        let last = full_key(map, u32::from_be_bytes(array(&mut self.source)?));
        if last != self.layout.start() {
            let other = KeyLayout::new(&self.rules, WarTable::SevenPieces)?;
            if last == other.start() {
                self.layout = other;
            }
        }
        Ok(())
    }

    /// Returns the metadata.
    pub fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    /// Returns the rules of the game.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Returns how values are stored.
    pub fn value_type(&self) -> ValueType {
        self.value_type
    }

    /// Returns how the keys are made.
    pub fn layout(&self) -> &KeyLayout {
        &self.layout
    }

    /// Returns the number of entries of each map.
    pub fn maps(&self) -> &[u32] {
        &self.maps
    }

    /// Returns the number of entries.
    pub fn len(&self) -> u64 {
        self.maps.iter().map(|&count| u64::from(count)).sum()
    }

    /// Returns whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns what is unusual about the file, in words.
    pub fn quirks(&self) -> Vec<String> {
        let mut quirks = Vec::new();
        match self.metadata.value_type() {
            Ok(Some(stated)) if stated == self.value_type => {}
            Ok(None) => {
                quirks.push("no `value_type`: percent16, as in files of February 2024".to_owned());
            }
            _ => quirks.push(format!("`value_type` does not fit the length: {}", self.value_type)),
        }
        for key in self.metadata.duplicate_keys() {
            quirks.push(format!("the key `{key}` comes twice: the first counts"));
        }
        if self.layout.war_table() == WarTable::SevenPieces && self.rules.pieces() < 7 {
            quirks.push("keys by the war table of seven pieces, as before April 2024".to_owned());
        }
        let empty = self.maps.iter().filter(|&&count| count == 0).count();
        if empty > 0 {
            quirks.push(format!("{empty} of {} maps are empty", self.maps.len()));
        }
        quirks
    }

    /// Calls `visit` with every entry in the order of the keys; reads in batches, so the memory is bounded.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read, if a key is out of order or belongs to no state, or if a value is not
    /// between 0 and 100 percent; and any error of `visit`.
    pub fn each(
        &mut self,
        mut visit: impl FnMut(Entry) -> Result<(), ForeignTableError>,
    ) -> Result<(), ForeignTableError> {
        let mut first = 0;
        for map in 0..self.maps.len() {
            let count = u64::from(self.maps[map]);
            let mut before = None;
            for start in (first..first + count).step_by(usize::try_from(BATCH).unwrap_or(1)) {
                let end = (start + BATCH).min(first + count);
                let (keys, percents) = self.batch(start, end)?;
                for (&key, &percent) in keys.iter().zip(&percents) {
                    let entry = self.entry(map, before.replace(key), key, percent)?;
                    visit(entry)?;
                }
            }
            first += count;
        }
        Ok(())
    }

    /// Calls `visit` with every unfinished position and the chance (0..=1) of its mover.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`TableReader::each`], and an error if a state that light has won has another value than 100.
    pub fn each_position(
        &mut self,
        mut visit: impl FnMut(Position, f64) -> Result<(), ForeignTableError>,
    ) -> Result<(), ForeignTableError> {
        let rules = self.rules.clone();
        self.each(|Entry { key, state, percent }| match state.position(&rules) {
            Some(position) => visit(position, percent / 100.0),
            None if !state.is_won() => Err(no_state(key)),
            None if percent < 100.0 => Err(ForeignTableError::Malformed(format!(
                "the value {percent} of key {key:#x} is of a game that light has won: expected 100 percent"
            ))),
            None => Ok(()),
        })
    }

    /// Returns the values, in percent, of `states`, which must be the states of the entries from index `first` on.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read, if its keys are not those of `states`, or if a value is not between 0
    /// and 100 percent.
    pub fn percents(
        &mut self,
        first: u64,
        states: &[State],
    ) -> Result<Vec<f64>, ForeignTableError> {
        let end = first + states.len() as u64;
        if end > self.len() {
            let found = self.len();
            return Err(ForeignTableError::Malformed(format!(
                "the values end after {found} of {end}"
            )));
        }
        let (keys, percents) = self.batch(first, end)?;
        let ends = self.maps.iter().scan(0, |end, &count| {
            *end += u64::from(count);
            Some(*end)
        });
        let mut maps = (0..).zip(ends).skip_while(|&(_, end)| end <= first).peekable();
        for ((at, &key), (&percent, &state)) in
            (first..).zip(&keys).zip(percents.iter().zip(states))
        {
            while maps.next_if(|&(_, end)| end <= at).is_some() {}
            let key = full_key(maps.peek().map_or(0, |&(map, _)| map), key);
            if key != self.layout.key(state) {
                return Err(no_state(key));
            }
            check_chance(key, percent)?;
        }
        Ok(percents)
    }

    fn entry(
        &self,
        map: usize,
        before: Option<u32>,
        key: u32,
        percent: f64,
    ) -> Result<Entry, ForeignTableError> {
        if let Some(before) = before.filter(|&before| before >= key) {
            return Err(ForeignTableError::Malformed(format!(
                "key {key:#x} of map {map} follows {before:#x}: expected ascending keys"
            )));
        }
        let key = full_key(map, key);
        let state = self.layout.state(key).ok_or_else(|| no_state(key))?;
        check_chance(key, percent)?;
        Ok(Entry { key, state, percent })
    }

    /// Reads the keys and values of the entries from `start` to before `end`.
    fn batch(&mut self, start: u64, end: u64) -> Result<(Vec<u32>, Vec<f64>), ForeignTableError> {
        let keys = self.read(self.keys + start * KEY, (end - start) * KEY)?;
        let width = self.value_type.bytes() as u64;
        let values = self.keys + self.len() * KEY;
        let values = self.read(values + start * width, (end - start) * width)?;
        let keys = keys.as_chunks().0.iter().map(|&key| u32::from_be_bytes(key)).collect();
        Ok((keys, self.value_type.decode(&values)))
    }

    fn read(&mut self, at: u64, length: u64) -> Result<Vec<u8>, ForeignTableError> {
        self.seek(at)?;
        let mut bytes = Vec::new();
        let read = self.source.by_ref().take(length).read_to_end(&mut bytes);
        match read {
            Ok(found) if found as u64 == length => Ok(bytes),
            Ok(_) => Err(ForeignTableError::Unreadable(ErrorKind::UnexpectedEof.into())),
            Err(error) => Err(ForeignTableError::Unreadable(error)),
        }
    }

    fn seek(&mut self, at: u64) -> Result<(), ForeignTableError> {
        self.source.seek(SeekFrom::Start(at)).map(drop).map_err(ForeignTableError::Unreadable)
    }
}

/// Returns a whole key: the number of its map is the upper half, and the map stores the lower half.
const fn full_key(map: usize, key: u32) -> u64 {
    (map as u64) << 32 | key as u64
}

fn check_chance(key: u64, percent: f64) -> Result<(), ForeignTableError> {
    if (0.0..=100.0).contains(&percent) {
        return Ok(());
    }
    Err(ForeignTableError::Malformed(format!(
        "the value {percent} of key {key:#x} is not a chance: expected 0 to 100 percent"
    )))
}

#[cold]
fn no_state(key: u64) -> ForeignTableError {
    ForeignTableError::Malformed(format!("key {key:#x} belongs to no state under these rules"))
}

fn wrong_length(found: u64, entries: u64, expected: u64) -> ForeignTableError {
    ForeignTableError::Malformed(format!(
        "the table has {found} bytes: its {entries} entries of 6, 8 or 12 bytes would take {expected}"
    ))
}

fn array<const N: usize>(source: &mut impl Read) -> Result<[u8; N], ForeignTableError> {
    let mut bytes = [0; N];
    match source.read_exact(&mut bytes) {
        Ok(()) => Ok(bytes),
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => Err(cut_off()),
        Err(error) => Err(ForeignTableError::Unreadable(error)),
    }
}

fn cut_off() -> ForeignTableError {
    ForeignTableError::Malformed("the file ends within its header".into())
}

fn read_metadata(source: &mut impl Read) -> Result<Metadata, ForeignTableError> {
    let mut start = Vec::new();
    source.by_ref().take(4).read_to_end(&mut start).map_err(ForeignTableError::Unreadable)?;
    if start != *b"RGU\0" {
        let found: Vec<_> = start.iter().map(|byte| format!("{byte:02X}")).collect();
        let found = if start.is_empty() { "an empty file".into() } else { found.join(" ") };
        return Err(ForeignTableError::Malformed(format!(
            "the file is not a .rgu table: expected the bytes 52 47 55 (`RGU`) and version 0, found {found}"
        )));
    }
    let length = u32::from_be_bytes(array(source)?);
    if length as usize > Metadata::MAX_BYTES {
        let what = format!("{length} bytes: expected {} at most", Metadata::MAX_BYTES);
        return Err(ForeignTableError::metadata(what));
    }
    let mut json = Vec::new();
    let read = source.by_ref().take(length.into()).read_to_end(&mut json);
    if read.map_err(ForeignTableError::Unreadable)? < length as usize {
        return Err(cut_off());
    }
    Metadata::parse(&json)
}

/// Returns how values are stored. The number of bytes that the file has for each value decides, not the metadata.
fn value_type(
    metadata: &Metadata,
    length: u64,
    keys: u64,
    entries: u64,
) -> Result<ValueType, ForeignTableError> {
    let stated = metadata.value_type();
    let room = length - keys;
    let fits = |kind: &ValueType| entries.checked_mul(KEY + kind.bytes() as u64) == Some(room);
    if entries == 0 && room == 0 {
        return Ok(stated?.unwrap_or_default());
    }
    if let Some(kind) = ValueType::ALL.into_iter().find(fits) {
        // An unknown name is an error even if the length fits, because the format of the values is unknown.
        stated?;
        return Ok(kind);
    }
    let width = stated?.unwrap_or_default().bytes() as u64;
    let expected = entries.saturating_mul(KEY + width).saturating_add(keys);
    Err(wrong_length(length, entries, expected))
}
