//! What calls can and cannot do in the sandbox of a runtime, and what the next call finds of them.

use crate::common::{atom, folder, limits, text, value, write};
use oracle::{CompileOptions, Forbidden, Guard, Oracle, OracleConfig, Outcome};
use std::process::Command;
use term::Term;

fn guarded() -> Oracle {
    let forbidden = vec![
        Forbidden::Module { name: "file".to_owned(), except: vec!["format_error".to_owned()] },
        Forbidden::Function { module: "erlang".to_owned(), name: "open_port".to_owned(), arity: Some(2) },
    ];
    Oracle::new(OracleConfig { guard: Some(Guard { forbidden }), ..OracleConfig::default() })
}

fn outcome(oracle: &Oracle, expression: &str) -> Outcome {
    oracle.evaluate(&text(expression), limits(5000)).expect("an outcome")
}

#[test]
fn the_outside_cannot_be_touched() {
    let oracle = Oracle::new(OracleConfig::default());
    let folder = folder();
    let file = write(&folder, "victim", "content");
    let refused = |expression: &str| {
        let term = value(&oracle, expression);
        let is_refused = matches!(term.as_tuple(), Some([error, _]) if *error == Term::atom("error"));
        assert!(is_refused, "{expression}: {term:?}");
    };
    refused(&format!("file:write_file(\"{}\", <<1>>)", file.display()));
    refused(&format!("file:read_file(\"{}\")", file.display()));
    refused(&format!("file:delete(\"{}\")", file.display()));
    refused(&format!("file:change_mode(\"{}\", 8#777)", file.display()));
    refused(&format!("file:list_dir(\"{}\")", folder.path().display()));
    refused("file:read_file(\"/etc/passwd\")");
    refused("file:read_file(\"/proc/self/environ\")");
    refused("gen_tcp:listen(0, [])");
    refused("gen_udp:open(0)");
    assert_eq!(std::fs::read_to_string(&file).expect("readable"), "content");
    // Its own folder is its working directory.
    assert_eq!(value(&oracle, "file:write_file(\"own\", <<\"x\">>)"), Term::atom("ok"));
    assert_eq!(value(&oracle, "file:read_file(\"own\")"), Term::tuple([Term::atom("ok"), Term::binary(&b"x"[..])]));
    let variables = value(
        &oracle,
        "[K || {K, _} <- os:env(), not lists:member(K, [\"PATH\", \"HOME\", \"TMPDIR\", \
        \"LANG\", \"TZ\", \"ROOTDIR\", \"BINDIR\", \"EMU\", \"PROGNAME\", \"ERL_CRASH_DUMP_SECONDS\", \"ERL_LIBS\"])]",
    );
    assert_eq!(variables, Term::Nil, "nothing of the user's environment");
}

#[test]
fn private_folders_are_removed() {
    let oracle = Oracle::new(OracleConfig::default());
    let path = value(&oracle, "element(2, file:get_cwd())").as_text().expect("a path");
    assert!(std::path::Path::new(&path).is_dir());
    drop(oracle);
    assert!(!std::path::Path::new(&path).exists());
}

#[test]
fn a_forbidden_call_stops_the_evaluation() {
    let oracle = guarded();
    let stopped = |module, function, arity| Outcome::Stopped { module: atom(module), function: atom(function), arity };
    assert_eq!(outcome(&oracle, "catch file:delete(\"a\"), ok"), stopped("file", "delete", 1));
    assert_eq!(
        outcome(&oracle, "(catch open_port({spawn, \"true\"}, [])), timer:sleep(50), 1"),
        stopped("erlang", "open_port", 2)
    );
    let elsewhere = "P = self(), spawn(fun() -> file:list_dir(\".\"), P ! done end), receive done -> ok end";
    assert_eq!(outcome(&oracle, elsewhere), stopped("file", "list_dir", 1));
    // Only the first of several is told; what is not forbidden goes on.
    let endless = "(fun F() -> file:delete(\"a\"), F() end)()";
    assert_eq!(outcome(&oracle, endless), stopped("file", "delete", 1));
    assert_eq!(value(&oracle, "file:format_error(enoent)").as_text().as_deref(), Some("no such file or directory"));
    assert_eq!(value(&oracle, "lists:sum([1, 2])"), Term::Int(3));
    // A module that is called for the first time is loaded: that is no call of the code itself.
    assert_eq!(value(&oracle, "array:size(array:new(3))"), Term::Int(3));
    assert_eq!(value(&oracle, "application:get_env(kernel, no_such_key)"), Term::atom("undefined"));
}

