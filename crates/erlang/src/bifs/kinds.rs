//! Tests of the kind of a term.

use super::{badarg, rows};
use crate::order::compare;
use crate::otp;
use machine::{Context, Escape, Kind, Primitive, Test, Word};

pub(super) const TABLES: &[&[Primitive]] = &[rows! {"erlang" by Arguments;
    "is_integer" (Any) -> Boolean, badarg, is_integer, Term(meaning::is_integer), Fast::Test(Test::Integer);
    "is_float" (Any) -> Boolean, badarg, is_float, Term(meaning::is_float), Fast::Test(Test::Float);
    "is_number" (Any) -> Boolean, badarg, is_number, Term(meaning::is_number), Fast::Test(Test::Number);
    "is_atom" (Any) -> Boolean, badarg, is_atom, Term(meaning::is_atom), Fast::Test(Test::Atom);
    "is_boolean" (Any) -> Boolean, badarg, is_boolean, Term(meaning::is_boolean), Fast::Test(Test::Boolean);
    "is_list" (Any) -> Boolean, badarg, is_list, Term(meaning::is_list), Fast::Test(Test::List);
    "is_tuple" (Any) -> Boolean, badarg, is_tuple, Term(meaning::is_tuple), Fast::Test(Test::Tuple);
    "is_map" (Any) -> Boolean, badarg, is_map, Term(meaning::is_map), Fast::Test(Test::Map);
    "is_bitstring" (Any) -> Boolean, badarg, is_bitstring, Term(meaning::is_bits), Fast::Test(Test::Bits);
    "is_binary" (Any) -> Boolean, badarg, is_binary, Term(meaning::is_binary), Fast::Test(Test::Binary);
    "is_function" (Any) -> Boolean, badarg, is_function, Term(meaning::is_function), Fast::Test(Test::Function);
    "is_pid" (Any) -> Boolean, badarg, is_pid, Term(meaning::is_pid), Fast::Test(Test::Pid);
    "is_reference" (Any) -> Boolean, badarg, is_reference, Term(meaning::is_reference), Fast::Test(Test::Reference);
    "is_port" (Any) -> Boolean, badarg, is_port, Term(meaning::is_port), Fast::Test(Test::Port);
    "is_integer" (Any, Integer, Integer) -> Boolean, badarg, is_integer_within, Term(meaning::is_integer_within);
    "is_record" (Any) -> Boolean, badarg, is_native_record, Term(meaning::never);
    "is_function" (Any, NonNegative) -> Boolean, badarg, is_function_of_arity, PreludeOver(&[Top, Top], "is_function_of_arity");
    "is_record" (Any, Atom) -> Boolean, badarg, is_record, Prelude("is_record_tagged");
    "is_record" (Any, Atom, Any) -> Boolean, badarg, is_record_of_size, Prelude("is_record_of_size");
}];

/// Returns the value of an integer that the BEAM keeps in one word; a few functions accept no others.
pub(super) fn as_beam_small(word: Word) -> Option<i64> {
    word.as_small().filter(|value| (-(1 << 59)..1 << 59).contains(value))
}

fn is_integer(_: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    Ok(args[0].is_integer().into())
}

fn is_integer_within(_: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let within = args[0].is_integer() && compare(args[1], args[0]).is_le() && compare(args[0], args[2]).is_le();
    Ok(within.into())
}

/// Returns false: there are no native records, because creating one is unsupported.
fn is_native_record(_: &mut Context, _: &[Word]) -> Result<Word, Escape> {
    Ok(Word::FALSE)
}

fn is_float(_: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    Ok(args[0].is_float().into())
}

fn is_number(_: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    Ok(args[0].is_number().into())
}

fn is_atom(_: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    Ok(args[0].is_atom().into())
}

fn is_boolean(_: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    Ok(args[0].as_boolean().is_some().into())
}

fn is_list(_: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    Ok(args[0].is_list().into())
}

fn is_tuple(_: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    Ok(args[0].is_kind(Kind::Tuple).into())
}

fn is_map(_: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    Ok(args[0].is_map().into())
}

fn is_bitstring(_: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    Ok(args[0].is_bits().into())
}

fn is_binary(_: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    Ok(args[0].as_bits().is_some_and(|bits| bits.is_binary()).into())
}

fn is_function(_: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    Ok(args[0].is_function().into())
}

fn is_pid(_: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    Ok(args[0].is_kind(Kind::Pid).into())
}

fn is_reference(_: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    Ok(args[0].is_kind(Kind::Reference).into())
}

fn is_port(_: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    Ok(args[0].is_kind(Kind::Port).into())
}

pub(super) fn is_function_of_arity(_: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let arity = args[1].as_small();
    Ok((args[0].is_function() && arity == Some(i64::from(args[0].header().aux()))).into())
}

/// Tests a record by its tag, because its size is not known here.
fn is_record(_: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let elements = args[0].as_tuple().unwrap_or_default();
    Ok(elements.first().is_some_and(|tag| tag.concrete() == args[1]).into())
}

pub(super) fn is_record_of_size(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let Some(size) = as_beam_small(args[2]) else {
        // A native record is tested by its module and its name.
        let is_name = args[2].is_atom() && otp::has_native_records();
        return if is_name { Ok(Word::FALSE) } else { Err(badarg(context, args)) };
    };
    let elements = args[0].as_tuple().unwrap_or_default();
    let has_tag = elements.first().is_some_and(|tag| tag.concrete() == args[1]);
    Ok((has_tag && elements.len() as i64 == size).into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bifs::testing::{agree, everything, grid};

    #[test]
    fn tests_agree_with_the_beam() {
        let here = |name: &str| name != "is_record" || otp::has_native_records();
        let unary = TABLES[0].iter().filter(|row| row.arity() == 1 && here(row.name));
        let unary: Vec<_> = unary.map(|row| (row.name, 1)).collect();
        agree(&grid("erlang", &unary, &everything()));
        agree(&grid("erlang", &[("is_function", 2), ("is_record", 2)], &everything()));
        let some: Vec<_> = everything().into_iter().step_by(3).collect();
        agree(&grid("erlang", &[("is_record", 3)], &some));
        if crate::bifs::testing::follow_release() >= 29 {
            agree(&grid("erlang", &[("is_integer", 3)], &some));
        }
    }
}
