//! The seccomp filter: system calls that a child inside the walls may not make.
//!
//! It lists what is refused, not what is allowed, because the runtime in the child may be of any release, and because
//! Landlock decides about paths. It refuses calls that need no path (sockets, signals, tracing, other processes'
//! memory), calls that Landlock does not cover (attributes of files, truncation on older kernels), calls that could
//! undo the walls (mounts, namespaces), and all calls that are newer than this list.

use libc::c_long;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen as Width, SeccompCmpOp as Compare, SeccompCondition as Condition,
    SeccompFilter, SeccompRule, TargetArch, apply_filter, sock_filter,
};
use std::collections::BTreeMap;
use std::io;

/// Three programs, each of which refuses calls with one error.
pub(crate) struct Filters([BpfProgram; 3]);

type Rules = BTreeMap<i64, Vec<SeccompRule>>;
type Refusal = seccompiler::BackendError;

/// The highest number of a known system call. The effects of newer calls, which have higher numbers, are unknown.
const NEWEST_CALL: u32 = 472;
/// The number from which on, on x86-64, the same calls follow once more, for programs with 32-bit pointers.
const SECOND_TABLE: u32 = 0x4000_0000;
/// The placeholder for the child's own process number until that is known. No process has it.
const OWN_PROCESS: u32 = 0x7BEA_61E5;

impl Filters {
    /// Compiles the filters. With `has_loopback`, there is a network inside that belongs to the child.
    pub fn compile(has_loopback: bool) -> Result<Filters, Refusal> {
        let own = compile(refused(has_loopback)?, libc::EPERM)?;
        debug_assert_eq!(own.iter().filter(|instruction| instruction.k == OWN_PROCESS).count(), 1);
        Ok(Filters([unknown_calls(), compile(absent()?, libc::ENOSYS)?, own]))
    }

    /// In the child: installs the filters without allocating.
    pub fn install(&mut self) -> io::Result<()> {
        let Filters(programs) = self;
        // SAFETY: a plain system call.
        let own_process = unsafe { libc::getpid() } as u32;
        for instruction in programs.iter_mut().flatten().filter(|instruction| instruction.k == OWN_PROCESS) {
            instruction.k = own_process;
        }
        for program in programs {
            apply_filter(program).map_err(|_| io::Error::from(io::ErrorKind::Unsupported))?;
        }
        Ok(())
    }
}

fn compile(rules: Rules, error: libc::c_int) -> Result<BpfProgram, Refusal> {
    let architecture = TargetArch::try_from(std::env::consts::ARCH)?;
    let refuse = SeccompAction::Errno(error as u32);
    SeccompFilter::new(rules, SeccompAction::Allow, refuse, architecture)?.try_into()
}

/// Returns the program `if number > NEWEST_CALL { ENOSYS } else { allow }`. It refuses the second table of numbers,
/// too.
fn unknown_calls() -> BpfProgram {
    const { assert!(NEWEST_CALL < SECOND_TABLE) };
    let load_number = (libc::BPF_LD | libc::BPF_W | libc::BPF_ABS) as u16;
    let is_greater = (libc::BPF_JMP | libc::BPF_JGT | libc::BPF_K) as u16;
    let answer = (libc::BPF_RET | libc::BPF_K) as u16;
    vec![
        sock_filter { code: load_number, jt: 0, jf: 0, k: 0 },
        sock_filter { code: is_greater, jt: 0, jf: 1, k: NEWEST_CALL },
        sock_filter { code: answer, jt: 0, jf: 0, k: libc::SECCOMP_RET_ERRNO | libc::ENOSYS as u32 },
        sock_filter { code: answer, jt: 0, jf: 0, k: libc::SECCOMP_RET_ALLOW },
    ]
}

/// Returns the rules for calls whose arguments a filter cannot see. Programs can handle kernels that lack these calls.
fn absent() -> Result<Rules, Refusal> {
    let mut rules = Rules::new();
    let hidden = [libc::SYS_clone3, libc::SYS_openat2];
    let rings = [libc::SYS_io_uring_setup, libc::SYS_io_uring_enter, libc::SYS_io_uring_register];
    always(&mut rules, &hidden);
    always(&mut rules, &rings);
    Ok(rules)
}

