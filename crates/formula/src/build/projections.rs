//! Constructors of parts of terms.

use crate::kinds::Kinds;
use crate::table::Formulas;
use crate::terms::{Arithmetic, Conversion, NumberFormat, Operator, TermId, Test};
use crate::types::Range;
use std::sync::Arc;
use term::{Term, order};

/// The largest number of parts of a constant whose parts are looked up.
const LOOKED_UP: usize = 4096;

const BYTE: NumberFormat = NumberFormat::Integer { signed: false, little: false };

impl Formulas {
    pub fn head(&mut self, list: TermId) -> TermId {
        self.item(list, 0)
    }

    pub fn tail(&mut self, list: TermId) -> TermId {
        self.rest(list, 1)
    }

    pub fn item(&mut self, list: TermId, index: u32) -> TermId {
        match *self.operator(list) {
            // item(n, rest(m, x)) = item(n + m, x)
            Operator::Rest(whole, cells) => match cells.checked_add(index) {
                Some(index) => self.item(whole, index),
                None => self.intern(Operator::Item(list, index)),
            },
            Operator::Cons(..) => {
                let (rest, left) = self.behind_cells(list, index);
                match *self.operator(rest) {
                    Operator::Cons(head, _) => head,
                    _ => self.item(rest, left),
                }
            }
            Operator::Convert(Conversion::BinaryToList, binary) => {
                let (at, size) = (self.small(8 * i64::from(index)), self.small(8));
                self.bits_number(binary, at, size, BYTE)
            }
            Operator::Convert(Conversion::TupleToList, tuple) => self.element(tuple, index),
            _ => self.folded(Operator::Item(list, index)),
        }
    }

    pub fn rest(&mut self, list: TermId, cells: u32) -> TermId {
        if cells == 0 {
            return list;
        }
        match *self.operator(list) {
            // rest(n, rest(m, x)) = rest(n + m, x)
            Operator::Rest(whole, before) => match before.checked_add(cells) {
                Some(cells) => self.intern(Operator::Rest(whole, cells)),
                None => self.intern(Operator::Rest(list, cells)),
            },
            Operator::Cons(..) => {
                let (rest, left) = self.behind_cells(list, cells);
                self.rest(rest, left)
            }
            // rest(n, list(b)) = list(b from byte n on)
            Operator::Convert(Conversion::BinaryToList, binary) => {
                let at = self.small(8 * i64::from(cells));
                let rest = self.bits_behind(binary, at);
                self.convert(Conversion::BinaryToList, rest)
            }
            _ => self.folded(Operator::Rest(list, cells)),
        }
    }

    /// Skips at most `cells` constructed cells. Returns the rest of the list, and how many cells are left to skip.
    pub(super) fn behind_cells(&self, list: TermId, cells: u32) -> (TermId, u32) {
        let (mut rest, mut left) = (list, cells);
        while left > 0 {
            let Operator::Cons(_, tail) = *self.operator(rest) else { break };
            rest = tail;
            left -= 1;
        }
        (rest, left)
    }

    pub fn item_at(&mut self, list: TermId, index: TermId) -> TermId {
        match self.as_index(index) {
            Some(index) => self.item(list, index),
            None => match self.as_constant(list) {
                Some(Term::List(items, _)) if items.len() <= LOOKED_UP => {
                    let items = Arc::clone(items);
                    self.part_at(&items, index)
                }
                _ => self.folded(Operator::ItemAt(list, index)),
            },
        }
    }

    pub fn rest_at(&mut self, list: TermId, cells: TermId) -> TermId {
        match self.as_index(cells) {
            Some(cells) => self.rest(list, cells),
            None => self.folded(Operator::RestAt(list, cells)),
        }
    }

    pub fn element(&mut self, tuple: TermId, index: u32) -> TermId {
        match self.operator(tuple) {
            Operator::Tuple(elements) if (index as usize) < elements.len() => elements[index as usize],
            Operator::SetElementAt { tuple: inner, index: at, value } => {
                let (inner, value) = (*inner, *value);
                match self.as_index(*at) {
                    Some(at) if at == index => value,
                    Some(_) => self.element(inner, index),
                    None => self.intern(Operator::Element(tuple, index)),
                }
            }
            Operator::Convert(Conversion::ListToTuple, list) => {
                let list = *list;
                self.item(list, index)
            }
            _ => self.folded(Operator::Element(tuple, index)),
        }
    }

    pub fn element_at(&mut self, tuple: TermId, index: TermId) -> TermId {
        match self.as_index(index) {
            Some(index) => self.element(tuple, index),
            None => match self.as_constant(tuple) {
                Some(Term::Tuple(elements)) if !elements.is_empty() && elements.len() <= LOOKED_UP => {
                    let elements = Arc::clone(elements);
                    self.part_at(&elements, index)
                }
                _ => self.folded(Operator::ElementAt(tuple, index)),
            },
        }
    }

