//! Canonical terms mean what the terms that they stand for mean.

use super::generate::{Random, some_types};
use crate::{
    Arithmetic, Assignment, BitsPart, Constant, Conversion, Evaluation, Formulas, Kinds, Mapping, NumberFormat,
    Numeric, Operator, PartKind, TermId, Test, TypeId, Types, Variable,
};
use std::sync::Arc;
use term::Term;

/// The same term twice: as it was asked for, and as the constructors make it.
#[derive(Clone, Copy)]
struct Both {
    raw: TermId,
    made: TermId,
}

struct Generator {
    random: Random,
    raw: Formulas,
    made: Formulas,
    pool: Vec<Both>,
}

const ARITHMETIC: [Arithmetic; 14] = [
    Arithmetic::Add,
    Arithmetic::Subtract,
    Arithmetic::Multiply,
    Arithmetic::Divide,
    Arithmetic::Quotient,
    Arithmetic::Remainder,
    Arithmetic::BitAnd,
    Arithmetic::BitOr,
    Arithmetic::BitXor,
    Arithmetic::ShiftLeft,
    Arithmetic::ShiftRight,
    Arithmetic::Power,
    Arithmetic::Atan2,
    Arithmetic::FloatRemainder,
];

const NUMERIC: [Numeric; 9] = [
    Numeric::Negate,
    Numeric::Absolute,
    Numeric::BitNot,
    Numeric::ToFloat,
    Numeric::Truncate,
    Numeric::Round,
    Numeric::Floor,
    Numeric::Ceiling,
    Numeric::Math("sqrt"),
];

const CONVERSIONS: [(Conversion, Kinds); 16] = [
    (Conversion::IntegerToList, Kinds::INTEGER),
    (Conversion::ListToInteger, Kinds::LIST),
    (Conversion::IntegerToBinary, Kinds::INTEGER),
    (Conversion::BinaryToInteger, Kinds::BITS),
    (Conversion::FloatToList, Kinds::FLOAT),
    (Conversion::ListToFloat, Kinds::LIST),
    (Conversion::FloatToBinary, Kinds::FLOAT),
    (Conversion::BinaryToFloat, Kinds::BITS),
    (Conversion::AtomToList, Kinds::ATOM),
    (Conversion::ListToAtom, Kinds::LIST),
    (Conversion::AtomToBinary, Kinds::ATOM),
    (Conversion::BinaryToAtom, Kinds::BITS),
    (Conversion::BinaryToList, Kinds::BITS),
    (Conversion::ListToBinary, Kinds::LIST),
    (Conversion::TupleToList, Kinds::TUPLE),
    (Conversion::ListToTuple, Kinds::LIST),
];

impl Generator {
    fn new(seed: u64, types: &Arc<Types>, declared: &[TypeId]) -> Generator {
        let mut generator = Generator {
            random: Random::new(seed),
            raw: Formulas::with_types(Arc::clone(types)),
            made: Formulas::with_types(Arc::clone(types)),
            pool: Vec::new(),
        };
        for (number, of) in declared.iter().enumerate() {
            let variable = Variable(number as u32);
            generator.raw.declare(variable, *of);
            generator.made.declare(variable, *of);
            let both = Both { raw: generator.raw.variable(variable), made: generator.made.variable(variable) };
            generator.pool.push(both);
        }
        for _ in 0..10 {
            let term = generator.random.term(2);
            generator.constant(term);
        }
        for number in [0, 1, 2, 8, 16, -1] {
            generator.constant(Term::Int(number));
        }
        generator
    }

    fn constant(&mut self, term: Term) -> Both {
        let both = Both { raw: self.raw.constant(term.clone()), made: self.made.constant(term) };
        self.pool.push(both);
        both
    }

    /// A term that can be of one of these kinds; often one whose kinds are not known.
    fn some(&mut self, kinds: Kinds) -> Both {
        const RECENT: usize = 8;
        for _ in 0..30 {
            // Towers, not only wide meadows.
            let from = if self.random.chance(3) { self.pool.len().saturating_sub(RECENT) } else { 0 };
            let both = *self.random.choose(&self.pool[from..]);
            if self.made.kinds(both.made).within(kinds)
                || self.random.chance(6) && self.made.kinds(both.made).meets(kinds)
            {
                return both;
            }
        }
        *self.random.choose(&self.pool)
    }

