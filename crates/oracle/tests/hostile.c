/* Native code that tries every route out of a sandbox, with plain system calls. `attack/1` answers with a line for each
   route: its name, what the call returned, and the error. A route is closed if the call returned -1. */
#define _GNU_SOURCE
#include <erl_nif.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <termios.h>
#include <unistd.h>

static char report[1 << 17];
static size_t length;

static void note(const char *name, long result, int error) {
    int room = (int)(sizeof report - length);
    int written = snprintf(report + length, room, "%s\t%ld\t%d\n", name, result, error);
    if (written > 0 && written < room) length += written;
}

/* The name may contain one %d. */
#define TRY(name, call) do { errno = 0; long r_ = (long)(call); note(name, r_, errno); } while (0)
#define TRYF(number, name, call) do { char n_[128]; snprintf(n_, sizeof n_, name, number); TRY(n_, call); } while (0)

static const char *in(const char *folder, const char *name) {
    static char paths[8][4096];
    static int next;
    char *path = paths[next++ % 8];
    snprintf(path, 4096, "%s/%s", folder, name);
    return path;
}

static char *no_arguments[] = {"x", NULL};

static void files(const char *out, const char *own, const char *library) {
    char v[4096];
    snprintf(v, sizeof v, "%s/victim", out);
    struct timespec times[2] = {{1, 1}, {1, 1}};
    TRY("open to write", open(v, O_WRONLY));
    TRY("open to append", open(v, O_WRONLY | O_APPEND));
    TRY("open to read and write", open(v, O_RDWR));
    TRY("open to read and empty", open(v, O_RDONLY | O_TRUNC));
    TRY("open without access and empty", open(v, 3 | O_TRUNC));
    TRY("creat", creat(v, 0600));
    TRY("read a secret", open(in(out, "secret"), O_RDONLY));
    TRY("read it by the root of the process", open(in("/proc/self/root", in(out, "secret")), O_RDONLY));
    TRY("read it by its folder in /proc", open("/proc/self/cwd/../../../../../../../../../../../../etc/passwd", O_RDONLY));
    TRY("list a folder", open(out, O_RDONLY | O_DIRECTORY));
    int root = open("/", O_PATH);
    TRY("read it from the root", openat(root, in(out, "secret") + 1, O_RDONLY));
    int held = open(in(out, "secret"), O_PATH);
    char name[64];
    snprintf(name, sizeof name, "/proc/self/fd/%d", held);
    TRY("open a descriptor without access again", open(name, O_RDONLY));
    TRY("openat2", syscall(SYS_openat2, AT_FDCWD, v, v, 24));
    TRY("name_to_handle_at", syscall(SYS_name_to_handle_at, AT_FDCWD, v, v, v, 0));
    TRY("open_by_handle_at", syscall(SYS_open_by_handle_at, root, v, O_RDONLY));
    TRY("make a file", open(in(out, "new"), O_WRONLY | O_CREAT, 0600));
    TRY("make an unnamed file", open(out, O_TMPFILE | O_WRONLY, 0600));
    TRY("unlink", unlink(v));
    TRY("rmdir", rmdir(in(out, "folder")));
    TRY("mkdir", mkdir(in(out, "new"), 0700));
    TRY("rename", rename(v, in(out, "new")));
    TRY("rename into the own folder", rename(v, in(own, "stolen")));
    close(open(in(own, "mine"), O_WRONLY | O_CREAT, 0600));
    TRY("rename out of the own folder", rename(in(own, "mine"), in(out, "new")));
    TRY("exchange", syscall(SYS_renameat2, AT_FDCWD, in(own, "mine"), AT_FDCWD, v, 2));
    TRY("link", link(v, in(out, "new")));
    TRY("link into the own folder", link(v, in(own, "linked")));
    TRY("link a descriptor", linkat(held, "", AT_FDCWD, in(own, "linked"), AT_EMPTY_PATH));
    TRY("symlink", symlink(v, in(out, "new")));
    TRY("mkfifo", mkfifo(in(out, "new"), 0600));
    TRY("make a device", mknod(in(own, "device"), S_IFBLK | 0600, makedev(8, 0)));
    TRY("make the device of memory", mknod(in(own, "memory"), S_IFCHR | 0600, makedev(1, 1)));
    TRY("chmod", chmod(v, 0777));
    TRY("chmod of the own file", chmod(in(own, "mine"), 04777));
    TRY("fchmodat2", syscall(452, AT_FDCWD, v, 0777, 0));
    TRY("chown", chown(v, 1, 1));
    TRY("lchown", lchown(v, 1, 1));
    TRY("utimensat", utimensat(AT_FDCWD, v, times, 0));
    TRY("setxattr", setxattr(v, "user.a", "x", 1, 0));
    TRY("removexattr", removexattr(v, "user.a"));
    TRY("truncate", truncate(v, 0));
    symlink(in(out, "secret"), in(own, "way"));
    TRY("read through a link of its own", open(in(own, "way"), O_RDONLY));
    symlink(out, in(own, "folder"));
    TRY("write through a folder that is a link", open(in(own, "folder/victim"), O_WRONLY));
    TRY("write beside the library", open(in(library, "new"), O_WRONLY | O_CREAT, 0600));
    TRY("remove the library", unlink(in(library, "hostile.so")));
    TRY("write the library", open(in(library, "hostile.so"), O_WRONLY));
    TRY("mount", mount("none", own, "tmpfs", 0, NULL));
    TRY("bind mount", mount(out, own, NULL, MS_BIND, NULL));
    TRY("umount2", umount2("/tmp", 0));
    TRY("chroot", chroot(own));
    TRY("pivot_root", syscall(SYS_pivot_root, own, own));
    TRY("fsopen", syscall(SYS_fsopen, "tmpfs", 0));
    TRY("open_tree", syscall(SYS_open_tree, AT_FDCWD, out, 1));
    TRY("move_mount", syscall(SYS_move_mount, root, "", AT_FDCWD, own, 4));
    TRY("mount_setattr", syscall(442, AT_FDCWD, own, 0, own, 32));
    const char *others[] = {
        "/etc/passwd", "/etc/shadow", "/etc/hostname", "/root", "/home", "/tmp", "/var", "/run", "/proc",
        "/proc/self/mem", "/proc/self/environ", "/proc/self/maps", "/proc/self/status", "/proc/1/cmdline",
        "/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger", "/proc/kcore", "/sys/kernel", "/sys/fs/cgroup",
        "/sys/kernel/debug", "/boot", "/dev", "/dev/mem", "/dev/kmsg", "/dev/console", "/dev/ptmx", "/dev/shm",
        "/dev/full", "/dev/fuse", "/dev/kvm", "/dev/net/tun", "/dev/vsock",
    };
    for (unsigned i = 0; i < sizeof others / sizeof *others; i++) {
        struct stat found;
        if (stat(others[i], &found) == 0) TRY(others[i], open(others[i], O_RDONLY | O_NONBLOCK));
    }
    const char *places[] = {"/tmp/new", "/var/tmp/new", "/dev/shm/new", "/run/new", "/etc/new", "/new"};
    for (unsigned i = 0; i < sizeof places / sizeof *places; i++)
        TRY(places[i], open(places[i], O_WRONLY | O_CREAT, 0600));
    close(root);
    close(held);
}

