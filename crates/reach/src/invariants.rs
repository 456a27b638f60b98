//! Upper bounds for the values of functions' parameters: a forward analysis from the entries through all calls, until
//! nothing new is found. Going backwards through a function that calls itself never ends; this analysis finds
//! properties of its parameters that hold in every call.
//!
//! Parameters of functions that may be called in ways that no call site shows can be anything.

mod narrow;

use self::narrow::bind_names;
use crate::index::{CallGraph, FunctionRef};
use crate::interval::Interval;
use crate::reachable::Reachable;
use crate::shapes::Shape;
use crate::walk::{Entries, Entry};
use crate::{Delivers, NativeKind, Natives};
use formula::{ConsType, FieldType, FunctionType, Kinds, OpaqueType, TypeId, TypeNode, Types};
use program::{BitSize, Callee, Clause, Expr, Pattern, Var};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;
use term::{Fun, FunctionName, Term};

/// The known properties of the parameters of functions, and of their results.
pub struct Invariants {
    /// The types, including all types that entries declare.
    pub types: Arc<Types>,
    params: FxHashMap<FunctionRef, Vec<TypeId>>,
    results: FxHashMap<FunctionRef, TypeId>,
    entries: FxHashMap<(FunctionName, usize), Vec<TypeId>>,
}

/// The maximum number of expressions that are evaluated. Beyond it, nothing is known.
const MOST_STEPS: u64 = 400_000;
/// The number of changes of a function's parameters after which moving bounds of integers are given up. After
/// `LEFT_OPEN` changes, everything that changes is given up.
const WIDENED: u32 = 6;
const LEFT_OPEN: u32 = 24;

impl Invariants {
    pub fn new(
        graph: &CallGraph<'_>,
        natives: &dyn Natives,
        entries: &dyn Entries,
        reachable: &Reachable,
    ) -> Invariants {
        let mut types = Types::default();
        let mut imported: Vec<(Arc<Types>, u32)> = Vec::new();
        let mut declared: FxHashMap<(FunctionName, usize), Vec<TypeId>> = FxHashMap::default();
        let mut seeds: Vec<(FunctionRef, Vec<Shape>)> = Vec::new();
        for function in graph.program.functions() {
            let name = graph.program.name_of(function);
            let code = graph.program.function(function);
            if code.captures > 0 {
                continue;
            }
            for clause in 0..entries.clauses(name) {
                let Entry { types: own, parameters } = entries.types(name, clause);
                let known = imported.iter().find(|(known, _)| Arc::ptr_eq(known, &own)).map(|(_, by)| *by);
                let by = known.unwrap_or_else(|| {
                    let by = import(&mut types, &own);
                    imported.push((own, by));
                    by
                });
                let parameters: Vec<TypeId> = parameters.into_iter().map(|of| moved(of, by)).collect();
                seeds.push((function, parameters.iter().map(|of| Shape::declared(*of)).collect()));
                declared.insert((name, clause), parameters);
            }
            if reachable.is_called_by_name(function) {
                seeds.push((function, vec![Shape::any(); code.arity as usize]));
            }
        }
        let mut analysis = Analysis::new(graph, natives, &types);
        let is_complete = analysis.run(seeds);
        let Analysis { params, results, .. } = analysis;
        let mut found = Invariants {
            types: Arc::default(),
            params: FxHashMap::default(),
            results: FxHashMap::default(),
            entries: declared,
        };
        if is_complete {
            // Functions of libraries, and those that define natives, are also called in ways that are not followed
            // here.
            let is_users = |function: &FunctionRef| entries.is_users(graph.program.name_of(*function));
            for (function, shapes) in params.into_iter().filter(|(function, _)| is_users(function)) {
                found.params.insert(function, shapes.into_iter().map(|shape| shape.into_type(&mut types)).collect());
            }
            for (function, shape) in results.into_iter().filter(|(function, _)| is_users(function)) {
                if !shape.is_empty() {
                    found.results.insert(function, shape.into_type(&mut types));
                }
            }
        }
        found.types = Arc::new(types);
        found
    }

    /// Returns the type of a parameter, or of a captured variable.
    pub fn param(&self, function: FunctionRef, index: u32) -> TypeId {
        self.params.get(&function).and_then(|params| params.get(index as usize)).copied().unwrap_or(Types::ANY)
    }

    pub fn result(&self, function: FunctionRef) -> TypeId {
        self.results.get(&function).copied().unwrap_or(Types::ANY)
    }

    /// Returns the types that an entry declares, in the numbering of [`Invariants::types`].
    pub fn declared(&self, entry: FunctionName, clause: usize) -> &[TypeId] {
        self.entries.get(&(entry, clause)).map_or(&[], Vec::as_slice)
    }
}