    fn test(&mut self) -> Both {
        for _ in 0..30 {
            let both = *self.random.choose(&self.pool);
            if self.raw.operator(both.raw).is_test() {
                return both;
            }
        }
        self.some(Kinds::ATOM)
    }

    fn count(&mut self) -> Both {
        if self.random.chance(3) {
            return self.some(Kinds::INTEGER);
        }
        let value = *self.random.choose(&[0, 1, 2, 3, 8, 8, 16, 24, 64]);
        self.constant(Term::Int(value))
    }

    fn grow(&mut self) {
        let both = self.next();
        self.pool.push(both);
    }

    fn next(&mut self) -> Both {
        let any = Kinds::ALL;
        match self.random.below(48) {
            0 => {
                let (a, b) = (self.some(any), self.some(Kinds::LIST));
                self.both(Operator::Cons(a.raw, b.raw), |f| f.cons(a.made, b.made))
            }
            1 => {
                let parts: Vec<Both> = (0..self.random.below(4)).map(|_| self.some(any)).collect();
                let made: Vec<TermId> = parts.iter().map(|part| part.made).collect();
                self.both(Operator::Tuple(parts.iter().map(|part| part.raw).collect()), |f| f.tuple(&made))
            }
            2 | 3 => self.bits(),
            4 => {
                let (map, key, value) = (self.some(Kinds::MAP), self.key(), self.some(any));
                let raw = Operator::MapPut { map: map.raw, key: key.raw, value: value.raw };
                self.both(raw, |f| f.map_put(map.made, key.made, value.made))
            }
            5 => {
                let (map, key) = (self.some(Kinds::MAP), self.key());
                self.both(Operator::MapRemove { map: map.raw, key: key.raw }, |f| f.map_remove(map.made, key.made))
            }
            6 => {
                let (tuple, index, value) = (self.some(Kinds::TUPLE), self.count(), self.some(any));
                let raw = Operator::SetElementAt { tuple: tuple.raw, index: index.raw, value: value.raw };
                self.both(raw, |f| f.set_element_at(tuple.made, index.made, value.made))
            }
            7 | 8 => {
                let (list, index) = (self.some(Kinds::LIST), self.random.below(3) as u32);
                self.both(Operator::Item(list.raw, index), |f| f.item(list.made, index))
            }
            9 | 10 => {
                let (list, cells) = (self.some(Kinds::LIST), self.random.below(3) as u32 + 1);
                self.both(Operator::Rest(list.raw, cells), |f| f.rest(list.made, cells))
            }
            11 => {
                let (list, index) = (self.some(Kinds::LIST), self.count());
                self.both(Operator::ItemAt(list.raw, index.raw), |f| f.item_at(list.made, index.made))
            }
            12 => {
                let (list, index) = (self.some(Kinds::LIST), self.count());
                self.both(Operator::RestAt(list.raw, index.raw), |f| f.rest_at(list.made, index.made))
            }
            13 | 14 => {
                let (tuple, index) = (self.some(Kinds::TUPLE), self.random.below(3) as u32);
                self.both(Operator::Element(tuple.raw, index), |f| f.element(tuple.made, index))
            }
            15 => {
                let (tuple, index) = (self.some(Kinds::TUPLE), self.count());
                self.both(Operator::ElementAt(tuple.raw, index.raw), |f| f.element_at(tuple.made, index.made))
            }
            16 | 17 => {
                let (map, key) = (self.some(Kinds::MAP), self.key());
                self.both(Operator::MapGet { map: map.raw, key: key.raw }, |f| f.map_get(map.made, key.made))
            }
            18 => {
                let (map, index) = (self.some(Kinds::MAP), self.random.below(2) as u32);
                self.both(Operator::MapKeyAt(map.raw, index), |f| f.map_key_at(map.made, index))
            }
            19 => {
                let (map, index) = (self.some(Kinds::MAP), self.random.below(2) as u32);
                self.both(Operator::MapValueAt(map.raw, index), |f| f.map_value_at(map.made, index))
            }
            20 | 21 => {
                let (bits, at, size, format) = (self.some(Kinds::BITS), self.count(), self.count(), self.format());
                let raw = Operator::BitsNumber { bits: bits.raw, at: at.raw, size: size.raw, format };
                self.both(raw, |f| f.bits_number(bits.made, at.made, size.made, format))
            }
            22 | 23 => {
                let (bits, at, size) = (self.some(Kinds::BITS), self.count(), self.count());
                let raw = Operator::BitsSlice { bits: bits.raw, at: at.raw, size: size.raw };
                self.both(raw, |f| f.bits_slice(bits.made, at.made, size.made))
            }
            24 => {
                let a = self.some(Kinds::LIST);
                self.both(Operator::Length(a.raw), |f| f.length(a.made))
            }
            25 => {
                let a = self.some(Kinds::TUPLE);
                self.both(Operator::TupleSize(a.raw), |f| f.tuple_size(a.made))
            }
            26 => {
                let a = self.some(Kinds::MAP);
                self.both(Operator::MapSize(a.raw), |f| f.map_size(a.made))
            }
            27 => {
                let a = self.some(Kinds::BITS);
                self.both(Operator::BitSize(a.raw), |f| f.bit_size(a.made))
            }
            28 => {
                let all: Vec<Kinds> = any.each().collect();
                let kinds = (0..1 + self.random.below(4)).fold(Kinds::NONE, |k, _| k.or(*self.random.choose(&all)));
                let a = self.some(any);
                self.both(Operator::Test(Test::Kind(a.raw, kinds)), |f| f.kind(a.made, kinds))
            }
            29 => {
                let (a, size) = (self.some(Kinds::TUPLE), self.random.below(4) as u32);
                self.both(Operator::Test(Test::TupleOf(a.raw, size)), |f| f.tuple_of(a.made, size))
            }
            30 => {
                let one = |random: &mut Random| match random.below(3) {
                    0 => Constant(Term::Nil),
                    1 => Constant(random.atom()),
                    _ => Constant(Term::Int(random.below(5) as i64)),
                };
                let count = 1 + self.random.below(3);
                let of = crate::Constants::shared((0..count).map(|_| one(&mut self.random)).collect::<Vec<_>>());
                let a = self.some(Kinds::ATOM.or(Kinds::INTEGER).or(Kinds::LIST));
                self.both(Operator::Test(Test::OneOf(a.raw, Arc::clone(&of))), |f| f.one_of(a.made, of))
            }
            31 => {
                let a = self.some(Kinds::LIST);
                self.both(Operator::Test(Test::ProperList(a.raw)), |f| f.proper_list(a.made))
            }
            32 => {
                let (list, index) = (self.some(Kinds::LIST), self.count());
                self.both(Operator::Test(Test::HasItem(list.raw, index.raw)), |f| f.has_item(list.made, index.made))
            }
            33 => {
                let (map, key) = (self.some(Kinds::MAP), self.key());
                self.both(Operator::Test(Test::MapHas { map: map.raw, key: key.raw }), |f| {
                    f.map_has(map.made, key.made)
                })
            }
            34..=36 => self.comparison(),
            37 => {
                let a = self.test();
                self.both(Operator::Test(Test::Not(a.raw)), |f| f.not(a.made))
            }
            38 => {
                let (a, b) = (self.test(), self.test());
                self.both(Operator::Test(Test::And(a.raw, b.raw)), |f| f.and(a.made, b.made))
            }
            39 => {
                let (a, b) = (self.test(), self.test());
                self.both(Operator::Test(Test::Or(a.raw, b.raw)), |f| f.or(a.made, b.made))
            }
            40..=42 => self.arithmetic(),
            43 => {
                let (operation, a) = (*self.random.choose(&NUMERIC), self.some(Kinds::NUMBER));
                let both = self.both(Operator::Numeric(operation, a.raw), |f| f.numeric(operation, a.made));
                self.pool.push(both);
                self.both(Operator::Test(Test::Defined(both.raw)), |f| f.defined(both.made))
            }
            44 => {
                let (conversion, kinds) = *self.random.choose(&CONVERSIONS);
                let a = self.some(kinds);
                let both = self.both(Operator::Convert(conversion, a.raw), |f| f.convert(conversion, a.made));
                self.pool.push(both);
                let kinds = self.made.kinds(both.made);
                let fitting: Vec<Conversion> =
                    CONVERSIONS.iter().filter(|(_, of)| kinds.meets(*of)).map(|(back, _)| *back).collect();
                let back = *self.random.choose(&fitting);
                self.both(Operator::Convert(back, both.raw), |f| f.convert(back, both.made))
            }
            45 | 46 => {
                let mapping = self.mapping();
                let a = self.some(Kinds::ATOM.or(Kinds::INTEGER).or(Kinds::LIST));
                self.both(Operator::Lookup(a.raw, Arc::clone(&mapping)), |f| f.lookup(a.made, mapping))
            }
            _ => {
                let (conversion, kinds) = *self.random.choose(&CONVERSIONS);
                let a = self.some(kinds);
                self.both(Operator::Test(Test::Converts(conversion, a.raw)), |f| f.converts(conversion, a.made))
            }
        }
    }

