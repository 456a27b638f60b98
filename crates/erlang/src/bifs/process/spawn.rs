//! Starting processes, and hibernation, which discards the stack.

use super::monitors::{self, monitor_child};
use super::signals::add_link;
use super::{ProcessState, new_reference, unsupported};
use crate::bifs::{badarg, badarg_because, rows};
use crate::otp;
use crate::prelude;
use crate::runtime::ErlangState;
use machine::{CallTarget, Context, Escape, Kind, Primitive, Word, list_items};
use path::Surrounding;
use term::{Atom, FunctionName, names};

pub(super) const ROWS: &[Primitive] = rows! {"erlang" by Processes;
    "spawn" (Atom, Atom, ProperList) -> Pid, badarg, spawn, Meaning::Effect(&[Top, Top, Spine]);
    "spawn_link" (Atom, Atom, ProperList) -> Pid, badarg, spawn_link, Meaning::Effect(&[Top, Top, Spine]);
    "spawn_opt" (Atom, Atom, ProperList, Any) -> Any by Processes Flags, badarg, spawn_opt, Meaning::Effect(&[Top, Top, Spine, Deep]);
    "spawn_request_abandon" (Reference) -> Boolean, badarg, spawn_request_abandon, Effect;
    "hibernate" (Atom, Atom, ProperList) -> Never, badarg, hibernate, Meaning::Effect(&[Top, Top, Spine]);
};

pub(super) const INTERNAL_ROWS: &[Primitive] = rows! {"erts_internal" by Processes;
    "spawn_request" (Any, Any, Any, Any) -> Any by Processes Flags, badarg, spawn_request, Meaning::Effect(&[Top, Top, Spine, Deep]);
};

/// Rows that the prelude needs.
pub(super) const OWN_ROWS: &[Primitive] = rows! {"beagle_process" by Mailbox;
    "await_message" () -> Atom, badarg, await_message, Effect;
    "forgotten" () -> Atom, badarg, forgotten, Effect;
    "stand_in" () -> Atom by Processes, badarg, stand_in, Effect;
};

/// The options of a spawn.
#[derive(Default)]
struct Options {
    link: bool,
    monitor: Option<monitors::Options>,
    flags: Vec<(Atom, Word)>,
    /// The tag of the answer to a request.
    reply_tag: Option<Word>,
    /// Whether a request answers a success, and a failure.
    reply: (bool, bool),
    /// Whether an option is unknown or has a wrong value.
    is_wrong: bool,
}

/// The minimum size in words of the heap of a process.
const LEAST_HEAP: i64 = 233;

/// Modules that start processes which a real runtime always has.
const RUNTIME_MODULES: [&str; 2] = [prelude::PROCESSES.0, prelude::APPLICATIONS.0];

/// The error for options that are no list.
struct Wrong;

impl Options {
    fn of(context: &mut Context, list: Word, is_request: bool) -> Result<Options, Wrong> {
        let mut options = Options { reply: (true, true), ..Options::default() };
        for option in list_items(list).ok_or(Wrong)? {
            options.is_wrong |= options.add(context, option.concrete(), is_request).is_none();
        }
        let size = |name: &str| options.flags.iter().rev().find(|(flag, _)| flag.text() == name).map(|(_, size)| *size);
        let least = size("min_heap_size").and_then(Word::as_small).unwrap_or(0).max(LEAST_HEAP);
        let is_below = |most: i64| (1..least).contains(&most);
        let limit = size("max_heap_size").and_then(heap_limit).filter(|most| *most > 0);
        options.is_wrong |= limit.is_some_and(is_below);
        if limit.is_some() {
            // The minimum size is a flag of the runtime.
            context.asks(Surrounding::CommandLine);
        }
        Ok(options)
    }

