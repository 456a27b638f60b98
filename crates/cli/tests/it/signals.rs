//! Whatever Beagle waits for, a signal ends it: each case lets a command wait for something that takes an hour, sends the
//! signal, and expects the exit code, no process and no temporary folder.

#![cfg(target_os = "linux")]

use std::fs;
use std::io::{Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// What takes a second or two on an idle computer. What is waited for would take an hour.
const AT_MOST: Duration = Duration::from_secs(20);
/// Until a command waits, on however busy a computer.
const READY: Duration = Duration::from_secs(120);

const SOURCE: &str =
    "-module(plain).\n-export([f/1]).\n-spec f(integer()) -> ok.\nf(7) -> error(found);\nf(_) -> ok.\n";
/// Needs a solver.
const CUBES: &str = "-module(cubes).\n-export([f/2]).\n-spec f(integer(), [integer()]) -> ok.\n\
    f(X, L) when X * X * X =:= length(L) * 7 + 3 -> error(a);\n\
    f(X, [A, B | _]) when A * A + B * B =:= X, X > 1000 -> error({b, X});\nf(_, _) -> ok.\n";
/// Says that it was started, and hangs, as a child of the shell.
const HANGS: &str = "#!/bin/sh\n: > \"$READY\"\nsleep 3600\n";

struct Scene {
    /// What the user has beside the project: tools, a cache, a folder for temporary files, pipes.
    around: PathBuf,
    /// The project, where the command is started. Nothing in it is started, and no pipe is read.
    folder: PathBuf,
}

/// How the test knows that the command waits.
enum Until {
    /// Something that it started has made the file `ready`.
    Told,
    /// It has opened this pipe to read.
    Reads(&'static str),
    /// A process of this name was started, and some time has passed.
    Started(&'static str),
}

impl Scene {
    fn new(name: &str) -> Scene {
        let around = Path::new(env!("CARGO_TARGET_TMPDIR")).join("signals").join(name);
        let _ = fs::remove_dir_all(&around);
        let scene = Scene { folder: around.join("project"), around };
        for folder in ["tools", "temporary", "project"] {
            fs::create_dir_all(scene.around.join(folder)).expect("a folder");
        }
        scene.write("plain.erl", SOURCE);
        scene
    }

    fn write(&self, name: &str, text: &str) {
        let file = self.folder.join(name);
        fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
        fs::write(file, text).expect("a file");
    }

    fn tool(&self, name: &str, text: &str) {
        self.write(&format!("../tools/{name}"), text);
        let file = self.around.join("tools").join(name);
        fs::set_permissions(file, fs::Permissions::from_mode(0o755)).expect("a tool that can be started");
    }

    fn pipe(&self, name: &str) {
        let path = self.folder.join(name);
        let path = std::ffi::CString::new(path.to_str().expect("a path")).expect("no zero in it");
        // SAFETY: the path is a C string.
        assert_eq!(unsafe { libc::mkfifo(path.as_ptr(), 0o600) }, 0);
    }

    fn project(&self) {
        self.write("rebar.config", "{erl_opts, [debug_info]}.\n");
        self.write("src/shop.app.src", "{application, shop, [{vsn, \"1\"}, {applications, [kernel, stdlib]}]}.\n");
        fs::rename(self.folder.join("plain.erl"), self.folder.join("src/plain.erl")).expect("a file");
    }

    fn beagle(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_beagle"));
        let path = format!("{}:{}", self.around.join("tools").display(), std::env::var("PATH").unwrap_or_default());
        command.args(args).current_dir(&self.folder).env("PATH", path);
        command.env("BEAGLE_CACHE", self.around.join("cache")).env("TMPDIR", self.around.join("temporary"));
        command.env("READY", self.around.join("ready"));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // SAFETY: plain system calls. Whoever runs the tests in the background may have signals ignored.
        unsafe {
            command.pre_exec(|| {
                libc::setsid();
                libc::signal(libc::SIGINT, libc::SIG_DFL);
                libc::signal(libc::SIGTERM, libc::SIG_DFL);
                Ok(())
            });
        }
        command
    }

    fn wait(&self, child: &mut Child, until: &Until) -> Option<fs::File> {
        let begun = Instant::now();
        let mut held = None;
        loop {
            let session = child.id() as libc::pid_t;
            let is_ready = match until {
                Until::Told => self.around.join("ready").exists(),
                Until::Reads(name) => {
                    let mut options = fs::OpenOptions::new();
                    held = options.write(true).custom_flags(libc::O_NONBLOCK).open(self.folder.join(name)).ok();
                    held.is_some()
                }
                Until::Started(name) => in_session(session).iter().any(|process| process.contains(name)),
            };
            if is_ready {
                break;
            }
            if let Some(status) = child.try_wait().expect("a status") {
                panic!("it ended by itself ({status}): {}", said(child));
            }
            assert!(begun.elapsed() < READY, "it does not wait: {:?}", in_session(session));
            sleep(Duration::from_millis(10));
        }
        if let Until::Started(_) = until {
            sleep(Duration::from_secs(2));
        }
        held
    }

    /// Sends the signal once the command waits, and expects its end.
    fn ends(&self, mut command: Command, until: &Until, signal: libc::c_int) -> String {
        let mut child = command.spawn().expect("beagle can be started");
        let id = child.id() as libc::pid_t;
        let held = self.wait(&mut child, until);
        // SAFETY: a plain system call. The child was not waited for, so its number is its own.
        assert_eq!(unsafe { libc::kill(id, signal) }, 0);
        let sent = Instant::now();
        let status = loop {
            if let Some(status) = child.try_wait().expect("a status") {
                break status;
            }
            if sent.elapsed() > AT_MOST {
                let left = in_session(id);
                child.kill().expect("alive");
                panic!("it did not end: {left:?}: {}", said(&mut child));
            }
            sleep(Duration::from_millis(5));
        };
        let took = sent.elapsed();
        let said = said(&mut child);
        println!("{}: {took:?}", self.around.file_name().unwrap_or_default().display());
        assert_eq!(status.code(), Some(128 + signal), "{status}: {said}");
        drop(held);
        let begun = Instant::now();
        while !in_session(id).is_empty() {
            assert!(begun.elapsed() < AT_MOST, "left behind: {:?}", in_session(id));
            sleep(Duration::from_millis(10));
        }
        let folders = fs::read_dir(self.around.join("temporary")).expect("a folder").flatten();
        let left: Vec<_> =
            folders.flat_map(|folder| fs::read_dir(folder.path()).into_iter().flatten().flatten()).collect();
        assert!(left.is_empty(), "{left:?}");
        said
    }
}

/// What is in a pipe.
fn unread(pipe: libc::c_int) -> libc::c_int {
    let mut count = 0;
    // SAFETY: the call writes one number.
    unsafe { libc::ioctl(pipe, libc::FIONREAD, &raw mut count) };
    count
}

/// What the command said; what it has left behind may keep the streams open.
fn said(child: &mut Child) -> String {
    let mut text = String::new();
    let streams: [Option<Box<dyn Read>>; 2] = [
        child.stdout.take().map(|stream| nonblocking(stream) as Box<dyn Read>),
        child.stderr.take().map(|stream| nonblocking(stream) as Box<dyn Read>),
    ];
    for mut stream in streams.into_iter().flatten() {
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        text.push_str(&String::from_utf8_lossy(&bytes));
    }
    text
}

fn nonblocking<S: AsRawFd>(stream: S) -> Box<S> {
    // SAFETY: a plain system call.
    unsafe { libc::fcntl(stream.as_raw_fd(), libc::F_SETFL, libc::O_NONBLOCK) };
    Box::new(stream)
}

/// The names of the processes in a session that are no zombies.
fn in_session(session: libc::pid_t) -> Vec<String> {
    let stats = fs::read_dir("/proc").expect("processes").flatten();
    let stats = stats.filter_map(|entry| fs::read_to_string(entry.path().join("stat")).ok());
    // `1234 (name) S parent group session …`
    let named = stats.filter_map(|stat| {
        let (head, tail) = stat.rsplit_once(") ")?;
        let fields: Vec<&str> = tail.split_whitespace().collect();
        (*fields.get(3)? == session.to_string() && *fields.first()? != "Z").then(|| head.to_owned())
    });
    named.collect()
}

const BOTH: [libc::c_int; 2] = [libc::SIGTERM, libc::SIGINT];

#[test]
fn tools_that_hang() {
    for signal in BOTH {
        let scene = Scene::new("building");
        scene.project();
        scene.tool("rebar3", HANGS);
        let said = scene.ends(scene.beagle(&["test"]), &Until::Told, signal);
        assert!(said.contains("interrupted before any function was tested"), "{said}");
    }
    let scene = Scene::new("script");
    scene.project();
    let script = "file:write_file(os:getenv(\"READY\"), <<>>), timer:sleep(3600000), CONFIG.\n";
    scene.write("rebar.config.script", script);
    scene.tool("rebar3", "#!/bin/sh\n");
    let said = scene.ends(scene.beagle(&["test"]), &Until::Told, libc::SIGTERM);
    assert!(!said.contains("building"), "nothing else is started: {said}");
    let scene = Scene::new("git");
    scene.tool("git", HANGS);
    scene.ends(scene.beagle(&["test", "--changed-since", "HEAD", "plain.erl"]), &Until::Told, libc::SIGTERM);
    let scene = Scene::new("solver");
    scene.tool("stuck", HANGS);
    scene.write("cubes.erl", CUBES);
    scene.ends(scene.beagle(&["test", "--solver", "stuck", "cubes.erl"]), &Until::Told, libc::SIGTERM);
}

/// A wrapper of `erl` that hangs, for every command that needs a runtime.
#[test]
fn wrappers_that_hang() {
    let commands: [&[&str]; 6] = [
        &["test", "plain.erl"],
        &["run", "plain:f(1)", "plain.erl"],
        &["trace", "plain:f(1)", "plain.erl"],
        &["reach", "plain.erl:4", "--source", "plain.erl"],
        &["replay", "plain:f(7)", "plain.erl"],
        &["test", "--list", "plain.erl"],
    ];
    for (number, args) in commands.iter().enumerate() {
        let scene = Scene::new(&format!("wrapper-{number}"));
        scene.tool("erl", HANGS);
        scene.ends(scene.beagle(args), &Until::Told, BOTH[number % 2]);
    }
}

/// A runtime that never says that it is up, one that never ends compiling, and one that never ends loading.
#[test]
fn runtimes_that_hang() {
    let scene = Scene::new("booting");
    scene.write("hang.c", "#include <unistd.h>\nint main(void) { for (;;) pause(); }\n");
    scene.write("otp/bin/erl", "#!/bin/sh\nBINDIR=\"$ROOTDIR/erts-99/bin\"\n");
    fs::set_permissions(scene.folder.join("otp/bin/erl"), fs::Permissions::from_mode(0o755)).expect("a tool");
    fs::create_dir_all(scene.folder.join("otp/erts-99/bin")).expect("a folder");
    for program in ["erlexec", "beam.smp", "erl_child_setup"] {
        let place = scene.folder.join("otp/erts-99/bin").join(program);
        let made = Command::new("cc").arg("-o").arg(place).arg(scene.folder.join("hang.c")).status();
        assert!(made.expect("a compiler of C").success());
    }
    for (number, args) in [["test", "plain.erl"], ["run", "plain:f(1)"]].iter().enumerate() {
        let mut command = scene.beagle(args);
        command.env("BEAGLE_ERL", scene.folder.join("otp/bin/erl"));
        scene.ends(command, &Until::Started("erlexec"), BOTH[number]);
    }
    let scene = Scene::new("compiling");
    let endless = "-module(endless).\n-export([parse_transform/2]).\nparse_transform(F, O) -> parse_transform(F, O).\n";
    scene.write("endless.erl", endless);
    scene.write("busy.erl", "-module(busy).\n-compile({parse_transform, endless}).\n-export([f/1]).\nf(X) -> X.\n");
    let args = ["test", "--compile-time", "1h", "busy.erl", "endless.erl"];
    scene.ends(scene.beagle(&args), &Until::Started("beam"), libc::SIGTERM);
    let scene = Scene::new("loading");
    let loading = SOURCE.replace("-spec", "-on_load(init/0).\n-spec").replace("plain", "loading");
    let init = "init() -> case erlang:function_exported(beagle_helper, start, 1) of true -> timer:sleep(3600000); _ -> ok end.\n";
    scene.write("loading.erl", &(loading + init));
    let args = ["test", "--compile-time", "1h", "loading.erl"];
    scene.ends(scene.beagle(&args), &Until::Started("beam"), libc::SIGTERM);
}

/// Pipes in place of files: nobody writes to them, or nobody reads.
#[test]
fn pipes_that_nobody_serves() {
    let reading: [&[&str]; 4] = [
        &["merge", "../pipe"],
        &["reach", "@../pipe", "--source", "plain.erl"],
        &["reach", "--uncovered", "../pipe", "--source", "plain.erl"],
        &["replay", "plain:f(7)", "--schedule", "../pipe", "plain.erl"],
    ];
    for (number, args) in reading.iter().enumerate() {
        let scene = Scene::new(&format!("pipe-{number}"));
        scene.pipe("../pipe");
        scene.ends(scene.beagle(args), &Until::Reads("../pipe"), BOTH[number % 2]);
    }
    let scene = Scene::new("report");
    scene.pipe("../pipe");
    // Nobody reads: it is not known when the command begins to wait, but from the first moment on the signal ends it.
    let args = ["test", "--output", "jsonl=../pipe", "--budget", "1h", "plain.erl"];
    scene.ends(scene.beagle(&args), &Until::Started("beam"), libc::SIGTERM);
}

/// Outside of projects the command line may name pipes, which are waited for and read to their end.
#[test]
fn pipes_elsewhere() {
    let line =
        r#"{"type":"bug","function":"plain:f/1","call":"plain:f(7)","kind":"crash","class":"error","reason":"found"}"#;
    let quick = ["--fresh", "--no-confirm", "--show", "all", "--fail-on", "all", "--budget", "300ms", "plain.erl"];
    let commands: [(&[&str], &str, &str, i32); 4] = [
        (&["test", "--seed", "@../pipe"], "[7]\n", "plain:f(7)", 1),
        (&["test", "--baseline", "../pipe"], "", "plain:f(7)", 1),
        (&["replay", "../pipe", "plain.erl"], line, "plain:f(7)", 0),
        (&["merge", "../pipe"], "", "was not written by", 2),
    ];
    for (number, (args, text, words, code)) in commands.iter().enumerate() {
        let scene = Scene::new(&format!("elsewhere-{number}"));
        scene.pipe("../pipe");
        let more = if args[0] == "test" { &quick[..] } else { &[] };
        let args = [args, more].concat();
        scene.ends(scene.beagle(&args), &Until::Reads("../pipe"), BOTH[number % 2]);
        let mut child = scene.beagle(&args).spawn().expect("beagle can be started");
        let mut held = scene.wait(&mut child, &Until::Reads("../pipe")).expect("a pipe");
        // It comes in pieces.
        for piece in text.as_bytes().chunks(9) {
            held.write_all(piece).expect("a reader");
            sleep(Duration::from_millis(20));
        }
        drop(held);
        let output = child.wait_with_output().expect("it ends");
        let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert_eq!(output.status.code(), Some(*code), "{args:?}: {said}");
        assert!(said.contains(words), "{args:?}: {said}");
    }
}

/// Whoever reads the report has stopped reading.
#[test]
fn readers_that_sleep() {
    for (name, args) in
        [("list", &["test", "--list", "many.erl"][..]), ("error", &["test", "--no-confirm", "many.erl"])]
    {
        let scene = Scene::new(&format!("full-{name}"));
        let functions = 0..400;
        let exports: Vec<String> = functions.clone().map(|number| format!("function_{number}/1")).collect();
        let bodies: String = functions.map(|number| format!("function_{number}(x) -> x.\n")).collect();
        scene.write("many.erl", &format!("-module(many).\n-export([{}]).\n{bodies}", exports.join(", ")));
        let mut child = scene.beagle(args);
        let mut options = fs::OpenOptions::new();
        scene.pipe("out");
        let reader = options.read(true).write(true).custom_flags(libc::O_NONBLOCK).open(scene.folder.join("out"));
        let reader = reader.expect("a pipe");
        // SAFETY: a plain system call. The smallest pipe has one page.
        assert!(unsafe { libc::fcntl(reader.as_raw_fd(), libc::F_SETPIPE_SZ, 4096) } > 0);
        let writer = fs::OpenOptions::new().write(true).open(scene.folder.join("out")).expect("a pipe");
        child.stdout(Stdio::from(writer));
        let mut child = child.spawn().expect("beagle can be started");
        let begun = Instant::now();
        // It has written as much as goes in, and no more.
        let mut before = 0;
        while before == 0 || unread(reader.as_raw_fd()) != before {
            assert!(child.try_wait().expect("a status").is_none() && begun.elapsed() < READY, "{}", said(&mut child));
            before = unread(reader.as_raw_fd());
            sleep(Duration::from_millis(300));
        }
        // SAFETY: a plain system call. The child was not waited for, so its number is its own.
        assert_eq!(unsafe { libc::kill(child.id() as libc::pid_t, libc::SIGTERM) }, 0);
        let sent = Instant::now();
        let status = loop {
            if let Some(status) = child.try_wait().expect("a status") {
                break status;
            }
            assert!(sent.elapsed() < AT_MOST, "it did not end");
            sleep(Duration::from_millis(5));
        };
        assert_eq!(status.code(), Some(143), "{}", said(&mut child));
    }
}

/// A command that computes for ever without looking at anything else.
#[test]
fn endless_runs() {
    let scene = Scene::new("running");
    scene.write("loop.erl", "-module(loop).\n-export([f/1]).\nf(X) -> f(X + 1).\n");
    let mut command = scene.beagle(&["run", "--steps", "1000000000000", "loop:f(0)", "loop.erl"]);
    command.stdout(Stdio::null());
    scene.ends(command, &Until::Started("beam"), libc::SIGTERM);
}

/// Files of a project, and what the command line names, are refused if they are no ordinary files: nobody waits for them.
#[test]
fn pipes_in_a_project_are_refused() {
    for name in ["beagle.toml", "rebar.config", "src/shop.app.src", "beagle.baseline"] {
        let scene = Scene::new(&format!("refused-{}", name.replace('/', "-")));
        scene.project();
        let _ = fs::remove_file(scene.folder.join(name));
        scene.pipe(name);
        let output = scene.beagle(&["test", "--no-build", "--budget", "1s"]).output().expect("beagle can be started");
        assert!(output.status.code().is_some(), "{name}: {output:?}");
    }
    let scene = Scene::new("refused-seed");
    scene.pipe("pipe");
    let output = scene.beagle(&["test", "--seed", "@pipe", "plain.erl"]).output().expect("beagle can be started");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let scene = Scene::new("refused-findings");
    scene.project();
    scene.tool("rebar3", HANGS);
    scene.pipe("pipe");
    let output = scene.beagle(&["replay", "pipe"]).output().expect("beagle can be started");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("it is not a regular file") && !said.contains("building"), "{said}");
    let scene = Scene::new("refused-source");
    scene.pipe("piped.erl");
    let output = scene.beagle(&["test", "piped.erl"]).output().expect("beagle can be started");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}

/// Pipes in the place of files that are written to a folder: they are not files of Beagle's, and nobody waits for a reader.
#[test]
fn pipes_in_place_of_queries_are_left_alone() {
    let scene = Scene::new("queries");
    scene.write("cubes.erl", CUBES);
    fs::create_dir(scene.folder.join("queries")).expect("a folder");
    for number in 1..=20 {
        scene.pipe(&format!("queries/{number:06}.smt2"));
    }
    let args = ["test", "--dump-smt", "queries", "--budget", "5s", "--jobs", "1", "cubes.erl"];
    let output = scene.beagle(&args).output().expect("beagle can be started");
    assert!(output.status.code().is_some_and(|code| code < 3), "{output:?}");
    let kinds = fs::read_dir(scene.folder.join("queries")).expect("a folder").flatten();
    assert!(kinds.into_iter().all(|entry| entry.file_type().expect("a kind").is_fifo()));
}

/// A second signal ends everything at once, whatever the first one has begun.
#[test]
fn a_second_signal_ends_at_once() {
    let scene = Scene::new("second");
    scene.project();
    scene.tool("rebar3", HANGS);
    let mut child = scene.beagle(&["test"]).spawn().expect("beagle can be started");
    scene.wait(&mut child, &Until::Told);
    let id = child.id() as libc::pid_t;
    // SAFETY: plain system calls. The child was not waited for, so its number is its own.
    unsafe {
        assert_eq!(libc::kill(id, libc::SIGTERM), 0);
        assert_eq!(libc::kill(id, libc::SIGTERM), 0);
    }
    let begun = Instant::now();
    while child.try_wait().expect("a status").is_none() {
        assert!(begun.elapsed() < AT_MOST, "it did not end");
        sleep(Duration::from_millis(5));
    }
    assert_eq!(child.wait().expect("dead").code(), Some(143));
}
