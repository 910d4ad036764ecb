//! `ur serve`: the page and the API.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Result, anyhow, bail};
use puabi_engine::AgentSpec;
use puabi_server::{ClientLimits, HostedPrograms, Limits, Mode, Options, ServeError, Server};

use crate::errors::Advise;
use crate::options::EngineSettings;
use crate::output::{Out, log_to_stderr, status};
use crate::tables;
use crate::tables::agents::ENGINE_HINT;

/// Arguments of `ur serve`.
#[derive(Debug, clap::Args)]
#[command(after_help = include_str!("../../help/serve.txt"))]
pub(crate) struct ServeArgs {
    /// The rule set to solve if it has no table yet
    #[arg(default_value = "finkel")]
    rules: String,
    /// The address to listen at, or a port for this machine only; port 0 takes any free port
    #[arg(long, visible_alias = "port", value_name = "ADDRESS:PORT", value_parser = address, default_value = "127.0.0.1:8470")]
    address: SocketAddr,
    /// A name of this machine in the network; may be given several times
    #[arg(long = "name", value_name = "NAME", value_parser = host)]
    names: Vec<String>,
    #[command(flatten)]
    mode: ModeArgs,
    /// The address of a proxy in front of the server, which names its clients in X-Forwarded-For
    #[arg(long, value_name = "ADDRESS")]
    proxy: Option<IpAddr>,
    /// Solves nothing unless the page or the API asks for it
    #[arg(long, conflicts_with = "rules")]
    no_solve: bool,
    /// Opens the page in the browser
    #[arg(long)]
    open: bool,
    /// A program that everybody may play against: an agent of the form engine:COMMAND; may be given several times
    #[arg(long = "engine", value_name = "AGENT", value_parser = engine)]
    hosted: Vec<AgentSpec>,
    #[command(flatten)]
    engines: EngineSettings,
    #[command(flatten)]
    limits: LimitArgs,
}

/// Reads the address and the port to listen at, or the port alone.
fn address(text: &str) -> Result<SocketAddr> {
    if let Ok(port) = text.parse() {
        return Ok((Ipv4Addr::LOCALHOST, port).into());
    }
    text.parse()
        .map_err(|_| anyhow!("expected an address and a port, such as 127.0.0.1:8470, or a port"))
}

fn engine(text: &str) -> Result<AgentSpec> {
    let spec: AgentSpec = text.parse()?;
    if spec.command().is_none() {
        bail!("every agent of this program is there already: expected engine:COMMAND");
    }
    Ok(spec)
}

/// Who the server is for; who runs it, unless it is told.
#[derive(Debug, clap::Args)]
struct ModeArgs {
    /// Everybody may read, review and play, with a key for each seat; nothing is removed or solved, and no rule file is kept
    #[arg(long, conflicts_with = "read_only")]
    public: bool,
    /// Everybody may read positions, reviews and the games of the archive; nothing new is kept
    #[arg(long)]
    read_only: bool,
}

impl ModeArgs {
    fn mode(&self) -> Mode {
        match (self.public, self.read_only) {
            (false, false) => Mode::Mine,
            (true, _) => Mode::Public,
            (_, true) => Mode::ReadOnly,
        }
    }
}

/// What clients may ask for.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Limits")]
struct LimitArgs {
    /// How long the head of a request may take, and how long a connection may be idle
    #[arg(long, value_parser = whole, value_name = "SECONDS", default_value_t = 15)]
    head_time: u64,
    /// How long the server may take from the head of a request until its answer begins
    #[arg(long, value_parser = whole, value_name = "SECONDS", default_value_t = 30)]
    answer_time: u64,
    /// How long a client may read nothing of its answer
    #[arg(long, value_parser = whole, value_name = "SECONDS", default_value_t = 30)]
    write_time: u64,
    /// Bytes of the body of a request
    #[arg(long, value_parser = whole, value_name = "BYTES", default_value_t = Limits::default().body as u64)]
    max_body: u64,
    /// Plies of a game that is reviewed
    #[arg(long, value_parser = whole, value_name = "PLIES", default_value_t = Limits::default().plies as u64)]
    max_plies: u64,
    /// Bytes of a query, such as the text to search a list for
    #[arg(long, value_parser = whole, value_name = "BYTES", default_value_t = Limits::default().query as u64)]
    max_query: u64,
    /// Rule files that are kept
    #[arg(long, value_parser = whole, value_name = "FILES", default_value_t = Limits::default().rule_files as u64)]
    max_rules: u64,
    /// Games that a public server keeps
    #[arg(long, value_parser = whole, value_name = "GAMES", default_value_t = Limits::default().games as u64)]
    max_games: u64,
    /// Bytes of all tables together; beyond them nothing is solved
    #[arg(long, value_parser = whole, value_name = "BYTES", default_value_t = Limits::default().tables)]
    max_tables: u64,
    /// Bytes of long answers not read yet by clients
    #[arg(long, value_parser = whole, value_name = "BYTES", default_value_t = Limits::default().unsent as u64)]
    max_held: u64,
    /// Connections that are open at once
    #[arg(long, value_parser = whole, value_name = "COUNT", default_value_t = Limits::default().connections as u64)]
    max_connections: u64,
    /// Requests that are worked on at once
    #[arg(long, value_parser = whole, value_name = "COUNT", default_value_t = Limits::default().requests as u64)]
    max_requests: u64,
    /// Connections of each client address [default: 32 with --public or --read-only]
    #[arg(long, value_parser = whole, value_name = "COUNT")]
    each_connections: Option<u64>,
    /// Requests a second of each client address; ten times as many may come at once [default: 50 with --public or --read-only]
    #[arg(long, value_parser = whole, value_name = "COUNT")]
    each_requests: Option<u64>,
    /// Requests of each client address that are worked on at once [default: 8 with --public or --read-only]
    #[arg(long, value_parser = whole, value_name = "COUNT")]
    each_jobs: Option<u64>,
}

