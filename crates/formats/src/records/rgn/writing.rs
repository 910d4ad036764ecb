//! Writing RGN.

use std::borrow::Cow;
use std::fmt::Write as _;

use indexmap::IndexMap;
use puabi_core::{Game, Player, Ply, Record};

use super::tags::{END, OWN, START, quoted};
use super::tiles::{Tiles, marks, name};

use crate::records::conversion::{Written, has_comment_on_end};
use crate::records::tags as record_tags;

/// The most characters of a line, as `RoyalUr` breaks it; a longer pair of turns is broken between actions.
const WIDTH: usize = 59;

pub(crate) fn write(record: &Record) -> Written {
    let mut text = String::new();
    let (tags, has_name_clash) = all_tags(record);
    for (name, value) in tags {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "[{} {}]", quoted(name), quoted(&value));
    }
    let mut pairs = pairs(record);
    let last = pairs.last_mut().and_then(|pair| pair.last_mut());
    if let Some(last) = last.filter(|_| record.winner().is_some() || record.ending.is_some()) {
        last.push('#');
    }
    if !text.is_empty() && !pairs.is_empty() {
        text.push('\n');
    }
    text += &pairs.iter().map(|pair| wrapped(pair)).collect::<Vec<_>>().join("\n");
    Written { text: text + "\n", lost: lost(record, has_name_clash) }
}

/// Returns all tags, and whether other tags are left out because their names are taken.
fn all_tags(record: &Record) -> (IndexMap<&str, Cow<'_, str>>, bool) {
    let (mut tags, has_name_clash) = record_tags::tags(record, &OWN);
    if !record.game.starts_as_usual() {
        tags.insert(START, record.game.start().to_string().into());
    }
    if let Some(ending) = record.ending.filter(|_| !record.game.is_over()) {
        tags.insert(END, ending.to_string().into());
    }
    (tags, has_name_clash)
}

fn lost(record: &Record, has_name_clash: bool) -> Vec<&'static str> {
    let any = |test: fn(&puabi_core::Note) -> bool| record.notes().any(|(_, note)| test(note));
    let losses = [
        (record.game.rules().rule_set().preset().is_none(), "the rules, which are not a preset"),
        (has_name_clash, record_tags::NAME_CLASH),
        (any(|note| note.millis() > 0), "the times"),
        (any(|note| !note.tags.is_empty()), "the tags of plies"),
        (any(|note| note.comment().contains('}')), "closing braces in comments"),
        (has_comment_on_end(record), "the comment on the end"),
    ];
    losses.into_iter().filter(|&(is_lost, _)| is_lost).map(|(_, what)| what).collect()
}

/// Returns the actions of each pair of turns, light's before dark's.
fn pairs(record: &Record) -> Vec<Vec<String>> {
    let mut pairs: Vec<Vec<String>> = Vec::new();
    let mut turns = 0_usize;
    let mut last = None;
    let mut start = comments(record, 0);
    for (action, player) in actions(record) {
        let mut sign = String::new();
        if last != Some(player) {
            turns += 1;
            sign = match player {
                // If dark begins, light's first turn still has number 1.
                Player::Light => format!("{}. ", turns.div_ceil(2)),
                Player::Dark => "/ ".to_owned(),
            };
            last = Some(player);
        }
        if pairs.is_empty() || (player == Player::Light && !sign.is_empty()) {
            pairs.push(std::mem::take(&mut start));
        }
        if let Some(pair) = pairs.last_mut() {
            pair.push(sign + &action);
        }
    }
    if !start.is_empty() {
        pairs.push(start);
    }
    pairs
}

/// Returns every action with its comment; a roll that waits for its move comes last.
fn actions(record: &Record) -> impl Iterator<Item = (String, Player)> {
    let game = &record.game;
    let tiles = Tiles::new(game.rules());
    let plies = game.plies().iter().zip(1..).map(move |(ply, moment)| {
        let comments = comments(record, moment);
        (with(action(game, &tiles, ply), &comments), ply.player)
    });
    let waiting = game.turn().zip(game.thrown()).map(|(player, roll)| {
        let comments = comments(record, game.plies().len() + 1);
        (with(format!("{roll} --"), &comments), player)
    });
    plies.chain(waiting)
}

fn with(action: String, comments: &[String]) -> String {
    comments.iter().fold(action, |action, comment| format!("{action} {comment}"))
}

fn comments(record: &Record, moment: usize) -> Vec<String> {
    let comment = record.note(moment).map_or("", |note| note.comment());
    comment.lines().map(|line| format!("{{{}}}", line.replace('}', ")"))).collect()
}

fn action(game: &Game, tiles: &Tiles, ply: &Ply) -> String {
    let name = name(game.rules(), ply.player, ply.action);
    if name.is_empty() {
        return format!("{} --", ply.roll);
    }
    let decision = game.rules().decision(ply.before, ply.roll);
    let (captures, on_rosette) = marks(&decision, ply.action);
    let (capture, star) = (if captures { "x" } else { "" }, if on_rosette { " *" } else { "" });
    let mine = ply.before.mine().squares();
    let read = tiles.parse(game.rules(), (ply.player, mine), &name, None);
    let is_clear = read.is_ok_and(|read| read == (ply.roll, ply.action));
    let roll = if is_clear { String::new() } else { format!("{}:", ply.roll) };
    format!("{roll}{name}{capture}{star}")
}

/// Joins the actions of a pair, on several lines if one would be too long.
fn wrapped(pair: &[String]) -> String {
    let mut text = String::new();
    let mut width = 0;
    for action in pair {
        let length = action.chars().count();
        if width > 0 {
            let fits = width + 1 + length <= WIDTH;
            text.push(if fits { ' ' } else { '\n' });
            width = if fits { width + 1 } else { 0 };
        }
        text += action;
        width += length;
    }
    text
}
