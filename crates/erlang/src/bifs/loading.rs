//! Rows for running a module's `-on_load` function. Only `beagle_load` calls them.
//!
//! The function runs in a process of its own, as in OTP: its process dictionary, messages, name and tables end with it.
//! What it writes to `persistent_term` or to the environment of applications stays.

use super::process::{ProcessState, process_ended};
use super::{badarg, rows};
use machine::{Context, Escape, Kind, Load, Primitive, Process, Status, Word};
use path::Stop;
use program::{Callee, Expr, Function, for_each_expr};
use term::{Atom, FunctionName, Term, names};

pub(super) const TABLES: &[&[Primitive]] = &[rows! {"beagle_loading" by Search;
    "start"  (Atom) -> Function,     badarg, start,  Keeps;
    "finish" (Atom, Any) -> Boolean, badarg, finish, Keeps;
}];

pub(super) const PUBLIC: &[&[Primitive]] = &[rows! {"erlang";
    "load_nif" (Any, Any) -> Atom from Loading, badarg, load_nif, Effect;
}];

/// Returns whether a function is the placeholder for native code in the source: it calls `erlang:nif_error/1,2`.
pub fn is_native_stub(function: &Function) -> bool {
    let mut is_stub = false;
    if let Ok(body) = function.body.get() {
        for_each_expr(body, |expr| {
            if let Expr::Call { callee: Callee::Remote { module, function }, .. } = expr {
                is_stub |= *module == names::ERLANG && function.text() == "nif_error";
            }
        });
    }
    is_stub
}

/// Loads no library. A library that a module loads with `-on_load` is assumed to be there: its native functions have
/// rows, or are reported as unsupported, or their Erlang code runs.
fn load_nif(context: &mut Context, _: &[Word]) -> Result<Word, Escape> {
    if !context.world.is_loading(context.process.number()) {
        let function = Atom::new("load_nif");
        return Err(context.stop(Stop::EffectDenied(FunctionName { module: names::ERLANG, function, arity: 2 })));
    }
    Ok(names::OK.into())
}

/// Returns the function that the attribute `-on_load` of a module names.
pub fn function_of(module: &program::Module) -> Option<Atom> {
    let (_, value) = module.attributes.iter().find(|(name, _)| name.text() == "on_load")?;
    let [function, arity] = value.as_list()?.first()?.as_tuple()? else { return None };
    if *arity == Term::Int(0) { function.as_atom() } else { None }
}

fn start(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let found = match args[0].as_atom() {
        Some(name) => context.module(name)?,
        None => None,
    };
    let on_load = found.and_then(|module| {
        let on_load = context.closure_of(module.name, function_of(&module)?, 0, &[])?;
        Some((module.name, on_load))
    });
    let Some((module, on_load)) = on_load else { return Err(badarg(context, args)) };
    let mut history = context.process.history;
    let number = context.world.child_number(context.process.number(), &mut history);
    context.process.history = history;
    let pid = context.heap.identity(Kind::Pid, number);
    let dictionary = context.heap.empty_map();
    let mut process = Process::new(pid, dictionary, context.language.new_process_state());
    // The dictionary of the new process contains only what the run puts there.
    let state = ProcessState::of(&mut process);
    (state.is_dictionary_emptied, state.is_of_load) = (true, true);
    let mut suspended = std::mem::replace(&mut context.process, Box::new(process));
    suspended.status = Status::Suspended;
    context.world.begin_load(module, number, suspended.number());
    context.world.put_aside(suspended);
    Ok(on_load)
}

/// Ends the loading of a module and returns whether it is loaded. A function that was aborted because it needed the
/// world outside counts as successful.
fn finish(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let Some(module) = args[0].as_atom() else { return Err(badarg(context, args)) };
    let number = context.process.number();
    let Some(waiting) = context.world.end_load(number) else { return Err(badarg(context, args)) };
    let is_loaded = context.world.loads.get(&module) == Some(&Load::Done) || args[1] == Word::atom(names::OK);
    context.world.loads.insert(module, if is_loaded { Load::Done } else { Load::Failed });
    let Some(mut suspended) = context.world.take(waiting) else { return Err(badarg(context, args)) };
    suspended.status = Status::Ready;
    let loader = std::mem::replace(&mut context.process, suspended);
    context.world.put_aside(loader);
    process_ended(context, number, names::NORMAL.into())?;
    // The process that waited for the module may have received a signal.
    if context.process.fatal.is_empty() { Ok(is_loaded.into()) } else { Err(Escape::End) }
}
