//! Knowledge about the cells after the conditions asserted so far, and about the conditions in which a cell occurs. It
//! only grows: asserting a condition costs as much as its new terms.

use crate::layout::positions::{Projection, is_position, last_step};
use crate::native::facts::{Exactness, Fact, facts};
use crate::native::numbers::Numbers;
use crate::native::sets::Set;
use formula::{
    Arithmetic, Assignment, BitsType, Evaluation, Formulas, Kinds, Known, NumberFormat, Operator, TermId, Test, TypeId,
};
use num_bigint::BigInt;
use num_integer::Integer;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::collections::BTreeMap;
use term::Term;

#[derive(Default)]
pub(crate) struct Knowledge {
    /// A superset of the values that each cell can have.
    sets: FxHashMap<TermId, Set>,
    /// The cells that conditions mention, by the terms of which they are parts.
    pub(crate) parts: FxHashMap<TermId, Vec<TermId>>,
    registered: FxHashSet<TermId>,
    /// The terms in which a cell, or a term above cells, occurs; a cell does not occur in its own parts.
    users: FxHashMap<TermId, Vec<TermId>>,
    connected: FxHashSet<TermId>,
    /// The rests of a list that have users.
    rests: FxHashMap<TermId, BTreeMap<u32, TermId>>,
    /// The lists whose length has users.
    measured: FxHashMap<TermId, TermId>,
    /// Conditions that the sets do not express completely.
    loose: FxHashSet<TermId>,
    held: FxHashSet<TermId>,
    /// How far into each list conditions have looked, in cells.
    deepest: FxHashMap<TermId, u32>,
    /// Values of terms for the parent.
    known: Known,
    /// The values that positions of the same types can have, such as those of a list, by the address of the types.
    of_types: RefCell<FxHashMap<(*const TypeId, usize, Kinds), Set>>,
}

/// The largest numbers of conditions that are checked for one guess, and of terms that are looked at to find them.
const MOST_RELATED: usize = 64;
const MOST_LOOKED_AT: usize = 512;

impl Knowledge {
    /// Returns what follows from these conditions.
    pub fn of(formulas: &mut Formulas, conditions: &[TermId]) -> Knowledge {
        let mut state = Knowledge::with_room(conditions.len());
        conditions.iter().for_each(|condition| state.assert(formulas, *condition));
        state
    }

    /// Creates empty knowledge with room for what this number of conditions says.
    pub fn with_room(conditions: usize) -> Knowledge {
        let mut state = Knowledge::default();
        state.sets.reserve(conditions);
        state.registered.reserve(conditions);
        state.held.reserve(conditions);
        state
    }

    /// Forgets the values of terms for the parent, because there may be more of them once functions were sampled.
    pub fn forget_values(&mut self) {
        self.known = Known::default();
    }

    /// Returns the value that a term has for the parent.
    pub fn value(&mut self, formulas: &Formulas, parent: &Assignment, id: TermId) -> Option<Term> {
        let mut evaluation = Evaluation::resume(formulas, parent, std::mem::take(&mut self.known));
        let value = evaluation.value(id);
        self.known = evaluation.into_known();
        value
    }

    pub fn has_value(&mut self, formulas: &Formulas, parent: &Assignment, id: TermId) -> bool {
        let mut evaluation = Evaluation::resume(formulas, parent, std::mem::take(&mut self.known));
        let has = evaluation.has_value(id);
        self.known = evaluation.into_known();
        has
    }

    /// Returns the value that a term has for the parent, but only the first cell of a list.
    pub fn top(&mut self, formulas: &Formulas, parent: &Assignment, id: TermId) -> Option<Term> {
        let mut evaluation = Evaluation::resume(formulas, parent, std::mem::take(&mut self.known));
        let top = evaluation.top(id);
        self.known = evaluation.into_known();
        top
    }

    /// Returns a superset of the values that a cell can have.
    pub fn domain(&self, formulas: &mut Formulas, cell: TermId) -> Set {
        let mut set = self.sets.get(&cell).cloned().unwrap_or_else(|| self.declared(formulas, cell));
        if let Some((tuple, Projection::Element(index))) = last_step(formulas, cell)
            && let Some(sizes) = self.sets.get(&tuple)
        {
            set = set.and(&of_elements(formulas, tuple, &sizes.tuples, index));
        }
        if set.cons || set.kinds().meets(Kinds::LIST) {
            let (list, cells) = spine(formulas, cell);
            let length = formulas.length(list);
            if let Some(count) = self.sets.get(&length) {
                let cells = BigInt::from(cells);
                if count.integers.most().is_some_and(|most| *most <= cells) {
                    set.cons = false;
                }
                if count.integers.least().is_some_and(|least| *least > cells) {
                    set = set.and(&Set::of_kinds(Kinds::CONS));
                }
            }
        }
        set
    }

