//! Constructors of tests, and of negations, conjunctions and disjunctions of them.

use crate::constant::Constant;
use crate::constants::Constants;
use crate::kinds::Kinds;
use crate::table::Formulas;
use crate::terms::{Arithmetic, Conversion, Operator, TermId, Test};
use std::sync::Arc;
use term::{Term, floats, names, order};

impl Formulas {
    pub fn kind(&mut self, term: TermId, kinds: Kinds) -> TermId {
        let possible = self.kinds(term);
        let asked = kinds.and(possible);
        if asked.is_empty() || asked == possible {
            return self.boolean(!asked.is_empty());
        }
        match *self.operator(term) {
            // Each of these lists is empty exactly if the value that it was converted from is.
            Operator::Convert(Conversion::BinaryToList, binary) => {
                let size = self.bit_size(binary);
                self.kind_by_size(size, asked)
            }
            Operator::Convert(Conversion::TupleToList, tuple) => {
                let size = self.tuple_size(tuple);
                self.kind_by_size(size, asked)
            }
            Operator::Rest(whole, cells) => match *self.operator(whole) {
                Operator::Convert(Conversion::TupleToList, tuple) => {
                    let (size, cells) = (self.tuple_size(tuple), self.integer(cells));
                    let left = self.arithmetic(Arithmetic::Subtract, size, cells);
                    self.kind_by_size(left, asked)
                }
                _ => self.folded(Operator::Test(Test::Kind(term, asked))),
            },
            _ => self.folded(Operator::Test(Test::Kind(term, asked))),
        }
    }

    /// Returns the test whether a list of this size is nonempty (`CONS`) or empty.
    fn kind_by_size(&mut self, size: TermId, asked: Kinds) -> TermId {
        let zero = self.small(0);
        if asked == Kinds::CONS { self.less(zero, size) } else { self.identical(size, zero) }
    }

    pub fn tuple_of(&mut self, term: TermId, size: u32) -> TermId {
        if !self.kinds(term).meets(Kinds::TUPLE) {
            return self.boolean(false);
        }
        match self.operator(term) {
            Operator::Tuple(elements) => {
                let is = elements.len() == size as usize;
                self.boolean(is)
            }
            Operator::SetElementAt { tuple, .. } => {
                let tuple = *tuple;
                self.tuple_of(tuple, size)
            }
            Operator::Convert(Conversion::ListToTuple, list) => {
                let list = *list;
                let (length, size) = (self.length(list), self.integer(size));
                self.identical(length, size)
            }
            _ => match self.declared_tuple_sizes(term) {
                Some(sizes) if !sizes.contains(&(size as usize)) => self.boolean(false),
                Some(sizes) if sizes.len() == 1 && self.kinds(term).within(Kinds::TUPLE) => self.boolean(true),
                _ => self.folded(Operator::Test(Test::TupleOf(term, size))),
            },
        }
    }

    pub fn function_of(&mut self, term: TermId, arity: u32) -> TermId {
        let kinds = self.kinds(term);
        if !kinds.meets(Kinds::FUNCTION) {
            return self.boolean(false);
        }
        match self.declared_arities(term) {
            Some(arities) if !arities.contains(&arity) => self.boolean(false),
            Some(arities) if arities.len() == 1 && kinds.within(Kinds::FUNCTION) => self.boolean(true),
            _ => self.folded(Operator::Test(Test::FunctionOf(term, arity))),
        }
    }

    pub fn one_of(&mut self, term: TermId, of: Arc<Constants>) -> TermId {
        if let Some(constant) = self.as_constant(term) {
            let is = of.has(constant);
            return self.boolean(is);
        }
        if let Operator::Lookup(key, mapping) = self.operator(term) {
            let (key, keys) = (*key, mapping.keys(|value| of.has(value)));
            return self.one_of(key, keys);
        }
        // x + c is one of these if x is one of these minus c
        if let Some((x, c)) = self.sum_with_constant(term)
            && let Some(c) = self.as_constant(c).and_then(Term::as_int)
            && of.iter().all(|constant| constant.0.as_int().is_none_or(|value| value.checked_sub(c).is_some()))
        {
            let less = |constant: &Constant| Some(Constant(Term::Int(constant.0.as_int()?.checked_sub(c)?)));
            let shifted = Constants::shared(of.iter().filter_map(less));
            return self.one_of(x, shifted);
        }
        let range = match (of.ranges(), of.others()) {
            ([(low, _), .., (_, high)], []) => Some((*low, *high)),
            _ => None,
        };
        let all = range.is_some_and(|range| self.may_be_all_of(term, range))
            || of.iter().all(|constant| self.may_be(term, &constant.0));
        let of = match all {
            true => of,
            false => Constants::shared(of.iter().filter(|constant| self.may_be(term, &constant.0)).cloned()),
        };
        match &**of {
            [] => self.boolean(false),
            [single] => {
                let constant = self.constant(single.0.clone());
                self.identical(term, constant)
            }
            _ if self.is_exhausted_by(term, &of) => self.boolean(true),
            _ => self.intern(Operator::Test(Test::OneOf(term, of))),
        }
    }

