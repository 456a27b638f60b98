//! Whoever kills Beagle, at whatever moment, finds none of its children afterwards.

use crate::attack::outside::without_namespaces;
use crate::attack::{beagle, is_full, said};
use std::fs;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Starts runtimes and solvers, and is never done.
const BUSY: &str = "-module(busy).\n-export([f/2]).\n-spec f(integer(), [integer()]) -> ok.\n\
    f(X, L) when X * X * X =:= length(L) * 7 + 3 -> error(a);\n\
    f(X, [A, B | _]) when A * A + B * B =:= X, X > 1000 -> error({b, X});\nf(X, [A | T]) when A > X -> f(A, T);\n\
    f(_, L) -> ok = case lists:sum(L) of 77 -> no; _ -> ok end.\n";

#[test]
fn no_process_outlives_a_kill() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("busy.erl"), BUSY).expect("a file");
    let rounds = if is_full() { 60 } else { 8 };
    for round in 0..rounds {
        let signal = [libc::SIGKILL, libc::SIGTERM, libc::SIGINT, libc::SIGHUP][round % 4];
        let mut command = beagle(folder.path(), &["test", "--fresh", "--budget", "30s", "busy.erl"]);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let session = in_a_session_of_its_own(&mut command);
        let mut child = session.spawn().expect("beagle can be started");
        // From the first moment on, through the boot of a runtime, to the midst of the search.
        sleep(Duration::from_millis((round as u64 * 37) % 450));
        let id = child.id() as libc::pid_t;
        // SAFETY: the process is our child, and was not waited for.
        assert_eq!(unsafe { libc::kill(id, signal) }, 0);
        child.wait().expect("it is dead");
        assert_none_left(id, &format!("round {round}, signal {signal}"));
    }
}

/// The runtimes of a project's own tools are children, too.
#[test]
fn a_build_does_not_outlive_a_kill() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir(folder.path().join("src")).expect("a folder");
    fs::write(folder.path().join("rebar.config"), "{pre_hooks, [{compile, \"sleep 60\"}]}.").expect("a file");
    fs::write(folder.path().join("src/busy.app.src"), "{application, busy, [{vsn, \"1\"}]}.").expect("a file");
    fs::write(folder.path().join("src/busy.erl"), BUSY).expect("a file");
    let mut command = beagle(folder.path(), &["test"]);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = in_a_session_of_its_own(&mut command).spawn().expect("beagle can be started");
    let id = child.id() as libc::pid_t;
    let tool = || in_session(id).iter().any(|name| name.contains("beam"));
    let start = Instant::now();
    while !tool() && start.elapsed() < Duration::from_secs(60) {
        sleep(Duration::from_millis(20));
    }
    assert!(tool(), "rebar3 was not started");
    child.kill().expect("alive");
    child.wait().expect("dead");
    let is_runtime = |name: &String| name.contains("beam") || name.contains("z3");
    let gone = (0..100).any(|_| {
        sleep(Duration::from_millis(50));
        !in_session(id).iter().any(is_runtime)
    });
    assert!(gone, "{:?}", in_session(id));
}

/// A parse transform that starts a runtime of its own, by the program that Beagle's runtime was started with or by
/// the loader of shared libraries, which could run any program. Neither can be started any more.
#[test]
fn no_runtime_can_be_started_by_a_parse_transform() {
    const TRANSFORM: &str = "-module(nested).\n-export([parse_transform/2]).\nparse_transform(_, _) ->\n\
        B = os:getenv(\"BINDIR\"),\n\
        L = [F || F <- [\"/lib64/ld-linux-x86-64.so.2\", \"/lib/ld-linux-aarch64.so.1\"], filelib:is_file(F)],\n\
        Try = fun(P, As) -> catch open_port({spawn_executable, P}, [{args, As}]) end,\n\
        A = Try(B ++ \"/erlexec\", [\"-noshell\", \"-eval\", \"timer:sleep(60000)\"]),\n\
        C = Try(hd(L ++ [\"none\"]), [B ++ \"/beam.smp\"]),\n\
        error({tried, [case is_port(X) of true -> started; _ -> element(1, element(2, X)) end || X <- [A, C]]}).\n";
    const USER: &str = "-module(user_of_it).\n-compile({parse_transform, nested}).\n-export([f/1]).\nf(X) -> X.\n";
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("nested.erl"), TRANSFORM).expect("a file");
    fs::write(folder.path().join("user_of_it.erl"), USER).expect("a file");
    let output =
        beagle(folder.path(), &["test", "nested.erl", "user_of_it.erl"]).output().expect("beagle can be started");
    let said = said(&output);
    assert!(said.contains("{tried,[enosys,enosys]}"), "{said}");
}