#[test]
fn no_call_finds_what_another_one_left() {
    let oracle = guarded();
    let leave = [
        "register(left, spawn(fun() -> timer:sleep(100000) end))",
        "ets:new(left, [named_table, public, {heir, whereis(init), x}])",
        "persistent_term:put(left, behind)",
        "application:set_env(kernel, left, behind)",
        "ets:insert(ac_tab, {left, behind})",
        "process_flag(trap_exit, true)",
    ];
    let traces = "{whereis(left), ets:whereis(left), persistent_term:get(left, none), \
                  application:get_env(kernel, left), ets:lookup(ac_tab, left)}";
    let nothing = value(&oracle, traces);
    for expression in leave {
        let left = outcome(&oracle, expression);
        assert!(matches!(left, Outcome::Value { .. }), "{expression}: {left:?}");
        assert_eq!(value(&oracle, traces), nothing, "after {expression}");
    }
    // In one batch, too; and what changes nothing keeps its runtime. Each has a folder of its own.
    let home = "os:getenv(\"HOME\")";
    let calls: Vec<_> = [home, home, "persistent_term:put(left, 1)", home].map(text).into();
    let outcomes = oracle.evaluate_batch(&calls, limits(5000), false).expect("outcomes");
    assert_eq!(outcomes[0], outcomes[1]);
    assert_ne!(outcomes[1], outcomes[3]);
    let afresh = oracle.evaluate_afresh(&calls[..2], limits(5000), false).expect("outcomes");
    assert_ne!(afresh[0], afresh[1]);
}

#[test]
fn loaded_code_is_there_in_every_runtime() {
    let folder = folder();
    let oracle =
        Oracle::new(OracleConfig { readable: vec![folder.path().to_path_buf()], ..guarded().config().clone() });
    let source =
        write(&folder, "loaded.erl", "-module(loaded).\n-export([f/1]).\nf(X) -> persistent_term:put(x, X), X.\n");
    oracle.load_source(&source, &CompileOptions::default()).expect("it compiles");
    for n in 0..4 {
        assert_eq!(value(&oracle, &format!("loaded:f({n})")), Term::Int(n));
    }
}

/// A library of native code that an application keeps in `priv` can be loaded, and is as locked in as the rest.
#[test]
fn native_code_is_locked_in() {
    let folder = folder();
    let victim = write(&folder, "victim", "content");
    let source = write(&folder, "native.c", include_str!("../native.c"));
    let module = "-module(native).\n-export([attack/1]).\n-on_load(init/0).\ninit() -> \
        erlang:load_nif(filename:join([filename:dirname(code:which(?MODULE)), \"..\", \"priv\", \"native\"]), 0).\n\
        attack(_) -> erlang:nif_error(not_loaded).\n";
    let module = write(&folder, "native.erl", module);
    write(&folder, "app/priv/nothing", "");
    write(&folder, "app/ebin/nothing", "");
    let app = folder.path().join("app");
    let root = Command::new("erl").args(["-noshell", "-eval", "io:put_chars(code:root_dir()), halt()."]).output();
    let root = String::from_utf8(root.expect("erl").stdout).expect("a path");
    let compiled = Command::new("cc")
        .args(["-shared", "-fPIC", "-I", &format!("{root}/usr/include"), "-o"])
        .args([app.join("priv/native.so"), source])
        .status();
    assert!(compiled.expect("a compiler of C").success());
    let compiled = Command::new("erlc").arg("-o").arg(app.join("ebin")).arg(module).status();
    assert!(compiled.expect("erlc").success());
    let oracle = Oracle::new(OracleConfig { code_paths: vec![app.join("ebin")], ..OracleConfig::default() });
    let held = value(&oracle, &format!("native:attack(\"{}\")", victim.display()));
    assert_eq!(held, Term::atom("held"));
    assert_eq!(std::fs::read_to_string(victim).expect("readable"), "content");
}
