//! Outside engines by their commands, each with as many processes as threads ask it at once.

use std::collections::HashSet;
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use puabi_core::{Agent, Decision, Forfeit, Move, Policy, RuleSet, Rules};
use puabi_engine::BoxedAgent;

use super::connection::Connection;
use super::engine_log::EngineLog;
use super::fault::Fault;
use super::process;

/// Outside engines. They are started when they are first asked for, and end when this value and their agents are dropped.
///
/// ```
/// use std::time::Duration;
/// use puabi_core::RuleSet;
/// use puabi_study::Engines;
///
/// let engines = Engines::new(Duration::from_secs(10), std::env::temp_dir(), |fault| eprintln!("{fault}"));
/// let rules = RuleSet::FINKEL.compile()?;
/// let error = engines.agent("no-such-engine --fast", &rules).err().expect("there is no such program");
/// assert!(error.to_string().starts_with("`engine:no-such-engine --fast` does not start: "));
/// assert!(!error.to_string().contains("its log"), "nothing is in it");
/// # Ok::<(), puabi_core::RuleError>(())
/// ```
pub struct Engines {
    limit: Duration,
    folder: PathBuf,
    report_fault: ReportFault,
    known: Mutex<Vec<Arc<Engine>>>,
    /// The rule sets that are not presets, with the files that engines read them from.
    files: Mutex<Vec<(RuleSet, String)>>,
}

/// A function that reports a fault to people.
type ReportFault = Arc<dyn Fn(&str) + Send + Sync>;

/// An engine of one command.
struct Engine {
    command: String,
    words: Vec<String>,
    limit: Duration,
    log: Arc<EngineLog>,
    report_fault: ReportFault,
    /// The variants that a process has been ready to play.
    played: Mutex<HashSet<String>>,
    /// Locked while a process starts, or is made ready for a variant that no process has been ready for.
    starting: Mutex<()>,
    /// The processes that no thread asks just now.
    idle: Mutex<Vec<Connection>>,
    /// The faults since the last move.
    faults: AtomicUsize,
}

/// The number of the next file that this process makes for its engines.
static FILES: AtomicUsize = AtomicUsize::new(1);

/// The faults in succession, without a move in between, after which an engine is not started again. An engine that never works
/// would take all the time there is.
const MOST_FAULTS: usize = 10;

/// The error of an engine that does not start.
#[derive(Debug, thiserror::Error)]
#[error("`engine:{command}` does not start: {reason}")]
pub struct EngineError {
    command: String,
    reason: String,
}

impl Engines {
    /// Returns a set of engines, empty at first. Each engine may think for `limit` about a move, its log is kept in `folder`, and
    /// `report_fault` gets a line about each fault.
    pub fn new(
        limit: Duration,
        folder: impl Into<PathBuf>,
        report_fault: impl Fn(&str) + Send + Sync + 'static,
    ) -> Self {
        let (folder, report_fault) = (folder.into(), Arc::new(report_fault));
        Self { limit, folder, report_fault, known: Mutex::default(), files: Mutex::default() }
    }

