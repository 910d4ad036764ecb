//! Requests about games: about those in progress, and about those that are kept.

use std::sync::Arc;

use http::StatusCode;
use puabi_answers::{
    AgentTask, ApiError, ApiResult, DoubleBody, Entry, Filter, GameList, GameView, Marks, MoveBody,
    NewGame, Play, PlayedEntry, Progress, Question, ResignBody, RollBody, SolvedCube, Undo, Whose,
    ending, name, plies, read_object, unsuitable_agent_error, winner,
};
use puabi_core::{Player, Record};
use puabi_engine::{AgentSpec, CubeJudge};
use puabi_formats::Notation;

use crate::engine::Engine;
use crate::request::{ApiRequest, Reply, Row, no_route_error, parse_query};
use crate::rules::{self, reviewed};
use crate::tables::shared;

/// The largest number of games on one page of a list.
const PAGE: usize = 50;
/// The largest number of games that a player's progress is made of.
const PLAYED: usize = 1000;

impl Row {
    /// Returns a game as it is to be kept; `began` is the time when it began, and `now` the time of this change.
    pub(crate) fn new(id: i64, record: &Record, (began, now): (i64, i64)) -> Self {
        let entry = Entry {
            id,
            rules: record.game.rules().rule_set().to_string(),
            light: name(record, Player::Light),
            dark: name(record, Player::Dark),
            started: began,
            changed: now,
            plies: plies(record),
            winner: winner(record).map(str::to_owned),
            ending: ending(record).map(str::to_owned),
        };
        Self { entry, record: record.to_string(), marks: Marks::default() }
    }

    fn read(&self) -> ApiResult<Record> {
        let number = self.entry.id;
        self.record.parse().map_err(|error| {
            ApiError::conflict(format!("the record of game {number} is damaged: {error}"))
        })
    }

    /// Returns the game, whose record is `record`, with `next` as the number of the next game of its match.
    fn followed_by(&self, mut record: Record, next: Option<i64>) -> Self {
        record.set_next_game(next);
        let Self { entry, marks, .. } = self.clone();
        Self { entry, record: record.to_string(), marks }
    }

    /// Returns the results of the game's review, if it is over and its rules are solved.
    fn marked(&self, engine: &mut Engine, record: &Record) -> Marks {
        let is_over = self.entry.ending.is_some();
        let rules = record.game.rules();
        let table = engine.tables.ready(rules).filter(|_| is_over);
        table.map_or_else(Marks::default, |table| Marks::of(record, &**table))
    }
}

/// Begins a game.
pub(crate) fn begin(engine: &mut Engine, request: &ApiRequest) -> ApiResult<Reply> {
    let body: NewGame = read_object(request.body.as_bytes())?;
    let named = engine.catalog.find(&body.rules)?;
    let seed = request.seed.parse().unwrap_or_default();
    let record = body.plan(named.rules.clone(), seed, Vec::new()).begin()?;
    let row = Row::new(request.id, &record, (request.now, request.now));
    let mut reply =
        Reply::json(StatusCode::CREATED, &view(engine, request.id, &Play::new(record)))?;
    reply.keep.push(row);
    Ok(reply)
}

/// Returns the view of a game.
fn view(engine: &mut Engine, id: i64, play: &Play) -> GameView {
    let known = engine.catalog.knows(play.session().rules().rule_set());
    play.view((id, known), Undo::ToChoice)
}

/// Lists games, the newest first.
pub(crate) fn list(engine: &mut Engine, request: &ApiRequest, query: &str) -> ApiResult<Reply> {
    let mut filter: Filter = parse_query(query)?;
    // Games give the name that their rules have inside the rule file.
    if let Ok(named) = engine.catalog.find(&filter.rules) {
        filter.rules = named.rules.rule_set().to_string();
    }
    let search = filter.search.to_lowercase();
    let fits = |entry: &Entry| {
        let texts = [&entry.light, &entry.dark, &entry.rules];
        (texts.iter().any(|text| text.to_lowercase().contains(&search)))
            && filter.wants(&entry.rules)
            && (filter.player.is_empty() || [&entry.light, &entry.dark].contains(&&filter.player))
    };
    let found: Vec<_> = request.games.iter().map(|row| &row.entry).filter(|it| fits(it)).collect();
    let total = i64::try_from(found.len()).unwrap_or(i64::MAX);
    let page = found.into_iter().filter(|entry| filter.after == 0 || entry.id < filter.after);
    Reply::ok(&GameList { total, games: page.take(PAGE).cloned().collect() })
}

