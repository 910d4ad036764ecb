//! The directory that tables are kept in.

use std::io;
use std::path::{Path, PathBuf};

use puabi_core::RuleSet;

use crate::disk::lock::SolveLock;
use crate::disk::{EXTENSION, remove};
use crate::error::TableError;
use crate::precision::Precision;
use crate::read::Table;

/// The directory that tables are kept in.
///
/// A preset's table is named by the preset and, if that is not its own, the number of pieces: `finkel.urt`, `finkel-3.urt`. The
/// table of any other rule set is named by its name and twelve hexadecimal digits of a hash of the whole rule set, its name
/// included, so two rule sets of one name never share a file. Coarser precisions are marked: `finkel.u16.urt`.
///
/// ```
/// use std::path::Path;
/// use puabi_core::RuleSet;
/// use puabi_tables::{Precision, TableStore};
///
/// let store = TableStore::new("tables");
/// let path = store.path(&RuleSet::FINKEL.with_pieces(3), Precision::U16);
/// assert_eq!(path, Path::new("tables/finkel-3.u16.urt"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableStore {
    directory: PathBuf,
}

/// A file of the store, with its table or the reason why it cannot be opened.
#[derive(Debug)]
pub struct StoredTable {
    /// The path of the file.
    pub path: PathBuf,
    /// The table, opened but not checked.
    pub table: Result<Table, TableError>,
}

impl TableStore {
    /// The extension of table files.
    pub const EXTENSION: &str = EXTENSION;
    /// The extension of folders with the tables of a doubling cube.
    pub(crate) const CUBE_EXTENSION: &str = "cube";

    /// Returns the store in `directory`, which need not exist yet.
    pub fn new(directory: impl Into<PathBuf>) -> Self {
        Self { directory: directory.into() }
    }

    /// Returns the directory.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Creates the directory if there is none.
    ///
    /// # Errors
    ///
    /// Returns an error if the system does not let us create it.
    pub fn create(&self) -> io::Result<()> {
        std::fs::create_dir_all(&self.directory)
    }

    /// Returns the path that the table of these rules has or would have.
    pub fn path(&self, rule_set: &RuleSet, precision: Precision) -> PathBuf {
        let stem = stem(rule_set);
        self.directory.join(match precision {
            Precision::F64 => format!("{stem}.{}", Self::EXTENSION),
            coarse => format!("{stem}.{coarse}.{}", Self::EXTENSION),
        })
    }

    /// Returns the paths of the tables of these rules that exist, the finest first.
    pub fn paths(&self, rule_set: &RuleSet) -> impl Iterator<Item = PathBuf> {
        let paths = Precision::ALL.map(|precision| self.path(rule_set, precision));
        paths.into_iter().filter(|path| path.is_file())
    }

    /// Returns every table in the directory itself, in the order of their names; an empty list if the directory does not exist.
    /// Tables of a doubling cube are in folders of their own: see [`TableStore::list_cubes`].
    ///
    /// # Errors
    ///
    /// Returns an error if the directory cannot be read.
    pub fn list(&self) -> io::Result<Vec<StoredTable>> {
        let open = |path: PathBuf| StoredTable { table: Table::open_any(&path), path };
        Ok(self.entries(Self::EXTENSION)?.into_iter().map(open).collect())
    }

    /// Returns the tables of doubling cubes, folder by folder in the order of their names.
    ///
    /// # Errors
    ///
    /// Returns an error if a folder cannot be read.
    pub fn list_cubes(&self) -> io::Result<Vec<StoredTable>> {
        let folders = self.entries(Self::CUBE_EXTENSION)?;
        let lists: io::Result<Vec<_>> =
            folders.into_iter().map(|it| Self::new(it).list()).collect();
        Ok(lists?.into_iter().flatten().collect())
    }

    /// Returns the paths in the directory that have this extension, sorted; an empty list if the directory does not exist.
    fn entries(&self, extension: &str) -> io::Result<Vec<PathBuf>> {
        let entries = match self.directory.read_dir() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries?,
        };
        let paths: io::Result<Vec<_>> = entries.map(|entry| Ok(entry?.path())).collect();
        let mut paths = paths?;
        paths.retain(|path| path.extension().is_some_and(|it| it == extension));
        paths.sort_unstable();
        Ok(paths)
    }
}

/// Removes the table at `path` and the files of an unfinished solve of it; returns whether there was a table.
///
/// # Errors
///
/// Returns an error if another process is solving it, or if the system does not let us remove the files.
pub fn remove_table(path: &Path) -> Result<bool, TableError> {
    let _lock = SolveLock::acquire(path)?;
    let [part, journal] = crate::checkpoint::paths(path);
    // The journal first: no solve resumes from a part without one.
    let removed = remove(&journal).and_then(|_| remove(&part)).and_then(|_| remove(path));
    removed.map_err(TableError::Unremovable)
}

/// Returns whether an unfinished solve has left files of the table at `path`: a journal, or, if `path` ends as a table's name
/// does, a part without one.
pub fn is_unfinished(path: &Path) -> bool {
    let is_table = path.extension().is_some_and(|end| end == TableStore::EXTENSION);
    let [part, journal] = crate::checkpoint::paths(path);
    journal.is_file() || is_table && part.is_file()
}

/// Returns the name of a rule set's table without extensions, valid on any file system.
fn stem(rule_set: &RuleSet) -> String {
    match rule_set.preset() {
        Some(preset) if preset.pieces == rule_set.pieces => preset.name.into_owned(),
        Some(preset) => format!("{}-{}", preset.name, rule_set.pieces),
        None => {
            let hash = blake3::hash(rule_set.to_toml().as_bytes()).to_hex();
            format!("{}-{}", plain(&rule_set.name), &hash[..12])
        }
    }
}

/// Returns the letters (in lower case) and digits of ASCII in a name, with a hyphen for each run of other characters between
/// them, 40 characters at most; `rules` if there are none.
fn plain(name: &str) -> String {
    let words = name.split(|letter: char| !letter.is_ascii_alphanumeric());
    let words: Vec<_> = words.filter(|word| !word.is_empty()).collect();
    let mut plain = words.join("-").to_ascii_lowercase();
    plain.truncate(40);
    if plain.is_empty() { "rules".to_owned() } else { plain }
}
