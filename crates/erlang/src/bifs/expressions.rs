//! Compiled regular expressions that refer to an object inside the runtime (from OTP 28 on; before that, they are plain
//! data that may be sent to the runtime and back).
//!
//! A run has its own reference for each of them, and remembers the pattern and the options. A call with such a
//! reference asks the runtime to compile the expression again and to continue with the result, so it does not matter
//! which runtime is asked, or when.

use super::crossing::Called;
use crate::runtime::ErlangState;
use machine::{Context, World};
use rustc_hash::FxHashMap;
use term::{Atom, Term};

/// The pattern and the options of a compiled expression, by the number of its reference.
pub type Expressions = FxHashMap<u64, (Term, Term)>;

/// The function of the helper in the runtime that compiles an expression and calls a function of `re` with it.
pub(super) const MODULE: &str = "beagle_helper";
pub(super) const FUNCTION: &str = "with_expression";

/// Returns the arguments for the helper, if the call has a compiled expression: the function, its arguments, the
/// position of the expression among them, its pattern and its options.
pub(super) fn request(state: &ErlangState, called: Called, args: &[Term]) -> Option<Vec<Term>> {
    if called.module != "re" {
        return None;
    }
    let made_of = |arg: &Term| state.expressions.get(&reference(arg)?).cloned();
    let (place, (pattern, options)) = args.iter().enumerate().find_map(|(place, arg)| Some((place, made_of(arg)?)))?;
    let function = Term::Atom(Atom::new(called.function));
    Some(vec![function, Term::list(args.to_vec()), Term::Int(place as i64 + 1), pattern, options])
}

/// Returns the answer, with the run's own reference in a compiled expression.
pub(super) fn kept(context: &mut Context, called: Called, args: &[Term], answer: Term) -> Term {
    let Some(made_of) = made_of(called, args) else { return answer };
    match answer.as_tuple() {
        Some([ok, compiled]) if reference(compiled).is_some() => {
            Term::tuple(vec![ok.clone(), with_own_reference(context, compiled, made_of)])
        }
        _ if reference(&answer).is_some() => with_own_reference(context, &answer, made_of),
        _ => answer,
    }
}

/// Returns the reference in `{re_pattern, Captures, Unicode, Newlines, Reference}`.
fn reference(term: &Term) -> Option<u64> {
    match term.as_tuple()? {
        [Term::Atom(tag), _, _, _, Term::Reference(number)] if tag.text() == "re_pattern" => Some(*number),
        _ => None,
    }
}

/// Returns the pattern and the options of an expression that the call compiles or imports.
fn made_of(called: Called, args: &[Term]) -> Option<(Term, Term)> {
    match (called.module, called.function, args) {
        ("re", "compile", [pattern]) => Some((pattern.clone(), Term::Nil)),
        ("re", "compile", [pattern, options]) => Some((pattern.clone(), options.clone())),
        ("re", "import", [exported]) => match exported.as_tuple()? {
            [_, _, pattern, options, _] => {
                let kept = options.as_list()?.iter().filter(|option| **option != Term::atom("export")).cloned();
                Some((pattern.clone(), Term::list(kept.collect::<Vec<_>>())))
            }
            _ => None,
        },
        _ => None,
    }
}

fn with_own_reference(context: &mut Context, compiled: &Term, made_of: (Term, Term)) -> Term {
    let number = World::reference_number(&mut context.process);
    ErlangState::of(context).expressions.insert(number, made_of);
    let mut parts = compiled.as_tuple().unwrap_or_default().to_vec();
    if let Some(last) = parts.last_mut() {
        *last = Term::Reference(number);
    }
    Term::tuple(parts)
}
