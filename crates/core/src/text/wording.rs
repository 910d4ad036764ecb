//! Words of error messages: the known name nearest to a mistyped one, and texts cut short.

use std::borrow::Cow;

/// Returns whether a letter may not stand in a name: a control character, or one that turns the direction of the text after it.
///
/// ```
/// use puabi_core::wording::is_control;
/// assert!(is_control('\n') && is_control('\u{202e}'));
/// assert!(!is_control('a') && !is_control('ش'));
/// ```
pub fn is_control(letter: char) -> bool {
    letter.is_control() || matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Returns what a name of at most `most` characters has to be like.
pub fn names(most: usize) -> String {
    format!(
        "1 to {most} characters, no space at either end, none that controls text or turns its direction"
    )
}

/// Returns the name of `known` that `word` is most likely a misspelling of, if any is close.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // A longer word is hardly a misspelling, and the distance takes quadratic time.
    if word.len() > 64 {
        return None;
    }
    let word = word.to_lowercase();
    let allowed = (word.chars().count() / 3).clamp(1, 4);
    known
        .into_iter()
        .map(|name| (distance(&word, name), name))
        .filter(|&(distance, _)| distance <= allowed)
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, name)| name)
}

/// Returns `expected ...`, after `did you mean ...?` if `word` is close to a known name.
pub fn expected<'a>(
    word: &str,
    known: impl IntoIterator<Item = &'a str>,
    expectation: &str,
) -> String {
    match nearest(word, known) {
        Some(name) => format!("did you mean `{name}`? Expected {expectation}"),
        None => format!("expected {expectation}"),
    }
}

/// Returns the number of letters to insert, delete, change or swap with the next one to turn one word into the other.
fn distance(left: &str, right: &str) -> usize {
    let (left, right): (Vec<_>, Vec<_>) = (left.chars().collect(), right.chars().collect());
    let mut rows = vec![(0..=right.len()).collect::<Vec<_>>()];
    for i in 1..=left.len() {
        let mut row = vec![i];
        for j in 1..=right.len() {
            let changed = rows[i - 1][j - 1] + usize::from(left[i - 1] != right[j - 1]);
            let mut best = changed.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            let swapped =
                i > 1 && j > 1 && left[i - 1] == right[j - 2] && left[i - 2] == right[j - 1];
            if swapped {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[left.len()][right.len()]
}

/// Returns the beginning of a text that may be long, with `...` if something is left out; invisible characters are escaped.
///
/// ```
/// assert_eq!(puabi_core::wording::excerpt("A4\0"), r"A4\u{0}");
/// ```
pub fn excerpt(text: &str) -> Cow<'_, str> {
    let end = text.char_indices().nth(80).map(|(end, _)| end);
    let begin = &text[..end.unwrap_or(text.len())];
    let is_unseen = |letter: char| is_control(letter) || letter == '\u{feff}';
    if end.is_none() && !begin.contains(is_unseen) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(begin.len() + 3);
    for letter in begin.chars() {
        if is_unseen(letter) {
            shown.extend(letter.escape_default());
        } else {
            shown.push(letter);
        }
    }
    shown.push_str(if end.is_some() { "..." } else { "" });
    Cow::Owned(shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_recognised_and_other_words_are_not() {
        let known = ["finkel", "blitz", "masters", "masters-4d"];
        assert_eq!(nearest("finkle", known), Some("finkel"));
        assert_eq!(nearest("Finkel", known), Some("finkel"));
        assert_eq!(nearest("master", known), Some("masters"));
        assert_eq!(nearest("masters4d", known), Some("masters-4d"));
        assert_eq!(nearest("chess", known), None);
        assert_eq!(nearest("", known), None);
    }

    #[test]
    fn the_distance_counts_letters_inserted_deleted_changed_and_swapped() {
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("same", "same"), 0);
        assert_eq!(distance("dcie", "dice"), 1);
    }
}
