//! The candidates of completions: rule sets, agents, and the tables and games that are kept.

use std::ffi::OsStr;
use std::path::Path;

use clap::{Arg, Command};
use clap_complete::engine::{
    ArgValueCompleter, CompletionCandidate as Candidate, PathCompleter, ValueCompleter,
};
use puabi_core::RuleSet;
use puabi_engine::{AgentSpec, Roster};
use puabi_report::Topic;
use puabi_server::{BlockingArchive, Filter, Language};

use crate::tables;

/// Returns the command with completers for its arguments and those of its subcommands.
pub(super) fn everywhere(command: Command) -> Command {
    let name = command.get_name().to_owned();
    command.mut_args(|arg| complete(&name, arg)).mut_subcommands(everywhere)
}

/// Returns an argument of the command `name` with a completer for its values.
fn complete(name: &str, arg: Arg) -> Arg {
    let completer = match (name, arg.get_id().as_str()) {
        (_, "rules") | ("value", "first") => ArgValueCompleter::new(rules),
        (_, "a" | "b" | "agent" | "light" | "dark" | "against") => ArgValueCompleter::new(agents),
        (_, "table") | ("convert", "from") | ("diff", "first" | "second") => {
            ArgValueCompleter::new(tables)
        }
        ("show" | "export" | "rm", "id" | "ids") => ArgValueCompleter::new(games),
        ("play", "resume") | ("review", "game") => ArgValueCompleter::new(games_and_files),
        ("help", "about") => ArgValueCompleter::new(topics),
        (_, "language") => ArgValueCompleter::new(languages),
        _ => return arg,
    };
    arg.add(completer)
}

/// Returns the candidates that begin with `typed`.
fn beginning(typed: &OsStr, names: impl IntoIterator<Item = (String, String)>) -> Vec<Candidate> {
    let Some(typed) = typed.to_str() else { return Vec::new() };
    let matching = names.into_iter().filter(|(name, _)| name.starts_with(typed));
    matching
        .map(|(name, help)| {
            let help = Some(help).filter(|help| !help.is_empty());
            Candidate::new(name).help(help.map(Into::into))
        })
        .collect()
}

/// Returns the files with one of these extensions, and the folders, that begin with `typed`.
fn files(typed: &OsStr, extensions: &'static [&'static str]) -> Vec<Candidate> {
    let is_one = move |path: &Path| {
        path.extension().and_then(OsStr::to_str).is_some_and(|end| extensions.contains(&end))
    };
    PathCompleter::file().filter(is_one).complete(typed)
}

fn rules(typed: &OsStr) -> Vec<Candidate> {
    let has_colon = typed.to_str().is_some_and(|text| text.contains(':'));
    let names = RuleSet::PRESETS.into_iter().flat_map(|preset| {
        let introduction = preset.introduction().unwrap_or_default().to_owned();
        // The number of pieces follows the colon.
        let fewer = (1..=preset.pieces).filter(|_| has_colon);
        let fewer: Vec<_> =
            fewer.map(|pieces| (format!("{}:{pieces}", preset.name), String::new())).collect();
        std::iter::once((preset.name.into_owned(), introduction)).chain(fewer)
    });
    let mut candidates = beginning(typed, names);
    candidates.extend(files(typed, &["toml"]));
    candidates
}

fn agents(typed: &OsStr) -> Vec<Candidate> {
    let named = Roster::everyone().into_iter().map(|spec| (spec.to_string(), spec.thinking()));
    let forms = AgentSpec::forms()
        .filter_map(|form| form.split_once(':'))
        .map(|(name, rest)| (format!("{name}:"), format!("with {rest}")));
    let human = ("human".to_owned(), "a person".to_owned());
    beginning(typed, named.chain(forms).chain([human]))
}

fn tables(typed: &OsStr) -> Vec<Candidate> {
    let kept = tables::library().and_then(|library| Ok(library.store().list()?));
    let kept = kept.unwrap_or_default().into_iter().filter_map(|stored| {
        let table = stored.table.ok()?;
        let rules = table.header().rules().rule_set().to_string();
        Some((rules, "solved".to_owned()))
    });
    let mut candidates = beginning(typed, kept);
    candidates.extend(files(typed, &["urt", "rgu", "rgn", "urg", "json", "ur"]));
    candidates
}

fn games(typed: &OsStr) -> Vec<Candidate> {
    let kept = tables::data_directory().ok().filter(|data| BlockingArchive::exists(data));
    let kept = kept
        .and_then(|data| BlockingArchive::open_to_read(&data).ok()?.list(&Filter::default()).ok());
    let line = kept.unwrap_or_default().into_iter().map(|entry| {
        let players = format!("{} against {}, {}", entry.light, entry.dark, entry.rules);
        (entry.id.to_string(), players)
    });
    beginning(typed, line)
}

fn games_and_files(typed: &OsStr) -> Vec<Candidate> {
    let mut candidates = games(typed);
    candidates.extend(files(typed, &["urg", "rgn", "json", "ur"]));
    candidates
}

fn languages(typed: &OsStr) -> Vec<Candidate> {
    beginning(typed, Language::ALL.map(|language| (language.code().to_owned(), String::new())))
}

fn topics(typed: &OsStr) -> Vec<Candidate> {
    let about = |topic: Topic| (topic.name.to_owned(), topic.about.to_owned());
    beginning(typed, Topic::ALL.map(about))
}
