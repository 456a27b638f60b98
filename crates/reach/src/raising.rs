//! Finds the places that an exception of an expression may come from: all places in it, and in the functions that it
//! calls.
//!
//! Every call is such a place, unless the condition under which it returns is known. Functions of the program are
//! searched, too: with their arguments, or, if they call themselves, with any arguments. So the places cover all
//! exceptions, and a handler that none of them reaches is never reached.

use crate::choices::Kind;
use crate::evaluate::{Result, Stop, Way};
use crate::index::FunctionRef;
use crate::marks::mark_of;
use crate::outwards::around;
use crate::{Native, NativeKind};
use formula::TermId;
use program::{Callee, Expr, Var, for_each_child};
use rustc_hash::FxHashSet;
use term::{FunctionName, Term};

/// The maximum depth of calls inside a `try` that are searched for places that raise.
const DEEPEST: usize = 4;
/// The maximum number of places that raise inside one `try`. If there are more, the exception is left open.
const MOST: usize = 64;

/// A place that raises.
#[derive(Clone)]
struct Place<'p> {
    /// The calls that lead to it.
    calls: Vec<&'p Expr>,
    /// The function that contains the place, if it is called with unknown arguments inside the last of the calls.
    inside: Option<FunctionRef>,
    expr: &'p Expr,
}

impl<'p> Way<'_, 'p> {
    /// Continues with an exception that leaves the body of a `try`. It is left open first; then it comes from one of
    /// the places that may raise.
    pub fn raise_in(&mut self, activation: usize, body: &'p Expr, vars: &[Var; 3]) -> Result<()> {
        let mut places = Vec::new();
        let is_complete = self.find_raising(self.function_of(activation), body, &mut Vec::new(), &mut places);
        // Places that raise explicitly are tried first.
        places.sort_by_key(|place| !self.raises(place.expr));
        let purposes = places.iter().filter(|place| self.raises(place.expr)).count();
        let [class_var, reason_var, trace_var] = *vars;
        let (mut class, mut reason) = (self.free(), self.free());
        let chosen = match is_complete {
            true => match self.choose(Kind::Either, &[0, 1])? {
                0 => None,
                _ => {
                    let cost = |index: usize| index.min(purposes + 1) as u32 / 2;
                    let costs: Vec<u32> = (0..places.len()).map(cost).collect();
                    Some(self.choose(Kind::Every, &costs)?)
                }
            },
            false => {
                places.truncate(purposes);
                let costs: Vec<u32> = (0..=places.len() as u32).map(|index| index.div_ceil(2)).collect();
                self.choose(Kind::First, &costs)?.checked_sub(1)
            }
        };
        if let Some(place) = chosen {
            let Some(place) = places.get(place).cloned() else { return Err(Stop::Limit) };
            let at = self.go_inside(activation, body, &place)?;
            (class, reason) = self.raised_by(at, place.expr)?;
        }
        let trace = self.free();
        self.bind(activation, class_var, class);
        self.bind(activation, reason_var, reason);
        self.bind(activation, trace_var, trace);
        Ok(())
    }

    /// Goes to a place through calls. Returns the activation that contains it.
    fn go_inside(&mut self, activation: usize, body: &'p Expr, place: &Place<'p>) -> Result<usize> {
        let (mut at, mut root) = (activation, body);
        for call in &place.calls {
            self.go_to(at, root, call)?;
            let Expr::Call { callee, args, .. } = call else { return Err(Stop::Limit) };
            let Some(callee) = self.code_of(self.function_of(at), callee, args.len()) else { return Err(Stop::Limit) };
            let values: Vec<TermId> = args.iter().map(|arg| self.lazy(at, arg)).collect();
            at = self.activate(callee, Some(&values), Some(at));
            root = self.graph.program.body(callee).ok_or(Stop::Limit)?;
        }
        if let Some(function) = place.inside {
            at = self.activate(function, None, Some(at));
            root = self.graph.program.body(function).ok_or(Stop::Limit)?;
        }
        self.go_to(at, root, place.expr)?;
        Ok(at)
    }

    fn go_to(&mut self, at: usize, root: &'p Expr, place: &'p Expr) -> Result<()> {
        let Some(around) = around(root, place) else { return Err(Stop::Limit) };
        self.towards(at, root, &around, place)
    }

    /// Returns the class and the reason of the exception of an expression, and adds the condition that it does not
    /// return.
    fn raised_by(&mut self, at: usize, expr: &'p Expr) -> Result<(TermId, TermId)> {
        let Expr::Call { callee, args, .. } = expr else { return Ok((self.free(), self.free())) };
        if self.raises(expr) {
            let class = match class_of(callee) {
                Some(raised) => self.formulas.constant(Term::atom(raised)),
                None => self.free(),
            };
            let is_told = !matches!(callee, Callee::Primitive(name) if name.text() != "match_fail");
            let reason = match args.first().filter(|_| is_told) {
                Some(reason) => self.lazy(at, reason),
                None => self.free(),
            };
            return Ok((class, reason));
        }
        let native = match callee {
            Callee::Remote { module, function } => {
                let name = FunctionName { module: *module, function: *function, arity: args.len() as u32 };
                if self.natives.kind_of_named(name) != NativeKind::Pure {
                    return Ok((self.free(), self.free()));
                }
                let values = self.forced(at, args)?;
                self.natives.named(&mut self.formulas, name, &values)
            }
            Callee::Primitive(name) => {
                let values = self.forced(at, args)?;
                self.natives.operation(&mut self.formulas, *name, &values)
            }
            Callee::Local(_) | Callee::Dynamic { .. } | Callee::Value(_) => return Ok((self.free(), self.free())),
        };
        if let Native::Value { requires, .. } = native {
            let raises = self.formulas.not(requires);
            self.require(raises)?;
        }
        Ok((self.formulas.constant(Term::atom("error")), self.free()))
    }

    fn forced(&mut self, at: usize, args: &'p [Expr]) -> Result<Vec<TermId>> {
        let values: Vec<_> = args.iter().map(|arg| self.lazy(at, arg)).collect();
        values.into_iter().map(|value| self.force(value)).collect()
    }

    /// Finds the places in an expression that may raise. Returns whether these are all.
    fn find_raising(
        &self,
        of: FunctionRef,
        root: &'p Expr,
        calls: &mut Vec<&'p Expr>,
        found: &mut Vec<Place<'p>>,
    ) -> bool {
        for expr in raising(root) {
            if found.len() > MOST {
                return false;
            }
            let code = match expr {
                Expr::Call { callee, args, .. } => self.code_of(of, callee, args.len()),
                _ => None,
            };
            let code = code.and_then(|code| Some((code, self.graph.program.body(code)?)));
            match code {
                Some((code, body)) if calls.len() < DEEPEST && !self.graph.is_recursive(code) => {
                    calls.push(expr);
                    let is_complete = self.find_raising(code, body, calls, found);
                    calls.pop();
                    if !is_complete {
                        return false;
                    }
                }
                Some((code, _)) => {
                    calls.push(expr);
                    self.find_anywhere(code, calls, found);
                    calls.pop();
                }
                None => found.push(Place { calls: calls.clone(), inside: None, expr }),
            }
        }
        found.len() <= MOST
    }

    /// Finds the places that may raise in a function and all functions that it calls.
    fn find_anywhere(&self, function: FunctionRef, calls: &[&'p Expr], found: &mut Vec<Place<'p>>) {
        let (mut open, mut seen) = (vec![function], FxHashSet::from_iter([function]));
        while let Some(of) = open.pop() {
            for expr in self.graph.program.body(of).map(raising).unwrap_or_default() {
                if found.len() > MOST {
                    return;
                }
                let code = match expr {
                    Expr::Call { callee, args, .. } => self.code_of(of, callee, args.len()),
                    _ => None,
                };
                match code.filter(|code| self.graph.program.body(*code).is_some()) {
                    Some(code) => open.extend(seen.insert(code).then_some(code)),
                    None => found.push(Place { calls: calls.to_vec(), inside: Some(of), expr }),
                }
            }
        }
    }

    /// Returns the function of the program that is called, if it is known.
    fn code_of(&self, of: FunctionRef, callee: &Callee, arity: usize) -> Option<FunctionRef> {
        match callee {
            Callee::Local(function) => Some(FunctionRef { function: *function, ..of }),
            Callee::Remote { module, function } => {
                let name = FunctionName { module: *module, function: *function, arity: arity as u32 };
                let is_code = self.natives.kind_of_named(name) == NativeKind::Code;
                // A call of a function that is not exported raises in the caller.
                let is_exported = |code: &FunctionRef| self.graph.program.function(*code).exported;
                self.graph.program.find(name).filter(|code| is_code && is_exported(code))
            }
            Callee::Dynamic { .. } | Callee::Value(_) | Callee::Primitive(_) => None,
        }
    }
}

