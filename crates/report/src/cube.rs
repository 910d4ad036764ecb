//! The errors of a game with a doubling cube, as a part of the page of its review.

use maud::{Markup, html};
use puabi_core::Player;
use puabi_engine::{CubeError, CubeErrors, CubeReview};

use crate::words::column_head;

/// Returns what doubling, taking and moving gave away, each on its own. The page has a board for each of its `plies` plies;
/// `name` returns the name of a player.
pub(crate) fn errors(review: &CubeReview, plies: usize, name: impl Fn(Player) -> String) -> Markup {
    let is_match = review.stakes.score.is_some();
    let row = |what: &str, of: fn(&CubeErrors) -> f64| {
        html! {
            tr {
                th scope="row" { (what) }
                @for player in Player::BOTH { td { (cost(is_match, of(&review.totals[player]))) } }
            }
        }
    };
    html! {
        h2 { "With the cube" }
        p {
            "Played for: " (review.stakes) ". What was given away, in "
            @if is_match { "percentage points of the chance to win the match." } @else { "points." }
        }
        table class="totals" {
            thead { tr { td {} @for player in Player::BOTH { (column_head(&name(player))) } } }
            tbody {
                (row("doubling", |errors| errors.doubling))
                (row("taking", |errors| errors.taking))
                (row("moving", |errors| errors.moving))
            }
        }
        @if !review.errors.is_empty() {
            ul class="cube" { @for error in &review.errors { (item(is_match, plies, error, &name)) } }
        }
    }
}

fn item(
    is_match: bool,
    plies: usize,
    error: &CubeError,
    name: &impl Fn(Player) -> String,
) -> Markup {
    let next = error.plies + 1;
    html! {
        li {
            @if next <= plies { a href=(format!("#ply-{next}")) { "before ply " (next) } }
            @else { "at the end" }
            ": "
            (name(error.player)) ", " (error.kind.words()) ", " (cost(is_match, error.cost))
        }
    }
}

/// Formats a cost: in points for money, or in percentage points of the chance to win the match.
fn cost(is_match: bool, cost: f64) -> String {
    if is_match { format!("{:.2}", cost * 100.0) } else { format!("{cost:.4}") }
}
