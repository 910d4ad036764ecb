//! `ur serve`: the page and the API.

use std::net::SocketAddr;

use anyhow::Result;
use puabi_server::{Limits, Options, ServeError, Server};

use crate::errors::Advise;
use crate::output::{Out, machine, status};
use crate::tables;

/// Arguments of `ur serve`.
#[derive(Debug, clap::Args)]
#[command(after_help = include_str!("../../help/serve.txt"))]
pub(crate) struct ServeArgs {
    /// The rule set to solve if it has no table yet
    #[arg(default_value = "finkel")]
    rules: String,
    /// The address to listen at; port 0 takes any free port
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8470")]
    address: SocketAddr,
    /// A name of this machine in the network; may be given several times
    #[arg(long = "name", value_name = "NAME")]
    names: Vec<String>,
    /// Solves nothing unless the page or the API asks for it
    #[arg(long, conflicts_with = "rules")]
    no_solve: bool,
    /// Opens the page in the browser
    #[arg(long)]
    open: bool,
}

pub(crate) fn run(args: &ServeArgs, out: &mut Out) -> Result<()> {
    tracing_subscriber::fmt().with_ansi(false).without_time().with_writer(std::io::stderr).init();
    let options = Options {
        address: args.address,
        data: tables::data_directory()?,
        names: args.names.clone(),
        solve: (!args.no_solve).then(|| args.rules.clone()),
        memory: machine::available_memory,
        limits: Limits::default(),
    };
    let server = bind(&options)?;
    let page = format!("http://{}/", server.address()?);
    writeln!(out, "the page is at {page}, Ctrl-C ends")?;
    out.flush()?;
    if args.open
        && let Err(error) = open::that_detached(&page)
    {
        status(format_args!("no browser opens: {error}"));
    }
    server.run()?;
    Ok(())
}

fn bind(options: &Options) -> Result<Server> {
    match Server::bind(options) {
        Err(error @ ServeError::Address { .. }) => {
            Err(error).hint(|| "--address 127.0.0.1:0 takes any free port")
        }
        Err(error @ ServeError::Rules(_)) => {
            Err(error).hint(|| "`ur rules` tells what each rule set is")
        }
        result => Ok(result?),
    }
}
