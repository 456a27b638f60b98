//! Regression tests for findings and paths.

use super::{Campaign, Wish};
use crate::speaker::Speaker;
use crate::target::Target;
use contract::Contract;
use emit::Observed;
use frontend::{Code, Outcome};
use path::InputValue;
use report::Judged;
use term::Atom;

/// The material for the regression tests of a function.
pub(super) struct Material<'m> {
    pub target: &'m Target,
    /// Whether a module is needed to call the function.
    pub is_used: &'m dyn Fn(Atom) -> bool,
    pub contract: &'m Contract,
    pub findings: &'m [Judged],
    /// Inputs of the function's first paths, if tests of paths are wanted.
    pub examples: &'m [Vec<InputValue>],
}

impl Campaign {
    /// Returns regression tests for the findings and, if they are wanted, for the paths that were taken.
    pub(super) fn tests(&self, code: &dyn Code, speaker: &mut Speaker, of: &Material<'_>) -> Vec<emit::Test> {
        let Material { target, is_used, contract, findings, examples } = *of;
        let name = target.name;
        if self.emits == Wish::Nothing {
            return Vec::new();
        }
        let language = self.languages.language(name.module);
        let framework = language.framework();
        let new = findings.iter().filter(|judged| !judged.is_known);
        // A finding made before something was started for the function needs none of those setups.
        let setups =
            |judged: &Judged| if target.started.is_empty() { target.setups.clone() } else { judged.started.clone() };
        let bugs = new.flat_map(|judged| {
            let test = framework.bug(language, contract, name, judged).into_iter().collect();
            emit::after_setups(language, &setups(judged), test)
        });
        let bugs: Vec<emit::Test> = bugs.collect();
        if self.emits == Wish::Bugs || name.is_client() || self.observer.is_interrupted() {
            return bugs;
        }
        let mut tests = Vec::new();
        for (inputs, outcome) in self.judge.observed(code, language, is_used, target, examples) {
            let observed = match outcome {
                Outcome::Value { term, .. } => Observed::Value(term),
                Outcome::Raised { class, reason, .. } => {
                    let shown = speaker.exception(language, class, &reason);
                    Observed::Raised { class, reason, shown }
                }
                _ => continue,
            };
            tests.push(framework.example(language, name, inputs, &observed));
        }
        bugs.into_iter().chain(emit::after_setups(language, &target.setups, tests)).collect()
    }
}
