//! Collects what the ranking of findings uses: facts about the failure, the specification, the inputs and the code.
//!
//! What is the same for all findings of a function is collected once, when the first of them is judged.

mod declared;
mod inputs;

use crate::place::Files;
use crate::target::Target;
use contract::Contract;
use declared::Declared;
use frontend::{Cause, Code, CodeAround, FrontEnd, Remarks};
use inputs::traits_of;
use path::{Class, TraceEntry};
use program::{Callee, Expr, Module, for_each_atom, for_each_expr};
use report::rank::{Outcome, Signals};
use search::{Failure, Finding};
use std::collections::HashSet;
use std::sync::Arc;
use term::{Atom, Term, names};

/// What is known of a function whatever was found in it.
pub struct Facts {
    declared: Declared,
    remarks: Remarks,
    is_module_internal: bool,
    is_named_to_raise: bool,
    /// Atoms that the module names in its types and its code.
    atoms: HashSet<Atom>,
    builds_errors: bool,
}

impl Facts {
    pub fn of(code: &dyn Code, language: &dyn FrontEnd, target: &Target, files: &Files) -> Facts {
        let module = &target.module;
        let declared = Declared::of(code, module, target.name);
        let mut atoms = declared.atoms.clone();
        for function in &module.functions {
            let Ok(body) = function.body.get() else { continue };
            for_each_atom(body, |atom| {
                atoms.insert(atom);
            });
        }
        let remarks = files.head(target).map(|(text, line)| language.remarks(&text, module.name, line));
        let remarks = remarks.unwrap_or_default();
        Facts {
            declared,
            is_module_internal: remarks.is_module_hidden || is_internal_name(module.name),
            remarks,
            is_named_to_raise: language.is_named_to_raise(target.name.function),
            atoms,
            builds_errors: builds_errors(module, target.name.function, target.name.arity),
        }
    }
}

/// Some words in the name of a module say that it is not for users.
fn is_internal_name(module: Atom) -> bool {
    let words = module.text().split(['.', '_', '-']).map(str::to_lowercase);
    words.into_iter().any(|word| matches!(word.as_str(), "internal" | "internals" | "private" | "impl"))
}

/// Where a finding was made.
pub struct Around<'a> {
    pub code: &'a dyn Code,
    pub language: &'a dyn FrontEnd,
    pub target: &'a Target,
    pub contract: &'a Contract,
    pub user_modules: &'a [Atom],
}

impl CodeAround for Around<'_> {
    fn is_users(&self, module: Atom) -> bool {
        module == self.target.name.module || self.user_modules.contains(&module)
    }

    fn load(&self, module: Atom) -> Option<Arc<Module>> {
        self.code.load(module).ok().flatten()
    }
}

impl Around<'_> {
    pub fn signals(&self, facts: &Facts, finding: &Finding) -> Signals {
        let name = self.target.name;
        let raised = match &finding.failure {
            Failure::Crash(raised) => Some(raised),
            Failure::Spec { .. } | Failure::Blame(_) | Failure::Timeout(_) | Failure::Deadlock => None,
        };
        let Cause { origin, missing, is_unhandled_error, is_said_impossible } =
            raised.map_or_else(Cause::default, |raised| self.language.cause(raised, self));
        let place = raised.and_then(|raised| raised.trace.iter().find(|entry| self.is_users(entry.module)));
        let is_own = |entry: &&TraceEntry| {
            (entry.module, entry.function, entry.arity) == (name.module, name.function, name.arity)
        };
        let is_function_clause = raised.is_some_and(|raised| raised.reason == Term::Atom(names::FUNCTION_CLAUSE));
        let own_head =
            is_function_clause && raised.and_then(|raised| raised.trace.first()).as_ref().is_some_and(is_own);
        let handles_there = place.is_some_and(|entry| {
            self.load(entry.module).is_some_and(|module| builds_errors(&module, entry.function, entry.arity))
        });
        Signals {
            outcome: outcome(&finding.failure),
            origin,
            missing,
            unhandled_error: is_unhandled_error,
            said_impossible: is_said_impossible,
            error_return: facts.declared.error_return,
            empty_return: facts.declared.empty_return,
            declared: self.contract.declared,
            any_parameter: facts.declared.any_parameter,
            built_by_hand: !self.contract.clauses.is_empty()
                && self.contract.clauses.iter().all(|clause| clause.by_hand),
            own_head,
            handles_errors: facts.builds_errors || handles_there,
            raises_otherwise: raised.is_some_and(|raised| self.raises_on_the_way(&raised.trace)),
            unnamed_result: matches!(&finding.failure, Failure::Spec { result } if is_of_words(result)),
            applied_result: !finding.functions.applications.is_empty(),
            named_to_raise: facts.is_named_to_raise,
            function: facts.remarks.function,
            internal_module: facts.is_module_internal,
            inputs: traits_of(self, finding, &facts.atoms),
            depends: !finding.depends_on.is_empty(),
        }
    }
}

