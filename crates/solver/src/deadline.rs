//! A deadline: answers that come later are of no use.

#![allow(clippy::disallowed_methods, reason = "time that is up is seen by looking at the clock")]

use std::time::{Duration, Instant};

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Deadline(Option<Instant>);

impl Deadline {
    pub fn after(left: Option<Duration>) -> Deadline {
        Deadline(left.and_then(|left| Instant::now().checked_add(left)))
    }

    pub fn is_over(self) -> bool {
        self.0.is_some_and(|end| Instant::now() >= end)
    }

    /// Returns the time that is left; `None` if there is no deadline.
    pub fn left(self) -> Option<Duration> {
        self.0.map(|end| end.saturating_duration_since(Instant::now()))
    }
}
