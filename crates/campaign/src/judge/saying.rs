//! Describes an outcome on the real runtime in words that follow "it was".

use frontend::{FrontEnd, Outcome, Rest, Watched};
use std::time::Duration;
use term::{FunctionName, Term};

/// The number of characters of the longest outcome that is shown in full.
const SHOWN: usize = 2000;
/// The number of processes whose ends are mentioned.
const MOST_ENDS: usize = 3;

pub struct Saying<'a> {
    pub language: &'a dyn FrontEnd,
    /// The time limit of the call.
    pub time: Duration,
    /// Whether it matters how the processes that the call started ended.
    pub is_of_processes: bool,
}

impl Saying<'_> {
    pub fn said(&self, watched: &Watched) -> String {
        let ends = if self.is_of_processes { self.ends(watched) } else { String::new() };
        let whole = format!("{}{ends}", self.in_words(watched));
        match whole.char_indices().nth(SHOWN) {
            Some((end, _)) => format!("{} …", &whole[..end]),
            None => whole,
        }
    }

    fn in_words(&self, watched: &Watched) -> String {
        let seconds = self.time.as_secs();
        let print = |term: &Term, text: &Option<String>| self.language.shown(term, text.as_deref());
        match &watched.outcome {
            Outcome::Value { term, text } => print(term, text),
            Outcome::Raised { class, reason, text } => format!("{class} {}", print(reason, text)),
            Outcome::Timeout { .. } if watched.rest == Rest::Waiting => {
                format!("waiting for a message after {seconds} s")
            }
            Outcome::Timeout { .. } => format!("without an end within {seconds} s"),
            Outcome::HeapExceeded => "without enough memory".to_string(),
            Outcome::Stopped { module, function, arity } => {
                let name = FunctionName { module: *module, function: *function, arity: *arity };
                format!("on its way to {}, and was stopped", self.language.function(name))
            }
            Outcome::Killed { reason } => format!("ended from outside: {}", print(reason, &None)),
            Outcome::Unreadable { message } => format!("not readable: {message}"),
            Outcome::RuntimeDied { message } => format!("the end of the whole runtime: {message}"),
        }
    }

    fn ends(&self, watched: &Watched) -> String {
        let reasons = watched.ends.iter().take(MOST_ENDS).map(|end| self.language.shown(&end.reason, None));
        let reasons: Vec<String> = reasons.collect();
        match watched.ends.len().saturating_sub(MOST_ENDS) {
            _ if reasons.is_empty() => ", and no process that it started crashed".to_string(),
            0 => format!(", and processes that it started ended with {}", reasons.join(", ")),
            more => format!(", and processes that it started ended with {} and {more} more", reasons.join(", ")),
        }
    }
}
