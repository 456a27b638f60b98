//! Lists, tuples, maps, bitstrings, and texts of numbers and atoms.

use formula::{Arithmetic, Constant, Constants, Conversion, Formulas, NumberFormat, TermId};
use rustc_hash::FxHashSet;
use std::sync::Arc;
use term::Term;

pub(in crate::bifs) fn head(formulas: &mut Formulas, args: &[TermId]) -> TermId {
    formulas.head(args[0])
}

pub(in crate::bifs) fn tail(formulas: &mut Formulas, args: &[TermId]) -> TermId {
    formulas.tail(args[0])
}

pub(in crate::bifs) fn length(formulas: &mut Formulas, args: &[TermId]) -> TermId {
    formulas.length(args[0])
}

pub(in crate::bifs) fn proper_list(formulas: &mut Formulas, args: &[TermId]) -> TermId {
    formulas.proper_list(args[0])
}

/// Returns the index, counted from 0, of a position that is counted from 1.
fn index(formulas: &mut Formulas, position: TermId) -> TermId {
    minus(formulas, position, 1)
}

/// `(Term, List)`: returns whether the term is an item. The list is a constant.
pub(in crate::bifs) fn member(formulas: &mut Formulas, args: &[TermId]) -> TermId {
    let items = match formulas.as_constant(args[1]) {
        Some(Term::List(items, _)) => Arc::clone(items),
        _ => Arc::new([]),
    };
    let (immediates, others): (Vec<&Term>, Vec<&Term>) =
        items.iter().partition(|item| matches!(item, Term::Int(_) | Term::Atom(_) | Term::Nil));
    let mut seen = FxHashSet::default();
    let immediates = immediates.into_iter().cloned().map(Constant).filter(|item| seen.insert(item.clone()));
    let immediates = Constants::shared(immediates.collect::<Vec<_>>());
    let mut is_member = formulas.one_of(args[0], immediates);
    for item in others {
        let item = formulas.constant(item.clone());
        let same = formulas.identical(args[0], item);
        is_member = formulas.or(is_member, same);
    }
    is_member
}

/// `(Position, List)`: returns whether the list has an item there.
pub(in crate::bifs) fn has_nth(formulas: &mut Formulas, args: &[TermId]) -> TermId {
    let index = index(formulas, args[0]);
    formulas.has_item(args[1], index)
}

pub(in crate::bifs) fn nth(formulas: &mut Formulas, args: &[TermId]) -> TermId {
    let index = index(formulas, args[0]);
    formulas.item_at(args[1], index)
}

pub(in crate::bifs) fn nth_tail(formulas: &mut Formulas, args: &[TermId]) -> TermId {
    formulas.rest_at(args[1], args[0])
}

/// `(Position, Tuple)`: returns whether the tuple has an element there.
pub(in crate::bifs) fn has_element(formulas: &mut Formulas, args: &[TermId]) -> TermId {
    let size = formulas.tuple_size(args[1]);
    formulas.less_or_equal(args[0], size)
}

pub(in crate::bifs) fn element(formulas: &mut Formulas, args: &[TermId]) -> TermId {
    let index = index(formulas, args[0]);
    formulas.element_at(args[1], index)
}

pub(in crate::bifs) fn set_element(formulas: &mut Formulas, args: &[TermId]) -> TermId {
    let index = index(formulas, args[0]);
    formulas.set_element_at(args[1], index, args[2])
}

pub(in crate::bifs) fn tuple_size(formulas: &mut Formulas, args: &[TermId]) -> TermId {
    formulas.tuple_size(args[0])
}

pub(in crate::bifs) fn map_size(formulas: &mut Formulas, args: &[TermId]) -> TermId {
    formulas.map_size(args[0])
}

/// `(Key, Map)`: returns whether the map has the key.
pub(in crate::bifs) fn map_has(formulas: &mut Formulas, args: &[TermId]) -> TermId {
    formulas.map_has(args[1], args[0])
}

pub(in crate::bifs) fn map_get(formulas: &mut Formulas, args: &[TermId]) -> TermId {
    formulas.map_get(args[1], args[0])
}

pub(in crate::bifs) fn map_remove(formulas: &mut Formulas, args: &[TermId]) -> TermId {
    formulas.map_remove(args[1], args[0])
}

/// `(Key, Value, Map)`: returns the map with the association.
pub(in crate::bifs) fn map_put(formulas: &mut Formulas, args: &[TermId]) -> TermId {
    formulas.map_put(args[2], args[0], args[1])
}

pub(in crate::bifs) fn map_has_for_update(formulas: &mut Formulas, args: &[TermId]) -> TermId {
    formulas.map_has(args[2], args[0])
}

pub(in crate::bifs) fn bit_size(formulas: &mut Formulas, args: &[TermId]) -> TermId {
    formulas.bit_size(args[0])
}

/// Returns the size in bytes; a partial byte at the end counts as one.
pub(in crate::bifs) fn byte_size(formulas: &mut Formulas, args: &[TermId]) -> TermId {
    let bits = formulas.bit_size(args[0]);
    let seven = formulas.integer(7);
    let eight = formulas.integer(8);
    let rounded = formulas.arithmetic(Arithmetic::Add, bits, seven);
    formulas.arithmetic(Arithmetic::Quotient, rounded, eight)
}

