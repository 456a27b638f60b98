//! Flags of processes, and information about processes.

use super::dictionary::{asks_order_of_keys, asks_origins_in, get_all};
use super::signals::outlives_signals;
use super::{GROUP_LEADER, ProcessState, looks_at, pid_of, unsupported};
use crate::bifs::kinds::as_beam_small;
use crate::bifs::{badarg, badarg_because, rows};
use machine::{Access, Context, Escape, Kind, Object, Primitive, Status, Word, list_items};
use path::Surrounding;
use term::{Atom, FunctionName, names};

pub(super) const ROWS: &[Primitive] = rows! {"erlang" by Processes;
    "processes" () -> List from Processes, badarg, processes, Effect;
    "is_process_alive" (Pid) -> Boolean, badarg, is_process_alive, Effect;
    "process_flag" (Any, Any) -> Any by Flags, badarg, observing_process_flag, Effect;
    "process_info" (Pid) -> Any from Process, badarg, process_info_all, Effect;
    "process_info" (Pid, Any) -> Any by Processes Dictionary Identities, badarg, process_info, Effect;
    "group_leader" () -> Pid, badarg, group_leader, Effect;
    "bump_reductions" (NonNegative) -> Boolean by Arguments, badarg, bump_reductions, Effect;
    "yield" () -> Boolean, badarg, give_way, Effect;
};

pub(super) const INTERNAL_ROWS: &[Primitive] = rows! {"erts_internal" by Processes;
    "garbage_collect" (Any) -> Boolean by Arguments, badarg, always_true, Effect;
    "group_leader" (Any, Any) -> Any, badarg, set_group_leader, Effect;
};

/// Rows for calls whose result is not used.
pub(super) const UNREAD: &[Primitive] = rows! {"erlang" by Flags;
    "process_flag" (Any, Any) -> Any, badarg, process_flag, Effect;
};

fn processes(context: &mut Context, _: &[Word]) -> Result<Word, Escape> {
    let mut pids = vec![context.process.pid];
    for number in context.world.others() {
        pids.push(pid_of(context, number));
    }
    Ok(context.heap.list(&pids, Word::NIL))
}

fn is_process_alive(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let number = args[0].identity();
    context.visible(&[(Object::Life(number), Access::Read)])?;
    looks_at(context, number);
    Ok((outlives_signals(context, number) || number == GROUP_LEADER).into())
}

fn observing_process_flag(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let is_main = context.process.id == path::ProcessId::MAIN;
    if let Some(flag) = args[0].as_atom().filter(|flag| ProcessState::own(context).flags.get(*flag).is_none()) {
        match flag.text() {
            _ if is_main => context.asks(Surrounding::Process),
            "message_queue_data" | "min_heap_size" | "min_bin_vheap_size" | "fullsweep_after" => {
                context.asks(Surrounding::CommandLine);
            }
            _ => {}
        }
    }
    process_flag(context, args)
}

/// Sets a flag and returns its old value. Only values that flags may have are accepted.
fn process_flag(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    if let Some(news) = NodeNews::of(args[0].concrete()) {
        return monitor_nodes(context, args, news);
    }
    let Some(flag) = args[0].as_atom() else { return Err(badarg_because(context, "badopt")) };
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
        _ => return Err(badarg_because(context, "badopt")),
    };
    if !fits {
        let is_saving = flag.text() == "save_calls";
        return Err(if is_saving { badarg_because(context, "none") } else { badarg(context, args) });
    }
    let flags = &mut ProcessState::own(context).flags;
    let old = flags.get(flag).unwrap_or(default);
    flags.set(flag, value);
    Ok(old)
}

/// The messages about nodes that a process has subscribed to. No node connects or disconnects here, so none is ever
/// sent.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct NodeNews {
    node_type: Atom,
    has_connection: bool,
    has_reason: bool,
}

impl NodeNews {
    /// Reads `monitor_nodes`, or `{monitor_nodes, Options}` with a map or an empty list.
    fn of(flag: Word) -> Option<NodeNews> {
        let is_flag = |word: Word| word.concrete().as_atom().is_some_and(|atom| atom.text() == "monitor_nodes");
        let mut news = NodeNews { node_type: Atom::new("visible"), has_connection: false, has_reason: false };
        let options = match flag.as_tuple() {
            None => return is_flag(flag).then_some(news),
            Some(&[name, options]) if is_flag(name) => options.concrete(),
            Some(_) => return None,
        };
        if options.is_nil() {
            return Some(news);
        }
        let pairs: Vec<(Word, Word)> = options.is_map().then(|| options.map_iter().collect())?;
        for (key, value) in pairs {
            let value = value.concrete();
            match key.concrete().as_atom()?.text() {
                "node_type" => {
                    let node_type = value.as_atom().filter(|kind| matches!(kind.text(), "visible" | "hidden" | "all"));
                    news.node_type = node_type?;
                }
                "connection_id" => news.has_connection = value.as_boolean()?,
                "nodedown_reason" => news.has_reason = value.as_boolean()?,
                _ => return None,
            }
        }
        Some(news)
    }
}

