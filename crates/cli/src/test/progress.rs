//! Reports progress on standard error while functions are tested: with a progress line on a terminal, with an
//! occasional line elsewhere, and with likely bugs as soon as they are confirmed.

use crate::streams::{self, complain};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use report::{Announced, Judged, visible};
use sandbox::interrupt;
use search::Progress;
use std::collections::HashSet;
use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

pub struct ProgressLine {
    bar: ProgressBar,
    is_wanted: bool,
    state: Mutex<State>,
    /// Whether it was said that the searches are ending.
    has_said_end: AtomicBool,
}

struct State {
    start: Instant,
    plan: Option<Plan>,
    /// The current activity, in words.
    doing: String,
    /// The number of likely bugs.
    likely: usize,
    /// Places of likely bugs. Another one at the same place is not announced.
    places: HashSet<(String, u32)>,
    /// Announcements that are held back because the report may follow soon.
    held: Vec<Announcement>,
    announced: Vec<Announced>,
    /// Whether it was said that there are more than were announced.
    has_said_more: bool,
    /// The time of the last line.
    said: Instant,
}

/// A likely bug, and the words that announce it.
pub struct Announcement {
    pub words: String,
    pub of: Announced,
}

/// The work of the command.
struct Plan {
    functions: usize,
    done: usize,
    begun: Instant,
    /// The time that it takes at most.
    most: Duration,
}

/// A command that ends sooner announces nothing.
const PATIENCE: Duration = Duration::from_secs(1);
/// The longest silence without a terminal.
const SILENCE: Duration = Duration::from_secs(30);
/// The time between two checks whether there is something to say.
const BEAT: Duration = Duration::from_secs(1);
/// The number of bugs that are announced; the report shows the others.
const MOST_ANNOUNCED: usize = 30;
const ENDING: &str = "ending the searches; the report follows (the same signal again ends everything at once)";

