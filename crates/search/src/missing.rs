//! The obstacles that keep runs from going on although the program is not to blame: things that are denied, or that
//! were not started.

use serde::{Deserialize, Serialize};
use term::FunctionName;

/// A thing that does not exist because nothing was started or configured.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Missing {
    Process(String),
    Table(String),
    Name(String),
    /// The key of a term that all processes share.
    PersistentTerm(String),
    Application(String),
    /// A key of the configuration of an application.
    Setting(String),
    Module(String),
    File(String),
}

impl Missing {
    pub fn name(&self) -> &str {
        match self {
            Missing::Process(name)
            | Missing::Table(name)
            | Missing::Name(name)
            | Missing::PersistentTerm(name)
            | Missing::Application(name)
            | Missing::Setting(name)
            | Missing::Module(name)
            | Missing::File(name) => name,
        }
    }
}

/// Something that a run could not go beyond.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Obstacle {
    /// A function that acts on the outside world.
    Denied(FunctionName),
    /// A native function that is not implemented.
    Unsupported(FunctionName),
    Missing {
        missing: Missing,
        /// The function of the program that creates it.
        created_by: Option<FunctionName>,
        /// The application that creates it when it is started.
        #[serde(default)]
        application: Option<String>,
    },
    /// A function that acts on the outside world, or native code, that did not return on the real runtime.
    NotReturned(FunctionName),
}
