//! Decides what the end of a run means, and when two failures are the same.

use crate::runner::Inputs;
use crate::{Blame, Failure, Unended, Unit};
use formula::Kinds;
use path::{Act, Outcome, Raised, Step, Stop};
use rustc_hash::FxHashSet;
use term::{Atom, FunctionName, Term, floats};

#[derive(Clone, Debug)]
pub enum Judged {
    Fine,
    /// The unit, which has no specification, is not meant for these inputs.
    Edge,
    /// The unit raised this on purpose.
    Expected(Raised),
    Failed(Failure),
    /// The inputs could not be made.
    NotMade,
    /// The run used up its steps.
    Cut,
    Stopped(Stop),
}

impl Judged {
    /// Returns whether the run used up its steps or its memory.
    pub fn is_cut(&self) -> bool {
        matches!(self, Judged::Cut | Judged::Stopped(Stop::MemoryLimit))
    }
}

pub fn judge(unit: &Unit, args: &[Term], outcome: Outcome) -> Judged {
    match outcome {
        Outcome::Value(result) if unit.contract.allows(args, &result) => Judged::Fine,
        Outcome::Value(result) => Judged::Failed(Failure::Spec { result, function: None }),
        Outcome::Raised(raised) if unit.expected.covers(&raised) => Judged::Expected(raised),
        Outcome::Raised(raised) => Judged::Failed(Failure::Crash(raised)),
        Outcome::Stopped(Stop::StepLimit) => Judged::Cut,
        Outcome::Stopped(Stop::Deadlock(waiting)) => Judged::Failed(Failure::Deadlock(waiting)),
        Outcome::Stopped(stop) => Judged::Stopped(stop),
    }
}

/// The identity of a failure. Failures with the same key are the same failure on different inputs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Key {
    Crash {
        class: Atom,
        place: Option<(Atom, Atom, u32, u32)>,
        reason: Shape,
        /// Whether the operation that raised it has an operand that is too large for a float. With other operands, the
        /// same place may fail for another reason, such as a division by zero.
        is_beyond_floats: bool,
    },
    /// The function, and the kind and shape of the result: results of different kinds are wrong for different reasons.
    Spec(Option<FunctionName>, Kinds, Shape),
    /// The kind of violation, and the number of arguments.
    Blame(&'static str, usize),
    Timeout {
        is_endless: bool,
    },
    /// The place where the main process waits.
    Deadlock(Option<(FunctionName, u32)>),
    /// The failure followed after a client sent a message to a process.
    AfterMessage(Box<Key>),
}

/// A term without its data. What remains is what the program itself put there.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    Atom(Atom),
    Tuple(Vec<Shape>),
    Other,
}

impl Key {
    /// Returns the key of a failure on these inputs.
    pub fn of_inputs(failure: &Failure, unit: &Unit, inputs: &Inputs) -> Key {
        let key = Key::of(failure, unit, &inputs.terms());
        let scenario = inputs.written.as_ref().and_then(|written| written.scenario.as_ref());
        let sends = |step: &Step| matches!(step.act, Act::Send { .. });
        match scenario.is_some_and(|scenario| scenario.steps.iter().any(sends)) {
            true => Key::AfterMessage(Box::new(key)),
            false => key,
        }
    }

    /// Returns the key of a failure. `data` is all data in the inputs.
    pub fn of(failure: &Failure, unit: &Unit, data: &[Term]) -> Key {
        match failure {
            Failure::Crash(raised) => {
                let of_user = |entry: &&path::TraceEntry| unit.user_modules.contains(&entry.module);
                let entry = raised.trace.iter().find(of_user).or(raised.trace.first());
                Key::Crash {
                    class: raised.class.atom(),
                    place: entry.map(|entry| (entry.module, entry.function, entry.arity, entry.line)),
                    reason: Shape::of(&raised.reason, data),
                    is_beyond_floats: raised
                        .trace
                        .first()
                        .is_some_and(|entry| entry.args.iter().flatten().any(floats::is_beyond)),
                }
            }
            Failure::Spec { result, function } => Key::Spec(*function, Kinds::of(result), Shape::of(result, data)),
            Failure::Blame(Blame::Domain(args)) => Key::Blame("domain", args.len()),
            Failure::Blame(Blame::Arity(args)) => Key::Blame("arity", args.len()),
            Failure::Blame(Blame::Range(_)) => Key::Blame("range", 1),
            Failure::Timeout(Unended { endless, .. }) => Key::Timeout { is_endless: endless.is_some() },
            Failure::Deadlock(waiting) => {
                Key::Deadlock(waiting.first().and_then(|main| Some((main.function?, main.line))))
            }
        }
    }
}

impl Shape {
    /// Returns the outermost constructor and the atoms in it. Deeper parts, and atoms that also occur in the inputs,
    /// count as data.
    pub fn of(term: &Term, data: &[Term]) -> Shape {
        let mut atoms = FxHashSet::default();
        data.iter().for_each(|term| collect_atoms(term, &mut atoms));
        let leaf = |term: &Term| match term {
            Term::Atom(atom) if !atoms.contains(atom) => Shape::Atom(*atom),
            _ => Shape::Other,
        };
        match term {
            Term::Tuple(elements) if elements.len() <= WIDEST => Shape::Tuple(elements.iter().map(leaf).collect()),
            _ => leaf(term),
        }
    }
}

/// Replaces data by a value that occurs in no program. Data is what [`Shape`] takes for it, but the atoms in a map,
/// which say of what type it is, are kept.
pub fn with_other_data(term: &Term, data: &[Term]) -> Term {
    let blurred = |term: &Term| match Shape::of(term, data) {
        Shape::Atom(atom) => Term::Atom(atom),
        Shape::Tuple(_) | Shape::Other => Term::Reference(u64::MAX),
    };
    match (term, Shape::of(term, data)) {
        (Term::Tuple(parts), Shape::Tuple(_)) => Term::tuple(parts.iter().map(blurred).collect::<Vec<_>>()),
        (Term::Map(pairs), _) => Term::Map(pairs.iter().map(|(key, value)| (key.clone(), blurred(value))).collect()),
        (term, _) => blurred(term),
    }
}

/// The size of the largest tuple that does not count as data.
const WIDEST: usize = 8;

/// Collects all atoms in a term.
pub fn collect_atoms(term: &Term, atoms: &mut FxHashSet<Atom>) {
    let mut left = vec![term];
    while let Some(term) = left.pop() {
        match term {
            Term::Atom(atom) => {
                atoms.insert(*atom);
            }
            Term::List(items, tail) => left.extend(items.iter().chain(tail.as_deref())),
            Term::Tuple(items) => left.extend(items.iter()),
            Term::Map(pairs) => left.extend(pairs.iter().flat_map(|(key, value)| [key, value])),
            Term::Int(_)
            | Term::Big(_)
            | Term::Float(_)
            | Term::Nil
            | Term::Bits(_)
            | Term::Fun(_)
            | Term::Pid(_)
            | Term::Reference(_)
            | Term::Port(_) => {}
        }
    }
}
