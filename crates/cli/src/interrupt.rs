//! Signals that end the command: Ctrl-C, and what `kill` sends.
//!
//! The first one ends the searches, and the report shows what they have found. The second one ends the process at once;
//! its children end with it.

use std::sync::atomic::{AtomicI32, Ordering};

/// The first signal that came; 0 before.
static RECEIVED: AtomicI32 = AtomicI32::new(0);

const SIGNALS: [libc::c_int; 2] = [libc::SIGINT, libc::SIGTERM];

/// From now on a first signal is only noted. A signal that whoever started the command wants to be ignored stays so.
pub fn listen() {
    let handler: extern "C" fn(libc::c_int) = receive;
    for signal in SIGNALS {
        // SAFETY: the structures are plain data that the calls fill or read, and the handler does nothing but what is allowed
        // in one: it changes an atomic, or ends the process.
        unsafe {
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

extern "C" fn receive(signal: libc::c_int) {
    if RECEIVED.swap(signal, Ordering::Relaxed) != 0 {
        // SAFETY: it is one of the few functions that a handler may call.
        unsafe { libc::_exit(128 + signal) }
    }
}

/// Whether the user wants the command to end.
pub fn is_received() -> bool {
    RECEIVED.load(Ordering::Relaxed) != 0
}

/// The exit code that shells give to a process that such a signal has ended.
pub fn exit_code() -> u8 {
    u8::try_from(128 + RECEIVED.load(Ordering::Relaxed)).unwrap_or(u8::MAX)
}
