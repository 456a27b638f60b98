//! What can and cannot be done in a sandbox, tried by a child with plain system calls: this test itself, started once
//! more. The parent looks from outside at what became of its files.

#![cfg(target_os = "linux")]

use sandbox::{Sandbox, availability, channel, spawn, spawn_with};
use std::ffi::CString;
use std::fs;
use std::io::{Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Set for the child: the folder outside, its own folder and the parent's process number.
const OUTSIDE: &str = "SANDBOX_OUTSIDE";
const PRIVATE: &str = "SANDBOX_PRIVATE";
const PARENT: &str = "SANDBOX_PARENT";

/// A fresh copy of this test that only runs the function of that name.
fn this_test(function: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().expect("this test"));
    command.args(["--exact", function, "--nocapture", "--test-threads=1"]).env_clear();
    command
}

fn sandbox(readable: &[&Path], private: &Path) -> Sandbox {
    let own = std::env::current_exe().expect("this test");
    Sandbox {
        readable: readable.iter().map(|path| path.to_path_buf()).chain([own.clone()]).collect(),
        executable: vec![own],
        private: vec![private.to_path_buf()],
        address_space: Some(4 << 30),
        file_size: 1 << 20,
        has_loopback: false,
    }
}

fn output(mut command: Command, sandbox: Option<&Sandbox>) -> String {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::inherit());
    let (child, _door) = spawn_with(command, sandbox, None).expect("it starts");
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{}: {}", output.status, String::from_utf8_lossy(&output.stdout));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn nothing_outside_can_be_touched() {
    if let Err(why) = availability() {
        panic!("{why}");
    }
    let outside = tempfile::tempdir().expect("a folder");
    let private = tempfile::tempdir().expect("a folder");
    let victim = outside.path().join("victim");
    fs::write(&victim, "content").expect("a file");
    fs::create_dir(outside.path().join("folder")).expect("a folder");
    let before = fs::metadata(&victim).expect("there");
    let mut command = this_test("child_tries_everything");
    command.env(OUTSIDE, outside.path()).env(PRIVATE, private.path()).env(PARENT, std::process::id().to_string());
    let said = output(command, Some(&sandbox(&[outside.path()], private.path())));
    let failures: Vec<&str> = said.lines().filter(|line| line.starts_with("BROKEN")).collect();
    assert!(failures.is_empty(), "{failures:#?}");
    let held = said.lines().filter(|line| line.starts_with("held")).count();
    assert!(held > 60, "only {held} attempts were made:\n{said}");
    let after = fs::metadata(&victim).expect("there");
    assert_eq!(fs::read_to_string(&victim).expect("readable"), "content");
    assert_eq!((after.mode(), after.mtime_nsec(), after.uid()), (before.mode(), before.mtime_nsec(), before.uid()));
    let mut names: Vec<_> =
        fs::read_dir(outside.path()).expect("there").map(|entry| entry.expect("it").file_name()).collect();
    names.sort();
    assert_eq!(names, ["folder", "victim"]);
    assert_eq!(fs::read_to_string(private.path().join("own")).expect("written"), "mine");
}

fn number(result: libc::c_long) -> Result<i64, i32> {
    if result < 0 { Err(std::io::Error::last_os_error().raw_os_error().unwrap_or(0)) } else { Ok(result) }
}

fn text(path: impl AsRef<Path>) -> CString {
    CString::new(path.as_ref().as_os_str().as_bytes()).expect("no zero in it")
}