    fn both(&mut self, raw: Operator, made: impl FnOnce(&mut Formulas) -> TermId) -> Both {
        Both { raw: self.raw.intern(raw), made: made(&mut self.made) }
    }

    /// Small integers, atoms and `[]` to terms of one sort, mostly.
    fn mapping(&mut self) -> Arc<Mapping> {
        let mut entries: Vec<(Constant, Constant)> = Vec::new();
        let sort = self.random.below(5);
        for number in 0..1 + self.random.below(6) as i64 {
            let key = match self.random.below(4) {
                0 => self.random.atom(),
                1 => Term::Nil,
                _ => Term::Int(number - 1),
            };
            let value = match sort {
                0 => Term::Int(self.random.below(4) as i64),
                1 => Term::tuple([self.random.integer(), self.random.atom()]),
                2 => self.random.atom(),
                3 => Term::list([Term::Int(number), self.random.term(0)]),
                _ => self.random.term(1),
            };
            let key = Constant(key);
            if entries.iter().all(|(other, _)| *other != key) {
                entries.push((key, Constant(value)));
            }
        }
        Mapping::shared(entries)
    }

    fn key(&mut self) -> Both {
        match self.random.below(4) {
            0 => self.constant(Term::atom("name")),
            1 => self.constant(Term::atom("ok")),
            2 => self.constant(Term::Int(1)),
            _ => self.some(Kinds::ATOM.or(Kinds::NUMBER)),
        }
    }

