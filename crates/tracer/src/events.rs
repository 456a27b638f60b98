//! The meaning of the numbers of events.

use program::Module;
use rustc_hash::FxHashMap;
use std::fmt;
use term::{Atom, FunctionName, Term};

/// The attribute in which a module lists its events.
const ATTRIBUTE: &str = "beagle_events";

/// The place of an event in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub function: FunctionName,
    pub file: String,
    /// 0 if the compiler does not know it.
    pub line: u32,
    pub kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The clause with this index, of `count` clauses, was chosen. The last may be one that the compiler added for
    /// values that match none.
    Clause { index: u32, count: u32 },
    /// An exception was caught, even if only to be raised again.
    Handler,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            Kind::Clause { index, count } => write!(f, "clause {index} of {count}")?,
            Kind::Handler => write!(f, "the handler of an exception")?,
        }
        write!(f, " in {}, {}:{}", self.function, self.file, self.line)
    }
}

/// The events of modules, by their numbers.
#[derive(Default)]
pub struct Events {
    places: FxHashMap<u64, Place>,
}

impl Events {
    /// Adds the events of a module.
    pub fn add(&mut self, module: &Module) {
        let name = Atom::new(ATTRIBUTE);
        let lists = module.attributes.iter().filter(|(attribute, _)| *attribute == name);
        let events = lists.filter_map(|(_, value)| value.as_list()).flatten();
        self.places.extend(events.filter_map(|event| read(module, event)));
    }

    pub fn place(&self, event: u64) -> Option<&Place> {
        self.places.get(&event)
    }

    pub fn len(&self) -> usize {
        self.places.len()
    }

    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }
}

/// Reads an entry `{Number, Function, Arity, Line, Kind, Index, Count}`.
fn read(module: &Module, event: &Term) -> Option<(u64, Place)> {
    let [number, Term::Atom(function), arity, line, Term::Atom(kind), index, count] = event.as_tuple()? else {
        return None;
    };
    let small = |term: &Term| u32::try_from(term.as_int()?).ok();
    let kind = match kind.text() {
        "clause" => Kind::Clause { index: small(index)?, count: small(count)? },
        _ => Kind::Handler,
    };
    let function = FunctionName { module: module.name, function: *function, arity: small(arity)? };
    let file = module.files.first().cloned().unwrap_or_default();
    Some((u64::try_from(number.as_int()?).ok()?, Place { function, file, line: small(line)?, kind }))
}
