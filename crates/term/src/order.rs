//! The total order of terms, `==` and `=:=`, as on the BEAM.
//!
//! `number < atom < reference < fun < port < pid < tuple < map < [] < list < bitstring`. Tuples and maps are compared
//! by size first; a map's keys are compared before its values, in key order. Integers and floats are compared by their
//! exact values. Among keys of maps, at any depth, integers come before floats whatever their values are. The two zeros
//! are equal; as keys, they are one float or, from OTP 27 on, two.
//!
//! Pairs that remain to be compared are kept on an explicit stack, so terms may have any depth.

use crate::{Bits, Fun, Term, floats, work};
use num_bigint::BigInt;
use num_traits::{FromPrimitive, Signed};
use std::cmp::Ordering;

/// Compares two terms in their total order.
pub fn compare(a: &Term, b: &Term) -> Ordering {
    order(a, b, Numbers::ByValue)
}

/// Returns whether `a == b`.
pub fn equal(a: &Term, b: &Term) -> bool {
    match (a, b) {
        (Term::Int(a), Term::Int(b)) => a == b,
        (Term::Atom(a), Term::Atom(b)) => a == b,
        _ => compare(a, b) == Ordering::Equal,
    }
}

/// Returns whether `a =:= b`.
pub fn identical(a: &Term, b: &Term) -> bool {
    match (a, b) {
        (Term::Int(a), Term::Int(b)) => a == b,
        (Term::Atom(a), Term::Atom(b)) => a == b,
        (Term::List(a, _), Term::List(b, _)) if a.len() != b.len() => false,
        (Term::Bits(a), Term::Bits(b)) => a == b,
        _ => key_order(a, b) == Ordering::Equal,
    }
}

/// Compares two terms in the order of keys in small maps, in which two terms are equal only if they are identical
/// (`=:=`).
pub fn key_order(a: &Term, b: &Term) -> Ordering {
    order(a, b, Numbers::IntegersFirst)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Numbers {
    ByValue,
    IntegersFirst,
}

/// Parts that remain to be compared if everything before them was equal.
enum Open<'a> {
    Lists(List<'a>, List<'a>, Numbers),
    /// Two sequences of the same length.
    Parts(&'a [Term], &'a [Term], Numbers),
    Many(std::vec::IntoIter<(&'a Term, &'a Term)>, Numbers),
}

#[derive(Clone, Copy)]
struct List<'a> {
    items: &'a [Term],
    end: &'a Term,
}

static NIL: Term = Term::Nil;

fn order(a: &Term, b: &Term, numbers: Numbers) -> Ordering {
    let mut open = Vec::new();
    let mut next = (a, b, numbers);
    loop {
        work::tick();
        let result = order_tops(next.0, next.1, next.2, &mut open);
        if result != Ordering::Equal {
            return result;
        }
        next = match next_pair(&mut open) {
            Ok(Some(pair)) => pair,
            Ok(None) => return Ordering::Equal,
            Err(decided) => return decided,
        };
    }
}

type Pair<'a> = (&'a Term, &'a Term, Numbers);

/// Returns the next pair to compare, or the order as an error if the ends of two lists already decide it.
fn next_pair<'a>(open: &mut Vec<Open<'a>>) -> Result<Option<Pair<'a>>, Ordering> {
    loop {
        let Some(last) = open.last_mut() else { return Ok(None) };
        match last {
            Open::Parts(a, b, numbers) => {
                if let (Some((x, rest_a)), Some((y, rest_b))) = (a.split_first(), b.split_first()) {
                    let pair = (x, y, *numbers);
                    (*a, *b) = (rest_a, rest_b);
                    return Ok(Some(pair));
                }
            }
            Open::Lists(a, b, numbers) => match (a.items.split_first(), b.items.split_first()) {
                (Some((x, rest_a)), Some((y, rest_b))) => {
                    let pair = (x, y, *numbers);
                    (a.items, b.items) = (rest_a, rest_b);
                    return Ok(Some(pair));
                }
                (None, None) => {
                    let pair = (a.end, b.end, *numbers);
                    open.pop();
                    return Ok(Some(pair));
                }
                // The end of a list is never a list itself, so the ranks differ.
                (None, Some(_)) => return Err(rank(a.end).cmp(&Rank::List)),
                (Some(_), None) => return Err(Rank::List.cmp(&rank(b.end))),
            },
            Open::Many(pairs, numbers) => {
                if let Some((a, b)) = pairs.next() {
                    return Ok(Some((a, b, *numbers)));
                }
            }
        }
        open.pop();
    }
}