/// Subscribes to messages about nodes, or unsubscribes. Returns how many subscriptions there were before.
fn monitor_nodes(context: &mut Context, args: &[Word], news: NodeNews) -> Result<Word, Escape> {
    let Some(is_wanted) = args[1].concrete().as_boolean() else { return Err(badarg(context, args)) };
    if context.process.id == path::ProcessId::MAIN {
        context.asks(Surrounding::Process);
    }
    let monitors = &mut ProcessState::own(context).node_monitors;
    let index = monitors.iter().position(|(other, _)| *other == news);
    let old = index.map_or(0, |index| monitors.remove(index).1);
    if is_wanted {
        monitors.push((news, old + 1));
    }
    Ok(Word::small(old))
}

/// The items that `process_info/1` shows, except those that are not known here.
const SHOWN: [&str; 14] = [
    "registered_name", "status", "message_queue_len", "links", "dictionary", "trap_exit", "error_handler", "priority",
    "group_leader", "total_heap_size", "heap_size", "stack_size", "reductions", "suspending",
];

fn process_info_all(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let number = args[0].identity();
    if !outlives_signals(context, number) {
        return Ok(names::UNDEFINED.into());
    }
    let mut pairs = Vec::with_capacity(SHOWN.len());
    for item in SHOWN.map(Atom::new) {
        match process_item(context, number, item)? {
            Some(value) if value.is_nil() && item.text() == "registered_name" => {}
            Some(value) => pairs.push(context.heap.tuple(&[item.into(), value])),
            None => {}
        }
    }
    Ok(context.heap.list(&pairs, Word::NIL))
}

/// Returns information about a process, as far as it is known here.
fn process_info(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let (number, item) = (args[0].identity(), args[1].concrete());
    context.visible(&[(Object::Life(number), Access::Read), (Object::Mailbox(number), Access::Read)])?;
    let items = match item.as_atom() {
        Some(item) => vec![item],
        None => {
            let names = list_items(item).and_then(|items| items.iter().map(|item| item.concrete().as_atom()).collect());
            let Some(names) = names else { return Err(badarg(context, args)) };
            names
        }
    };
    if !items.iter().all(|item| is_item(item.text())) {
        return Err(badarg(context, args));
    }
    looks_at(context, number);
    if !outlives_signals(context, number) {
        return Ok(names::UNDEFINED.into());
    }
    if number == context.process.number()
        && matches!(
            item.as_atom().map(Atom::text),
            Some("current_function" | "current_location" | "current_stacktrace")
        )
    {
        // A flag of the runtime limits the length of the stack trace, and its last entries are the callers of the run.
        if item.as_atom().map(Atom::text) == Some("current_stacktrace") {
            context.asks(Surrounding::Process);
        }
        return Err(Escape::Stack);
    }
    let mut pairs = Vec::with_capacity(items.len());
    for name in items {
        let Some(value) = process_item(context, number, name)? else { return Err(badarg(context, args)) };
        // If `registered_name` is the only item, the answer is an empty list instead of `{registered_name, []}`.
        if item.is_atom() && value.is_nil() && name.text() == "registered_name" {
            return Ok(value);
        }
        pairs.push(context.heap.tuple(&[name.into(), value]));
    }
    Ok(if item.is_atom() { pairs[0] } else { context.heap.list(&pairs, Word::NIL) })
}

/// Returns whether only the run itself decides this item of a process.
fn is_of_run(context: &mut Context, number: u64, item: &str) -> bool {
    let process = context.process_of(number);
    let is_main = process.as_ref().is_some_and(|process| process.id == path::ProcessId::MAIN);
    let flags = process.map(ProcessState::of).map(|state| state.flags.get(Atom::new(item)).is_some());
    match item {
        "status" | "current_function" | "current_location" => true,
        "trap_exit" | "priority" | "error_handler" => !is_main || flags == Some(true),
        "message_queue_data" => flags == Some(true),
        "registered_name" | "message_queue_len" | "messages" | "dictionary" | "links" | "monitors" | "monitored_by"
        | "suspending" | "initial_call" | "parent" => !is_main,
        "group_leader" => ProcessState::find(context, number).is_some_and(|process| process.leader != GROUP_LEADER),
        // Sizes and counters depend on how the runtime manages memory.
        _ => false,
    }
}

fn is_item(name: &str) -> bool {
    KNOWN.contains(&name) || UNKNOWN.contains(&name)
}

