//! Lowering of expressions to the core IR: a module that exports only the function `eval/0`, whose body is the
//! expression with Core Erlang's semantics.
//!
//! An expression becomes *steps* and a value: steps are bindings that are evaluated first, in order. So a binding
//! inside of an expression (`f(X = 1), X + 1`) is a step of the body that contains it, and bodies remain flat. A
//! construct whose branches bind variables returns them as several values of one step. Funs, comprehensions, `receive`
//! and `after` become functions of the module, with the variables that they use as parameters.

mod bits;
mod comprehension;
mod control;
mod exception;
mod expression;
mod free;
mod fun;
mod guard;
mod pattern;
mod receive;
mod scope;

use super::ast::Ast;
use super::constant::check_depth;
use super::error::{Position, SyntaxError};
use program::{Binding, Body, Callee, Expr, Function, FunctionId, Module, Origin, Span, Types, Var};
use scope::Scope;
use term::{Atom, Term, names};

/// Lowers an expression. With a `home`, functions called without a module's name belong to that module; without one
/// they are an error, unless they are auto-imported from `erlang`.
pub fn lower_expression(ast: &Ast, home: Option<Atom>) -> Result<Module, SyntaxError> {
    check_depth(ast)?;
    let mut builder = Builder { home, functions: Vec::new(), lambdas: 0, lifted: 0 };
    let eval = builder.reserve();
    let mut frame = Frame { builder: &mut builder, next_variable: 0, scope: Scope::default() };
    let mut steps = Vec::new();
    let value = frame.expression(ast, true, &mut steps)?;
    let body = with_steps(steps, value);
    builder.define(eval, Atom::new("eval"), 0, 0, Origin::Named, ast.at, body);
    let functions = builder.functions.into_iter().flatten().collect();
    Ok(Module::new(Atom::new(MODULE), vec!["expression".into()], functions, Vec::new(), Types::default()))
}

/// The name of the module of an expression, in stack traces and in printed funs.
const MODULE: &str = "beagle_expression";

type Lowered<T> = Result<T, SyntaxError>;

type Steps = Vec<Binding>;

/// The module under construction.
struct Builder {
    home: Option<Atom>,
    /// The functions; `None` for those that are reserved but not yet defined.
    functions: Vec<Option<Function>>,
    lambdas: u32,
    lifted: u32,
}

impl Builder {
    fn reserve(&mut self) -> FunctionId {
        self.functions.push(None);
        FunctionId(self.functions.len() as u32 - 1)
    }

    #[allow(clippy::too_many_arguments)]
    fn define(
        &mut self,
        id: FunctionId,
        name: Atom,
        arity: usize,
        captures: usize,
        origin: Origin,
        at: Position,
        mut body: Expr,
    ) {
        crate::lower::mark(&mut body);
        self.functions[id.index()] = Some(Function {
            name,
            arity: arity as u32,
            captures: captures as u32,
            exported: id.0 == 0,
            origin,
            span: span(at),
            body: Body::new(body),
        });
    }
}

/// The function under construction.
struct Frame<'b> {
    builder: &'b mut Builder,
    next_variable: u32,
    scope: Scope,
}

impl Frame<'_> {
    fn fresh(&mut self) -> Var {
        self.next_variable += 1;
        Var(self.next_variable - 1)
    }

    /// Returns the value as an expression that can be repeated and moved: a constant or a variable.
    fn atomic(&mut self, value: Expr, steps: &mut Steps) -> Expr {
        if matches!(value, Expr::Const(_) | Expr::Var(_)) {
            return value;
        }
        let var = self.fresh();
        steps.push(Binding { vars: vec![var], value });
        Expr::Var(var)
    }

    /// Adds a function of the module that is no closure: its parameters are `arity` new ones, then those of our
    /// variables that `body` may use. Returns the function and our variables to pass.
    fn lift(
        &mut self,
        lifting: Lifting<'_>,
        at: Position,
        body: impl FnOnce(&mut Frame<'_>, Lifted) -> Lowered<Expr>,
    ) -> Lowered<(FunctionId, Vec<Var>)> {
        let function = self.builder.reserve();
        let (scope, mut passed) = self.scope.captured(lifting.names, lifting.arity);
        let first_carried = lifting.arity + passed.len();
        passed.extend(lifting.carried);
        let count = lifting.arity + passed.len();
        let lifted = Lifted {
            function,
            parameters: variables(0, lifting.arity),
            passed_on: variables(lifting.arity, count),
            carried: variables(first_carried, count),
        };
        let mut frame = Frame { builder: &mut *self.builder, next_variable: count as u32, scope };
        let body = body(&mut frame, lifted)?;
        let name = format!("-eval/0-{}$^{}/{}-", lifting.kind, self.builder.lifted, count);
        self.builder.lifted += 1;
        self.builder.define(function, Atom::new(&name), count, 0, Origin::Lifted, at, body);
        Ok((function, passed))
    }
}

struct Lifting<'n> {
    /// The kind in OTP's names: `lc`, `lbc`, `recv`, `after`.
    kind: &'static str,
    arity: usize,
    /// The names that the body mentions; those that are bound are passed.
    names: &'n free::Names,
    /// Further variables, without names, that the body needs.
    carried: Vec<Var>,
}

/// The variables inside of a lifted function.
struct Lifted {
    function: FunctionId,
    parameters: Vec<Var>,
    /// The other parameters, which a call of the function to itself passes on.
    passed_on: Vec<Var>,
    /// The parameters among these that are the `carried` variables.
    carried: Vec<Var>,
}

fn variables(from: usize, to: usize) -> Vec<Var> {
    (from..to).map(|number| Var(number as u32)).collect()
}

fn with_steps(mut steps: Steps, value: Expr) -> Expr {
    match value {
        value if steps.is_empty() => value,
        Expr::Let { bindings, body } => {
            steps.extend(bindings);
            Expr::Let { bindings: steps, body }
        }
        value => Expr::Let { bindings: steps, body: Box::new(value) },
    }
}

fn span(at: Position) -> Span {
    Span { file: 0, line: at.line, column: u16::try_from(at.column).unwrap_or(u16::MAX) }
}

fn call_local(function: FunctionId, args: Vec<Expr>, at: Position) -> Expr {
    Expr::Call { callee: Callee::Local(function), args, span: span(at) }
}

fn call_erlang(function: &str, args: Vec<Expr>, at: Position) -> Expr {
    let callee = Callee::Remote { module: names::ERLANG, function: Atom::new(function) };
    Expr::Call { callee, args, span: span(at) }
}

fn call_primitive(name: &str, args: Vec<Expr>, at: Position) -> Expr {
    Expr::Call { callee: Callee::Primitive(Atom::new(name)), args, span: span(at) }
}

/// Raises `{Tag, Value}` like a failed match.
fn match_fail(tag: Atom, value: Expr, at: Position) -> Expr {
    call_primitive("match_fail", vec![Expr::Tuple(vec![Expr::atom(tag), value])], at)
}

/// Raises `{Tag, Value}` like a call of `erlang:error/1`.
fn raise_error(tag: &str, value: Expr, at: Position) -> Expr {
    call_erlang("error", vec![Expr::Tuple(vec![Expr::Const(Term::atom(tag)), value])], at)
}

fn all_variables(vars: &[Var]) -> impl Iterator<Item = Expr> + '_ {
    vars.iter().map(|var| Expr::Var(*var))
}
