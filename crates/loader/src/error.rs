//! Reasons why an existing module could not be loaded.

use oracle::OracleError;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use term::Atom;

#[derive(Clone, Debug, thiserror::Error)]
pub enum LoadError {
    #[error(transparent)]
    Oracle(Arc<OracleError>),
    #[error("{} cannot be read: {source}", .file.display())]
    Unreadable { file: PathBuf, source: Arc<io::Error> },
    #[error("{} cannot be written: {source}", .file.display())]
    Unwritable { file: PathBuf, source: Arc<io::Error> },
    #[error("{} does not exist: name a .erl or .beam file, or a folder of them", .path.display())]
    NoSource { path: PathBuf },
    #[error("{} is neither Erlang source nor a BEAM file: name a .erl or .beam file, or a folder of them{}", .path.display(), hint(.path))]
    NotCode { path: PathBuf },
    #[error("{} contains too many folders: name the folder of the project or of its code", .path.display())]
    TooManyFolders { path: PathBuf },
    #[error("{} is not a folder: {option} takes a folder", .path.display())]
    NoFolder { path: PathBuf, option: &'static str },
    #[error("{} defines the module {found}: rename the file or the module, they must agree", .file.display())]
    WrongName { file: PathBuf, found: Atom },
    #[error("{module} could not be lowered, which is a defect of Beagle: {message}")]
    Lower { module: Atom, message: String },
}

/// Returns advice about a file that is not Erlang source.
fn hint(file: &Path) -> &'static str {
    match file.extension().and_then(|extension| extension.to_str()) {
        Some("ex" | "exs") => ". Compile Elixir with mix or elixirc first",
        Some("hrl") => ". A header is found beside the file that includes it, or with -I and its folder",
        _ => "",
    }
}

impl From<OracleError> for LoadError {
    fn from(error: OracleError) -> LoadError {
        LoadError::Oracle(Arc::new(error))
    }
}

impl LoadError {
    /// Returns whether no module can be loaded because there is no usable runtime.
    pub fn is_of_runtime(&self) -> bool {
        matches!(self, LoadError::Oracle(error) if error.is_of_runtime())
    }

    /// Returns whether the error remains as long as the files stay as they are.
    pub(crate) fn is_lasting(&self) -> bool {
        match self {
            LoadError::Oracle(error) => match **error {
                OracleError::NoDebugInfo { .. }
                | OracleError::Compile { .. }
                | OracleError::BadOption { .. }
                | OracleError::BadBeam { .. }
                | OracleError::Timeout { .. }
                | OracleError::Forged { .. }
                | OracleError::NoSandbox { .. }
                | OracleError::TooOld { .. } => true,
                OracleError::ErlMissing { .. }
                | OracleError::CannotStart { .. }
                | OracleError::NoRuntime { .. }
                | OracleError::ChildDied { .. }
                | OracleError::Interrupted { .. }
                | OracleError::NoModule { .. }
                | OracleError::Protocol { .. } => false,
            },
            LoadError::WrongName { .. } | LoadError::Lower { .. } => true,
            LoadError::Unreadable { .. }
            | LoadError::Unwritable { .. }
            | LoadError::NoSource { .. }
            | LoadError::NotCode { .. }
            | LoadError::TooManyFolders { .. }
            | LoadError::NoFolder { .. } => false,
        }
    }
}
