//! Finds the part of the inputs that an exception is about.

use path::Raised;
use program::SpecClause;
use report::Refused;
use search::Finding;
use term::{Term, names};

/// Returns the part of an argument that no clause, pattern or primitive took, if the exception carries such a value.
pub fn refused(raised: &Raised, finding: &Finding, clauses: &[SpecClause]) -> Option<Refused> {
    let inputs: Vec<Option<&Term>> =
        finding.inputs.iter().map(|input| input.as_data().map(|value| &value.data)).collect();
    // An argument that is the value as a whole is a better match than one that contains it.
    let value = blamed(raised, &inputs)?;
    let whole = only(&inputs, |input| input == value);
    let is_whole = whole.is_some();
    let part = || only(&inputs, |input| *value != Term::Nil && has_part(input, value));
    let index = whole.or_else(part)?;
    let declared = match clauses {
        [clause] => clause.params.get(index).cloned(),
        _ => None,
    };
    Some(Refused { argument: index + 1, is_whole, value: value.clone(), declared })
}

/// Returns the index of the only input that satisfies a condition. If several do, it is unknown which one is to blame.
fn only(inputs: &[Option<&Term>], is_it: impl Fn(&Term) -> bool) -> Option<usize> {
    let mut found = (0..inputs.len()).filter(|at| inputs.get(*at).copied().flatten().is_some_and(&is_it));
    found.next().filter(|_| found.next().is_none())
}

/// Returns the only value of an exception that is an input or a part of one. If arithmetic fails with an argument that
/// is not a number, numbers are not to blame.
fn blamed<'r>(raised: &'r Raised, inputs: &[Option<&Term>]) -> Option<&'r Term> {
    let is_number = |value: &Term| matches!(value, Term::Int(_) | Term::Big(_) | Term::Float(_));
    let candidates = candidates(raised);
    let is_arithmetic =
        raised.reason == Term::Atom(names::BADARITH) && !candidates.iter().all(|value| is_number(value));
    let is_given = |value: &&&Term| inputs.iter().flatten().any(|input| has_part(input, value));
    let mut given = candidates.iter().filter(is_given).filter(|value| !is_arithmetic || !is_number(value));
    let first = given.next()?;
    given.all(|other| other == first).then_some(first)
}

/// Returns the values that an exception carries: that of a match, or the arguments of the innermost call.
pub fn candidates(raised: &Raised) -> Vec<&Term> {
    let of_reason = match &raised.reason {
        Term::Tuple(parts) if parts.len() == 2 => parts.get(1),
        _ => None,
    };
    // If no clause takes several arguments together, it is unknown which of them is wrong.
    let is_alone = |args: &&Vec<Term>| raised.reason != Term::Atom(names::FUNCTION_CLAUSE) || args.len() == 1;
    let of_call = raised.trace.first().and_then(|entry| entry.args.as_ref()).filter(is_alone);
    of_reason.into_iter().chain(of_call.into_iter().flatten()).collect()
}

pub fn has_part(whole: &Term, part: &Term) -> bool {
    let mut left = vec![whole];
    while let Some(next) = left.pop() {
        if next == part {
            return true;
        }
        match next {
            Term::Tuple(parts) => left.extend(parts.iter()),
            Term::List(items, tail) => left.extend(items.iter().chain(tail.as_deref())),
            Term::Map(pairs) => left.extend(pairs.iter().flat_map(|(key, value)| [key, value])),
            _ => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use path::{Class, TraceEntry};

    fn blamed_argument(reason: Term, args: &[Term], inputs: &[Term]) -> Option<usize> {
        let name = term::Atom::new("f");
        let (arity, args) = (args.len() as u32, Some(args.to_vec()));
        let entry =
            TraceEntry { module: name, function: name, arity, args, file: String::new(), line: 1, details: Vec::new() };
        let raised = Raised::by_main(Class::Error, reason, vec![entry]);
        let inputs: Vec<Option<&Term>> = inputs.iter().map(Some).collect();
        let value = blamed(&raised, &inputs)?;
        only(&inputs, |input| input == value)
    }

    #[test]
    fn who_is_blamed_is_the_only_one_who_could_be() {
        let (zero, word) = (Term::Int(0), Term::atom("a"));
        let (badarg, badarith) = (Term::Atom(names::BADARG), Term::Atom(names::BADARITH));
        let both = [zero.clone(), word.clone()];
        assert_eq!(blamed_argument(badarith.clone(), &both, &both), Some(1));
        assert_eq!(blamed_argument(badarg.clone(), &both, &both), None);
        assert_eq!(blamed_argument(badarg.clone(), &both, &both[1..]), Some(0));
        assert_eq!(blamed_argument(badarg, &both[1..], &[word.clone(), word]), None);
    }
}
