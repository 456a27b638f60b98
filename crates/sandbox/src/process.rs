//! A started child, and its end.

use std::io;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, ExitStatus, Output};

/// A child of Beagle, which may have a process namespace of its own.
pub struct Process {
    pub stdin: Option<ChildStdin>,
    pub stdout: Option<ChildStdout>,
    pub stderr: Option<ChildStderr>,
    number: libc::pid_t,
    /// The exit status, if the process was waited for.
    status: Option<ExitStatus>,
}

impl Process {
    /// Returns the process of a child. `second` is the process that has become the program, if that is not the child
    /// itself; in this case the child has ended.
    pub(crate) fn new(mut child: Child, second: Option<libc::pid_t>) -> io::Result<Process> {
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        if second.is_some() {
            child.wait()?;
        }
        let number = second.unwrap_or(child.id() as libc::pid_t);
        Ok(Process { stdin, stdout, stderr, number, status: None })
    }

    /// Returns the process number outside of the namespace.
    pub fn id(&self) -> u32 {
        self.number as u32
    }

    /// Returns whether the process has ended. Does not reap it, so that its number stays its own.
    pub fn has_ended(&self) -> bool {
        self.status.is_some() || has_ended(self.number).unwrap_or(true)
    }

    /// Returns the exit status, if the process has ended.
    pub fn try_wait(&mut self) -> io::Result<Option<ExitStatus>> {
        self.wait_how(libc::WNOHANG)
    }

    pub fn wait(&mut self) -> io::Result<ExitStatus> {
        drop(self.stdin.take());
        self.wait_how(0)?.ok_or_else(|| io::Error::other("it has not ended"))
    }

    fn wait_how(&mut self, options: libc::c_int) -> io::Result<Option<ExitStatus>> {
        while self.status.is_none() {
            let mut status = 0;
            // SAFETY: the call writes one number, which lives here. Only this object waits for the process.
            match unsafe { libc::waitpid(self.number, &raw mut status, options) } {
                -1 if io::Error::last_os_error().kind() == io::ErrorKind::Interrupted => {}
                -1 => return Err(io::Error::last_os_error()),
                0 => return Ok(None),
                _ => self.status = Some(ExitStatus::from_raw(status)),
            }
        }
        Ok(self.status)
    }

    /// Waits for the end of the process, and returns what it printed until then.
    pub fn wait_with_output(mut self) -> io::Result<Output> {
        use std::io::Read;
        drop(self.stdin.take());
        let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
        let errors = self.stderr.take();
        let listener = std::thread::spawn(move || {
            errors.map(|mut stream| stream.read_to_end(&mut stderr));
            stderr
        });
        self.stdout.take().map(|mut stream| stream.read_to_end(&mut stdout)).transpose()?;
        let stderr = listener.join().unwrap_or_default();
        Ok(Output { status: self.wait()?, stdout, stderr })
    }

    /// Ends the process group, some of which may still exist even if the child has ended by itself.
    pub fn end_group(&self) {
        if self.status.is_none() {
            end_group(self.number);
        }
    }

    /// Ends the process at once, with everything that it has started.
    pub fn end(&mut self) {
        if self.status.is_none() {
            end_group(self.number);
            // SAFETY: a plain system call. The number is the child's until it is waited for.
            unsafe { libc::kill(self.number, libc::SIGKILL) };
            // It fails only if the process is gone already.
            let _ = self.wait();
        }
    }
}

/// Ends the process group that a child leads, unless the child was waited for. Does nothing if there is no such group.
pub(crate) fn end_group(number: libc::pid_t) {
    if has_ended(number).is_some() {
        // SAFETY: a plain system call. The number is the child's until it is waited for.
        unsafe { libc::kill(-number, libc::SIGKILL) };
    }
}

/// Ends the process groups that children of this process lead. Whatever a child has started by itself would stay otherwise if
/// this process ends at once.
pub(crate) fn end_groups() {
    for thread in files::folders_of_system(Path::new("/proc/self/task")) {
        let children = files::read_system(&thread.join("children")).unwrap_or_default();
        for number in String::from_utf8_lossy(&children).split_whitespace().filter_map(|number| number.parse().ok()) {
            end_group(number);
        }
    }
}

/// Returns whether the process has ended, or `None` if it was waited for before.
fn has_ended(number: libc::pid_t) -> Option<bool> {
    // SAFETY: the structure is plain data, and the call writes to it only.
    unsafe {
        let mut info: libc::siginfo_t = std::mem::zeroed();
        let how = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT;
        let is_known = libc::waitid(libc::P_PID, number as libc::id_t, &mut info, how) == 0;
        is_known.then(|| info.si_pid() != 0)
    }
}