static void others(pid_t victim) {
    char byte = 0;
    struct iovec vector = {&byte, 1};
    struct sched_param parameters = {1};
    struct rlimit unlimited = {RLIM_INFINITY, RLIM_INFINITY};
    cpu_set_t processors;
    CPU_ZERO(&processors);
    CPU_SET(0, &processors);
    pid_t targets[] = {victim, getppid(), 2};
    for (int i = 0; i < 3; i++) {
        pid_t target = targets[i];
        TRYF(i, "ask for process %d", kill(target, 0));
        TRYF(i, "kill process %d", kill(target, SIGKILL));
        TRYF(i, "tkill process %d", syscall(SYS_tkill, target, SIGKILL));
        TRYF(i, "tgkill process %d", syscall(SYS_tgkill, target, target, SIGKILL));
        TRYF(i, "rt_sigqueueinfo to process %d", syscall(SYS_rt_sigqueueinfo, target, SIGKILL, &byte));
        TRYF(i, "rt_tgsigqueueinfo to process %d", syscall(SYS_rt_tgsigqueueinfo, target, target, SIGKILL, &byte));
        TRYF(i, "pidfd_open of process %d", syscall(SYS_pidfd_open, target, 0));
        TRYF(i, "ptrace attaches to process %d", ptrace(PTRACE_ATTACH, target, 0, 0));
        TRYF(i, "ptrace seizes process %d", ptrace(PTRACE_SEIZE, target, 0, 0));
        TRYF(i, "read the memory of process %d", process_vm_readv(target, &vector, 1, &vector, 1, 0));
        TRYF(i, "write the memory of process %d", process_vm_writev(target, &vector, 1, &vector, 1, 0));
        TRYF(i, "kcmp of process %d", syscall(SYS_kcmp, target, getpid(), 0, 0, 0));
        TRYF(i, "move pages of process %d", syscall(SYS_move_pages, target, 0, 0, 0, 0, 0));
        TRYF(i, "priority of process %d", setpriority(PRIO_PROCESS, target, 19));
        TRYF(i, "I/O priority of process %d", syscall(SYS_ioprio_set, 1, target, 0));
        TRYF(i, "processors of process %d", sched_setaffinity(target ? target : -1, sizeof processors, &processors));
        TRYF(i, "scheduler of process %d", sched_setscheduler(target, SCHED_FIFO, &parameters));
        TRYF(i, "limits of process %d", syscall(SYS_prlimit64, target, RLIMIT_CPU, &unlimited, 0));
    }
    /* Without a signal: if it were allowed, nobody else should suffer. */
    TRY("kill the group", kill(0, 0));
    TRY("kill everybody", kill(-1, 0));
    TRY("kill itself", kill(getpid(), SIGUSR1));
    TRY("kill another group", kill(-victim, SIGKILL));
    TRY("signal by a descriptor", syscall(SYS_pidfd_send_signal, 0, SIGKILL, 0, 0));
    TRY("take a descriptor of another", syscall(SYS_pidfd_getfd, 0, 0, 0));
    TRY("be traced", ptrace(PTRACE_TRACEME, 0, 0, 0));
    TRY("process_madvise", syscall(440, 0, &vector, 1, 0, 0));
    TRY("process_mrelease", syscall(448, 0, 0));
    TRY("migrate_pages", syscall(SYS_migrate_pages, 0, 0, 0, 0));
    TRY("own priority", setpriority(PRIO_PROCESS, 0, -5));
    TRY("nice", nice(5));
    TRY("sched_setattr", syscall(SYS_sched_setattr, 0, &parameters, 0));
    TRY("setrlimit", syscall(SYS_setrlimit, RLIMIT_NOFILE, &unlimited));
    TRY("prlimit", syscall(SYS_prlimit64, 0, RLIMIT_FSIZE, &unlimited, 0));
    TRY("setsid", setsid());
    TRY("setpgid", setpgid(0, 0));
    TRY("owner of signals", fcntl(0, F_SETOWN, victim));
    TRY("owner of signals, extended", fcntl(0, 15, &byte));
    TRY("signal of a descriptor", fcntl(0, 10, SIGKILL));
    TRY("lease", fcntl(0, F_SETLEASE, F_RDLCK));
    TRY("notification", fcntl(0, F_NOTIFY, 1));
    int asynchronous = 1;
    TRY("asynchronous signals", ioctl(0, FIOASYNC, &asynchronous));
}

