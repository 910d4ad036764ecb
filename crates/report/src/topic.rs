//! Help on topics: what the documents say, as text for the terminal and as pages for the browser.

mod plain;

use maud::{DOCTYPE, PreEscaped, html};
use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd};

use crate::page::CSS;

/// A topic of help, and the document that describes it.
///
/// ```
/// use puabi_report::Topic;
/// let topic = Topic::find("positions").expect("there is help on positions");
/// assert!(topic.text(80).starts_with("Positions\n---------\n"));
/// assert!(topic.page().contains("<h2>Positions</h2>"));
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Topic {
    /// The name by which people ask for it.
    pub name: &'static str,
    /// What the topic is, in a few words.
    pub about: &'static str,
    document: &'static str,
    /// The title of the section; `None` if the topic is the whole document.
    section: Option<&'static str>,
}

const NOTATION: &str = include_str!("../../../docs/notation.md");
const RULES: &str = include_str!("../../../docs/rules.md");
const REVIEW: &str = include_str!("../../../docs/review.md");
const METHOD: &str = include_str!("../../../docs/method.md");
const API: &str = include_str!("../../../docs/api.md");
const PROTOCOL: &str = include_str!("../../../docs/protocol.md");
const FORMAT: &str = include_str!("../../../docs/format.md");

const fn whole(name: &'static str, about: &'static str, document: &'static str) -> Topic {
    Topic { name, about, document, section: None }
}

const fn section(
    name: &'static str,
    about: &'static str,
    document: &'static str,
    title: &'static str,
) -> Topic {
    Topic { name, about, document, section: Some(title) }
}

impl Topic {
    /// All topics.
    pub const ALL: [Self; 13] = [
        section("tiles", "squares of a path and tiles of the board", NOTATION, "Squares and tiles"),
        section("positions", "how positions are written", NOTATION, "Positions"),
        section("moves", "how moves are written", NOTATION, "Moves"),
        section("records", "how games are written", NOTATION, "Game records"),
        section("agents", "the programs that play, by their names", NOTATION, "Agents"),
        section("brains", "the files of players with weights", NOTATION, "Brains"),
        whole("notation", "how positions, moves, games and agents are written", NOTATION),
        whole("rules", "rule files: every key, and boards of your own", RULES),
        whole("review", "how a game is judged: luck, errors, accuracy", REVIEW),
        whole("method", "how a game is solved, and what every number means", METHOD),
        whole("api", "the requests that the server answers", API),
        whole("protocol", "how programs play as engines for each other", PROTOCOL),
        whole("format", "the files of tables, byte by byte", FORMAT),
    ];

    /// Returns the topic with this name.
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|topic| topic.name == name)
    }

    fn markdown(self) -> &'static str {
        self.section.map_or(self.document, |title| section_of(self.document, title))
    }

    /// Returns the help as plain text, in lines of at most `width` columns if their words allow it.
    pub fn text(self, width: usize) -> String {
        plain::plain(self.markdown(), width)
    }

    /// Returns the help as an HTML page; links to other topics are under `/help/`.
    pub fn page(self) -> String {
        let mut body = String::new();
        let mut links = Vec::new();
        let events = Parser::new_ext(self.markdown(), Options::ENABLE_TABLES);
        pulldown_cmark::html::push_html(
            &mut body,
            events.filter_map(|event| followable(event, &mut links)),
        );
        let page = html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width";
                    title { "Help: " (self.about) }
                    style { (PreEscaped(CSS)) (PreEscaped(STYLE)) }
                }
                body {
                    p class="topics" {
                        a href="/" { "Puabi" }
                        @for topic in Self::ALL { " " a href=(format!("/help/{}", topic.name)) title=(topic.about) { (topic.name) } }
                    }
                    main { (PreEscaped(body)) }
                }
            }
        };
        page.into_string()
    }
}

const STYLE: &str = "pre{overflow-x:auto;background:var(--tile);padding:.6rem}.topics a{margin-right:.8em}main table{display:block;overflow-x:auto}th,td{text-align:left}";

/// Returns the section with this title and everything below it.
fn section_of<'d>(document: &'d str, title: &str) -> &'d str {
    let heading = format!("## {title}\n");
    let Some(start) = document.find(&heading) else { return document };
    let rest = &document[start..];
    let mut is_code = false;
    let mut end = rest.len();
    let mut at = heading.len();
    for line in rest[heading.len()..].split_inclusive('\n') {
        is_code ^= line.starts_with("```");
        if !is_code && line.starts_with("## ") {
            end = at;
            break;
        }
        at += line.len();
    }
    rest[..end].trim_end()
}

/// Returns the event, with links to documents changed to links to their topics; `None` for a link to a file that the reader
/// does not have. `open` says, for each link that has not ended yet, whether it is kept.
fn followable<'e>(event: Event<'e>, open: &mut Vec<bool>) -> Option<Event<'e>> {
    match event {
        Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
            let found = address(&dest_url);
            open.push(found.is_some());
            let dest_url = CowStr::from(found?);
            Some(Event::Start(Tag::Link { link_type, dest_url, title, id }))
        }
        Event::End(TagEnd::Link) => open.pop().is_some_and(|kept| kept).then_some(event),
        other => Some(other),
    }
}

/// Returns where a link of a document leads in the browser.
fn address(link: &str) -> Option<String> {
    if link.starts_with("https://") {
        return Some(link.to_owned());
    }
    let file = link.split('#').next()?;
    let topic = Topic::find(file.strip_suffix(".md")?)?;
    Some(format!("/help/{}", topic.name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_topic_has_its_words_and_no_file_that_the_reader_lacks() {
        for topic in Topic::ALL {
            let (text, page) = (topic.text(80), topic.page());
            let title = topic.section.map(|title| format!("{title}\n---"));
            assert!(title.is_none_or(|title| text.starts_with(&title)), "{}", topic.name);
            assert!(text.len() > 300 && page.len() > 1000, "{}", topic.name);
            assert!(!text.contains("]("), "{}", topic.name);
            let fits = |line: &str| line.chars().count() <= 80 || !line.trim().contains(' ');
            assert!(text.lines().all(fits), "{}", topic.name);
            assert!(!page.contains(".md\"") && !page.contains(".md#"), "{}", topic.name);
        }
    }

    #[test]
    fn a_section_ends_where_the_next_begins() {
        let document = "# A\n\n## B\nb\n```\n## c\n```\n### D\nd\n\n## E\ne\n";
        assert_eq!(section_of(document, "B"), "## B\nb\n```\n## c\n```\n### D\nd");
        assert_eq!(section_of(document, "E"), "## E\ne");
    }
}
