//! The canonical constructors: the only way to make a term.

use crate::constant::Constant;
use crate::kinds::Kinds;
use crate::terms::{Arithmetic, BitsPart, Conversion, Formulas, NumberFormat, Numeric, Operator, TermId};
use std::sync::Arc;
use term::Atom;

impl Formulas {
    pub fn cons(&mut self, head: TermId, tail: TermId) -> TermId {
        self.intern(Operator::Cons(head, tail))
    }

    /// `items` in front of `tail`.
    pub fn list(&mut self, items: &[TermId], tail: TermId) -> TermId {
        items.iter().rev().fold(tail, |tail, item| self.cons(*item, tail))
    }

    pub fn tuple(&mut self, elements: &[TermId]) -> TermId {
        self.intern(Operator::Tuple(elements.into()))
    }

    pub fn bits(&mut self, parts: Vec<BitsPart>) -> TermId {
        self.intern(Operator::Bits(parts.into()))
    }

    pub fn map_put(&mut self, map: TermId, key: TermId, value: TermId) -> TermId {
        self.intern(Operator::MapPut { map, key, value })
    }

    pub fn map_remove(&mut self, map: TermId, key: TermId) -> TermId {
        self.intern(Operator::MapRemove { map, key })
    }

    pub fn set_element_at(&mut self, tuple: TermId, index: TermId, value: TermId) -> TermId {
        self.intern(Operator::SetElementAt { tuple, index, value })
    }

    pub fn head(&mut self, list: TermId) -> TermId {
        self.item(list, 0)
    }

    pub fn tail(&mut self, list: TermId) -> TermId {
        self.rest(list, 1)
    }

    pub fn item(&mut self, list: TermId, index: u32) -> TermId {
        match *self.operator(list) {
            Operator::Rest(whole, cells) => self.intern(Operator::Item(whole, cells + index)),
            _ => self.intern(Operator::Item(list, index)),
        }
    }

    pub fn rest(&mut self, list: TermId, cells: u32) -> TermId {
        match *self.operator(list) {
            _ if cells == 0 => list,
            Operator::Rest(whole, before) => self.intern(Operator::Rest(whole, before + cells)),
            _ => self.intern(Operator::Rest(list, cells)),
        }
    }

    pub fn item_at(&mut self, list: TermId, index: TermId) -> TermId {
        self.intern(Operator::ItemAt(list, index))
    }

    pub fn rest_at(&mut self, list: TermId, cells: TermId) -> TermId {
        self.intern(Operator::RestAt(list, cells))
    }

    pub fn element(&mut self, tuple: TermId, index: u32) -> TermId {
        self.intern(Operator::Element(tuple, index))
    }

    pub fn element_at(&mut self, tuple: TermId, index: TermId) -> TermId {
        self.intern(Operator::ElementAt(tuple, index))
    }

    pub fn map_get(&mut self, map: TermId, key: TermId) -> TermId {
        self.intern(Operator::MapGet { map, key })
    }

    pub fn map_key_at(&mut self, map: TermId, index: u32) -> TermId {
        self.intern(Operator::MapKeyAt(map, index))
    }

    pub fn map_value_at(&mut self, map: TermId, index: u32) -> TermId {
        self.intern(Operator::MapValueAt(map, index))
    }

    pub fn bits_number(&mut self, bits: TermId, at: TermId, size: TermId, format: NumberFormat) -> TermId {
        self.intern(Operator::BitsNumber { bits, at, size, format })
    }

    pub fn bits_slice(&mut self, bits: TermId, at: TermId, size: TermId) -> TermId {
        self.intern(Operator::BitsSlice { bits, at, size })
    }

    pub fn length(&mut self, list: TermId) -> TermId {
        self.intern(Operator::Length(list))
    }

    pub fn tuple_size(&mut self, tuple: TermId) -> TermId {
        self.intern(Operator::TupleSize(tuple))
    }

    pub fn map_size(&mut self, map: TermId) -> TermId {
        self.intern(Operator::MapSize(map))
    }

    pub fn bit_size(&mut self, bits: TermId) -> TermId {
        self.intern(Operator::BitSize(bits))
    }

    pub fn kind(&mut self, term: TermId, kinds: Kinds) -> TermId {
        self.intern(Operator::Kind(term, kinds))
    }

    pub fn tuple_of(&mut self, term: TermId, size: u32) -> TermId {
        self.intern(Operator::TupleOf(term, size))
    }

    pub fn one_of(&mut self, term: TermId, of: Arc<[Constant]>) -> TermId {
        self.intern(Operator::OneOf(term, of))
    }

    pub fn proper_list(&mut self, term: TermId) -> TermId {
        self.intern(Operator::ProperList(term))
    }

    pub fn has_item(&mut self, list: TermId, index: TermId) -> TermId {
        self.intern(Operator::HasItem(list, index))
    }

    pub fn map_has(&mut self, map: TermId, key: TermId) -> TermId {
        self.intern(Operator::MapHas { map, key })
    }

    pub fn identical(&mut self, a: TermId, b: TermId) -> TermId {
        self.intern(Operator::Identical(a.min(b), a.max(b)))
    }

    pub fn equal(&mut self, a: TermId, b: TermId) -> TermId {
        self.intern(Operator::Equal(a.min(b), a.max(b)))
    }

    pub fn less(&mut self, a: TermId, b: TermId) -> TermId {
        self.intern(Operator::Less(a, b))
    }

    /// `a =< b`.
    pub fn less_or_equal(&mut self, a: TermId, b: TermId) -> TermId {
        let greater = self.less(b, a);
        self.not(greater)
    }

    pub fn not(&mut self, a: TermId) -> TermId {
        match self.operator(a) {
            Operator::Not(inner) => *inner,
            _ => match self.as_boolean(a) {
                Some(value) => self.boolean(!value),
                None => self.intern(Operator::Not(a)),
            },
        }
    }

    pub fn and(&mut self, a: TermId, b: TermId) -> TermId {
        self.intern(Operator::And(a.min(b), a.max(b)))
    }

    pub fn or(&mut self, a: TermId, b: TermId) -> TermId {
        self.intern(Operator::Or(a.min(b), a.max(b)))
    }

    pub fn arithmetic(&mut self, operation: Arithmetic, a: TermId, b: TermId) -> TermId {
        self.intern(Operator::Arithmetic(operation, a, b))
    }

    pub fn numeric(&mut self, operation: Numeric, a: TermId) -> TermId {
        self.intern(Operator::Numeric(operation, a))
    }

    pub fn defined(&mut self, arithmetic: TermId) -> TermId {
        self.intern(Operator::Defined(arithmetic))
    }

    pub fn convert(&mut self, conversion: Conversion, a: TermId) -> TermId {
        self.intern(Operator::Convert(conversion, a))
    }

    pub fn converts(&mut self, conversion: Conversion, a: TermId) -> TermId {
        self.intern(Operator::Converts(conversion, a))
    }

    pub fn apply(&mut self, module: Atom, function: Atom, args: &[TermId]) -> TermId {
        self.intern(Operator::Apply { module, function, args: args.into() })
    }

    /// What a term of this operator can be, at most.
    pub(crate) fn kinds_of(&self, operator: &Operator) -> Kinds {
        match operator {
            Operator::Variable(variable) => self.types().kinds(self.declared(*variable)),
            Operator::Constant(constant) => Kinds::of(&constant.0),
            _ => Kinds::ALL,
        }
    }
}