    pub fn map_get(&mut self, map: TermId, key: TermId) -> TermId {
        let mut map = map;
        loop {
            match *self.operator(map) {
                // get(k, put(k, v, m)) = v
                Operator::MapPut { key: other, value, .. } if self.surely_same(other, key) => return value,
                // get(k, put(l, _, m)) = get(k, m), for k other than l
                Operator::MapPut { map: inner, key: other, .. } | Operator::MapRemove { map: inner, key: other }
                    if self.surely_differ(other, key) =>
                {
                    map = inner;
                }
                // The key is present, so it is not the one that was removed.
                Operator::MapRemove { map: inner, .. } => map = inner,
                _ => return self.folded(Operator::MapGet { map, key }),
            }
        }
    }

    pub fn map_key_at(&mut self, map: TermId, index: u32) -> TermId {
        self.folded(Operator::MapKeyAt(map, index))
    }

    pub fn map_value_at(&mut self, map: TermId, index: u32) -> TermId {
        self.folded(Operator::MapValueAt(map, index))
    }

    pub fn length(&mut self, list: TermId) -> TermId {
        match *self.operator(list) {
            Operator::Cons(..) => {
                let (rest, left) = self.behind_cells(list, u32::MAX);
                let (length, cells) = (self.length(rest), self.integer(u32::MAX - left));
                self.arithmetic(Arithmetic::Add, length, cells)
            }
            Operator::Rest(whole, cells) => {
                let (length, cells) = (self.length(whole), self.integer(cells));
                self.arithmetic(Arithmetic::Subtract, length, cells)
            }
            Operator::RestAt(whole, cells) => {
                let length = self.length(whole);
                self.arithmetic(Arithmetic::Subtract, length, cells)
            }
            Operator::Convert(Conversion::BinaryToList, binary) => {
                let (bits, eight) = (self.bit_size(binary), self.small(8));
                self.arithmetic(Arithmetic::Quotient, bits, eight)
            }
            Operator::Convert(Conversion::TupleToList, tuple) => self.tuple_size(tuple),
            _ => self.folded(Operator::Length(list)),
        }
    }

    pub fn tuple_size(&mut self, tuple: TermId) -> TermId {
        match self.operator(tuple) {
            Operator::Tuple(elements) => {
                let size = elements.len();
                self.integer(size)
            }
            Operator::SetElementAt { tuple, .. } => {
                let tuple = *tuple;
                self.tuple_size(tuple)
            }
            Operator::Convert(Conversion::ListToTuple, list) => {
                let list = *list;
                self.length(list)
            }
            _ => match self.declared_tuple_sizes(tuple).as_deref() {
                Some(&[size]) => self.integer(size),
                _ => self.folded(Operator::TupleSize(tuple)),
            },
        }
    }

    /// Returns the sizes that the declared types allow, sorted, or `None` if all are possible.
    pub(super) fn declared_tuple_sizes(&self, tuple: TermId) -> Option<Vec<usize>> {
        if !self.is_position(tuple) {
            return None;
        }
        let mut sizes = Vec::new();
        for of in self.types_of(tuple) {
            let node = self.types().node(*of);
            if node.any_tuple || !node.opaque.is_empty() {
                return None;
            }
            sizes.extend(node.tuples.iter().map(Vec::len));
        }
        sizes.sort_unstable();
        sizes.dedup();
        Some(sizes)
    }

    /// Returns the arities of functions that the declared types allow, sorted, or `None` if all are possible.
    pub(super) fn declared_arities(&self, term: TermId) -> Option<Vec<u32>> {
        if !self.is_position(term) {
            return None;
        }
        let mut arities = Vec::new();
        for of in self.types_of(term) {
            let node = self.types().node(*of);
            if node.any_function || !node.opaque.is_empty() {
                return None;
            }
            for function in &node.functions {
                arities.push(function.params.as_ref()?.len() as u32);
            }
        }
        arities.sort_unstable();
        arities.dedup();
        Some(arities)
    }

    pub fn map_size(&mut self, map: TermId) -> TermId {
        let (inner, key, change) = match *self.operator(map) {
            Operator::MapPut { map, key, .. } => (map, key, 1),
            Operator::MapRemove { map, key } => (map, key, -1),
            _ => return self.folded(Operator::MapSize(map)),
        };
        let has = self.map_has(inner, key);
        match self.as_boolean(has) {
            Some(has) => {
                let size = self.map_size(inner);
                let change = self.small(if has == (change > 0) { 0 } else { change });
                self.arithmetic(Arithmetic::Add, size, change)
            }
            None => self.intern(Operator::MapSize(map)),
        }
    }

    pub fn map_has(&mut self, map: TermId, key: TermId) -> TermId {
        match *self.operator(map) {
            Operator::MapPut { key: other, .. } if self.surely_same(other, key) => self.boolean(true),
            Operator::MapRemove { key: other, .. } if self.surely_same(other, key) => self.boolean(false),
            Operator::MapPut { map: inner, key: other, .. } | Operator::MapRemove { map: inner, key: other }
                if self.surely_differ(other, key) =>
            {
                self.map_has(inner, key)
            }
            _ => match self.declared_key(map, key) {
                Some(has) => self.boolean(has),
                None => self.folded(Operator::Test(Test::MapHas { map, key })),
            },
        }
    }

