//! Regular expressions that were compiled, where that is a reference to something inside of the runtime (from OTP
//! 28 on; before, it is plain data that may go to the runtime and back).
//!
//! A run knows a reference of its own for each, and what it was made of. A call with one is a request to compile
//! it again and go on with that: so it does not matter which runtime is asked, or when.

use super::crossing::Called;
use crate::runtime::ErlangState;
use machine::{Context, World};
use rustc_hash::FxHashMap;
use term::{Atom, Term};

/// The pattern and the options of a compiled expression, by the number of its reference.
pub type Expressions = FxHashMap<u64, (Term, Term)>;

/// Of the helper in the runtime that compiles an expression and calls a function of `re` with it.
pub(super) const MODULE: &str = "beagle_helper";
pub(super) const FUNCTION: &str = "with_expression";

/// What to ask of the helper, if the call has a compiled expression: the function, its arguments, the place of
/// the expression among them, its pattern and its options.
pub(super) fn request(state: &ErlangState, called: Called, args: &[Term]) -> Option<Vec<Term>> {
    if called.module != "re" {
        return None;
    }
    let made_of = |arg: &Term| state.expressions.get(&reference(arg)?).cloned();
    let (place, (pattern, options)) = args.iter().enumerate().find_map(|(place, arg)| Some((place, made_of(arg)?)))?;
    let function = Term::Atom(Atom::new(called.function));
    Some(vec![function, Term::list(args.to_vec()), Term::Int(place as i64 + 1), pattern, options])
}

/// The answer, with a reference of the run's own in a compiled expression.
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

/// `{re_pattern, Captures, Unicode, Newlines, Reference}`
fn reference(term: &Term) -> Option<u64> {
    match term.as_tuple()? {
        [Term::Atom(tag), _, _, _, Term::Reference(number)] if tag.text() == "re_pattern" => Some(*number),
        _ => None,
    }
}

/// The pattern and the options of what is compiled or imported by the call.
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