    /// Returns the result of [`declared`], which is computed once for all positions of the same types.
    fn declared(&self, formulas: &Formulas, cell: TermId) -> Set {
        if matches!(
            last_step(formulas, cell),
            Some((
                _,
                Projection::Length
                    | Projection::TupleSize
                    | Projection::BitSize
                    | Projection::MapSize
                    | Projection::Slice { .. }
                    | Projection::Number { .. }
            ))
        ) {
            return declared(formulas, cell);
        }
        let types = formulas.types_of(cell);
        let key = (types.as_ptr(), types.len(), formulas.kinds(cell));
        self.of_types.borrow_mut().entry(key).or_insert_with(|| declared(formulas, cell)).clone()
    }

    /// Returns whether the condition cannot hold; `false` means that it may.
    pub fn refutes(&self, formulas: &mut Formulas, condition: TermId) -> bool {
        let opposite = formulas.not(condition);
        self.held.contains(&opposite)
            || self.is_defined(formulas, opposite)
            || facts(formulas, condition, true).facts.into_iter().any(|fact| self.narrowed(formulas, &fact).is_empty())
            || self.refutes_constants(formulas, condition)
    }

    /// Returns the values that a cell can have if a fact holds.
    fn narrowed(&self, formulas: &mut Formulas, fact: &Fact) -> Set {
        let mut set = self.domain(formulas, fact.cell).and(&fact.set);
        if !set.bits.is_empty() {
            set.bits = of_declared_sizes(formulas, fact.cell, set.bits);
        }
        set
    }

    /// Returns whether a condition says that an operation has a value, which it has in any case.
    fn is_defined(&self, formulas: &mut Formulas, condition: TermId) -> bool {
        let Operator::Test(Test::Defined(whole)) = *formulas.operator(condition) else { return false };
        let Operator::Arithmetic(operation, a, b) = *formulas.operator(whole) else { return false };
        let small = |id: TermId, most: u64| match formulas.as_constant(id) {
            Some(Term::Int(value)) => value.unsigned_abs() <= most,
            _ => false,
        };
        // The sum of the largest float and a small integer is the largest float again.
        let most = match operation {
            Arithmetic::Add | Arithmetic::Subtract => 1 << 53,
            Arithmetic::Multiply => 1,
            _ => return false,
        };
        let is_small = small(a, most) || small(b, most);
        let both = |kinds: Kinds, formulas: &mut Formulas| {
            self.is_within(formulas, a, kinds) && self.is_within(formulas, b, kinds)
        };
        (is_small && both(Kinds::NUMBER, formulas)) || both(Kinds::INTEGER, formulas)
    }

    /// Returns whether a number is certainly of these kinds.
    fn is_within(&self, formulas: &mut Formulas, id: TermId, kinds: Kinds) -> bool {
        if formulas.kinds(id).within(kinds) {
            return true;
        }
        match *formulas.operator(id) {
            Operator::Arithmetic(Arithmetic::Add | Arithmetic::Subtract | Arithmetic::Multiply, a, b) => {
                self.is_within(formulas, a, kinds) && self.is_within(formulas, b, kinds)
            }
            _ if is_position(formulas, id) => self.domain(formulas, id).kinds().within(kinds),
            _ => false,
        }
    }

    pub fn assert(&mut self, formulas: &mut Formulas, condition: TermId) {
        if !self.held.insert(condition) {
            return;
        }
        let found = facts(formulas, condition, true);
        let mut exact = found.exact == Exactness::Yes;
        if found.exact == Exactness::OfIntegers {
            let is_integer = |fact: &Fact| {
                formulas.kinds(fact.cell).within(Kinds::INTEGER)
                    || self.domain(formulas, fact.cell).kinds().within(Kinds::INTEGER)
            };
            exact = found.facts.iter().all(is_integer);
        }
        for fact in found.facts {
            self.register(formulas, fact.cell);
            let set = self.narrowed(formulas, &fact);
            if formulas.kinds(fact.cell).meets(Kinds::CONS) && is_list_position(formulas, fact.cell) {
                self.count_cells(formulas, fact.cell, &set);
            }
            self.sets.insert(fact.cell, set);
        }
        if !exact {
            self.loose.insert(condition);
            self.connect(formulas, condition);
        }
    }

