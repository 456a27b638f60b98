//! The walls of a sandbox: prepared before the fork, closed between fork and exec.

use crate::door::{self, Frame};
use crate::filter::Filters;
use crate::loopback::Loopback;
use crate::spawner::die_with_parent;
use crate::{Sandbox, Unavailable, capabilities, elf, system};
use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, PathBeneath, RestrictionStatus, Ruleset, RulesetAttr,
    RulesetCreated, RulesetCreatedAttr, RulesetError, RulesetStatus, Scope,
};
use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

/// The newest version of Landlock whose restrictions are used if the kernel has them. The filter refuses what an older
/// kernel lacks: truncation (3), connections (4), devices (5), signals and abstract sockets (6).
const NEWEST: ABI = ABI::V6;

/// The limit of processor time in seconds, which no child needs. It ends a child that is left running.
const LONGEST_WORK: u64 = 3600;

/// Everything that the child needs to confine itself, without allocating.
pub(crate) struct Walls {
    loopback: Option<Loopback>,
    ruleset: Option<RulesetCreated>,
    frame: Frame,
    filters: Filters,
    limits: [(libc::c_int, u64); 4],
}

pub(crate) fn availability() -> Result<(), Unavailable> {
    let missing = |reason: String| Unavailable { reason };
    ruleset(false).map_err(|_| missing("the kernel offers no Landlock, which Linux 5.13 or newer has".to_owned()))?;
    Filters::compile(false).map_err(|error| missing(format!("no seccomp filter for this processor: {error}")))?;
    let errno = libc::SECCOMP_RET_ERRNO;
    // SAFETY: the kernel only reads the number.
    let known = unsafe { libc::syscall(libc::SYS_seccomp, libc::SECCOMP_GET_ACTION_AVAIL, 0, &errno) };
    if known != 0 {
        return Err(missing(format!("the kernel offers no seccomp filters ({})", io::Error::last_os_error())));
    }
    door::availability().map_err(|error| missing(format!("the kernel offers no seccomp filters that ask ({error})")))
}

/// Returns an empty set of rules. The ports of a loopback interface of the child's own need no rules.
fn ruleset(has_loopback: bool) -> Result<RulesetCreated, RulesetError> {
    let rules = Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_all(ABI::V1))?
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(NEWEST))?;
    let rules = if has_loopback { rules } else { rules.handle_access(AccessNet::from_all(NEWEST))? };
    rules.scope(Scope::from_all(NEWEST))?.create()
}

impl Walls {
    pub fn of(sandbox: &Sandbox, frame: Frame) -> io::Result<Walls> {
        let ruleset = rules(sandbox).map_err(io::Error::other)?;
        let filters = Filters::compile(sandbox.has_loopback).map_err(io::Error::other)?;
        let limits = [
            (libc::RLIMIT_AS as libc::c_int, sandbox.address_space.unwrap_or(libc::RLIM_INFINITY)),
            (libc::RLIMIT_FSIZE as libc::c_int, sandbox.file_size),
            (libc::RLIMIT_CORE as libc::c_int, 0),
            (libc::RLIMIT_CPU as libc::c_int, LONGEST_WORK),
        ];
        let loopback = sandbox.has_loopback.then(Loopback::new);
        Ok(Walls { loopback, ruleset: Some(ruleset), frame, filters, limits })
    }

    /// In the child: closes the walls. This cannot be undone.
    pub fn close(&mut self) -> io::Result<()> {
        if let Some(loopback) = &self.loopback {
            loopback.enter()?;
        }
        capabilities::drop_all()?;
        for (resource, wanted) in &self.limits {
            lower(*resource, *wanted)?;
        }
        let ruleset = self.ruleset.take().ok_or(io::ErrorKind::Unsupported)?;
        match ruleset.restrict_self() {
            Ok(RestrictionStatus {
                ruleset: RulesetStatus::FullyEnforced | RulesetStatus::PartiallyEnforced,
                no_new_privs: true,
                ..
            }) => {}
            Ok(_) | Err(_) => return Err(io::ErrorKind::Unsupported.into()),
        }
        self.frame.build()?;
        // New namespaces and lost privileges may have cleared the parent-death signal. After the next line it cannot be
        // changed.
        die_with_parent()?;
        self.filters.install()
    }
}

/// Lowers a limit. A lower one that the user has set stays.
fn lower(resource: libc::c_int, most: u64) -> io::Result<()> {
    // SAFETY: the kernel reads and writes one structure that lives here.
    unsafe {
        let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        if libc::getrlimit(resource as _, &raw mut limit) == -1 {
            return Err(io::Error::last_os_error());
        }
        limit = libc::rlimit { rlim_cur: limit.rlim_cur.min(most), rlim_max: limit.rlim_max.min(most) };
        match libc::setrlimit(resource as _, &raw const limit) {
            -1 => Err(io::Error::last_os_error()),
            _ => Ok(()),
        }
    }
}

fn rules(sandbox: &Sandbox) -> Result<RulesetCreated, RulesetError> {
    let loaders = sandbox.executable.iter().filter_map(|program| elf::interpreter(program).ok().flatten());
    let executable: Vec<PathBuf> = sandbox.executable.iter().cloned().chain(loaders).collect();
    let system = system::files();
    let read = AccessFs::ReadFile | AccessFs::ReadDir;
    // Nothing in the private folder can be executed, and no device can be made there.
    let own = AccessFs::from_all(NEWEST)
        & !(AccessFs::Execute | AccessFs::MakeChar | AccessFs::MakeBlock | AccessFs::MakeSock | AccessFs::IoctlDev);
    let mut ruleset = ruleset(sandbox.has_loopback)?.set_compatibility(CompatLevel::BestEffort);
    for (paths, access) in [
        (&system, read),
        (&executable, AccessFs::Execute | AccessFs::ReadFile),
        (&vec![PathBuf::from("/dev/null")], AccessFs::ReadFile | AccessFs::WriteFile),
        (&sandbox.private, own),
    ] {
        // They are named by the system and by Beagle, which may have links on their way.
        for path in paths.iter().filter_map(|path| files::resolve_system(path).ok()) {
            if let Some(rule) = rule(&path, access) {
                ruleset = ruleset.add_rule(rule)?;
            }
        }
    }
    for path in &sandbox.readable {
        if let Some(rule) = rule(path, read) {
            ruleset = ruleset.add_rule(rule)?;
        }
    }
    Ok(ruleset)
}

/// `None` for what does not exist, or has a link on its way: it may have been put there since the path was checked. Of the
/// rights, a file has those that files can have.
fn rule(path: &Path, access: landlock::BitFlags<AccessFs>) -> Option<PathBeneath<OwnedFd>> {
    let (opened, is_folder) = files::open_place(path).ok()?;
    let access = if is_folder { access } else { access & AccessFs::from_file(NEWEST) };
    Some(PathBeneath::new(opened, access))
}
