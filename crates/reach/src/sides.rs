//! Sides of decisions as targets: the conditions that hold when a run takes them, in terms of the expression that asks.

use crate::Native;
use crate::evaluate::{Result, Stop, Way};
use crate::index::FunctionRef;
use formula::{Kinds, TermId};
use path::{Asks, Constructor, Down, Position, Tested};
use program::{BitPattern, Callee, Clause, Expr, Pattern};
use std::sync::Arc;
use term::FunctionName;

/// A place in the code that is to be reached.
#[derive(Clone, Debug)]
pub struct Target<'p> {
    pub function: FunctionRef,
    pub expr: &'p Expr,
    /// The side to take at the decision there.
    pub side: Option<Side>,
}

/// A side of a decision.
#[derive(Clone, Debug)]
pub struct Side {
    pub asks: Arc<Asks>,
    pub way: u32,
}

impl<'p> Way<'_, 'p> {
    /// Adds the conditions that hold when a side of the decision of an expression is taken. The way has already reached
    /// the expression.
    pub fn take_side(&mut self, activation: usize, expr: &'p Expr, side: &Side) -> Result<()> {
        match &*side.asks {
            Asks::Evaluated => Ok(()),
            Asks::Truth(truths) => match truths.get(side.way as usize).copied().flatten() {
                Some(is_true) => self.is_true(activation, expr, is_true),
                None => Ok(()),
            },
            Asks::Returns if side.way == 0 => self.raises_here(activation, expr),
            Asks::Returns => Ok(()),
            Asks::Part { clause, parts, of, tested } => {
                let Expr::Case { subjects, clauses, span } = expr else { return Err(Stop::Limit) };
                self.place = (self.function_of(activation), *span);
                let subjects = self.subjects(activation, subjects, clauses);
                self.fail_before(activation, &subjects, clauses, *clause as usize)?;
                for (position, constructor) in parts {
                    let part = self.part(&subjects, position)?;
                    let is_so = self.is_made_so(part, constructor);
                    self.require(is_so)?;
                }
                let Some(of) = of else { return Ok(()) };
                let part = self.part(&subjects, of)?;
                let held = match tested {
                    Tested::Is(constructor) => self.is_made_so(part, constructor),
                    Tested::Map => self.formulas.kind(part, Kinds::MAP),
                    Tested::Bits => self.formulas.kind(part, Kinds::BITS),
                    Tested::Segment { left } => {
                        let pattern = clauses.get(*clause as usize).and_then(|clause| pattern_at(clause, of));
                        return match pattern {
                            Some(segments) if side.way == 0 => self.not_fitting(activation, segments, *left, part),
                            _ => Ok(()),
                        };
                    }
                    Tested::Among(ways) => {
                        let condition = ways.condition(side.way, &mut self.formulas, part);
                        return self.require(condition);
                    }
                    Tested::Other => return Ok(()),
                };
                let condition = if side.way == 0 { self.formulas.not(held) } else { held };
                self.require(condition)
            }
        }
    }

    /// Adds the condition that a segment of a pattern does not fit into a bitstring in which those before it match.
    fn not_fitting(&mut self, activation: usize, segments: &'p [BitPattern], left: u32, bits: TermId) -> Result<()> {
        let bits = self.force(bits)?;
        let index = segments.len().saturating_sub(left as usize);
        let Some(before) = self.segments_match(activation, segments.get(..index).unwrap_or_default(), bits)? else {
            return Ok(());
        };
        self.require(before.matches)?;
        let whole = self.formulas.bit_size(bits);
        let fits = match segments.get(index) {
            None => self.formulas.identical(before.end, whole),
            Some(segment) => match self.segment_fits(activation, segment, bits, before.end)? {
                Some(fits) => fits,
                None => return Ok(()),
            },
        };
        let not = self.formulas.not(fits);
        self.require(not)
    }

    /// Adds the condition that an expression which decides a branch is true, or is not.
    fn is_true(&mut self, activation: usize, expr: &'p Expr, is_true: bool) -> Result<()> {
        let truth = match self.truth_of(activation, expr)? {
            Some((truth, defined)) => {
                self.require(defined)?;
                truth
            }
            None => {
                let value = self.lazy(activation, expr);
                let value = self.force(value)?;
                self.truth(value)
            }
        };
        let condition = if is_true { truth } else { self.formulas.not(truth) };
        self.require(condition)
    }

    /// Adds the condition that a call of a native function raises.
    fn raises_here(&mut self, activation: usize, expr: &'p Expr) -> Result<()> {
        let Expr::Call { callee, args, .. } = expr else { return Ok(()) };
        let mut values = Vec::with_capacity(args.len());
        for arg in args {
            let value = self.lazy(activation, arg);
            values.push(self.force(value)?);
        }
        let native = match callee {
            Callee::Remote { module, function } => {
                let name = FunctionName { module: *module, function: *function, arity: args.len() as u32 };
                self.natives.named(&mut self.formulas, name, &values)
            }
            Callee::Primitive(name) => self.natives.operation(&mut self.formulas, *name, &values),
            Callee::Local(_) | Callee::Dynamic { .. } | Callee::Value(_) => return Ok(()),
        };
        match native {
            Native::Value { requires, .. } => {
                let raises = self.formulas.not(requires);
                self.require(raises)
            }
            Native::Code | Native::Sampled { .. } | Native::Same(_) | Native::Unknown | Native::Raises => Ok(()),
        }
    }

    fn part(&mut self, subjects: &[TermId], position: &Position) -> Result<TermId> {
        let Some(subject) = subjects.get(position.subject as usize) else { return Err(Stop::Limit) };
        let mut part = self.force(*subject)?;
        for step in &position.steps {
            part = match step {
                Down::Head => self.formulas.head(part),
                Down::Tail => self.formulas.tail(part),
                Down::Element(index) => self.formulas.element(part, *index),
            };
        }
        Ok(part)
    }

    fn is_made_so(&mut self, part: TermId, constructor: &Constructor) -> TermId {
        match constructor {
            Constructor::Cons => self.formulas.kind(part, Kinds::CONS),
            Constructor::Tuple(size) => self.formulas.tuple_of(part, *size),
            Constructor::Constant(term) => {
                let constant = self.formulas.constant(term.clone());
                self.formulas.identical(part, constant)
            }
        }
    }
}

/// Returns the segments of the bitstring pattern that a clause has for a part of its subjects.
fn pattern_at<'p>(clause: &'p Clause, position: &Position) -> Option<&'p [BitPattern]> {
    let mut pattern = clause.patterns.get(position.subject as usize)?;
    let mut steps = position.steps.iter();
    loop {
        pattern = match pattern {
            Pattern::Alias(_, inner) => inner,
            Pattern::Bits(segments) => return steps.next().is_none().then_some(segments),
            Pattern::Cons(head, tail) => match steps.next()? {
                Down::Head => head,
                Down::Tail => tail,
                Down::Element(_) => return None,
            },
            Pattern::Tuple(items) => match steps.next()? {
                Down::Element(index) => items.get(*index as usize)?,
                Down::Head | Down::Tail => return None,
            },
            Pattern::Any | Pattern::Var(_) | Pattern::Const(_) | Pattern::Map(_) => return None,
        };
    }
}
