//! Marks where a function of the IR shows what was there before the run: receives that take only messages that the run itself
//! has sent, and each `catch` whose trace is not read, become primitives of their own.
//!
//! A message that lies in the caller's mailbox may be taken in place of the run's own, unless every clause of the receive
//! compares a part of the message with an identity that the run has made. Such clauses test variables from outside of the
//! receive for equality. The machine looks at the values of these variables when a message is taken, so `remove_message`
//! becomes `take_message`, which is given them: a list for each clause.
//!
//! A trace ends with the calls of whoever called the run. `catch_value` becomes `catch_value_unread` where the trace can reach
//! nothing but patterns that match every trace.

use program::{Binding, Callee, Clause, Expr, Pattern, Span, Var, for_each_expr, for_each_use};
use rustc_hash::{FxHashMap, FxHashSet};
use term::{Term, names};

/// Marks the receive and the catches of a function's body.
pub fn mark(body: &mut Expr) {
    let (mut peeks, mut catches) = (0, false);
    for_each_expr(body, |expr| {
        peeks += usize::from(is_primitive(expr, "recv_peek_message"));
        catches |= is_primitive(expr, "catch_value");
    });
    // Each receive is a function of its own.
    if peeks == 1
        && let Some(required) = required_of_receive(body)
    {
        let list = list_of(required.into_iter().map(|vars| list_of(vars.into_iter().map(Expr::Var))));
        for_each_mut(body, &mut |expr| {
            if is_primitive(expr, "remove_message") {
                *expr = primitive("take_message", vec![list.clone()]);
            }
        });
    }
    if catches {
        for_each_mut(body, &mut leave_unread);
    }
}

fn is_primitive(expr: &Expr, wanted: &str) -> bool {
    matches!(expr, Expr::Call { callee: Callee::Primitive(name), .. } if name.text() == wanted)
}

fn primitive(name: &str, args: Vec<Expr>) -> Expr {
    Expr::Call { callee: Callee::Primitive(term::Atom::new(name)), args, span: Span::default() }
}

fn list_of(items: impl DoubleEndedIterator<Item = Expr>) -> Expr {
    items.rev().fold(Expr::Const(Term::Nil), |tail, head| Expr::Cons(Box::new(head), Box::new(tail)))
}

/// Returns the variables with which each clause of the receive compares a part of the message. `None` if a clause takes
/// messages without such a comparison.
fn required_of_receive(body: &Expr) -> Option<Vec<Vec<Var>>> {
    let mut message = None;
    for_each_expr(body, |expr| {
        let Expr::Let { bindings, .. } = expr else { return };
        for binding in bindings {
            if let ([_, var], true) = (&binding.vars[..], is_primitive(&binding.value, "recv_peek_message")) {
                message = Some(*var);
            }
        }
    });
    let message = message?;
    let (mut removals, mut required) = (0, Vec::new());
    for_each_expr(body, |expr| {
        removals += usize::from(is_primitive(expr, "remove_message"));
        let Expr::Case { subjects, clauses, .. } = expr else { return };
        if subjects[..] == [Expr::Var(message)] {
            let taking = clauses.iter().filter(|clause| takes_message(&clause.body));
            required.extend(taking.map(|clause| compared(clause, message)));
        }
    });
    // A message that is removed elsewhere was matched in another way.
    (removals > 0 && removals == required.len() && required.iter().all(|vars| !vars.is_empty())).then_some(required)
}

fn takes_message(body: &Expr) -> bool {
    match body {
        Expr::Let { bindings, .. } => {
            bindings.first().is_some_and(|first| is_primitive(&first.value, "remove_message"))
        }
        body => is_primitive(body, "remove_message"),
    }
}

/// Returns the variables from outside that a part of the message equals whenever the clause is taken.
fn compared(clause: &Clause, message: Var) -> Vec<Var> {
    let (mut parts, mut required) = (FxHashSet::default(), Vec::new());
    parts.insert(message);
    for pattern in &clause.patterns {
        parts_of(pattern, &mut parts, &mut required);
    }
    if let Some(guard) = &clause.guard {
        // A variable that the guard binds is no value from outside.
        let mut bound = FxHashSet::default();
        for_each_expr(guard, |expr| match expr {
            Expr::Let { bindings, .. } => {
                bound.extend(bindings.iter().flat_map(|binding| binding.vars.iter().copied()))
            }
            Expr::Case { clauses, .. } => {
                let patterns = clauses.iter().flat_map(|clause| &clause.patterns);
                patterns.for_each(|pattern| parts_of(pattern, &mut bound, &mut Vec::new()));
            }
            _ => {}
        });
        conditions(guard, &mut FxHashMap::default(), &mut |a, b| {
            for (part, other) in [(a, b), (b, a)] {
                if parts.contains(&part) && !parts.contains(&other) && !bound.contains(&other) {
                    required.push(other);
                }
            }
        });
    }
    required
}

