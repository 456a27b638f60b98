//! A checkout that tries to lead Beagle elsewhere, and everything around it, watched from outside.
//!
//! What must not happen: a file outside is changed, made, removed or opened; the secret comes out; a program that the
//! checkout brings along runs; a command waits for something that never comes, ends with a code that is not documented, or
//! leaves a process behind; something that terminals obey is written.

use crate::attack::kills::{in_a_session_of_its_own, in_session};
use crate::attack::outside::{Outside, SECRET};
use crate::attack::{cache, is_full};
use std::collections::{BTreeMap, HashMap};
use std::ffi::{CString, OsStr};
use std::fs::{self, File};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// The codes that the manual names. 3 is a defect.
const DOCUMENTED: [i32; 4] = [0, 1, 2, 4];

/// Nothing takes as long, not even on a computer with other work; what does waits for ever.
const PATIENCE: Duration = Duration::from_secs(300);

pub const PLAIN: &str = "-module(plain).\n-export([f/1]).\n-spec f(integer()) -> ok.\nf(7) -> no;\nf(_) -> ok.\n";

/// What a quick search needs.
pub const QUICK: [&str; 7] = ["test", "--no-build", "--fresh", "--no-confirm", "--budget", "200ms", "-q"];

pub struct World {
    folder: TempDir,
    pub outside: Outside,
    watch: Watch,
    /// Of all commands: `None` takes a variable away.
    pub variables: HashMap<&'static str, Option<String>>,
}

/// What a command came to.
pub struct Ran {
    pub said: String,
    pub code: Option<i32>,
    pub wrongs: Vec<String>,
}

impl World {
    pub fn new() -> World {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["home", "config", "tmp", "elsewhere", "marks", "tools", "checkout/src"] {
            fs::create_dir_all(folder.path().join(name)).expect("a folder");
        }
        let outside = Outside::new();
        plant_code(outside.folder.path());
        let mut watch = Watch::new();
        [outside.folder.path(), &folder.path().join("home"), &folder.path().join("config")]
            .into_iter()
            .for_each(|folder| watch.add_all(folder));
        watch.add(&folder.path().join("tmp"));
        let world = World { folder, outside, watch, variables: HashMap::new() };
        world.write("rebar.config", "");
        world.write("src/plain.app.src", "{application, plain, [{vsn, \"1\"}]}.");
        world.write("src/plain.erl", PLAIN);
        world
    }