    /// Bounds the number of cells of a list, if a rest of it is certainly a cons cell, or certainly not.
    fn count_cells(&mut self, formulas: &mut Formulas, cell: TermId, set: &Set) {
        let (list, cells) = spine(formulas, cell);
        let cells = BigInt::from(cells);
        let count = if !set.cons {
            Numbers::between(None, Some(cells))
        } else if set.kinds() == Kinds::CONS {
            Numbers::above(&cells)
        } else {
            return;
        };
        let length = formulas.length(list);
        let known = self.domain(formulas, length);
        self.sets.insert(length, known.and(&Set::of_integers(count)));
    }

    fn register(&mut self, formulas: &Formulas, cell: TermId) {
        let mut at = cell;
        while let Some((base, step)) = last_step(formulas, at) {
            if !self.registered.insert(at) {
                return;
            }
            if let Projection::Item(index) | Projection::Rest(index) = step {
                let deep = self.deepest.entry(base).or_default();
                *deep = (*deep).max(index + u32::from(matches!(step, Projection::Item(_))));
            }
            self.parts.entry(base).or_default().push(at);
            at = base;
        }
    }

    fn connect(&mut self, formulas: &Formulas, condition: TermId) {
        let mut open = vec![condition];
        while let Some(id) = open.pop() {
            if !self.connected.insert(id) {
                continue;
            }
            if is_position(formulas, id) {
                self.register(formulas, id);
                if let Operator::Rest(list, cells) = formulas.operator(id) {
                    self.rests.entry(*list).or_default().insert(*cells, id);
                }
                if let Operator::Length(list) = formulas.operator(id) {
                    self.measured.insert(*list, id);
                }
                continue;
            }
            formulas.operator(id).each_child(|child| {
                self.users.entry(child).or_default().push(id);
                open.push(child);
            });
        }
    }

    /// Returns how far into the list conditions have looked, in cells.
    pub fn deepest(&self, list: TermId) -> u32 {
        self.deepest.get(&list).copied().unwrap_or(0)
    }

    /// Returns what another value of a cell could break, or `None` if that is too much to look at.
    pub fn related(&self, formulas: &Formulas, cell: TermId) -> Option<Related> {
        let mut inside = Vec::new();
        let mut open = vec![cell];
        while let Some(at) = open.pop() {
            if inside.len() > MOST_RELATED {
                return None;
            }
            open.extend(self.parts.get(&at).into_iter().flatten());
            if let Operator::Rest(list, cells) = formulas.operator(at)
                && self.deepest(*list) > *cells
            {
                // Items and rests are parts of the list, not of each other.
                open.extend(self.parts.get(list).into_iter().flatten().filter(|part| {
                    match last_step(formulas, **part) {
                        Some((_, Projection::Item(index))) => index >= *cells,
                        Some((_, Projection::Rest(index))) => index > *cells,
                        _ => false,
                    }
                }));
            }
            inside.push(at);
        }
        // Whatever contains the cell changes with it as a whole.
        let mut whole = None;
        let mut starts = inside.clone();
        let mut at = cell;
        while let Some((base, step)) = last_step(formulas, at) {
            let mut around = vec![base];
            if let (Projection::Item(index) | Projection::Rest(index), Some(rests)) = (&step, self.rests.get(&base)) {
                around.extend(rests.range(..=*index).map(|(_, rest)| *rest));
            }
            around.retain(|place| *place != cell && self.users.contains_key(place));
            if matches!(step, Projection::Rest(_)) {
                around.extend(self.measured.get(&base));
            }
            if !around.is_empty() {
                whole = Some(base);
            }
            starts.extend(around);
            at = base;
        }
        let mut conditions = Vec::new();
        let mut seen = FxHashSet::default();
        let mut open: Vec<TermId> =
            starts.iter().filter_map(|start| self.users.get(start)).flatten().copied().collect();
        while let Some(id) = open.pop() {
            if !seen.insert(id) {
                continue;
            }
            if seen.len() > MOST_LOOKED_AT || conditions.len() > MOST_RELATED {
                return None;
            }
            if self.loose.contains(&id) {
                conditions.push(id);
            }
            open.extend(self.users.get(&id).into_iter().flatten());
        }
        Some(Related { inside, whole, conditions })
    }

    /// Returns whether a value is in the known set of its cell, and has a possible number of cells.
    pub fn admits(&self, formulas: &mut Formulas, cell: TermId, value: &Term) -> bool {
        if self.sets.get(&cell).is_some_and(|set| !set.contains(value)) {
            return false;
        }
        if !formulas.kinds(cell).meets(Kinds::CONS) {
            return true;
        }
        let (list, before) = spine(formulas, cell);
        let length = formulas.length(list);
        let cells = match value {
            Term::List(items, _) => items.len(),
            _ => 0,
        };
        self.sets.get(&length).is_none_or(|count| count.integers.contains(&BigInt::from(before as usize + cells)))
    }
}