/// Collects the variables that a pattern binds, and those that it uses as keys of maps.
fn parts_of(pattern: &Pattern, bound: &mut FxHashSet<Var>, keys: &mut Vec<Var>) {
    let mut open = vec![pattern];
    while let Some(pattern) = open.pop() {
        match pattern {
            Pattern::Any | Pattern::Const(_) => {}
            Pattern::Var(var) => {
                bound.insert(*var);
            }
            Pattern::Alias(var, inner) => {
                bound.insert(*var);
                open.push(inner);
            }
            Pattern::Cons(head, tail) => open.extend([&**head, &**tail]),
            Pattern::Tuple(parts) => open.extend(parts),
            Pattern::Map(pairs) => {
                for (key, value) in pairs {
                    if let Expr::Var(key) = key {
                        keys.push(*key);
                    }
                    open.push(value);
                }
            }
            Pattern::Bits(segments) => open.extend(segments.iter().map(|segment| &segment.value)),
        }
    }
}

/// Shows the pairs of variables that are equal whenever the guard is true.
fn conditions<'e>(guard: &'e Expr, lets: &mut FxHashMap<Var, &'e Expr>, show: &mut impl FnMut(Var, Var)) {
    let mut open = vec![guard];
    while let Some(expr) = open.pop() {
        match expr {
            Expr::Guard(inner) => open.push(inner),
            Expr::Let { bindings, body } => {
                for binding in bindings {
                    if let [var] = binding.vars[..] {
                        lets.insert(var, &binding.value);
                    }
                }
                open.push(body);
            }
            Expr::Var(var) => open.extend(lets.remove(var)),
            Expr::Call { callee: Callee::Remote { module, function }, args, .. } if *module == names::ERLANG => {
                match (function.text(), &args[..]) {
                    ("=:=" | "==", [Expr::Var(a), Expr::Var(b)]) => show(*a, *b),
                    ("and", [a, b]) => open.extend([a, b]),
                    _ => {}
                }
            }
            // `andalso`
            Expr::Case { subjects, clauses, .. } => {
                let is_true = |pattern: &[Pattern]| pattern == [Pattern::Const(Term::TRUE)];
                if let ([subject], Some((first, others))) = (&subjects[..], clauses.split_first())
                    && is_true(&first.patterns)
                    && first.guard.is_none()
                    && others.iter().all(|clause| is_false(&clause.body))
                {
                    open.extend([subject, &first.body]);
                }
            }
            _ => {}
        }
    }
}

/// Returns whether a guard fails with this value. What raises there fails, too.
fn is_false(expr: &Expr) -> bool {
    let raises = match expr {
        Expr::Call { callee: Callee::Remote { module, function }, .. } => {
            *module == names::ERLANG && function.text() == "error"
        }
        _ => is_primitive(expr, "match_fail"),
    };
    raises || *expr == Expr::Const(Term::FALSE)
}

/// Renames the primitive of the catches directly below an expression if their trace is not read.
fn leave_unread(expr: &mut Expr) {
    match expr {
        Expr::Case { subjects, clauses, .. } => {
            if let [subject] = &mut subjects[..]
                && is_catch(subject)
                && is_unread(clauses, None)
            {
                rename(subject);
            }
        }
        Expr::Let { bindings, body } => {
            for index in 0..bindings.len() {
                let (before, after) = bindings.split_at_mut(index + 1);
                let Binding { vars, value } = &mut before[index];
                if is_catch(value)
                    && let [var] = vars[..]
                    && is_unread_variable(var, after, body)
                {
                    rename(value);
                }
            }
        }
        _ => {}
    }
}

fn is_catch(expr: &Expr) -> bool {
    match expr {
        Expr::Try { ok_vars, ok, handler, .. } => {
            is_primitive(handler, "catch_value")
                && matches!((&ok_vars[..], &**ok), ([var], Expr::Var(same)) if var == same)
        }
        _ => false,
    }
}

fn rename(expr: &mut Expr) {
    if let Expr::Try { handler, .. } = expr
        && let Expr::Call { callee, .. } = &mut **handler
    {
        *callee = Callee::Primitive(term::Atom::new("catch_value_unread"));
    }
}

/// Returns whether nothing but one case uses the variable, and that case does not read the trace.
fn is_unread_variable(var: Var, after: &[Binding], body: &Expr) -> bool {
    let uses = |expr: &Expr| {
        let mut count = 0;
        for_each_use(expr, |used| count += usize::from(used == var));
        count
    };
    let all: usize = after.iter().map(|binding| uses(&binding.value)).sum::<usize>() + uses(body);
    if all == 0 {
        return true;
    }
    let mut unread = false;
    for root in after.iter().map(|binding| &binding.value).chain([body]) {
        for_each_expr(root, |expr| {
            if let Expr::Case { subjects, clauses, .. } = expr
                && subjects[..] == [Expr::Var(var)]
                && uses(expr) == all
                && is_unread(clauses, Some(var))
            {
                unread = true;
            }
        });
    }
    unread
}

