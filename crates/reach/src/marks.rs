//! Marks in the code of a module.

use crate::index::each_expr;
use path::Mark;
use program::{Callee, Expr, FunctionId, Module, Span};
use term::{Atom, Term};

/// A mark, where it stands, and the function that it stands in.
#[derive(Clone, Copy, Debug)]
pub struct MarkPlace {
    pub mark: Mark,
    pub function: FunctionId,
    pub span: Span,
}

/// All marks of a module, in the order of its functions.
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

/// The mark that an expression is, if it is one.
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

/// The attribute in which a module lists the marks that were set in its source.
pub(crate) const ATTRIBUTE: &str = "beagle_marks";

/// The marks that were set in the source of a module, as lines and columns; the compiler may have removed some.
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
