//! Time, unique integers, random bytes, and information about the system: all are the same in every run. Time passes
//! only when a process waits.

use super::{badarg, rows};
use crate::otp;
use machine::{Access, Context, Escape, Kind, Object, Primitive, Word, World, list_items};
use path::{Stop, Surrounding};
use term::{Atom, FunctionName, names};

pub(super) const TABLES: &[&[Primitive]] = &[
    rows! {"erlang" from Time;
        "monotonic_time" () -> Integer, badarg, monotonic_time, Effect;
        "monotonic_time" (Any) -> Integer, badarg, monotonic_time, Effect;
        "system_time" () -> Integer, badarg, system_time, Effect;
        "system_time" (Any) -> Integer, badarg, system_time, Effect;
        "time_offset" () -> Integer, badarg, time_offset, Effect;
        "time_offset" (Any) -> Integer, badarg, time_offset, Effect;
        "timestamp" () -> Tuple, badarg, timestamp, Effect;
        "now" () -> Tuple, badarg, now, Effect;
        "unique_integer" () -> Integer from UniqueIntegers, badarg, unique_integer, Effect;
        "unique_integer" (ProperList) -> Integer from UniqueIntegers, badarg, unique_integer, Effect;
        "system_info" (Any) -> Any by Platform, badarg, system_info, Effect;
        "statistics" (Atom) -> Any from Load, badarg, statistics, Effect;
        "memory" () -> List from Load, badarg, memory, Effect;
        "memory" (Any) -> Any from Load, badarg, memory_of, Effect;
        "node" () -> Atom from Node, badarg, node, Effect;
        "node" (Any) -> Atom from Node, badarg, node_of, Effect;
        "nodes" () -> List from Node, badarg, nodes, Effect;
        "nodes" (Any) -> List from Node, badarg, nodes_of_kind, Effect;
        "nodes" (Any, Map) -> List from Node, badarg, nodes_with_information, Effect;
        "is_alive" () -> Boolean from Node, badarg, is_alive, Effect;
        "get_cookie" () -> Atom from Node, badarg, get_cookie, Effect;
    },
    rows! {"crypto";
        "strong_rand_bytes" (NonNegative) -> Binary from Randomness, badarg, strong_rand_bytes, Effect;
    },
    rows! {"erts_internal" from System;
        "time_unit" () -> Integer, badarg, time_unit, Effect;
        "perf_counter_unit" () -> Integer, badarg, time_unit, Effect;
    },
    rows! {"os";
        "timestamp" () -> Tuple from Time, badarg, timestamp, Effect;
        "system_time" () -> Integer from Time, badarg, system_time, Effect;
        "system_time" (Any) -> Integer from Time, badarg, system_time, Effect;
        "perf_counter" () -> Integer from Time, badarg, monotonic_time, Effect;
        "getenv" (Any) -> Any from Environment, badarg, getenv, Effect;
        "env" () -> List from Environment, badarg, env, Effect;
        "getpid" () -> List from Environment, badarg, getpid, Effect;
    },
];

/// Monotonic time at the start of a run, in nanoseconds: negative, as on the BEAM.
pub(super) const MONOTONIC_START: i64 = -576_460_751_000_000_000;
/// The latest and the earliest monotonic time for which a timer may be set. The runtime starts to count at the
/// earliest.
pub(super) const MONOTONIC_END: i64 = 8_646_911_283_000_000_000;
pub(super) const MONOTONIC_FIRST: i64 = -576_460_752_000_000_000;
/// 2024-01-01 00:00:00 UTC, in nanoseconds.
pub(super) const SYSTEM_START: i64 = 1_704_067_200_000_000_000;
const SECOND: i64 = 1_000_000_000;

fn monotonic_time(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let time = MONOTONIC_START.saturating_add_unsigned(context.world.time);
    in_unit(context, time, args)
}

fn system_time(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let time = system_nanoseconds(context);
    in_unit(context, time, args)
}

pub(super) fn system_nanoseconds(context: &mut Context) -> i64 {
    SYSTEM_START.saturating_add_unsigned(context.world.time)
}

fn time_offset(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    in_unit(context, SYSTEM_START - MONOTONIC_START, args)
}

fn in_unit(context: &mut Context, nanoseconds: i64, args: &[Word]) -> Result<Word, Escape> {
    let Some(per_second) = args.first().map_or(Some(i128::from(SECOND)), |unit| parts_per_second(*unit)) else {
        return Err(badarg(context, args));
    };
    let value = i128::from(nanoseconds).checked_mul(per_second).map(|value| value.div_euclid(i128::from(SECOND)));
    match value {
        Some(value) => Ok(context.heap.integer_i128(value)),
        None => Err(badarg(context, args)),
    }
}

