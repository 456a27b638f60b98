//! Signals that end the command: SIGINT (Ctrl-C) and SIGTERM.
//!
//! A command without partial results removes its temporary folder and ends at the first signal. A command with partial
//! results stops searching and writes its reports. All blocking waits use [`crate::waiting`], which checks for the
//! signal: builds and other tools are killed at once, and an evaluation on a runtime is given up after a grace period
//! ([`is_overdue`]). If all threads stay blocked for two more seconds, in a call that cannot be interrupted, the
//! process ends without a report. A second signal ends the process at once. Child processes always end together with
//! it.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU64, Ordering};
use std::time::Duration;

/// The effect of the first signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// The command reports its partial results, and ends.
    Report,
    /// The command ends.
    End,
}

/// The first signal that was received; 0 before.
static RECEIVED: AtomicI32 = AtomicI32::new(0);
/// The time of the first signal in milliseconds, by the clock of [`now`]; 0 before.
static SINCE: AtomicU64 = AtomicU64::new(0);
/// The two ends of a pipe. The first one becomes readable with the first signal; both are -1 before [`listen`] makes
/// them.
static WOKEN: AtomicI32 = AtomicI32::new(-1);
static WAKER: AtomicI32 = AtomicI32::new(-1);
/// Whether the first signal ends the command.
static ENDS: AtomicBool = AtomicBool::new(false);

const SIGNALS: [libc::c_int; 2] = [libc::SIGINT, libc::SIGTERM];

/// Grace period after the signal for an evaluation to finish, and for a reader to accept the next part of a report.
pub(crate) const GRACE: Duration = Duration::from_millis(800);
/// The time for which all threads may stay blocked after the grace period.
const STILLNESS: Duration = Duration::from_secs(2);
/// The processor time that threads use for polling while they are blocked.
const LOOKING: Duration = Duration::from_millis(50);
/// The time that the removal of the temporary folder may take.
const REMOVAL: Duration = Duration::from_millis(500);

/// Installs the handlers. A signal that is ignored when the command starts stays ignored.
pub fn listen(manner: Manner) {
    ENDS.store(manner == Manner::End, Ordering::Relaxed);
    let mut pipe = [-1; 2];
    // SAFETY: the structures are plain data that the calls fill or read, and the handler does nothing but what is allowed
    // in one: it changes atomics, writes to a pipe, or ends the process.
    unsafe {
        if WAKER.load(Ordering::Relaxed) != -1 || libc::pipe(pipe.as_mut_ptr()) == -1 {
            return;
        }
        for end in pipe {
            libc::fcntl(end, libc::F_SETFD, libc::FD_CLOEXEC);
            libc::fcntl(end, libc::F_SETFL, libc::O_NONBLOCK);
        }
        WOKEN.store(pipe[0], Ordering::Relaxed);
        WAKER.store(pipe[1], Ordering::Relaxed);
        if std::thread::Builder::new().name("signals".to_owned()).spawn(watch).is_err() {
            return;
        }
        let handler: extern "C" fn(libc::c_int) = receive;
        for signal in SIGNALS {
            let mut before: libc::sigaction = std::mem::zeroed();
            if libc::sigaction(signal, std::ptr::null(), &mut before) == -1 || before.sa_sigaction == libc::SIG_IGN {
                continue;
            }
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = handler as usize;
            action.sa_flags = libc::SA_RESTART;
            libc::sigemptyset(&mut action.sa_mask);
            libc::sigaction(signal, &action, std::ptr::null_mut());
        }
    }
}

/// Makes the first signal end the command from now on, because all reports are written.
pub fn end_at_once() {
    ENDS.store(true, Ordering::Relaxed);
}

extern "C" fn receive(signal: libc::c_int) {
    if RECEIVED.swap(signal, Ordering::Relaxed) != 0 {
        // SAFETY: it is one of the few functions that a handler may call.
        unsafe { libc::_exit(128 + signal) }
    }
    SINCE.store(now().max(1), Ordering::Relaxed);
    // SAFETY: one byte is written to a pipe that is never closed. The error of this thread is restored.
    unsafe {
        let error = errno();
        let before = *error;
        libc::write(WAKER.load(Ordering::Relaxed), [0u8].as_ptr().cast(), 1);
        *error = before;
    }
}

