//! The surroundings of a run: everything that a program can observe besides its inputs and that differs between systems.
//!
//! The machine gives the same answers in every run, but a real system may give others. So every use is recorded
//! (`Recorder::asks`): it prevents the claim that all paths are explored, and a finding says what it depends on.
//!
//! [`OwnState`] is the counterpart: state that the run itself has made.

use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Surrounding {
    /// Clocks, and the remaining times of timers.
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
    /// Whether modules exist and are loaded.
    Code,
    /// Checksums, options and numbers that the compiler leaves in a module.
    Compilation,
    /// Tables that the run itself did not make.
    Tables,
    PersistentTerms,
    /// Processes other than the running one, and their names.
    Processes,
    /// The initial state of the calling process: dictionary, flags, mailbox, links, callers.
    Process,
    /// Pids, references and ports where their numbers can be seen.
    Identities,
    /// The iteration order of hash tables and large maps.
    HashOrder,
    /// The terminal, its size and its input.
    Terminal,
    Logger,
    /// The effects of `-on_load` outside of the run: native libraries, files.
    Loading,
    /// Results of functions that act on the outside world: files, sockets, ports.
    Outside,
    /// The order in which processes take their turns, if there was a choice. It is reported with findings only.
    Schedule,
}

impl Surrounding {
    /// Returns whether further evaluations in fresh runtimes could have another outcome because of it. All evaluations call
    /// a function from the same kind of process, and in any order of turns.
    pub const fn is_worth_repeating(self) -> bool {
        !matches!(self, Surrounding::Process | Surrounding::Schedule)
    }

    /// Returns whether it differs between two systems that were just started and do nothing else. Surroundings that do
    /// not differ can be repeated in a test.
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

/// A class of state that a run makes itself, and that is therefore the same on every system. An operation that reads more
/// than the run has made records one of the surroundings of [`OwnState::beyond`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OwnState {
    /// Entries that the process has put into its dictionary.
    Dictionary,
    /// Flags that the process has set.
    Flags,
    /// Messages that processes of the run have sent.
    Mailbox,
    /// The calls in progress, as far as the run has made them.
    Calls,
    /// Processes that the run has started, with their names, links and monitors.
    Processes,
    Timers,
    /// Tables that the run has made.
    Tables,
    PersistentTerms,
    /// Arrays of counters that the run has made.
    Counters,
    /// Applications that the program describes and starts, and their environment.
    Applications,
    /// Modules of the program and of the libraries that it uses.
    Code,
    /// Atoms that every runtime has.
    Atoms,
    /// Pids and references of the run, except for their numbers.
    Identities,
    /// The order of maps, if the keys decide it.
    Order,
    /// Text printed to the group leader of the run, which takes it, or to processes of the run.
    Output,
    Logger,
    /// The platform that a claim is about: release, kind of operating system, size of a word, the C library; and flags of the
    /// runtime where their values make no difference.
    Platform,
    /// Records that Beagle keeps about the run, for the prelude only.
    Search,
}

impl OwnState {
    /// Returns the surroundings that an operation may see if it looks at more than the run has made.
    pub const fn beyond(self) -> &'static [Surrounding] {
        match self {
            OwnState::Dictionary => &[Surrounding::Process, Surrounding::HashOrder],
            OwnState::Flags => &[Surrounding::Process, Surrounding::CommandLine],
            OwnState::Mailbox => &[Surrounding::Process, Surrounding::Time],
            OwnState::Calls => &[Surrounding::Process],
            OwnState::Processes => &[Surrounding::Processes, Surrounding::Process, Surrounding::Node],
            OwnState::Timers => &[Surrounding::Time],
            OwnState::Tables => &[
                Surrounding::Tables,
                Surrounding::HashOrder,
                Surrounding::Identities,
                Surrounding::System,
                Surrounding::Node,
                Surrounding::CommandLine,
            ],
            OwnState::PersistentTerms => &[Surrounding::PersistentTerms],
            OwnState::Applications => &[Surrounding::Applications, Surrounding::HashOrder],
            OwnState::Code => &[Surrounding::Code, Surrounding::Compilation],
            OwnState::Atoms => &[Surrounding::Atoms],
            OwnState::Identities => &[Surrounding::Identities],
            OwnState::Order => &[Surrounding::HashOrder],
            OwnState::Logger => &[Surrounding::Logger],
            OwnState::Platform => &[Surrounding::System, Surrounding::CommandLine],
            OwnState::Output => &[Surrounding::Processes, Surrounding::Terminal],
            OwnState::Counters | OwnState::Search => &[],
        }
    }
}
