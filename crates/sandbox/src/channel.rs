//! Two file descriptors beside the standard ones, by which a child and its parent communicate.
//!
//! Code in the child prints to its standard output and reads its standard input, so neither can carry a protocol. The
//! child gets the pipes that its parent made for standard input and output under two other numbers instead; standard
//! input is then empty, and standard output is the same as standard error.

use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::path::Path;
use std::sync::OnceLock;

/// The numbers of the descriptors by which a child uses its channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Channel {
    pub input: RawFd,
    pub output: RawFd,
}

/// The lowest number that is used. Smaller ones are left to programs that rely on them.
const LOWEST: RawFd = 100;

/// Returns the numbers, which are the same for all children of this process. They stay reserved in the parent:
/// otherwise one of them could be the pipe by which the standard library learns that a child could not be executed.
pub fn channel() -> io::Result<Channel> {
    static RESERVED: OnceLock<(OwnedFd, OwnedFd)> = OnceLock::new();
    let (input, output) = match RESERVED.get() {
        Some(reserved) => reserved,
        None => {
            let null = files::open_system(Path::new("/dev/null"))?;
            let pair = (reserve(&null)?, reserve(&null)?);
            // If another thread was faster, the descriptors that this one reserved are closed.
            RESERVED.get_or_init(|| pair)
        }
    };
    Ok(Channel { input: input.as_raw_fd(), output: output.as_raw_fd() })
}

fn reserve(null: &impl AsRawFd) -> io::Result<OwnedFd> {
    // SAFETY: a plain system call on a descriptor that is open; the result is a new one that nothing else owns.
    unsafe {
        match libc::fcntl(null.as_raw_fd(), libc::F_DUPFD_CLOEXEC, LOWEST) {
            -1 => Err(io::Error::last_os_error()),
            number => Ok(OwnedFd::from_raw_fd(number)),
        }
    }
}

impl Channel {
    /// In the child, between fork and exec: moves the pipes of standard input and output to the channel, with system
    /// calls only.
    pub(crate) fn take_over(self) -> io::Result<()> {
        let copy = |from, to| {
            // SAFETY: a plain system call.
            match unsafe { libc::dup2(from, to) } {
                -1 => Err(io::Error::last_os_error()),
                _ => Ok(()),
            }
        };
        copy(0, self.input)?;
        copy(1, self.output)?;
        // SAFETY: the path is a static C string.
        let null = unsafe { libc::open(c"/dev/null".as_ptr(), libc::O_RDONLY | libc::O_CLOEXEC) };
        if null == -1 {
            return Err(io::Error::last_os_error());
        }
        copy(null, 0)?;
        copy(2, 1)
    }
}
