//! The meaning of operations on values with shadows: the decisions that they record, and the formulas of their results.
//!
//! Works on a [`Context`], not on the machine's stacks: instructions and rows of primitives both use it. The decisions
//! belong to the latest place that was passed to `Recorder::enter`.

mod bits;
mod build_bits;
mod built;
mod compare;
mod identity;
mod maps;
mod opened;
mod reify;
mod rows;
mod samples;
mod shape;

pub(crate) use bits::SegmentSize;
pub(crate) use build_bits::NotBuilt;
pub use reify::NoFormula;
pub use shape::domain_condition;

use crate::context::Context;
use crate::value::Word;
use formula::TermId;
use path::Concretised;

impl Context {
    /// Returns `concrete` with its formula, unless no input can change it. `concrete` must have no shadows.
    pub fn with_formula(&mut self, concrete: Word, formula: TermId) -> Word {
        match self.recorder.formulas.as_constant(formula) {
            Some(_) => concrete,
            None => self.heap.symbolic(concrete, formula),
        }
    }

    /// Records a decision that came out as `held`.
    pub fn decide(&mut self, formula: TermId, held: bool) -> bool {
        self.recorder.branch(formula, held);
        held
    }

    /// Records that a symbolic value was made concrete.
    pub fn lose(&mut self, why: Concretised) {
        self.recorder.concretised(why);
    }
}
