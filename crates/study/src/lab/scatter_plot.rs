//! A picture of many profiles, as SVG: how long games are against how much skill decides.

use plotters::prelude::*;

use crate::chart::{ChartError, FONT};
use crate::lab::profile::Profile;

/// A picture of rule sets: a labelled point each, rolls of a game to the right, Elo from random to perfect play upward.
///
/// ```
/// use puabi_study::ScatterPlot;
/// let svg = ScatterPlot { title: "ten games" }.svg(&[])?;
/// assert!(svg.starts_with("<svg") && svg.contains("ten games"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScatterPlot<'t> {
    /// The title above the picture.
    pub title: &'t str,
}

const SIZE: (u32, u32) = (900, 560);
/// Room to the right of the last point for its label, in parts of the axis.
const LABEL: f64 = 1.25;

impl ScatterPlot<'_> {
    /// Returns the picture of named profiles.
    ///
    /// # Errors
    ///
    /// Returns an error if the drawing library cannot draw it.
    pub fn svg(&self, profiles: &[(String, Profile)]) -> Result<String, ChartError> {
        let mut svg = String::new();
        self.draw(profiles, &mut svg).map_err(|error| ChartError(error.to_string()))?;
        Ok(svg)
    }

    fn draw(
        &self,
        profiles: &[(String, Profile)],
        svg: &mut String,
    ) -> Result<(), Box<dyn std::error::Error + '_>> {
        let root = SVGBackend::with_string(svg, SIZE).into_drawing_area();
        root.fill(&WHITE)?;
        let points = profiles.iter().map(|(name, profile)| {
            (name.as_str(), (profile.rolls.value, profile.random_elo.value.max(0.0)))
        });
        let most = |of: fn((f64, f64)) -> f64| {
            points.clone().map(|(_, point)| of(point)).filter(|x| x.is_finite()).fold(1.0, f64::max)
        };
        let (longest, strongest) = (most(|(rolls, _)| rolls), most(|(_, elo)| elo));
        let mut builder = ChartBuilder::on(&root);
        builder.caption(self.title, (FONT, 20)).margin(12).x_label_area_size(40);
        builder.y_label_area_size(60);
        let mut chart = builder.build_cartesian_2d(0.0..longest * LABEL, 0.0..strongest * 1.1)?;
        let mesh = &mut chart.configure_mesh();
        mesh.x_desc("rolls of a perfect game").y_desc("Elo from random to perfect play").draw()?;
        chart.draw_series(points.clone().map(|(name, at)| {
            EmptyElement::at(at)
                + Circle::new((0, 0), 4, BLUE.filled())
                + Text::new(name.to_owned(), (8, -6), (FONT, 13))
        }))?;
        root.present()?;
        Ok(())
    }
}
