//! Calls of functions of OTP and Elixir whose results surroundings might decide.

use erlang::syntax::print_atom;
use fuzz::{Random, Specs};
use session::Session;
use term::Atom;

/// Arguments that lead to what surrounds a run: the system's processes and tables, applications, the caller, the node,
/// texts in other encodings than Latin-1.
const POINTED: &[&str] = &[
    "self()", "group_leader()", "whereis(kernel_sup)", "spawn(fun() -> receive x -> ok end end)", "kernel_sup",
    "kernel_safe_sup", "application_controller", "code_server", "logger", "global_name_server", "init", "user",
    "error_logger", "file_server_2", "rex", "sasl_sup", "timer_server", "kernel", "stdlib", "sasl", "crypto",
    "runtime_tools", "elixir", "key", "a", "code", "ac_tab", "global_names", "ets", "lists", "erlang", "zip",
    "'Elixir.Enum'", "'nonode@nohost'", "node()", "local", "standard_io", "latin1", "unicode", "utf8",
    "\"日本\"", "<<\"日本\"/utf8>>", "[\"日本\", $ä]", "\"~tp ~ts\"", "\"~p\"", "[[26085, 26412]]", "'日本'", "\"ä\"",
    "[encoding]", "encoding", "heap_size", "priority", "links", "memory", "dictionary", "current_stacktrace", "all",
    "default", "1000", "5000", "infinity", "fun() -> self() end", "fun(_) -> get() end", "[]", "#{}",
];

/// What is always asked. Surroundings decide most of these, so the two runtimes have to answer differently.
pub const KNOWN: &[&str] = &[
    "supervisor:which_children(kernel_sup)", "supervisor:count_children(kernel_sup)",
    "supervisor:which_children(kernel_safe_sup)", "supervisor:count_children(kernel_safe_sup)",
    "length(supervisor:which_children(whereis(kernel_sup)))", "gen_server:call(kernel_sup, which_children)",
    "sys:get_state(global_name_server)", "global:registered_names()", "global:whereis_name(a)",
    "global:register_name(a, self())", "is_pid(whereis(sasl_sup))", "is_pid(whereis(key))",
    "process_info(whereis(kernel_sup), links)", "element(2, process_info(whereis(kernel_sup), message_queue_len))",
    "catch ets:info(global_names, size)", "ets:tab2list(global_names)", "ets:lookup(global_names, a)",
    "process_info(self(), priority)", "process_info(self(), message_queue_data)", "process_info(self(), heap_size)",
    "process_info(self(), total_heap_size)", "process_info(self(), stack_size)", "process_info(self(), binary)",
    "process_info(self(), [priority, heap_size])", "length(element(2, process_info(self(), current_stacktrace)))",
    "process_info(self(), trap_exit)", "process_info(self(), links)", "process_info(self(), monitors)",
    "process_info(self(), dictionary)", "process_info(self(), messages)", "process_info(self(), message_queue_len)",
    "process_info(self(), min_heap_size)", "process_info(self(), fullsweep_after)", "process_info(self(), memory)",
    "process_info(self(), reductions)", "process_info(self(), initial_call)", "process_info(self(), suspending)",
    "process_info(self(), error_handler)", "process_info(self(), group_leader)", "process_info(self(), status)",
    "process_info(spawn(fun() -> receive x -> ok end end), priority)",
    "process_info(spawn(fun() -> receive x -> ok end end), message_queue_data)",
    "process_info(spawn(fun() -> receive x -> ok end end), heap_size)",
    "process_flag(priority, normal)", "process_flag(min_heap_size, 300)", "process_flag(message_queue_data, on_heap)",
    "process_flag(trap_exit, true)", "process_flag(fullsweep_after, 1)", "get()", "get(a)", "put(a, 2)", "erase(a)",
    "receive X -> X after 0 -> none end", "io:printable_range()", "io_lib:printable_list(\"日本\")",
    "io_lib:printable_list(\"ab\")", "lists:flatten(io_lib:format(\"~tp\", [\"日本\"]))",
    "lists:flatten(io_lib:format(\"~tp\", [\"ab\"]))", "io_lib:format(\"~tp\", [<<\"日本\"/utf8>>])",
    "file:native_name_encoding()", "filename:join(<<\"a\">>, \"日本\")", "filename:join(<<\"a\">>, \"b\")",
    "io:columns()", "io:getopts()", "logger:get_primary_config()", "logger:allow(debug, a)",
    "application:get_env(kernel, key)", "application:which_applications()", "application:loaded_applications()",
    "application:get_application()", "application:load(sasl)", "application:unload(sasl)", "application:stop(key)",
    "application:get_key(sasl, vsn)", "code:ensure_loaded(no_such_module)", "erlang:module_loaded(zip)",
    "code:get_mode()", "node()", "nodes()", "is_alive()", "erlang:get_cookie()", "element(1, file:get_cwd())",
    "erlang:system_info(schedulers)", "erlang:system_info(process_limit)", "erlang:system_info(min_heap_size)",
    "os:getenv(\"key\")", "os:getenv(\"LANG\")", "init:get_argument(key)", "calendar:local_time()", "ets:whereis(key)",
    "ets:lookup(key, a)", "catch ets:new(key, [named_table])", "persistent_term:get(key, none)", "ets:all()",
    "persistent_term:info()", "lists:reverse([1, 2])", "maps:get(a, #{a => 1})", "string:uppercase(\"日本ä\")",
    "catch register(key, self())", "catch register(sasl_sup, spawn(fun() -> receive x -> ok end end))",
    "catch unregister(key)", "catch (key ! x)", "catch ({key, node()} ! x)", "is_reference(monitor(process, code_server))",
    "begin monitor(process, sasl_sup), receive {'DOWN', _, _, _, R} -> R after 100 -> none end end",
    "begin monitor(process, key), receive {'DOWN', _, _, _, R} -> R after 100 -> none end end",
    "erlang:phash2(make_ref(), 2)", "term_to_binary(self())", "byte_size(term_to_binary(self()))",
    "erlang:external_size(self())", "rand:uniform(1000000)", "erlang:memory(total)", "supervisor:get_childspec(kernel_sup, a)",
    "proc_lib:initial_call(whereis(kernel_sup))", "sys:get_status(kernel_sup)", "gen_event:which_handlers(error_logger)",
    "'Elixir.System':'schedulers'()", "'Elixir.Process':info(self(), priority)",
    "'Elixir.Process':whereis(sasl_sup) == nil", "'Elixir.Kernel':inspect(\"日本\")",
];

/// One call of a function, with arguments of its spec, some of which are replaced.
pub fn question(
    specs: &mut Specs,
    session: &Session,
    random: &mut Random,
    (module, name, arity): (Atom, Atom, u32),
) -> String {
    let mut args = specs.arguments(session, random, module, name, arity);
    for arg in &mut args {
        if random.one_in(3) {
            *arg = (*random.pick(POINTED)).to_owned();
        }
    }
    format!("{}:{}({})", print_atom(module), print_atom(name), args.join(", "))
}