/// Does nothing in the parent.
#[test]
fn child_tries_everything() {
    let variable = |name| std::env::var_os(name).map(PathBuf::from);
    let (Some(outside), Some(private), Some(parent)) = (variable(OUTSIDE), variable(PRIVATE), variable(PARENT)) else {
        return;
    };
    let parent: libc::pid_t = parent.to_str().and_then(|number| number.parse().ok()).expect("a number");
    let victim = text(outside.join("victim"));
    let folder = text(outside.join("folder"));
    let new = text(outside.join("new"));
    let own = text(private.join("own"));
    fs::write(private.join("own"), "mine").expect("the private folder is writable");
    assert_eq!(fs::read_to_string(outside.join("victim")).expect("readable"), "content");
    let mut tried = 0;
    let mut refused = |what: &str, result: libc::c_long| {
        tried += 1;
        match number(result) {
            Ok(value) => println!("BROKEN {what}: {value}"),
            Err(error) => println!("held {what}: {}", std::io::Error::from_raw_os_error(error)),
        }
    };
    let v = victim.as_ptr();
    let at = libc::AT_FDCWD;
    let moments = [libc::timespec { tv_sec: 1, tv_nsec: 1 }; 2];
    // SAFETY: system calls with arguments that live long enough; they are meant to fail.
    unsafe {
        use libc::*;
        let read_only = open(v, O_RDONLY);
        assert!(read_only >= 0);
        refused("write", open(v, O_WRONLY) as c_long);
        refused("append", open(v, O_WRONLY | O_APPEND) as c_long);
        refused("read and write", open(v, O_RDWR) as c_long);
        refused("read and empty", open(v, O_RDONLY | O_TRUNC) as c_long);
        refused("empty without access", open(v, 3 | O_TRUNC) as c_long);
        refused("read and empty by openat", openat(at, v, O_RDONLY | O_TRUNC) as c_long);
        refused("create", open(new.as_ptr(), O_WRONLY | O_CREAT, 0o600) as c_long);
        refused("unnamed file", open(text(&outside).as_ptr(), O_TMPFILE | O_WRONLY, 0o600) as c_long);
        refused("unlink", unlink(v) as c_long);
        refused("rmdir", rmdir(folder.as_ptr()) as c_long);
        refused("mkdir", mkdir(new.as_ptr(), 0o700) as c_long);
        refused("rename", rename(v, new.as_ptr()) as c_long);
        refused("rename into the private folder", rename(v, text(private.join("stolen")).as_ptr()) as c_long);
        refused("rename out of it", rename(own.as_ptr(), new.as_ptr()) as c_long);
        refused("link", link(v, new.as_ptr()) as c_long);
        refused("link into the private folder", link(v, text(private.join("linked")).as_ptr()) as c_long);
        refused("symlink", symlink(v, new.as_ptr()) as c_long);
        refused("mkfifo", mkfifo(new.as_ptr(), 0o600) as c_long);
        refused("device", mknod(text(private.join("dev")).as_ptr(), S_IFBLK | 0o600, makedev(8, 0)) as c_long);
        refused("chmod", chmod(v, 0o777) as c_long);
        refused("fchmod", fchmod(read_only, 0o777) as c_long);
        refused("chown", chown(v, 1, 1) as c_long);
        refused("fchown", fchown(read_only, 1, 1) as c_long);
        refused("lchown", lchown(v, 1, 1) as c_long);
        refused("utimensat", utimensat(at, v, moments.as_ptr(), 0) as c_long);
        refused("futimens", futimens(read_only, moments.as_ptr()) as c_long);
        refused("setxattr", setxattr(v, c"user.a".as_ptr(), v.cast(), 1, 0) as c_long);
        refused("fsetxattr", fsetxattr(read_only, c"user.a".as_ptr(), v.cast(), 1, 0) as c_long);
        refused("removexattr", removexattr(v, c"user.a".as_ptr()) as c_long);
        refused("truncate", truncate(v, 0) as c_long);
        refused("flags of a file", ioctl(read_only, 0x4008_6602, &0u64) as c_long);
        for path in
            ["/etc/passwd", "/proc/self/status", "/proc/1/environ", "/root", "/home", "/tmp", "/dev/tty", "/dev/mem"]
        {
            refused(path, open(text(path).as_ptr(), O_RDONLY) as c_long);
        }
        let link_out = text(private.join("way out"));
        assert_eq!(symlink(c"/etc/passwd".as_ptr(), link_out.as_ptr()), 0, "a link in the private folder");
        refused("read through a link", open(link_out.as_ptr(), O_RDONLY) as c_long);
        let dots = text(private.join("../../etc/passwd"));
        refused("read through dots", open(dots.as_ptr(), O_RDONLY) as c_long);
        refused("openat2", syscall(SYS_openat2, at, v, v, 24));
        refused("open_by_handle_at", syscall(SYS_open_by_handle_at, at, v, O_RDONLY));
        for program in ["/bin/true", "/bin/sh", "/usr/bin/env"] {
            let arguments = [std::ptr::null()];
            refused(program, execv(text(program).as_ptr(), arguments.as_ptr()) as c_long);
        }
        for (name, family) in
            [("unix", AF_UNIX), ("inet", AF_INET), ("inet6", AF_INET6), ("netlink", AF_NETLINK), ("packet", AF_PACKET)]
        {
            for kind in [SOCK_STREAM, SOCK_DGRAM, SOCK_RAW] {
                refused(&format!("socket {name} {kind}"), socket(family, kind, 0) as c_long);
            }
        }
        let mut pair = [0; 2];
        refused("pair of datagrams", socketpair(AF_UNIX, SOCK_DGRAM, 0, pair.as_mut_ptr()) as c_long);
        refused("pair of packets", socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair.as_mut_ptr()) as c_long);
        assert_eq!(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair.as_mut_ptr()), 0, "a pair of streams");
        refused("connect", connect(pair[0], v.cast(), 4) as c_long);
        refused("bind", bind(pair[0], v.cast(), 4) as c_long);
        refused("sendto an address", sendto(pair[0], v.cast(), 1, 0, v.cast(), 4) as c_long);
        for signal in [0, SIGUSR1] {
            refused("kill", kill(parent, signal) as c_long);
            refused("kill the group", kill(0, signal) as c_long);
            refused("kill all", kill(-1, signal) as c_long);
            refused("tgkill", syscall(SYS_tgkill, parent, parent, signal));
            refused("tkill", syscall(SYS_tkill, parent, signal));
        }
        assert_eq!(syscall(SYS_tgkill, getpid(), gettid(), 0), 0, "signals to itself");
        refused("pidfd_open", syscall(SYS_pidfd_open, parent, 0));
        refused("ptrace", ptrace(PTRACE_ATTACH, parent, 0, 0));
        let mut byte = 0u8;
        let vector = iovec { iov_base: (&raw mut byte).cast(), iov_len: 1 };
        refused("read memory", process_vm_readv(parent, &raw const vector, 1, &raw const vector, 1, 0) as c_long);
        refused("owner of signals", fcntl(pair[0], F_SETOWN, parent) as c_long);
        let processors: cpu_set_t = std::mem::zeroed();
        refused("processors", sched_setaffinity(parent, size_of::<cpu_set_t>(), &raw const processors) as c_long);
        refused("execveat", syscall(SYS_execveat, at, c"/bin/true".as_ptr(), 0, 0, 0));
        refused("priority", setpriority(PRIO_PROCESS, parent as u32, 5) as c_long);
        let unlimited = rlimit { rlim_cur: RLIM_INFINITY, rlim_max: RLIM_INFINITY };
        refused("raise a limit", setrlimit(RLIMIT_FSIZE, &raw const unlimited) as c_long);
        refused("limit of another", syscall(SYS_prlimit64, parent, RLIMIT_CPU, &raw const unlimited, 0));
        refused("mount", mount(v, folder.as_ptr(), c"tmpfs".as_ptr(), 0, std::ptr::null()) as c_long);
        refused("unshare", unshare(CLONE_NEWUSER) as c_long);
        refused("clone into a namespace", syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0));
        refused("clone3", syscall(SYS_clone3, v, 64));
        refused("chroot", chroot(v) as c_long);
        refused("io_uring", syscall(SYS_io_uring_setup, 1, v));
        refused("bpf", syscall(SYS_bpf, 0, v, 0));
        refused("shared memory", shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0o600) as c_long);
        refused("message queue", mq_open(c"/beagle".as_ptr(), O_RDONLY | O_CREAT, 0o600, 0) as c_long);
        refused("keys", syscall(SYS_keyctl, 0, -3, 0, 0, 0));
        refused("the clock", clock_settime(CLOCK_REALTIME, &raw const moments[0]) as c_long);
        refused("the host's name", sethostname(v, 1) as c_long);
        refused("a call of the future", syscall(10_000));
        #[cfg(target_arch = "x86_64")]
        refused("chmod of the second table", syscall(0x4000_0000 + SYS_chmod, v, 0o777));
    }
    println!("tried {tried}");
}

