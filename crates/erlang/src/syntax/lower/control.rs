//! Branching: `case`, `if`, and the common parts of their branches.

use super::expression::clause;
use super::scope::Visibility;
use super::{Frame, Lowered, Steps, all_variables, call_primitive, match_fail, span, with_steps};
use crate::syntax::ast::{self, Ast, Name};
use crate::syntax::error::Position;
use program::{Binding, Clause, Expr, Pattern, Var};
use std::collections::HashMap;
use term::names;

/// A lowered branch, before it is known which variables all branches export.
pub(super) struct Branch {
    pub patterns: Vec<Pattern>,
    pub guard: Option<Expr>,
    pub steps: Steps,
    pub value: Expr,
    /// The names that it bound.
    pub names: Vec<(Name, Visibility)>,
    /// Whether its patterns can match anything.
    pub possible: bool,
    pub at: Position,
}

impl Branch {
    /// Makes the clause. `deliver` combines its value and the variables for `exports`.
    pub(super) fn into_clause(self, exports: &[Name], deliver: impl FnOnce(Expr, Vec<Expr>) -> Expr) -> Option<Clause> {
        if !self.possible {
            return None;
        }
        let variable = |name: &Name| self.names.iter().find(|(found, _)| found == name).map(|(_, state)| *state);
        let vars: Vec<Var> = exports
            .iter()
            .filter_map(|name| match variable(name) {
                Some(Visibility::Bound(var)) => Some(var),
                _ => None,
            })
            .collect();
        let value = if exports.is_empty() { self.value } else { deliver(self.value, all_variables(&vars).collect()) };
        let body = with_steps(self.steps, value);
        Some(Clause { patterns: self.patterns, guard: self.guard, body, span: span(self.at) })
    }
}

impl Frame<'_> {
    pub(super) fn case(
        &mut self,
        subject: &Ast,
        clauses: &[ast::Clause],
        at: Position,
        tail: bool,
        steps: &mut Steps,
    ) -> Lowered<Expr> {
        let subject = self.expression(subject, false, steps)?;
        let branches = self.branches(clauses, tail, steps)?;
        let other = self.fresh();
        let last = clause(vec![Pattern::Var(other)], match_fail(names::CASE_CLAUSE, Expr::Var(other), at), at);
        Ok(self.join("case", at, vec![subject], branches, last, tail, steps))
    }

    pub(super) fn if_expression(
        &mut self,
        clauses: &[ast::Clause],
        at: Position,
        tail: bool,
        steps: &mut Steps,
    ) -> Lowered<Expr> {
        let branches = self.branches(clauses, tail, steps)?;
        let last = clause(Vec::new(), call_primitive("match_fail", vec![Expr::atom(names::IF_CLAUSE)], at), at);
        Ok(self.join("if", at, Vec::new(), branches, last, tail, steps))
    }

    /// Lowers the branches, each in the current scope. Bindings that the patterns need go to `steps`.
    pub(super) fn branches(&mut self, clauses: &[ast::Clause], tail: bool, steps: &mut Steps) -> Lowered<Vec<Branch>> {
        clauses
            .iter()
            .map(|clause| {
                let matched = self.patterns(&clause.patterns, false, steps)?;
                let mark = self.scope.mark();
                for (name, var) in matched.names {
                    self.scope.push(name, Visibility::Bound(var));
                }
                let guard = self.guard(&clause.guard, matched.tests)?;
                let mut own_steps = Steps::new();
                let value = self.body(&clause.body, tail, &mut own_steps)?;
                Ok(Branch {
                    patterns: matched.patterns,
                    guard,
                    steps: own_steps,
                    value,
                    names: self.scope.take_since(mark),
                    possible: matched.possible,
                    at: clause.at,
                })
            })
            .collect()
    }

    /// Makes a case of the branches and a `last` clause that raises. Names that all branches bind are bound from now
    /// on; names that only some bind are unsafe.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn join(
        &mut self,
        construct: &'static str,
        at: Position,
        subjects: Vec<Expr>,
        branches: Vec<Branch>,
        last: Clause,
        tail: bool,
        steps: &mut Steps,
    ) -> Expr {
        let exports = self.bind_joined(construct, at, &branches, tail);
        let names: Vec<Name> = exports.iter().map(|(name, _)| name.clone()).collect();
        let mut clauses: Vec<Clause> = branches
            .into_iter()
            .filter_map(|branch| {
                branch.into_clause(&names, |value, mut exports| {
                    exports.insert(0, value);
                    Expr::Values(exports)
                })
            })
            .collect();
        if !clauses.last().is_some_and(always_matches) {
            clauses.push(last);
        }
        let value = Expr::Case { subjects, clauses, span: span(at) };
        if exports.is_empty() {
            return value;
        }
        let own = self.fresh();
        let vars = std::iter::once(own).chain(exports.into_iter().map(|(_, var)| var)).collect();
        steps.push(Binding { vars, value });
        Expr::Var(own)
    }

    /// Adds the names that the branches bind to the scope. Returns those that all of them bind and that may be used
    /// later, with new variables.
    fn bind_joined(
        &mut self,
        construct: &'static str,
        at: Position,
        branches: &[Branch],
        tail: bool,
    ) -> Vec<(Name, Var)> {
        let (every, some) = joined(branches, tail);
        for name in some {
            self.scope.push(name, Visibility::Unsafe { construct, at });
        }
        let bound = every.into_iter().map(|name| {
            let var = self.fresh();
            self.scope.push(name.clone(), Visibility::Bound(var));
            (name, var)
        });
        bound.collect()
    }
}

/// Returns the names of the branches' variables as seen after the construct: those that every branch binds, in order of
/// appearance, and the others, which are unsafe. After a `tail` all of them are.
pub(super) fn joined<'b>(branches: impl IntoIterator<Item = &'b Branch>, tail: bool) -> (Vec<Name>, Vec<Name>) {
    let mut counts: Vec<(Name, usize)> = Vec::new();
    let mut places: HashMap<Name, usize> = HashMap::new();
    let mut total = 0;
    for branch in branches {
        total += 1;
        // Siblings may bind the same name; the newest entry counts.
        let newest: HashMap<&Name, &Visibility> = branch.names.iter().map(|(name, state)| (name, state)).collect();
        for (index, (name, _)) in branch.names.iter().enumerate() {
            if branch.names[..index].iter().any(|(earlier, _)| earlier == name) {
                continue;
            }
            let Some(state) = newest.get(name) else { continue };
            let place = *places.entry(name.clone()).or_insert_with(|| {
                counts.push((name.clone(), 0));
                counts.len() - 1
            });
            counts[place].1 += usize::from(matches!(state, Visibility::Bound(_)));
        }
    }
    let (every, some): (Vec<_>, Vec<_>) = counts.into_iter().partition(|(_, count)| !tail && *count == total);
    (every.into_iter().map(|(name, _)| name).collect(), some.into_iter().map(|(name, _)| name).collect())
}

pub(super) fn always_matches(clause: &Clause) -> bool {
    clause.guard.is_none() && clause.patterns.iter().all(|pattern| matches!(pattern, Pattern::Any | Pattern::Var(_)))
}
