//! Positions in the inputs: a variable, or a part of a position. A condition depends on cells, which are the largest
//! positions in it.

use formula::{Formulas, NumberFormat, Operator, TermId, Variable};
use rustc_hash::FxHashSet;
use term::Term;

/// A step from a position to a part of it, or to a property (its length, its size).
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Projection {
    Item(u32),
    Rest(u32),
    Element(u32),
    Value(Term),
    KeyAt(u32),
    ValueAt(u32),
    Number { at: u64, size: u64, format: NumberFormat },
    Slice { at: u64, size: u64 },
    Length,
    TupleSize,
    BitSize,
    MapSize,
}

fn natural(formulas: &Formulas, id: TermId) -> Option<u64> {
    formulas.as_constant(id)?.as_int()?.try_into().ok()
}

/// Returns the last step to a position, and the position where it starts.
pub(crate) fn last_step(formulas: &Formulas, id: TermId) -> Option<(TermId, Projection)> {
    Some(match formulas.operator(id) {
        Operator::Item(list, index) => (*list, Projection::Item(*index)),
        Operator::Rest(list, cells) => (*list, Projection::Rest(*cells)),
        Operator::Element(tuple, index) => (*tuple, Projection::Element(*index)),
        Operator::MapGet { map, key } => (*map, Projection::Value(formulas.as_constant(*key)?.clone())),
        Operator::MapKeyAt(map, index) => (*map, Projection::KeyAt(*index)),
        Operator::MapValueAt(map, index) => (*map, Projection::ValueAt(*index)),
        Operator::BitsNumber { bits, at, size, format } => {
            let step =
                Projection::Number { at: natural(formulas, *at)?, size: natural(formulas, *size)?, format: *format };
            (*bits, step)
        }
        Operator::BitsSlice { bits, at, size } => {
            (*bits, Projection::Slice { at: natural(formulas, *at)?, size: natural(formulas, *size)? })
        }
        Operator::Length(list) => (*list, Projection::Length),
        Operator::TupleSize(tuple) => (*tuple, Projection::TupleSize),
        Operator::BitSize(bits) => (*bits, Projection::BitSize),
        Operator::MapSize(map) => (*map, Projection::MapSize),
        _ => return None,
    })
}

/// Returns the variable of a position and the steps from there.
pub(crate) fn path(formulas: &Formulas, id: TermId) -> Option<(Variable, Vec<Projection>)> {
    let mut steps = Vec::new();
    let mut at = id;
    loop {
        if let Operator::Variable(variable) = formulas.operator(at) {
            steps.reverse();
            return Some((*variable, steps));
        }
        let (base, step) = last_step(formulas, at)?;
        steps.push(step);
        at = base;
    }
}

pub(crate) fn is_position(formulas: &Formulas, id: TermId) -> bool {
    let mut at = id;
    loop {
        match formulas.operator(at) {
            Operator::Variable(_) => return true,
            _ => match last_step(formulas, at) {
                Some((base, _)) => at = base,
                None => return false,
            },
        }
    }
}

/// Returns the depth of a position, which is greater than that of all positions around it.
pub(crate) fn depth(formulas: &Formulas, id: TermId) -> u64 {
    let mut depth = 0;
    let mut at = id;
    while let Some((base, step)) = last_step(formulas, at) {
        depth += match step {
            Projection::Item(index) => u64::from(index) * 2 + 3,
            Projection::Rest(cells) => u64::from(cells) * 2,
            // Sizes are set before parts are placed.
            Projection::Length | Projection::TupleSize | Projection::BitSize | Projection::MapSize => 1,
            Projection::Slice { .. } => 2,
            Projection::Element(_)
            | Projection::Value(_)
            | Projection::KeyAt(_)
            | Projection::ValueAt(_)
            | Projection::Number { .. } => 3,
        };
        at = base;
    }
    depth
}

/// Returns the largest positions in a term, each once; `None` if the term has more than `most` subterms.
pub(crate) fn cells(formulas: &Formulas, id: TermId, most: usize) -> Option<Vec<TermId>> {
    let mut found = Vec::new();
    let mut seen = Seen::default();
    let mut open = vec![id];
    while let Some(id) = open.pop() {
        if !seen.insert(id) {
            continue;
        }
        if seen.count > most {
            return None;
        }
        if is_position(formulas, id) {
            found.push(id);
        } else {
            formulas.operator(id).each_child(|child| open.push(child));
        }
    }
    Some(found)
}

/// A set of terms. Most terms are small: the first few members are kept without hashing.
#[derive(Default)]
struct Seen {
    count: usize,
    first: [Option<TermId>; 12],
    others: FxHashSet<TermId>,
}

impl Seen {
    /// Adds a term, and returns whether it is new.
    fn insert(&mut self, id: TermId) -> bool {
        if self.first.iter().take(self.count).any(|seen| *seen == Some(id)) {
            return false;
        }
        let is_new = match self.first.get_mut(self.count) {
            Some(free) => {
                *free = Some(id);
                true
            }
            None => self.others.insert(id),
        };
        self.count += usize::from(is_new);
        is_new
    }
}

impl Projection {
    /// Returns whether the step leads to a size and not to a part.
    pub fn is_size(&self) -> bool {
        matches!(self, Projection::Length | Projection::TupleSize | Projection::BitSize | Projection::MapSize)
    }
}
