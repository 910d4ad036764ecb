//! Laws and facts of the rules, their positions and their texts.

mod pictures;
mod rule_files;