    fn add(&mut self, context: &mut Context, option: Word, is_request: bool) -> Option<()> {
        if let Some(name) = option.as_atom() {
            match name.text() {
                "link" => self.link = true,
                "monitor" => self.monitor = Some(monitors::Options::default()),
                _ => return None,
            }
            return Some(());
        }
        let &[name, value] = option.as_tuple()? else { return None };
        let (name, plain) = (name.concrete().as_atom()?, value.concrete());
        let is_one_of = |texts: &[&str]| plain.as_atom().is_some_and(|atom| texts.contains(&atom.text()));
        let is_size = plain.as_small().is_some_and(|size| size >= 0);
        let fits = match name.text() {
            "monitor" => {
                self.monitor = Some(monitors::Options::of(context, plain)?);
                return Some(());
            }
            "reply_tag" if is_request => {
                self.reply_tag = Some(value);
                return Some(());
            }
            "reply" if is_request => {
                self.reply = match plain.as_atom()?.text() {
                    "yes" => (true, true),
                    "no" => (false, false),
                    "error_only" => (false, true),
                    "success_only" => (true, false),
                    _ => return None,
                };
                return Some(());
            }
            "priority" => is_one_of(&["low", "normal", "high", "max"]),
            "fullsweep_after" | "min_heap_size" | "min_bin_vheap_size" => is_size,
            "message_queue_data" => is_one_of(&["on_heap", "off_heap"]),
            "async_dist" => otp::has_async_distribution() && is_one_of(&["true", "false"]),
            "max_heap_size" => is_heap_limit(plain),
            _ => false,
        };
        self.flags.push((name, plain));
        fits.then_some(())
    }
}

/// Returns the size in words that an option `max_heap_size` gives: a number, or a map with one.
fn heap_limit(option: Word) -> Option<i64> {
    let size = if option.is_map() { option.map_get(Word::atom(Atom::new("size")))?.concrete() } else { option };
    size.as_small()
}

fn is_heap_limit(option: Word) -> bool {
    let is_flag = |name: &str| {
        let value = option.map_get(Word::atom(Atom::new(name)));
        value.is_none_or(|value| value.concrete().as_boolean().is_some())
    };
    heap_limit(option).is_some_and(|size| size >= 0) && (!option.is_map() || is_flag("kill") && is_flag("error_logger"))
}

fn spawn(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    start(context, args, &Options::default()).map(|(pid, _)| pid)
}

fn spawn_link(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    start(context, args, &Options { link: true, ..Options::default() }).map(|(pid, _)| pid)
}

fn spawn_opt(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let options = match Options::of(context, args[3], false) {
        Ok(options) if options.is_wrong => return Err(badarg_because(context, "badopt")),
        Ok(options) => options,
        Err(Wrong) => return Err(badarg(context, args)),
    };
    Ok(match start(context, args, &options)? {
        (pid, Some(reference)) => context.heap.tuple(&[pid, reference]),
        (pid, None) => pid,
    })
}

/// Starts `apply(Module, Function, Args)`.
fn start(context: &mut Context, args: &[Word], options: &Options) -> Result<(Word, Option<Word>), Escape> {
    let (Some(module), Some(function)) = (args[0].as_atom(), args[1].as_atom()) else {
        return Err(badarg(context, args));
    };
    let items = list_items(args[2]).unwrap_or_default();
    let arity = items.len() as u32;
    // A function value is applied without a further call, so that it identifies the process.
    let target = match *items {
        [applied, inner] if (module, function) == (names::ERLANG, names::APPLY) => match applied.concrete() {
            value if matches!(value.kind(), Some(Kind::Closure | Kind::External)) => {
                Some((CallTarget::Value(value), inner))
            }
            _ => None,
        },
        _ => None,
    };
    let (target, list) = target.unwrap_or((CallTarget::Named { module, function }, args[2]));
    let parent = context.process.number();
    let ProcessState { leader, is_of_load, is_of_system, .. } = *ProcessState::own(context);
    let pid = context.spawn(target, list)?;
    let number = pid.identity();
    let call = conducted(module, function, &items);
    let (module, function, arity) =
        call.map_or((module, function, arity), |(name, _)| (name.module, name.function, name.arity));
    let is_own = RUNTIME_MODULES.contains(&module.text()) || is_of_load;
    let above = (context.process.id != path::ProcessId::MAIN).then_some(parent);
    context.recorder.clauses.birth(above, number, is_own);
    if let Some((name, applied)) = call {
        let known = applied.and_then(|applied| context.named_function(applied));
        context.recorder.turns.birth(parent, number);
        if let Some(process) = context.world.process_mut(number) {
            process.initial = known.or(Some(name));
        }
    }
    if let Some(child) = ProcessState::find(context, number) {
        child.is_dictionary_emptied = true;
        child.is_of_load = is_of_load;
        child.is_of_system = is_of_system;
        child.leader = leader;
        child.parent = Some(parent);
        child.initial_call = Some((module, function, arity));
        for (flag, value) in &options.flags {
            child.flags.set(*flag, *value);
        }
    }
    if options.link {
        add_link(context, number);
    }
    let reference = options.monitor.map(|monitor| monitor_child(context, number, monitor));
    Ok((pid, reference))
}

