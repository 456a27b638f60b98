//! Blocking waits that end when a signal is received ([`crate::interrupt`]).
//!
//! Beagle waits here for processes, pipes and devices, all of which may block for ever: a tool may hang, a pipe may
//! have no writer, and the reader of a report may stop reading.

use crate::interrupt::{self, GRACE};
use std::io::{self, ErrorKind, Read};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// The time between two checks for the signal, where nothing wakes the waiting thread.
const LOOK: Duration = Duration::from_millis(20);
/// The number of bytes that can be written at once to a pipe that is ready for writing.
const PIECE: usize = 512;
/// The number of bytes that are read from a file that is not regular, since a device may have no end.
const LONGEST: u64 = 1 << 30;

/// The reason why nothing was received.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unheard {
    TimedOut,
    /// All senders are gone.
    Closed,
    /// A signal was received, and the grace period is over.
    Interrupted,
}

/// Returns the next message, if it comes in time.
pub fn receive<T>(messages: &Receiver<T>, limit: Duration) -> Result<T, Unheard> {
    let end = Instant::now().checked_add(limit);
    loop {
        let left = end.map_or(LOOK, |end| end.saturating_duration_since(Instant::now()));
        match messages.recv_timeout(left.min(LOOK)) {
            Ok(message) => return Ok(message),
            Err(RecvTimeoutError::Disconnected) => return Err(Unheard::Closed),
            Err(RecvTimeoutError::Timeout) if interrupt::is_overdue() => return Err(Unheard::Interrupted),
            Err(RecvTimeoutError::Timeout) if left.is_zero() => return Err(Unheard::TimedOut),
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}

/// The result of a program that has ended.
pub struct Ran {
    pub status: ExitStatus,
    pub output: Vec<u8>,
    pub errors: Vec<u8>,
}

#[derive(Debug, thiserror::Error)]
pub enum RunError {
    #[error("it cannot be started: {0}")]
    Start(io::Error),
    #[error("interrupted")]
    Interrupted,
    #[error("it takes longer than {} s", .0.as_secs())]
    TooLong(Duration),
    #[error("it starts a program that does not end and keeps its output open")]
    KeptOpen,
}

/// Runs a program that is expected to end, with empty input. At most `longest` bytes of each stream are kept; if the
/// program prints more, the stream is closed. If the program does not end in time, it is ended with everything that it
/// has started.
pub fn run(mut command: Command, limit: Duration, longest: u64) -> Result<Ran, RunError> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
    let mut child = crate::spawn(command).map_err(RunError::Start)?;
    let output = collect(child.stdout.take(), longest);
    let errors = collect(child.stderr.take(), longest);
    let end = Instant::now() + limit;
    let mut status = None;
    loop {
        if status.is_none() {
            status = child.try_wait().map_err(RunError::Start)?;
        }
        if let Some(status) = status
            && output.is_finished()
            && errors.is_finished()
        {
            let (output, errors) = (output.join().unwrap_or_default(), errors.join().unwrap_or_default());
            return Ok(Ran { status, output, errors });
        }
        let why = match (interrupt::is_received(), Instant::now() >= end, status) {
            (true, _, _) => RunError::Interrupted,
            (false, true, None) => RunError::TooLong(limit),
            (false, true, Some(_)) => RunError::KeptOpen,
            (false, false, _) => {
                std::thread::sleep(Duration::from_millis(2));
                continue;
            }
        };
        crate::end(&mut child);
        return Err(why);
    }
}

fn collect(stream: Option<impl Read + Send + 'static>, longest: u64) -> JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        // The bytes before an error are kept.
        let _ = stream.map(|stream| stream.take(longest).read_to_end(&mut bytes));
        bytes
    })
}

