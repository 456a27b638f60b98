//! The table of interned terms and its canonical constructors.

use num_bigint::BigInt;
use num_traits::{One, Zero};
use rustc_hash::FxHashMap;
use std::fmt;

/// A term's number by birth.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TermId(u32);

/// An input's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Variable(pub u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sort {
    Integer,
    Boolean,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Operator {
    Variable(Variable),
    Integer(BigInt),
    Boolean(bool),
    Add(TermId, TermId),
    Subtract(TermId, TermId),
    Multiply(TermId, TermId),
    Less(TermId, TermId),
    LessOrEqual(TermId, TermId),
    Equal(TermId, TermId),
    Not(TermId),
}

#[derive(Default)]
pub struct Formulas {
    terms: Vec<Operator>,
    numbers: FxHashMap<Operator, TermId>,
}

impl TermId {
    pub fn number(self) -> u32 {
        self.0
    }
    /// The id that `number` was taken from.
    pub fn from_number(number: u32) -> TermId {
        TermId(number)
    }
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Debug for TermId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "t{}", self.0)
    }
}

impl Formulas {
    pub fn operator(&self, id: TermId) -> &Operator {
        &self.terms[id.index()]
    }

    pub fn len(&self) -> usize {
        self.terms.len()
    }

    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    pub fn sort(&self, id: TermId) -> Sort {
        match self.operator(id) {
            Operator::Variable(_)
            | Operator::Integer(_)
            | Operator::Add(..)
            | Operator::Subtract(..)
            | Operator::Multiply(..) => Sort::Integer,
            Operator::Boolean(_)
            | Operator::Less(..)
            | Operator::LessOrEqual(..)
            | Operator::Equal(..)
            | Operator::Not(_) => Sort::Boolean,
        }
    }

    pub fn variable(&mut self, variable: Variable) -> TermId {
        self.intern(Operator::Variable(variable))
    }

    pub fn integer(&mut self, value: impl Into<BigInt>) -> TermId {
        self.intern(Operator::Integer(value.into()))
    }

    pub fn boolean(&mut self, value: bool) -> TermId {
        self.intern(Operator::Boolean(value))
    }

    pub fn add(&mut self, a: TermId, b: TermId) -> TermId {
        match (self.constant(a), self.constant(b)) {
            (Some(x), Some(y)) => self.integer(x + y),
            // 0 + b = b
            (Some(x), None) if x.is_zero() => b,
            // a + 0 = a
            (None, Some(y)) if y.is_zero() => a,
            _ => self.intern(Operator::Add(a.min(b), a.max(b))),
        }
    }

    pub fn subtract(&mut self, a: TermId, b: TermId) -> TermId {
        // a - a = 0
        if a == b {
            return self.integer(0);
        }
        match (self.constant(a), self.constant(b)) {
            (Some(x), Some(y)) => self.integer(x - y),
            // a - 0 = a
            (None, Some(y)) if y.is_zero() => a,
            _ => self.intern(Operator::Subtract(a, b)),
        }
    }

    pub fn multiply(&mut self, a: TermId, b: TermId) -> TermId {
        match (self.constant(a), self.constant(b)) {
            (Some(x), Some(y)) => self.integer(x * y),
            // 1 * b = b
            (Some(x), None) if x.is_one() => b,
            // a * 1 = a
            (None, Some(y)) if y.is_one() => a,
            _ => self.intern(Operator::Multiply(a.min(b), a.max(b))),
        }
    }

    pub fn less(&mut self, a: TermId, b: TermId) -> TermId {
        match (self.constant(a), self.constant(b)) {
            (Some(x), Some(y)) => self.boolean(x < y),
            // a < a is false
            _ if a == b => self.boolean(false),
            _ => self.intern(Operator::Less(a, b)),
        }
    }

    pub fn less_or_equal(&mut self, a: TermId, b: TermId) -> TermId {
        match (self.constant(a), self.constant(b)) {
            (Some(x), Some(y)) => self.boolean(x <= y),
            // a =< a is true
            _ if a == b => self.boolean(true),
            _ => self.intern(Operator::LessOrEqual(a, b)),
        }
    }

    pub fn equal(&mut self, a: TermId, b: TermId) -> TermId {
        // a = a is true
        if a == b {
            return self.boolean(true);
        }
        match (self.constant(a), self.constant(b)) {
            (Some(x), Some(y)) => self.boolean(x == y),
            _ => self.intern(Operator::Equal(a.min(b), a.max(b))),
        }
    }

    pub fn not(&mut self, a: TermId) -> TermId {
        match self.operator(a) {
            // not not b = b
            Operator::Not(inner) => *inner,
            Operator::Boolean(value) => self.boolean(!*value),
            _ => self.intern(Operator::Not(a)),
        }
    }

    fn constant(&self, id: TermId) -> Option<BigInt> {
        match self.operator(id) {
            Operator::Integer(value) => Some(value.clone()),
            _ => None,
        }
    }

    fn intern(&mut self, operator: Operator) -> TermId {
        if let Some(&id) = self.numbers.get(&operator) {
            return id;
        }
        let id = TermId(self.terms.len() as u32);
        self.terms.push(operator.clone());
        self.numbers.insert(operator, id);
        id
    }
}
