//! The metadata of `.rgu` tables: the JSON before the values, kept unchanged.

use std::fmt;

use indexmap::IndexMap;
use indexmap::map::Entry;
use puabi_core::RuleSet;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use crate::records::settings::Settings;
use crate::tables::error::ForeignTableError;
use crate::tables::value_type::ValueType;

/// The metadata of a `.rgu` table: the JSON object before its values.
///
/// ```
/// use puabi_core::RuleSet;
/// use puabi_formats::{Metadata, ValueType};
/// let metadata = Metadata::new(&RuleSet::FINKEL, ValueType::F32, &[("author", "\"Ann\"")])?;
/// let read = Metadata::parse(metadata.json().as_bytes())?;
/// assert_eq!(read.rule_set()?, RuleSet::FINKEL);
/// assert_eq!(read.value_type()?, Some(ValueType::F32));
/// # Ok::<(), puabi_formats::ForeignTableError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Metadata {
    json: String,
    /// Keys and values as they stand in the JSON; the first value of a key that stands twice.
    fields: IndexMap<String, String>,
    /// Keys that stand twice.
    duplicate_keys: Vec<String>,
}

const VALUE_TYPE: &str = "value_type";
const SETTINGS: &str = "game_settings";
/// The key under which a table of game lengths names what it holds.
const OBJECTIVE: &str = "objective";

impl Metadata {
    /// Returns whether a file that begins with these bytes is a table of other programs.
    pub fn begins(start: &[u8]) -> bool {
        start.starts_with(b"RGU")
    }

    /// The most bytes of metadata that `RoyalUr`'s reader accepts.
    pub const MAX_BYTES: usize = 1 << 20;

    /// Returns the metadata of a table of this game; `fields` are further keys, with their values in JSON.
    ///
    /// # Errors
    ///
    /// Returns an error if `RoyalUr`'s settings cannot name the rules.
    pub fn new(
        rule_set: &RuleSet,
        value_type: ValueType,
        fields: &[(&str, &str)],
    ) -> Result<Self, ForeignTableError> {
        let settings = Settings::try_from(rule_set)?;
        let settings = serde_json::to_string(&settings).map_err(ForeignTableError::metadata)?;
        let mut all = vec![(VALUE_TYPE.to_owned(), format!("\"{value_type}\""))];
        all.extend(fields.iter().map(|&(key, value)| (key.to_owned(), value.to_owned())));
        all.push((SETTINGS.to_owned(), settings));
        Self::from_fields(&all)
    }

    fn from_fields(fields: &[(String, String)]) -> Result<Self, ForeignTableError> {
        let mut parts = Vec::with_capacity(fields.len());
        for (key, value) in fields {
            parts.push(format!(
                "{}:{value}",
                serde_json::to_string(key).map_err(ForeignTableError::metadata)?
            ));
        }
        Self::parse(format!("{{{}}}", parts.join(",")).as_bytes())
    }

    /// Reads metadata. If a key stands twice, its first value counts.
    ///
    /// # Errors
    ///
    /// Returns an error if `json` is not a JSON object, or is longer than [`Metadata::MAX_BYTES`].
    pub fn parse(json: &[u8]) -> Result<Self, ForeignTableError> {
        if json.len() > Self::MAX_BYTES {
            let what = format!("{} bytes: expected {} at most", json.len(), Self::MAX_BYTES);
            return Err(ForeignTableError::metadata(what));
        }
        let json = std::str::from_utf8(json).map_err(ForeignTableError::metadata)?;
        let Fields(all) = serde_json::from_str(json).map_err(ForeignTableError::metadata)?;
        let (mut fields, mut duplicate_keys) = (IndexMap::new(), Vec::new());
        for (key, value) in all {
            match fields.entry(key) {
                Entry::Vacant(place) => drop(place.insert(value)),
                Entry::Occupied(known) => duplicate_keys.push(known.key().clone()),
            }
        }
        Ok(Self { json: json.to_owned(), fields, duplicate_keys })
    }

    /// Returns the JSON as it stands in the file.
    pub fn json(&self) -> &str {
        &self.json
    }

    /// Returns the keys that stand twice.
    pub fn duplicate_keys(&self) -> &[String] {
        &self.duplicate_keys
    }

    /// Returns the value of `key`, in JSON.
    pub fn field(&self, key: &str) -> Option<&str> {
        self.fields.get(key).map(String::as_str)
    }

    /// Returns the stated type of the values; `None` if the metadata does not state it.
    ///
    /// # Errors
    ///
    /// Returns an error if the stated type is unknown.
    pub fn value_type(&self) -> Result<Option<ValueType>, ForeignTableError> {
        let Some(json) = self.field(VALUE_TYPE) else { return Ok(None) };
        let name: String = serde_json::from_str(json).map_err(ForeignTableError::metadata)?;
        name.to_ascii_lowercase().parse().map(Some)
    }

    /// Returns the rules of the game.
    ///
    /// # Errors
    ///
    /// Returns an error if the rules are unknown, or if the values are not chances to win.
    pub fn rule_set(&self) -> Result<RuleSet, ForeignTableError> {
        if let Some(what) = self.field(OBJECTIVE) {
            let what = what.trim_matches('"');
            return Err(ForeignTableError::Malformed(format!(
                "the table holds {what}, not chances to win: expected chances in percent"
            )));
        }
        let json = self.field(SETTINGS).ok_or_else(|| {
            ForeignTableError::metadata(format!("no `{SETTINGS}`: expected the rules of the game"))
        })?;
        let settings: Settings = serde_json::from_str(json).map_err(ForeignTableError::metadata)?;
        Ok(RuleSet::try_from(&settings)?)
    }

    /// Returns the same metadata with another type of values; an unchanged copy if the values have that type already and no key
    /// stands twice.
    ///
    /// # Errors
    ///
    /// Returns an error if the type stated so far is unknown.
    pub fn with_value_type(&self, value_type: ValueType) -> Result<Self, ForeignTableError> {
        if self.value_type()?.unwrap_or_default() == value_type && self.duplicate_keys.is_empty() {
            return Ok(self.clone());
        }
        let mut all = vec![(VALUE_TYPE.to_owned(), format!("\"{value_type}\""))];
        let fields = self.fields.iter().map(|(key, value)| (key.clone(), value.clone()));
        all.extend(fields.filter(|(key, _)| key != VALUE_TYPE));
        Self::from_fields(&all)
    }
}

/// Keys and values of an object, as they stand in the text.
struct Fields(Vec<(String, String)>);

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(FieldsVisitor)
    }
}

struct FieldsVisitor;

impl<'de> Visitor<'de> for FieldsVisitor {
    type Value = Fields;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Fields, M::Error> {
        let mut fields = Vec::new();
        while let Some((key, value)) = map.next_entry::<String, Box<RawValue>>()? {
            fields.push((key, value.get().to_owned()));
        }
        Ok(Fields(fields))
    }
}