impl ProgressLine {
    /// Starts the progress line, which is silent unless it is wanted. A thread of its own checks regularly whether
    /// something has to be said.
    pub fn start(is_wanted: bool) -> Arc<ProgressLine> {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(10));
        if is_wanted && std::io::stderr().is_terminal() {
            if let Ok(style) = ProgressStyle::with_template("{spinner} {wide_msg}") {
                bar.set_style(style);
            }
            bar.enable_steady_tick(Duration::from_millis(100));
            streams::hide_while_writing(bar.clone());
        } else {
            bar.set_draw_target(ProgressDrawTarget::hidden());
        }
        let state = Mutex::new(State::new(Instant::now()));
        let line = Arc::new(ProgressLine { bar, is_wanted, state, has_said_end: AtomicBool::new(false) });
        line.show();
        let beating = Arc::downgrade(&line);
        if is_wanted {
            std::thread::spawn(move || {
                while let Some(line) = beating.upgrade() {
                    line.beat();
                    drop(line);
                    std::thread::sleep(BEAT);
                }
            });
        }
        line
    }

    /// Notes that the tests begin. `most` is the time that they take at most.
    pub fn begin(&self, functions: usize, most: Duration) {
        let mut state = self.state();
        state.plan = Some(Plan { functions, done: 0, begun: Instant::now(), most });
        state.doing.clear();
    }

    pub fn running(&self, function: &str, progress: &Progress) {
        if self.is_wanted {
            let Progress { runs, covered, branches, .. } = progress;
            self.state().doing = format!("{function}: {runs} runs, branches covered {covered} of {branches}");
            self.show();
        }
    }

    pub fn done(&self) {
        if let Some(plan) = &mut self.state().plan {
            plan.done += 1;
        }
    }

    /// Takes a likely bug, with its announcement if that is wanted.
    pub fn found(&self, judged: &Judged, announcement: Option<Announcement>) {
        let place = judged.place.as_ref().map(|place| (place.file.clone(), place.line));
        self.state().found(place, announcement);
        self.beat();
    }

    /// Prints the lines that are due, and updates the progress line.
    pub fn beat(&self) {
        if self.is_wanted {
            let is_terminal = !self.bar.is_hidden();
            let mut lines = self.state().due(Instant::now(), is_terminal);
            if interrupt::is_received() && !self.has_said_end.swap(true, Ordering::Relaxed) {
                lines.push(ENDING.to_string());
            }
            lines.iter().for_each(|line| complain!("{line}"));
            self.show();
        }
    }

    fn show(&self) {
        if !self.bar.is_hidden() {
            let message = self.state().in_words(Instant::now());
            self.bar.set_message(visible(&message).replace('\n', " "));
        }
    }

    /// Notes that all functions are tested and the reports follow. Returns the findings that were announced.
    pub fn finish(&self) -> Vec<Announced> {
        let mut state = self.state();
        state.plan = None;
        state.held.clear();
        state.doing = "writing the reports".to_string();
        let announced = std::mem::take(&mut state.announced);
        drop(state);
        self.bar.finish_and_clear();
        announced
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

impl State {
    fn new(start: Instant) -> State {
        State {
            start,
            plan: None,
            doing: "building and loading the code".to_string(),
            likely: 0,
            places: HashSet::new(),
            held: Vec::new(),
            announced: Vec::new(),
            has_said_more: false,
            said: start,
        }
    }

    fn found(&mut self, place: Option<(String, u32)>, announcement: Option<Announcement>) {
        if place.is_none_or(|place| self.places.insert(place)) {
            self.likely += 1;
            self.held.extend(announcement);
        }
    }

    /// Returns the lines that are due.
    fn due(&mut self, now: Instant, is_terminal: bool) -> Vec<String> {
        let mut lines = Vec::new();
        if now.duration_since(self.start) >= PATIENCE {
            for Announcement { words, of } in std::mem::take(&mut self.held) {
                if self.announced.len() < MOST_ANNOUNCED {
                    lines.push(format!("likely bug: {words}"));
                    self.announced.push(of);
                } else if !self.has_said_more {
                    lines.push("more likely bugs: the report at the end shows them".to_string());
                    self.has_said_more = true;
                }
            }
        }
        if !is_terminal && lines.is_empty() && now.duration_since(self.said) >= SILENCE {
            lines.push(self.in_words(now));
        }
        if !lines.is_empty() {
            self.said = now;
        }
        lines
    }

    /// Describes how much is done, how much time is left, and how many likely bugs there are.
    fn in_words(&self, now: Instant) -> String {
        let Some(plan) = &self.plan else {
            return format!("{} ({})", self.doing, rough(now.duration_since(self.start)));
        };
        let bugs = match self.likely {
            0 => "no likely bug".to_string(),
            1 => "1 likely bug".to_string(),
            many => format!("{many} likely bugs"),
        };
        let doing = if self.doing.is_empty() { String::new() } else { format!("; testing {}", self.doing) };
        format!("{} of {} functions tested, {}, {bugs}{doing}", plan.done, plan.functions, plan.left(now))
    }
}

impl Plan {
    /// Describes the time that is left: by the time that finished functions took, but at most what the budgets allow.
    fn left(&self, now: Instant) -> String {
        let elapsed = now.duration_since(self.begun);
        let most = self.most.saturating_sub(elapsed);
        let open = self.functions.saturating_sub(self.done) as u32;
        match elapsed.checked_div(self.done as u32).map(|each| each.saturating_mul(open)) {
            Some(left) if left < most => format!("about {} left", rough(left)),
            _ => format!("at most {} left", rough(most)),
        }
    }
}

/// Describes a time roughly: `40 s`, `3 min`, `2 h`.
fn rough(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..120 => format!("{seconds} s"),
        seconds @ 120..7200 => format!("{} min", (seconds + 30) / 60),
        seconds => format!("{} h", (seconds + 1800) / 3600),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use term::{Atom, FunctionName};

    const SECOND: Duration = Duration::from_secs(1);

    fn planned(start: Instant) -> State {
        let plan = Plan { functions: 10, done: 0, begun: start, most: 100 * SECOND };
        State { plan: Some(plan), doing: "m:f/1: 3 runs".to_string(), ..State::new(start) }
    }

    fn announcement(words: &str) -> Option<Announcement> {
        let function = FunctionName { module: Atom::new("m"), function: Atom::new("f"), arity: 1 };
        Some(Announcement { words: words.to_string(), of: Announced { function, defect: words.to_string() } })
    }

    #[test]
    fn nobody_waits_longer_than_half_a_minute_for_a_sign_of_life() {
        let start = Instant::now();
        let mut state = State::new(start);
        assert!(state.due(start + 29 * SECOND, false).is_empty());
        assert_eq!(state.due(start + 30 * SECOND, false), ["building and loading the code (30 s)"]);
        assert!(state.due(start + 59 * SECOND, false).is_empty());
        assert_eq!(state.due(start + 60 * SECOND, false).len(), 1);
        assert!(state.due(start + 600 * SECOND, true).is_empty(), "a terminal has its own line");
    }

    #[test]
    fn bugs_are_announced_at_once_unless_the_command_is_young() {
        let start = Instant::now();
        let mut state = planned(start);
        state.found(Some(("a.erl".to_string(), 1)), announcement("first"));
        assert!(state.due(start, false).is_empty());
        assert_eq!(state.due(start + SECOND, true), ["likely bug: first"]);
        state.found(Some(("a.erl".to_string(), 1)), announcement("the same place"));
        state.found(Some(("a.erl".to_string(), 2)), announcement("second"));
        state.found(Some(("a.erl".to_string(), 3)), None);
        assert_eq!(state.due(start + 2 * SECOND, false), ["likely bug: second"]);
        assert!(state.in_words(start + 2 * SECOND).contains(", 3 likely bugs; testing m:f/1"));
        for number in 0..MOST_ANNOUNCED + 5 {
            state.found(None, announcement(&number.to_string()));
        }
        assert_eq!(state.due(start + 3 * SECOND, false).len(), MOST_ANNOUNCED - 1);
        assert_eq!(state.announced.len(), MOST_ANNOUNCED);
    }

    #[test]
    fn what_is_left_follows_from_what_is_done() {
        let start = Instant::now();
        let mut state = planned(start);
        assert!(state.in_words(start).contains("0 of 10 functions tested, at most 100 s left, no likely bug"));
        if let Some(plan) = &mut state.plan {
            plan.done = 4;
        }
        assert!(state.in_words(start + 20 * SECOND).contains("4 of 10 functions tested, about 30 s left"));
        assert!(state.in_words(start + 95 * SECOND).contains("at most 5 s left"));
        assert_eq!([rough(119 * SECOND), rough(150 * SECOND), rough(9000 * SECOND)], ["119 s", "3 min", "3 h"]);
    }
}