fn parts_per_second(unit: Word) -> Option<i128> {
    if let Some(parts) = unit.as_i128() {
        return (parts > 0).then_some(parts);
    }
    Some(match unit.as_atom()?.text() {
        "second" | "seconds" => 1,
        "millisecond" | "milli_seconds" => 1_000,
        "microsecond" | "micro_seconds" => 1_000_000,
        "nanosecond" | "nano_seconds" | "native" | "perf_counter" => 1_000_000_000,
        _ => return None,
    })
}

fn timestamp(context: &mut Context, _: &[Word]) -> Result<Word, Escape> {
    let microseconds = system_nanoseconds(context) / 1_000;
    Ok(mega_seconds(context, microseconds))
}

/// Returns a timestamp that is larger than all before: each call takes some time.
fn now(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    context.world.time += 1_000;
    timestamp(context, args)
}

fn mega_seconds(context: &mut Context, microseconds: i64) -> Word {
    const MILLION: i64 = 1_000_000;
    let parts = [microseconds / MILLION / MILLION, microseconds / MILLION % MILLION, microseconds % MILLION];
    context.heap.tuple(&parts.map(Word::small))
}

fn unique_integer(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    /// The first value on the BEAM, too.
    const FIRST: i64 = -(1 << 59);
    let (mut positive, mut monotonic) = (false, false);
    for modifier in args.first().and_then(|list| list_items(*list)).unwrap_or_default() {
        match modifier.concrete().as_atom().map(Atom::text) {
            Some("positive") => positive = true,
            Some("monotonic") => monotonic = true,
            _ => return Err(badarg(context, args)),
        }
    }
    let number = match monotonic {
        true => {
            context.visible(&[(Object::Shared("monotonic integers"), Access::Write)])?;
            context.world.next_monotonic += 1;
            context.world.next_monotonic
        }
        false => World::unique_number(&mut context.process),
    };
    Ok(Word::small(if positive { number as i64 } else { FIRST + number as i64 }))
}

/// Returns random bytes: different ones for every call, but the same in every run.
fn strong_rand_bytes(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let count = args[0].as_small().and_then(|count| usize::try_from(count).ok()).filter(|count| *count <= 1 << 30);
    let Some(count) = count else { return Err(badarg(context, args)) };
    context.heap.ensure_buffer_room(count);
    let mut state = World::unique_number(&mut context.process);
    let mut bytes = Vec::with_capacity(count + 7);
    while bytes.len() < count {
        // SplitMix64: every step is a bijection of the counter, and the mixing hides that.
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        bytes.extend_from_slice(&(mixed ^ mixed >> 31).to_le_bytes());
    }
    Ok(context.heap.binary(&bytes[..count]))
}

/// Returns whether the item belongs to the platform that a claim is made for: the release of OTP, the kind of the
/// operating system, the size of a word.
fn is_platform(item: Word) -> bool {
    let item = item.concrete().as_atom().map(Atom::text);
    matches!(item, Some("os_type" | "otp_release" | "wordsize" | "endian"))
}