    /// Returns the engine of this command as an agent of these rules. Starts the engine if it has not started yet, and has it get
    /// ready for these rules if it has never been ready for them.
    ///
    /// # Errors
    ///
    /// Returns an error if the engine does not start, or does not play these rules.
    pub fn agent(&self, command: &str, rules: &Rules) -> Result<BoxedAgent<'static>, EngineError> {
        let refused = |reason: String| EngineError { command: command.to_owned(), reason };
        let variant = self.variant(rules.rule_set()).map_err(refused)?;
        let engine = self.engine(command).map_err(|error| refused(error.to_owned()))?;
        engine.ensure_started(&variant).map_err(refused)?;
        Ok(Box::new(Outside { engine, variant }))
    }

    /// Starts the engine of this command unless it was started before; which rules it plays shows when [`Engines::agent`] is
    /// called.
    ///
    /// # Errors
    ///
    /// Returns an error if the engine does not start.
    pub fn start(&self, command: &str) -> Result<(), EngineError> {
        let refused = |reason: String| EngineError { command: command.to_owned(), reason };
        let engine = self.engine(command).map_err(|error| refused(error.to_owned()))?;
        engine.introduce().map_err(refused)
    }

    /// Kills all engines of this process at once, for a program that ends without dropping them: otherwise an engine at work
    /// would go on thinking.
    pub fn kill_all() {
        process::kill_all();
    }

    /// Returns the engine of this command, which has a log of its own. A new engine is not started yet.
    fn engine(&self, command: &str) -> Result<Arc<Engine>, &'static str> {
        let mut known = lock(&self.known);
        if let Some(engine) = known.iter().find(|engine| engine.command == command) {
            return Ok(Arc::clone(engine));
        }
        let engine = Arc::new(self.new_engine(command)?);
        known.push(Arc::clone(&engine));
        Ok(engine)
    }

    fn new_engine(&self, command: &str) -> Result<Engine, &'static str> {
        let words = shlex::split(command).ok_or("a quotation mark is not closed")?;
        let program = words.first().ok_or("expected the name of a program")?;
        let name: String = program
            .rsplit(['/', '\\'])
            .next()
            .unwrap_or_default()
            .chars()
            .filter(|char| char.is_ascii_alphanumeric() || "-_.".contains(*char))
            .collect();
        Ok(Engine {
            command: command.to_owned(),
            words,
            limit: self.limit,
            log: Arc::new(EngineLog::new(self.new_file(&name, "log"))),
            report_fault: Arc::clone(&self.report_fault),
            played: Mutex::default(),
            starting: Mutex::default(),
            idle: Mutex::default(),
            faults: AtomicUsize::new(0),
        })
    }

    /// Returns the path of a new file of this name, which no other engine uses.
    fn new_file(&self, name: &str, ending: &str) -> PathBuf {
        let number = FILES.fetch_add(1, Ordering::Relaxed);
        self.folder.join(format!("{name}-{}-{number}.{ending}", std::process::id()))
    }

    /// Returns how a rule set is named to engines: a preset by its name, any other by a file.
    fn variant(&self, rule_set: &RuleSet) -> Result<String, String> {
        if rule_set.preset().is_some() {
            return Ok(rule_set.to_string());
        }
        let mut files = lock(&self.files);
        if let Some((_, file)) = files.iter().find(|(known, _)| known == rule_set) {
            return Ok(file.clone());
        }
        let path = self.new_file("rules", "toml");
        let file = path.display().to_string();
        fs::create_dir_all(&self.folder)
            .and_then(|()| fs::write(&path, rule_set.to_toml()))
            .map_err(|error| format!("its rules cannot be written to {file}: {error}"))?;
        files.push((rule_set.clone(), file.clone()));
        Ok(file)
    }
}

impl std::fmt::Debug for Engines {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engines").field("limit", &self.limit).finish_non_exhaustive()
    }
}

impl Drop for Engines {
    fn drop(&mut self) {
        for (_, file) in &*lock(&self.files) {
            let _ = fs::remove_file(file);
        }
    }
}

impl Engine {
    /// Starts the first process, which shows that the command is that of an engine.
    fn introduce(&self) -> Result<(), String> {
        let _starting = lock(&self.starting);
        if lock(&self.played).is_empty() && lock(&self.idle).is_empty() {
            let connection = Connection::start(&self.words, &self.log);
            lock(&self.idle).push(connection.map_err(|fault| self.log.with_path(fault))?);
        }
        Ok(())
    }

    /// Makes a process ready to play a rule set, unless one has been ready for it before. An engine that refuses a rule set is
    /// not at fault, because it plays others.
    fn ensure_started(&self, variant: &str) -> Result<(), String> {
        let is_played = || lock(&self.played).contains(variant);
        if is_played() {
            return Ok(());
        }
        let _starting = lock(&self.starting);
        if !is_played() {
            let connection = self.ready(variant).map_err(|fault| self.log.with_path(fault))?;
            lock(&self.idle).push(connection);
            lock(&self.played).insert(variant.to_owned());
        }
        Ok(())
    }

