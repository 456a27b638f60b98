//! Narrows the possible values by patterns and conditions.

use super::{Analysis, Env, get, is_irrefutable, set};
use crate::index::FunctionRef;
use crate::interval::Interval;
use crate::shapes::Shape;
use formula::Kinds;
use program::{BitKind, BitPattern, BitSize, Callee, Clause, Expr, Pattern, Var};
use term::Term;

impl<'p> Analysis<'_, 'p> {
    /// Returns the terms of a shape that a pattern matches, as far as known, and binds the pattern's variables.
    pub(super) fn restrict(&mut self, of: FunctionRef, shape: &Shape, pattern: &'p Pattern, env: &mut Env) -> Shape {
        if shape.is_empty() {
            return Shape::default();
        }
        stacker::maybe_grow(128 << 10, 4 << 20, || match pattern {
            Pattern::Any => shape.clone(),
            Pattern::Var(var) => {
                set(env, *var, shape.clone());
                shape.clone()
            }
            Pattern::Alias(var, inner) => {
                let matched = self.restrict(of, shape, inner, env);
                set(env, *var, matched.clone());
                matched
            }
            Pattern::Const(term) => match shape.may_be(self.types, term) {
                true => Shape::of_term(self.types, term),
                false => Shape::default(),
            },
            Pattern::Cons(head, tail) => {
                let Some((heads, _)) = shape.cells(self.types) else { return Shape::default() };
                let head = self.restrict(of, &heads, head, env);
                let tail = self.restrict(of, &shape.tail(self.types), tail, env);
                if head.is_empty() || tail.is_empty() {
                    return Shape::default();
                }
                shape.restrict(self.types, Kinds::CONS)
            }
            Pattern::Tuple(items) => {
                let tag = match items.first() {
                    Some(Pattern::Const(tag)) => Some(tag),
                    _ => None,
                };
                let Some(elements) = shape.elements(self.types, items.len(), tag) else { return Shape::default() };
                let matched: Vec<Shape> =
                    items.iter().zip(&elements).map(|(item, element)| self.restrict(of, element, item, env)).collect();
                Shape::tuple(matched)
            }
            Pattern::Map(pairs) => {
                for (key, value) in pairs {
                    self.eval(of, key, &mut env.clone());
                    self.restrict(of, &Shape::any(), value, env);
                }
                shape.restrict(self.types, Kinds::MAP)
            }
            Pattern::Bits(segments) => {
                let bits = shape.restrict(self.types, Kinds::BITS);
                if bits.is_empty() {
                    return bits;
                }
                for segment in segments {
                    let value = segment_shape(segment);
                    if self.restrict(of, &value, &segment.value, env).is_empty() {
                        return Shape::default();
                    }
                }
                if bits.is_of_bytes(self.types) { Shape::binary() } else { bits }
            }
        })
    }

    /// Returns the terms of a shape that a pattern does not match, as far as known.
    pub(super) fn subtract(&self, shape: &Shape, pattern: &Pattern) -> Shape {
        match pattern {
            Pattern::Any | Pattern::Var(_) => Shape::default(),
            Pattern::Alias(_, inner) => self.subtract(shape, inner),
            Pattern::Const(term) => shape.without_term(self.types, term),
            Pattern::Cons(head, tail) if is_irrefutable(head) && is_irrefutable(tail) => {
                shape.without(self.types, Kinds::CONS)
            }
            Pattern::Tuple(items) => shape.without_tuples(self.types, items.len(), &|index, element| {
                items.get(index).is_some_and(|item| self.subtract(element, item).is_empty())
            }),
            Pattern::Cons(..) | Pattern::Map(_) | Pattern::Bits(_) => shape.clone(),
        }
    }

    /// Narrows the values by a condition that is true, or is not. Returns whether that is possible, as far as known.
    pub(super) fn refine(&self, condition: &Expr, is_true: bool, env: &mut Env) -> bool {
        match condition {
            Expr::Guard(inner) => self.refine(inner, is_true, env),
            Expr::Const(term) => (*term == Term::TRUE) == is_true,
            // The form of `andalso`.
            Expr::Case { subjects, clauses, .. } if is_true => match (subjects.as_slice(), clauses.as_slice()) {
                ([subject], [yes, no, ..])
                    if is_only(yes, Term::TRUE) && is_only(no, Term::FALSE) && no.body == Expr::Const(Term::FALSE) =>
                {
                    self.refine(subject, true, env) && self.refine(&yes.body, true, env)
                }
                ([subject], [no, yes, ..])
                    if is_only(yes, Term::TRUE) && is_only(no, Term::FALSE) && no.body == Expr::Const(Term::FALSE) =>
                {
                    self.refine(subject, true, env) && self.refine(&yes.body, true, env)
                }
                _ => true,
            },
            Expr::Call { callee: Callee::Remote { module, function }, args, .. } if module.text() == "erlang" => {
                self.refine_call(function.text(), args, is_true, env)
            }
            _ => true,
        }
    }

    fn refine_call(&self, name: &str, args: &[Expr], is_true: bool, env: &mut Env) -> bool {
        match (name, args) {
            ("not", [inner]) if is_true => self.refine(inner, false, env),
            ("and", [a, b]) if is_true => self.refine(a, true, env) && self.refine(b, true, env),
            (_, [Expr::Var(var)]) => {
                let Some((kinds, is_all)) = kinds_of_test(name) else { return true };
                let value = get(env, *var);
                let refined = match is_true {
                    true => value.restrict(self.types, kinds),
                    false if is_all => value.without(self.types, kinds),
                    false => value,
                };
                let is_possible = !refined.is_empty();
                set(env, *var, refined);
                is_possible
            }
            (_, [Expr::Var(var), Expr::Const(Term::Int(value))]) => self.compare(name, *var, *value, is_true, env),
            (_, [Expr::Const(Term::Int(value)), Expr::Var(var)]) => {
                let mirrored = match name {
                    "<" => ">",
                    ">" => "<",
                    "=<" => ">=",
                    ">=" => "=<",
                    other => other,
                };
                self.compare(mirrored, *var, *value, is_true, env)
            }
            _ => true,
        }
    }

    fn compare(&self, name: &str, var: Var, bound: i64, is_true: bool, env: &mut Env) -> bool {
        let value = get(env, var);
        let opposite = match (name, is_true) {
            (name, true) => name,
            ("<", false) => ">=",
            (">", false) => "=<",
            ("=<", false) => ">",
            (">=", false) => "<",
            ("=:=", false) => "=/=",
            ("=/=", false) => "=:=",
            ("==", false) => "/=",
            ("/=", false) => "==",
            _ => return true,
        };
        let (low, high) = match opposite {
            "<" => (None, bound.checked_sub(1)),
            "=<" => (None, Some(bound)),
            ">" => (bound.checked_add(1), None),
            ">=" => (Some(bound), None),
            "=:=" => {
                let refined = match value.may_be(self.types, &Term::Int(bound)) {
                    true => Shape::of_interval(Interval { low: Some(bound), high: Some(bound) }),
                    false => Shape::default(),
                };
                let is_possible = !refined.is_empty();
                set(env, var, refined);
                return is_possible;
            }
            "==" => (Some(bound), Some(bound)),
            "=/=" | "/=" => {
                let refined = value.without_term(self.types, &Term::Int(bound));
                let is_possible = !refined.is_empty();
                set(env, var, refined);
                return is_possible;
            }
            _ => return true,
        };
        // Numbers are less than all other terms.
        let kept = match opposite {
            "<" | "=<" | "==" => value.restrict(self.types, Kinds::NUMBER),
            _ => value,
        };
        let refined = kept.with_integers(self.types, Interval { low, high });
        let is_possible = !refined.is_empty();
        set(env, var, refined);
        is_possible
    }
}

