//! The check of one function's body.

use super::error::{Descent, Item, Place, Problem, VerifyError};
use super::scope::{BoundVariables, Fork};
use crate::{
    Binding, BitKind, BitPattern, BitSegment, BitSize, Callee, Clause, Expr, Function, FunctionId, Module, Origin,
    Pattern, Span, Var,
};
use num_traits::ToPrimitive;
use term::Term;

pub(super) struct BodyCheck<'m, 'e> {
    module: &'m Module,
    item: Item,
    errors: &'e mut Vec<VerifyError>,
    scope: BoundVariables,
    steps: Vec<Descent>,
    span: Span,
    /// The number of guards around the current node.
    guards: usize,
}

impl<'m, 'e> BodyCheck<'m, 'e> {
    pub(super) fn new(
        module: &'m Module,
        item: Item,
        function: &Function,
        errors: &'e mut Vec<VerifyError>,
    ) -> BodyCheck<'m, 'e> {
        let scope = BoundVariables::new(parameter_count(function));
        BodyCheck { module, item, errors, scope, steps: Vec::new(), span: Span::default(), guards: 0 }
    }

    pub(super) fn function(&mut self, function: &Function) {
        self.with_span(function.span, |check| {
            match function.origin {
                Origin::Named | Origin::Lambda { .. } | Origin::Lifted => {}
                Origin::Join { of } => {
                    check.target(of);
                }
            }
            match function.body.get() {
                Ok(body) => check.expr(body, 1),
                Err(error) => check.error(Problem::Undecodable(error.to_string())),
            }
        });
    }

    /// Checks an expression. `expected` is the number of values that its place needs.
    fn expr(&mut self, expr: &Expr, expected: usize) {
        stacker::maybe_grow(RED_ZONE, STACK_PIECE, || self.expr_on_this_stack(expr, expected));
    }

    fn expr_on_this_stack(&mut self, expr: &Expr, expected: usize) {
        if let Some(given) = own_value_count(expr)
            && given != expected
        {
            self.error(Problem::ValueCount { given, expected });
        }
        match expr {
            Expr::Const(term) => self.constant(term),
            Expr::Var(var) => self.used(*var),
            Expr::Let { bindings, body } => self.bindings(bindings, body, expected),
            Expr::Values(items) | Expr::Tuple(items) => self.items(items, Descent::Item),
            Expr::Cons(head, tail) => {
                self.at(Descent::Item(0), |check| check.expr(head, 1));
                self.at(Descent::Item(1), |check| check.expr(tail, 1));
            }
            Expr::Map { base, pairs, span } => self.with_span(*span, |check| {
                check.at(Descent::MapBase, |check| check.expr(base, 1));
                for (index, pair) in pairs.iter().enumerate() {
                    check.at(Descent::Key(index), |check| check.expr(&pair.key, 1));
                    check.at(Descent::Value(index), |check| check.expr(&pair.value, 1));
                }
            }),
            Expr::Bits { segments, span } => self.with_span(*span, |check| {
                for (index, segment) in segments.iter().enumerate() {
                    check.at(Descent::Segment(index), |check| check.segment(segment));
                }
            }),
            Expr::Closure { function, captures } => self.closure(*function, captures),
            Expr::Call { callee, args, span } => self.with_span(*span, |check| check.call(callee, args)),
            Expr::Case { subjects, clauses, span } => {
                self.with_span(*span, |check| check.case(subjects, clauses, expected));
            }
            Expr::Try { body, ok_vars, ok, handler_vars, handler } => {
                self.at(Descent::TryBody, |check| check.expr(body, ok_vars.len()));
                // The body's variables are bound on the path to both; `handler` does not handle an exception in `ok`.
                let fork = self.scope.fork();
                self.continuation(fork, Descent::TryOk, ok_vars, ok, expected);
                self.continuation(fork, Descent::TryHandler, handler_vars, handler, expected);
            }
            Expr::Guard(guard) => self.guard(Descent::Guard, guard),
        }
    }

