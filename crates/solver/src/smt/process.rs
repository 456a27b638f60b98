//! An SMT-LIB 2 solver as a child process: the only part of this crate that touches the outside.

#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the one place of this room that touches the world"
)]

mod dialect;
mod output;
#[cfg(test)]
mod tests;

use crate::deadline::Deadline;
use dialect::Dialect;
use output::{LONGEST_ANSWER, Output};
use std::io::Write;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Sender, channel};
use std::time::{Duration, Instant};

/// The time that a solver may take beyond its limit before it counts as hanging.
const GRACE: Duration = Duration::from_millis(1500);

/// The same if there is no time left for anything else.
const LAST_GRACE: Duration = Duration::from_millis(50);
/// The time that a solver may take until it has answered with its version.
const FIRST_PATIENCE: Duration = Duration::from_secs(10);

#[derive(Debug, thiserror::Error)]
pub enum SmtError {
    #[error("cannot start the solver `{}`: {reason}. Install one (for example the package z3), or name another with \
             --solver", path.display())]
    Start { path: PathBuf, reason: std::io::Error },
    #[error("the solver `{}` is version {version}, but Beagle needs {}.{} or newer. Install a newer one (for \
             example with pip install z3-solver), or name another with --solver", path.display(), oldest.0, oldest.1)]
    TooOld { path: PathBuf, version: String, oldest: (u32, u32) },
    #[error("`{}` does not answer as an SMT-LIB 2 solver does. Name one with --solver, for example z3", path.display())]
    NoSolver { path: PathBuf },
    #[error("the solver died: {0}")]
    Died(std::io::Error),
    #[error("the solver did not answer in time")]
    Silent,
    #[error("the solver's answer is longer than {} MB", LONGEST_ANSWER >> 20)]
    TooLong,
    #[error("the solver answered: {0}")]
    Unexpected(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CheckResult {
    Sat,
    Unsat,
    Unknown,
}

/// The limits of one query. Usually the work decides, and is the same on every computer, however busy; the clock is for
/// what a solver does without counting it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    /// In the solver's own units.
    pub work: u64,
    pub milliseconds: u64,
}

impl Limit {
    /// Measured with Z3 over the queries of a few searches: 100 (numbers) to 1000 (choices) units per millisecond.
    const WORK_IN_A_MILLISECOND: u64 = 500;

    /// The largest amount of work that Z3 counts.
    const MOST_WORK: u64 = u32::MAX as u64;

    /// Returns the limit of the work that an idle computer does in about this time, and of twice the time.
    pub fn about(milliseconds: u64) -> Limit {
        Limit {
            work: milliseconds.saturating_mul(Limit::WORK_IN_A_MILLISECOND).min(Limit::MOST_WORK),
            milliseconds: milliseconds.saturating_mul(2),
        }
    }
}

/// A solver process. A solver that dies is started again for the next query; the query in which it died is unknown. So
/// is a query whose answer is not exactly what was asked for: each answer has to be between two marks that the solver
/// repeats, so that nothing it printed before or prints later is mistaken for the answer.
pub(crate) struct SmtProcess {
    path: PathBuf,
    dialect: Dialect,
    limit: Limit,
    /// A seed that makes the solver search in another way than usual.
    variation: Option<u64>,
    running: Option<Running>,
    version: String,
    dump: Option<PathBuf>,
    dumped: u64,
    pub spent: Duration,
    /// The end of the time for the current query, and the work that is left for it.
    until: Instant,
    work: u64,
    /// The deadline of all queries that follow.
    pub deadline: Deadline,
}

struct Running {
    child: Child,
    /// The current folder of the solver, which is removed after the solver ends.
    _folder: files::Temporary,
    dialect: Dialect,
    /// The limits of time and work that the solver has for one check.
    timeout: u128,
    allowed: u64,
    /// The work that it has done so far.
    done: u64,
    requests: Sender<String>,
    output: Output,
    /// The number of requests so far, which is the number of the next marks.
    asked: u64,
}

