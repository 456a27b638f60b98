//! A child process and its resource usage: processor time and peak memory, as counted by the kernel.

use anyhow::Context;
use std::io::Read;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The time after which a child is ended. It would never meet its bar.
const LONGEST: Duration = Duration::from_secs(600);

#[derive(Clone, Copy, Debug)]
pub struct Used {
    pub cpu_seconds: f64,
    pub wall_seconds: f64,
    pub peak_mb: f64,
}

pub struct Ended {
    pub output: String,
    pub used: Used,
}

/// Runs a command to its end. The child's standard error is shown to the user.
pub fn run(command: &mut Command) -> anyhow::Result<Ended> {
    let start = Instant::now();
    let program = command.get_program().to_string_lossy().into_owned();
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start {program}"))?;
    let mut stdout = child.stdout.take().context("a piped output")?;
    let reader = std::thread::spawn(move || {
        let mut output = String::new();
        stdout.read_to_string(&mut output).map(|_| output)
    });
    // The standard library reaps a child without its usage, so the reaping is done here, and `child` is never waited
    // for.
    let usage = reap(child.id() as libc::pid_t, start).with_context(|| format!("waiting for {program}"))?;
    let wall_seconds = start.elapsed().as_secs_f64();
    let output = reader.join().map_err(|_| anyhow::anyhow!("the reader of {program} ended"))??;
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
    let used = Used {
        cpu_seconds: seconds(usage.ru_utime) + seconds(usage.ru_stime),
        wall_seconds,
        peak_mb: usage.ru_maxrss as f64 / 1024.0,
    };
    Ok(Ended { output, used })
}

fn reap(pid: libc::pid_t, start: Instant) -> std::io::Result<libc::rusage> {
    loop {
        let mut status = 0;
        // SAFETY: a rusage is plain numbers, for which zeros are valid.
        let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
        // SAFETY: nothing else waits for the child with this pid; both pointers are to local variables.
        match unsafe { libc::wait4(pid, &mut status, libc::WNOHANG, &mut usage) } {
            0 if start.elapsed() > LONGEST => {
                // SAFETY: the child has not been reaped, so the pid is still its own.
                unsafe { libc::kill(pid, libc::SIGKILL) };
            }
            0 => {}
            -1 => return Err(std::io::Error::last_os_error()),
            _ => return Ok(usage),
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}
