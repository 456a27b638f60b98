//! Facts about single cells that follow from conditions, as sets.
//!
//! The number of cells of a list has a set of its own, that of the list's `Length`, whether the list is proper or not:
//! if the rest after k cells is nonempty, the number is greater than k.

use crate::layout::positions::is_position;
use crate::native::linear::{Linear, difference};
use crate::native::numbers::Numbers;
use crate::native::sets::Set;
use formula::{Formulas, Kinds, Operator, TermId, Test};
use num_bigint::BigInt;
use num_integer::Integer;
use term::Term;

/// The fact that a cell is in a set.
#[derive(Clone, Debug)]
pub(crate) struct Fact {
    pub cell: TermId,
    pub set: Set,
}

/// Facts that follow from a condition.
#[derive(Clone, Debug)]
pub(crate) struct Facts {
    pub facts: Vec<Fact>,
    pub exact: Exactness,
}

/// Whether the condition follows from the facts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exactness {
    Yes,
    /// It does if the cells are integers.
    OfIntegers,
    No,
}

impl Facts {
    fn none() -> Facts {
        Facts { facts: Vec::new(), exact: Exactness::No }
    }

    fn one(cell: TermId, set: Set, exact: bool) -> Facts {
        let exact = if exact { Exactness::Yes } else { Exactness::No };
        Facts { facts: vec![Fact { cell, set }], exact }
    }
}

/// The largest depth of junctions nested in one another, and the largest number of their sides.
const DEEPEST: usize = 16;
const MOST_SIDES: usize = 20_000;

/// Returns the facts that follow if the truth value of the condition is `want`.
pub(crate) fn facts(formulas: &mut Formulas, condition: TermId, want: bool) -> Facts {
    within(formulas, condition, want, DEEPEST)
}

/// Returns the sides of nested junctions of the same sort, each with its wanted truth value, and whether all sides have
/// to hold. `None` if there are too many sides, or the condition is no junction.
fn sides(formulas: &Formulas, condition: TermId, want: bool) -> Option<(Vec<(TermId, bool)>, bool)> {
    let sort = |id: TermId, want: bool| match formulas.operator(id) {
        Operator::Test(Test::And(..)) => Some(want),
        Operator::Test(Test::Or(..)) => Some(!want),
        _ => None,
    };
    let all = sort(condition, want)?;
    let mut found = Vec::new();
    let mut open = vec![(condition, want)];
    while let Some((id, want)) = open.pop() {
        match *formulas.operator(id) {
            Operator::Test(Test::Not(inner)) => open.push((inner, !want)),
            Operator::Test(Test::And(a, b)) | Operator::Test(Test::Or(a, b)) if sort(id, want) == Some(all) => {
                open.extend([(b, want), (a, want)])
            }
            _ => found.push((id, want)),
        }
        if found.len() + open.len() > MOST_SIDES {
            return None;
        }
    }
    Some((found, all))
}

/// Unites sets in pairs, so that sets of many ranges are traversed a few times and not once for each side.
fn union(sets: &[Set]) -> Set {
    match sets {
        [] => Set::none(),
        [one] => one.clone(),
        _ => {
            let (first, second) = sets.split_at(sets.len() / 2);
            union(first).or(&union(second))
        }
    }
}

