//! Rule sets as the user writes them.

use std::fs::File;
use std::path::Path;

use anyhow::{Context, Result};
use puabi_core::{RuleSet, Rules};
use puabi_tables::read_text;

/// The longest rule file, in bytes.
const LONGEST: usize = 1 << 20;

/// Returns the compiled rules that `text` names: a preset, a preset with a number of pieces, or a file.
pub(crate) fn compiled(text: &str) -> Result<Rules> {
    let is_file = Path::new(text).extension().is_some_and(|end| end == "toml");
    let rule_set: RuleSet = if is_file {
        let file = File::open(text).with_context(|| text.to_owned())?;
        RuleSet::from_toml(&read_text(file, LONGEST)?).with_context(|| text.to_owned())?
    } else {
        text.parse()?
    };
    rule_set.compile().with_context(|| text.to_owned())
}
