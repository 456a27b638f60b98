//! A line on a terminal that says how far it is.

use crate::streams::complain;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use report::visible;
use search::Progress;
use std::io::IsTerminal;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

pub struct ProgressLine {
    bar: ProgressBar,
    functions: usize,
    done: AtomicUsize,
    is_wanted: bool,
    /// Findings that reports hold back, and since when.
    held: Mutex<Vec<(Instant, String)>>,
    /// Of how many was told before their report.
    told: AtomicUsize,
}

/// How long somebody may wait for news of a finding.
const PATIENCE: Duration = Duration::from_secs(1);
/// What would be told of more findings, nobody reads before the report.
const MOST_TOLD: usize = 12;

impl ProgressLine {
    /// Shows nothing if nobody looks.
    pub fn new(functions: usize, is_wanted: bool) -> ProgressLine {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(10));
        if is_wanted && std::io::stderr().is_terminal() {
            if let Ok(style) = ProgressStyle::with_template("{spinner} {wide_msg}") {
                bar.set_style(style);
            }
            bar.enable_steady_tick(Duration::from_millis(100));
        } else {
            bar.set_draw_target(ProgressDrawTarget::hidden());
        }
        ProgressLine {
            bar,
            functions,
            done: AtomicUsize::new(0),
            is_wanted,
            held: Mutex::default(),
            told: AtomicUsize::new(0),
        }
    }

    pub fn running(&self, function: &str, progress: &Progress) {
        if !self.bar.is_hidden() {
            let message = format!(
                "{} of {} functions; {function}: {} runs, {} of {} branches, {} to try, {} found",
                self.done.load(Ordering::Relaxed),
                self.functions,
                progress.runs,
                progress.covered,
                progress.branches,
                progress.open,
                progress.findings
            );
            self.bar.set_message(visible(&message).replace('\n', " "));
        }
    }

    pub fn done(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }

    /// A finding that is reported when all is done. Where that takes a while, a line tells of it before.
    pub fn hold(&self, finding: String) {
        self.held().push((Instant::now(), finding));
    }

    /// Tells of those that somebody has waited for long enough.
    pub fn tell_held(&self) {
        let mut held = self.held();
        if self.is_wanted && held.first().is_some_and(|(since, _)| since.elapsed() >= PATIENCE) {
            self.print(|| held.drain(..).for_each(|(_, finding)| self.tell(&finding)));
        }
    }

    fn tell(&self, finding: &str) {
        match self.told.fetch_add(1, Ordering::Relaxed) {
            0..MOST_TOLD => complain!("found: {finding}"),
            MOST_TOLD => complain!("found more; all of it is reported at the end"),
            _ => {}
        }
    }

    fn held(&self) -> MutexGuard<'_, Vec<(Instant, String)>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes to standard output without leaving half a line behind.
    pub fn print(&self, write: impl FnOnce()) {
        self.bar.suspend(write);
    }

    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
