//! Whatever Beagle waits for, a signal ends it: each case lets a command wait for something that takes an hour, sends the
//! signal, and expects the exit code, no process and no temporary folder.

#![cfg(target_os = "linux")]

use std::fs;
use std::io::{Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
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
const HANGS: &str = "#!/bin/sh\nsh -c ': > \"$READY\"; exec sleep 3600'\nexit\n";

/// The command works in the folder `work`, a project. Programs that Beagle may start, and pipes that it may wait for, lie
/// beside it: those of a project are refused.
struct Scene {
    folder: PathBuf,
}

/// How the test knows that the command waits.
enum Until {
    /// Something that it started has made the file `ready`.
    Told,
    /// It has read what was in this pipe.
    Reads(libc::c_int),
    /// A process of this name was started, and some time has passed.
    Started(&'static str),
}

impl Scene {
    fn new(name: &str) -> Scene {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("signals").join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("tools")).expect("a folder");
        fs::create_dir_all(folder.join("temporary")).expect("a folder");
        let scene = Scene { folder };
        scene.write("plain.erl", SOURCE);
        scene
    }

    fn write(&self, name: &str, text: &str) {
        let file = self.work().join(name);
        fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
        fs::write(file, text).expect("a file");
    }

    fn tool(&self, name: &str, text: &str) {
        self.write(&format!("../tools/{name}"), text);
        let file = self.folder.join("tools").join(name);
        fs::set_permissions(file, fs::Permissions::from_mode(0o755)).expect("a tool that can be started");
    }

    fn work(&self) -> PathBuf {
        self.folder.join("work")
    }

    fn pipe(&self, name: &str) {
        let path = self.work().join(name);
        let path = std::ffi::CString::new(path.to_str().expect("a path")).expect("no zero in it");
        // SAFETY: the path is a C string.
        assert_eq!(unsafe { libc::mkfifo(path.as_ptr(), 0o600) }, 0);
    }

    fn project(&self) {
        self.write("rebar.config", "{erl_opts, [debug_info]}.\n");
        self.write("src/shop.app.src", "{application, shop, [{vsn, \"1\"}, {applications, [kernel, stdlib]}]}.\n");
        fs::rename(self.work().join("plain.erl"), self.work().join("src/plain.erl")).expect("a file");
    }

    fn beagle(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_beagle"));
        let path = format!("{}:{}", self.folder.join("tools").display(), std::env::var("PATH").unwrap_or_default());
        command.args(args).current_dir(self.work()).env("PATH", path);
        command.env("BEAGLE_CACHE", self.folder.join("cache")).env("TMPDIR", self.folder.join("temporary"));
        command.env("READY", self.folder.join("ready"));
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

    fn wait(&self, child: &mut Child, until: &Until) {
        let begun = Instant::now();
        loop {
            let session = child.id() as libc::pid_t;
            let is_ready = match until {
                Until::Told => self.folder.join("ready").exists(),
                Until::Reads(pipe) => unread(*pipe) == 0,
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
            sleep(Duration::from_secs(if is_full() { 2 } else { 1 }));
        }
    }

    /// Sends the signal once the command waits, and expects its end.
    fn ends(&self, mut command: Command, until: &Until, signal: libc::c_int) -> String {
        let mut child = command.spawn().expect("beagle can be started");
        let id = child.id() as libc::pid_t;
        self.wait(&mut child, until);
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
        println!("{}: {took:?}", self.folder.file_name().unwrap_or_default().display());
        assert_eq!(status.code(), Some(128 + signal), "{status}: {said}");
        let begun = Instant::now();
        while !in_session(id).is_empty() {
            assert!(begun.elapsed() < AT_MOST, "left behind: {:?}", in_session(id));
            sleep(Duration::from_millis(10));
        }
        let folders = fs::read_dir(self.folder.join("temporary")).expect("a folder").flatten();
        let left: Vec<_> =
            folders.flat_map(|folder| fs::read_dir(folder.path()).into_iter().flatten().flatten()).collect();
        assert!(left.is_empty(), "{left:?}");
        said
    }
}

/// Whether there is time for everything.
fn is_full() -> bool {
    std::env::var_os("BEAGLE_ATTACK").is_some_and(|value| value == "full")
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
    for signal in BOTH.into_iter().take(if is_full() { 2 } else { 1 }) {
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
    scene.ends(scene.beagle(&["test"]), &Until::Told, libc::SIGTERM);
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
    let most = if is_full() { commands.len() } else { 3 };
    for (number, args) in commands.iter().enumerate().take(most) {
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
    fs::set_permissions(scene.work().join("otp/bin/erl"), fs::Permissions::from_mode(0o755)).expect("a tool");
    fs::create_dir_all(scene.work().join("otp/erts-99/bin")).expect("a folder");
    for program in ["erlexec", "beam.smp", "erl_child_setup"] {
        let place = scene.work().join("otp/erts-99/bin").join(program);
        let made = Command::new("cc").arg("-o").arg(place).arg(scene.work().join("hang.c")).status();
        assert!(made.expect("a compiler of C").success());
    }
    for (number, args) in [["test", "plain.erl"], ["run", "plain:f(1)"]].iter().enumerate() {
        let mut command = scene.beagle(args);
        command.env("BEAGLE_ERL", scene.work().join("otp/bin/erl"));
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
        &["merge", "/dev/stdin"],
        &["reach", "@/dev/stdin", "--source", "plain.erl"],
        &["reach", "--uncovered", "/dev/stdin", "--source", "plain.erl"],
        &["replay", "plain:f(7)", "--schedule", "/dev/stdin", "plain.erl"],
    ];
    for (number, args) in reading.iter().enumerate() {
        let scene = Scene::new(&format!("pipe-{number}"));
        scene.pipe("../pipe");
        let mut pipe = fs::File::options().read(true).write(true).open(scene.folder.join("pipe")).expect("a pipe");
        pipe.write_all(b"\n").expect("written");
        let mut command = scene.beagle(args);
        command.stdin(pipe.try_clone().expect("the same pipe"));
        scene.ends(command, &Until::Reads(pipe.as_raw_fd()), BOTH[number % 2]);
    }
    let scene = Scene::new("report");
    scene.pipe("../pipe");
    // Nobody reads: it is not known when the command begins to wait, but from the first moment on the signal ends it.
    let args = ["test", "--output", "jsonl=../pipe", "--budget", "1h", "plain.erl"];
    scene.ends(scene.beagle(&args), &Until::Started("beam"), libc::SIGTERM);
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
        scene.pipe("../out");
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
        let _ = fs::remove_file(scene.work().join(name));
        scene.pipe(name);
        let output = scene.beagle(&["test", "--no-build", "--budget", "1s"]).output().expect("beagle can be started");
        assert!(output.status.code().is_some(), "{name}: {output:?}");
    }
    let scene = Scene::new("refused-seed");
    scene.pipe("pipe");
    let output = scene.beagle(&["test", "--seed", "@pipe", "plain.erl"]).output().expect("beagle can be started");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let scene = Scene::new("refused-source");
    scene.pipe("piped.erl");
    let output = scene.beagle(&["test", "piped.erl"]).output().expect("beagle can be started");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}

/// Pipes in place of files that workers write are not opened: no worker waits for a reader.
#[test]
fn pipes_are_not_written_to() {
    let scene = Scene::new("blocked");
    scene.write("cubes.erl", CUBES);
    fs::create_dir(scene.work().join("queries")).expect("a folder");
    for number in 1..=20 {
        scene.pipe(&format!("queries/{number:06}.smt2"));
    }
    let args = ["test", "--dump-smt", "queries", "--budget", "2s", "--jobs", "1", "cubes.erl"];
    let output = scene.beagle(&args).output().expect("beagle can be started");
    assert!(matches!(output.status.code(), Some(0 | 1)), "{output:?}");
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
