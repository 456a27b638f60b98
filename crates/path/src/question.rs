//! What decisions in code ask, in terms of the program: for whoever looks for a side of a decision in the code.

use crate::event::Ways;
use std::sync::Arc;
use term::{Atom, Term};

/// What a decision asks. Whenever one of its sides is taken, what [`Question::asks`] says of that side holds; nothing is
/// said of when it is taken.
#[derive(Clone, Debug)]
pub struct Question {
    pub module: Atom,
    /// Index of the function in its module.
    pub function: u32,
    /// Index of the expression that asks among those of the function's body, in the order of
    /// `program::for_each_child`, each before those inside of it.
    pub expr: u32,
    pub asks: Asks,
}

/// What is known of the program when a side is taken.
#[derive(Clone, Debug)]
pub enum Asks {
    /// The expression is evaluated.
    Evaluated,
    /// The value of the expression, a condition, for each of both sides, if that is known.
    Truth([Option<bool>; 2]),
    /// On side 0, the expression, a call, raises.
    Returns,
    /// The expression is a case, no clause before this one fits, and the parts of its subjects in `parts` are as they say.
    Part { clause: u32, parts: Vec<(Position, Constructor)>, of: Option<Position>, tested: Tested },
}

/// A part of a subject of a case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Position {
    pub subject: u32,
    pub steps: Vec<Down>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Down {
    Head,
    Tail,
    /// From 0.
    Element(u32),
}

/// How a part was made.
#[derive(Clone, Debug, PartialEq)]
pub enum Constructor {
    Cons,
    /// Of this size.
    Tuple(u32),
    Constant(Term),
}

/// What is asked of a part.
#[derive(Clone, Debug)]
pub enum Tested {
    /// Side 1: the part was made so; side 0: it was not.
    Is(Constructor),
    /// Likewise for maps and for bitstrings.
    Map,
    Bits,
    /// One side for each of these.
    Among(Arc<Ways>),
    /// Side 0: a segment of a bitstring pattern does not fit, with so many segments left, itself included; if none is left,
    /// the bitstring goes on.
    Segment {
        left: u32,
    },
    /// Something that has no formula.
    Other,
}
