//! The process: its dictionary, its mailbox, its name and its flags.
//!
//! There is one process, so a message arrives at once, and messages to others arrive nowhere. What
//! would need another process (spawning, links and monitors that report) ends the run as unsupported.

use super::kinds::as_beam_small;
use super::rows;
use super::{badarg, timers};
use crate::runtime::ErlangState;
use machine::{Context, Escape, Kind, Primitive, Word, list_items};
use path::{Stop, Surrounding};
use term::{Atom, FunctionName, names};

pub(super) const TABLES: &[&[Primitive]] = &[
    rows! {"erlang";
        "self" () -> Pid, badarg, self_pid, Effect;
        "put" (Any, Any) -> Any, badarg, observing_put, Keeps;
        "get" (Any) -> Any, badarg, get, Keeps;
        "get" () -> List from Process, badarg, get_all, Effect;
        "get_keys" () -> List from Process, badarg, get_keys, Effect;
        "get_keys" (Any) -> List from Process, badarg, get_keys_of, Keeps;
        "erase" (Any) -> Any, badarg, observing_erase, Keeps;
        "erase" () -> List from Process, badarg, erase_all, Effect;
        "!" (Any, Any) -> Any, badarg, send, Meaning::Effect(&[Deep, Moved]);
        "send" (Any, Any) -> Any, badarg, send, Meaning::Effect(&[Deep, Moved]);
        "send" (Any, Any, Any) -> Atom, badarg, send_with_options, Meaning::Effect(&[Deep, Moved, Deep]);
        "make_ref" () -> Reference, badarg, make_ref, Effect;
        "register" (Atom, Any) -> Boolean, badarg, register, Effect;
        "unregister" (Atom) -> Boolean, badarg, unregister, Effect;
        "whereis" (Atom) -> Any, badarg, whereis, Effect;
        "registered" () -> List from Processes, badarg, registered, Effect;
        "processes" () -> List from Processes, badarg, processes, Effect;
        "is_process_alive" (Pid) -> Boolean, badarg, is_process_alive, Effect;
        "link" (Any) -> Boolean, badarg, link, Effect;
        "unlink" (Any) -> Boolean, badarg, unlink, Effect;
        "exit" (Any, Any) -> Boolean, badarg, exit_other, Meaning::Effect(&[Deep, Moved]);
        "process_flag" (Atom, Any) -> Any, badarg, observing_process_flag, Effect;
        "process_info" (Pid) -> Any from Process, badarg, process_info_all, Effect;
        "process_info" (Pid, Any) -> Any from Process, badarg, process_info, Effect;
        "group_leader" () -> Pid from Process, badarg, group_leader, Effect;
        "bump_reductions" (NonNegative) -> Boolean, badarg, bump_reductions, Effect;
        "yield" () -> Boolean, badarg, always_true, Effect;
    },
    rows! {"erts_internal";
        "garbage_collect" (Any) -> Boolean, badarg, always_true, Effect;
    },
    timers::ROWS,
];

/// For calls whose result nobody reads: they do the same, but what was there before is not told.
pub(super) const UNREAD: &[&[Primitive]] = &[rows! {"erlang";
    "put" (Any, Any) -> Any, badarg, put, Keeps;
    "erase" (Any) -> Any, badarg, erase, Keeps;
    "process_flag" (Atom, Any) -> Any, badarg, process_flag, Effect;
    "cancel_timer" (Reference) -> Any, badarg, timers::cancel_timer, Effect;
    "cancel_timer" (Reference, Any) -> Any, badarg, timers::cancel_timer, Effect;
}];

/// The flags of a process that have no effect here except that they are remembered.
#[derive(Default)]
pub struct Flags {
    values: Vec<(Atom, Word)>,
}

impl Flags {
    pub fn roots(&mut self, collector: &mut machine::value::Collector<'_>) {
        collector.roots(self.values.iter_mut().map(|(_, value)| value));
    }

