//! Comparison in the order of terms, and the strict boolean operators.

use super::{badarg, rows};
use crate::order;
use formula::{Formulas, Sort, TermId};
use machine::value::identical as same;
use machine::{Compare, Context, Escape, Primitive, Word};

pub(super) const TABLES: &[&[Primitive]] = &[
    rows! {"erlang";
        "<" (Any, Any) -> Boolean, badarg, less, Term(less_term), Fast::Compare(Compare::Less);
        "=<" (Any, Any) -> Boolean, badarg, less_or_equal, Term(less_or_equal_term), Fast::Compare(Compare::LessOrEqual);
        ">" (Any, Any) -> Boolean, badarg, greater, Term(greater_term), Fast::Compare(Compare::Greater);
        ">=" (Any, Any) -> Boolean, badarg, greater_or_equal, Term(greater_or_equal_term), Fast::Compare(Compare::GreaterOrEqual);
        "==" (Any, Any) -> Boolean, badarg, equal, Term(equal_term), Fast::Compare(Compare::Equal);
        "/=" (Any, Any) -> Boolean, badarg, not_equal, Term(not_equal_term), Fast::Compare(Compare::NotEqual);
        "=:=" (Any, Any) -> Boolean, badarg, identical, Term(equal_term), Fast::Compare(Compare::Identical);
        "=/=" (Any, Any) -> Boolean, badarg, not_identical, Term(not_equal_term), Fast::Compare(Compare::NotIdentical);
        "min" (Any, Any) -> Any, badarg, min, Opaque;
        "max" (Any, Any) -> Any, badarg, max, Opaque;
        "and" (Boolean, Boolean) -> Boolean, badarg, and, Opaque;
        "or" (Boolean, Boolean) -> Boolean, badarg, or, Opaque;
        "xor" (Boolean, Boolean) -> Boolean, badarg, xor, Opaque;
        "not" (Boolean) -> Boolean, badarg, not, Term(not_term);
    },
    rows! {"erts_internal";
        "cmp_term" (Any, Any) -> Integer, badarg, cmp_term, Opaque;
    },
];

fn less(_: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    Ok(order::compare(args[0], args[1]).is_lt().into())
}

fn less_term(formulas: &mut Formulas, args: &[TermId]) -> Option<TermId> {
    let (a, b) = of_sort(formulas, args, Sort::Integer)?;
    Some(formulas.less(a, b))
}

fn less_or_equal(_: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    Ok(order::compare(args[0], args[1]).is_le().into())
}

fn less_or_equal_term(formulas: &mut Formulas, args: &[TermId]) -> Option<TermId> {
    let (a, b) = of_sort(formulas, args, Sort::Integer)?;
    Some(formulas.less_or_equal(a, b))
}

fn greater(_: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    Ok(order::compare(args[0], args[1]).is_gt().into())
}

fn greater_term(formulas: &mut Formulas, args: &[TermId]) -> Option<TermId> {
    let (a, b) = of_sort(formulas, args, Sort::Integer)?;
    Some(formulas.less(b, a))
}

fn greater_or_equal(_: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    Ok(order::compare(args[0], args[1]).is_ge().into())
}

fn greater_or_equal_term(formulas: &mut Formulas, args: &[TermId]) -> Option<TermId> {
    let (a, b) = of_sort(formulas, args, Sort::Integer)?;
    Some(formulas.less_or_equal(b, a))
}

fn equal(_: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    Ok(order::equal(args[0], args[1]).into())
}

fn equal_term(formulas: &mut Formulas, args: &[TermId]) -> Option<TermId> {
    let sort = formulas.sort(*args.first()?);
    let (a, b) = of_sort(formulas, args, sort)?;
    Some(formulas.equal(a, b))
}

fn not_equal(_: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    Ok((!order::equal(args[0], args[1])).into())
}

fn not_equal_term(formulas: &mut Formulas, args: &[TermId]) -> Option<TermId> {
    let equal = equal_term(formulas, args)?;
    Some(formulas.not(equal))
}

fn identical(_: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    Ok(same(args[0], args[1]).into())
}

fn not_identical(_: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    Ok((!same(args[0], args[1])).into())
}

/// The first one of two that are equal.
fn min(_: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    Ok(if order::compare(args[0], args[1]).is_le() { args[0] } else { args[1] })
}

fn max(_: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    Ok(if order::compare(args[0], args[1]).is_ge() { args[0] } else { args[1] })
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

fn not_term(formulas: &mut Formulas, args: &[TermId]) -> Option<TermId> {
    let &[a] = args else { return None };
    (formulas.sort(a) == Sort::Boolean).then(|| formulas.not(a))
}

/// Negative, zero or positive in the order of map keys.
fn cmp_term(_: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    Ok(Word::small(order::key_order(args[0], args[1]) as i64))
}

fn of_sort(formulas: &Formulas, args: &[TermId], sort: Sort) -> Option<(TermId, TermId)> {
    let &[a, b] = args else { return None };
    (formulas.sort(a) == sort && formulas.sort(b) == sort).then_some((a, b))
}

#[cfg(test)]
mod tests {
    use crate::bifs::testing::{agree, everything, grid, others};

    #[test]
    fn the_order_of_terms_is_the_beams() {
        let names = ["<", "=<", "==", "=:=", "min", "max"].map(|name| (name, 2));
        // Two references of the BEAM are two; ours is one here.
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
