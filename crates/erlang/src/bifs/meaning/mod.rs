//! What rows mean to the solver, in the words that the tables use, and the formulas that they name.
//!
//! A formula here speaks of arguments that lie in their row's domain: the machine has asked. Several
//! conditions that may fail apart, and results that depend on the kind of an argument, are prelude
//! functions rather than formulas: there each is a decision of its own.

#![allow(non_upper_case_globals, non_snake_case)]

mod numbers;
mod structures;

pub(super) use numbers::*;
pub(super) use structures::*;

use formula::{Arithmetic, Formulas, Kinds, TermId};
use machine::Look::{self, Deep, Moved, Spine, Top};
use machine::{Formula, Meaning, Most, Requires, Symbolic};

pub(super) const TOP: &[Look] = &[Top; 8];
pub(super) const DEEP: &[Look] = &[Deep; 8];
pub(super) const SPINE: &[Look] = &[Spine; 8];
pub(super) const MOVED: &[Look] = &[Moved; 8];

/// It depends on its arguments alone, all of which it looks at, and nothing more can be told.
pub(super) const Sampled: Meaning = Meaning::Sampled { looks: DEEP, requires: None, most: None };

/// Likewise, and it is told where it returns.
pub(super) const fn SampledWhere(requires: Requires) -> Meaning {
    Meaning::Sampled { looks: DEEP, requires: Some(requires), most: None }
}

/// Likewise, and what it delivers at most.
pub(super) const fn SampledWithin(requires: Requires, most: Most) -> Meaning {
    Meaning::Sampled { looks: DEEP, requires: Some(requires), most: Some(most) }
}

/// Looks at all of its arguments wholly, and has no meaning.
pub(super) const Opaque: Meaning = Meaning::Opaque(DEEP);
/// Likewise for what reads or changes process or world.
pub(super) const Effect: Meaning = Meaning::Effect(DEEP);
/// It looks at nothing it is given: it keeps, hands on or forgets it.
pub(super) const Keeps: Meaning = Meaning::Effect(MOVED);

/// A formula over the top of the arguments.
pub(super) const fn Term(result: Formula) -> Meaning {
    Meaning::Term(Symbolic::new(TOP, result))
}

/// Likewise where it has a value.
pub(super) const fn Partial(requires: Formula, result: Formula) -> Meaning {
    Meaning::Term(Symbolic::new(TOP, result).when(requires))
}

/// A formula over arguments that are looked at as `looks` says.
pub(super) const fn TermOver(looks: &'static [Look], result: Formula) -> Meaning {
    Meaning::Term(Symbolic::new(looks, result))
}

pub(super) const fn PartialOver(looks: &'static [Look], requires: Formula, result: Formula) -> Meaning {
    Meaning::Term(Symbolic::new(looks, result).when(requires))
}

/// It asks a map, its last argument, for a key, its first. The formula is that of a map that is an input.
pub(super) const fn Keyed(looks: &'static [Look], requires: Option<Formula>, result: Formula) -> Meaning {
    let map = looks.len() - 1;
    Meaning::Keyed { key: 0, map, whole: Symbolic { looks, requires, result } }
}

/// A function of the prelude that looks at everything.
pub(super) const fn Prelude(function: &'static str) -> Meaning {
    Meaning::Prelude(DEEP, function)
}

pub(super) const fn PreludeOver(looks: &'static [Look], function: &'static str) -> Meaning {
    Meaning::Prelude(looks, function)
}

/// It never raises.
pub(super) fn always(formulas: &mut Formulas, _: &[TermId]) -> Option<TermId> {
    Some(formulas.boolean(true))
}

/// The range of a hash: 1 to 2^32.
pub(super) fn has_range(formulas: &mut Formulas, args: &[TermId]) -> Option<TermId> {
    let (zero, end) = (formulas.integer(0), formulas.integer((1_i64 << 32) + 1));
    let (low, high) = (formulas.less(zero, args[1]), formulas.less(args[1], end));
    let (is_integer, within) = (formulas.kind(args[1], Kinds::INTEGER), formulas.and(low, high));
    Some(formulas.and(is_integer, within))
}

/// A term, the least and the largest integer.
pub(super) fn is_integer_within(formulas: &mut Formulas, args: &[TermId]) -> TermId {
    let is_integer = formulas.kind(args[0], Kinds::INTEGER);
    let (below, above) = (formulas.less(args[0], args[1]), formulas.less(args[2], args[0]));
    let (low, high) = (formulas.not(below), formulas.not(above));
    let within = formulas.and(low, high);
    formulas.and(is_integer, within)
}

