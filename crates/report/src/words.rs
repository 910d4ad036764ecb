//! What several pages say in the same way.

/// Returns a number of things in words.
pub(crate) fn counted(count: usize, name: &str) -> String {
    match (count, name.strip_suffix('y')) {
        (1, _) => format!("1 {name}"),
        (_, Some(stem)) => format!("{count} {stem}ies"),
        _ => format!("{count} {name}s"),
    }
}