/* A filter that asks for each fork, and would be asked before any that was there. */
static long own_filter(void) {
    struct sock_filter ask[] = {
        {BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(struct seccomp_data, nr)},
        {BPF_JMP | BPF_JEQ | BPF_K, 0, 1, SYS_execve},
        {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_USER_NOTIF},
        {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW},
    };
    struct sock_fprog program = {4, ask};
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
}

/* For calls that return twice if they are allowed. */
static long once(long process) {
    if (process == 0) _exit(0);
    return process;
}

static void programs(const char *own, const char *runtime) {
    TRY("fork", once(fork()));
    TRY("clone", once(syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0)));
    TRY("clone beside itself", once(syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0)));
    TRY("clone without a signal", once(syscall(SYS_clone, CLONE_FILES | CLONE_FS, 0, 0, 0, 0)));
#ifdef SYS_fork
    TRY("fork by its number", once(syscall(SYS_fork)));
    TRY("vfork by its number", once(syscall(SYS_vfork)));
#endif
    TRY("clone3", syscall(SYS_clone3, own, 64));
    TRY("execve", execve("/bin/true", no_arguments, no_arguments));
    TRY("execve of the runtime", execve(runtime, no_arguments, no_arguments));
    TRY("execve of the loader", execve("/lib64/ld-linux-x86-64.so.2", no_arguments, no_arguments));
    TRY("execve of its own file", execve(in(own, "mine"), no_arguments, no_arguments));
    int memory = memfd_create("program", 0);
    TRY("fexecve", fexecve(memory, no_arguments, no_arguments));
    TRY("execveat", syscall(SYS_execveat, memory, "", no_arguments, no_arguments, AT_EMPTY_PATH));
    char name[64];
    snprintf(name, sizeof name, "/proc/self/fd/%d", memory);
    TRY("execve of a file in memory", execve(name, no_arguments, no_arguments));
    pid_t spawned;
    int failed = posix_spawn(&spawned, "/bin/true", NULL, NULL, no_arguments, no_arguments);
    note("posix_spawn", failed ? -1 : 0, failed);
    TRY("system", system("true") == 0 ? 0 : -1);
    TRY("a filter that asks", own_filter());
    int spaces[] = {CLONE_NEWNS, CLONE_NEWCGROUP, CLONE_NEWUTS, CLONE_NEWIPC, CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET, 0x80};
    for (int i = 0; i < 8; i++) {
        TRYF(spaces[i], "unshare %d", unshare(spaces[i]));
        if (spaces[i] != 0x80) TRYF(spaces[i], "clone into namespace %d", once(syscall(SYS_clone, spaces[i] | SIGCHLD, 0, 0, 0, 0)));
        TRYF(spaces[i], "setns %d", setns(0, spaces[i]));
    }
    close(memory);
}

