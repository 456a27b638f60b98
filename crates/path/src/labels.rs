//! Names of the parts of function inputs. They are the same in every run that took the same decisions so far.

use crate::functions::{has_functions, parts};
use formula::Constant;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use term::Term;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Label(pub u32);

/// The position of a part within the whole that contains it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// An input of the unit.
    Input(u32),
    /// The item of a list, the tail after this number of items, or the element of a tuple.
    Inside(u32),
    /// The value of a map at this key.
    Value(Constant),
    /// The piece of data itself, which is a function.
    Itself,
    /// An entry of a table; entries are numbered in the order in which they were added.
    Entry(u32),
    /// The value that a node answers with.
    Answer,
    /// The reason that a node raises.
    Reason,
    /// An argument of a node's probe of a function in scope.
    Argument {
        probed: u32,
        index: u32,
    },
    /// The table for the results, or the exceptions, of that probe.
    Returned {
        probed: u32,
    },
    Raised {
        probed: u32,
    },
    /// The application of a result of the unit that is a function, by its number in the sequence of applications.
    Application(u32),
    /// A step of a client, counted from 0.
    Step(u32),
    /// The choice of what a client does if the call of a step raises an exception.
    Rescue,
    /// The clause of an operation's specification that a step follows.
    Clause(u32),
    /// An argument of a step, by the number of its operation, the clause, and the parameter.
    Operand {
        act: u32,
        clause: u32,
        index: u32,
    },
}

/// All labels so far. They are shared because they outlive runs, however a run ends.
#[derive(Clone, Default)]
pub struct Labels {
    numbers: Arc<Mutex<FxHashMap<(Label, Part), Label>>>,
}

impl Labels {
    pub const ROOT: Label = Label(0);

    pub fn of(&self, whole: Label, part: Part) -> Label {
        let mut numbers = self.numbers();
        let next = Label(numbers.len() as u32 + 1);
        *numbers.entry((whole, part)).or_insert(next)
    }

    /// Locks the table. A panic of a run leaves the table consistent, so a poisoned lock is used as it is.
    fn numbers(&self) -> MutexGuard<'_, FxHashMap<(Label, Part), Label>> {
        self.numbers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the label of a part if it has one already.
    pub fn get(&self, whole: Label, part: Part) -> Option<Label> {
        self.numbers().get(&(whole, part)).copied()
    }
}

/// Collects the labels of the functions in a piece of data, in the order of traversal. A label depends only on the
/// position of its function, because it may not be decided yet whether there are further functions.
pub fn labels_inside(
    label: Option<Label>,
    term: &Term,
    of: &mut dyn FnMut(Label, Part) -> Option<Label>,
    found: &mut Vec<Option<Label>>,
) {
    if !has_functions(term) {
        return;
    }
    if let Term::Fun(_) = term {
        found.push(label.and_then(|label| of(label, Part::Itself)));
        return;
    }
    let name = |index: usize| match term {
        Term::Map(pairs) if index % 2 == 1 => Part::Value(Constant(pairs[index / 2].0.clone())),
        _ => Part::Inside(index as u32),
    };
    for (index, part) in parts(term).into_iter().enumerate().filter(|(_, part)| has_functions(part)) {
        let inside = label.and_then(|label| of(label, name(index)));
        labels_inside(inside, part, of, found);
    }
}
