//! The command line: arguments, configuration, exit codes.
//!
//! The exit codes are:
//! - 0: nothing is wrong.
//! - 1: bugs were found, or the evaluation raised an exception.
//! - 2: wrong use, unreadable input, or a report that cannot be written, with a message that says what to do.
//! - 3: a failure of Beagle itself.
//! - 4: `reach` could not decide about some targets, or the BEAM does not reach them (its 0: all are reached, its 1: some
//!   are unreachable); or `replay` could not decide about some findings (its 0: all are as reported, its 1: some are not).
//! - 128 and the number of the signal if the command was interrupted (130 for Ctrl-C), even if it has found bugs.

#![deny(clippy::print_stdout, clippy::print_stderr)]

mod arguments;
mod configuration;
mod ended;
mod evaluating;
mod explain;
mod languages;
mod manual;
mod option_table;
mod project;
mod reach;
mod replay;
mod run;
mod streams;
mod test;
mod trace;

use arguments::{Arguments, Command};
use project::Project;
use sandbox::interrupt::{self, Manner};
use std::process::ExitCode;
use streams::complain;

#[global_allocator]
static ALLOCATOR: campaign::Counting = campaign::Counting;

fn main() -> ExitCode {
    std::panic::set_hook(Box::new(|panic| complain!("{panic}")));
    let arguments = Arguments::read();
    interrupt::listen(match arguments.command {
        // Building and compiling take time as well, so they can be interrupted, too.
        Command::Test(_) => Manner::Report,
        _ => Manner::End,
    });
    // A panic is a defect of Beagle in any case: it gets a message and an exit code of its own.
    let ended = std::panic::catch_unwind(|| settle_authority().and_then(|()| perform(&arguments.command)));
    let ended = ended.map(|ended| ended.and_then(|code| streams::written().map(|()| code)));
    oracle::store::remove_private();
    if interrupt::is_received() {
        // Another thread may have begun this, and would not come to its end.
        files::remove_temporary();
    }
    match ended {
        Ok(Ok(code)) => ExitCode::from(code),
        Ok(Err(error)) if interrupt::is_received() => {
            complain!("interrupted: {}", words_of(&error));
            ExitCode::from(interrupt::exit_code())
        }
        Ok(Err(error)) => {
            complain!("{}", words_of(&error));
            ExitCode::from(2)
        }
        Err(_) => {
            complain!("this is a defect of Beagle: please report it with the command and the message above");
            ExitCode::from(3)
        }
    }
}

/// Returns an error with its causes. Many errors name their cause in their own words already.
fn words_of(error: &anyhow::Error) -> String {
    let mut words = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if !words.ends_with(&cause) {
            words.push_str(if words.is_empty() { "" } else { ": " });
            words.push_str(&cause);
        }
    }
    words
}

/// Settles which files and programs this process may read, write and start, before it examines anything of a project.
fn settle_authority() -> anyhow::Result<()> {
    files::confine(|words| complain!("{words}"));
    Project::declare_here()?;
    configuration::grant_read_roots()
}

fn perform(command: &Command) -> anyhow::Result<u8> {
    match command {
        Command::Run(options) => run::run(options),
        Command::Trace(options) => trace::trace(options),
        Command::Test(options) => test::test(options),
        Command::Reach(options) => reach::reach(options),
        Command::Replay(options) => replay::replay(options),
        Command::Explain(options) => explain::explain(options),
        Command::Merge(options) => test::merge(options),
        Command::Clean(options) => test::clean(options),
        Command::Completions { shell } => manual::completions(*shell),
        Command::Man { folder } => manual::pages(folder),
    }
}
