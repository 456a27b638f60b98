//! Solves equalities of integers bit by bit.
//!
//! An integer that is far from its zero by value may be near it in another geometry. The lowest bits of sums and
//! products depend on the lowest bits only, so a zero is found from there upwards. Exclusive ors and shifts are linear
//! in the bits, so which bits to flip is a system of equations.

use super::Walk;
use super::goal::Target;
use super::parameters::{LIFTED, MOST_BITS};
use super::value::Value;

/// The number of integers that are lifted together: each has two values for a bit.
const TOGETHER: usize = 2;
/// The number of rounds of flips; only the first is needed if everything is linear.
const FLIP_ROUNDS: usize = 4;

impl Walk<'_> {
    /// Tries both ways for violated equalities, and returns whether that led to a solution. If not, the place is the
    /// same or a better one.
    pub(super) fn by_bits(&mut self) -> bool {
        let leaves: Vec<usize> = (0..self.point.leaves.len())
            .filter(|leaf| matches!(self.point.leaves.get(*leaf), Some(Value::Int(_))))
            .collect();
        if leaves.is_empty() || !self.point.ground.tape.has_bits() || self.apart().is_none() {
            return false;
        }
        self.flip(&leaves) || self.lift(&leaves)
    }

    /// Returns the bits in which the two sides of the violated equalities of integers differ; `None` if there is no
    /// difference.
    fn apart(&self) -> Option<Vec<u64>> {
        let mut words = Vec::new();
        for target in self.point.targets() {
            if let Target::Difference(a, b, 0.0) = target
                && let (Some(Value::Int(a)), Some(Value::Int(b))) =
                    (self.point.values.get(a as usize), self.point.values.get(b as usize))
            {
                words.push((a ^ b) as u64);
            }
        }
        words.iter().any(|word| *word != 0).then_some(words)
    }

    /// Flips the bits that together remove the differences, as if each had its effect independently of the others.
    fn flip(&mut self, leaves: &[usize]) -> bool {
        for _ in 0..FLIP_ROUNDS {
            let start = self.point.leaves.clone();
            let before = self.point.score();
            let Some(apart) = self.apart() else { break };
            let mut bits: Vec<(usize, u32)> = Vec::new();
            for leaf in leaves {
                bits.extend((0..MOST_BITS).filter(|bit| self.flipped(*leaf, *bit).is_some()).map(|bit| (*leaf, bit)));
            }
            // Chance decides which of several solutions is found.
            for at in (1..bits.len()).rev() {
                bits.swap(at, self.random.below(at + 1));
            }
            let mut rows: Vec<(Vec<u64>, Vec<usize>)> = Vec::new();
            for (number, (leaf, bit)) in bits.iter().enumerate() {
                let (Some(old), Some(new)) = (start.get(*leaf).cloned(), self.flipped(*leaf, *bit)) else { continue };
                self.point.set(*leaf, new);
                let there = self.words(apart.len());
                self.point.set(*leaf, old);
                let Some(there) = there else { continue };
                let row =
                    reduced(there.iter().zip(&apart).map(|(there, here)| there ^ here).collect(), vec![number], &rows);
                if row.0.iter().any(|word| *word != 0) {
                    rows.push(row);
                }
                if self.is_over() {
                    return false;
                }
            }
            let (left, chosen) = reduced(apart, Vec::new(), &rows);
            if left.iter().any(|word| *word != 0) {
                break;
            }
            let mut next = start.clone();
            for number in chosen {
                if let Some((leaf, bit)) = bits.get(number)
                    && let Some(Value::Int(value)) = next.get_mut(*leaf)
                {
                    *value ^= 1 << bit;
                }
            }
            for leaf in leaves {
                if let Some(place) = next.get_mut(*leaf)
                    && let Some(near) = self.point.allowed(*leaf, place)
                {
                    *place = near;
                }
            }
            self.point.set_all(&next);
            if self.point.is_solution() {
                return true;
            }
            if self.point.score() > before && self.random.chance(0.5) {
                self.point.set_all(&start);
            }
        }
        false
    }

    /// Returns the differing bits if there are `count` words of them, as before; `None` if there are other words now.
    fn words(&self, count: usize) -> Option<Vec<u64>> {
        match self.apart() {
            Some(words) if words.len() == count => Some(words),
            None => Some(vec![0; count]),
            Some(_) => None,
        }
    }

    /// Returns the integer with one bit flipped, if its domain allows that.
    fn flipped(&self, leaf: usize, bit: u32) -> Option<Value> {
        let Some(Value::Int(old)) = self.point.leaves.get(leaf) else { return None };
        let new = Value::Int(old ^ (1 << bit));
        (self.point.allowed(leaf, &new)? == new).then_some(new)
    }

    /// Finds solutions of the lowest bit, then of one more bit, and so on.
    fn lift(&mut self, leaves: &[usize]) -> bool {
        let start = self.point.leaves.clone();
        let mut chosen = leaves.to_vec();
        while chosen.len() > TOGETHER {
            chosen.swap_remove(self.random.below(chosen.len()));
        }
        let mut partial: Vec<Vec<Value>> = vec![start.clone()];
        for bit in 0..MOST_BITS {
            let mut next: Vec<Vec<Value>> = Vec::new();
            for leaves in &partial {
                for combination in 0..1usize << chosen.len() {
                    let mut tried = leaves.clone();
                    for (number, leaf) in chosen.iter().enumerate() {
                        if let Some(Value::Int(value)) = tried.get_mut(*leaf) {
                            *value = *value & !(1 << bit) | ((combination >> number & 1) as i128) << bit;
                        }
                    }
                    self.point.set_all(&tried);
                    let is_inside = chosen.iter().all(|leaf| {
                        tried.get(*leaf).is_some_and(|value| self.point.allowed(*leaf, value).as_ref() == Some(value))
                    });
                    if is_inside && self.point.is_solution() {
                        return true;
                    }
                    let low = u64::MAX >> (63 - bit.min(63));
                    if self.apart().is_none_or(|words| words.iter().all(|word| word & low == 0)) {
                        next.push(tried);
                    }
                    if self.is_over() {
                        self.point.set_all(&start);
                        return false;
                    }
                }
            }
            while next.len() > LIFTED {
                next.swap_remove(self.random.below(next.len()));
            }
            if next.is_empty() {
                break;
            }
            partial = next;
        }
        self.point.set_all(&start);
        false
    }
}

/// Reduces a row of a system over two elements: clears the leading bits of the other rows, and returns of which rows
/// the result is the sum.
fn reduced(mut row: Vec<u64>, mut of: Vec<usize>, rows: &[(Vec<u64>, Vec<usize>)]) -> (Vec<u64>, Vec<usize>) {
    for (other, parts) in rows {
        let Some((word, bit)) = leading(other) else { continue };
        if row.get(word).is_some_and(|bits| bits >> bit & 1 != 0) {
            row.iter_mut().zip(other).for_each(|(bits, other)| *bits ^= other);
            for part in parts {
                match of.iter().position(|known| known == part) {
                    Some(at) => {
                        of.swap_remove(at);
                    }
                    None => of.push(*part),
                }
            }
        }
    }
    (row, of)
}

fn leading(row: &[u64]) -> Option<(usize, u32)> {
    let word = row.iter().position(|word| *word != 0)?;
    Some((word, 63 - row.get(word)?.leading_zeros()))
}