/// Modules in the current folder with names of OTP's, which would start a second runtime as soon as they are loaded. Nothing
/// but Beagle would end that where there are no process namespaces.
#[test]
fn no_runtime_can_be_started_by_the_current_folder() {
    let (folder, sources) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    let attack = "-module(erl_scan).\n-export([string/1]).\nstring(\"receive\" ++ _) -> timer:sleep(infinity);\nstring(_) ->\n\
        {ok, [[B]]} = init:get_argument(bindir),\n\
        catch open_port({spawn_executable, B ++ \"/erlexec\"}, [{args, [\"-noinput\", \"-boot\", \"no_dot_erlang\", \"-eval\", \
        \"receive survivor -> ok end.\"]}, nouse_stdio]), timer:sleep(infinity).\n";
    fs::write(sources.path().join("erl_scan.erl"), attack).expect("a file");
    let compiled = Command::new("erlc").arg("-o").arg(folder.path()).arg(sources.path().join("erl_scan.erl")).status();
    assert!(compiled.expect("erlc").success());
    fs::write(folder.path().join("busy.erl"), BUSY).expect("a file");
    // With an index of OTP's modules, the runtime that compiles is the first to start.
    let clean = tempfile::tempdir().expect("a folder");
    fs::write(clean.path().join("busy.erl"), BUSY).expect("a file");
    let warm = beagle(clean.path(), &["test", "--fresh", "--max-runs", "1", "busy.erl"]).output();
    drop(warm.expect("beagle can be started"));
    let mut command = beagle(folder.path(), &["test", "--fresh", "--budget", "30s", "busy.erl"]);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    without_namespaces(&mut command);
    let mut child = in_a_session_of_its_own(&mut command).spawn().expect("beagle can be started");
    let id = child.id() as libc::pid_t;
    let runtimes = || in_session(id).iter().filter(|name| name.contains("beam.smp")).count();
    let start = Instant::now();
    while runtimes() == 0 && start.elapsed() < Duration::from_secs(60) {
        sleep(Duration::from_millis(20));
    }
    sleep(Duration::from_secs(if is_full() { 15 } else { 5 }));
    child.kill().expect("alive");
    child.wait().expect("dead");
    assert_none_left(id, "after a kill");
}

/// Where nothing ends allowed programs together with Beagle, it says so.
#[test]
fn programs_that_may_stay_are_told() {
    const WORDS: &str = "if Beagle is killed, programs that --allow-effects exec= allows may keep running";
    let folder = tempfile::tempdir().expect("a folder");
    let module = "-module(calling).\n-export([f/1]).\n-spec f(boolean()) -> ok.\nf(X) -> os:cmd(\"true\"), error(X).\n";
    fs::write(folder.path().join("calling.erl"), module).expect("a file");
    let run = |effects: &str, is_without: bool| {
        let args = ["test", "--fresh", "--max-runs", "2", "--allow-effects", effects, "calling.erl"];
        let mut command = beagle(folder.path(), &args);
        if is_without {
            without_namespaces(&mut command);
        }
        said(&command.output().expect("beagle can be started"))
    };
    let text = run("os:cmd/1, exec=true", true);
    assert_eq!(text.matches(WORDS).count(), 1, "{text}");
    assert!(!run("os:getpid/0", true).contains(WORDS));
    // As root there are always process namespaces, unless something forbids them.
    if sandbox::lacks_process_namespace().is_none() {
        assert!(!run("os:cmd/1, exec=true", false).contains(WORDS));
    }
}

