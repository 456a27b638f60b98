//! Questions that decisions in code ask, in terms of the program. They are used to look for a side of a decision in the
//! code.

use crate::event::Ways;
use std::sync::Arc;
use term::{Atom, Term};

/// The question of a decision. Whenever one of its sides is taken, [`Question::asks`] holds for that side; the converse
/// need not be true.
#[derive(Clone, Debug)]
pub struct Question {
    pub module: Atom,
    /// Index of the function in its module.
    pub function: u32,
    /// Index of the expression that asks, among the expressions of the function's body in the order of
    /// `program::for_each_child`, each before those inside it.
    pub expr: u32,
    pub asks: Asks,
}

/// The fact about the program that is known when a side is taken.
#[derive(Clone, Debug)]
pub enum Asks {
    /// The expression is evaluated.
    Evaluated,
    /// The value of the expression, a condition, for each of the two sides, if it is known.
    Truth([Option<bool>; 2]),
    /// The expression is a call. On side 0 it raises an exception.
    Returns,
    /// The expression is a case. No clause before this one fits, and the parts of its subjects are made as `parts`
    /// says.
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
    /// An element of a tuple, counted from 0.
    Element(u32),
}

/// How a part was made.
#[derive(Clone, Debug, PartialEq)]
pub enum Constructor {
    Cons,
    /// A tuple of this size.
    Tuple(u32),
    Constant(Term),
}

/// The property of a part that is tested.
#[derive(Clone, Debug)]
pub enum Tested {
    /// Side 1: the part was made with this constructor; side 0: it was not.
    Is(Constructor),
    /// Side 1: the part is a map, or a bitstring; side 0: it is not.
    Map,
    Bits,
    /// One side for each of these sets.
    Among(Arc<Ways>),
    /// Side 0: a segment of a bitstring pattern does not fit. `left` is the number of segments left, including this
    /// one; if it is 0, the bitstring is longer than the pattern.
    Segment {
        left: u32,
    },
    /// Something that has no formula.
    Other,
}