fn within(formulas: &mut Formulas, condition: TermId, want: bool, deep: usize) -> Facts {
    let polar = |set: Set| if want { set } else { set.not() };
    let Some(deep) = deep.checked_sub(1) else { return Facts::none() };
    match formulas.operator(condition).clone() {
        Operator::Test(Test::Not(inner)) => within(formulas, inner, !want, deep),
        Operator::Test(Test::And(..)) | Operator::Test(Test::Or(..)) => {
            let Some((sides, all)) = sides(formulas, condition, want) else { return Facts::none() };
            let mut exact = Exactness::Yes;
            let mut found: Vec<Fact> = Vec::new();
            for (side, want) in sides {
                let of_side = within(formulas, side, want, deep);
                // If one side is enough, each of the sides must be about the same cell only.
                if !all && (of_side.facts.len() != 1 || found.first().is_some_and(|f| f.cell != of_side.facts[0].cell))
                {
                    return Facts::none();
                }
                exact = exact.max(of_side.exact);
                found.extend(of_side.facts);
            }
            let facts = if all { merge(found) } else { unite(found) };
            Facts { facts, exact }
        }
        Operator::Test(Test::Kind(term, kinds)) => {
            let kinds = if want { kinds } else { Kinds::ALL.without(kinds) };
            of_cell(formulas, term, Set::of_kinds(kinds), true)
        }
        Operator::Test(Test::TupleOf(term, size)) => {
            of_cell(formulas, term, polar(Set::of_tuples(Numbers::one(size.into()))), true)
        }
        Operator::Test(Test::FunctionOf(term, arity)) => {
            of_cell(formulas, term, polar(Set::of_functions(Numbers::one(arity.into()))), true)
        }
        Operator::Test(Test::OneOf(term, constants)) => {
            let ranges = constants.ranges().iter().map(|(low, high)| (BigInt::from(*low), BigInt::from(*high)));
            let integers = Set::of_integers(Numbers::of_ranges(ranges));
            let others = constants.others().iter();
            let set = others.fold(integers, |set, constant| set.or(&Set::around(&constant.0).0));
            of_cell(formulas, term, polar(set), true)
        }
        Operator::Test(Test::HasItem(list, index)) => {
            match formulas.as_constant(index).and_then(crate::native::sets::integer) {
                Some(index) if is_position(formulas, list) => {
                    let (list, before) = match formulas.operator(list) {
                        Operator::Rest(whole, cells) => (*whole, BigInt::from(*cells)),
                        _ => (list, BigInt::ZERO),
                    };
                    let length = formulas.length(list);
                    let more = Numbers::above(&(index + before));
                    Facts::one(length, Set::of_integers(if want { more } else { more.not() }), true)
                }
                _ => Facts::none(),
            }
        }
        Operator::Test(Test::Identical(a, b)) | Operator::Test(Test::Equal(a, b)) => {
            let identical = matches!(formulas.operator(condition), Operator::Test(Test::Identical(..)));
            for (cell, other) in [(a, b), (b, a)] {
                if let Some(term) = formulas.as_constant(other).cloned()
                    && is_position(formulas, cell)
                {
                    let (set, exact) = match Set::equal_to_number(&term) {
                        Some(set) if !identical => (set, true),
                        _ => Set::around(&term),
                    };
                    return match (exact, want) {
                        (true, _) => of_cell(formulas, cell, polar(set), true),
                        (false, true) => of_cell(formulas, cell, set, false),
                        (false, false) => Facts::none(),
                    };
                }
            }
            linear(formulas, a, b, |factor, rest| {
                let (value, left) = (-rest).div_rem(factor);
                let zero = if left == BigInt::ZERO { Numbers::one(value) } else { Numbers::none() };
                if want { zero } else { zero.not() }
            })
        }
        Operator::Test(Test::Less(a, b)) => {
            if let Some(bound) = formulas.as_constant(b).cloned()
                && is_position(formulas, a)
            {
                let (set, exact) = match integer_bound(formulas, a, &bound) {
                    Some(bound) if want => (Set::of_integers(Numbers::below(&bound)), true),
                    Some(bound) => (Set::of_integers(Numbers::between(Some(bound), None)), true),
                    None if want => Set::before(&bound),
                    None => Set::not_before(&bound),
                };
                return of_cell(formulas, a, set, exact);
            }
            if let Some(bound) = formulas.as_constant(a).cloned()
                && is_position(formulas, b)
            {
                let (set, exact) = match integer_bound(formulas, b, &bound) {
                    Some(bound) if want => (Set::of_integers(Numbers::above(&bound)), true),
                    Some(bound) => (Set::of_integers(Numbers::between(None, Some(bound))), true),
                    None => behind(&bound, want),
                };
                return of_cell(formulas, b, set, exact);
            }
            // factor * x + rest < 0
            linear(formulas, a, b, |factor, rest| {
                let negative = if *factor > BigInt::ZERO {
                    Numbers::between(None, Some(Integer::div_floor(&(-rest - 1), factor)))
                } else {
                    Numbers::between(Some(rest.div_floor(&-factor) + 1), None)
                };
                if want { negative } else { negative.not() }
            })
        }
        _ => Facts::none(),
    }
}