/// Returns the possible values of a segment of a bitstring.
fn segment_shape(segment: &BitPattern) -> Shape {
    match segment.kind {
        BitKind::Integer => {
            let bits = match &segment.size {
                BitSize::Times(Expr::Const(Term::Int(size))) => size.checked_mul(i64::from(segment.unit)),
                BitSize::Times(_) | BitSize::All | BitSize::Encoded => None,
            };
            let high = bits.filter(|bits| (0..=62).contains(bits)).map(|bits| (1i64 << bits) - 1);
            let low = (!segment.signed).then_some(0);
            Shape::of_interval(Interval { low, high })
        }
        BitKind::Float => Shape::of_kinds(Kinds::FLOAT),
        BitKind::Bits if segment.unit.is_multiple_of(8) => Shape::binary(),
        BitKind::Bits => Shape::of_kinds(Kinds::BITS),
        BitKind::Utf8 | BitKind::Utf16 | BitKind::Utf32 => {
            Shape::of_interval(Interval { low: Some(0), high: Some(0x10_FFFF) })
        }
    }
}

fn is_only(clause: &Clause, term: Term) -> bool {
    clause.guard.is_none() && matches!(clause.patterns.as_slice(), [Pattern::Const(constant)] if *constant == term)
}

/// Returns the kinds of terms that a test is true of, and whether it is true of all of them.
fn kinds_of_test(name: &str) -> Option<(Kinds, bool)> {
    Some(match name {
        "is_integer" => (Kinds::INTEGER, true),
        "is_float" => (Kinds::FLOAT, true),
        "is_number" => (Kinds::NUMBER, true),
        "is_atom" => (Kinds::ATOM, true),
        "is_boolean" => (Kinds::ATOM, false),
        "is_list" => (Kinds::LIST, true),
        "is_tuple" => (Kinds::TUPLE, true),
        "is_map" => (Kinds::MAP, true),
        "is_bitstring" => (Kinds::BITS, true),
        "is_binary" => (Kinds::BITS, false),
        "is_function" => (Kinds::FUNCTION, true),
        "is_pid" => (Kinds::PID, true),
        "is_reference" => (Kinds::REFERENCE, true),
        "is_port" => (Kinds::PORT, true),
        _ => return None,
    })
}

/// Binds the names that an irrefutable pattern contains.
pub(super) fn bind_names(pattern: &Pattern, value: &Shape, env: &mut Env) {
    match pattern {
        Pattern::Var(var) => set(env, *var, value.clone()),
        Pattern::Alias(var, inner) => {
            set(env, *var, value.clone());
            bind_names(inner, value, env);
        }
        _ => {}
    }
}