/* Sockets of every family, and what can be done with the one kind that is there. */
static void network(const char *hidden, const char *out) {
    for (int family = 0; family < 46; family++) {
        int kinds[] = {SOCK_STREAM, SOCK_DGRAM, SOCK_RAW, SOCK_SEQPACKET};
        long opened = -1;
        int error = 0;
        for (int i = 0; i < 4; i++) {
            int made = socket(family, kinds[i], 0);
            if (made != -1) opened = made;
            else error = errno;
        }
        char name[32];
        snprintf(name, sizeof name, "sockets of family %d", family);
        note(name, opened, error);
    }
    int pair[2] = {-1, -1};
    TRY("pair of datagrams", socketpair(AF_UNIX, SOCK_DGRAM, 0, pair));
    TRY("pair of packets", socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair));
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) note("pair of streams is missing", 0, errno);
    struct sockaddr_un address = {AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s/socket", out);
    TRY("connect", connect(pair[0], (struct sockaddr *)&address, sizeof address));
    TRY("bind", bind(pair[0], (struct sockaddr *)&address, sizeof address));
    TRY("listen", listen(pair[0], 1));
    TRY("accept", accept(pair[0], NULL, NULL));
    TRY("sendto", sendto(pair[0], "x", 1, 0, (struct sockaddr *)&address, sizeof address));
    memset(address.sun_path, 0, sizeof address.sun_path);
    memcpy(address.sun_path + 1, hidden, strlen(hidden));
    socklen_t size = offsetof(struct sockaddr_un, sun_path) + 1 + strlen(hidden);
    TRY("connect to an abstract name", connect(pair[0], (struct sockaddr *)&address, size));
    struct msghdr message = {&address, size};
    TRY("sendmsg to an abstract name", sendmsg(pair[0], &message, MSG_NOSIGNAL));
    int one = 1;
    TRY("setsockopt", setsockopt(pair[0], SOL_SOCKET, SO_REUSEADDR, &one, sizeof one));
    close(pair[0]);
    close(pair[1]);
}

