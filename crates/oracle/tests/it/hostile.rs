//! Native code that an application keeps in `priv`, loaded by `-on_load` without any permission, tries every route out of
//! the sandbox (`hostile.c`), while the test watches a folder, sockets and a process from outside.
//!
//! A route counts as closed only if the sandbox has refused it: other errors of the system would prove nothing.

#![cfg(target_os = "linux")]

use crate::common::{limits, text, value, write};
use oracle::{Oracle, OracleConfig, Outcome};
use std::collections::BTreeMap;
use std::os::fd::AsRawFd;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::net::{SocketAddr, UnixListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use tempfile::TempDir;
use term::Term;

const SECRET: &str = "the secret that nobody may read";

/// An application with the library, and what it must not touch.
struct Scene {
    folder: TempDir,
    outside: TempDir,
    victim: Child,
    name: String,
    sockets: [UnixListener; 2],
    before: BTreeMap<PathBuf, String>,
}

impl Scene {
    fn new() -> Scene {
        let (folder, outside) = (crate::common::folder(), crate::common::folder());
        let source = write(&folder, "hostile.c", include_str!("../hostile.c"));
        let module = "-module(hostile).\n-export([attack/1, descriptors/0, scribble/0, old_gate/0]).\n-on_load(init/0).\n\
            init() -> erlang:load_nif(filename:join([filename:dirname(code:which(?MODULE)), \"..\", \"priv\", \"hostile\"]), 0).\n\
            attack(_) -> erlang:nif_error(not_loaded).\ndescriptors() -> erlang:nif_error(not_loaded).\n\
            scribble() -> erlang:nif_error(not_loaded).\nold_gate() -> erlang:nif_error(not_loaded).\n";
        let module = write(&folder, "hostile.erl", module);
        write(&folder, "app/priv/nothing", "");
        write(&folder, "app/ebin/nothing", "");
        let app = folder.path().join("app");
        let root = Command::new("erl").args(["-noshell", "-eval", "io:put_chars(code:root_dir()), halt()."]).output();
        let root = String::from_utf8(root.expect("erl").stdout).expect("a path");
        let mut compiler = Command::new("cc");
        compiler.args(["-shared", "-fPIC", "-pthread", "-I", &format!("{root}/usr/include"), "-o"]);
        let compiled = compiler.args([app.join("priv/hostile.so"), source]).status();
        assert!(compiled.expect("a compiler of C").success());
        let compiled = Command::new("erlc").arg("-o").arg(app.join("ebin")).arg(module).status();
        assert!(compiled.expect("erlc").success());
        write(&outside, "victim", "content");
        write(&outside, "secret", SECRET);
        write(&outside, "folder/deeper/file", "deep");
        let name = format!("beagle-hostile-{}", outside.path().display());
        let address = SocketAddr::from_abstract_name(&name).expect("a name");
        let hidden = UnixListener::bind_addr(&address).expect("an abstract socket");
        let local = UnixListener::bind(outside.path().join("socket")).expect("a socket");
        let sockets = [hidden, local];
        sockets.iter().for_each(|socket| socket.set_nonblocking(true).expect("a socket"));
        let victim = Command::new("sleep").arg("3600").spawn().expect("a process");
        let before = content([folder.path(), outside.path()]);
        Scene { folder, outside, victim, name, sockets, before }
    }

    fn oracle(&self) -> Oracle {
        Oracle::new(OracleConfig { code_paths: vec![self.folder.path().join("app/ebin")], ..OracleConfig::default() })
    }

    /// Everything that is not as it was.
    fn damage(&mut self) -> Vec<String> {
        let after = content([self.folder.path(), self.outside.path()]);
        let paths = self.before.keys().chain(after.keys());
        let changed = paths.filter(|path| self.before.get(*path) != after.get(*path));
        let mut damage: Vec<String> = changed.map(|path| format!("{} has changed", path.display())).collect();
        if self.sockets.iter().any(|socket| socket.accept().is_ok()) {
            damage.push("a connection".to_owned());
        }
        if !matches!(self.victim.try_wait(), Ok(None)) {
            damage.push("the process was ended".to_owned());
        }
        damage
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        let _ = self.victim.kill();
        let _ = self.victim.wait();
    }
}

/// Every file with all that can be changed about it.
fn content(folders: [&Path; 2]) -> BTreeMap<PathBuf, String> {
    let mut found = BTreeMap::new();
    let mut pending = folders.map(Path::to_path_buf).to_vec();
    while let Some(path) = pending.pop() {
        let metadata = std::fs::symlink_metadata(&path).expect("it is there");
        let bytes = if metadata.is_file() { std::fs::read(&path).expect("readable") } else { Vec::new() };
        let attributes = (metadata.mode(), metadata.uid(), metadata.gid(), metadata.nlink());
        let times = (metadata.mtime(), metadata.mtime_nsec(), metadata.ctime(), metadata.ctime_nsec());
        if metadata.is_dir() {
            pending.extend(std::fs::read_dir(&path).expect("readable").map(|entry| entry.expect("it").path()));
        }
        found.insert(path, format!("{attributes:?} {times:?} {}", blake3::hash(&bytes)));
    }
    found
}

/// Name, result and error of each line that the library answers with.
fn lines(oracle: &Oracle, call: &str) -> Vec<(String, i64, i32)> {
    let text = value(oracle, &format!("binary_to_list({call})")).as_text().expect("text");
    let line = |line: &str| {
        let mut parts = line.split('\t');
        let mut next = || parts.next().expect("three parts").to_owned();
        (next(), next().parse().expect("a number"), next().parse().expect("a number"))
    };
    text.lines().map(line).collect()
}

/// Whether an error is one of those with which the sandbox refuses.
fn is_refusal(route: &str, error: i32) -> bool {
    match error {
        libc::EPERM | libc::EACCES | libc::ENOSYS => true,
        // Landlock's word for a move from one folder to another that is not allowed.
        libc::EXDEV => route.contains("rename") || route.contains("link"),
        // A connected stream cannot be sent elsewhere, which no filter could see.
        libc::EISCONN | libc::EOPNOTSUPP => route == "sendmsg to an abstract name",
        // There may be no such terminal.
        libc::ENOENT | libc::ENXIO => route.contains("terminal by its number"),
        _ => false,
    }
}

#[test]
fn every_route_is_refused() {
    let mut scene = Scene::new();
    let oracle = scene.oracle();
    let own = value(&oracle, "os:getenv(\"HOME\")").as_text().expect("a path");
    let runtime = value(&oracle, "os:getenv(\"BINDIR\") ++ \"/erlexec\"").as_text().expect("a path");
    let library = scene.folder.path().join("app/priv");
    let arguments = [
        scene.outside.path().display().to_string(),
        own,
        library.display().to_string(),
        scene.victim.id().to_string(),
        runtime,
        scene.name.clone(),
    ];
    let routes = lines(&oracle, &format!("hostile:attack({arguments:?})"));
    let open: Vec<_> =
        routes.iter().filter(|(name, result, error)| *result != -1 || !is_refusal(name, *error)).collect();
    println!("tried {}, held {}", routes.len(), routes.len() - open.len());
    assert!(open.is_empty(), "open, or not closed by the sandbox: {open:?}");
    assert!(routes.len() > 300, "only {} routes were tried", routes.len());
    let damage = scene.damage();
    assert!(damage.is_empty(), "{damage:#?}");
    // The runtime is as it was, and so is its answer.
    assert_eq!(value(&oracle, "lists:sum([1, 2])"), Term::Int(3));
}

/// What a process inherits that starts Beagle is not open inside, however it was opened.
#[test]
fn nothing_that_is_open_outside_is_open_inside() {
    let mut scene = Scene::new();
    let file = std::fs::OpenOptions::new().read(true).write(true).open(scene.outside.path().join("victim"));
    let file = file.expect("a file");
    let (_reader, writer) = std::io::pipe().expect("a pipe");
    let numbers = [file.as_raw_fd(), writer.as_raw_fd(), scene.sockets[0].as_raw_fd()];
    // SAFETY: the descriptors are open. The copies are not marked to be closed.
    let left_open = numbers.map(|number| unsafe { libc::dup(number) });
    let identity = |number: i32| {
        let found = std::fs::metadata(format!("/proc/self/fd/{number}")).expect("open");
        format!("{}:{}", found.dev(), found.ino())
    };
    let forbidden = left_open.map(identity);
    let oracle = scene.oracle();
    let open = lines(&oracle, "hostile:descriptors()");
    assert!(open.len() > 3, "{open:?}");
    let inherited: Vec<_> = open.iter().filter(|(identity, ..)| forbidden.contains(identity)).collect();
    assert!(inherited.is_empty(), "{inherited:?}");
    // Whatever is written to all of them, nobody outside notices but Beagle, which does not believe it.
    let outcome = oracle.evaluate(&text("hostile:scribble()"), limits(2000));
    let is_honest = matches!(outcome, Ok(Outcome::Value { ref term, .. }) if *term == Term::atom("ok"));
    assert!(
        outcome.is_err() || is_honest || matches!(outcome, Ok(Outcome::RuntimeDied { .. } | Outcome::Timeout { .. })),
        "{outcome:?}"
    );
    assert_eq!(value(&oracle, "lists:sum([1, 2])"), Term::Int(3));
    let damage = scene.damage();
    assert!(damage.is_empty(), "{damage:#?}");
    // SAFETY: the copies are ours.
    let closed = left_open.map(|number| unsafe { libc::close(number) });
    assert_eq!(closed, [0; 3]);
}

/// The calls of 32-bit programs have other numbers, which no filter of ours lists: whoever makes one is killed.
#[test]
#[cfg(target_arch = "x86_64")]
fn the_gate_of_32_bit_programs_is_shut() {
    let mut scene = Scene::new();
    let oracle = scene.oracle();
    let outcome = oracle.evaluate(&text("hostile:old_gate()"), limits(5000));
    let is_dead = matches!(&outcome, Ok(Outcome::RuntimeDied { .. }) | Err(_));
    // Kernels that are built without it refuse with a fault.
    assert!(is_dead, "{outcome:?}");
    assert_eq!(value(&oracle, "lists:sum([1, 2])"), Term::Int(3));
    assert!(scene.damage().is_empty());
}

/// The same routes for whoever is not root: namespaces, capabilities and owners are others then.
#[test]
fn every_route_is_refused_to_other_users() {
    const NOBODY: u32 = 65_534;
    // SAFETY: a plain system call.
    if unsafe { libc::geteuid() } != 0 {
        return;
    }
    let folder = crate::common::folder();
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o755)).expect("its mode");
    let program = folder.path().join("hostile");
    std::fs::copy(std::env::current_exe().expect("this test"), &program).expect("a copy");
    let temporary = folder.path().join("temporary");
    std::fs::create_dir(&temporary).expect("a folder");
    std::os::unix::fs::chown(&temporary, Some(NOBODY), Some(NOBODY)).expect("its owner");
    let mut command = Command::new(program);
    command.args(["--exact", "hostile::every_route_is_refused", "--nocapture"]);
    command.current_dir(&temporary).env("TMPDIR", &temporary).env("HOME", &temporary);
    let command = std::os::unix::process::CommandExt::uid(&mut command, NOBODY);
    let output = std::os::unix::process::CommandExt::gid(command, NOBODY).output().expect("it starts");
    let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success() && said.contains("held "), "{said}");
    println!("{said}");
    assert!(std::fs::read_dir(temporary.join(format!("beagle-{NOBODY}"))).expect("a folder").next().is_none());
}