/// Returns the bound if it and the cell are certainly integers: then nothing has to be said about other terms.
fn integer_bound(formulas: &Formulas, cell: TermId, bound: &Term) -> Option<BigInt> {
    crate::native::sets::integer(bound).filter(|_| formulas.kinds(cell).within(Kinds::INTEGER))
}

/// Returns the set of terms that come after `bound` in the order (or, unless `want`, of those that do not), possibly
/// with others. The second result is whether it has no others.
fn behind(bound: &Term, want: bool) -> (Set, bool) {
    let equal = match bound {
        Term::Nil => Some(Set::of_kinds(Kinds::NIL)),
        _ => Set::equal_to_number(bound),
    };
    match (equal, want) {
        (Some(equal), true) => (Set::not_before(bound).0.and(&equal.not()), true),
        (Some(equal), false) => (Set::before(bound).0.or(&equal), true),
        (None, true) => (Set::not_before(bound).0, false),
        (None, false) => (Set::before(bound).0, false),
    }
}

/// Returns the facts of a comparison of numbers with a single unknown, which say which integers it can be. If the
/// unknown may be a float, nothing is said about floats.
fn linear(formulas: &mut Formulas, a: TermId, b: TermId, solve: impl Fn(&BigInt, &BigInt) -> Numbers) -> Facts {
    let Some(Linear { parts, constant, cancelled }) = difference(formulas, a, b) else { return Facts::none() };
    let [(cell, factor)] = parts.as_slice() else { return Facts::none() };
    if !is_position(formulas, *cell) {
        return Facts::none();
    }
    let mut set = Set::all();
    set.integers = solve(factor, &constant);
    let kinds = formulas.kinds(*cell);
    let mut facts = of_cell(formulas, *cell, set, true);
    if cancelled {
        facts.exact = Exactness::No;
    } else if !kinds.within(Kinds::INTEGER) && facts.exact == Exactness::Yes {
        facts.exact = Exactness::OfIntegers;
    }
    facts
}

/// Makes a fact about a cell. A fact about a size becomes one about the term that has the size.
fn of_cell(formulas: &mut Formulas, cell: TermId, set: Set, exact: bool) -> Facts {
    if !is_position(formulas, cell) {
        return Facts::none();
    }
    match *formulas.operator(cell) {
        Operator::TupleSize(tuple) => Facts::one(tuple, Set::of_tuples(set.integers), exact),
        Operator::BitSize(bits) => Facts::one(bits, Set::of_bits(set.integers), exact),
        Operator::MapSize(_) => Facts::one(cell, Set::of_integers(set.integers.and(&Numbers::natural())), exact),
        // The condition also says that the list is proper, which the number of cells does not.
        Operator::Length(_) => Facts::one(cell, Set::of_integers(set.integers.and(&Numbers::natural())), false),
        _ => Facts::one(cell, set, exact),
    }
}

/// Merges facts that all hold to one fact for each cell. Uniting the complements costs less than intersecting the sets
/// one by one.
fn merge(mut facts: Vec<Fact>) -> Vec<Fact> {
    facts.sort_by_key(|fact| fact.cell);
    let groups = facts.chunk_by(|a, b| a.cell == b.cell);
    groups
        .map(|group| match group {
            [one] => one.clone(),
            _ => {
                let outside: Vec<Set> = group.iter().map(|fact| fact.set.not()).collect();
                Fact { cell: group[0].cell, set: union(&outside).not() }
            }
        })
        .collect()
}

/// Unites facts about the same cell, one of which holds.
fn unite(facts: Vec<Fact>) -> Vec<Fact> {
    let Some(first) = facts.first() else { return Vec::new() };
    let cell = first.cell;
    let sets: Vec<Set> = facts.into_iter().map(|fact| fact.set).collect();
    vec![Fact { cell, set: union(&sets) }]
}
