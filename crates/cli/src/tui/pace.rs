//! How fast bots play.

use std::time::Duration;

/// How long a throw or a reply of a bot is waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Pace {
    Slow,
    #[default]
    Steady,
    Quick,
    Instant,
}

impl Pace {
    const ALL: [Self; 4] = [Self::Slow, Self::Steady, Self::Quick, Self::Instant];

    /// Returns the time before each throw and each reply.
    pub(super) const fn wait(self) -> Duration {
        Duration::from_millis(match self {
            Self::Slow => 2000,
            Self::Steady => 700,
            Self::Quick => 200,
            Self::Instant => 0,
        })
    }

    /// Returns the name.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Slow => "slow",
            Self::Steady => "steady",
            Self::Quick => "quick",
            Self::Instant => "instant",
        }
    }

    /// Returns the next faster pace.
    pub(super) fn faster(self) -> Self {
        Self::ALL[(self as usize + 1).min(Self::ALL.len() - 1)]
    }

    /// Returns the next slower pace.
    pub(super) fn slower(self) -> Self {
        Self::ALL[(self as usize).saturating_sub(1)]
    }
}