const KNOWN: [&str; 22] = [
    "registered_name", "message_queue_len", "messages", "dictionary", "trap_exit", "priority", "error_handler",
    "message_queue_data", "status", "links", "monitors", "monitored_by", "suspending", "binary", "group_leader",
    "reductions", "heap_size", "total_heap_size", "stack_size", "memory", "initial_call", "parent",
];

/// Items that depend on how the BEAM manages memory and code. Only those about the current function are supported.
const UNKNOWN: [&str; 15] = [
    "current_function", "current_location", "current_stacktrace", "backtrace", "catchlevel", "garbage_collection",
    "garbage_collection_info", "last_calls", "min_heap_size", "min_bin_vheap_size", "sequential_trace_token", "trace",
    "magic_ref", "fullsweep_after", "internal_status",
];

/// Returns the value of an item; `None` if there is no such item.
fn process_item(context: &mut Context, number: u64, item: Atom) -> Result<Option<Word>, Escape> {
    let is_own = number == context.process.number();
    if !is_of_run(context, number, item.text()) {
        match item.text() {
            // `proc_lib` hands on what it reads of the caller there: its first call.
            "dictionary" => context.recorder.asks(Surrounding::Process),
            _ => context.asks(Surrounding::Process),
        }
    }
    let flag = |context: &mut Context| ProcessState::find(context, number).and_then(|process| process.flags.get(item));
    Ok(Some(match item.text() {
        "registered_name" => {
            let name = ProcessState::find(context, number).and_then(|process| process.name);
            name.map_or(Word::NIL, Word::atom)
        }
        "message_queue_len" => {
            let messages = context.process_of(number).map_or(0, |process| process.mailbox.len());
            Word::small(messages as i64)
        }
        "messages" => {
            let messages = context.process_of(number).map(|process| process.mailbox.iter().copied().collect());
            let messages: Vec<Word> = messages.unwrap_or_default();
            context.heap.list(&messages, Word::NIL)
        }
        "dictionary" if is_own => get_all(context, &[])?,
        "dictionary" => {
            let dictionary = context.process_of(number).map(|process| process.dictionary);
            dictionary.into_iter().for_each(|dictionary| asks_origins_in(context, dictionary));
            let mut pairs = Vec::new();
            for (key, value) in dictionary.into_iter().flat_map(|map| map.map_iter().collect::<Vec<_>>()) {
                pairs.push(context.heap.tuple(&[key, value]));
            }
            asks_order_of_keys(context, pairs.len());
            context.heap.list(&pairs, Word::NIL)
        }
        "trap_exit" => flag(context).unwrap_or(Word::FALSE),
        "priority" => flag(context).unwrap_or(names::NORMAL.into()),
        "error_handler" => flag(context).unwrap_or(item.into()),
        "message_queue_data" => flag(context).unwrap_or(Atom::new("on_heap").into()),
        "status" => {
            let status = context.process_of(number).map(|process| process.status);
            Atom::new(match status {
                _ if is_own => "running",
                Some(Status::Waiting | Status::Done) => "waiting",
                Some(Status::Suspended) => "suspended",
                Some(Status::Ready) | None => "runnable",
            })
            .into()
        }
        "links" => {
            let links = ProcessState::find(context, number).map(|process| process.links.clone()).unwrap_or_default();
            let pids: Vec<Word> = links.into_iter().map(|other| pid_of(context, other)).collect();
            asks_order(context, pids.len());
            context.heap.list(&pids, Word::NIL)
        }
        "monitors" => {
            let monitors = ProcessState::find(context, number).map(|process| process.monitors.clone());
            let mut items = Vec::new();
            for monitor in monitors.unwrap_or_default() {
                let watched = match (monitor.name, monitor.target) {
                    (Some(name), _) => context.heap.tuple(&[name.into(), names::NONODE.into()]),
                    (None, Some(target)) => pid_of(context, target),
                    (None, None) => continue,
                };
                items.push(context.heap.tuple(&[Atom::new("process").into(), watched]));
            }
            asks_order(context, items.len());
            context.heap.list(&items, Word::NIL)
        }
        "monitored_by" => {
            let watchers = ProcessState::find(context, number).map(|process| process.monitored_by.clone());
            let pids: Vec<Word> =
                watchers.unwrap_or_default().into_iter().map(|(watcher, _)| pid_of(context, watcher)).collect();
            asks_order(context, pids.len());
            context.heap.list(&pids, Word::NIL)
        }
        "suspending" | "binary" => Word::NIL,
        "group_leader" => {
            let leader = ProcessState::find(context, number).map_or(GROUP_LEADER, |process| process.leader);
            pid_of(context, leader)
        }
        "initial_call" => match ProcessState::find(context, number).and_then(|process| process.initial_call) {
            Some((module, function, arity)) => {
                context.heap.tuple(&[module.into(), function.into(), Word::small(i64::from(arity))])
            }
            // How the main process was started is not known here.
            None => context.heap.tuple(&[names::ERLANG.into(), names::APPLY.into(), Word::small(2)]),
        },
        "parent" => match ProcessState::find(context, number).and_then(|process| process.parent) {
            Some(parent) => pid_of(context, parent),
            None => names::UNDEFINED.into(),
        },
        "current_function" if !is_own => match context.function_of_waiting(number) {
            Some(FunctionName { module, function, arity }) => {
                context.heap.tuple(&[module.into(), function.into(), Word::small(i64::from(arity))])
            }
            // The process has not run yet.
            None => match ProcessState::find(context, number).and_then(|process| process.initial_call) {
                Some((module, function, arity)) => {
                    context.heap.tuple(&[module.into(), function.into(), Word::small(i64::from(arity))])
                }
                None => return Err(unsupported(context, "process_info", 2)),
            },
        },
        "reductions" => Word::small((u64::MAX - context.steps_left()) as i64 & Word::MAX_SMALL),
        "heap_size" | "total_heap_size" | "stack_size" => Word::small(context.heap.used() as i64),
        "memory" => Word::small(context.heap.used_bytes() as i64),
        name if is_item(name) => return Err(unsupported(context, "process_info", 2)),
        _ => return Ok(None),
    }))
}