/// Compares two terms without their parts. Parts that decide if this is equal are pushed on `open`.
fn order_tops<'a>(a: &'a Term, b: &'a Term, numbers: Numbers, open: &mut Vec<Open<'a>>) -> Ordering {
    match (a, b) {
        (Term::Int(a), Term::Int(b)) => a.cmp(b),
        (Term::Atom(a), Term::Atom(b)) if a == b => Ordering::Equal,
        (Term::Atom(a), Term::Atom(b)) => a.text().cmp(b.text()),
        (Term::Int(_) | Term::Big(_) | Term::Float(_), Term::Int(_) | Term::Big(_) | Term::Float(_)) => {
            order_numbers(a, b, numbers)
        }
        (Term::List(x, x_end), Term::List(y, y_end)) => {
            let end = |end: &'a Option<std::sync::Arc<Term>>| end.as_deref().unwrap_or(&NIL);
            open.push(Open::Lists(List { items: x, end: end(x_end) }, List { items: y, end: end(y_end) }, numbers));
            Ordering::Equal
        }
        (Term::Tuple(x), Term::Tuple(y)) => x.len().cmp(&y.len()).then_with(|| {
            open.push(Open::Parts(x, y, numbers));
            Ordering::Equal
        }),
        (Term::Map(x), Term::Map(y)) => x.len().cmp(&y.len()).then_with(|| {
            let (x, y) = (in_key_order(x), in_key_order(y));
            let keys: Vec<_> = x.iter().zip(&y).map(|(x, y)| (&x.0, &y.0)).collect();
            let values: Vec<_> = x.iter().zip(&y).map(|(x, y)| (&x.1, &y.1)).collect();
            // The entry that is pushed last is compared first.
            open.push(Open::Many(values.into_iter(), numbers));
            open.push(Open::Many(keys.into_iter(), Numbers::IntegersFirst));
            Ordering::Equal
        }),
        (Term::Bits(x), Term::Bits(y)) => order_bits(x, y),
        (Term::Fun(x), Term::Fun(y)) => order_functions(x, y),
        (Term::Pid(x), Term::Pid(y)) | (Term::Reference(x), Term::Reference(y)) | (Term::Port(x), Term::Port(y)) => {
            x.cmp(y)
        }
        _ => rank(a).cmp(&rank(b)),
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Number,
    Atom,
    Reference,
    Function,
    Port,
    Pid,
    Tuple,
    Map,
    Nil,
    List,
    Bits,
}

fn rank(term: &Term) -> Rank {
    match term {
        Term::Int(_) | Term::Big(_) | Term::Float(_) => Rank::Number,
        Term::Atom(_) => Rank::Atom,
        Term::Nil => Rank::Nil,
        Term::List(..) => Rank::List,
        Term::Tuple(_) => Rank::Tuple,
        Term::Map(_) => Rank::Map,
        Term::Bits(_) => Rank::Bits,
        Term::Fun(_) => Rank::Function,
        Term::Pid(_) => Rank::Pid,
        Term::Reference(_) => Rank::Reference,
        Term::Port(_) => Rank::Port,
    }
}

fn order_numbers(a: &Term, b: &Term, numbers: Numbers) -> Ordering {
    match (a, b) {
        (Term::Float(a), Term::Float(b)) => order_floats(*a, *b, numbers),
        (_, Term::Float(_)) if numbers == Numbers::IntegersFirst => Ordering::Less,
        (Term::Float(_), _) if numbers == Numbers::IntegersFirst => Ordering::Greater,
        (_, Term::Float(b)) => compare_with_float(a, *b),
        (Term::Float(a), _) => compare_with_float(b, *a).reverse(),
        (Term::Int(a), Term::Int(b)) => a.cmp(b),
        (Term::Big(a), Term::Big(b)) => a.cmp(b),
        // The absolute value of a big integer is larger than that of any other integer.
        (Term::Big(a), _) => by_sign(a),
        (_, Term::Big(b)) => by_sign(b).reverse(),
        _ => Ordering::Equal,
    }
}

/// Compares two floats. -0.0 equals 0.0 by value; as a key it is less where the two zeros are different terms.
fn order_floats(a: f64, b: f64, numbers: Numbers) -> Ordering {
    if numbers == Numbers::IntegersFirst && floats::tells_zeros_apart() {
        return a.total_cmp(&b);
    }
    (a + 0.0).total_cmp(&(b + 0.0))
}

fn by_sign(big: &BigInt) -> Ordering {
    if big.is_negative() { Ordering::Less } else { Ordering::Greater }
}

/// Compares an integer with a float, exactly.
fn compare_with_float(integer: &Term, float: f64) -> Ordering {
    /// Every integer up to this bound is a float, and every float from this bound on is an integer.
    const EXACT: f64 = (1u64 << 53) as f64;
    const TWO_TO_63: f64 = (1u64 << 63) as f64;
    match integer {
        // A larger integer may be rounded here, but not to less than 2^53.
        Term::Int(value) if float.abs() < EXACT => (*value as f64).total_cmp(&(float + 0.0)),
        Term::Int(_) if float >= TWO_TO_63 => Ordering::Less,
        Term::Int(_) if float < -TWO_TO_63 => Ordering::Greater,
        Term::Int(value) => value.cmp(&(float as i64)),
        Term::Big(value) => match BigInt::from_f64(float) {
            Some(other) if float.abs() >= EXACT => (**value).cmp(&other),
            _ => by_sign(value),
        },
        _ => Ordering::Equal,
    }
}

/// Returns the pairs sorted by their keys, because large maps have them in another order.
fn in_key_order(pairs: &[(Term, Term)]) -> Vec<&(Term, Term)> {
    let mut sorted: Vec<&(Term, Term)> = pairs.iter().collect();
    if !sorted.is_sorted_by(|a, b| key_order(&a.0, &b.0) != Ordering::Greater) {
        sorted.sort_by(|a, b| key_order(&a.0, &b.0));
    }
    sorted
}

/// Compares two bitstrings: the first bit that differs decides, then the length.
fn order_bits(a: &Bits, b: &Bits) -> Ordering {
    let common = a.bit_length().min(b.bit_length());
    let (whole, partial) = (common / 8, common % 8);
    a.bytes()[..whole]
        .cmp(&b.bytes()[..whole])
        .then_with(|| match partial {
            0 => Ordering::Equal,
            _ => (a.bytes()[whole] >> (8 - partial)).cmp(&(b.bytes()[whole] >> (8 - partial))),
        })
        .then(a.bit_length().cmp(&b.bit_length()))
}

/// Compares two functions: function inputs come before closures, and closures before external functions.
fn order_functions(a: &Fun, b: &Fun) -> Ordering {
    match (a, b) {
        (
            Fun::Local { module, index, unique, arity },
            Fun::Local { module: other, index: other_index, unique: other_unique, arity: other_arity },
        ) => {
            module.text().cmp(other.text()).then((index, unique, arity).cmp(&(other_index, other_unique, other_arity)))
        }
        (
            Fun::External { module, function, arity },
            Fun::External { module: other, function: other_function, arity: other_arity },
        ) => (module.text(), function.text(), arity).cmp(&(other.text(), other_function.text(), other_arity)),
        (Fun::Input { arity, number }, Fun::Input { arity: other_arity, number: other_number }) => {
            (arity, number).cmp(&(other_arity, other_number))
        }
        (Fun::Input { .. }, _) | (_, Fun::External { .. }) => Ordering::Less,
        (_, Fun::Input { .. }) | (Fun::External { .. }, _) => Ordering::Greater,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    fn big(text: &str) -> Term {
        Term::integer(text.parse().unwrap_or_default())
    }

    fn ints(items: &[i64]) -> Term {
        Term::list(items.iter().map(|item| Term::Int(*item)).collect::<Vec<_>>())
    }

    fn map(pairs: &[(Term, Term)]) -> Term {
        Term::Map(pairs.to_vec().into())
    }

    fn bits(bytes: &[u8], length: usize) -> Term {
        Term::Bits(Bits::new(bytes.to_vec(), length))
    }

    /// Each is less than the next: the order of `lists:sort/1` on the BEAM.
    fn ascending() -> Vec<Term> {
        vec![
            big("-100000000000000000000"),
            Term::Float(-1.0e19),
            Term::Int(-1),
            Term::Float(-0.5),
            Term::Int(0),
            Term::Float(0.5),
            Term::Int(1),
            Term::Int((1 << 53) - 1),
            Term::Float(9_007_199_254_740_992.0),
            Term::Int((1 << 53) + 1),
            Term::Int(i64::MAX),
            Term::Float(9_223_372_036_854_775_808.0),
            big("9223372036854775809"),
            Term::Float(1.0e300),
            Term::atom("a"),
            Term::atom("aa"),
            Term::atom("b"),
            Term::atom("ö"),
            Term::Reference(1),
            Term::Reference(2),
            Term::Fun(Arc::new(Fun::External {
                module: crate::Atom::new("lists"),
                function: crate::Atom::new("map"),
                arity: 2,
            })),
            Term::Port(0),
            Term::Pid(0),
            Term::tuple([]),
            Term::tuple([Term::atom("z")]),
            Term::tuple([Term::Int(1), Term::Int(1)]),
            Term::tuple([Term::Int(1), Term::Int(2)]),
            map(&[]),
            map(&[(Term::Int(9), Term::Int(1))]),
            map(&[(Term::Float(1.0), Term::Int(1))]),
            map(&[(Term::Float(1.0), Term::Int(2))]),
            map(&[(Term::atom("a"), Term::Int(0))]),
            Term::Nil,
            Term::list_with_tail(vec![Term::Int(1)], Term::atom("end")),
            ints(&[1]),
            ints(&[1, 2]),
            ints(&[1, 2, 3]),
            ints(&[1, 3]),
            ints(&[2]),
            Term::list_with_tail(vec![Term::Int(2)], bits(&[0], 8)),
            bits(&[], 0),
            bits(&[0], 1),
            bits(&[0], 8),
            bits(&[1], 8),
            bits(&[1, 0], 9),
            bits(&[1, 0], 16),
            bits(&[0b1000_0000], 1),
        ]
    }

    #[test]
    fn the_order_is_total() {
        let terms = ascending();
        for (i, a) in terms.iter().enumerate() {
            for (j, b) in terms.iter().enumerate() {
                assert_eq!(compare(a, b), i.cmp(&j), "{a:?} against {b:?}");
                assert_eq!(equal(a, b), i == j, "{a:?} == {b:?}");
                assert_eq!(identical(a, b), i == j, "{a:?} =:= {b:?}");
                assert_eq!(key_order(a, b) == Ordering::Equal, i == j, "{a:?} as key {b:?}");
            }
        }
    }

    #[test]
    fn numbers_of_equal_value() {
        let (one, float) = (Term::Int(1), Term::Float(1.0));
        assert_eq!(compare(&one, &float), Ordering::Equal);
        assert!(equal(&one, &float) && !identical(&one, &float));
        assert_eq!(key_order(&one, &float), Ordering::Less);
        assert_eq!(key_order(&Term::Int(2), &float), Ordering::Less);
        assert!(identical(&Term::Float(0.0), &Term::Float(-0.0)));
        let (as_values, as_keys) = ([(Term::Int(1), one.clone())], [(one.clone(), Term::Int(1))]);
        assert!(equal(&map(&as_values), &map(&[(Term::Int(1), float.clone())])));
        assert!(!equal(&map(&as_keys), &map(&[(float.clone(), Term::Int(1))])));
        assert!(equal(&Term::tuple([one]), &Term::tuple([float])));
    }

    #[test]
    fn the_order_of_pairs_in_a_large_map_does_not_matter() {
        let pairs: Vec<(Term, Term)> = (0..40).map(|n| (Term::Int(n), Term::Int(n * n))).collect();
        let mut turned = pairs.clone();
        turned.reverse();
        assert!(identical(&map(&pairs), &map(&turned)));
    }

    #[test]
    fn depth_costs_no_stack() {
        let nested = || (0..200_000).fold(Term::Int(0), |inner, _| Term::tuple([Term::list([inner])]));
        assert!(identical(&nested(), &nested()));
    }
}
