//! Observers of a campaign, and its warnings.

use search::{Finding, Progress};
use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};
use term::{Atom, FunctionName};

/// Observes how functions are tested. Workers call it from several threads.
pub trait Observer: Send + Sync {
    /// Reports the progress of the search of `function`.
    fn running(&self, _function: &str, _progress: &Progress) {}

    /// Reports that one of the functions is finished.
    fn done(&self) {}

    /// Returns whether the user wants everything to end: searches end at once, and no further one begins.
    fn is_interrupted(&self) -> bool {
        false
    }

    /// Notes a finding that is true, and returns whether the user already knows it.
    fn is_known(&self, _name: FunctionName, _finding: &Finding, _user_modules: &[Atom]) -> bool {
        false
    }
}

/// The subjects for which one warning is enough in a whole command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Topic {
    NoSolver,
    NoTestsOfPaths,
}

/// The destination of warnings. All campaigns of a command share it; by default warnings are dropped.
#[derive(Clone, Default)]
pub struct Warnings(Option<Arc<Listener>>);

struct Listener {
    warn: Box<dyn Fn(&str) + Send + Sync>,
    said: Mutex<HashSet<Topic>>,
}

impl Warnings {
    pub fn new(warn: impl Fn(&str) + Send + Sync + 'static) -> Warnings {
        Warnings(Some(Arc::new(Listener { warn: Box::new(warn), said: Mutex::default() })))
    }

    pub fn warn(&self, words: &str) {
        if let Some(listener) = &self.0 {
            (listener.warn)(words);
        }
    }

    /// Warns only the first time that the topic comes up in any of the workers.
    pub fn warn_once(&self, topic: Topic, words: &str) {
        if let Some(listener) = &self.0
            && listener.said.lock().unwrap_or_else(PoisonError::into_inner).insert(topic)
        {
            (listener.warn)(words);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_topic_is_mentioned_once() {
        let heard: Arc<Mutex<Vec<String>>> = Arc::default();
        let ear = Arc::clone(&heard);
        let warnings = Warnings::new(move |words| ear.lock().expect("a lock").push(words.to_string()));
        for worker in ["first", "second"] {
            warnings.clone().warn_once(Topic::NoSolver, worker);
        }
        warnings.warn_once(Topic::NoTestsOfPaths, "third");
        warnings.warn("fourth");
        assert_eq!(*heard.lock().expect("a lock"), ["first", "third", "fourth"]);
    }
}