    fn bindings(&mut self, bindings: &[Binding], body: &Expr, expected: usize) {
        let mark = self.scope.mark();
        for (index, binding) in bindings.iter().enumerate() {
            self.at(Descent::Binding(index), |check| {
                check.expr(&binding.value, binding.vars.len());
                binding.vars.iter().for_each(|&var| check.bind_and_show(var));
            });
        }
        self.at(Descent::LetBody, |check| check.expr(body, expected));
        self.scope.hide_since(mark);
    }

    fn continuation(&mut self, fork: Fork, step: Descent, vars: &[Var], then: &Expr, expected: usize) {
        let outer = self.scope.enter(fork);
        let mark = self.scope.mark();
        self.at(step, |check| {
            vars.iter().for_each(|&var| check.bind_and_show(var));
            check.expr(then, expected);
        });
        self.scope.hide_since(mark);
        self.scope.leave(outer);
    }

    fn closure(&mut self, function: FunctionId, captures: &[Var]) {
        if self.guards > 0 {
            self.error(Problem::ClosureInGuard);
        }
        captures.iter().for_each(|&var| self.used(var));
        if let Some(target) = self.target(function)
            && target.captures as usize != captures.len()
        {
            self.error(Problem::CaptureCount { function, given: captures.len(), expected: target.captures });
        }
    }

    fn call(&mut self, callee: &Callee, args: &[Expr]) {
        if self.guards > 0 && !matches!(callee, Callee::Remote { .. } | Callee::Primitive(_)) {
            self.error(Problem::CallInGuard);
        }
        match callee {
            Callee::Local(id) => {
                if let Some(target) = self.target(*id)
                    && parameter_count(target) != args.len() as u64
                {
                    let (given, expected) = (args.len(), parameter_count(target));
                    self.error(Problem::ArgumentCount { function: *id, given, expected });
                }
            }
            Callee::Dynamic { module, function } => {
                self.at(Descent::CalleeModule, |check| check.expr(module, 1));
                self.at(Descent::CalleeFunction, |check| check.expr(function, 1));
            }
            Callee::Value(function) => self.at(Descent::CalleeFunction, |check| check.expr(function, 1)),
            Callee::Remote { .. } | Callee::Primitive(_) => {}
        }
        self.items(args, Descent::Argument);
    }

    fn case(&mut self, subjects: &[Expr], clauses: &[Clause], expected: usize) {
        let Some(first) = clauses.first() else {
            self.error(Problem::NoClauses);
            return self.items(subjects, Descent::Subject);
        };
        let width = first.patterns.len();
        match subjects {
            // One expression may deliver all values.
            [subject] => self.at(Descent::Subject(0), |check| check.expr(subject, width)),
            _ => {
                if subjects.len() != width {
                    self.error(Problem::SubjectCount { patterns: width, subjects: subjects.len() });
                }
                self.items(subjects, Descent::Subject);
            }
        }
        let fork = self.scope.fork();
        for (index, clause) in clauses.iter().enumerate() {
            let outer = self.scope.enter(fork);
            let mark = self.scope.mark();
            self.at(Descent::Clause(index), |check| {
                check.with_span(clause.span, |check| check.clause(clause, width, expected));
            });
            self.scope.hide_since(mark);
            self.scope.leave(outer);
        }
    }

    fn clause(&mut self, clause: &Clause, width: usize, expected: usize) {
        if clause.patterns.len() != width {
            self.error(Problem::PatternCount { given: clause.patterns.len(), expected: width });
        }
        // The variables that patterns bind become visible only when all patterns have matched.
        let mut bound = Vec::new();
        for (index, pattern) in clause.patterns.iter().enumerate() {
            self.at(Descent::Pattern(index), |check| check.pattern(pattern, &mut bound));
        }
        bound.into_iter().for_each(|var| self.scope.show(var));
        if let Some(guard) = &clause.guard {
            self.guard(Descent::ClauseGuard, guard);
        }
        self.at(Descent::ClauseBody, |check| check.expr(&clause.body, expected));
    }