/// The conditions and cells that another value of a cell could break.
pub(crate) struct Related {
    /// The cell and the cells inside it.
    pub inside: Vec<TermId>,
    /// The outermost position around the cell that conditions mention as a whole.
    pub whole: Option<TermId>,
    pub conditions: Vec<TermId>,
}

fn is_list_position(formulas: &Formulas, cell: TermId) -> bool {
    !matches!(
        last_step(formulas, cell),
        Some((
            _,
            Projection::Length
                | Projection::TupleSize
                | Projection::BitSize
                | Projection::MapSize
                | Projection::Number { .. }
                | Projection::Slice { .. }
        ))
    )
}

/// Returns the list of which a cell is a rest, and the number of cells before it.
pub(crate) fn spine(formulas: &Formulas, cell: TermId) -> (TermId, u32) {
    match formulas.operator(cell) {
        Operator::Rest(list, cells) => (*list, *cells),
        _ => (cell, 0),
    }
}

/// Returns the values that a cell can have by its declared type.
pub(crate) fn declared(formulas: &Formulas, cell: TermId) -> Set {
    match last_step(formulas, cell) {
        Some((_, Projection::Length | Projection::TupleSize | Projection::BitSize | Projection::MapSize)) => {
            Set::of_integers(Numbers::natural())
        }
        Some((_, Projection::Slice { size, .. })) => Set::of_bits(Numbers::one(size.into())),
        Some((_, Projection::Number { size, format, .. })) => match format {
            NumberFormat::Float { .. } => Set::of_kinds(Kinds::FLOAT),
            NumberFormat::Integer { signed, .. } => Set::of_integers(number_range(size, signed)),
        },
        _ => Set::of_types(formulas.types(), formulas.types_of(cell)).and(&Set::of_kinds(formulas.kinds(cell))),
    }
}

/// Returns the values that an element can have by the declared types of the tuple that are of these sizes.
fn of_elements(formulas: &Formulas, tuple: TermId, sizes: &Numbers, index: u32) -> Set {
    let (types, mut elements) = (formulas.types_of(tuple), Vec::new());
    for id in types {
        let node = formulas.types().node(*id);
        if !node.opaque.is_empty() || node.any_tuple {
            return Set::all();
        }
        let of_size = node.tuples.iter().filter(|items| sizes.contains(&items.len().into()));
        elements.extend(of_size.filter_map(|items| items.get(index as usize)));
    }
    if types.is_empty() { Set::all() } else { Set::of_types(formulas.types(), &elements) }
}

/// Moves the ends of intervals of sizes to sizes that the declared types of a cell have: sizes of binaries are
/// multiples of eight.
fn of_declared_sizes(formulas: &Formulas, cell: TermId, sizes: Numbers) -> Numbers {
    let types = formulas.types_of(cell);
    if types.is_empty() || matches!(last_step(formulas, cell), Some((_, Projection::Slice { .. }))) {
        return sizes;
    }
    let mut declared: Vec<BitsType> = Vec::new();
    for id in types {
        let node = formulas.types().node(*id);
        if !node.opaque.is_empty() || node.bits.iter().any(|bits| bits.unit == 1) {
            return sizes;
        }
        declared.extend(&node.bits);
    }
    let of = |BitsType { base, unit }: BitsType| {
        let (base, unit) = (BigInt::from(base), BigInt::from(unit));
        if unit == BigInt::ZERO {
            return Numbers::one(base).and(&sizes);
        }
        let steps = |size: &BigInt, more: BigInt| (size - &base + more).div_floor(&unit).max(BigInt::ZERO);
        sizes.intervals().iter().fold(Numbers::none(), |all, interval| {
            let low = interval.low.as_ref().map(|low| &base + steps(low, &unit - 1) * &unit);
            let high = match &interval.high {
                Some(high) if *high < base => return all,
                high => high.as_ref().map(|high| &base + steps(high, BigInt::ZERO) * &unit),
            };
            match (&low, &high) {
                (Some(low), Some(high)) if low > high => all,
                _ => all.or(&Numbers::between(low, high)),
            }
        })
    };
    declared.into_iter().fold(Numbers::none(), |all, bits| all.or(&of(bits)))
}

/// Returns the integers that fit into this number of bits.
pub(crate) fn number_range(size: u64, signed: bool) -> Numbers {
    let one = BigInt::from(1);
    match (signed, size) {
        (_, 0) => Numbers::one(BigInt::ZERO),
        (false, size) => Numbers::between(Some(BigInt::ZERO), Some((&one << size) - 1)),
        (true, size) => Numbers::between(Some(-(&one << (size - 1))), Some((&one << (size - 1)) - 1)),
    }
}