    fn format(&mut self) -> NumberFormat {
        let little = self.random.chance(3);
        if self.random.chance(5) {
            NumberFormat::Float { little }
        } else {
            NumberFormat::Integer { signed: self.random.chance(3), little }
        }
    }

    fn bits(&mut self) -> Both {
        let mut parts = Vec::new();
        for _ in 0..1 + self.random.below(3) {
            let (value, size, kind) = if self.random.chance(2) {
                let size = if self.random.chance(3) { Some(self.count()) } else { None };
                (self.some(Kinds::BITS), size, PartKind::Bits)
            } else {
                (self.some(Kinds::NUMBER), Some(self.count()), PartKind::Number(self.format()))
            };
            parts.push((value, size, kind));
        }
        let part = |of: fn(Both) -> TermId| {
            parts
                .iter()
                .map(|(value, size, kind)| BitsPart { value: of(*value), size: size.map(of), kind: *kind })
                .collect::<Vec<_>>()
        };
        let (raw, made) = (part(|both| both.raw), part(|both| both.made));
        let bits = self.both(Operator::Bits(raw.into()), |f| f.bits(made));
        // What was written is also read, where it begins.
        let mut at = self.constant(Term::Int(0));
        for (value, size, _) in parts {
            let size = match size {
                Some(size) => size,
                None => self.both(Operator::BitSize(value.raw), |f| f.bit_size(value.made)),
            };
            let format = self.format();
            let raw = Operator::BitsNumber { bits: bits.raw, at: at.raw, size: size.raw, format };
            let number = self.both(raw, |f| f.bits_number(bits.made, at.made, size.made, format));
            let raw = Operator::BitsSlice { bits: bits.raw, at: at.raw, size: size.raw };
            let slice = self.both(raw, |f| f.bits_slice(bits.made, at.made, size.made));
            self.pool.extend([number, slice]);
            let raw = Operator::Arithmetic(Arithmetic::Add, at.raw, size.raw);
            at = self.both(raw, |f| f.arithmetic(Arithmetic::Add, at.made, size.made));
        }
        bits
    }

