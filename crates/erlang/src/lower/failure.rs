//! Primitives. Only a failure to match needs more than a call.

use super::core::{self, Anno, CoreNode, Malformed, Result};
use super::state::{Kind, Lowering};
use program::{Callee, Expr, FunctionId, Span};
use term::{Atom, Term, names};

pub(super) fn primitive_call(name: Atom, args: Vec<Expr>, span: Span) -> Expr {
    Expr::Call { callee: Callee::Primitive(name), args, span }
}

impl Lowering {
    pub fn primitive(&mut self, anno: Anno<'_>, name: Atom, args: &[Term]) -> Result<Expr> {
        if name.text() == "match_fail" {
            return self.match_fail(anno, name, args);
        }
        let args = self.lower_all(args)?;
        Ok(primitive_call(name, args, self.span(anno)))
    }

    fn match_fail(&mut self, anno: Anno<'_>, name: Atom, args: &[Term]) -> Result<Expr> {
        let [reason] = args else {
            return Err(Malformed(format!("match_fail with {} arguments", args.len())));
        };
        match core::node(reason)?.1 {
            CoreNode::Tuple([first, args @ ..]) if is_function_clause(first) => {
                let args = self.lower_all(args)?;
                Ok(self.function_clause(anno, args))
            }
            CoreNode::Literal(Term::Tuple(items)) if items.first() == Some(&Term::Atom(names::FUNCTION_CLAUSE)) => {
                let args = items[1..].iter().cloned().map(Expr::Const).collect();
                Ok(self.function_clause(anno, args))
            }
            _ => {
                let reason = self.lower(reason)?;
                Ok(primitive_call(name, vec![reason], self.span(anno)))
            }
        }
    }

    /// Lowers a failure of all clauses. OTP distinguishes the failure of the function itself from that of a function
    /// that was inlined into it by line and number of arguments. The latter is raised by a stub, so that the stack
    /// names the inlined function. The function of a closure counts as inlined if it has captures, which only `lift`
    /// knows: until then the first argument of the call is the number of the failure.
    fn function_clause(&mut self, anno: Anno<'_>, mut args: Vec<Expr>) -> Expr {
        let span = self.span(anno);
        let site = self.order.failure(anno.function());
        let host = &self.drafts[self.host(self.current).index()];
        let is_own = span.line > 0
            && (span.file, span.line) == (host.span.file, host.span.line)
            && args.len() == host.arity as usize;
        match (is_own, host.kind) {
            (true, Kind::Module) => primitive_call(names::FUNCTION_CLAUSE, args, span),
            (true, _) => {
                args.insert(0, Expr::int(site as i64));
                primitive_call(names::FUNCTION_CLAUSE, args, span)
            }
            (false, _) => {
                let stub = self.stub(site, args.len() as u32, span);
                self.local_call(stub, args, span)
            }
        }
    }

    /// Returns the function that raises on behalf of the failure `site`.
    pub fn stub(&mut self, site: usize, arity: u32, span: Span) -> FunctionId {
        if let Some(stub) = self.order.failures[site].stub {
            return stub;
        }
        let stub = self.add_function(self.order.failures[site].stub_name, arity, Kind::Stub, span);
        self.order.failures[site].stub = Some(stub);
        let outer = std::mem::replace(&mut self.current, stub);
        let params: Vec<_> = (0..arity).map(|_| self.fresh()).collect();
        self.current = outer;
        let args = params.iter().copied().map(Expr::Var).collect();
        let draft = &mut self.drafts[stub.index()];
        draft.params = params;
        draft.body = Some(primitive_call(names::FUNCTION_CLAUSE, args, span));
        stub
    }
}

fn is_function_clause(term: &Term) -> bool {
    matches!(core::node(term), Ok((_, CoreNode::Literal(Term::Atom(names::FUNCTION_CLAUSE)))))
}
