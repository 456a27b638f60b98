//! What surrounds a run decides more than its inputs: no function that asks for it is called exhausted, and the reason
//! is named. What cannot be seen does not count.

use crate::common::run;
use serde_json::Value;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What it depends on, and a body that goes wrong elsewhere.
const DEPENDS: &[(&str, &str)] = &[
    ("the time", "case date() of {2024, 1, 1} -> ok end"),
    ("the time", "R = erlang:send_after(1000, self(), x), case erlang:cancel_timer(R) of 1000 -> ok end"),
    ("the time zone", "case erlang:universaltime_to_localtime({{2020,6,1},{0,0,0}}) of {{2020,6,1},{0,0,0}} -> ok end"),
    ("the environment", "case os:getenv(\"SOME_VARIABLE\") of false -> ok end"),
    ("how the runtime was started", "case init:get_argument(some_flag) of error -> ok end"),
    ("unique integers", "case erlang:unique_integer([positive]) of 1 -> ok end"),
    ("how busy the system is", "case erlang:memory(total) of N when N > 0, N < 100000000 -> ok end"),
    ("how busy the system is", "case erlang:statistics(run_queue) of 0 -> ok end"),
    ("the system it runs on", "case os:version() of {6, 1, 0} -> ok end"),
    ("the system it runs on", "case erlang:system_info(schedulers) of 1 -> ok end"),
    ("the current directory", "case file:get_cwd() of {ok, \"/\"} -> ok end"),
    ("the current directory", "case filename:absname(\"a\") of \"/a\" -> ok end"),
    ("the node and its connections", "case node() of nonode@nohost -> ok end"),
    ("the node and its connections", "case nodes() of [] -> ok end"),
    ("the node and its connections", "case erlang:get_cookie() of nocookie -> ok end"),
    (
        "which atoms there are",
        "try list_to_existing_atom(\"not_there_before\") of _ -> error(x) catch error:badarg -> ok end",
    ),
    ("which atoms there are", "_ = list_to_existing_atom(\"application_controller\"), ok"),
    ("the configuration of applications", "case application:get_env(kernel, some_key) of undefined -> ok end"),
    ("the configuration of applications", "case application:get_env(kernel, some_key, 1) of 1 -> ok end"),
    ("the configuration of applications", "case application:get_key(kernel, vsn) of undefined -> ok end"),
    ("the configuration of applications", "case application:get_all_env(kernel) of [] -> ok end"),
    ("which modules are loaded", "case code:ensure_loaded(no_such_module_here) of {error, _} -> ok end"),
    ("which modules are loaded", "case erlang:function_exported(some_module, f, 0) of false -> ok end"),
    ("which modules are loaded", "try no_such_module_here:f() of _ -> error(x) catch error:undef -> ok end"),
    ("how modules were compiled", "case ?MODULE:module_info(compile) of [] -> ok end"),
    ("how modules were compiled", "case ?MODULE:module_info(md5) of <<0:128>> -> ok end"),
    ("how modules were compiled", "case erlang:fun_info(fun() -> ok end, new_uniq) of {new_uniq, _} -> ok end"),
    ("how modules were compiled", "case erlang:fun_to_list(fun() -> ok end) of [$# | _] -> ok end"),
    ("tables that others made", "case ets:all() of [] -> ok end"),
    ("tables that others made", "case ets:whereis(some_table) of undefined -> ok end"),
    ("tables that others made", "case ets:info(some_table) of undefined -> ok end"),
    ("tables that others made", "try ets:lookup(some_table, a) of _ -> error(x) catch error:badarg -> ok end"),
    ("tables that others made", "_ = ets:new(some_table, [named_table]), ok"),
    ("persistent terms that others put", "case persistent_term:get(some_key, none) of none -> ok end"),
    ("other processes", "case registered() of [] -> ok end"),
    ("other processes", "case whereis(some_name) of undefined -> ok end"),
    ("other processes", "case processes() of [_] -> ok end"),
    ("other processes", "try some_name ! x of _ -> error(x) catch error:badarg -> ok end"),
    ("other processes", "case supervisor:which_children(kernel_sup) of [] -> ok end"),
    ("other processes", "case supervisor:count_children(whereis(kernel_safe_sup)) of [_ | _] -> ok end"),
    ("other processes", "case process_info(whereis(kernel_sup), message_queue_len) of {_, 0} -> ok end"),
    ("tables that others made", "case global:whereis_name(some_name) of undefined -> ok end"),
    ("other processes", "monitor(process, code_server), receive {'DOWN', _, _, _, _} -> error(x) after 1 -> ok end"),
    ("other processes", "{some_name, elsewhere@host} ! x, ok"),
    ("tables that others made", "case ets:tab2list(global_names) of [] -> ok end"),
    ("the configuration of applications", "case application:load(crypto) of ok -> ok end"),
    ("the configuration of applications", "case application:stop(crypto) of {error, _} -> ok end"),
    ("how the runtime was started", "case io:printable_range() of latin1 -> ok end"),
    ("how the runtime was started", "case io_lib:printable_list([26085]) of false -> ok end"),
    ("how the runtime was started", "case file:native_name_encoding() of utf8 -> ok end"),
    (
        "how the runtime was started",
        "P = self(), spawn(fun() -> P ! {old, process_flag(min_heap_size, 500)} end), receive {old, 233} -> ok end",
    ),
    ("the process that calls it", "case process_info(self(), links) of {links, []} -> ok end"),
    ("the process that calls it", "case process_info(self(), priority) of {_, normal} -> ok end"),
    ("the process that calls it", "case process_info(self(), message_queue_data) of {_, on_heap} -> ok end"),
    ("the process that calls it", "case process_info(self(), heap_size) of {_, N} when N > 0 -> ok end"),
    ("the process that calls it", "case process_info(self(), total_heap_size) of {_, N} when N > 0 -> ok end"),
    ("the process that calls it", "case process_info(self(), stack_size) of {_, N} when N > 0 -> ok end"),
    ("the process that calls it", "case process_info(self(), binary) of {_, []} -> ok end"),
    ("the process that calls it", "case process_info(self(), current_stacktrace) of {_, [_ | _]} -> ok end"),
    ("the process that calls it", "exit(self(), stop), ok"),
    ("the process that calls it", "spawn_link(fun() -> exit(stop) end), receive {never, X} -> X end"),
    ("the process that calls it", "case rpc:pinfo(self()) of [_ | _] -> ok end"),
    ("the process that calls it", "case get('$ancestors') of undefined -> ok end"),
    ("the process that calls it", "case get() of [] -> ok end"),
    ("the process that calls it", "case put(some_key, 1) of undefined -> ok end"),
    ("the process that calls it", "case process_flag(trap_exit, true) of false -> ok end"),
    ("the process that calls it", "case group_leader() =:= self() of false -> ok end"),
    ("the process that calls it", "receive _ -> error(x) after 0 -> ok end"),
    ("the process that calls it", "self() ! mine, receive mine -> ok; _ -> error(other) end"),
    ("the process that calls it", "try error(x) catch _:_:Trace -> case length(Trace) of N when N < 8 -> ok end end"),
    ("the process that calls it", "case random:uniform(3) of N when N < 4 -> ok end"),
    ("the numbers of pids and references", "case pid_to_list(self()) of \"<0.80.0>\" -> ok end"),
    (
        "the numbers of pids and references",
        "case lists:flatten(io_lib:format(\"~w\", [self()])) of \"<0.80.0>\" -> ok end",
    ),
    ("the numbers of pids and references", "case ref_to_list(make_ref()) of \"#Ref<0.0.0.1>\" -> ok end"),
    ("the numbers of pids and references", "A = make_ref(), B = make_ref(), case A < B of true -> ok end"),
    ("the numbers of pids and references", "A = {x, make_ref()}, B = {x, make_ref()}, case max(A, B) of B -> ok end"),
    (
        "the numbers of pids and references",
        "A = make_ref(), B = make_ref(), case lists:sort([B, A]) of [A, B] -> ok end",
    ),
    (
        "the numbers of pids and references",
        "A = make_ref(), B = make_ref(), case maps:keys(#{B => 1, A => 1}) of [A, B] -> ok end",
    ),
    ("the numbers of pids and references", "case erlang:phash2(make_ref(), 2) of N when N < 2 -> ok end"),
    ("the numbers of pids and references", "case term_to_binary([self()]) of <<131, _/binary>> -> ok end"),
    (
        "the order of a hash table",
        "T = ets:new(t, []), ets:insert(T, [{a}, {b}]), case ets:tab2list(T) of [{a}, {b}] -> ok end",
    ),
    ("the order of a hash table", "T = ets:new(t, []), ets:insert(T, [{a}, {b}]), case ets:first(T) of a -> ok end"),
    (
        "the order of a hash table",
        "T = ets:new(t, []), ets:insert(T, [{a}, {b}]), case ets:match(T, {'$1'}) of [[a], [b]] -> ok end",
    ),
    (
        "the order of a hash table",
        "T = ets:new(t, []), ets:insert(T, [{a}, {b}]), [b, a] = ets:foldl(fun({K}, Ks) -> [K | Ks] end, [], T), ok",
    ),
    ("the order of a hash table", "case maps:keys(large()) of [_ | _] -> ok end"),
    ("the order of a hash table", "case maps:to_list(large()) of [_ | _] -> ok end"),
    ("the order of a hash table", "case maps:fold(fun(K, _, _) -> K end, 0, large()) of K when K > 0 -> ok end"),
    ("the order of a hash table", "{_, _, _} = maps:next(maps:iterator(large())), ok"),
    ("the order of a hash table", "case term_to_binary(large()) of <<131, _/binary>> -> ok end"),
    ("the terminal", "case io:columns() of {error, _} -> ok end"),
    ("the terminal", "case io:get_line(\"> \") of eof -> ok end"),
    ("the configuration of the logger", "case logger:allow(info, ?MODULE) of false -> ok end"),
    ("the configuration of the logger", "case logger:get_primary_config() of #{level := notice} -> ok end"),
    // A number from the clock is one of several reasons.
    ("the time", "case rand:uniform(3) of N when N < 4 -> ok end"),
];

