//! Laws and facts of the rules, their positions and their texts.

mod rule_files;