/// Whoever started Beagle, root included: a child has no capabilities, and cannot get any.
#[test]
fn a_child_has_no_capabilities() {
    for has_loopback in [false, true] {
        // Not everybody may have namespaces.
        if has_loopback && !has_namespaces() {
            continue;
        }
        let (outside, private) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
        let closed = outside.path().join("closed");
        fs::write(&closed, "secret").expect("a file");
        fs::set_permissions(&closed, std::os::unix::fs::PermissionsExt::from_mode(0o0)).expect("its mode");
        let mut command = this_test("child_counts_capabilities");
        command.env(OUTSIDE, outside.path());
        let walls = Sandbox { has_loopback, ..sandbox(&[outside.path()], private.path()) };
        assert!(output(command, Some(&walls)).contains("no capabilities"));
    }
}

fn has_namespaces() -> bool {
    Command::new("unshare").args(["--user", "--net", "true"]).status().is_ok_and(|status| status.success())
}

#[test]
fn child_counts_capabilities() {
    let Some(outside) = std::env::var_os(OUTSIDE).map(PathBuf::from) else { return };
    let (header, mut sets) = ([0x2008_0522_u32, 0], [u32::MAX; 6]);
    // SAFETY: system calls with arguments that live long enough.
    unsafe {
        assert_eq!(libc::syscall(libc::SYS_capget, header.as_ptr(), sets.as_mut_ptr()), 0);
        assert_eq!(sets, [0; 6], "effective, permitted and inheritable, in two words each");
        let is_root = libc::geteuid() == 0;
        let all = (0..64).map(|capability: libc::c_ulong| {
            let bound = libc::prctl(libc::PR_CAPBSET_READ, capability, 0, 0, 0);
            (bound, libc::prctl(libc::PR_CAP_AMBIENT, libc::PR_CAP_AMBIENT_IS_SET, capability, 0, 0))
        });
        let known: Vec<_> = all.take_while(|(bound, _)| *bound != -1).collect();
        assert!(known.len() > 30, "{known:?}");
        assert!(known.iter().all(|(bound, ambient)| (*bound == 0 || !is_root) && *ambient == 0), "{known:?}");
    }
    // Root reads any file by way of a capability.
    let refused = fs::read(outside.join("closed")).expect_err("closed to everybody");
    assert_eq!(refused.kind(), std::io::ErrorKind::PermissionDenied);
    println!("no capabilities");
}

