//! Disagreements between a finding and the specification: the part of a result that is outside its type, or the part of
//! an input that the code does not take. Also suggests how to resolve them.

use crate::words::shortened;
use crate::{Judged, Printer};
use contract::{Breach, Part};
use program::Type;
use search::RefusedKind;
use serde::{Deserialize, Serialize};
use term::Term;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Disagreement {
    pub breach: Option<Breach>,
    pub refused: Option<Refused>,
}

/// A part of the inputs that no clause, pattern or primitive accepted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Refused {
    /// The number of the argument that contains it, counted from 1.
    pub argument: usize,
    pub is_whole: bool,
    pub value: Term,
    /// The type that is declared for the argument.
    pub declared: Option<Type>,
}

/// The maximum number of characters of a value or a type in a sentence.
const SHORT: usize = 60;

/// Describes the part of a result that breaks its type, or the argument of a kind that is declared and not taken.
pub(crate) fn wrong_part(printer: &dyn Printer, judged: &Judged) -> Option<String> {
    broken_part(printer, judged).or_else(|| refused_kind(printer, judged))
}

fn refused_kind(printer: &dyn Printer, judged: &Judged) -> Option<String> {
    let refused = judged.finding.refused.as_ref()?;
    let RefusedKind { kind, taken } = refused;
    let taken = shortened(&printer.term(taken), SHORT);
    let number = kind.argument + 1;
    let others = match refused.only_value() {
        Some(value) => format!("with {} it never does", printer.term(&value)),
        None => "of the kind that is passed here, no value that was tried does".to_string(),
    };
    Some(format!("with {taken} as argument {number} the same call returns; {others}"))
}

fn broken_part(printer: &dyn Printer, judged: &Judged) -> Option<String> {
    let breach = judged.disagreement.breach.as_ref()?;
    let found = shortened(&printer.term(&breach.found), SHORT);
    let declared = declared(printer, breach);
    match breach.path.last() {
        Some(Part::Absent(key)) => {
            let inside = inside(printer, breach.path.len() - 1, &breach.path);
            let whole = if inside.is_empty() { "the map".to_string() } else { inside };
            Some(format!("{whole} lacks the key {}, which is declared", printer.term(key)))
        }
        Some(Part::Key(key)) => {
            let inside = inside(printer, breach.path.len() - 1, &breach.path);
            let whole = if inside.is_empty() { "the map".to_string() } else { inside };
            Some(format!("{whole} has the key {}, which is not declared", printer.term(key)))
        }
        Some(_) => {
            Some(format!("{} is {found}; {declared} is declared", inside(printer, breach.path.len(), &breach.path)))
        }
        None => Some(format!("{found} is returned; {declared} is declared")),
    }
}

/// Returns the declared type, with its name and its definition.
fn declared(printer: &dyn Printer, breach: &Breach) -> String {
    let body = shortened(&printer.declared(&breach.declared), SHORT);
    match &breach.named {
        Some(name) => format!("{}, which is {body},", printer.type_called(*name)),
        None => body,
    }
}

/// Returns the first `steps` of a path, the innermost part first: `element 3 of item 1`.
fn inside(printer: &dyn Printer, steps: usize, path: &[Part]) -> String {
    let words = path.iter().take(steps).rev().map(|part| match part {
        Part::Element { index, tag: Some(tag) } if *index > 1 => {
            format!("element {index} of the tuple {{{}, …}}", printer.term(&Term::Atom(*tag)))
        }
        Part::Element { index, .. } => format!("element {index} of the tuple"),
        Part::Item(number) => format!("item {number} of the list"),
        Part::Tail => "the tail of the list".to_string(),
        Part::Value(key) => format!("the value of {}", shortened(&printer.term(key), SHORT)),
        Part::Key(key) | Part::Absent(key) => format!("the key {}", shortened(&printer.term(key), SHORT)),
    });
    words.collect::<Vec<_>>().join(" in ")
}

/// Suggests how to resolve a disagreement between a specification and the code.
pub(crate) fn suggestion(printer: &dyn Printer, judged: &Judged) -> Option<String> {
    let Disagreement { breach, refused } = &judged.disagreement;
    if let Some(breach) = breach {
        return Some(of_breach(printer, breach));
    }
    let Refused { argument, is_whole, value, declared } = refused.as_ref()?;
    let value = shortened(&printer.term(value), SHORT);
    let part = if *is_whole { "as argument" } else { "in argument" };
    let allows = declared.as_ref().map_or_else(String::new, |declared| {
        format!(", which {} allows", shortened(&printer.declared(declared), SHORT))
    });
    Some(format!("the code does not take {value} {part} {argument}{allows}: narrow the type, or handle it"))
}

fn of_breach(printer: &dyn Printer, breach: &Breach) -> String {
    let found = shortened(&printer.term(&breach.found), SHORT);
    let name = match &breach.named {
        Some(name) => printer.type_called(*name),
        None => format!("the type {}", shortened(&printer.declared(&breach.declared), SHORT)),
    };
    match (breach.path.last(), &breach.declared, &breach.found) {
        (Some(Part::Absent(key)), ..) => {
            format!("declare the key {} as optional, if it may be absent", printer.term(key))
        }
        (Some(Part::Key(key)), ..) => {
            format!("the map type lacks the key {}: declare it, if it is meant", printer.term(key))
        }
        (_, Type::Integer { .. }, Term::Int(_) | Term::Big(_)) => {
            format!("widen {name}, if {found} is meant")
        }
        _ => format!("{name} lacks {found}: add it, if it is meant"),
    }
}
