//! Conditions as flat SMT-LIB: each cell is a kind, an integer, a real, the rank of an atom, and sizes; there are no
//! datatypes. Whatever has no exact meaning here is left free, so that Unsat is always right (except for floats, which
//! are reals here) and Sat is a guess that is checked.
//!
//! A list is the number of its cells, the kind of its end, and the items that conditions mention. The rest of a
//! structure, beyond the parts that conditions mention, is one integer, its content.

use super::bitwise::Bitwise;
use super::digits::Reading;
pub(super) use super::facet::Facet;
use super::facet::{letter, sort};
use super::ranges::Range;
use crate::layout::positions::{is_position, last_step};
use crate::native::sets::{Set, integer};
use crate::native::state::{Knowledge, number_range, spine};
use formula::{Codomain, Conversion, Formulas, Kinds, NumberFormat, Numeric, Operator, TermId, Test};
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::Arc;
use term::{Atom, Term, digits, work};

/// Room for invented atoms between two known ones.
pub(super) const GAP: i64 = 1 << 20;
/// The largest size of constants that are compared part by part; larger ones are compared by content.
pub(super) const LONGEST: usize = 64;
/// The largest number of wishes; more cost more than they bring.
const MOST_WISHES: usize = 100;
/// The largest number of ranges of a set that is written as it is; larger sets are intersected before.
const MANY_RANGES: usize = 8;

pub(super) struct Encoder<'a> {
    pub formulas: &'a mut Formulas,
    pub text: String,
    /// The declared names, with the facets that they denote.
    pub names: BTreeMap<String, (TermId, Facet)>,
    defined: FxHashMap<(TermId, Facet), String>,
    atoms: BTreeMap<&'static str, i64>,
    /// Constant structures; their contents are numbered by this list.
    constants: Vec<Term>,
    /// The facts about single cells that follow from the conditions.
    state: &'a Knowledge,
    /// Cells of which some conditions are asserted together, as the set in `state`.
    sets: BTreeSet<TermId>,
    kinds: FxHashMap<TermId, Kinds>,
    /// The parts of cells that conditions mention.
    pub parts: FxHashMap<TermId, BTreeSet<TermId>>,
    /// The number of names made for conditions so far: for those that are used more than once, and those left free.
    pub fresh: u32,
    pub floats: Floats,
    pub ranges: FxHashMap<TermId, Range>,
    pub bitwise: Bitwise,
    pub readings: FxHashMap<(Conversion, TermId), Reading>,
    /// Integers whose digits have been counted.
    pub counted: FxHashSet<TermId>,
    /// The number of comparisons by order so far.
    pub compared: u32,
    /// Conditions that should hold so that the model is true where the encoding is not exact.
    pub wishes: Vec<String>,
    /// Terms that are known to have a value.
    pub there: FxHashSet<TermId>,
    /// Terms that are defined, with all below them.
    below: FxHashSet<TermId>,
}

/// The results of operations on floats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Floats {
    /// The results that reals would have, which are mostly right.
    Reals,
    /// Any results, which is certainly right.
    Anything,
}

pub(super) fn kind_number(kind: Kinds) -> u32 {
    Kinds::ALL.each().position(|other| other == kind).unwrap_or(0) as u32
}

pub(super) fn literal(value: &BigInt) -> String {
    let text = digits::text(value, 10);
    match text.strip_prefix('-') {
        Some(magnitude) => format!("(- {magnitude})"),
        None => text,
    }
}

pub(super) fn all_of(parts: &[String]) -> String {
    match parts {
        [] => "true".to_string(),
        [one] => one.clone(),
        _ => format!("(and {})", parts.join(" ")),
    }
}

pub(super) fn any_of(parts: &[String]) -> String {
    match parts {
        [] => "false".to_string(),
        [one] => one.clone(),
        _ => format!("(or {})", parts.join(" ")),
    }
}

