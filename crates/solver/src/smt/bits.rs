//! Numbers at known places of one bitstring: where they overlap, they are made of the same pieces.

use super::encode::{Encoder, Facet, literal};
use crate::layout::positions::{Projection, last_step};
use formula::{NumberFormat, Operator, TermId};
use num_bigint::{BigInt, Sign};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use term::Term;

struct Part {
    id: TermId,
    at: u64,
    size: u64,
    signed: bool,
    little: bool,
}

/// The largest number of bits of constants that are compared as numbers; longer ones are compared by content.
const LONGEST: usize = 4096;

impl Encoder<'_> {
    /// Encodes that a bitstring is a constant, as a number; `None` if that is impossible.
    pub(super) fn same_bits(&mut self, a: TermId, b: TermId) -> Option<String> {
        let (bits, constant) = match (self.formulas.as_constant(a), self.formulas.as_constant(b)) {
            (Some(_), Some(_)) | (None, None) => return None,
            (Some(constant), None) => (b, constant),
            (None, Some(constant)) => (a, constant),
        };
        let Term::Bits(wanted) = constant else { return None };
        let size = wanted.bit_length();
        if size == 0 || size > LONGEST {
            return None;
        }
        let number = BigInt::from_bytes_be(Sign::Plus, wanted.bytes()) >> (wanted.bytes().len() * 8 - size);
        let (at, size) = (self.formulas.integer(0), self.formulas.integer(size));
        let format = NumberFormat::Integer { signed: false, little: false };
        let place = self.formulas.bits_number(bits, at, size, format);
        if !matches!(self.formulas.operator(place), Operator::BitsNumber { .. }) {
            return None;
        }
        self.speak_of(place);
        let value = self.facet(place, Facet::Integer);
        Some(format!("(= {value} {})", literal(&number)))
    }

    pub(super) fn connect_numbers(&mut self) {
        let mut of: FxHashMap<TermId, Vec<Part>> = FxHashMap::default();
        let spoken: BTreeSet<TermId> = self.names.values().map(|(id, _)| *id).collect();
        for id in spoken {
            if let Some((base, Projection::Number { at, size, format: NumberFormat::Integer { signed, little } })) =
                last_step(self.formulas, id)
                && size > 0
            {
                of.entry(base).or_default().push(Part { id, at, size, signed, little });
            }
        }
        let mut all: Vec<(TermId, Vec<Part>)> = of.into_iter().collect();
        all.sort_by_key(|(base, _)| *base);
        for (base, mut parts) in all {
            parts.sort_by_key(|part| (part.at, part.size));
            let overlap = parts.iter().zip(parts.iter().skip(1)).any(|(a, b)| a.at + a.size > b.at);
            if overlap {
                self.connect_parts(base, &parts);
            }
        }
    }

    fn connect_parts(&mut self, base: TermId, parts: &[Part]) {
        let mut bounds = BTreeSet::new();
        for part in parts {
            bounds.extend([part.at, part.at + part.size]);
            if part.little {
                bounds.extend((0..part.size.div_ceil(8)).map(|byte| part.at + byte * 8));
            }
        }
        let bounds: Vec<u64> = bounds.into_iter().collect();
        let mut pieces = Vec::new();
        for (from, to) in bounds.iter().zip(bounds.iter().skip(1)) {
            if !parts.iter().any(|part| part.at <= *from && *to <= part.at + part.size) {
                continue;
            }
            let name = format!("z{}_{from}", base.number());
            let limit = BigInt::from(1) << (to - from);
            self.line(format_args!("(declare-const {name} Int)"));
            self.line(format_args!("(assert (and (<= 0 {name}) (< {name} {limit})))"));
            pieces.push((*from, *to, name));
        }
        for part in parts {
            let end = part.at + part.size;
            let mut sum = vec!["0".to_string()];
            for (from, to, name) in pieces.iter().filter(|(from, to, _)| part.at <= *from && *to <= end) {
                let weight = if part.little {
                    // The bits of a byte keep their order, while later bytes have higher weights; the last byte may be
                    // incomplete.
                    let byte = (from - part.at) / 8;
                    let byte_end = (part.at + (byte + 1) * 8).min(end);
                    byte * 8 + (byte_end - to)
                } else {
                    end - to
                };
                sum.push(format!("(* {} {name})", BigInt::from(1) << weight));
            }
            let whole = format!("(+ {})", sum.join(" "));
            let value = self.facet(part.id, Facet::Integer);
            if part.signed {
                let (half, full) = (BigInt::from(1) << (part.size - 1), BigInt::from(1) << part.size);
                self.line(format_args!("(assert (= {whole} (ite (< {value} 0) (+ {value} {full}) {value})))"));
                self.line(format_args!("(assert (< {value} {half}))"));
            } else {
                self.line(format_args!("(assert (= {value} {whole}))"));
            }
        }
    }
}
