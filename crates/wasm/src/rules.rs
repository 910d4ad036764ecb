//! Requests about rule sets, and reviews of games of any notation.

use std::sync::Arc;

use http::StatusCode;
use puabi_answers::{
    AgentView, ApiError, ApiResult, Choice, ChooseBody, NamedRules, NoQuery, ProgressView,
    Question, ReviewBody, Reviewed, RulesLine, RulesView, StakesQuery, ensure_plies, ensure_short,
    parse_agent, read_object, roster, unsuitable_agent_error,
};
use puabi_core::Record;
use puabi_engine::{CubeReview, Review};
use puabi_report::Page;

use crate::engine::Engine;
use crate::request::{ApiRequest, Reply, no_route_error, parse_query};
use crate::tables::{Judge, shared};

/// The most plies of a game to review.
const MAX_PLIES: usize = 10_000;

fn line(engine: &Engine, named: &NamedRules) -> RulesLine {
    RulesLine::new(named, engine.tables.view(named))
}

fn view(engine: &Engine, named: &NamedRules) -> RulesView {
    RulesView::new(named, engine.tables.known(named), engine.tables.view(named))
}

/// Lists the rule sets.
pub(crate) fn list(engine: &mut Engine) -> ApiResult<Reply> {
    let known = engine.catalog.list();
    Reply::ok(&known.iter().map(|named| line(engine, named)).collect::<Vec<_>>())
}

/// Keeps a rule file.
pub(crate) fn keep(engine: &mut Engine, text: &str) -> ApiResult<Reply> {
    let named = engine.catalog.keep(text)?;
    let mut reply = Reply::json(StatusCode::CREATED, &line(engine, &named))?;
    let is_file = named.rules.rule_set().preset().is_none();
    let file = || [named.name.clone(), named.rules.rule_set().to_toml()];
    reply.keep_rules.extend(is_file.then(file));
    Ok(reply)
}

/// Describes the game of a rule file, without keeping it.
pub(crate) fn attempt(engine: &mut Engine, text: &str) -> ApiResult<Reply> {
    let named = engine.catalog.preview(text)?;
    Reply::ok(&view(engine, &named))
}

/// Takes a kept rule file away.
pub(crate) fn remove(engine: &mut Engine, name: &str) -> ApiResult<Reply> {
    engine.catalog.remove(name)?;
    let mut reply = Reply::new(StatusCode::NO_CONTENT, "application/json", Vec::new());
    reply.drop_rules = Some(name.to_owned());
    Ok(reply)
}

/// Returns the rules of a game, whatever is kept under their name.
pub(crate) fn of_game(engine: &mut Engine, record: &Record) -> ApiResult<Reply> {
    let named = engine.catalog.of_game(record.game.rules());
    Reply::ok(&view(engine, &named))
}

/// Answers a request about one rule set.
pub(crate) fn one(
    engine: &mut Engine,
    request: &ApiRequest,
    ((method, query), name, rest): ((&str, &str), &str, &[&str]),
) -> ApiResult<Reply> {
    let named = engine.catalog.find(name)?;
    match (method, rest) {
        ("GET", []) => Reply::ok(&view(engine, &named)),
        ("GET", ["agents"]) => {
            let agents: Vec<AgentView> = roster(&named.rules, &[]);
            Reply::ok(&agents)
        }
        ("GET", ["positions", text]) => {
            let NoQuery {} = parse_query(query)?;
            let question = Question::read(&named.rules, text)?;
            let judge = engine.tables.judge(&named)?;
            Reply::ok(&judge.answer(question, &named.rules))
        }
        ("GET", ["positions", text, "cube"]) => cube(engine, &named, (text, query)),
        ("POST", ["choose"]) => choose(engine, &named, &read_object(request.body.as_bytes())?),
        ("POST", ["solve"]) => {
            let (progress, is_new) = engine.tables.begin(&named)?;
            let mut reply = Reply::json(StatusCode::ACCEPTED, &ProgressView::from(progress))?;
            reply.solve = is_new.then(|| solvable(&named));
            Ok(reply)
        }
        ("GET", ["table"]) => Reply::ok(&engine.tables.view(&named)),
        // The text that another worker is to solve; that worker knows no rule files.
        ("GET", ["solvable"]) => Reply::ok(&solvable(&named)),
        _ => Err(no_route_error(&request.path)),
    }
}

