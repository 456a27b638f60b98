//! Errors of the real runtime and of the communication with it. Every message says where the error is and what to do.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use term::Atom;

#[derive(Clone, Debug, thiserror::Error)]
pub enum OracleError {
    #[error(
        "Erlang/OTP was not found: there is no executable {}. Install Erlang/OTP {} or newer (Debian: apt install \
         erlang-base erlang-dev erlang-eunit; macOS: brew install erlang), or set BEAGLE_ERL to the path of its `erl`",
        .erl.display(), crate::OLDEST_RELEASE
    )]
    ErlMissing { erl: PathBuf },
    #[error("{} cannot be started: {source}", .erl.display())]
    CannotStart { erl: PathBuf, source: Arc<io::Error> },
    #[error(
        "{} is Erlang/OTP {found}, but Beagle needs {} or newer: install one, or set BEAGLE_ERL to the path of its `erl`",
        .erl.display(), crate::OLDEST_RELEASE
    )]
    TooOld { erl: PathBuf, found: String },
    #[error("{} does not start as Erlang/OTP does: {why}. Name another `erl` with --erl or BEAGLE_ERL", .erl.display())]
    NoRuntime { erl: PathBuf, why: String },
    #[error(
        "the Erlang runtime ended while it had to {doing} ({status}); Beagle starts it again when it needs it{said}"
    )]
    ChildDied {
        doing: String,
        status: String,
        /// The last lines of its output, if any, each on a line of its own.
        said: String,
    },
    #[error(
        "the Erlang runtime did not {doing} within {} s: find what takes so long, or raise --compile-time",
        .limit.as_secs_f32()
    )]
    Timeout { doing: String, limit: Duration },
    #[error("interrupted before the Erlang runtime could {doing}")]
    Interrupted { doing: String },
    #[error("there is no module {module} in the code path: name its folder with --pa, or pass its source file")]
    NoModule { module: Atom },
    #[error("{place} cannot be read: {reason}. Compile it with debug_info (erlc +debug_info)")]
    NoDebugInfo { place: String, reason: String },
    #[error("{file} does not compile:\n{}", .errors.join("\n"))]
    Compile {
        file: String,
        /// Messages of the form `file:line:column: message`.
        errors: Vec<String>,
        /// Parse transforms that the module uses and that are not in the code path.
        missing_transforms: Vec<Atom>,
    },
    #[error("the compiler option {option} is not an Erlang term: write it as in a -compile attribute")]
    BadOption { option: String },
    #[error("{file} cannot be loaded as a BEAM file: {reason}")]
    BadBeam { file: String, reason: String },
    #[error(
        "code in the Erlang runtime wrote to the pipe between Beagle and the runtime, which had to {doing}: its answers \
         cannot be trusted"
    )]
    Forged { doing: String },
    #[error("{reason}; use --confirm trusting to evaluate without a sandbox")]
    NoSandbox { reason: sandbox::Unavailable },
    /// A defect of Beagle, at one end of the pipe or the other.
    #[error("the Erlang runtime's answer to the request to {doing} is malformed: {detail}")]
    Protocol { doing: String, detail: String },
}

impl OracleError {
    /// Returns whether the runtime as a whole is unusable, so that no request can succeed.
    pub fn is_of_runtime(&self) -> bool {
        match self {
            OracleError::ErlMissing { .. }
            | OracleError::CannotStart { .. }
            | OracleError::TooOld { .. }
            | OracleError::NoRuntime { .. }
            | OracleError::Interrupted { .. }
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
