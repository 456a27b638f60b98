//! Finds the folders of an Erlang/OTP installation from its `erl`, without running it if possible.
//!
//! Children are started without the script `erl`, so that a sandbox need not allow a shell. The script of an ordinary
//! installation names the folder of its runtime. A wrapper, of a version manager for example, does not: it is started
//! once and asked. That runs nothing but OTP itself.

use crate::OLDEST_RELEASE;
use crate::error::OracleError;
use files::{Temporary, find_executable};
use sandbox::RunError;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// The maximum time to wait for a runtime to start.
pub(crate) const BOOT_LIMIT: Duration = Duration::from_secs(60);

/// The maximum size of an `erl` that is a script.
const LONGEST_SCRIPT: u64 = 64 << 10;
/// The maximum size of a wrapper's answer.
const LONGEST_ANSWER: u64 = 4096;

const QUESTION: &str = r#"io:put_chars(["\nroot ", code:root_dir(), "\nerts ", erlang:system_info(version),
    "\nrelease ", erlang:system_info(otp_release), "\n"]), halt()."#;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Installation {
    /// The executable that was named, with links followed.
    pub erl: PathBuf,
    /// For example `/usr/lib/erlang`.
    pub root: PathBuf,
    /// For example `/usr/lib/erlang/erts-13.1.5/bin`.
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

    /// Returns the programs that a runtime consists of. `erl_child_setup` is started with every runtime.
    pub fn programs(&self) -> [PathBuf; 3] {
        ["erlexec", "beam.smp", "erl_child_setup"].map(|name| self.binaries.join(name))
    }

    fn at(erl: PathBuf, root: &Path, erts: &str) -> Option<Installation> {
        // The user has named the folder in `PATH` or on the command line.
        files::grant(root);
        let root = files::resolve(root).ok()?;
        let installation = Installation { erl, binaries: root.join(erts).join("bin"), root };
        installation.programs().iter().all(|program| files::is_executable(program)).then_some(installation)
    }

    /// Reads a script at `ROOT/bin/erl`, or `ROOT/erts-V/bin/erl`, with a line `BINDIR="$ROOTDIR/erts-V/bin"`.
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

/// Asks the wrapper's runtime for its folders and versions.
fn ask(erl: &Path) -> Result<String, OracleError> {
    let refused = |why: String| OracleError::NoRuntime { erl: erl.to_path_buf(), why };
    let mut command = Command::new(erl);
    command.args(["-noshell", "-noinput", "-boot", "no_dot_erlang", "-eval", QUESTION]);
    command.env("ERL_CRASH_DUMP_SECONDS", "0");
    // A version manager looks for files in the current folder that may name any program.
    let elsewhere = Temporary::new().ok().filter(|_| !files::may_run_project_tools());
    if let Some(folder) = &elsewhere {
        command.current_dir(folder.path());
    }
    let ran = sandbox::run(command, BOOT_LIMIT, LONGEST_ANSWER).map_err(|error| match error {
        RunError::Start(source) => OracleError::CannotStart { erl: erl.to_path_buf(), source: source.into() },
        RunError::Interrupted => OracleError::Interrupted { doing: "start".to_owned() },
        RunError::TooLong(limit) => refused(format!("nothing was heard of it for {} s", limit.as_secs())),
        RunError::KeptOpen => refused(error.to_string()),
    })?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    match ran.status.success() {
        true => Ok(text(&ran.output)),
        false => {
            let first: String = text(&ran.errors).lines().take(3).map(|line| format!("\n  {line}")).collect();
            Err(refused(format!("it ended ({}){first}", ran.status)))
        }
    }
}
