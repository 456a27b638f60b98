//! Finds the function of a module that creates a table, puts a persistent term, or starts and names a process, so that
//! the user knows what to call first.

use program::{Callee, Expr, Function, FunctionId, Module, for_each_expr};
use report::rank::Missing;
use std::collections::HashSet;
use term::{FunctionName, Term};

/// Returns the exported function of a module that creates something that is missing.
pub fn creator(missing: &Missing, module: &Module) -> Option<FunctionName> {
    let creates: fn(&Function, &str) -> bool = match missing {
        Missing::Table(_) => creates_table,
        Missing::PersistentTerm(_) => puts,
        Missing::Process(_) | Missing::Name(_) => registers,
        Missing::Application(_) | Missing::Setting(_) | Missing::Module(_) | Missing::File(_) => return None,
    };
    let name = missing.name();
    let ids = (0..module.functions.len() as u32).map(FunctionId);
    let found: HashSet<FunctionId> = ids.filter(|id| creates(module.function(*id), name)).collect();
    let exported = exported_caller(module, found)?;
    let function = starter(module, exported).unwrap_or(exported);
    let function = module.function(function);
    Some(FunctionName { module: module.name, function: function.name, arity: function.arity })
}

/// Returns an exported function among these, or among those that call one of them or use it as a value, directly or
/// not.
fn exported_caller(module: &Module, mut known: HashSet<FunctionId>) -> Option<FunctionId> {
    let all = || (0..module.functions.len() as u32).map(FunctionId);
    loop {
        if let Some(exported) = all().find(|id| known.contains(id) && module.function(*id).exported) {
            return Some(exported);
        }
        let callers: Vec<FunctionId> =
            all().filter(|id| !known.contains(id) && uses(module.function(*id), &known)).collect();
        if callers.is_empty() {
            return None;
        }
        known.extend(callers);
    }
}

/// Returns the function that starts the process, if the given function is the callback of a behaviour that initializes
/// it.
fn starter(module: &Module, function: FunctionId) -> Option<FunctionId> {
    let Function { name, arity, .. } = module.function(function);
    if (name.text(), *arity) != ("init", 1) {
        return None;
    }
    ["start_link", "start"].into_iter().find_map(|name| {
        let starts = |id: &FunctionId| {
            let function = module.function(*id);
            function.exported && function.name.text() == name
        };
        (0..module.functions.len() as u32).map(FunctionId).filter(starts).min_by_key(|id| module.function(*id).arity)
    })
}

fn uses(function: &Function, known: &HashSet<FunctionId>) -> bool {
    any(function, |expr| match expr {
        Expr::Call { callee: Callee::Local(id), .. } | Expr::Closure { function: id, .. } => known.contains(id),
        _ => false,
    })
}

/// Returns whether a function calls `ets:new(Name, …)`.
fn creates_table(function: &Function, name: &str) -> bool {
    any(function, |expr| match expr {
        Expr::Call { callee: Callee::Remote { module, function }, args, .. } => {
            (module.text(), function.text()) == ("ets", "new") && is_name(args.first(), name)
        }
        _ => false,
    })
}

/// Returns whether a function calls `persistent_term:put(Key, …)`.
fn puts(function: &Function, key: &str) -> bool {
    let is_key = |term: &Term| term.as_atom().map_or_else(|| erlang::print(term) == key, |atom| atom.text() == key);
    any(function, |expr| match expr {
        Expr::Call { callee: Callee::Remote { module, function }, args, .. } => {
            module.text() == "persistent_term"
                && matches!(function.text(), "put" | "put_new")
                && matches!(args.first(), Some(Expr::Const(term)) if is_key(term))
        }
        _ => false,
    })
}

/// Returns whether a function calls `register(Name, …)`, or has `{local, Name}` or `[{name, Name}]` and calls a
/// function that starts something.
fn registers(function: &Function, name: &str) -> bool {
    let starts = any(function, |expr| match expr {
        Expr::Call { callee: Callee::Remote { function, .. }, .. } => function.text().starts_with("start"),
        _ => false,
    });
    any(function, |expr| match expr {
        Expr::Call { callee: Callee::Remote { function, .. }, args, .. } if function.text() == "register" => {
            is_name(args.first(), name)
        }
        Expr::Const(term) => starts && names(term, name),
        _ => false,
    })
}

fn is_name(arg: Option<&Expr>, name: &str) -> bool {
    matches!(arg, Some(Expr::Const(Term::Atom(atom))) if atom.text() == name)
}

/// Returns whether a term has a part that gives a process this name.
fn names(term: &Term, name: &str) -> bool {
    let mut left = vec![term];
    while let Some(term) = left.pop() {
        match term {
            Term::Tuple(parts) => {
                if let [Term::Atom(key), Term::Atom(value)] = &**parts
                    && matches!(key.text(), "local" | "name")
                    && value.text() == name
                {
                    return true;
                }
                left.extend(parts.iter());
            }
            Term::List(items, _) => left.extend(items.iter()),
            _ => {}
        }
    }
    false
}

fn any(function: &Function, is_wanted: impl Fn(&Expr) -> bool) -> bool {
    let Ok(body) = function.body.get() else { return false };
    let mut found = false;
    for_each_expr(body, |expr| found |= is_wanted(expr));
    found
}
