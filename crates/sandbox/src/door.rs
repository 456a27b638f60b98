//! The door of a sandbox: programs can be started inside only until it is shut.
//!
//! A runtime consists of several programs, which start each other while it boots. Landlock can say which files they
//! are, but the loader of shared libraries is among them, and it runs anything that it can read. So once the runtime is
//! up, no code inside can start a process or a program any more, be it by a port, by native code or by a file in
//! memory.
//!
//! A seccomp filter makes the relevant system calls wait for an answer from Beagle. A thread lets them pass while the
//! door is open. The door is shut by closing the descriptor of the filter: from then on the kernel refuses the calls
//! with `ENOSYS`. The same happens when Beagle dies.

use libc::{c_long, sock_filter};
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::net::UnixStream;
use std::thread::{self, JoinHandle};

/// The door, which is shut by [`Door::shut`], or when it is dropped. The door of a child without a sandbox has no
/// effect.
#[derive(Default)]
pub struct Door(Option<Keeper>);

struct Keeper {
    /// The thread ends when this is closed.
    hold: UnixStream,
    thread: JoinHandle<()>,
}

/// Everything that the child needs to build the door: its end of the pair of sockets over which the filter's descriptor
/// is sent, and the filter.
pub(crate) struct Frame {
    socket: UnixStream,
    program: Vec<sock_filter>,
}

impl Door {
    /// Makes a door. The frame is for the child, and must be dropped here as soon as the child has been started.
    pub(crate) fn new() -> io::Result<(Door, Frame)> {
        let (ours, socket) = UnixStream::pair()?;
        let (hold, held) = UnixStream::pair()?;
        let keep = move || {
            if let Some(filter) = receive(&ours) {
                keep(&filter, &held);
            }
        };
        let thread = thread::Builder::new().name("door".to_owned()).spawn(keep)?;
        Ok((Door(Some(Keeper { hold, thread })), Frame { socket, program: program() }))
    }

    /// Shuts the door: from now on no process and no program can be started inside.
    pub fn shut(&mut self) {
        if let Some(Keeper { hold, thread }) = self.0.take() {
            drop(hold);
            // The thread does not panic, and if it did, the filter would be closed as well.
            let _ = thread.join();
        }
    }
}

impl Drop for Door {
    fn drop(&mut self) {
        self.shut();
    }
}

/// Lets all calls pass until the hold is closed, or until no process is left inside.
fn keep(filter: &OwnedFd, held: &UnixStream) {
    // SAFETY: structures of the kernel, for which zeros are valid; they live as long as the calls.
    unsafe {
        loop {
            let waiting = |descriptor: RawFd| libc::pollfd { fd: descriptor, events: libc::POLLIN, revents: 0 };
            let mut either = [waiting(filter.as_raw_fd()), waiting(held.as_raw_fd())];
            if libc::poll(either.as_mut_ptr(), 2, -1) == -1 {
                if io::Error::last_os_error().kind() == io::ErrorKind::Interrupted {
                    continue;
                }
                return;
            }
            if either[1].revents != 0 || either[0].revents & libc::POLLIN == 0 {
                return;
            }
            let mut asked: libc::seccomp_notif = std::mem::zeroed();
            if libc::ioctl(filter.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_RECV, &raw mut asked) == -1 {
                continue;
            }
            let mut answer: libc::seccomp_notif_resp = std::mem::zeroed();
            answer.id = asked.id;
            answer.flags = libc::SECCOMP_USER_NOTIF_FLAG_CONTINUE as u32;
            // It fails if the calling process was killed in the meantime.
            libc::ioctl(filter.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_SEND, &raw mut answer);
        }
    }
}

impl Frame {
    /// In the child, which cannot gain new privileges any more: installs the filter and sends its descriptor, with
    /// system calls only.
    pub fn build(&self) -> io::Result<()> {
        let filter = install(&self.program)?;
        send(&self.socket, filter)
    }
}

/// Checks that the kernel offers such filters. They can be set for a single thread, which then ends.
pub(crate) fn availability() -> io::Result<()> {
    let attempt = || {
        let program = program();
        // SAFETY: a plain system call that concerns this thread only.
        if unsafe { libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) } == -1 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the descriptor is new, and nothing else owns it.
        install(&program).map(|filter| drop(unsafe { OwnedFd::from_raw_fd(filter) }))
    };
    thread::Builder::new().spawn(attempt)?.join().unwrap_or_else(|_| Err(io::Error::other("the attempt failed")))
}

fn install(program: &[sock_filter]) -> io::Result<RawFd> {
    let program = libc::sock_fprog { len: program.len() as u16, filter: program.as_ptr().cast_mut() };
    // SAFETY: the kernel copies the program, which lives as long as the call.
    let filter = unsafe {
        libc::syscall(
            libc::SYS_seccomp,
            libc::SECCOMP_SET_MODE_FILTER,
            libc::SECCOMP_FILTER_FLAG_NEW_LISTENER,
            &raw const program,
        )
    };
    if filter == -1 { Err(io::Error::last_os_error()) } else { Ok(filter as RawFd) }
}

