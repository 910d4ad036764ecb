//! The commands, a file for each.

mod agents;
mod bench;
mod book;
pub(crate) mod completions;
mod convert;
pub(crate) mod cube;
mod engine;
mod exploit;
mod games;
mod help;
mod lab;
mod league;
mod lint;
mod man;
mod matches;
mod mcp;
mod page;
mod perft;
mod play;
pub(crate) mod review;
mod rules;
mod serve;
mod solve;
mod table;
mod train;
pub(crate) mod value;

pub use solve::note_discarded;

use anyhow::Result;
use clap::Subcommand;
use puabi_solve::{Alone, Exchange};

use crate::output::Out;

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Lists the rule sets, shows one, or checks a rule file
    Rules(rules::RulesArgs),
    /// Solves a game exactly and keeps its table
    Solve(solve::SolveArgs),
    /// Shows the value of a position and of every move in it
    Value(value::ValueArgs),
    /// Lists, describes, verifies and removes tables
    #[command(subcommand, after_help = include_str!("../help/table.txt"))]
    Table(table::TableAction),
    /// Plays at the terminal: people, bots, or both
    Play(play::PlayArgs),
    /// Serves the page and the API
    Serve(serve::ServeArgs),
    /// Writes the page as static files; the engine then runs in the browser
    Page(page::PageArgs),
    /// Offers rules, values, reviews and games to language models as tools
    Mcp(mcp::McpArgs),
    /// Lists, shows, adds, exports and removes the games of the archive
    #[command(subcommand, after_help = include_str!("../help/games.txt"))]
    Games(games::GamesAction),
    /// Lists the agents and how they think
    Agents(agents::AgentsArgs),
    /// Plays two agents against each other and shows how often each wins
    Match(matches::MatchArgs),
    /// Plays every agent against every other and rates them
    League(league::LeagueArgs),
    /// Plays as an engine for another program, by the engine protocol on stdin and stdout
    Engine(engine::EngineArgs),
    /// Finds the best response to an agent and how much it wins
    Exploit(exploit::ExploitArgs),
    /// Measures the game of each rule set: edge, length, leads, choices, skill
    Lab(lab::LabArgs),
    /// Trains players: by evolution, from games, or to exact values
    #[command(subcommand)]
    Train(train::How),
    /// Reviews a game, or a folder of them: luck, errors, the best moves
    Review(review::ReviewArgs),
    /// Converts game records and tables between notations
    Convert(convert::ConvertArgs),
    /// Checks a game record: what is wrong, where, and what would be right
    Lint(lint::LintArgs),
    /// Shows what perfect players choose in the opening, how often, and what each move costs
    Book(book::BookArgs),
    /// Solves a game with a doubling cube, for money or in matches
    Cube(cube::CubeArgs),
    /// Counts the lines of play from a position
    Perft(perft::PerftArgs),
    /// Measures the speed of solving and of looking up values
    #[command(subcommand)]
    Bench(bench::What),
    /// Explains a topic or a command, or lists the topics
    Help(help::HelpArgs),
    /// Prints the completions of a shell
    Completions(completions::CompletionsArgs),
    /// Prints the man page, or writes one for each command
    Man(man::ManArgs),
}

/// The help of `--games` in `ur-mpi simulate`: without this option, ranks have nothing to share.
const SIMULATE_GAMES: &str = "Games to play, an even number [default: 1000 if an agent is another program, else none: it must be given]";

/// The commands that several ranks can share: what is a sum over games, or has a result for each rule set.
#[derive(Debug, Subcommand)]
pub enum SharedCommand {
    /// Plays two agents against each other and shows how often each wins, as `ur match --games`
    #[command(
        after_help = include_str!("../help/simulate.txt"),
        mut_arg("games", |games| games.help(SIMULATE_GAMES)),
        mut_arg("regret", |regret| regret.hide(true))
    )]
    Simulate(matches::MatchArgs),
    /// Plays every agent against every other and rates them, as `ur league`
    #[command(after_help = concat!(
        include_str!("../help/league.txt"),
        "\nExample:\n  mpirun -n 4 ur-mpi league finkel:3 --agents levels --games 10000 --seed 7"
    ))]
    League(league::LeagueArgs),
    /// Measures the game of each rule set, as `ur lab`
    #[command(after_help = concat!(
        include_str!("../help/lab.txt"),
        "\nExample:\n  mpirun -n 4 ur-mpi lab finkel:3 --dice 4d,3d0=4 --safe on,off --markdown"
    ))]
    Lab(lab::LabArgs),
}

impl SharedCommand {
    /// Runs the command among `ranks`. All ranks must call this, and each prints the results unless it is silent.
    ///
    /// # Errors
    ///
    /// Returns an error of this rank. The other ranks may have no error; they then wait for what this rank was to hand on.
    pub fn run(&self, ranks: &dyn Exchange) -> Result<()> {
        let mut out = Out::new();
        match self {
            Self::Simulate(args) => matches::simulate(args, ranks, &mut out),
            Self::League(args) => league::run(args, ranks, &mut out),
            Self::Lab(args) => lab::run(args, ranks, &mut out),
        }?;
        out.flush()
    }
}

/// Runs a command, which prints its results to `out`; `cli` returns the definition of the command line.
pub(crate) fn run(command: &Command, cli: fn() -> clap::Command, out: &mut Out) -> Result<()> {
    match command {
        Command::Rules(args) => rules::run(args, out),
        Command::Solve(args) => solve::run(args, out),
        Command::Value(args) => value::run(args, out),
        Command::Table(action) => table::run(action, out),
        Command::Play(args) => play::run(args, out),
        Command::Serve(args) => serve::run(args, out),
        Command::Page(args) => page::run(args, out),
        Command::Mcp(args) => mcp::run(args),
        Command::Games(action) => games::run(action, out),
        Command::Agents(args) => agents::run(args, out),
        Command::Match(args) => matches::run(args, &Alone, out),
        Command::League(args) => league::run(args, &Alone, out),
        Command::Engine(args) => engine::run(args, out),
        Command::Exploit(args) => exploit::run(args, out),
        Command::Lab(args) => lab::run(args, &Alone, out),
        Command::Train(how) => train::run(how, out),
        Command::Review(args) => review::run(args, out),
        Command::Convert(args) => convert::run(args, out),
        Command::Lint(args) => lint::run(args, out),
        Command::Book(args) => book::run(args, out),
        Command::Cube(args) => cube::run(args, out),
        Command::Perft(args) => perft::run(args, out),
        Command::Bench(what) => bench::run(what, out),
        Command::Help(args) => help::run(args, cli(), out),
        Command::Completions(args) => completions::run(args, out),
        Command::Man(args) => man::run(args, cli(), out),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_help_of_a_shared_match_promises_no_exact_result() {
        let mut shared = SharedCommand::augment_subcommands(clap::Command::new("ur-mpi"));
        shared.clone().debug_assert();
        let simulate = shared.find_subcommand_mut("simulate").unwrap();
        // Without the ends of lines, which depend on the width of the terminal.
        let help = simulate.render_long_help().to_string();
        let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(help.contains("it must be given") && help.contains("ur-mpi simulate"), "{help}");
        assert!(!help.contains("result is exact") && !help.contains("--regret"), "{help}");
    }
}