fn system_info(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    if !is_platform(args[0]) {
        context.asks(Surrounding::System);
    }
    let heap = &mut context.heap;
    let Some(item) = args[0].as_atom() else {
        return match args[0].as_tuple() {
            Some(&[tag, which]) if tag.concrete() == Word::atom(Atom::new("wordsize")) => {
                match which.concrete().as_atom().map(Atom::text) {
                    Some("internal" | "external") => Ok(Word::small(8)),
                    _ => Err(badarg(context, args)),
                }
            }
            Some(&[tag, ..]) if tag.concrete().is_atom() => Err(unsupported(context, "system_info")),
            _ => Err(badarg(context, args)),
        };
    };
    let atom = |text: &str| Word::atom(Atom::new(text));
    Ok(match item.text() {
        "wordsize" => Word::small(8),
        "otp_release" => heap.string(&otp::release().to_string()),
        "version" => heap.string(&runtime_version()),
        "system_version" => heap.string(&format!(
            "Erlang/OTP {} [erts-{}] [source] [64-bit] [smp:1:1] [ds:1:1:10] [async-threads:1] [jit:ns]\n",
            otp::release(),
            runtime_version()
        )),
        "system_architecture" => heap.string("x86_64-pc-linux-gnu"),
        "machine" => heap.string("BEAM"),
        "driver_version" => heap.string("3.3"),
        "nif_version" => heap.string("2.16"),
        "os_type" => heap.tuple(&[atom("unix"), atom("linux")]),
        "os_version" => heap.tuple(&[6, 1, 0].map(Word::small)),
        "endian" => atom("little"),
        "emu_flavor" => atom("jit"),
        "emu_type" | "build_type" => atom("opt"),
        "heap_type" => atom("private"),
        "time_offset" => atom("final"),
        "time_warp_mode" => atom("no_time_warp"),
        "tolerant_timeofday" | "multi_scheduling" => atom("enabled"),
        "smp_support" | "threads" | "kernel_poll" | "time_correction" => Word::TRUE,
        "debug_compiled" | "lock_checking" | "dynamic_trace_probes" | "lock_counting" => Word::FALSE,
        "dynamic_trace" => atom("none"),
        "modified_timing_level" => names::UNDEFINED.into(),
        "schedulers"
        | "schedulers_online"
        | "dirty_cpu_schedulers"
        | "dirty_cpu_schedulers_online"
        | "logical_processors"
        | "logical_processors_online"
        | "logical_processors_available"
        | "thread_pool_size"
        | "scheduler_id"
        | "process_count"
        | "active_schedulers" => Word::small(1),
        "dirty_io_schedulers" => Word::small(10),
        "process_limit" => Word::small(262_144),
        "port_limit" => Word::small(65_536),
        "port_count" | "trace_control_word" | "creation" => Word::small(0),
        "atom_limit" => Word::small(Atom::MAX_COUNT as i64),
        "atom_count" => Word::small(Atom::count() as i64),
        "ets_limit" => Word::small(8_192),
        "compat_rel" => Word::small(i64::from(otp::release())),
        "dist_buf_busy_limit" => Word::small(1_048_576),
        "delayed_node_table_gc" => Word::small(60),
        "start_time" => Word::small(MONOTONIC_START),
        "end_time" => Word::small(Word::MAX_SMALL),
        "fullsweep_after" => heap.tuple(&[item.into(), Word::small(65_535)]),
        "min_heap_size" => heap.tuple(&[item.into(), Word::small(233)]),
        "min_bin_vheap_size" => heap.tuple(&[item.into(), Word::small(46_422)]),
        "multi_scheduling_blockers" | "normal_multi_scheduling_blockers" => Word::NIL,
        known if KNOWN_INFO.contains(&known) => return Err(unsupported(context, "system_info")),
        _ => return Err(badarg(context, args)),
    })
}

/// Returns the version of the runtime, which follows OTP's. The patch level differs between installations.
fn runtime_version() -> String {
    format!("{}.0", otp::release() - 12)
}

/// Items that the BEAM answers and the machine does not.
const KNOWN_INFO: [&str; 40] = [
    "alloc_util_allocators", "allocated_areas", "allocator", "async_dist", "atom_used", "break_ignored", "build_flags",
    "c_compiler_used", "check_io", "check_process_code", "context_reductions", "cpu_quota", "cpu_topology", "dist",
    "dist_ctrl", "eager_check_io", "elib_malloc", "ets_count", "ets_realloc_moves", "export", "fun_info",
    "garbage_collection", "global_heaps_size", "halt_flush_timeout", "heap_sizes", "hipe_architecture", "info",
    "loaded", "max_heap_size", "message_queue_data", "module_refs", "os_monotonic_time_source",
    "os_system_time_source", "port_parallelism", "procs", "scheduler_bind_type", "scheduler_bindings", "snifs",
    "system_logger", "update_cpu_info",
];

fn unsupported(context: &mut Context, function: &str) -> Escape {
    context.stop(Stop::Unsupported(FunctionName { module: names::ERLANG, function: Atom::new(function), arity: 1 }))
}

/// Returns counters, in total and since the last call. Nothing was waited for or collected.
fn statistics(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let milliseconds = Word::small((context.world.time / 1_000_000) as i64);
    let zero = Word::small(0);
    Ok(match args[0].as_atom().map(Atom::text) {
        Some("runtime" | "wall_clock") => context.heap.tuple(&[milliseconds, zero]),
        Some("reductions" | "exact_reductions" | "context_switches") => context.heap.tuple(&[zero, zero]),
        Some("garbage_collection") => context.heap.tuple(&[zero, zero, zero]),
        Some("io") => {
            let input = context.heap.tuple(&[Atom::new("input").into(), zero]);
            let output = context.heap.tuple(&[Atom::new("output").into(), zero]);
            context.heap.tuple(&[input, output])
        }
        Some("run_queue" | "total_run_queue_lengths" | "total_run_queue_lengths_all") => zero,
        Some("total_active_tasks" | "total_active_tasks_all") => Word::small(1),
        Some("scheduler_wall_time" | "scheduler_wall_time_all" | "microstate_accounting") => names::UNDEFINED.into(),
        Some("run_queue_lengths" | "run_queue_lengths_all" | "active_tasks" | "active_tasks_all" | "run_queues") => {
            return Err(unsupported(context, "statistics"));
        }
        _ => return Err(badarg(context, args)),
    })
}

