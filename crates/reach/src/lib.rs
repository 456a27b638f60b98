//! Reaches places in programs: from a place in the code backwards to conditions on the inputs of an entry, or to a
//! proof that no input leads there.
//!
//! The algorithm is symcretic execution (Dinges and Agha, "Targeted test input generation using symbolic-concrete
//! backward execution", 2014), in the form that fits programs without assignment: backwards is *on demand*. From the
//! target outwards, every clause on the way adds conditions; a value is evaluated only if a condition mentions it
//! (`value.rs`), and code that the target does not depend on is never visited. At the head of a function, the ways
//! continue at its call sites (`outwards.rs`), up to the functions that may be called from outside. Wherever there are
//! alternatives, a choice is made (`choices.rs`); a way is a list of choices and is evaluated from its beginning, so
//! that the evaluator needs no continuations.
//!
//! A value without a formula is free. So the conditions of a way are necessary, not sufficient: a way without a
//! solution is refuted, and if all ways are, nothing reaches the target. A solution is only a proposal that must be
//! run. Where functions are known by samples only, solutions are found by climbing (`climb.rs`).
//!
//! If functions call themselves, ways have no end. A forward analysis (`invariants.rs`) finds properties of the
//! parameters of a function that hold in every call, and each way may rely on them. A target is an expression, or a
//! side of a decision there (`sides.rs`).
//!
//! This crate knows no language, no machine, no file and no clock. The meaning of native functions is a parameter
//! ([`Natives`]).

mod choices;
mod climb;
mod conditions;
mod evaluate;
mod guards;
mod index;
mod interval;
mod invariants;
mod marks;
mod outwards;
mod patterns;
mod raising;
mod reachable;
mod shapes;
mod sides;
mod value;
mod walk;

pub use conditions::{Needed, Refutation};
pub use index::{CallGraph, FunctionRef, Program};
pub use invariants::Invariants;
pub use marks::{MarkPlace, marks_of, marks_set, without_plain_marks};
pub use reachable::Reachable;
pub use sides::{Side, Target};
pub use walk::{Entries, Entry, Found, Outcome, Proposal, Walk, Walked, Words};

use formula::{Codomain, Formulas, TermId};
use term::{Atom, FunctionName};

/// The meaning of native functions.
pub trait Natives {
    /// Returns the meaning of a named function. Its arguments need not be of its domain.
    fn named(&self, formulas: &mut Formulas, name: FunctionName, args: &[TermId]) -> Native;
    /// Returns the meaning of an operation of the runtime without a name.
    fn operation(&self, formulas: &mut Formulas, name: Atom, args: &[TermId]) -> Native;
    fn kind_of_named(&self, name: FunctionName) -> NativeKind;
    fn kind_of_operation(&self, name: Atom, arity: u32) -> NativeKind;
    /// Returns the possible results of a named native function.
    fn delivers(&self, name: FunctionName) -> Delivers;
    /// Returns whether a named native function calls functions by names that it is given.
    fn calls_by_name(&self, name: FunctionName) -> bool;
    /// Returns whether a named native function delivers values that the program does not mention and that may contain
    /// functions or names of functions: from the surroundings, or made of bytes and texts.
    fn makes_functions(&self, name: FunctionName) -> bool;
    /// Returns whether the functions of a library deliver only their arguments and data that they make themselves:
    /// neither names that they read from texts nor functions from elsewhere.
    fn keeps_to_arguments(&self, module: Atom) -> bool;
}

/// The possible results of a native function.
#[derive(Clone, Copy, Debug)]
pub struct Delivers {
    pub codomain: Codomain,
    /// Whether its lists end in `[]`.
    pub is_proper: bool,
}

/// The properties of a native function that hold for any arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NativeKind {
    /// It is not native: the program has its code.
    Code,
    /// It never returns.
    Raises,
    /// It depends on its arguments only.
    Pure,
    /// It reads or changes something else.
    Impure,
}

/// The result of a call of a native function.
#[derive(Clone, Debug)]
pub enum Native {
    /// It is not native.
    Code,
    /// It returns `value` if `requires` holds.
    Value { requires: TermId, value: TermId },
    /// It is known by samples.
    Sampled { requires: Option<TermId>, delivers: Codomain },
    /// This function of the program does the same.
    Same(FunctionName),
    /// It has no formula.
    Unknown,
    /// It never returns.
    Raises,
}
