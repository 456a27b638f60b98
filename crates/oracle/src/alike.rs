//! Comparison of terms of two runtimes, or of two runs of one, without the differences that mean nothing.

use term::{Fun, Term};

/// Returns whether two terms are equal except for identities: processes, references, ports and closures of different
/// runs cannot be compared, and a stack trace that a program put into a term depends on the caller. Maps may iterate in
/// any order.
pub fn alike(left: &Term, right: &Term) -> bool {
    // An explicit stack, because terms may be nested to any depth.
    let mut pairs = vec![(left, right)];
    while let Some((left, right)) = pairs.pop() {
        let same = match (left, right) {
            (Term::Pid(_), Term::Pid(_))
            | (Term::Reference(_), Term::Reference(_))
            | (Term::Port(_), Term::Port(_)) => true,
            (Term::Fun(left), Term::Fun(right)) => alike_funs(left, right),
            (Term::Float(left), Term::Float(right)) => left.to_bits() == right.to_bits(),
            (Term::List(..), Term::List(..)) if is_trace(left) && is_trace(right) => true,
            (Term::List(left, left_tail), Term::List(right, right_tail)) => {
                pairs.extend(left.iter().zip(right.iter()));
                pairs.extend(left_tail.as_deref().zip(right_tail.as_deref()));
                left.len() == right.len() && left_tail.is_some() == right_tail.is_some()
            }
            (Term::Tuple(left), Term::Tuple(right)) => {
                pairs.extend(left.iter().zip(right.iter()));
                left.len() == right.len()
            }
            (Term::Map(left), Term::Map(right)) => left.len() == right.len() && pair_up(left, right, &mut pairs),
            _ => left == right,
        };
        if !same {
            return false;
        }
    }
    true
}

fn alike_funs(left: &Fun, right: &Fun) -> bool {
    match (left, right) {
        (Fun::Local { arity: left, .. }, Fun::Local { arity: right, .. }) => left == right,
        // Only the arity is known of a function that was merely observed.
        (Fun::Input { .. }, _) | (_, Fun::Input { .. }) => left.arity() == right.arity(),
        (Fun::External { .. } | Fun::Local { .. }, _) => left == right,
    }
}

type Entry = (Term, Term);

/// Pairs each value with the one of the same key. Keys that contain identities are matched by position only.
fn pair_up<'t>(left: &'t [Entry], right: &'t [Entry], pairs: &mut Vec<(&'t Term, &'t Term)>) -> bool {
    for (index, (key, value)) in left.iter().enumerate() {
        let at_its_place = right.get(index).filter(|(other, _)| other == key);
        let found = at_its_place
            .or_else(|| right.iter().find(|(other, _)| other == key))
            .or_else(|| right.get(index).filter(|(other, _)| alike(key, other)));
        match found {
            Some((_, other)) => pairs.push((value, other)),
            None => return false,
        }
    }
    true
}

/// Returns whether a term has the form `[{Module, Function, ArityOrArguments, Location}, …]`.
fn is_trace(term: &Term) -> bool {
    let is_frame = |frame: &Term| match frame.as_tuple() {
        Some([Term::Atom(_), Term::Atom(_), arguments, location]) => {
            (arguments.as_int().is_some() || arguments.as_list().is_some()) && location.as_list().is_some()
        }
        _ => false,
    };
    term.as_list().is_some_and(|frames| !frames.is_empty() && frames.iter().all(is_frame))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    fn pair(left: Term, right: Term) -> Term {
        Term::tuple([left, right])
    }

    fn closure(unique: u32, arity: u32) -> Term {
        Term::Fun(Arc::new(Fun::Local { module: term::Atom::new("m"), index: 0, unique, arity }))
    }

    fn frame(line: i64) -> Term {
        let place = pair(Term::atom("line"), Term::Int(line));
        Term::tuple([Term::atom("m"), Term::atom("f"), Term::Int(1), Term::list([place])])
    }

    #[test]
    fn identities_do_not_count() {
        assert!(alike(&pair(Term::Pid(1), Term::Int(2)), &pair(Term::Pid(7), Term::Int(2))));
        assert!(alike(&Term::Reference(1), &Term::Reference(2)));
        assert!(alike(&closure(1, 2), &closure(3, 2)));
        assert!(!alike(&closure(1, 2), &closure(1, 3)));
        assert!(!alike(&Term::Pid(1), &Term::Reference(1)));
        assert!(alike(&Term::list([frame(1), frame(2)]), &Term::list([frame(3)])));
    }

    #[test]
    fn values_do() {
        assert!(!alike(&Term::Int(1), &Term::Float(1.0)));
        assert!(!alike(&Term::Float(0.0), &Term::Float(-0.0)));
        assert!(!alike(&Term::list([Term::Int(1)]), &Term::list([Term::Int(1), Term::Int(2)])));
        assert!(!alike(&Term::list([Term::Int(1)]), &Term::list_with_tail(vec![Term::Int(1)], Term::atom("tail"))));
        assert!(!alike(&pair(Term::Int(1), Term::Nil), &Term::tuple([Term::Int(1)])));
    }

    #[test]
    fn maps_may_iterate_in_any_order() {
        let map = |entries: &[(i64, i64)]| {
            let entries: Vec<_> = entries.iter().map(|(key, value)| (Term::Int(*key), Term::Int(*value))).collect();
            Term::Map(entries.into())
        };
        assert!(alike(&map(&[(1, 2), (3, 4)]), &map(&[(3, 4), (1, 2)])));
        assert!(!alike(&map(&[(1, 2), (3, 4)]), &map(&[(3, 2), (1, 4)])));
        assert!(!alike(&map(&[(1, 2)]), &map(&[(1, 2), (3, 4)])));
    }
}
