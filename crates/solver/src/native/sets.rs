//! Sets of terms, which distinguish terms by their outermost level: scalars by value, the others by kind and size. They
//! are closed under union, intersection and complement. Facts about deeper parts are facts about the parts' own cells.

use crate::native::numbers::Numbers;
use formula::{Atoms, Kinds, TypeId, Types};
use num_bigint::BigInt;
use num_traits::{FromPrimitive, ToPrimitive};
use std::collections::BTreeSet;
use term::{Atom, Fun, Term, floats, work};

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Set {
    pub integers: Numbers,
    /// By [`float_key`].
    pub floats: Numbers,
    pub atoms: AtomSet,
    pub nil: bool,
    pub cons: bool,
    /// By size.
    pub tuples: Numbers,
    pub maps: bool,
    /// By size in bits.
    pub bits: Numbers,
    /// By arity.
    pub functions: Numbers,
    /// Pids, references, ports.
    pub others: Kinds,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum AtomSet {
    These(BTreeSet<Atom>),
    AllBut(BTreeSet<Atom>),
}

const OTHERS: Kinds = Kinds::PID.or(Kinds::REFERENCE).or(Kinds::PORT);

/// Maps floats in their order to integers without gaps; both zeros are one.
pub(crate) fn float_key(value: f64) -> BigInt {
    let bits = value.to_bits() as i64;
    BigInt::from(if bits < 0 { -(bits & i64::MAX) } else { bits })
}

pub(crate) fn float_of_key(key: &BigInt) -> Option<f64> {
    let key = key.to_i64()?;
    Some(if key < 0 { -f64::from_bits(key.unsigned_abs()) } else { f64::from_bits(key as u64) })
}

thread_local! {
    static FLOATS: Numbers = Numbers::between(Some(float_key(f64::MIN)), Some(float_key(f64::MAX)));
}

fn all_floats() -> Numbers {
    FLOATS.with(Numbers::clone)
}

fn all_arities() -> Numbers {
    Numbers::between(Some(BigInt::ZERO), Some(255.into()))
}

/// Returns the floats that are less than an integer, by value.
fn floats_below(bound: &BigInt) -> Numbers {
    let all = all_floats();
    match bound.to_f64() {
        Some(float) if float.is_finite() => {
            let key = float_key(float);
            let high = if BigInt::from_f64(float).is_some_and(|value| value < *bound) { key } else { key - 1 };
            Numbers::between(None, Some(high)).and(&all)
        }
        _ if *bound > BigInt::ZERO => all,
        _ => Numbers::none(),
    }
}

/// Returns the integers that are less than a float, by value.
fn integers_below(bound: f64) -> Numbers {
    match BigInt::from_f64(bound.ceil()) {
        Some(ceiling) => Numbers::below(&ceiling),
        None => Numbers::all(),
    }
}

impl AtomSet {
    pub fn contains(&self, atom: Atom) -> bool {
        match self {
            AtomSet::These(these) => these.contains(&atom),
            AtomSet::AllBut(those) => !those.contains(&atom),
        }
    }

    fn is_empty(&self) -> bool {
        matches!(self, AtomSet::These(these) if these.is_empty())
    }

    fn len(&self) -> usize {
        match self {
            AtomSet::These(atoms) | AtomSet::AllBut(atoms) => atoms.len(),
        }
    }

    fn not(&self) -> AtomSet {
        work::ticks(self.len());
        match self {
            AtomSet::These(these) => AtomSet::AllBut(these.clone()),
            AtomSet::AllBut(those) => AtomSet::These(those.clone()),
        }
    }

    fn and(&self, other: &AtomSet) -> AtomSet {
        work::ticks(self.len() + other.len());
        match (self, other) {
            (AtomSet::These(none), _) | (_, AtomSet::These(none)) if none.is_empty() => AtomSet::These(BTreeSet::new()),
            (AtomSet::AllBut(none), set) | (set, AtomSet::AllBut(none)) if none.is_empty() => set.clone(),
            (AtomSet::These(these), set) | (set, AtomSet::These(these)) => {
                AtomSet::These(these.iter().copied().filter(|atom| set.contains(*atom)).collect())
            }
            (AtomSet::AllBut(a), AtomSet::AllBut(b)) => AtomSet::AllBut(a | b),
        }
    }
}

impl Set {
    pub fn none() -> Set {
        Set {
            integers: Numbers::none(),
            floats: Numbers::none(),
            atoms: AtomSet::These(BTreeSet::new()),
            nil: false,
            cons: false,
            tuples: Numbers::none(),
            maps: false,
            bits: Numbers::none(),
            functions: Numbers::none(),
            others: Kinds::NONE,
        }
    }

    pub fn all() -> Set {
        Set::of_kinds(Kinds::ALL)
    }

    pub fn of_kinds(kinds: Kinds) -> Set {
        let when = |kind: Kinds, numbers: fn() -> Numbers| if kinds.meets(kind) { numbers() } else { Numbers::none() };
        Set {
            integers: when(Kinds::INTEGER, Numbers::all),
            floats: when(Kinds::FLOAT, all_floats),
            atoms: if kinds.meets(Kinds::ATOM) {
                AtomSet::AllBut(BTreeSet::new())
            } else {
                AtomSet::These(BTreeSet::new())
            },
            nil: kinds.meets(Kinds::NIL),
            cons: kinds.meets(Kinds::CONS),
            tuples: when(Kinds::TUPLE, Numbers::natural),
            maps: kinds.meets(Kinds::MAP),
            bits: when(Kinds::BITS, Numbers::natural),
            functions: when(Kinds::FUNCTION, all_arities),
            others: kinds.and(OTHERS),
        }
    }

    pub fn of_integers(integers: Numbers) -> Set {
        Set { integers, ..Set::none() }
    }

    pub fn of_tuples(sizes: Numbers) -> Set {
        Set { tuples: sizes.and(&Numbers::natural()), ..Set::none() }
    }

    pub fn of_bits(sizes: Numbers) -> Set {
        Set { bits: sizes.and(&Numbers::natural()), ..Set::none() }
    }

    pub fn of_functions(arities: Numbers) -> Set {
        Set { functions: arities.and(&all_arities()), ..Set::none() }
    }

    /// Returns the smallest set that contains the term, by its kind and its value or size, and whether it contains no
    /// other term.
    pub fn around(term: &Term) -> (Set, bool) {
        let mut set = Set::none();
        let alone = match term {
            Term::Int(_) | Term::Big(_) => {
                set.integers = Numbers::of(integer(term));
                true
            }
            Term::Float(value) => {
                set.floats = Numbers::one(float_key(*value));
                *value != 0.0 || !floats::tells_zeros_apart()
            }
            Term::Atom(atom) => {
                set.atoms = AtomSet::These([*atom].into());
                true
            }
            Term::Nil => {
                set.nil = true;
                true
            }
            Term::Tuple(items) => {
                set.tuples = Numbers::one(items.len().into());
                items.is_empty()
            }
            Term::Bits(bits) => {
                set.bits = Numbers::one(bits.bit_length().into());
                bits.bit_length() == 0
            }
            Term::Fun(fun) => {
                set.functions = Numbers::one(fun.arity().into());
                matches!(**fun, Fun::Input { .. })
            }
            _ => {
                set = Set::of_kinds(Kinds::of(term));
                false
            }
        };
        (set, alone)
    }

    /// Returns the numbers that are equal to the term by value, if it is a number.
    pub fn equal_to_number(term: &Term) -> Option<Set> {
        match term {
            Term::Float(value) => {
                let floats = Numbers::one(float_key(*value));
                let integers =
                    if value.fract() == 0.0 { Numbers::of(BigInt::from_f64(*value)) } else { Numbers::none() };
                Some(Set { integers, floats, ..Set::none() })
            }
            _ => {
                let value = integer(term)?;
                let above = floats_below(&value).not().and(&all_floats());
                let floats = above.and(&floats_below(&(&value + 1)));
                // Only the float that is exactly the integer: there are many between two integers.
                let exact = value.to_f64().filter(|float| BigInt::from_f64(*float).as_ref() == Some(&value));
                let floats = exact.map_or_else(Numbers::none, |float| floats.and(&Numbers::one(float_key(float))));
                Some(Set { integers: Numbers::one(value), floats, ..Set::none() })
            }
        }
    }

    /// Returns the terms before `bound` in the total order, possibly with others, and whether there are no others.
    pub fn before(bound: &Term) -> (Set, bool) {
        match bound {
            Term::Int(_) | Term::Big(_) => match integer(bound) {
                Some(value) => {
                    let set = Set { integers: Numbers::below(&value), floats: floats_below(&value), ..Set::none() };
                    (set, true)
                }
                None => (Set::all(), false),
            },
            Term::Float(value) => {
                let floats = Numbers::below(&float_key(*value)).and(&all_floats());
                (Set { integers: integers_below(*value), floats, ..Set::none() }, true)
            }
            Term::Nil => (Set::of_kinds(before_kind(Kinds::NIL)), true),
            _ => {
                let kind = Kinds::of(bound);
                (Set::of_kinds(before_kind(kind).or(kind)), false)
            }
        }
    }

    /// Returns the terms that come after `bound` in the total order or are equal to it, possibly with others, and
    /// whether there are no others.
    pub fn not_before(bound: &Term) -> (Set, bool) {
        match Set::before(bound) {
            (before, true) => (before.not(), true),
            (_, false) => (Set::of_kinds(before_kind(Kinds::of(bound))).not(), false),
        }
    }

    /// Returns the terms of these types.
    pub fn of_types(types: &Types, ids: &[TypeId]) -> Set {
        ids.iter().fold(Set::none(), |set, id| set.or(&Set::of_type(types, *id)))
    }

    fn of_type(types: &Types, id: TypeId) -> Set {
        let node = types.node(id);
        if !node.opaque.is_empty() {
            return Set::all();
        }
        let mut set = Set::of_kinds(types.kinds(id));
        set.integers = node
            .integers
            .iter()
            .map(|range| Numbers::between(range.low.clone(), range.high.clone()))
            .fold(Numbers::none(), |all, range| all.or(&range));
        if let Atoms::These(atoms) = &node.atoms {
            set.atoms = AtomSet::These(atoms.iter().copied().collect());
        }
        if !node.any_tuple {
            set.tuples = Numbers::of(node.tuples.iter().map(|elements| BigInt::from(elements.len())));
        }
        if !node.any_function {
            set.functions = node.functions.iter().fold(Numbers::none(), |all, of| {
                all.or(&of.params.as_ref().map_or_else(all_arities, |params| Numbers::one(params.len().into())))
            });
        }
        set.bits = node.bits.iter().fold(Numbers::none(), |all, bits| {
            let base = BigInt::from(bits.base);
            let sizes = if bits.unit == 0 { Numbers::one(base) } else { Numbers::between(Some(base), None) };
            all.or(&sizes)
        });
        set
    }

    pub fn kinds(&self) -> Kinds {
        let mut kinds = self.others;
        let mut when = |holds: bool, kind: Kinds| {
            if holds {
                kinds = kinds.or(kind);
            }
        };
        when(!self.integers.is_empty(), Kinds::INTEGER);
        when(!self.floats.is_empty(), Kinds::FLOAT);
        when(!self.atoms.is_empty(), Kinds::ATOM);
        when(self.nil, Kinds::NIL);
        when(self.cons, Kinds::CONS);
        when(!self.tuples.is_empty(), Kinds::TUPLE);
        when(self.maps, Kinds::MAP);
        when(!self.bits.is_empty(), Kinds::BITS);
        when(!self.functions.is_empty(), Kinds::FUNCTION);
        kinds
    }

    pub fn is_empty(&self) -> bool {
        self.kinds().is_empty()
    }

    pub fn not(&self) -> Set {
        Set {
            integers: self.integers.not(),
            floats: self.floats.not().and(&all_floats()),
            atoms: self.atoms.not(),
            nil: !self.nil,
            cons: !self.cons,
            tuples: self.tuples.not().and(&Numbers::natural()),
            maps: !self.maps,
            bits: self.bits.not().and(&Numbers::natural()),
            functions: self.functions.not().and(&all_arities()),
            others: OTHERS.without(self.others),
        }
    }

    pub fn and(&self, other: &Set) -> Set {
        Set {
            integers: self.integers.and(&other.integers),
            floats: self.floats.and(&other.floats),
            atoms: self.atoms.and(&other.atoms),
            nil: self.nil && other.nil,
            cons: self.cons && other.cons,
            tuples: self.tuples.and(&other.tuples),
            maps: self.maps && other.maps,
            bits: self.bits.and(&other.bits),
            functions: self.functions.and(&other.functions),
            others: self.others.and(other.others),
        }
    }

    pub fn or(&self, other: &Set) -> Set {
        Set {
            integers: self.integers.or(&other.integers),
            floats: self.floats.or(&other.floats),
            atoms: self.atoms.not().and(&other.atoms.not()).not(),
            nil: self.nil || other.nil,
            cons: self.cons || other.cons,
            tuples: self.tuples.or(&other.tuples),
            maps: self.maps || other.maps,
            bits: self.bits.or(&other.bits),
            functions: self.functions.or(&other.functions),
            others: self.others.or(other.others),
        }
    }

    pub fn contains(&self, term: &Term) -> bool {
        match term {
            Term::Int(value) => self.integers.contains(&BigInt::from(*value)),
            Term::Big(value) => self.integers.contains(value),
            Term::Float(value) => self.floats.contains(&float_key(*value)),
            Term::Atom(atom) => self.atoms.contains(*atom),
            Term::Nil => self.nil,
            Term::List(..) => self.cons,
            Term::Tuple(items) => self.tuples.contains(&items.len().into()),
            Term::Map(_) => self.maps,
            Term::Bits(bits) => self.bits.contains(&bits.bit_length().into()),
            Term::Fun(fun) => self.functions.contains(&fun.arity().into()),
            Term::Pid(_) | Term::Reference(_) | Term::Port(_) => Kinds::of(term).within(self.others),
        }
    }
}

/// Returns the value of an integer.
pub(crate) fn integer(term: &Term) -> Option<BigInt> {
    match term {
        Term::Int(value) => Some(BigInt::from(*value)),
        Term::Big(value) => Some(BigInt::clone(value)),
        _ => None,
    }
}

/// The order of kinds: number < atom < reference < function < port < pid < tuple < map < nil < list < bits.
pub(crate) const KINDS_IN_ORDER: [Kinds; 11] = [
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

fn before_kind(kind: Kinds) -> Kinds {
    KINDS_IN_ORDER.iter().take_while(|other| !kind.within(**other)).fold(Kinds::NONE, |all, kind| all.or(*kind))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_compare_by_value_across_kinds() {
        let (before, exact) = Set::before(&Term::Int(3));
        assert!(exact);
        assert!(before.contains(&Term::Float(2.9999)) && !before.contains(&Term::Float(3.0)));
        let (before, _) = Set::before(&Term::Float(2.5));
        assert!(before.contains(&Term::Int(2)) && !before.contains(&Term::Int(3)));
        let large = Term::integer(BigInt::from(1u64 << 53) + 1);
        let (before, _) = Set::before(&large);
        assert!(before.contains(&Term::Float((1u64 << 53) as f64)));
        assert!(!before.contains(&Term::Float(((1u64 << 53) + 2) as f64)));
        let equal = Set::equal_to_number(&Term::Int(2)).expect("a number");
        assert!(equal.contains(&Term::Float(2.0)) && !equal.contains(&Term::Float(2.5)));
    }

    #[test]
    fn the_complement_has_what_the_set_has_not() {
        let terms = [
            Term::Int(1),
            Term::Float(-0.0),
            Term::atom("a"),
            Term::Nil,
            Term::tuple([Term::Nil]),
            Term::binary(*b"ab"),
            Term::Pid(1),
            Term::input_function(2),
        ];
        for a in &terms {
            let (set, _) = Set::around(a);
            for b in &terms {
                assert_ne!(set.contains(b), set.not().contains(b));
            }
            assert!(set.and(&set.not()).is_empty());
            assert_eq!(set.or(&set.not()), Set::all());
        }
    }
}