fn moved(of: TypeId, by: u32) -> TypeId {
    if of == Types::ANY { of } else { TypeId(of.0 + by) }
}

/// Copies all types of another graph. Their numbers grow by the returned number.
fn import(types: &mut Types, other: &Types) -> u32 {
    let by = types.len() as u32 - 1;
    for number in 1..other.len() as u32 {
        let mut node = other.node(TypeId(number)).clone();
        let shift = |of: &mut TypeId| *of = moved(*of, by);
        let TypeNode { cons, tuples, maps, functions, opaque, .. } = &mut node;
        for ConsType { head, tail } in cons {
            shift(head);
            shift(tail);
        }
        tuples.iter_mut().flatten().for_each(shift);
        for fields in maps.iter_mut() {
            let moved_field = |field: &FieldType| FieldType {
                key: moved(field.key, by),
                value: moved(field.value, by),
                required: field.required,
            };
            *fields = fields.iter().map(moved_field).collect::<Vec<_>>().into();
        }
        for FunctionType { params, result } in functions {
            params.iter_mut().flatten().for_each(shift);
            shift(result);
        }
        for OpaqueType { args, representation, .. } in opaque {
            args.iter_mut().for_each(shift);
            shift(representation);
        }
        types.add(node);
    }
    by
}

struct Analysis<'a, 'p> {
    graph: &'a CallGraph<'p>,
    natives: &'a dyn Natives,
    types: &'a Types,
    params: FxHashMap<FunctionRef, Vec<Shape>>,
    changes: FxHashMap<FunctionRef, u32>,
    results: FxHashMap<FunctionRef, Shape>,
    /// The functions that have asked for the result of each function.
    askers: FxHashMap<FunctionRef, FxHashSet<FunctionRef>>,
    open: Vec<FunctionRef>,
    steps: u64,
}

/// The values of variables. A variable that is not in it has no value yet.
type Env = Vec<Shape>;

impl<'a, 'p> Analysis<'a, 'p> {
    fn new(graph: &'a CallGraph<'p>, natives: &'a dyn Natives, types: &'a Types) -> Analysis<'a, 'p> {
        Analysis {
            graph,
            natives,
            types,
            params: FxHashMap::default(),
            changes: FxHashMap::default(),
            results: FxHashMap::default(),
            askers: FxHashMap::default(),
            open: Vec::new(),
            steps: 0,
        }
    }

    /// Runs the analysis and returns whether it ended within the limit.
    fn run(&mut self, seeds: Vec<(FunctionRef, Vec<Shape>)>) -> bool {
        for (function, params) in seeds {
            self.pass(function, params);
        }
        while let Some(function) = self.open.pop() {
            if self.steps > MOST_STEPS {
                return false;
            }
            let Some(params) = self.params.get(&function).cloned() else { continue };
            let Some(body) = self.graph.program.body(function) else { continue };
            let mut env = params;
            let result = self.eval(function, body, &mut env);
            let known = self.results.entry(function).or_default();
            let joined = widened(known, known.join(&result), self.changes.get(&function).copied().unwrap_or(0));
            if joined != *known {
                *known = joined;
                *self.changes.entry(function).or_default() += 1;
                let askers: Vec<FunctionRef> = self.askers.get(&function).into_iter().flatten().copied().collect();
                askers.into_iter().for_each(|asker| self.enqueue(asker));
            }
        }
        true
    }

    fn enqueue(&mut self, function: FunctionRef) {
        if !self.open.contains(&function) {
            self.open.push(function);
        }
    }

    /// Records that a function is called with these arguments and captured values.
    fn pass(&mut self, function: FunctionRef, args: Vec<Shape>) {
        let code = self.graph.program.function(function);
        let count = (code.arity + code.captures) as usize;
        if args.iter().any(Shape::is_empty) {
            return;
        }
        let args = if args.len() == count { args } else { vec![Shape::any(); count] };
        let changes = self.changes.entry(function).or_default();
        let changed = match self.params.get_mut(&function) {
            None => {
                self.params.insert(function, args);
                true
            }
            Some(known) => {
                let mut is_any = false;
                for (known, arg) in known.iter_mut().zip(args) {
                    let joined = widened(known, known.join(&arg), *changes);
                    if joined != *known {
                        is_any = true;
                        *known = joined;
                    }
                }
                is_any
            }
        };
        if changed {
            *changes += 1;
            self.enqueue(function);
        }
    }

    fn eval(&mut self, of: FunctionRef, expr: &'p Expr, env: &mut Env) -> Shape {
        stacker::maybe_grow(256 << 10, 4 << 20, || self.eval_here(of, expr, env))
    }

