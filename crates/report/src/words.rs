//! Words that several pages share.

use maud::{Markup, html};

/// Returns the head of a player's column, in which a long name is cut short; the whole name is its title.
pub(crate) fn column_head(name: &str) -> Markup {
    html! { th scope="col" class="player" title=(name) { (name) } }
}

/// Returns a number with the name of the things counted.
pub(crate) fn counted(count: usize, name: &str) -> String {
    match (count, name.strip_suffix('y')) {
        (1, _) => format!("1 {name}"),
        (_, Some(stem)) => format!("{count} {stem}ies"),
        _ => format!("{count} {name}s"),
    }
}
