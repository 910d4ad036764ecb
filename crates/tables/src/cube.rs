//! Tables of a doubling cube: a folder with a table for each level of the cube and each of its seats.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use puabi_core::{Cube, CubeEvaluator, CubeSeat, Player, Position, RuleSet, Rules};
use puabi_solve::{OfferReport, Options, PartWatch, Report, Solver, Values, Watch};

use crate::disk::lock::SolveLock;
use crate::disk::{remove, remove_temporaries};
use crate::error::TableError;
use crate::format::cube_state::CubeState;
use crate::precision::Precision;
use crate::read::Table;
use crate::store::TableStore;
use crate::write::TableWriter;

/// The tables of a game with a cube for money, up to a number of doublings, and the table of the same game without a cube.
#[derive(Debug)]
pub struct CubeTables {
    cubeless: Table,
    /// The tables by doublings left, from one on, and by seat; `None` if a seat was not solved.
    levels: Vec<[Option<Table>; 3]>,
}

impl CubeTables {
    /// Returns the folder of these tables beside the table of the game without a cube.
    pub fn folder(store: &TableStore, rule_set: &RuleSet) -> PathBuf {
        store.path(rule_set, Precision::F64).with_extension(TableStore::CUBE_EXTENSION)
    }

    /// Returns the paths of all tables of a cube of this game, however many doublings they allow; an empty list if there is no
    /// folder.
    ///
    /// # Errors
    ///
    /// Returns an error if the folder cannot be read.
    pub fn paths(store: &TableStore, rule_set: &RuleSet) -> io::Result<Vec<PathBuf>> {
        let stored = TableStore::new(Self::folder(store, rule_set)).list()?;
        Ok(stored.into_iter().map(|table| table.path).collect())
    }

    /// Removes all tables of a cube of this game, and their folder if nothing else is in it; returns their paths, an empty list
    /// if there is no folder.
    ///
    /// # Errors
    ///
    /// Returns an error if another process is making them, or if the system does not let us remove them.
    pub fn remove(store: &TableStore, rule_set: &RuleSet) -> Result<Vec<PathBuf>, TableError> {
        let folder = Self::folder(store, rule_set);
        if !folder.exists() {
            return Ok(Vec::new());
        }
        let lock = lock_folder(&folder)?;
        let paths = Self::paths(store, rule_set).map_err(TableError::Unreadable)?;
        let removed = paths.iter().try_for_each(|path| remove(path).map(drop));
        drop(lock);
        match removed.and_then(|()| std::fs::remove_dir(&folder)) {
            Err(error) if error.kind() != io::ErrorKind::DirectoryNotEmpty => {
                Err(TableError::Unremovable(error))
            }
            _ => Ok(paths),
        }
    }

    /// Opens the tables of a cube of `doublings` doublings, each in the finest precision that there is; returns `None` if one is
    /// missing. The cube begins in the middle, so the level with all doublings left needs no table of a cube that a player owns.
    ///
    /// # Errors
    ///
    /// Returns an error if a table is damaged or of another game.
    pub fn open(
        store: &TableStore,
        cubeless: Table,
        doublings: u8,
    ) -> Result<Option<Self>, TableError> {
        let rule_set = cubeless.header().rules().rule_set().clone();
        let folder = Self::folder(store, &rule_set);
        let mut levels = Vec::new();
        for left in 1..=doublings {
            let mut level = [const { None }; 3];
            for seat in CubeSeat::ALL {
                let state = CubeState { doublings: left, seat };
                let paths = Precision::ALL.map(|precision| path(&folder, state, precision));
                match paths.iter().find(|path| path.is_file()) {
                    Some(path) => {
                        level[seat as usize] = Some(Table::open_cube(path, &rule_set, state)?);
                    }
                    None if left < doublings || seat == CubeSeat::Centred => return Ok(None),
                    None => {}
                }
            }
            levels.push(level);
        }
        Ok(Some(Self { cubeless, levels }))
    }

    /// Returns all tables except that of the game without a cube.
    pub fn tables(&self) -> impl Iterator<Item = &Table> {
        self.levels.iter().flatten().flatten()
    }

    /// Returns the precision of the coarsest of the tables.
    pub fn precision(&self) -> Precision {
        let all = self.tables().chain([&self.cubeless]).map(|table| table.header().precision());
        all.min_by_key(|precision| precision.bytes()).unwrap_or_default()
    }

    fn table(&self, left: u8, seat: CubeSeat) -> &Table {
        let Some(at) = left.checked_sub(1) else { return &self.cubeless };
        let found = self.levels[usize::from(at)][seat as usize].as_ref();
        found.expect("a cube that a player owns was doubled, and its level has all tables")
    }

    /// Lends the values to `work` and returns its result if all values that it asked for are sound, as
    /// [`Table::with_values`](crate::Table::with_values) does.
    ///
    /// # Errors
    ///
    /// Returns the first damage that `work` met, or an error if another program has changed a file.
    pub fn with_values<T>(
        &self,
        work: impl FnOnce(&dyn CubeEvaluator) -> T,
    ) -> Result<T, TableError> {
        let lookup = CubeLookup { tables: self, damage: OnceLock::new() };
        let found = work(&lookup);
        for table in self.tables().chain([&self.cubeless]) {
            table.ensure_unchanged()?;
        }
        lookup.damage.into_inner().map_or(Ok(found), Err)
    }
}

/// The values of tables during one piece of work, with the first damage that it met.
struct CubeLookup<'a> {
    tables: &'a CubeTables,
    damage: OnceLock<TableError>,
}

