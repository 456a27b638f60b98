//! `band`, `bor`, `bxor` and shifts of two unknowns. Integers have no width: the lowest bits are encoded one by one,
//! and the part above them as one integer, for which the operation is exact if it is 0 or -1 (all zeros or all ones)
//! and bounded otherwise. So nothing possible is excluded, whatever the width.

use super::arithmetic::masked;
use super::encode::{Encoder, Facet, all_of, literal};
use crate::native::sets::integer;
use formula::{Arithmetic, Kinds, Operator, TermId};
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use rustc_hash::FxHashMap;

/// Numbers of bits that are encoded one by one: the least and the most if nothing bounds the operands, and the most in
/// any case.
const USUAL: u64 = 16;
const LARGEST_USUAL: u64 = 64;
const WIDEST: u64 = 128;
/// The amounts for which shifts by an unknown amount are encoded; more if the amount has few values.
const NEAREST_SHIFT: i64 = -8;
const FARTHEST_SHIFT: i64 = 64;
const MOST_SHIFTS: i64 = 300;
/// The largest shift by which integers certainly stay far below the largest possible ones.
const MODEST: u32 = 4096;

/// An integer as its lowest bits, the first of weight 1, and the part above them.
#[derive(Clone)]
struct Pieces {
    bits: Vec<String>,
    above: String,
    /// The value of the part above, if it is known.
    fixed: Option<BigInt>,
}

#[derive(Default)]
pub(super) struct Bitwise {
    /// The operations of two unknowns in the conditions, by their operands.
    operands: Vec<TermId>,
    largest_constant: u64,
    width: Option<u64>,
    pieces: FxHashMap<TermId, Pieces>,
}

impl Bitwise {
    /// Takes note of a term of the conditions.
    pub fn survey(&mut self, formulas: &formula::Formulas, id: TermId) {
        match *formulas.operator(id) {
            Operator::Arithmetic(Arithmetic::BitAnd | Arithmetic::BitOr | Arithmetic::BitXor, a, b)
                if formulas.as_constant(a).is_none() && formulas.as_constant(b).is_none() =>
            {
                self.operands.extend([a, b]);
            }
            Operator::Constant(ref constant) => {
                let bits = integer(&constant.0).map_or(0, |value| value.bits());
                self.largest_constant = self.largest_constant.max(bits);
            }
            _ => {}
        }
    }
}

