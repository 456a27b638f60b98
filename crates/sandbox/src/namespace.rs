//! Process namespaces for sandboxed children: when the first process of a namespace ends, the kernel kills all others
//! in it.
//!
//! A process cannot move into another process namespace; only those that it starts afterwards are in it. So the child
//! that the standard library has started asks for the namespace, starts a second process beside itself
//! (`CLONE_PARENT`), which goes on to become the program, and ends. The second one is a child of Beagle, too, so the
//! kernel kills it when Beagle dies. No other process is left: one that only waits would hold a copy of Beagle's memory
//! as long as it lives.
//!
//! Inside, the program has the number 1. Signals without a handler that it sends to itself have no effect on such a
//! process: a program that aborts ends by the instruction that follows, as with a memory fault.

use crate::loopback::Identity;
use crate::spawner::die_with_parent;
use std::io::{self, Read};
use std::os::fd::{AsRawFd, RawFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::sync::OnceLock;

/// The way in which a child gets its process namespace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// The process has the right to administer the system.
    Privileged,
    /// The child gets a user namespace as well, in which it keeps its user and group.
    WithUsers,
}

impl Way {
    fn flags(self) -> libc::c_int {
        match self {
            Way::Privileged => libc::CLONE_NEWPID,
            Way::WithUsers => libc::CLONE_NEWPID | libc::CLONE_NEWUSER,
        }
    }
}

/// Everything that the child needs to enter its namespace with system calls only.
pub(crate) struct Entrance {
    way: Way,
    identity: Identity,
    /// The socket to which the number of the second process is sent.
    birth: UnixStream,
}

/// The socket from which the parent reads the number of the second process.
pub(crate) struct Birth(UnixStream);

impl Entrance {
    /// Prepares a namespace, or returns `None` where there are no process namespaces.
    pub fn new() -> io::Result<Option<(Entrance, Birth)>> {
        match availability() {
            Ok(way) => Entrance::by(*way).map(Some),
            Err(_) => Ok(None),
        }
    }

    fn by(way: Way) -> io::Result<(Entrance, Birth)> {
        let (birth, ours) = UnixStream::pair()?;
        ours.set_nonblocking(true)?;
        Ok((Entrance { way, identity: Identity::new(), birth }, Birth(ours)))
    }

    /// In the child: enters the namespace, and returns in the second process, which the kernel kills when the parent
    /// dies.
    pub fn enter(&self, parent: u32) -> io::Result<()> {
        let mut pair: [RawFd; 2] = [0; 2];
        // SAFETY: plain system calls, with arguments that live long enough. The process that `clone` starts has a copy of
        // this one's memory, as after fork.
        unsafe {
            let leads_group = libc::getpgrp() == libc::getpid();
            must(libc::unshare(self.way.flags()))?;
            if self.way == Way::WithUsers {
                self.identity.keep()?;
            }
            must(libc::socketpair(libc::AF_UNIX, libc::SOCK_STREAM | libc::SOCK_CLOEXEC, 0, pair.as_mut_ptr()))?;
            let [before, after] = pair;
            let flags = libc::c_long::from(libc::CLONE_PARENT | libc::SIGCHLD);
            match libc::syscall(libc::SYS_clone, flags, 0, 0, 0, 0) {
                -1 => Err(io::Error::last_os_error()),
                0 => {
                    libc::close(before);
                    die_with_parent()?;
                    // It cannot see its parent from inside the namespace. The first process can, and answers only if
                    // Beagle lives.
                    if !tell(after, &[0]) || !hears(after) {
                        libc::_exit(1);
                    }
                    libc::close(after);
                    if leads_group { must(libc::setpgid(0, 0)) } else { Ok(()) }
                }
                number => {
                    libc::close(after);
                    let number = (number as libc::pid_t).to_ne_bytes();
                    if hears(before) && libc::getppid() as u32 == parent && tell(self.birth.as_raw_fd(), &number) {
                        tell(before, &[0]);
                    }
                    libc::_exit(0)
                }
            }
        }
    }
}

impl Birth {
    /// Returns the number of the second process, or `None` if there is none: then the first one is the program, or
    /// failed before.
    pub fn number(mut self) -> Option<libc::pid_t> {
        let mut number = [0; size_of::<libc::pid_t>()];
        self.0.read_exact(&mut number).ok().map(|()| libc::pid_t::from_ne_bytes(number))
    }
}

fn must(result: libc::c_int) -> io::Result<()> {
    if result == -1 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

fn tell(socket: RawFd, bytes: &[u8]) -> bool {
    // SAFETY: as many bytes are read as there are.
    let sent = unsafe { libc::send(socket, bytes.as_ptr().cast(), bytes.len(), libc::MSG_NOSIGNAL) };
    sent == bytes.len() as isize
}

fn hears(socket: RawFd) -> bool {
    let mut byte = 0u8;
    // SAFETY: one byte is written, which lives here.
    unsafe { libc::read(socket, (&raw mut byte).cast(), 1) == 1 }
}

/// Returns how children get a process namespace, or why they get none. A child tries it once per process of Beagle.
fn availability() -> &'static Result<Way, String> {
    static KNOWN: OnceLock<Result<Way, String>> = OnceLock::new();
    KNOWN.get_or_init(|| {
        let attempts = [Way::Privileged, Way::WithUsers].map(|way| attempt(way).map(|()| way));
        match attempts {
            [Ok(way), _] | [_, Ok(way)] => Ok(way),
            [_, Err(error)] => Err(error.to_string()),
        }
    })
}

/// The error with which a successful attempt ends.
const ARRIVED: i32 = libc::ECANCELED;

fn attempt(way: Way) -> io::Result<()> {
    let (entrance, birth) = Entrance::by(way)?;
    let parent = std::process::id();
    // Nothing is executed: the attempt ends with an error in any case.
    let mut command = Command::new("/");
    // SAFETY: between fork and exec only system calls are made.
    unsafe {
        command.pre_exec(move || entrance.enter(parent).and_then(|()| Err(io::Error::from_raw_os_error(ARRIVED))));
    }
    let ended = command.spawn().err();
    if let Some(number) = birth.number() {
        // SAFETY: the process is our child, which ends by itself, and its number was not waited for.
        unsafe { libc::waitpid(number, std::ptr::null_mut(), 0) };
    }
    match ended {
        Some(error) if error.raw_os_error() == Some(ARRIVED) => Ok(()),
        Some(error) => Err(error),
        None => Err(io::Error::other("the attempt did not end")),
    }
}

/// Returns why children have no process namespace, if they have none.
pub(crate) fn lack() -> Option<&'static str> {
    availability().as_ref().err().map(String::as_str)
}
