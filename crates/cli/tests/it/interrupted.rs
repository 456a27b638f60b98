//! Whoever ends a command early gets the report of what there is.

use serde_json::Value;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// `first` is soon done, `long` has a bug and no end to its paths, and `last` has to wait for it.
const SOURCE: &str = "-module(unfinished).\n-export([first/1, long/1, last/1]).\n\
    -spec first(integer()) -> ok.\nfirst(_) -> ok.\n\
    -spec long([integer()]) -> ok | {error, term()}.\nlong([]) -> {error, short};\n\
    long([X|R]) when X > 5 -> 1 div (X - 7), long(R);\nlong([_|R]) -> long(R).\n\
    -spec last(integer()) -> ok.\nlast(_) -> ok.\n";

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("interrupted").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a scratch folder");
    std::fs::write(folder.join("unfinished.erl"), SOURCE).expect("a scratch file");
    folder
}

fn start(folder: &Path, budget: &str, more: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_beagle"));
    command.args(["test", "--jobs", "1", "--budget", budget, "--cache", "cache"]).args(more).arg("unfinished.erl");
    command.env("BEAGLE_CACHE", Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache")).current_dir(folder);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    // SAFETY: a plain system call. Whoever runs the tests in the background may have signals ignored.
    unsafe {
        command.pre_exec(|| {
            libc::signal(libc::SIGINT, libc::SIG_DFL);
            Ok(())
        });
    }
    command.spawn().expect("beagle can be started")
}

fn signal(child: &Child, signal: libc::c_int) {
    // SAFETY: a plain system call. The child was not waited for, so its number is its own.
    assert_eq!(unsafe { libc::kill(child.id() as libc::pid_t, signal) }, 0);
}

/// Reads standard error until the bug is announced, and sends the signal then. Returns standard output, standard error and
/// the exit code.
fn interrupted(mut child: Child, number: libc::c_int) -> (String, String, Option<i32>) {
    let mut errors = BufReader::new(child.stderr.take().expect("standard error"));
    let mut said = String::new();
    while !said.contains("likely bug: unfinished:long/1 ") {
        assert_ne!(errors.read_line(&mut said).expect("text"), 0, "it ended by itself: {said}");
    }
    signal(&child, number);
    errors.read_to_string(&mut said).expect("text");
    let mut text = String::new();
    child.stdout.take().expect("standard output").read_to_string(&mut text).expect("text");
    (text, said, child.wait().expect("it ends").code())
}

#[test]
fn the_report_of_what_there_is_comes_at_once() {
    let folder = folder("once");
    let reports = ["--output", "jsonl=out.jsonl", "--output", "junit=out.xml", "--html", "pages"];
    let (text, said, code) = interrupted(start(&folder, "1h", &reports), libc::SIGINT);
    assert_eq!(code, Some(130), "{text}{said}");
    for part in [
        "unfinished:long(",
        "unfinished:first/1: no bugs found; all paths explored",
        "unfinished:long/1: 1 finding; not all paths explored",
        "  - interrupted\n",
        "interrupted: 1 function was not tested\n2 functions tested: 1 likely bug; 0 do not fail the command",
    ] {
        assert!(text.contains(part), "{part}: {text}{said}");
    }
    let lines = std::fs::read_to_string(folder.join("out.jsonl")).expect("a report");
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).expect("an object")).collect();
    let summary = lines.last().expect("a summary");
    assert_eq!((&summary["functions"], &summary["untested"]), (&2.into(), &1.into()), "{summary}");
    let junit = std::fs::read_to_string(folder.join("out.xml")).expect("a report");
    assert!(junit.contains("interrupted: 1 function was not tested"), "{junit}");
    let page = std::fs::read_to_string(folder.join("pages/index.html")).expect("a page");
    assert!(page.contains("Interrupted"), "{page}");
    // What was decided is kept, and what was cut short goes on from there.
    let output = start(&folder, "1ms", &reports).wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("1 function is as before"), "{output:?}");
}

#[test]
fn whoever_is_ended_by_kill_reports_too() {
    let (text, said, code) = interrupted(start(&folder("kill"), "1h", &[]), libc::SIGTERM);
    assert_eq!(code, Some(143), "{text}{said}");
    assert!(text.contains("interrupted: 1 function was not tested"), "{text}{said}");
}

/// A build that never ends, by a tool that a test brings along.
#[test]
fn whoever_is_ended_while_code_is_built_reports_too() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder("building");
    let tools = folder.join("tools");
    std::fs::create_dir_all(&tools).expect("a folder");
    let tool = tools.join("rebar3");
    std::fs::write(&tool, "#!/bin/sh\nexec sleep 600\n").expect("a tool");
    std::fs::set_permissions(&tool, std::fs::Permissions::from_mode(0o755)).expect("a tool that can be started");
    let project = folder.join("shop");
    std::fs::create_dir_all(project.join("src")).expect("a folder");
    std::fs::write(project.join("rebar.config"), "{erl_opts, [debug_info]}.\n").expect("a file");
    let description = "{application, shop, [{vsn, \"1\"}, {applications, [kernel, stdlib]}]}.\n";
    std::fs::write(project.join("src/shop.app.src"), description).expect("a file");
    std::fs::write(project.join("src/unfinished.erl"), SOURCE).expect("a file");
    let mut command = Command::new(env!("CARGO_BIN_EXE_beagle"));
    let path = format!("{}:{}", tools.display(), std::env::var("PATH").unwrap_or_default());
    command.args(["test", "--output", "jsonl=out.jsonl"]).current_dir(&project).env("PATH", path);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    // SAFETY: a plain system call. Whoever runs the tests in the background may have signals ignored.
    unsafe {
        command.pre_exec(|| {
            libc::signal(libc::SIGINT, libc::SIG_DFL);
            Ok(())
        });
    }
    let mut child = command.spawn().expect("beagle can be started");
    let mut errors = BufReader::new(child.stderr.take().expect("standard error"));
    let mut said = String::new();
    while !said.contains("building with") {
        assert_ne!(errors.read_line(&mut said).expect("text"), 0, "it ended by itself: {said}");
    }
    signal(&child, libc::SIGINT);
    errors.read_to_string(&mut said).expect("text");
    let mut text = String::new();
    child.stdout.take().expect("standard output").read_to_string(&mut text).expect("text");
    assert_eq!(child.wait().expect("it ends").code(), Some(130), "{text}{said}");
    assert!(text.contains("interrupted before any function was tested"), "{text}{said}");
    let lines = std::fs::read_to_string(project.join("out.jsonl")).expect("a report");
    assert!(lines.contains("\"untested\":0"), "{lines}");
}
