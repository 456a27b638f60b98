//! Describes outcomes in words.

use frontend::{Code, FrontEnd};
use machine::Limits;
use path::{Class, Raised};
use search::{Blame, Failure, Finding};
use session::{Opaque, Session, SessionError};
use std::sync::Arc;
use term::{Atom, Term};

/// Describes outcomes in the words of a shell, with a machine of its own, because that of the exploration is busy.
pub struct Speaker {
    code: Arc<dyn Code>,
    limits: Limits,
    session: Option<Session>,
}

impl Speaker {
    pub fn new(code: &Arc<dyn Code>, limits: Limits) -> Speaker {
        Speaker { code: Arc::clone(code), limits, session: None }
    }

    fn session(&mut self) -> Result<&mut Session, SessionError> {
        let session = match self.session.take() {
            Some(session) => session,
            None => Opaque::default().session(&self.code, self.limits)?,
        };
        Ok(self.session.insert(session))
    }

    /// Describes an exception without a trace.
    pub fn exception(&mut self, language: &dyn FrontEnd, class: Atom, reason: &Term) -> String {
        let class = Class::of(class).unwrap_or(Class::Error);
        let raised = Raised::by_main(class, reason.clone(), Vec::new());
        self.raised(language, &raised)
    }

    fn raised(&mut self, language: &dyn FrontEnd, raised: &Raised) -> String {
        match self.session() {
            Ok(session) => language.describe(raised, &mut |text| session.value(text, language)),
            Err(error) => error.to_string(),
        }
    }

    pub fn shown(&mut self, language: &dyn FrontEnd, finding: &Finding) -> String {
        match &finding.failure {
            Failure::Crash(raised) => self.raised(language, raised),
            Failure::Spec { result, .. } => language.shown(result, None),
            Failure::Blame(Blame::Domain(_) | Blame::Arity(_)) => {
                "(calls a function outside of its domain)".to_string()
            }
            Failure::Blame(Blame::Range(_)) => "(hands out a function that leaves its range)".to_string(),
            Failure::Timeout(_) if finding.is_only_long() => "(takes longer than its limits)".to_string(),
            Failure::Timeout(_) => "(does not end)".to_string(),
            Failure::Deadlock(_) => "(waits, and nobody can answer)".to_string(),
        }
    }
}