static void kernel(void) {
    char zeros[256] = {0};
    struct timespec now = {1, 1};
    TRY("io_uring_setup", syscall(SYS_io_uring_setup, 1, zeros));
    TRY("io_uring_enter", syscall(SYS_io_uring_enter, 0, 0, 0, 0, 0, 0));
    TRY("io_uring_register", syscall(SYS_io_uring_register, 0, 0, 0, 0));
    TRY("userfaultfd", syscall(SYS_userfaultfd, 0));
    TRY("bpf", syscall(SYS_bpf, 0, zeros, 0));
    TRY("perf_event_open", syscall(SYS_perf_event_open, zeros, 0, -1, -1, 0));
    TRY("fanotify_init", syscall(SYS_fanotify_init, 0, 0));
    TRY("inotify_add_watch", syscall(SYS_inotify_add_watch, 0, "/tmp", 1));
    TRY("keyctl", syscall(SYS_keyctl, 0, -3, 1, 0, 0));
    TRY("add_key", syscall(SYS_add_key, "user", "beagle", "x", 1, -3));
    TRY("request_key", syscall(SYS_request_key, "user", "beagle", 0, 0));
    TRY("shmget", shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600));
    TRY("shmat", (long)shmat(0, NULL, 0));
    TRY("shmctl", shmctl(0, IPC_RMID, NULL));
    TRY("semget", syscall(SYS_semget, IPC_PRIVATE, 1, IPC_CREAT | 0600));
    TRY("semctl", syscall(SYS_semctl, 0, 0, IPC_RMID, 0));
    TRY("msgget", syscall(SYS_msgget, IPC_PRIVATE, IPC_CREAT | 0600));
    TRY("msgctl", syscall(SYS_msgctl, 0, IPC_RMID, 0));
    TRY("mq_open", syscall(SYS_mq_open, "beagle", O_RDWR | O_CREAT, 0600, 0));
    TRY("mq_unlink", syscall(SYS_mq_unlink, "beagle"));
    TRY("shm_open", shm_open("/beagle", O_RDWR | O_CREAT, 0600));
    for (int i = 0; i < 3; i++) {
        TRYF(i, "type into the terminal by %d", ioctl(i, TIOCSTI, "x"));
        TRYF(i, "paste into the console by %d", ioctl(i, TIOCLINUX, "\3"));
        TRYF(i, "take the terminal by %d", ioctl(i, TIOCSCTTY, 1));
        TRYF(i, "leave the terminal by %d", ioctl(i, TIOCNOTTY));
        TRYF(i, "change the terminal by %d", ioctl(i, TCSETS, zeros));
        TRYF(i, "resize the terminal by %d", ioctl(i, TIOCSWINSZ, zeros));
    }
    TRY("open the terminal", open("/dev/tty", O_RDWR));
    TRY("open a terminal by its number", open("/dev/pts/0", O_RDWR));
    TRY("flags of a file", ioctl(0, 0x40086602, zeros));
    TRY("settimeofday", syscall(SYS_settimeofday, 0, 0));
    TRY("clock_settime", clock_settime(CLOCK_REALTIME, &now));
    TRY("clock_adjtime", syscall(SYS_clock_adjtime, 0, zeros));
    TRY("adjtimex", syscall(SYS_adjtimex, zeros));
    TRY("sethostname", syscall(SYS_sethostname, "x", -1));
    TRY("setdomainname", syscall(SYS_setdomainname, "x", -1));
    TRY("syslog", syscall(SYS_syslog, 10, 0, 0));
    TRY("acct", syscall(SYS_acct, "/nowhere"));
    TRY("quotactl", syscall(SYS_quotactl, 0, 0, 0, 0));
    TRY("swapon", syscall(SYS_swapon, "/nowhere", 0));
    TRY("swapoff", syscall(SYS_swapoff, "/nowhere"));
    TRY("reboot", syscall(SYS_reboot, 0, 0, 0, 0));
    TRY("kexec_load", syscall(SYS_kexec_load, 0, 0, 0, 0xffff));
    TRY("init_module", syscall(SYS_init_module, 0, 0, 0));
    TRY("finit_module", syscall(SYS_finit_module, -1, "", 0));
    TRY("delete_module", syscall(SYS_delete_module, "nothing", O_NONBLOCK));
    TRY("vhangup", syscall(SYS_vhangup));
    TRY("sync", syscall(SYS_syncfs, 0));
    TRY("a call of the future", syscall(10000));
