//! What is counted, in the text form of Prometheus.

use std::time::Duration;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::Registry;

/// The labels by which answers are counted.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Answer {
    method: String,
    /// The pattern of the path, never the path itself: there are few of them.
    route: String,
    status: u16,
}

/// The counters of the server.
#[derive(Debug)]
pub(crate) struct Metrics {
    registry: Registry,
    answers: Family<Answer, Counter>,
    seconds: Histogram,
}

impl Metrics {
    /// The media type of the text.
    pub(crate) const CONTENT_TYPE: &str =
        "application/openmetrics-text; version=1.0.0; charset=utf-8";

    /// Returns counters at nought.
    pub(crate) fn new() -> Self {
        let mut registry = Registry::with_prefix("puabi");
        let answers = Family::default();
        // From a tenth of a millisecond to 52 seconds, longer than answers usually may take.
        let seconds = Histogram::new(exponential_buckets(1e-4, 2.0, 20));
        registry.register("answers", "Requests answered", answers.clone());
        registry.register("answer_seconds", "Time until the answer began", seconds.clone());
        Self { registry, answers, seconds }
    }

    /// Counts an answer.
    pub(crate) fn count(&self, method: &str, route: &str, status: u16, time: Duration) {
        let answer = Answer { method: method.to_owned(), route: route.to_owned(), status };
        self.answers.get_or_create(&answer).inc();
        self.seconds.observe(time.as_secs_f64());
    }

    /// Returns all counters as text.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a string does not fail.
        let _ = encode(&mut text, &self.registry);
        text
    }
}