    fn comparison(&mut self) -> Both {
        let a = self.some(Kinds::ALL);
        let kinds = self.made.kinds(a.made);
        let b = self.some(kinds);
        match self.random.below(3) {
            0 => self.both(Operator::Test(Test::Identical(a.raw, b.raw)), |f| f.identical(a.made, b.made)),
            1 => self.both(Operator::Test(Test::Equal(a.raw, b.raw)), |f| f.equal(a.made, b.made)),
            _ => self.both(Operator::Test(Test::Less(a.raw, b.raw)), |f| f.less(a.made, b.made)),
        }
    }

    fn arithmetic(&mut self) -> Both {
        let operation = *self.random.choose(&ARITHMETIC);
        let kinds = if self.random.chance(3) { Kinds::NUMBER } else { Kinds::INTEGER };
        let (a, b) = (self.some(kinds), self.some(kinds));
        let both =
            self.both(Operator::Arithmetic(operation, a.raw, b.raw), |f| f.arithmetic(operation, a.made, b.made));
        if self.random.chance(3) {
            self.pool.push(both);
            return self.both(Operator::Test(Test::Defined(both.raw)), |f| f.defined(both.made));
        }
        both
    }
}

fn assignment(random: &mut Random, types: &Types, declared: &[TypeId]) -> Assignment {
    let value = |random: &mut Random, of: TypeId| (0..50).find_map(|_| random.term_of(types, of, 6));
    declared
        .iter()
        .enumerate()
        .filter_map(|(number, of)| Some((Variable(number as u32), value(random, *of)?)))
        .collect()
}

#[test]
fn canonical_terms_keep_their_values() {
    let (types, declared) = some_types();
    let types = Arc::new(types);
    let (mut with_value, mut all) = (0, 0);
    for seed in 0..2000 {
        let mut generator = Generator::new(seed, &types, &declared);
        for _ in 0..120 {
            generator.grow();
        }
        for _ in 0..4 {
            let values = assignment(&mut generator.random, &types, &declared);
            let mut raw = Evaluation::new(&generator.raw, &values);
            let mut made = Evaluation::new(&generator.made, &values);
            for both in &generator.pool {
                all += 1;
                let Some(expected) = raw.value(both.raw) else { continue };
                with_value += 1;
                let found = made.value(both.made);
                let same = found.clone().is_some_and(|found| Constant(found) == Constant(expected.clone()));
                assert!(
                    same,
                    "seed {seed}: {} is {expected:?}, but {} is {found:?}\n{values:?}",
                    show(&generator.raw, both.raw),
                    show(&generator.made, both.made)
                );
                let kinds = generator.made.kinds(both.made);
                assert!(Kinds::of(&expected).within(kinds), "seed {seed}: {expected:?} is not of {kinds:?}");
            }
        }
    }
    assert!(with_value * 2 > all, "too few terms have a value: {with_value} of {all}");
}

fn show(formulas: &Formulas, id: TermId) -> String {
    let mut text = format!("{:?}", formulas.operator(id));
    let mut children = Vec::new();
    formulas.operator(id).each_child(|child| children.push(child));
    for child in children {
        text += &format!(" [{child:?} = {}]", show(formulas, child));
    }
    text
}
