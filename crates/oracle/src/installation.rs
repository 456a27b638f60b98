//! Where an Erlang/OTP lies: found from its `erl` without running it, as a rule.
//!
//! Children are started without the script `erl`: a sandbox need not allow a shell then. The script of an ordinary
//! installation names the folder of its runtime. A wrapper, of a version manager for example, does not: it is started
//! once and asked. That runs nothing but OTP itself.

use crate::OLDEST_RELEASE;
use crate::error::OracleError;
use files::find_executable;
use sandbox::Folder;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Nobody waits longer than this for a runtime to come up.
pub(crate) const BOOT_LIMIT: Duration = Duration::from_secs(60);

/// An `erl` that is longer is no script.
const LONGEST_SCRIPT: u64 = 64 << 10;
/// Of what a wrapper says.
const LONGEST_ANSWER: u64 = 4096;

const QUESTION: &str = r#"io:put_chars(["\nroot ", code:root_dir(), "\nerts ", erlang:system_info(version),
    "\nrelease ", erlang:system_info(otp_release), "\n"]), halt()."#;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Installation {
    /// The executable that was named, with links followed.
    pub erl: PathBuf,
    /// `/usr/lib/erlang`
    pub root: PathBuf,
    /// `/usr/lib/erlang/erts-13.1.5/bin`
    pub binaries: PathBuf,
}

impl Installation {
    pub fn find(erl: Option<&Path>) -> Result<Installation, OracleError> {
        let name = erl.unwrap_or(Path::new("erl"));
        let erl = find_executable(name).ok_or_else(|| OracleError::ErlMissing { erl: name.to_path_buf() })?;
        match Installation::of_script(&erl) {
            Some(installation) => Ok(installation),
            None => Installation::of_wrapper(erl),
        }
    }

    /// The programs that a runtime consists of. `erl_child_setup` is started with every runtime.
    pub fn programs(&self) -> [PathBuf; 3] {
        ["erlexec", "beam.smp", "erl_child_setup"].map(|name| self.binaries.join(name))
    }

    fn at(erl: PathBuf, root: &Path, erts: &str) -> Option<Installation> {
        // The user's `PATH` or command line names it.
        files::grant(root);
        let root = files::resolve(root).ok()?;
        let installation = Installation { erl, binaries: root.join(erts).join("bin"), root };
        installation.programs().iter().all(|program| files::is_executable(program)).then_some(installation)
    }

    /// `ROOT/bin/erl`, or `ROOT/erts-V/bin/erl`, with a line `BINDIR="$ROOTDIR/erts-V/bin"`.
    fn of_script(erl: &Path) -> Option<Installation> {
        let script = String::from_utf8(files::read_direct(erl, LONGEST_SCRIPT).ok()?).ok()?;
        let line = script.lines().find_map(|line| line.trim().strip_prefix("BINDIR="))?;
        let erts = line.trim_matches(['"', '\'']).split('/').find(|part| part.starts_with("erts-"))?;
        let mut roots = erl.ancestors().skip(2).take(2);
        roots.find_map(|root| Installation::at(erl.to_path_buf(), root, erts))
    }

    fn of_wrapper(erl: PathBuf) -> Result<Installation, OracleError> {
        let said = ask(&erl)?;
        let part = |name: &str| said.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        if let Some(found) = part("release")
            && found.parse::<u32>().is_ok_and(|release| release < OLDEST_RELEASE)
        {
            return Err(OracleError::TooOld { erl, found: found.to_owned() });
        }
        let known = part("root").zip(part("erts"));
        let installation =
            known.and_then(|(root, erts)| Installation::at(erl.clone(), Path::new(root), &format!("erts-{erts}")));
        installation.ok_or_else(|| {
            let said: String = said.chars().take(200).collect();
            let why = format!("asked where its runtime lies, it says {said:?}, which is no installation");
            OracleError::NoRuntime { erl, why }
        })
    }
}

/// What the wrapper's runtime says of itself.
fn ask(erl: &Path) -> Result<String, OracleError> {
    let refused = |why: String| OracleError::NoRuntime { erl: erl.to_path_buf(), why };
    let mut command = Command::new(erl);
    command.args(["-noshell", "-noinput", "-boot", "no_dot_erlang", "-eval", QUESTION]);
    command.env("ERL_CRASH_DUMP_SECONDS", "0");
    // A version manager looks for files in the current folder that may name any program.
    let elsewhere = Folder::new().ok().filter(|_| !files::may_run_project_tools());
    if let Some(folder) = &elsewhere {
        command.current_dir(folder.path());
    }
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = sandbox::spawn(command)
        .map_err(|source| OracleError::CannotStart { erl: erl.to_path_buf(), source: source.into() })?;
    let listen = |stream: Option<Box<dyn Read + Send>>| {
        thread::spawn(move || {
            let mut bytes = Vec::new();
            stream.map(|stream| stream.take(LONGEST_ANSWER).read_to_end(&mut bytes));
            String::from_utf8_lossy(&bytes).into_owned()
        })
    };
    let said = listen(child.stdout.take().map(|stream| Box::new(stream) as Box<dyn Read + Send>));
    let complained = listen(child.stderr.take().map(|stream| Box::new(stream) as Box<dyn Read + Send>));
    let end = Instant::now() + BOOT_LIMIT;
    let is_listening = || !said.is_finished() || !complained.is_finished();
    let mut status = child.try_wait();
    // What says more than an answer can be is not waited for.
    while matches!(status, Ok(None)) && is_listening() && Instant::now() < end {
        thread::sleep(Duration::from_millis(2));
        status = child.try_wait();
    }
    if !matches!(status, Ok(Some(_))) {
        let _ = child.kill();
        let _ = child.wait();
    }
    match status {
        Ok(Some(status)) if status.success() => Ok(said.join().unwrap_or_default()),
        Ok(Some(status)) => {
            let complained = complained.join().unwrap_or_default();
            let first: String = complained.lines().take(3).map(|line| format!("\n  {line}")).collect();
            Err(refused(format!("it ended ({status}){first}")))
        }
        Ok(None) if Instant::now() >= end => {
            Err(refused(format!("nothing was heard of it for {} s", BOOT_LIMIT.as_secs())))
        }
        Ok(None) => Err(refused("it says something else than Erlang would".to_owned())),
        Err(error) => Err(refused(error.to_string())),
    }
}