impl Around<'_> {
    /// Whether the function under test, or one of the user's in the trace, raises exceptions by itself somewhere.
    fn raises_on_the_way(&self, trace: &[TraceEntry]) -> bool {
        let name = self.target.name;
        let own = (name.module, name.function, name.arity);
        let entries = trace.iter().filter(|entry| self.is_users(entry.module));
        let names = entries.map(|entry| (entry.module, entry.function, entry.arity)).chain([own]);
        let mut raises = false;
        for (module, function, arity) in names {
            let Some(module) = self.load(module) else { continue };
            let Some(Ok(body)) = module.find(function, arity).map(|id| module.function(id).body.get()) else {
                continue;
            };
            for_each_expr(body, |expr| {
                if let Expr::Call { callee: Callee::Remote { module, function }, .. } = expr {
                    raises |= self.language.raises(*module, *function);
                }
            });
        }
        raises
    }
}

/// Whether a result is a word, or a tuple of words and no numbers: what code names rather than computes.
fn is_of_words(result: &Term) -> bool {
    let is_word = |term: &Term| matches!(term, Term::Atom(_));
    match result {
        Term::Tuple(parts) => {
            let is_number = |term: &Term| matches!(term, Term::Int(_) | Term::Big(_) | Term::Float(_));
            parts.iter().any(is_word) && !parts.iter().any(is_number)
        }
        other => is_word(other),
    }
}

fn outcome(failure: &Failure) -> Outcome {
    match failure {
        Failure::Crash(raised) => match raised.class {
            Class::Error => Outcome::Error,
            Class::Throw => Outcome::Throw,
            Class::Exit => Outcome::Exit,
        },
        Failure::Spec { .. } => Outcome::WrongResult,
        Failure::Blame(_) => Outcome::WrongUse,
        Failure::Timeout(unended) if unended.endless.is_some() => Outcome::Endless,
        Failure::Timeout(_) => Outcome::Long,
        Failure::Deadlock => Outcome::Waiting,
    }
}

/// Whether a function makes `error` or `{error, _}` somewhere.
fn builds_errors(module: &Module, function: Atom, arity: u32) -> bool {
    let Some(id) = module.find(function, arity) else { return false };
    let Ok(body) = module.function(id).body.get() else { return false };
    let is_error = |term: &Term| *term == Term::Atom(names::ERROR);
    let mut found = false;
    for_each_expr(body, |expr| {
        found |= match expr {
            Expr::Const(Term::Tuple(parts)) => parts.first().is_some_and(is_error),
            Expr::Const(term) => is_error(term),
            Expr::Tuple(parts) => matches!(parts.first(), Some(Expr::Const(first)) if is_error(first)),
            _ => false,
        };
    });
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_what_is_internal() {
        for (name, is_internal) in [
            ("Elixir.Jason.Internal.Codegen", true),
            ("m_impl", true),
            ("simple", false),
            ("private_key", true),
            ("Elixir.Simple", false),
        ] {
            assert_eq!(is_internal_name(Atom::new(name)), is_internal, "{name}");
        }
    }
}
