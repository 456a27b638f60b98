//! Guesses how to make a condition hold: backwards from the wanted result through the operators to the cells, with
//! everything else at the parent's values. Guesses may be wrong, because they are checked.

pub(crate) mod derived;
mod numbers;

use crate::layout::positions::is_position;
use crate::layout::typed::{smallest, types_beside};
use crate::native::facts::facts;
use crate::native::invert::{alike, neighbours, samples};
use crate::native::linear::difference;
use crate::native::numbers::Numbers;
use crate::native::pick::candidates;
use crate::native::sets::{Set, integer};
use crate::native::state::Knowledge;
use formula::{Assignment, Formulas, Numeric, Operator, TermId, Test};
use num_bigint::BigInt;
use num_integer::Integer;
use term::{Term, order};

pub(crate) type Changes = Vec<(TermId, Term)>;

/// The largest number of guesses; more are not worth their checks.
const MOST: usize = 16;
const DEEPEST: usize = 48;
/// The largest number of terms that are visited for one condition; shared terms are visited repeatedly.
const MOST_STEPS: usize = 600;

pub(crate) struct Guess<'a> {
    pub formulas: &'a mut Formulas,
    pub parent: &'a Assignment,
    pub state: &'a mut Knowledge,
    deep: usize,
    steps: usize,
}