/// What a program can know for sure.
const KNOWN: &[&str] = &[
    "case make_ref() =:= make_ref() of false -> ok end",
    "case erlang:function_exported(maps, from_keys, 2) of true -> ok end",
    "case persistent_term:get({'Elixir.Inspect.Opts', inspect_fun}, none) of none -> ok end",
    "R = make_ref(), self() ! {R, 1}, receive {R, X} -> X end",
    "case self() =:= self() of true -> ok end",
    "case {make_ref(), 1} < {1} of false -> ok end",
    "case maps:to_list(#{a => 1, b => 2}) of [{a, 1}, {b, 2}] -> ok end",
    "case {maps:get(3, large()), map_size(large()), large() =:= large()} of {3, 40, true} -> ok end",
    "T = ets:new(t, [set]), ets:insert(T, [{a, 1}, {b, 2}]), case ets:lookup(T, a) of [{a, 1}] -> ok end",
    "T = ets:new(t, [set]), ets:insert(T, [{a, 1}, {b, 2}]), case ets:info(T, size) of 2 -> ok end",
    "T = ets:new(t, [set]), ets:insert(T, [{a, 1}]), case ets:tab2list(T) of [{a, 1}] -> ok end",
    "T = ets:new(t, [set]), ets:insert(T, [{a, 1}, {b, 2}]), case ets:match(T, {a, '$1'}) of [[1]] -> ok end",
    "T = ets:new(t, [ordered_set]), ets:insert(T, [{a, 1}, {b, 2}]), case ets:first(T) of a -> ok end",
    "put(some_key, 1), case get(some_key) of 1 -> ok end",
    "put(some_key, 1), erase(some_key), case get(some_key) of undefined -> ok end",
    "process_flag(priority, low), case process_info(self(), priority) of {priority, low} -> ok end",
    "process_flag(trap_exit, true), P = spawn_link(fun() -> exit(stop) end), receive {'EXIT', P, stop} -> ok end",
    "case process_info(spawn(fun() -> receive x -> ok end end), trap_exit) of {trap_exit, false} -> ok end",
    "case io_lib:printable_list(\"ab\") of true -> ok end",
    "case lists:flatten(io_lib:format(\"~tp\", [\"ab\"])) of \"\\\"ab\\\"\" -> ok end",
    "process_flag(trap_exit, true), case process_flag(trap_exit, false) of true -> ok end",
    "application:set_env(some, key, 1), case application:get_env(some, key) of {ok, 1} -> ok end",
    "persistent_term:put(some_key, 1), case persistent_term:get(some_key) of 1 -> ok end",
    "case erlang:phash2({a, [b]}) of N when is_integer(N) -> ok end",
    "case term_to_binary({a, #{b => 1}}) of <<131, _/binary>> -> ok end",
    "rand:seed(exsss, {1, 2, 3}), case rand:uniform(10) of N when N < 11 -> ok end",
    "timer:sleep(10), ok",
    "list_to_existing_atom(\"ok\")",
    "case catch 1 + list_to_integer(\"x\") of {'EXIT', _} -> ok end",
    "case erlang:fun_info(fun() -> ok end, arity) of {arity, 0} -> ok end",
];

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("surroundings").join(name);
    std::fs::create_dir_all(&folder).expect("a scratch folder");
    folder
}

