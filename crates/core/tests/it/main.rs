//! Laws and facts of the rules, their positions and their texts.

mod boards;
mod counts;
mod docs;
mod forgotten;
mod games;
mod laws;
mod oracle;
mod pictures;
mod race;
mod records;
mod rule_files;
mod texts;
