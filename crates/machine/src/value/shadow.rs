//! Finds and removes shadows in values.
//!
//! A symbolic box represents a whole value: its contents have no shadows inside. Literals of the program are outside
//! the heap and never have any. Depth and sharing of data do not matter: the walks keep their own stacks, and record
//! the visited parts as soon as there are many.

use super::heap::Heap;
use super::word::{Kind, Word};
use rustc_hash::{FxHashMap, FxHashSet};

/// The number of parts that a walk visits before it records which ones it has visited.
const UNREMEMBERED: usize = 256;
/// The number of parts, and the depth, up to which the walk needs no list of parts to visit.
pub(crate) const FEW_PARTS: usize = 64;
pub(crate) const DEEPEST: usize = 8;

impl Heap {
    /// Returns whether any value of this run has a shadow.
    #[inline]
    pub fn has_shadows(&self) -> bool {
        self.shadows
    }

    /// Returns whether the value or any part of it has a shadow.
    #[inline]
    pub fn is_shadowed(&self, word: Word) -> bool {
        self.shadows && !word.is_immediate() && !word.is_leaf() && self.has_shadow_inside(word)
    }

    fn has_shadow_inside(&self, word: Word) -> bool {
        let mut left = FEW_PARTS;
        if let Some(found) = self.has_shadow_near(word, DEEPEST, &mut left) {
            return found;
        }
        let mut open = vec![word];
        let mut seen = FxHashSet::default();
        let mut count = 0;
        while let Some(mut word) = open.pop() {
            loop {
                if word.is_symbolic() {
                    return true;
                }
                if word.is_immediate() || !self.is_own(word) {
                    break;
                }
                count += 1;
                if count > UNREMEMBERED && !seen.insert(word.0) {
                    break;
                }
                if !word.is_cons() {
                    open.extend_from_slice(word.payload());
                    break;
                }
                let head = word.head();
                if !head.is_immediate() {
                    open.push(head);
                }
                word = word.tail();
            }
        }
        false
    }

    /// Returns whether a small value or any part of it has a shadow, and `None` if the value is not small. Keeps no
    /// list of parts to visit.
    pub(crate) fn has_shadow_near(&self, mut word: Word, deep: usize, left: &mut usize) -> Option<bool> {
        let deep = deep.checked_sub(1)?;
        loop {
            if word.is_symbolic() {
                return Some(true);
            }
            if word.is_immediate() || !self.is_own(word) {
                return Some(false);
            }
            *left = left.checked_sub(1)?;
            if !word.is_cons() {
                for part in word.payload() {
                    let is_plain = part.is_immediate() || part.is_leaf();
                    if !is_plain && self.has_shadow_near(*part, deep, left)? {
                        return Some(true);
                    }
                }
                return Some(false);
            }
            let head = word.head();
            if !head.is_immediate() && self.has_shadow_near(head, deep, left)? {
                return Some(true);
            }
            word = word.tail();
        }
    }

    /// Returns whether the cells of a list have a shadow. The items do not count.
    pub fn is_spine_shadowed(&self, word: Word) -> bool {
        let mut rest = word;
        while self.shadows && rest.is_cons() && self.is_own(rest) {
            rest = rest.tail();
        }
        rest.is_symbolic()
    }

    /// Returns the value without shadows at any depth. Parts that have none are shared with the original.
    pub fn without_shadows(&mut self, word: Word) -> Word {
        if word.is_symbolic() {
            return word.concrete();
        }
        if !self.is_shadowed(word) {
            return word;
        }
        let mut known = FxHashMap::default();
        self.strip(word, &mut known)
    }

    fn strip(&mut self, word: Word, known: &mut FxHashMap<u64, Word>) -> Word {
        if word.is_symbolic() {
            return word.concrete();
        }
        if word.is_immediate() || !self.is_own(word) {
            return word;
        }
        if let Some(done) = known.get(&word.0) {
            return *done;
        }
        stacker::maybe_grow(64 << 10, 1 << 20, || match word.is_cons() {
            true => self.strip_list(word, known),
            false => self.strip_boxed(word, known),
        })
    }

    fn strip_list(&mut self, list: Word, known: &mut FxHashMap<u64, Word>) -> Word {
        let mut cells = Vec::new();
        let mut rest = list;
        while rest.is_cons() && self.is_own(rest) && !known.contains_key(&rest.0) {
            cells.push(rest);
            rest = rest.tail();
        }
        let mut done = self.strip(rest, known);
        for cell in cells.into_iter().rev() {
            let head = self.strip(cell.head(), known);
            done = if head == cell.head() && done == cell.tail() { cell } else { self.cons(head, done) };
            known.insert(cell.0, done);
        }
        done
    }

    fn strip_boxed(&mut self, word: Word, known: &mut FxHashMap<u64, Word>) -> Word {
        let values = word.payload();
        let stripped: Vec<Word> = values.iter().map(|value| self.strip(*value, known)).collect();
        let header = word.header();
        let done = if values == stripped {
            word
        } else {
            match header.kind() {
                // SAFETY: the closure that is copied has the same function and as many captures.
                Kind::Closure => unsafe { self.closure(word.raw(0), header.aux(), &stripped) },
                Kind::Trace => self.trace_below(stripped[0], word),
                // Keys without shadows have the same order and the same hashes.
                Kind::SmallMap | Kind::LargeMap => self.boxed(header.kind(), 0, &stripped),
                kind => self.boxed(kind, header.aux(), &stripped),
            }
        };
        known.insert(word.0, done);
        done
    }
}