    fn pattern(&mut self, pattern: &Pattern, bound: &mut Vec<Var>) {
        stacker::maybe_grow(RED_ZONE, STACK_PIECE, || match pattern {
            Pattern::Any => {}
            Pattern::Var(var) => self.bind(*var, bound),
            Pattern::Alias(var, inner) => {
                self.bind(*var, bound);
                self.at(Descent::Alias, |check| check.pattern(inner, bound));
            }
            Pattern::Const(term) => self.constant(term),
            Pattern::Cons(head, tail) => {
                self.at(Descent::Item(0), |check| check.pattern(head, bound));
                self.at(Descent::Item(1), |check| check.pattern(tail, bound));
            }
            Pattern::Tuple(items) => {
                for (index, item) in items.iter().enumerate() {
                    self.at(Descent::Item(index), |check| check.pattern(item, bound));
                }
            }
            Pattern::Map(pairs) => {
                for (index, (key, value)) in pairs.iter().enumerate() {
                    self.at(Descent::Key(index), |check| match key {
                        Expr::Const(_) | Expr::Var(_) => check.expr(key, 1),
                        _ => check.error(Problem::PatternKey),
                    });
                    self.at(Descent::Value(index), |check| check.pattern(value, bound));
                }
            }
            Pattern::Bits(segments) => self.bit_patterns(segments, bound),
        });
    }

    fn bit_patterns(&mut self, segments: &[BitPattern], bound: &mut Vec<Var>) {
        let mark = self.scope.mark();
        for (index, segment) in segments.iter().enumerate() {
            self.at(Descent::Segment(index), |check| {
                check.size(&segment.size, segment.unit, segment.kind, true);
                if segment.size == BitSize::All && index + 1 < segments.len() {
                    check.error(Problem::SegmentAfterRest);
                }
                match &segment.value {
                    Pattern::Any => {}
                    Pattern::Const(term) => check.constant(term),
                    Pattern::Var(var) => {
                        check.bind(*var, bound);
                        // Sizes of later segments may use the variable.
                        check.scope.show(*var);
                    }
                    Pattern::Alias(..) | Pattern::Cons(..) | Pattern::Tuple(_) | Pattern::Map(_) | Pattern::Bits(_) => {
                        check.error(Problem::SegmentPattern);
                    }
                }
            });
        }
        self.scope.hide_since(mark);
    }

    fn segment(&mut self, segment: &BitSegment) {
        self.expr(&segment.value, 1);
        self.size(&segment.size, segment.unit, segment.kind, false);
    }

    fn size(&mut self, size: &BitSize, unit: u16, kind: BitKind, in_pattern: bool) {
        let encoded = match kind {
            BitKind::Utf8 | BitKind::Utf16 | BitKind::Utf32 => true,
            BitKind::Integer | BitKind::Float | BitKind::Bits => false,
        };
        let fits = match size {
            BitSize::All => kind == BitKind::Bits,
            BitSize::Encoded => encoded,
            BitSize::Times(_) => !encoded,
        };
        if !fits {
            self.error(Problem::SegmentSize(kind));
        }
        if !encoded && !(1..=256).contains(&unit) {
            self.error(Problem::SegmentUnit(unit));
        }
        match size {
            BitSize::All | BitSize::Encoded => {}
            // A pattern has no effects, so its sizes obey the rules of guards.
            BitSize::Times(count) if in_pattern => self.guard(Descent::Size, count),
            BitSize::Times(count) => self.at(Descent::Size, |check| check.expr(count, 1)),
        }
    }

    fn guard(&mut self, step: Descent, guard: &Expr) {
        self.guards += 1;
        self.at(step, |check| check.expr(guard, 1));
        self.guards -= 1;
    }

    fn items(&mut self, items: &[Expr], step: fn(usize) -> Descent) {
        for (index, item) in items.iter().enumerate() {
            self.at(step(index), |check| check.expr(item, 1));
        }
    }