/// Verdict and losses of each body, in order.
fn tested<'a>(module: &str, bodies: impl Iterator<Item = &'a str>) -> Vec<(String, Vec<String>)> {
    let mut source = format!(
        "-module({module}).\n-compile([export_all, nowarn_export_all]).\n\
         large() -> maps:from_list([{{N, N}} || N <- lists:seq(1, 40)]).\n"
    );
    let mut count = 0;
    for body in bodies {
        write!(source, "-spec f{count}() -> term().\nf{count}() -> {body}.\n").expect("a string takes everything");
        count += 1;
    }
    let file = folder("programs").join(format!("{module}.erl"));
    std::fs::write(&file, source).expect("a scratch file");
    let (text, _) = run(&["test", "--format", "jsonl", "-j", "1"], &[file]);
    let objects: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("an object a line")).collect();
    (0..count)
        .map(|number| {
            let name = format!("{module}:f{number}/0");
            let is_it = |object: &&Value| object["type"] == "function" && object["function"] == name.as_str();
            let object = objects.iter().find(is_it).unwrap_or_else(|| panic!("{name} is not in {text}"));
            let losses = object["losses"].as_object().expect("an object").keys().cloned().collect();
            (object["verdict"].as_str().expect("a text").to_string(), losses)
        })
        .collect()
}