impl<'a> Guess<'a> {
    pub fn new(formulas: &'a mut Formulas, parent: &'a Assignment, state: &'a mut Knowledge) -> Guess<'a> {
        Guess { formulas, parent, state, deep: 0, steps: 0 }
    }

    pub(crate) fn value(&mut self, id: TermId) -> Option<Term> {
        self.state.value(self.formulas, self.parent, id)
    }

    fn is_tired(&mut self) -> bool {
        self.steps += 1;
        self.deep >= DEEPEST || self.steps > MOST_STEPS
    }

    /// Returns changes with which the truth value of the condition might become `want`.
    pub fn condition(&mut self, condition: TermId, want: bool) -> Vec<Changes> {
        if self.is_tired() {
            return Vec::new();
        }
        self.deep += 1;
        let mut found = self.of_condition(condition, want);
        self.deep -= 1;
        found.truncate(MOST);
        found
    }

    fn of_condition(&mut self, condition: TermId, want: bool) -> Vec<Changes> {
        let known = facts(self.formulas, condition, want);
        if let [fact] = known.facts.as_slice() {
            let set = self.state.domain(self.formulas, fact.cell).and(&fact.set);
            let mut found = self.members(fact.cell, &set);
            if let Operator::Test(Test::Identical(a, b)) | Operator::Test(Test::Equal(a, b)) =
                *self.formulas.operator(condition)
                && want
            {
                found.splice(0..0, self.alike(a, b));
            }
            return found;
        }
        match self.formulas.operator(condition).clone() {
            Operator::Test(Test::Not(inner)) => self.condition(inner, !want),
            Operator::Test(Test::And(a, b)) if want => self.both(a, b, true),
            Operator::Test(Test::Or(a, b)) if !want => self.both(a, b, false),
            Operator::Test(Test::And(a, b)) | Operator::Test(Test::Or(a, b)) => {
                let mut found = self.condition(a, want);
                found.extend(self.condition(b, want));
                found
            }
            Operator::Test(Test::Identical(a, b)) | Operator::Test(Test::Equal(a, b)) if want => {
                let mut found = self.isolated(a, b, |sum, factor| {
                    let (value, left) = (-sum).div_rem(factor);
                    if left == BigInt::ZERO { Numbers::one(value) } else { Numbers::none() }
                });
                found.extend(self.alike(a, b));
                found
            }
            Operator::Test(Test::Identical(a, b)) | Operator::Test(Test::Equal(a, b)) => self.unlike(a, b),
            Operator::Test(Test::Less(a, b)) => {
                let mut found = self.isolated(a, b, |sum, factor| {
                    // factor * x + sum < 0
                    let less = if *factor > BigInt::ZERO {
                        Numbers::between(None, Some(Integer::div_floor(&(-sum - 1), factor)))
                    } else {
                        Numbers::between(Some(sum.div_floor(&-factor) + 1), None)
                    };
                    if want { less } else { less.not() }
                });
                found.extend(self.ordered(a, b, want));
                found
            }
            Operator::Test(Test::HasItem(list, index)) => {
                let Some(index_value) = self.value(index).as_ref().and_then(integer) else { return Vec::new() };
                let cells = if want { index_value + 1 } else { index_value };
                let mut found = self.cells(list, cells);
                let length = self.formulas.length(list);
                if let Some(count) = self.value(length).as_ref().and_then(integer) {
                    let index_wanted = if want { count - 1 } else { count };
                    found.extend(self.reach(index, &Term::integer(index_wanted)));
                }
                found
            }
            Operator::Test(Test::MapHas { map, key }) => self.key(map, key, want),
            Operator::Test(Test::ProperList(term)) => {
                let items = match &self.value(term) {
                    Some(Term::List(items, _)) => items.to_vec(),
                    _ => Vec::new(),
                };
                let types = self.formulas.types_of(term).to_vec();
                let item = smallest(self.formulas.types(), &types).unwrap_or(Term::Int(0));
                match want {
                    true => self.reach(term, &Term::list(items)),
                    false if items.is_empty() => self.reach(term, &Term::list_with_tail(vec![item], Term::atom("a"))),
                    false => self.reach(term, &Term::list_with_tail(items, Term::atom("a"))),
                }
            }
            Operator::Test(Test::Converts(conversion, term)) => {
                let mut found = Vec::new();
                let current = self.value(term);
                let alike = current.iter().flat_map(|current| alike(conversion, current));
                for sample in samples(conversion).into_iter().chain(alike).collect::<Vec<_>>() {
                    let constant = self.formulas.constant(sample.clone());
                    let converts = self.formulas.converts(conversion, constant);
                    if formula::holds(self.formulas, converts, self.parent) == Some(want) {
                        found.extend(self.reach(term, &sample));
                    }
                }
                found
            }
            Operator::Test(Test::Defined(inner)) => match *self.formulas.operator(inner) {
                Operator::Arithmetic(operation, a, b) => {
                    let mut found = self.reach(b, &Term::Int(i64::from(want)));
                    if !want {
                        found.extend(self.overflow(operation, a, b));
                    }
                    found
                }
                Operator::Numeric(Numeric::ToFloat | Numeric::Math(_), a) if !want => self.beyond_floats(a),
                _ => Vec::new(),
            },
            Operator::Test(Test::Kind(term, kinds)) => {
                let set = Set::of_kinds(kinds);
                self.within(term, &if want { set } else { set.not() })
            }
            Operator::Test(Test::TupleOf(term, size)) => {
                let set = Set::of_tuples(Numbers::one(size.into()));
                self.within(term, &if want { set } else { set.not() })
            }
            Operator::Test(Test::FunctionOf(term, arity)) => {
                let set = Set::of_functions(Numbers::one(arity.into()));
                self.within(term, &if want { set } else { set.not() })
            }
            Operator::Test(Test::OneOf(term, constants)) if want => {
                let ranges = constants.ranges().iter().take(8).map(|(low, _)| Term::Int(*low));
                let others = constants.others().iter().take(8).map(|constant| constant.0.clone());
                let members: Vec<Term> = ranges.chain(others).collect();
                members.iter().flat_map(|member| self.reach(term, member)).collect()
            }
            Operator::Test(Test::OneOf(term, _)) => match self.value(term) {
                Some(value) => neighbours(&value).iter().flat_map(|other| self.reach(term, other)).collect(),
                None => Vec::new(),
            },
            // Nothing is guessed for other tests. Everything else is a cell or another term with a truth value.
            operator if operator.is_test() => Vec::new(),
            _ => {
                let truth = if want { Term::TRUE } else { Term::FALSE };
                self.reach(condition, &truth)
            }
        }
    }

    fn members(&mut self, cell: TermId, set: &Set) -> Vec<Changes> {
        let old = self.state.top(self.formulas, self.parent, cell);
        let types = types_beside(self.formulas, self.parent, cell);
        let members = candidates(set, old.as_ref(), self.formulas.types(), &types);
        members.into_iter().map(|value| vec![(cell, value)]).collect()
    }

    fn both(&mut self, a: TermId, b: TermId, want: bool) -> Vec<Changes> {
        let ways = |this: &mut Self, condition: TermId| match this.value(condition) {
            Some(value) if value == if want { Term::TRUE } else { Term::FALSE } => vec![Vec::new()],
            _ => this.condition(condition, want),
        };
        let first = ways(self, a);
        let second = ways(self, b);
        product(&first, &second)
    }

    fn alike(&mut self, a: TermId, b: TermId) -> Vec<Changes> {
        let mut found = Vec::new();
        if let Some(value) = self.value(b) {
            found.extend(self.reach(a, &value));
        }
        if let Some(value) = self.value(a) {
            found.extend(self.reach(b, &value));
        }
        found
    }

    fn unlike(&mut self, a: TermId, b: TermId) -> Vec<Changes> {
        let mut found = Vec::new();
        for side in [a, b] {
            let Some(value) = self.value(side) else { continue };
            if is_position(self.formulas, side) {
                let (around, alone) = Set::around(&value);
                let domain = self.state.domain(self.formulas, side);
                let other = if alone { domain.and(&around.not()) } else { domain };
                found.extend(self.members(side, &other));
            }
            for other in neighbours(&value) {
                found.extend(self.reach(side, &other));
            }
        }
        found
    }

    fn ordered(&mut self, a: TermId, b: TermId, want: bool) -> Vec<Changes> {
        let (Some(left), Some(right)) = (self.value(a), self.value(b)) else { return Vec::new() };
        let mut found = Vec::new();
        for value in neighbours(&right).into_iter().chain([right.clone()]) {
            if order::compare(&value, &right).is_lt() == want {
                found.extend(self.reach(a, &value));
            }
        }
        for value in neighbours(&left).into_iter().chain([left.clone()]) {
            if order::compare(&left, &value).is_lt() == want {
                found.extend(self.reach(b, &value));
            }
        }
        found
    }

    /// Solves a linear comparison for one unknown at a time: `solve` returns the values of the unknown, given the rest
    /// of the sum and its factor.
    fn isolated(&mut self, a: TermId, b: TermId, solve: impl Fn(&BigInt, &BigInt) -> Numbers) -> Vec<Changes> {
        let Some(linear) = difference(self.formulas, a, b) else { return Vec::new() };
        let mut values = Vec::new();
        for (id, _) in &linear.parts {
            match self.value(*id).as_ref().and_then(integer) {
                Some(value) => values.push(value),
                None => return Vec::new(),
            }
        }
        let total: BigInt = linear.parts.iter().zip(&values).map(|((_, factor), value)| factor * value).sum();
        let mut found = Vec::new();
        for ((id, factor), value) in linear.parts.iter().zip(&values).take(8) {
            let others = &total + &linear.constant - factor * value;
            let wanted = solve(&others, factor);
            let set = if is_position(self.formulas, *id) {
                self.state.domain(self.formulas, *id).integers.and(&wanted)
            } else {
                wanted
            };
            if let Some(best) = set.nearest(value) {
                found.extend(self.reach(*id, &Term::integer(best)));
            }
        }
        found
    }

    fn cells(&mut self, list: TermId, count: BigInt) -> Vec<Changes> {
        if count < BigInt::ZERO {
            return Vec::new();
        }
        let length = self.formulas.length(list);
        self.reach(length, &Term::integer(count))
    }

    fn key(&mut self, map: TermId, key: TermId, want: bool) -> Vec<Changes> {
        let Some(name) = self.value(key) else { return Vec::new() };
        let mut found = Vec::new();
        if want {
            let constant = self.formulas.constant(name);
            let place = self.formulas.map_get(map, constant);
            let types = self.formulas.types_of(place).to_vec();
            if let Some(value) = smallest(self.formulas.types(), &types) {
                found.extend(self.reach(place, &value));
            }
            if let Some(Term::Map(pairs)) = &self.value(map) {
                for (other, _) in pairs.iter().take(2) {
                    found.extend(self.reach(key, other));
                }
            }
        } else {
            if let Some(Term::Map(pairs)) = &self.value(map) {
                let left: Vec<(Term, Term)> =
                    pairs.iter().filter(|(other, _)| !order::identical(other, &name)).cloned().collect();
                found.extend(self.reach(map, &Term::Map(left.into())));
            }
            for other in neighbours(&name) {
                found.extend(self.reach(key, &other));
            }
        }
        found
    }

    /// Returns changes with which the value of the term might become `target`.
    pub fn reach(&mut self, id: TermId, target: &Term) -> Vec<Changes> {
        if self.is_tired() {
            return Vec::new();
        }
        if let Some(constant) = self.formulas.as_constant(id) {
            return if order::identical(constant, target) { vec![Vec::new()] } else { Vec::new() };
        }
        if is_position(self.formulas, id) {
            let possible = self.state.domain(self.formulas, id).contains(target);
            return if possible { vec![vec![(id, target.clone())]] } else { Vec::new() };
        }
        if self.value(id).is_some_and(|value| order::identical(&value, target)) {
            return vec![Vec::new()];
        }
        self.deep += 1;
        let mut found = self.through(id, target);
        self.deep -= 1;
        found.truncate(MOST);
        found
    }

    fn through(&mut self, id: TermId, target: &Term) -> Vec<Changes> {
        match self.formulas.operator(id).clone() {
            Operator::Variable(_) | Operator::Constant(_) => Vec::new(),
            Operator::Cons(..) => {
                let mut found = vec![Vec::new()];
                let mut at = id;
                let mut items = match target {
                    Term::List(items, _) => items.to_vec(),
                    _ => Vec::new(),
                };
                items.reverse();
                while let Operator::Cons(head, tail) = *self.formulas.operator(at) {
                    let Some(item) = items.pop() else { return Vec::new() };
                    found = product(&found, &self.reach(head, &item));
                    at = tail;
                    if found.is_empty() {
                        return found;
                    }
                }
                items.reverse();
                let end = match target {
                    Term::List(_, Some(end)) => Term::clone(end),
                    _ => Term::Nil,
                };
                let rest = Term::list_with_tail(items, end);
                product(&found, &self.reach(at, &rest))
            }
            Operator::Tuple(parts) => match target.as_tuple() {
                Some(items) if items.len() == parts.len() => {
                    let mut found = vec![Vec::new()];
                    for (part, item) in parts.iter().zip(items) {
                        found = product(&found, &self.reach(*part, item));
                    }
                    found
                }
                _ => Vec::new(),
            },
            Operator::Bits(parts) => self.bits(&parts, target),
            Operator::MapPut { map, key, value } => {
                let (Some(name), Term::Map(pairs)) = (self.value(key), target) else { return Vec::new() };
                let Some((_, item)) = pairs.iter().find(|(other, _)| order::identical(other, &name)) else {
                    return Vec::new();
                };
                let first = self.reach(value, item);
                let second = self.reach(map, target);
                product(&first, &second)
            }
            Operator::MapRemove { map, .. } => self.reach(map, target),
            Operator::SetElementAt { tuple, index, value } => {
                let (Some(index), Some(items)) = (self.value(index).and_then(|i| i.as_int()), target.as_tuple()) else {
                    return Vec::new();
                };
                let Some(item) = items.get(index as usize).cloned() else { return Vec::new() };
                let first = self.reach(value, &item);
                let second = self.reach(tuple, target);
                product(&first, &second)
            }
            Operator::ItemAt(list, index) => self.at(index, target, |formulas, index| formulas.item(list, index)),
            Operator::RestAt(list, cells) => self.at(cells, target, |formulas, cells| formulas.rest(list, cells)),
            Operator::ElementAt(tuple, index) => {
                self.at(index, target, |formulas, index| formulas.element(tuple, index))
            }
            Operator::MapGet { map, key } => {
                let Some(name) = self.value(key) else { return Vec::new() };
                let name = self.formulas.constant(name);
                let place = self.formulas.map_get(map, name);
                if place == id { self.part(id, target) } else { self.reach(place, target) }
            }
            Operator::BitsNumber { bits, at, size, format } => {
                let (Some(at), Some(size)) = (self.value(at), self.value(size)) else { return Vec::new() };
                let (at, size) = (self.formulas.constant(at), self.formulas.constant(size));
                let place = self.formulas.bits_number(bits, at, size, format);
                if place == id { self.part(id, target) } else { self.reach(place, target) }
            }
            Operator::BitsSlice { bits, at, size } => {
                let (Some(at), Some(size)) = (self.value(at), self.value(size)) else { return Vec::new() };
                let (at, size) = (self.formulas.constant(at), self.formulas.constant(size));
                let place = self.formulas.bits_slice(bits, at, size);
                if place == id { self.part(id, target) } else { self.reach(place, target) }
            }
            Operator::Convert(conversion, term) => {
                let sources = self.sources(conversion, target);
                sources.iter().flat_map(|source| self.reach(term, source)).collect()
            }
            Operator::Arithmetic(operation, a, b) => self.arithmetic(operation, a, b, target),
            Operator::Numeric(operation, a) => self.numeric(operation, a, target),
            Operator::Item(..)
            | Operator::Rest(..)
            | Operator::Element(..)
            | Operator::MapKeyAt(..)
            | Operator::MapValueAt(..)
            | Operator::Length(_)
            | Operator::TupleSize(_)
            | Operator::MapSize(_)
            | Operator::BitSize(_) => self.part(id, target),
            Operator::Lookup(key, mapping) => {
                let keys = mapping.keys(|value| order::identical(value, target));
                keys.iter().take(MOST).flat_map(|wanted| self.reach(key, &wanted.0)).collect()
            }
            Operator::Apply { .. } => Vec::new(),
            Operator::Test(_) => match target {
                _ if *target == Term::TRUE => self.condition(id, true),
                _ if *target == Term::FALSE => self.condition(id, false),
                _ => Vec::new(),
            },
        }
    }

    fn at(&mut self, index: TermId, target: &Term, place: impl Fn(&mut Formulas, u32) -> TermId) -> Vec<Changes> {
        match self.value(index).and_then(|index| index.as_int()).and_then(|index| u32::try_from(index).ok()) {
            Some(index) => {
                let place = place(self.formulas, index);
                self.reach(place, target)
            }
            None => Vec::new(),
        }
    }
}

pub(crate) fn product(first: &[Changes], second: &[Changes]) -> Vec<Changes> {
    let mut found = Vec::new();
    for a in first.iter().take(4) {
        for b in second.iter().take(4) {
            found.push(a.iter().chain(b).cloned().collect());
        }
    }
    found
}
