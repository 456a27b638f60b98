//! The program behaviour of function inputs: the steps of a call, in the language's own code, so that the machine
//! handles frames, exceptions and nested calls as always.

use machine::{Context, Word};
use program::{Body, Callee, Expr, Function, Module, Origin, Span, Types, Var};
use std::sync::Arc;
use term::{Atom, Term};

/// The module that has the steps. Code that loads modules must know it.
pub const MODULE: &str = "beagle_interaction";
const CALL: &str = "call";
/// `run(Module, Function, Args)`: applies the unit, and then its results as long as they are functions.
pub const RUN: &str = "run";

/// `prepared(Setups, Module, Function, Args)`: makes the calls of the setups, then that of the function.
pub const PREPARED: &str = "prepared";

/// `set_up(Setups)`: calls the setups.
pub const SET_UP: &str = "set_up";

/// The module of unknown clients. `CLIENT` is the function that runs one.
pub const CLIENT_MODULE: &str = "beagle_client";
pub const CLIENT: &str = "run";
/// Functions of `CLIENT_MODULE` that start strangers: `idle()`, `ended()`, `answering(Answer)`, `replying(Answer)`.
pub const IDLE: &str = "idle";
pub const ENDED: &str = "ended";
pub const ANSWERING: &str = "answering";
pub const REPLYING: &str = "replying";

/// The prefixes of modules of function inputs. With the arity appended, they are not the name of any module of a
/// program. If no arity is declared, calling the function with too many or too few arguments is no mistake.
const DECLARED: &str = "input/";
const UNDECLARED: &str = "any input/";

/// Returns whether the arity of a function input is declared, if `module` is the module of function inputs.
pub fn is_input(module: Atom) -> Option<bool> {
    let text = module.text();
    text.starts_with(DECLARED).then_some(true).or(text.starts_with(UNDECLARED).then_some(false))
}

/// Returns a function of this arity that asks the player what it does. `number` is its handle, see
/// [`Context::unknown_identity`].
pub(crate) fn closure(context: &mut Context, arity: u32, declared: bool, number: Word, scope: Word) -> Word {
    let prefix = if declared { DECLARED } else { UNDECLARED };
    let (module, name) = (Atom::new(&format!("{prefix}{arity}")), Atom::new("function"));
    let captures = [number, scope];
    if let Some(closure) = context.closure_of(module, name, arity, &captures) {
        return closure;
    }
    context.add_module(Arc::new(module_of(module, name, arity)));
    context.closure_of(module, name, arity, &captures).unwrap_or(Word::NIL)
}

fn module_of(module: Atom, name: Atom, arity: u32) -> Module {
    let span = Span::default();
    let args = (0..arity)
        .rev()
        .fold(Expr::Const(Term::Nil), |rest, index| Expr::Cons(Box::new(Expr::Var(Var(index))), Box::new(rest)));
    let callee = Callee::Remote { module: Atom::new(MODULE), function: Atom::new(CALL) };
    let body = Expr::Call { callee, args: vec![Expr::Var(Var(arity)), Expr::Var(Var(arity + 1)), args], span };
    let function = Function {
        name,
        arity,
        captures: 2,
        exported: false,
        origin: Origin::Lambda { index: 0, unique: 0 },
        span,
        body: Body::new(body),
    };
    Module::new(module, Vec::new(), vec![function], Vec::new(), Types::default())
}
