//! The graph of light's chance over a game, as SVG.

use maud::{Markup, html};
use puabi_engine::{Class, Review};

use crate::words::counted;

/// The graph of light's chance over a reviewed game.
///
/// ```
/// use puabi_core::{Record, RuleSet};
/// use puabi_engine::Review;
/// use puabi_report::Graph;
/// use puabi_solve::{Options, Solver, Unattended};
///
/// let record: Record = "format: urg 1\nrules: finkel:1\n\nL 4 0-4\n".parse()?;
/// let (values, _) =
///     Solver::new(record.game.rules(), Options::default())?.solve(&Unattended, &Unattended)?;
/// let svg = Graph { review: &Review::new(&record, &values) }.svg();
/// assert!(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Graph<'a> {
    /// The review of the game.
    pub review: &'a Review,
}

const WIDTH: f64 = 800.0;
const HEIGHT: f64 = 240.0;
/// The margin on the left for the percents, in units of the graph.
const MARGIN: f64 = 40.0;

/// The style of a graph in a file of its own; a page uses the same classes.
pub(super) const STYLE: &str = "\
.graph{background:#fff;font:12px sans-serif}\
.graph .area{fill:#1b6ca8;opacity:.15}.graph .curve{fill:none;stroke:#1b6ca8;stroke-width:2}\
.graph .rule{stroke:#999;stroke-width:1}.graph .cursor{stroke:none}.graph text{fill:#444}\
.graph .inaccuracy{fill:#c9a227}.graph .mistake{fill:#d2691e}.graph .blunder{fill:#b3202c}\
@media(prefers-color-scheme:dark){.graph{background:#16181c}.graph text{fill:#ccc}\
.graph .area{fill:#6db3e8}.graph .curve{stroke:#6db3e8}}";

/// Returns the radius of the circle of a slip: a worse slip has a larger circle.
fn radius(class: Class) -> &'static str {
    match class {
        Class::Blunder => "6",
        Class::Mistake => "5",
        _ => "4",
    }
}

impl Graph<'_> {
    /// Returns the graph as a file of its own.
    pub fn svg(self) -> String {
        self.markup(&html! { style { (maud::PreEscaped(STYLE)) } }).into_string()
    }

    /// Returns the graph with `head` within it.
    pub(super) fn markup(self, head: &Markup) -> Markup {
        let chances = self.review.chances();
        let points: Vec<_> =
            chances.iter().enumerate().map(|(at, &chance)| self.point(at, chance)).collect();
        let curve: Vec<_> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let curve = curve.join(" ");
        let last = points.last().map_or(MARGIN, |point| point.0);
        let area = format!("{MARGIN},{HEIGHT} {curve} {last:.1},{HEIGHT}");
        html! {
            svg xmlns="http://www.w3.org/2000/svg" class="graph" role="img" viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) {
                title { (self.title()) }
                (head)
                @for percent in [0_u8, 25, 50, 75, 100] {
                    @let y = HEIGHT * (1.0 - f64::from(percent) / 100.0);
                    line class="rule" x1=(MARGIN) x2=(WIDTH) y1=(y) y2=(y) {}
                    text x="4" y=(y.clamp(11.0, HEIGHT - 3.0)) { (percent) " %" }
                }
                polygon class="area" points=(area) {}
                line class="cursor" x1=(MARGIN) x2=(MARGIN) y1="0" y2=(HEIGHT) {}
                polyline class="curve" points=(curve) {}
                @for ply in self.review.plies.iter().filter(|ply| ply.class.is_slip()) {
                    @let (x, y) = self.point(ply.number, ply.light_after());
                    circle class=(ply.class) cx=(format!("{x:.1}")) cy=(format!("{y:.1}")) r=(radius(ply.class)) {
                        title { "ply " (ply.number) ", " (ply.class) " of " (self.review.name(ply.player)) }
                    }
                }
            }
        }
    }

    /// Returns the x of the first ply, and the distance from one ply to the next, in units of the graph.
    pub(super) fn scale(self) -> (f64, f64) {
        let (begin, next) = (self.point(0, 0.0).0, self.point(1, 0.0).0);
        (begin, next - begin)
    }

    fn point(self, at: usize, chance: f64) -> (f64, f64) {
        let step = (WIDTH - MARGIN) / self.review.plies.len().max(1) as f64;
        (MARGIN + step * at as f64, HEIGHT * (1.0 - chance))
    }

    fn title(self) -> String {
        let Review { start, result, plies, .. } = self.review;
        format!(
            "Chance of light over {}, from {:.1} % to {:.1} %",
            counted(plies.len(), "ply"),
            start * 100.0,
            result * 100.0
        )
    }
}
