//! A player's report as one HTML page that needs no other file.

use maud::{Markup, html};
use puabi_engine::{Kind, Phase, PlayedGame, PlayerReport};

use crate::page::{accuracy, document, points};
use crate::words::counted;

/// A player's report as one HTML page: accuracy over time, leaks by kind, every game.
///
/// It has the style of the [`Page`](crate::Page) of a game: it needs nothing from the network, follows the light or dark mode
/// of the system, can be printed, and repeats in tables what it draws.
///
/// ```
/// use puabi_engine::PlayerReport;
/// use puabi_report::PlayerPage;
/// let report = PlayerReport::new("Ann & Bea", &[]);
/// let html = PlayerPage { report: &report }.html();
/// assert!(html.starts_with("<!DOCTYPE html>") && html.contains("Ann &amp; Bea"));
/// ```
#[derive(Debug, Clone, Copy)]
pub struct PlayerPage<'a> {
    /// The report.
    pub report: &'a PlayerReport,
}

const WIDTH: f64 = 800.0;
const HEIGHT: f64 = 240.0;
/// The margin on the left for the percents, in units of the chart.
const MARGIN: f64 = 44.0;
/// The margins above and below, in units of the chart.
const EDGE: f64 = 10.0;
/// The number of games over which the mean is taken.
const MEAN: usize = 10;
/// The least accuracy that the chart has room for, in percent; a lower one is drawn on the edge.
const LOWEST: f64 = -100.0;

impl<'a> PlayerPage<'a> {
    /// Returns the page as HTML.
    pub fn html(self) -> String {
        let PlayerReport { name, games, .. } = self.report;
        let title = format!("{name}: {}", counted(games.len(), "game"));
        let body = html! {
            main {
                h1 { (title) }
                (self.summary())
                @if let Some(caveat) = self.report.caveat() { p class="caveat" { (caveat) } }
                h2 { "Accuracy over time" }
                (self.chart())
                h2 { "What the slips cost, in points" }
                (scrollable("leaks", &self.leaks()))
                h2 { "Luck" }
                (scrollable("luck", &self.luck()))
                h2 { "All games" }
                (scrollable("games", &self.games()))
            }
        };
        document(&title, &body)
    }

    fn summary(self) -> Markup {
        let PlayerReport { won, decisions, classes, error_per_decision, .. } = self.report;
        let lost = self.report.games.iter().filter(|game| game.won == Some(false)).count();
        let slips = [
            counted(classes.inaccuracy as usize, "inaccuracy"),
            counted(classes.mistake as usize, "mistake"),
            counted(classes.blunder as usize, "blunder"),
        ];
        let row =
            |name: &str, value: String| html! { tr { th scope="row" { (name) } td { (value) } } };
        html! {
            table class="totals" {
                (row("won, lost", format!("{won}, {lost}")))
                (row("accuracy", accuracy(self.report.accuracy)))
                @if let Some(found) = self.report.rating { (row("rating", found.rating())) }
                (row("free choices", decisions.to_string()))
                (row("error per choice, points", points(-error_per_decision)))
                (row("slips", slips.join(", ")))
            }
        }
    }