/// Reads the name of a machine.
fn host(text: &str) -> Result<String, String> {
    let is_of_name = |letter: char| letter.is_ascii_alphanumeric() || ".-_".contains(letter);
    if !text.trim_matches('.').is_empty() && text.chars().all(is_of_name) {
        return Ok(text.to_owned());
    }
    Err("expected a name such as ur.example.org, without a port; other letters than a to z as in \
         xn--bcher-kva.example for bücher.example"
        .to_owned())
}

/// The largest number that a limit can be.
const MOST: u64 = 1 << 40;

fn whole(text: &str) -> Result<u64, String> {
    let number = text.parse().ok().filter(|number| (1..=MOST).contains(number));
    number.ok_or_else(|| format!("expected a whole number, 1 to {MOST}"))
}

/// Converts a limit to `usize`; a limit that does not fit becomes the largest one.
fn many(limit: u64) -> usize {
    usize::try_from(limit).unwrap_or(usize::MAX)
}

impl LimitArgs {
    /// Returns the limits of a server of this mode.
    fn limits(&self, mode: Mode) -> Limits {
        let given = [self.each_connections, self.each_requests, self.each_jobs];
        let is_given = given.iter().any(Option::is_some);
        let usual = Limits::of(mode).per_client.or(is_given.then_some(ClientLimits::UNLIMITED));
        let per_client = usual.map(|usual| ClientLimits {
            connections: self.each_connections.map_or(usual.connections, many),
            requests: self
                .each_requests
                .map_or(usual.requests, |most| u32::try_from(most).unwrap_or(u32::MAX)),
            jobs: self.each_jobs.map_or(usual.jobs, many),
        });
        Limits {
            head: Duration::from_secs(self.head_time),
            answer: Duration::from_secs(self.answer_time),
            write: Duration::from_secs(self.write_time),
            body: many(self.max_body),
            plies: many(self.max_plies),
            query: many(self.max_query),
            rule_files: many(self.max_rules),
            games: many(self.max_games),
            tables: self.max_tables,
            unsent: many(self.max_held),
            connections: many(self.max_connections),
            requests: many(self.max_requests),
            per_client,
        }
    }
}

pub(crate) fn run(args: &ServeArgs, out: &mut Out) -> Result<()> {
    log_to_stderr();
    let mode = args.mode.mode();
    let options = Options {
        address: args.address,
        data: tables::data_directory()?,
        names: args.names.clone(),
        solve: (!args.no_solve).then(|| args.rules.clone()),
        memory: puabi_tables::available_memory,
        mode,
        proxy: args.proxy,
        limits: args.limits.limits(mode),
        hosted: Arc::new(args.hosted()?),
    };
    let server = bind(&options)?;
    let page = format!("http://{}/", server.address()?);
    writeln!(out, "the page is at {page}, {}, Ctrl-C ends", mode_words(mode))?;
    out.flush()?;
    if args.open
        && let Err(error) = open::that_detached(&page)
    {
        status(format_args!("no browser opens: {error}"));
    }
    server.run()?;
    Ok(())
}

impl ServeArgs {
    /// Starts the programs that requests may choose as players, and returns them.
    fn hosted(&self) -> Result<HostedPrograms> {
        let engines =
            self.engines.engines_of_server(&self.hosted, |fault| tracing::warn!("{fault}"))?;
        let (move_time, answer) = (self.engines.move_time, self.limits.answer_time);
        if !self.hosted.is_empty() && move_time >= Duration::from_secs(answer) {
            bail!(
                "an engine may think for {} seconds and an answer take {answer}, so that no slow move is ever answered: \
                 expected a longer --answer-time or a shorter --move-time",
                move_time.as_secs_f64()
            );
        }
        for command in self.hosted.iter().filter_map(AgentSpec::command) {
            engines.start(command).hint(|| ENGINE_HINT)?;
        }
        Ok(HostedPrograms::new(self.hosted.clone(), engines))
    }
}

/// Returns who the server is for, in words.
fn mode_words(mode: Mode) -> &'static str {
    match mode {
        Mode::Mine => "for this machine only",
        Mode::Public => "for everybody to read, review and play",
        Mode::ReadOnly => "for everybody to read and review",
    }
}

fn bind(options: &Options) -> Result<Server> {
    match Server::bind(options) {
        Err(error @ ServeError::Address { .. }) => {
            Err(error).hint(|| "--address 127.0.0.1:0 takes any free port")
        }
        Err(error @ ServeError::Open { .. }) => Err(error).hint(|| {
            "--public lets everybody read, review and play, --read-only read and review; `ur serve --help` describes both"
        }),
        Err(error @ ServeError::Rules(_)) => {
            Err(error).hint(|| {
                "`ur rules` lists the rule sets; the page keeps rule files, which then have a name here too"
            })
        }
        result => Ok(result?),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_alone_is_one_of_this_machine() {
        for (text, expected) in
            [("8123", "127.0.0.1:8123"), ("0", "127.0.0.1:0"), ("[::1]:80", "[::1]:80")]
        {
            assert_eq!(address(text).unwrap().to_string(), expected);
        }
        for text in ["", "65536", "-1", "localhost", "127.0.0.1", "8123 "] {
            assert!(address(text).is_err(), "{text}");
        }
    }
}
