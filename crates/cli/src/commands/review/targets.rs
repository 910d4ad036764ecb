//! Where a review goes: to stdout as text or JSON, and to files as a page and a graph.

use std::path::Path;

use anyhow::{Result, bail};
use serde::Serialize;

use crate::files::{self, records};
use crate::output::text::t;
use crate::output::{Out, status};
use crate::style::Style;

/// The forms of a review that the user wants.
#[derive(Debug, clap::Args)]
pub(super) struct Targets {
    /// Prints JSON
    #[arg(long)]
    pub(super) json: bool,
    /// Writes a page: the board at every ply, or the report of a folder; in English, with tiles as in B7
    #[arg(long, value_name = "FILE")]
    html: Option<String>,
    /// Writes the graph of light's chance
    #[arg(long, value_name = "FILE")]
    pub(super) svg: Option<String>,
    #[command(flatten)]
    pub(super) style: Style,
}

impl Targets {
    /// Checks, before the work, the names of the files that are made from `game`.
    pub(super) fn ensure_names(&self, game: &str) -> Result<()> {
        let wanted = [
            (&self.html, "the page, such as game.html"),
            (&self.svg, "the graph, such as game.svg"),
        ];
        let mut others = vec![game.to_owned()];
        for (path, what) in wanted {
            if let Some(path) = path.as_deref().filter(|path| *path != "-") {
                files::ensure_picture(Path::new(path), what, &others)?;
                others.push(path.to_owned());
            }
        }
        let [page, graph] = self.to_stdout();
        if self.json && (page || graph) || page && graph {
            bail!("more than one of JSON, page and graph would go to stdout: expected files");
        }
        Ok(())
    }

    /// Returns whether the page goes to stdout, and whether the graph does.
    fn to_stdout(&self) -> [bool; 2] {
        [&self.html, &self.svg].map(|path| path.as_deref() == Some("-"))
    }

    /// Writes the files that the user wants, then prints the report as JSON or by `text`.
    pub(super) fn write(
        &self,
        report: &impl Serialize,
        page: impl FnOnce() -> String,
        graph: impl FnOnce() -> String,
        text: impl FnOnce(&mut Out) -> Result<()>,
        out: &mut Out,
    ) -> Result<()> {
        let [page_to_stdout, graph_to_stdout] = self.to_stdout();
        let uses_stdout = page_to_stdout || graph_to_stdout;
        if let Some(path) = &self.html {
            records::write(path, &page(), out)?;
            if !page_to_stdout {
                status(t!(self.style.language, "the page is in {path}", path));
            }
        }
        if let Some(path) = &self.svg {
            records::write(path, &graph(), out)?;
            if !graph_to_stdout {
                status(t!(self.style.language, "the graph is in {path}", path));
            }
        }
        match (self.json, uses_stdout) {
            (true, _) => out.json(report),
            (false, true) => Ok(()),
            (false, false) => text(out),
        }
    }
}