    /// Returns whether a map of the declared types has the key, if the types decide it.
    fn declared_key(&self, map: TermId, key: TermId) -> Option<bool> {
        if !self.is_position(map) {
            return None;
        }
        let key = self.as_constant(key)?;
        let (mut always, mut never) = (true, true);
        for of in self.types_of(map) {
            let node = self.types().node(*of);
            if node.any_map || !node.opaque.is_empty() {
                return None;
            }
            for fields in &node.maps {
                match self.types().field_of(fields, key) {
                    Some(field) => {
                        never = false;
                        always &= field.required && self.types().single(field.key).is_some();
                    }
                    None => always = false,
                }
            }
        }
        match (always, never) {
            (true, false) => Some(true),
            (false, true) => Some(false),
            _ => None,
        }
    }

    pub fn proper_list(&mut self, term: TermId) -> TermId {
        let (rest, _) = self.behind_cells(term, u32::MAX);
        match *self.operator(rest) {
            Operator::Rest(whole, _) | Operator::RestAt(whole, _) => return self.proper_list(whole),
            Operator::Convert(..) if self.kinds(rest).within(Kinds::LIST) => return self.boolean(true),
            _ => {}
        }
        let kinds = self.kinds(rest);
        if !kinds.meets(Kinds::LIST) {
            return self.boolean(false);
        }
        if kinds.within(Kinds::NIL) {
            return self.boolean(true);
        }
        let place = self.place(rest);
        let (positions, types) = self.positions();
        if positions.lists_are_proper(types, place) {
            return self.kind(rest, Kinds::LIST);
        }
        self.folded(Operator::Test(Test::ProperList(rest)))
    }

    pub fn has_item(&mut self, list: TermId, index: TermId) -> TermId {
        match (self.operator(list), self.as_index(index)) {
            // Only cells have items.
            (_, Some(0)) => self.kind(list, Kinds::CONS),
            (Operator::Cons(..), Some(index)) => {
                let (rest, left) = self.behind_cells(list, index);
                let left = self.small(left.into());
                self.has_item(rest, left)
            }
            (Operator::Rest(whole, cells), _) => {
                let (whole, cells) = (*whole, *cells);
                let cells = self.small(cells.into());
                let index = self.arithmetic(Arithmetic::Add, index, cells);
                self.has_item(whole, index)
            }
            (Operator::Convert(Conversion::BinaryToList, binary), _) => {
                let binary = *binary;
                let (eight, size) = (self.small(8), self.bit_size(binary));
                let at = self.arithmetic(Arithmetic::Multiply, index, eight);
                self.less(at, size)
            }
            (Operator::Convert(Conversion::TupleToList, tuple), _) => {
                let tuple = *tuple;
                let size = self.tuple_size(tuple);
                self.less(index, size)
            }
            _ if !self.kinds(list).meets(Kinds::CONS) => self.boolean(false),
            _ => self.folded(Operator::Test(Test::HasItem(list, index))),
        }
    }

    /// Returns whether the term may be each of the integers between two bounds, as far as its declared types show at
    /// once.
    pub(super) fn may_be_all_of(&self, term: TermId, (low, high): (i64, i64)) -> bool {
        let covers = |range: &Range| {
            range.low.as_ref().is_none_or(|least| *least <= low.into())
                && range.high.as_ref().is_none_or(|most| *most >= high.into())
        };
        self.kinds(term).meets(Kinds::INTEGER)
            && self.is_position(term)
            && self.types_of(term).iter().any(|of| self.types().node(*of).integers.iter().any(covers))
    }

    /// Returns whether a constant is of the declared types of a position; `true` if nothing is known.
    pub(super) fn may_be(&self, term: TermId, constant: &Term) -> bool {
        if !Kinds::of(constant).within(self.kinds(term)) {
            return false;
        }
        match (self.operator(term), constant) {
            (Operator::Constant(own), _) => order::identical(&own.0, constant),
            (operator, Term::Atom(atom)) if operator.is_test() => {
                [term::names::TRUE, term::names::FALSE].contains(atom)
            }
            (_, Term::Int(value)) => {
                let bounds = self.bounds(term);
                bounds.low.is_none_or(|low| low <= i128::from(*value))
                    && bounds.high.is_none_or(|high| high >= i128::from(*value))
                    && self.declared_to_hold(term, constant)
            }
            (_, Term::Atom(_) | Term::Nil | Term::Float(_) | Term::Bits(_)) => self.declared_to_hold(term, constant),
            // Other constants are checked part by part when their parts are compared.
            _ => true,
        }
    }

    fn declared_to_hold(&self, term: TermId, constant: &Term) -> bool {
        let types = self.types_of(term);
        types.is_empty() || types.iter().any(|of| self.types().contains(*of, constant))
    }
}
