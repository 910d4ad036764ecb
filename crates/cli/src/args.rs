//! The arguments of `ur`, the one definition behind its help, completions and man page.

use clap::builder::styling::{AnsiColor, Styles};
use clap::{Parser, Subcommand};

use crate::commands::{
    agents, bench, completions, convert, exploit, games, lab, league, lint, matches, perft, play,
    review, rules, serve, solve, table, train, value,
};

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Yellow.on_default().bold())
    .usage(AnsiColor::Yellow.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

/// Solves and plays the Royal Game of Ur.
#[derive(Debug, Parser)]
#[command(
    name = "ur",
    version,
    styles = STYLES,
    max_term_width = 100,
    disable_help_subcommand = true,
    after_help = "\
RULES is a preset (finkel), a preset with another number of pieces (finkel:3) or a file ending in .toml.
Solved tables are kept in the data directory of the platform; UR_DATA_DIR names another.

Examples:
  ur solve finkel                       solve the full game and keep its table
  ur value finkel 4,8,12+2:1,5:D3       what every move is worth
  ur play finkel                        play against the perfect player
  ur review game.rgn --html game.html   what luck did, and what the moves cost"
)]
pub(crate) struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Lists the rule sets, shows one, or checks a rule file
    Rules(rules::Args),
    /// Solves a game exactly and keeps its table
    Solve(solve::Args),
    /// Tells what a position and every move in it are worth
    Value(value::Args),
    /// Lists, describes, verifies and removes tables
    Table(table::Args),
    /// Plays at the terminal: people, bots, or both
    Play(play::Args),
    /// Serves the page and the API
    Serve(serve::Args),
    /// Lists, shows, adds, exports and removes the games of the archive
    Games(games::Args),
    /// Lists the agents and how they think
    Agents(agents::Args),
    /// Plays two agents against each other and tells how often each wins
    Match(matches::Args),
    /// Plays every agent against every other and rates them
    League(league::Args),
    /// Finds the best response to an agent and how much it wins
    Exploit(exploit::Args),
    /// Tells what kind of game each rule set makes: edge, length, leads, choices, skill
    Lab(lab::Args),
    /// Trains players: by evolution, from games, or to exact values
    Train(train::Args),
    /// Reviews a game, or a folder of them: luck, errors, the best moves
    Review(review::Args),
    /// Converts game records and tables between notations
    Convert(convert::Args),
    /// Checks a game record: what is wrong, where, and what would be right
    Lint(lint::Args),
    /// Counts the lines of play from a position
    Perft(perft::Args),
    /// Measures solving and looking up
    Bench(bench::Args),
    /// Prints the completions of a shell
    Completions(completions::Args),
    /// Prints the man page
    Man,
}