impl<'a> Encoder<'a> {
    /// Creates an encoder for these conditions, all of which will be asserted, and for the facts that follow from them.
    pub fn new(
        formulas: &'a mut Formulas,
        conditions: &[TermId],
        state: &'a Knowledge,
        more: &BTreeSet<Atom>,
        floats: Floats,
    ) -> Encoder<'a> {
        let mut atoms: BTreeSet<&'static str> = more.iter().map(|atom| atom.text()).collect();
        atoms.extend(["true", "false"]);
        let mut parts: FxHashMap<TermId, BTreeSet<TermId>> = FxHashMap::default();
        let mut seen = FxHashSet::default();
        let mut bitwise = Bitwise::default();
        let mut open = conditions.to_vec();
        while let Some(id) = open.pop() {
            if !seen.insert(id) {
                continue;
            }
            bitwise.survey(formulas, id);
            match formulas.operator(id) {
                Operator::Constant(constant) => atoms_in(&constant.0, &mut atoms),
                Operator::Test(Test::OneOf(_, constants)) => {
                    constants.iter().for_each(|constant| atoms_in(&constant.0, &mut atoms))
                }
                Operator::Lookup(_, mapping) => {
                    for (key, value) in mapping.entries() {
                        atoms_in(&key.0, &mut atoms);
                        atoms_in(&value.0, &mut atoms);
                    }
                }
                _ => {}
            }
            if let Some((base, _)) = last_step(formulas, id) {
                parts.entry(base).or_default().insert(id);
            }
            formulas.operator(id).each_child(|child| open.push(child));
        }
        let atoms = atoms.into_iter().enumerate().map(|(index, text)| (text, (index as i64 + 1) * GAP)).collect();
        Encoder {
            formulas,
            text: String::new(),
            names: BTreeMap::new(),
            defined: FxHashMap::default(),
            atoms,
            constants: Vec::new(),
            state,
            sets: BTreeSet::new(),
            kinds: FxHashMap::default(),
            parts,
            fresh: 0,
            floats,
            ranges: FxHashMap::default(),
            bitwise,
            readings: FxHashMap::default(),
            counted: FxHashSet::default(),
            compared: 0,
            wishes: Vec::new(),
            there: FxHashSet::default(),
            below: FxHashSet::default(),
        }
    }

    pub fn assert(&mut self, condition: TermId) {
        if let Some(cell) = self.integer_in_set(condition) {
            self.sets.insert(cell);
        } else {
            self.define_below(condition);
            let expression = self.condition(condition);
            self.line(format_args!("(assert {expression})"));
        }
        self.assert_existence(condition, true);
    }

    /// Returns the integer if the condition only says that it is, or is not, in a set of many ranges. All such
    /// conditions on an integer are asserted together, which is shorter.
    fn integer_in_set(&mut self, condition: TermId) -> Option<TermId> {
        let inner = match *self.formulas.operator(condition) {
            Operator::Test(Test::Not(inner)) => inner,
            _ => condition,
        };
        let Operator::Test(Test::OneOf(cell, constants)) = self.formulas.operator(inner) else { return None };
        let (cell, many) = (*cell, constants.ranges().len() > MANY_RANGES);
        let is_integer = many && is_position(self.formulas, cell) && self.kinds(cell).within(Kinds::INTEGER);
        is_integer.then_some(cell)
    }

    /// Asserts the sets of cells. This comes after all conditions.
    pub fn assert_sets(&mut self) {
        for cell in std::mem::take(&mut self.sets) {
            let possible = self.state.domain(self.formulas, cell).integers;
            let number = self.facet(cell, Facet::Integer);
            let within = possible.intervals().iter().map(|interval| {
                let low = interval.low.iter().map(|low| format!("(<= {} {number})", literal(low)));
                let high = interval.high.iter().map(|high| format!("(<= {number} {})", literal(high)));
                all_of(&low.chain(high).collect::<Vec<_>>())
            });
            let within = any_of(&within.collect::<Vec<_>>());
            self.line(format_args!("(assert {within})"));
        }
    }

    /// Returns the kinds of which a term can be if the conditions hold.
    pub fn kinds(&mut self, id: TermId) -> Kinds {
        if let Some(kinds) = self.kinds.get(&id) {
            return *kinds;
        }
        let possible = self.formulas.kinds(id);
        let known = |this: &Self, id: TermId| this.kinds.get(&id).copied().unwrap_or_else(|| this.formulas.kinds(id));
        let kinds = match *self.formulas.operator(id) {
            Operator::Arithmetic(_, a, b) if possible.meets(Kinds::INTEGER) => {
                let both = known(self, a).or(known(self, b));
                if both.within(Kinds::INTEGER) { Kinds::INTEGER } else { possible }
            }
            Operator::Numeric(Numeric::Negate | Numeric::Absolute, a) => possible.and(known(self, a)),
            Operator::ElementAt(..) | Operator::ItemAt(..) => {
                self.chosen_kinds(id).map_or(possible, |chosen| possible.and(chosen))
            }
            // Whether a rest is a cons cell follows from the number of cells.
            Operator::Rest(..) => possible,
            _ if is_position(self.formulas, id) => possible.and(self.state.domain(self.formulas, id).kinds()),
            _ => possible,
        };
        // A contradiction is left to the solver.
        let kinds = if kinds.is_empty() { possible } else { kinds };
        self.kinds.insert(id, kinds);
        kinds
    }

    /// Returns a superset of the values that a position can have if the conditions hold.
    pub fn domain(&mut self, cell: TermId) -> Set {
        self.state.domain(self.formulas, cell)
    }

    /// Defines the terms of a condition from the lowest to the highest, so that depth costs no stack.
    fn define_below(&mut self, condition: TermId) {
        let mut new = Vec::new();
        let mut open = vec![condition];
        while let Some(id) = open.pop() {
            if self.below.insert(id) {
                new.push(id);
                self.formulas.operator(id).each_child(|child| open.push(child));
            }
        }
        // A child's number is below its parent's.
        new.sort();
        for id in new {
            let kinds = self.kinds(id);
            match self.formulas.operator(id) {
                operator if operator.is_test() => {
                    self.condition(id);
                }
                Operator::Arithmetic(..) | Operator::Numeric(..) => {
                    self.facet(id, Facet::Kind);
                    if kinds.meets(Kinds::INTEGER) {
                        self.facet(id, Facet::Integer);
                    }
                    if kinds.meets(Kinds::FLOAT) {
                        self.facet(id, Facet::Float);
                    }
                }
                Operator::Cons(..) => {
                    self.facet(id, Facet::Cells);
                    self.facet(id, Facet::End);
                }
                _ => {}
            }
        }
    }

    pub fn line(&mut self, text: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "{text}");
    }

    pub fn rank(&self, atom: Atom) -> String {
        self.atoms.get(atom.text()).copied().unwrap_or(GAP / 2).to_string()
    }

    pub fn ranks(&self) -> &BTreeMap<&'static str, i64> {
        &self.atoms
    }

    /// Returns whether a term is a cell, or another term whose value only the model determines.
    pub(super) fn is_free(&self, id: TermId) -> bool {
        is_position(self.formulas, id)
            || matches!(
                self.formulas.operator(id),
                Operator::ItemAt(..)
                    | Operator::RestAt(..)
                    | Operator::ElementAt(..)
                    | Operator::MapGet { .. }
                    | Operator::BitsNumber { .. }
                    | Operator::BitsSlice { .. }
                    | Operator::Convert(..)
                    | Operator::Apply { .. }
                    | Operator::Lookup(..)
                    | Operator::Item(..)
                    | Operator::Rest(..)
                    | Operator::Element(..)
                    | Operator::MapKeyAt(..)
                    | Operator::MapValueAt(..)
                    | Operator::MapPut { .. }
                    | Operator::MapRemove { .. }
                    | Operator::SetElementAt { .. }
                    | Operator::Bits(_)
            )
    }

    /// Returns a facet of a term as an expression, which is declared or defined only once.
    pub fn facet(&mut self, id: TermId, facet: Facet) -> String {
        work::tick();
        if let Some(name) = self.defined.get(&(id, facet)) {
            return name.clone();
        }
        let name = format!("{}{}", letter(facet), id.number());
        let expression = match self.expression(id, facet) {
            Some(expression) if is_short(&expression) => expression,
            // A long sum becomes many short equations, because the solver expands nested definitions.
            Some(expression) if matches!(facet, Facet::Integer | Facet::Float) => {
                let sort = sort(facet);
                self.line(format_args!("(declare-const {name} {sort})"));
                self.line(format_args!("(assert (= {name} {expression}))"));
                name
            }
            Some(expression) => {
                let sort = sort(facet);
                self.line(format_args!("(define-fun {name} () {sort} {expression})"));
                name
            }
            None => self.declare(name, id, facet),
        };
        self.defined.insert((id, facet), expression.clone());
        expression
    }

    fn declare(&mut self, name: String, id: TermId, facet: Facet) -> String {
        let sort = sort(facet);
        self.line(format_args!("(declare-const {name} {sort})"));
        self.names.insert(name.clone(), (id, facet));
        match facet {
            Facet::Kind => {
                let kinds = self.kinds(id);
                let allowed: Vec<String> =
                    kinds.each().map(|kind| format!("(= {name} {})", kind_number(kind))).collect();
                self.line(format_args!("(assert {})", any_of(&allowed)));
            }
            Facet::End => {
                let cons = kind_number(Kinds::CONS);
                self.line(format_args!("(assert (and (<= 0 {name}) (<= {name} 11) (not (= {name} {cons}))))"));
            }
            Facet::Cells => {
                self.line(format_args!("(assert (<= 0 {name}))"));
                let kinds = self.kinds(id);
                if kinds.within(Kinds::CONS) {
                    self.line(format_args!("(assert (<= 1 {name}))"));
                } else {
                    let end = self.facet(id, Facet::End);
                    let outside: Vec<String> = kinds
                        .without(Kinds::CONS)
                        .each()
                        .map(|kind| format!("(= {end} {})", kind_number(kind)))
                        .collect();
                    let outside = any_of(&outside);
                    self.line(format_args!("(assert (or (> {name} 0) {outside}))"));
                }
            }
            Facet::TupleSize | Facet::BitSize => self.line(format_args!("(assert (<= 0 {name}))")),
            Facet::Arity => self.line(format_args!("(assert (<= 0 {name} 255))")),
            Facet::Integer => self.bound_integer(&name, id),
            Facet::Float | Facet::Atom | Facet::Content | Facet::Order | Facet::Present | Facet::Condition => {}
        }
        name
    }

    fn bound_integer(&mut self, name: &str, id: TermId) {
        match *self.formulas.operator(id) {
            Operator::MapSize(_) => self.line(format_args!("(assert (<= 0 {name}))")),
            Operator::Apply { delivers: Codomain { low, high, .. }, .. } => {
                if let Some(low) = low {
                    self.line(format_args!("(assert (<= {} {name}))", literal(&low.into())));
                }
                if let Some(high) = high {
                    self.line(format_args!("(assert (<= {name} {}))", literal(&high.into())));
                }
            }
            Operator::BitsNumber { size, format: NumberFormat::Integer { signed, .. }, .. } => {
                if let Some(bits) = self.formulas.as_constant(size).and_then(integer).and_then(|bits| bits.to_u64()) {
                    let range = number_range(bits, signed);
                    if let (Some(low), Some(high)) = (range.least(), range.most()) {
                        let (low, high) = (literal(low), literal(high));
                        self.line(format_args!("(assert (and (<= {low} {name}) (<= {name} {high})))"));
                    }
                } else {
                    // A size that is not known yet bounds the number, too.
                    let size = self.facet(size, Facet::Integer);
                    for bits in 0..=64u64 {
                        let range = number_range(bits, signed);
                        if let (Some(low), Some(high)) = (range.least(), range.most()) {
                            let (low, high) = (literal(low), literal(high));
                            self.line(format_args!(
                                "(assert (=> (= {size} {bits}) (and (<= {low} {name}) (<= {name} {high}))))"
                            ));
                        }
                    }
                    if !signed {
                        self.line(format_args!("(assert (<= 0 {name}))"));
                    }
                }
            }
            _ => {}
        }
    }

    /// Returns the definition of a facet, or `None` if the model determines it.
    fn expression(&mut self, id: TermId, facet: Facet) -> Option<String> {
        // The recursion into subterms passes through here, and formulas can have any depth.
        stacker::maybe_grow(256 << 10, 4 << 20, || self.expression_here(id, facet))
    }

    fn expression_here(&mut self, id: TermId, facet: Facet) -> Option<String> {
        match self.formulas.operator(id) {
            Operator::MapGet { .. } => {
                if let Some(expression) = self.at_key(id, facet) {
                    return Some(expression);
                }
            }
            Operator::ElementAt(..) | Operator::ItemAt(..) => {
                if let Some(expression) = self.chosen_facet(id, facet) {
                    return Some(expression);
                }
            }
            _ => {}
        }
        match facet {
            Facet::Kind => self.kind(id),
            Facet::Integer => self.integer(id),
            Facet::Float => self.float(id),
            Facet::Atom => match self.formulas.operator(id) {
                Operator::Constant(constant) => {
                    Some(constant.0.as_atom().map_or("0".to_string(), |atom| self.rank(atom)))
                }
                Operator::Lookup(key, mapping) => {
                    let (key, mapping) = (*key, Arc::clone(mapping));
                    self.looked_up(key, &mapping, |this, value| Some(this.rank(value.as_atom()?)))
                }
                _ if self.is_free(id) => None,
                _ => {
                    let condition = self.condition(id);
                    let (yes, no) = (self.rank(term::names::TRUE), self.rank(term::names::FALSE));
                    Some(format!("(ite {condition} {yes} {no})"))
                }
            },
            Facet::Cells | Facet::End => self.cells(id, facet),
            Facet::TupleSize => match self.formulas.operator(id) {
                Operator::Constant(constant) => Some(constant.0.as_tuple().map_or(0, <[Term]>::len).to_string()),
                Operator::Tuple(parts) => Some(parts.len().to_string()),
                Operator::SetElementAt { tuple, .. } => {
                    let tuple = *tuple;
                    Some(self.facet(tuple, Facet::TupleSize))
                }
                _ => None,
            },
            Facet::Arity => match self.formulas.operator(id) {
                Operator::Constant(constant) => Some(arity(&constant.0).unwrap_or(0).to_string()),
                _ => None,
            },
            Facet::BitSize => self.bit_size(id),
            Facet::Content => match self.formulas.operator(id) {
                Operator::Constant(constant) => {
                    let term = constant.0.clone();
                    Some(self.content(&term))
                }
                _ => None,
            },
            Facet::Present | Facet::Order => None,
            Facet::Condition => Some(self.truth(id)),
        }
    }

    /// Returns the number of a constant structure's content.
    pub fn content(&mut self, term: &Term) -> String {
        let index = self.constants.iter().position(|other| term::order::identical(other, term)).unwrap_or_else(|| {
            self.constants.push(term.clone());
            self.constants.len() - 1
        });
        literal(&BigInt::from(-1 - index as i64))
    }

    pub fn condition(&mut self, id: TermId) -> String {
        self.facet(id, Facet::Condition)
    }

    /// Returns a facet of a term that may be of other kinds as well.
    pub fn facet_if_any(&mut self, id: TermId, facet: Facet) -> String {
        let kinds = self.kinds(id);
        match facet {
            Facet::Atom if !kinds.meets(Kinds::ATOM) => "0".to_string(),
            Facet::Integer if !kinds.meets(Kinds::INTEGER) => "0".to_string(),
            Facet::Float if !kinds.meets(Kinds::FLOAT) => "0.0".to_string(),
            _ => self.facet(id, facet),
        }
    }

    /// Returns a name for a condition that is used more than once.
    pub fn named(&mut self, condition: &str) -> String {
        if is_short(condition) {
            return condition.to_string();
        }
        self.fresh += 1;
        let name = format!("x{}", self.fresh);
        self.line(format_args!("(define-fun {name} () Bool {condition})"));
        name
    }

    pub fn wish(&mut self, condition: String) {
        if self.wishes.len() < MOST_WISHES && condition != "true" {
            self.wishes.push(condition);
        }
    }

    pub fn free_condition(&mut self) -> String {
        self.fresh += 1;
        let name = format!("f{}", self.fresh);
        self.line(format_args!("(declare-const {name} Bool)"));
        name
    }

    pub fn is_kind(&mut self, id: TermId, kinds: Kinds) -> String {
        let possible = self.kinds(id);
        if possible.within(kinds) {
            return "true".to_string();
        }
        let kind = self.facet(id, Facet::Kind);
        let parts: Vec<String> =
            kinds.and(possible).each().map(|one| format!("(= {kind} {})", kind_number(one))).collect();
        any_of(&parts)
    }

    fn kind(&mut self, id: TermId) -> Option<String> {
        let kinds = self.kinds(id);
        let mut each = kinds.each();
        if let (Some(only), None) = (each.next(), each.next()) {
            return Some(kind_number(only).to_string());
        }
        match *self.formulas.operator(id) {
            Operator::Arithmetic(_, a, b) => {
                let whole = all_of(&[self.is_kind(a, Kinds::INTEGER), self.is_kind(b, Kinds::INTEGER)]);
                Some(format!("(ite {whole} {} {})", kind_number(Kinds::INTEGER), kind_number(Kinds::FLOAT)))
            }
            Operator::Numeric(Numeric::Negate | Numeric::Absolute, a) => Some(self.facet(a, Facet::Kind)),
            _ if kinds.meets(Kinds::CONS) && self.is_free(id) => {
                let (list, before) = spine(self.formulas, id);
                let (cells, end) = (self.facet(list, Facet::Cells), self.facet(list, Facet::End));
                Some(format!("(ite (> {cells} {before}) {} {end})", kind_number(Kinds::CONS)))
            }
            _ => None,
        }
    }
}

/// Returns the arity of a function.
pub(super) fn arity(term: &Term) -> Option<u32> {
    match term {
        Term::Fun(fun) => Some(fun.arity()),
        _ => None,
    }
}

fn is_short(expression: &str) -> bool {
    expression.len() <= 24
}

pub(super) fn atoms_in(term: &Term, atoms: &mut BTreeSet<&'static str>) {
    match term {
        Term::Atom(atom) => {
            atoms.insert(atom.text());
        }
        Term::List(items, end) => {
            items.iter().for_each(|item| atoms_in(item, atoms));
            end.iter().for_each(|end| atoms_in(end, atoms));
        }
        Term::Tuple(items) => items.iter().for_each(|item| atoms_in(item, atoms)),
        Term::Map(pairs) => pairs.iter().for_each(|(key, value)| {
            atoms_in(key, atoms);
            atoms_in(value, atoms);
        }),
        _ => {}
    }
}