/// SAFETY: the pointer is to the variable of the calling thread.
unsafe fn errno() -> *mut libc::c_int {
    #[cfg(target_os = "linux")]
    unsafe {
        libc::__errno_location()
    }
    #[cfg(not(target_os = "linux"))]
    unsafe {
        libc::__error()
    }
}

/// Returns the milliseconds since a fixed point in time. May be called in a signal handler.
pub(crate) fn now() -> u64 {
    let passed = clock(libc::CLOCK_MONOTONIC);
    u64::try_from(passed.as_millis()).unwrap_or(u64::MAX)
}

fn clock(which: libc::clockid_t) -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the call fills the structure.
    unsafe { libc::clock_gettime(which, &raw mut time) };
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Returns whether a signal was received.
pub fn is_received() -> bool {
    RECEIVED.load(Ordering::Relaxed) != 0
}

/// Returns whether the grace period after the signal is over.
pub fn is_overdue() -> bool {
    since().is_some_and(|since| now().saturating_sub(since) >= GRACE.as_millis() as u64)
}

/// Returns when the signal was received, by the clock of [`now`].
pub(crate) fn since() -> Option<u64> {
    is_received().then(|| SINCE.load(Ordering::Relaxed)).filter(|since| *since != 0)
}

/// Returns the exit code that shells give to a process which such a signal has ended.
pub fn exit_code() -> u8 {
    u8::try_from(128 + RECEIVED.load(Ordering::Relaxed)).unwrap_or(u8::MAX)
}

/// Returns a descriptor that is readable after the first signal, or -1 before [`listen`] was called.
pub(crate) fn woken() -> libc::c_int {
    WOKEN.load(Ordering::Relaxed)
}

/// Ends the children with all that they have started, removes the temporary folder, and ends the process.
fn end() -> ! {
    crate::process::end_groups();
    let removal = std::thread::spawn(files::remove_temporary);
    let begun = now();
    while !removal.is_finished() && now() - begun < REMOVAL.as_millis() as u64 {
        std::thread::sleep(Duration::from_millis(5));
    }
    // SAFETY: it ends the process.
    unsafe { libc::_exit(libc::c_int::from(exit_code())) }
}

/// Waits for the first signal, and ends the process if the command does not.
fn watch() {
    let mut signal = libc::pollfd { fd: woken(), events: libc::POLLIN, revents: 0 };
    // SAFETY: the structure lives as long as the call.
    while unsafe { libc::poll(&raw mut signal, 1, -1) } != 1 {}
    if ENDS.load(Ordering::Relaxed) {
        end()
    }
    let mut still = Still::new();
    loop {
        std::thread::sleep(Duration::from_millis(100));
        if ENDS.load(Ordering::Relaxed) || (is_overdue() && still.lasts() >= STILLNESS) {
            end()
        }
    }
}

/// An interval in which all other threads of this process were blocked.
struct Still {
    since: u64,
    /// The processor time of the other threads at its beginning.
    used: Duration,
}

impl Still {
    fn new() -> Still {
        Still { since: now(), used: used_by_others() }
    }

    fn lasts(&mut self) -> Duration {
        if is_anybody_running() || used_by_others().saturating_sub(self.used) > LOOKING {
            *self = Still::new();
        }
        Duration::from_millis(now() - self.since)
    }
}

fn used_by_others() -> Duration {
    clock(libc::CLOCK_PROCESS_CPUTIME_ID).saturating_sub(clock(libc::CLOCK_THREAD_CPUTIME_ID))
}

/// Returns whether another thread is running, runnable, or waiting for a disk. On a busy computer, runnable threads may
/// use little processor time.
fn is_anybody_running() -> bool {
    // SAFETY: a plain system call.
    #[cfg(target_os = "linux")]
    let own = unsafe { libc::gettid() }.to_string();
    #[cfg(not(target_os = "linux"))]
    let own = String::new();
    let threads = files::folders_of_system(Path::new("/proc/self/task")).into_iter();
    threads.filter(|thread| thread.file_name().is_some_and(|name| name.to_str() != Some(&own))).any(|thread| {
        // The file has the form `1234 (name) S …`.
        let status = files::read_system(&thread.join("stat")).unwrap_or_default();
        let status = String::from_utf8_lossy(&status);
        status.rsplit_once(") ").is_some_and(|(_, rest)| rest.starts_with(['R', 'D']))
    })
}
