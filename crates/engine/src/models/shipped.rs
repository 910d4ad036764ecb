//! The trained players that come with the program.

/// Returns the text of the brain of a preset.
pub(super) fn brain(preset: &str) -> Option<&'static str> {
    Some(match preset {
        "finkel" => include_str!("../../brains/finkel.txt"),
        "blitz" => include_str!("../../brains/blitz.txt"),
        "masters" => include_str!("../../brains/masters.txt"),
        "masters-4d" => include_str!("../../brains/masters-4d.txt"),
        "aseb" => include_str!("../../brains/aseb.txt"),
        "skiriuk" => include_str!("../../brains/skiriuk.txt"),
        _ => return None,
    })
}

/// Returns the text of the linear model of a preset.
pub(super) fn linear(preset: &str) -> Option<&'static str> {
    Some(match preset {
        "murray" => include_str!("../../brains/murray.toml"),
        "skiriuk-path" => include_str!("../../brains/skiriuk-path.toml"),
        "simple-ur" => include_str!("../../brains/simple-ur.toml"),
        "dmytro" => include_str!("../../brains/dmytro.toml"),
        _ => return None,
    })
}
