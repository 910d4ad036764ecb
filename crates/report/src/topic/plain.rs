//! Markdown as plain text for a terminal: lines no longer than the terminal is wide, tables in columns.

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};
use textwrap::WordSplitter::NoHyphenation;
use textwrap::core::display_width;

/// Returns the text of a document in lines of at most `width` columns, as far as its words allow.
pub(super) fn plain(markdown: &str, width: usize) -> String {
    let mut page = Page { width, ..Page::default() };
    for event in Parser::new_ext(markdown, Options::ENABLE_TABLES) {
        page.take(event);
    }
    page.text.trim_end().to_owned()
}

/// A page that is being written.
#[derive(Debug, Default)]
struct Page {
    width: usize,
    text: String,
    /// The words of the paragraph, cell or code that is being read.
    words: String,
    /// The lists that are open, each with the number of its next item if it has numbers.
    lists: Vec<Option<u64>>,
    /// The mark of the list item that has just begun.
    mark: String,
    /// The cells of the table that is being read.
    rows: Vec<Vec<String>>,
}

impl Page {
    fn take(&mut self, event: Event<'_>) {
        match event {
            Event::Text(text) => self.words.push_str(&text),
            Event::Code(code) => self.words.extend(["`", &*code, "`"]),
            Event::SoftBreak => self.words.push(' '),
            Event::HardBreak => self.words.push('\n'),
            Event::Start(tag) => self.begin(&tag),
            Event::End(tag) => self.end(tag),
            _ => {}
        }
    }

    fn begin(&mut self, tag: &Tag<'_>) {
        match tag {
            Tag::List(first) => {
                // The words of an item end where a list within it begins.
                self.paragraph();
                self.lists.push(*first);
            }
            Tag::Item => {
                self.mark = match self.lists.last_mut() {
                    Some(Some(number)) => {
                        *number += 1;
                        format!("{}. ", *number - 1)
                    }
                    _ => "- ".to_owned(),
                };
            }
            Tag::TableHead | Tag::TableRow => self.rows.push(Vec::new()),
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Heading(level) => self.heading(level),
            TagEnd::Paragraph => {
                self.paragraph();
                self.text.push('\n');
            }
            TagEnd::Item => self.paragraph(),
            TagEnd::List(_) => {
                self.lists.pop();
                if self.lists.is_empty() && !self.text.ends_with("\n\n") {
                    self.text.push('\n');
                }
            }
            TagEnd::CodeBlock => self.code(),
            TagEnd::TableCell => {
                let cell = std::mem::take(&mut self.words);
                if let Some(row) = self.rows.last_mut() {
                    row.push(cell);
                }
            }
            TagEnd::Table => self.table(),
            _ => {}
        }
    }

    fn heading(&mut self, level: HeadingLevel) {
        let title = std::mem::take(&mut self.words);
        let line = match level {
            HeadingLevel::H1 => "=",
            HeadingLevel::H2 => "-",
            _ => "",
        };
        let line = line.repeat(display_width(&title));
        let gap = if self.text.is_empty() { "" } else { "\n" };
        let end = if line.is_empty() { "\n" } else { "\n\n" };
        self.text.extend([gap, &title, "\n", &line, end]);
    }

    /// Writes the words in lines, behind the mark of their item.
    fn paragraph(&mut self) {
        let words = std::mem::take(&mut self.words);
        if words.is_empty() {
            return;
        }
        let mark = std::mem::take(&mut self.mark);
        let outer = "  ".repeat(self.lists.len().saturating_sub(1));
        let (first, rest) = match (self.lists.len(), display_width(&mark)) {
            (0, _) => (String::new(), String::new()),
            (_, 0) => (format!("{outer}  "), format!("{outer}  ")),
            (_, width) => (format!("{outer}{mark}"), format!("{outer}{}", " ".repeat(width))),
        };
        for line in words.split('\n') {
            let filled = fill(line, self.width, &first, &rest);
            self.text.extend([&filled, "\n"]);
        }
    }

    /// Writes code in its own lines; a line that is too long continues with a deeper indent.
    fn code(&mut self) {
        for line in std::mem::take(&mut self.words).trim_end().lines() {
            let margin = &line[..line.len() - line.trim_start().len()];
            let (first, rest) = (format!("  {margin}"), format!("  {margin}    "));
            if display_width(line) + 2 <= self.width {
                self.text.extend(["  ", line]);
            } else {
                self.text.push_str(&fill(line.trim_start(), self.width, &first, &rest));
            }
            self.text.push('\n');
        }
        self.text.push('\n');
    }

