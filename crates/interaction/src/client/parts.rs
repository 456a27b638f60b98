//! Parts of results that later steps can use.

use formula::{TypeId, Types};
use machine::value::copy_in;
use machine::{Context, Kind, Word};
use path::functions::{part_types, parts as parts_of};
use path::{At, Operation, Signature, TypeLabel};
use term::{Atom, Term};

/// The greatest number of parts of one result that later steps may use. `DEEPEST_PART` is their greatest depth.
const MOST_PARTS: usize = 16;
const DEEPEST_PART: usize = 4;

/// Returns the part of a result inside these nested tuples.
pub(super) fn part_given(result: Word, inside: &[(Option<Atom>, u32, u32)]) -> Option<(Vec<At>, Word)> {
    let (mut part, mut at) = (result, Vec::new());
    for (tag, size, index) in inside {
        let whole = part.concrete();
        let elements = whole.as_tuple().filter(|elements| elements.len() == *size as usize)?;
        if let Some(tag) = tag
            && elements.first()?.concrete() != Word::atom(*tag)
        {
            return None;
        }
        part = *elements.get(*index as usize)?;
        at.push(At::Element(*index));
    }
    Some((at, part))
}

/// Collects processes, references, ports and functions in a value.
pub(super) fn collect(value: Word, at: &mut Vec<At>, found: &mut Vec<(Vec<At>, Word, Vec<TypeLabel>)>) {
    if found.len() >= MOST_PARTS || at.len() > DEEPEST_PART {
        return;
    }
    let value = value.concrete();
    let is_identity = matches!(value.kind(), Some(Kind::Pid | Kind::Reference | Kind::Port)) && value.is_boxed();
    if is_identity || value.is_function() {
        if found.iter().all(|(other, ..)| other != at) {
            found.push((at.clone(), value, Vec::new()));
        }
        return;
    }
    let mut inside = |step: At, part: Word| {
        at.push(step);
        collect(part, at, found);
        at.pop();
    };
    if let Some(elements) = value.as_tuple() {
        for (index, element) in elements.iter().enumerate() {
            inside(At::Element(index as u32), *element);
        }
    } else if value.is_cons() {
        let mut rest = value;
        for index in 0..MOST_PARTS as u32 {
            if !rest.is_cons() {
                break;
            }
            inside(At::Item(index), rest.head());
            rest = rest.tail().concrete();
        }
    } else if value.is_map() {
        for (key, part) in value.map_iter().take(MOST_PARTS) {
            if let Some(atom) = key.concrete().as_atom() {
                inside(At::Value(Term::Atom(atom)), part);
            }
        }
    }
}

/// Returns the part of a value at a path, with its formula.
pub(crate) fn part_at(context: &mut Context, value: Word, at: &[At]) -> Option<Word> {
    let mut part = value;
    for step in at {
        let (whole, formula) = match part.as_symbolic() {
            Some((concrete, formula)) => (concrete, Some(formula)),
            None => (part, None),
        };
        let (inner, inner_formula) = match step {
            At::Element(index) => {
                let element = *whole.as_tuple()?.get(*index as usize)?;
                (element, formula.map(|formula| context.recorder.formulas.element(formula, *index)))
            }
            At::Item(index) => {
                let mut rest = whole;
                for _ in 0..*index {
                    rest = if rest.is_cons() { rest.tail().concrete() } else { return None };
                }
                let item = if rest.is_cons() { rest.head() } else { return None };
                (item, formula.map(|formula| context.recorder.formulas.item(formula, *index)))
            }
            At::Value(key) => {
                let word = copy_in(&mut context.heap, key);
                let found = if whole.is_map() { whole.map_get(word)? } else { return None };
                let key = context.recorder.formulas.constant(key.clone());
                (found, formula.map(|formula| context.recorder.formulas.map_get(formula, key)))
            }
        };
        part = match inner_formula {
            Some(formula) => context.with_formula(inner, formula),
            None => inner,
        };
    }
    Some(part)
}

/// Returns the declared type of the part of a term at a path.
pub(super) fn type_at(types: &Types, of: TypeId, term: &Term, at: &[At]) -> TypeId {
    let (mut of, mut term) = (of, term);
    for step in at {
        let index = match (step, term) {
            (At::Element(index), Term::Tuple(_)) | (At::Item(index), Term::List(..)) => *index as usize,
            (At::Value(key), Term::Map(pairs)) => match pairs.iter().position(|(own, _)| own == key) {
                Some(index) => 2 * index + 1,
                None => return Types::ANY,
            },
            _ => return Types::ANY,
        };
        let (inner, part) = (part_types(types, of, term).get(index).copied(), parts_of(term).get(index).copied());
        let (Some(inner), Some(part)) = (inner, part) else { return Types::ANY };
        (of, term) = (inner, part);
    }
    of
}

/// Returns the result types of all clauses that accept these arguments, as far as they are data, and that of the clause
/// `kept` in any case.
pub(crate) fn results_of(
    types: &Types,
    operation: &Operation,
    kept: Option<usize>,
    args: &[Option<Term>],
) -> Vec<TypeId> {
    let covers = |signature: &Signature| {
        let mut pairs = signature.accepts.iter().zip(args);
        pairs.all(|(of, arg)| arg.as_ref().is_none_or(|arg| types.contains(*of, arg)))
    };
    let clauses = operation.clauses.iter().enumerate();
    let meant = clauses.filter(|(index, signature)| Some(*index) == kept || covers(signature));
    meant.map(|(_, clause)| clause.result).collect()
}