#[allow(clippy::unnecessary_cast, reason = "the types of constants differ from one C library to another")]
fn refused(has_loopback: bool) -> Result<Rules, Refusal> {
    let mut rules = Rules::new();
    if has_loopback {
        // Only the internet's protocols are allowed, since others lead out of the sandbox.
        let others = [libc::AF_INET, libc::AF_INET6].map(|family| differs(0, family as u64));
        when(&mut rules, libc::SYS_socket, others.into_iter().collect::<Result<_, _>>()?)?;
    } else {
        always(&mut rules, NETWORK);
        when(&mut rules, libc::SYS_sendto, vec![Condition::new(4, Width::Qword, Compare::Ne, 0)?])?;
    }
    for calls in [ATTRIBUTES, PROCESSES, IDENTITY, SHARED_OBJECTS, SYSTEM, OLD] {
        always(&mut rules, calls);
    }
    // Only pairs of connected streams are allowed, since a datagram socket could be connected to other places.
    when(&mut rules, libc::SYS_socketpair, vec![differs(0, libc::AF_UNIX as u64)?])?;
    let kind = Compare::MaskedEq(0xf);
    for other in [libc::SOCK_DGRAM, libc::SOCK_RAW, libc::SOCK_RDM, libc::SOCK_SEQPACKET] {
        when(&mut rules, libc::SYS_socketpair, vec![Condition::new(1, Width::Dword, kind.clone(), other as u64)?])?;
    }
    // A process may signal itself, which is how a program aborts.
    when(&mut rules, libc::SYS_tgkill, vec![differs(0, u64::from(OWN_PROCESS))?])?;
    when(&mut rules, libc::SYS_sched_setaffinity, vec![differs(0, 0)?])?;
    // The parent-death signal must stay, because it ends the process together with Beagle.
    for option in [
        libc::PR_SET_PDEATHSIG,
        libc::PR_SET_CHILD_SUBREAPER,
        libc::PR_SET_MM,
        libc::PR_SET_PTRACER,
        libc::PR_SET_DUMPABLE,
    ] {
        when(&mut rules, libc::SYS_prctl, vec![equals(0, option as u64)?])?;
    }
    // Once the door is shut, a filter with a listener of its own would take precedence over the door's filter, and could
    // allow new processes again.
    let asks = libc::SECCOMP_FILTER_FLAG_NEW_LISTENER as u64;
    when(&mut rules, libc::SYS_seccomp, vec![Condition::new(1, Width::Dword, Compare::MaskedEq(asks), asks)?])?;
    // A descriptor can be set up to signal another process.
    for command in [libc::F_SETOWN, F_SETSIG, F_SETOWN_EX, libc::F_SETLEASE, libc::F_NOTIFY] {
        when(&mut rules, libc::SYS_fcntl, vec![equals(1, command as u64)?])?;
    }
    // Devices and file systems have controls for everything. Those of terminals and pipes that programs use when they
    // start are harmless.
    let harmless = [libc::TCGETS, libc::TIOCGWINSZ, libc::FIONBIO, libc::FIONREAD, libc::FIOCLEX, libc::FIONCLEX];
    let controls: Result<Vec<Condition>, Refusal> =
        harmless.iter().map(|control| differs(1, *control as u64)).collect();
    when(&mut rules, libc::SYS_ioctl, controls?)?;
    // O_TRUNC empties a file even if it is opened only for reading.
    let emptied = Compare::MaskedEq((libc::O_TRUNC | libc::O_ACCMODE) as u64);
    for (call, flags) in OPENING {
        // The access mode 3, which only asks for permissions, opens nothing, but empties the file as well.
        for mode in [libc::O_RDONLY, libc::O_ACCMODE] {
            let empties = (libc::O_TRUNC | mode) as u64;
            when(&mut rules, *call, vec![Condition::new(*flags, Width::Dword, emptied.clone(), empties)?])?;
        }
    }
    // Limits can be queried, but not changed.
    when(&mut rules, libc::SYS_prlimit64, vec![Condition::new(2, Width::Qword, Compare::Ne, 0)?])?;
    for namespace in NAMESPACES {
        let asked = Compare::MaskedEq(*namespace as u64);
        when(&mut rules, libc::SYS_clone, vec![Condition::new(0, Width::Dword, asked, *namespace as u64)?])?;
    }
    Ok(rules)
}

fn always(rules: &mut Rules, calls: &[c_long]) {
    // A call without rules is refused with any arguments.
    calls.iter().for_each(|call| drop(rules.insert(*call, Vec::new())));
}

/// Refuses a call if all conditions hold. If a call has several rules, one that matches suffices.
fn when(rules: &mut Rules, call: c_long, conditions: Vec<Condition>) -> Result<(), Refusal> {
    rules.entry(call).or_default().push(SeccompRule::new(conditions)?);
    Ok(())
}

fn equals(argument: u8, value: u64) -> Result<Condition, Refusal> {
    Condition::new(argument, Width::Dword, Compare::Eq, value)
}

fn differs(argument: u8, value: u64) -> Result<Condition, Refusal> {
    Condition::new(argument, Width::Dword, Compare::Ne, value)
}

const F_SETSIG: libc::c_int = 10;
const F_SETOWN_EX: libc::c_int = 15;

const NAMESPACES: &[libc::c_int] = &[
    libc::CLONE_NEWNS,
    libc::CLONE_NEWCGROUP,
    libc::CLONE_NEWUTS,
    libc::CLONE_NEWIPC,
    libc::CLONE_NEWUSER,
    libc::CLONE_NEWPID,
    libc::CLONE_NEWNET,
];

