//! How the project itself calls a function: whether exceptions are caught there, and with which values.

use super::declared::could_be;
use super::neighbours::{Kind, kind, type_test};
use frontend::Code;
use program::{BitSize, Callee, Clause, Expr, Function, Module, Origin, Pattern, Type, Var, for_each_expr};
use report::rank::Callers;
use std::sync::Arc;
use term::{Atom, FunctionName, Term};

/// Returns whether some function of these modules calls this one where exceptions are caught.
pub fn is_caught(modules: &[Arc<Module>], name: FunctionName) -> bool {
    let functions = modules.iter().flat_map(|module| module.functions.iter().map(move |function| (module, function)));
    functions.into_iter().any(|(module, function)| catches_calls(module, function, name))
}

fn catches_calls(module: &Arc<Module>, function: &Function, name: FunctionName) -> bool {
    let Ok(body) = function.body.get() else { return false };
    let mut found = false;
    for_each_expr(body, |expr| {
        if let Expr::Try { body, .. } = expr {
            for_each_expr(body, |inner| found |= calls(module, inner, name));
        }
    });
    found
}

fn calls(module: &Module, expr: &Expr, name: FunctionName) -> bool {
    let Expr::Call { callee, args, .. } = expr else { return false };
    let is_named = |of: Atom, function: Atom, arity: usize| {
        (of, function) == (name.module, name.function) && arity == name.arity as usize
    };
    match callee {
        Callee::Local(id) => {
            let function = module.function(*id);
            is_named(module.name, function.name, function.arity as usize)
        }
        Callee::Remote { module, function } => is_named(*module, *function, args.len()),
        Callee::Dynamic { .. } | Callee::Value(_) | Callee::Primitive(_) => false,
    }
}

/// The known facts about the arguments of all calls of a function by other functions of the project.
pub struct CallSites {
    sites: Vec<Vec<Known>>,
}

/// Static knowledge of a value.
#[derive(Clone, Debug)]
enum Known {
    Nothing,
    Exactly(Term),
    /// A list with at least one element.
    Cons,
    /// A tuple with these parts.
    Tuple(Vec<Known>),
    /// Some value of a kind.
    Of(Kind),
    /// A value of one of these kinds, according to a specification.
    AnyOf(Vec<Kind>),
}

/// The depth to which expressions are followed.
const DEEPEST: usize = 300;

impl CallSites {
    pub fn of(code: &dyn Code, modules: &[Arc<Module>], name: FunctionName) -> CallSites {
        let mut sites = Vec::new();
        for module in modules {
            for function in &module.functions {
                let is_itself =
                    (module.name, function.name, function.arity) == (name.module, name.function, name.arity);
                let Ok(body) = function.body.get() else { continue };
                if !is_itself {
                    let mut walk = Walk { module, name, known: parameters(code, module, function), sites: &mut sites };
                    walk.expr(body, DEEPEST);
                }
            }
        }
        CallSites { sites }
    }

    /// Returns whether one of the calls could pass these inputs. An input that is not data could be anything.
    pub fn compare(&self, inputs: &[Option<&Term>]) -> Callers {
        let fits = |site: &Vec<Known>| {
            site.iter().zip(inputs).all(|(known, input)| input.is_none_or(|input| known.could_be(input)))
        };
        match self.sites.iter().any(fits) {
            true => Callers::Such,
            false if self.sites.is_empty() => Callers::None,
            false => Callers::Others,
        }
    }
}

impl Known {
    fn could_be(&self, value: &Term) -> bool {
        match self {
            Known::Nothing => true,
            Known::Exactly(term) => term == value,
            Known::Cons => matches!(value, Term::List(..)),
            Known::Tuple(known) => match value {
                Term::Tuple(parts) => {
                    parts.len() == known.len()
                        && known.iter().zip(parts.iter()).all(|(known, part)| known.could_be(part))
                }
                _ => false,
            },
            Known::Of(of) => *of == kind(value),
            Known::AnyOf(kinds) => kinds.contains(&kind(value)),
        }
    }
}

/// Returns the knowledge about the parameters of a function that follows from its specification.
fn parameters(code: &dyn Code, module: &Arc<Module>, function: &Function) -> Vec<(Var, Known)> {
    if !matches!(function.origin, Origin::Named) {
        return Vec::new();
    }
    let specs = module.types.specs.iter();
    let spec = specs.into_iter().find(|spec| (spec.name, spec.arity) == (function.name, function.arity));
    let Some([clause]) = spec.map(|spec| &spec.clauses[..]) else { return Vec::new() };
    let of = |declared: &Type| could_be(code, module, &clause.bounds, declared).map_or(Known::Nothing, Known::AnyOf);
    (0..).map(Var).zip(clause.params.iter().map(of)).collect()
}

/// One walk through a body, with what is known of its variables on the way.
struct Walk<'a> {
    module: &'a Module,
    name: FunctionName,
    /// The facts about variables in scope. The latest entry for a variable counts.
    known: Vec<(Var, Known)>,
    sites: &'a mut Vec<Vec<Known>>,
}

