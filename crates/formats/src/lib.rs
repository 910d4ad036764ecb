//! Foreign dialects: game records and tables of other programs, read and written.
//!
//! A [`Notation`] is a way to write a game down: our own records, `RoyalUr`'s RGN and JSON, Heled's logs. Each reads to
//! one [`Record`](puabi_core::Record), played through the rules, and is written from it; what a notation cannot hold is
//! named. [`TableReader`] and [`TableWriter`] stream `RoyalUr`'s `.rgu` tables. Nothing here opens a file.
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

mod difference;
mod json;
mod layout;
mod log;
mod metadata;
mod notation;
mod place;
mod playback;
mod position_code;
mod rgn;
mod settings;
mod states;
mod table_error;
mod table_reader;
mod table_writer;
mod tagging;
mod value_type;

pub use difference::{Difference, Histogram};
pub use layout::{KeyLayout, LayoutError, State, WarTable};
pub use metadata::Metadata;
pub use notation::{Notation, NotationError, Reading, WriteError, Written};
pub use place::{Problem, ReadError, Remark};
pub use position_code::{PositionCode, PositionCodeError};
pub use settings::{Settings, SettingsError};
pub use states::States;
pub use table_error::ForeignTableError;
pub use table_reader::{Entry, TableReader};
pub use table_writer::TableWriter;
pub use value_type::ValueType;