#ifdef __x86_64__
    TRY("iopl", syscall(SYS_iopl, 3));
    TRY("ioperm", syscall(SYS_ioperm, 0, 1, 1));
    TRY("modify_ldt", syscall(SYS_modify_ldt, 0, zeros, 16));
    TRY("fork of the second table", once(syscall(0x40000000 + SYS_fork)));
    TRY("kill of the second table", syscall(0x40000000 + SYS_kill, 0, 9));
#endif
}

static void identity(void) {
    TRY("forget the parent", prctl(PR_SET_PDEATHSIG, 0, 0, 0, 0));
    TRY("choose another signal", prctl(PR_SET_PDEATHSIG, SIGUSR1, 0, 0, 0));
    TRY("forget the parent by a number with upper bits", syscall(SYS_prctl, 0x100000000 | PR_SET_PDEATHSIG, 0, 0, 0, 0));
    TRY("adopt orphans", prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0));
    TRY("be traced by anybody", prctl(PR_SET_PTRACER, -1, 0, 0, 0));
    TRY("be dumpable", prctl(PR_SET_DUMPABLE, 1, 0, 0, 0));
    TRY("change the layout of memory", prctl(PR_SET_MM, 1, 0, 0, 0));
    TRY("raise a capability", prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, 21, 0, 0));
    TRY("setuid", syscall(SYS_setuid, getuid()));
    TRY("setuid of root", syscall(SYS_setuid, 0));
    TRY("setuid of another", syscall(SYS_setuid, 12345));
    TRY("setgid", syscall(SYS_setgid, getgid()));
    TRY("setreuid", syscall(SYS_setreuid, getuid(), getuid()));
    TRY("setregid", syscall(SYS_setregid, getgid(), getgid()));
    TRY("setresuid", syscall(SYS_setresuid, -1, 0, -1));
    TRY("setresgid", syscall(SYS_setresgid, -1, 0, -1));
    TRY("setfsuid", syscall(SYS_setfsuid, 12345));
    TRY("setfsgid", syscall(SYS_setfsgid, 12345));
    TRY("setgroups", syscall(SYS_setgroups, 0, 0));
    TRY("personality", syscall(SYS_personality, 0x0040000));
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct all[2] = {{~0u, ~0u, ~0u}, {~0u, ~0u, ~0u}};
    TRY("capset", syscall(SYS_capset, &header, all));
    /* What must hold is noted as if it had been refused, and what does not as if it had worked. */
    memset(all, 0xff, sizeof all);
    syscall(SYS_capget, &header, all);
    int has_any = 0;
    for (int i = 0; i < 2; i++) has_any |= all[i].effective | all[i].permitted | all[i].inheritable;
    note("have a capability", has_any ? has_any : -1, EPERM);
    int bound = 0;
    for (int i = 0; i < 64; i++) bound |= prctl(PR_CAPBSET_READ, i, 0, 0, 0) == 1 && getuid() == 0;
    note("have a capability left to gain", bound ? 1 : -1, EPERM);
}

