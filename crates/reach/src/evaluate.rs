//! The state of one way from the target outwards: activations of functions, values that were not needed so far, and the
//! conditions of the way so far.

use crate::Natives;
use crate::choices::{Course, Kind, Tree};
use crate::conditions::Condition;
use crate::index::{CallGraph, FunctionRef};
use crate::invariants::Invariants;
use formula::{Formulas, TermId, TypeId, Variable};
use program::{Expr, Span, Var};
use rustc_hash::FxHashMap;
use solver::Solver;
use std::cell::RefCell;
use std::sync::Arc;
use term::{Atom, Fun, Term};

/// The reason why a way ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// Its conditions contradict each other, or it needs a value that does not exist.
    Refuted,
    /// It exceeds the limits for ways, or a part of it cannot be followed.
    Limit,
}

pub type Result<T> = std::result::Result<T, Stop>;

/// The number of the first variable that is not an input of an entry.
const FIRST_VARIABLE: u32 = 1000;
/// The maximum number of steps of one way: values, clauses and calls.
const MOST_STEPS: u32 = 20_000;
const MOST_TERMS: usize = 200_000;

/// A function that is being evaluated.
pub struct Activation {
    pub function: FunctionRef,
    pub slots: Vec<Option<TermId>>,
    /// The number of evaluations of the same function that contain this one.
    pub depth: u32,
    pub inside: Option<usize>,
}

/// A value that has not been needed so far.
#[derive(Clone, Copy)]
pub struct Thunk<'p> {
    activation: usize,
    expr: &'p Expr,
    /// The first of the variables for the values of the expression, and their number.
    first: u32,
    count: u32,
}

/// A function value that the program creates.
pub struct Closure {
    pub function: FunctionRef,
    pub captures: Vec<TermId>,
}

pub struct Way<'a, 'p> {
    pub graph: &'a CallGraph<'p>,
    pub natives: &'a dyn Natives,
    /// Properties of parameters that hold in every call, if they are known.
    pub invariants: Option<&'a Invariants>,
    pub solver: &'a mut dyn Solver,
    pub tree: &'a mut Tree,
    pub course: Course,
    pub formulas: Formulas,
    pub activations: Vec<Activation>,
    thunks: FxHashMap<Variable, Thunk<'p>>,
    /// The values of variables that have been evaluated.
    pub known: FxHashMap<Variable, TermId>,
    /// The activation and the parameter that a variable stands for.
    pub parameters: FxHashMap<Variable, (usize, u32)>,
    pub conditions: Vec<Condition>,
    pub closures: Vec<Closure>,
    /// Modules whose code is needed and not available.
    pub missing: &'a RefCell<Vec<Atom>>,
    next: u32,
    steps: u32,
    /// The origin of conditions that are added now.
    pub place: (FunctionRef, Span),
}

impl<'a, 'p> Way<'a, 'p> {
    pub fn new(
        graph: &'a CallGraph<'p>,
        (natives, invariants): (&'a dyn Natives, Option<&'a Invariants>),
        solver: &'a mut dyn Solver,
        tree: &'a mut Tree,
        course: Course,
        missing: &'a RefCell<Vec<Atom>>,
        start: FunctionRef,
    ) -> Way<'a, 'p> {
        Way {
            graph,
            natives,
            invariants,
            solver,
            tree,
            course,
            formulas: invariants.map_or_else(Formulas::default, |known| Formulas::with_types(Arc::clone(&known.types))),
            activations: Vec::new(),
            thunks: FxHashMap::default(),
            known: FxHashMap::default(),
            parameters: FxHashMap::default(),
            conditions: Vec::new(),
            closures: Vec::new(),
            missing,
            next: FIRST_VARIABLE,
            steps: 0,
            place: (start, Span::default()),
        }
    }

    pub fn step(&mut self) -> Result<()> {
        self.steps += 1;
        if self.steps > MOST_STEPS || self.formulas.len() > MOST_TERMS { Err(Stop::Limit) } else { Ok(()) }
    }

    /// Chooses among options. If there are none, the way is refuted.
    pub fn choose(&mut self, kind: Kind, costs: &[u32]) -> Result<usize> {
        match costs {
            [] => Err(Stop::Refuted),
            [_] => Ok(0),
            _ => Ok(self.tree.choose(&mut self.course, kind, costs)),
        }
    }

    pub fn fresh_variable(&mut self) -> Variable {
        self.next += 1;
        Variable(self.next - 1)
    }

    /// Returns a value about which nothing is known.
    pub fn free(&mut self) -> TermId {
        let variable = self.fresh_variable();
        self.formulas.variable(variable)
    }

    /// Returns a value of a type.
    pub fn free_of(&mut self, of: TypeId) -> TermId {
        let variable = self.fresh_variable();
        self.formulas.declare(variable, of);
        self.formulas.variable(variable)
    }

    /// Begins to evaluate a function with these arguments, or with parameters that are not known yet.
    pub fn activate(&mut self, function: FunctionRef, args: Option<&[TermId]>, inside: Option<usize>) -> usize {
        let index = self.activations.len();
        let program = self.graph.program.function(function);
        let params = program.arity + program.captures;
        let mut slots: Vec<Option<TermId>> = Vec::new();
        for param in 0..params {
            let known = args.and_then(|args| args.get(param as usize).copied());
            slots.push(Some(match known {
                Some(known) => known,
                None => {
                    let variable = self.fresh_variable();
                    self.parameters.insert(variable, (index, param));
                    if let Some(known) = self.invariants {
                        self.formulas.declare(variable, known.param(function, param));
                    }
                    self.formulas.variable(variable)
                }
            }));
        }
        let mut depth = 0;
        let mut around = inside;
        while let Some(activation) = around.and_then(|around| self.activations.get(around)) {
            depth += u32::from(activation.function == function);
            around = activation.inside;
        }
        self.activations.push(Activation { function, slots, depth, inside });
        index
    }