    /// Returns an idle process, or else a new one, that is ready to play a rule set.
    fn ready(&self, variant: &str) -> Result<Connection, Fault> {
        let idle = lock(&self.idle).pop();
        let connection = idle.map_or_else(|| Connection::start(&self.words, &self.log), Ok)?;
        connection.prepared_for(variant, &self.log)
    }

    /// Returns the move that the engine plays; a process that is at fault is ended and not asked again.
    fn play(&self, variant: &str, decision: &Decision<'_>) -> Result<Move, Forfeit> {
        if self.faults.load(Ordering::Relaxed) >= MOST_FAULTS {
            return Err(Forfeit::new("it has failed too often, and is not started again"));
        }
        let mut connection = self.ready(variant).map_err(|fault| self.forfeit(&fault))?;
        match connection.play(variant, decision, self.limit) {
            Ok(action) => {
                self.faults.store(0, Ordering::Relaxed);
                lock(&self.idle).push(connection);
                Ok(action)
            }
            Err(fault) => {
                connection.kill_and_log(&fault, &self.log);
                Err(self.forfeit(&fault))
            }
        }
    }

    /// Counts a fault and reports it.
    fn forfeit(&self, fault: &Fault) -> Forfeit {
        let (command, reason) = (&self.command, self.log.with_path(fault));
        (self.report_fault)(&format!("`engine:{command}` gives a game up: {reason}"));
        if self.faults.fetch_add(1, Ordering::Relaxed) + 1 == MOST_FAULTS {
            (self.report_fault)(&format!(
                "`engine:{command}` has failed {MOST_FAULTS} times in succession: \
                 it is not started again, and gives all other games up"
            ));
        }
        Forfeit::new(reason)
    }
}

/// An outside engine under some rules.
struct Outside {
    engine: Arc<Engine>,
    variant: String,
}

impl Agent for Outside {
    /// Returns the move that the engine plays now, as certain. If the engine gives up, every move has the same chance, since a
    /// policy has no other way to say so. Games are played by [`Agent::play`].
    fn policy(&self, decision: &Decision<'_>) -> Policy {
        let moves = decision.moves();
        let even = |_| moves.iter().map(|_| 1.0 / moves.len() as f64).collect();
        self.try_policy(decision).unwrap_or_else(even)
    }

    fn try_policy(&self, decision: &Decision<'_>) -> Result<Policy, Forfeit> {
        let played = self.play(decision, 0.0)?;
        Ok(decision.moves().iter().map(|&action| f64::from(action == played)).collect())
    }

