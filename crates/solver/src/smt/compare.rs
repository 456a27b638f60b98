//! Conditions: tests of kind and size, equality part by part, order.

use super::encode::{Encoder, Facet, LONGEST, all_of, any_of, kind_number};
use crate::layout::positions::{Projection, is_position, last_step};
use crate::native::state::spine;
use formula::{Kinds, Operator, TermId, Test};
use num_traits::ToPrimitive;
use std::collections::BTreeSet;
use term::{Term, floats};

/// The depth up to which parts are compared one by one; deeper parts are compared by content.
pub(super) const DEEPEST: u32 = 12;
/// The largest number of cells of lists that are compared item by item, if they certainly have no more.
const MOST_CELLS: u32 = 16;

impl Encoder<'_> {
    /// Encodes a condition, or that a cell is `true`.
    pub(super) fn truth(&mut self, id: TermId) -> String {
        match self.formulas.operator(id).clone() {
            Operator::Constant(constant) => (constant.0 == Term::TRUE).to_string(),
            Operator::Test(Test::Not(a)) => format!("(not {})", self.condition(a)),
            Operator::Test(Test::And(a, b)) => format!("(and {} {})", self.condition(a), self.condition(b)),
            Operator::Test(Test::Or(a, b)) => format!("(or {} {})", self.condition(a), self.condition(b)),
            Operator::Test(Test::Kind(a, kinds)) => self.is_kind(a, kinds),
            Operator::Test(Test::TupleOf(a, size)) => {
                let tuple = self.is_kind(a, Kinds::TUPLE);
                let sized = self.facet(a, Facet::TupleSize);
                format!("(and {tuple} (= {sized} {size}))")
            }
            Operator::Test(Test::FunctionOf(a, arity)) => {
                let function = self.is_kind(a, Kinds::FUNCTION);
                let takes = self.facet(a, Facet::Arity);
                format!("(and {function} (= {takes} {arity}))")
            }
            Operator::Test(Test::OneOf(a, constants)) => {
                let mut parts = Vec::new();
                if !constants.ranges().is_empty() {
                    let integer = self.is_kind(a, Kinds::INTEGER);
                    let value = self.facet(a, Facet::Integer);
                    let within = |(low, high): &(i64, i64)| {
                        format!(
                            "(<= {} {value} {})",
                            super::encode::literal(&(*low).into()),
                            super::encode::literal(&(*high).into())
                        )
                    };
                    let ranges: Vec<String> = constants.ranges().iter().map(within).collect();
                    parts.push(format!("(and {integer} {})", any_of(&ranges)));
                }
                for constant in constants.others() {
                    let constant = self.formulas.constant(constant.0.clone());
                    parts.push(self.same(a, constant, false, 0));
                }
                any_of(&parts)
            }
            Operator::Test(Test::ProperList(a)) => {
                // A model that determines how a list ends should also determine where.
                self.facet(a, Facet::Cells);
                let end = self.facet(a, Facet::End);
                format!("(= {end} {})", kind_number(Kinds::NIL))
            }
            Operator::Test(Test::HasItem(list, index)) => {
                let cells = self.facet(list, Facet::Cells);
                let index = self.facet(index, Facet::Integer);
                format!("(> {cells} {index})")
            }
            Operator::Test(Test::MapHas { map, key }) => self.has_key(map, key),
            Operator::Test(Test::Identical(a, b)) => self.same(a, b, false, 0),
            Operator::Test(Test::Equal(a, b)) => self.same(a, b, true, 0),
            Operator::Test(Test::Less(a, b)) => self.less(a, b, 0),
            Operator::Test(Test::Defined(inner)) => self.has_value(inner),
            Operator::Test(Test::Converts(conversion, text)) => self.converts(conversion, text),
            // A cell with a truth value.
            _ => {
                let (kind, atom) = (self.is_kind(id, Kinds::ATOM), self.facet(id, Facet::Atom));
                let truth = self.rank(term::names::TRUE);
                format!("(and {kind} (= {atom} {truth}))")
            }
        }
    }

    /// Encodes that two terms are the same or, if `by_value`, equal with numbers compared by value.
    pub(super) fn same(&mut self, a: TermId, b: TermId, by_value: bool, deep: u32) -> String {
        if a == b {
            return "true".to_string();
        }
        let number =
            |kinds: Kinds| if by_value && kinds.meets(Kinds::NUMBER) { kinds.or(Kinds::NUMBER) } else { kinds };
        let common = number(self.kinds(a)).and(number(self.kinds(b)));
        if common.is_empty() {
            return "false".to_string();
        }
        let mut ways = Vec::new();
        if by_value && common.meets(Kinds::NUMBER) {
            let both = [self.is_kind(a, Kinds::NUMBER), self.is_kind(b, Kinds::NUMBER)];
            let whole = self.kinds(a).or(self.kinds(b)).and(Kinds::NUMBER).within(Kinds::INTEGER);
            let equal = if whole {
                format!("(= {} {})", self.facet(a, Facet::Integer), self.facet(b, Facet::Integer))
            } else {
                format!("(= {} {})", self.real(a), self.real(b))
            };
            ways.push(all_of(&[both.to_vec(), vec![equal]].concat()));
        }
        for kind in common.each() {
            if by_value && kind.within(Kinds::NUMBER) {
                continue;
            }
            let mut parts = vec![self.is_kind(a, kind), self.is_kind(b, kind)];
            parts.retain(|part| part != "true");
            let both = all_of(&parts);
            let free = self.fresh;
            self.same_of_kind(a, b, kind, by_value, deep, &mut parts);
            let mut same = all_of(&parts);
            if by_value && self.fresh > free {
                // Equal terms have the same place in the order.
                same = self.named(&same);
                let (first, second) = (self.facet(a, Facet::Order), self.facet(b, Facet::Order));
                self.line(format_args!("(assert (=> {both} (= {same} (= {first} {second}))))"));
            }
            ways.push(same);
        }
        any_of(&ways)
    }

    fn same_of_kind(&mut self, a: TermId, b: TermId, kind: Kinds, by_value: bool, deep: u32, parts: &mut Vec<String>) {
        let mut facet = |this: &mut Self, facet: Facet| {
            let (a, b) = (this.facet(a, facet), this.facet(b, facet));
            parts.push(format!("(= {a} {b})"));
        };
        match kind {
            Kinds::INTEGER => facet(self, Facet::Integer),
            Kinds::FLOAT => self.same_floats(a, b, by_value, parts),
            Kinds::ATOM => facet(self, Facet::Atom),
            Kinds::NIL => {}
            // Functions with the same arity need not be the same.
            Kinds::FUNCTION => {
                facet(self, Facet::Arity);
                self.same_content(a, b, by_value, parts);
            }
            Kinds::CONS => {
                facet(self, Facet::Cells);
                facet(self, Facet::End);
                if deep < DEEPEST {
                    self.same_items(a, b, by_value, deep, parts);
                } else {
                    self.same_content(a, b, by_value, parts);
                }
            }
            Kinds::TUPLE => {
                facet(self, Facet::TupleSize);
                if deep < DEEPEST {
                    self.same_elements(a, b, by_value, deep, parts);
                } else {
                    self.same_content(a, b, by_value, parts);
                }
            }
            Kinds::BITS => {
                facet(self, Facet::BitSize);
                match self.same_bits(a, b) {
                    Some(same) => parts.push(same),
                    None => self.same_content(a, b, by_value, parts),
                }
            }
            Kinds::MAP if deep < DEEPEST => self.same_maps(a, b, by_value, deep, parts),
            _ => self.same_content(a, b, by_value, parts),
        }
    }

    /// Compares floats as reals, which have one zero. If floats have two zeros, it is left open which of them a zero
    /// is.
    fn same_floats(&mut self, a: TermId, b: TermId, by_value: bool, parts: &mut Vec<String>) {
        let (a, b) = (self.facet(a, Facet::Float), self.facet(b, Facet::Float));
        parts.push(format!("(= {a} {b})"));
        if !by_value && floats::tells_zeros_apart() {
            let same = self.free_condition();
            parts.push(format!("(or (not (= {a} 0.0)) {same})"));
        }
    }

    /// Compares contents without looking into them. Nothing is stated about contents that need only be equal by value.
    pub(super) fn same_content(&mut self, a: TermId, b: TermId, by_value: bool, parts: &mut Vec<String>) {
        let same = if by_value {
            self.free_condition()
        } else {
            let (a, b) = (self.facet(a, Facet::Content), self.facet(b, Facet::Content));
            format!("(= {a} {b})")
        };
        // Terms that differ should differ in a part that is encoded.
        self.wish(format!("(=> {} {same})", all_of(parts)));
        parts.push(same);
    }

    /// Returns the places of the items that conditions mention, counted from the term, and whether the list has no
    /// others.
    pub(super) fn items(&mut self, id: TermId) -> (BTreeSet<u32>, bool) {
        match self.formulas.operator(id) {
            Operator::Constant(constant) => match &constant.0 {
                Term::List(items, _) if items.len() <= LONGEST => ((0..items.len() as u32).collect(), true),
                _ => (BTreeSet::new(), false),
            },
            Operator::Cons(..) => {
                let (cells, at) = self.cons_cells(id);
                let (behind, all) = self.items(at);
                let all = all || self.formulas.as_constant(at).is_some_and(|tail| *tail == Term::Nil);
                ((0..cells).chain(behind.into_iter().map(|place| place + cells)).collect(), all)
            }
            _ => {
                if let Some(most) = self.most_cells(id).filter(|most| *most <= MOST_CELLS) {
                    return ((0..most).collect(), true);
                }
                let (list, before) = spine(self.formulas, id);
                let parts = self.parts.get(&list).into_iter().flatten();
                let places = parts.filter_map(|part| match last_step(self.formulas, *part) {
                    Some((_, Projection::Item(index))) => index.checked_sub(before),
                    _ => None,
                });
                (places.collect(), false)
            }
        }
    }

    fn cons_cells(&self, id: TermId) -> (u32, TermId) {
        let (mut cells, mut at) = (0, id);
        while let Operator::Cons(_, tail) = self.formulas.operator(at) {
            cells += 1;
            at = *tail;
        }
        (cells, at)
    }

    /// Returns an upper bound of the number of cells, if one is certain.
    pub(super) fn most_cells(&mut self, id: TermId) -> Option<u32> {
        if let Some(cells) = self.fixed_cells(id) {
            return Some(cells);
        }
        if !is_position(self.formulas, id) {
            return None;
        }
        let (list, before) = spine(self.formulas, id);
        let length = self.formulas.length(list);
        let most = match self.formulas.as_constant(length) {
            Some(length) => length.as_int()?.to_u32()?,
            None => self.domain(length).integers.most()?.to_u32()?,
        };
        Some(most.saturating_sub(before))
    }

    /// Returns the number of cells of a list that is written out.
    fn fixed_cells(&self, id: TermId) -> Option<u32> {
        let (cells, end) = self.cons_cells(id);
        match self.formulas.as_constant(end)? {
            Term::List(items, _) => u32::try_from(items.len()).ok()?.checked_add(cells),
            _ => Some(cells),
        }
    }

    /// Returns the number of elements of a tuple, if it is certain.
    pub(super) fn tuple_size(&mut self, id: TermId) -> Option<usize> {
        match self.formulas.operator(id) {
            Operator::Constant(constant) => constant.0.as_tuple().map(<[Term]>::len),
            Operator::Tuple(parts) => Some(parts.len()),
            _ if is_position(self.formulas, id) => {
                let sizes = self.domain(id).tuples;
                sizes.least().filter(|least| sizes.most() == Some(least))?.to_usize()
            }
            _ => None,
        }
    }

    fn same_items(&mut self, a: TermId, b: TermId, by_value: bool, deep: u32, parts: &mut Vec<String>) {
        let ((first, all_first), (second, all_second)) = (self.items(a), self.items(b));
        let places = match (all_first, all_second) {
            (true, _) => first,
            (_, true) => second,
            _ => &first | &second,
        };
        let cells = self.facet(a, Facet::Cells);
        for place in places {
            let (x, y) = (self.formulas.item(a, place), self.formulas.item(b, place));
            self.speak_of(x);
            self.speak_of(y);
            let same = self.same(x, y, by_value, deep + 1);
            parts.push(format!("(or (<= {cells} {place}) {same})"));
        }
        let end = self.facet(a, Facet::End);
        if !all_first && !all_second {
            self.same_content(a, b, by_value, parts);
        } else if end != kind_number(Kinds::NIL).to_string() {
            // The ends of improper lists are compared as well.
            let mut ends = Vec::new();
            match self.fixed_cells(a).or(self.fixed_cells(b)) {
                Some(cells) => {
                    let (x, y) = (self.formulas.rest(a, cells), self.formulas.rest(b, cells));
                    self.speak_of(x);
                    self.speak_of(y);
                    ends.push(self.same(x, y, by_value, deep + 1));
                }
                None => self.same_content(a, b, by_value, &mut ends),
            }
            parts.push(format!("(or (= {end} {}) {})", kind_number(Kinds::NIL), all_of(&ends)));
        }
    }

    fn same_elements(&mut self, a: TermId, b: TermId, by_value: bool, deep: u32, parts: &mut Vec<String>) {
        let known = self.tuple_size(a).or_else(|| self.tuple_size(b)).filter(|size| *size <= LONGEST);
        let places: BTreeSet<u32> = match known {
            Some(size) => (0..size as u32).collect(),
            None => {
                let spoken = [a, b].into_iter().flat_map(|id| self.parts.get(&id).into_iter().flatten());
                let places = spoken.filter_map(|part| match last_step(self.formulas, *part) {
                    Some((_, Projection::Element(index))) => Some(index),
                    _ => None,
                });
                places.collect()
            }
        };
        let sized = self.facet(a, Facet::TupleSize);
        for place in places {
            let (x, y) = (self.formulas.element(a, place), self.formulas.element(b, place));
            self.speak_of(x);
            self.speak_of(y);
            let same = self.same(x, y, by_value, deep + 1);
            parts.push(format!("(or (<= {sized} {place}) {same})"));
        }
        if known.is_none() {
            self.same_content(a, b, by_value, parts);
        }
    }

    pub(super) fn speak_of(&mut self, id: TermId) {
        if let Some((base, _)) = last_step(self.formulas, id)
            && self.parts.entry(base).or_default().insert(id)
        {
            self.speak_of(base);
        }
    }

    /// Asserts that parts of the same term are equal if their indices or keys are equal.
    pub(super) fn connect_places(&mut self) {
        let mut places: Vec<(TermId, TermId, TermId)> = Vec::new();
        let names: BTreeSet<TermId> = self.names.values().map(|(id, _)| *id).collect();
        for id in names {
            let place = match *self.formulas.operator(id) {
                Operator::ItemAt(list, index) => (id, list, index),
                Operator::Item(list, index) => (id, list, self.formulas.integer(index)),
                Operator::ElementAt(tuple, index) => (id, tuple, index),
                Operator::Element(tuple, index) => (id, tuple, self.formulas.integer(index)),
                Operator::MapGet { map, key } => (id, map, key),
                _ => continue,
            };
            places.push(place);
        }
        for (index, (first, base, key)) in places.iter().enumerate() {
            for (second, other_base, other_key) in places.iter().skip(index + 1) {
                let constants =
                    self.formulas.as_constant(*key).is_some() && self.formulas.as_constant(*other_key).is_some();
                if base != other_base || constants {
                    continue;
                }
                let keys = self.same(*key, *other_key, false, 1);
                let values = self.same(*first, *second, false, 1);
                self.line(format_args!("(assert (=> {keys} {values}))"));
                if matches!(self.formulas.operator(*first), Operator::MapGet { .. }) {
                    let (p, q) = (self.facet(*first, Facet::Present), self.facet(*second, Facet::Present));
                    self.line(format_args!("(assert (=> {keys} (= {p} {q})))"));
                }
            }
        }
    }
}