/// Returns what a position is worth in a game with a doubling cube.
fn cube(
    engine: &mut Engine,
    named: &Arc<NamedRules>,
    (text, query): (&str, &str),
) -> ApiResult<Reply> {
    let stakes = parse_query::<StakesQuery>(query)?.read()?;
    let question = Question::read(&named.rules, text)?;
    let values = engine.tables.cube(named, stakes)?.ok_or_else(|| {
        let message = format!("{} is not solved with {stakes}, which takes long", named.name);
        ApiError::conflict(message).expected("fewer pieces, or a shorter match")
    })?;
    Reply::ok(&question.with_cube(&named.rules, stakes, &**values))
}

/// Returns the text by which another worker knows these rules.
fn solvable(named: &NamedRules) -> String {
    let rule_set = named.rules.rule_set();
    rule_set.preset().map_or_else(|| rule_set.to_toml(), |_| named.name.clone())
}

fn choose(engine: &mut Engine, named: &Arc<NamedRules>, body: &ChooseBody) -> ApiResult<Reply> {
    let rules = &named.rules;
    let question = Question::read(rules, &body.position)?;
    let spec = parse_agent("agent", &body.agent, &[])?;
    let roll = body.asked_roll(rules, question)?;
    let table = spec.needs_values().then(|| engine.tables.obtain(named)).transpose()?;
    let values = table.as_deref().map(shared);
    let agent = spec
        .build(rules, values)
        .map_err(|error| unsuitable_agent_error("agent", &spec, &error))?;
    let decision = rules.decision(question.position, roll).by(question.turn);
    let seed = body.seed.map_or(0, |seed| seed.0);
    Reply::ok(&Choice::drawn(&decision, question.turn, agent.policy(&decision), seed)?)
}

fn read(engine: &mut Engine, request: &ApiRequest) -> ApiResult<(Record, Vec<String>)> {
    let body: ReviewBody = read_object(request.body.as_bytes())?;
    body.read(|name| Ok(Arc::clone(&engine.catalog.find(name)?.rules)))
}

fn judged(engine: &mut Engine, record: &Record) -> ApiResult<Review> {
    ensure_plies(record, MAX_PLIES)?;
    let named = engine.catalog.of_rule_set(record.game.rules().rule_set())?;
    let judge = engine.tables.judge(&named)?;
    if matches!(judge, Judge::Search(_)) {
        ensure_short(record.game.plies().len())?;
    }
    Ok(Review::by(judge.source(), record, judge.values()))
}

/// Returns what was given away with the cube of a game, if it has one and is solved with it.
fn cube_review(engine: &mut Engine, record: &Record) -> ApiResult<Option<CubeReview>> {
    let Some(stakes) = record.stakes_at_start() else { return Ok(None) };
    let named = engine.catalog.of_rule_set(record.game.rules().rule_set())?;
    let values = engine.tables.cube(&named, stakes)?;
    Ok(values.and_then(|values| CubeReview::new(record, &**values)))
}

/// Reviews a game of any notation.
pub(crate) fn review(engine: &mut Engine, request: &ApiRequest) -> ApiResult<Reply> {
    let (record, remarks) = read(engine, request)?;
    reviewed(engine, &record, remarks)
}

/// Reviews a game as one page of HTML.
pub(crate) fn review_page(engine: &mut Engine, request: &ApiRequest) -> ApiResult<Reply> {
    let (record, _) = read(engine, request)?;
    let review = judged(engine, &record)?;
    let cube = cube_review(engine, &record)?;
    let page = Page { review: &review, cube: cube.as_ref(), rules: record.game.rules() }.html();
    Ok(Reply::new(StatusCode::OK, "text/html; charset=utf-8", page.into_bytes()))
}

/// Returns the review of a game.
pub(crate) fn reviewed(
    engine: &mut Engine,
    record: &Record,
    remarks: Vec<String>,
) -> ApiResult<Reply> {
    let (review, cube) = (judged(engine, record)?, cube_review(engine, record)?);
    Reply::ok(&Reviewed::new(record, remarks, review).with_cube(cube))
}