#[test]
fn a_large_file_or_much_memory_is_refused() {
    let private = tempfile::tempdir().expect("a folder");
    let mut command = this_test("child_wants_much");
    command.env(PRIVATE, private.path());
    assert!(output(command, Some(&sandbox(&[], private.path()))).contains("limits hold"));
    assert!(fs::metadata(private.path().join("large")).expect("there").len() <= 1 << 20);
}

#[test]
fn child_wants_much() {
    let Some(private) = std::env::var_os(PRIVATE) else { return };
    // SAFETY: the signal is ignored, so that the write fails instead of ending the process.
    unsafe { libc::signal(libc::SIGXFSZ, libc::SIG_IGN) };
    let mut file = fs::File::create(Path::new(&private).join("large")).expect("a file");
    let block = vec![1; 1 << 19];
    let written = (0..8).take_while(|_| file.write_all(&block).is_ok()).count();
    assert!(written <= 2, "{written} blocks");
    // SAFETY: an anonymous mapping that nobody uses.
    let mapped = unsafe {
        libc::mmap(std::ptr::null_mut(), 8 << 30, libc::PROT_READ, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS, -1, 0)
    };
    assert_eq!(mapped, libc::MAP_FAILED);
    println!("limits hold");
}

/// Descriptors that somebody left open without marking them are not inherited.
#[test]
fn descriptors_are_not_inherited() {
    let private = tempfile::tempdir().expect("a folder");
    let file = fs::File::create(private.path().join("left open")).expect("a file");
    // SAFETY: the descriptor is open.
    let left_open = unsafe { libc::dup(std::os::fd::AsRawFd::as_raw_fd(&file)) };
    let mut command = this_test("child_counts_descriptors");
    command.env(PRIVATE, left_open.to_string());
    assert!(output(command, Some(&sandbox(&[], private.path()))).contains("closed"));
}

#[test]
fn child_counts_descriptors() {
    let Some(number) = std::env::var_os(PRIVATE) else { return };
    let number: i32 = number.to_str().and_then(|text| text.parse().ok()).expect("a number");
    // SAFETY: a plain system call.
    println!("{}", if unsafe { libc::fcntl(number, libc::F_GETFD) } == -1 { "closed" } else { "open" });
}

