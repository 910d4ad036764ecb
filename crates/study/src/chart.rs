//! A chart of strength by step, as SVG.

use std::io;

use plotters::coord::Shift;
use plotters::prelude::*;

use crate::train::Milestone;

/// The error of a chart that cannot be drawn.
#[derive(Debug, thiserror::Error)]
#[error("the chart cannot be drawn: {0}")]
pub struct ChartError(#[from] DrawingAreaErrorKind<io::Error>);

/// The surface that a chart is drawn on.
pub(crate) type Canvas<'s> = DrawingArea<SVGBackend<'s>, Shift>;

const SIZE: (u32, u32) = (800, 450);
pub(crate) const FONT: &str = "sans-serif";

/// Returns a picture of this size: what `draw` draws, on white.
pub(crate) fn svg(
    size: (u32, u32),
    draw: impl FnOnce(&Canvas<'_>) -> Result<(), ChartError>,
) -> Result<String, ChartError> {
    let mut svg = String::new();
    let canvas = SVGBackend::with_string(&mut svg, size).into_drawing_area();
    canvas.fill(&WHITE)?;
    draw(&canvas)?;
    canvas.present()?;
    drop(canvas);
    Ok(svg)
}

/// Returns the chart of a training: regret in points a decision on the left axis, wins against perfect play in per cent on the
/// right one, over the steps, which are named `step`.
///
/// ```
/// use puabi_study::{Milestone, Standing, learning_curve};
/// let milestone = |step, regret, wins| Milestone { step, strength: Standing { regret, wins } };
/// let milestones = [milestone(0, 0.01, 0.3), milestone(10, 0.005, 0.4)];
/// let svg = learning_curve("brains of finkel", "generation", &milestones)?;
/// assert!(svg.starts_with("<svg") && svg.contains("brains of finkel"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Returns an error if the drawing library cannot draw it.
pub fn learning_curve(
    title: &str,
    step: &str,
    milestones: &[Milestone],
) -> Result<String, ChartError> {
    svg(SIZE, |canvas| {
        let last = milestones.last().map_or(1, |milestone| milestone.step.max(1));
        let regret = |milestone: &Milestone| milestone.strength.regret * 100.0;
        let most = milestones.iter().map(regret).fold(0.1, f64::max) * 1.05;
        let mut builder = ChartBuilder::on(canvas);
        builder.caption(title, (FONT, 20)).margin(12).x_label_area_size(40);
        builder.y_label_area_size(60).right_y_label_area_size(60);
        let mut chart = builder
            .build_cartesian_2d(0..last, 0.0..most)?
            .set_secondary_coord(0..last, 0.0..50.0_f64);
        chart.configure_mesh().x_desc(step).y_desc("regret, points a decision").draw()?;
        chart.configure_secondary_axes().y_desc("wins against perfect play, %").draw()?;
        let regrets = milestones.iter().map(|milestone| (milestone.step, regret(milestone)));
        let line = chart.draw_series(LineSeries::new(regrets, &RED))?;
        line.label("regret").legend(|(x, y)| PathElement::new([(x, y), (x + 20, y)], RED));
        let wins = milestones.iter().map(|at| (at.step, at.strength.wins * 100.0));
        let line = chart.draw_secondary_series(LineSeries::new(wins, &BLUE))?;
        line.label("wins").legend(|(x, y)| PathElement::new([(x, y), (x + 20, y)], BLUE));
        chart.configure_series_labels().background_style(WHITE).border_style(BLACK).draw()?;
        Ok(())
    })
}