impl SmtProcess {
    /// Starts a solver. Queries are written into `dump`.
    pub fn start(
        path: &Path,
        limit: Limit,
        variation: Option<u64>,
        dump: Option<&Path>,
    ) -> Result<SmtProcess, SmtError> {
        let mut process = SmtProcess {
            path: path.to_path_buf(),
            dialect: Dialect::of(path),
            limit,
            variation,
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
            SmtError::Died(_) | SmtError::Silent | SmtError::TooLong | SmtError::Unexpected(_) => None,
            other @ (SmtError::Start { .. } | SmtError::TooOld { .. } | SmtError::NoSolver { .. }) => Some(other),
        });
        process.version = match version {
            Ok(version) => version,
            Err(Some(error)) => return Err(error),
            Err(None) => return Err(SmtError::NoSolver { path: process.path }),
        };
        let numbers: Vec<u32> = process.version.split('.').map_while(|part| part.parse().ok()).collect();
        let oldest = process.dialect.oldest();
        if let [major, minor, ..] = numbers.as_slice()
            && (*major, *minor) < oldest
        {
            return Err(SmtError::TooOld { path: process.path, version: process.version, oldest });
        }
        process.running = Some(running);
        Ok(process)
    }

    pub fn version(&self) -> &str {
        &self.version
    }

    /// Returns the name of the solver for people.
    pub fn name(&self) -> String {
        let file = self.path.file_name().unwrap_or(self.path.as_os_str());
        format!("{} {}", file.to_string_lossy(), self.version)
    }

    /// Returns the number of the running process.
    #[cfg(test)]
    pub fn process_id(&self) -> Option<u32> {
        self.running.as_ref().map(|running| running.child.id())
    }

    fn spawn(&self) -> Result<Running, SmtError> {
        let start = |reason| SmtError::Start { path: self.path.clone(), reason };
        let absent = || start(std::io::ErrorKind::NotFound.into());
        let mut command = Command::new(files::find_executable(&self.path).ok_or_else(absent)?);
        // A solver may look for files in its current folder, so it gets an empty folder of its own.
        let folder = files::Temporary::new().map_err(start)?;
        command.current_dir(folder.path());
        command.args(self.dialect.arguments(self.limit, self.variation));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        // A signal from a terminal is meant for Beagle, which ends the solver when it needs it no longer.
        command.process_group(0);
        let mut child = sandbox::spawn(command).map_err(start)?;
        let closed = || std::io::Error::other("its pipes are closed");
        let mut input: ChildStdin = child.stdin.take().ok_or_else(closed).map_err(start)?;
        let output = Output::of(child.stdout.take().ok_or_else(closed).map_err(start)?);
        let (requests, to_write) = channel::<String>();
        // Writing has a thread of its own: a busy solver does not read, and waiting for it has to end as well.
        std::thread::spawn(move || {
            for text in to_write {
                if input.write_all(text.as_bytes()).and_then(|()| input.flush()).is_err() {
                    break;
                }
            }
        });
        let Limit { work, milliseconds } = self.limit;
        let mut running = Running {
            child,
            _folder: folder,
            dialect: self.dialect,
            timeout: u128::from(milliseconds),
            allowed: work,
            done: 0,
            requests,
            output,
            asked: 0,
        };
        running.send(&self.dialect.options(self.limit, self.variation))?;
        Ok(running)
    }

    /// Begins a query, whose limit all following checks share.
    pub fn begin(&mut self) {
        self.until = Instant::now() + Duration::from_millis(self.limit.milliseconds);
        self.work = self.limit.work;
    }

    /// Runs `with` inside a scope of its own. After an error the solver is started again.
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
            let _ = files::write(&directory.join(format!("{:06}.smt2", self.dumped)), record.as_bytes());
        }
        if result.is_ok() {
            self.running = Some(running);
        }
        self.spent += began.elapsed();
        result
    }
}

fn version(running: &mut Running) -> Result<String, SmtError> {
    let line = running.ask("(get-info :version)\n", FIRST_PATIENCE)?.concat();
    match line.strip_prefix("(:version").and_then(|rest| rest.split('"').nth(1)) {
        Some(version) => Ok(version.to_string()),
        None => Err(SmtError::Unexpected(line)),
    }
}

/// A conversation with a solver during a query.
pub(crate) struct Talk<'a> {
    running: &'a mut Running,
    /// The limits of all checks of a query, and what is left of them.
    limit: Limit,
    until: Instant,
    work: u64,
    deadline: Deadline,
    record: Option<String>,
}

