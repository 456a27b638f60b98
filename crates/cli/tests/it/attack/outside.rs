//! What must not change: a folder with files, sockets that listen, and a process.

use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, TargetArch, apply_filter};
use std::collections::BTreeMap;
use std::fs;
use std::net::{TcpListener, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::MetadataExt;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command};
use tempfile::TempDir;

pub const SECRET: &str = "the secret that nobody may read";

pub struct Outside {
    pub folder: TempDir,
    tcp: TcpListener,
    udp: UdpSocket,
    local: UnixListener,
    hidden: UnixListener,
    process: Child,
    before: BTreeMap<String, Content>,
}

impl Outside {
    pub fn new() -> Outside {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path();
        fs::write(path.join("victim"), "content").expect("a file");
        fs::write(path.join("secret"), SECRET).expect("a file");
        fs::create_dir_all(path.join("folder/deeper")).expect("a folder");
        fs::write(path.join("folder/deeper/file"), "deep").expect("a file");
        let local = UnixListener::bind(path.join("socket")).expect("a socket");
        let name = format!("beagle-attack-{}-{}", std::process::id(), path.display());
        let address = SocketAddr::from_abstract_name(name.as_bytes()).expect("a name");
        let hidden = UnixListener::bind_addr(&address).expect("an abstract socket");
        let tcp = TcpListener::bind("127.0.0.1:0").expect("a port");
        let udp = UdpSocket::bind("127.0.0.1:0").expect("a port");
        tcp.set_nonblocking(true).expect("a socket");
        udp.set_nonblocking(true).expect("a socket");
        local.set_nonblocking(true).expect("a socket");
        hidden.set_nonblocking(true).expect("a socket");
        let process = Command::new("sleep").arg("3600").spawn().expect("a process");
        let before = content(path);
        Outside { folder, tcp, udp, local, hidden, process, before }
    }

    /// What attacks need to know, as macros of Erlang.
    pub fn macros(&self) -> String {
        let path = self.folder.path().display();
        format!(
            "-define(OUT, \"{path}\").\n-define(TCP, {}).\n-define(UDP, {}).\n-define(PID, \"{}\").\n\
             -define(HIDDEN, <<0, \"beagle-attack-{}-{path}\">>).\n",
            self.tcp.local_addr().expect("bound").port(),
            self.udp.local_addr().expect("bound").port(),
            self.process.id(),
            std::process::id(),
        )
    }

    /// Takes what is there now for what must not change.
    pub fn settle(&mut self) {
        self.before = content(self.folder.path());
    }

    /// Everything that is not as it was.
    pub fn damage(&mut self) -> Vec<String> {
        let mut damage = Vec::new();
        let mut after = content(self.folder.path());
        for (path, was) in &self.before {
            if let Some(is) = after.get_mut(path) {
                is.forgive_lost_name(was);
            }
        }
        for (path, was) in &self.before {
            match after.get(path) {
                None => damage.push(format!("{path} is gone")),
                Some(is) if is != was => damage.push(format!("{path} was {was:?} and is {is:?}")),
                Some(_) => {}
            }
        }
        let new = after.keys().filter(|path| !self.before.contains_key(*path));
        damage.extend(new.map(|path| format!("{path} is new")));
        if self.tcp.accept().is_ok() {
            damage.push("a connection".to_owned());
        }
        if self.udp.recv_from(&mut [0; 16]).is_ok() {
            damage.push("a datagram".to_owned());
        }
        if self.local.accept().is_ok() {
            damage.push("a connection to a local socket".to_owned());
        }
        if self.hidden.accept().is_ok() {
            damage.push("a connection to an abstract socket".to_owned());
        }
        if !matches!(self.process.try_wait(), Ok(None)) {
            damage.push("the process was ended".to_owned());
        }
        self.settle();
        damage
    }
}

impl Drop for Outside {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// All that can be changed about a file.
#[derive(Debug, PartialEq, Eq)]
struct Content {
    mode: u32,
    owner: (u32, u32),
    names: u64,
    modified: (i64, i64),
    changed: (i64, i64),
    text: String,
}

impl Content {
    /// A file with a second name in the checkout loses that name when the checkout's file is replaced, as it should be: the
    /// number of names and the time of that change say nothing then.
    fn forgive_lost_name(&mut self, before: &Content) {
        if before.names > 1 && self.names == before.names - 1 {
            (self.names, self.changed) = (before.names, before.changed);
        }
    }
}

/// Every file below a folder.
fn content(folder: &Path) -> BTreeMap<String, Content> {
    let mut found = BTreeMap::new();
    let mut pending = vec![folder.to_path_buf()];
    while let Some(path) = pending.pop() {
        let metadata = fs::symlink_metadata(&path).expect("it is there");
        let text = match metadata.is_symlink() {
            true => fs::read_link(&path).map(|target| target.display().to_string()).unwrap_or_default(),
            false if metadata.is_file() => fs::read_to_string(&path).unwrap_or_default(),
            false => String::new(),
        };
        let content = Content {
            mode: metadata.mode(),
            owner: (metadata.uid(), metadata.gid()),
            // A folder loses a link with each folder in it.
            names: if metadata.is_file() { metadata.nlink() } else { 1 },
            modified: (metadata.mtime(), metadata.mtime_nsec()),
            changed: (metadata.ctime(), metadata.ctime_nsec()),
            text,
        };
        found.insert(path.display().to_string(), content);
        if metadata.is_dir() {
            pending.extend(fs::read_dir(&path).expect("readable").map(|entry| entry.expect("it").path()));
        }
    }
    found
}

/// As if the kernel had never heard of it.
pub fn without_landlock(command: &mut Command) {
    let calls = [libc::SYS_landlock_create_ruleset, libc::SYS_landlock_add_rule, libc::SYS_landlock_restrict_self];
    without(command, &calls, libc::ENOSYS);
}

/// As in a container that may make no namespaces.
pub fn without_namespaces(command: &mut Command) {
    without(command, &[libc::SYS_unshare], libc::EPERM);
}

fn without(command: &mut Command, calls: &[libc::c_long], error: i32) {
    let rules = calls.iter().map(|call| (*call, Vec::new())).collect();
    let absent = SeccompAction::Errno(error as u32);
    let architecture = TargetArch::try_from(std::env::consts::ARCH).expect("a processor with filters");
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, absent, architecture).expect("a filter");
    let program: BpfProgram = filter.try_into().expect("a program");
    // SAFETY: between fork and exec only system calls are made.
    unsafe {
        command.pre_exec(move || apply_filter(&program).map_err(|_| std::io::ErrorKind::Unsupported.into()));
    }
}