impl Encoder<'_> {
    /// Encodes an operation of two unknowns, or of one whose bits have names.
    pub(super) fn bits_of_two(
        &mut self,
        id: TermId,
        operation: Arithmetic,
        left: TermId,
        right: TermId,
    ) -> Option<String> {
        let is_constant = |this: &Self, id: TermId| this.formulas.as_constant(id).is_some();
        let known = |this: &Self, id: TermId| this.bitwise.pieces.contains_key(&id);
        let both = !is_constant(self, left) && !is_constant(self, right);
        if !both && !known(self, left) && !known(self, right) {
            return None;
        }
        let (a, b) = (self.pieces(left), self.pieces(right));
        let name = match operation {
            Arithmetic::BitAnd => "and",
            Arithmetic::BitOr => "or",
            _ => "xor",
        };
        let mut bits = Vec::new();
        for (index, (x, y)) in a.bits.iter().zip(&b.bits).enumerate() {
            bits.push(match (operation, x.as_str(), y.as_str()) {
                (Arithmetic::BitAnd, "false", _) | (Arithmetic::BitAnd, _, "false") => "false".to_string(),
                (Arithmetic::BitAnd, "true", other) | (Arithmetic::BitAnd, other, "true") => other.to_string(),
                (Arithmetic::BitOr, "true", _) | (Arithmetic::BitOr, _, "true") => "true".to_string(),
                (_, "false", other) | (_, other, "false") => other.to_string(),
                (Arithmetic::BitXor, "true", "true") => "false".to_string(),
                _ => {
                    let bit = format!("q{}_{index}", id.number());
                    self.line(format_args!("(define-fun {bit} () Bool ({name} {x} {y}))"));
                    bit
                }
            });
        }
        let both_above = self.and_above(id, &a, &b);
        let above = match operation {
            Arithmetic::BitAnd => both_above,
            Arithmetic::BitOr => format!("(- (+ {} {}) {both_above})", a.above, b.above),
            _ => format!("(- (+ {} {}) (* 2 {both_above}))", a.above, b.above),
        };
        let name = format!("u{}", id.number());
        self.line(format_args!("(define-fun {name} () Int {above})"));
        let pieces = Pieces { bits, above: name, fixed: None };
        let sum = sum(&pieces);
        self.bitwise.pieces.insert(id, pieces);
        self.bound_operation(operation, left, right, &sum);
        Some(sum)
    }

    /// Asserts what holds for integers of any size. It follows from the rest, but the solver would find it late.
    fn bound_operation(&mut self, operation: Arithmetic, left: TermId, right: TermId, result: &str) {
        let (a, b) = (self.facet(left, Facet::Integer), self.facet(right, Facet::Integer));
        let definition = match operation {
            Arithmetic::BitAnd => format!(
                "(let ((r {result})) (and (=> (>= {a} 0) (<= 0 r {a})) (=> (>= {b} 0) (<= 0 r {b})) (=> (and (< {a} 0) (< {b} 0)) (and (<= r {a}) (<= r {b})))))"
            ),
            Arithmetic::BitOr => format!(
                "(let ((r {result})) (and (=> (< {a} 0) (<= {a} r (- 1))) (=> (< {b} 0) (<= {b} r (- 1))) (=> (and (>= {a} 0) (>= {b} 0)) (and (>= r {a}) (>= r {b}) (<= r (+ {a} {b}))))))"
            ),
            _ => format!(
                "(let ((r {result})) (and (= (= (>= {a} 0) (>= {b} 0)) (>= r 0)) (= (= r 0) (= {a} {b})) (=> (and (>= {a} 0) (>= {b} 0)) (<= r (+ {a} {b})))))"
            ),
        };
        self.line(format_args!("(assert {definition})"));
    }

    /// Encodes `band` of the parts above the bits.
    fn and_above(&mut self, id: TermId, a: &Pieces, b: &Pieces) -> String {
        match (&a.fixed, &b.fixed) {
            (Some(mask), _) => return masked(&b.above, mask),
            (_, Some(mask)) => return masked(&a.above, mask),
            _ => {}
        }
        let (x, y) = (&a.above, &b.above);
        let name = format!("v{}", id.number());
        self.line(format_args!("(declare-const {name} Int)"));
        let signs = format!("(ite (or (>= {x} 0) (>= {y} 0)) (>= {name} 0) (and (<= {name} {x}) (<= {name} {y})))");
        let bounds = format!("(and {signs} (=> (>= {x} 0) (<= {name} {x})) (=> (>= {y} 0) (<= {name} {y})))");
        let mut definition = bounds;
        for (case, result) in [
            (format!("(= {x} {y})"), x.as_str()),
            (format!("(= {y} (- 1))"), x.as_str()),
            (format!("(= {x} (- 1))"), y.as_str()),
            (format!("(or (= {x} 0) (= {y} 0))"), "0"),
        ] {
            definition = format!("(ite {case} (= {name} {result}) {definition})");
        }
        self.line(format_args!("(assert {definition})"));
        name
    }

    fn pieces(&mut self, id: TermId) -> Pieces {
        let width = self.width();
        if let Some(value) = self.formulas.as_constant(id).and_then(integer) {
            let bits = (0..width).map(|index| value.bit(index).to_string()).collect();
            let above = value >> width;
            return Pieces { bits, above: literal(&above), fixed: Some(above) };
        }
        // Encoding the value may give names to its bits.
        let value = self.facet(id, Facet::Integer);
        if let Some(pieces) = self.bitwise.pieces.get(&id) {
            return pieces.clone();
        }
        let names: Vec<String> = (0..width).map(|index| format!("q{}_{index}", id.number())).collect();
        for name in &names {
            self.line(format_args!("(declare-const {name} Bool)"));
        }
        let above = format!("u{}", id.number());
        self.line(format_args!("(declare-const {above} Int)"));
        let pieces = Pieces { bits: names, above: above.clone(), fixed: None };
        self.line(format_args!("(assert (= {value} {}))", sum(&pieces)));
        self.wish(format!("(or (= {above} 0) (= {above} (- 1)))"));
        self.bitwise.pieces.insert(id, pieces.clone());
        pieces
    }

    /// Returns the number of bits, which is the same for all operations so that each term has its bits once.
    fn width(&mut self) -> u64 {
        if let Some(width) = self.bitwise.width {
            return width;
        }
        let unknown = self.bitwise.largest_constant.clamp(USUAL, LARGEST_USUAL);
        let operands = std::mem::take(&mut self.bitwise.operands);
        let needed = operands.into_iter().map(|id| self.range(id).bits().unwrap_or(unknown));
        let width = needed.max().unwrap_or(unknown).clamp(1, WIDEST);
        self.bitwise.width = Some(width);
        width
    }

    /// Encodes that the result of a shift is not larger than integers may be. Operands are never near that limit, so it
    /// holds for all amounts that are not large, as it does for sums and products.
    pub(super) fn shift_defined(&mut self, left: bool, value: TermId, by: TermId) -> String {
        let whole = all_of(&[self.is_kind(value, Kinds::INTEGER), self.is_kind(by, Kinds::INTEGER)]);
        let (a, b) = (self.facet(value, Facet::Integer), self.facet(by, Facet::Integer));
        let near = if left { format!("(<= {b} {MODEST})") } else { format!("(>= {b} (- {MODEST}))") };
        let free = self.free_condition();
        format!("(or (and {whole} (or (= {a} 0) {near})) {free})")
    }

    /// Encodes a shift by an unknown amount.
    pub(super) fn shifted(&mut self, id: TermId, left: bool, value: TermId, by: TermId) -> String {
        let range = self.range(by);
        let end = |end: &Option<BigInt>| end.as_ref().and_then(|end| end.to_i64());
        let (from, to) = match (end(&range.low), end(&range.high)) {
            (Some(low), Some(high)) if high.saturating_sub(low) < MOST_SHIFTS && low.unsigned_abs() < 4096 => {
                (low, high)
            }
            (low, high) => (
                low.map_or(NEAREST_SHIFT, |low| low.max(NEAREST_SHIFT)),
                high.map_or(FARTHEST_SHIFT, |high| high.min(FARTHEST_SHIFT)),
            ),
        };
        let (a, b) = (self.facet(value, Facet::Integer), self.facet(by, Facet::Integer));
        let name = format!("sh{}", id.number());
        self.line(format_args!("(declare-const {name} Int)"));
        for amount in from..=to {
            let power = BigInt::from(1) << amount.unsigned_abs();
            let result = if left == (amount >= 0) { format!("(* {a} {power})") } else { format!("(div {a} {power})") };
            let amount = literal(&amount.into());
            self.line(format_args!("(assert (=> (= {b} {amount}) (= {name} {result})))"));
        }
        // Whatever the amount, the sign stays the same, and the result is on the side of the operand to which it is
        // shifted.
        let (up, down) = if left { (">=", "<=") } else { ("<=", ">=") };
        self.line(format_args!("(assert (= (>= {a} 0) (>= {name} 0)))"));
        self.line(format_args!("(assert (=> (= {a} 0) (= {name} 0)))"));
        self.line(format_args!(
            "(assert (ite (>= {b} 0) (ite (>= {a} 0) ({up} {name} {a}) ({down} {name} {a})) (ite (>= {a} 0) ({down} {name} {a}) ({up} {name} {a}))))"
        ));
        name
    }
}

fn sum(pieces: &Pieces) -> String {
    let mut parts = Vec::new();
    for (index, bit) in pieces.bits.iter().enumerate() {
        let weight = BigInt::from(1) << index;
        match bit.as_str() {
            "false" => {}
            "true" => parts.push(weight.to_string()),
            bit => parts.push(format!("(ite {bit} {weight} 0)")),
        }
    }
    let unit = BigInt::from(1) << pieces.bits.len();
    format!("(+ 0 (* {unit} {}) {})", pieces.above, parts.join(" "))
}
