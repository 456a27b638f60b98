//! Starts all children from one thread, which lives as long as the process.
//!
//! On Linux a child asks the kernel to be killed when its parent dies. The kernel takes the *thread* that started the
//! child as its parent: if a worker did it, the child would die with the worker. So all children are started by a
//! thread of their own. On other systems children have to notice by themselves that their pipes are closed.

#[cfg(target_os = "linux")]
use crate::namespace::{Birth, Entrance};
use crate::process::{self, Process};
use crate::{Channel, Door, Sandbox};
use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command};
use std::sync::mpsc::{self, Sender};
use std::sync::{Mutex, OnceLock, PoisonError};

struct Job {
    command: Command,
    answer: Sender<io::Result<Child>>,
}

/// Starts a child that ends with Beagle.
pub fn spawn(mut command: Command) -> io::Result<Child> {
    let parent = std::process::id();
    // SAFETY: between fork and exec only system calls are made.
    unsafe { command.pre_exec(move || end_with(parent)) };
    started(command)
}

/// Starts a child that ends with Beagle, in a sandbox whose door is open, with a [`Channel`] in place of standard input
/// and output.
pub fn spawn_with(
    mut command: Command,
    sandbox: Option<&Sandbox>,
    channel: Option<Channel>,
) -> io::Result<(Process, Door)> {
    let parent = std::process::id();
    #[cfg(target_os = "linux")]
    let (door, mut walls) = match sandbox {
        Some(sandbox) => {
            let (door, frame) = Door::new()?;
            (door, Some(crate::walls::Walls::of(sandbox, frame)?))
        }
        None => (Door::default(), None),
    };
    #[cfg(target_os = "linux")]
    let (entrance, birth) = walls.as_ref().map(|_| Entrance::new()).transpose()?.flatten().unzip();
    #[cfg(not(target_os = "linux"))]
    let door = match sandbox {
        Some(_) => return Err(io::ErrorKind::Unsupported.into()),
        None => Door,
    };
    // SAFETY: between fork and exec only system calls are made, and nothing is allocated.
    unsafe {
        command.pre_exec(move || {
            end_with(parent)?;
            #[cfg(target_os = "linux")]
            if walls.is_some() {
                forget_descriptors()?;
            }
            if let Some(channel) = channel {
                channel.take_over()?;
            }
            #[cfg(target_os = "linux")]
            if let Some(walls) = &mut walls {
                if let Some(entrance) = &entrance {
                    entrance.enter(parent)?;
                }
                walls.close()?;
            }
            Ok(())
        });
    }
    let child = started(command);
    #[cfg(target_os = "linux")]
    let second = birth.and_then(Birth::number);
    #[cfg(not(target_os = "linux"))]
    let second = None;
    match child {
        Ok(child) => Ok((Process::new(child, second)?, door)),
        Err(error) => {
            if let Some(number) = second {
                // SAFETY: the process is our child, which has failed, and its number was not waited for.
                unsafe { libc::waitpid(number, std::ptr::null_mut(), 0) };
            }
            Err(error)
        }
    }
}

/// Has the thread that starts children start this one.
fn started(mut command: Command) -> io::Result<Child> {
    // Whatever a program starts by name, as `#!/usr/bin/env bash` does, it does not find in a project.
    if command.get_envs().all(|(name, _)| name != "PATH") {
        command.env("PATH", files::search_path());
    }
    let (answer, answered) = mpsc::channel();
    let gone = || io::Error::other("the thread that starts processes is gone");
    let spawner = spawner()?.lock().unwrap_or_else(PoisonError::into_inner).clone();
    spawner.send(Job { command, answer }).map_err(|_| gone())?;
    answered.recv().map_err(|_| gone())?
}

/// Ends a child at once, with everything that it has started if it leads a group of processes.
pub fn end(child: &mut Child) {
    process::end_group(child.id() as libc::pid_t);
    // Both fail only if the process is gone already.
    let _ = child.kill();
    let _ = child.wait();
}

fn spawner() -> io::Result<&'static Mutex<Sender<Job>>> {
    static SPAWNER: OnceLock<Mutex<Sender<Job>>> = OnceLock::new();
    if let Some(spawner) = SPAWNER.get() {
        return Ok(spawner);
    }
    let (sender, jobs) = mpsc::channel::<Job>();
    std::thread::Builder::new().name("children".to_owned()).spawn(move || {
        for job in jobs {
            let Job { mut command, answer } = job;
            let started = command.spawn();
            // If the caller is gone, the child is ended with its handle.
            if let Err(unheard) = answer.send(started)
                && let Ok(mut child) = unheard.0
            {
                end(&mut child);
            }
        }
    })?;
    // If another thread was faster, its spawner is used, and this one ends with its sender.
    Ok(SPAWNER.get_or_init(|| Mutex::new(sender)))
}

/// In the child: asks to be killed when the parent dies, and ends if it is dead already.
#[cfg(target_os = "linux")]
fn end_with(parent: u32) -> io::Result<()> {
    // SAFETY: plain system calls.
    unsafe {
        die_with_parent()?;
        if libc::getppid() as u32 != parent {
            libc::_exit(1);
        }
    }
    Ok(())
}

/// In the child: asks to be killed when the parent dies.
#[cfg(target_os = "linux")]
pub(crate) fn die_with_parent() -> io::Result<()> {
    // SAFETY: a plain system call.
    match unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL, 0, 0, 0) } {
        -1 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}

#[cfg(not(target_os = "linux"))]
fn end_with(_parent: u32) -> io::Result<()> {
    Ok(())
}

/// In the child: closes the descriptors that the parent inherited, when the program is executed. A sandboxed child
/// should not have them.
#[cfg(target_os = "linux")]
fn forget_descriptors() -> io::Result<()> {
    // SAFETY: a plain system call. Kernels that lack it have no Landlock either, so there are no walls on them.
    match unsafe { libc::syscall(libc::SYS_close_range, 3, libc::c_uint::MAX, libc::CLOSE_RANGE_CLOEXEC) } {
        -1 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}