/// Modes, owners, times and extended attributes of files. Calls that this version of `libc` does not name have their
/// numbers, which all architectures share.
const ATTRIBUTES: &[c_long] = &[
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    FCHMODAT2,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_utimensat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    SETXATTRAT,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    REMOVEXATTRAT,
    FILE_SETATTR,
    libc::SYS_truncate,
    libc::SYS_name_to_handle_at,
    libc::SYS_open_by_handle_at,
    libc::SYS_quotactl,
    QUOTACTL_FD,
    libc::SYS_sync,
    libc::SYS_syncfs,
];

const FCHMODAT2: c_long = 452;
const SETXATTRAT: c_long = 463;
const REMOVEXATTRAT: c_long = 466;
const OPEN_TREE_ATTR: c_long = 467;
const FILE_SETATTR: c_long = 469;
const QUOTACTL_FD: c_long = 443;
const PROCESS_MRELEASE: c_long = 448;
const PROCESS_MADVISE: c_long = 440;
const MOUNT_SETATTR: c_long = 442;

const NETWORK: &[c_long] = &[
    libc::SYS_socket,
    libc::SYS_connect,
    libc::SYS_bind,
    libc::SYS_listen,
    libc::SYS_accept,
    libc::SYS_accept4,
    libc::SYS_setsockopt,
];

/// Signals to other processes, their memory, descriptors and priorities; and leaving the group that is ended as a
/// whole.
const PROCESSES: &[c_long] = &[
    libc::SYS_setsid,
    libc::SYS_setpgid,
    libc::SYS_kill,
    libc::SYS_tkill,
    libc::SYS_rt_sigqueueinfo,
    libc::SYS_rt_tgsigqueueinfo,
    libc::SYS_pidfd_open,
    libc::SYS_pidfd_getfd,
    libc::SYS_pidfd_send_signal,
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    PROCESS_MADVISE,
    PROCESS_MRELEASE,
    libc::SYS_kcmp,
    libc::SYS_migrate_pages,
    libc::SYS_move_pages,
    libc::SYS_setpriority,
    libc::SYS_ioprio_set,
    libc::SYS_setrlimit,
    libc::SYS_sched_setparam,
    libc::SYS_sched_setscheduler,
    libc::SYS_sched_setattr,
    libc::SYS_execveat,
    libc::SYS_inotify_add_watch,
];

/// Changes of credentials. The kernel clears the parent-death signal of a process that makes one.
const IDENTITY: &[c_long] = &[
    libc::SYS_setuid,
    libc::SYS_setgid,
    libc::SYS_setreuid,
    libc::SYS_setregid,
    libc::SYS_setresuid,
    libc::SYS_setresgid,
    libc::SYS_setfsuid,
    libc::SYS_setfsgid,
    libc::SYS_setgroups,
    libc::SYS_capset,
    libc::SYS_personality,
];

/// Objects of the kernel that other programs use as well, and that stay when a process ends.
const SHARED_OBJECTS: &[c_long] = &[
    libc::SYS_shmget,
    libc::SYS_shmat,
    libc::SYS_shmctl,
    libc::SYS_semget,
    libc::SYS_semctl,
    libc::SYS_semop,
    libc::SYS_semtimedop,
    libc::SYS_msgget,
    libc::SYS_msgctl,
    libc::SYS_msgsnd,
    libc::SYS_msgrcv,
    libc::SYS_mq_open,
    libc::SYS_mq_unlink,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
];

/// Calls that affect the system as a whole, or could move the walls.
const SYSTEM: &[c_long] = &[
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
    OPEN_TREE_ATTR,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    MOUNT_SETATTR,
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_reboot,
    libc::SYS_kexec_load,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_acct,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_clock_adjtime,
    libc::SYS_adjtimex,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_syslog,
    libc::SYS_vhangup,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_fanotify_init,
];

/// Calls that newer architectures do not have.
#[cfg(target_arch = "x86_64")]
const OLD: &[c_long] = &[
    libc::SYS_chmod,
    libc::SYS_chown,
    libc::SYS_lchown,
    libc::SYS_utime,
    libc::SYS_utimes,
    libc::SYS_futimesat,
    libc::SYS_iopl,
    libc::SYS_ioperm,
    libc::SYS_kexec_file_load,
    libc::SYS_modify_ldt,
    libc::SYS__sysctl,
];

#[cfg(not(target_arch = "x86_64"))]
const OLD: &[c_long] = &[];

/// Calls that open files, with the index of the argument that has their flags.
#[cfg(target_arch = "x86_64")]
const OPENING: &[(c_long, u8)] = &[(libc::SYS_open, 1), (libc::SYS_openat, 2)];

#[cfg(not(target_arch = "x86_64"))]
const OPENING: &[(c_long, u8)] = &[(libc::SYS_openat, 2)];
