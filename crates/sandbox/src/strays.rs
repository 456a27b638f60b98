//! Processes that a child in a sandbox has started and left behind.
//!
//! The runtime itself ends with its parent, but native code in it may fork. On Linux such processes become ours when
//! their parent dies, and are known by the filters that they have inherited: nobody else that we start has as many.

use std::collections::HashSet;
use std::io;
use std::process::{Child, Command};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The children that are alive: what they are is their own affair.
static KNOWN: Mutex<Option<HashSet<u32>>> = Mutex::new(None);

fn known() -> MutexGuard<'static, Option<HashSet<u32>>> {
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// From now on, whoever loses its parent among our descendants becomes our child.
pub(crate) fn adopt() -> io::Result<()> {
    // SAFETY: a plain system call.
    match unsafe { libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) } {
        -1 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}

/// Starts a child. Nobody looks for strays meanwhile: they would find one that is not known yet.
pub(crate) fn spawn(command: &mut Command) -> io::Result<Child> {
    let mut known = known();
    let child = command.spawn()?;
    known.get_or_insert_with(HashSet::new).insert(child.id());
    Ok(child)
}

/// Whoever forks while it is being looked for is looked for again, so many times.
const ROUNDS: usize = 50;

/// After the end of a child: ends what it has left behind.
pub(crate) fn end(child: u32) {
    let mut known = known();
    let Some(children) = known.as_mut() else { return };
    if !children.remove(&child) {
        return;
    }
    let Some(own) = filters("self") else { return };
    for _ in 0..ROUNDS {
        let strays: Vec<u32> = children_of_ours().filter(|id| !children.contains(id)).collect();
        let strays = strays.into_iter().filter(|id| filters(&id.to_string()).is_some_and(|count| count > own));
        let mut found = false;
        for stray in strays {
            found = true;
            // SAFETY: it is our child, and was not waited for: the number is still its own.
            unsafe {
                libc::kill(stray as libc::pid_t, libc::SIGKILL);
                libc::waitpid(stray as libc::pid_t, std::ptr::null_mut(), 0);
            }
        }
        if !found {
            return;
        }
    }
}

/// The processes whose parent we are.
fn children_of_ours() -> impl Iterator<Item = u32> {
    let own = std::process::id();
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = processes.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    numbers.filter(move |id| {
        let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
        // `1234 (name) S parent …`: a name may hold anything.
        let parent = stat.rsplit_once(')').and_then(|(_, rest)| rest.split_whitespace().nth(1)?.parse::<u32>().ok());
        parent == Some(own)
    })
}

/// How many seccomp filters a process has.
fn filters(process: &str) -> Option<u32> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    status.lines().find_map(|line| line.strip_prefix("Seccomp_filters:")?.trim().parse().ok())
}
