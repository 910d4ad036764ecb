//! The trained brains that come with the program.

/// Returns the text of the brain of a preset.
pub(super) fn text(preset: &str) -> Option<&'static str> {
    Some(match preset {
        "finkel" => include_str!("../../../brains/finkel.txt"),
        "blitz" => include_str!("../../../brains/blitz.txt"),
        "masters" => include_str!("../../../brains/masters.txt"),
        "masters-4d" => include_str!("../../../brains/masters-4d.txt"),
        "aseb" => include_str!("../../../brains/aseb.txt"),
        _ => return None,
    })
}