    pub fn slot(&self, activation: usize, var: Var) -> Option<TermId> {
        *self.activations.get(activation)?.slots.get(var.0 as usize)?
    }

    pub fn bind(&mut self, activation: usize, var: Var, value: TermId) {
        let Some(activation) = self.activations.get_mut(activation) else { return };
        let index = var.0 as usize;
        if activation.slots.len() <= index {
            activation.slots.resize(index + 1, None);
        }
        activation.slots[index] = Some(value);
    }

    /// Binds variables to the values of an expression, which is evaluated when one of them is needed.
    pub fn bind_lazily(&mut self, activation: usize, vars: &[Var], expr: &'p Expr) {
        if let [var] = vars {
            let value = self.lazy(activation, expr);
            return self.bind(activation, *var, value);
        }
        if let Expr::Values(values) = expr
            && values.len() == vars.len()
        {
            for (var, value) in vars.iter().zip(values) {
                let value = self.lazy(activation, value);
                self.bind(activation, *var, value);
            }
            return;
        }
        let values = self.lazy_group(activation, expr, vars.len() as u32);
        for (var, value) in vars.iter().zip(values) {
            self.bind(activation, *var, value);
        }
    }

    /// Returns the values of an expression that delivers several, without evaluating it.
    pub fn lazy_group(&mut self, activation: usize, expr: &'p Expr, count: u32) -> Vec<TermId> {
        let first = self.next;
        self.next += count;
        let thunk = Thunk { activation, expr, first, count };
        let variables = first..first + count;
        variables
            .map(|number| {
                self.thunks.insert(Variable(number), thunk);
                self.formulas.variable(Variable(number))
            })
            .collect()
    }

    /// Returns the value of an expression, evaluating only the parts that cost nothing.
    pub fn lazy(&mut self, activation: usize, expr: &'p Expr) -> TermId {
        match expr {
            Expr::Const(term) => self.formulas.constant(term.clone()),
            Expr::Var(var) => match self.slot(activation, *var) {
                Some(value) => value,
                None => self.free(),
            },
            Expr::Tuple(items) => {
                let items: Vec<TermId> = items.iter().map(|item| self.lazy(activation, item)).collect();
                self.formulas.tuple(&items)
            }
            Expr::Cons(head, tail) => {
                // Long literal lists nest deeply.
                let mut items = vec![self.lazy(activation, head)];
                let mut rest: &'p Expr = tail;
                while let Expr::Cons(head, tail) = rest {
                    items.push(self.lazy(activation, head));
                    rest = tail;
                }
                let end = self.lazy(activation, rest);
                self.formulas.list(&items, end)
            }
            Expr::Closure { function, captures } => {
                let of = self.function_of(activation);
                let mut values = Vec::with_capacity(captures.len());
                for var in captures {
                    let known = self.slot(activation, *var);
                    values.push(known.unwrap_or_else(|| self.free()));
                }
                self.closure(FunctionRef { function: *function, ..of }, values)
            }
            Expr::Let { .. }
            | Expr::Values(_)
            | Expr::Map { .. }
            | Expr::Bits { .. }
            | Expr::Call { .. }
            | Expr::Case { .. }
            | Expr::Try { .. }
            | Expr::Guard(_) => {
                let variable = self.fresh_variable();
                self.thunks.insert(variable, Thunk { activation, expr, first: variable.0, count: 1 });
                self.formulas.variable(variable)
            }
        }
    }

    fn closure(&mut self, function: FunctionRef, captures: Vec<TermId>) -> TermId {
        let (module, arity) = {
            let program = self.graph.program;
            (program.module(function).name, program.function(function).arity)
        };
        let unique = self.closures.len() as u32;
        self.closures.push(Closure { function, captures });
        let fun = Fun::Local { module, index: function.function.0, unique, arity };
        self.formulas.constant(Term::Fun(fun.into()))
    }

    /// Returns whether several functions were created at the same place of the code. They are the same if their
    /// captured values are, which formulas cannot express.
    pub fn has_similar_closures(&self) -> bool {
        let functions = self.closures.iter().map(|closure| closure.function);
        functions.collect::<rustc_hash::FxHashSet<_>>().len() < self.closures.len()
    }

    pub fn function_of(&self, activation: usize) -> FunctionRef {
        self.activations.get(activation).map_or(self.place.0, |activation| activation.function)
    }

    /// Returns the term with all its parts evaluated.
    pub fn force(&mut self, mut term: TermId) -> Result<TermId> {
        loop {
            self.step()?;
            let mut variables = self.formulas.variables(term);
            variables.sort_unstable();
            if variables.iter().any(|variable| self.known.contains_key(variable)) {
                term = self.formulas.substitute(term, &self.known);
                continue;
            }
            let Some(thunk) = variables.iter().find_map(|variable| self.thunks.get(variable).copied()) else {
                return Ok(term);
            };
            self.evaluate(thunk)?;
        }
    }

    fn evaluate(&mut self, thunk: Thunk<'p>) -> Result<()> {
        let Thunk { activation, expr, first, count } = thunk;
        let place = self.place;
        let values = match count {
            1 => vec![stacker::maybe_grow(256 << 10, 4 << 20, || self.value(activation, expr))?],
            _ => stacker::maybe_grow(256 << 10, 4 << 20, || self.values(activation, expr, count))?,
        };
        self.place = place;
        for (number, value) in (first..first + count).zip(values) {
            self.known.insert(Variable(number), value);
            self.thunks.remove(&Variable(number));
        }
        Ok(())
    }
}
