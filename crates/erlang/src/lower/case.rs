//! Case expressions.

use super::clause_order::compile_order;
use super::core::{self, Anno, CoreNode, Malformed, Result};
use super::failure::primitive_call;
use super::state::{Bound, Key, Lowering};
use program::{Binding, Clause, Expr, Pattern, Span, Var};
use term::{Atom, Term, names};

impl Lowering {
    pub fn case(&mut self, anno: Anno<'_>, arg: &Term, clauses: &[Term], out: &mut Vec<Binding>) -> Result<Expr> {
        let Some(first) = clauses.first() else {
            return Err(Malformed("a case without clauses".into()));
        };
        let width = core::clause(first)?.patterns.len();
        let subjects = self.subjects(arg, width, out)?;
        let start = self.position();
        let mut ends = Vec::new();
        let mut lowered: Vec<Clause> = Vec::with_capacity(clauses.len() + 1);
        for clause in clauses {
            let clause = self.clause(clause, &subjects)?;
            if clause.guard == Some(Expr::Const(Term::FALSE)) {
                continue;
            }
            lowered.push(clause);
            ends.push(self.position());
            if lowered.last().is_some_and(always_matches) {
                break;
            }
        }
        self.reorder(start, &ends, |pass| compile_order(&lowered, pass));
        for clause in &mut lowered {
            clause.patterns.iter_mut().for_each(|pattern| self.prune(pattern));
        }
        let span = self.span(anno);
        if !lowered.last().is_some_and(always_matches) {
            lowered.push(self.failing_clause(width, span));
        }
        Ok(Expr::Case { subjects, clauses: lowered, span })
    }

    fn subjects(&mut self, arg: &Term, width: usize, out: &mut Vec<Binding>) -> Result<Vec<Expr>> {
        if let CoreNode::Values(elements) = core::node(arg)?.1
            && elements.len() == width
        {
            return self.lower_all(elements);
        }
        match self.lower_into(arg, out)? {
            Expr::Values(values) if values.len() == width => Ok(values),
            value if width == 1 => Ok(vec![value]),
            value => {
                let value = self.delivering(value, width);
                let vars: Vec<_> = (0..width).map(|_| self.fresh()).collect();
                let subjects = vars.iter().map(|&var| Expr::Var(var)).collect();
                out.push(Binding { vars, value });
                Ok(subjects)
            }
        }
    }

    fn clause(&mut self, term: &Term, subjects: &[Expr]) -> Result<Clause> {
        let clause = core::clause(term)?;
        if clause.patterns.len() != subjects.len() {
            return Err(Malformed("a case whose clauses have different numbers of patterns".into()));
        }
        let mark = self.scope.mark();
        let mut patterns = Vec::with_capacity(subjects.len());
        for (pattern, subject) in clause.patterns.iter().zip(subjects) {
            patterns.push(match subject {
                Expr::Var(subject) => self.pattern_of_variable(pattern, *subject)?,
                _ => self.pattern(pattern)?,
            });
        }
        let never_matches = std::mem::take(&mut self.never_matches);
        let guard = Some(self.lower(clause.guard)?).filter(|guard| *guard != Expr::Const(Term::TRUE));
        let guard = if never_matches { Some(Expr::Const(Term::FALSE)) } else { guard };
        let body = self.lower(clause.body)?;
        self.scope.leave(mark);
        Ok(Clause { patterns, guard, body, span: self.span(clause.anno) })
    }

    /// Lowers a pattern for the value of a variable. A name for the whole value becomes another name of the variable.
    fn pattern_of_variable(&mut self, mut pattern: &Term, subject: Var) -> Result<Pattern> {
        loop {
            let name = match core::node(pattern)?.1 {
                CoreNode::Var(name) => {
                    self.scope.set(Key::Var(name), Bound::Var(subject));
                    return Ok(Pattern::Any);
                }
                CoreNode::Alias { var, pattern: inner } => {
                    pattern = inner;
                    core::node(var)?.1
                }
                _ => return self.pattern(pattern),
            };
            let CoreNode::Var(name) = name else {
                return Err(Malformed("an alias of something that is no variable".into()));
            };
            self.scope.set(Key::Var(name), Bound::Var(subject));
        }
    }

    /// Returns a last clause that raises. The compiler leaves it out if it knows that the other clauses match every
    /// value.
    pub fn failing_clause(&mut self, width: usize, span: Span) -> Clause {
        let vars: Vec<_> = (0..width).map(|_| self.fresh()).collect();
        let reason = match &vars[..] {
            [] => Expr::atom(names::IF_CLAUSE),
            [var] => Expr::Tuple(vec![Expr::atom(names::CASE_CLAUSE), Expr::Var(*var)]),
            vars => Expr::Tuple(vec![
                Expr::atom(names::CASE_CLAUSE),
                Expr::Tuple(vars.iter().map(|&var| Expr::Var(var)).collect()),
            ]),
        };
        Clause {
            patterns: vars.into_iter().map(Pattern::Var).collect(),
            guard: None,
            body: primitive_call(Atom::new("match_fail"), vec![reason], span),
            span,
        }
    }
}

fn always_matches(clause: &Clause) -> bool {
    clause.guard.is_none()
        && clause.patterns.iter().all(|pattern| match pattern {
            Pattern::Any | Pattern::Var(_) => true,
            Pattern::Alias(..)
            | Pattern::Const(_)
            | Pattern::Cons(..)
            | Pattern::Tuple(_)
            | Pattern::Map(_)
            | Pattern::Bits(_) => false,
        })
}
