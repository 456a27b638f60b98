//! Marks in the code that a run reached.

use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};
use term::Atom;

/// A place in the code that runs can reach: the beginning of an expression in a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Mark {
    pub module: Atom,
    pub line: u32,
    /// 0 if the compiler does not know it.
    pub column: u32,
}

/// The marks of a run, in the order in which it first reached them.
#[derive(Clone, Debug, Default)]
pub struct Marks {
    order: Vec<Mark>,
    known: FxHashSet<Mark>,
}

impl Marks {
    pub fn add(&mut self, mark: Mark) {
        if self.known.insert(mark) {
            self.order.push(mark);
        }
    }

    pub fn contains(&self, mark: &Mark) -> bool {
        self.known.contains(mark)
    }

    pub fn in_order(&self) -> &[Mark] {
        &self.order
    }
}