/// Returns a player's results over time.
pub(crate) fn progress(engine: &mut Engine, request: &ApiRequest, query: &str) -> ApiResult<Reply> {
    let Whose { player } = parse_query(query)?;
    let mine = |row: &&Row| {
        row.entry.ending.is_some() && [&row.entry.light, &row.entry.dark].contains(&&player)
    };
    let (mut played, mut keep) = (Vec::new(), Vec::new());
    for row in request.games.iter().filter(mine).take(PLAYED) {
        let mut row = row.clone();
        if row.marks.light_luck.is_none() {
            row.marks = row.marked(engine, &row.read()?);
            keep.extend(row.marks.light_luck.map(|_| row.clone()));
        }
        played.push(played_entry(row));
    }
    played.reverse();
    let mut reply = Reply::ok(&Progress::new(player, played))?;
    reply.keep = keep;
    Ok(reply)
}

fn played_entry(Row { entry, marks, .. }: Row) -> PlayedEntry {
    let Entry { id, rules, light, dark, changed, plies, winner, .. } = entry;
    PlayedEntry { id, rules, light, dark, changed, plies, winner, marks }
}

/// Answers a request about one game, or changes the game.
pub(crate) fn one(
    engine: &mut Engine,
    request: &ApiRequest,
    (method, id, rest): (&str, &str, &[&str]),
) -> ApiResult<Reply> {
    let number =
        id.parse::<i64>().map_err(|error| ApiError::field("path", &request.path, error))?;
    let row = request.games.iter().find(|row| row.entry.id == number).ok_or_else(|| {
        ApiError::missing("id", id, format!("there is no game {id} in the archive"))
            .expected("the number of a game, as GET /api/games lists them")
    })?;
    match (method, rest) {
        ("DELETE", []) => {
            let mut reply = Reply::new(StatusCode::NO_CONTENT, "application/json", Vec::new());
            (reply.drop, reply.keep) = (true, before(request, number));
            return Ok(reply);
        }
        ("GET", []) => return Reply::ok(&view(engine, number, &Play::new(row.read()?))),
        ("GET", ["rules"]) => return rules::of_game(engine, &row.read()?),
        ("GET", ["review"]) => return reviewed(engine, &row.read()?, Vec::new()),
        ("GET", ["hint"]) => return hint(engine, &Play::new(row.read()?)),
        ("POST", ["next"]) => return next(engine, request, row),
        ("GET", [file]) => return record(&row.read()?, file),
        _ => {}
    }
    let mut play = Play::new(row.read()?);
    let body = request.body.as_bytes();
    match (method, rest) {
        ("POST", ["roll"]) => play.roll(read_object::<RollBody>(body)?.roll)?,
        ("POST", ["move"]) => play.play(&read_object::<MoveBody>(body)?.action)?,
        ("POST", ["double"]) => play.double()?,
        ("POST", ["answer"]) => play.answer_double(read_object::<DoubleBody>(body)?.take)?,
        ("POST", ["undo"]) => play.undo(Undo::ToChoice)?,
        ("POST", ["resign"]) => play.resign(&read_object::<ResignBody>(body)?.player)?,
        ("POST", ["step"]) => step(engine, &mut play)?,
        _ => return Err(no_route_error(&request.path)),
    };
    kept(engine, request, row, &play)
}

/// Returns the games that name game `number` as the next of their match, with that number removed.
fn before(request: &ApiRequest, number: i64) -> Vec<Row> {
    let line = format!("next: {number}\n");
    let named = request.games.iter().filter(|row| row.record.contains(&line));
    let records = named.filter_map(|row| Some((row, row.read().ok()?)));
    let before = records.filter(|(_, record)| record.next_game() == Some(number));
    before.map(|(row, record)| row.followed_by(record, None)).collect()
}

/// Returns the answer to a change, with the game that is to be kept.
fn kept(engine: &mut Engine, request: &ApiRequest, before: &Row, play: &Play) -> ApiResult<Reply> {
    let record = play.record();
    let mut row = Row::new(before.entry.id, record, (before.entry.started, request.now));
    row.marks = row.marked(engine, record);
    let mut reply = Reply::ok(&view(engine, row.entry.id, play))?;
    reply.keep.push(row);
    Ok(reply)
}

