//! An SMT-LIB 2 solver as a child process: the only part of this room that touches the outside.

#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the one place of this room that touches the world"
)]

use crate::encode::{decode_values, encode};
use crate::{Answer, Query, Tier};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

#[derive(Debug, thiserror::Error)]
pub enum SmtError {
    #[error("cannot start the solver `{}`: {reason}. Install one (for example the package z3), or name another", path.display())]
    Start { path: PathBuf, reason: std::io::Error },
    #[error("the solver died: {0}")]
    Died(std::io::Error),
    #[error("the solver answered: {0}")]
    Unexpected(String),
}

/// A solver that dies is started again for the next query; the query it died in is unknown.
pub struct SmtProcess {
    path: PathBuf,
    milliseconds: u64,
    running: Option<Running>,
}

struct Running {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl SmtProcess {
    /// `milliseconds` is the time that one query may take.
    pub fn start(path: &Path, milliseconds: u64) -> Result<SmtProcess, SmtError> {
        let mut process = SmtProcess { path: path.to_path_buf(), milliseconds, running: None };
        process.running = Some(process.spawn()?);
        Ok(process)
    }

    fn spawn(&self) -> Result<Running, SmtError> {
        let start = |reason| SmtError::Start { path: self.path.clone(), reason };
        let mut child = Command::new(&self.path)
            .args(["-in", "-smt2"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(start)?;
        let closed = || std::io::Error::other("its pipes are closed");
        let input = child.stdin.take().ok_or_else(closed).map_err(start)?;
        let output = BufReader::new(child.stdout.take().ok_or_else(closed).map_err(start)?);
        let mut running = Running { child, input, output };
        let options = format!("(set-option :timeout {})\n(set-option :produce-models true)\n", self.milliseconds);
        running.input.write_all(options.as_bytes()).map_err(SmtError::Died)?;
        Ok(running)
    }

    fn ask(&mut self, query: &Query<'_>) -> Result<Answer, SmtError> {
        let running = match &mut self.running {
            Some(running) => running,
            None => {
                let started = self.spawn()?;
                self.running.insert(started)
            }
        };
        let encoded = encode(query.formulas, query.conditions);
        running.send(&format!("(push)\n{}{}(check-sat)\n", encoded.declarations, encoded.assertions))?;
        let answer = match running.line()?.as_str() {
            "sat" if encoded.variables.is_empty() => Answer::Sat(Default::default()),
            "sat" => {
                let names: Vec<String> = encoded.variables.iter().map(|variable| format!("x{}", variable.0)).collect();
                running.send(&format!("(get-value ({}))\n", names.join(" ")))?;
                let text = running.expression()?;
                Answer::Sat(decode_values(&text).ok_or(SmtError::Unexpected(text))?)
            }
            "unsat" => Answer::Unsat,
            "unknown" => Answer::Unknown("the solver does not know".to_string()),
            other => return Err(SmtError::Unexpected(other.to_string())),
        };
        running.send("(pop)\n")?;
        Ok(answer)
    }
}

impl Running {
    fn send(&mut self, text: &str) -> Result<(), SmtError> {
        self.input.write_all(text.as_bytes()).and_then(|()| self.input.flush()).map_err(SmtError::Died)
    }

    fn line(&mut self) -> Result<String, SmtError> {
        let mut line = String::new();
        match self.output.read_line(&mut line).map_err(SmtError::Died)? {
            0 => Err(SmtError::Died(std::io::Error::other("it ended"))),
            _ => Ok(line.trim().to_string()),
        }
    }

    /// Lines up to the end of a parenthesised expression.
    fn expression(&mut self) -> Result<String, SmtError> {
        let mut text = String::new();
        let mut depth = 0i64;
        loop {
            let line = self.line()?;
            depth += line.chars().map(|c| i64::from(c == '(') - i64::from(c == ')')).sum::<i64>();
            text.push_str(&line);
            text.push('\n');
            if depth <= 0 {
                return Ok(text);
            }
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

impl Tier for SmtProcess {
    fn solve(&mut self, query: &Query<'_>) -> Answer {
        match self.ask(query) {
            Ok(answer) => answer,
            Err(error) => {
                self.running = None;
                Answer::Unknown(error.to_string())
            }
        }
    }
}