    /// Returns whether the term is always one of these constants, each of which it can be.
    fn is_exhausted_by(&self, term: TermId, of: &[Constant]) -> bool {
        let has = |wanted: &Term| of.iter().any(|constant| order::identical(&constant.0, wanted));
        if self.operator(term).is_test() {
            return has(&Term::TRUE) && has(&Term::FALSE);
        }
        if !self.is_position(term) || self.types_of(term).is_empty() {
            return false;
        }
        self.types_of(term).iter().all(|id| self.types().constants(*id).is_some_and(|all| all.iter().all(has)))
    }

    pub fn identical(&mut self, a: TermId, b: TermId) -> TermId {
        let mut result = self.boolean(true);
        let mut open = vec![(a, b)];
        while let Some((a, b)) = open.pop() {
            let condition = match self.decompose(a, b, &mut open) {
                true => continue,
                false => self.identical_tops(a, b),
            };
            if self.as_boolean(condition) == Some(false) {
                return condition;
            }
            result = self.and(result, condition);
        }
        result
    }

    /// Reduces the identity of two constructed terms to the identity of their parts, which are pushed onto `open` as
    /// pairs.
    fn decompose(&mut self, a: TermId, b: TermId, open: &mut Vec<(TermId, TermId)>) -> bool {
        match (self.operator(a), self.operator(b)) {
            _ if a == b => false,
            (Operator::Cons(head, tail), Operator::Cons(other, rest)) => {
                open.extend([(*tail, *rest), (*head, *other)]);
                true
            }
            (Operator::Tuple(elements), Operator::Tuple(others)) if elements.len() == others.len() => {
                open.extend(elements.iter().copied().zip(others.iter().copied()).rev());
                true
            }
            (Operator::Tuple(_), Operator::Constant(Constant(Term::Tuple(others)))) => {
                let others = Arc::clone(others);
                self.decompose_tuple(a, &others, open)
            }
            (Operator::Constant(Constant(Term::Tuple(others))), Operator::Tuple(_)) => {
                let others = Arc::clone(others);
                self.decompose_tuple(b, &others, open)
            }
            (Operator::Cons(..), Operator::Constant(Constant(list @ Term::List(..)))) => {
                let list = list.clone();
                self.decompose_list(a, &list, open)
            }
            (Operator::Constant(Constant(list @ Term::List(..))), Operator::Cons(..)) => {
                let list = list.clone();
                self.decompose_list(b, &list, open)
            }
            (Operator::Bits(_), Operator::Bits(_) | Operator::Constant(Constant(Term::Bits(_)))) => {
                self.decompose_bits(a, b, open)
            }
            (Operator::Constant(Constant(Term::Bits(_))), Operator::Bits(_)) => self.decompose_bits(b, a, open),
            _ => false,
        }
    }

    fn decompose_tuple(&mut self, tuple: TermId, others: &[Term], open: &mut Vec<(TermId, TermId)>) -> bool {
        let Operator::Tuple(elements) = self.operator(tuple) else { return false };
        if elements.len() != others.len() {
            return false;
        }
        let elements = elements.clone();
        for (element, other) in elements.iter().copied().zip(others).rev() {
            open.push((element, self.constant(other.clone())));
        }
        true
    }

    fn decompose_list(&mut self, cells: TermId, list: &Term, open: &mut Vec<(TermId, TermId)>) -> bool {
        let Term::List(items, end) = list else { return false };
        let mut rest = cells;
        let mut taken = 0;
        while let (&Operator::Cons(head, tail), Some(item)) = (self.operator(rest), items.get(taken)) {
            open.push((head, self.constant(item.clone())));
            rest = tail;
            taken += 1;
        }
        let left = Term::list_with_tail(items[taken..].to_vec(), end.as_deref().cloned().unwrap_or(Term::Nil));
        open.push((rest, self.constant(left)));
        true
    }