    fn eval_here(&mut self, of: FunctionRef, expr: &'p Expr, env: &mut Env) -> Shape {
        self.steps += 1;
        match expr {
            Expr::Const(term) => {
                self.note_funs(term);
                Shape::of_term(self.types, term)
            }
            Expr::Var(var) => get(env, *var),
            Expr::Let { bindings, body } => {
                for binding in bindings {
                    let values = self.eval_several(of, &binding.value, binding.vars.len(), env);
                    if values.iter().any(Shape::is_empty) {
                        return Shape::default();
                    }
                    binding.vars.iter().zip(values).for_each(|(var, value)| set(env, *var, value));
                }
                self.eval(of, body, env)
            }
            Expr::Values(items) => match items.as_slice() {
                [item] => self.eval(of, item, env),
                _ => Shape::any(),
            },
            Expr::Cons(head, tail) => {
                let head = self.eval(of, head, env);
                let tail = self.eval(of, tail, env);
                Shape::cons(self.types, head, tail)
            }
            Expr::Tuple(items) => {
                let items = items.iter().map(|item| self.eval(of, item, env)).collect();
                Shape::tuple(items)
            }
            Expr::Map { base, pairs, .. } => {
                let mut is_never = self.eval(of, base, env).is_empty();
                for pair in pairs {
                    is_never |= self.eval(of, &pair.key, env).is_empty();
                    is_never |= self.eval(of, &pair.value, env).is_empty();
                }
                if is_never { Shape::default() } else { Shape::of_kinds(Kinds::MAP) }
            }
            Expr::Bits { segments, .. } => {
                for segment in segments {
                    if self.eval(of, &segment.value, env).is_empty() {
                        return Shape::default();
                    }
                    if let BitSize::Times(size) = &segment.size {
                        self.eval(of, size, env);
                    }
                }
                Shape::of_kinds(Kinds::BITS)
            }
            Expr::Closure { function, captures } => {
                let function = FunctionRef { function: *function, ..of };
                let arity = self.graph.program.function(function).arity as usize;
                let mut args = vec![Shape::any(); arity];
                args.extend(captures.iter().map(|var| get(env, *var)));
                self.pass(function, args);
                Shape::of_kinds(Kinds::FUNCTION)
            }
            Expr::Call { callee, args, .. } => self.call(of, callee, args, env),
            Expr::Case { subjects, clauses, .. } => {
                let mut all = Shape::default();
                self.case(of, subjects, clauses, env, &mut |analysis, body, env| {
                    let value = analysis.eval(of, body, env);
                    all = all.join(&value);
                });
                all
            }
            Expr::Try { body, ok_vars, ok, handler_vars, handler } => {
                let mut inside = env.clone();
                let values = self.eval_several(of, body, ok_vars.len(), &mut inside);
                let mut all = Shape::default();
                if !values.iter().any(Shape::is_empty) {
                    let mut after = env.clone();
                    ok_vars.iter().zip(values).for_each(|(var, value)| set(&mut after, *var, value));
                    all = self.eval(of, ok, &mut after);
                }
                handler_vars.iter().for_each(|var| set(env, *var, Shape::any()));
                all.join(&self.eval(of, handler, env))
            }
            Expr::Guard(inner) => {
                self.eval(of, inner, env);
                Shape::of_atoms([term::names::TRUE, term::names::FALSE])
            }
        }
    }

    fn eval_several(&mut self, of: FunctionRef, expr: &'p Expr, count: usize, env: &mut Env) -> Vec<Shape> {
        if count == 1 {
            return vec![self.eval(of, expr, env)];
        }
        self.steps += 1;
        match expr {
            Expr::Values(items) if items.len() == count => items.iter().map(|item| self.eval(of, item, env)).collect(),
            Expr::Let { bindings, body } => {
                for binding in bindings {
                    let values = self.eval_several(of, &binding.value, binding.vars.len(), env);
                    if values.iter().any(Shape::is_empty) {
                        return vec![Shape::default(); count];
                    }
                    binding.vars.iter().zip(values).for_each(|(var, value)| set(env, *var, value));
                }
                self.eval_several(of, body, count, env)
            }
            Expr::Case { subjects, clauses, .. } => {
                let mut all = vec![Shape::default(); count];
                self.case(of, subjects, clauses, env, &mut |analysis, body, env| {
                    let values = analysis.eval_several(of, body, count, env);
                    all = all.iter().zip(values).map(|(all, value)| all.join(&value)).collect();
                });
                all
            }
            // A call of a function that represents a piece of the body, or of the runtime.
            _ => {
                self.eval(of, expr, env);
                vec![Shape::any(); count]
            }
        }
    }

