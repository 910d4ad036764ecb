//! The page without a server: a folder of files that anything can serve.

use std::collections::BTreeMap;
use std::path::Path;
use std::{fs, io};

use puabi_engine::Pocket;
use puabi_report::Topic;
use rust_embed::RustEmbed;

use crate::http::page::Files;

/// The files that replace files of the page, or are added to them, if there is no server.
#[derive(RustEmbed)]
#[folder = "site/"]
struct Own;

/// The topics that the site has help on: those that players ask about. Sections of these have no file of their own.
const TOPICS: [&str; 4] = ["agents", "notation", "review", "rules"];
/// The line of the service worker's source that the edition and the files of the site are written into.
const SITE: &str = r#"const SITE = { edition: "", files: [] };"#;
/// How that line begins.
const NAMED: &str = "const SITE = ";
/// The beginning of the page's head; the policy is inserted behind it.
const HEAD: &str = "<meta charset=\"utf-8\">\n";
/// What the page may do: use the files beside it, and compile the engine, but use nothing from anywhere else.
const POLICY: &str = "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'self' \
                      'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; font-src \
                      'self'; manifest-src 'self'; media-src 'self' blob:; worker-src 'self'; base-uri 'none'; \
                      form-action 'none'\">\n";

/// The files of a site by their names.
#[derive(Debug)]
pub struct Site(BTreeMap<String, Vec<u8>>);

impl Site {
    /// Returns the site whose engine is this WebAssembly module.
    ///
    /// # Errors
    ///
    /// Returns an error if the bytes are not a WebAssembly module.
    pub fn new(engine: &[u8]) -> io::Result<Self> {
        if !engine.starts_with(b"\0asm") {
            let message = "it is not a WebAssembly module: expected what scripts/build-page makes";
            return Err(io::Error::new(io::ErrorKind::InvalidData, message));
        }
        let page = Files::iter().filter_map(|name| Some((name.clone(), Files::get(&name)?)));
        let own = Own::iter().filter_map(|name| Some((name.clone(), Own::get(&name)?)));
        let files = page.chain(own).map(|(name, file)| (name.into_owned(), file.data.into_owned()));
        let mut files: BTreeMap<_, _> = files.collect();
        files.insert("puabi.wasm".to_owned(), engine.to_vec());
        files.extend(
            Pocket::files()
                .iter()
                .map(|(name, bytes)| (format!("pockets/{name}.pocket"), bytes.to_vec())),
        );
        files.extend(TOPICS.iter().filter_map(|name| {
            Some((format!("help/{name}.html"), help(Topic::find(name)?).into_bytes()))
        }));
        let mut site = Self(files);
        site.change("index.html", |text| text.replace(HEAD, &format!("{HEAD}{POLICY}")));
        site.name_files();
        Ok(site)
    }

    /// Changes a file of text.
    fn change(&mut self, name: &str, change: impl FnOnce(&str) -> String) {
        let file = self.0.get_mut(name).expect("the page has this file");
        *file = change(&String::from_utf8_lossy(file)).into_bytes();
    }

    /// Writes into the service worker the names of all files and their edition, a hash of their content.
    fn name_files(&mut self) {
        let mut hasher = blake3::Hasher::new();
        for (name, bytes) in &self.0 {
            hasher.update(name.as_bytes()).update(blake3::hash(bytes).as_bytes());
        }
        let edition = &hasher.finalize().to_hex()[..16];
        let names = self.0.keys().filter(|name| *name != "sw.js" && *name != "index.html");
        let files: Vec<_> = std::iter::once("./".to_owned()).chain(names.cloned()).collect();
        let site = serde_json::json!({ "edition": edition, "files": files });
        self.change("sw.js", |text| text.replace(SITE, &format!("{NAMED}{site};")));
    }

    /// Writes the files into a folder, which is made if it does not exist; other files in it stay.
    ///
    /// # Errors
    ///
    /// Returns an error if the system does not let us write, or if a file would replace one of another site.
    pub fn write(&self, folder: &Path) -> io::Result<()> {
        let worker = fs::read_to_string(folder.join("sw.js")).unwrap_or_default();
        if !worker.contains(NAMED)
            && let Some(name) = self.0.keys().find(|name| folder.join(name).exists())
        {
            let found = format!("{name} is there, of another site");
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, found));
        }
        for (name, bytes) in &self.0 {
            let path = folder.join(name);
            fs::create_dir_all(path.parent().unwrap_or(folder))?;
            fs::write(path, bytes)?;
        }
        Ok(())
    }

    /// Returns the number of files and of their bytes.
    pub fn size(&self) -> (usize, usize) {
        (self.0.len(), self.0.values().map(Vec::len).sum())
    }
}

/// Returns the page of help on a topic, with links to the files beside it; a link to help that has no file becomes plain text.
fn help(topic: Topic) -> String {
    let page = topic.page().replace("href=\"/\"", "href=\"../\"");
    let mut parts = page.split("href=\"/help/");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find(['"', '#']).unwrap_or(part.len());
        let (name, rest) = part.split_at(end);
        if TOPICS.contains(&name) {
            text.extend(["href=\"", name, ".html", rest]);
        } else {
            // A link without an address is shown as its text.
            text.push_str(rest.split_once('"').map_or("", |(_, rest)| rest));
        }
    }
    text
}
