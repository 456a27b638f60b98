//! Lowering of Core Erlang to the IR.
//!
//! The input is a module as OTP's compiler returns it with the option `to_core` (25 and later). The functions of the
//! module are lowered one after the other, together with the functions nested in them (`state`). Then the nested
//! functions are lifted out (`lift`) and get the names that OTP gives them (`names`). This module does not know how the
//! IR is run. It expects a machine for Erlang to have these primitives, besides the functions of `erlang` that Core
//! calls by name:
//!
//! | primitive | arguments | does |
//! |---|---|---|
//! | `match_fail` | reason | raises the error `reason` (`{badmatch,V}`, `{case_clause,V}`, `if_clause`, `{try_clause,V}`, `{badrecord,V}`, `{else_clause,V}` …) |
//! | `function_clause` | the function's own arguments | raises the error `function_clause`; the stack's first entry is the running function with these arguments instead of its arity |
//! | `raise` | trace, reason | raises again what a handler caught; the class is part of the trace |
//! | `raw_raise` | class, reason, trace | like `erlang:raise/3` with a trace that a handler caught |
//! | `build_stacktrace` | trace | the trace as a list that programs can read |
//! | `catch_value` | class, reason, trace | what `catch` gives: the thrown value, `{'EXIT',Reason}` or `{'EXIT',{Reason,Stack}}` |
//! | `catch_value_unread` | class, reason, trace | the same, where nothing reads the trace (`shown`) |
//! | `bs_init_writable` | size | an empty binary that is about to be appended to |
//! | `recv_peek_message` | – | two values: whether there is a message at the mailbox's cursor, and the message |
//! | `remove_message` | – | takes the message at the cursor out; the cursor goes back to the first |
//! | `take_message` | lists of values | the same, where each clause of the receive compares a part of the message with one of the values of its list (`shown`) |
//! | `recv_next` | – | moves the cursor on |
//! | `recv_wait_timeout` | timeout | waits at the end of the mailbox: `true` if the time is over, `false` if there may be a message; `timeout_value` is raised for a bad timeout |
//! | `nif_start` | – | nothing: the function is to be replaced by native code |
//! | `executable_line`, `debug_line` | number | nothing: for coverage and debuggers (27, 28) |
//! | `dialyzer_unknown` | any | never run: made for Dialyzer |
//! | `native_record` | – | would create or update a native record (29), which is unsupported |
//! | `is_native_record`, `is_record_accessible` | value, names | false: there are none |
//! | `record_field` | value, names | raises the error `{badrecord,V}` |
//!
//! `match_fail`, `function_clause`, `raise` and `raw_raise` never return, so they can be used wherever any number of
//! values is expected.
//!
//! A `receive` is a join point that calls itself; so is a comprehension, as a lifted function.

mod attributes;
mod case;
mod clause_order;
mod core;
mod expr;
mod failure;
mod lift;
mod names;
mod pattern;
mod shown;
mod state;
mod values;

use self::core::{CoreNode, Malformed};
pub(crate) use self::shown::mark;
use self::state::{Bound, Draft, Key, Kind, Lowering};
use program::{Body, Function, FunctionId, Module, Origin};
use term::{Atom, Term};

#[derive(Debug, thiserror::Error)]
pub enum LowerError {
    #[error("not the Core Erlang of a module: {0}")]
    Module(String),
    #[error("unknown Core Erlang in {module}:{function}/{arity}: {what}")]
    Function { module: Atom, function: Atom, arity: u32, what: String },
}