impl CubeEvaluator for CubeLookup<'_> {
    fn ends(&self, cube: Cube, _player: Player) -> [f64; 2] {
        [-f64::from(cube.value()), f64::from(cube.value())]
    }

    fn relative_worth(&self, cube: Cube, mover: Player, position: Position) -> f64 {
        let table = self.tables.table(cube.left(), CubeSeat::of(cube, mover));
        table.value(position).unwrap_or_else(|error| {
            // If an earlier damage is recorded, it stays.
            let _ = self.damage.set(error);
            f64::NAN
        })
    }
}

/// Takes the right to make or remove the tables in a folder, and removes the unfinished files that a killed maker left.
fn lock_folder(folder: &Path) -> Result<SolveLock, TableError> {
    let lock = SolveLock::acquire(&folder.join("all"))?;
    let is_table = |name: &str| Path::new(name).extension() == Some(TableStore::EXTENSION.as_ref());
    remove_temporaries(folder, is_table)?;
    Ok(lock)
}

/// Returns the path of a table in its folder.
fn path(folder: &Path, CubeState { doublings, seat }: CubeState, precision: Precision) -> PathBuf {
    let extension = TableStore::EXTENSION;
    folder.join(match precision {
        Precision::F64 => format!("{doublings}-{seat}.{extension}"),
        coarse => format!("{doublings}-{seat}.{coarse}.{extension}"),
    })
}

/// The report of one level of a cube whose tables are written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CubeLevelReport {
    /// How often the cube may still be doubled.
    pub doublings: u8,
    /// The first player's value at the start with the cube in the middle: half of one more than the equity.
    pub start: f64,
    /// The share of positions whose value with the cube in the middle differs by more than 1e-9 from that of a cube that
    /// may be doubled once less.
    pub changed: f64,
    /// The sweeps and the residual of this level's solves.
    pub report: OfferReport,
}

/// Makes the tables of a cube for money of `doublings` doublings, the level with the fewest doublings left first; calls `done`
/// with each level. A level is solved from the f64 values of the level with one doubling fewer left, whatever the precision
/// of the tables. A table replaces those of the same values in another precision.
///
/// Progress is counted in permille of all levels.
///
/// # Errors
///
/// Returns an error if the table without a cube has no exact values, if a solve fails or is stopped, if another process makes the
/// same tables, if the disk is too full, or if the system does not let us write.
pub fn make_cube_tables(
    store: &TableStore,
    cubeless: &Table,
    doublings: u8,
    (precision, options): (Precision, Options),
    watch: &dyn Watch,
    done: &mut dyn FnMut(CubeLevelReport),
) -> Result<(), TableError> {
    let (rules, found) = (cubeless.header().rules(), cubeless.header().precision());
    if found != Precision::F64 {
        return Err(TableError::Coarse { found });
    }
    let folder = CubeTables::folder(store, rules.rule_set());
    std::fs::create_dir_all(&folder).map_err(TableError::Unwritable)?;
    let _lock = lock_folder(&folder)?;
    let solver = Solver::new(rules, options)?;
    let maker = LevelMaker { rules, solver: &solver, folder: &folder, precision, options };
    let mut above =
        cubeless.lend(options.threads, &PartWatch { watch, whole: 1, before: 0, share: 0 })?;
    let mut before: Option<Values> = None;
    for left in 1..=doublings {
        let (whole, so_far) = (u64::from(doublings) * 1000, u64::from(left - 1) * 1000);
        let part = |from, share| PartWatch { watch, whole, before: so_far + from, share };
        let (centred, mut report) = solver.solve_centred_cube(&above, &part(0, 333))?;
        maker.write(&centred, report, (left, CubeSeat::Centred))?;
        let start = rules.start_value(|position| centred.value(position));
        let changed = changed(&centred, before.as_ref().unwrap_or(&above));
        before = Some(centred);
        if left < doublings {
            let ([owned, theirs], other) = solver.solve_owned_cube(&above, &part(333, 667))?;
            report = report.and(other);
            maker.write(&owned, other, (left, CubeSeat::Owned))?;
            drop(owned);
            maker.write(&theirs, other, (left, CubeSeat::Theirs))?;
            above = theirs;
        }
        done(CubeLevelReport { doublings: left, start, changed, report });
    }
    cubeless.ensure_unchanged()
}

/// Returns the share of values that differ by more than 1e-9.
fn changed(values: &Values, others: &Values) -> f64 {
    let pairs = values.chunks().flatten().zip(others.chunks().flatten());
    let changed = pairs.filter(|(value, other)| (*value - *other).abs() > 1e-9).count();
    changed as f64 / values.indexer().len() as f64
}

/// Writes the tables of a level.
struct LevelMaker<'a> {
    rules: &'a Rules,
    solver: &'a Solver,
    folder: &'a Path,
    precision: Precision,
    options: Options,
}

impl LevelMaker<'_> {
    fn write(
        &self,
        values: &Values,
        found: OfferReport,
        (doublings, seat): (u8, CubeSeat),
    ) -> Result<(), TableError> {
        let state = CubeState { doublings, seat };
        let indexer = self.solver.indexer();
        let report = Report {
            positions: indexer.len(),
            layers: indexer.layers(),
            sublayers: indexer.sublayers().len(),
            sweeps_max: found.sweeps_max,
            residual: found.residual,
            start_value: self.rules.start_value(|position| values.value(position)),
            dead_positions: 0,
        };
        let writer = TableWriter::new(self.rules, self.precision, self.options).of_cube(state);
        writer.write(&path(self.folder, state, self.precision), values, &report)?;
        // Otherwise an old table of another precision could still be read instead of this one, and would take space.
        let others = Precision::ALL.into_iter().filter(|it| *it != self.precision);
        let removed = others.map(|it| remove(&path(self.folder, state, it)).map(drop));
        removed.collect::<io::Result<()>>().map_err(TableError::Unremovable)
    }
}
