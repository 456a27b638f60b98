//! Functions as inputs: interaction trees.
//!
//! A pure function can affect the program that calls it only by looking at its arguments, calling functions among them,
//! and answering. So a function input is a tree that grows as the search needs it:
//!
//! ```text
//! node     = answer(position) | probe(function in scope, positions, table) | raise(position)
//! table    = observation ↦ node, …
//! position = data, with functions in it: new ones, or functions in scope
//! ```
//!
//! - A **run owns its tables** ([`Play`]). They start empty; a lookup is a decision with one side for each entry and
//!   one for a new entry, under the conditions that the observation is the same as theirs, or as none.
//! - **Observations** distinguish functions by arity only: the language has no way to ask for their identity.
//! - **Data is data.** A function inside of it is known to formulas by its arity (`term::Fun::Input`), so it is the
//!   solver that puts functions where the program asks for them; they become closures when the data is placed on the
//!   heap. Whether such a closure is a new function or one in scope is chosen when it is first called.
//! - **Labels** name what passes from run to run: values as first guesses, choices up to the decision that is changed.
//!   They are numbered in the order of a run, so they mean the same in runs that took the same decisions.
//! - The steps of a call are a program of the language (`driver`), so the machine handles nested calls itself.
//! - [`Witness`] is the function inputs of a run, written out; [`Replay`] plays them without a search.
//!
//! # Why the search is complete
//!
//! *Every input is a tree.* Take a counterexample that is a program of the language and its run. Its effect on the unit
//! is a finite list of calls that it answers, each after finitely many calls of functions that it was given. Put every
//! observation that it made into a table, under the observations before it: that is a tree of ours that does the same,
//! since it cannot observe more of a value than equality with values that it has, kind, arity, and the results of
//! probes. First-order values in scope need not be answered by name: after an observation they are fixed.
//!
//! *Every tree is reached.* A play is a finite list of decisions: branches, lookups, choices. Tables are a function of
//! the decisions so far, hence runs with the same decisions are in the same state up to values. A run that shares the
//! first n decisions of the counterexample's play either shares one more, or the other side was offered there: as
//! another side of a branch or a lookup, which has a solution because the counterexample is one, or as another option
//! of a choice, which needs none. The queue is fair, so it is taken. Nothing is assumed about what follows the decision
//! that is changed, and no side is left out because of where it was met before.
//!
//! *Assumptions:* exact formulas, a solver that decides, finitely many sides at each decision, steps that grow.
//! Whatever breaks one of these is recorded as a loss; so is a unit that compares function inputs with other functions
//! ([`machine::Context::unknown_identity`]). Not covered: inputs with state, and inputs that compare the functions that
//! they are given.
//!
//! *Designs that would break it:* keeping the keys of a table different in every model (calls that must agree could
//! not); a table for each closure instead of each label (finds what no function does); scopes that belong to labels
//! instead of activations (an answer returns the function of another call); not asking for the kinds of the values that
//! an input gets back (a function that was handed out could not be brought from one call into another).

#![warn(clippy::disallowed_macros)]

mod client;
pub mod driver;
mod executor;
mod open;
mod parts;
mod play;
mod random;
mod replay;
mod scope;
mod witness;
mod wrapper;

pub use executor::MachineExecutor;
