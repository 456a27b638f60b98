//! A small deterministic generator of types, values and terms.

use crate::types::{Atoms, BitsType, ConsType, FieldType, Range, TypeId, TypeNode, Types};
use crate::value;
use term::{Atom, BigInt, Bits, Term};

const TEXTS: [&str; 7] = ["12", "-3", "+7", "1.5", "ok", "x1", "1.0e2"];

pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }

    pub fn chance(&mut self, one_in: usize) -> bool {
        self.below(one_in) == 0
    }

    pub fn choose<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }

    fn text(&mut self, from: &[&'static str]) -> &'static str {
        from[self.below(from.len())]
    }

    pub fn integer(&mut self) -> Term {
        match self.below(12) {
            0 => Term::Int(i64::MAX - self.below(3) as i64),
            1 => Term::Int(i64::MIN + self.below(3) as i64),
            2 => Term::integer(BigInt::from(self.next()) * BigInt::from(self.next()) * -3),
            3 => Term::Int(self.below(1000) as i64 - 500),
            _ => Term::Int(self.below(12) as i64 - 4),
        }
    }

    pub fn float(&mut self) -> Term {
        Term::Float(*self.choose(&[0.0, -0.0, 0.5, -1.5, 1.0, 2.0, 3.0, -7.0, 1.0e300, 9_007_199_254_740_993.0, 2.5]))
    }

    pub fn atom(&mut self) -> Term {
        Term::atom(self.text(&["true", "false", "ok", "error", "a", "b", "12", "ö", ""]))
    }

    pub fn bits(&mut self) -> Term {
        let length = self.below(40);
        let bytes = (0..length.div_ceil(8)).map(|_| self.next() as u8).collect();
        Term::Bits(Bits::new(bytes, if self.chance(2) { length } else { length / 8 * 8 }))
    }

    pub fn term(&mut self, depth: usize) -> Term {
        let count = if depth == 0 { 6 } else { 13 };
        match self.below(count) {
            0 | 1 => self.integer(),
            2 => self.float(),
            3 => self.atom(),
            4 => self.bits(),
            5 => Term::Nil,
            6 | 7 => {
                let items: Vec<Term> = (0..self.below(4)).map(|_| self.term(depth - 1)).collect();
                let end = if self.chance(4) { self.term(0) } else { Term::Nil };
                Term::list_with_tail(items, end)
            }
            8 | 9 => Term::string(self.text(&TEXTS)),
            10 => Term::binary(self.text(&TEXTS).as_bytes()),
            11 => Term::tuple((0..self.below(4)).map(|_| self.term(depth - 1)).collect::<Vec<_>>()),
            _ => {
                let keys: Vec<Term> = (0..self.below(4)).map(|_| self.term(0)).collect();
                let mut map = Term::Map([].into());
                for key in keys {
                    let value = self.term(depth - 1);
                    if let Term::Map(pairs) = &map {
                        map = value::map_put(pairs, key, value);
                    }
                }
                map
            }
        }
    }

    /// A term of a type, if one is found.
    pub fn term_of(&mut self, types: &Types, id: TypeId, depth: usize) -> Option<Term> {
        if id == Types::ANY {
            return Some(self.term(depth.min(3)));
        }
        (0..20).find_map(|_| self.attempt(types, id, depth))
    }

    fn attempt(&mut self, types: &Types, id: TypeId, depth: usize) -> Option<Term> {
        let node = types.node(id);
        match self.below(8) {
            0 if !node.integers.is_empty() => {
                let range = self.choose(&node.integers).clone();
                let offset = BigInt::from(self.below(5));
                let value = match (range.low, range.high) {
                    (Some(low), Some(high)) => (low + offset).min(high),
                    (Some(low), None) => low + offset,
                    (None, Some(high)) => high - offset,
                    (None, None) => return Some(self.integer()),
                };
                Some(Term::integer(value))
            }
            1 if node.floats => Some(self.float()),
            2 => match &node.atoms {
                Atoms::All => Some(self.atom()),
                Atoms::These(atoms) if !atoms.is_empty() => Some(Term::Atom(*self.choose(atoms))),
                Atoms::These(_) => None,
            },
            3 if node.nil => Some(Term::Nil),
            4 if !node.cons.is_empty() && depth > 0 => {
                let cons = *self.choose(&node.cons);
                let head = self.term_of(types, cons.head, depth - 1)?;
                let tail = self.term_of(types, cons.tail, depth - 1)?;
                Some(Term::list_with_tail(vec![head], tail))
            }
            5 if !node.tuples.is_empty() && depth > 0 => {
                let elements = self.choose(&node.tuples).clone();
                let elements: Option<Vec<Term>> =
                    elements.into_iter().map(|element| self.term_of(types, element, depth - 1)).collect();
                elements.map(Term::tuple)
            }
            6 if !node.maps.is_empty() && depth > 0 => {
                let fields = self.choose(&node.maps).clone();
                let mut pairs: Vec<(Term, Term)> = Vec::new();
                for (index, field) in fields.iter().enumerate() {
                    if field.required || self.chance(2) {
                        let key = self.term_of(types, field.key, depth - 1)?;
                        let new = pairs.iter().all(|(other, _)| !term::order::identical(other, &key));
                        if types.field_index(&fields, &key) == Some(index) && new {
                            pairs.push((key, self.term_of(types, field.value, depth - 1)?));
                        } else if field.required {
                            return None;
                        }
                    }
                }
                Some(value::map_of(pairs))
            }
            7 if !node.bits.is_empty() => {
                let of = *self.choose(&node.bits);
                let length = (of.base + self.below(6) as u64 * of.unit) as usize;
                let bytes = (0..length.div_ceil(8)).map(|_| self.next() as u8).collect();
                Some(Term::Bits(Bits::new(bytes, length)))
            }
            _ => None,
        }
    }
}

/// Types of several shapes: of each, one node.
pub fn some_types() -> (Types, Vec<TypeId>) {
    let mut types = Types::default();
    let range =
        |low: Option<i64>, high: Option<i64>| Range { low: low.map(BigInt::from), high: high.map(BigInt::from) };
    let these = |names: &[&str]| Atoms::These(names.iter().map(|name| Atom::new(name)).collect());
    let integer = types.add(TypeNode { integers: vec![range(None, None)], ..TypeNode::default() });
    let natural = types.add(TypeNode { integers: vec![range(Some(0), None)], ..TypeNode::default() });
    let small = types.add(TypeNode { integers: vec![range(Some(-2), Some(5))], ..TypeNode::default() });
    let number = types.add(TypeNode { integers: vec![range(None, None)], floats: true, ..TypeNode::default() });
    let float = types.add(TypeNode { floats: true, ..TypeNode::default() });
    let result = types.add(TypeNode { atoms: these(&["ok", "error"]), ..TypeNode::default() });
    let boolean = types.add(TypeNode { atoms: these(&["true", "false"]), ..TypeNode::default() });
    let atom = types.add(TypeNode { atoms: Atoms::All, ..TypeNode::default() });
    let list = types.reserve();
    types.fill(list, TypeNode { nil: true, cons: vec![ConsType { head: integer, tail: list }], ..TypeNode::default() });
    let nonempty = types.add(TypeNode { cons: vec![ConsType { head: result, tail: list }], ..TypeNode::default() });
    let anything = types.reserve();
    types.fill(
        anything,
        TypeNode { nil: true, cons: vec![ConsType { head: Types::ANY, tail: anything }], ..TypeNode::default() },
    );
    let tree = types.reserve();
    types.fill(
        tree,
        TypeNode {
            atoms: these(&["leaf"]),
            tuples: vec![vec![tree, integer, tree], vec![result, number]],
            ..TypeNode::default()
        },
    );
    let pair = types.add(TypeNode { tuples: vec![vec![small, atom]], ..TypeNode::default() });
    let binary = types.add(TypeNode { bits: vec![BitsType { base: 0, unit: 8 }], ..TypeNode::default() });
    let word = types.add(TypeNode { bits: vec![BitsType { base: 16, unit: 0 }], ..TypeNode::default() });
    let name = types.add(TypeNode { atoms: these(&["name"]), ..TypeNode::default() });
    let map = types.add(TypeNode {
        maps: vec![
            vec![
                FieldType { key: name, value: binary, required: true },
                FieldType { key: result, value: integer, required: false },
                FieldType { key: natural, value: tree, required: false },
            ]
            .into(),
        ],
        ..TypeNode::default()
    });
    let all = vec![
        Types::ANY,
        integer,
        natural,
        small,
        number,
        float,
        result,
        boolean,
        atom,
        list,
        nonempty,
        anything,
        tree,
        pair,
        binary,
        word,
        map,
        Types::ANY,
    ];
    (types, all)
}