/// Lowers `{c_module, Anno, Name, Exports, Attributes, Definitions}`.
pub fn lower_core(core: &Term) -> Result<Module, LowerError> {
    let outside = |Malformed(what): Malformed| LowerError::Module(what);
    let module = core::module(core).map_err(outside)?;
    let mut state = Lowering::new();
    let attributes = attributes::read(module.attributes, &mut state.files).map_err(outside)?;
    let mut bodies = Vec::with_capacity(module.definitions.len());
    for definition in module.definitions {
        let (name, arity, vars, body) = declare(&mut state, definition).map_err(outside)?;
        bodies.push((name, arity, vars, body));
    }
    for export in module.exports {
        if let CoreNode::FunctionName(name, arity) = core::node(export).map_err(outside)?.1 {
            let function = state.look_up_function(name, arity).map_err(outside)?;
            state.drafts[function.index()].exported = true;
        }
    }
    for (index, (name, arity, vars, body)) in bodies.into_iter().enumerate() {
        lower_function(&mut state, FunctionId(index as u32), vars, body)
            .map_err(|Malformed(what)| LowerError::Function { module: module.name, function: name, arity, what })?;
    }
    let indices = closure_indices(&state);
    let functions = state.drafts.into_iter().zip(indices).map(|(draft, index)| finish(draft, index)).collect();
    Ok(Module::new(module.name, state.files.into_texts(), functions, attributes.of_program, attributes.types))
}

type Declared<'a> = (Atom, u32, &'a [Term], &'a Term);

fn declare<'a>(state: &mut Lowering, definition: &'a Term) -> core::Result<Declared<'a>> {
    let (name, fun) = core::pair(definition)?;
    let (_, CoreNode::FunctionName(name, arity)) = core::node(name)? else {
        return Err(Malformed("a definition without a function's name".into()));
    };
    let (anno, CoreNode::Fun { vars, body }) = core::node(fun)? else {
        return Err(Malformed(format!("the definition of {name}/{arity}, which is no fun")));
    };
    let span = state.span(anno);
    let id = state.add_function(name, arity, Kind::Module, span);
    state.scope.set(Key::Function(name, arity), Bound::Function(id));
    Ok((name, arity, vars, body))
}

fn lower_function(state: &mut Lowering, id: FunctionId, vars: &[Term], body: &Term) -> core::Result<()> {
    let first_lifted = state.drafts.len();
    state.vars.clear();
    state.order.failures.clear();
    let completed = state.order.completed.len();
    state.function_body(id, vars, body)?;
    names::assign_names(state, id, completed);
    lift::close_group(state, id, first_lifted);
    Ok(())
}

/// Returns the numbers that printed closures show: OTP counts the functions of closures in the order of the code, in
/// which lifted functions come in reverse.
fn closure_indices(state: &Lowering) -> Vec<u32> {
    let (module, lifted): (Vec<FunctionId>, Vec<FunctionId>) =
        state.order.completed.iter().partition(|id| state.drafts[id.index()].kind == Kind::Module);
    let mut indices = vec![u32::MAX; state.drafts.len()];
    let mut next = 0;
    for function in module.iter().chain(lifted.iter().rev()) {
        for closure in &state.drafts[function.index()].closures {
            let index = &mut indices[closure.index()];
            if *index == u32::MAX {
                *index = next;
                next += 1;
            }
        }
    }
    indices
}

fn finish(draft: Draft, index: u32) -> Function {
    let width = draft.params.len() as u32;
    let is_closure = match draft.kind {
        Kind::Lambda => true,
        Kind::Letrec => draft.is_value,
        Kind::Module | Kind::Stub | Kind::Join { .. } => false,
    };
    let origin = match draft.kind {
        Kind::Module => Origin::Named,
        // Two versions of a module differ in a hash of the compiled code, which Core does not contain.
        Kind::Lambda | Kind::Letrec if is_closure => Origin::Lambda { index, unique: 0 },
        Kind::Lambda | Kind::Letrec | Kind::Stub => Origin::Lifted,
        Kind::Join { host } => Origin::Join { of: host },
    };
    let arity = if is_closure { draft.arity } else { width };
    // Every draft has a body by now: an error would have ended the lowering.
    let mut body = draft.body.unwrap_or(program::Expr::Const(Term::Nil));
    mark(&mut body);
    Function {
        name: draft.name,
        arity,
        captures: width - arity,
        exported: draft.exported,
        origin,
        span: draft.span,
        body: Body::new(body),
    }
}
