//! An SMT-LIB 2 solver as a child process: the only part of this room that touches the outside.

#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the one place of this room that touches the world"
)]

use crate::deadline::Deadline;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// Older ones do not speak all that is asked of them.
const OLDEST: (u32, u32) = (4, 8);
/// What a solver may take beyond the time that it was given before it counts as hanging.
const GRACE: Duration = Duration::from_millis(1500);

/// Likewise, when there is no time left for anything else.
const LAST_GRACE: Duration = Duration::from_millis(50);

#[derive(Debug, thiserror::Error)]
pub enum SmtError {
    #[error("cannot start the solver `{}`: {reason}. Install one (for example the package z3), or name another with \
             --solver", path.display())]
    Start { path: PathBuf, reason: std::io::Error },
    #[error("the solver `{}` is version {version}, and {}.{} is the oldest that is spoken with. Install a newer one (for \
             example with pip install z3-solver), or name another with --solver", path.display(), OLDEST.0, OLDEST.1)]
    TooOld { path: PathBuf, version: String },
    #[error("`{}` does not answer as an SMT-LIB 2 solver does. Name one with --solver, for example z3", path.display())]
    NoSolver { path: PathBuf },
    #[error("the solver died: {0}")]
    Died(std::io::Error),
    #[error("the solver did not answer in time")]
    Silent,
    #[error("the solver answered: {0}")]
    Unexpected(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Sat,
    Unsat,
    Unknown,
}

/// What one query may take. The work decides as a rule, and is the same on every computer, however busy; the clock is for
/// what a solver does without counting it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    /// In the solver's own units.
    pub work: u64,
    pub milliseconds: u64,
}

impl Limit {
    /// Measured with Z3 over the queries of a few searches: 100 (numbers) to 1000 (choices) units in a millisecond.
    const WORK_IN_A_MILLISECOND: u64 = 500;

    /// Z3 counts no further.
    const MOST_WORK: u64 = u32::MAX as u64;

    /// What an idle computer does in about this time, and no more than twice the time.
    pub fn about(milliseconds: u64) -> Limit {
        Limit {
            work: milliseconds.saturating_mul(Limit::WORK_IN_A_MILLISECOND).min(Limit::MOST_WORK),
            milliseconds: milliseconds.saturating_mul(2),
        }
    }
}

/// A solver that dies is started again for the next query; the query it died in is unknown.
pub(crate) struct SmtProcess {
    path: PathBuf,
    limit: Limit,
    running: Option<Running>,
    version: String,
    dump: Option<PathBuf>,
    dumped: u64,
    pub spent: Duration,
    /// When the query that is under way has had its time, and what it may still do.
    until: Instant,
    work: u64,
    /// Of all queries that follow.
    pub deadline: Deadline,
}

struct Running {
    child: Child,
    /// What it gives itself for one check.
    timeout: u128,
    allowed: u64,
    /// All that it has done.
    done: u64,
    requests: Sender<String>,
    lines: Receiver<std::io::Result<String>>,
}

impl SmtProcess {
    /// Queries are written into `dump`.
    pub fn start(path: &Path, limit: Limit, dump: Option<&Path>) -> Result<SmtProcess, SmtError> {
        let mut process = SmtProcess {
            path: path.to_path_buf(),
            limit,
            running: None,
            version: String::new(),
            dump: dump.map(Path::to_path_buf),
            dumped: 0,
            spent: Duration::ZERO,
            until: Instant::now(),
            work: 0,
            deadline: Deadline::default(),
        };
        let mut running = process.spawn()?;
        let version = version(&mut running).map_err(|error| match error {
            SmtError::Died(_) | SmtError::Silent | SmtError::Unexpected(_) => None,
            other => Some(other),
        });
        process.version = match version {
            Ok(version) => version,
            Err(Some(error)) => return Err(error),
            Err(None) => return Err(SmtError::NoSolver { path: process.path }),
        };
        let numbers: Vec<u32> = process.version.split('.').map_while(|part| part.parse().ok()).collect();
        if let [major, minor, ..] = numbers.as_slice()
            && (*major, *minor) < OLDEST
        {
            return Err(SmtError::TooOld { path: process.path, version: process.version });
        }
        process.running = Some(running);
        Ok(process)
    }

