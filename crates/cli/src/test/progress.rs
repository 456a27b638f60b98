//! The progress line on a terminal.

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
    /// Findings that reports will show at the end, and when they were found.
    held: Mutex<Vec<(Instant, String)>>,
    /// Number of findings that were announced before the report.
    printed: AtomicUsize,
}

/// How long a finding may wait before it is announced.
const PATIENCE: Duration = Duration::from_secs(1);
/// Number of findings that are announced; the report shows the others.
const MOST_PRINTED: usize = 12;

impl ProgressLine {
    /// Shows nothing unless it is wanted and standard error is a terminal.
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
            printed: AtomicUsize::new(0),
        }
    }

    pub fn running(&self, function: &str, progress: &Progress) {
        if !self.bar.is_hidden() {
            let message = format!(
                "{} of {} functions; {function}: {} runs, branches covered {} of {}, {} queued, {} found",
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

    /// Takes a finding that the report will show at the end. If that takes a while, a line announces it before.
    pub fn hold(&self, finding: String) {
        self.held().push((Instant::now(), finding));
    }

    /// Announces the findings that have waited long enough.
    pub fn print_held(&self) {
        let mut held = self.held();
        if self.is_wanted && held.first().is_some_and(|(since, _)| since.elapsed() >= PATIENCE) {
            self.print(|| held.drain(..).for_each(|(_, finding)| self.print_finding(&finding)));
        }
    }

    fn print_finding(&self, finding: &str) {
        match self.printed.fetch_add(1, Ordering::Relaxed) {
            0..MOST_PRINTED => complain!("found: {finding}"),
            MOST_PRINTED => complain!("found more; the report at the end shows all findings"),
            _ => {}
        }
    }

    fn held(&self) -> MutexGuard<'_, Vec<(Instant, String)>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs `write` while the progress line is hidden, so that no part of the line stays behind.
    pub fn print(&self, write: impl FnOnce()) {
        self.bar.suspend(write);
    }

    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
