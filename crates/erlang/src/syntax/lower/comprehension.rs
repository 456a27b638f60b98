//! Comprehensions: each generator is a function that walks its list or bitstring and calls itself. At its end, an inner
//! one continues with the outer one.

use super::bits::{rest, whole};
use super::expression::clause;
use super::free::{self, Names};
use super::guard::outside_guards;
use super::pattern::Matching;
use super::scope::Visibility;
use super::{
    Frame, Lifted, Lifting, Lowered, Steps, all_variables, call_local, match_fail, raise_error, span, with_steps,
};
use crate::syntax::ast::{Ast, Node, Qualifier, on_growing_stack};
use crate::syntax::error::{Position, SyntaxError};
use program::{BitSize, Clause, Expr, FunctionId, Pattern, Var};
use std::sync::Arc;
use term::{Atom, Bits, Term};

/// The kind of value that the comprehension builds from its template.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Output {
    /// A list: the value, followed by the rest of the list.
    List,
    /// A bitstring: the value is appended to the bitstring so far.
    Bits,
}

/// The function of the enclosing generator, and the position in its list. The first generator has none.
struct Outer {
    function: FunctionId,
    remaining: Var,
    passed_on: Vec<Var>,
    at: Position,
}

struct Comprehension<'a> {
    output: Output,
    template: &'a Ast,
}