const MEMORY: [&str; 9] =
    ["total", "processes", "processes_used", "system", "atom", "atom_used", "binary", "code", "ets"];

fn memory(context: &mut Context, _: &[Word]) -> Result<Word, Escape> {
    let mut pairs = Vec::with_capacity(MEMORY.len());
    for kind in MEMORY {
        pairs.push(context.heap.tuple(&[Atom::new(kind).into(), Word::small(MEMORY_USED)]));
    }
    Ok(context.heap.list(&pairs, Word::NIL))
}

/// The bytes of every kind of memory, as reported to programs. Our own use would differ from run to run.
const MEMORY_USED: i64 = 1 << 20;

fn memory_of(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let is_kind = |word: Word| word.concrete().as_atom().is_some_and(|kind| MEMORY.contains(&kind.text()));
    if is_kind(args[0]) {
        return Ok(Word::small(MEMORY_USED));
    }
    match list_items(args[0]) {
        Some(kinds) if kinds.iter().all(|kind| is_kind(*kind)) => {
            let pairs: Vec<Word> =
                kinds.iter().map(|kind| context.heap.tuple(&[*kind, Word::small(MEMORY_USED)])).collect();
            Ok(context.heap.list(&pairs, Word::NIL))
        }
        _ => Err(badarg(context, args)),
    }
}

fn node(_: &mut Context, _: &[Word]) -> Result<Word, Escape> {
    Ok(names::NONODE.into())
}

fn node_of(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    match args[0].kind() {
        Some(Kind::Pid | Kind::Reference | Kind::Port) => Ok(names::NONODE.into()),
        _ => Err(badarg(context, args)),
    }
}

fn nodes(_: &mut Context, _: &[Word]) -> Result<Word, Escape> {
    Ok(Word::NIL)
}

fn nodes_of_kind(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    match includes_this_node(args[0]) {
        Some(true) => Ok(context.heap.cons(names::NONODE.into(), Word::NIL)),
        Some(false) => Ok(Word::NIL),
        None => Err(badarg(context, args)),
    }
}

/// Returns the nodes with information. A node that is not distributed knows only itself and has no connections.
fn nodes_with_information(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let Some(includes_this) = includes_this_node(args[0]) else { return Err(badarg(context, args)) };
    let mut information = context.heap.empty_map();
    for (key, wanted) in args[1].map_iter() {
        let value = match (key.concrete().as_atom().map(Atom::text), wanted.concrete().as_boolean()) {
            (Some("connection_id"), Some(_)) => names::UNDEFINED,
            (Some("node_type"), Some(_)) => Atom::new("this"),
            _ => return Err(badarg(context, args)),
        };
        if wanted.concrete() == Word::TRUE {
            information = context.heap.map_put(information, key.concrete(), value.into());
        }
    }
    if !includes_this {
        return Ok(Word::NIL);
    }
    let node = context.heap.tuple(&[names::NONODE.into(), information]);
    Ok(context.heap.cons(node, Word::NIL))
}

/// Returns whether a kind of nodes, or one in a list of kinds, includes this node. `None` if there is no such kind.
fn includes_this_node(kinds: Word) -> Option<bool> {
    let kinds = list_items(kinds).unwrap_or_else(|| vec![kinds]);
    let mut includes_this = false;
    for kind in kinds {
        match kind.concrete().as_atom().map(Atom::text) {
            Some("visible" | "hidden" | "connected") => {}
            Some("this" | "known") => includes_this = true,
            _ => return None,
        }
    }
    Some(includes_this)
}

fn is_alive(_: &mut Context, _: &[Word]) -> Result<Word, Escape> {
    Ok(Word::FALSE)
}

fn get_cookie(_: &mut Context, _: &[Word]) -> Result<Word, Escape> {
    Ok(Atom::new("nocookie").into())
}

fn time_unit(_: &mut Context, _: &[Word]) -> Result<Word, Escape> {
    Ok(Word::small(SECOND))
}

/// Returns `false`, because the environment is empty.
fn getenv(context: &mut Context, args: &[Word]) -> Result<Word, Escape> {
    let is_character = |word: &Word| word.concrete().as_small().is_some_and(|code| (1..=0x10_ffff).contains(&code));
    match list_items(args[0]) {
        Some(items) if items.iter().all(is_character) => Ok(Word::FALSE),
        _ => Err(badarg(context, args)),
    }
}

fn env(_: &mut Context, _: &[Word]) -> Result<Word, Escape> {
    Ok(Word::NIL)
}

fn getpid(context: &mut Context, _: &[Word]) -> Result<Word, Escape> {
    Ok(context.heap.string("1"))
}