impl Talk<'_> {
    pub fn send(&mut self, text: &str) -> Result<(), SmtError> {
        self.note(text);
        self.running.send(text)
    }

    pub fn check(&mut self, assumptions: &[String]) -> Result<CheckResult, SmtError> {
        // A check with assumptions is followed by others, so it does not get all that is left.
        let share = if assumptions.is_empty() { 1 } else { 2 };
        let left = self.until.saturating_duration_since(Instant::now()) / share;
        let left = self.deadline.left().map_or(left, |all| left.min(all / 2));
        let milliseconds = left.as_millis();
        let work = self.work / u64::from(share);
        if milliseconds == 0 || work == 0 {
            return Ok(CheckResult::Unknown);
        }
        if self.running.dialect.counts_work() {
            self.limit_next(milliseconds, work)?;
        }
        let request = match assumptions {
            [] => "(check-sat)\n".to_string(),
            names => format!("(check-sat-assuming ({}))\n", names.join(" ")),
        };
        let count = if self.running.dialect.counts_work() { "(get-info :rlimit)\n" } else { "" };
        self.note(&request);
        let lines = self.running.ask(&(request + count), self.patience())?;
        let verdict = match lines.as_slice() {
            [verdict] => verdict,
            [verdict, work] if !count.is_empty() => {
                self.count_work(work);
                verdict
            }
            _ => return Err(unexpected(&lines)),
        };
        match verdict.as_str() {
            "sat" => Ok(CheckResult::Sat),
            "unsat" => Ok(CheckResult::Unsat),
            "unknown" | "timeout" => Ok(CheckResult::Unknown),
            _ => Err(unexpected(&lines)),
        }
    }

    fn limit_next(&mut self, milliseconds: u128, work: u64) -> Result<(), SmtError> {
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
        Ok(())
    }

    fn count_work(&mut self, line: &str) {
        // Not every solver counts.
        let done = line.strip_prefix("(:rlimit ").and_then(|rest| rest.trim_end_matches(')').parse().ok());
        let done: u64 = done.unwrap_or(self.running.done);
        self.work = self.work.saturating_sub(done.saturating_sub(self.running.done));
        self.running.done = done;
    }

    /// Returns how long to wait for an answer. The limit holds for solvers that do not look at their clock, too.
    fn patience(&self) -> Duration {
        let usual = Duration::from_millis(self.limit.milliseconds) + GRACE;
        self.deadline.left().map_or(usual, |left| usual.min(left + LAST_GRACE))
    }

    /// Returns the answer to a request.
    pub fn answer(&mut self, request: &str) -> Result<String, SmtError> {
        self.note(request);
        let lines = self.running.ask(request, self.patience())?;
        match lines.first() {
            Some(first) if !first.starts_with("(error") => Ok(lines.join("\n")),
            _ => Err(unexpected(&lines)),
        }
    }

    /// Adds to the record of what is written to the dump.
    fn note(&mut self, text: &str) {
        if let Some(record) = &mut self.record {
            record.push_str(text);
        }
    }
}

/// Maximum number of characters of an unexpected answer that an error quotes.
const MOST_QUOTED: usize = 200;

fn unexpected(lines: &[String]) -> SmtError {
    let first = lines.first().map_or("nothing", String::as_str);
    SmtError::Unexpected(first.chars().take(MOST_QUOTED).collect())
}

impl Running {
    fn send(&mut self, text: &str) -> Result<(), SmtError> {
        let gone = |_| SmtError::Died(std::io::Error::other("it takes no requests"));
        self.requests.send(text.to_string()).map_err(gone)
    }

    /// Sends a request and returns the lines of the answer to it, and no others.
    fn ask(&mut self, request: &str, patience: Duration) -> Result<Vec<String>, SmtError> {
        self.asked += 1;
        let [begin, end] = ["begins", "ends"].map(|what| format!("beagle {} {what}", self.asked));
        self.send(&format!("(echo \"{begin}\")\n{request}(echo \"{end}\")\n"))?;
        let until = Instant::now() + patience;
        let mut left = LONGEST_ANSWER;
        let mut next = || {
            let line = self.output.line(until, left)?;
            left = left.saturating_sub(line.len() + 1);
            Ok(line)
        };
        // Some solvers repeat the quotes, as the standard says, and some do not.
        let is_mark = |line: &str, mark: &str| line.trim_matches('"') == mark;
        let first: String = next()?;
        if !is_mark(&first, &begin) {
            return Err(unexpected(&[first]));
        }
        let mut lines = Vec::new();
        loop {
            let line = next()?;
            if is_mark(&line, &end) {
                return Ok(lines);
            }
            if !line.is_empty() {
                lines.push(line);
            }
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // A solver may be a script that has started the real solver.
        sandbox::end(&mut self.child);
    }
}