    /// Writes a table in columns, with the words of each cell in as many lines as they need.
    fn table(&mut self) {
        let rows = std::mem::take(&mut self.rows);
        let widths = widths(&rows, self.width);
        if widths.len() > 3 && rows.iter().any(|row| is_squeezed(row, &widths)) {
            return self.entries(&rows);
        }
        for (number, row) in rows.iter().enumerate() {
            self.row(row, &widths);
            if number == 0 {
                let lines: Vec<_> = widths.iter().map(|&width| "-".repeat(width)).collect();
                self.text.extend([&lines.join("  "), "\n"]);
            }
        }
        self.text.push('\n');
    }

    /// Writes a table whose columns are too narrow for its cells: each row is an entry, with its cells behind their headings.
    fn entries(&mut self, rows: &[Vec<String>]) {
        let Some((headings, rows)) = rows.split_first() else { return };
        for row in rows {
            let cells = headings.iter().zip(row).enumerate();
            for (at, (heading, cell)) in cells.filter(|(_, (_, cell))| !cell.is_empty()) {
                let (line, margin) = match at {
                    0 => (cell.clone(), ""),
                    _ => (format!("{heading}: {cell}"), "    "),
                };
                self.text.extend([&fill(&line, self.width, margin, "      "), "\n"]);
            }
        }
        self.text.push('\n');
    }

    fn row(&mut self, row: &[String], widths: &[usize]) {
        let wrapped = |(cell, &width): (&String, &usize)| {
            textwrap::wrap(cell, options(width))
                .into_iter()
                .map(std::borrow::Cow::into_owned)
                .collect::<Vec<_>>()
        };
        let cells: Vec<_> = row.iter().zip(widths).map(wrapped).collect();
        for at in 0..cells.iter().map(Vec::len).max().unwrap_or_default() {
            let mut line = String::new();
            for (cell, width) in cells.iter().zip(widths) {
                let words = cell.get(at).map_or("", String::as_str);
                let room = width.saturating_sub(display_width(words));
                line.extend([words, &" ".repeat(room + 2)]);
            }
            self.text.extend([line.trim_end(), "\n"]);
        }
    }
}

fn options<'o>(width: usize) -> textwrap::Options<'o> {
    textwrap::Options::new(width).word_splitter(NoHyphenation)
}

fn fill(words: &str, width: usize, first: &str, rest: &str) -> String {
    let options = options(width).break_words(false).initial_indent(first).subsequent_indent(rest);
    textwrap::fill(words, options)
}

/// Returns whether a cell stands in a column that is much too narrow for it.
fn is_squeezed(row: &[String], widths: &[usize]) -> bool {
    row.iter().zip(widths).any(|(cell, &width)| width < 24 && display_width(cell) > 2 * width)
}

/// Returns the widths with which all columns of a table fit: narrow columns keep their width, the others share the rest equally.
fn widths(rows: &[Vec<String>], width: usize) -> Vec<usize> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
    let widest = |at: usize| {
        let cells = rows.iter().filter_map(|row| row.get(at));
        cells.map(|cell| display_width(cell)).max().unwrap_or_default()
    };
    let mut widths: Vec<_> = (0..columns).map(widest).collect();
    let mut left = width.saturating_sub(2 * columns.saturating_sub(1));
    let mut by_width: Vec<_> = (0..columns).collect();
    by_width.sort_by_key(|&at| widths[at]);
    for (done, at) in by_width.into_iter().enumerate() {
        let share = (left / (columns - done)).max(1);
        widths[at] = widths[at].min(share);
        left = left.saturating_sub(widths[at]);
    }
    widths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_fill_the_lines_and_items_hang_behind_their_mark() {
        let text = plain(
            "# Title\n\none two three\nfour\n\n- five six *seven* eight\n  - `nine` ten\n1. eleven\n",
            16,
        );
        let expected = "Title\n=====\n\none two three\nfour\n\n- five six seven\n  eight\n  - `nine` ten\n\n1. eleven";
        assert_eq!(text, expected);
    }

    #[test]
    fn code_keeps_its_lines_and_long_ones_go_on_further_in() {
        let text = plain("```\nshort\n  a long line of code\n```\nend", 18);
        assert_eq!(text, "  short\n    a long line of\n        code\n\nend");
    }

    #[test]
    fn tables_stand_in_columns_that_fit() {
        let text = plain("| a | meaning |\n| --- | --- |\n| `x` | one two three four |\n", 16);
        assert_eq!(text, "a    meaning\n---  -----------\n`x`  one two\n     three four");
    }
}
