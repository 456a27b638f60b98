//! Constants that a cell cannot be, according to what is known of its parts.

use crate::layout::positions::is_position;
use crate::native::state::Knowledge;
use formula::{Arithmetic, Formulas, Operator, TermId, Test};
use term::Term;

/// The largest number of parts that are looked at for one constant, and of sides of one condition.
const MOST_PARTS: usize = 256;
const MOST_SIDES: usize = 64;

impl Knowledge {
    /// Returns whether the condition, or a side of it if it is a conjunction, says that a cell is a constant that it
    /// cannot be.
    pub fn refutes_constants(&self, formulas: &mut Formulas, condition: TermId) -> bool {
        let mut open = vec![condition];
        for _ in 0..MOST_SIDES {
            let Some(side) = open.pop() else { return false };
            match *formulas.operator(side) {
                Operator::Test(Test::And(a, b)) => open.extend([b, a]),
                Operator::Test(Test::Identical(a, b)) => {
                    for (cell, other) in [(a, b), (b, a)] {
                        if formulas.as_constant(other).is_some()
                            && is_position(formulas, cell)
                            && self.excludes(formulas, cell, other)
                        {
                            return true;
                        }
                    }
                }
                _ => {}
            }
        }
        false
    }

    fn excludes(&self, formulas: &mut Formulas, cell: TermId, constant: TermId) -> bool {
        let mut open = vec![(cell, constant)];
        for _ in 0..MOST_PARTS {
            let Some((cell, constant)) = open.pop() else { return false };
            let Some(value) = formulas.as_constant(constant).cloned() else { continue };
            if !self.admits(formulas, cell, &value) {
                return true;
            }
            // Items are parts of the whole list and not of its rests; numbers are parts of the whole bits and not of
            // slices.
            let whole = match *formulas.operator(cell) {
                Operator::Rest(list, _) => Some(list),
                Operator::BitsSlice { bits, .. } => Some(bits),
                _ => None,
            };
            let hanging = [Some(cell), whole].into_iter().flatten().filter_map(|base| self.parts.get(&base)).flatten();
            for part in hanging {
                if let Some(inner) = same_part(formulas, *part, cell, constant)
                    && inner != constant
                {
                    open.push((*part, inner));
                }
            }
        }
        false
    }
}

/// Returns the value of `part` if `cell` is `constant`. It is a part of `cell`, or of the term of which `cell` is a
/// rest or a slice.
fn same_part(formulas: &mut Formulas, part: TermId, cell: TermId, constant: TermId) -> Option<TermId> {
    match *formulas.operator(part) {
        Operator::Item(list, index) => {
            let index = index.checked_sub(cells_before(formulas, list, cell)?)?;
            Some(formulas.item(constant, index))
        }
        Operator::Rest(list, cells) => {
            let cells = cells.checked_sub(cells_before(formulas, list, cell)?)?;
            Some(formulas.rest(constant, cells))
        }
        Operator::BitsNumber { bits, at, size, format } => {
            let at = place_behind(formulas, bits, at, cell)?;
            Some(formulas.bits_number(constant, at, size, format))
        }
        Operator::Element(tuple, index) if tuple == cell => Some(formulas.element(constant, index)),
        Operator::MapGet { map, key } if map == cell => Some(formulas.map_get(constant, key)),
        Operator::TupleSize(tuple) if tuple == cell => Some(formulas.tuple_size(constant)),
        Operator::MapSize(map) if map == cell => Some(formulas.map_size(constant)),
        Operator::BitSize(bits) if bits == cell => Some(formulas.bit_size(constant)),
        _ => None,
    }
}

/// Returns the number of cells of a list before `cell`, which is the list itself or a rest of it.
fn cells_before(formulas: &Formulas, list: TermId, cell: TermId) -> Option<u32> {
    match *formulas.operator(cell) {
        _ if cell == list => Some(0),
        Operator::Rest(whole, cells) if whole == list => Some(cells),
        _ => None,
    }
}

/// Returns a place in the bits, counted from the beginning of `cell`, which is the bits or a slice of them.
fn place_behind(formulas: &mut Formulas, bits: TermId, at: TermId, cell: TermId) -> Option<TermId> {
    if bits == cell {
        return Some(at);
    }
    let Operator::BitsSlice { bits: whole, at: from, .. } = *formulas.operator(cell) else { return None };
    let (place, first) = (formulas.as_constant(at).and_then(Term::as_int)?, formulas.as_constant(from)?.as_int()?);
    (whole == bits && place >= first).then(|| formulas.arithmetic(Arithmetic::Subtract, at, from))
}