/// Returns whether a bitstring is a binary, which is a condition of its own beside that on its kind.
pub(in crate::bifs) fn is_binary(formulas: &mut Formulas, args: &[TermId]) -> TermId {
    let is_bits = super::is_bits(formulas, args);
    let bits = formulas.bit_size(args[0]);
    let eight = formulas.integer(8);
    let zero = formulas.integer(0);
    let partial = formulas.arithmetic(Arithmetic::Remainder, bits, eight);
    let whole = formulas.identical(partial, zero);
    formulas.and(is_bits, whole)
}

const BYTE: NumberFormat = NumberFormat::Integer { signed: false, little: false };

/// `(Binary, Position)`: returns whether the binary has a byte there.
pub(in crate::bifs) fn has_byte(formulas: &mut Formulas, args: &[TermId]) -> TermId {
    let at = bits_of_bytes(formulas, args[1]);
    let size = formulas.bit_size(args[0]);
    formulas.less(at, size)
}

pub(in crate::bifs) fn byte_at(formulas: &mut Formulas, args: &[TermId]) -> TermId {
    let at = bits_of_bytes(formulas, args[1]);
    let eight = formulas.integer(8);
    formulas.bits_number(args[0], at, eight, BYTE)
}

pub(in crate::bifs) fn not_empty(formulas: &mut Formulas, args: &[TermId]) -> TermId {
    let zero = formulas.integer(0);
    let size = formulas.bit_size(args[0]);
    formulas.less(zero, size)
}

pub(in crate::bifs) fn first_byte(formulas: &mut Formulas, args: &[TermId]) -> TermId {
    let (zero, eight) = (formulas.integer(0), formulas.integer(8));
    formulas.bits_number(args[0], zero, eight, BYTE)
}

pub(in crate::bifs) fn last_byte(formulas: &mut Formulas, args: &[TermId]) -> TermId {
    let size = formulas.bit_size(args[0]);
    let at = minus(formulas, size, 8);
    let eight = formulas.integer(8);
    formulas.bits_number(args[0], at, eight, BYTE)
}

/// Returns all of a binary as one number, the first byte the most significant.
pub(in crate::bifs) fn big_endian(formulas: &mut Formulas, args: &[TermId]) -> TermId {
    let zero = formulas.integer(0);
    let size = formulas.bit_size(args[0]);
    formulas.bits_number(args[0], zero, size, BYTE)
}

/// `(Bits, Position)`: returns whether the cut is within the bitstring.
pub(in crate::bifs) fn can_be_split(formulas: &mut Formulas, args: &[TermId]) -> TermId {
    let at = bits_of_bytes(formulas, args[1]);
    let size = formulas.bit_size(args[0]);
    formulas.less_or_equal(at, size)
}

pub(in crate::bifs) fn split_bits(formulas: &mut Formulas, args: &[TermId]) -> TermId {
    let at = bits_of_bytes(formulas, args[1]);
    let size = formulas.bit_size(args[0]);
    let zero = formulas.integer(0);
    let left = formulas.arithmetic(Arithmetic::Subtract, size, at);
    let first = formulas.bits_slice(args[0], zero, at);
    let second = formulas.bits_slice(args[0], at, left);
    formulas.tuple(&[first, second])
}

fn bits_of_bytes(formulas: &mut Formulas, bytes: TermId) -> TermId {
    let eight = formulas.integer(8);
    formulas.arithmetic(Arithmetic::Multiply, bytes, eight)
}

fn minus(formulas: &mut Formulas, number: TermId, less: i64) -> TermId {
    let less = formulas.integer(less);
    formulas.arithmetic(Arithmetic::Subtract, number, less)
}

/// Defines conversions that always have a value.
macro_rules! conversions {
    ($($name:ident = $conversion:expr;)*) => {$(
        pub(in crate::bifs) fn $name(formulas: &mut Formulas, args: &[TermId]) -> TermId {
            formulas.convert($conversion, args[0])
        }
    )*};
}

conversions! {
    integer_to_list = Conversion::IntegerToList;
    integer_to_binary = Conversion::IntegerToBinary;
    float_to_list = Conversion::FloatToList;
    float_to_binary = Conversion::FloatToBinary;
    atom_to_list = Conversion::AtomToList;
    atom_to_utf8 = Conversion::AtomToBinary;
    binary_to_list = Conversion::BinaryToList;
    tuple_to_list = Conversion::TupleToList;
    list_to_tuple = Conversion::ListToTuple;
}

/// Defines conversions that parse texts, each with the condition under which the text can be parsed.
macro_rules! readings {
    ($($name:ident, $possible:ident = $conversion:expr;)*) => {
        conversions! { $($name = $conversion;)* }
        $(
            pub(in crate::bifs) fn $possible(formulas: &mut Formulas, args: &[TermId]) -> TermId {
                formulas.converts($conversion, args[0])
            }
        )*
    };
}

readings! {
    list_to_integer, list_is_integer = Conversion::ListToInteger;
    binary_to_integer, binary_is_integer = Conversion::BinaryToInteger;
    list_to_float, list_is_float = Conversion::ListToFloat;
    binary_to_float, binary_is_float = Conversion::BinaryToFloat;
    list_to_atom, list_is_atom = Conversion::ListToAtom;
    utf8_to_atom, utf8_is_atom = Conversion::BinaryToAtom;
}

/// `(Bits, Start, Count)`: returns a part of a bitstring.
pub(in crate::bifs) fn bits_slice(formulas: &mut Formulas, args: &[TermId]) -> TermId {
    formulas.bits_slice(args[0], args[1], args[2])
}