/// Calls that start a process or a program. The other filter refuses `clone3` and `execveat` in any case.
#[cfg(target_arch = "x86_64")]
const STARTING: &[c_long] = &[libc::SYS_execve, libc::SYS_fork, libc::SYS_vfork];
#[cfg(not(target_arch = "x86_64"))]
const STARTING: &[c_long] = &[libc::SYS_execve];

/// Returns the program `if number is in STARTING, or it is clone without CLONE_THREAD, { ask } else { allow }`. The
/// second table of numbers and other architectures are left to the other filter, whose refusals take precedence over
/// questions.
fn program() -> Vec<sock_filter> {
    const NUMBER: u32 = 0;
    /// The lower half of the first argument: all architectures that have a sandbox store it first.
    const FIRST_ARGUMENT: u32 = 16;
    let load =
        |offset| sock_filter { code: (libc::BPF_LD | libc::BPF_W | libc::BPF_ABS) as u16, jt: 0, jf: 0, k: offset };
    let jump = |test: u32, value: u32, yes: usize, no: usize| sock_filter {
        code: (libc::BPF_JMP | test | libc::BPF_K) as u16,
        jt: yes as u8,
        jf: no as u8,
        k: value,
    };
    let answer = |action| sock_filter { code: (libc::BPF_RET | libc::BPF_K) as u16, jt: 0, jf: 0, k: action };
    let mut program = vec![load(NUMBER)];
    for (done, call) in STARTING.iter().enumerate() {
        // Jumps over the remaining calls and the four lines for clone.
        program.push(jump(libc::BPF_JEQ, *call as u32, STARTING.len() - done + 3, 0));
    }
    program.push(jump(libc::BPF_JEQ, libc::SYS_clone as u32, 0, 2));
    program.push(load(FIRST_ARGUMENT));
    program.push(jump(libc::BPF_JSET, libc::CLONE_THREAD as u32, 0, 1));
    program.push(answer(libc::SECCOMP_RET_ALLOW));
    program.push(answer(libc::SECCOMP_RET_USER_NOTIF));
    program
}

/// A message with one byte and one descriptor, in memory that is aligned as the kernel requires.
struct Letter {
    byte: u8,
    control: [u64; 4],
}

impl Letter {
    fn with<R>(&mut self, act: impl FnOnce(&mut libc::msghdr) -> R) -> R {
        let mut part = libc::iovec { iov_base: (&raw mut self.byte).cast(), iov_len: 1 };
        // SAFETY: zeros are valid, and all pointers point to objects that live as long as the call.
        let mut message: libc::msghdr = unsafe { std::mem::zeroed() };
        message.msg_iov = &raw mut part;
        message.msg_iovlen = 1;
        message.msg_control = self.control.as_mut_ptr().cast();
        // SAFETY: it only computes.
        message.msg_controllen = unsafe { libc::CMSG_SPACE(size_of::<RawFd>() as u32) } as _;
        act(&mut message)
    }
}

/// In the child: sends a descriptor without allocating.
fn send(socket: &UnixStream, descriptor: RawFd) -> io::Result<()> {
    let mut letter = Letter { byte: 0, control: [0; 4] };
    letter.with(|message| {
        // SAFETY: the control buffer has room for one descriptor.
        unsafe {
            let header = libc::CMSG_FIRSTHDR(message);
            (*header).cmsg_level = libc::SOL_SOCKET;
            (*header).cmsg_type = libc::SCM_RIGHTS;
            (*header).cmsg_len = libc::CMSG_LEN(size_of::<RawFd>() as u32) as _;
            libc::CMSG_DATA(header).cast::<RawFd>().write_unaligned(descriptor);
            match libc::sendmsg(socket.as_raw_fd(), message, libc::MSG_NOSIGNAL) {
                -1 => Err(io::Error::last_os_error()),
                _ => Ok(()),
            }
        }
    })
}

/// Receives a descriptor. Returns `None` if the child ends before it has sent one.
fn receive(socket: &UnixStream) -> Option<OwnedFd> {
    let mut letter = Letter { byte: 0, control: [0; 4] };
    letter.with(|message| {
        // SAFETY: the kernel writes into buffers that live here; nothing else owns a descriptor that arrives.
        unsafe {
            while libc::recvmsg(socket.as_raw_fd(), message, libc::MSG_CMSG_CLOEXEC) == -1 {
                if io::Error::last_os_error().kind() != io::ErrorKind::Interrupted {
                    return None;
                }
            }
            let header = libc::CMSG_FIRSTHDR(message);
            let has_arrived = !header.is_null()
                && (*header).cmsg_level == libc::SOL_SOCKET
                && (*header).cmsg_type == libc::SCM_RIGHTS;
            has_arrived.then(|| OwnedFd::from_raw_fd(libc::CMSG_DATA(header).cast::<RawFd>().read_unaligned()))
        }
    })
}