static ERL_NIF_TERM attack(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[]) {
    char text[6][1024];
    ERL_NIF_TERM rest = argv[0], head;
    for (int i = 0; i < 6; i++)
        if (!enif_get_list_cell(env, rest, &head, &rest) || enif_get_string(env, head, text[i], 1024, ERL_NIF_LATIN1) <= 0)
            return enif_make_badarg(env);
    length = 0;
    files(text[0], text[1], text[2]);
    others(atoi(text[3]));
    programs(text[1], text[4]);
    network(text[5], text[0]);
    kernel();
    identity();
    ERL_NIF_TERM answer;
    memcpy(enif_make_new_binary(env, length, &answer), report, length);
    return answer;
}

/* The numbers of all files, pipes and sockets that are open, one on each line. */
static ERL_NIF_TERM descriptors(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[]) {
    length = 0;
    for (int i = 0; i < 65536; i++) {
        struct stat found;
        if (fstat(i, &found) == 0) {
            char name[64];
            snprintf(name, sizeof name, "%lu:%lu", (unsigned long)found.st_dev, (unsigned long)found.st_ino);
            note(name, i, fcntl(i, F_GETFL) & O_ACCMODE);
        }
    }
    ERL_NIF_TERM answer;
    memcpy(enif_make_new_binary(env, length, &answer), report, length);
    return answer;
}

/* Writes to everything that is open. */
static ERL_NIF_TERM scribble(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[]) {
    for (int i = 0; i < 65536; i++) {
        fcntl(i, F_SETFL, O_NONBLOCK);
        for (int j = 0; j < 64; j++) if (write(i, "\0\0\0\4forged answer", 17) < 0) break;
    }
    return enif_make_atom(env, "ok");
}

/* The gate of 32-bit programs, whose calls have other numbers: 2 is fork. */
static ERL_NIF_TERM old_gate(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[]) {
    int result = -1;
#ifdef __x86_64__
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(2) : "memory");
    if (result == 0) _exit(0);
#endif
    return enif_make_int(env, result);
}

static void *stay(void *nothing) {
    prctl(PR_SET_NAME, "hostile", 0, 0, 0);
    prctl(PR_SET_PDEATHSIG, 0, 0, 0, 0);
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
    for (;;) pause();
    return nothing;
}

/* Does whatever a process can do to outlive its parent, from the moment at which the library is loaded. */
static int loaded(ErlNifEnv *env, void **data, ERL_NIF_TERM argument) {
    for (int i = 1; i < 65; i++) signal(i, SIG_IGN);
    setsid();
    prctl(PR_SET_PDEATHSIG, 0, 0, 0, 0);
    syscall(SYS_setresuid, -1, 12345, -1);
    prctl(PR_SET_NAME, "hostile", 0, 0, 0);
    pthread_t thread;
    return pthread_create(&thread, NULL, stay, NULL);
}

static ErlNifFunc functions[] = {
    {"attack", 1, attack}, {"descriptors", 0, descriptors}, {"scribble", 0, scribble}, {"old_gate", 0, old_gate},
};

ERL_NIF_INIT(hostile, functions, loaded, NULL, NULL, NULL)
