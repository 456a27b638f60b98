//! Terms as sums of integer multiples of others.

use formula::{Arithmetic, Formulas, Numeric, Operator, TermId};
use num_bigint::BigInt;
use rustc_hash::FxHashMap;

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Linear {
    /// The unknowns in the order of their numbers, each with its factor, which is not zero.
    pub parts: Vec<(TermId, BigInt)>,
    pub constant: BigInt,
    /// Whether there are unknowns that cancel each other out, though they must have a value.
    pub cancelled: bool,
}

/// The largest number of terms that are looked at; larger sums are left to other methods.
const MOST: usize = 96;

/// Returns `a - b`, if it is linear.
pub(crate) fn difference(formulas: &Formulas, a: TermId, b: TermId) -> Option<Linear> {
    let mut sum = FxHashMap::default();
    let mut constant = BigInt::ZERO;
    let mut open = vec![(a, BigInt::from(1)), (b, BigInt::from(-1))];
    let mut looked = 0;
    while let Some((id, factor)) = open.pop() {
        looked += 1;
        if looked > MOST {
            return None;
        }
        if let Some(term) = formulas.as_constant(id) {
            constant += factor * crate::native::sets::integer(term)?;
            continue;
        }
        let number = |id: TermId| formulas.as_constant(id).and_then(crate::native::sets::integer);
        match formulas.operator(id) {
            Operator::Arithmetic(Arithmetic::Add, a, b) => {
                open.push((*a, factor.clone()));
                open.push((*b, factor));
            }
            Operator::Arithmetic(Arithmetic::Subtract, a, b) => {
                open.push((*a, factor.clone()));
                open.push((*b, -factor));
            }
            Operator::Arithmetic(Arithmetic::Multiply, a, b) => match (number(*a), number(*b)) {
                (Some(value), _) => open.push((*b, factor * value)),
                (_, Some(value)) => open.push((*a, factor * value)),
                _ => *sum.entry(id).or_insert(BigInt::ZERO) += factor,
            },
            Operator::Numeric(Numeric::Negate, a) => open.push((*a, -factor)),
            _ => *sum.entry(id).or_insert(BigInt::ZERO) += factor,
        }
    }
    let cancelled = sum.values().any(|factor| *factor == BigInt::ZERO);
    let mut parts: Vec<(TermId, BigInt)> = sum.into_iter().filter(|(_, factor)| *factor != BigInt::ZERO).collect();
    parts.sort_by_key(|(id, _)| *id);
    Some(Linear { parts, constant, cancelled })
}