    pub fn place(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn checkout(&self) -> PathBuf {
        self.place("checkout")
    }

    pub fn out(&self) -> PathBuf {
        self.outside.folder.path().to_path_buf()
    }

    pub fn write(&self, name: impl AsRef<Path>, text: impl AsRef<[u8]>) {
        let file = self.checkout().join(name);
        fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
        fs::write(&file, text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    }

    pub fn link(&self, name: impl AsRef<Path>, target: impl AsRef<Path>) {
        let link = self.checkout().join(name);
        fs::create_dir_all(link.parent().expect("a folder")).expect("a folder");
        symlink(target, &link).unwrap_or_else(|error| panic!("{}: {error}", link.display()));
    }

    pub fn fifo(&self, name: impl AsRef<Path>) {
        let path = CString::new(self.checkout().join(name).as_os_str().as_bytes()).expect("a path");
        // SAFETY: the path ends with a zero.
        assert_eq!(unsafe { libc::mkfifo(path.as_ptr(), 0o600) }, 0);
    }

    /// The command that a program of the checkout would have executed, had it run.
    pub fn mark(&self, name: &str) -> String {
        format!("touch {}", self.place("marks").join(name).display())
    }

    /// Writes a program that leaves a mark, and then ends as `ending` says.
    pub fn program(&self, file: &Path, ending: &str) {
        let name = file.file_name().expect("a name").to_string_lossy();
        fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
        fs::write(file, format!("#!/bin/sh\n{}\n{ending}\n", self.mark(&name))).expect("a file");
        fs::set_permissions(file, fs::Permissions::from_mode(0o755)).expect("executable");
    }

    pub fn marks(&self) -> Vec<String> {
        let names = fs::read_dir(self.place("marks")).expect("a folder").flatten();
        names.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
    }

    pub fn command(&self, folder: &Path, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_beagle"));
        command.args(args).current_dir(folder).env("BEAGLE_CACHE", cache());
        command.env("HOME", self.place("home")).env("XDG_CONFIG_HOME", self.place("config"));
        command.env("TMPDIR", self.place("tmp")).env("BEAGLE_ATTACK_SECRET", SECRET);
        for name in ["XDG_CACHE_HOME", "ERL_LIBS", "REBAR_BASE_DIR", "MIX_ENV", "BEAGLE_ERL", "BEAGLE_SOLVER"] {
            command.env_remove(name);
        }
        for (name, value) in &self.variables {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        command
    }

    pub fn run(&mut self, args: &[&str]) -> Ran {
        let command = self.command(&self.checkout(), args);
        self.observe(command)
    }

    /// Runs a command, and says everything that was wrong about it.
    pub fn observe(&mut self, command: Command) -> Ran {
        self.observe_until(command, || {})
    }

    /// Likewise, and calls `ended` as soon as the command has ended.
    pub fn observe_until(&mut self, mut command: Command, ended: impl FnOnce()) -> Ran {
        let [out, errors] = ["stdout", "stderr"].map(|name| self.place(name));
        command.stdin(Stdio::null());
        command.stdout(File::create(&out).expect("a file")).stderr(File::create(&errors).expect("a file"));
        self.outside.settle();
        self.watch.events();
        let mut child = in_a_session_of_its_own(&mut command).spawn().expect("beagle can be started");
        let session = child.id() as libc::pid_t;
        let end = Instant::now() + PATIENCE;
        let mut wrongs = Vec::new();
        let status = loop {
            match child.try_wait().expect("a child") {
                Some(status) => break status,
                None if Instant::now() > end => {
                    wrongs.push("it waits for ever".to_owned());
                    // SAFETY: the session is that of our child, which was not waited for.
                    unsafe { libc::kill(-session, libc::SIGKILL) };
                    break child.wait().expect("a child");
                }
                None => sleep(Duration::from_millis(5)),
            }
        };
        ended();
        // Before anything is opened here.
        wrongs.extend(self.strange_events());
        let said = [&out, &errors].map(|file| fs::read(file).expect("a file"));
        wrongs.extend(self.wrongs(&said.concat(), status));
        wrongs.extend(processes_left(session));
        let said = String::from_utf8_lossy(&said.concat()).into_owned();
        // The next command begins as this one did.
        fs::read_dir(self.place("marks")).expect("a folder").flatten().for_each(|mark| {
            fs::remove_file(mark.path()).expect("a mark");
        });
        Ran { said, code: status.code(), wrongs }
    }

    fn wrongs(&mut self, said: &[u8], status: std::process::ExitStatus) -> Vec<String> {
        let mut wrongs = Vec::new();
        match status.code() {
            Some(code) if DOCUMENTED.contains(&code) => {}
            code => wrongs.push(format!("it ended with {code:?}, signal {:?}", status.signal())),
        }
        let text = String::from_utf8_lossy(said);
        if text.contains("panicked at") {
            wrongs.push("it panicked".to_owned());
        }
        if text.contains(SECRET) {
            wrongs.push("it told the secret".to_owned());
        }
        if text.lines().any(|line| line.trim_start().starts_with("::error::owned")) {
            wrongs.push("a name became a line of its own, which is a command".to_owned());
        }
        if let Some(strange) = text.chars().find(|c| c.is_control() && !"\n\t".contains(*c)) {
            wrongs.push(format!("it wrote {strange:?}, which a terminal obeys"));
        }
        wrongs.extend(self.outside.damage());
        wrongs.extend(self.marks().into_iter().map(|mark| format!("{mark} ran")));
        let places = ["checkout", "elsewhere", "home", "tmp"].map(|name| self.place(name));
        wrongs.extend(places.iter().flat_map(|place| telling_files(place)));
        wrongs
    }

    /// What was done outside and in the user's folders while the command ran.
    fn strange_events(&mut self) -> Vec<String> {
        let tmp = self.place("tmp");
        let events = self.watch.events().into_iter();
        let strange = events.filter(|(path, what)| match path.parent() == Some(&tmp) || *path == tmp {
            // Its own folders are there.
            true => *what == "made" && !path.file_name().unwrap_or_default().as_bytes().starts_with(b"beagle-"),
            // Whoever looks for its own configuration opens a folder of the user's, and changes nothing.
            false => *what != "opened" || path.starts_with(self.outside.folder.path()),
        });
        let mut strange: Vec<String> = strange.map(|(path, what)| format!("{} was {what}", path.display())).collect();
        strange.dedup();
        strange
    }
}

/// Puts what a checkout could be interested in outside: code, a description, a configuration, each with the secret in it.
fn plant_code(out: &Path) {
    let code = PLAIN.replace("plain", "stolen").replace("no;", &format!("no; % {SECRET}"));
    fs::create_dir(out.join("src")).expect("a folder");
    for name in ["stolen.erl", "folder/stolen.erl", "src/stolen.erl"] {
        fs::write(out.join(name), &code).expect("a file");
    }
    fs::write(out.join("src/stolen.app.src"), format!("{{application, stolen, [{{vsn, \"{SECRET}\"}}]}}."))
        .expect("a file");
    fs::write(out.join("secret.config"), format!("{SECRET}.")).expect("a file");
    fs::write(out.join("secret.hrl"), format!("-define(STOLEN, \"{SECRET}\").")).expect("a file");
}

/// Whoever ends leaves nobody behind. A loaded computer takes its time.
fn processes_left(session: libc::pid_t) -> Option<String> {
    let gone = (0..1000).any(|_| {
        let is_empty = in_session(session).is_empty();
        if !is_empty {
            sleep(Duration::from_millis(10));
        }
        is_empty
    });
    (!gone).then(|| format!("processes are left: {:?}", in_session(session)))
}

/// The files below a folder that have the secret in them. One that has other names is the user's.
fn telling_files(folder: &Path) -> Vec<String> {
    let mut telling = Vec::new();
    let mut pending = vec![folder.to_path_buf()];
    while let Some(folder) = pending.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let Ok(found) = fs::symlink_metadata(entry.path()) else { continue };
            if found.is_dir() {
                pending.push(entry.path());
            } else if found.is_file() && found.nlink() == 1 && found.len() < 1 << 24 {
                let text = fs::read(entry.path()).unwrap_or_default();
                if text.windows(SECRET.len()).any(|part| part == SECRET.as_bytes()) {
                    telling.push(format!("{} has the secret", entry.path().display()));
                }
            }
        }
    }
    telling
}

/// What the kernel tells of folders.
struct Watch {
    descriptor: OwnedFd,
    folders: HashMap<i32, PathBuf>,
}

impl Watch {
    fn new() -> Watch {
        // SAFETY: the descriptor is new and nobody else's.
        let descriptor = unsafe {
            let descriptor = libc::inotify_init1(libc::IN_NONBLOCK | libc::IN_CLOEXEC);
            assert_ne!(descriptor, -1, "{}", std::io::Error::last_os_error());
            OwnedFd::from_raw_fd(descriptor)
        };
        Watch { descriptor, folders: HashMap::new() }
    }

