//! Dropping terms of any depth.
//!
//! The generated destructor of a nested term calls itself once per level, and a program can nest terms to any depth: a
//! list in a list in a list, a million times, would overflow the stack. So a term that holds others moves them to a
//! worklist first.

use crate::Term;
use std::mem;
use std::sync::Arc;

impl Drop for Term {
    fn drop(&mut self) {
        if !self.is_compound() {
            return;
        }
        let mut pending = Vec::new();
        self.hand_over_parts(&mut pending);
        while let Some(mut term) = pending.pop() {
            term.hand_over_parts(&mut pending);
        }
    }
}

impl Term {
    fn is_compound(&self) -> bool {
        matches!(self, Term::List(..) | Term::Tuple(_) | Term::Map(_))
    }

    /// Moves the parts that may be nested further into `pending`. Parts that are shared remain: they are not dropped
    /// with this term.
    fn hand_over_parts(&mut self, pending: &mut Vec<Term>) {
        let mut hand_over = |part: &mut Term| {
            if part.is_compound() {
                pending.push(mem::replace(part, Term::Nil));
            }
        };
        match self {
            Term::List(items, tail) => {
                Arc::get_mut(items).into_iter().flatten().for_each(&mut hand_over);
                tail.as_mut().and_then(Arc::get_mut).into_iter().for_each(hand_over);
            }
            Term::Tuple(items) => Arc::get_mut(items).into_iter().flatten().for_each(hand_over),
            Term::Map(pairs) => Arc::get_mut(pairs).into_iter().flatten().for_each(|(key, value)| {
                hand_over(key);
                hand_over(value);
            }),
            Term::Int(_)
            | Term::Big(_)
            | Term::Float(_)
            | Term::Atom(_)
            | Term::Nil
            | Term::Bits(_)
            | Term::Fun(_)
            | Term::Pid(_)
            | Term::Reference(_)
            | Term::Port(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nested(depth: usize, wrap: impl Fn(Term) -> Term) -> Term {
        (0..depth).fold(Term::Int(0), |inner, _| wrap(inner))
    }

    #[test]
    fn depth_costs_no_stack() {
        let depth = 1_000_000;
        drop(nested(depth, |inner| Term::tuple([inner])));
        drop(nested(depth, |inner| Term::list([inner])));
        drop(nested(depth, |inner| Term::Map([(Term::Int(1), inner)].into())));
        drop(nested(depth, |inner| Term::Map([(inner, Term::Int(1))].into())));
        drop(nested(depth, |inner| Term::List([Term::Int(1)].into(), Some(Arc::new(Term::tuple([inner]))))));
    }

    #[test]
    fn shared_parts_survive() {
        let part = Term::tuple([Term::list([Term::Int(1)])]);
        let whole = Term::tuple([part.clone(), Term::Int(2)]);
        drop(whole);
        assert_eq!(part, Term::tuple([Term::list([Term::Int(1)])]));
    }
}
