//! Comparison of rows for processes with the BEAM. Each call runs in a process of its own, with arguments inside and
//! outside of the domains: the calling process, a process that has ended, and names.

use crate::bifs::testing::{Call, DEAD, agree_alone, everything, grid, power};
use term::Term;

fn atom(name: &str) -> Term {
    Term::atom(name)
}

fn pair(key: &str, value: Term) -> Term {
    Term::tuple(vec![atom(key), value])
}

fn own() -> Term {
    Term::Pid(Term::OWN_PID)
}

fn dead() -> Term {
    Term::Pid(DEAD)
}

/// Returns terms that may denote a process, and some that do not.
fn somebody() -> Vec<Term> {
    vec![
        own(),
        dead(),
        atom("nobody"),
        atom("undefined"),
        pair("nobody", atom("nonode@nohost")),
        pair("nobody", Term::Int(1)),
        Term::tuple(vec![]),
        Term::Reference(1),
        Term::Int(1),
        Term::Nil,
        Term::string("abc"),
        Term::binary(vec![1]),
    ]
}

fn lists_of(items: Vec<Term>) -> Vec<Term> {
    let mut lists: Vec<Term> = vec![Term::Nil, atom("a"), Term::Int(1)];
    for item in items {
        lists.push(Term::list([item.clone()]));
        lists.push(Term::list([item.clone(), atom("wrong")]));
        lists.push(Term::list_with_tail(vec![item], atom("tail")));
    }
    lists
}

/// Returns calls with every combination of these arguments.
fn all(module: &'static str, function: &'static str, columns: &[Vec<Term>]) -> Vec<Call> {
    let mut tuples: Vec<Vec<Term>> = vec![Vec::new()];
    for column in columns {
        tuples = tuples
            .iter()
            .flat_map(|tuple| column.iter().map(move |value| [&tuple[..], std::slice::from_ref(value)].concat()))
            .collect();
    }
    tuples.into_iter().map(|args| Call { module, function, args }).collect()
}

#[test]
fn single_arguments() {
    let names = [
        ("link", 1),
        ("unlink", 1),
        ("unregister", 1),
        ("whereis", 1),
        ("is_process_alive", 1),
        ("demonitor", 1),
        ("alias", 1),
        ("unalias", 1),
        ("cancel_timer", 1),
        ("read_timer", 1),
        ("spawn_request_abandon", 1),
    ];
    agree_alone(&grid("erlang", &names, &[everything(), vec![dead(), atom("undefined")]].concat()));
}

#[test]
fn signals() {
    let reasons = || ["normal", "kill", "shutdown", "other"].map(atom).to_vec();
    let mut calls = all("erlang", "exit", &[somebody(), reasons()]);
    calls.extend(all("erlang", "send", &[somebody(), vec![atom("message")]]));
    let options = ["nosuspend", "noconnect", "priority"].map(atom).to_vec();
    calls.extend(all("erlang", "send", &[somebody(), vec![atom("message")], lists_of(options)]));
    agree_alone(&calls);
}

#[test]
fn names() {
    let mut calls = all("erlang", "register", &[somebody(), somebody()]);
    calls.extend(all("erlang", "whereis", &[somebody()]));
    agree_alone(&calls);
}

#[test]
fn monitors() {
    let kinds = || vec![atom("process"), atom("time_offset"), atom("other"), Term::Int(1)];
    let items = || [somebody(), vec![atom("clock_service")]].concat();
    let options = || {
        let kinds = ["explicit_unalias", "demonitor", "reply_demonitor", "reply", "other"];
        let mut options: Vec<Term> = kinds.map(|kind| pair("alias", atom(kind))).to_vec();
        options.extend([pair("tag", Term::Nil), pair("other", Term::Nil), atom("alias"), Term::tuple(vec![])]);
        lists_of(options)
    };
    let mut calls = all("erlang", "monitor", &[kinds(), items()]);
    calls.extend(all("erlang", "monitor", &[kinds(), items(), options()]));
    let flags = lists_of(["flush", "info", "other"].map(atom).to_vec());
    calls.extend(all("erlang", "demonitor", &[vec![Term::Reference(1), atom("a"), own()], flags]));
    calls.extend(all("erlang", "alias", &[lists_of(["explicit_unalias", "reply", "other"].map(atom).to_vec())]));
    agree_alone(&calls);
}

#[test]
fn flags() {
    let flags = [
        "trap_exit", "sensitive", "error_handler", "priority", "message_queue_data", "min_heap_size",
        "min_bin_vheap_size", "fullsweep_after", "save_calls", "other",
    ];
    let mut values: Vec<Term> =
        ["true", "false", "low", "normal", "high", "max", "on_heap", "off_heap", "other"].map(atom).to_vec();
    values.extend([Term::Int(0), Term::Int(-1), Term::Int(100), Term::Int(10_001), Term::Nil, Term::Float(1.0)]);
    let mut calls = all("erlang", "process_flag", &[flags.map(atom).to_vec(), values]);
    let mut options = vec![Term::Nil, atom("other"), Term::list([atom("nodedown_reason")]), Term::Map(vec![].into())];
    for key in ["node_type", "connection_id", "nodedown_reason", "other"] {
        let values = ["true", "hidden", "other"].map(atom);
        options.extend(values.map(|value| Term::Map(vec![(atom(key), value)].into())));
    }
    let flags = options.into_iter().map(|options| pair("monitor_nodes", options)).chain([atom("monitor_nodes")]);
    calls.extend(all("erlang", "process_flag", &[flags.collect(), vec![Term::TRUE, Term::FALSE, atom("other")]]));
    agree_alone(&calls);
}

