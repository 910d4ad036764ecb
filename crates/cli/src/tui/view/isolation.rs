//! Arabic on the screen: a terminal that reverses words from the right must keep the parts of a row in their order.

use ratatui::prelude::*;

use crate::output::text;

/// Encloses every part of a row with Arabic words, so that the text beside it keeps its order.
///
/// The characters for this take no room. Each is stored in a cell with another character, so that it goes when that cell is drawn
/// over.
pub(super) fn isolate(buffer: &mut Buffer) {
    let area = buffer.area;
    for y in area.top()..area.bottom() {
        let mut signs: Vec<_> =
            (area.left()..area.right()).map(|x| text::bare(buffer[(x, y)].symbol())).collect();
        for (first, last, open) in parts(&signs) {
            if let Some(before) = first.checked_sub(1) {
                signs[before].push(open);
            }
            signs[last].push(text::CLOSE);
        }
        for (x, sign) in (area.left()..).zip(&signs) {
            buffer[(x, y)].set_symbol(sign);
        }
    }
}

/// Returns the first and the last cell of each part with Arabic words, and the character that opens the part.
fn parts(signs: &[String]) -> Vec<(usize, usize, char)> {
    let is_blank = |at: usize| signs.get(at).is_none_or(|sign| sign == " ");
    let is_drawn = |at: usize| {
        let sign = signs.get(at).and_then(|sign| sign.chars().next());
        sign.is_none_or(|sign| ('\u{2500}'..='\u{25ff}').contains(&sign))
    };
    let ends = |at: usize| is_blank(at) || is_drawn(at);
    let is_gap = |&at: &usize| {
        is_drawn(at) || is_blank(at) && (ends(at + 1) || at.checked_sub(1).is_none_or(ends))
    };
    let cells: Vec<usize> = (0..signs.len()).collect();
    let parts = cells.chunk_by(|one, next| is_gap(one) == is_gap(next));
    let part = |cells: &[usize]| {
        let (&first, &last) = (cells.first()?, cells.last()?);
        Some((first, last, text::opening(&signs[first..=last].concat())?))
    };
    parts.filter_map(part).collect()
}
