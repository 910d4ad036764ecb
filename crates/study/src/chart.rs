//! A chart of strength by step, as SVG.

use plotters::prelude::*;

use crate::train::Milestone;

/// A chart of a training: regret and wins against perfect play, by step.
///
/// ```
/// use puabi_study::{Chart, Milestone, Standing};
/// let milestone = |step, regret, wins| Milestone { step, strength: Standing { regret, wins } };
/// let chart = Chart { title: "brains of finkel", step: "generation" };
/// let svg = chart.svg(&[milestone(0, 0.01, 0.3), milestone(10, 0.005, 0.4)])?;
/// assert!(svg.starts_with("<svg") && svg.contains("brains of finkel"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Chart<'t> {
    /// The title above the chart.
    pub title: &'t str,
    /// The name of a step, on the horizontal axis.
    pub step: &'t str,
}

/// The error of a chart that cannot be drawn.
#[derive(Debug, thiserror::Error)]
#[error("the chart cannot be drawn: {0}")]
pub struct ChartError(pub(crate) String);

const SIZE: (u32, u32) = (800, 450);
pub(crate) const FONT: &str = "sans-serif";

impl Chart<'_> {
    /// Returns the chart: regret in points a decision on the left axis, wins in per cent on the right one.
    ///
    /// # Errors
    ///
    /// Returns an error if the drawing library cannot draw it.
    pub fn svg(&self, milestones: &[Milestone]) -> Result<String, ChartError> {
        let mut svg = String::new();
        self.draw(milestones, &mut svg).map_err(|error| ChartError(error.to_string()))?;
        Ok(svg)
    }

    fn draw(
        &self,
        milestones: &[Milestone],
        svg: &mut String,
    ) -> Result<(), Box<dyn std::error::Error + '_>> {
        let root = SVGBackend::with_string(svg, SIZE).into_drawing_area();
        root.fill(&WHITE)?;
        let last = milestones.last().map_or(1, |milestone| milestone.step.max(1));
        let regret = |milestone: &Milestone| milestone.strength.regret * 100.0;
        let most = milestones.iter().map(regret).fold(0.1, f64::max) * 1.05;
        let mut builder = ChartBuilder::on(&root);
        builder.caption(self.title, (FONT, 20)).margin(12).x_label_area_size(40);
        builder.y_label_area_size(60).right_y_label_area_size(60);
        let mut chart = builder
            .build_cartesian_2d(0..last, 0.0..most)?
            .set_secondary_coord(0..last, 0.0..50.0_f64);
        chart.configure_mesh().x_desc(self.step).y_desc("regret, points a decision").draw()?;
        chart.configure_secondary_axes().y_desc("wins against perfect play, %").draw()?;
        let regrets = milestones.iter().map(|milestone| (milestone.step, regret(milestone)));
        let line = chart.draw_series(LineSeries::new(regrets, &RED))?;
        line.label("regret").legend(|(x, y)| PathElement::new([(x, y), (x + 20, y)], RED));
        let wins = milestones.iter().map(|at| (at.step, at.strength.wins * 100.0));
        let line = chart.draw_secondary_series(LineSeries::new(wins, &BLUE))?;
        line.label("wins").legend(|(x, y)| PathElement::new([(x, y), (x + 20, y)], BLUE));
        chart.configure_series_labels().background_style(WHITE).border_style(BLACK).draw()?;
        root.present()?;
        Ok(())
    }
}
