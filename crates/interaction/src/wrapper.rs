//! The program that makes inputs by calls: values of opaque types, and structures that contain them.

use crate::driver;
use formula::Variable;
use path::{Input, Stranger};
use program::{Binding, Body, Callee, Expr, Function, MapPair, Module, Origin, Span, Var};
use term::{Atom, FunctionName, Term};

pub const FUNCTION: &str = "run";

/// The answer of the wrapper if the inputs cannot be made. No program has this name.
pub const NOT_MADE: &str = "$beagle: not made";

/// Makes a module whose function `run` takes the data, makes the arguments of `called` and calls it. It returns a tuple
/// of the arguments that are not just data, followed by the result, or `NOT_MADE` if making them raised.
pub fn module(name: Atom, args: &[Input<Variable>], data: u32, called: FunctionName) -> Module {
    let mut next = data;
    let mut fresh = || {
        next += 1;
        Var(next - 1)
    };
    let (args, registered): (Vec<&Input<Variable>>, Vec<_>) = args.iter().partition(|arg| arg.is_argument());
    let calls: Vec<&Input<Variable>> = args.iter().copied().filter(|arg| arg.as_data().is_none()).collect();
    let made: Vec<Var> = calls.iter().map(|_| fresh()).collect();
    let result = fresh();
    let handler_vars = [fresh(), fresh(), fresh()];
    let mut of_calls = made.iter();
    let arg = |arg: &&Input<Variable>| match arg.as_data() {
        Some(variable) => Some(Expr::Var(Var(variable.0))),
        None => of_calls.next().map(|var| Expr::Var(*var)),
    };
    let span = Span::default();
    let callee = Callee::Remote { module: called.module, function: called.function };
    let call = Expr::Call { callee, args: args.iter().filter_map(arg).collect(), span };
    let answer = made.iter().chain([&result]).map(|var| Expr::Var(*var)).collect();
    let ok =
        Expr::Let { bindings: vec![Binding { vars: vec![result], value: call }], body: Box::new(Expr::Tuple(answer)) };
    let mut calls: Vec<Input<Variable>> = calls.into_iter().cloned().collect();
    let shared = Input::share_process(&mut calls).map(|process| (fresh(), process));
    let variable = shared.as_ref().map(|(var, _)| *var);
    let mut values: Vec<Expr> = calls.iter().map(|call| expression(call, variable)).collect();
    let body = if values.len() == 1 { values.swap_remove(0) } else { Expr::Values(values) };
    let registered = registered.into_iter().map(|process| (fresh(), expression(process, None)));
    let prepared: Vec<Binding> = shared
        .map(|(var, process)| (var, started(&process, None)))
        .into_iter()
        .chain(registered)
        .map(|(var, value)| Binding { vars: vec![var], value })
        .collect();
    let body = prepared
        .into_iter()
        .rev()
        .fold(body, |body, binding| Expr::Let { bindings: vec![binding], body: Box::new(body) });
    let body = Expr::Try {
        body: Box::new(body),
        ok_vars: made,
        ok: Box::new(ok),
        handler_vars,
        handler: Box::new(Expr::atom(Atom::new(NOT_MADE))),
    };
    let function = Function {
        name: Atom::new(FUNCTION),
        arity: data,
        captures: 0,
        exported: true,
        origin: Origin::Named,
        span,
        body: Body::new(body),
    };
    Module::new(name, Vec::new(), vec![function], Vec::new(), program::Types::default())
}

/// Returns the expression that makes an input. `shared` is the variable of the process that occurs more than once.
fn expression(input: &Input<Variable>, shared: Option<Var>) -> Expr {
    let span = Span::default();
    let all = |inputs: &[Input<Variable>]| inputs.iter().map(|input| expression(input, shared)).collect::<Vec<_>>();
    match input {
        Input::Data(variable) => Expr::Var(Var(variable.0)),
        Input::Call { module, function, args } => {
            Expr::Call { callee: Callee::Remote { module: *module, function: *function }, args: all(args), span }
        }
        Input::Tuple(parts) => Expr::Tuple(all(parts)),
        Input::List(items) => {
            let items = all(items).into_iter().rev();
            items.fold(Expr::Const(Term::Nil), |rest, item| Expr::Cons(Box::new(item), Box::new(rest)))
        }
        Input::Map { others, fields } => {
            let pair = |(key, value): &(Input<Variable>, Input<Variable>)| MapPair {
                key: expression(key, shared),
                value: expression(value, shared),
                exact: false,
            };
            let base = Box::new(Expr::Var(Var(others.0)));
            Expr::Map { base, pairs: fields.iter().map(pair).collect(), span }
        }
        Input::Process(stranger) => started(stranger, shared),
        Input::Registered { name, process } => {
            remote("erlang", "register", vec![Expr::atom(*name), started(process, shared)])
        }
    }
}

fn started(stranger: &Stranger<Variable>, shared: Option<Var>) -> Expr {
    let client = |function: &str, args: Vec<Expr>| remote(driver::CLIENT_MODULE, function, args);
    match (stranger, shared) {
        (Stranger::Idle, _) => client(driver::IDLE, Vec::new()),
        (Stranger::Ended, _) => client(driver::ENDED, Vec::new()),
        (Stranger::Answering(variable), _) => client(driver::ANSWERING, vec![Expr::Var(Var(variable.0))]),
        (Stranger::Replying(variable), _) => client(driver::REPLYING, vec![Expr::Var(Var(variable.0))]),
        (Stranger::Same, Some(shared)) => Expr::Var(shared),
        (Stranger::Same, None) | (Stranger::Caller, _) => remote("erlang", "self", Vec::new()),
    }
}

fn remote(module: &str, function: &str, args: Vec<Expr>) -> Expr {
    let callee = Callee::Remote { module: Atom::new(module), function: Atom::new(function) };
    Expr::Call { callee, args, span: Span::default() }
}