    /// Shows the bodies of all clauses that may be taken, with the properties that hold in them.
    fn case(
        &mut self,
        of: FunctionRef,
        subjects: &'p [Expr],
        clauses: &'p [Clause],
        env: &mut Env,
        show: &mut dyn FnMut(&mut Self, &'p Expr, &mut Env),
    ) {
        let count = clauses.first().map_or(subjects.len(), |clause| clause.patterns.len());
        let (mut values, names): (Vec<Shape>, Vec<Option<Var>>) = match subjects {
            [one] if count != 1 => (self.eval_several(of, one, count, env), vec![None; count]),
            _ => {
                let name = |subject: &Expr| match subject {
                    Expr::Var(var) => Some(*var),
                    _ => None,
                };
                let names = subjects.iter().map(name).collect();
                (subjects.iter().map(|subject| self.eval(of, subject, env)).collect(), names)
            }
        };
        let condition = match subjects {
            [condition @ Expr::Call { .. }] => Some(condition),
            _ => None,
        };
        let mut around = env.clone();
        for clause in clauses {
            if values.iter().any(Shape::is_empty) {
                return;
            }
            let mut inside = around.clone();
            let mut is_possible = true;
            for ((pattern, value), name) in clause.patterns.iter().zip(&values).zip(&names) {
                let matched = self.restrict(of, value, pattern, &mut inside);
                is_possible &= !matched.is_empty();
                if let Some(var) = name {
                    set(&mut inside, *var, matched);
                }
            }
            let truth = condition.and_then(|_| match clause.patterns.as_slice() {
                [Pattern::Const(Term::Atom(atom))] if *atom == term::names::TRUE => Some(true),
                [Pattern::Const(Term::Atom(atom))] if *atom == term::names::FALSE => Some(false),
                _ => None,
            });
            if let (Some(condition), Some(truth)) = (condition, truth) {
                is_possible &= self.refine(condition, truth, &mut inside);
            }
            if is_possible && let Some(guard) = &clause.guard {
                self.eval(of, guard, &mut inside.clone());
                is_possible &= self.refine(guard, true, &mut inside);
            }
            if is_possible {
                show(self, &clause.body, &mut inside);
            }
            // The values that remain for the following clauses.
            if clause.guard.is_none() {
                let open: Vec<usize> =
                    (0..count).filter(|index| !clause.patterns.get(*index).is_some_and(is_irrefutable)).collect();
                match open[..] {
                    [] => return,
                    [index] => {
                        if let (Some(value), Some(pattern)) = (values.get_mut(index), clause.patterns.get(index)) {
                            *value = self.subtract(value, pattern);
                            if let Some(Some(var)) = names.get(index) {
                                set(&mut around, *var, value.clone());
                            }
                        }
                    }
                    _ => {}
                }
            } else if let Some(guard) = &clause.guard
                && clause.patterns.iter().all(is_irrefutable)
            {
                // The guard refers to the names of the subjects, or to the names that the patterns bind.
                let mut failed = around.clone();
                for ((pattern, value), _) in clause.patterns.iter().zip(&values).zip(&names) {
                    bind_names(pattern, value, &mut failed);
                }
                if !self.refine(guard, false, &mut failed) {
                    return;
                }
                for ((pattern, value), name) in clause.patterns.iter().zip(values.iter_mut()).zip(&names) {
                    if let Some(var) = name_of(pattern) {
                        *value = get(&failed, var);
                    }
                    if let Some(var) = name {
                        let refined = get(&failed, *var);
                        *value = if name_of(pattern).is_some() { value.clone() } else { refined };
                        set(&mut around, *var, value.clone());
                    }
                }
            }
        }
    }

    fn call(&mut self, of: FunctionRef, callee: &'p Callee, args: &'p [Expr], env: &mut Env) -> Shape {
        let arity = args.len() as u32;
        if let Callee::Value(function) = callee {
            self.eval(of, function, env);
        }
        if let Callee::Dynamic { module, function } = callee {
            self.eval(of, module, env);
            self.eval(of, function, env);
        }
        let values: Vec<Shape> = args.iter().map(|arg| self.eval(of, arg, env)).collect();
        if values.iter().any(Shape::is_empty) {
            return Shape::default();
        }
        match callee {
            Callee::Local(function) => self.call_code(of, FunctionRef { function: *function, ..of }, values),
            Callee::Remote { module, function } => {
                let name = FunctionName { module: *module, function: *function, arity };
                match self.natives.kind_of_named(name) {
                    NativeKind::Raises => Shape::default(),
                    NativeKind::Code => match self.graph.program.find(name) {
                        Some(function) => self.call_code(of, function, values),
                        None => Shape::any(),
                    },
                    NativeKind::Pure | NativeKind::Impure => self.native(name, &values),
                }
            }
            Callee::Primitive(name) => match self.natives.kind_of_operation(*name, arity) {
                NativeKind::Raises => Shape::default(),
                NativeKind::Code | NativeKind::Pure | NativeKind::Impure => Shape::any(),
            },
            Callee::Dynamic { .. } | Callee::Value(_) => Shape::any(),
        }
    }

    fn call_code(&mut self, of: FunctionRef, function: FunctionRef, values: Vec<Shape>) -> Shape {
        if self.graph.program.body(function).is_none() {
            return Shape::any();
        }
        self.askers.entry(function).or_default().insert(of);
        self.pass(function, values);
        self.results.get(&function).cloned().unwrap_or_default()
    }

    fn native(&self, name: FunctionName, args: &[Shape]) -> Shape {
        let Delivers { codomain: delivers, is_proper } = self.natives.delivers(name);
        if is_proper {
            return Shape::proper_list(self.types);
        }
        let integer = |arg: &Shape| arg.integers(self.types).filter(|_| arg.kinds(self.types) == Kinds::INTEGER);
        if name.module.text() == "erlang"
            && let [a, b] = args
            && let (Some(a), Some(b)) = (integer(a), integer(b))
        {
            let add = |a: Option<i64>, b: Option<i64>| a?.checked_add(b?);
            let negated = |a: Option<i64>| a?.checked_neg();
            match name.function.text() {
                "+" => return Shape::of_interval(Interval { low: add(a.low, b.low), high: add(a.high, b.high) }),
                "-" => {
                    let (low, high) = (add(a.low, negated(b.high)), add(a.high, negated(b.low)));
                    return Shape::of_interval(Interval { low, high });
                }
                "*" => {
                    let is_natural = |of: Interval| of.low.is_some_and(|low| low >= 0);
                    let low = (is_natural(a) && is_natural(b)).then_some(0);
                    return Shape::of_interval(Interval { low, high: None });
                }
                _ => {}
            }
        }
        let all = Shape::of_kinds(delivers.kinds);
        match delivers.kinds.meets(Kinds::INTEGER) {
            true => all.with_integers(self.types, Interval { low: delivers.low, high: delivers.high }),
            false => all,
        }
    }

    /// Records that functions in constants may be called by any code that receives them.
    fn note_funs(&mut self, term: &Term) {
        match term {
            Term::Fun(fun) => {
                if let Fun::External { module, function, arity } = **fun
                    && let Some(callee) = self.graph.program.find(FunctionName { module, function, arity })
                {
                    self.pass(callee, vec![Shape::any(); arity as usize]);
                }
            }
            Term::List(items, tail) => {
                items.iter().for_each(|item| self.note_funs(item));
                tail.iter().for_each(|tail| self.note_funs(tail));
            }
            Term::Tuple(items) => items.iter().for_each(|item| self.note_funs(item)),
            Term::Map(pairs) => pairs.iter().for_each(|(key, value)| {
                self.note_funs(key);
                self.note_funs(value);
            }),
            _ => {}
        }
    }
}

pub(super) fn get(env: &Env, var: Var) -> Shape {
    env.get(var.0 as usize).cloned().unwrap_or_else(Shape::any)
}

pub(super) fn set(env: &mut Env, var: Var, value: Shape) {
    let index = var.0 as usize;
    if env.len() <= index {
        env.resize(index + 1, Shape::any());
    }
    env[index] = value;
}

/// Gives up a shape that has changed so often that it may never stop.
fn widened(known: &Shape, joined: Shape, changes: u32) -> Shape {
    if joined == *known || changes < WIDENED {
        return joined;
    }
    if changes >= LEFT_OPEN {
        return Shape::any();
    }
    joined.without_moving_bounds(known)
}

/// Returns whether a pattern matches everything.
pub(super) fn is_irrefutable(pattern: &Pattern) -> bool {
    match pattern {
        Pattern::Any | Pattern::Var(_) => true,
        Pattern::Alias(_, inner) => is_irrefutable(inner),
        Pattern::Const(_) | Pattern::Cons(..) | Pattern::Tuple(_) | Pattern::Map(_) | Pattern::Bits(_) => false,
    }
}

fn name_of(pattern: &Pattern) -> Option<Var> {
    match pattern {
        Pattern::Var(var) | Pattern::Alias(var, _) => Some(*var),
        _ => None,
    }
}