    fn target(&mut self, id: FunctionId) -> Option<&'m Function> {
        let target = self.module.functions.get(id.index());
        if target.is_none() {
            self.error(Problem::NoSuchFunction { function: id, count: self.module.functions.len() });
        }
        target
    }

    fn used(&mut self, var: Var) {
        if !self.scope.sees(var) {
            self.error(Problem::Unbound(var));
        }
    }

    fn bind(&mut self, var: Var, bound: &mut Vec<Var>) {
        if !self.scope.bind(var) {
            self.error(Problem::BoundTwice(var));
        }
        bound.push(var);
    }

    fn bind_and_show(&mut self, var: Var) {
        if !self.scope.bind(var) {
            self.error(Problem::BoundTwice(var));
        }
        self.scope.show(var);
    }

    fn constant(&mut self, term: &Term) {
        if !is_canonical(term) {
            self.error(Problem::TermNotCanonical);
        }
    }

    fn at(&mut self, step: Descent, check: impl FnOnce(&mut Self)) {
        self.steps.push(step);
        check(self);
        self.steps.pop();
    }

    fn with_span(&mut self, span: Span, check: impl FnOnce(&mut Self)) {
        if span.line == 0 {
            return check(self);
        }
        let outer = std::mem::replace(&mut self.span, span);
        if span.file as usize >= self.module.files.len() {
            self.error(Problem::NoSuchFile { file: span.file, count: self.module.files.len() });
        }
        check(self);
        self.span = outer;
    }

    fn error(&mut self, problem: Problem) {
        if self.errors.len() >= MOST_ERRORS {
            return;
        }
        let place = Place { item: self.item, steps: self.steps.clone(), span: self.span };
        self.errors.push(VerifyError { place, problem });
    }
}

const RED_ZONE: usize = 64 << 10;
const STACK_PIECE: usize = 1 << 20;
/// The greatest number of recorded errors. More would not help the reader, and each may hold a long path from the root.
const MOST_ERRORS: usize = 100;

/// Returns the number of values that an expression delivers by itself. `None` where its inner bodies determine it, and
/// for calls that may be in any place because they raise there (a failed match).
fn own_value_count(expr: &Expr) -> Option<usize> {
    match expr {
        Expr::Let { .. } | Expr::Case { .. } | Expr::Try { .. } => None,
        Expr::Call { callee: Callee::Remote { .. } | Callee::Primitive(_), .. } => None,
        Expr::Call { callee: Callee::Local(_) | Callee::Dynamic { .. } | Callee::Value(_), .. } => Some(1),
        Expr::Values(items) => Some(items.len()),
        Expr::Const(_) | Expr::Var(_) | Expr::Cons(..) | Expr::Tuple(_) | Expr::Map { .. } => Some(1),
        Expr::Bits { .. } | Expr::Closure { .. } | Expr::Guard(_) => Some(1),
    }
}

pub(super) fn parameter_count(function: &Function) -> u64 {
    u64::from(function.arity) + u64::from(function.captures)
}

/// Returns whether a term is in the canonical form that [`Term`] describes.
pub(super) fn is_canonical(term: &Term) -> bool {
    let mut open = vec![term];
    while let Some(term) = open.pop() {
        match term {
            Term::Big(value) if value.to_i64().is_some() => return false,
            Term::List(items, tail) => {
                if items.is_empty() || matches!(tail.as_deref(), Some(Term::Nil | Term::List(..))) {
                    return false;
                }
                open.extend(items.iter());
                open.extend(tail.as_deref());
            }
            Term::Tuple(items) => open.extend(items.iter()),
            Term::Map(pairs) => open.extend(pairs.iter().flat_map(|(key, value)| [key, value])),
            Term::Int(_) | Term::Big(_) | Term::Float(_) | Term::Atom(_) | Term::Nil | Term::Bits(_) => {}
            Term::Fun(_) | Term::Pid(_) | Term::Reference(_) | Term::Port(_) => {}
        }
    }
    true
}