/// Returns the content of a file that the command line names. Waits for a pipe or a terminal until a signal is
/// received.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut file = files::open_stream(path)?;
    let kind = file.metadata()?.file_type();
    let mut bytes = Vec::new();
    if kind.is_file() || kind.is_dir() {
        file.read_to_end(&mut bytes)?;
        return Ok(bytes);
    }
    let mut piece = vec![0; 64 << 10];
    loop {
        wait_until(file.as_fd(), libc::POLLIN, || None)?;
        match file.read(&mut piece) {
            Ok(0) => return Ok(bytes),
            Ok(count) => bytes.extend_from_slice(&piece[..count]),
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {}
            Err(error) => return Err(error),
        }
        if bytes.len() as u64 > LONGEST {
            return Err(io::Error::new(ErrorKind::FileTooLarge, "it does not end"));
        }
    }
}

/// Returns the content of a file that is text.
pub fn read_to_string(path: &Path) -> io::Result<String> {
    String::from_utf8(read(path)?).map_err(|_| io::Error::new(ErrorKind::InvalidData, "it is not valid UTF-8"))
}

fn interrupted() -> io::Error {
    io::Error::new(ErrorKind::Interrupted, "interrupted")
}

/// The time of the last write after the signal, by the clock of [`interrupt::now`].
static PROGRESS: AtomicU64 = AtomicU64::new(0);

/// Writes everything, even if a pipe or a terminal takes it slowly. After a signal, stops waiting for a reader that
/// takes nothing during the grace period.
pub fn write_all(stream: &impl AsFd, mut bytes: &[u8]) -> io::Result<()> {
    let stream = stream.as_fd();
    let is_file = is_ordinary(stream);
    while !bytes.is_empty() {
        let piece = if is_file {
            bytes
        } else {
            wait_until(stream, libc::POLLOUT, || {
                let last = PROGRESS.load(Ordering::Relaxed).max(interrupt::since()?);
                let waited = Duration::from_millis(interrupt::now().saturating_sub(last));
                Some(GRACE.saturating_sub(waited))
            })?;
            &bytes[..bytes.len().min(PIECE)]
        };
        // SAFETY: as many bytes are read as there are.
        match unsafe { libc::write(stream.as_raw_fd(), piece.as_ptr().cast(), piece.len()) } {
            -1 => match io::Error::last_os_error() {
                error if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {}
                error => return Err(error),
            },
            written => {
                PROGRESS.store(interrupt::now(), Ordering::Relaxed);
                bytes = &bytes[written as usize..];
            }
        }
    }
    Ok(())
}

fn is_ordinary(stream: BorrowedFd<'_>) -> bool {
    // SAFETY: zeros are a valid structure, which the call fills.
    unsafe {
        let mut found: libc::stat = std::mem::zeroed();
        libc::fstat(stream.as_raw_fd(), &raw mut found) == 0 && found.st_mode & libc::S_IFMT == libc::S_IFREG
    }
}

/// Waits until a stream is ready. `patience` returns how long to wait after the signal; if `None`, waiting ends with
/// the signal.
fn wait_until(stream: BorrowedFd<'_>, what: libc::c_short, patience: impl Fn() -> Option<Duration>) -> io::Result<()> {
    let watched = |descriptor, events| libc::pollfd { fd: descriptor, events, revents: 0 };
    loop {
        let is_received = interrupt::is_received();
        let woken = if is_received { -1 } else { interrupt::woken() };
        let left = patience().unwrap_or_default().as_millis() as libc::c_int;
        let mut either = [watched(stream.as_raw_fd(), what), watched(woken, libc::POLLIN)];
        // SAFETY: the structures live as long as the call.
        let ready = unsafe { libc::poll(either.as_mut_ptr(), 2, if is_received { left } else { -1 }) };
        match ready {
            -1 => match io::Error::last_os_error() {
                error if error.kind() == ErrorKind::Interrupted => {}
                error => return Err(error),
            },
            0 => return Err(interrupted()),
            // An error of the stream shows when it is used.
            _ if either[0].revents != 0 => return Ok(()),
            _ => {}
        }
    }
}

#[cfg(test)]
#[path = "waiting_tests.rs"]
mod tests;