impl Walk<'_> {
    fn expr(&mut self, expr: &Expr, depth: usize) {
        let Some(depth) = depth.checked_sub(1) else { return };
        if calls(self.module, expr, self.name)
            && let Expr::Call { args, .. } = expr
        {
            let site = args.iter().take(self.name.arity as usize).map(|arg| self.value(arg, DEEPEST)).collect();
            self.sites.push(site);
        }
        match expr {
            Expr::Const(_) | Expr::Var(_) | Expr::Closure { .. } => {}
            Expr::Let { bindings, body } => {
                let before = self.known.len();
                for binding in bindings {
                    self.expr(&binding.value, depth);
                    if let [var] = binding.vars[..] {
                        let value = self.value(&binding.value, DEEPEST);
                        self.known.push((var, value));
                    }
                }
                self.expr(body, depth);
                self.known.truncate(before);
            }
            Expr::Values(parts) | Expr::Tuple(parts) => parts.iter().for_each(|part| self.expr(part, depth)),
            Expr::Cons(head, tail) => {
                self.expr(head, depth);
                self.expr(tail, depth);
            }
            Expr::Map { base, pairs, .. } => {
                self.expr(base, depth);
                for pair in pairs {
                    self.expr(&pair.key, depth);
                    self.expr(&pair.value, depth);
                }
            }
            Expr::Bits { segments, .. } => {
                for segment in segments {
                    self.expr(&segment.value, depth);
                    if let BitSize::Times(size) = &segment.size {
                        self.expr(size, depth);
                    }
                }
            }
            Expr::Call { args, .. } => args.iter().for_each(|arg| self.expr(arg, depth)),
            Expr::Case { subjects, clauses, .. } => {
                subjects.iter().for_each(|subject| self.expr(subject, depth));
                clauses.iter().for_each(|clause| self.clause(subjects, clause, depth));
            }
            Expr::Try { body, ok, handler, .. } => {
                self.expr(body, depth);
                self.expr(ok, depth);
                self.expr(handler, depth);
            }
            Expr::Guard(inner) => self.expr(inner, depth),
        }
    }

    /// Walks through a clause. Its patterns and its guard say more about the variables in its body.
    fn clause(&mut self, subjects: &[Expr], clause: &Clause, depth: usize) {
        let before = self.known.len();
        for (subject, pattern) in subjects.iter().zip(&clause.patterns) {
            let known = self.bind(pattern, DEEPEST);
            if let (Expr::Var(var), false) = (subject, matches!(known, Known::Nothing)) {
                self.known.push((*var, known));
            }
        }
        if let Some(guard) = &clause.guard {
            // Alternatives in a guard are cases: a test in one of them need not hold in all of them.
            if let Some((var, of)) = type_test(guard) {
                self.known.push((var, Known::Of(of)));
            }
        }
        self.expr(&clause.body, depth);
        self.known.truncate(before);
    }

    /// Returns what a pattern says of the value that it matches, and records what it says of its variables.
    fn bind(&mut self, pattern: &Pattern, depth: usize) -> Known {
        let Some(depth) = depth.checked_sub(1) else { return Known::Nothing };
        match pattern {
            Pattern::Any | Pattern::Var(_) => Known::Nothing,
            Pattern::Alias(var, inner) => {
                let known = self.bind(inner, depth);
                self.known.push((*var, known.clone()));
                known
            }
            Pattern::Const(term) => Known::Exactly(term.clone()),
            Pattern::Cons(head, tail) => {
                self.bind(head, depth);
                self.bind(tail, depth);
                Known::Cons
            }
            Pattern::Tuple(parts) => Known::Tuple(parts.iter().map(|part| self.bind(part, depth)).collect()),
            Pattern::Map(_) => Known::Of(Kind::Map),
            Pattern::Bits(_) => Known::Of(Kind::Bits),
        }
    }

    fn value(&self, expr: &Expr, depth: usize) -> Known {
        let Some(depth) = depth.checked_sub(1) else { return Known::Nothing };
        match expr {
            Expr::Const(term) => Known::Exactly(term.clone()),
            Expr::Var(var) => {
                let known = self.known.iter().rev().find(|(of, _)| of == var);
                known.map_or(Known::Nothing, |(_, known)| known.clone())
            }
            Expr::Cons(..) => Known::Cons,
            Expr::Tuple(parts) => Known::Tuple(parts.iter().map(|part| self.value(part, depth)).collect()),
            Expr::Map { .. } => Known::Of(Kind::Map),
            Expr::Bits { .. } => Known::Of(Kind::Bits),
            Expr::Closure { .. } => Known::Of(Kind::Function),
            Expr::Let { .. }
            | Expr::Values(_)
            | Expr::Call { .. }
            | Expr::Case { .. }
            | Expr::Try { .. }
            | Expr::Guard(_) => Known::Nothing,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_excludes_values() {
        let pair = Known::Tuple(vec![Known::Exactly(Term::atom("ok")), Known::Nothing]);
        assert!(pair.could_be(&Term::tuple(vec![Term::atom("ok"), Term::Nil])));
        assert!(!pair.could_be(&Term::tuple(vec![Term::atom("error"), Term::Nil])));
        assert!(!Known::Cons.could_be(&Term::Nil) && Known::Cons.could_be(&Term::list(vec![Term::Int(1)])));
        assert!(!Known::AnyOf(vec![Kind::Bits]).could_be(&Term::Int(1)));
    }

    #[test]
    fn a_function_that_nobody_calls_has_no_callers() {
        let sites = |sites| CallSites { sites };
        assert_eq!(sites(vec![]).compare(&[Some(&Term::Nil)]), Callers::None);
        assert_eq!(sites(vec![vec![Known::Cons]]).compare(&[Some(&Term::Nil)]), Callers::Others);
        assert_eq!(sites(vec![vec![Known::Cons], vec![Known::Nothing]]).compare(&[Some(&Term::Nil)]), Callers::Such);
    }
}
