//! The file that a game is kept in.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use puabi_core::{Game, Record, RuleSet};

use crate::complaint::Advise;
use crate::tables;

/// The file that a game is kept in.
#[derive(Debug)]
pub(crate) struct GameFile {
    path: PathBuf,
}

impl GameFile {
    /// Returns the file at `path`.
    pub(crate) fn at(path: PathBuf) -> Self {
        Self { path }
    }

    /// Returns a file in the data directory that is not there yet.
    pub(crate) fn fresh(rule_set: &RuleSet, seed: u64) -> Result<Self> {
        let directory = tables::data_directory()?.join("games");
        let name = rule_set.preset().map_or("game".to_owned(), |_| rule_set.to_string());
        let stem = format!("{}-{seed}", name.replace(':', "-"));
        let names = (2_u64..).map(|number| format!("{stem}-{number}.urg"));
        let mut paths =
            std::iter::once(format!("{stem}.urg")).chain(names).map(|name| directory.join(name));
        let path = paths.find(|path| !path.exists()).unwrap_or(directory);
        Ok(Self { path })
    }

    /// Returns where it lies.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Writes the game, beside and then renamed: a game that was kept is never half lost.
    pub(crate) fn write(&self, record: &Record) -> Result<()> {
        write(&self.path, record)
    }

    /// Tells where `game` is kept, and how to go on with it.
    pub(crate) fn kept(&self, game: &Game) -> String {
        let path = self.path.display();
        if !self.path.exists() {
            "nothing was played, and nothing is kept".to_owned()
        } else if game.is_over() {
            format!("the record is kept in {path}")
        } else {
            format!("the game is kept in {path}: go on with `ur play --resume {path}`")
        }
    }

    /// Removes the file, if it is there.
    pub(crate) fn remove(&self) -> Result<()> {
        let removing = || format!("removing {}", self.path.display());
        if self.path.exists() { fs::remove_file(&self.path).with_context(removing) } else { Ok(()) }
    }
}

/// Writes a game to `path`.
pub(crate) fn write(path: &Path, record: &Record) -> Result<()> {
    let beside = path.with_extension("urg.new");
    let act = || {
        if let Some(directory) = path.parent() {
            fs::create_dir_all(directory)?;
        }
        fs::write(&beside, record.to_string())?;
        fs::rename(&beside, path)
    };
    act().with_context(|| format!("keeping the game in {}", path.display()))
}

/// Reads the game at `path`.
pub(crate) fn read(path: &Path) -> Result<Record> {
    let text = fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
    let record = text.parse().with_context(|| path.display().to_string());
    record.hint(|| "docs/notation.md describes game records")
}
