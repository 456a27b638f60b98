//! Comparison in the order of terms, and the strict boolean operators.

use super::{badarg, rows, seen};
use crate::order;
use machine::value::identical as same;
use machine::{Compare, Context, Escape, Primitive, Word};
use std::cmp::Ordering;

pub(super) const TABLES: &[&[Primitive]] = &[
    rows! {"erlang" by Arguments;
        "<" (Any, Any) -> Boolean by Identities, badarg, less, TermOver(meaning::DEEP, meaning::less), Fast::Compare(Compare::Less);
        "=<" (Any, Any) -> Boolean by Identities, badarg, less_or_equal, TermOver(meaning::DEEP, meaning::less_or_equal), Fast::Compare(Compare::LessOrEqual);
        ">" (Any, Any) -> Boolean by Identities, badarg, greater, TermOver(meaning::DEEP, meaning::greater), Fast::Compare(Compare::Greater);
        ">=" (Any, Any) -> Boolean by Identities, badarg, greater_or_equal, TermOver(meaning::DEEP, meaning::greater_or_equal), Fast::Compare(Compare::GreaterOrEqual);
        "==" (Any, Any) -> Boolean, badarg, equal, TermOver(meaning::DEEP, meaning::equal), Fast::Compare(Compare::Equal);
        "/=" (Any, Any) -> Boolean, badarg, not_equal, TermOver(meaning::DEEP, meaning::not_equal), Fast::Compare(Compare::NotEqual);
        "=:=" (Any, Any) -> Boolean, badarg, identical, TermOver(meaning::DEEP, meaning::identical), Fast::Compare(Compare::Identical);
        "=/=" (Any, Any) -> Boolean, badarg, not_identical, TermOver(meaning::DEEP, meaning::not_identical), Fast::Compare(Compare::NotIdentical);
        "min" (Any, Any) -> Any by Identities, badarg, min, Prelude("minimum");
        "max" (Any, Any) -> Any by Identities, badarg, max, Prelude("maximum");
        "and" (Boolean, Boolean) -> Boolean, badarg, and, Term(meaning::and);
        "or" (Boolean, Boolean) -> Boolean, badarg, or, Term(meaning::or);
        "xor" (Boolean, Boolean) -> Boolean, badarg, xor, Term(meaning::not_identical);
        "not" (Boolean) -> Boolean, badarg, not, Term(meaning::not);
    },
    rows! {"erts_internal" by Identities;
        "cmp_term" (Any, Any) -> Integer, badarg, cmp_term, Opaque;
    },
];

fn ordering(context: &mut Context, args: &[Word]) -> Ordering {
    seen::order_of(context, args[0], args[1]);
    order::compare(args[0], args[1])
}

fn less(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    Ok(ordering(context, args).is_lt().into())
}

fn less_or_equal(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    Ok(ordering(context, args).is_le().into())
}

fn greater(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    Ok(ordering(context, args).is_gt().into())
}

fn greater_or_equal(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    Ok(ordering(context, args).is_ge().into())
}

fn equal(_: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    Ok(order::equal(args[0], args[1]).into())
}

fn not_equal(_: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    Ok((!order::equal(args[0], args[1])).into())
}

fn identical(_: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    Ok(same(args[0], args[1]).into())
}

fn not_identical(_: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    Ok((!same(args[0], args[1])).into())
}

/// Returns the smaller argument; the first one if both are equal.
fn min(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    Ok(if ordering(context, args).is_le() { args[0] } else { args[1] })
}

fn max(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    Ok(if ordering(context, args).is_ge() { args[0] } else { args[1] })
}

fn and(_: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    Ok((args[0] == Word::TRUE && args[1] == Word::TRUE).into())
}

fn or(_: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    Ok((args[0] == Word::TRUE || args[1] == Word::TRUE).into())
}

fn xor(_: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    Ok((args[0] != args[1]).into())
}

fn not(_: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    Ok((args[0] == Word::FALSE).into())
}

/// Returns a negative number, zero or a positive number, according to the order of map keys.
fn cmp_term(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    seen::order_of(context, args[0], args[1]);
    Ok(Word::small(order::key_order(args[0], args[1]) as i64))
}

#[cfg(test)]
mod tests {
    use crate::bifs::testing::{agree, everything, grid, others};

    #[test]
    fn the_order_of_terms_is_the_beams() {
        let names = ["<", "=<", "==", "=:=", "min", "max"].map(|name| (name, 2));
        // Two references of the BEAM are different, but the machine has only one here.
        let values: Vec<_> =
            everything().into_iter().filter(|term| !matches!(term, term::Term::Reference(_))).collect();
        agree(&grid("erlang", &names[..1], &values));
        agree(&grid("erts_internal", &[("cmp_term", 2)], &values));
        let some: Vec<_> = values.into_iter().step_by(2).collect();
        agree(&grid("erlang", &names[1..], &some));
    }

    #[test]
    fn the_other_operators() {
        let names = [">", ">=", "/=", "=/=", "and", "or", "xor"].map(|name| (name, 2));
        let values: Vec<_> = others().into_iter().filter(|term| !matches!(term, term::Term::Reference(_))).collect();
        agree(&grid("erlang", &names, &values));
        agree(&grid("erlang", &[("not", 1)], &values));
    }
}