    fn chart(self) -> Markup {
        let found: Vec<_> = self.accuracies().collect();
        let lowest = found.iter().fold(0.0, |lowest: f64, (_, it, _)| lowest.min(*it)).max(LOWEST);
        let count = self.report.games.len();
        let x = |at: usize| {
            let step = (WIDTH - MARGIN - EDGE) / count.saturating_sub(1).max(1) as f64;
            MARGIN + step * at as f64
        };
        let y =
            |it: f64| EDGE + (HEIGHT - 2.0 * EDGE) * (100.0 - it.max(lowest)) / (100.0 - lowest);
        let means =
            means(&found).into_iter().map(|(at, mean)| format!("{:.1},{:.1}", x(at), y(mean)));
        let curve = means.collect::<Vec<_>>().join(" ");
        html! {
            svg class="graph" role="img" viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) {
                title { "Accuracy in " (counted(found.len(), "game")) ", in the order of time; the table of all games has the numbers" }
                @for percent in [-100.0, -50.0, 0.0, 25.0, 50.0, 75.0, 100.0].into_iter().filter(|&it| it >= lowest) {
                    line class="rule" x1=(MARGIN) x2=(WIDTH) y1=(y(percent)) y2=(y(percent)) {}
                    text x="0" y=(y(percent) + 4.0) { (percent) " %" }
                }
                polyline class="curve" points=(curve) {}
                @for &(at, it, game) in &found {
                    circle class=(if game.won == Some(true) { "won" } else { "lost" }) cx=(format!("{:.1}", x(at))) cy=(format!("{:.1}", y(it))) r="4" {
                        title { (game.label) ": " (accuracy(Some(it))) }
                    }
                }
            }
            p class="legend" { "Filled circles are games won, hollow circles all others. The line is the mean of the last " (MEAN) " games." }
        }
    }

    /// Returns the games in which anything was at stake, with their places and accuracies.
    fn accuracies(self) -> impl Iterator<Item = (usize, f64, &'a PlayedGame)> {
        let games = self.report.games.iter().enumerate();
        games.filter_map(|(at, game)| Some((at, game.accuracy?, game)))
    }

    fn leaks(self) -> Markup {
        let mut kinds: Vec<_> =
            Kind::ALL.iter().map(|&kind| (kind, self.cost(kind, None))).collect();
        kinds.retain(|&(_, (count, _))| count > 0);
        kinds.sort_by(|(_, (_, first)), (_, (_, second))| second.total_cmp(first));
        let Some(&(_, (_, most))) = kinds.first() else {
            return html! { p { "None." } };
        };
        let cell = |(count, error): (u32, f64)| {
            if count == 0 { "-".to_owned() } else { format!("{} ({count})", points(-error)) }
        };
        html! {
            table {
                thead {
                    tr {
                        th scope="col" { "kind" }
                        @for phase in Phase::ALL { th scope="col" { (phase.name()) } }
                        th scope="col" { "all" }
                        td {}
                    }
                }
                tbody {
                    @for (kind, all) in kinds {
                        tr {
                            th scope="row" { (kind.name()) }
                            @for &phase in Phase::ALL { td { (cell(self.cost(kind, Some(phase)))) } }
                            td { (cell(all)) }
                            td class="bar" aria-hidden="true" { (bar(all.1 / most)) }
                        }
                    }
                }
            }
            p class="legend" { "In parentheses, how often." }
        }
    }

    /// Returns how often slips of a kind occurred and what they cost, in one phase or in all.
    fn cost(self, kind: Kind, phase: Option<Phase>) -> (u32, f64) {
        let leaks = self.report.leaks.iter();
        let leaks =
            leaks.filter(|leak| leak.kind == kind && phase.is_none_or(|it| it == leak.phase));
        leaks.fold((0, 0.0), |(count, error), leak| (count + leak.count, error + leak.error))
    }

    fn luck(self) -> Markup {
        let PlayerReport { games, luckiest, unluckiest, .. } = self.report;
        let game = |at: &Option<usize>| at.and_then(|at| games.get(at));
        html! {
            table {
                (games_head())
                tbody {
                    @for (name, at) in [("luckiest", luckiest), ("unluckiest", unluckiest)] {
                        @if let Some(game) = game(at) { (row(name, game)) }
                    }
                }
            }
            p class="legend" { "Luck is what the player's rolls gained over expectation, less what the opponent's rolls gained." }
        }
    }

    fn games(self) -> Markup {
        html! {
            table {
                (games_head())
                tbody { @for (game, number) in self.report.games.iter().zip(1..) { (row(&number.to_string(), game)) } }
            }
        }
    }
}

/// Wraps `content` so that it scrolls sideways on a narrow screen, also by keys.
fn scrollable(name: &str, content: &Markup) -> Markup {
    html! { div class="wide" role="group" tabindex="0" aria-label=(name) { (content) } }
}

/// Returns, for each game, the mean accuracy of the last `MEAN` games up to it.
fn means(found: &[(usize, f64, &PlayedGame)]) -> Vec<(usize, f64)> {
    let mean = |end: usize| {
        let last = &found[(end + 1).saturating_sub(MEAN)..=end];
        last.iter().map(|(_, it, _)| it).sum::<f64>() / last.len() as f64
    };
    (0..found.len()).map(|end| (found[end].0, mean(end))).collect()
}

/// Returns a bar that fills `share` (0..=1) of the full width.
fn bar(share: f64) -> Markup {
    html! {
        svg viewBox="0 0 100 10" width="100" height="10" { rect width=(format!("{:.1}", 100.0 * share)) height="10" {} }
    }
}

fn games_head() -> Markup {
    html! {
        thead {
            tr {
                @for name in ["", "accuracy", "luck", "errors", "side", "result"] { th scope="col" { (name) } }
                th scope="col" class="label" { "game" }
            }
        }
    }
}

fn row(name: &str, game: &PlayedGame) -> Markup {
    html! {
        tr {
            th scope="row" { (name) }
            td { (accuracy(game.accuracy)) }
            td { (points(game.luck)) }
            td { (points(-game.error)) }
            td { (game.player) }
            td { (game.outcome()) }
            td class="label" { (game.label) }
        }
    }
}
