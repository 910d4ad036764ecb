//! A review as one HTML page that needs no other file.

use maud::{DOCTYPE, Markup, PreEscaped, html};
use puabi_core::{Move, Player, Rules};
use puabi_engine::{Class, CubeReview, Estimate, MoveAnswer, PlyReview, Review, Totals};

use crate::board;
use crate::cube;
use crate::graph::{Graph, STYLE};
use crate::words::{column_head, counted};

/// A review as one HTML page: the graph, the totals, the board at every ply.
///
/// It asks for nothing from the network. Keys step through it, a print of it shows only the plies with slips, it follows the
/// light or dark mode of the system, and it describes every board in words.
///
/// ```
/// use puabi_core::{Record, RuleSet};
/// use puabi_engine::Review;
/// use puabi_report::Page;
/// use puabi_solve::{Options, Solver, Unattended};
///
/// let record: Record = "format: urg 1\nrules: finkel:1\nlight: A<b>\n\nL 4 0-4\n".parse()?;
/// let (values, _) =
///     Solver::new(record.game.rules(), Options::default())?.solve(&Unattended, &Unattended)?;
/// let review = Review::new(&record, &values);
/// let html = Page { review: &review, cube: None, rules: record.game.rules() }.html();
/// assert!(html.starts_with("<!DOCTYPE html>") && html.contains("A&lt;b&gt;"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Page<'a> {
    /// The review of the game.
    pub review: &'a Review,
    /// The review of the cube: what was given away with it, if the game has a cube and is solved with it.
    pub cube: Option<&'a CubeReview>,
    /// The rules of the game.
    pub rules: &'a Rules,
}

pub(crate) const CSS: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