    fn identical_tops(&mut self, a: TermId, b: TermId) -> TermId {
        if a == b {
            return self.boolean(true);
        }
        if self.surely_differ(a, b) {
            return self.boolean(false);
        }
        let (a, b) = self.constant_behind(a, b);
        if let Some(looked_up) = self.looked_up(&Operator::Test(Test::Identical(a, b))) {
            return looked_up;
        }
        if let Some(constant) = self.as_constant(b).cloned() {
            return self.identical_to(a, b, &constant);
        }
        if let (Operator::Tuple(elements), Operator::Tuple(others)) = (self.operator(a), self.operator(b))
            && elements.len() != others.len()
        {
            return self.boolean(false);
        }
        match (self.sum_with_constant(a), self.sum_with_constant(b)) {
            // x + c = y + c
            (Some((x, c)), Some((y, d))) if c == d => self.identical_tops(x, y),
            _ if self.disjoint_bounds(a, b) => self.boolean(false),
            _ => self.intern(Operator::Test(Test::Identical(a, b))),
        }
    }

    /// Returns the test whether `a` is identical to a constant.
    fn identical_to(&mut self, a: TermId, b: TermId, constant: &Term) -> TermId {
        if self.as_constant(a).is_some() {
            return self.folded(Operator::Test(Test::Identical(a, b)));
        }
        if !self.may_be(a, constant) {
            return self.boolean(false);
        }
        match (self.operator(a), constant) {
            (_, Term::Nil) => self.kind(a, Kinds::NIL),
            (_, Term::Tuple(elements)) if elements.is_empty() => self.tuple_of(a, 0),
            (Operator::Tuple(elements), Term::Tuple(others)) if elements.len() != others.len() => self.boolean(false),
            (operator, Term::Atom(truth)) if operator.is_test() => {
                if *truth == names::TRUE {
                    a
                } else {
                    self.not(a)
                }
            }
            // x + c = d if x = d - c
            (&Operator::Arithmetic(Arithmetic::Add, x, c), Term::Int(_) | Term::Big(_))
                if self.are_integers(x, c) && self.as_constant(c).is_some() =>
            {
                let difference = self.arithmetic(Arithmetic::Subtract, b, c);
                self.identical(x, difference)
            }
            (&Operator::Convert(conversion, x), _) => match self.converted_back(conversion, constant) {
                Some(Some(value)) => {
                    let value = self.constant(value);
                    self.identical(x, value)
                }
                Some(None) => self.boolean(false),
                None => self.intern(Operator::Test(Test::Identical(a, b))),
            },
            _ if self.is_exhausted_by(a, &[Constant(constant.clone())]) => self.boolean(true),
            _ => match self.bits_of_number(a, b) {
                Some((bits, others)) => self.identical(bits, others),
                None => self.intern(Operator::Test(Test::Identical(a, b))),
            },
        }
    }

    pub fn equal(&mut self, a: TermId, b: TermId) -> TermId {
        if a == b {
            return self.boolean(true);
        }
        let (x, y) = (self.kinds(a), self.kinds(b));
        let as_numbers = |kinds: Kinds| if kinds.meets(Kinds::NUMBER) { kinds.or(Kinds::NUMBER) } else { kinds };
        let common = as_numbers(x).and(as_numbers(y));
        if common.is_empty() {
            return self.boolean(false);
        }
        let mixed =
            x.meets(Kinds::INTEGER) && y.meets(Kinds::FLOAT) || x.meets(Kinds::FLOAT) && y.meets(Kinds::INTEGER);
        const WITH_PARTS: Kinds = Kinds::CONS.or(Kinds::TUPLE).or(Kinds::MAP).or(Kinds::FUNCTION);
        let zeros = common.meets(Kinds::FLOAT) && floats::tells_zeros_apart();
        if !mixed && !zeros && !common.meets(WITH_PARTS) {
            return self.identical(a, b);
        }
        let (a, b) = self.constant_behind(a, b);
        self.folded(Operator::Test(Test::Equal(a, b)))
    }

    pub fn less(&mut self, a: TermId, b: TermId) -> TermId {
        if a == b {
            return self.boolean(false);
        }
        if let Some(looked_up) = self.looked_up(&Operator::Test(Test::Less(a, b))) {
            return looked_up;
        }
        if self.are_integers(a, b) {
            return self.less_integers(a, b);
        }
        // All terms of one kind are below all terms of another.
        let (x, y) = (self.kinds(a), self.kinds(b));
        if let (Some((_, highest)), Some((lowest, _))) = (ranks(x), ranks(y))
            && highest < lowest
        {
            return self.boolean(true);
        }
        if let (Some((lowest, _)), Some((_, highest))) = (ranks(x), ranks(y))
            && lowest > highest
        {
            return self.boolean(false);
        }
        self.folded(Operator::Test(Test::Less(a, b)))
    }