/// Returns the call of a process that the conductor's code starts, and the function value that the call applies, if
/// any.
fn conducted(module: Atom, function: Atom, items: &[Word]) -> Option<(FunctionName, Option<Word>)> {
    let &[_, inner_module, inner, args] = items else { return None };
    if module.text() != prelude::CONDUCTOR.0 || function.text() != "begin_process" {
        return None;
    }
    let args = list_items(args.concrete()).unwrap_or_default();
    let name = FunctionName { module: inner_module.as_atom()?, function: inner.as_atom()?, arity: args.len() as u32 };
    let is_apply = (name.module, name.function) == (names::ERLANG, names::APPLY);
    let is_function = |value: &Word| matches!(value.kind(), Some(Kind::Closure | Kind::External));
    Some((name, args.first().map(|value| value.concrete()).filter(|value| is_apply && is_function(value))))
}

/// Starts a process and sends the answer as a message.
fn spawn_request(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let is_call = args[0].is_atom() && args[1].is_atom() && list_items(args[2]).is_some();
    let options = match Options::of(context, args[3], true) {
        Ok(options) if is_call => options,
        Ok(_) | Err(Wrong) => return Ok(names::BADARG.into()),
    };
    let (result, value, reference, is_told) = if options.is_wrong {
        (names::ERROR, Atom::new("badopt").into(), None, options.reply.1)
    } else {
        let (pid, reference) = start(context, args, &options)?;
        (names::OK, pid, reference, options.reply.0)
    };
    let reference = reference.unwrap_or_else(|| new_reference(context));
    if is_told {
        let tag = options.reply_tag.unwrap_or(Atom::new("spawn_reply").into());
        let message = context.heap.tuple(&[tag, reference, result.into(), value]);
        let own = context.process.number();
        context.deliver(own, message);
    }
    Ok(reference)
}

/// Returns false: requests are answered at once, so none is left to abandon.
fn spawn_request_abandon(_: &mut Context, _: &[Word]) -> Result<Word, Escape> {
    Ok(Word::FALSE)
}

/// Discards the stack with all its handlers, and calls the function when there is a message.
fn hibernate(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    if ErlangState::of(context).is_sampling || context.world.is_loading(context.process.number()) {
        return Err(unsupported(context, "hibernate", 3));
    }
    context.process.leave_receive();
    let is_main = context.process.id == path::ProcessId::MAIN;
    let function = Atom::new(if is_main { "awake_main" } else { "awake" });
    let module = Atom::new("beagle_processes");
    Err(context.restart(CallTarget::Named { module, function }, args.to_vec()))
}

fn await_message(context: &mut Context, _: &[Word]) -> Result<Word, Escape> {
    if context.process.mailbox.is_empty() { Err(Escape::Wait) } else { Ok(names::OK.into()) }
}

/// Ends the run as unsupported: the main process has discarded the call of the tested function, which has no result
/// now.
fn forgotten(context: &mut Context, _: &[Word]) -> Result<Word, Escape> {
    Err(unsupported(context, "hibernate", 3))
}

/// Marks the running process as one that replaces a process of the system.
fn stand_in(context: &mut Context, _: &[Word]) -> Result<Word, Escape> {
    ProcessState::own(context).is_of_system = true;
    Ok(names::OK.into())
}
