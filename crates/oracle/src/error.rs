//! What can go wrong between us and the real runtime. Every message says where, and what to do.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use term::Atom;

#[derive(Clone, Debug, thiserror::Error)]
pub enum OracleError {
    #[error(
        "Erlang/OTP was not found: there is no executable {}. Install Erlang/OTP {} or newer (Debian: apt install \
         erlang-base erlang-dev erlang-eunit; macOS: brew install erlang), or let BEAGLE_ERL name its `erl`",
        .erl.display(), crate::OLDEST_RELEASE
    )]
    ErlMissing { erl: PathBuf },
    #[error("{} cannot be started: {source}", .erl.display())]
    CannotStart { erl: PathBuf, source: Arc<io::Error> },
    #[error(
        "{} is Erlang/OTP {found}; {} or newer is needed: install one, or let BEAGLE_ERL name its `erl`",
        .erl.display(), crate::OLDEST_RELEASE
    )]
    TooOld { erl: PathBuf, found: String },
    #[error("{} does not start as Erlang/OTP does: {why}. Let --erl or BEAGLE_ERL name an `erl` that works", .erl.display())]
    NoRuntime { erl: PathBuf, why: String },
    #[error("the Erlang runtime ended while it was to {doing} ({status}); it is started again when next needed{said}")]
    ChildDied {
        doing: String,
        status: String,
        /// The last lines that it wrote, if any, on lines of their own.
        said: String,
    },
    #[error(
        "the Erlang runtime could not {doing} within {} s: look for what never ends, or raise --compile-time",
        .limit.as_secs_f32()
    )]
    Timeout { doing: String, limit: Duration },
    #[error("there is no module {module} in the code path: name its folder with -pa, or give its source")]
    NoModule { module: Atom },
    #[error("{place} has no code that can be read: {reason}. Compile it with debug_info (erlc +debug_info)")]
    NoDebugInfo { place: String, reason: String },
    #[error("{file} does not compile:\n{}", .errors.join("\n"))]
    Compile {
        file: String,
        /// `file:line:column: message`
        errors: Vec<String>,
        /// Parse transforms that were asked for and are not in the code path.
        missing_transforms: Vec<Atom>,
    },
    #[error("the compiler option {option} is not an Erlang term: write it as in a -compile attribute")]
    BadOption { option: String },
    #[error("{file} cannot be loaded as a BEAM file: {reason}")]
    BadBeam { file: String, reason: String },
    #[error(
        "code in the Erlang runtime wrote to the pipe by which Beagle speaks with it, while it was to {doing}: nothing \
         that it says can be believed"
    )]
    Forged { doing: String },
    #[error("{reason}; nothing is evaluated without one, unless --confirm trusting says so")]
    NoSandbox { reason: sandbox::Unavailable },
    /// Our own fault, on one end of the pipe or the other.
    #[error("the Erlang runtime's answer to the request to {doing} makes no sense: {detail}")]
    Protocol { doing: String, detail: String },
}

impl OracleError {
    /// Nothing that is asked of this runtime will be answered.
    pub fn is_of_runtime(&self) -> bool {
        match self {
            OracleError::ErlMissing { .. }
            | OracleError::CannotStart { .. }
            | OracleError::TooOld { .. }
            | OracleError::NoRuntime { .. }
            | OracleError::NoSandbox { .. } => true,
            OracleError::ChildDied { .. }
            | OracleError::Timeout { .. }
            | OracleError::NoModule { .. }
            | OracleError::NoDebugInfo { .. }
            | OracleError::Compile { .. }
            | OracleError::BadOption { .. }
            | OracleError::BadBeam { .. }
            | OracleError::Forged { .. }
            | OracleError::Protocol { .. } => false,
        }
    }
}