    pub fn version(&self) -> &str {
        &self.version
    }

    /// The number of the running process.
    #[cfg(test)]
    pub fn process_id(&self) -> Option<u32> {
        self.running.as_ref().map(|running| running.child.id())
    }

    fn spawn(&self) -> Result<Running, SmtError> {
        let start = |reason| SmtError::Start { path: self.path.clone(), reason };
        let mut command = Command::new(&self.path);
        command.args(["-in", "-smt2"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = sandbox::spawn(command).map_err(start)?;
        let closed = || std::io::Error::other("its pipes are closed");
        let mut input: ChildStdin = child.stdin.take().ok_or_else(closed).map_err(start)?;
        let output = BufReader::new(child.stdout.take().ok_or_else(closed).map_err(start)?);
        let (sender, lines) = channel();
        // Reads on its own, so that waiting can end when the time is up; ends with the process.
        std::thread::spawn(move || {
            for line in output.lines() {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let (requests, to_write) = channel::<String>();
        // Writes on its own: a solver that is busy does not read, and waiting for it has to end as well.
        std::thread::spawn(move || {
            for text in to_write {
                if input.write_all(text.as_bytes()).and_then(|()| input.flush()).is_err() {
                    break;
                }
            }
        });
        let Limit { work, milliseconds } = self.limit;
        let timeout = u128::from(milliseconds);
        let mut running = Running { child, timeout, allowed: work, done: 0, requests, lines };
        running.send(&format!(
            "(set-option :timeout {milliseconds})\n(set-option :rlimit {work})\n(set-option :produce-models true)\n\
             (set-option :produce-unsat-assumptions true)\n"
        ))?;
        Ok(running)
    }

    /// What is asked from now on shares the limit of one query.
    pub fn begin(&mut self) {
        self.until = Instant::now() + Duration::from_millis(self.limit.milliseconds);
        self.work = self.limit.work;
    }

    /// Does what `with` asks inside a scope of its own. After an error the solver starts afresh.
    pub fn query<T>(&mut self, with: impl FnOnce(&mut Talk<'_>) -> Result<T, SmtError>) -> Result<T, SmtError> {
        let began = Instant::now();
        let mut running = match self.running.take() {
            Some(running) => running,
            None => self.spawn()?,
        };
        let mut talk = Talk {
            running: &mut running,
            limit: self.limit,
            until: self.until,
            work: self.work,
            deadline: self.deadline,
            record: self.dump.is_some().then(String::new),
        };
        let result = talk.send("(push)\n").and_then(|()| with(&mut talk));
        let result = result.and_then(|value| talk.send("(pop)\n").map(|()| value));
        self.work = talk.work;
        if let (Some(directory), Some(record)) = (&self.dump, talk.record.take()) {
            self.dumped += 1;
            // A full disk is no reason to stop exploring.
            let _ = std::fs::write(directory.join(format!("{:06}.smt2", self.dumped)), record);
        }
        if result.is_ok() {
            self.running = Some(running);
        }
        self.spent += began.elapsed();
        result
    }
}

fn version(running: &mut Running) -> Result<String, SmtError> {
    running.send("(get-info :version)\n")?;
    let line = running.line(Duration::from_secs(10))?;
    match line.strip_prefix("(:version").and_then(|rest| rest.split('"').nth(1)) {
        Some(version) => Ok(version.to_string()),
        None => Err(SmtError::Unexpected(line)),
    }
}

/// What can be said to a solver during a query.
pub(crate) struct Talk<'a> {
    running: &'a mut Running,
    /// What all checks of a query may take, and what is left of it.
    limit: Limit,
    until: Instant,
    work: u64,
    deadline: Deadline,
    record: Option<String>,
}

impl Talk<'_> {
    pub fn send(&mut self, text: &str) -> Result<(), SmtError> {
        if let Some(record) = &mut self.record {
            record.push_str(text);
        }
        self.running.send(text)
    }

    pub fn check(&mut self, assumptions: &[String]) -> Result<Verdict, SmtError> {
        // With assumptions more checks will follow, so none takes all that is left.
        let share = if assumptions.is_empty() { 1 } else { 2 };
        let left = self.until.saturating_duration_since(Instant::now()) / share;
        let left = self.deadline.left().map_or(left, |all| left.min(all / 2));
        let milliseconds = left.as_millis();
        let work = self.work / u64::from(share);
        if milliseconds == 0 || work == 0 {
            return Ok(Verdict::Unknown);
        }
        // Small differences are not worth a line.
        let slack = u128::from(self.limit.milliseconds) / 8;
        if milliseconds + slack < self.running.timeout || milliseconds > self.running.timeout + slack {
            self.send(&format!("(set-option :timeout {milliseconds})\n"))?;
            self.running.timeout = milliseconds;
        }
        if work.abs_diff(self.running.allowed) > self.limit.work / 8 {
            self.send(&format!("(set-option :rlimit {work})\n"))?;
            self.running.allowed = work;
        }
        if assumptions.is_empty() {
            self.send("(check-sat)\n")?;
        } else {
            self.send(&format!("(check-sat-assuming ({}))\n", assumptions.join(" ")))?;
        }
        self.running.send("(get-info :rlimit)\n")?;
        let verdict = self.running.line(self.patience())?;
        self.count_work()?;
        match verdict.as_str() {
            "sat" => Ok(Verdict::Sat),
            "unsat" => Ok(Verdict::Unsat),
            "unknown" | "timeout" => Ok(Verdict::Unknown),
            other => Err(SmtError::Unexpected(other.to_string())),
        }
    }

    fn count_work(&mut self) -> Result<(), SmtError> {
        let line = self.running.line(self.patience())?;
        // Not every solver counts.
        let done = line.strip_prefix("(:rlimit ").and_then(|rest| rest.trim_end_matches(')').parse().ok());
        let done: u64 = done.unwrap_or(self.running.done);
        self.work = self.work.saturating_sub(done.saturating_sub(self.running.done));
        self.running.done = done;
        Ok(())
    }

    /// A solver that does not look at its clock is not waited for any longer than the others.
    fn patience(&self) -> Duration {
        let usual = Duration::from_millis(self.limit.milliseconds) + GRACE;
        self.deadline.left().map_or(usual, |left| usual.min(left + LAST_GRACE))
    }

    /// The answer to a request, one expression.
    pub fn answer(&mut self, request: &str) -> Result<String, SmtError> {
        self.send(request)?;
        let mut text = String::new();
        let mut depth = 0i64;
        loop {
            let line = self.running.line(self.patience())?;
            depth += line.chars().map(|c| i64::from(c == '(') - i64::from(c == ')')).sum::<i64>();
            text.push_str(&line);
            text.push('\n');
            if depth <= 0 {
                return if text.starts_with("(error") { Err(SmtError::Unexpected(text)) } else { Ok(text) };
            }
        }
    }
}

impl Running {
    fn send(&mut self, text: &str) -> Result<(), SmtError> {
        let gone = |_| SmtError::Died(std::io::Error::other("it takes no requests"));
        self.requests.send(text.to_string()).map_err(gone)
    }

    fn line(&mut self, patience: Duration) -> Result<String, SmtError> {
        match self.lines.recv_timeout(patience) {
            Ok(line) => Ok(line.map_err(SmtError::Died)?.trim().to_string()),
            Err(RecvTimeoutError::Timeout) => Err(SmtError::Silent),
            Err(RecvTimeoutError::Disconnected) => Err(SmtError::Died(std::io::Error::other("it ended"))),
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may be gone already; either way nobody waits for its answer.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