impl Frame<'_> {
    pub(super) fn list_comprehension(&mut self, template: &Ast, qualifiers: &[Qualifier]) -> Lowered<Expr> {
        let mark = self.scope.mark();
        let comprehension = Comprehension { output: Output::List, template };
        let value = self.qualifiers(&comprehension, qualifiers, None, Expr::Const(Term::Nil))?;
        self.scope.take_since(mark);
        Ok(value)
    }

    pub(super) fn binary_comprehension(&mut self, template: &Ast, qualifiers: &[Qualifier]) -> Lowered<Expr> {
        let mark = self.scope.mark();
        let comprehension = Comprehension { output: Output::Bits, template };
        let nothing = Expr::Const(Term::Bits(Bits::from_bytes(Arc::<[u8]>::from([]))));
        let value = self.qualifiers(&comprehension, qualifiers, None, nothing)?;
        self.scope.take_since(mark);
        Ok(value)
    }

    /// Lowers the qualifiers. `so_far` is the beginning of the bitstring; a list does not need it.
    fn qualifiers(
        &mut self,
        comprehension: &Comprehension<'_>,
        qualifiers: &[Qualifier],
        outer: Option<&Outer>,
        so_far: Expr,
    ) -> Lowered<Expr> {
        on_growing_stack(|| match qualifiers.split_first() {
            None => self.template(comprehension, outer, so_far),
            Some((Qualifier::Filter(filter), others)) => self.filter(comprehension, filter, others, outer, so_far),
            Some((Qualifier::List(pattern, value), others)) => {
                self.generator(comprehension, pattern, value, false, others, outer, so_far)
            }
            Some((Qualifier::Bits(pattern, value), others)) => {
                self.generator(comprehension, pattern, value, true, others, outer, so_far)
            }
        })
    }

    fn template(&mut self, comprehension: &Comprehension<'_>, outer: Option<&Outer>, so_far: Expr) -> Lowered<Expr> {
        let mut steps = Steps::new();
        let template = comprehension.template;
        match comprehension.output {
            Output::List => {
                let value = self.expression(template, false, &mut steps)?;
                let value = self.atomic(value, &mut steps);
                let others = go_on(Output::List, outer, so_far);
                Ok(with_steps(steps, Expr::Cons(Box::new(value), Box::new(others))))
            }
            Output::Bits => {
                let added = match &template.node {
                    Node::Binary(segments) => match self.bit_segments(segments, &mut steps)? {
                        Ok(constant) => vec![whole(Expr::Const(constant))],
                        Err(segments) => segments,
                    },
                    _ => vec![whole(self.expression(template, false, &mut steps)?)],
                };
                let segments = std::iter::once(whole(so_far)).chain(added).collect();
                let longer = Expr::Bits { segments, span: span(template.at) };
                let longer = self.atomic(longer, &mut steps);
                Ok(with_steps(steps, go_on(Output::Bits, outer, longer)))
            }
        }
    }

    /// Lowers a filter. One that is allowed in a guard is treated as a guard: exceptions and values that are not
    /// booleans mean "no".
    fn filter(
        &mut self,
        comprehension: &Comprehension<'_>,
        filter: &Ast,
        others: &[Qualifier],
        outer: Option<&Outer>,
        so_far: Expr,
    ) -> Lowered<Expr> {
        let at = filter.at;
        let mut steps = Steps::new();
        let is_guard = outside_guards(filter).is_none();
        let subject = if is_guard {
            Expr::Guard(Box::new(self.guard_expression(filter)?))
        } else {
            self.expression(filter, false, &mut steps)?
        };
        let passed = self.qualifiers(comprehension, others, outer, so_far.clone())?;
        let skipped = go_on(comprehension.output, outer, so_far);
        let mut clauses = vec![clause(vec![Pattern::Const(Term::TRUE)], passed, at)];
        if is_guard {
            clauses.push(clause(vec![Pattern::Any], skipped, at));
        } else {
            let other = self.fresh();
            clauses.push(clause(vec![Pattern::Const(Term::FALSE)], skipped, at));
            let failure = match_fail(Atom::new("bad_filter"), Expr::Var(other), at);
            clauses.push(clause(vec![Pattern::Var(other)], failure, at));
        }
        Ok(with_steps(steps, Expr::Case { subjects: vec![subject], clauses, span: span(at) }))
    }

    #[allow(clippy::too_many_arguments)]
    fn generator(
        &mut self,
        comprehension: &Comprehension<'_>,
        pattern: &Ast,
        value: &Ast,
        of_bits: bool,
        others: &[Qualifier],
        outer: Option<&Outer>,
        so_far: Expr,
    ) -> Lowered<Expr> {
        let at = pattern.at;
        let mark = self.scope.mark();
        let mut steps = Steps::new();
        let value = self.expression(value, false, &mut steps)?;
        // Variables that the expression of the list binds are not visible elsewhere.
        self.scope.take_since(mark);
        let mut mentioned = Names::new();
        free::in_generated(pattern, others, comprehension.template, &mut mentioned);
        let accumulates = comprehension.output == Output::Bits;
        let carried =
            outer.map(|outer| std::iter::once(outer.remaining).chain(outer.passed_on.iter().copied()).collect());
        let lifting = Lifting {
            kind: if accumulates { "lbc" } else { "lc" },
            arity: if accumulates { 2 } else { 1 },
            names: &mentioned,
            carried: carried.unwrap_or_default(),
        };
        let (function, passed) = self.lift(lifting, at, |frame, lifted| {
            let outer = outer.map(|outer| Outer {
                function: outer.function,
                remaining: lifted.carried[0],
                passed_on: lifted.carried[1..].to_vec(),
                at: outer.at,
            });
            frame.generator_body(comprehension, pattern, of_bits, others, outer.as_ref(), &lifted)
        })?;
        let mut args = vec![value];
        args.extend(accumulates.then_some(so_far));
        args.extend(all_variables(&passed));
        Ok(with_steps(steps, call_local(function, args, at)))
    }

    fn generator_body(
        &mut self,
        comprehension: &Comprehension<'_>,
        pattern: &Ast,
        of_bits: bool,
        others: &[Qualifier],
        outer: Option<&Outer>,
        lifted: &Lifted,
    ) -> Lowered<Expr> {
        let at = pattern.at;
        let output = comprehension.output;
        let so_far = lifted.parameters.get(1).map_or(Expr::Const(Term::Nil), |var| Expr::Var(*var));
        let mut steps = Steps::new();
        let remaining = self.fresh();
        let skipped_to = self.fresh();
        let walk =
            |remaining: Var| Outer { function: lifted.function, remaining, passed_on: lifted.passed_on.clone(), at };
        let (heads, end) = if of_bits {
            (self.bit_heads(pattern, remaining, skipped_to)?, Pattern::Bits(vec![rest(None)]))
        } else {
            (self.list_heads(pattern, remaining, skipped_to, &mut steps)?, Pattern::Const(Term::Nil))
        };
        let mark = self.scope.mark();
        for (name, var) in heads.names {
            self.scope.push(name, Visibility::Bound(var));
        }
        let guard = self.guard(&Vec::new(), heads.tests)?;
        let body = self.qualifiers(comprehension, others, Some(&walk(remaining)), so_far.clone())?;
        self.scope.take_since(mark);
        let mut clauses = Vec::new();
        if heads.possible {
            clauses.push(Clause { patterns: vec![heads.matching], guard, body, span: span(at) });
        }
        if let Some(skipping) = heads.skipping {
            clauses.push(clause(vec![skipping], go_on(output, Some(&walk(skipped_to)), so_far.clone()), at));
        }
        clauses.push(clause(vec![end], go_on(output, outer, so_far), at));
        let other = self.fresh();
        clauses.push(clause(vec![Pattern::Var(other)], raise_error("bad_generator", Expr::Var(other), at), at));
        let subjects = vec![Expr::Var(lifted.parameters[0])];
        Ok(with_steps(steps, Expr::Case { subjects, clauses, span: span(at) }))
    }

    fn list_heads(&mut self, pattern: &Ast, remaining: Var, skipped_to: Var, steps: &mut Steps) -> Lowered<Heads> {
        let matched = self.patterns([pattern], true, steps)?;
        let item = matched.patterns.into_iter().next().unwrap_or(Pattern::Any);
        let cons = |item: Pattern, tail: Var| Pattern::Cons(Box::new(item), Box::new(Pattern::Var(tail)));
        let always = matched.tests.is_empty() && matches!(item, Pattern::Any | Pattern::Var(_));
        Ok(Heads {
            matching: cons(item, remaining),
            skipping: (!always).then(|| cons(Pattern::Any, skipped_to)),
            names: matched.names,
            tests: matched.tests,
            possible: matched.possible,
        })
    }

    /// Lowers the pattern of a bitstring generator. Bits that fit the pattern's sizes, but not its values, are skipped.
    fn bit_heads(&mut self, pattern: &Ast, remaining: Var, skipped_to: Var) -> Lowered<Heads> {
        let Node::Binary(segments) = &pattern.node else {
            return Err(super::pattern::illegal(pattern));
        };
        let mut matching = Matching::new(true);
        let mut matched = self.bit_patterns(segments, &mut matching)?;
        if matched.last().is_some_and(|segment| segment.size == BitSize::All) {
            let at = segments.last().map_or(pattern.at, |segment| segment.at);
            return Err(SyntaxError::new(at, "a generator's binary pattern cannot end with a binary without size"));
        }
        matched.push(rest(Some(remaining)));
        let mut skipping = Matching::new(true);
        skipping.skips = true;
        let mut skipped = self.bit_patterns(segments, &mut skipping)?;
        skipped.push(rest(Some(skipped_to)));
        Ok(Heads {
            matching: Pattern::Bits(matched),
            skipping: Some(Pattern::Bits(skipped)),
            names: matching.names,
            tests: matching.tests,
            possible: true,
        })
    }
}

/// The patterns that a generator's function matches against its list or bitstring.
struct Heads {
    matching: Pattern,
    /// The pattern of items to skip; `None` if everything matches.
    skipping: Option<Pattern>,
    names: Vec<(crate::syntax::ast::Name, Var)>,
    tests: Vec<Expr>,
    possible: bool,
}

/// Continues with the rest of the output: with the enclosing generator, or with nothing.
fn go_on(output: Output, outer: Option<&Outer>, so_far: Expr) -> Expr {
    match outer {
        Some(outer) => {
            let mut args = vec![Expr::Var(outer.remaining)];
            args.extend((output == Output::Bits).then_some(so_far));
            args.extend(all_variables(&outer.passed_on));
            call_local(outer.function, args, outer.at)
        }
        None if output == Output::List => Expr::Const(Term::Nil),
        None => so_far,
    }
}
