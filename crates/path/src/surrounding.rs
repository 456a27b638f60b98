//! The surroundings of a run: everything that a program can observe besides its inputs and that differs between systems.
//!
//! The machine gives the same answers in every run, but a real system may give others. So every use is recorded
//! (`Recorder::asks`): it prevents the claim that all paths are explored, and a finding says what it depends on.

use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Surrounding {
    /// Clocks, and what is left of timers.
    Time,
    TimeZone,
    /// Environment variables and the number of the operating system's process.
    Environment,
    /// Arguments and flags of the runtime.
    CommandLine,
    UniqueIntegers,
    Randomness,
    /// Statistics and memory in use.
    Load,
    /// Operating system, processors, limits and versions.
    System,
    Directory,
    /// The name of the node, its cookie, other nodes.
    Node,
    Atoms,
    /// Environment and keys of applications.
    Applications,
    /// Modules that may be there or not, loaded or not.
    Code,
    /// Checksums, options and numbers that the compiler leaves in a module.
    Compilation,
    /// Tables that the run itself did not make.
    Tables,
    PersistentTerms,
    /// Processes other than the one that runs, and their names.
    Processes,
    /// What the calling process brings along: dictionary, flags, mailbox, links, callers.
    Process,
    /// Pids, references and ports where their numbers can be seen.
    Identities,
    /// The order in which hash tables and large maps are walked through.
    HashOrder,
    /// The terminal, its size and what is typed there.
    Terminal,
    Logger,
    /// What `-on_load` does outside of the run: native libraries, files.
    Loading,
    /// What functions that act on the outside delivered: files, sockets, ports.
    Outside,
    /// The order in which processes take their turns, where there was a choice. It is told of findings only.
    Schedule,
}

impl Surrounding {
    /// Whether it differs between two systems that were just started and do nothing else. What does not
    /// differ there can be repeated in a test.
    pub const fn varies(self) -> bool {
        match self {
            Surrounding::Time
            | Surrounding::TimeZone
            | Surrounding::Environment
            | Surrounding::CommandLine
            | Surrounding::UniqueIntegers
            | Surrounding::Randomness
            | Surrounding::Load
            | Surrounding::System
            | Surrounding::Directory
            | Surrounding::Node
            | Surrounding::Atoms
            | Surrounding::Identities
            | Surrounding::HashOrder
            | Surrounding::Terminal
            | Surrounding::Outside => true,
            Surrounding::Applications
            | Surrounding::Code
            | Surrounding::Compilation
            | Surrounding::Tables
            | Surrounding::PersistentTerms
            | Surrounding::Processes
            | Surrounding::Process
            | Surrounding::Logger
            | Surrounding::Loading
            | Surrounding::Schedule => false,
        }
    }
}