#[test]
fn what_depends_on_the_surroundings_is_not_exhausted() {
    let results = tested("depending", DEPENDS.iter().map(|(_, body)| *body));
    for ((words, body), (verdict, losses)) in DEPENDS.iter().zip(results) {
        assert_ne!(verdict, "exhausted", "{body}");
        assert!(losses.contains(&format!("it depends on {words}")), "{body}: {losses:?}");
    }
}

#[test]
fn what_shows_nothing_of_the_surroundings_is_exhausted() {
    for (body, (verdict, losses)) in KNOWN.iter().zip(tested("known", KNOWN.iter().copied())) {
        assert_eq!((verdict.as_str(), &losses[..]), ("exhausted", &[][..]), "{body}");
    }
}

/// Modules that refuse to be loaded are not there, and try again with every call.
#[test]
fn on_load_is_what_the_beam_makes_of_it() {
    let sources = [
        (
            "refusing",
            "-export([f/0]).\n-on_load(init/0).\n\
             init() -> persistent_term:put(tries, persistent_term:get(tries, 0) + 1), not_ok.\nf() -> ok.\n",
        ),
        ("raising", "-export([f/0]).\n-on_load(init/0).\ninit() -> exit(no_reason).\nf() -> ok.\n"),
        (
            "accepting",
            "-export([refused/0, raised/0, ensured/0, other/0, nested/0]).\n-on_load(init/0).\n\
             init() -> put(k, v), persistent_term:put(first, catch_of(fun refusing:f/0)),\n\
                 persistent_term:put(pid, self()), ok.\n\
             catch_of(F) -> try F() catch Class:Reason:Trace -> {Class, Reason, hd(Trace)} end.\n\
             refused() -> {catch_of(fun refusing:f/0), catch_of(fun refusing:f/0), persistent_term:get(tries)}.\n\
             raised() -> {catch_of(fun raising:f/0), get(k)}.\n\
             ensured() -> {code:ensure_loaded(refusing), code:ensure_loaded(accepting), code:ensure_loaded(lists)}.\n\
             other() -> persistent_term:get(pid) =:= self().\n\
             nested() -> persistent_term:get(first).\n",
        ),
    ];
    let folder = folder("on_load");
    let mut files = Vec::new();
    for (module, source) in sources {
        let file = folder.join(format!("{module}.erl"));
        std::fs::write(&file, format!("-module({module}).\n{source}")).expect("a scratch file");
        let compiled = Command::new("erlc").arg("-o").arg(&folder).arg(&file).status().expect("erlc can be started");
        assert!(compiled.success(), "{module}");
        files.push(file);
    }
    for function in ["refused", "raised", "ensured", "other", "nested"] {
        let expression = format!("accepting:{function}()");
        let beam = Command::new("erl")
            .args(["-noshell", "-kernel", "logger_level", "none", "-pa"])
            .arg(&folder)
            .args(["-eval", &format!("io:format(\"~0p\", [{expression}]), halt().")])
            .output()
            .expect("erl can be started");
        let (ours, _) = run(&["run", &expression], &files);
        assert_eq!(ours, String::from_utf8_lossy(&beam.stdout), "{expression}");
    }
}

/// What `-on_load` does is the run's own work.
#[test]
fn an_endless_on_load_ends_the_run() {
    let file = folder("programs").join("endless_load.erl");
    let source = "-module(endless_load).\n-export([f/0]).\n-on_load(init/0).\ninit() -> init().\nf() -> ok.\n";
    std::fs::write(&file, source).expect("a scratch file");
    let (said, _) = run(&["run", "endless_load:f()", "--steps", "100000"], &[file]);
    assert!(said.contains("step limit"), "{said}");
}
