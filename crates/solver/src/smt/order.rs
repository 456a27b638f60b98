//! The order of terms: kinds, then values, then parts from the first one on.

use super::encode::{Encoder, Facet, LONGEST, all_of, any_of, kind_number};
use crate::layout::positions::{Projection, last_step};
use crate::native::sets::{KINDS_IN_ORDER, integer};
use formula::{Kinds, NumberFormat, Operator, TermId};
use num_traits::ToPrimitive;
use term::Term;

/// The number of parts that are compared in structures of which nothing is known.
const FIRST: u32 = 3;
/// The number of bytes that are compared in bitstrings of which nothing is known.
const FIRST_BYTES: u64 = 8;
/// The depth up to which structures are compared; deeper ones are in any order.
const DEEPEST_ORDER: u32 = 4;
/// The largest number of comparisons of parts for one query: nested structures have many.
const MOST: u32 = 400;
/// The depth at which equality starts where the order of a whole depends on it, so that it does not look far down.
const EQUALITY: u32 = super::compare::DEEPEST - DEEPEST_ORDER - 1;

impl Encoder<'_> {
    pub(super) fn less(&mut self, a: TermId, b: TermId, deep: u32) -> String {
        if a == b {
            return "false".to_string();
        }
        self.compared += 1;
        let (x, y) = (self.kinds(a), self.kinds(b));
        let mut ways = Vec::new();
        for (place, kind) in KINDS_IN_ORDER.iter().enumerate() {
            if !kind.meets(x) {
                continue;
            }
            let above = KINDS_IN_ORDER.iter().skip(place + 1).fold(Kinds::NONE, |all, other| all.or(*other)).and(y);
            let is = self.is_kind(a, *kind);
            if !above.is_empty() {
                let beyond = self.is_kind(b, above);
                ways.push(all_of(&[is.clone(), beyond]));
            }
            if kind.meets(y) {
                let both = self.is_kind(b, *kind);
                let free = self.fresh;
                let mut within = self.less_of_kind(a, b, *kind, deep);
                if self.fresh > free {
                    // Whatever is left open is at least an order.
                    within = self.named(&within);
                    let (first, second) = (self.facet(a, Facet::Order), self.facet(b, Facet::Order));
                    self.line(format_args!("(assert (=> (and {is} {both}) (= {within} (< {first} {second}))))"));
                    if !x.or(y).within(*kind) {
                        self.wish(format!("(not (and {is} {both}))"));
                    }
                }
                ways.push(all_of(&[is, both, within]));
            }
        }
        any_of(&ways)
    }

    fn less_of_kind(&mut self, a: TermId, b: TermId, kind: Kinds, deep: u32) -> String {
        let parts = deep < DEEPEST_ORDER && self.compared < MOST;
        match kind {
            Kinds::NUMBER => {
                if self.kinds(a).or(self.kinds(b)).and(Kinds::NUMBER).within(Kinds::INTEGER) {
                    return format!("(< {} {})", self.facet(a, Facet::Integer), self.facet(b, Facet::Integer));
                }
                // Integers are compared as integers, because reals cost the solver more.
                let whole = all_of(&[self.is_kind(a, Kinds::INTEGER), self.is_kind(b, Kinds::INTEGER)]);
                let integers = format!("(< {} {})", self.facet(a, Facet::Integer), self.facet(b, Facet::Integer));
                let reals = format!("(< {} {})", self.real(a), self.real(b));
                format!("(ite {whole} {integers} {reals})")
            }
            Kinds::ATOM => format!("(< {} {})", self.facet(a, Facet::Atom), self.facet(b, Facet::Atom)),
            Kinds::NIL => "false".to_string(),
            Kinds::TUPLE => {
                let (x, y) = (self.facet(a, Facet::TupleSize), self.facet(b, Facet::TupleSize));
                let within = if parts { self.less_elements(a, b, 0, deep) } else { self.free_condition() };
                format!("(or (< {x} {y}) (and (= {x} {y}) {within}))")
            }
            Kinds::MAP => {
                let (m, n) = (self.formulas.map_size(a), self.formulas.map_size(b));
                self.speak_of(m);
                self.speak_of(n);
                let (m, n) = (self.facet(m, Facet::Integer), self.facet(n, Facet::Integer));
                let within = self.free_condition();
                format!("(or (< {m} {n}) (and (= {m} {n}) (> {m} 0) {within}))")
            }
            Kinds::CONS if parts => self.less_items(a, b, 0, deep),
            Kinds::BITS if parts => self.less_bytes(a, b, 0),
            _ => self.free_condition(),
        }
    }

    /// Returns the two conditions that decide about a pair of parts: that `x` is less, and that both are the same. From
    /// then on both count as mentioned.
    fn less_parts(&mut self, x: TermId, y: TermId, deep: u32) -> (String, String) {
        self.speak_of(x);
        self.speak_of(y);
        (self.less(x, y, deep + 1), self.same(x, y, true, EQUALITY + deep))
    }

    /// Encodes the order of tuples of the same size, from the element at `place` on: the first elements that differ
    /// decide.
    fn less_elements(&mut self, a: TermId, b: TermId, place: u32, deep: u32) -> String {
        let size = self.facet(a, Facet::TupleSize);
        let sizes = [self.tuple_size(a), self.tuple_size(b)];
        if sizes.into_iter().flatten().any(|size| size <= place as usize) {
            return "false".to_string();
        }
        let known = sizes.into_iter().flatten().next().is_some() || self.has_part(a, place) || self.has_part(b, place);
        let decided = if known && (place as usize) < LONGEST && self.compared < MOST {
            let (x, y) = (self.formulas.element(a, place), self.formulas.element(b, place));
            let (less, same) = self.less_parts(x, y, deep);
            let behind = self.less_elements(a, b, place + 1, deep);
            format!("(or {less} (and {same} {behind}))")
        } else {
            self.free_condition()
        };
        format!("(and (> {size} {place}) {decided})")
    }

    fn has_part(&self, tuple: TermId, place: u32) -> bool {
        self.parts.get(&tuple).into_iter().flatten().any(
            |part| matches!(last_step(self.formulas, *part), Some((_, Projection::Element(index))) if index == place),
        )
    }

    /// Encodes the order of lists, from the cell at `place` on: where one list has ended, its end is compared with the
    /// cell of the other.
    fn less_items(&mut self, a: TermId, b: TermId, place: u32, deep: u32) -> String {
        let ((first, all_first), (second, all_second)) = (self.items(a), self.items(b));
        let known = first.contains(&place) || second.contains(&place);
        let ended = all_first && first.len() <= place as usize || all_second && second.len() <= place as usize;
        let (m, n) = (self.facet(a, Facet::Cells), self.facet(b, Facet::Cells));
        let (end, other_end) = (self.facet(a, Facet::End), self.facet(b, Facet::End));
        let (nil, bits) = (kind_number(Kinds::NIL), kind_number(Kinds::BITS));
        let both_ended = self.less_ends(&end, &other_end, nil);
        let one_ended = format!(
            "(ite (> {m} {place}) (= {other_end} {bits}) (ite (> {n} {place}) (not (= {end} {bits})) {both_ended}))"
        );
        if ended {
            return one_ended;
        }
        // If the terms need not be lists, models with terms of other kinds are preferred.
        let typed = self.kinds(a).or(self.kinds(b)).within(Kinds::LIST);
        let expand = known && (place as usize) < LONGEST || deep == 0 && typed && place < FIRST;
        let within = if expand && self.compared < MOST {
            let (x, y) = (self.formulas.item(a, place), self.formulas.item(b, place));
            let (less, same) = self.less_parts(x, y, deep);
            let behind = self.less_items(a, b, place + 1, deep);
            format!("(or {less} (and {same} {behind}))")
        } else {
            self.free_condition()
        };
        format!("(ite (and (> {m} {place}) (> {n} {place})) {within} {one_ended})")
    }

    /// Encodes the order of two lists that have both ended: the kinds of their ends decide, unless they are the same.
    fn less_ends(&mut self, end: &str, other: &str, nil: u32) -> String {
        let rank = |name: &str| {
            KINDS_IN_ORDER.iter().enumerate().fold("0".to_string(), |rest, (rank, kinds)| {
                let is: Vec<String> = kinds.each().map(|kind| format!("(= {name} {})", kind_number(kind))).collect();
                format!("(ite {} {rank} {rest})", any_of(&is))
            })
        };
        if end == other || end == nil.to_string() && other == nil.to_string() {
            return "false".to_string();
        }
        let within = self.free_condition();
        let (x, y) = (rank(end), rank(other));
        format!("(ite (and (= {end} {nil}) (= {other} {nil})) false (or (< {x} {y}) (and (= {x} {y}) {within})))")
    }

    /// Encodes the order of bitstrings, from the byte at `place` on. The bits after the last whole byte are in any
    /// order.
    fn less_bytes(&mut self, a: TermId, b: TermId, place: u64) -> String {
        let (x, y) = (self.facet(a, Facet::BitSize), self.facet(b, Facet::BitSize));
        let (from, to) = (place * 8, place * 8 + 8);
        let known = [a, b].into_iter().filter_map(|id| self.most_bits(id)).min();
        let partial = if self.is_binary(a) && self.is_binary(b) { None } else { Some(self.free_condition()) };
        let one_ended = match partial {
            None => format!("(< {x} {y})"),
            // A bitstring that has ended right here is the shorter one.
            Some(partial) => format!("(ite (= {x} {from}) (> {y} {from}) (ite (= {y} {from}) false {partial}))"),
        };
        if known.is_some_and(|most| most < to) {
            return one_ended;
        }
        let typed = self.kinds(a).or(self.kinds(b)).within(Kinds::BITS);
        let most = match known {
            Some(_) => LONGEST as u64,
            None if typed => FIRST_BYTES,
            None => 0,
        };
        let within = if place < most {
            let mut byte = |id: TermId| {
                let (at, size) = (self.formulas.integer(from), self.formulas.integer(8));
                let format = NumberFormat::Integer { signed: false, little: false };
                let byte = self.formulas.bits_number(id, at, size, format);
                self.speak_of(byte);
                self.facet(byte, Facet::Integer)
            };
            let (first, second) = (byte(a), byte(b));
            let behind = self.less_bytes(a, b, place + 1);
            format!("(or (< {first} {second}) (and (= {first} {second}) {behind}))")
        } else {
            self.free_condition()
        };
        format!("(ite (and (>= {x} {to}) (>= {y} {to})) {within} {one_ended})")
    }

    /// Returns an upper bound of the number of bits, if one is certain.
    fn most_bits(&mut self, id: TermId) -> Option<u64> {
        match self.formulas.as_constant(id) {
            Some(Term::Bits(bits)) => Some(bits.bit_length() as u64),
            _ => None,
        }
    }

    /// Returns whether a term is certainly made of whole bytes.
    fn is_binary(&self, id: TermId) -> bool {
        match self.formulas.operator(id) {
            Operator::Constant(constant) => matches!(&constant.0, Term::Bits(bits) if bits.is_binary()),
            Operator::Bits(parts) => parts.iter().all(|part| match part.size {
                Some(size) => self
                    .formulas
                    .as_constant(size)
                    .and_then(integer)
                    .and_then(|size| size.to_u64())
                    .is_some_and(|size| size % 8 == 0),
                None => self.is_binary(part.value),
            }),
            _ => {
                let types = self.formulas.types_of(id);
                crate::layout::positions::is_position(self.formulas, id)
                    && !types.is_empty()
                    && types.iter().all(|of| {
                        let node = self.formulas.types().node(*of);
                        node.opaque.is_empty() && node.bits.iter().all(|bits| bits.base % 8 == 0 && bits.unit % 8 == 0)
                    })
            }
        }
    }
}