/// Asks for information about the calling process only where it does not depend on how the process was started.
#[test]
fn information() {
    let of_any = ["other", "status", "trap_exit", "links", "messages"].map(atom).to_vec();
    let shapes = [lists_of(of_any.clone()), of_any].concat();
    let mut calls = all("erlang", "process_info", &[vec![dead(), atom("a"), Term::Int(1), Term::Nil], shapes]);
    let items = [
        "registered_name", "message_queue_len", "messages", "trap_exit", "priority", "error_handler",
        "message_queue_data", "status", "links", "monitors", "suspending", "other", "parents",
    ];
    calls.extend(all(
        "erlang",
        "process_info",
        &[vec![own()], [items.map(atom).to_vec(), lists_of(items.map(atom).to_vec())].concat()],
    ));
    calls.extend(all("erlang", "process_info", &[vec![dead(), atom("a"), Term::Int(1)]]));
    calls.extend(all("erts_internal", "group_leader", &[somebody(), somebody()]));
    calls.extend(all("erlang", "group_leader", &[]));
    agree_alone(&calls);
}

#[test]
fn starting() {
    let mut options = vec![atom("link"), atom("monitor"), atom("other"), Term::Int(1)];
    options.extend(["low", "normal", "high", "max", "other"].map(|level| pair("priority", atom(level))));
    options.extend(["on_heap", "off_heap", "other"].map(|place| pair("message_queue_data", atom(place))));
    for size in ["fullsweep_after", "min_heap_size", "min_bin_vheap_size", "max_heap_size", "other"] {
        options.extend([0, 5, -1].map(|number| pair(size, Term::Int(number))));
        options.push(pair(size, atom("a")));
        options.push(pair(size, power(2, 70, 0)));
    }
    options.extend([pair("monitor", Term::Nil), pair("monitor", atom("a")), pair("link", Term::TRUE)]);
    options.push(pair("monitor", Term::list([pair("alias", atom("demonitor"))])));
    options.push(pair("monitor", Term::list([pair("alias", atom("other"))])));
    options.extend(["true", "false", "other"].map(|value| pair("async_dist", atom(value))));
    for size in [0, 5, 232, 233] {
        let limit = |key: &str, value: Term| {
            pair("max_heap_size", Term::Map(vec![(atom("size"), Term::Int(size)), (atom(key), value)].into()))
        };
        options.extend(["kill", "error_logger", "other"].map(|key| limit(key, Term::TRUE)));
        options.extend(["kill", "error_logger", "other"].map(|key| limit(key, Term::Int(1))));
        options.push(pair("max_heap_size", Term::Int(size)));
    }
    options.push(pair("max_heap_size", Term::Map(vec![].into())));
    let function = || vec![vec![atom("erlang")], vec![atom("self")], vec![Term::Nil]];
    let mut calls = all("erlang", "spawn_opt", &[function(), vec![lists_of(options)]].concat());
    let values = || vec![atom("erlang"), atom("self"), Term::Nil, Term::Int(1), Term::list([Term::Int(1)]), own()];
    for name in ["spawn", "spawn_link"] {
        calls.extend(all(
            "erlang",
            name,
            &[values(), values(), vec![Term::Nil, atom("a"), Term::list_with_tail(vec![own()], own())]],
        ));
    }
    agree_alone(&calls);
}

#[test]
fn timers() {
    let times = || {
        let mut times = [0, 1, 1000, -1, 1 << 32, 1 << 49, 1 << 58].map(Term::Int).to_vec();
        times.extend([power(2, 64, 0), power(-2, 64, 0), Term::Float(1.0), atom("infinity")]);
        times
    };
    let options = || {
        let options = ["abs", "async", "info", "other"];
        lists_of(
            options.iter().flat_map(|name| ["true", "false", "other"].map(|value| pair(name, atom(value)))).collect(),
        )
    };
    let mut calls = Vec::new();
    for name in ["send_after", "start_timer"] {
        calls.extend(all("erlang", name, &[times(), somebody(), vec![atom("message")]]));
        calls.extend(all("erlang", name, &[times(), vec![own(), Term::Int(1)], vec![atom("message")], options()]));
    }
    for name in ["cancel_timer", "read_timer"] {
        calls.extend(all("erlang", name, &[vec![Term::Reference(1), atom("a")], options()]));
    }
    agree_alone(&calls);
}