    fn add(&mut self, folder: &Path) {
        let path = CString::new(folder.as_os_str().as_bytes()).expect("a path");
        let wanted = libc::IN_CREATE
            | libc::IN_MODIFY
            | libc::IN_ATTRIB
            | libc::IN_DELETE
            | libc::IN_MOVED_FROM
            | libc::IN_MOVED_TO
            | libc::IN_OPEN;
        // SAFETY: the path ends with a zero.
        let number = unsafe { libc::inotify_add_watch(self.descriptor.as_raw_fd(), path.as_ptr(), wanted) };
        assert_ne!(number, -1, "{}: {}", folder.display(), std::io::Error::last_os_error());
        self.folders.insert(number, folder.to_path_buf());
    }

    fn add_all(&mut self, folder: &Path) {
        self.add(folder);
        for entry in fs::read_dir(folder).expect("a folder").flatten() {
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                self.add_all(&entry.path());
            }
        }
    }

    /// What has happened since the last time.
    fn events(&mut self) -> Vec<(PathBuf, &'static str)> {
        const HEAD: usize = size_of::<libc::inotify_event>();
        let mut events = Vec::new();
        let mut bytes = vec![0u8; 1 << 16];
        loop {
            // SAFETY: the kernel writes at most as many bytes as there are.
            let count = unsafe { libc::read(self.descriptor.as_raw_fd(), bytes.as_mut_ptr().cast(), bytes.len()) };
            let Ok(count @ 1..) = usize::try_from(count) else { return events };
            let mut rest = &bytes[..count];
            while rest.len() >= HEAD {
                let number = |at: usize| u32::from_ne_bytes(rest[at..at + 4].try_into().expect("four bytes"));
                let (watch, mask, length) = (number(0) as i32, number(4), number(12) as usize);
                let name = rest[HEAD..HEAD + length].split(|byte| *byte == 0).next().unwrap_or_default();
                let what = match mask {
                    _ if mask & libc::IN_OPEN != 0 => "opened",
                    _ if mask & (libc::IN_CREATE | libc::IN_MOVED_TO) != 0 => "made",
                    _ if mask & (libc::IN_DELETE | libc::IN_MOVED_FROM) != 0 => "removed",
                    _ => "changed",
                };
                if let Some(folder) = self.folders.get(&watch) {
                    events.push((folder.join(OsStr::from_bytes(name)), what));
                }
                rest = &rest[HEAD + length..];
            }
        }
    }
}

