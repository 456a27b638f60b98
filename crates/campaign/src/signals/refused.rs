//! Which part of the inputs an exception is about.

use path::Raised;
use program::SpecClause;
use report::Refused;
use search::Finding;
use term::{Term, names};

/// The part of an argument that no clause, pattern or primitive took, if the exception carries a value that is one.
pub fn refused(raised: &Raised, finding: &Finding, clauses: &[SpecClause]) -> Option<Refused> {
    let inputs: Vec<Option<&Term>> =
        finding.inputs.iter().map(|input| input.as_data().map(|value| &value.data)).collect();
    // The whole of an argument says more than a part of another one.
    let candidates = candidates(raised);
    let whole = |value: &&Term| inputs.iter().position(|input| *input == Some(*value));
    let found = candidates.iter().find_map(|value| whole(value).map(|at| (*value, at, true))).or_else(|| {
        let part = |value: &&Term| inputs.iter().position(|input| input.is_some_and(|input| has_part(input, value)));
        let mut telling = candidates.iter().filter(|value| !matches!(value, Term::Nil));
        telling.find_map(|value| part(value).map(|at| (*value, at, false)))
    })?;
    let (value, index, is_whole) = found;
    let declared = match clauses {
        [clause] => clause.params.get(index).cloned(),
        _ => None,
    };
    Some(Refused { argument: index + 1, is_whole, value: value.clone(), declared })
}

/// The values that an exception carries: that of a match, or the arguments of the innermost call.
pub fn candidates(raised: &Raised) -> Vec<&Term> {
    let of_reason = match &raised.reason {
        Term::Tuple(parts) if parts.len() == 2 => parts.get(1),
        _ => None,
    };
    // Of several arguments that no clause takes together, nobody knows which is the wrong one.
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
