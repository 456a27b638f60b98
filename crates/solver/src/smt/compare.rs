//! Conditions: tests of kind and size, equality part by part, order.

use super::encode::{Encoder, Facet, LONGEST, all_of, any_of, kind_number};
use crate::positions::{Step, last_step};
use crate::sets::KINDS_IN_ORDER;
use crate::state::spine;
use formula::{Arithmetic, Kinds, Operator, TermId};
use std::collections::BTreeSet;
use term::Term;

/// Deeper parts are compared by content.
const DEEPEST: u32 = 12;
/// Structures are ordered by their first parts, not deeper than this.
const FIRST: u32 = 3;
const DEEPEST_ORDER: u32 = 1;

impl Encoder<'_> {
    /// A condition, or a cell that is `true`.
    pub(super) fn truth(&mut self, id: TermId) -> String {
        match self.formulas.operator(id).clone() {
            Operator::Constant(constant) => (constant.0 == Term::TRUE).to_string(),
            Operator::Not(a) => format!("(not {})", self.condition(a)),
            Operator::And(a, b) => format!("(and {} {})", self.condition(a), self.condition(b)),
            Operator::Or(a, b) => format!("(or {} {})", self.condition(a), self.condition(b)),
            Operator::Kind(a, kinds) => self.is_kind(a, kinds),
            Operator::TupleOf(a, size) => {
                let tuple = self.is_kind(a, Kinds::TUPLE);
                let sized = self.facet(a, Facet::TupleSize);
                format!("(and {tuple} (= {sized} {size}))")
            }
            Operator::FunctionOf(a, arity) => {
                let function = self.is_kind(a, Kinds::FUNCTION);
                let takes = self.facet(a, Facet::Arity);
                format!("(and {function} (= {takes} {arity}))")
            }
            Operator::OneOf(a, constants) => {
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
            Operator::ProperList(a) => {
                let end = self.facet(a, Facet::End);
                format!("(= {end} {})", kind_number(Kinds::NIL))
            }
            Operator::HasItem(list, index) => {
                let cells = self.facet(list, Facet::Cells);
                let index = self.facet(index, Facet::Integer);
                format!("(> {cells} {index})")
            }
            Operator::MapHas { map, key } => {
                let place = self.formulas.map_get(map, key);
                if matches!(self.formulas.operator(place), Operator::MapGet { .. }) {
                    self.parts.entry(map).or_default().insert(place);
                    self.facet(place, Facet::Present)
                } else {
                    self.free_condition()
                }
            }
            Operator::Identical(a, b) => self.same(a, b, false, 0),
            Operator::Equal(a, b) => self.same(a, b, true, 0),
            Operator::Less(a, b) => self.less(a, b, 0),
            Operator::Defined(inner) => match *self.formulas.operator(inner) {
                Operator::Arithmetic(Arithmetic::Quotient | Arithmetic::Remainder, _, divisor) => {
                    format!("(not (= {} 0))", self.facet(divisor, Facet::Integer))
                }
                Operator::Arithmetic(Arithmetic::Divide, _, divisor) => {
                    format!("(not (= {} 0.0))", self.real(divisor))
                }
                _ => self.free_condition(),
            },
            Operator::Converts(..) => self.free_condition(),
            // A cell with a truth value.
            _ => {
                let (kind, atom) = (self.is_kind(id, Kinds::ATOM), self.facet(id, Facet::Atom));
                let truth = self.rank(term::names::TRUE);
                format!("(and {kind} (= {atom} {truth}))")
            }
        }
    }

    /// Are they the same term, or (`by_value`) equal with numbers by value?
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
            self.same_of_kind(a, b, kind, by_value, deep, &mut parts);
            ways.push(all_of(&parts));
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
            Kinds::FLOAT => facet(self, Facet::Float),
            Kinds::ATOM => facet(self, Facet::Atom),
            Kinds::NIL => {}
            Kinds::FUNCTION => facet(self, Facet::Arity),
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
            _ => self.same_content(a, b, by_value, parts),
        }
    }

    /// Content that nobody looks into. Contents that are only equal by value say nothing.
    fn same_content(&mut self, a: TermId, b: TermId, by_value: bool, parts: &mut Vec<String>) {
        if by_value {
            parts.push(self.free_condition());
        } else {
            let (a, b) = (self.facet(a, Facet::Content), self.facet(b, Facet::Content));
            parts.push(format!("(= {a} {b})"));
        }
    }

    /// The places of the items that are spoken of, seen from the term; the second says whether these are
    /// all that it has.
    fn items(&self, id: TermId) -> (BTreeSet<u32>, bool) {
        match self.formulas.operator(id) {
            Operator::Constant(constant) => match &constant.0 {
                Term::List(items, _) if items.len() <= LONGEST => ((0..items.len() as u32).collect(), true),
                _ => (BTreeSet::new(), false),
            },
            Operator::Cons(..) => {
                let mut cells = 0;
                let mut at = id;
                while let Operator::Cons(_, tail) = self.formulas.operator(at) {
                    cells += 1;
                    at = *tail;
                }
                let (behind, all) = self.items(at);
                let all = all || self.formulas.as_constant(at).is_some_and(|tail| *tail == Term::Nil);
                ((0..cells).chain(behind.into_iter().map(|place| place + cells)).collect(), all)
            }
            _ => {
                let (list, before) = spine(self.formulas, id);
                let parts = self.parts.get(&list).into_iter().flatten();
                let places = parts.filter_map(|part| match last_step(self.formulas, *part) {
                    Some((_, Step::Item(index))) => index.checked_sub(before),
                    _ => None,
                });
                (places.collect(), false)
            }
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
        if !all_first && !all_second {
            self.same_content(a, b, by_value, parts);
        }
    }

    fn same_elements(&mut self, a: TermId, b: TermId, by_value: bool, deep: u32, parts: &mut Vec<String>) {
        let size = |this: &Self, id: TermId| match this.formulas.operator(id) {
            Operator::Constant(constant) => constant.0.as_tuple().map(<[Term]>::len),
            Operator::Tuple(parts) => Some(parts.len()),
            _ => None,
        };
        let known = size(self, a).or(size(self, b)).filter(|size| *size <= LONGEST);
        let places: BTreeSet<u32> = match known {
            Some(size) => (0..size as u32).collect(),
            None => {
                let spoken = [a, b].into_iter().flat_map(|id| self.parts.get(&id).into_iter().flatten());
                let places = spoken.filter_map(|part| match last_step(self.formulas, *part) {
                    Some((_, Step::Element(index))) => Some(index),
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

    fn less(&mut self, a: TermId, b: TermId, deep: u32) -> String {
        let (x, y) = (self.kinds(a), self.kinds(b));
        let mut ways = Vec::new();
        for (place, kind) in KINDS_IN_ORDER.iter().enumerate() {
            if !kind.meets(x) {
                continue;
            }
            let above = KINDS_IN_ORDER.iter().skip(place + 1).fold(Kinds::NONE, |all, other| all.or(*other)).and(y);
            let is = self.is_kind(a, *kind);
            if !above.is_empty() {
                let beyond = self.is_kind(b, above);
                ways.push(all_of(&[is.clone(), beyond]));
            }
            if kind.meets(y) {
                let both = self.is_kind(b, *kind);
                let within = self.less_of_kind(a, b, *kind, deep);
                ways.push(all_of(&[is, both, within]));
            }
        }
        any_of(&ways)
    }

    fn less_of_kind(&mut self, a: TermId, b: TermId, kind: Kinds, deep: u32) -> String {
        match kind {
            Kinds::NUMBER => {
                if self.kinds(a).or(self.kinds(b)).and(Kinds::NUMBER).within(Kinds::INTEGER) {
                    return format!("(< {} {})", self.facet(a, Facet::Integer), self.facet(b, Facet::Integer));
                }
                // Whole numbers stay whole: reals cost the solver more.
                let whole = all_of(&[self.is_kind(a, Kinds::INTEGER), self.is_kind(b, Kinds::INTEGER)]);
                let integers = format!("(< {} {})", self.facet(a, Facet::Integer), self.facet(b, Facet::Integer));
                let reals = format!("(< {} {})", self.real(a), self.real(b));
                format!("(ite {whole} {integers} {reals})")
            }
            Kinds::ATOM => format!("(< {} {})", self.facet(a, Facet::Atom), self.facet(b, Facet::Atom)),
            Kinds::NIL => "false".to_string(),
            Kinds::TUPLE => {
                let (x, y) = (self.facet(a, Facet::TupleSize), self.facet(b, Facet::TupleSize));
                let within =
                    if deep < DEEPEST_ORDER { self.less_elements(a, b, 0, deep) } else { self.free_condition() };
                format!("(or (< {x} {y}) (and (= {x} {y}) {within}))")
            }
            Kinds::CONS if deep < DEEPEST_ORDER => self.less_items(a, b, 0, deep),
            _ => self.free_condition(),
        }
    }

    /// Of tuples of the same size, from the element at `place` on: the first that differ decide.
    fn less_elements(&mut self, a: TermId, b: TermId, place: u32, deep: u32) -> String {
        let size = self.facet(a, Facet::TupleSize);
        let decided = if place < FIRST && (self.has_part(a, place) || self.has_part(b, place)) {
            let (x, y) = (self.formulas.element(a, place), self.formulas.element(b, place));
            self.speak_of(x);
            self.speak_of(y);
            let (less, same) = (self.less(x, y, deep + 1), self.same(x, y, true, DEEPEST - 2));
            let behind = self.less_elements(a, b, place + 1, deep);
            format!("(or {less} (and {same} {behind}))")
        } else {
            self.free_condition()
        };
        format!("(and (> {size} {place}) {decided})")
    }

    fn has_part(&self, tuple: TermId, place: u32) -> bool {
        match self.formulas.operator(tuple) {
            Operator::Constant(constant) => constant.0.as_tuple().is_some_and(|items| items.len() > place as usize),
            Operator::Tuple(parts) => parts.len() > place as usize,
            _ => self.parts.get(&tuple).into_iter().flatten().any(
                |part| matches!(last_step(self.formulas, *part), Some((_, Step::Element(index))) if index == place),
            ),
        }
    }

    /// Of lists, from the cell at `place` on: the shorter of two that are equal so far comes first.
    fn less_items(&mut self, a: TermId, b: TermId, place: u32, deep: u32) -> String {
        if place >= FIRST {
            return self.free_condition();
        }
        let (m, n) = (self.facet(a, Facet::Cells), self.facet(b, Facet::Cells));
        let (end, other_end) = (self.facet(a, Facet::End), self.facet(b, Facet::End));
        let nil = kind_number(Kinds::NIL);
        let (x, y) = (self.formulas.item(a, place), self.formulas.item(b, place));
        self.speak_of(x);
        self.speak_of(y);
        let (less, same) = (self.less(x, y, deep + 1), self.same(x, y, true, DEEPEST - 2));
        let behind = self.less_items(a, b, place + 1, deep);
        let improper = self.free_condition();
        let proper = format!("(and (= {end} {nil}) (= {other_end} {nil}))");
        format!(
            "(ite (and (> {m} {place}) (> {n} {place})) (or {less} (and {same} {behind})) (ite {proper} (> {n} {m}) {improper}))"
        )
    }

    /// Terms that stand at one place if their indices or keys are equal are equal themselves.
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

    /// A map has at least the keys that it is known to have.
    pub(super) fn count_keys(&mut self) {
        let sizes: Vec<(TermId, String)> = self
            .names
            .iter()
            .filter_map(|(name, (id, facet))| match (self.formulas.operator(*id), facet) {
                (Operator::MapSize(map), Facet::Integer) => Some((*map, name.clone())),
                _ => None,
            })
            .collect();
        for (map, size) in sizes {
            let keys: Vec<String> = self
                .parts
                .get(&map)
                .cloned()
                .unwrap_or_default()
                .into_iter()
                .filter(|part| matches!(last_step(self.formulas, *part), Some((_, Step::Value(_)))))
                .collect::<Vec<TermId>>()
                .into_iter()
                .map(|part| format!("(ite {} 1 0)", self.facet(part, Facet::Present)))
                .collect();
            if !keys.is_empty() {
                self.line(format_args!("(assert (>= {size} (+ 0 {})))", keys.join(" ")));
            }
        }
    }
}
