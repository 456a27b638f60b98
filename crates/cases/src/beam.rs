//! The real BEAM as a subject.

use crate::{Case, Subject};
use oracle::{Call, CompileOptions, Limits, Oracle, OracleConfig, OracleError, Outcome, Rest};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The BEAM, which evaluates on a child runtime of its own.
pub struct Beam {
    oracle: Oracle,
    /// The case whose module was loaded last, by its file and text.
    loaded: Option<(PathBuf, String)>,
}

#[derive(Debug, thiserror::Error)]
pub enum BeamError {
    #[error(transparent)]
    Oracle(#[from] OracleError),
    #[error("there is an OTP module {module}, which the case would replace: give the case another name")]
    HidesLibrary { module: String },
    #[error("`{expression}` has no result: {why}")]
    NoResult { expression: String, why: String },
}

/// The limits of an evaluation. They are generous, because a million frames or a loaded computer take their time.
const LIMITS: Limits = Limits { time: Duration::from_secs(60), heap_words: 64 << 20 };

/// The limits after which an evaluation counts as endless.
const PATIENCE: Limits = Limits { time: Duration::from_secs(2), heap_words: 64 << 20 };

impl Beam {
    /// Returns a subject whose child boots when it is first needed.
    pub fn new(config: OracleConfig) -> Beam {
        Beam { oracle: Oracle::new(config), loaded: None }
    }

    /// Returns the release of OTP.
    pub fn release(&self) -> Result<u32, BeamError> {
        Ok(self.oracle.info()?.release_number())
    }

    /// Does the same as [`Subject::evaluate`], but fails if there is no answer.
    pub fn judge(&mut self, case: &Case, expression: &str) -> Result<String, BeamError> {
        let home = self.load(case)?;
        let call = Call::Text { text: expression.to_owned(), home: Some(home) };
        let no_result = |why: String| BeamError::NoResult { expression: expression.to_owned(), why };
        match self.oracle.evaluate_printed(&call, LIMITS)? {
            Outcome::Value { text: Some(text), .. } => Ok(text),
            Outcome::Raised { class, text: Some(text), .. } => Ok(format!("{class} {text}")),
            Outcome::Value { text: None, .. } | Outcome::Raised { text: None, .. } => {
                Err(no_result("it was not printed".to_owned()))
            }
            Outcome::Timeout { .. } => Err(no_result(format!("it takes more than {} s", LIMITS.time.as_secs()))),
            Outcome::HeapExceeded => Err(no_result(format!("it needs more than {} words", LIMITS.heap_words))),
            Outcome::Killed { reason } => Err(no_result(format!("its process was ended: {reason:?}"))),
            Outcome::Unreadable { message } => Err(no_result(message)),
            Outcome::Stopped { module, function, arity } => {
                Err(no_result(format!("it was stopped at {module}:{function}/{arity}")))
            }
            Outcome::RuntimeDied { message } => Err(no_result(message)),
        }
    }

    /// Returns the result of an expression, or `None` if there is none within the time limit.
    pub fn ends(&mut self, case: &Case, expression: &str) -> Result<Option<String>, BeamError> {
        let home = self.load(case)?;
        let call = Call::Text { text: expression.to_owned(), home: Some(home) };
        Ok(match self.oracle.evaluate_printed(&call, PATIENCE)? {
            Outcome::Timeout { .. } | Outcome::HeapExceeded => None,
            outcome => Some(text_of(outcome)),
        })
    }

    /// Returns the result of an expression, or `None` if all its processes wait for messages at the end of the time
    /// limit.
    pub fn waits(&mut self, case: &Case, expression: &str) -> Result<Option<String>, BeamError> {
        let home = self.load(case)?;
        let call = Call::Text { text: expression.to_owned(), home: Some(home) };
        let watched = self.oracle.evaluate_watched(&call, PATIENCE, true, false, Duration::ZERO)?;
        Ok(match watched.outcome {
            Outcome::Timeout { .. } if watched.rest == Rest::Waiting => None,
            outcome => Some(text_of(outcome)),
        })
    }

    fn load(&mut self, case: &Case) -> Result<term::Atom, BeamError> {
        let module = term::Atom::new(&case.module);
        if self.loaded.as_ref().is_some_and(|(path, text)| *path == case.path && *text == case.text) {
            return Ok(module);
        }
        if self.oracle.locate(module)?.is_some_and(|file| file != case.path) {
            return Err(BeamError::HidesLibrary { module: case.module.clone() });
        }
        let loaded = self.oracle.load_source(&case.path, &CompileOptions::default())?;
        self.loaded = Some((case.path.clone(), case.text.clone()));
        Ok(loaded)
    }
}

fn text_of(outcome: Outcome) -> String {
    match outcome {
        Outcome::Value { text: Some(text), .. } => text,
        Outcome::Raised { class, text: Some(text), .. } => format!("{class} {text}"),
        other => format!("{other:?}"),
    }
}

impl Default for Beam {
    fn default() -> Beam {
        // Cases are compiled in place; tests of this crate write some elsewhere.
        let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases");
        Beam::new(OracleConfig { readable: vec![cases, std::env::temp_dir()], ..OracleConfig::default() })
    }
}

impl Subject for Beam {
    fn evaluate(&mut self, case: &Case, expression: &str) -> String {
        self.judge(case, expression).unwrap_or_else(|error| format!("no answer from the BEAM: {error}"))
    }
}
