//! The identity of function inputs. Formulas know functions by their arity only, so the search cannot solve for whether
//! two functions are the same: operations that depend on it are recorded as losses.
//!
//! A function input is a closure whose first captured value is a number with a shadow. The formula of the shadow is the
//! result of a function that is never sampled. Comparisons, hashes and keys of maps look deep into their operands, so
//! they meet this shadow as they meet those of data that closures capture, and a closure has no formula.

use crate::context::Context;
use crate::value::{Kind, Word};
use formula::{Codomain, Operator};
use path::Concretised;
use term::{Atom, FunctionName};

/// The number of parts up to which values are searched.
const MOST_PARTS: usize = 10_000;

/// Returns the name of the function whose result is the identity of a function input. No module has this name.
fn identity() -> FunctionName {
    FunctionName { module: Atom::new("function input"), function: Atom::new("identity"), arity: 1 }
}

impl Context {
    /// Returns a number for a function input to capture first, which makes its identity unknown to formulas.
    pub fn unknown_identity(&mut self, number: u32) -> Word {
        self.recorder.has_function_inputs = true;
        let formulas = &mut self.recorder.formulas;
        let number_term = formulas.integer(number);
        let formula = formulas.apply(identity(), Codomain::ANYTHING, &[number_term]);
        self.heap.symbolic(Word::small(number.into()), formula)
    }

    /// Returns whether a value is a function input with an unknown identity.
    pub fn is_function_input(&self, word: Word) -> bool {
        let word = word.concrete();
        let captured = (word.kind() == Some(Kind::Closure)).then(|| word.payload().first().copied()).flatten();
        captured.and_then(Word::as_symbolic).is_some_and(|(_, formula)| {
            let operator = self.recorder.formulas.operator(formula);
            matches!(operator, Operator::Apply { function, .. } if *function == identity())
        })
    }

    /// Returns whether a value contains function inputs and no other shadows. Code that is not followed may be given
    /// such a value as it is: the functions are followed wherever they are called.
    pub fn has_only_identities(&self, word: Word) -> bool {
        if !self.recorder.has_function_inputs {
            return false;
        }
        let mut left = MOST_PARTS;
        let mut open = vec![word];
        while let Some(word) = open.pop() {
            if word.is_symbolic() {
                return false;
            }
            if word.is_immediate() || word.is_leaf() {
                continue;
            }
            left -= 1;
            if left == 0 {
                return false;
            }
            match (word.is_cons(), self.is_function_input(word)) {
                (true, _) => open.extend([word.tail(), word.head()]),
                // The first captured value is the identity.
                (false, true) => open.extend_from_slice(word.payload().get(1..).unwrap_or_default()),
                (false, false) => open.extend_from_slice(word.payload()),
            }
        }
        true
    }

    /// Records a loss if two values are compared as wholes, by a formula, and both contain functions.
    pub(super) fn note_compared(&mut self, a: Word, b: Word) {
        if self.recorder.has_function_inputs && has_function(a) && has_function(b) {
            self.lose(Concretised::IdentityOfFunction);
        }
    }

    /// Records a loss if an operation whose result depends on all of a value, such as a hash, is given functions.
    pub(super) fn note_inspected(&mut self, word: Word) {
        if self.recorder.has_function_inputs && has_function(word) {
            self.lose(Concretised::IdentityOfFunction);
        }
    }
}

/// Returns whether a value contains a function, or is too large to be searched.
pub(super) fn has_function(word: Word) -> bool {
    let mut left = MOST_PARTS;
    let mut open = vec![word];
    while let Some(word) = open.pop() {
        let word = word.concrete();
        if word.is_immediate() || word.is_leaf() {
            continue;
        }
        left = left.saturating_sub(1);
        if left == 0 || word.is_function() {
            return true;
        }
        match word.is_cons() {
            true => open.extend([word.tail(), word.head()]),
            false => open.extend_from_slice(word.payload()),
        }
    }
    false
}