    pub fn visit(&self, see: &mut dyn FnMut(machine::StatePart<'_>)) {
        see(machine::StatePart::Number(self.values.len() as u64));
        for (flag, value) in &self.values {
            see(machine::StatePart::Fixed(Word::atom(*flag)));
            see(machine::StatePart::Fixed(*value));
        }
    }

    fn get(&self, flag: Atom) -> Option<Word> {
        self.values.iter().find(|(name, _)| *name == flag).map(|(_, value)| *value)
    }

    fn set(&mut self, flag: Atom, value: Word) {
        self.values.retain(|(name, _)| *name != flag);
        self.values.push((flag, value));
    }
}

fn self_pid(context: &mut Context, _: &[Word]) -> Result<Word, Escape> {
    Ok(context.own_pid())
}

fn is_self(context: &Context, pid: Word) -> bool {
    pid.is_kind(Kind::Pid) && pid.identity() == context.process.pid.identity()
}

/// A key that the run neither put nor erased may be in the dictionary that the calling process has.
fn asks_dictionary(context: &mut Context, key: Word) {
    let erased = ErlangState::of(context).erased_keys;
    let is_known = context.process.dictionary.map_get(key).is_some()
        || ErlangState::of(context).is_dictionary_emptied
        || erased.is_some_and(|keys| keys.map_get(key).is_some());
    if !is_known {
        context.asks(Surrounding::Process);
    }
}

fn observing_put(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    asks_dictionary(context, args[0]);
    put(context, args)
}

fn put(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    context.decide_key(context.process.dictionary, args[0]);
    let old = context.process.dictionary.map_get(args[0]);
    context.process.dictionary = context.heap.map_put(context.process.dictionary, args[0], args[1]);
    Ok(old.unwrap_or(names::UNDEFINED.into()))
}

fn get(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    context.decide_key(context.process.dictionary, args[0]);
    asks_dictionary(context, args[0]);
    Ok(context.process.dictionary.map_get(args[0]).unwrap_or(names::UNDEFINED.into()))
}

/// The order is ours: the BEAM's is that of its hash table.
fn get_all(context: &mut Context, _: &[Word]) -> Result<Word, Escape> {
    context.decide_key_order(context.process.dictionary);
    let mut pairs = Vec::with_capacity(context.process.dictionary.map_size());
    for (key, value) in context.process.dictionary.map_iter() {
        pairs.push(context.heap.tuple(&[key, value]));
    }
    Ok(context.heap.list(&pairs, Word::NIL))
}

fn get_keys(context: &mut Context, _: &[Word]) -> Result<Word, Escape> {
    context.decide_key_order(context.process.dictionary);
    let keys: Vec<Word> = context.process.dictionary.map_iter().map(|(key, _)| key).collect();
    Ok(context.heap.list(&keys, Word::NIL))
}

fn get_keys_of(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    context.decide_key_order(context.process.dictionary);
    let mut keys = Vec::new();
    for (key, value) in context.process.dictionary.map_iter() {
        if context.decide_identical(value, args[0]) {
            keys.push(key);
        }
    }
    Ok(context.heap.list(&keys, Word::NIL))
}

fn observing_erase(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    asks_dictionary(context, args[0]);
    erase(context, args)
}

fn erase(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    context.decide_key(context.process.dictionary, args[0]);
    let old = context.process.dictionary.map_get(args[0]);
    context.process.dictionary = context.heap.map_remove(context.process.dictionary, args[0]);
    let erased = ErlangState::of(context).erased_keys.unwrap_or_else(|| context.heap.empty_map());
    let erased = context.heap.map_put(erased, args[0], Word::TRUE);
    ErlangState::of(context).erased_keys = Some(erased);
    Ok(old.unwrap_or(names::UNDEFINED.into()))
}

fn erase_all(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let all = get_all(context, args)?;
    context.process.dictionary = context.heap.empty_map();
    ErlangState::of(context).is_dictionary_emptied = true;
    Ok(all)
}

fn send(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    deliver(context, args)?;
    Ok(args[1])
}

fn send_with_options(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let is_known = |option: &Word| {
        option.concrete().as_atom().is_some_and(|name| matches!(name.text(), "nosuspend" | "noconnect"))
    };
    if !list_items(args[2]).is_some_and(|options| options.iter().all(is_known)) {
        return Err(badarg(context, args));
    }
    deliver(context, args)?;
    Ok(names::OK.into())
}

fn deliver(context: &mut Context, args: &[Word]) -> Result<(), Escape> {
    match destination(context, args[0].concrete()) {
        Destination::Own => context.process.mailbox.push_back(args[1]),
        Destination::Gone => {}
        Destination::Elsewhere => {
            let arity = args.len() as u32;
            return Err(unsupported(context, "send", arity));
        }
        Destination::Invalid => {
            if args[0].concrete().is_atom() {
                context.asks(Surrounding::Processes);
            }
            return Err(badarg(context, args));
        }
    }
    Ok(())
}

pub(super) enum Destination {
    Own,
    /// A process that is not there: messages to it are lost without a word.
    Gone,
    /// A process that exists but is not ours to run.
    Elsewhere,
    Invalid,
}

/// Where a message to `to` goes.
pub(super) fn destination(context: &mut Context, to: Word) -> Destination {
    if let Some(name) = to.as_atom() {
        return match ErlangState::of(context).registered.get(&name).copied() {
            Some(pid) if is_self(context, pid) => Destination::Own,
            Some(_) => Destination::Elsewhere,
            None if is_system(name) => Destination::Elsewhere,
            None => Destination::Invalid,
        };
    }
    match to.kind() {
        Some(Kind::Pid) if is_self(context, to) => Destination::Own,
        Some(Kind::Pid) if to.identity() == GROUP_LEADER || is_suspended(context, to) => Destination::Elsewhere,
        Some(Kind::Port) => Destination::Elsewhere,
        Some(Kind::Pid | Kind::Reference) => Destination::Gone,
        Some(Kind::Tuple) => match *to.payload() {
            [name, node] => match (name.concrete().as_atom(), node.concrete().as_atom()) {
                (Some(name), Some(names::NONODE)) if ErlangState::of(context).registered.contains_key(&name) => {
                    Destination::Own
                }
                (Some(name), Some(names::NONODE)) if is_system(name) => Destination::Elsewhere,
                (Some(_), Some(_)) => Destination::Gone,
                _ => Destination::Invalid,
            },
            _ => Destination::Invalid,
        },
        _ => Destination::Invalid,
    }
}

/// Whether it is a process that waits until a module is loaded.
fn is_suspended(context: &mut Context, pid: Word) -> bool {
    ErlangState::of(context).suspended.iter().any(|suspended| suspended.pid().identity() == pid.identity())
}

/// Names of processes that every runtime has, or starts when they are asked for.
fn is_system(name: Atom) -> bool {
    const NAMES: &[&str] = &[
        "application_controller", "code_server", "dets", "dets_sup", "disk_log_server", "disk_log_sup",
        "erl_prim_loader", "erl_signal_server", "error_logger", "erts_code_purger", "file_server_2", "global_group",
        "global_group_check", "global_name_server", "inet_db", "inet_gethost_native", "inet_gethost_native_sup",
        "init", "kernel_refc", "kernel_safe_sup", "kernel_sup", "logger", "logger_handler_watcher", "logger_proxy",
        "logger_std_h_default", "logger_sup", "net_kernel", "net_sup", "pg", "pool_master", "rex", "socket_registry",
        "standard_error", "standard_error_sup", "timer_server", "user", "user_drv",
    ];
    NAMES.binary_search(&name.text()).is_ok()
}

fn unsupported(context: &mut Context, function: &str, arity: u32) -> Escape {
    context.stop(Stop::Unsupported(FunctionName { module: names::ERLANG, function: Atom::new(function), arity }))
}

fn make_ref(context: &mut Context, _: &[Word]) -> Result<Word, Escape> {
    Ok(new_reference(context))
}

pub(super) fn new_reference(context: &mut Context) -> Word {
    let number = context.world.next_reference;
    context.world.next_reference += 1;
    context.heap.identity(Kind::Reference, number)
}

fn register(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let (Some(name), true) = (args[0].as_atom(), is_self(context, args[1])) else { return Err(badarg(context, args)) };
    // Others may have the name, and the calling process another one.
    context.asks(Surrounding::Processes);
    // A process has one name, and `undefined` is none.
    let pid = context.process.pid;
    let state = ErlangState::of(context);
    let has_name = state.registered.values().any(|other| other.identity() == pid.identity());
    if name == names::UNDEFINED || has_name || state.registered.contains_key(&name) {
        return Err(badarg(context, args));
    }
    state.registered.insert(name, pid);
    Ok(Word::TRUE)
}

fn unregister(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let name = args[0].as_atom();
    match name.and_then(|name| ErlangState::of(context).registered.remove(&name)) {
        Some(_) => Ok(Word::TRUE),
        None => {
            context.asks(Surrounding::Processes);
            Err(badarg(context, args))
        }
    }
}

fn whereis(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let name = args[0].as_atom();
    let found = name.and_then(|name| ErlangState::of(context).registered.get(&name).copied());
    if found.is_none() && name.is_some_and(is_system) {
        return Err(unsupported(context, "whereis", 1));
    }
    if found.is_none() {
        context.asks(Surrounding::Processes);
    }
    Ok(found.unwrap_or(names::UNDEFINED.into()))
}

fn registered(context: &mut Context, _: &[Word]) -> Result<Word, Escape> {
    let names: Vec<Word> = ErlangState::of(context).registered.keys().map(|name| Word::atom(*name)).collect();
    Ok(context.heap.list(&names, Word::NIL))
}

fn processes(context: &mut Context, _: &[Word]) -> Result<Word, Escape> {
    let pid = context.process.pid;
    Ok(context.heap.cons(pid, Word::NIL))
}

fn is_process_alive(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    if is_self(context, args[0]) {
        return Ok(Word::TRUE);
    }
    if is_suspended(context, args[0]) {
        return Ok(Word::TRUE);
    }
    context.asks(Surrounding::Processes);
    Ok((args[0].identity() == GROUP_LEADER).into())
}

fn link(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    match args[0].kind() {
        Some(Kind::Pid) if is_self(context, args[0]) => Ok(Word::TRUE),
        Some(Kind::Pid | Kind::Port) => Err(unsupported(context, "link", 1)),
        _ => Err(badarg(context, args)),
    }
}

fn unlink(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    match args[0].kind() {
        Some(Kind::Pid | Kind::Port) => Ok(Word::TRUE),
        _ => Err(badarg(context, args)),
    }
}

/// A signal to the process itself is a message if it traps exits. What it is otherwise no handler can
/// catch.
fn exit_other(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    match args[0].kind() {
        Some(Kind::Pid) if is_self(context, args[0]) => {
            let traps = ErlangState::of(context).flags.get(Atom::new("trap_exit")) == Some(Word::TRUE);
            if !traps || args[1].concrete() == Word::atom(Atom::new("kill")) {
                return Err(unsupported(context, "exit", 2));
            }
            let message = context.heap.tuple(&[names::EXIT_UPPER.into(), args[0], args[1]]);
            context.process.mailbox.push_back(message);
            Ok(Word::TRUE)
        }
        Some(Kind::Pid) if args[0].identity() == GROUP_LEADER => Err(unsupported(context, "exit", 2)),
        Some(Kind::Pid | Kind::Port) => Ok(Word::TRUE),
        _ => Err(badarg(context, args)),
    }
}

fn observing_process_flag(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    if args[0].as_atom().is_some_and(|flag| ErlangState::of(context).flags.get(flag).is_none()) {
        context.asks(Surrounding::Process);
    }
    process_flag(context, args)
}

/// The old value. Only the values that flags may have are checked.
fn process_flag(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let Some(flag) = args[0].as_atom() else { return Err(badarg(context, args)) };
    let value = args[1].concrete();
    let is_one_of = |texts: &[&str]| value.as_atom().is_some_and(|atom| texts.contains(&atom.text()));
    let is_size = value.as_small().is_some_and(|size| size >= 0);
    let (fits, default) = match flag.text() {
        "trap_exit" | "sensitive" => (is_one_of(&["true", "false"]), Word::FALSE),
        "error_handler" => (value.is_atom(), Atom::new("error_handler").into()),
        "priority" => (is_one_of(&["low", "normal", "high", "max"]), names::NORMAL.into()),
        "message_queue_data" => (is_one_of(&["on_heap", "off_heap"]), Atom::new("on_heap").into()),
        "min_heap_size" => (is_size, Word::small(233)),
        "min_bin_vheap_size" => (is_size, Word::small(46_422)),
        "fullsweep_after" => (is_size, Word::small(65_535)),
        "save_calls" => (is_size && value.as_small() <= Some(10_000), Word::small(0)),
        "max_heap_size" | "scheduler" | "async_dist" => return Err(unsupported(context, "process_flag", 2)),
        _ => (false, Word::NIL),
    };
    if !fits {
        return Err(badarg(context, args));
    }
    let flags = &mut ErlangState::of(context).flags;
    let old = flags.get(flag).unwrap_or(default);
    flags.set(flag, value);
    Ok(old)
}

/// The items that `process_info/1` shows, as far as we know them.
const SHOWN: [&str; 14] = [
    "registered_name", "status", "message_queue_len", "links", "dictionary", "trap_exit", "error_handler", "priority",
    "group_leader", "total_heap_size", "heap_size", "stack_size", "reductions", "suspending",
];

fn process_info_all(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    if !is_self(context, args[0]) {
        return Ok(names::UNDEFINED.into());
    }
    let mut pairs = Vec::with_capacity(SHOWN.len());
    for item in SHOWN.map(Atom::new) {
        match process_item(context, item)? {
            Some(value) if value.is_nil() && item.text() == "registered_name" => {}
            Some(value) => pairs.push(context.heap.tuple(&[item.into(), value])),
            None => {}
        }
    }
    Ok(context.heap.list(&pairs, Word::NIL))
}

/// The items that do not depend on how the BEAM manages memory and code.
fn process_info(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let item = args[1].concrete();
    if !is_self(context, args[0]) {
        return Ok(names::UNDEFINED.into());
    }
    if let Some(item) = item.as_atom() {
        return match process_item(context, item)? {
            // Alone it says nothing instead of `{registered_name, []}`.
            Some(value) if value.is_nil() && item.text() == "registered_name" => Ok(value),
            Some(value) => Ok(context.heap.tuple(&[item.into(), value])),
            None => Err(badarg(context, args)),
        };
    }
    let Some(items) = list_items(item) else { return Err(badarg(context, args)) };
    let mut pairs = Vec::with_capacity(items.len());
    for item in items {
        let Some(name) = item.concrete().as_atom() else { return Err(badarg(context, args)) };
        match process_item(context, name)? {
            Some(value) => pairs.push(context.heap.tuple(&[item, value])),
            None => return Err(badarg(context, args)),
        }
    }
    Ok(context.heap.list(&pairs, Word::NIL))
}

/// `None` for what is no item at all.
fn process_item(context: &mut Context, item: Atom) -> Result<Option<Word>, Escape> {
    Ok(Some(match item.text() {
        "registered_name" => {
            let name = ErlangState::of(context).registered.keys().next().copied();
            name.map_or(Word::NIL, Word::atom)
        }
        "message_queue_len" => Word::small(context.process.mailbox.len() as i64),
        "messages" => {
            let messages: Vec<Word> = context.process.mailbox.iter().copied().collect();
            context.heap.list(&messages, Word::NIL)
        }
        "dictionary" => get_all(context, &[])?,
        "trap_exit" => ErlangState::of(context).flags.get(item).unwrap_or(Word::FALSE),
        "priority" => ErlangState::of(context).flags.get(item).unwrap_or(names::NORMAL.into()),
        "error_handler" => ErlangState::of(context).flags.get(item).unwrap_or(item.into()),
        "message_queue_data" => ErlangState::of(context).flags.get(item).unwrap_or(Atom::new("on_heap").into()),
        "status" => Atom::new("running").into(),
        "links" | "monitors" | "monitored_by" | "suspending" | "binary" => Word::NIL,
        "group_leader" => group_leader(context, &[])?,
        "reductions" => Word::small((u64::MAX - context.steps_left()) as i64 & Word::MAX_SMALL),
        "heap_size" | "total_heap_size" | "stack_size" => Word::small(context.heap.used() as i64),
        "memory" => Word::small(context.heap.used_bytes() as i64),
        "current_function"
        | "current_location"
        | "current_stacktrace"
        | "initial_call"
        | "backtrace"
        | "catchlevel"
        | "garbage_collection"
        | "garbage_collection_info"
        | "last_calls"
        | "min_heap_size"
        | "min_bin_vheap_size"
        | "parent"
        | "sequential_trace_token"
        | "trace"
        | "magic_ref"
        | "fullsweep_after"
        | "internal_status" => return Err(unsupported(context, "process_info", 2)),
        _ => return Ok(None),
    }))
}

/// The number of the process that output would go to.
const GROUP_LEADER: u64 = 64;

fn group_leader(context: &mut Context, _: &[Word]) -> Result<Word, Escape> {
    Ok(context.heap.identity(Kind::Pid, GROUP_LEADER))
}

fn bump_reductions(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    match as_beam_small(args[0]) {
        Some(_) => Ok(Word::TRUE),
        None => Err(badarg(context, args)),
    }
}

fn always_true(_: &mut Context, _: &[Word]) -> Result<Word, Escape> {
    Ok(Word::TRUE)
}