/// What was tried, and what held, by area.
#[derive(Default)]
pub struct Tally {
    areas: BTreeMap<String, (usize, usize)>,
    wrongs: Vec<String>,
}

impl Tally {
    pub fn add(&mut self, area: &str, what: &str, ran: &Ran) {
        self.add_wrongs(area, what, &ran.wrongs, &ran.said);
    }

    /// Likewise of a command that has to end with one of these codes.
    pub fn add_ending(&mut self, area: &str, what: &str, ran: &Ran, codes: &[i32]) {
        let mut wrongs = ran.wrongs.clone();
        if !ran.code.is_some_and(|code| codes.contains(&code)) {
            wrongs.push(format!("it ended with {:?} and not with {codes:?}", ran.code));
        }
        self.add_wrongs(area, what, &wrongs, &ran.said);
    }

    fn add_wrongs(&mut self, area: &str, what: &str, wrongs: &[String], said: &str) {
        let (tried, held) = self.areas.entry(area.to_owned()).or_default();
        *tried += 1;
        *held += usize::from(wrongs.is_empty());
        if !wrongs.is_empty() {
            let said: String = said.chars().take(1500).collect();
            self.wrongs.push(format!("{area}, {what}: {wrongs:#?}\n{said}\n"));
        }
    }

    /// Prints the figures, and fails if anything did not hold.
    pub fn finish(self) {
        let form = if is_full() { "all" } else { "some" };
        for (area, (tried, held)) in &self.areas {
            println!("{area}: {held} of {tried} attacks held ({form} combinations)");
        }
        assert!(self.wrongs.is_empty(), "{}", self.wrongs.join("\n"));
    }
}