    fn less_integers(&mut self, a: TermId, b: TermId) -> TermId {
        let (x, y) = (self.bounds(a), self.bounds(b));
        if x.high.zip(y.low).is_some_and(|(high, low)| high < low) {
            return self.boolean(true);
        }
        if x.low.zip(y.high).is_some_and(|(low, high)| low >= high) {
            return self.boolean(false);
        }
        match (self.sum_with_constant(a), self.sum_with_constant(b)) {
            // x + c < d if x < d - c
            (Some((x, c)), _) if self.as_constant(b).is_some() => {
                let bound = self.arithmetic(Arithmetic::Subtract, b, c);
                self.less(x, bound)
            }
            (_, Some((y, c))) if self.as_constant(a).is_some() => {
                let bound = self.arithmetic(Arithmetic::Subtract, a, c);
                self.less(bound, y)
            }
            (Some((x, c)), Some((y, d))) if c == d => self.less(x, y),
            // x < x + c if 0 < c
            (Some((x, c)), None) if x == b => {
                let zero = self.small(0);
                self.less(c, zero)
            }
            (None, Some((y, c))) if y == a => {
                let zero = self.small(0);
                self.less(zero, c)
            }
            _ => self.folded(Operator::Test(Test::Less(a, b))),
        }
    }

    fn disjoint_bounds(&self, a: TermId, b: TermId) -> bool {
        let (x, y) = (self.bounds(a), self.bounds(b));
        x.high.zip(y.low).is_some_and(|(high, low)| high < low)
            || y.high.zip(x.low).is_some_and(|(high, low)| high < low)
    }

    /// Returns the test `a =< b`.
    pub fn less_or_equal(&mut self, a: TermId, b: TermId) -> TermId {
        let greater = self.less(b, a);
        self.not(greater)
    }

    pub fn not(&mut self, a: TermId) -> TermId {
        match self.operator(a) {
            Operator::Test(Test::Not(inner)) => *inner,
            _ => self.folded(Operator::Test(Test::Not(a))),
        }
    }

    pub fn and(&mut self, a: TermId, b: TermId) -> TermId {
        self.junction(a, b, false)
    }

    pub fn or(&mut self, a: TermId, b: TermId) -> TermId {
        self.junction(a, b, true)
    }

    /// Makes `or` if `decisive` is true, else `and`. The decisive truth value of one side decides; if one side is the
    /// other truth value, the result is the other side.
    fn junction(&mut self, a: TermId, b: TermId, decisive: bool) -> TermId {
        for (side, other) in [(a, b), (b, a)] {
            match self.as_boolean(side) {
                Some(truth) if truth == decisive => return side,
                Some(_) => return other,
                None => {}
            }
            // x and x = x; x and not x = false
            if side == other {
                return side;
            }
            if matches!(self.operator(side), Operator::Test(Test::Not(inner)) if *inner == other) {
                return self.boolean(decisive);
            }
        }
        match (self.operator(a), self.operator(b)) {
            (&Operator::Test(Test::Kind(x, kinds)), &Operator::Test(Test::Kind(y, others))) if x == y => {
                self.kind(x, if decisive { kinds.or(others) } else { kinds.and(others) })
            }
            _ if decisive => self.intern(Operator::Test(Test::Or(a.min(b), a.max(b)))),
            _ => self.intern(Operator::Test(Test::And(a.min(b), a.max(b)))),
        }
    }

    /// Orders the operands of a commutative operator: a constant comes last, others are in order of birth.
    pub(super) fn constant_behind(&self, a: TermId, b: TermId) -> (TermId, TermId) {
        match (self.as_constant(a), self.as_constant(b)) {
            (Some(_), None) => (b, a),
            (None, Some(_)) => (a, b),
            _ => (a.min(b), a.max(b)),
        }
    }
}

/// Returns the lowest and the highest place of these kinds in the order of terms.
fn ranks(kinds: Kinds) -> Option<(usize, usize)> {
    const ORDER: [Kinds; 11] = [
        Kinds::NUMBER,
        Kinds::ATOM,
        Kinds::REFERENCE,
        Kinds::FUNCTION,
        Kinds::PORT,
        Kinds::PID,
        Kinds::TUPLE,
        Kinds::MAP,
        Kinds::NIL,
        Kinds::CONS,
        Kinds::BITS,
    ];
    let mut places = (0..ORDER.len()).filter(|place| ORDER[*place].meets(kinds));
    let lowest = places.next()?;
    Some((lowest, places.next_back().unwrap_or(lowest)))
}