pub(super) fn never(formulas: &mut Formulas, _: &[TermId]) -> TermId {
    formulas.boolean(false)
}

pub(super) fn below_range(formulas: &Formulas, args: &[TermId]) -> Option<i64> {
    formulas.as_constant(args[1]).and_then(term::Term::as_int)?.checked_sub(1)
}

pub(super) fn bits_27(_: &Formulas, _: &[TermId]) -> Option<i64> {
    Some((1 << 27) - 1)
}

pub(super) fn bits_32(_: &Formulas, _: &[TermId]) -> Option<i64> {
    Some((1 << 32) - 1)
}

/// A bitstring of whole bytes. Of other terms only samples tell.
pub(super) fn is_bytes(formulas: &mut Formulas, args: &[TermId]) -> Option<TermId> {
    formulas.kinds(args[0]).within(Kinds::BITS).then(|| {
        let (bits, eight, zero) = (formulas.bit_size(args[0]), formulas.integer(8), formulas.integer(0));
        let rest = formulas.arithmetic(Arithmetic::Remainder, bits, eight);
        formulas.identical(rest, zero)
    })
}

/// The argument itself.
pub(super) fn same(_: &mut Formulas, args: &[TermId]) -> TermId {
    args[0]
}

/// Tests of kind, by the kinds that they ask for.
macro_rules! kind_tests {
    ($($name:ident = $kinds:expr;)*) => {$(
        pub(in crate::bifs) fn $name(formulas: &mut Formulas, args: &[TermId]) -> TermId {
            formulas.kind(args[0], $kinds)
        }
    )*};
}

kind_tests! {
    is_integer = Kinds::INTEGER;
    is_float = Kinds::FLOAT;
    is_number = Kinds::NUMBER;
    is_atom = Kinds::ATOM;
    is_list = Kinds::LIST;
    is_tuple = Kinds::TUPLE;
    is_map = Kinds::MAP;
    is_bits = Kinds::BITS;
    is_function = Kinds::FUNCTION;
    is_pid = Kinds::PID;
    is_reference = Kinds::REFERENCE;
    is_port = Kinds::PORT;
}

pub(super) fn is_boolean(formulas: &mut Formulas, args: &[TermId]) -> TermId {
    let booleans = [term::Term::TRUE, term::Term::FALSE].map(formula::Constant);
    formulas.one_of(args[0], formula::Constants::shared(booleans.to_vec()))
}

/// The prelude asks with arities that it knows.
pub(super) fn is_function_of_arity(formulas: &mut Formulas, args: &[TermId]) -> TermId {
    let arity = formulas.as_constant(args[1]).and_then(term::Term::as_int).and_then(|arity| u32::try_from(arity).ok());
    match arity {
        Some(arity) => formulas.function_of(args[0], arity),
        None => formulas.boolean(false),
    }
}

pub(super) fn less(formulas: &mut Formulas, args: &[TermId]) -> TermId {
    formulas.less(args[0], args[1])
}

pub(super) fn less_or_equal(formulas: &mut Formulas, args: &[TermId]) -> TermId {
    formulas.less_or_equal(args[0], args[1])
}

pub(super) fn greater(formulas: &mut Formulas, args: &[TermId]) -> TermId {
    formulas.less(args[1], args[0])
}

pub(super) fn greater_or_equal(formulas: &mut Formulas, args: &[TermId]) -> TermId {
    formulas.less_or_equal(args[1], args[0])
}

pub(super) fn equal(formulas: &mut Formulas, args: &[TermId]) -> TermId {
    formulas.equal(args[0], args[1])
}

pub(super) fn not_equal(formulas: &mut Formulas, args: &[TermId]) -> TermId {
    let equal = formulas.equal(args[0], args[1]);
    formulas.not(equal)
}

pub(super) fn identical(formulas: &mut Formulas, args: &[TermId]) -> TermId {
    formulas.identical(args[0], args[1])
}

/// Of booleans it is `xor`.
pub(super) fn not_identical(formulas: &mut Formulas, args: &[TermId]) -> TermId {
    let identical = formulas.identical(args[0], args[1]);
    formulas.not(identical)
}

pub(super) fn and(formulas: &mut Formulas, args: &[TermId]) -> TermId {
    formulas.and(args[0], args[1])
}

pub(super) fn or(formulas: &mut Formulas, args: &[TermId]) -> TermId {
    formulas.or(args[0], args[1])
}

pub(super) fn not(formulas: &mut Formulas, args: &[TermId]) -> TermId {
    formulas.not(args[0])
}

#[cfg(test)]
mod tests;