/// Lets the agent whose turn it is roll, or move.
fn step(engine: &mut Engine, play: &mut Play) -> ApiResult<Option<Player>> {
    let spec = match play.agent_task(&[])? {
        AgentTask::Roll => return play.roll(None),
        AgentTask::RollOrDouble | AgentTask::Answer => return play_cube_decision(engine, play),
        AgentTask::Move(spec) => spec,
    };
    if spec == AgentSpec::PERFECT
        && let Some(exact) = cube_of(engine, play)?
    {
        play.reply(|session| Ok(session.best_with_cube(&**exact).map(Ok)))?;
        return Ok(None);
    }
    let rules = play.session().rules();
    let table = if spec.needs_values() {
        let named = engine.catalog.of_rule_set(rules.rule_set())?;
        Some(engine.tables.obtain(&named)?)
    } else {
        None
    };
    let agent = spec.build(rules, table.as_deref().map(shared));
    let agent = agent.map_err(|error| unsuitable_agent_error("agent", &spec, &error))?;
    play.reply(|session| Ok(session.reply(&*agent)))?;
    Ok(None)
}

/// Lets an agent double, answer a double, or roll.
fn play_cube_decision(engine: &mut Engine, play: &mut Play) -> ApiResult<Option<Player>> {
    if let Some(exact) = cube_of(engine, play)? {
        play.play_cube_decision(CubeJudge::Exact(&**exact))?;
        return Ok(None);
    }
    let named = engine.catalog.of_rule_set(play.session().rules().rule_set())?;
    let (judge, position) = (engine.tables.judge(&named)?, play.session().game().position());
    let chance = position.map_or(0.5, |position| judge.values().value(position));
    play.play_cube_decision(CubeJudge::Chance(chance))?;
    Ok(None)
}

/// Returns the values of a game with its cube, if it has one and finding them takes only a moment.
fn cube_of(engine: &mut Engine, play: &Play) -> ApiResult<Option<Arc<SolvedCube>>> {
    let Some(stakes) = play.session().stakes() else { return Ok(None) };
    let named = engine.catalog.of_rule_set(play.session().rules().rule_set())?;
    engine.tables.cube(&named, stakes)
}

/// Begins the next game of a match; a second request returns the game that the first has begun.
fn next(engine: &mut Engine, request: &ApiRequest, row: &Row) -> ApiResult<Reply> {
    let play = Play::new(row.read()?);
    let begun = request.games.iter().find(|row| Some(row.entry.id) == play.record().next_game());
    if let Some(begun) = begun {
        let view = view(engine, begun.entry.id, &Play::new(begun.read()?));
        return Reply::json(StatusCode::CREATED, &view);
    }
    let begun = play.next()?;
    let mut reply = Reply::json(StatusCode::CREATED, &view(engine, request.id, &begun))?;
    reply.keep.push(Row::new(request.id, begun.record(), (request.now, request.now)));
    reply.keep.push(row.followed_by(row.read()?, Some(request.id)));
    Ok(reply)
}

fn hint(engine: &mut Engine, play: &Play) -> ApiResult<Reply> {
    let game = play.session().game();
    let over = || ApiError::conflict("the game is over");
    let (position, turn) = game.position().zip(play.session().turn()).ok_or_else(over)?;
    let named = engine.catalog.of_rule_set(play.session().rules().rule_set())?;
    let judge = engine.tables.judge(&named)?;
    let question = Question { position, turn, roll: game.pending() };
    let answer = judge.answer(question, &named.rules);
    let values = if game.pending().is_none() { cube_of(engine, play)? } else { None };
    let choice = values.and_then(|values| play.session().cube_choice(&**values));
    Reply::ok(&match choice.zip(play.session().stakes()) {
        Some((choice, stakes)) => answer.with_cube(choice, stakes, turn),
        None => answer,
    })
}

/// Returns the record of a game as a file.
fn record(record: &Record, file: &str) -> ApiResult<Reply> {
    let wrong = || {
        ApiError::missing("file", file, "that is not a file of a game")
            .expected("record.urg, record.rgn, record.json or record.ur")
    };
    let extension = file.strip_prefix("record.").ok_or_else(wrong)?;
    let notation: Notation = extension.parse().map_err(|_| wrong())?;
    let written = notation.write(record).map_err(ApiError::conflict)?;
    let content_type = match notation {
        Notation::Json => "application/json",
        _ => "text/plain; charset=utf-8",
    };
    let mut reply = Reply::new(StatusCode::OK, content_type, written.text.into_bytes());
    reply.left_out = written.lost.join("; ");
    Ok(reply)
}