/// The channel carries bytes, while standard output goes where errors go.
#[test]
fn a_channel_is_apart_from_standard_streams() {
    let numbers = channel().expect("numbers");
    let mut command = this_test("child_speaks_on_its_channel");
    command.env(PRIVATE, format!("{} {}", numbers.input, numbers.output));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let (mut child, _) = spawn_with(command, None, Some(numbers)).expect("it starts");
    child.stdin.take().expect("a pipe").write_all(b"ping").expect("it listens");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "ping pong");
    assert!(String::from_utf8_lossy(&output.stderr).contains("printed"), "{output:?}");
}

#[test]
fn child_speaks_on_its_channel() {
    use std::os::fd::FromRawFd;
    let Ok(numbers) = std::env::var(PRIVATE) else { return };
    let numbers: Vec<i32> = numbers.split(' ').map(|number| number.parse().expect("a number")).collect();
    // SAFETY: the numbers are those of the channel, which nobody else uses here.
    let (mut input, mut output) = unsafe { (fs::File::from_raw_fd(numbers[0]), fs::File::from_raw_fd(numbers[1])) };
    println!("printed");
    let mut nothing = String::new();
    std::io::stdin().read_to_string(&mut nothing).expect("empty");
    assert_eq!(nothing, "");
    let mut heard = [0; 4];
    input.read_exact(&mut heard).expect("it speaks");
    output.write_all(&heard).expect("it listens");
    output.write_all(b" pong").expect("it listens");
}

/// Whoever dies takes children with it, whichever of its threads asked for them.
#[test]
fn children_end_with_their_parent_and_not_with_a_thread() {
    let mut command = this_test("parent_starts_a_child");
    command.env(PARENT, "yes").stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut parent = spawn(command).expect("it starts");
    let mut said = String::new();
    let mut output = std::io::BufReader::new(parent.stdout.take().expect("a pipe"));
    let child: libc::pid_t = loop {
        said.clear();
        std::io::BufRead::read_line(&mut output, &mut said).expect("it speaks");
        if let Some(number) = said.trim().strip_prefix("process ") {
            break number.parse().expect("a number");
        }
    };
    // SAFETY: asking whether a process is there.
    let is_alive = || unsafe { libc::kill(child, 0) } == 0 && !is_zombie(child);
    assert!(is_alive(), "it outlives the thread that asked for it");
    parent.kill().expect("alive");
    parent.wait().expect("dead");
    let gone = (0..100).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(20));
        !is_alive()
    });
    assert!(gone, "process {child} is left");
}

/// Programs and processes are started while the door is open, and by nobody afterwards.
#[test]
fn nothing_is_started_once_the_door_is_shut() {
    let private = tempfile::tempdir().expect("a folder");
    let mut command = this_test("child_starts_processes");
    command.env(PRIVATE, private.path()).stdin(Stdio::piped()).stdout(Stdio::piped());
    let (mut child, mut door) = spawn_with(command, Some(&sandbox(&[], private.path())), None).expect("it starts");
    let mut output = std::io::BufReader::new(child.stdout.take().expect("a pipe"));
    let mut heard = String::new();
    while !heard.ends_with("door\n") {
        assert!(std::io::BufRead::read_line(&mut output, &mut heard).expect("it speaks") > 0, "{heard}");
    }
    door.shut();
    child.stdin.take().expect("a pipe").write_all(b"shut").expect("it listens");
    output.read_to_string(&mut heard).expect("it speaks");
    assert!(child.wait().expect("it ends").success(), "{heard}");
    let (open, shut) = heard.split_once("door\n").expect("two parts");
    let lines = |part: &str, start: &str| part.lines().filter(|line| line.starts_with(start)).count();
    assert_eq!((lines(open, "started"), lines(open, "refused")), (5, 0), "{heard}");
    assert_eq!((lines(shut, "started"), lines(shut, "refused")), (0, 5), "{heard}");
    assert!(shut.contains("a thread ran"), "{heard}");
}

