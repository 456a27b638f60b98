//! The meanings of rows for the solver, under the names that the tables use, and the formulas that they refer to.
//!
//! A formula here may assume that the arguments are in their row's domain, because the machine has checked that.
//! Conditions that can fail separately, and results that depend on the kind of an argument, are expressed as prelude
//! functions rather than formulas, so that each of them is a decision of its own.

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

/// A function that depends on its arguments alone, inspects all of them, and is known only by samples.
pub(super) const Sampled: Meaning = Meaning::Sampled { looks: DEEP, requires: None, most: None };

/// A sampled function with a condition under which it returns.
pub(super) const fn SampledWhere(requires: Requires) -> Meaning {
    Meaning::Sampled { looks: DEEP, requires: Some(requires), most: None }
}

/// A sampled function with a condition under which it returns, and an upper bound of its results.
pub(super) const fn SampledWithin(requires: Requires, most: Most) -> Meaning {
    Meaning::Sampled { looks: DEEP, requires: Some(requires), most: Some(most) }
}

/// An operation that inspects all of its arguments completely and has no meaning.
pub(super) const Opaque: Meaning = Meaning::Opaque(DEEP);
/// An operation that reads or changes the process or the world, and inspects all of its arguments completely.
pub(super) const Effect: Meaning = Meaning::Effect(DEEP);
/// An operation that inspects none of its arguments: it stores them, passes them on or ignores them.
pub(super) const Keeps: Meaning = Meaning::Effect(MOVED);

/// Returns the meaning of a formula over the top of the arguments.
pub(super) const fn Term(result: Formula) -> Meaning {
    Meaning::Term(Symbolic::new(TOP, result))
}

/// Returns the meaning of a formula over the top of the arguments that has a value only if `requires` holds.
pub(super) const fn Partial(requires: Formula, result: Formula) -> Meaning {
    Meaning::Term(Symbolic::new(TOP, result).when(requires))
}

/// Returns the meaning of a formula over arguments that are inspected as `looks` says.
pub(super) const fn TermOver(looks: &'static [Look], result: Formula) -> Meaning {
    Meaning::Term(Symbolic::new(looks, result))
}

pub(super) const fn PartialOver(looks: &'static [Look], requires: Formula, result: Formula) -> Meaning {
    Meaning::Term(Symbolic::new(looks, result).when(requires))
}

/// Returns the meaning of an operation that looks up its first argument, a key, in its last one, a map. The formula is
/// for a map that is an input itself.
pub(super) const fn Keyed(looks: &'static [Look], requires: Option<Formula>, result: Formula) -> Meaning {
    let map = looks.len() - 1;
    Meaning::Keyed { key: 0, map, whole: Symbolic { looks, requires, result } }
}

/// Returns the meaning given by a function of the prelude that inspects all arguments completely.
pub(super) const fn Prelude(function: &'static str) -> Meaning {
    Meaning::Prelude(DEEP, function)
}

pub(super) const fn PreludeOver(looks: &'static [Look], function: &'static str) -> Meaning {
    Meaning::Prelude(looks, function)
}

/// Returns the condition of an operation that never raises.
pub(super) fn always(formulas: &mut Formulas, _: &[TermId]) -> Option<TermId> {
    Some(formulas.boolean(true))
}

/// Requires the range of a hash to be from 1 to 2^32.
pub(super) fn has_range(formulas: &mut Formulas, args: &[TermId]) -> Option<TermId> {
    let (zero, end) = (formulas.integer(0), formulas.integer((1_i64 << 32) + 1));
    let (low, high) = (formulas.less(zero, args[1]), formulas.less(args[1], end));
    let (is_integer, within) = (formulas.kind(args[1], Kinds::INTEGER), formulas.and(low, high));
    Some(formulas.and(is_integer, within))
}

/// `(Term, Least, Largest)`: returns whether the term is an integer between the other two.
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

/// Requires a bitstring of whole bytes. The condition is unknown for terms that may be of other kinds.
pub(super) fn is_bytes(formulas: &mut Formulas, args: &[TermId]) -> Option<TermId> {
    formulas.kinds(args[0]).within(Kinds::BITS).then(|| {
        let (bits, eight, zero) = (formulas.bit_size(args[0]), formulas.integer(8), formulas.integer(0));
        let rest = formulas.arithmetic(Arithmetic::Remainder, bits, eight);
        formulas.identical(rest, zero)
    })
}

/// Returns the argument itself.
pub(super) fn same(_: &mut Formulas, args: &[TermId]) -> TermId {
    args[0]
}

/// Defines tests of kind by the kinds that they accept.
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

/// Tests a function with an arity. The prelude calls this with constant arities only.
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

/// Returns whether the arguments differ; for booleans, this is `xor`.
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
