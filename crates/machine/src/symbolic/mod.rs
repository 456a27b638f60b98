//! What operations mean on values that have shadows: which decisions they record, and which formula
//! their results have.
//!
//! Works on a [`Context`], not on the machine's stacks: instructions and rows of primitives come here
//! alike. The decisions belong to the place that `Recorder::enter` was told last.

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
    /// `concrete` with its formula, unless no input can change it. `concrete` has no shadows.
    pub fn with_formula(&mut self, concrete: Word, formula: TermId) -> Word {
        match self.recorder.formulas.as_constant(formula) {
            Some(_) => concrete,
            None => self.heap.symbolic(concrete, formula),
        }
    }

    /// Records a decision for `held`.
    pub fn decide(&mut self, formula: TermId, held: bool) -> bool {
        self.recorder.branch(formula, held);
        held
    }

    /// Records that a symbolic value was made concrete.
    pub fn lose(&mut self, why: Concretised) {
        self.recorder.concretised(why);
    }
}