/// The effect of a pattern on `{'EXIT', {Reason, Trace}}`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Effect {
    /// It does not match.
    Differs,
    /// It may match, and reads no part of the trace.
    Passes,
    /// It matches, and reads no part of the trace.
    Covers,
    Reads,
}

/// Returns whether a case reads no part of the trace of the caught error that is its subject. `whole` is another name for it.
fn is_unread(clauses: &[Clause], whole: Option<Var>) -> bool {
    for clause in clauses {
        let [pattern] = &clause.patterns[..] else { return false };
        let effect = effect(pattern);
        if effect == Effect::Differs {
            continue;
        }
        let mut names_whole = false;
        let mut look = |used| names_whole |= Some(used) == whole;
        for_each_use(&clause.body, &mut look);
        clause.guard.iter().for_each(|guard| for_each_use(guard, &mut look));
        if names_whole || effect == Effect::Reads {
            return false;
        }
        if effect == Effect::Covers && clause.guard.is_none() {
            return true;
        }
    }
    true
}

fn effect(pattern: &Pattern) -> Effect {
    let parts = match pattern {
        Pattern::Any => return Effect::Covers,
        Pattern::Var(_) | Pattern::Alias(..) => return Effect::Reads,
        Pattern::Tuple(parts) => parts,
        Pattern::Const(Term::Tuple(_)) => return Effect::Reads,
        Pattern::Const(_) | Pattern::Cons(..) | Pattern::Map(_) | Pattern::Bits(_) => return Effect::Differs,
    };
    let [tag, inner] = &parts[..] else { return Effect::Differs };
    match tag {
        Pattern::Any | Pattern::Var(_) => {}
        Pattern::Const(Term::Atom(tag)) if *tag == names::EXIT_UPPER => {}
        _ => return Effect::Differs,
    }
    match inner {
        Pattern::Any => Effect::Covers,
        Pattern::Tuple(parts) => match &parts[..] {
            [Pattern::Any | Pattern::Var(_), Pattern::Any] => Effect::Covers,
            [_, Pattern::Any] => Effect::Passes,
            [_, _] => Effect::Reads,
            _ => Effect::Differs,
        },
        Pattern::Var(_) | Pattern::Alias(..) | Pattern::Const(Term::Tuple(_)) => Effect::Reads,
        Pattern::Const(_) | Pattern::Cons(..) | Pattern::Map(_) | Pattern::Bits(_) => Effect::Differs,
    }
}

/// Shows every expression of a body for a change, those inside of it first.
fn for_each_mut(expr: &mut Expr, change: &mut impl FnMut(&mut Expr)) {
    stacker::maybe_grow(128 << 10, 4 << 20, || {
        match expr {
            Expr::Const(_) | Expr::Var(_) | Expr::Closure { .. } => {}
            Expr::Let { bindings, body } => {
                bindings.iter_mut().for_each(|binding| for_each_mut(&mut binding.value, change));
                for_each_mut(body, change);
            }
            Expr::Values(items) | Expr::Tuple(items) => items.iter_mut().for_each(|item| for_each_mut(item, change)),
            Expr::Cons(head, tail) => {
                for_each_mut(head, change);
                for_each_mut(tail, change);
            }
            Expr::Map { base, pairs, .. } => {
                for_each_mut(base, change);
                for pair in pairs {
                    for_each_mut(&mut pair.key, change);
                    for_each_mut(&mut pair.value, change);
                }
            }
            Expr::Bits { segments, .. } => {
                segments.iter_mut().for_each(|segment| for_each_mut(&mut segment.value, change))
            }
            Expr::Call { callee, args, .. } => {
                match callee {
                    Callee::Local(_) | Callee::Remote { .. } | Callee::Primitive(_) => {}
                    Callee::Dynamic { module, function } => {
                        for_each_mut(module, change);
                        for_each_mut(function, change);
                    }
                    Callee::Value(function) => for_each_mut(function, change),
                }
                args.iter_mut().for_each(|arg| for_each_mut(arg, change));
            }
            Expr::Case { subjects, clauses, .. } => {
                subjects.iter_mut().for_each(|subject| for_each_mut(subject, change));
                // Guards neither receive nor catch.
                clauses.iter_mut().for_each(|clause| for_each_mut(&mut clause.body, change));
            }
            Expr::Try { body, ok, handler, .. } => {
                for_each_mut(body, change);
                for_each_mut(ok, change);
                for_each_mut(handler, change);
            }
            Expr::Guard(_) => {}
        }
        change(expr);
    });
}
