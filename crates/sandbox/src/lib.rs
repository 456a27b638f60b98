//! Starts child processes that end together with Beagle, and confines those that run other people's code.
//!
//! This crate does not know what the children do: no runtime, no solver, no protocol. Every child process of Beagle is
//! started here, so that none outlives it ([`spawn`]). A child that evaluates invented inputs, or compiles or loads
//! code, also gets a [`Sandbox`]: it can read the listed paths and change nothing outside its own folder, no matter
//! what code it runs.
//!
//! On Linux the sandbox combines two mechanisms that cover each other's gaps. Landlock decides which paths may be read,
//! written and executed. A seccomp filter refuses the system calls that Landlock does not cover or that need no path
//! (sockets, signals, tracing, changes of attributes). A child has no capabilities either, even if root started Beagle.
//! Every process that the child starts inherits all restrictions, and none can be removed. A sandbox also has a
//! [`Door`]: once it is shut, nothing can be started inside any more. Other systems have no sandbox yet, which
//! [`availability`] reports.

#[cfg(target_os = "linux")]
mod capabilities;
mod channel;
#[cfg(target_os = "linux")]
mod door;
#[cfg(target_os = "linux")]
mod elf;
#[cfg(target_os = "linux")]
mod filter;
pub mod interrupt;
#[cfg(target_os = "linux")]
mod loopback;
#[cfg(target_os = "linux")]
mod namespace;
mod process;
mod spawner;
#[cfg(target_os = "linux")]
mod system;
mod waiting;
#[cfg(target_os = "linux")]
mod walls;

pub use channel::{Channel, channel};
#[cfg(target_os = "linux")]
pub use door::Door;
pub use process::Process;
pub use spawner::{end, spawn, spawn_with};
pub use waiting::{Ran, RunError, Unheard, read, read_to_string, receive, run, write_all};

use std::path::PathBuf;

/// The permissions of a child inside the walls. All other access to the outside fails with an error of the operating
/// system, which the program in the child sees like missing permissions.
#[derive(Clone, Debug, Default)]
pub struct Sandbox {
    /// Files, and folders with everything below them, that may be read: absolute paths without links, as
    /// [`files::resolve`] returns them. What does not exist is skipped, and so is what has a link on its way. The system's
    /// shared libraries are always readable.
    pub readable: Vec<PathBuf>,
    /// Files that may be executed while the door is open. All programs that they execute have the same sandbox.
    pub executable: Vec<PathBuf>,
    /// Folders in which everything may be done, except changing attributes.
    pub private: Vec<PathBuf>,
    /// Whether there is a network, which consists of a loopback interface that belongs to the child.
    pub has_loopback: bool,
    /// The limit of the address space in bytes, if there is one.
    pub address_space: Option<u64>,
    /// The size of the largest file that can be written, in bytes.
    pub file_size: u64,
}

/// The door on systems without a sandbox, which has no effect.
#[cfg(not(target_os = "linux"))]
#[derive(Default)]
pub struct Door;

#[cfg(not(target_os = "linux"))]
impl Door {
    pub fn shut(&mut self) {}
}

/// The reason why there is no sandbox on this system.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
#[error("no sandbox on this system: {reason}")]
pub struct Unavailable {
    pub reason: String,
}

/// Checks that children can be confined. The system is only examined once in each process.
pub fn availability() -> Result<(), Unavailable> {
    #[cfg(target_os = "linux")]
    {
        static KNOWN: std::sync::OnceLock<Result<(), Unavailable>> = std::sync::OnceLock::new();
        KNOWN.get_or_init(walls::availability).clone()
    }
    #[cfg(not(target_os = "linux"))]
    {
        Err(Unavailable { reason: "it needs Linux with Landlock and seccomp".to_owned() })
    }
}

/// Returns why sandboxed children have no process namespace, if they have none. In that case they still end together
/// with Beagle, but programs that they started while their door was open may stay when Beagle is killed.
pub fn lacks_process_namespace() -> Option<String> {
    #[cfg(target_os = "linux")]
    {
        namespace::lack().map(str::to_owned)
    }
    #[cfg(not(target_os = "linux"))]
    {
        Some("it needs Linux".to_owned())
    }
}
