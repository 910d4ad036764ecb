//! Reading and writing the game records and the tables of other programs.
//!
//! A [`Notation`] is a text format for the record of one game: our own, `RoyalUr`'s RGN and JSON, and Heled's logs.
//! Reading any of them plays the game through the rules and gives one [`Record`](puabi_core::Record); writing lists what
//! the notation cannot hold. [`TableReader`] and [`TableWriter`] stream `RoyalUr`'s `.rgu` tables. The crate opens no
//! file and starts no thread.
//!
//! ```
//! use puabi_formats::Notation;
//!
//! let reading = Notation::Rgn.read("[Rules finkel]\n\n1. A@A3 / 0 --\n", None)?;
//! assert_eq!(reading.record.game.setup().to_string(), "2:-:L");
//! let log = Notation::Log.write(&reading.record)?;
//! assert_eq!(log.text, "Board: \"MoX5A\"\nX: 2 e\nO: 0 \n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod records;
mod tables;

pub use records::conversion::{Reading, WriteError, Written};
pub use records::notation::{Notation, NotationError};
pub use records::position_code::{PositionCode, PositionCodeError};
pub use records::settings::{Settings, SettingsError};
pub use tables::difference::{Difference, Histogram};
pub use tables::error::ForeignTableError;
pub use tables::layout::{KeyLayout, LayoutError, State, WarTable};
pub use tables::metadata::Metadata;
pub use tables::reader::{Entry, TableReader};
pub use tables::states::States;
pub use tables::value_type::ValueType;
pub use tables::writer::TableWriter;
