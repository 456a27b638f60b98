//! Random choices and values, for clients that know only the specifications. They are the baseline for searches.

use formula::{Atoms, Range, TypeId, Types};
use term::{Atom, Term};

/// A generator of random numbers (xorshift).
pub(crate) struct Random(u64);

/// The greatest length of lists; texts are shorter. `DEEPEST` is the depth up to which structures are nested.
const LONGEST: u64 = 4;
const DEEPEST: u32 = 4;
/// Names for atoms that may have any name. There are few, so that some atoms are equal.
const NAMES: [&str; 4] = ["a", "b", "c", "d"];
/// The usual range of numbers; one integer in eight has a larger range.
const NUMBERS: u64 = 16;

impl Random {
    pub fn new(seed: u64) -> Random {
        // Spreads seeds that are close to each other.
        Random(seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % limit.max(1)
    }

    /// Returns a random term of a type. `None` if none was found.
    pub fn term(&mut self, types: &Types, of: TypeId) -> Option<Term> {
        self.part(types, of, 0).or_else(|| types.smallest(of))
    }

    fn part(&mut self, types: &Types, of: TypeId, depth: u32) -> Option<Term> {
        if of == Types::ANY {
            return Some(match self.below(4) {
                0 => Term::Atom(self.name()),
                1 => Term::binary(self.bytes()),
                _ => Term::Int(self.below(NUMBERS) as i64),
            });
        }
        let node = types.node(of);
        let mut ways: Vec<u32> = Vec::new();
        let mut way = |number: u32, is_there: bool| ways.extend(is_there.then_some(number));
        way(0, !node.integers.is_empty());
        way(1, node.atoms != Atoms::default());
        way(2, node.nil);
        way(3, !node.cons.is_empty() && depth < DEEPEST);
        way(4, !node.tuples.is_empty() && depth < DEEPEST);
        way(5, !node.bits.is_empty());
        way(6, node.floats);
        match *ways.get(self.below(ways.len() as u64) as usize)? {
            0 => self.integer(&node.integers),
            1 => Some(Term::Atom(match &node.atoms {
                Atoms::All => self.name(),
                Atoms::These(atoms) => *atoms.get(self.below(atoms.len() as u64) as usize)?,
            })),
            2 => Some(Term::Nil),
            3 => {
                let cell = node.cons[self.below(node.cons.len() as u64) as usize];
                let count = 1 + self.below(LONGEST);
                let items: Option<Vec<Term>> = (0..count).map(|_| self.part(types, cell.head, depth + 1)).collect();
                Some(Term::list(items?)).filter(|list| types.contains(of, list))
            }
            4 => {
                let parts = &node.tuples[self.below(node.tuples.len() as u64) as usize];
                let parts: Option<Vec<Term>> = parts.iter().map(|part| self.part(types, *part, depth + 1)).collect();
                Some(Term::tuple(parts?))
            }
            5 => Some(Term::binary(self.bytes())).filter(|bits| types.contains(of, bits)),
            _ => Some(Term::Float(self.below(NUMBERS) as f64)),
        }
    }

    fn name(&mut self) -> Atom {
        Atom::new(NAMES[self.below(NAMES.len() as u64) as usize])
    }

    fn bytes(&mut self) -> Vec<u8> {
        (0..self.below(LONGEST)).map(|_| b'a' + self.below(4) as u8).collect()
    }

    fn integer(&mut self, ranges: &[Range]) -> Option<Term> {
        let range = &ranges[self.below(ranges.len() as u64) as usize];
        let bound = |bound: &Option<term::BigInt>| bound.as_ref().and_then(|bound| i64::try_from(bound).ok());
        let (low, high) = (bound(&range.low), bound(&range.high));
        let wide = if self.below(8) == 0 { 1 << 20 } else { NUMBERS };
        Some(Term::Int(match (low, high) {
            (Some(low), Some(high)) => {
                let span = (high.saturating_sub(low)).unsigned_abs().saturating_add(1);
                let span = if self.below(2) == 0 { span } else { span.min(wide) };
                low + self.below(span) as i64
            }
            (Some(low), None) => low + self.below(wide) as i64,
            (None, Some(high)) => high - self.below(wide) as i64,
            (None, None) => self.below(2 * wide) as i64 - wide as i64,
        }))
    }
}