#[test]
fn child_starts_processes() {
    if std::env::var_os(PRIVATE).is_none_or(|path| !Path::new(&path).is_dir()) {
        return;
    }
    let own = text(std::env::current_exe().expect("this test"));
    let start_all = || {
        // SAFETY: the processes that are started make system calls only, and end.
        unsafe {
            use libc::*;
            let report = |what: &str, process: c_long| match number(process) {
                Err(error) => println!("refused {what}: {}", std::io::Error::from_raw_os_error(error)),
                Ok(0) => _exit(0),
                Ok(process) => {
                    let mut status = 0;
                    waitpid(process as pid_t, &raw mut status, 0);
                    println!("started {what}");
                }
            };
            report("fork", fork() as c_long);
            report("clone", syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0));
            #[cfg(target_arch = "x86_64")]
            report("fork by its number", syscall(SYS_fork));
            #[cfg(not(target_arch = "x86_64"))]
            report("clone once more", syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0));
            let arguments = [own.as_ptr(), c"--list".as_ptr(), std::ptr::null()];
            let mut process = 0;
            let (actions, attributes) = (std::ptr::null(), std::ptr::null());
            let failed =
                posix_spawn(&raw mut process, own.as_ptr(), actions, attributes, arguments.as_ptr().cast(), environ);
            *__errno_location() = failed;
            report("posix_spawn", if failed == 0 { process as c_long } else { -1 });
            // Without arguments nothing is executed: the call asks for the permission all the same.
            let executed = syscall(SYS_execve, c"".as_ptr(), arguments.as_ptr(), 0);
            match number(executed) {
                Err(ENOENT) => println!("started execve"),
                Err(error) => println!("refused execve: {}", std::io::Error::from_raw_os_error(error)),
                Ok(_) => println!("BROKEN execve"),
            }
        }
    };
    println!();
    start_all();
    println!("door");
    let mut received = [0; 4];
    std::io::stdin().read_exact(&mut received).expect("it speaks");
    start_all();
    std::thread::spawn(|| println!("a thread ran")).join().expect("a thread");
}

fn is_zombie(process: libc::pid_t) -> bool {
    fs::read_to_string(format!("/proc/{process}/stat")).map_or(true, |stat| stat.contains(") Z "))
}

#[test]
fn parent_starts_a_child() {
    if std::env::var_os(PARENT).is_none_or(|value| value != "yes") {
        return;
    }
    let asks = || {
        let mut command = Command::new("sleep");
        command.arg("60").stdin(Stdio::null()).stdout(Stdio::null());
        spawn(command).expect("it starts")
    };
    let mut child = std::thread::spawn(asks).join().expect("the thread ends");
    println!("\nprocess {}", child.id());
    let mut nothing = String::new();
    let _ = std::io::stdin().read_to_string(&mut nothing);
    // Only if nobody has killed us before.
    child.kill().expect("alive");
    child.wait().expect("dead");
}

const NAMED: &str = "SANDBOX_NAMED";

/// A link that somebody puts into a path after it was checked leads nowhere.
#[test]
fn readable_paths_are_opened_without_links() {
    let folder = tempfile::tempdir().expect("a folder");
    let private = tempfile::tempdir().expect("a folder");
    let root = fs::canonicalize(folder.path()).expect("a path");
    fs::create_dir_all(root.join("project/real")).expect("a folder");
    fs::create_dir_all(root.join("outside/inner")).expect("a folder");
    for file in ["project/real/file", "project/file", "outside/file", "outside/inner/file"] {
        fs::write(root.join(file), "content").expect("a file");
    }
    for (link, target) in [("last", "outside"), ("first", "outside"), ("single", "outside/file")] {
        std::os::unix::fs::symlink(root.join(target), root.join("project").join(link)).expect("a link");
    }
    let readable = ["project/real", "project/file", "project/last", "project/first/inner", "project/single"];
    let readable: Vec<PathBuf> = readable.iter().map(|path| root.join(path)).collect();
    let readable: Vec<&Path> = readable.iter().map(PathBuf::as_path).collect();
    let mut command = this_test("child_reads_what_is_named");
    command.env(NAMED, &root);
    let said = output(command, Some(&sandbox(&readable, private.path())));
    let read: Vec<&str> = said.lines().filter_map(|line| line.strip_prefix("read ")).collect();
    assert_eq!(read, ["project/real/file", "project/file"], "{said}");
}

/// Does nothing in the parent.
#[test]
fn child_reads_what_is_named() {
    let Some(root) = std::env::var_os(NAMED).map(PathBuf::from) else { return };
    println!();
    let files = [
        "project/real/file", "project/file", "project/last/file", "project/first/inner/file", "project/single",
        "outside/file", "outside/inner/file",
    ];
    for file in files {
        match fs::read(root.join(file)) {
            Ok(_) => println!("read {file}"),
            Err(error) => println!("held {file}: {error}"),
        }
    }
}