/// Records that the result depends on the numbers of identities: the BEAM sorts links and monitors by them.
fn asks_order(context: &mut Context, count: usize) {
    if count > 1 {
        context.asks(Surrounding::Identities);
    }
}

/// Returns the function that a process of `proc_lib` runs, according to its dictionary.
pub fn initial_call(context: &mut Context, number: u64) -> Option<FunctionName> {
    let process = context.process_of(number)?;
    let call = process.dictionary.map_get(Word::atom(Atom::new("$initial_call")))?.concrete();
    let &[module, function, arity] = call.as_tuple()? else { return None };
    let arity = match list_items(arity.concrete()) {
        Some(args) => args.len() as u32,
        None => arity.concrete().as_small()? as u32,
    };
    let (module, function) = (module.concrete().as_atom()?, function.concrete().as_atom()?);
    // A supervisor has its callback module in place of a function.
    Some(match module.text() {
        "supervisor" | "supervisor_bridge" => FunctionName { module: function, function: Atom::new("init"), arity: 1 },
        _ => FunctionName { module, function, arity },
    })
}

/// Returns the answer of `process_info(self(), Item)` for an item that depends on the calls in progress.
pub fn on_stack(context: &mut Context, args: &[Word], entries: Word) -> Word {
    let item = args[1].concrete();
    let first = list_items(entries)
        .and_then(|entries| entries.first().and_then(|entry| entry.as_tuple().map(<[Word]>::to_vec)));
    let value = match (item.as_atom().map(Atom::text), first.as_deref()) {
        (Some("current_function"), Some([module, function, arity, _])) => {
            let arity = list_items(*arity).map_or(*arity, |args| Word::small(args.len() as i64));
            context.heap.tuple(&[*module, *function, arity])
        }
        (Some("current_location"), Some(entry)) => context.heap.tuple(entry),
        (Some("current_function" | "current_location"), None) => names::UNDEFINED.into(),
        _ => entries,
    };
    context.heap.tuple(&[item, value])
}

fn group_leader(context: &mut Context, _: &[Word]) -> Result<Word, Escape> {
    let leader = ProcessState::own(context).leader;
    if leader == GROUP_LEADER {
        // The main process inherits this group leader from the calling process.
        context.asks(Surrounding::Process);
    }
    Ok(pid_of(context, leader))
}

/// Sets a group leader. Returns `badarg`, instead of raising it, if that is not possible.
fn set_group_leader(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let (leader, process) = (args[0].concrete(), args[1].concrete());
    if !leader.is_kind(Kind::Pid) || !process.is_kind(Kind::Pid) {
        return Ok(names::BADARG.into());
    }
    context.visible(&[(Object::Life(process.identity()), Access::Write)])?;
    looks_at(context, process.identity());
    match ProcessState::find(context, process.identity()) {
        Some(process) => {
            process.leader = leader.identity();
            Ok(Word::TRUE)
        }
        None => Ok(names::BADARG.into()),
    }
}

fn bump_reductions(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    match as_beam_small(args[0]) {
        Some(_) => Ok(Word::TRUE),
        None => Err(badarg(context, args)),
    }
}

fn give_way(context: &mut Context, _: &[Word]) -> Result<Word, Escape> {
    if !context.world.is_alone() {
        context.process.is_yielding = true;
        context.end_slice();
    }
    Ok(Word::TRUE)
}

fn always_true(_: &mut Context, _: &[Word]) -> Result<Word, Escape> {
    Ok(Word::TRUE)
}
