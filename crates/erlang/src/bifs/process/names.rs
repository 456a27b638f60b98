//! Registered names.

use super::{ProcessState, is_alive, looks_at, pid_of, system, unsupported};
use crate::bifs::{badarg, badarg_because, rows};
use crate::runtime::ErlangState;
use machine::{Access, Context, Escape, Kind, Object, Primitive, Word};
use path::Surrounding;
use term::{Atom, Term, names};

pub(super) const ROWS: &[Primitive] = rows! {"erlang" by Processes;
    "register" (Atom, Any) -> Boolean, no_name, register, Effect;
    "unregister" (Atom) -> Boolean, badarg, unregister, Effect;
    "whereis" (Atom) -> Any, badarg, whereis, Effect;
    "registered" () -> List from Processes, badarg, registered, Effect;
};

/// Returns whether a name is that of a process that every runtime has, or starts on demand.
pub fn is_system(name: Atom) -> bool {
    const NAMES: &[&str] = &[
        "application_controller", "code_server", "dets", "dets_sup", "disk_log_server", "disk_log_sup",
        "erl_prim_loader", "erl_signal_server", "error_logger", "erts_code_purger", "file_server_2", "global_group",
        "global_group_check", "global_name_server", "inet_db", "inet_gethost_native", "inet_gethost_native_sup",
        "init", "kernel_refc", "kernel_safe_sup", "kernel_sup", "logger", "logger_handler_watcher", "logger_proxy",
        "logger_std_h_default", "logger_sup", "net_kernel", "net_sup", "pool_master", "rex", "socket_registry",
        "standard_error", "standard_error_sup", "user", "user_drv",
    ];
    NAMES.binary_search(&name.text()).is_ok()
}

/// Returns whether it is the name of a process of the runtime that is not run here.
pub(super) fn is_absent(context: &mut Context, name: Atom) -> bool {
    is_system(name) && !ErlangState::of(context).known_names.contains(&name)
}

fn no_name(context: &mut Context, _: &[Word]) -> Escape {
    badarg_because(context, "none")
}

fn register(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let (Some(name), true) = (args[0].as_atom(), args[1].is_kind(Kind::Pid)) else {
        return Err(no_name(context, args));
    };
    context.visible(&[(Object::Name(name), Access::Write)])?;
    let number = args[1].identity();
    if number == Term::OWN_PID || !is_alive(context, number) {
        // The calling process may already have a name, and a process that the run did not start may exist.
        context.asks(Surrounding::Processes);
    }
    let holder = ErlangState::of(context).registered.get(&name).copied();
    holder.into_iter().for_each(|holder| looks_at(context, holder));
    let is_taken = holder.is_some() || is_absent(context, name);
    if holder.is_none() && is_taken {
        context.asks(Surrounding::Processes);
    }
    // A process has at most one name, and `undefined` is not allowed as one.
    let named = ProcessState::find(context, number).map(|process| process.name.is_some());
    match named {
        _ if name == names::UNDEFINED => return Err(no_name(context, args)),
        None => return Err(badarg_because(context, "notalive")),
        Some(true) => return Err(badarg_because(context, "registered_name")),
        Some(false) if is_taken => return Err(no_name(context, args)),
        Some(false) => {}
    }
    set_name(context, name, number);
    Ok(Word::TRUE)
}

pub(super) fn set_name(context: &mut Context, name: Atom, number: u64) {
    if let Some(process) = ProcessState::find(context, number) {
        process.name = Some(name);
        let state = ErlangState::of(context);
        state.registered.insert(name, number);
        state.known_names.insert(name);
    }
}

/// Records that the answer depends on the processes outside of the run, unless a process of the run has had the name: a
/// process outside may be registered under it.
pub(in crate::bifs) fn asks_about(context: &mut Context, name: Atom) {
    if !ErlangState::of(context).known_names.contains(&name) {
        context.asks(Surrounding::Processes);
    }
}

fn unregister(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let Some(name) = args[0].as_atom() else { return Err(badarg(context, args)) };
    context.visible(&[(Object::Name(name), Access::Write)])?;
    match ErlangState::of(context).registered.remove(&name) {
        Some(number) => {
            looks_at(context, number);
            if let Some(process) = ProcessState::find(context, number) {
                process.name = None;
            }
            Ok(Word::TRUE)
        }
        None => {
            asks_about(context, name);
            Err(badarg(context, args))
        }
    }
}

fn whereis(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let Some(name) = args[0].as_atom() else { return Err(badarg(context, args)) };
    context.visible(&[(Object::Name(name), Access::Read)])?;
    match ErlangState::of(context).registered.get(&name).copied() {
        Some(number) => {
            looks_at(context, number);
            Ok(pid_of(context, number))
        }
        None if system::can_start(context, name) => Err(system::start_first(context, name)),
        None if is_absent(context, name) => Err(unsupported(context, "whereis", 1)),
        None => {
            asks_about(context, name);
            Ok(names::UNDEFINED.into())
        }
    }
}

fn registered(context: &mut Context, _: &[Word]) -> Result<Word, Escape> {
    let mut all: Vec<Atom> = ErlangState::of(context).registered.keys().copied().collect();
    all.sort_unstable_by_key(|name| name.text());
    let names: Vec<Word> = all.into_iter().map(Word::atom).collect();
    Ok(context.heap.list(&names, Word::NIL))
}