/// Native code that an application keeps in `priv` does all that a process can do to outlive its parent, as soon as it is
/// loaded. It is ended with Beagle, even by `kill -9`.
#[test]
fn native_code_does_not_outlive_a_kill() {
    let folder = tempfile::tempdir().expect("a folder");
    let app = folder.path().join("app");
    fs::create_dir_all(app.join("ebin")).expect("a folder");
    fs::create_dir_all(app.join("priv")).expect("a folder");
    let source = folder.path().join("hostile.c");
    fs::write(&source, include_str!("../../../../oracle/tests/hostile.c")).expect("a file");
    let root = Command::new("erl").args(["-noshell", "-eval", "io:put_chars(code:root_dir()), halt()."]).output();
    let headers = format!("{}/usr/include", String::from_utf8_lossy(&root.expect("erl").stdout));
    let library = app.join("priv/hostile");
    let mut compiler = Command::new("cc");
    compiler.args(["-shared", "-fPIC", "-pthread", "-I", &headers, "-o"]).arg(library.with_extension("so")).arg(source);
    assert!(compiler.status().expect("a compiler of C").success());
    let module = format!(
        "-module(hostile).\n-export([f/1, g/2, attack/1, descriptors/0, scribble/0, old_gate/0]).\n-on_load(init/0).\n\
         init() -> case erlang:function_exported(beagle_helper, start, 1) of\n\
         true -> erlang:load_nif(\"{}\", 0); false -> ok end.\n\
         attack(_) -> no. descriptors() -> no. scribble() -> no. old_gate() -> no.\n\
         -spec f(integer()) -> ok.\nf(7) -> error(found);\nf(_) -> ok.\n{}",
        library.display(),
        BUSY.split_once("f/2]).\n").expect("a module").1.replace("f(", "g(")
    );
    fs::write(folder.path().join("hostile.erl"), module).expect("a file");
    for round in 0..if is_full() { 5 } else { 1 } {
        let args = ["test", "--fresh", "--budget", "1h", "--pa", "app/ebin", "hostile.erl"];
        let mut command = beagle(folder.path(), &args);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = in_a_session_of_its_own(&mut command).spawn().expect("beagle can be started");
        let id = child.id() as libc::pid_t;
        let start = Instant::now();
        while !has_hostile_thread(id) {
            assert!(child.try_wait().expect("a status").is_none(), "it ended by itself");
            assert!(start.elapsed() < Duration::from_secs(120), "the library was not loaded: {:?}", in_session(id));
            sleep(Duration::from_millis(10));
        }
        child.kill().expect("alive");
        child.wait().expect("dead");
        assert_none_left(id, &format!("round {round}"));
    }
}

/// Whether a thread of a process in the session has the name that the library gives it.
fn has_hostile_thread(session: libc::pid_t) -> bool {
    let threads = processes_in(session)
        .into_iter()
        .flat_map(|(process, _)| fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten());
    threads.filter_map(|thread| fs::read_to_string(thread.path().join("comm")).ok()).any(|name| name == "hostile\n")
}

pub fn in_a_session_of_its_own(command: &mut Command) -> &mut Command {
    // SAFETY: a plain system call between fork and exec.
    unsafe {
        command.pre_exec(|| match libc::setsid() {
            -1 => Err(std::io::Error::last_os_error()),
            _ => Ok(()),
        })
    }
}

/// On an idle computer all is gone at once; a second is what we promise, and a loaded computer gets more.
fn assert_none_left(session: libc::pid_t, when: &str) {
    let start = Instant::now();
    loop {
        let left = in_session(session);
        if left.is_empty() {
            return;
        }
        assert!(start.elapsed() < Duration::from_secs(10), "{when}: {left:?}");
        sleep(Duration::from_millis(10));
    }
}

/// The names of the processes in a session that are no zombies.
pub fn in_session(session: libc::pid_t) -> Vec<String> {
    processes_in(session).into_iter().map(|(_, name)| name).collect()
}

/// Their numbers as well.
fn processes_in(session: libc::pid_t) -> Vec<(String, String)> {
    let mut processes = Vec::new();
    for entry in fs::read_dir("/proc").expect("processes").flatten() {
        let Ok(stat) = fs::read_to_string(entry.path().join("stat")) else { continue };
        // `1234 (name) S parent group session …`
        let Some((head, tail)) = stat.rsplit_once(')') else { continue };
        let fields: Vec<&str> = tail.split_whitespace().collect();
        if fields.get(3).is_some_and(|field| *field == session.to_string()) && fields[0] != "Z" {
            processes.push((entry.file_name().to_string_lossy().into_owned(), head.to_owned()));
        }
    }
    processes
}
