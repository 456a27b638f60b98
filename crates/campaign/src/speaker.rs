//! Outcomes in words.

use loader::Loader;
use machine::Limits;
use path::{Class, Raised};
use report::Printer;
use search::{Blame, Failure, Finding};
use session::{Language, Opaque, Session, SessionError, elixir_exception_report, exception_report};
use std::sync::Arc;
use term::{Atom, Term};

/// Says outcomes as the shell shows them, with a machine of its own: that of the exploration is busy.
pub struct Speaker {
    loader: Arc<Loader>,
    limits: Limits,
    session: Option<Session>,
}

impl Speaker {
    pub fn new(loader: &Arc<Loader>, limits: Limits) -> Speaker {
        Speaker { loader: Arc::clone(loader), limits, session: None }
    }

    fn session(&mut self) -> Result<&mut Session, SessionError> {
        let session = match self.session.take() {
            Some(session) => session,
            None => Opaque::default().session(&self.loader, self.limits)?,
        };
        Ok(self.session.insert(session))
    }

    /// An exception without its trace.
    pub fn exception(&mut self, language: &Language, class: Atom, reason: &Term) -> String {
        let class = Class::of(class).unwrap_or(Class::Error);
        let raised = Raised { process: path::ProcessId::MAIN, class, reason: reason.clone(), trace: Vec::new() };
        self.raised(language, &raised)
    }

    fn raised(&mut self, language: &Language, raised: &Raised) -> String {
        match (self.session(), language) {
            (Ok(session), Language::Erlang) => exception_report(session, raised),
            (Ok(session), Language::Elixir(_)) => {
                elixir_exception_report(session, raised, &language.term(&raised.reason))
            }
            (Err(error), _) => error.to_string(),
        }
    }

    pub fn shown(&mut self, language: &Language, finding: &Finding) -> String {
        match &finding.failure {
            Failure::Crash(raised) => self.raised(language, raised),
            Failure::Spec { result } => match language {
                Language::Erlang => erlang::print(result),
                Language::Elixir(_) => language.term(result),
            },
            Failure::Blame(Blame::Domain(_) | Blame::Arity(_)) => {
                "(calls a function outside of its domain)".to_string()
            }
            Failure::Blame(Blame::Range(_)) => "(hands out a function that leaves its range)".to_string(),
            Failure::Timeout(_) if finding.is_only_long() => "(takes longer than its limits)".to_string(),
            Failure::Timeout(_) => "(does not end)".to_string(),
            Failure::Deadlock => "(waits for ever)".to_string(),
        }
    }
}
