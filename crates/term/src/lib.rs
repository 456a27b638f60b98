//! Concrete terms that outlive a run: literals of programs, inputs, samples, findings, and answers of the real runtime.
//! They are owned, immutable and shared between threads.
//!
//! This crate knows no language's syntax, no machine and no file. The machine's own values are one-word handles into
//! its heap; they are copied to and from these terms at the start and the end of a run.

mod atom;
mod bits;
mod deep;
pub mod digits;
pub mod floats;
mod function;
mod hidden;
pub mod order;
mod teardown;
pub mod work;

pub use atom::{Atom, AtomLimit, names};
pub use bits::Bits;
pub use function::FunctionName;
pub use hidden::{is_hidden, without_hidden};
pub use num_bigint::BigInt;

use num_traits::ToPrimitive;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A term in canonical form: `Big` holds only integers outside `i64`; `List` has at least one item, and its tail is
/// never itself `Nil` or `List` (an improper tail or nothing).
///
/// Terms may be nested to any depth. Code that walks through them grows the stack (`deep`) or keeps a worklist.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Term {
    Int(i64),
    Big(Arc<BigInt>),
    Float(f64),
    Atom(Atom),
    Nil,
    List(#[serde(with = "deep")] Arc<[Term]>, #[serde(with = "deep")] Option<Arc<Term>>),
    Tuple(#[serde(with = "deep")] Arc<[Term]>),
    /// Pairs in the order in which the map iterates; keys are distinct.
    Map(#[serde(with = "deep")] Arc<[(Term, Term)]>),
    Bits(Bits),
    Fun(Arc<Fun>),
    /// A process identifier, as a number. References and ports are numbers, too.
    Pid(u64),
    Reference(u64),
    Port(u64),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Fun {
    External {
        module: Atom,
        function: Atom,
        arity: u32,
    },
    /// A closure. It has no meaning outside the run that made it and is kept for printing.
    Local {
        module: Atom,
        index: u32,
        unique: u32,
        arity: u32,
    },
    /// A function input, which is made when a run begins. In data only its arity is known; `number` identifies it where
    /// functions are distinguished, and is 0 elsewhere.
    Input {
        arity: u32,
        number: u32,
    },
}

impl Fun {
    pub fn arity(&self) -> u32 {
        match self {
            Fun::External { arity, .. } | Fun::Local { arity, .. } | Fun::Input { arity, .. } => *arity,
        }
    }
}

impl Term {
    pub const TRUE: Term = Term::Atom(names::TRUE);
    pub const FALSE: Term = Term::Atom(names::FALSE);
    /// The process identifier of the process that a run executes in.
    pub const OWN_PID: u64 = 80;

    pub fn atom(name: &str) -> Term {
        Term::Atom(Atom::new(name))
    }

    /// Returns a function input of which only the arity is known.
    pub fn input_function(arity: u32) -> Term {
        Term::Fun(Arc::new(Fun::Input { arity, number: 0 }))
    }

    pub fn integer(value: BigInt) -> Term {
        match value.to_i64() {
            Some(small) => Term::Int(small),
            None => Term::Big(Arc::new(value)),
        }
    }

    pub fn tuple(items: impl Into<Arc<[Term]>>) -> Term {
        Term::Tuple(items.into())
    }

    pub fn list(items: impl Into<Arc<[Term]>>) -> Term {
        let items = items.into();
        if items.is_empty() { Term::Nil } else { Term::List(items, None) }
    }

    /// Returns `items` followed by `tail`, in canonical form for any tail.
    pub fn list_with_tail(mut items: Vec<Term>, tail: Term) -> Term {
        if items.is_empty() {
            return tail;
        }
        match &tail {
            Term::Nil => Term::List(items.into(), None),
            Term::List(rest, end) => {
                items.extend(rest.iter().cloned());
                Term::List(items.into(), end.clone())
            }
            _ => Term::List(items.into(), Some(Arc::new(tail))),
        }
    }

    pub fn string(text: &str) -> Term {
        Term::list(text.chars().map(|c| Term::Int(c as i64)).collect::<Vec<_>>())
    }

    pub fn binary(bytes: impl Into<Arc<[u8]>>) -> Term {
        Term::Bits(Bits::from_bytes(bytes))
    }

    pub fn as_atom(&self) -> Option<Atom> {
        match self {
            Term::Atom(atom) => Some(*atom),
            _ => None,
        }
    }

    pub fn as_int(&self) -> Option<i64> {
        match self {
            Term::Int(value) => Some(*value),
            _ => None,
        }
    }

    pub fn as_tuple(&self) -> Option<&[Term]> {
        match self {
            Term::Tuple(items) => Some(items),
            _ => None,
        }
    }

    /// Returns the items of a proper list. `Nil` is the empty list.
    pub fn as_list(&self) -> Option<&[Term]> {
        match self {
            Term::Nil => Some(&[]),
            Term::List(items, None) => Some(items),
            _ => None,
        }
    }

    /// Returns whether a function is part of the term that has no meaning outside of the run that made it.
    pub fn has_closure(&self) -> bool {
        let mut open = vec![self];
        while let Some(term) = open.pop() {
            match term {
                Term::Fun(fun) => match &**fun {
                    Fun::Local { .. } | Fun::Input { .. } => return true,
                    Fun::External { .. } => {}
                },
                Term::List(items, tail) => {
                    open.extend(items.iter());
                    open.extend(tail.as_deref());
                }
                Term::Tuple(items) => open.extend(items.iter()),
                Term::Map(pairs) => open.extend(pairs.iter().flat_map(|(key, value)| [key, value])),
                Term::Int(_) | Term::Big(_) | Term::Float(_) | Term::Atom(_) | Term::Nil | Term::Bits(_) => {}
                Term::Pid(_) | Term::Reference(_) | Term::Port(_) => {}
            }
        }
        false
    }

    /// Returns a proper list of Unicode code points as text.
    pub fn as_text(&self) -> Option<String> {
        self.as_list()?
            .iter()
            .map(|item| item.as_int().and_then(|code| u32::try_from(code).ok()).and_then(char::from_u32))
            .collect()
    }
}
