//! Marks in the code of a module.

use crate::index::each_expr;
use path::Mark;
use program::{Body, Callee, Expr, Function, FunctionId, Module, Span};
use term::{Atom, Term};

/// A mark, its position, and the function that contains it.
#[derive(Clone, Copy, Debug)]
pub struct MarkPlace {
    pub mark: Mark,
    pub function: FunctionId,
    pub span: Span,
}

/// Returns all marks of a module, in the order of its functions.
pub fn marks_of(module: &Module) -> Vec<MarkPlace> {
    let mut found = Vec::new();
    for (index, function) in module.functions.iter().enumerate() {
        let Ok(body) = function.body.get() else { continue };
        each_expr(body, &mut |expr| {
            if let (Some(mark), Expr::Call { span, .. }) = (mark_of(expr), expr) {
                found.push(MarkPlace { mark, function: FunctionId(index as u32), span: *span });
            }
        });
    }
    found
}

/// Returns the mark that an expression represents, if it is one.
pub(crate) fn mark_of(expr: &Expr) -> Option<Mark> {
    let Expr::Call { callee: Callee::Remote { module, function }, args, .. } = expr else { return None };
    if module.text() != "beagle_mark" || function.text() != "at" {
        return None;
    }
    let [Expr::Const(Term::Atom(module)), Expr::Const(line), Expr::Const(column)] = args.as_slice() else {
        return None;
    };
    let number = |term: &Term| term.as_int().and_then(|number| u32::try_from(number).ok());
    Some(Mark { module: *module, line: number(line)?, column: number(column)? })
}

/// Returns the module without the marks before constants and variables, except those to keep. Clauses that deliver
/// constants directly are a table to the machine and to formulas, which a mark would prevent.
pub fn without_plain_marks(module: &Module, is_kept: &dyn Fn(&Mark) -> bool) -> Module {
    let functions = module.functions.iter().map(|function| {
        let body = match function.body.get() {
            Ok(body) => {
                let mut body = body.clone();
                strip(&mut body, is_kept);
                Body::new(body)
            }
            // Running it reports that the code is damaged.
            Err(_) => Body::new(Expr::Const(Term::Nil)),
        };
        Function {
            name: function.name,
            arity: function.arity,
            captures: function.captures,
            exported: function.exported,
            origin: function.origin,
            span: function.span,
            body,
        }
    });
    let functions = functions.collect();
    Module::new(module.name, module.files.clone(), functions, module.attributes.clone(), module.types.clone())
}

fn strip(expr: &mut Expr, is_kept: &dyn Fn(&Mark) -> bool) {
    stacker::maybe_grow(128 << 10, 4 << 20, || {
        if let Expr::Let { bindings, body } = expr
            && matches!(**body, Expr::Const(_) | Expr::Var(_))
            && bindings.iter().all(|binding| mark_of(&binding.value).is_some_and(|mark| !is_kept(&mark)))
        {
            let body = std::mem::replace(&mut **body, Expr::Const(Term::Nil));
            *expr = body;
            return;
        }
        each_child_mut(expr, &mut |child| strip(child, is_kept));
    });
}

/// Shows the direct subexpressions that may contain marks.
fn each_child_mut(expr: &mut Expr, child: &mut dyn FnMut(&mut Expr)) {
    match expr {
        Expr::Const(_) | Expr::Var(_) | Expr::Closure { .. } | Expr::Guard(_) => {}
        Expr::Let { bindings, body } => {
            bindings.iter_mut().for_each(|binding| child(&mut binding.value));
            child(body);
        }
        Expr::Values(items) | Expr::Tuple(items) => items.iter_mut().for_each(child),
        Expr::Cons(head, tail) => {
            child(head);
            child(tail);
        }
        Expr::Map { base, pairs, .. } => {
            child(base);
            for pair in pairs {
                child(&mut pair.key);
                child(&mut pair.value);
            }
        }
        Expr::Bits { segments, .. } => segments.iter_mut().for_each(|segment| child(&mut segment.value)),
        Expr::Call { args, .. } => args.iter_mut().for_each(child),
        Expr::Case { subjects, clauses, .. } => {
            subjects.iter_mut().for_each(&mut *child);
            clauses.iter_mut().for_each(|clause| child(&mut clause.body));
        }
        Expr::Try { body, ok, handler, .. } => {
            child(body);
            child(ok);
            child(handler);
        }
    }
}

/// The attribute that lists the marks that were set in the source of a module.
pub(crate) const ATTRIBUTE: &str = "beagle_marks";

/// Returns the marks that were set in the source of a module, as lines and columns. The compiler may have removed some
/// of them.
pub fn marks_set(module: &Module) -> Vec<(u32, u32)> {
    let name = Atom::new(ATTRIBUTE);
    let values = module.attributes.iter().filter(|(attribute, _)| *attribute == name);
    let lists = values.filter_map(|(_, value)| value.as_list());
    let number = |term: &Term| term.as_int().and_then(|number| u32::try_from(number).ok());
    lists
        .flatten()
        .filter_map(|pair| match pair.as_tuple() {
            Some([line, column]) => Some((number(line)?, number(column)?)),
            _ => None,
        })
        .collect()
}