/// Returns the expressions in a body that may raise by themselves. Neither patterns nor guards do.
fn raising(root: &Expr) -> Vec<&Expr> {
    let (mut open, mut found) = (vec![root], Vec::new());
    while let Some(expr) = open.pop() {
        match expr {
            Expr::Const(_) | Expr::Var(_) | Expr::Closure { .. } | Expr::Guard(_) => continue,
            Expr::Case { subjects, clauses, .. } => {
                open.extend(subjects);
                open.extend(clauses.iter().map(|clause| &clause.body));
                continue;
            }
            Expr::Let { .. } | Expr::Values(_) | Expr::Tuple(_) | Expr::Cons(..) | Expr::Try { .. } => {}
            Expr::Map { base, pairs, .. } => {
                let is_map = matches!(**base, Expr::Const(Term::Map(_)));
                if !is_map || pairs.iter().any(|pair| pair.exact) {
                    found.push(expr);
                }
            }
            Expr::Call { .. } if mark_of(expr).is_some() => continue,
            Expr::Bits { .. } | Expr::Call { .. } => found.push(expr),
        }
        for_each_child(expr, |child| open.push(child));
    }
    found
}

/// Returns the class of the exception that a call raises, if its name determines it.
fn class_of(callee: &Callee) -> Option<&'static str> {
    let name = match callee {
        Callee::Remote { function, .. } => function.text(),
        Callee::Primitive(name) => name.text(),
        Callee::Local(_) | Callee::Dynamic { .. } | Callee::Value(_) => return None,
    };
    match name {
        "error" | "match_fail" | "function_clause" => Some("error"),
        "throw" => Some("throw"),
        "exit" => Some("exit"),
        _ => None,
    }
}
