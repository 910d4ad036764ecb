//! A picture of many profiles, as SVG: how long games are against how much skill decides.

use plotters::prelude::*;

use crate::chart::{ChartError, FONT, svg};
use crate::lab::profile::Profile;

const SIZE: (u32, u32) = (900, 560);
/// The length of the horizontal axis, in lengths of the longest game; the rest is room for the label of the last point.
const LABEL: f64 = 1.25;

/// Returns a picture of rule sets: a labelled point each, rolls of a game to the right, Elo from random to perfect play upward.
///
/// ```
/// use puabi_study::scatter_plot;
/// let svg = scatter_plot("ten games", &[])?;
/// assert!(svg.starts_with("<svg") && svg.contains("ten games"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Returns an error if the drawing library cannot draw it.
pub fn scatter_plot(title: &str, profiles: &[(String, Profile)]) -> Result<String, ChartError> {
    svg(SIZE, |canvas| {
        let points = profiles.iter().map(|(name, profile)| {
            let elo = profile.random_elo;
            // Of an infinite difference, the least that the games show is drawn.
            let elo = elo.bound().unwrap_or(elo.value);
            (name.as_str(), (profile.rolls.value, elo.max(0.0)))
        });
        let most = |of: fn((f64, f64)) -> f64| {
            points.clone().map(|(_, point)| of(point)).filter(|x| x.is_finite()).fold(1.0, f64::max)
        };
        let (longest, strongest) = (most(|(rolls, _)| rolls), most(|(_, elo)| elo));
        let mut builder = ChartBuilder::on(canvas);
        builder.caption(title, (FONT, 20)).margin(12).x_label_area_size(40);
        builder.y_label_area_size(60);
        let mut chart = builder.build_cartesian_2d(0.0..longest * LABEL, 0.0..strongest * 1.1)?;
        let mesh = &mut chart.configure_mesh();
        mesh.x_desc("rolls of a perfect game").y_desc("Elo from random to perfect play").draw()?;
        chart.draw_series(points.clone().map(|(name, at)| {
            EmptyElement::at(at)
                + Circle::new((0, 0), 4, BLUE.filled())
                + Text::new(name.to_owned(), (8, -6), (FONT, 13))
        }))?;
        Ok(())
    })
}
