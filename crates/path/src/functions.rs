//! Functions inside of data, in the order in which the data is walked through, and their declared types.

use formula::{FunctionType, TypeId, Types};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use term::Term;

/// Returns the term with its identities removed: only the arity of a function and the kind of a pid, reference or port
/// are left.
pub fn blank(term: &Term) -> Term {
    if is_plain(term) {
        return term.clone();
    }
    match term {
        Term::Fun(fun) => Term::input_function(fun.arity()),
        Term::Pid(_) => Term::Pid(Term::OWN_PID),
        Term::Reference(_) => Term::Reference(0),
        Term::Port(_) => Term::Port(0),
        _ => map_parts(term, &mut blank),
    }
}

/// Returns whether a term contains a pid, a reference or a port.
pub fn has_identities(term: &Term) -> bool {
    let mut open = vec![term];
    while let Some(term) = open.pop() {
        if matches!(term, Term::Pid(_) | Term::Reference(_) | Term::Port(_)) {
            return true;
        }
        open.extend(parts(term));
    }
    false
}

/// Returns whether a term contains nothing that has an identity.
fn is_plain(term: &Term) -> bool {
    let mut open = vec![term];
    while let Some(term) = open.pop() {
        if matches!(term, Term::Fun(_) | Term::Pid(_) | Term::Reference(_) | Term::Port(_)) {
            return false;
        }
        open.extend(parts(term));
    }
    true
}

pub fn has_functions(term: &Term) -> bool {
    let mut open = vec![term];
    while let Some(term) = open.pop() {
        if matches!(term, Term::Fun(_)) {
            return true;
        }
        open.extend(parts(term));
    }
    false
}

/// Returns the direct parts of a term: items and an improper tail, elements, keys and values.
pub fn parts(term: &Term) -> Vec<&Term> {
    match term {
        Term::List(items, tail) => items.iter().chain(tail.as_deref()).collect(),
        Term::Tuple(items) => items.iter().collect(),
        Term::Map(pairs) => pairs.iter().flat_map(|(key, value)| [key, value]).collect(),
        _ => Vec::new(),
    }
}

/// Returns the same term with other parts.
pub fn map_parts(term: &Term, change: &mut dyn FnMut(&Term) -> Term) -> Term {
    match term {
        Term::List(items, tail) => {
            let items = items.iter().map(&mut *change).collect();
            let tail = tail.as_deref().map_or(Term::Nil, change);
            Term::list_with_tail(items, tail)
        }
        Term::Tuple(items) => Term::tuple(items.iter().map(change).collect::<Vec<_>>()),
        Term::Map(pairs) => Term::Map(pairs.iter().map(|(key, value)| (change(key), change(value))).collect()),
        _ => term.clone(),
    }
}

/// Returns the declared types of the direct parts of a term of a type, in the same order.
pub fn part_types(types: &Types, of: TypeId, term: &Term) -> Vec<TypeId> {
    let node = types.node(of);
    match term {
        Term::List(items, tail) => {
            let mut found = Vec::with_capacity(items.len());
            let mut rest = of;
            for item in items.iter() {
                let cells = &types.node(rest).cons;
                let cell = cells.iter().find(|cell| types.contains(cell.head, item));
                found.push(cell.map_or(Types::ANY, |cell| cell.head));
                rest = cell.map_or(Types::ANY, |cell| cell.tail);
            }
            found.extend(tail.as_ref().map(|_| rest));
            found
        }
        Term::Tuple(elements) => {
            let fits = |alternative: &&Vec<TypeId>| {
                alternative.len() == elements.len()
                    && alternative.iter().zip(elements.iter()).all(|(of, element)| types.contains(*of, element))
            };
            match node.tuples.iter().find(fits) {
                Some(alternative) => alternative.clone(),
                None => vec![Types::ANY; elements.len()],
            }
        }
        Term::Map(pairs) => {
            let fields = node.maps.iter().find(|fields| {
                pairs.iter().all(|(key, value)| {
                    types.field_of(fields, key).is_some_and(|field| types.contains(field.value, value))
                })
            });
            pairs
                .iter()
                .flat_map(|(key, _)| match fields.and_then(|fields| types.field_of(fields, key)) {
                    Some(field) => [field.key, field.value],
                    None => [Types::ANY; 2],
                })
                .collect()
        }
        _ => Vec::new(),
    }
}

/// Returns whether a term with parts could belong to several alternatives of a type.
pub fn fits_several(types: &Types, of: TypeId, term: &Term) -> bool {
    let node = types.node(of);
    let count = match term {
        Term::List(items, _) => {
            let first = items.first();
            node.cons.iter().filter(|cell| first.is_some_and(|item| types.contains(cell.head, item))).count()
        }
        Term::Tuple(elements) => {
            let fits = |alternative: &&Vec<TypeId>| {
                alternative.len() == elements.len()
                    && alternative.iter().zip(elements.iter()).all(|(of, element)| types.contains(*of, element))
            };
            node.tuples.iter().filter(fits).count()
        }
        Term::Map(pairs) => {
            let fits = |fields: &&formula::Fields| {
                pairs.iter().all(|(key, value)| {
                    types.field_of(fields, key).is_some_and(|field| types.contains(field.value, value))
                })
            };
            node.maps.iter().filter(fits).count()
        }
        _ => 0,
    };
    count > 1
}

/// The parameters and the result of a function.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sort {
    /// `None` if the function accepts any arguments.
    pub params: Option<Arc<[TypeId]>>,
    pub result: TypeId,
}

impl Sort {
    pub const ANY: Sort = Sort { params: None, result: Types::ANY };

    /// Returns the sort of a function of a type.
    pub fn of(types: &Types, of: TypeId, arity: u32) -> Sort {
        let declared = types.node(of).functions.iter().find(|function: &&FunctionType| function.takes(arity));
        declared.map_or(Sort::ANY, |function| Sort {
            params: function.params.as_ref().map(|params| params.as_slice().into()),
            result: function.result,
        })
    }

    /// Returns the sort of a function that is known only by its type, and whether its parameters are known. If the type
    /// has several sorts for that arity, the result can be anything unless all agree.
    pub fn of_another(types: &Types, of: TypeId, arity: u32) -> (Sort, bool) {
        let mut sort = Sort::of(types, of, arity);
        let mut known = true;
        for other in types.node(of).functions.iter().filter(|function| function.takes(arity)) {
            known &= other.params.as_deref() == sort.params.as_deref();
            if other.result != sort.result {
                sort.result = Types::ANY;
            }
        }
        (sort, known)
    }

    /// Returns whether a type has several sorts of functions of that arity.
    pub fn is_ambiguous(types: &Types, of: TypeId, arity: u32) -> bool {
        types.node(of).functions.iter().filter(|function| function.takes(arity)).count() > 1
    }

    pub fn param(&self, index: usize) -> TypeId {
        self.params.as_ref().and_then(|params| params.get(index).copied()).unwrap_or(Types::ANY)
    }

    /// Returns whether a function of this sort may be used where another sort is declared: it must accept all arguments
    /// of the other and return nothing else.
    pub fn stands_for(&self, other: &Sort) -> bool {
        let takes = match (&self.params, &other.params) {
            (None, _) => true,
            (Some(own), Some(others)) => {
                own.len() == others.len()
                    && own.iter().zip(others.iter()).all(|(own, other)| own == other || *own == Types::ANY)
            }
            (Some(own), None) => own.iter().all(|own| *own == Types::ANY),
        };
        takes && (self.result == other.result || other.result == Types::ANY)
    }
}
