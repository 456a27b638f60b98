//! Checks the rules that the types of the IR cannot express, so that the machine may rely on them: a module that passes
//! never makes the machine read an unbound variable, call with the wrong number of arguments or find several values
//! where one is expected.
//!
//! Knows no language: the front end provides which primitives and remote functions exist, and which of them return. All
//! errors are collected; none ends the walk.

mod body;
mod error;
mod scope;

pub use error::{Descent, Item, Place, Problem, VerifyError};

use crate::{Function, FunctionId, Module, Origin, Span};
use body::BodyCheck;
use std::collections::HashMap;

pub fn verify(module: &Module) -> Result<(), Vec<VerifyError>> {
    let mut errors = Vec::new();
    check_names(module, &mut errors);
    check_types(module, &mut errors);
    for (name, value) in &module.attributes {
        if !body::is_canonical(value) {
            let place = Place { item: Item::Attribute { name: *name }, steps: Vec::new(), span: Span::default() };
            errors.push(VerifyError { place, problem: Problem::TermNotCanonical });
        }
    }
    for (index, function) in module.functions.iter().enumerate() {
        BodyCheck::new(module, item(index, function), function, &mut errors).function(function);
    }
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

fn item(index: usize, function: &Function) -> Item {
    Item::Function { id: FunctionId(index as u32), name: function.name, arity: function.arity }
}

/// Checks that name and arity identify one function, as `Module::find` requires. Functions with captures have no such
/// name.
fn check_names(module: &Module, errors: &mut Vec<VerifyError>) {
    let mut error = |index: usize, function: &Function, problem| {
        let place = Place { item: item(index, function), steps: Vec::new(), span: function.span };
        errors.push(VerifyError { place, problem });
    };
    let mut seen = HashMap::new();
    for (index, function) in module.functions.iter().enumerate() {
        if function.captures > 0 {
            if function.exported {
                error(index, function, Problem::ExportedWithCaptures);
            }
            continue;
        }
        let named = function.origin == Origin::Named;
        match seen.insert((function.name, function.arity), (index, named)) {
            Some((first, first_named)) if named || first_named => {
                error(index, function, Problem::NameTaken { by: FunctionId(first as u32) });
            }
            Some(_) | None => {}
        }
    }
}

fn check_types(module: &Module, errors: &mut Vec<VerifyError>) {
    for spec in module.types.specs.iter().chain(&module.types.callbacks) {
        for (index, clause) in spec.clauses.iter().enumerate() {
            if clause.params.len() != spec.arity as usize {
                let item = Item::Spec { name: spec.name, arity: spec.arity };
                let place = Place { item, steps: vec![Descent::Clause(index)], span: Span::default() };
                errors.push(VerifyError { place, problem: Problem::SpecParameters { given: clause.params.len() } });
            }
        }
    }
}
