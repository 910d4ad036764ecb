//! `ur page`: the page without a server.

use std::path::{Path, PathBuf};
use std::{env, fmt, fs};

use anyhow::{Context, Result, bail};
use puabi_server::Site;
use serde::Serialize;

use crate::output::Out;

/// The name of the engine's file.
const ENGINE: &str = "puabi.wasm";

/// Arguments of `ur page`.
#[derive(Debug, clap::Args)]
#[command(after_help = include_str!("../../help/page.txt"))]
pub(crate) struct PageArgs {
    /// The folder to write the files into
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
    /// The engine as WebAssembly, made by scripts/build-page [default: the one that was installed with this program]
    #[arg(long, value_name = "FILE")]
    engine: Option<PathBuf>,
    /// Prints JSON
    #[arg(long)]
    json: bool,
}

/// What was written.
#[derive(Debug, Serialize)]
struct Written {
    folder: PathBuf,
    files: usize,
    bytes: usize,
}

pub(crate) fn run(args: &PageArgs, out: &mut Out) -> Result<()> {
    let engine = match &args.engine {
        Some(engine) => engine.clone(),
        None => installed()?,
    };
    let bytes = fs::read(&engine)
        .with_context(|| format!("the engine {} cannot be read", engine.display()))?;
    let site = Site::new(&bytes)
        .with_context(|| format!("the engine {} cannot be used", engine.display()))?;
    site.write(&args.out)
        .with_context(|| format!("the page cannot be written into {}", args.out.display()))?;
    let (files, bytes) = site.size();
    out.print(&Written { folder: args.out.clone(), files, bytes }, args.json)
}

/// Returns the path of the engine: beside this program, or in `share/puabi` beside the program's folder.
fn installed() -> Result<PathBuf> {
    let program = env::current_exe().context("the path of this program is unknown")?;
    let shared = program.parent().and_then(Path::parent).map(|it| it.join("share/puabi"));
    let places = [program.parent().map(Path::to_owned), shared].into_iter().flatten();
    let Some(engine) = places.map(|folder| folder.join(ENGINE)).find(|it| it.is_file()) else {
        bail!(
            "there is no {ENGINE} beside this program, nor in ../share/puabi: expected --engine FILE, as \
             `scripts/build-page --engine FILE` makes it from the source"
        );
    };
    Ok(engine)
}

impl fmt::Display for Written {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { folder, files, bytes } = self;
        writeln!(f, "{files} files, {} kB, in {}", bytes / 1000, folder.display())
    }
}