impl Page<'_> {
    /// Returns the page.
    pub fn html(self) -> String {
        let review = self.review;
        let [light, dark] = Player::BOTH.map(|player| review.name(player));
        let title = format!("{light} against {dark}, {}", review.rules);
        let body = html! {
            main {
                h1 { (title) }
                p { (self.outcome()) }
                @if let Some(caveat) = review.source.caveat() { p class="caveat" { (caveat) } }
                (self.graph())
                (board::empty(self.rules))
                div class="study" {
                    div {
                        (self.totals())
                        @if let Some(cube) = self.cube {
                            (cube::errors(cube, review.plies.len(), |player| review.name(player).to_string()))
                        }
                    }
                    div {
                        (step_buttons())
                        div id="plies" { @for ply in &review.plies { (self.ply(ply)) } }
                    }
                }
            }
            script { (PreEscaped(SCRIPT)) }
        };
        document(&title, &body)
    }

    /// Returns the graph, with the meaning of its circles.
    fn graph(self) -> Markup {
        let graph = Graph { review: self.review };
        let (begin, step) = graph.scale();
        html! {
            figure data-begin=(begin) data-step=(step) {
                (graph.markup(&html! {}))
                figcaption {
                    "Light's chance after every ply. "
                    @for class in Class::ALL.iter().filter(|class| class.is_slip()) {
                        span class=(format!("key {class}")) {} (class) " "
                    }
                }
            }
        }
    }

    fn outcome(self) -> String {
        let Review { start, result, winner, .. } = self.review;
        let plies = counted(self.review.plies.len(), "ply");
        let went = format!("light's chance went from {} to {}", percent(*start), percent(*result));
        match (winner.map(|winner| self.review.name(winner)), self.review.early_end()) {
            (Some(winner), None) => format!("{winner} won after {plies}."),
            (Some(winner), Some(end)) => format!("{end} after {plies}, {winner} won; {went}."),
            (None, Some(end)) => format!("Game {end}: {went}."),
            (None, None) if self.review.drawn => format!("Drawn after {plies}."),
            (None, None) => format!("Unfinished: {went}."),
        }
    }

    fn totals(self) -> Markup {
        let row = |name: &str, value: fn(&Totals) -> String| {
            html! {
                tr {
                    th scope="row" { (name) }
                    @for player in Player::BOTH { td { (value(&self.review.totals[player])) } }
                }
            }
        };
        html! {
            table class="totals" {
                thead { tr { td {} @for player in Player::BOTH { (column_head(self.review.name(player))) } } }
                tbody {
                    (row("accuracy", |totals| accuracy(totals.accuracy)))
                    @if Player::BOTH.iter().any(|&player| self.review.totals[player].rating.is_some()) {
                        (row("rating", |totals| totals.rating.map_or("-".to_owned(), Estimate::rating)))
                    }
                    (row("luck, points", |totals| points(totals.luck)))
                    (row("errors, points", |totals| points(-totals.error)))
                    (row("free choices", |totals| totals.decisions.to_string()))
                    (row("best", |totals| totals.classes.best.to_string()))
                    (row("good", |totals| totals.classes.good.to_string()))
                    (row("inaccuracies", |totals| totals.classes.inaccuracy.to_string()))
                    (row("mistakes", |totals| totals.classes.mistake.to_string()))
                    (row("blunders", |totals| totals.classes.blunder.to_string()))
                }
            }
        }
    }

    fn ply(self, ply: &PlyReview) -> Markup {
        let class = if ply.class.is_slip() { "ply slip" } else { "ply" };
        let tiles = |action| self.tiles(ply.player, action);
        html! {
            section class=(class) id=(format!("ply-{}", ply.number)) {
                h3 { (ply.number) ". " (self.review.name(ply.player)) " rolls " (ply.roll) " and plays " (tiles(ply.action)) }
                (board::position(self.rules, &ply.position, ply.action))
                p {
                    "Chance before the roll " (percent(ply.before)) ", luck " (points(ply.luck)) ", after the move "
                    (percent(ply.value)) ". " span class="class" { (ply.class) } "."
                }
                @if let Some(reason) = &ply.reason {
                    p { "Best was " (tiles(ply.best)) ". The move played " (reason.sentence) "." }
                }
                (self.moves(ply))
            }
        }
    }

    fn moves(self, ply: &PlyReview) -> Markup {
        let row = |answer: &MoveAnswer| {
            html! {
                tr {
                    td { (self.tiles(ply.player, answer.action)) }
                    td { (percent(answer.value)) }
                    td { (points(answer.value - ply.best_value)) }
                }
            }
        };
        html! {
            table {
                thead { tr { th scope="col" { "move" } th scope="col" { "chance" } th scope="col" { "points" } } }
                tbody { @for answer in &ply.moves { (row(answer)) } }
            }
        }
    }

    fn tiles(self, player: Player, action: Move) -> String {
        let tile = |square| self.rules.tile(player, square);
        match action {
            Move::Pass => "no move".to_owned(),
            Move::Enter { to } => format!("hand to {}", tile(to)),
            Move::Advance { from, to } => format!("{} to {}", tile(from), tile(to)),
            Move::Score { from } => format!("{} home", tile(from)),
        }
    }
}

/// Returns the buttons that step through the plies. Without scripts all plies are shown, and no buttons.
fn step_buttons() -> Markup {
    let buttons = [
        ("Home", "first"),
        ("p", "previous slip"),
        ("ArrowLeft", "previous"),
        ("ArrowRight", "next"),
        ("n", "next slip"),
        ("End", "last"),
    ];
    html! {
        nav aria-label="plies" {
            @for (key, name) in buttons { button type="button" data-key=(key) title=(key) { (name) } " " }
            span id="place" role="status" {}
        }
    }
}

/// Returns a whole page, which needs nothing from elsewhere.
pub(super) fn document(title: &str, body: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width,initial-scale=1";
                title { (title) }
                style { (PreEscaped(CSS)) (PreEscaped(STYLE)) }
            }
            body { (body) }
        }
    };
    page.into_string()
}

fn percent(chance: f64) -> String {
    format!("{:.1} %", chance * 100.0)
}

pub(super) fn accuracy(accuracy: Option<f64>) -> String {
    let shown = |it: f64| if it.abs() < 0.05 { "0.0 %".to_owned() } else { format!("{it:.1} %") };
    accuracy.map_or("-".to_owned(), shown)
}

/// Returns a difference of chances in points, with its sign.
pub(super) fn points(difference: f64) -> String {
    let points = difference * 100.0;
    if points.abs() < 0.05 { "0.0".to_owned() } else { format!("{points:+.1}") }
}