    fn play(&self, decision: &Decision<'_>, _: f64) -> Result<Move, Forfeit> {
        match *decision.moves() {
            [only] => Ok(only),
            _ => self.engine.play(&self.variant, decision),
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(all(test, unix))]
mod tests {
    use std::path::Path;

    use super::*;

    /// Makes a folder of this name with an engine in it: the script that `script` returns for the folder. Returns the folder and
    /// the command of the engine.
    fn scripted(name: &str, script: impl Fn(&Path) -> String) -> (PathBuf, String) {
        let folder = std::env::temp_dir().join(format!("{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let file = folder.join("engine.sh");
        fs::write(&file, script(&folder)).unwrap();
        (folder, format!("sh {}", file.display()))
    }

    /// Makes a folder with an engine that writes a line to `starts` there when it starts; returns the folder and the command.
    fn counting(name: &str, pause: &str) -> (PathBuf, String) {
        let answers = "while read line; do case \"$line\" in ubgi) echo ubgiok;; isready) echo readyok;; esac; done";
        scripted(name, |folder| {
            format!("echo >> {}; {pause}{answers}", folder.join("starts").display())
        })
    }

    /// Removes the folder of a counting engine; returns how often the engine has started.
    fn starts(folder: &Path) -> usize {
        let starts = fs::read_to_string(folder.join("starts")).unwrap().lines().count();
        fs::remove_dir_all(folder).unwrap();
        starts
    }

    #[test]
    fn a_program_that_is_no_engine_does_not_start_and_one_that_is_starts_once() {
        let (folder, command) = counting("puabi-started", "");
        let engines = Engines::new(Duration::from_secs(10), &folder, |_| ());
        for command in ["no-such-engine", "true", "'x"] {
            assert!(engines.start(command).is_err(), "{command}");
        }
        engines.start(&command).unwrap();
        engines.start(&command).unwrap();
        let rules = RuleSet::FINKEL.compile().unwrap();
        engines.agent(&command, &rules).map(drop).unwrap();
        assert_eq!(starts(&folder), 1);
    }

    #[test]
    fn an_engine_is_at_fault_neither_for_rules_that_it_does_not_play_nor_for_ever() {
        // The engine ends if it is asked for three pieces, and at every second move.
        let (folder, command) = scripted("puabi-faults", |folder| {
            let flag = folder.join("flag").display().to_string();
            format!(
                "while read line; do case \"$line\" in ubgi) echo ubgiok;; *finkel:3) exit;; isready) echo readyok;;
                go) if [ -e {flag} ]; then rm {flag}; exit; fi; touch {flag}; echo bestmove 0-1;; esac; done"
            )
        });
        let engines = Engines::new(Duration::from_secs(10), &folder, |_| ());
        let [two, three] =
            [2, 3].map(|pieces| RuleSet::FINKEL.with_pieces(pieces).compile().unwrap());
        engines.agent(&command, &two).map(drop).unwrap();
        assert!((0..=MOST_FAULTS).all(|_| engines.agent(&command, &three).is_err()));
        let (engine, roll) = (engines.engine(&command).unwrap(), puabi_core::Roll::new(1));
        let decision = two.decision(two.start(), roll);
        let played = (0..=2 * MOST_FAULTS).map(|_| engine.play("finkel:2", &decision).is_ok());
        assert!(played.enumerate().all(|(at, is_played)| is_played == at.is_multiple_of(2)));
        drop(engines);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn what_an_engine_has_started_ends_with_it() {
        let (folder, command) = scripted("puabi-wrapped", |folder| {
            let ticks = folder.join("ticks").display().to_string();
            format!("echo ubgiok; sh -c 'while :; do echo >> {ticks}; sleep 0.01; done'; true")
        });
        let engines = Engines::new(Duration::from_secs(10), &folder, |_| ());
        engines.start(&command).unwrap();
        let ticks = || fs::read(folder.join("ticks")).unwrap_or_default().len();
        while ticks() == 0 {
            std::thread::sleep(Duration::from_millis(5));
        }
        drop(engines);
        let before = ticks();
        std::thread::sleep(Duration::from_millis(200));
        assert_eq!(ticks(), before);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn engines_of_one_process_have_files_of_their_own() {
        let (folder, command) = counting("puabi-files", "");
        let own =
            |name: &str| RuleSet { name: name.to_owned().into(), ..RuleSet::FINKEL.with_pieces(1) };
        let engines = || Engines::new(Duration::from_secs(10), &folder, |_| ());
        let [one, two] = [engines(), engines()];
        let [first, second] = [(&one, "first"), (&two, "second")].map(|(engines, name)| {
            engines.agent(&command, &own(name).compile().unwrap()).map(drop).unwrap();
            engines.variant(&own(name)).unwrap()
        });
        drop(one);
        assert!(!Path::new(&first).exists());
        assert!(fs::read_to_string(second).unwrap().contains("second"));
        drop(two);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn those_who_ask_for_an_engine_at_once_start_it_once() {
        let (folder, command) = counting("puabi-engines", "sleep 0.2; ");
        let engines = Engines::new(Duration::from_secs(10), &folder, |_| ());
        let rules = RuleSet::FINKEL.compile().unwrap();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| engines.agent(&command, &rules).map(drop).unwrap());
            }
        });
        assert_eq!(starts(&folder), 1);
    }
}
